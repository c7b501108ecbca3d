"""Moses' truecaser: words, tags and sentences of a tokenised line as its scripts see them.

Behaviour after ``truecase.perl``, ``detruecase.perl`` and ``train-truecaser.perl`` of Moses
(Koehn et al. 2007) and their port in sacremoses, which use the interpreter's own case mappings,
not the tables of this package: a letter can come out as two, such as ß at the start of a sentence.
``python -m`` this module runs the scripts.
"""

from __future__ import annotations

import re
import unicodedata
from array import array
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from truecase.base.argument_types import check_arguments, check_type
from truecase.errors import ReadError
from truecase.kernels.text import split_lines
from truecase.rules.moses import MosesModel, read_moses_model

if TYPE_CHECKING:
    import argparse

    from truecase.cli.commands import Command

#: Tokens that end a sentence.
SENTENCE_END = frozenset(". : ? !".split())

#: Tokens that may stand before the first word of a sentence.
DELAYS_START = frozenset("( [ \" ' &apos; &quot; &#91; &#93;".split())

#: Words that detruecasing does not raise in a headline. Moses also compares the two patterns
#: literally.
ALWAYS_LOWER = frozenset(
    "a after against al-.+ and any as at be because between by during el-.+ for from his in is "
    "its last not of off on than the their this to was were which will with".split()
)

#: A tag, perhaps with something before or behind it.
TAG = re.compile(r"<\S[^>]*>")

# Perl's white space, which lacks the separators of ASCII.
_PERL_SPACE = r"[^\S\x1c-\x1f]"
_PERL_INK = r"[\S\x1c-\x1f]"
_CASED_CATEGORIES = frozenset(("Ll", "Lu", "Lt"))
_ASCII_LETTER = re.compile("[A-Za-z]")


def _pieces(space: str, ink: str, with_tags: bool) -> re.Pattern[str]:
    """White space, and then a tag, a word, or another token with ``<`` or ``>`` in it."""
    word = rf"(?P<word>(?:(?![<>]){ink})+)"
    tag = rf"(?P<tag><{ink}[^>]*>)|" if with_tags else ""
    return re.compile(rf"{space}*(?:{tag}{word}|(?P<other>{ink}+))")


class Splitter:
    """Cuts a line into words and tags.

    Parameters
    ----------
    perl : bool
        White space is Perl's instead of Python's.
    factors : bool
        A tag right behind a word that ends in a bar is a factor of the word.
    """

    def __init__(self, perl: bool, factors: bool = True) -> None:
        space, ink = (_PERL_SPACE, _PERL_INK) if perl else (r"\s", r"\S")
        self._tagged = _pieces(space, ink, True)
        self._plain = _pieces(space, ink, False)
        self._words = re.compile(f"{ink}+")
        self._perl = perl
        self._factors = factors

    def words(self, line: str) -> list[str]:
        """Split at white space."""
        if not self._perl or not _HAS_SEPARATORS.search(line):
            return line.split()
        return self._words.findall(line)

    def pieces(self, line: str) -> list[tuple[str, bool]]:
        """Split into words and tags, each with whether it is a tag."""
        out: list[tuple[str, bool]] = []
        # No tag can end behind the last one; to search for one again and again takes long.
        last_end = line.rfind(">")
        # The piece that a tag right behind it can be a factor of; in Perl, the last word.
        last = -1
        at = 0
        while match := (self._tagged if at <= last_end else self._plain).match(line, at):
            kind, start = match.lastgroup or "", match.start(match.lastgroup or 0)
            at = match.end()
            is_tag = kind == "tag"
            is_right_behind = start == match.start() and last >= 0
            if is_tag and self._factors and is_right_behind and out[last][0].endswith("|"):
                at = _BARS.match(line, at).end()  # type: ignore[union-attr]
                out[last] = (out[last][0] + line[start:at], out[last][1])
                continue
            if not (is_tag and self._perl):
                last = len(out)
            out.append((match[kind], is_tag))
        return out


_BARS = re.compile(r"\|*")
_HAS_SEPARATORS = re.compile("[\x1c-\x1f]")


def has_tag(word: str) -> bool:
    """Whether a word has a tag in it; no tag can begin behind the last end of one."""
    return TAG.search(word, 0, word.rfind(">") + 1) is not None


def has_case(word: str) -> bool:
    """Whether a word has an upper, lower or titlecase letter."""
    if word.isascii():
        return _ASCII_LETTER.search(word) is not None
    return any(unicodedata.category(character) in _CASED_CATEGORIES for character in word)


def raised(word: str) -> str:
    """Write the first letter in upper case, which may be several letters."""
    return word[:1].upper() + word[1:]


def begins_behind(word: str, is_first: bool) -> bool:
    """Whether the word behind this one is the first of a sentence; `is_first`: this one is."""
    return word in SENTENCE_END or (is_first and word in DELAYS_START)


def detruecased(words: list[str]) -> list[str]:
    """Raise the first words of sentences."""
    out = []
    is_first = True
    for word in words:
        written = raised(word) if is_first else word
        out.append(written)
        is_first = begins_behind(written, is_first)
    return out


def headline(words: list[str]) -> list[str]:
    """Raise all words except those of `ALWAYS_LOWER`."""
    return [word if word in ALWAYS_LOWER else raised(word) for word in words]


_SPLITTER = Splitter(perl=True)
_TRAINING_SPLITTER = Splitter(perl=True, factors=False)


def train(blocks: Iterable[bytes], possibly_use_first_token: bool = False) -> MosesModel:
    """Count the forms of words in tokenised text, as ``train-truecaser.perl`` does.

    Parameters
    ----------
    blocks : iterable of bytes
        Whole lines of UTF-8.
    possibly_use_first_token : bool
        Also count the first word of a sentence, if it is not capitalised; and, by a tenth, if it
        is the only word of its line.

    Returns
    -------
    MosesModel
        Words by first occurrence; the first one of equally frequent forms is the best.
    """
    check_arguments(train, locals())
    # In tenths, so that sums are exact.
    tenths: dict[str, dict[str, int]] = {}
    for block in blocks:
        for line in split_lines(_text(block)):
            for word, weight in _counted(line, possibly_use_first_token):
                forms = tenths.setdefault(_lower(word), {})
                forms[word] = forms.get(word, 0) + weight
    return MosesModel(by_count(forms, 10) for forms in tenths.values())


def _counted(line: str, possibly_use_first_token: bool) -> Iterator[tuple[str, int]]:
    """Words of a line that count, each with its weight in tenths."""
    if "<" in line or ">" in line:
        pieces = _TRAINING_SPLITTER.pieces(line)
        words = [piece for piece, is_tag in pieces if not is_tag]
    else:
        words = _TRAINING_SPLITTER.words(line)
    start = 0
    while start < len(words) and words[start] in DELAYS_START:
        start += 1
    is_first = True
    for i in range(start, len(words)):
        word = words[i]
        # A word with letters must follow at once: a quotation mark ends the sentence start.
        is_first = is_first or words[i - 1] in SENTENCE_END
        if not has_case(word):
            is_first = False
            continue
        if not is_first:
            yield word, 10
        elif possibly_use_first_token:
            if _lower(word[0]) == word[0]:
                yield word, 10
            elif len(words) == 1:
                yield word, 1
        is_first = False


def by_count(forms: Mapping[str, float], units: int = 1) -> tuple[float, list[tuple[bytes, float]]]:
    """Make a word of a `MosesModel` of its forms and their counts, which are in so many units."""
    ordered = sorted(forms.items(), key=lambda form: -form[1])
    total = sum(forms.values()) / units
    return total, [(_bytes(word), count / units) for word, count in ordered]


class Truecase:
    """Truecases tokenised lines as ``truecase.perl`` does. Any number of threads may use it.

    Parameters
    ----------
    model : MosesModel
    asr : bool
        The case of the input means nothing: all words are lowercased, and take their best form.
    """

    def __init__(self, model: MosesModel, asr: bool = False) -> None:
        check_arguments(Truecase.__init__, locals())
        self._best: dict[str, str] = {}
        self._known: set[str] = set()
        self._asr = asr
        for _, forms in model:
            words = [_text(surface) for surface, _ in forms]
            self._best[_lower(words[0])] = words[0]
            if not asr:
                self._known.update(words)

    def __call__(self, block: bytes) -> bytes:
        """Truecase whole lines of UTF-8; broken bytes stay."""
        return _bytes("".join(self.line(line) + "\n" for line in split_lines(_text(block))))

    def line(self, line: str) -> str:
        """Truecase one line, without its line feed."""
        check_type("line", line, str, "a str")
        if "<" not in line and ">" not in line:
            return " ".join(self._words(_SPLITTER.words(line)))
        pieces = _SPLITTER.pieces(line)
        words = iter(self._words([piece for piece, is_tag in pieces if not is_tag]))
        out = ""
        after_tag = True
        for piece, is_tag in pieces:
            if is_tag:
                out += piece + " "
            else:
                out += ("" if after_tag else " ") + next(words)
            after_tag = is_tag
        return out[:-1] if after_tag else out

    def _words(self, words: list[str]) -> list[str]:
        best, known = self._best, self._known
        out = []
        is_first = True
        for given in words:
            word, factors = given, ""
            if "|" in given and given[0] != "|":
                end = given.index("|")
                word, factors = given[:end], given[end:]
            if self._asr:
                word = _lower(word)
            written = word
            if is_first or word not in known:
                written = best.get(_lower(word), word)
            out.append(written + factors)
            is_first = begins_behind(word, is_first)
        return out


class Detruecase:
    """Capitalises first words of sentences as ``detruecase.perl`` does.

    Parameters
    ----------
    headlines : sequence of bool, optional
        Whether each line in turn, through all calls, is a headline. All words of a headline are
        capitalised except articles, prepositions and the like.
    """

    def __init__(self, headlines: Iterable[bool] = ()) -> None:
        check_arguments(Detruecase.__init__, locals())
        self._headlines = iter(array("b", map(bool, headlines)))

    def __call__(self, block: bytes) -> bytes:
        """Detruecase whole lines of UTF-8 that follow those of the last call."""
        return _bytes("".join(self.line(line) + "\n" for line in split_lines(_text(block))))

    def line(self, line: str) -> str:
        """Detruecase the next line, without its line feed."""
        check_type("line", line, str, "a str")
        words = detruecased(_SPLITTER.words(line))
        if next(self._headlines, False):
            words = headline(words)
        return " ".join(words)


def headlines_of(lines: Iterable[bytes]) -> Iterator[bool]:
    """Whether each segment of an SGML file of NIST stands between ``<hl>`` and ``</hl>``."""
    inside = False
    for line in lines:
        if b"<hl>" in line:
            inside = True
        if b"</hl>" in line:
            inside = False
        if line.startswith(b"<seg"):
            yield inside


def _lower(word: str) -> str:
    # Perl has no final sigma.
    return word.lower() if "Σ" not in word else "".join(letter.lower() for letter in word)


def _text(data: bytes) -> str:
    check_type("block", data, (bytes, bytearray), "lines of UTF-8 as bytes")
    return data.decode("utf-8", "surrogateescape")


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


# --- the command line --------------------------------------------------------------------------

PROGRAM = "python -m truecase.integrations.moses"


def _train(arguments: argparse.Namespace) -> None:
    from truecase.base.read import display_name, read_blocks
    from truecase.cli.streams import check_output, naming_errors

    check_output(arguments.model, [arguments.corpus])
    use_first = arguments.possiblyUseFirstToken
    model = train(read_blocks([arguments.corpus], ahead=False, encoding="utf-8"), use_first)
    if not len(model):
        raise ReadError(
            f"{display_name(arguments.corpus)}: there is no word to count; the first of a sentence "
            "counts with --possiblyUseFirstToken only"
        )
    with naming_errors(arguments.model):
        model.write(arguments.model)


def _truecase(arguments: argparse.Namespace) -> None:
    model = read_moses_model(arguments.model)
    if model is None:
        raise ReadError(
            f"{arguments.model}: not a model of Moses' truecaser; `{PROGRAM} train` makes one"
        )
    _transform(Truecase(model, arguments.asr), "-", arguments.unbuffered)


def _detruecase(arguments: argparse.Namespace) -> None:
    from truecase.base.read import open_bytes

    source = getattr(arguments, "in")
    headlines: list[bool] = []
    if arguments.headline is not None:
        with open_bytes(arguments.headline) as file:
            headlines = list(headlines_of(file))
        if not headlines:
            raise ReadError(f"{arguments.headline}: no line begins with <seg")
    _transform(Detruecase(headlines), source, arguments.unbuffered)


def _transform(script: Callable[[bytes], bytes], source: str, unbuffered: bool) -> None:
    import argparse

    from truecase.cli.streams import STDOUT
    from truecase.cli.transform import transform

    options = argparse.Namespace(
        input=source,
        output=STDOUT,
        line_buffered=unbuffered or None,
        # These scripts show no progress, and broken bytes do not stop them.
        encoding="utf-8",
        quiet=True,
    )
    transform(script, options)


def _steps() -> dict[str, Command]:
    from truecase.cli.commands import Command
    from truecase.cli.flags import Flag, flags_by_name

    # Perl also takes long options behind one dash, and pipelines of Moses write them so.
    flags = flags_by_name(
        {
            "-model --model MODEL": Flag(required=True),
            "-corpus --corpus FILE": Flag(required=True),
            "-possiblyUseFirstToken --possiblyUseFirstToken": Flag(),
            "-a asr --asr": Flag(),
            "-in --in FILE": Flag(default="-"),
            "-headline --headline FILE": Flag(),
            "-b unbuffered --unbuffered": Flag(),
        }
    )

    def step(run: Callable[[argparse.Namespace], None], names: str, summary: str) -> Command:
        return Command(run, flags={"options": names}, changes=flags, summary=summary)

    return {
        "": Command(),
        "train": step(
            _train, "model corpus possiblyUseFirstToken", "text to model: train-truecaser.perl"
        ),
        "truecase": step(_truecase, "model asr unbuffered", "text through a model: truecase.perl"),
        "detruecase": step(
            _detruecase, "in headline unbuffered", "first words capitalised: detruecase.perl"
        ),
    }


def main(argv: Sequence[str] | None = None) -> int:
    """Run one of the scripts; returns the exit code of `truecase.cli.main`."""
    from truecase.cli import main as run_main

    return run_main(argv, _steps, PROGRAM)


if __name__ == "__main__":
    import sys

    sys.exit(main())
