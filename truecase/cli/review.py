"""``truecase review``: a page for people to look at the least certain words, and what it gives."""

from __future__ import annotations

import argparse
import io
import shutil
from typing import TYPE_CHECKING

from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import (
    add_house_style,
    add_model,
    add_sentence_start,
    add_threads,
    encoding,
    whole_number,
)
from truecase.cli.streams import STDOUT, check_output, open_output
from truecase.errors import UsageError
from truecase.formats.registry import FORMATS

if TYPE_CHECKING:
    from truecase.formats.corrections import ReviewSettings
    from truecase.formats.format import Document
    from truecase.truecaser import Truecaser


DESCRIPTION = """\
Case a text, and write a page, a single file for any browser, on which its words stand by rising
certainty, in their context and grouped by form. A key or a click writes a word otherwise, in one
place or everywhere; the browser keeps what was chosen. The page hands back a file of corrections,
which --apply puts into the text, and a list of names for --names. Works on plain text and on all
files of `truecase file`.
"""

EPILOG = """\
examples:
  truecase review in.txt -o review.html
  truecase review --apply in.txt.corrections.json in.txt -o cased.txt
  truecase review talk.srt --names names.txt -o review.html
  truecase review --keep-case article.md -o review.html
  truecase review --apply article.md.corrections.json article.md -o article.md
  truecase --names in.txt.names.txt < next.txt

--apply cases the text as when the page was made, with the model and the options that the
corrections name, and then puts them in; of options only -m and --names may be given again, where
these files are elsewhere now. With --keep-case nothing changes but what was corrected.
"""

# What --apply takes from the file of corrections.
_OF_THE_PAGE = {
    "words": "--words",
    "decode_with": "--decode-with",
    "format": "--format",
    "encoding": "--encoding",
    "field": "--field",
    "source_language": "--source-language",
    "target_language": "--target-language",
    "input_case": "--input-case",
    "sentence_start": "--sentence-start",
    "after_colon": "--after-colon",
    "offices": "--offices",
    "context": "--context",
    "keep_case": "--keep-case",
}


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "input",
        metavar="FILE",
        nargs="?",
        default="-",
        help="text or file to review, plain or compressed (gz, xz, bz2, zst); default: standard "
        "input",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default=STDOUT,
        help="where to write the page, or with --apply the text; a file appears whole or not at "
        "all; default: standard output",
    )
    parser.add_argument(
        "--apply",
        metavar="CORRECTIONS",
        help="instead of making a page, put the corrections that one has handed back into FILE",
    )
    add_model(parser)
    parser.add_argument(
        "--words",
        metavar="N",
        type=whole_number(1),
        help="most words on the page, the least certain ones; default: 100000",
    )
    parser.add_argument(
        "--keep-case",
        action="store_true",
        help="the text is cased already: leave it as it is but for corrections, and show where "
        "the model would have cased it otherwise",
    )
    parser.add_argument(
        "--format",
        choices=("auto", *FORMATS),
        metavar="NAME",
        help=f"what the file is: {', '.join(FORMATS)}; default: by its name, else by its content, "
        "else plain text",
    )
    parser.add_argument(
        "--context",
        choices=("line", "document"),
        help="of plain text: each line is sentences by itself (line, the default), or sentences "
        "run over lines (document)",
    )
    parser.add_argument(
        "--encoding",
        metavar="NAME",
        type=encoding,
        help="character encoding of the file; default: what the file says, or UTF-8",
    )
    parser.add_argument(
        "--field",
        metavar="NAME",
        help="of a manifest in JSON lines, the name of the text; default: text",
    )
    parser.add_argument(
        "--source-language", metavar="CODE", help="language of the source segments, such as fr"
    )
    parser.add_argument(
        "--target-language", metavar="CODE", help="language to be cased, such as en"
    )
    parser.add_argument(
        "--input-case",
        choices=("ignore", "keep", "auto"),
        help="what upper case in the text means, as for truecase apply; default: ignore",
    )
    add_sentence_start(parser)
    add_house_style(parser)
    add_threads(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    check_output(arguments.output)
    return _make(arguments) if arguments.apply is None else _apply(arguments)


def _make(arguments: argparse.Namespace) -> int:
    from truecase.base.progress import Progress
    from truecase.formats.review import N_WORDS, page_of

    if arguments.threads != 1:
        raise UsageError("--threads: only --apply works with several")
    if arguments.keep_case and arguments.input_case is not None:
        raise UsageError("--input-case and --keep-case: each tells what the case of the text means")
    settings = _settings(arguments)
    model = _model(settings)
    document = _read(arguments, settings)
    with Progress(len(document.data), "casing", shows_progress(arguments)) as progress:
        page, n_places = page_of(document, model, settings, arguments.words or N_WORDS, progress)
    with open_output(arguments.output) as output:
        output.write(page)
    words = "word" if n_places == 1 else "words"
    note(
        arguments,
        f"truecase: {document.name}: {document.format}: {n_places:,} {words} on the page; open it "
        "in a browser, and put what it hands back into the text with truecase review --apply",
    )
    return 0


def _apply(arguments: argparse.Namespace) -> int:
    import dataclasses

    from truecase.base.progress import Progress
    from truecase.formats.corrections import read_corrections
    from truecase.formats.review import CorrectedFile

    for name, option in _OF_THE_PAGE.items():
        if getattr(arguments, name) not in (None, False):
            raise UsageError(f"{option}: with --apply it is as it was when the page was made")
    corrections = read_corrections(arguments.apply)
    settings = corrections.settings
    if arguments.model is not None:
        settings = dataclasses.replace(settings, model=arguments.model)
    if arguments.names:
        settings = dataclasses.replace(settings, names=tuple(arguments.names))
    document = _read(arguments, settings)
    corrected = CorrectedFile(document, corrections, _model(settings))
    with Progress(len(document.data), "casing", shows_progress(arguments)) as progress:
        text = corrected.output(arguments.threads, progress)
    with open_output(arguments.output) as output:
        output.write(text)
    summary, n = corrected.summary, corrections.n_corrections
    note(
        arguments,
        f"truecase: {document.name}: {document.format}: {n:,} "
        f"{'correction' if n == 1 else 'corrections'}; {summary.n_words:,} words, "
        f"{summary.n_changed_words:,} changed",
    )
    return 0


def _settings(arguments: argparse.Namespace) -> ReviewSettings:
    from truecase.formats.corrections import ReviewSettings

    return ReviewSettings(
        model=arguments.model,
        decode_with=arguments.decode_with,
        names=tuple(arguments.names),
        format=None if arguments.format in (None, "auto") else arguments.format,
        encoding=arguments.encoding,
        field=arguments.field,
        source_language=arguments.source_language,
        target_language=arguments.target_language,
        input_case=arguments.input_case or "ignore",
        sentence_start=arguments.sentence_start or "always",
        after_colon=arguments.after_colon or "as-learned",
        offices=arguments.offices or "as-learned",
        context=arguments.context or "line",
        keep_case=arguments.keep_case,
    )


def _model(settings: ReviewSettings) -> Truecaser:
    from truecase.cli.model import load_model
    from truecase.truecaser import Truecaser

    after_colon, offices = settings.after_colon, settings.offices
    model = load_model(
        settings.model,
        settings.decode_with,
        names=settings.names,
        # What is not asked for is no option, of which models of Moses' truecaser have none.
        after_colon=None if after_colon == "as-learned" else after_colon,
        offices=None if offices == "as-learned" else offices,
    )
    if not isinstance(model, Truecaser):
        raise UsageError(
            f"{settings.model}: a model of Moses' truecaser does not tell how certain it is"
        )
    return model


def _read(arguments: argparse.Namespace, settings: ReviewSettings) -> Document:
    from truecase.base.progress import Progress
    from truecase.base.read import display_name, open_bytes
    from truecase.formats.review import read_reviewed

    with open_bytes(arguments.input) as file:
        buffer = io.BytesIO()
        shutil.copyfileobj(file, buffer, 1 << 20)
    data = buffer.getvalue()
    with Progress(len(data), "reading", shows_progress(arguments)) as progress:
        return read_reviewed(data, display_name(arguments.input), settings, progress)
