"""Two models compared on text that nothing was learned from."""

from dataclasses import dataclass

from truecase._core import CompiledModel
from truecase.evaluation.evaluate_model import evaluate_blocks
from truecase.model.model import Model
from truecase.text.lines import line_slices

# Text is judged in parts, which threads share.
_PART_BYTES = 1 << 16


@dataclass(frozen=True)
class Comparison:
    """Errors of a model before it was changed and after it.

    Attributes
    ----------
    words, before, after : int
        Words of the text, and how many of them come out wrong.
    """

    words: int
    before: int
    after: int


def compare(before: Model, after: Model, text: bytes, threads: int = 1) -> Comparison:
    """Judge two models of a language by a cased text."""
    parts = [text[part] for part in line_slices(text, _PART_BYTES)]
    language = after.text.casing_language
    judged = [
        evaluate_blocks(CompiledModel(one), parts, threads, language=language)
        for one in (before, after)
    ]
    wrong_before, wrong_after = (one.n_words - one.n_correct for one in judged)
    return Comparison(judged[1].n_words, wrong_before, wrong_after)
