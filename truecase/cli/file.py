"""``truecase file``: case the texts of subtitles, translations and other files."""

from __future__ import annotations

import argparse
import io
import shutil
import sys
import warnings
from typing import TYPE_CHECKING, get_args

from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import (
    add_house_style,
    add_model,
    add_sentence_start,
    add_threads,
    encoding,
)
from truecase.cli.streams import STDOUT, Sink, check_output, open_output
from truecase.errors import UsageError
from truecase.formats.registry import FORMATS
from truecase.options import FileStyle

if TYPE_CHECKING:
    from truecase.cli.model import CasingModel
    from truecase.formats.file_caser import FileCaser, Summary
    from truecase.formats.format import Document


DESCRIPTION = """\
Restore the case of the texts in a file, and of nothing else: tags, timings, placeholders such as
%s or {name}, markup, line ends and everything else come out byte for byte. A sentence that runs
over cues or inline tags is cased as one.

  subtitles      SubRip (.srt), WebVTT (.vtt), SubStation Alpha (.ass, .ssa), TTML (.ttml, .dfxp)
  transcripts    JSON of Whisper, WhisperX, faster-whisper, whisper.cpp and Hugging Face
                 (text, segments and words agree), CTM, STM, manifests in JSON lines, Kaldi's text
  translations   TMX 1.1 to 1.4, XLIFF 1.0 to 2.2 (also .sdlxliff and other tools' dialects),
                 gettext PO, Qt TS; their targets, by their sources with models that look at them
  catalogues     Android's strings.xml, .resx, Apple's .strings and .xcstrings, JSON (also ARB),
                 YAML; all values that are strings, and no keys
  texts          Markdown, HTML, DOCX; not their code, links and markup

Of XLIFF, segments that are not to be translated stay as they are, and, unless asked for, those
that are marked as final or locked; of PO, obsolete entries.
"""

EPILOG = """\
examples:
  truecase file talk.srt -o cased.srt
  truecase file --encoding cp1252 old.ass -o cased.ass
  truecase file whisper.json -o cased.json
  truecase file --field pred_text manifest.jsonl -o cased.jsonl
  truecase file data/train/text -o text.cased
  truecase file res/values/strings.xml -o strings.xml
  truecase file --target-language en Localizable.xcstrings -o cased.xcstrings
  truecase file README.md -o cased.md
  truecase file report.docx -o cased.docx
  truecase file mt.xlf -o cased.xlf
  truecase file memory.tmx --target-language en -m fr-en.truecase -o cased.tmx -j 4
  truecase file --punctuate recognised.json -o readable.json
  truecase file --style source messages.po -o cased.po
  truecase file --dry-run messages.po | less -S
  decoder | truecase file --format po > messages.po
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("file", metavar="FILE", nargs="?", help="the same as --input FILE")
    parser.add_argument(
        "-i",
        "--input",
        metavar="FILE",
        help="file to read, plain or compressed (gz, xz, bz2, zst); default: standard input",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default=STDOUT,
        help="where to write, may be the input; a file is put in place when it is complete; "
        "default: standard output",
    )
    add_model(parser)
    add_threads(parser)
    parser.add_argument(
        "--format",
        choices=("auto", *FORMATS),
        metavar="NAME",
        default="auto",
        help=f"what the file is: {', '.join(FORMATS)}; default: by its name, else by its content",
    )
    parser.add_argument(
        "--encoding",
        metavar="NAME",
        type=encoding,
        help="character encoding of the file, any that Python knows; default: what the file "
        "says, or UTF-8",
    )
    parser.add_argument(
        "--field",
        metavar="NAME",
        help="of a manifest in JSON lines, the name of the text; default: text",
    )
    parser.add_argument(
        "--source-language",
        metavar="CODE",
        help="language of the source segments, such as fr or fr-CA; default: what the file says",
    )
    parser.add_argument(
        "--target-language",
        metavar="CODE",
        help="language to be cased, such as en, which is also en-GB; default: what the file "
        "says. A TMX file with more than two languages needs it",
    )
    parser.add_argument(
        "--input-case",
        choices=("ignore", "keep", "auto"),
        default="ignore",
        help="what upper case in texts means, as for truecase apply; default: ignore",
    )
    add_sentence_start(parser)
    add_house_style(parser)
    parser.add_argument(
        "--style",
        choices=get_args(FileStyle),
        metavar="STYLE",
        default="sentence",
        help="what texts come out as: sentence, title, upper, title-ap, title-apa, title-chicago, "
        "title-long-words: as for truecase apply; source, for translations: a text is a title, "
        "upper case or goes on in lower case where its source does, except that nothing is taken "
        "for a title in German, which capitalises nouns; default: sentence",
    )
    parser.add_argument(
        "--punctuate",
        action="store_true",
        help="of transcripts and subtitles: put commas, full stops and question marks behind their "
        "words, too, where they are missing; times, and what a cue shows, stay as they are",
    )
    parser.add_argument(
        "--marks",
        metavar="MARKS",
        help="with --punctuate: those of the model's marks that may be put, such as .?",
    )
    parser.add_argument(
        "--include-final",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="case also XLIFF segments in a final state, signed off or approved; default: no",
    )
    parser.add_argument(
        "--include-locked",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="case also XLIFF segments that a tool has locked; default: no",
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="write a table of the segments that would change, tab-separated, instead of the "
        "file: line (of DOCX, paragraph), before, after",
    )
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    if arguments.file is not None and arguments.input is not None:
        raise UsageError("FILE and --input FILE are the same: give one")
    source = arguments.file or arguments.input or "-"
    check_output(arguments.output)
    if arguments.marks is not None and not arguments.punctuate:
        raise UsageError("--marks: marks are put only with --punctuate")
    from truecase.base.read import display_name
    from truecase.cli import model as models
    from truecase.formats.file_caser import FileCaser
    from truecase.formats.punctuation import punctuated

    model = models.load_model(
        arguments.model,
        arguments.decode_with,
        names=arguments.names,
        after_colon=arguments.after_colon,
        offices=arguments.offices,
    )
    document = _read(arguments, source)
    _check_options(arguments, document)
    models.check_style(model, arguments.style)
    _check_languages(arguments, model, document)
    if arguments.punctuate:
        document = punctuated(document, model, arguments.marks)
    caser = FileCaser(
        document,
        model,
        arguments.input_case,
        **models.sentence_start(model, arguments.sentence_start),
        style=arguments.style,
    )
    with open_output(arguments.output) as output:
        _write(caser, document, output, arguments)
    note(arguments, f"truecase: {display_name(source)}: {_told(document, caser.summary, model)}")
    return 0


def _check_options(arguments: argparse.Namespace, document: Document) -> None:
    """Refuse options that a format has no use for."""
    if not document.format.startswith("XLIFF"):
        for name in ("include_final", "include_locked"):
            if getattr(arguments, name):
                option = f"--{name.replace('_', '-')}"
                raise UsageError(f"{option}: only XLIFF has these, the file is {document.format}")
    if arguments.style == "source" and not document.has_sources:
        raise UsageError(f"--style source: a file in {document.format} has no sources")
    if arguments.source_language is not None and document.languages.source is None:
        raise UsageError(f"--source-language: a file in {document.format} has no sources")


def _check_languages(arguments: argparse.Namespace, model: CasingModel, document: Document) -> None:
    """Refuse to case another language than the model's, unless that is asked for.

    Raises
    ------
    ValueError
    """
    from truecase.formats.case_file import language_of, other_language
    from truecase.text.language_tags import primary

    what = other_language(model, document)
    if what is None:
        return
    if arguments.target_language is not None:
        warnings.warn(what, stacklevel=2)
        return
    language, target = language_of(model), document.languages.target
    other = document.languages.source
    turned = other is not None and primary(other) == primary(language)
    side = f" --target-language {language} for the other side," if turned else ""
    raise ValueError(
        f"{document.name}: {what}: give{side} another model with -m, or --target-language "
        f"{target} to case them all the same"
    )


def _shows_progress(arguments: argparse.Namespace) -> bool | None:
    """A bar and the text would overwrite each other on a terminal."""
    on_terminal = arguments.output == STDOUT and sys.stdout is not None and sys.stdout.isatty()
    return False if on_terminal else shows_progress(arguments)


def _read(arguments: argparse.Namespace, source: str) -> Document:
    from truecase.base.progress import Progress
    from truecase.base.read import display_name, open_bytes
    from truecase.formats.registry import read_document
    from truecase.formats.segments import FINAL, LOCKED, Languages

    with open_bytes(source) as file:
        # Grows in place, where reading to the end would join pieces and hold all of it twice.
        buffer = io.BytesIO()
        shutil.copyfileobj(file, buffer, 1 << 20)
        data = buffer.getvalue()
        del buffer
    leave = [
        reason
        for reason, is_included in (
            (FINAL, arguments.include_final),
            (LOCKED, arguments.include_locked),
        )
        if not is_included
    ]
    with Progress(len(data), "reading", _shows_progress(arguments)) as progress:
        return read_document(
            data,
            display_name(source),
            None if arguments.format == "auto" else arguments.format,
            Languages(arguments.source_language, arguments.target_language),
            leave,
            progress,
            arguments.encoding,
            arguments.field,
        )


def _write(
    caser: FileCaser, document: Document, output: Sink, arguments: argparse.Namespace
) -> None:
    from truecase.base.progress import Progress

    enabled = _shows_progress(arguments)
    with Progress(len(document.data), "casing", enabled) as progress:
        if not arguments.dry_run:
            for piece in caser.output(arguments.threads, progress):
                output.write(piece)
            return
        output.write(b"line\tbefore\tafter\n")
        for change in caser.changes(arguments.threads, progress):
            before, after = (" ".join(text.split()) for text in change[1:])
            output.write(f"{change.line}\t{before}\t{after}\n".encode())


def _told(document: Document, summary: Summary, model: CasingModel) -> str:
    """What was done, in one line."""
    from truecase.formats.file_caser import takes_source

    source, target = document.languages
    languages = f", {source} to {target}" if source and target else ""
    if not languages and (source or target):
        languages = f", to {target}" if target else f", from {source}"
    has_sources = takes_source(model) and document.takes_source
    sources = f", {summary.n_with_source:,} by their source" if has_sources else ""
    parts = [
        f"{document.format}{languages}: {_count(summary.n_segments, 'segment')}{sources}, "
        f"{summary.n_changed:,} changed; {_count(summary.n_words, 'word')}, "
        f"{summary.n_changed_words:,} changed"
    ]
    left = [f"{n:,} {reason}" for reason, n in sorted(summary.left_alone.items()) if n]
    if left:
        parts.append("left alone: " + ", ".join(left))
    return "; ".join(parts)


def _count(n: int, noun: str) -> str:
    return f"{n:,} {noun}" + ("" if n == 1 else "s")
