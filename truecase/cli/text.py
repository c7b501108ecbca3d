"""``truecase text``: steps that need no model of case, or change titles and marks."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from truecase.cli.commands import FILE_ARGUMENT, Command
from truecase.cli.model import load_model, require_truecaser
from truecase.cli.rules import UsageError
from truecase.cli.streams import check_output, naming_errors, open_output
from truecase.cli.transform import (
    count_of,
    counted_blocks,
    note,
    shows_progress,
    transform,
)

if TYPE_CHECKING:
    from truecase.bibliographies.title_caser import TitleSummary
    from truecase.smartcase.moses import MosesModel
    from truecase.truecaser import Truecaser

LINES = "lines"

_TEXT = """\
Change text in one way: prepare it for the training of translation and language models, finish what
such systems write, or put titles into sentence case.
"""

_TEXT_EXAMPLES = """\
examples:
  truecase text normalize --train corpus.txt -i corpus.txt -o normalized.txt
  truecase text capitalize -i translated.txt -o final.txt -j 4
  truecase text sentence-case refs.bib -o cased.bib
  truecase text marks off < source.txt > spoken-source.txt
"""

_NORMALIZE = """\
Lowercase the capitalised first word of a sentence if its most frequent form away from
sentence starts is lowercase ("The cat" becomes "the cat", "London is" stays). Only the case
of such words changes. This prepares text for training translation and language models;
users of Moses call it truecasing. The counts of forms come from a model (--model) or from
texts (--train), often the very text that is to be normalised.
"""

_NORMALIZE_EXAMPLES = """\
examples:
  truecase text normalize --train corpus.txt -i corpus.txt -o normalized.txt
  truecase text normalize --train big.txt.gz --save-model counts.en --model-only
  truecase text normalize --model counts.en < in.txt > out.txt
  truecase text normalize --model moses-truecase-model.en --segmentation space < tokenised.txt

Models are Moses truecase models: "word (n/total) other (n) ..." on each line. Moses' and
sacremoses' truecasers do more with them: they also raise first words, and give words within a
sentence another case. `truecase -m MODEL --input-case keep` is sacremoses' --use-known.
"""

_CAPITALIZE = """\
Capitalise the first word of every sentence, also of the later ones in a line. Nothing is
lowercased: COVID and iPhone stay as they are. Opening quotes, brackets, bullets and numbers
such as "1." are skipped; the period of an abbreviation (mr., e.g., J.) ends no sentence.
This is the inverse of text normalize, for the output of models trained on normalised text.
"""

_CAPITALIZE_EXAMPLES = """\
examples:
  echo '"why not?" he said. then mr. brown left.' | truecase text capitalize
  truecase text capitalize -i translated.txt -o final.txt -j 4
"""

_SENTENCE_CASE = """\
Put titles of books, papers and articles into sentence case, one title a line: names and
acronyms keep their capitals, other words lose those of Title Case. What a title's own case
tells is used: acronyms (BERT), inner capitals (iPhone, mRNA) and words in lower case stay as
they are. Titles in capitals, and titles of which every word has a capital, are cased by the
model alone. LaTeX mathematics and commands, what is between braces, addresses and tags stay
as they are.

The input is one title a line, or a bibliography, of which all but titles comes out byte for byte:

  BibTeX    title, subtitle, shorttitle, booktitle; not the names of journals. A title that is
            put together with #, or named by a macro, stays
  CSL-JSON  title, title-short; container-title of what is part of a book or of proceedings

Titles of entries that name another language than the model's stay. Only case changes, unless
--braces puts braces into BibTeX.
"""

_SENTENCE_CASE_EXAMPLES = """\
examples:
  echo "A Survey Of Tone Recognition For Mandarin" | truecase text sentence-case
  truecase text sentence-case -i titles.txt -o cased.txt --after-colon lower
  truecase text sentence-case --names products.txt < titles-in-capitals.txt
  echo "BERT in the United States: A Review" | truecase text sentence-case --braces
  truecase text sentence-case refs.bib -o cased.bib
  truecase text sentence-case refs.bib -o cased.bib --braces
  truecase text sentence-case zotero.json -o cased.json
  truecase text sentence-case --format bibtex --encoding latin-1 < refs.txt > cased.txt

From sentence case to Title Case: truecase --style title --input-case keep
"""

_MARKS = """\
Prepare text for translation systems of speech, whose input has no marks, as SAMT does (Zollmann et
al. 2006): take the marks off the source side, and shift end marks of the target side in front of
their sentences, where the first word tells which it is; then shift them back in what was
translated. To put marks into text that has none, see truecase punctuate.
"""

_MARKS_EXAMPLES = """\
examples:
  truecase text marks off < source.txt > spoken-source.txt
  truecase text marks shift < target.txt > shifted.txt
  truecase text marks back < translated.txt > readable.txt
"""


def _normalize(arguments: argparse.Namespace) -> None:
    from truecase.smartcase.normalize import Normalizer

    if arguments.model is None and arguments.train is None:
        raise UsageError("one of the arguments -m/--model --train is required")
    if arguments.save_model is not None:
        read = [*(arguments.train or ()), arguments.model, arguments.input]
        check_output(arguments.save_model, read)
    if not arguments.model_only:
        check_output(arguments.output)
    model = _counts(arguments)
    if arguments.save_model is not None:
        with naming_errors(arguments.save_model):
            model.write(arguments.save_model)
    if not arguments.model_only:
        normalizer = Normalizer(model, arguments.segmentation, arguments.language)
        transform(normalizer, arguments, "normalising")


def _counts(arguments: argparse.Namespace) -> MosesModel:
    from truecase.data import is_embedded
    from truecase.errors import ReadError
    from truecase.files.progress import Progress
    from truecase.files.read import STDIN, display_name
    from truecase.smartcase.moses import read_moses_model
    from truecase.smartcase.normalize import count_forms

    if arguments.model is not None:
        given = None
        if not is_embedded(arguments.model):
            given = read_moses_model(arguments.model)
        if given is None:
            raise ReadError(
                f"{arguments.model}: not a model of Moses' truecaser; `truecase text normalize "
                "--train CORPUS --save-model MODEL` makes one"
            )
        return given
    paths: list[str] = arguments.train
    if STDIN in paths and arguments.input == STDIN and not arguments.model_only:
        raise UsageError("standard input can be read once: give the text as a file, with -i")
    with Progress.for_files(paths, "counting", shows_progress(arguments)) as progress:
        counted = count_forms(
            counted_blocks(paths, progress, arguments.encoding),
            arguments.segmentation,
            arguments.language,
        )
    if not len(counted):
        raise ReadError(f"{', '.join(map(display_name, paths))}: there is no word to count")
    return counted


def _capitalize(arguments: argparse.Namespace) -> None:
    from truecase.smartcase.capitalize import Capitalizer

    transform(Capitalizer(arguments.segmentation, arguments.language), arguments, "capitalising")


def _sentence_case(arguments: argparse.Namespace) -> None:
    from truecase.bibliographies.title_caser import bibliography_format

    kind = arguments.format or bibliography_format(arguments.input) or LINES
    if kind == "csl" and arguments.braces:
        raise UsageError("--braces: titles of CSL-JSON have none")
    if kind != LINES and arguments.line_buffered is not None:
        raise UsageError("--line-buffered: a bibliography is read as a whole")
    check_output(arguments.output)
    model = require_truecaser(
        load_model(arguments.model, arguments.decode_with, names=arguments.names),
        "sentence-case: models of Moses' truecaser do not say how sure they are; use a model of "
        "truecase",
    )
    if kind == LINES:
        from truecase.titles.sentence_case import SentenceCaser

        caser = SentenceCaser(model, arguments.after_colon, arguments.braces)
        transform(caser.case_block, arguments, "casing")
    else:
        _case_bibliography(arguments, model, kind)


def _case_bibliography(arguments: argparse.Namespace, model: Truecaser, kind: str) -> None:
    from truecase.bibliographies.title_caser import BIBLIOGRAPHIES, TitleCaser
    from truecase.files.read import display_name, open_bytes

    name = display_name(arguments.input)
    with open_bytes(arguments.input) as file:
        data = file.read()
    caser = TitleCaser(
        data,
        name,
        kind,
        model,
        arguments.after_colon,
        arguments.braces,
        arguments.encoding,
    )
    with open_output(arguments.output) as output:
        for piece in caser.output():
            output.write(piece)
    note(arguments, f"truecase: {name}: {BIBLIOGRAPHIES[kind]}: {_told(caser.summary)}")


def _told(summary: TitleSummary) -> str:
    """Say in one line what was done."""
    text = f"{count_of(summary.n_titles, 'title')}, {summary.n_changed:,} changed"
    left = []
    if summary.n_other_language:
        left.append(f"{summary.n_other_language:,} in another language")
    if summary.n_joined:
        left.append(f"{summary.n_joined:,} put together with # or named by a macro")
    return f"{text}; left alone: {', '.join(left)}" if left else text


def _take_marks_off(arguments: argparse.Namespace) -> None:
    from truecase.marks.take_off import take_off_marks

    transform(lambda block: _through_text(take_off_marks, block), arguments, "marks")


def _shift_marks_back(arguments: argparse.Namespace) -> None:
    from truecase.marks.shift import shift_back

    transform(lambda block: _through_text(shift_back, block), arguments, "marks")


def _shift_marks(arguments: argparse.Namespace) -> None:
    from truecase.files.read import display_name
    from truecase.marks.shift import ShiftError, shift_marks

    def shift(numbered: tuple[int, bytes]) -> bytes:
        line, block = numbered
        return _through_text(lambda text: shift_marks(text, line), block)

    try:
        transform(shift, arguments, "marks", _numbered)
    except ShiftError as error:
        raise ShiftError(f"{display_name(arguments.input)}: {error}") from None


def _through_text(function: Callable[[str], str], block: bytes) -> bytes:
    text = block.decode("utf-8", "surrogateescape")
    return function(text).encode("utf-8", "surrogateescape")


def _numbered(blocks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """Add to blocks the numbers of their first lines."""
    line = 1
    for block in blocks:
        yield line, block
        line += block.count(b"\n")


_STREAM = "input output encoding line-buffered threads quiet"
_WORDS = {"words": "segmentation language"}
_RAW = {"segmentation": {"default": "raw"}, "language": {"default": ""}}

STEPS = {
    "": Command(_TEXT, _TEXT_EXAMPLES),
    "normalize": Command(
        _NORMALIZE,
        _NORMALIZE_EXAMPLES,
        _normalize,
        flags={"text": _STREAM, "counts": "model train save-model model-only", **_WORDS},
        changes={**_RAW, "model": {"help": "Moses truecase model with the counts of forms"}},
        summary="lowercase first words of sentences that are lowercase elsewhere",
    ),
    "capitalize": Command(
        _CAPITALIZE,
        _CAPITALIZE_EXAMPLES,
        _capitalize,
        flags={"text": _STREAM, **_WORDS},
        changes=_RAW,
        summary="capitalise the first word of every sentence",
    ),
    "sentence-case": Command(
        _SENTENCE_CASE,
        _SENTENCE_CASE_EXAMPLES,
        _sentence_case,
        FILE_ARGUMENT,
        {
            "text": "input output format encoding line-buffered quiet",
            "model": "model lang decode-with names",
            "titles": "after-colon braces",
        },
        {
            "format": {
                "choices": (LINES, "bibtex", "csl"),
                "help": "what the input is: one title a line (lines), BibTeX or CSL-JSON; default: "
                "by the name, bibtex for .bib, csl for .json, and lines for all else",
            },
            "after-colon": {
                "default": "capital",
                "choices": ("capital", "lower"),
                "help": "whether the first word after a colon has a capital: capital or lower",
            },
        },
        "put titles of works into sentence case, names kept",
    ),
    "marks": Command(_MARKS, _MARKS_EXAMPLES, summary="take marks off, shift them and back"),
    "marks off": Command(
        "Take off the marks around words. Signs within words stay (don't, 3.5), and so do signs "
        "that\nare read out (%, &).",
        'example:\n  echo "Well, is it 3.5 %?" | truecase text marks off\n',
        _take_marks_off,
        flags={"text": _STREAM},
        summary="take the marks off",
    ),
    "marks shift": Command(
        "Put each end mark in front of its sentence: a word of its own as it is, one that is "
        "joined\nto a word with OpenNMT's sign before it (U+FFED), and that sign alone before a "
        "sentence\nwithout an end mark behind others. The step back gives the same bytes.",
        'example:\n  echo "how are you ? i am fine ." | truecase text marks shift\n',
        _shift_marks,
        flags={"text": _STREAM},
        summary="shift end marks in front of their sentences",
    ),
    "marks back": Command(
        "Put marks that stand in front of sentences behind them. Every end mark that is a word of "
        "its\nown begins another sentence, wherever it stands.",
        'example:\n  echo "? how are you . i am fine" | truecase text marks back\n',
        _shift_marks_back,
        flags={"text": _STREAM},
        summary="shift end marks behind their sentences",
    ),
}
