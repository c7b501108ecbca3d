"""The naive phrase aligner (NPA) of Wang, Knight & Marcu (2006), section 5.

It makes phrase alignments of word alignments, for training without a phrase-based decoder: one
random segmentation of each line whose phrase pairs are all consistent with the word alignment
(Och & Ney 2004).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from truecase.alignment.lines import Phrases, running_sum
from truecase.base.spool import Bools, Int32s, Int64s

# Source words that a target word is linked to, at most: memory and decoding stay linear.
MAX_PHRASE_WORDS = 256

DEFAULT_LENGTHS: tuple[float, ...] = tuple(0.5**length for length in range(1, 8))
"""Weights of source phrases of one to seven words: each length half as likely as the one before.

A phrase-based decoder with the usual limit of seven words, trained on English-French software
texts, chose 53, 21, 14, 7, 3, 1 and 1 of a hundred phrases so.
"""

#: Begin and end of the source phrase, begin and end of the target phrase, in words of the line.
Pair = tuple[int, int, int, int]


def naive_phrases(links: Phrases, n_source: Int32s) -> Phrases:
    """Link every word of a target phrase to all words of its source phrase.

    Lines that the word alignment leaves out, or with an empty side, are not aligned. Parameters and
    errors are those of `draw_pairs`.
    """
    lines: list[Sequence[Iterable[int]] | int] = []
    for n_words, pairs in zip(
        links.words_per_line.tolist(), draw_pairs(links, n_source), strict=True
    ):
        linked = [
            phrase_words(begin, end, word, target_end - target_begin)
            for begin, end, target_begin, target_end in pairs
            for word in range(target_end - target_begin)
        ]
        lines.append(linked if pairs or not n_words else n_words)
    return Phrases.from_lines(lines)


def phrase_words(begin: int, end: int, word: int, n_words: int) -> range:
    """Source words of a word of a target phrase; of more than 256, those around its place."""
    size = end - begin
    shown = min(size, MAX_PHRASE_WORDS)
    first = (2 * word + 1) * size // (2 * n_words) - shown // 2
    first = begin + min(max(first, 0), size - shown)
    return range(first, first + shown)


def draw_pairs(
    links: Phrases, n_source: Int32s, lengths: Sequence[float] = DEFAULT_LENGTHS, seed: int = 1
) -> Iterator[list[Pair]]:
    """Draw a phrase alignment of each line, consistent with its word alignment, in target order.

    Source phrases are drawn from left to right. Their lengths follow the given distribution,
    restricted to lengths that have a consistent target phrase and after which the rest of the line
    can still be shared out, so no draw has to be undone. If there is no such length, the source
    word gets the smallest consistent pair that contains it, possibly merged with earlier phrases;
    at worst that is the whole line.

    Target words without links belong to the phrase on their left, or to the first one. A line
    without links is one phrase pair. Unaligned lines, and lines with an empty side, have no pairs.

    Parameters
    ----------
    links : Phrases
        Word alignment.
    n_source : int32 ndarray, shape (n_lines,)
        Words of each source line.
    lengths : sequence of float
        Weights of source phrases of one word, two, and so on.
    seed : int
        The phrases of a line depend on its number and the seed alone.

    Raises
    ------
    ValueError
        A link leads beyond its source line, or there are other source lines.
    """
    links.check(links.words_per_line, n_source)
    total = math.fsum(lengths)
    weights = [weight / total for weight in lengths]
    block = _Block(links, n_source, [n for n, weight in enumerate(weights, 1) if weight > 0])
    state = next(_random(seed % 2**64))
    sources, targets = block.sources.tolist(), links.line_offsets.tolist()
    for line, is_unaligned in enumerate(links.unaligned.tolist()):
        source, source_end = sources[line : line + 2]
        target, target_end = targets[line : line + 2]
        if is_unaligned or source == source_end or target == target_end:
            yield []
            continue
        pairs: list[Pair] = [(source, source_end, target, target_end)]
        if links.offsets[target] < links.offsets[target_end]:
            pairs = block.draw(source, source_end, weights, _random(state ^ (line + 1)))
        ends = [*(pair[2] for pair in pairs[1:]), target_end]
        starts = [target, *ends]
        yield [
            (begin - source, end - source, starts[i] - target, ends[i] - target)
            for i, (begin, end, _, _) in enumerate(pairs)
        ]


def _random(state: int) -> Iterator[int]:
    """Random numbers of 64 bits by SplitMix64 (Steele, Lea & Flood 2014)."""
    mask = (1 << 64) - 1
    while True:
        state = (state + 0x9E3779B97F4A7C15) & mask
        x = (state ^ (state >> 30)) * 0xBF58476D1CE4E5B9 & mask
        x = (x ^ (x >> 27)) * 0x94D049BB133111EB & mask
        yield x ^ (x >> 31)


def _drawn(lengths: list[int], weights: Sequence[float], share: float) -> int:
    """One of some lengths, by weight."""
    left = share * sum(weights[length - 1] for length in lengths)
    for length in lengths:
        left -= weights[length - 1]
        if left < 0:
            break
    return length


class _Block:
    """The links of a block of lines, whose words are counted over the block, and their phrases.

    A phrase pair is a range of source words and one of target words, from the first to the last
    linked one; it is consistent if no link leads out of it. `sources` are the first source words of
    the lines; phrases may have the `lengths`.
    """

    def __init__(self, links: Phrases, n_source: Int32s, lengths: list[int]) -> None:
        self.sources = running_sum(n_source)
        self._lengths = lengths
        n_words, n_links = int(self.sources[-1]), np.diff(links.offsets)
        line = np.repeat(np.arange(links.n_lines), links.words_per_line)
        target = np.repeat(np.arange(links.n_words), n_links)
        source = self.sources[line[target]] + links.source_words
        # The first and the last word that each word is linked with; they cross without a link.
        first, last = np.full(n_words, links.n_words), np.full(n_words, -1)
        np.minimum.at(first, source, target)
        np.maximum.at(last, source, target)
        low, high = np.full(links.n_words, n_words), np.full(links.n_words, -1)
        low[n_links > 0] = source[links.offsets[:-1][n_links > 0]]
        high[n_links > 0] = source[links.offsets[1:][n_links > 0] - 1]
        self._first, self._last = first.tolist(), last.tolist()
        self._low, self._high = low.tolist(), high.tolist()
        self._consistent = self._consistent_lengths(links, n_source, source)

    def _consistent_lengths(self, links: Phrases, n_source: Int32s, source: Int64s) -> Bools:
        """Whether a source phrase of each length, from each word, has a consistent target phrase.

        `source` are the source words of the links.
        """
        n_words = len(self._first)
        is_consistent = np.zeros((n_words, len(self._lengths)), np.bool_)
        links_before = running_sum(np.bincount(source, minlength=n_words))
        left = np.repeat(self.sources[1:], n_source) - np.arange(n_words)
        first, last = np.array(self._first, np.int64), np.array(self._last, np.int64)
        of_first, of_last = first, last
        for length in range(1, self._lengths[-1] + 1):
            n = max(n_words - length + 1, 0)
            of_first = np.minimum(of_first[:n], first[length - 1 :])
            of_last = np.maximum(of_last[:n], last[length - 1 :])
            if length in self._lengths:
                n_links = links_before[length:] - links_before[:n]
                # No target word between the first and the last has a link to another source word.
                is_consistent[:n, self._lengths.index(length)] = (
                    (links.offsets[of_last + 1] - links.offsets[of_first] == n_links)
                    & (n_links > 0)
                    & (left[:n] >= length)
                )
        return is_consistent

    def draw(
        self, source: int, source_end: int, weights: Sequence[float], draws: Iterator[int]
    ) -> list[Pair]:
        """Draw the pairs of a line that has links, in target order."""
        possible = self._possible_lengths(source, source_end)
        pairs: list[Pair] = []
        # For the first target word of each pair that there was the word after it, and the reverse.
        end_of: dict[int, int] = {}
        first_of: dict[int, int] = {}
        while source < source_end:
            if possible[-1]:
                share = (next(draws) >> 11) * 2.0**-53
                end = source + _drawn(possible[-1], weights, share)
                first, last = min(self._first[source:end]), max(self._last[source:end])
                pair = source, end, first, last + 1
            else:
                pair = self._smallest(source, source_end, pairs, end_of, first_of)
            pairs.append(pair)
            end_of[pair[2]], first_of[pair[3]] = pair[3], pair[2]
            del possible[source - pair[1] :]
            source = pair[1]
        return sorted(pairs, key=lambda pair: pair[2])

    def _possible_lengths(self, source: int, source_end: int) -> list[list[int]]:
        """Lengths of phrases after which the line's end can be reached, from its last word on.

        If no length does, these are all consistent lengths, maybe none.
        """
        possible: list[list[int]] = []
        reaches_end = {source_end}
        for place, row in reversed([*enumerate(self._consistent[source:source_end].tolist())]):
            found = [length for length, fits in zip(self._lengths, row, strict=True) if fits]
            begin = source + place
            good = [length for length in found if begin + length in reaches_end]
            if good:
                reaches_end.add(begin)
            possible.append(good or found)
        return possible

    def _smallest(
        self,
        begin: int,
        source_end: int,
        pairs: list[Pair],
        end_of: dict[int, int],
        first_of: dict[int, int],
    ) -> Pair:
        """The smallest consistent pair with the source word `begin`, and with earlier `pairs`.

        Those that it takes in are removed. It always ends, at worst with the whole line.
        """
        start, end, seen = begin, begin + 1, begin
        # The target words wanted, and those taken.
        first, last = len(self._low), -1
        taken = taken_end = 0
        while True:
            for source in range(seen, end):
                first = min(first, self._first[source])
                last = max(last, self._last[source])
            seen = end
            if last < 0 and end < source_end:
                end += 1
                continue
            if last < 0:
                # Words without links at the end of the line belong to the pair before.
                low = begin - 1
            else:
                if taken == taken_end:
                    taken = taken_end = first
                # The target words of an earlier pair belong to its own source words.
                if taken_end <= last:
                    word = taken_end
                    taken_end = end_of.get(word, word + 1)
                elif taken > first:
                    word = taken - 1
                    taken = first_of.get(taken, word)
                else:
                    return start, end, taken, taken_end
                low, end = self._low[word], max(end, self._high[word] + 1)
            while start > low:
                start, _, pair_first, pair_end = pairs.pop()
                first, last = min(first, pair_first), max(last, pair_end - 1)
