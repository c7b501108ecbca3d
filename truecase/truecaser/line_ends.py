"""Distinguish line ends inside a paragraph from those that end one.

A paragraph ends at a blank line, and before a bullet, a number or a speaker; in a text that was
filled to a width, also after a line that had room for the next word. The model finds the sentences
within a paragraph.
"""

from __future__ import annotations

import re
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from truecase.base.spool import Bools, Int64s, UInt8s

# Beginnings of a new paragraph: bullets; 1) (1) a) iii) §; >>; headings and quotations of mail and
# Markdown; bracketed notes.
_BEGINNING = re.compile(
    rb"""^[ \t]*(?:
        (?:[*+>#=|~]|\xe2\x80[\xa2\xa3]|\xe2\x97[\xa6\x8f\x8b]
          |\xe2\x96[\xaa\xb8]|\xc2\xb7)+[ \t]
      | >{1,2}(?=\S) | \xe2\x99\xaa
      | \(?(?:[0-9]{1,3}|[a-z]|[ivx]{1,5})\)[ \t]
      | \xc2\xa7
      | \[[^][\n]{1,40}\]:?(?:[ \t]|$)
    )""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
# Beginnings that a line inside a filled paragraph may have by chance: a dash (``– he said``); 1. a.
# 1.2 (``0.9 percent``); a speaker's name or number before a colon (``said: "…"``).
_MAYBE_BEGINNING = re.compile(
    rb"""^[ \t]*(?:
        (?:-|\xe2\x80[\x93\x94])+[ \t]
      | (?:[0-9]{1,3}|[a-z]|[ivx]{1,5})\.[ \t]
      | [0-9]{1,3}(?:\.[0-9]{1,3})+\.?[ \t]
      | (?:(?:mr|mrs|ms|dr|prof|speaker|the)\.?[ ])?[a-z0-9'-]+:(?:[ \t]|$)
    )""",
    re.VERBOSE | re.MULTILINE | re.IGNORECASE,
)
_ENDS_SENTENCE = np.frombuffer(b".!?", np.uint8)
_END_MARKS = np.frombuffer(b".!?:;\"')]", np.uint8)
# Filled text has lines of so many columns, and at least so many lines.
_NARROWEST = 25
_FEWEST = 3
# In a filled text, at most the first share of lines had room for the next word and end without a
# mark; in a text that has marks, at most one line more than the second share.
_MOST_SHORT = 0.34
_MOST_SHORT_WITH_MARKS = 0.16
# A text has marks if it has more words that end with . ! ? than this share of its lines.
_MARKED = 0.1


def line_ends_inside(text: bytes) -> Bools:
    """Whether each line feed of a text stands inside a paragraph.

    Parameters
    ----------
    text : bytes
        Lines of UTF-8, with blank lines between documents.

    Returns
    -------
    ndarray of bool, shape (n_line_feeds,)
    """
    data = np.frombuffer(text, np.uint8)
    feeds = np.flatnonzero(data == 0x0A)
    if len(feeds) == 0:
        return np.zeros(0, np.bool_)
    starts = np.concatenate([[0], feeds + 1])
    ends = np.concatenate([feeds, [len(data)]])
    is_space = (data == 0x20) | ((data >= 0x09) & (data <= 0x0D))
    first, after_word, last = _words(is_space, starts, ends)
    is_blank = first == ends
    # Between two lines that are not blank, unless the second one begins a paragraph by itself.
    inside: Bools = ~is_blank[:-1] & ~is_blank[1:]
    inside[_before(_BEGINNING, text, starts)] = False
    may_go_on = inside.copy()
    inside[_before(_MAYBE_BEGINNING, text, starts)] = False
    is_marked = _is_marked(data, last)[:-1]
    # In filled text, an uncertain beginning counts only behind a mark.
    may_go_on &= inside | ~is_marked
    marks = _end_marks(data, is_space)
    columns = _columns(data)
    length = columns[last] - columns[starts]
    next_word = columns[after_word] - columns[first]
    for begin, end in _runs(is_blank):
        if end - begin < _FEWEST:
            continue
        lengths = length[begin:end]
        width = int(lengths.max())
        had_room = lengths[:-1] + 1 + next_word[begin + 1 : end] <= width
        could_be = inside[begin : end - 1]
        n_short = int((had_room & ~is_marked[begin : end - 1])[could_be].sum())
        n_marks = int(marks[ends[end - 1]] - marks[starts[begin]])
        if width >= _NARROWEST and n_short <= _most_short(int(could_be.sum()), n_marks):
            inside[begin : end - 1] = may_go_on[begin : end - 1] & ~had_room
    return inside


def _most_short(n_lines: int, n_marks: int) -> float:
    """Limit of lines of a filled text that have room for the next word and end without a mark."""
    most = _MOST_SHORT * n_lines
    return most if n_marks <= _MARKED * n_lines else min(most, 1 + _MOST_SHORT_WITH_MARKS * n_lines)


def _before(pattern: re.Pattern[bytes], text: bytes, starts: Int64s) -> Int64s:
    """Line ends before the lines that a pattern finds."""
    found = np.array([match.start() for match in pattern.finditer(text)], np.int64)
    lines = np.searchsorted(starts, found)
    return lines[lines > 0] - 1


def _is_marked(data: UInt8s, last: Int64s) -> Bools:
    """Whether each line ends with a mark: an ASCII one, or … or a quotation mark."""
    padded = np.concatenate([np.zeros(3, np.uint8), data])
    third, second, first = padded[last], padded[last + 1], padded[last + 2]
    general = (third == 0xE2) & (second == 0x80) & (first >= 0x98) & (first <= 0xA6)
    marked: Bools = np.isin(first, _END_MARKS) | general
    return marked


def _end_marks(data: UInt8s, is_space: Bools) -> Int64s:
    """Number of . ! ? at ends of words before each byte, and before the end."""
    n_marks = np.zeros(len(data) + 1, np.int64)
    np.cumsum(np.isin(data, _ENDS_SENTENCE) & np.append(is_space[1:], np.True_), out=n_marks[1:])
    return n_marks


def _words(is_space: Bools, starts: Int64s, ends: Int64s) -> tuple[Int64s, Int64s, Int64s]:
    """Begin and end of each line's first word, and end of its last; a blank line's own end."""
    n = len(is_space)
    places = np.arange(n)
    next_sign = np.append(np.minimum.accumulate(np.where(is_space, n, places)[::-1])[::-1], n)
    next_space = np.append(np.minimum.accumulate(np.where(is_space, places, n)[::-1])[::-1], n)
    sign_before = np.concatenate([[-1], np.maximum.accumulate(np.where(is_space, -1, places))])
    first = np.minimum(next_sign[starts], ends)
    after = np.minimum(next_space[first], ends)
    last = np.where(first == ends, ends, sign_before[ends] + 1)
    return first, after, last


def _columns(data: UInt8s) -> Int64s:
    """Number of code points before each byte, and before the end."""
    columns = np.zeros(len(data) + 1, np.int64)
    np.cumsum((data & 0xC0) != 0x80, out=columns[1:])
    return columns


def _runs(is_blank: Bools) -> list[tuple[int, int]]:
    """First line, and one after the last, of each document without its blank lines."""
    edges = [-1, *np.flatnonzero(is_blank).tolist(), len(is_blank)]
    return [(blank + 1, end) for blank, end in pairwise(edges) if blank + 1 < end]
