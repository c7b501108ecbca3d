"""Progress of training, figures of learners, and comparisons of models."""

from collections.abc import Callable
from dataclasses import dataclass

from truecase._core import CompiledModel
from truecase.base.progress import Progress, log
from truecase.evaluation.metrics import Evaluation, evaluate_blocks
from truecase.model.model import Model
from truecase.training.material import Lines, parts_of

#: Called with the name of a step and the share of it that is done; None if that is unknown.
Report = Callable[[str, float | None], None]


def reporter(progress: Progress | None) -> Report:
    """Show steps, and the share of each that is done, on a progress bar; log the steps."""
    last = ""

    def report(step: str, share: float | None) -> None:
        nonlocal last
        if step != last:
            log("info", __name__, step)
            last = step
        if progress is not None:
            progress.phase(step if share is None else f"{step} {share:.0%}")

    return report


#: Text is judged in parts of so many bytes, which threads share.
PART_BYTES = 1 << 16


@dataclass(frozen=True)
class Comparison:
    """Errors of a model before a change and after it.

    Attributes
    ----------
    words : int
        Words of the text.
    before, after : int
        Words that come out wrong.
    """

    words: int
    before: int
    after: int


def judge(model: Model, lines: Lines, threads: int = 1) -> Evaluation:
    """Compare the case that a model gives to cased lines with their own."""
    parts = parts_of(lines, PART_BYTES)
    language = model.text.casing_language
    return evaluate_blocks(CompiledModel(model), parts, threads, language=language)


def compare(before: Model, after: Model, text: bytes, threads: int = 1) -> Comparison:
    """Judge two models of one language by a cased text."""
    judged = [judge(one, text, threads) for one in (before, after)]
    wrong_before, wrong_after = (one.n_words - one.n_correct for one in judged)
    return Comparison(judged[1].n_words, wrong_before, wrong_after)
