"""Punctuation and case for words that have neither, such as recognised speech.

Methods of `Truecaser`.
"""

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
from truecase.truecaser.arguments import checked_bytes, checked_text, checked_texts, decode, encode

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    from truecase.kernels._punctuation_network import Marks
    from truecase.kernels._punctuation_stream import MarkStream
    from truecase.model.model import Model
    from truecase.truecaser import Truecaser


_BLANK_LINES = re.compile(r"\n\s*\n")

#: What becomes of the line breaks of a text.
LineBreaks = Literal["keep", "sentences"]


class Punctuation:
    """Punctuates a stream of words and cases its sentences, as the words come.

    It holds some hundred words, however long the stream is. The output does not depend on the
    pieces that the stream comes in.

    Parameters
    ----------
    truecaser : Truecaser
        With a model that punctuates.
    lines : {"keep", "sentences"}
        ``keep``: white space stays as it is, and a blank line ends a text. ``sentences``: write a
        sentence per line.
    marks : iterable of str, optional
        The marks of the model that may be put; by default all.
    input_case : str, optional
        In place of that of the truecaser.
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
        self._stream = mark_stream(truecaser, marks, latency)

    def push(self, text: Buffer) -> bytes:
        """Take the next piece of the text, UTF-8; returns the sentences that are whole by it."""
        self._stream.feed(text)
        return self._cased()

    def close(self) -> bytes:
        """The rest of the text. What comes next begins another one."""
        self._stream.finish()
        return self._cased()

    def _cased(self) -> bytes:
        sentences = self._stream.take_sentences()
        cased = self._truecaser.case_block(sentences)
        laid_out = self._stream.lay_out(cased)
        return cased if self._lines == "sentences" else laid_out


def mark_stream(
    truecaser: Truecaser,
    marks: Iterable[str] | None = None,
    latency: int | None = None,
    probabilities: bool = False,
) -> MarkStream:
    """A stream of the model's marks; errors as of `Punctuation`."""
    # Words that have their marks need none of what it imports.
    from truecase.kernels._punctuation_stream import MarkStream

    return MarkStream(marks_of(truecaser.model), marks, latency, probabilities)


def marks_of(model: Model) -> Marks:
    """The component of a model that punctuates; ModelError if it has none."""
    if model.marks is None:
        raise ModelError(
            "the model cannot punctuate, as it has no marks: the embedded model `en` has them, and "
            "`truecase train marks` gives them to a model"
        )
    return model.marks


def punctuate(
    self: Truecaser,
    text: str,
    *,
    lines: LineBreaks = "keep",
    marks: Iterable[str] | None = None,
    input_case: InputCase | None = None,
) -> str:
    """Punctuate a text, and case its sentences.

    For words without marks and case, as speech recognition gives them, with any line breaks or
    none. Marks that are there stay, and so do words and their order.

    Parameters
    ----------
    text : str
    lines, marks, input_case
        As for `truecase.truecaser.punctuation.Punctuation`, with its errors.

    Raises
    ------
    WrongTypeError
        `text` is no str.
    """
    stream = Punctuation(self, lines, marks, input_case)
    return decode(stream.push(encode(checked_text(text, "text"))) + stream.close())


def punctuate_block(
    self: Truecaser,
    block: Buffer,
    *,
    lines: LineBreaks = "keep",
    marks: Iterable[str] | None = None,
    input_case: InputCase | None = None,
) -> bytes:
    """The same for UTF-8 bytes; invalid bytes pass unchanged. See `punctuate`."""
    stream = Punctuation(self, lines, marks, input_case)
    return stream.push(checked_bytes(block, "block")) + stream.close()


def mark_probabilities(self: Truecaser, text: str) -> list[tuple[str, dict[str, float]]]:
    """How likely each mark is behind each word.

    Returns
    -------
    list of (str, dict of str to float)
        The words between white space, each with the probability of each mark, and of none
        (``""``); 1 for a mark that the word carries. If the model has marks in front of words,
        the probability of each pair of a mark behind the word and one in front of the next, such
        as ``".¿"``.

    Raises
    ------
    ModelError
        The model cannot punctuate.
    WrongTypeError
        `text` is no str.
    """
    stream = mark_stream(self, probabilities=True)
    texts = [words_of(one) for one in _BLANK_LINES.split(checked_text(text, "text"))]
    _read_texts(stream, texts)
    probabilities: npt.NDArray[np.float32] = stream.take_probabilities()
    labels = ["".join(pair) for pair in marks_of(self.model).pairs]
    return [
        (word, dict(zip(labels, row, strict=True)))
        for word, row in zip(chain(*texts), probabilities.tolist(), strict=True)
    ]


def _read_texts(
    stream: MarkStream,
    texts: Sequence[list[str]],
    pauses: Sequence[Sequence[float | None]] | None = None,
) -> None:
    """Give a stream the words of some texts, each of which ends, and end it."""
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
    self: Truecaser,
    texts: Iterable[str],
    marks: Iterable[str] | None = None,
    pauses: Sequence[Sequence[float | None]] | None = None,
) -> list[list[tuple[str, str]]]:
    """The marks that `punctuate` would add to each word.

    Parameters
    ----------
    texts : iterable of str
        Each ends a sentence.
    marks : iterable of str, optional
        The marks of the model that may be put; by default all.
    pauses : sequence of sequence of float or None, optional
        The seconds of silence behind each word of each text, if they are known: a pause makes marks
        likelier.

    Returns
    -------
    list of list of (str, str)
        For each word of each text, the marks to add in front of it and behind it, or empty strings.

    Raises
    ------
    ModelError
        The model cannot punctuate, or not with these marks.
    WrongTypeError
        `texts` is one str, or not all of its items are str.
    ValueError
        The numbers of pauses and words differ.
    """
    stream = mark_stream(self, marks)
    words = [words_of(text) for text in checked_texts(texts, "texts")]
    _read_texts(stream, words, pauses)
    came = iter(words_of(decode(stream.take_words())))
    return [[added(word, next(came)) for word in text] for text in words]
