"""Words that come in pieces, such as live captions of recognised speech, with marks and case."""

from __future__ import annotations

from collections.abc import Callable

from truecase.marks._stream import MarkStream
from truecase.truecaser.arguments import decode, encode

# Words of a sentence that are kept for the context of those that come.
_CONTEXT = 64
# Bytes of a word that is not whole: a longer one is shown as it came, since to case it anew with
# each piece would take time that grows with the square of its length.
_LONGEST = 2048


class MarkedSession:
    """Puts marks between words as they come, in pieces of any size, and cases them.

    A word is final, and so is the mark behind it, when so many others have come after it, or when
    the text ends. Until then it is *pending*. A blank line ends a text; other line ends are white
    space.

    Parameters
    ----------
    stream : MarkStream
        Which waits for as many words as the session is to.
    case : callable
        Cases lines of UTF-8, and changes nothing but case.

    Attributes
    ----------
    pending : str
        What is not final yet, cased as it looks now, without the marks that it may get.
    """

    def __init__(self, stream: MarkStream, case: Callable[[bytes], bytes]) -> None:
        self._stream = stream
        self._case = case
        self._context: list[bytes] = []  # final words of the sentence that goes on, as they came
        self.pending = ""

    def push(self, text: str) -> str:
        """Take the next piece.

        Parameters
        ----------
        text : str
            May begin and end within a word.

        Returns
        -------
        str
            What has become final by it, cased and with its marks; empty if nothing has.
        """
        self._stream.feed(encode(text))
        return self._final()

    def close(self) -> str:
        """The rest of the text; the session begins anew."""
        self._stream.finish()
        return self._final()

    def _final(self) -> str:
        decided = self._stream.take_words()
        begin = b"".join(word + b" " for word in self._context)
        undecided = self._stream.undecided.split()
        unfinished = [undecided.pop()] if undecided and len(undecided[-1]) > _LONGEST else []
        cased = self._case(begin + decided + b" ".join(undecided))
        words, n_before = cased.split(), len(self._context)
        n_decided = n_before + len(decided.split())
        self.pending = decode(b" ".join(words[n_decided:] + unfinished))
        sentence = decided.rpartition(b"\n")[2].split()
        kept = sentence if b"\n" in decided else self._context + sentence
        self._context = kept[-_CONTEXT:]
        return decode(self._stream.lay_out(b" ".join(words[n_before:n_decided])))
