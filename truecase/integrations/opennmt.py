"""Write case as OpenNMT's Tokenizer does, as features of words or as markup, and read it.

Features of words in lower case: ``hello￨C world￨U``; C: first letter a capital, L: lower case, U:
capitals, M: mixed, N: no letters with case. Markup: ``｟mrk_case_modifier_C｠ hello``, and
``｟mrk_begin_case_region_U｠`` and ``｟mrk_end_case_region_U｠`` around capitals; words of mixed
case are cut where it changes, ``i￭ ｟mrk_case_modifier_C｠ phone``. Text is tokenised by spaces.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING

from truecase.base.argument_types import check_type
from truecase.errors import ReadError, named
from truecase.kernels._unicode import capitalize, lower, tag, upper
from truecase.rules.punctuation import JOINER

if TYPE_CHECKING:
    import argparse

    from truecase.cli.commands import Command

FEATURE = "￨"
CAPITAL = "｟mrk_case_modifier_C｠"
BEGIN = "｟mrk_begin_case_region_U｠"
END = "｟mrk_end_case_region_U｠"

_FEATURES = {"IU": "C", "AL": "L", "AU": "U", "MX": "M", "AN": "N"}


def to_features(line: str) -> str:
    """Write words in lower case, each with its case; ReadError if a word has the features' mark."""
    words = _split(line)
    for word in words:
        if FEATURE in word:
            raise ReadError(f"word {word[:40]!r}: {FEATURE} marks features; escape it first")
    return " ".join(f"{_lower(word)}{FEATURE}{_FEATURES[tag(word)]}" for word in words)


def from_features(line: str) -> str:
    """Write words in the case of their features; mixed case (M) and further features stay.

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
    """Write words in lower case with markup.

    Parameters
    ----------
    line : str
    soft_regions : bool
        As ``soft_case_regions`` of the Tokenizer: one region for successive words in capitals, also
        over numbers, marks and single letters.

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
    """Write words in the case of their markup, and join pieces at joiners.

    Raises
    ------
    ReadError
        Markup is not closed, is closed twice, or has no word.
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
    """Convert lines of UTF-8; ReadError names file and line."""
    lines = block.decode("utf-8", "surrogateescape").split("\n")
    out = []
    for number, line in enumerate(lines, first_line):
        with named(f"{name}: line {number}", ReadError):
            out.append(convert(line))
    return "\n".join(out).encode("utf-8", "surrogateescape")


def _split(line: str) -> list[str]:
    check_type("line", line, str, "a str")
    return [word for word in line.split(" ") if word]


def _lower(word: str) -> str:
    """Lowercase each letter by itself, as the Tokenizer does: Σ never becomes ς."""
    return "".join(lower(letter) for letter in word)


def _pieces(word: str) -> Iterator[str]:
    """Cut a word where its case changes; all pieces but the last end with joiners."""
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
    """End of a region in capitals that begins at `start`; `start` if there is no region."""
    end = start
    n_capitals = 0
    for i in range(start, len(pieces)):
        n_letters = sum(tag(letter) != "AN" for letter in pieces[i])
        is_upper = kinds[i] == "AU" or (kinds[i] == "IU" and n_letters == 1)
        if not is_upper and (kinds[i] != "AN" or i == start):
            break
        n_capitals += n_letters if is_upper else 0
        # A number right behind belongs to a region, marks at its end do not.
        if is_upper or (end == i and any(map(str.isalnum, pieces[i]))):
            end = i + 1
    return end if n_capitals > 1 else start


# --- the command line --------------------------------------------------------------------------

PROGRAM = "python -m truecase.integrations.opennmt"


def _run(convert: Callable[[str], str], arguments: argparse.Namespace) -> None:
    from truecase.base.read import display_name
    from truecase.cli.transform import transform

    if getattr(arguments, "soft_case_regions", False):
        convert = partial(to_markup, soft_regions=True)
    name = display_name(arguments.input)
    n_lines = 0

    def convert_lines(block: bytes) -> bytes:
        nonlocal n_lines
        first_line = n_lines + 1
        n_lines += block.count(b"\n")
        return convert_block(convert, block, name, first_line)

    transform(convert_lines, arguments, "converting")


def _steps() -> dict[str, Command]:
    from truecase.cli.commands import Command
    from truecase.cli.flags import Flag

    def step(convert: Callable[[str], str], summary: str, flags: str = "") -> Command:
        return Command(
            partial(_run, convert),
            flags={"options": f"input output encoding line-buffered quiet {flags}"},
            changes={"soft-case-regions": Flag(default=False)},
            summary=summary,
            help=summary[0].upper() + summary[1:],
        )

    return {
        "": Command(),
        "to-features": step(to_features, "words in lower case, the case behind each"),
        "from-features": step(from_features, "words in the case behind each"),
        "to-markup": step(
            to_markup, "words in lower case, markup between them", "soft-case-regions"
        ),
        "from-markup": step(from_markup, "words in the case of the markup"),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line; returns the exit code of `truecase.cli.main`."""
    from truecase.cli import main as run_main

    return run_main(argv, _steps, PROGRAM)


if __name__ == "__main__":
    import sys

    sys.exit(main())
