"""``truecase apply``: restore the case of a text."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

from truecase.cli import model as models
from truecase.cli.commands import Command
from truecase.cli.streams import Sink, check_output, open_output
from truecase.cli.transform import ALIGNMENT_FLAGS, given, looked_at, transform, transform_aligned
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.evaluation.words import ChangedWord
    from truecase.rules.styles import Styler


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    if arguments.lang == "auto":
        _transform_mixed(arguments)
        return
    from truecase.truecaser import Truecaser

    model = models.model_of(arguments, copy=arguments.copy_model)
    # Models of Moses have a default of their own.
    default = None if isinstance(model, Truecaser) else "all"
    how = {
        "input_case": arguments.input_case or default,
        **models.sentence_start(model, arguments.sentence_start),
    }
    if arguments.report_changes is None:
        _transform(model, arguments, how)
        return
    check_output(arguments.report_changes, [arguments.input])
    if arguments.report_changes == arguments.output:
        raise UsageError("--report-changes and the output are the same file: name another with -o")
    with open_output(arguments.report_changes) as output:
        _transform(model, arguments, how, _Report(output).finish)


class _Report:
    """A table of the words that come out in another case; the parts of the text come in order."""

    def __init__(self, output: Sink) -> None:
        self._output = output
        self._n_lines = 0
        output.write(b"line\tword\tfrom\tto\tprobability\n")

    def finish(self, cased: tuple[bytes, list[ChangedWord]]) -> bytes:
        """Write the changed words of a block, and return its text."""
        block, changes = cased
        rows = (
            f"{self._n_lines + line}\t{word}\t{before}\t{after}\t{probability:.4f}\n"
            for line, word, before, after, probability in changes
        )
        self._output.write("".join(rows).encode("utf-8", "surrogateescape"))
        self._output.flush()
        self._n_lines += block.count(b"\n")
        return block


def _transform(
    model: models.CasingModel,
    arguments: argparse.Namespace,
    how: dict[str, Any],
    finish: Callable[[Any], bytes] = bytes,
) -> None:
    """Write the text, or its words; with `finish`, its changed words to another file, too."""
    from truecase.truecaser import Truecaser

    if arguments.source is not None:
        models.require_source_model(model)
        case = _casing_function(model, arguments, how)
        transform_aligned(case, arguments, "casing", finish)
        return
    function = _casing_function(model, arguments, how)
    regroup = None
    if arguments.context == "document":
        from truecase.truecaser.document import by_document

        function, regroup = by_document(function, arguments.document_separator)
    if arguments.restore_sharp_s:
        function = _with_sharp_s(model, function)
    language = model.model.text.language if isinstance(model, Truecaser) else ""

    def blocks(read: Iterator[bytes]) -> Iterator[bytes]:
        seen = looked_at(read, language)
        return seen if regroup is None else regroup(seen)

    transform(function, arguments, "casing", blocks, finish)


STEPS = {
    "": Command(
        run,
        flags={
            "text": "input output report-changes encoding line-buffered threads quiet",
            "model": "model lang decode-with copy-model names",
            "case": "input-case style title-pattern context document-separator "
            "sentence-start after-colon offices min-odds restore-sharp-s",
            "words instead of text": "tags confidence",
            "translations": f"source {ALIGNMENT_FLAGS} moses-trace skip-bad-alignments",
        },
    )
}


def _casing_function(
    model: models.CasingModel, arguments: argparse.Namespace, how: dict[str, Any]
) -> Callable[..., Any]:
    """Make the function of a block: its text, the table of its words, or those changed.

    `how` are options of `case_block`; the function takes the source of a block if the model does.
    """
    style = arguments.style
    styled = how if style == "sentence" else {**how, "style": style}
    asked = [name for name in ("report_changes", "confidence", "tags") if getattr(arguments, name)]
    if not asked and (style == "sentence" or arguments.source is not None):
        return partial(model.case_block, threads=1, **styled)
    styler = None if style == "sentence" else _styler(model, arguments)
    if asked:
        truecaser = models.require_truecaser(
            model,
            f"--{asked[0].replace('_', '-')}: models of Moses' truecaser do not have it; use a "
            "model of truecase",
        )
        if asked[0] == "report_changes":
            return partial(truecaser.changes_block, styler=styler, **styled)
        with_posteriors = asked[0] == "confidence"
        case = partial(truecaser.table_block, with_posteriors=with_posteriors)
        return partial(case, styler=styler, **styled)

    def case_in_style(block: bytes) -> bytes:
        assert styler is not None
        cased = block if style == "upper" else model.case_block(block, threads=1, **how)
        return styler.apply(style, block, cased)

    return case_in_style


def _styler(model: models.CasingModel, arguments: argparse.Namespace) -> Styler:
    """Make the writer of styles but ``sentence``; StyleError: bad pattern, or no detector."""
    from truecase.rules.styles import Styler, detected
    from truecase.truecaser import Truecaser

    segmentation = model.about().get("segmentation", "space")
    titles = model.model.titles if isinstance(model, Truecaser) else None
    detector = None if titles is None else titles.detector(segmentation, model.language)
    language = model.model.text.writing_language if isinstance(model, Truecaser) else model.language
    styler = Styler(segmentation, language, detector, arguments.title_pattern)
    if detected(arguments.style) is not None:
        styler.titles(b"")
    return styler


def _with_sharp_s(
    model: models.CasingModel, function: Callable[[bytes], bytes]
) -> Callable[[bytes], bytes]:
    """Make the function that also restores the ß of words in capitals."""
    from truecase.truecaser.sharp_s import check_sharp_s, restored_block

    german = models.require_truecaser(
        model, "--restore-sharp-s: a model of Moses' truecaser does not know it"
    )
    check_sharp_s(german)
    return lambda block: function(restored_block(german, bytes(block)))


def _transform_mixed(arguments: argparse.Namespace) -> None:
    """Case each line, or document, by the model of its language."""
    from truecase.truecaser.document import checked_separator

    truecaser = models.auto_model(arguments, arguments.copy_model)
    assert truecaser is not None
    how = given(arguments, "input_case style sentence_start")
    if arguments.context == "document":
        separator = checked_separator(arguments.document_separator)
        function, regroup = truecaser.document_function(separator, **how)
    else:
        function, regroup = truecaser.line_function(**how)
    transform(function, arguments, "casing", regroup)
