"""``truecase evaluate``: compare a model's case with a reference."""

from __future__ import annotations

import argparse
import functools
import json
from collections.abc import Iterator
from typing import TYPE_CHECKING

from truecase.cli.options import add_model, add_threads
from truecase.cli.streams import write_text

if TYPE_CHECKING:
    from truecase.cli.model import CasingModel
    from truecase.corpus.progress import Progress
    from truecase.evaluate.metrics import Evaluation

DESCRIPTION = """\
Drop the case of a correctly cased text, restore it with a model, and compare. Or, with
--hypothesis, compare what some other system made of it.

Words are what stands between white space in the reference. Reported are the precision over
all words, precision, recall and F1 over words that are not all-lowercase, errors by the
kind of case (AL lowercase, IU first letter upper, AU all upper, MX mixed, AN no letter with
case) and by how often the model saw the word in training, and lines without any error.
"""

EPILOG = """\
examples:
  truecase evaluate test.txt
  truecase evaluate -m my.truecase --json test.txt > figures.json
  truecase evaluate --hypothesis output-of-another-system.txt test.txt
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
    add_model(parser)
    group = parser.add_mutually_exclusive_group()
    group.add_argument(
        "--input",
        metavar="FILE",
        help="what the model shall case, instead of the lowercased reference; same words",
    )
    group.add_argument(
        "--hypothesis",
        metavar="FILE",
        help="judge this text instead of running a model; with -m, the model only tells how "
        "often words were seen in training",
    )
    parser.add_argument("--json", action="store_true", help="print the figures as JSON")
    add_threads(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    evaluation = _evaluate(arguments)
    if arguments.json:
        write_text("-", json.dumps(evaluation.to_dict(), indent=2, ensure_ascii=False) + "\n")
    else:
        from truecase.evaluate.table import evaluation_table

        write_text("-", evaluation_table(evaluation))
    return 0


def _evaluate(arguments: argparse.Namespace) -> Evaluation:
    from truecase.cli import model as models
    from truecase.corpus.progress import Progress
    from truecase.evaluate.metrics import EvaluationError, Evaluator

    model: CasingModel | None = None
    if arguments.hypothesis is None or arguments.model is not None:
        model = models.load_model(arguments.model)
    paths: list[str] = arguments.reference
    with Progress.for_files(paths, "evaluating") as progress:
        if arguments.hypothesis is None and arguments.input is None:
            assert model is not None
            return evaluate_model(model, paths, arguments.threads, progress)
        evaluator = Evaluator(
            model.training_count if model is not None else None,
            models.language(model) if model is not None else "",
        )
        if arguments.input is not None:
            assert model is not None
            other, output = arguments.input, _cased_lines(model, arguments.input, arguments.threads)
        else:
            other, output = arguments.hypothesis, _lines_of([arguments.hypothesis])
        try:
            evaluator.add(_lines_of(paths, progress), output)
        except EvaluationError as error:
            raise EvaluationError(f"{other}: {error}") from None
        return evaluator.result()


def evaluate_model(
    model: CasingModel, paths: list[str], threads: int = 1, progress: Progress | None = None
) -> Evaluation:
    """Lowercase the texts, case them again with the model, and compare."""
    from truecase.cli.model import language
    from truecase.corpus.ordered_map import map_blocks
    from truecase.corpus.read import iter_blocks
    from truecase.evaluate.metrics import Evaluator
    from truecase.text._casing import lower

    code = language(model)

    def case_again(block: bytes) -> tuple[str, str]:
        reference = _decode(block)
        # Lowercased although the model drops case: nothing of the answer may leak into it.
        bare = lower(reference, code).encode("utf-8", "surrogateescape")
        return reference, _decode(model.case_block(bare, input_case="ignore"))

    evaluator = Evaluator(model.training_count, code)
    for reference, output in map_blocks(case_again, iter_blocks(paths, progress=progress), threads):
        evaluator.add(_split(reference), _split(output))
    return evaluator.result()


def _decode(block: bytes) -> str:
    return block.decode("utf-8", "surrogateescape")


def _split(text: str) -> list[str]:
    """Lines between line feeds; what follows the last one, if it is not empty."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines


def _lines_of(paths: list[str], progress: Progress | None = None) -> Iterator[str]:
    from truecase.corpus.read import read_blocks

    for block in read_blocks(paths, progress=progress):
        yield from _split(_decode(block))


def _cased_lines(model: CasingModel, path: str, threads: int) -> Iterator[str]:
    from truecase.corpus.ordered_map import map_blocks
    from truecase.corpus.read import iter_blocks

    case = functools.partial(model.case_block, input_case="ignore")
    for block in map_blocks(case, iter_blocks([path]), threads):
        yield from _split(_decode(block))
