"""The public test sets: what they are, where they are published, and how their files are read.

Nothing is fetched: README.md says how to get each. A set whose file is not there is named as
missing, with what gets it.
"""

import json
import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from truecase.base.read import read_blocks

SUFFIXES = ("", ".gz", ".xz", ".bz2", ".zst")
# A mark with a letter or digit on both sides joins the parts of a word.
INSIDE = re.compile(r"(?<=\w)[-'’.&/](?=\w)")


class SetError(Exception):
    """A file is not what it was given as; the message says why."""


def text_lines(path: Path) -> Iterator[str]:
    """Lines of a text, plain or compressed, that are not blank."""
    text = b"".join(read_blocks([str(path)])).decode("utf-8", "replace")
    return (line for line in text.split("\n") if line.strip())


def manifest_texts(path: Path) -> Iterator[str]:
    """The field ``text`` of each line of JSON, as manifests of recognisers have it."""
    for number, line in enumerate(text_lines(path), start=1):
        try:
            yield str(json.loads(line)["text"])
        except (ValueError, KeyError, TypeError):
            raise SetError(f"{path}: line {number} is no JSON object with a text") from None


def without_marks(line: str) -> str:
    """The words of a line alone: its marks go, but for those inside words.

    >>> without_marks("“Well,” said Mr. O'Neill-Smith, “it's AT&T's 3.5%!”")
    "Well said Mr O'Neill-Smith it's AT&T's 3.5"
    """
    kept = {match.start() for match in INSIDE.finditer(line)}
    letters = (
        c if at in kept or unicodedata.category(c)[0] not in "PS" else " "
        for at, c in enumerate(line)
    )
    return " ".join("".join(letters).split())


@dataclass(frozen=True)
class PublicSet:
    """Cased text that systems are judged by.

    Attributes
    ----------
    name : str
        As on the command line and in tables.
    language : str
        Code of the language; systems of other languages are left out.
    file : str
        Path in the folder of sets.
    get : str
        The command, or the address, that gets the file.
    lines : int or None
        How many the published file has, where that is known.
    speech : bool
        Whether the marks are taken away, as a recogniser has none.
    read : callable
        The lines of the file.
    """

    name: str
    language: str
    file: str
    get: str = ""
    lines: int | None = None
    speech: bool = False
    read: Callable[[Path], Iterator[str]] = text_lines


NEWS = "sacrebleu -t {wmt} -l {pair} --echo {side} > {file}"
FLORES = "https://dl.fbaipublicfiles.com/nllb/flores200_dataset.tar.gz"
NTREX = "git clone https://github.com/MicrosoftTranslator/NTREX"
LIBRISPEECH_PC = "https://www.openslr.org/resources/145/manifests.tar.gz"
WIKIPEDIA = "https://github.com/raymondhs/char-rnn-truecase (data/wiki/test.txt)"

#: Codes of FLORES-200 and of NTREX for the languages that there are models for.
CODES = {
    "en": ("eng_Latn", "eng"), "de": ("deu_Latn", "deu"), "fr": ("fra_Latn", "fra"),
    "es": ("spa_Latn", "spa"), "it": ("ita_Latn", "ita"), "pt": ("por_Latn", "por"),
    "nl": ("nld_Latn", "nld"), "sv": ("swe_Latn", "swe"), "cs": ("ces_Latn", "ces"),
    "pl": ("pol_Latn", "pol"), "ru": ("rus_Cyrl", "rus"), "uk": ("ukr_Cyrl", "ukr"),
    "el": ("ell_Grek", "ell"), "tr": ("tur_Latn", "tur"), "hu": ("hun_Latn", "hun"),
    "ro": ("ron_Latn", "ron"), "da": ("dan_Latn", "dan"), "nb": ("nob_Latn", "nob"),
    "sl": ("slv_Latn", "slv"), "sr": ("srp_Cyrl", "srp-Latn"), "fi": ("fin_Latn", "fin"),
    "ca": ("cat_Latn", "cat"),
}  # fmt: skip
#: Newstests: year, language, sacrebleu's set and pair, side of it, lines.
NEWSTESTS = (
    (2018, "en", "wmt18", "en-de", "src", 2998),
    (2018, "de", "wmt18", "en-de", "ref", 2998),
    (2018, "cs", "wmt18", "en-cs", "ref", 2983),
    (2018, "ru", "wmt18", "en-ru", "ref", 3000),
    (2014, "fr", "wmt14", "en-fr", "ref", 3003),
    (2013, "es", "wmt13", "en-es", "ref", 3000),
)


def public_sets() -> dict[str, PublicSet]:
    """All sets, by their names, in the order of the table."""
    sets = [PublicSet("wikipedia", "en", "wikipedia/test.txt", WIKIPEDIA, 1373)]
    for year, language, wmt, pair, side, lines in NEWSTESTS:
        name = f"newstest{year}.{language}"
        get = NEWS.format(wmt=wmt, pair=pair, side=side, file=f"newstest/{name}")
        sets.append(PublicSet(name, language, f"newstest/{name}", get, lines))
    for language, (flores, _) in CODES.items():
        file = f"flores200_dataset/devtest/{flores}.devtest"
        sets.append(PublicSet(f"flores200.{language}", language, file, FLORES, 1012))
    for language, (_, ntrex) in CODES.items():
        side = "src" if language == "en" else "ref"
        file = f"NTREX/NTREX-128/newstest2019-{side}.{ntrex}.txt"
        sets.append(PublicSet(f"ntrex.{language}", language, file, NTREX, 1997))
    for part in ("clean", "other"):
        file = f"librispeech-pc/test-{part}.json"
        sets.append(
            PublicSet(
                f"librispeech-pc.{part}",
                "en",
                file,
                LIBRISPEECH_PC,
                speech=True,
                read=manifest_texts,
            )
        )
    return {one.name: one for one in sets}


def own_set(given: str, speech: bool) -> PublicSet:
    """A text of one's own, ``NAME=FILE`` or ``NAME:LANG=FILE``; English if it does not say."""
    name, equals, path = given.partition("=")
    if not (name and equals and path):
        raise SetError(f"{given}: expected NAME=FILE or NAME:LANG=FILE")
    name, _, language = name.partition(":")
    return PublicSet(name, language or "en", path, speech=speech)


def file_of(one: PublicSet, folder: Path) -> Path | None:
    """The file of a set in a folder, plain or compressed; None if it is not there."""
    for suffix in SUFFIXES:
        path = folder / (one.file + suffix)
        if path.is_file():
            return path
    return None


def lines_of(one: PublicSet, path: Path) -> tuple[list[str], str]:
    """The lines that systems are judged by, and how the file differs from what was published.

    Raises
    ------
    SetError
        There is no line in it, or it is of another form.
    """
    lines = list(one.read(path))
    differs = ""
    if one.lines is not None and len(lines) != one.lines:
        differs = f"{len(lines):,} lines of the {one.lines:,} that were published"
    if one.speech:
        lines = [bare for bare in map(without_marks, lines) if bare]
    if not lines:
        raise SetError(f"{path}: there is no line in it")
    return lines, differs
