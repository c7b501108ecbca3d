"""The output of phrase-based decoders with its phrase segmentation, as Moses ``-t`` writes it.

``the house |0-1| is |2-2|``: each group of words is the translation of the source words in the
range after it, counted from 0, both ends included. With ``-tt`` a range also has the word alignment
within the phrases, and scores: ``|0-1,wa=0-0 1-1,total=-1.5,...|``.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Generator, Iterable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truecase.alignment._naive_aligner import MAX_LENGTH
from truecase.alignment.lines import AlignedLines, BadLines, Phrases, SkippedLines
from truecase.alignment.naive_aligner import PhrasePairs
from truecase.alignment.parallel import Reading, read_side_by_side
from truecase.base.read import display_name
from truecase.kernels._segment import count_words
from truecase.options import StrPath

_RANGE = re.compile(rb"(?<!\S)\|(\d+)-(\d+)(?:,([^|]*))?\|(?!\S)")
_LINK = re.compile(rb"(\d{1,9})-(\d{1,9})")

# More digits are no number of a word.
_MAX_DIGITS = 9


@dataclass(frozen=True, eq=False)
class MosesTrace:
    """A block of a decoder's output.

    Attributes
    ----------
    text : bytes
        The words without the ranges, one space between them, one line feed after each line.
    pairs : PhrasePairs
        The phrase pairs; skipped lines have none.
    links : Phrases
        Source words of each target word: the linked ones if the trace has a word alignment
        (``-tt``), otherwise all of its source phrase.
    """

    text: bytes
    pairs: PhrasePairs
    links: Phrases


class _BadLine(ValueError):
    """A problem of a line."""


@dataclass
class _Line:
    words: list[bytes]
    pairs: list[tuple[int, int, int, int]]
    links: list[list[int]]


def _number(digits: bytes) -> int:
    if len(digits) > _MAX_DIGITS:
        raise _BadLine(f"{digits[:_MAX_DIGITS].decode()}... is no number of a word")
    return int(digits)


def _parse_line(line: bytes, n_source: int | None) -> _Line:
    parsed = _Line([], [], [])
    position = 0
    for match in _RANGE.finditer(line):
        begin, end = _number(match[1]), _number(match[2]) + 1
        shown = f"the range |{begin}-{end - 1}|"
        if end <= begin:
            raise _BadLine(f"{shown} ends before it begins")
        if n_source is not None and end > n_source:
            words = "word" if n_source == 1 else "words"
            raise _BadLine(f"{shown}, but the source line has only {n_source} {words}")
        words_before = line[position : match.start()].split()
        position = match.end()
        first = len(parsed.words)
        parsed.words += words_before
        # The source phrase has an empty translation.
        if not words_before:
            continue
        parsed.pairs.append((begin, end, first, len(parsed.words)))
        parsed.links += _links_within(match[3], begin, end, len(words_before), shown)
    left = line[position:].split()
    if left:
        raise _BadLine(f"no range such as |0-1| after {left[-1][:40].decode('utf-8', 'replace')!r}")
    return parsed


def _links_within(
    details: bytes | None, begin: int, end: int, n_words: int, shown: str
) -> list[list[int]]:
    """Source words of each word of a target phrase."""
    word_alignment: list[bytes] = []
    if details is not None and details.startswith(b"wa="):
        # Scores follow; some decoders write commas between links, too.
        word_alignment = details[3:].split(b"total=")[0].replace(b",", b" ").split()
    if not word_alignment:
        return [list(range(begin, end))] * n_words
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


def _without_ranges(line: bytes) -> list[bytes]:
    return _RANGE.sub(b" ", line).split()


def parse_trace(
    block: bytes,
    n_source: Sequence[int] | npt.NDArray[np.int32] | None = None,
    bad: BadLines = BadLines("trace"),
) -> MosesTrace:
    """Parse lines of a decoder's output with phrase segmentation (Moses ``-t`` or ``-tt``).

    Parameters
    ----------
    block : bytes
        Whole lines.
    n_source : sequence of int, optional
        Words of each source line, against which ranges are checked.
    bad : BadLines
        Skipped lines keep their words but lose their phrases.

    Raises
    ------
    AlignmentError
        A range is beyond the source line, words have no range, or links lead out of their phrases;
        names file and line.
    ValueError
        There are not as many lines as `n_source` has entries.
    """
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    if n_source is not None and len(n_source) != len(lines):
        raise ValueError(f"{len(lines)} lines of a trace, but {len(n_source)} source lines")
    text: list[bytes] = []
    n_target: list[int] = []
    n_pairs: list[int] = []
    bounds: list[tuple[int, int, int, int]] = []
    links: list[Sequence[Iterable[int]] | int] = []
    for i, line in enumerate(lines):
        try:
            parsed = _parse_line(line, None if n_source is None else int(n_source[i]))
        except _BadLine as error:
            bad.add(i, error)
            words = _without_ranges(line)
            links.append(len(words))
            n_pairs.append(0)
        else:
            words = parsed.words
            links.append(parsed.links)
            n_pairs.append(len(parsed.pairs))
            bounds += parsed.pairs
        text.append(b" ".join(words) + b"\n")
        n_target.append(len(words))
    pairs = PhrasePairs(
        np.array(n_target, np.int32),
        np.concatenate([np.zeros(1, np.int64), np.cumsum(n_pairs, dtype=np.int64)]),
        np.array(bounds, np.int32).reshape(-1, 4),
    )
    return MosesTrace(b"".join(text), pairs, Phrases.from_lines(links))


def phrase_length_weights(
    pairs: Iterable[PhrasePairs], max_length: int = MAX_LENGTH
) -> tuple[float, ...]:
    """Shares of a decoder's source phrases by length, from 1 on, for the naive phrase aligner.

    Wang, Knight & Marcu (2006, section 5) take them from the trace of a small development set.
    Phrases of more than `max_length` words, at most 64, do not count. ValueError if there is no
    phrase.
    """
    counts = sum((part.length_counts(max_length) for part in pairs), np.zeros(max_length, np.int64))
    total = int(counts.sum())
    if not total:
        raise ValueError("no phrases to take the distribution of lengths from")
    longest = int(np.flatnonzero(counts)[-1]) + 1
    return tuple((counts[:longest] / total).tolist())


def read_trace(
    source: StrPath,
    trace: StrPath,
    reading: Reading | None = None,
    *,
    word_links: bool = True,
    skipped: SkippedLines | None = None,
) -> Generator[AlignedLines, None, None]:
    """Read source lines and a decoder's output with phrase segmentation, as `read_aligned` does.

    The target is the text without the ranges; with `word_links`, the word alignment within phrases
    is used if the trace has it.
    """
    reading = reading or Reading()
    name = display_name(trace)
    blocks = read_side_by_side(trace, [(source, reading.encoding)], reading)
    with contextlib.closing(blocks):
        for first_line, block, (of_source,) in blocks:
            bad = BadLines(name, first_line, skipped)
            parsed = parse_trace(block, count_words(of_source), bad)
            phrases = parsed.links if word_links else parsed.pairs.to_phrases()
            yield AlignedLines(parsed.text, of_source, phrases)
