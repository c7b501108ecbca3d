"""Evaluates a model on correctly cased text: lowercases it, cases it again, compares."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol

from truecase.alignment.lines import AlignedLines
from truecase.base.threads import ordered_map
from truecase.evaluation.metrics import Evaluation, Evaluator
from truecase.kernels._unicode import lower

if TYPE_CHECKING:
    from collections.abc import Callable

    from truecase.evaluation.metrics import ErrorContexts


class Caser(Protocol):
    """A model that can be evaluated, such as a `Truecaser`."""

    @property
    def case_block(self) -> Callable[..., bytes]:
        """Case newline-separated lines; takes `source` and `phrases` if the lines have a source."""

    def training_count(self, word: str) -> int:
        """How often a word, in any case, occurred in training."""


def evaluate_blocks(
    model: Caser,
    blocks: Iterable[bytes | AlignedLines],
    threads: int = 1,
    *,
    language: str = "",
    contexts: ErrorContexts | None = None,
    **options: Any,
) -> Evaluation:
    """Lowercase blocks of whole lines, case them again with a model, and compare.

    The model gets the source of lines that have one. `language` and `contexts` are those of
    `Evaluator`; `case_block` gets the `options`.
    """

    def case_again(block: bytes | AlignedLines) -> tuple[str, str]:
        aligned: dict[str, Any] = {}
        if isinstance(block, AlignedLines):
            aligned = {"source": block.source, "phrases": block.phrases}
            block = block.target
        reference = _decode(block)
        # Lowercased although the model drops case: the answer must not leak into it.
        bare = lower(reference, language).encode("utf-8", "surrogateescape")
        return reference, _decode(model.case_block(bare, **aligned, **options))

    evaluator = Evaluator(model.training_count, language, contexts)
    for reference, output in ordered_map(case_again, blocks, threads, eager=True):
        evaluator.add(split_lines(reference), split_lines(output))
    return evaluator.result()


def _decode(block: bytes) -> str:
    return block.decode("utf-8", "surrogateescape")


def split_lines(text: str) -> list[str]:
    """Split at line feeds; the text after the last one is a line unless it is empty."""
    lines = text.split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
