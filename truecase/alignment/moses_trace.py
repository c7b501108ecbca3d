"""The output of phrase-based decoders with its phrase segmentation, as Moses ``-t`` writes it.

``the house |0-1| is |2-2|``: each group of words is the translation of the source words in the
range after it, counted from 0, both ends included. With ``-tt`` a range also has the word alignment
within the phrases, and scores: ``|0-1,wa=0-0 1-1,total=-1.5,...|``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator, Iterable, Sequence

from truecase.alignment.lines import AlignedLines, BadLines, Phrases, SkippedLines
from truecase.alignment.naive_aligner import phrase_words
from truecase.alignment.parallel import Reading, read_side_by_side
from truecase.base.read import display_name
from truecase.base.spool import Int32s
from truecase.kernels._segment import count_words
from truecase.kernels.text import split_lines
from truecase.options import StrPath

_RANGE = re.compile(rb"(?<!\S)\|(\d+)-(\d+)(?:,([^|]*))?\|(?!\S)")
_LINK = re.compile(rb"(\d{1,9})-(\d{1,9})")

# A number of more digits cannot be that of a word.
_MAX_DIGITS = 9


class _BadLine(ValueError):
    """A problem of a line."""


def _number(digits: bytes) -> int:
    if len(digits) > _MAX_DIGITS:
        raise _BadLine(f"{digits[:_MAX_DIGITS].decode()}... is no number of a word")
    return int(digits)


def _parse_line(line: bytes, n_source: int) -> tuple[list[bytes], list[Iterable[int]]]:
    """The words of a line, and the source words of each."""
    words: list[bytes] = []
    links: list[Iterable[int]] = []
    position = 0
    for match in _RANGE.finditer(line):
        begin, end = _number(match[1]), _number(match[2]) + 1
        shown = f"the range |{begin}-{end - 1}|"
        if end <= begin:
            raise _BadLine(f"{shown} ends before it begins")
        if end > n_source:
            of_source = "word" if n_source == 1 else "words"
            raise _BadLine(f"{shown}, but the source line has only {n_source} {of_source}")
        words_before = line[position : match.start()].split()
        position = match.end()
        words += words_before
        # Without words, the source phrase has an empty translation.
        if words_before:
            links += _links_within(match[3], begin, end, len(words_before), shown)
    left = line[position:].split()
    if left:
        raise _BadLine(f"no range such as |0-1| after {left[-1][:40].decode('utf-8', 'replace')!r}")
    return words, links


def _links_within(
    details: bytes | None, begin: int, end: int, n_words: int, shown: str
) -> Sequence[Iterable[int]]:
    """Source words of each word of a target phrase."""
    word_alignment: list[bytes] = []
    if details is not None and details.startswith(b"wa="):
        # Scores follow; some decoders write commas between links, too.
        word_alignment = details[3:].split(b"total=")[0].replace(b",", b" ").split()
    if not word_alignment:
        return [phrase_words(begin, end, word, n_words) for word in range(n_words)]
    links: list[list[int]] = [[] for _ in range(n_words)]
    for link in word_alignment:
        match = _LINK.fullmatch(link)
        if match is None:
            raise _BadLine(f"{shown}: expected links such as 0-0 after wa=")
        source, target = int(match[1]), int(match[2])
        if source >= end - begin or target >= n_words:
            raise _BadLine(f"{shown}: the link {link.decode()} leads out of the phrases")
        links[target].append(begin + source)
    return links


def parse_trace(
    block: bytes, n_source: Sequence[int] | Int32s, bad: BadLines = BadLines("trace")
) -> tuple[bytes, Phrases]:
    """Parse lines of a decoder's output with phrase segmentation (Moses ``-t`` or ``-tt``).

    Parameters
    ----------
    block : bytes
        Whole lines.
    n_source : sequence of int
        Words of each source line, against which ranges are checked.
    bad : BadLines
        Skipped lines keep their words but lose their phrases.

    Returns
    -------
    text : bytes
        The words without the ranges, one space between them, one line feed after each line.
    links : Phrases
        Source words of each target word: the linked ones if the trace has a word alignment
        (``-tt``), otherwise all of its source phrase; of more than 256, those around its place.

    Raises
    ------
    AlignmentError
        A range is beyond the source line, words have no range, or links lead out of their phrases;
        names file and line.
    ValueError
        There are not as many lines as `n_source` has entries.
    """
    lines = split_lines(block)
    if len(n_source) != len(lines):
        raise ValueError(f"{len(lines)} lines of a trace, but {len(n_source)} source lines")
    text: list[bytes] = []
    links: list[Sequence[Iterable[int]] | int] = []
    for i, line in enumerate(lines):
        try:
            words, of_words = _parse_line(line, int(n_source[i]))
            links.append(of_words)
        except _BadLine as error:
            bad.add(i, error)
            words = _RANGE.sub(b" ", line).split()
            links.append(len(words))
        text.append(b" ".join(words) + b"\n")
    return b"".join(text), Phrases.from_lines(links)


def read_trace(
    source: StrPath,
    trace: StrPath,
    reading: Reading = Reading(),
    *,
    skipped: SkippedLines | None = None,
) -> Generator[AlignedLines, None, None]:
    """Read source lines and a decoder's output with phrase segmentation, as `read_aligned` does.

    The target is the text without the ranges.
    """
    name = display_name(trace)
    blocks = read_side_by_side(trace, [(source, reading.encoding)], reading)
    with contextlib.closing(blocks):
        for first_line, block, (of_source,) in blocks:
            bad = BadLines(name, first_line, skipped)
            text, links = parse_trace(block, count_words(of_source), bad)
            yield AlignedLines(text, of_source, links)
