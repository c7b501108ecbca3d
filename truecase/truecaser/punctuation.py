"""Punctuate and case words that have neither, such as recognised speech; text that comes in pieces.

Sessions case text in pieces, such as live captions; final text never changes. `Session` keeps white
space. `PunctuatedSession` holds words in a `MarkStream`. Both have ``push``, ``pending`` and
``close``.
"""

from __future__ import annotations

import re
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import TYPE_CHECKING, Literal

from truecase.base.argument_types import check_arguments
from truecase.base.threads import ordered_map
from truecase.errors import DocumentError, ModelError
from truecase.kernels.text import words_of
from truecase.options import InputCase
from truecase.rules.language import rules_of
from truecase.rules.punctuation import added
from truecase.truecaser.arguments import checked_text, checked_texts, decode, encode

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from truecase.base.spool import Float32s
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
        As for `MarkStream`.

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
        check_arguments(Punctuation.__init__, {"lines": lines})
        self._truecaser = truecaser.with_casing(input_case=input_case, style="sentence")
        self._lines = lines
        self._stream = mark_stream(truecaser.model, marks, latency)

    def cased(self, pieces: Iterable[Buffer], threads: int = 1) -> Iterator[bytes]:
        """Take the pieces of a text, UTF-8; yield its sentences as they are decided.

        With more than one thread, one puts marks while `threads` others case sentences.
        """
        yield from ordered_map(self._case, self._marked(pieces), threads, eager=True)

    def _marked(self, pieces: Iterable[Buffer]) -> Iterator[tuple[bytes, bytes]]:
        """Yield sentences with their marks, and the white space around their words."""
        for piece in pieces:
            self._stream.feed(piece)
            yield self._stream.take_sentences(), self._stream.take_spaces()
        self._stream.finish()
        yield self._stream.take_sentences(), self._stream.take_spaces()

    def _case(self, marked: tuple[bytes, bytes]) -> bytes:
        # Imported here, as punctuated text does not need it.
        from truecase.kernels._punctuation_stream import lay_out

        sentences, spaces = marked
        cased = self._truecaser.case_block(sentences)
        return cased if self._lines == "sentences" else lay_out(cased, spaces)


def mark_stream(
    model: Model,
    marks: Iterable[str] | None = None,
    latency: int | None = None,
    probabilities: bool = False,
) -> MarkStream:
    """Make a stream of the model's marks; errors as of `Punctuation`."""
    check_arguments(mark_stream, {"marks": marks})
    # Imported here, as punctuated text does not need it.
    from truecase.kernels._punctuation_stream import MarkStream

    rules = rules_of(model.text.language).get("marks")
    return MarkStream(marks_of(model), marks, latency, probabilities, rules)


def marks_of(model: Model) -> Marks:
    """Return the component of a model that punctuates; ModelError if the model lacks it."""
    if model.marks is None:
        raise ModelError(
            "the model cannot punctuate, because it has no marks: use the embedded model `en`, or "
            "give a model marks by `truecase train marks`"
        )
    return model.marks


def mark_probabilities(model: Model, text: str) -> list[tuple[str, dict[str, float]]]:
    """Do `Truecaser.mark_probabilities`."""
    stream = mark_stream(model, probabilities=True)
    texts = [words_of(one) for one in _BLANK_LINES.split(text)]
    _read_texts(stream, texts)
    probabilities: Float32s = stream.take_probabilities()
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


# Words with the white space behind them; white space before the first word counts as a word.
_WORDS = re.compile(r"\s*\S+\s*|\s+")
_DOCUMENT_ENDS = re.compile(r"\n[^\S\n]*\n")
_LINE_ENDS = re.compile(r"[\r\n]")
# Final words, and their characters, that are kept as context of the next ones.
_CONTEXT = 64
_CONTEXT_LENGTH = 4096
# Characters without white space that may be pending, as each piece cases all pending text:
# Japanese text may have no white space for long.
_LONGEST = 1024
# Bytes of an unfinished word that are cased while punctuation waits for its end; a longer one is
# shown as it came, since the time to case it with each piece would grow with its length's square.
_LONGEST_WORD = 2048


class Session:
    """Cases text in pieces of any size, one thread at a time.

    A word is final when `latency` other words have come after it, or when the text ends. Until then
    it is *pending*: later words may still change its case. A blank line ends a document; other line
    ends are white space. Of more than 2,048 characters without white space, the last 1,024 wait.

    Parameters
    ----------
    case : callable
        Cases a line, and changes nothing but case.
    latency : int
        0: a word is final at once.

    Attributes
    ----------
    pending : str
        Text that is not final yet, cased as it looks now.

    Raises
    ------
    DocumentError
        The latency is negative.
    """

    def __init__(self, case: Callable[[str], str], latency: int = 2) -> None:
        self._case = case
        self._latency = latency
        self._context = ""  # final words, in their input case
        self._waiting = ""  # the text after them
        self.pending = ""

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: pending {self.pending!r}>"

    def push(self, text: str) -> str:
        """Take the next piece, which may begin and end within a word; return new final text.

        All strings that `push` and `close` return are, joined, the text in its new case.
        """
        final = []
        self._waiting += checked_text(text, "text")
        begin = 0
        # The line before a blank line may be final already.
        space = self._context[len(self._context.rstrip()) :]
        for match in _DOCUMENT_ENDS.finditer(space + self._waiting):
            end = match.end() - len(space)
            final.append(self._cased(self._waiting[begin:end]))
            self._context = ""
            begin = end
        self._waiting = self._waiting[begin:]
        final.append(self._cut_off())
        words = _WORDS.findall(self._waiting)
        # The last word may continue.
        n_whole = len(words) - (1 if words and not words[-1][-1].isspace() else 0)
        n_final = max(0, n_whole - self._latency)
        cased = self._cased(self._waiting)
        end = len("".join(words[:n_final]))
        end_cased = _after_spaces(cased, _n_spaces(self._waiting[:end]))
        final.append(cased[:end_cased])
        self.pending = cased[end_cased:]
        kept = _WORDS.findall(self._context + self._waiting[:end])[-_CONTEXT:]
        while sum(map(len, kept)) > _CONTEXT_LENGTH:
            del kept[0]
        self._context = "".join(kept)
        self._waiting = self._waiting[end:]
        return "".join(final)

    def close(self) -> str:
        """Return the rest of the text, cased; the session begins anew."""
        rest = self._cased(self._waiting)
        self._context = self._waiting = self.pending = ""
        return rest

    def _cut_off(self) -> str:
        """Make the beginning of a very long text without white space final; else return nothing."""
        if len(self._waiting) <= 2 * _LONGEST:
            return ""
        cut = len(self._waiting) - _LONGEST
        if re.search(r"\s", self._waiting[cut:]):
            return ""
        final = self._cased(self._waiting[:cut])
        self._context, self._waiting = "", self._waiting[cut:]
        return final

    def _cased(self, text: str) -> str:
        """Case a text that follows the context."""
        if not text:
            return ""
        cased = self._case(_LINE_ENDS.sub(" ", self._context + text))
        # The context is empty, or ends in white space.
        out = cased[_after_spaces(cased, _n_spaces(self._context)) :]
        if not _LINE_ENDS.search(text):
            return out
        ends = iter([sign for sign in text if sign.isspace()])
        return "".join(next(ends) if sign.isspace() else sign for sign in out)


class PunctuatedSession:
    """Punctuates and cases words in pieces of any size.

    As `Session`; the mark behind a word is final with the word, and `pending` has no new marks.

    Parameters
    ----------
    stream : MarkStream
        Has the latency.
    case : callable
        Cases lines of UTF-8, and changes nothing but case.
    """

    def __init__(self, stream: MarkStream, case: Callable[[bytes], bytes]) -> None:
        self._stream = stream
        self._case = case
        self._context: list[bytes] = []  # final words of the open sentence, in their input case
        self.pending = ""

    __repr__ = Session.__repr__

    def push(self, text: str) -> str:
        """Take the next piece; return new final text, with its marks."""
        self._stream.feed(encode(checked_text(text, "text")))
        return self._final()

    def close(self) -> str:
        """Return the rest of the text; the session begins anew."""
        self._stream.finish()
        return self._final()

    def _final(self) -> str:
        from truecase.kernels._punctuation_stream import lay_out

        decided = self._stream.take_words()
        begin = b"".join(word + b" " for word in self._context)
        undecided = self._stream.pending.split()
        unfinished = [undecided.pop()] if undecided and len(undecided[-1]) > _LONGEST_WORD else []
        cased = self._case(begin + decided + b" ".join(undecided))
        words, n_before = cased.split(), len(self._context)
        n_decided = n_before + len(decided.split())
        self.pending = decode(b" ".join(words[n_decided:] + unfinished))
        sentence = decided.rpartition(b"\n")[2].split()
        kept = sentence if b"\n" in decided else self._context + sentence
        self._context = kept[-_CONTEXT:]
        return decode(lay_out(b" ".join(words[n_before:n_decided]), self._stream.take_spaces()))


def new_session(
    truecaser: Truecaser, latency: int, *, punctuate: bool, marks: Iterable[str] | None
) -> Session | PunctuatedSession:
    """Do `Truecaser.session`."""
    if latency < 0:
        raise DocumentError(f"latency {latency}: expected 0 words or more")
    if punctuate:
        stream = mark_stream(truecaser.model, marks, latency)
        return PunctuatedSession(stream, truecaser.case_block)
    if marks is not None:
        raise ValueError("marks are put only with punctuate=True")
    # A call would look at the language of each piece.
    return Session(lambda text: decode(truecaser.case_block(encode(text))), latency)


def _n_spaces(text: str) -> int:
    return sum(map(str.isspace, text))


def _after_spaces(text: str, n: int) -> int:
    """Index behind the `n`th white space: case may change a word's length, but no white space."""
    if n == 0:
        return 0
    return next(islice(re.finditer(r"\s", text), n - 1, None)).end()
