"""Punctuate and case words that have neither, such as recognised speech."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Literal, get_args

from truecase.errors import ModelError
from truecase.kernels.text import words_of
from truecase.options import InputCase
from truecase.rules.punctuation import added
from truecase.truecaser.arguments import checked_texts, decode, encode

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    from truecase.kernels._punctuation_network import Marks
    from truecase.kernels._punctuation_stream import MarkStream
    from truecase.model.model import Model
    from truecase.truecaser import Truecaser


_BLANK_LINES = re.compile(r"\n\s*\n")

#: Whether the line breaks of a text stay.
LineBreaks = Literal["keep", "sentences"]


class Punctuation:
    """Punctuates a stream of words and cases its sentences.

    It holds some hundred words, however long the stream is. The output does not depend on how the
    stream is cut into pieces.

    Parameters
    ----------
    truecaser : Truecaser
        Its model must punctuate.
    lines : {"keep", "sentences"}
        ``keep``: white space stays as it is, and a blank line ends a text. ``sentences``: write a
        sentence per line.
    marks : iterable of str, optional
        The marks of the model that may be put; by default all.
    input_case : str, optional
        Used instead of the truecaser's own.
    latency : int, optional
        As for `MarkStream`. `push` and `close` return whole sentences.

    Raises
    ------
    ModelError
        The model cannot punctuate, or not with these marks.
    CasingError, ValueError
        `input_case` or `lines` is unknown, or the latency negative.
    """

    def __init__(
        self,
        truecaser: Truecaser,
        lines: LineBreaks = "keep",
        marks: Iterable[str] | None = None,
        input_case: InputCase | None = None,
        latency: int | None = None,
    ) -> None:
        if lines not in get_args(LineBreaks):
            raise ValueError(f"lines {lines!r}: expected keep or sentences")
        self._truecaser = truecaser.with_casing(input_case=input_case, style="sentence")
        self._lines = lines
        self._stream = mark_stream(truecaser.model, marks, latency)

    def push(self, text: Buffer) -> bytes:
        """Take the next piece of the text, UTF-8; return the sentences that it completes."""
        self._stream.feed(text)
        return self._cased()

    def close(self) -> bytes:
        """Return the rest of the text; the next piece begins another text."""
        self._stream.finish()
        return self._cased()

    def _cased(self) -> bytes:
        sentences = self._stream.take_sentences()
        cased = self._truecaser.case_block(sentences)
        laid_out = self._stream.lay_out(cased)
        return cased if self._lines == "sentences" else laid_out


def mark_stream(
    model: Model,
    marks: Iterable[str] | None = None,
    latency: int | None = None,
    probabilities: bool = False,
) -> MarkStream:
    """Make a stream of the model's marks; errors as of `Punctuation`."""
    # Imported here, as punctuated text does not need it.
    from truecase.kernels._punctuation_stream import MarkStream

    return MarkStream(marks_of(model), marks, latency, probabilities)


def marks_of(model: Model) -> Marks:
    """Return the component of a model that punctuates; ModelError if the model lacks it."""
    if model.marks is None:
        raise ModelError(
            "the model cannot punctuate, as it has no marks: the embedded model `en` has them, and "
            "`truecase train marks` gives them to a model"
        )
    return model.marks


def mark_probabilities(model: Model, text: str) -> list[tuple[str, dict[str, float]]]:
    """Do `Truecaser.mark_probabilities`."""
    stream = mark_stream(model, probabilities=True)
    texts = [words_of(one) for one in _BLANK_LINES.split(text)]
    _read_texts(stream, texts)
    probabilities: npt.NDArray[np.float32] = stream.take_probabilities()
    labels = ["".join(pair) for pair in marks_of(model).pairs]
    return [
        (word, dict(zip(labels, row, strict=True)))
        for word, row in zip(chain(*texts), probabilities.tolist(), strict=True)
    ]


def _read_texts(
    stream: MarkStream,
    texts: Sequence[list[str]],
    pauses: Sequence[Sequence[float | None]] | None = None,
) -> None:
    """Feed a stream the words of some texts, end each text, and end the stream."""
    seconds = None
    if pauses is not None:
        behind = [list(one) for one in pauses]
        if [len(one) for one in behind] != [len(words) for words in texts]:
            raise ValueError("pauses: expected one for each word of each text")
        # NaN and negative pauses count as unknown.
        known = [-1.0 if one is None or not one >= 0 else one for one in chain(*behind)]
        seconds = array("f", known)
    stream.feed(encode("\n\n".join(map(" ".join, filter(None, texts)))), seconds)
    stream.finish()


def missing_marks(
    model: Model,
    texts: Iterable[str],
    marks: Iterable[str] | None,
    pauses: Sequence[Sequence[float | None]] | None,
) -> list[list[tuple[str, str]]]:
    """Do `Truecaser.missing_marks`."""
    stream = mark_stream(model, marks)
    words = [words_of(text) for text in checked_texts(texts, "texts")]
    _read_texts(stream, words, pauses)
    came = iter(words_of(decode(stream.take_words())))
    return [[added(word, next(came)) for word in text] for text in words]
