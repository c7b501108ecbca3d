"""Short forms of English, in plain Python: the rule of `lattice/_abbreviated.pyx`."""

import re

from truecase.lattice import abbreviated as lists


def abbreviated(tokens, i):
    """The tag that is favoured for a token; None: none is.

    Tokens are lowercase words with whether white space stands before each.
    """
    word = tokens[i][0]
    if word.upper() == word:
        return None
    after = tokens[i + 1][0] if i + 1 < len(tokens) and not tokens[i + 1][1] else ""
    is_glued = i >= 2 and not (tokens[i - 1][1] or tokens[i][1])
    if is_glued and tokens[i - 1][0] == "+" and tokens[i - 2][0] in lists.KEYS:
        return "IU" if len(word.encode()) == 1 or word in lists.KEYS else None
    if after == "+":
        return "IU" if word in lists.KEYS else None
    if after == ":":
        return "IU" if i == 0 and word in lists.HEADS else None
    is_first = i == 0 or (i == 1 and tokens[0][0].startswith("("))
    is_last = i + 2 == len(tokens) or (i + 2 < len(tokens) and tokens[i + 2][1])
    if after == ")" and is_first and is_last and re.fullmatch("[a-z]", word):
        return "AL"
    if re.fullmatch("[a-z]", word):
        for slash in (i + 1, i - 1):
            if 1 <= slash < len(tokens) - 1 and tokens[slash][0] == "/":
                glued = [not space for _, space in tokens[slash : slash + 2]]
                if all(glued):
                    return slashed(tokens, slash)
                if slash == i + 1 and glued[0]:
                    return None
        return None
    if word != "v." or i == 0 or i + 1 == len(tokens):
        return None
    if any(w.upper() == w.lower() for w in (tokens[i - 1][0], tokens[i + 1][0])):
        return None
    near = [w for w, _ in tokens[max(i - 25, 0) : i + 25]]
    if tokens[i + 1][0] in lists.PARTIES or not lists.COURT.isdisjoint(near):
        return "AL"
    return None


def slashed(tokens, slash):
    before, after = slash - 2, slash + 2
    if before >= 0 and tokens[before][0].endswith("/") and not tokens[slash - 1][1]:
        return None
    if after < len(tokens) and tokens[after][0].startswith("/") and not tokens[after][1]:
        return None
    pair_of = f"{tokens[slash - 1][0]}/{tokens[slash + 1][0]}"
    for form in lists.SLASHED:
        if form.lower() == pair_of:
            return "IU" if form.isupper() else "AL"
    return None
