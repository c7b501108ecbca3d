"""``truecase sentence-case``: put titles of works into sentence case."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import add_input_output, add_line_buffered, add_model
from truecase.cli.streams import check_output, open_output
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.formats.bibliographies import TitleSummary
    from truecase.truecaser import Truecaser


LINES = "lines"

DESCRIPTION = """\
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

EPILOG = """\
examples:
  echo "A Survey Of Tone Recognition For Mandarin" | truecase sentence-case
  truecase sentence-case -i titles.txt -o cased.txt --after-colon lower
  truecase sentence-case --names products.txt < titles-in-capitals.txt
  echo "BERT in the United States: A Review" | truecase sentence-case --braces
  truecase sentence-case refs.bib -o cased.bib
  truecase sentence-case refs.bib -o cased.bib --braces
  truecase sentence-case zotero.json -o cased.json
  truecase sentence-case --format bibtex --encoding latin-1 < refs.txt > cased.txt

From sentence case to Title Case: truecase --style title --input-case keep
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="the same as --input FILE")
    add_input_output(parser)
    parser.add_argument(
        "--format",
        choices=(LINES, "bibtex", "csl"),
        help="what the input is: one title a line, BibTeX or CSL-JSON; default: by the name, "
        "bibtex for .bib, csl for .json, and lines for all else",
    )
    add_model(parser)
    parser.add_argument(
        "--after-colon",
        choices=("capital", "lower"),
        default="capital",
        help="whether the first word after a colon has a capital; default: capital",
    )
    parser.add_argument(
        "--braces",
        action="store_true",
        help="put braces round words that must keep their case, as BibTeX wants it: {BERT}, "
        "{Mandarin}; not with CSL-JSON",
    )
    add_line_buffered(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli.model import load_model
    from truecase.formats.bibliographies import bibliography_format
    from truecase.truecaser import Truecaser

    if arguments.file is not None:
        if arguments.input != "-":
            raise UsageError("FILE and --input FILE are the same: give one")
        arguments.input = arguments.file
    kind = arguments.format or bibliography_format(arguments.input) or LINES
    _check_options(arguments, kind)
    check_output(arguments.output)
    model = load_model(arguments.model, arguments.decode_with, names=arguments.names)
    if not isinstance(model, Truecaser):
        raise UsageError(
            "sentence-case: models of Moses' truecaser do not say how sure they are; use a model "
            "of truecase"
        )
    if kind == LINES:
        _case_lines(arguments, model)
    else:
        _case_bibliography(arguments, model, kind)
    return 0


def _check_options(arguments: argparse.Namespace, kind: str) -> None:
    """Refuse options that a format has no use for."""
    if kind == "csl" and arguments.braces:
        raise UsageError("--braces: titles of CSL-JSON have none")
    if kind != LINES and arguments.line_buffered is not None:
        raise UsageError("--line-buffered: a bibliography is read as a whole")


def _case_lines(arguments: argparse.Namespace, model: Truecaser) -> None:
    from truecase.cli.transform import transform
    from truecase.titles.sentence_case import SentenceCaser

    caser = SentenceCaser(model, arguments.after_colon, arguments.braces)
    transform(
        caser.case_block,
        arguments.input,
        arguments.output,
        line_buffered=arguments.line_buffered,
        encoding=arguments.encoding,
        label="casing",
        progress=shows_progress(arguments),
    )


def _case_bibliography(arguments: argparse.Namespace, model: Truecaser, kind: str) -> None:
    from truecase.base.read import display_name, open_bytes
    from truecase.formats.bibliographies import BIBLIOGRAPHIES, TitleCaser

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
    note(arguments, f"truecase: {name}: {BIBLIOGRAPHIES[kind].title}: {_told(caser.summary)}")


def _told(summary: TitleSummary) -> str:
    """What was done, in one line."""
    titles = "title" if summary.n_titles == 1 else "titles"
    text = f"{summary.n_titles:,} {titles}, {summary.n_changed:,} changed"
    left = []
    if summary.n_other_language:
        left.append(f"{summary.n_other_language:,} in another language")
    if summary.n_joined:
        left.append(f"{summary.n_joined:,} put together with # or named by a macro")
    return f"{text}; left alone: {', '.join(left)}" if left else text
