"""Simple case mappings, written down from Python's own `str`."""

from __future__ import annotations

import re
import unicodedata

DOTTED = {"I": "ı", "İ": "i"}
DOTLESS = {value: key for key, value in DOTTED.items()}


def one(mapped: str, otherwise: str) -> str:
    return mapped if len(mapped) == 1 else otherwise


def lower(c: str, turkic: bool = False) -> str:
    if turkic and c in DOTTED:
        return DOTTED[c]
    return one(c.lower(), c)


def fold(c: str, turkic: bool = False) -> str:
    return "σ" if c == "ς" else lower(c, turkic)


def upper(c: str, turkic: bool = False) -> str:
    if turkic and c in DOTLESS:
        return DOTLESS[c]
    if c == "ς":
        return "Σ"
    raised = one(c.upper(), one(c.title(), c))
    return raised if lower(raised) == lower(c) else c


def title(c: str, turkic: bool = False) -> str:
    if turkic and c in DOTLESS:
        return DOTLESS[c]
    if c == "ς":
        return "Σ"
    low = lower(c)
    # A capital in the strict sense is treated like its lower case (Georgian: stays small).
    base = low if low != c and upper(low) == c else c
    raised = one(base.title(), base)
    return raised if lower(raised) == low else c


def is_cased(c: str, turkic: bool = False) -> bool:
    low = lower(c, turkic)
    # The lower case of ẞ has no other case.
    return any(m(c, turkic) != c for m in (lower, upper, title)) and any(
        m(low, turkic) != low for m in (upper, title)
    )


def is_without_capital(c: str, turkic: bool = False) -> bool:
    """Whether in lower case its capital is several letters, or cannot be undone."""
    low = lower(c, turkic)
    is_small = unicodedata.category(low) == "Ll"
    return is_small and low.upper() != low and not is_cased(low, turkic)


def is_mark(c: str) -> bool:
    return c in "\u00ad\u200c\u200d" or (
        unicodedata.category(c).startswith("M") and not is_cased(c)
    )


def is_broken(c: str) -> bool:
    """Whether it stands for a byte that is no UTF-8."""
    return "\udc80" <= c <= "\udcff"


def begins_broken(word: str, turkic: bool = False) -> bool:
    """Whether a broken byte, or a small letter without a capital, comes before those with case."""
    first = next(
        (c for c in word if is_cased(c, turkic) or is_broken(c) or is_without_capital(c, turkic)),
        "",
    )
    return first != "" and not is_cased(first, turkic)


def is_letter(c: str) -> bool:
    return is_broken(c) or unicodedata.category(c).startswith("L") or is_cased(c)


def is_digit(c: str) -> bool:
    return unicodedata.category(c).startswith("N") and not is_cased(c)


def tag(word: str, turkic: bool = False) -> str:
    cased = [c for c in word if is_cased(c, turkic)]
    raised = [c for c in cased if lower(c, turkic) != c]
    if not cased:
        return "AN"
    if not raised:
        return "AL"
    starts = not any(map(is_broken, word[: word.index(cased[0])]))
    if (
        starts
        and len(raised) == 1
        and cased[0] is raised[0]
        and title(cased[0], turkic) == cased[0]
    ):
        return "IU" if lower(cased[0], turkic) != cased[0] else "MX"
    if all(lower(c, turkic) != c == upper(c, turkic) for c in cased):
        return "AU"
    return "MX"


def upper_mask(word: str, turkic: bool = False) -> int:
    mask = 0
    for place, c in enumerate(word):
        if is_cased(c, turkic) and lower(c, turkic) != c:
            mask |= 1 << min(place, 63)
    return mask


def lowered(word: str, place: int, turkic: bool) -> str:
    """Lower case of one character in its word: final sigma depends on the neighbours."""
    if word[place] != "Σ":
        return lower(word[place], turkic)
    before = [c for c in word[:place] if not is_mark(c)]
    after = [c for c in word[place + 1 :] if not is_mark(c)]
    final = before and is_letter(before[-1]) and not (after and is_letter(after[0]))
    return "ς" if final else "σ"


def render(word: str, wanted: str, mask: int = 0, turkic: bool = False) -> str:
    """A word in the wanted case; its own tag and mask leave it as it is."""
    own = tag(word, turkic)
    if wanted == "AN" or (wanted == own and (own != "MX" or mask == upper_mask(word, turkic))):
        return word
    out = []
    first = next((i for i, c in enumerate(word) if is_cased(c, turkic) or is_broken(c)), -1)
    for place, c in enumerate(word):
        if not is_cased(c, turkic):
            out.append(c if wanted == "AU" else lower(c, turkic))
        elif wanted == "AU":
            out.append(upper(c, turkic))
        elif wanted == "IU" and place == first:
            out.append(title(c, turkic))
        elif wanted == "MX" and place >= 63 and mask >> 63:
            out.append(c)
        elif wanted == "MX" and place < 63 and mask >> place & 1:
            next_too = place < 62 and mask >> (place + 1) & 1
            small = title(c, turkic)
            capital = upper(c, turkic)
            out.append(capital if next_too or small == lower(c, turkic) else small)
        else:
            out.append(lowered(word, place, turkic))
    return "".join(out)


def capital(word: str, language: str) -> str:
    """A lowercase word with the capital that a name has in the language: Dutch, Irish, any."""
    prefix = 0
    if language == "nl" and re.match("ij.", word):
        return "IJ" + word[2:]
    if language == "ga" and (found := re.match("(bhf|mb|gc|nd|ng|bp|dt|ts)[^\\W\\d_]", word)):
        prefix = 2 if found[1] == "bhf" else 1
    return word[:prefix] + title(word[prefix]) + word[prefix + 1 :]
