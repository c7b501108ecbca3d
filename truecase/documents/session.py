"""Text that comes in pieces, such as live captions: what is final stays final."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable

from truecase.errors import DocumentError

# Words with the white space behind them; white space before the first is one, too.
_WORDS = re.compile(r"\s*\S+\s*|\s+")
_DOCUMENT_ENDS = re.compile(r"\n[^\S\n]*\r?\n")
_LINE_ENDS = re.compile(r"[\r\n]")
# Final words, and characters of them, that are kept for the context of those that come.
_CONTEXT = 64
_CONTEXT_LENGTH = 4096
# Characters without white space: Japanese text may have none for long, and all that is pending is
# cased with every piece.
_LONGEST = 1024


class Session:
    """Cases text as it comes, in pieces of any size.

    A word is final when so many others have come after it, or when the text ends. Until then
    it is *pending*: what comes may still change its case. A blank line ends a document; other line
    ends are white space. Of more than 2,048 characters without white space all but the last 1,024
    become final: memory, and the time that each piece takes, stay bounded.

    Parameters
    ----------
    case : callable
        Cases a line, and changes nothing but case.
    latency : int
        Whole words that are waited for after each. 0: a word is final at once, whatever follows
        it.

    Attributes
    ----------
    pending : str
        What is not final yet, cased as it looks now.

    Raises
    ------
    DocumentError
        The latency is negative.
    """

    def __init__(self, case: Callable[[str], str], latency: int = 2) -> None:
        if latency < 0:
            raise DocumentError(f"latency {latency}: expected 0 words or more")
        self._case = case
        self._latency = latency
        self._context = ""  # final words, as they came
        self._waiting = ""  # what came after them
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
            What has become final by it, cased; empty if nothing has. All that `push` and `close`
            give is, one after the other, the text, and only its case is changed.
        """
        final = []
        self._waiting += text
        begin = 0
        for match in _DOCUMENT_ENDS.finditer(self._waiting):
            final.append(self._cased(self._waiting[begin : match.end()]))
            self._context = ""
            begin = match.end()
        self._waiting = self._waiting[begin:]
        final.append(self._cut_off())
        words = _WORDS.findall(self._waiting)
        # The last word may go on.
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
        """The rest of the text, cased; the session begins anew."""
        rest = self._cased(self._waiting)
        self._context = self._waiting = self.pending = ""
        return rest

    def _cut_off(self) -> str:
        """What is final of text without white space because it is so long; nothing otherwise."""
        if len(self._waiting) <= 2 * _LONGEST:
            return ""
        cut = len(self._waiting) - _LONGEST
        if re.search(r"\s", self._waiting[cut:]):
            return ""
        final = self._cased(self._waiting[:cut])
        self._context, self._waiting = "", self._waiting[cut:]
        return final

    def _cased(self, text: str) -> str:
        """A text that follows the context, in its case."""
        if not text:
            return ""
        cased = self._case(_LINE_ENDS.sub(" ", self._context + text))
        # The context ends in white space, or there is none.
        out = cased[_after_spaces(cased, _n_spaces(self._context)) :]
        if not _LINE_ENDS.search(text):
            return out
        ends = iter([sign for sign in text if sign.isspace()])
        return "".join(next(ends) if sign.isspace() else sign for sign in out)


def _n_spaces(text: str) -> int:
    return sum(map(str.isspace, text))


def _after_spaces(text: str, n: int) -> int:
    """Where a text goes on after `n` characters of white space.

    Case may change how many characters a word has, but white space stays.
    """
    if n == 0:
        return 0
    return next(itertools.islice(re.finditer(r"\s", text), n - 1, None)).end()
