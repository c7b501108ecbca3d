"""Copy Serbian texts, and add each line in the other script unless a text has it already.

    python scripts/serbian_scripts.py OUT TEXT...

OUT gets a text of the same name for each TEXT: its lines, then in Latin letters the lines that are
wholly in Cyrillic ones, and in Cyrillic letters the lines that are wholly in the Latin letters of
Serbian. Two letters that can stand for one always become that letter (`konjunkcija` gets њ, because
few words should not). The same files give the same bytes.
"""

import argparse
import re
import sys
from pathlib import Path

from corpus_text import lines_of, names_of

_CYRILLIC = "абвгдђежзијклљмнњопрстћуфхцчџш"
_LATIN = "a b v g d đ e ž z i j k l lj m n nj o p r s t ć u f h c č dž š".split()
_TO_LATIN = dict(zip(_CYRILLIC, _LATIN, strict=True))
_TO_CYRILLIC = {latin: cyrillic for cyrillic, latin in _TO_LATIN.items()}
_LETTERS = re.compile(r"[^\W\d_]")
_SIGN = re.compile("lj|nj|dž|.", re.IGNORECASE | re.DOTALL)


def in_latin(line: str) -> str | None:
    """Return a line of only Cyrillic letters in Latin ones; None for any other line."""
    if not set(_LETTERS.findall(line.lower())) <= set(_CYRILLIC):
        return None
    found = ""
    for place, letter in enumerate(line):
        latin = _TO_LATIN.get(letter.lower(), letter)
        if letter.isupper():
            beside = line[place + 1 : place + 2] + line[max(0, place - 1) : place]
            is_whole = any(map(str.isupper, beside)) and not line[place + 1 : place + 2].islower()
            latin = latin.upper() if is_whole else latin.capitalize()
        found += latin
    return found


def in_cyrillic(line: str) -> str | None:
    """Return a line of only Latin letters of Serbian in Cyrillic ones; None for any other line."""
    if not set(_LETTERS.findall(line.lower())) <= set("".join(_LATIN)):
        return None
    return _SIGN.sub(_cyrillic, line)


def _cyrillic(found: re.Match[str]) -> str:
    cyrillic = _TO_CYRILLIC.get(found[0].lower(), found[0])
    return cyrillic.upper() if found[0][0].isupper() else cyrillic


def main() -> int:
    """Write the copies; return 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    texts = {
        # The last line may lack its line feed.
        path: [line.decode().removesuffix("\n") + "\n" for line in lines_of(path)]
        for path in args.texts
    }
    seen = {line.lower() for lines in texts.values() for line in lines}
    for lines, name in zip(texts.values(), names_of(list(texts)), strict=True):
        others = []
        for line in lines:
            other = in_latin(line) or in_cyrillic(line)
            if other is not None and other.lower() not in seen:
                seen.add(other.lower())
                others.append(other)
        out = args.out / f"{name}.txt"
        out.write_text("".join(lines + others), "utf-8", newline="\n")
        print(
            f"{out.name}: {len(lines):,} lines, {len(others):,} of the other script",
            file=sys.stderr,
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
