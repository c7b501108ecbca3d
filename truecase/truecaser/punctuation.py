"""Marks and case for words that have neither, such as recognised speech. Methods of `Truecaser`."""

from __future__ import annotations

import re
from array import array
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Literal, get_args

from truecase.errors import ModelError
from truecase.marks.added import added
from truecase.options import InputCase
from truecase.text.white_space import words_of
from truecase.truecaser.arguments import checked_bytes, checked_text, checked_texts, decode, encode

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt
    from typing_extensions import Buffer

    from truecase.marks._marks import Marks
    from truecase.marks._stream import MarkStream
    from truecase.model.model import Model
    from truecase.truecaser import Truecaser

_BLANK_LINES = re.compile(r"\n\s*\n")

#: What becomes of the line breaks of a text.
LineBreaks = Literal["keep", "sentences"]


class Punctuation:
    """Puts marks between the words of a stream, and cases its sentences, as the words come.

    Memory is that of some hundred words, however long the stream is, and what is given back does
    not depend on the pieces that it comes in.

    Parameters
    ----------
    truecaser : Truecaser
        Its model has marks.
    lines : {"keep", "sentences"}
        ``keep``: white space stays as it is; line breaks say nothing but where, by a blank line, a
        text ends. ``sentences``: a sentence per line.
    marks : iterable of str, optional
        Those of the model's marks that may be put; by default all.
    input_case : {"ignore", "keep", "auto"}
        As for a call of the truecaser.
    latency : int, optional
        Words that are waited for before the mark behind a word is decided. By default words are
        decided by the hundred, and 16 are waited for. What is given back ends where a sentence
        does.

    Raises
    ------
    ModelError
        The model has no marks, or not these.
    ValueError
        `lines` or `input_case` is unknown, or the latency negative.
    """

    def __init__(
        self,
        truecaser: Truecaser,
        lines: LineBreaks = "keep",
        marks: Iterable[str] | None = None,
        input_case: InputCase = "ignore",
        latency: int | None = None,
    ) -> None:
        if lines not in get_args(LineBreaks):
            raise ValueError(f"lines {lines!r}: expected keep or sentences")
        if input_case not in get_args(InputCase):
            raise ValueError(
                f"input_case {input_case!r}: expected {', '.join(get_args(InputCase))}"
            )
        self._truecaser = truecaser
        self._lines = lines
        self._input_case: InputCase = input_case
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
        cased = self._truecaser.case_block(sentences, input_case=self._input_case, style="sentence")
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
    from truecase.marks._stream import MarkStream

    return MarkStream(marks_of(truecaser.model), marks, latency, probabilities)


def marks_of(model: Model) -> Marks:
    """What puts a model's marks.

    Raises
    ------
    ModelError
        It has none.
    """
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
    input_case: InputCase = "ignore",
) -> str:
    """Put marks between the words of a text, and case its sentences.

    For words that have neither, as speech recognition gives them, in any line breaks or none.
    Marks that are there stay, and what is missing is added; words and their order stay as they are.

    Parameters
    ----------
    text : str
    lines : {"keep", "sentences"}
        ``keep``: white space stays as it is; line breaks say nothing but where, by a blank line, a
        text ends. ``sentences``: a sentence per line.
    marks : iterable of str, optional
        Those of the model's marks that may be put; by default all.
    input_case : {"ignore", "keep", "auto"}
        As for a call of the truecaser.

    Raises
    ------
    ModelError
        The model has no marks, or not these.
    ValueError
        `lines` or `input_case` is unknown.
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
    input_case: InputCase = "ignore",
) -> bytes:
    """The same for UTF-8 bytes; bytes that are none pass unchanged. See `punctuate`."""
    stream = Punctuation(self, lines, marks, input_case)
    return stream.push(checked_bytes(block, "block")) + stream.close()


def mark_probabilities(self: Truecaser, text: str) -> list[tuple[str, dict[str, float]]]:
    """How likely each mark is behind each word.

    Returns
    -------
    list of (str, dict of str to float)
        The words, as they stand between white space, and the probability of each of the model's
        marks, and of none, which is ``""``. 1 for a mark that the word carries. Of a model with
        marks in front of words, the probability of each pair of what stands behind the word and in
        front of the next, such as ``".¿"``.

    Raises
    ------
    ModelError
        The model has no marks.
    WrongTypeError
        `text` is no str.
    """
    stream = mark_stream(self, probabilities=True)
    texts = [words_of(one) for one in _BLANK_LINES.split(checked_text(text, "text"))]
    _hear(stream, texts)
    probabilities: npt.NDArray[np.float32] = stream.take_probabilities()
    labels = ["".join(pair) for pair in marks_of(self.model).pairs]
    return [
        (word, dict(zip(labels, row, strict=True)))
        for word, row in zip(chain(*texts), probabilities.tolist(), strict=True)
    ]


def _hear(
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
        # What is no number, or before the word ends, tells nothing.
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
    """The marks that are missing at each word, as `punctuate` would put them.

    Parameters
    ----------
    texts : iterable of str
        One after the other; the end of each ends a sentence.
    marks : iterable of str, optional
        Those of the model's marks that may be put; by default all.
    pauses : sequence of sequence of float or None, optional
        For each text and each of its words, the seconds of silence behind it, if they are known: a
        pause makes marks likelier, and none less likely.

    Returns
    -------
    list of list of (str, str)
        For each text and each of its words, as they stand between white space, what is missing in
        front of it and behind it; empty strings where nothing is.

    Raises
    ------
    ModelError
        The model has no marks, or not these.
    WrongTypeError
        `texts` is a str by itself, or has something in it that is none.
    ValueError
        There are not as many pauses as words.
    """
    stream = mark_stream(self, marks)
    words = [words_of(text) for text in checked_texts(texts, "texts")]
    _hear(stream, words, pauses)
    came = iter(words_of(decode(stream.take_words())))
    return [[added(word, next(came)) for word in text] for text in words]
