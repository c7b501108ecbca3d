"""Names of a list in a line, in plain Python: what `truecase/kernels/_names.pxd` finds.

For text without addresses and code, and words between spaces; all names are unknown words, so that
each is right wherever it stands.
"""

import re

UNIT = re.compile(r"[^\W_]+|[^\w\s]|_")
NO_JOINTS = "._@:\\#"


def units(text):
    """Each unit as it is looked up, where it begins and ends."""
    found = []
    for match in UNIT.finditer(text):
        before = text[: match.start()]
        glued = before.endswith(".")
        found.append(((match[0].lower(), glued), match.start(), match.end()))
    return found


def key_of(units_of_name):
    """A period before the first unit is not the name's."""
    return ((units_of_name[0][0][0], False), *(unit[0] for unit in units_of_name[1:]))


def table(names):
    """Names by their units; a later one counts, and one with an s only if there is no other."""
    exact, plural = {}, {}
    for name in names:
        parts = units(name)
        exact[key_of(parts)] = name
        if parts[-1][0][0].isalpha() or parts[-1][0][0][-1].isalpha():
            last = ((parts[-1][0][0] + "s", parts[-1][0][1]), 0, 0)
            plural[key_of([*parts[:-1], last])] = name + "s"
    return {**plural, **exact}


def stands_alone(text, start, end):
    """Whether what is right beside it in the same word joins words."""
    if start and not text[start - 1].isspace() and text[start - 1] in NO_JOINTS:
        return False
    at_end = end == len(text) or text[end].isspace()
    last_of_word = at_end or end + 1 == len(text) or text[end + 1].isspace()
    return last_of_word or text[end] not in NO_JOINTS


def with_names(text, names):
    """The lowercase text with the capitals of the names in it."""
    known = table(names)
    longest = max(map(len, known), default=0)
    parts = units(text)
    out = list(text)
    place = 0
    while place < len(parts):
        step = 1
        for n in range(min(longest, len(parts) - place), 0, -1):
            name = known.get(key_of(parts[place : place + n]))
            if name is None:
                continue
            start, end = parts[place][1], parts[place + n - 1][2]
            if stands_alone(text, start, end):
                letters = iter([c for c in name if not c.isspace()])
                for at in range(start, end):
                    if not text[at].isspace():
                        out[at] = next(letters)
                step = n
            # Only the longest is looked at.
            break
        place += step
    return "".join(out)
