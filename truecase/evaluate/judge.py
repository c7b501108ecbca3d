"""A model judged by text whose case is right: lowercased, cased again, compared."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from truecase.alignment.lines import AlignedLines
from truecase.base.threads import ordered_map
from truecase.evaluate.metrics import Evaluation, Evaluator
from truecase.text._casing import lower

if TYPE_CHECKING:
    from collections.abc import Callable

    from truecase.evaluate.contexts import ErrorContexts


class Judged(Protocol):
    """What can be judged."""

    @property
    def case_block(self) -> Callable[..., bytes]:
        """Case newline-separated lines; takes `source` and `phrases` where they have a source."""

    def training_count(self, word: str) -> int:
        """How often a word was seen in training, whatever its case."""


def judge(
    model: Judged,
    blocks: Iterable[bytes | AlignedLines],
    threads: int = 1,
    *,
    language: str = "",
    contexts: ErrorContexts | None = None,
    **options: Any,
) -> Evaluation:
    """Lowercase a text, case it again with a model, and compare.

    Parameters
    ----------
    model : Judged
    blocks : iterable of bytes or AlignedLines
        Whole lines whose case is right; where they have a source, the model gets it, too.
    threads : int
        The result does not depend on it.
    language : str
        Of the case mapping.
    contexts : ErrorContexts, optional
        Collects what is wrong.
    **options
        For `case_block`.
    """

    def case_again(block: bytes | AlignedLines) -> tuple[str, str]:
        aligned: dict[str, Any] = {}
        if isinstance(block, AlignedLines):
            aligned = {"source": block.source, "phrases": block.phrases}
            block = block.target
        reference = _decode(block)
        # Lowercased although the model drops case: nothing of the answer may leak into it.
        bare = lower(reference, language).encode("utf-8", "surrogateescape")
        return reference, _decode(model.case_block(bare, input_case="ignore", **aligned, **options))

    evaluator = Evaluator(model.training_count, language, contexts)
    for reference, output in ordered_map(case_again, blocks, threads, eager=True):
        evaluator.add(split_lines(reference), split_lines(output))
    return evaluator.result()


def _decode(block: bytes) -> str:
    return block.decode("utf-8", "surrogateescape")


def split_lines(text: str) -> list[str]:
    """Lines between line feeds; what follows the last one, if it is not empty."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
