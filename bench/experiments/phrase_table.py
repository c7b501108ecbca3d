"""Phrase pairs of a word-aligned bitext, as many as a given set of sentences can use.

Consistent pairs (Och & Ney 2004, WKM 5): some link inside, none from inside to outside,
unaligned words at the edges with and without. Counted are the pairs whose source phrase
occurs in the sentences that will be translated; nothing else could be used. The commonest
links within each pair are kept, so that a translation has word alignments as well.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass

MAX_LENGTH = 7
# Pairs kept for each source phrase, the most frequent ones.
MAX_TARGETS = 20

Words = Sequence[str]
Links = Sequence[tuple[int, int]]
SentencePair = tuple[Words, Words, Links]


@dataclass
class PhrasePair:
    """A pair with its count and the links most often seen within it."""

    source: str
    target: str
    count: int
    links: str


def phrases_of(sentences: Iterable[Words], max_length: int = MAX_LENGTH) -> set[str]:
    """All phrases of the sentences, words joined by spaces."""
    return {
        " ".join(words[i : i + n])
        for words in sentences
        for n in range(1, max_length + 1)
        for i in range(len(words) - n + 1)
    }


def prefixes_of(phrases: Iterable[str]) -> set[str]:
    """The phrases and everything they begin with, in whole words."""
    found: set[str] = set()
    for phrase in phrases:
        words = phrase.split(" ")
        found.update(" ".join(words[:n]) for n in range(1, len(words) + 1))
    return found


def consistent_spans(
    source: Words, target: Words, links: Links, prefixes: Set[str], max_length: int = MAX_LENGTH
) -> Iterator[tuple[str, int, int, int, int]]:
    """Consistent pairs of spans whose source phrase is among `prefixes`.

    Yields
    ------
    tuple of (str, int, int, int, int)
        The source phrase; its span and the target phrase's, half-open.
    """
    n_target = len(target)
    by_source: list[list[int]] = [[] for _ in source]
    by_target: list[list[int]] = [[] for _ in target]
    for s, t in links:
        by_source[s].append(t)
        by_target[t].append(s)
    for start in range(len(source)):
        low, high, phrase = n_target, -1, ""
        for end in range(start + 1, min(start + max_length, len(source)) + 1):
            phrase = f"{phrase} {source[end - 1]}" if phrase else source[start]
            if phrase not in prefixes:
                break
            for t in by_source[end - 1]:
                low, high = min(low, t), max(high, t)
            if high - low >= max_length:
                break
            if high < 0 or any(
                not start <= s < end for t in range(low, high + 1) for s in by_target[t]
            ):
                continue
            first = low
            while True:
                last = high
                while True:
                    yield phrase, start, end, first, last + 1
                    last += 1
                    if last == n_target or by_target[last] or last - first >= max_length:
                        break
                first -= 1
                if first < 0 or by_target[first] or high - first >= max_length:
                    break


def extract(
    bitext: Callable[[], Iterable[SentencePair]], sentences: Iterable[Words]
) -> tuple[list[PhrasePair], Counter[str]]:
    """Phrase pairs that can be of use in translating `sentences`.

    Parameters
    ----------
    bitext : callable
        Gives the sentence pairs with their links, from the first one, each time it is called.
    sentences : iterable of list of str
        Tokenised source sentences.

    Returns
    -------
    list of PhrasePair
        The `MAX_TARGETS` most frequent ones for each source phrase.
    Counter
        How often each of their target phrases is in any pair of the bitext at all.
    """
    wanted = phrases_of(sentences)
    found: defaultdict[str, defaultdict[str, Counter[str]]] = defaultdict(
        lambda: defaultdict(Counter)
    )
    for source, target, links in bitext():
        for phrase, s0, s1, t0, t1 in consistent_spans(source, target, links, wanted):
            inside = " ".join(f"{s - s0}-{t - t0}" for s, t in links if s0 <= s < s1)
            found[phrase][" ".join(target[t0:t1])][inside] += 1
    pairs = []
    for phrase, targets in found.items():
        counted = [(sum(links.values()), other, links) for other, links in targets.items()]
        counted.sort(key=lambda item: (-item[0], item[1]))
        for count, other, inside_counts in counted[:MAX_TARGETS]:
            commonest = min(inside_counts.items(), key=lambda item: (-item[1], item[0]))[0]
            pairs.append(PhrasePair(phrase, other, count, commonest))
    del found

    kept = {pair.target for pair in pairs}
    prefixes = prefixes_of(kept)
    totals: Counter[str] = Counter()
    for source, target, links in bitext():
        turned = [(t, s) for s, t in links]
        for phrase, *_ in consistent_spans(target, source, turned, prefixes):
            if phrase in kept:
                totals[phrase] += 1
    return pairs, totals
