"""``truecase text``: steps that need no model of case, or change titles and marks."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING

from truecase.base.progress import count_of
from truecase.base.read import display_name, read_whole
from truecase.cli.commands import FILE_ARGUMENT, Command, defaults
from truecase.cli.model import load_model, require_truecaser
from truecase.cli.streams import check_output, naming_errors, open_output
from truecase.cli.transform import counted_blocks, file_progress, note, transform
from truecase.errors import FormatError, ReadError, ShiftError, UsageError, named
from truecase.kernels.text import primary

if TYPE_CHECKING:
    from truecase.formats.bibliographies import TitleSummary
    from truecase.rules.moses import MosesModel
    from truecase.truecaser import Truecaser


LINES = "lines"


def _normalize(arguments: argparse.Namespace) -> None:
    from truecase.rules.smartcase import normalizer

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
        normalize = normalizer(model, arguments.segmentation, arguments.language)
        transform(normalize, arguments, "normalising")


def _counts(arguments: argparse.Namespace) -> MosesModel:
    from truecase.model.embedded import is_embedded
    from truecase.rules.moses import read_moses_model
    from truecase.rules.smartcase import count_forms

    if arguments.model is not None:
        given = None if is_embedded(arguments.model) else read_moses_model(arguments.model)
        if given is None:
            raise ReadError(
                f"{arguments.model}: not a model of Moses' truecaser; `truecase text normalize "
                "--train CORPUS --save-model MODEL` makes one"
            )
        return given
    paths: list[str] = arguments.train
    with file_progress(arguments, paths, "counting") as progress:
        counted = count_forms(
            counted_blocks(paths, progress, arguments.encoding),
            arguments.segmentation,
            arguments.language,
        )
    if not len(counted):
        raise ReadError(f"{', '.join(map(display_name, paths))}: there is no word to count")
    return counted


def _capitalize(arguments: argparse.Namespace) -> None:
    from truecase.rules.smartcase import capitalizer

    transform(capitalizer(arguments.segmentation, arguments.language), arguments, "capitalising")


def _sentence_case(arguments: argparse.Namespace) -> None:
    from truecase.formats.bibliographies import BIBLIOGRAPHIES, bibliography_format
    from truecase.formats.registry import detect

    kind = arguments.format or bibliography_format(arguments.input)
    if kind is None and (known := detect(b"", arguments.input, "text")).name != "text":
        raise FormatError(
            f"{arguments.input}: is {known.title}: --format lines cases each line as a title"
        )
    kind = kind or LINES
    if kind in BIBLIOGRAPHIES and kind != "bibtex" and arguments.braces:
        raise UsageError(f"--braces: titles of {BIBLIOGRAPHIES[kind].title} have none")
    if kind != LINES and arguments.line_buffered is not None:
        raise UsageError("--line-buffered: a bibliography and Markdown are read as a whole")
    check_output(arguments.output)
    model = require_truecaser(
        load_model(arguments.model, arguments.decode_with, names=arguments.names),
        "sentence-case: models of Moses' truecaser do not say how sure they are; use a model of "
        "truecase",
    )
    language = model.model.text.language or "en"
    if primary(language) != "en":
        what = f"its rules are of English titles, not of {language}"
        note(arguments, f"truecase: sentence-case: {what}")
    if kind == LINES:
        from truecase.truecaser.sentence_case import SentenceCaser

        caser = SentenceCaser(model, arguments.after_colon, arguments.braces)
        transform(caser.case_block, arguments, "casing")
    else:
        _case_bibliography(arguments, model, kind)


def _case_bibliography(arguments: argparse.Namespace, model: Truecaser, kind: str) -> None:
    from truecase.formats.bibliographies import BIBLIOGRAPHIES, TitleCaser

    name = display_name(arguments.input)
    data = read_whole(arguments.input)
    caser = TitleCaser(
        data, name, kind, model, arguments.after_colon, arguments.braces, arguments.encoding
    )
    with open_output(arguments.output) as output:
        for piece in caser.output():
            output.write(piece)
    note(arguments, f"truecase: {name}: {BIBLIOGRAPHIES[kind].title}: {_told(caser.summary)}")


def _told(summary: TitleSummary) -> str:
    text = f"{count_of(summary.n_titles, 'title')}, {summary.n_changed:,} changed"
    left = []
    if summary.n_other_language:
        left.append(f"{summary.n_other_language:,} in another language")
    if summary.n_joined:
        left.append(f"{summary.n_joined:,} put together with # or named by a macro")
    return f"{text}; left alone: {', '.join(left)}" if left else text


def _marks(step: str, arguments: argparse.Namespace) -> None:
    from truecase.rules.punctuation import shift_back, shift_marks, take_off_marks

    function: Callable[[str, int], str] = {
        "off": lambda text, line: take_off_marks(text),
        "shift": shift_marks,
        "back": lambda text, line: shift_back(text),
    }[step]

    def changed(numbered: tuple[int, bytes]) -> bytes:
        line, block = numbered
        text = function(block.decode("utf-8", "surrogateescape"), line)
        return text.encode("utf-8", "surrogateescape")

    with named(display_name(arguments.input), ShiftError):
        transform(changed, arguments, "marks", _numbered)


def _numbered(blocks: Iterator[bytes]) -> Iterator[tuple[int, bytes]]:
    """Add the number of its first line to each block."""
    line = 1
    for block in blocks:
        yield line, block
        line += block.count(b"\n")


_STREAM = "input output encoding line-buffered threads quiet"
_WORDS = {"words": "segmentation language"}
_RAW = defaults(segmentation="raw", language="")

STEPS = {
    "": Command(),
    "normalize": Command(
        _normalize,
        flags={"text": _STREAM, "counts": "model train save-model model-only", **_WORDS},
        changes=_RAW,
        summary="lowercase first words of sentences if they are lowercase elsewhere",
    ),
    "capitalize": Command(
        _capitalize,
        flags={"text": _STREAM, **_WORDS},
        changes=_RAW,
        summary="capitalise the first word of every sentence",
    ),
    "sentence-case": Command(
        _sentence_case,
        FILE_ARGUMENT,
        {
            "text": "input output format encoding line-buffered quiet",
            "model": "model lang decode-with names",
            "titles": "after-colon braces",
        },
        {
            "format": {"choices": (LINES, "bibtex", "csl", "ris", "markdown")},
            "after-colon": {"default": "capital", "choices": ("capital", "lower")},
        },
        "put titles of works into sentence case, but keep names",
    ),
    "marks": Command(summary="take marks off, shift end marks, or shift them back"),
    **{
        f"marks {step}": Command(partial(_marks, step), flags={"text": _STREAM}, summary=summary)
        for step, summary in (
            ("off", "take the marks off"),
            ("shift", "shift end marks in front of their sentences"),
            ("back", "shift end marks back behind their sentences"),
        )
    },
}
