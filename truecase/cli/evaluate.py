"""``truecase evaluate``: compare a model's case with a reference."""

from __future__ import annotations

import argparse
import functools
import json
import os
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from truecase.cli.aligned import (
    ALIGNMENT_OPTIONS,
    add_alignment_form,
    alignment_file,
    check_alignment,
    refuse,
)
from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import (
    add_encoding,
    add_house_style,
    add_model,
    add_sentence_start,
    add_threads,
)
from truecase.cli.streams import check_output, write_text
from truecase.errors import UsageError
from truecase.options import SentenceStart

if TYPE_CHECKING:
    from truecase.alignment.parallel import AlignmentFile
    from truecase.base.progress import Progress
    from truecase.cli.model import CasingModel
    from truecase.errors import EvaluationError
    from truecase.evaluation.evaluation_page import Judged
    from truecase.evaluation.metrics import ErrorContexts, Evaluation


DESCRIPTION = """\
Drop the case of a correctly cased text, restore it with a model, and compare. Or, with
--hypothesis, compare the output of another system.

Words are what stands between white space in the reference. Reported are token accuracy, the
share of all words that are right; F1 over words that are not all-lowercase, with its precision
and recall; errors by the
kind of case (AL lowercase, IU first letter upper, AU all upper, MX mixed, AN no letter with
case) and by how often the model saw the word in training, and lines without any error.

With --html the same and more as a page to look at: one file that needs no other, with charts,
the confusion of cases, and the most frequent errors in context.
"""

EPILOG = """\
examples:
  truecase evaluate test.txt
  truecase evaluate -m my.truecase --json test.txt > figures.json
  truecase evaluate --html report.html test.txt
  truecase evaluate -m old.truecase -m new.truecase --html report.html test.txt
  truecase evaluate --html report.html --learning-curve curve.json test.txt
  truecase evaluate --hypothesis output-of-another-system.txt test.txt
  truecase evaluate -m fr-en.truecase --source test.fr --alignment test.align test.en
  truecase evaluate -m fr-en.truecase --source test.fr --alignment marian.align
    --subwords sentencepiece --source-subwords fr.spm --target-subwords en.spm test.en
  truecase evaluate -m my.truecase --input recogniser-output.txt test.txt
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "reference",
        metavar="REFERENCE",
        nargs="+",
        help="correctly cased text, plain or compressed; - is standard input",
    )
    add_model(parser, several=True)
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--input",
        metavar="FILE",
        help="what the model is to case, instead of the lowercased reference; same words",
    )
    group.add_argument(
        "--hypothesis",
        metavar="FILE",
        help="judge this text instead of running a model; with -m, the model only tells how "
        "often words were seen in training",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    parser.add_argument(
        "--html", metavar="FILE", help="also write a report: one page that needs no other file"
    )
    parser.add_argument(
        "--learning-curve",
        metavar="FILE",
        help="what `truecase learning-curve` wrote, to be drawn in the report",
    )
    parser.add_argument(
        "--source",
        metavar="FILE",
        help="the sentences, cased, that REFERENCE is a translation of, line by line; the model "
        "gets them, too",
    )
    parser.add_argument(
        "--alignment",
        metavar="FILE",
        help="with --source: which of their words are aligned, in Pharaoh's form (0-0 1-2)",
    )
    add_alignment_form(parser)
    add_sentence_start(parser)
    add_house_style(parser)
    add_encoding(parser)
    add_threads(parser)
    add_quiet(parser)
    parser.set_defaults(threads=None)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    _check(arguments)
    arguments.threads = arguments.threads or 1
    judged = _judge(arguments)
    if arguments.html is not None:
        write_text(arguments.html, _report(arguments, judged))
        if arguments.html == "-":
            return 0
    if arguments.json:
        write_text("-", json.dumps(_plain(judged), indent=2, ensure_ascii=False) + "\n")
    else:
        write_text("-", _tables(judged))
    return 0


def _check(arguments: argparse.Namespace) -> None:
    n_models = len(arguments.model)
    if arguments.source is not None:
        if len(arguments.reference) > 1 or arguments.input or arguments.hypothesis:
            raise UsageError("--source: goes with one REFERENCE, without --input or --hypothesis")
    else:
        refuse(arguments, ALIGNMENT_OPTIONS, " needs --source")
    check_alignment(arguments)
    if arguments.hypothesis is not None and arguments.sentence_start is not None:
        raise UsageError("--sentence-start: --hypothesis is judged as it is")
    if arguments.hypothesis is not None:
        for name in ("decode_with", "threads", "after_colon", "offices"):
            if getattr(arguments, name) is not None:
                option = f"--{name.replace('_', '-')}"
                raise UsageError(f"{option}: no model is run with --hypothesis")
    if arguments.json and arguments.html == "-":
        raise UsageError("--json and --html -: only one of them can be standard output")
    if arguments.hypothesis is not None and n_models > 1:
        raise UsageError("--hypothesis: expected one model at most, for the training counts")
    if n_models > 1 and "-" in [*arguments.reference, arguments.input]:
        raise UsageError("standard input can be read only once: save it to a file first")
    if arguments.learning_curve is not None and arguments.html is None:
        raise UsageError("--learning-curve: is part of the report; add --html FILE")
    if arguments.html is not None:
        check_output(arguments.html, [*arguments.reference, arguments.input, arguments.hypothesis])


def _judge(arguments: argparse.Namespace) -> list[Judged]:
    """Evaluate each model, or the text given instead."""
    from truecase.cli import model as models
    from truecase.evaluation.evaluation_page import Judged
    from truecase.evaluation.metrics import ErrorContexts

    names: list[str | None] = arguments.model or [None]
    shown = _short_names(names)
    judged = []
    for path, name in zip(names, shown, strict=True):
        model: CasingModel | None = None
        if arguments.hypothesis is None or path is not None:
            model = models.load_model(
                path,
                arguments.decode_with,
                names=arguments.names,
                after_colon=arguments.after_colon,
                offices=arguments.offices,
            )
        contexts = ErrorContexts() if arguments.html is not None else None
        evaluation = _evaluate(arguments, model, contexts)
        if arguments.hypothesis is not None:
            name = _short_names([arguments.hypothesis])[0]
        judged.append(Judged(name, evaluation, contexts, model.about() if model else {}))
    return judged


def _short_names(paths: list[str | None]) -> list[str]:
    """File names, or whole paths where names are the same."""
    names = [os.path.basename(path) if path else "embedded English" for path in paths]
    return [
        path if path and names.count(name) > 1 else name
        for path, name in zip(paths, names, strict=True)
    ]


def _plain(judged: list[Judged]) -> dict[str, Any]:
    """The figures of one model, or of each by name."""
    if len(judged) == 1:
        return judged[0].evaluation.to_dict()
    return {"models": [{"model": one.name, **one.evaluation.to_dict()} for one in judged]}


def _tables(judged: list[Judged]) -> str:
    from truecase.evaluation.text_tables import comparison_table, evaluation_table

    if len(judged) == 1:
        return evaluation_table(judged[0].evaluation)
    return comparison_table([(one.name, one.evaluation) for one in judged])


def _report(arguments: argparse.Namespace, judged: list[Judged]) -> str:
    from truecase.base.read import display_name
    from truecase.evaluation.evaluation_page import evaluation_page
    from truecase.evaluation.learning_curve import read_curve

    curve = None
    if arguments.learning_curve is not None:
        curve = read_curve(arguments.learning_curve)
    names = [os.path.basename(display_name(path)) for path in arguments.reference]
    return evaluation_page(judged, names, curve)


def _evaluate(
    arguments: argparse.Namespace, model: CasingModel | None, contexts: ErrorContexts | None
) -> Evaluation:
    from truecase.base.progress import Progress
    from truecase.errors import EvaluationError
    from truecase.evaluation.metrics import Evaluator

    paths: list[str] = arguments.reference
    encoding: str | None = arguments.encoding
    with Progress.for_files(paths, "evaluating", shows_progress(arguments)) as progress:
        if arguments.hypothesis is None and arguments.input is None:
            assert model is not None
            return evaluate_model(
                model,
                paths,
                arguments.threads,
                progress,
                contexts,
                source=arguments.source,
                alignment=alignment_file(arguments),
                sentence_start=arguments.sentence_start,
                encoding=arguments.encoding,
            )
        evaluator = Evaluator(
            model.training_count if model is not None else None,
            model.language if model is not None else "",
            contexts,
        )
        if arguments.input is not None:
            from truecase.cli import model as models

            assert model is not None
            start = models.sentence_start(model, arguments.sentence_start)
            other = arguments.input
            output = _cased_lines(model, other, arguments.threads, start, encoding)
        else:
            other = arguments.hypothesis
            output = _lines_of([other], encoding)
        try:
            evaluator.add(_lines_of(paths, encoding, progress), output)
        except EvaluationError as error:
            raise EvaluationError(f"{other}: {error}") from None
        try:
            return evaluator.result()
        except EvaluationError:
            raise _no_words(paths) from None


def evaluate_model(
    model: CasingModel,
    paths: list[str],
    threads: int = 1,
    progress: Progress | None = None,
    contexts: ErrorContexts | None = None,
    *,
    source: str | None = None,
    alignment: str | AlignmentFile | None = None,
    sentence_start: SentenceStart | None = None,
    encoding: str | None = None,
) -> Evaluation:
    """Lowercase the texts, case them again with the model, and compare.

    With a `source`, there is one text, and the model gets its source and alignment.
    `sentence_start` is that of `Truecaser.case_block`, for models that have the choice.
    """
    from truecase.alignment.lines import AlignedLines
    from truecase.alignment.parallel import Reading, read_aligned
    from truecase.base.read import iter_blocks
    from truecase.cli import model as models
    from truecase.errors import EvaluationError
    from truecase.evaluation.evaluate_model import evaluate_blocks

    blocks: Iterator[bytes | AlignedLines]
    if source is None:
        blocks = iter_blocks(paths, progress=progress, encoding=encoding)
    else:
        models.require_source_model(model)
        reading = Reading(progress=progress, encoding=encoding)
        blocks = read_aligned(source, paths[0], alignment, reading)
    start = models.sentence_start(model, sentence_start)
    try:
        return evaluate_blocks(
            model, blocks, threads, language=model.language, contexts=contexts, **start
        )
    except EvaluationError:
        raise _no_words(paths) from None


def check_has_words(path: str, encoding: str | None = None) -> None:
    """Refuse a text that nothing can be evaluated on, before long work.

    Raises
    ------
    EvaluationError
    """
    from truecase.base.read import iter_blocks
    from truecase.errors import EvaluationError

    if not any(block.split() for block in iter_blocks([path], encoding=encoding)):
        raise EvaluationError(f"{path}: there is no word to evaluate on")


def _no_words(paths: list[str]) -> EvaluationError:
    from truecase.base.read import display_name
    from truecase.errors import EvaluationError

    names = ", ".join(map(display_name, paths))
    return EvaluationError(f"{names}: there is no word to evaluate on")


def _lines_of(
    paths: list[str], encoding: str | None, progress: Progress | None = None
) -> Iterator[str]:
    from truecase.base.read import read_blocks
    from truecase.evaluation.evaluate_model import split_lines

    for block in read_blocks(paths, progress=progress, encoding=encoding):
        yield from split_lines(block.decode("utf-8", "surrogateescape"))


def _cased_lines(
    model: CasingModel, path: str, threads: int, start: dict[str, Any], encoding: str | None
) -> Iterator[str]:
    from truecase.base.read import iter_blocks
    from truecase.base.threads import ordered_map
    from truecase.evaluation.evaluate_model import split_lines

    case = functools.partial(model.case_block, input_case="ignore", **start)
    for block in ordered_map(case, iter_blocks([path], encoding=encoding), threads, eager=True):
        yield from split_lines(block.decode("utf-8", "surrogateescape"))
