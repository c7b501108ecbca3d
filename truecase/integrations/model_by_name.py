"""A truecaser with its options, which other processes have by the name of its model."""

from __future__ import annotations

import os
from collections.abc import Iterable

from truecase.options import InputCase, SentenceStart, Style
from truecase.truecaser import Truecaser

PathLike = str | os.PathLike[str]


class ModelByName:
    """Cases text with one model and one set of options.

    It pickles as its model and its options. So it reaches other processes, and who hashes the
    pickle, such as `datasets`, sees when the model is another one.

    Parameters
    ----------
    model : path-like, optional
        File of a model, or the name of an embedded one; the English one if not given.
    input_case, style, sentence_start
        As for `Truecaser`.

    Raises
    ------
    ModelError, OSError
        The model cannot be read.
    ValueError
        An option is none.
    """

    def __init__(
        self,
        model: PathLike | None = None,
        *,
        input_case: InputCase = "ignore",
        style: Style = "sentence",
        sentence_start: SentenceStart = "always",
    ) -> None:
        self._truecaser = Truecaser.load(model)
        self._options = (input_case, style, sentence_start)
        # An option that is none is told now, not at the first text.
        self("")

    def __repr__(self) -> str:
        return f"<ModelByName: {self._truecaser!r}>"

    def __call__(self, text: str) -> str:
        """Case one text."""
        input_case, style, sentence_start = self._options
        return self._truecaser(text, input_case, style, sentence_start=sentence_start)

    def batch(self, texts: Iterable[str], threads: int = 1) -> list[str]:
        """Case many texts; as many come back, in order."""
        input_case, style, start = self._options
        return self._truecaser.batch(texts, threads, input_case, style, sentence_start=start)
