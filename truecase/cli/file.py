"""``truecase file``: case the texts of subtitles, translations and other files."""

from __future__ import annotations

import argparse
import warnings
from typing import TYPE_CHECKING, Any, get_args

from truecase.base.progress import Progress, count_of
from truecase.base.read import display_name, read_whole
from truecase.cli import model as models
from truecase.cli.commands import FILE_ARGUMENT, Command
from truecase.cli.streams import Sink, check_output, open_output
from truecase.cli.transform import note, shows_beside_output
from truecase.errors import UsageError
from truecase.formats.format import Document, ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.registry import FORMATS, read_document
from truecase.formats.segments import FINAL, LOCKED
from truecase.options import FileStyle

if TYPE_CHECKING:
    from truecase.formats.file_caser import CasesBlocks, FileCaser, Summary


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    check_output(arguments.output)
    from truecase.formats.file_caser import FileCaser, model_for, warn_of_texts
    from truecase.formats.punctuation import punctuated

    data = read_whole(arguments.input)
    document = _read(arguments, data)
    arguments.model = model_for(document, arguments.model)
    model = models.auto_model(arguments) or models.model_of(arguments)
    _check_options(arguments, model, document)
    refusal = _refusal(arguments, model, document)
    if refusal is not None:
        # Whatever reads the output gets the text all the same.
        with open_output(arguments.output) as output:
            output.write(_TABLE_HEAD if arguments.dry_run else data)
        raise ValueError(refusal)
    warn_of_texts(model, document)
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
    told = _told(document, caser.summary, model)
    note(arguments, f"truecase: {display_name(arguments.input)}: {told}")


# Of --dry-run.
_TABLE_HEAD = b"line\tbefore\tafter\n"

#: Changes of options about a file in one of `FORMATS`.
FORMAT_CHANGES: dict[str, dict[str, Any]] = {
    "format": {
        "choices": ("auto", *FORMATS),
        "help": f"the format of the file: {', '.join(FORMATS)}; default: by its name, else by its "
        "content",
    },
    "source-language": {"type": None},
    "target-language": {"type": None},
}

STEPS = {
    "": Command(
        run,
        FILE_ARGUMENT,
        {
            "file": "input output format encoding field source-language target-language "
            "include-final include-locked dry-run threads quiet",
            "model": "model lang decode-with names",
            "case": "input-case style sentence-start after-colon offices min-odds punctuate marks",
        },
        {**FORMAT_CHANGES, "style": {"choices": get_args(FileStyle)}},
    )
}


def _check_options(arguments: argparse.Namespace, model: CasesBlocks, document: Document) -> None:
    """Refuse options that do nothing for a format or a model."""
    from truecase.formats.file_caser import check_output_name, takes_style

    if not document.format.startswith("XLIFF"):
        for name in ("include-final", "include-locked"):
            if getattr(arguments, name.replace("-", "_")):
                raise UsageError(f"--{name}: only XLIFF has these, the file is {document.format}")
    if not arguments.dry_run:
        check_output_name(document, arguments.output, UsageError)
    if arguments.style == "source" and not document.has_sources:
        raise UsageError(f"--style source: a file in {document.format} has no sources")
    if arguments.source_language is not None and document.languages.source is None:
        raise UsageError(f"--source-language: a file in {document.format} has no sources")
    if arguments.style != "sentence" and not takes_style(model):
        raise UsageError(
            f"--style {arguments.style}: Moses' truecaser writes nothing but sentences"
        )


def _refusal(arguments: argparse.Namespace, model: CasesBlocks, document: Document) -> str | None:
    """Why a file in another language than the model's and --target-language stays; else None."""
    from truecase.formats.file_caser import language_of, other_language
    from truecase.kernels.text import primary

    what = other_language(model, document)
    if what is None:
        return None
    if arguments.target_language is not None:
        warnings.warn(what, stacklevel=2)
        return None
    language, target = language_of(model), document.languages.target
    other = document.languages.source
    turned = other is not None and primary(other) == primary(language)
    side = f" --target-language {language} for the other side," if turned else ""
    return (
        f"{document.name}: {what}; give{side} another model with -m, or --target-language "
        f"{target} to case them all the same"
    )


def _read(arguments: argparse.Namespace, data: bytes) -> Document:
    included = {FINAL: arguments.include_final, LOCKED: arguments.include_locked}
    leave = [reason for reason, is_included in included.items() if not is_included]
    with Progress(len(data), "reading", shows_beside_output(arguments)) as progress:
        return read_document(
            data,
            display_name(arguments.input),
            None if arguments.format == "auto" else arguments.format,
            ReadOptions(
                Languages(arguments.source_language, arguments.target_language),
                leave,
                arguments.field,
                progress=progress,
            ),
            arguments.encoding,
        )


def _write(
    caser: FileCaser, document: Document, output: Sink, arguments: argparse.Namespace
) -> None:
    enabled = shows_beside_output(arguments)
    with Progress(len(document.data), "casing", enabled) as progress:
        if not arguments.dry_run:
            for piece in caser.output(arguments.threads, progress):
                output.write(piece)
            return
        output.write(_TABLE_HEAD)
        for change in caser.changes(arguments.threads, progress):
            before, after = (" ".join(text.split()) for text in change[1:])
            output.write(f"{change.line}\t{before}\t{after}\n".encode())


def _told(document: Document, summary: Summary, model: CasesBlocks) -> str:
    from truecase.formats.file_caser import takes_source

    source, target = document.languages
    languages = f", {source} to {target}" if source and target else ""
    if not languages and (source or target):
        languages = f", to {target}" if target else f", from {source}"
    has_sources = takes_source(model) and document.takes_source
    sources = f", {summary.n_with_source:,} by their source" if has_sources else ""
    parts = [
        f"{document.format}{languages}: {count_of(summary.n_segments, 'segment')}{sources}, "
        f"{summary.n_changed:,} changed; {count_of(summary.n_words, 'word')}, "
        f"{summary.n_changed_words:,} changed"
    ]
    left = [f"{n:,} {reason}" for reason, n in sorted(summary.left_alone.items()) if n]
    if left:
        parts.append("left alone: " + ", ".join(left))
    return "; ".join(parts)
