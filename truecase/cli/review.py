"""``truecase review``: a page of the least certain words, and corrections from it."""

from __future__ import annotations

import argparse
import dataclasses
import os
from typing import TYPE_CHECKING

from truecase.base.progress import Progress, count_of
from truecase.base.read import display_name, read_whole
from truecase.cli.commands import Command
from truecase.cli.file import FORMAT_CHANGES
from truecase.cli.flags import Flag
from truecase.cli.model import load_model, require_truecaser
from truecase.cli.streams import STDOUT, check_output, open_output
from truecase.cli.transform import given, note, shows_progress
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.formats.format import Document
    from truecase.formats.review import ReviewSettings
    from truecase.truecaser import Truecaser


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    # Corrected text may go to where it came from.
    check_output(arguments.output, [arguments.apply or arguments.input])
    if arguments.apply is None:
        _make(arguments)
    else:
        _apply(arguments)


STEPS = {
    "": Command(
        run,
        {"input": Flag("FILE", nargs="?", default="-")},
        {
            "page": "output apply words keep-case threads quiet",
            "model": "model lang decode-with names",
            "file": "format encoding field source-language target-language",
            "case": "input-case context sentence-start after-colon offices",
        },
        {**FORMAT_CHANGES, "context": {"default": None}},
    )
}


def _make(arguments: argparse.Namespace) -> None:
    from truecase.formats.file_caser import model_for
    from truecase.formats.review import N_WORDS, page_of

    if arguments.threads != 1:
        raise UsageError("--threads: only --apply works with several")
    if arguments.output == STDOUT and os.isatty(1):
        raise UsageError("the page is HTML, not for a terminal: name its file, as in -o page.html")
    settings = _settings(arguments)
    document = _read(arguments, settings)
    settings = dataclasses.replace(settings, model=model_for(document, settings.model))
    model = _model(settings)
    with Progress(len(document.data), "casing", shows_progress(arguments)) as progress:
        page, n_places = page_of(document, model, settings, arguments.words or N_WORDS, progress)
    with open_output(arguments.output) as output:
        output.write(page)
    note(
        arguments,
        f"truecase: {document.name}: {document.format}: {count_of(n_places, 'word')} on the page; "
        "open it in a browser, and put the corrections that it saves into the text with "
        "truecase review --apply",
    )


def _apply(arguments: argparse.Namespace) -> None:
    from truecase.formats.review import corrected, read_corrections

    corrections = read_corrections(arguments.apply)
    names = tuple(arguments.names) or corrections.settings.names
    settings = dataclasses.replace(corrections.settings, names=names, **given(arguments, "model"))
    document = _read(arguments, settings)
    model = _model(settings)
    with Progress(len(document.data), "casing", shows_progress(arguments)) as progress:
        text, summary = corrected(document, corrections, model, arguments.threads, progress)
    with open_output(arguments.output) as output:
        output.write(text)
    n = count_of(sum(map(len, corrections.by_segment.values())), "correction")
    told = f"{n}; {summary.n_words:,} words, {summary.n_changed_words:,} changed"
    note(arguments, f"truecase: {document.name}: {document.format}: {told}")


def _settings(arguments: argparse.Namespace) -> ReviewSettings:
    from truecase.formats.review import ReviewSettings

    names = " ".join(field.name for field in dataclasses.fields(ReviewSettings))
    settings = {**given(arguments, names), "names": tuple(arguments.names)}
    if arguments.format == "auto":
        del settings["format"]
    return ReviewSettings(**settings)


def _model(settings: ReviewSettings) -> Truecaser:
    from truecase.formats.review import loaded

    if settings.model == "auto":
        return loaded(settings)
    return require_truecaser(
        load_model(
            settings.model,
            settings.decode_with,
            names=settings.names,
            after_colon=settings.after_colon,
            offices=settings.offices,
        ),
        f"{settings.model}: a model of Moses' truecaser has no probabilities; use one of truecase",
    )


def _read(arguments: argparse.Namespace, settings: ReviewSettings) -> Document:
    from truecase.formats.review import read_reviewed

    data = read_whole(arguments.input)
    with Progress(len(data), "reading", shows_progress(arguments)) as progress:
        return read_reviewed(data, display_name(arguments.input), settings, progress)
