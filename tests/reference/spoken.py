"""The case that English speech favours, in plain Python: the rule of `lattice/_spoken.pxd`.

Tokens are lowercase words with whether white space stands before each.
"""

from truecase.lattice import spoken

SURE = spoken.SURE
LIKELY = spoken.LIKELY


def is_bare(tokens, i):
    return tokens[i][1] and (i + 1 == len(tokens) or tokens[i + 1][1])


def letters(tokens):
    """For each token the letter that it is between spaces, or None."""
    return [
        word if len(word) == 1 and "a" <= word <= "z" and is_bare(tokens, i) else None
        for i, (word, _) in enumerate(tokens)
    ]


def spelled(tokens, i):
    """What a capital of a letter is favoured by."""
    row = letters(tokens)
    first = last = i
    while first > 0 and row[first - 1]:
        first -= 1
    while last + 1 < len(row) and row[last + 1]:
        last += 1
    if first == last or row[i] is None:
        return 0.0
    if row[i] in "ai" and (i == first or row[i - 1] in "ai"):
        return 0.0
    # Of long rows only three letters each way are looked at.
    first, last = max(first, i - 3), min(last, i + 3)
    run = row[first : last + 1]
    if len(run) > 2 and run[0] in "ai":
        run = run[1:]
    if len(run) >= 3:
        return SURE
    return 0.0 if "".join(run) in ("am", "pm", "ie", "eg") else LIKELY


def follows(tokens, i, words):
    return i + 1 < len(tokens) and tokens[i + 1][0] in words


def favoured(tokens, i):
    """Tag and nats."""
    word = tokens[i][0]
    if len(word) == 1:
        bonus = spelled(tokens, i)
        return ("IU", bonus) if bonus else ("AN", 0.0)
    if word in spoken.LOWER:
        return "AL", SURE
    if word in spoken.LIKELY_LOWER:
        before = tokens[i - 1][0] if i else ","
        if before == "," or before.upper() != before:
            return "AL", LIKELY
    elif word == spoken.I_AM and is_bare(tokens, i):
        after = tokens[i + 1][0] if i + 1 < len(tokens) else ""
        if (
            len(tokens) == 1
            or after in spoken.AFTER_I_AM
            or (len(after) > 4 and after.endswith("ing"))
        ):
            return "IU", SURE
    elif word in spoken.I_WILL and is_bare(tokens, i) and follows(tokens, i, spoken.AFTER_I_WILL):
        return "IU", SURE
    elif word in spoken.DOMAINS and i and tokens[i - 1][0] == spoken.DOT:
        return "AL", SURE
    elif word in spoken.NUMBERS:
        numbers = [w in spoken.NUMBERS for w, _ in tokens[max(i - 2, 0) : i + 3]]
        at = min(i, 2)
        if any(all(numbers[j : j + 3]) for j in range(at + 1) if j + 3 <= len(numbers)):
            return "AL", SURE
    return "AN", 0.0
