"""The model that a command was asked to use."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from truecase.smartcase.moses import MosesTruecaser
    from truecase.truecaser import Truecaser


class CasingModel(Protocol):
    """What commands need of a model."""

    @property
    def metadata(self) -> dict[str, Any]:
        """What is known about it."""

    def case_block(self, block: bytes, threads: int = 1, input_case: str = "ignore") -> bytes:
        """Case newline-separated lines."""

    def training_count(self, word: str) -> int:
        """How often a word was seen in training, whatever its case."""


def load_model(path: str | None, preset: str | None = None) -> Truecaser | MosesTruecaser:
    """Load a model of truecase or of Moses' truecaser, or the embedded one.

    `preset` is that of `Truecaser.load`; Moses' truecaser is a unigram model and nothing else.

    Raises
    ------
    OSError, ValueError
        The file cannot be read, or is no model; the message names it.
    """
    from truecase.data import is_embedded
    from truecase.truecaser import Truecaser

    if path is not None and not is_embedded(path):
        from truecase.smartcase.moses import MosesTruecaser, read_moses_model

        moses_model = read_moses_model(path)
        if moses_model is not None:
            return MosesTruecaser(moses_model)
    return Truecaser.load(path, preset=preset)


def language(model: CasingModel) -> str:
    """Language of a model's case mappings; empty for the usual ones."""
    return "tr" if model.metadata.get("decoder", {}).get("casing") == "turkic" else ""
