"""``truecase evaluate``: compare a model's case with a reference."""

from __future__ import annotations

import argparse
import functools
import os
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, Any

from truecase.base.progress import Progress
from truecase.base.read import display_name, read_blocks
from truecase.base.threads import ordered_map
from truecase.cli import model as models
from truecase.cli.commands import Command
from truecase.cli.flags import Flag
from truecase.cli.streams import check_output, is_special, write_json, write_text
from truecase.cli.transform import ALIGNMENT_FLAGS, alignment_file, file_progress
from truecase.errors import EvaluationError, UsageError, named

if TYPE_CHECKING:
    from truecase.alignment.lines import AlignedLines
    from truecase.evaluation.evaluation_page import Judged
    from truecase.evaluation.metrics import ErrorContexts, Evaluation


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    from truecase.evaluation.evaluation_page import evaluation_page
    from truecase.evaluation.text_tables import comparison_table, evaluation_table

    _check(arguments)
    judged = _judge(arguments)
    if arguments.html is not None:
        names = [os.path.basename(display_name(path)) for path in arguments.reference]
        write_text(arguments.html, evaluation_page(judged, names))
        if arguments.html == "-":
            return
    if arguments.json:
        write_json(_plain(judged))
    elif len(judged) == 1:
        write_text("-", evaluation_table(judged[0].evaluation))
    else:
        write_text("-", comparison_table([(one.name, one.evaluation) for one in judged]))


STEPS = {
    "": Command(
        run,
        {"reference": Flag("REFERENCE", nargs="+")},
        {
            "what is judged": "model lang decode-with names input hypothesis encoding threads "
            "quiet",
            "report": "json html",
            "case": "sentence-start after-colon offices",
            "translations": f"source {ALIGNMENT_FLAGS}",
        },
        {"model": {"repeats": True, "default": []}, "input": {"short": "", "default": None}},
    )
}


def _check(arguments: argparse.Namespace) -> None:
    n_models = len(arguments.model)
    if arguments.source is not None and len(arguments.reference) > 1:
        raise UsageError("--source: goes with one REFERENCE, without --input or --hypothesis")
    if arguments.hypothesis is not None and n_models > 1:
        raise UsageError("--hypothesis: expected one model at most, for the training counts")
    read = [*arguments.reference, arguments.input]
    if n_models > 1 and any(path and (path == "-" or is_special(path)) for path in read):
        raise UsageError("standard input can be read only once, as pipes: save it to a file first")
    if arguments.html is not None:
        check_output(arguments.html, [*arguments.reference, arguments.input, arguments.hypothesis])


def _judge(arguments: argparse.Namespace) -> list[Judged]:
    from truecase.evaluation.evaluation_page import Judged
    from truecase.evaluation.metrics import ErrorContexts

    names: list[str | None] = arguments.model or [None]
    shown = _short_names(names)
    judged = []
    for path, name in zip(names, shown, strict=True):
        model: models.CasingModel | None = None
        if arguments.hypothesis is None or path is not None:
            model = models.model_of(arguments, path)
        contexts = ErrorContexts() if arguments.html is not None else None
        evaluation = _evaluate(arguments, model, contexts)
        if arguments.hypothesis is not None:
            name = _short_names([arguments.hypothesis])[0]
        judged.append(Judged(name, evaluation, contexts, model.about() if model else {}))
    return judged


def _short_names(paths: list[str | None]) -> list[str]:
    """Return file names, or whole paths where names are the same."""
    names = [os.path.basename(path) if path else "embedded English" for path in paths]
    return [
        path if path and names.count(name) > 1 else name
        for path, name in zip(paths, names, strict=True)
    ]


def _plain(judged: list[Judged]) -> dict[str, Any]:
    """Return plain figures of one model, or of each by name."""
    if len(judged) == 1:
        return judged[0].evaluation.to_dict()
    return {"models": [{"model": one.name, **one.evaluation.to_dict()} for one in judged]}


def _evaluate(
    arguments: argparse.Namespace, model: models.CasingModel | None, contexts: ErrorContexts | None
) -> Evaluation:
    from truecase.evaluation.metrics import Evaluator, evaluate_blocks

    paths: list[str] = arguments.reference
    texts = ", ".join(map(display_name, paths))
    encoding: str | None = arguments.encoding
    with file_progress(arguments, paths, "evaluating") as progress:
        if arguments.hypothesis is not None:
            other = arguments.hypothesis
            output = read_blocks([other], encoding=encoding)
        else:
            assert model is not None
            start = models.sentence_start(model, arguments.sentence_start)
            how = {"input_case": "ignore", **start}
            threads, other = arguments.threads, arguments.input
            if other is None:
                blocks = _blocks(arguments, model, progress)
                how.update(language=model.language, contexts=contexts)
                with named(texts, EvaluationError):
                    return evaluate_blocks(model, blocks, threads, **how)
            case = functools.partial(model.case_block, **how)
            given = read_blocks([other], ahead=False, encoding=encoding)
            output = ordered_map(case, given, threads, eager=True)
        evaluator = Evaluator(
            model.training_count if model is not None else None,
            model.language if model is not None else "",
            contexts,
        )
        with named(display_name(other), EvaluationError):
            reference = read_blocks(paths, progress=progress, encoding=encoding)
            evaluator.add(_lines(reference), _lines(output))
        with named(texts, EvaluationError):
            return evaluator.result()


def _blocks(
    arguments: argparse.Namespace, model: models.CasingModel, progress: Progress
) -> Iterator[bytes | AlignedLines]:
    """Read the texts, or one text beside its source."""
    from truecase.alignment.parallel import Reading, read_aligned

    if arguments.source is None:
        how = {"progress": progress, "encoding": arguments.encoding}
        return read_blocks(arguments.reference, ahead=False, **how)
    models.require_source_model(model)
    reading = Reading(progress=progress, encoding=arguments.encoding)
    alignment = alignment_file(arguments)
    return read_aligned(arguments.source, arguments.reference[0], alignment, reading)


def check_has_words(path: str, encoding: str | None = None) -> None:
    """Raise EvaluationError for a text without words, before long work."""
    if not any(block.split() for block in read_blocks([path], ahead=False, encoding=encoding)):
        raise EvaluationError(f"{path}: there is no word to evaluate on")


def _lines(blocks: Iterable[bytes]) -> Iterator[str]:
    from truecase.kernels.text import split_lines

    for block in blocks:
        yield from split_lines(block.decode("utf-8", "surrogateescape"))
