"""Many texts, each a str. A method of `Truecaser`."""

from collections.abc import Iterable
from itertools import chain
from typing import TYPE_CHECKING

from truecase.options import InputCase, SentenceStart, Style
from truecase.runtime.shares import ONE_THREAD_BYTES, bytes_for_a_thread
from truecase.runtime.threads import ordered_map
from truecase.truecaser._texts import (
    lines_of_texts,
    n_characters,
    parts_of_texts,
    texts_of_lines,
)
from truecase.truecaser.arguments import checked_texts, checked_threads, listed, source_lines

if TYPE_CHECKING:
    from truecase.truecaser import Truecaser

# Texts are cased so many characters at a time: what is made of them is still in the cache when it
# is read again.
_PART = 1 << 16


def batch(
    self: "Truecaser",
    lines: Iterable[str],
    threads: int = 1,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    *,
    source: Iterable[str] | None = None,
    alignment: Iterable[str] | None = None,
    sentence_start: SentenceStart = "always",
) -> list[str]:
    """Case many texts.

    Parameters
    ----------
    lines : iterable of str
        One sentence or segment each.
    threads : int
        Threads that work side by side; the result does not depend on it.
    input_case : {"ignore", "keep", "auto"}
    style : str, optional
        As for the class; the truecaser's own if not given.
    source, alignment : iterable of str, optional
        Of each text, as for one text.
    sentence_start : {"always", "learned"}

    Returns
    -------
    list of str
        As many, in order.

    Raises
    ------
    AlignmentError
        An alignment is broken, or not of these words.
    ValueError
        There are not as many lines of `source` or `alignment`, or no source.
    WrongTypeError
        One of them is a str by itself, or has something in it that is none.
    """
    if source is not None or alignment is not None:
        return _with_source(
            self, lines, threads, input_case, style, source, alignment, sentence_start
        )
    texts = listed(lines, "lines")
    size = n_characters(texts, "lines")
    threads = checked_threads(threads)
    checked = self.style if style is None else self._checked_style(style)
    if size <= ONE_THREAD_BYTES:
        threads = 1

    def cased(part: tuple[int, int]) -> list[str]:
        block = self._case_part(
            lines_of_texts(texts, *part), input_case, checked, sentence_start=sentence_start
        )
        return texts_of_lines(texts, *part, block)

    parts = parts_of_texts(texts, min(_PART, bytes_for_a_thread(size, threads)))
    return list(chain.from_iterable(ordered_map(cased, parts, threads)))


def _with_source(
    self: "Truecaser",
    lines: Iterable[str],
    threads: int,
    input_case: InputCase,
    style: Style | None,
    source: Iterable[str] | None,
    alignment: Iterable[str] | None,
    sentence_start: SentenceStart,
) -> list[str]:
    texts = checked_texts(lines, "lines")
    sources = None if source is None else checked_texts(source, "source")
    alignments = None if alignment is None else checked_texts(alignment, "alignment")
    for other, name in ((sources, "source"), (alignments, "alignment")):
        if other is not None and len(other) != len(texts):
            raise ValueError(f"there are {len(texts)} texts, but {len(other)} of {name}")
    if not texts:
        return []
    block = lines_of_texts(texts, 0, len(texts))
    of_source = source_lines(
        block,
        None if sources is None else lines_of_texts(sources, 0, len(sources)),
        None if alignments is None else lines_of_texts(alignments, 0, len(alignments)),
    )
    cased = self.case_block(
        block, threads, input_case, style, **of_source, sentence_start=sentence_start
    )
    return texts_of_lines(texts, 0, len(texts), cased)
