"""The case that English speech favours, in plain Python: the rule of `rules/_speech.pyx`.

Tokens are lowercase words with whether white space stands before each.
"""

from reference import rules

spoken = rules.lists("speech")

SURE = spoken.sure
LIKELY = spoken.likely


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
    if word in spoken.lower:
        return "AL", SURE
    if word in spoken.likely_lower:
        before = tokens[i - 1][0] if i else ","
        if before == "," or before.upper() != before:
            return "AL", LIKELY
    elif word in spoken.i_am and is_bare(tokens, i):
        after = tokens[i + 1][0] if i + 1 < len(tokens) else ""
        if (
            len(tokens) == 1
            or after in spoken.after_i_am
            or (len(after) > 4 and after.endswith("ing"))
        ):
            return "IU", SURE
    elif word in spoken.i_will and is_bare(tokens, i) and follows(tokens, i, spoken.after_i_will):
        return "IU", SURE
    elif word in spoken.domain and i and tokens[i - 1][0] in spoken.dot:
        return "AL", SURE
    elif word in spoken.number:
        numbers = [w in spoken.number for w, _ in tokens[max(i - 2, 0) : i + 3]]
        at = min(i, 2)
        if any(all(numbers[j : j + 3]) for j in range(at + 1) if j + 3 <= len(numbers)):
            return "AL", SURE
    return "AN", 0.0
