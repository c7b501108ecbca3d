"""A truecaser with its options that other processes load again, by the path of its model."""

from __future__ import annotations

import os
from collections.abc import Iterable

from truecase.choices import InputCase, SentenceStart, Style
from truecase.data import model_file
from truecase.truecaser import Truecaser

PathLike = str | os.PathLike[str]


class ModelByName:
    """Cases text with one model and one set of options.

    It pickles as the path of the model, the options, and size and time of the model's file. So it
    reaches other processes, and who hashes the pickle, such as `datasets`, sees when the model is
    another one.

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
        # Another process may run in another folder.
        self._file = os.path.abspath(model_file(model))
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

    def __reduce__(self) -> tuple[object, ...]:
        status = os.stat(self._file)
        return _load, (self._file, self._options, (status.st_size, status.st_mtime_ns))


def _load(
    model: str,
    options: tuple[InputCase, Style, SentenceStart],
    size_and_time: tuple[int, int],
) -> ModelByName:
    input_case, style, sentence_start = options
    return ModelByName(model, input_case=input_case, style=style, sentence_start=sentence_start)
