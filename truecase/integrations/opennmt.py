"""Case as OpenNMT's Tokenizer writes it: as features of words, or as markup between them.

Features: ``hello￨C world￨U``, of words in lower case; C: first letter a capital, L: lower case,
U: capitals, M: mixed, N: no letters with case. Markup: ``｟mrk_case_modifier_C｠ hello``, and
``｟mrk_begin_case_region_U｠`` and ``｟mrk_end_case_region_U｠`` around capitals; words of mixed
case are cut where their case changes, ``i￭ ｟mrk_case_modifier_C｠ phone``. Text is tokenised
already, words between spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from truecase.errors import ReadError
from truecase.kernels._unicode import capitalize, lower, tag, upper

FEATURE = "￨"
JOINER = "￭"
CAPITAL = "｟mrk_case_modifier_C｠"
BEGIN = "｟mrk_begin_case_region_U｠"
END = "｟mrk_end_case_region_U｠"

_FEATURES = {"IU": "C", "AL": "L", "AU": "U", "MX": "M", "AN": "N"}


def to_features(line: str) -> str:
    """Words in lower case, each with its case.

    Raises
    ------
    ReadError
        A word has the mark that stands before features.
    """
    words = _split(line)
    for word in words:
        if FEATURE in word:
            raise ReadError(f"word {word[:40]!r}: {FEATURE} marks features; escape it first")
    return " ".join(f"{_lower(word)}{FEATURE}{_FEATURES[tag(word)]}" for word in words)


def from_features(line: str) -> str:
    """Words in the case that their features say; of mixed case (M) nothing is known, it stays.

    Features after the case stay.

    Raises
    ------
    ReadError
        A word has no case.
    """
    out = []
    for token in _split(line):
        word, *features = token.split(FEATURE)
        if not word or not features or features[0] not in _FEATURES.values():
            raise ReadError(
                f"word {token[:40]!r}: expected a case after it, such as hello{FEATURE}C"
            )
        if features[0] == "C":
            word = capitalize(word)
        elif features[0] == "U":
            word = upper(word)
        out.append(FEATURE.join([word, *features[1:]]))
    return " ".join(out)


def to_markup(line: str, soft_regions: bool = False) -> str:
    """Words in lower case with markup.

    Parameters
    ----------
    line : str
    soft_regions : bool
        One region for words in capitals that follow each other, also over numbers, marks and
        single letters; as ``soft_case_regions`` there.

    Raises
    ------
    ReadError
        A word is markup, or has a joiner, already.
    """
    for word in _split(line):
        if word in (CAPITAL, BEGIN, END) or JOINER in word:
            raise ReadError(f"word {word[:40]!r}: is markup already, or has a joiner")
    pieces = [piece for word in _split(line) for piece in _pieces(word)]
    kinds = [tag(piece) for piece in pieces]
    out: list[str] = []
    i = 0
    while i < len(pieces):
        end = _region_end(pieces, kinds, i) if soft_regions else i + (kinds[i] == "AU")
        if end > i:
            out += [BEGIN, *map(_lower, pieces[i:end]), END]
            i = end
            continue
        if kinds[i] == "IU":
            out.append(CAPITAL)
        out.append(_lower(pieces[i]))
        i += 1
    return " ".join(out)


def from_markup(line: str) -> str:
    """Words in the case that markup says; what joiners hold together is one word.

    Raises
    ------
    ReadError
        Markup is not closed, or closed twice, or nothing follows it.
    """
    out: list[str] = []
    change: Callable[[str], str] | None = None
    for token in _split(line):
        if token == CAPITAL and change is None:
            change = capitalize
        elif token == BEGIN and change is None:
            change = upper
        elif token == END and change is upper:
            change = None
        elif token in (CAPITAL, BEGIN, END):
            raise ReadError(f"{token}: does not belong where it stands")
        else:
            out.append(token if change is None else change(token))
            if change is capitalize:
                change = None
    if change is not None:
        raise ReadError(f"{BEGIN if change is upper else CAPITAL}: nothing ends it")
    return " ".join(out).replace(f"{JOINER} ", "").replace(f" {JOINER}", "")


def convert_block(
    convert: Callable[[str], str], block: bytes, name: str = "text", first_line: int = 1
) -> bytes:
    """Lines of UTF-8 through one of these functions.

    Raises
    ------
    ReadError
        Names file and line.
    """
    lines = block.decode("utf-8", "surrogateescape").split("\n")
    out = []
    for number, line in enumerate(lines, first_line):
        try:
            out.append(convert(line))
        except ReadError as error:
            raise ReadError(f"{name}: line {number}: {error}") from None
    return "\n".join(out).encode("utf-8", "surrogateescape")


def _split(line: str) -> list[str]:
    return [word for word in line.split(" ") if word]


def _lower(word: str) -> str:
    """Letter by letter, as there: Σ never becomes ς."""
    return "".join(lower(letter) for letter in word)


def _pieces(word: str) -> Iterator[str]:
    """A word cut where its case changes, joiners at the end of all pieces but the last."""
    start, n_upper, has_lower = 0, 0, False
    if tag(word) == "MX":
        for i, letter in enumerate(word):
            kind = tag(letter)
            if (kind == "AL" and n_upper > 1) or (kind == "IU" and has_lower):
                yield word[start:i] + JOINER
                start, n_upper, has_lower = i, 0, False
            n_upper += kind == "IU"
            has_lower |= kind == "AL"
    yield word[start:]


def _region_end(pieces: list[str], kinds: list[str], start: int) -> int:
    """Where a region in capitals that begins here ends; `start` if none does."""
    end = start
    n_capitals = 0
    for i in range(start, len(pieces)):
        n_letters = sum(tag(letter) != "AN" for letter in pieces[i])
        is_upper = kinds[i] == "AU" or (kinds[i] == "IU" and n_letters == 1)
        if not is_upper and (kinds[i] != "AN" or i == start):
            break
        n_capitals += n_letters if is_upper else 0
        # Numbers that follow at once belong to a region, marks at its end do not.
        if is_upper or (end == i and any(map(str.isalnum, pieces[i]))):
            end = i + 1
    return end if n_capitals > 1 else start


if __name__ == "__main__":
    import sys

    from truecase.integrations.opennmt_command import main

    sys.exit(main())
