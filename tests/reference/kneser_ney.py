"""Interpolated modified Kneser-Ney with dictionaries, exact but for the logarithms."""

from __future__ import annotations

from collections import Counter, defaultdict
from fractions import Fraction

UNK, BOS, EOS = 0, 1, 2
FALLBACK = (Fraction(1, 2), Fraction(1), Fraction(3, 2))


def padded_ngrams(lines, order):
    counts = Counter()
    for line in lines:
        ids = [BOS] * (order - 1) + list(line) + [EOS]
        for end in range(order - 1, len(ids)):
            counts[tuple(ids[end - order + 1 : end + 1])] += 1
    return counts


def strip_padding(ngram):
    """The n-gram without all <s> but the last one."""
    while len(ngram) > 1 and ngram[0] == ngram[1] == BOS:
        ngram = ngram[1:]
    return ngram


class KneserNey:
    def __init__(self, lines, vocabulary_size, order, prune=(0,), lmplz_counts_of_counts=True):
        self.order = order
        self.vocabulary_size = vocabulary_size
        self.thresholds = [*prune, *[prune[-1]] * (order - len(prune))]
        self.count_raw_and_adjusted(lines)
        self.find_discounts(lines, lmplz_counts_of_counts)
        self.normalise()

    def count_raw_and_adjusted(self, lines):
        order = self.order
        highest = padded_ngrams(lines, order)
        self.raw = [Counter() for _ in range(order + 1)]
        for padded, count in highest.items():
            for k in range(1, order + 1):
                suffix = padded[order - k :]
                if strip_padding(suffix) == suffix:
                    self.raw[k][suffix] += count
        self.raw[1][(BOS,)] = len(lines)
        left = [defaultdict(set) for _ in range(order + 1)]
        for k in range(2, order + 1):
            for ngram in self.raw[k]:
                left[k - 1][ngram[1:]].add(ngram[0])
        self.adjusted = [{} for _ in range(order + 1)]
        for k in range(1, order + 1):
            for ngram, count in self.raw[k].items():
                whole = k == order or ngram[0] == BOS
                self.adjusted[k][ngram] = count if whole else len(left[k][ngram])
        for word_id in range(self.vocabulary_size):
            self.adjusted[1].setdefault((word_id,), 0)
        self.adjusted[1][(BOS,)] = 0

    def find_discounts(self, lines, as_lmplz):
        padded = padded_ngrams(lines, self.order)
        last = strip_padding(max(padded, key=lambda ngram: ngram[::-1]))
        self.discounts = [None]
        for k in range(1, self.order + 1):
            n = Counter(self.adjusted[k].values())
            suffix = last[-k:]
            if as_lmplz and len(suffix) == k < self.order:
                n[self.adjusted[k][suffix]] -= 1
                n[self.raw[k][suffix]] += 1
            self.discounts.append((Fraction(0), *self.closed_form(n)))

    @staticmethod
    def closed_form(n):
        if 0 in (n[1], n[2], n[3]):
            return FALLBACK
        y = Fraction(n[1], n[1] + 2 * n[2])
        discounts = [c - (c + 1) * y * Fraction(n[c + 1], n[c]) for c in (1, 2, 3)]
        if any(not 0 <= discount <= c for c, discount in enumerate(discounts, 1)):
            return FALLBACK
        return discounts

    def is_kept(self, ngram):
        if len(ngram) == 1 and ngram[0] <= EOS:
            return True
        return self.raw[len(ngram)][ngram] > self.thresholds[len(ngram) - 1]

    def normalise(self):
        """prob[k] and backoff[k] of all n-grams of k words, those to be pruned included."""
        self.prob = [{} for _ in range(self.order + 1)]
        self.backoff = [{} for _ in range(self.order + 1)]
        kept_words = sum(self.is_kept((word_id,)) for word_id in range(self.vocabulary_size))
        uniform = Fraction(1, kept_words - 1)
        for k in range(1, self.order + 1):
            contexts = defaultdict(list)
            for ngram in self.adjusted[k]:
                contexts[ngram[:-1]].append(ngram)
            for context, ngrams in contexts.items():
                total = sum(self.adjusted[k][ngram] for ngram in ngrams)
                left_over = Fraction(0)
                for ngram in ngrams:
                    count = self.adjusted[k][ngram]
                    kept = self.is_kept(ngram)
                    left_over += self.discounts[k][min(count, 3)] if kept else count
                gamma = left_over / total
                self.backoff[k - 1][context] = gamma
                for ngram in ngrams:
                    count = self.adjusted[k][ngram]
                    lower = uniform if k == 1 else self.prob[k - 1][ngram[1:]]
                    own = (count - self.discounts[k][min(count, 3)]) / total
                    self.prob[k][ngram] = own + gamma * lower
        self.prob[1][(BOS,)] = Fraction(1)

    def ngrams(self, k):
        """What the model holds: n-gram, probability, backoff, count; sorted."""
        return [
            (
                ngram,
                self.prob[k][ngram],
                self.backoff[k].get(ngram, Fraction(1)),
                self.raw[k][ngram],
            )
            for ngram in sorted(self.prob[k])
            if self.is_kept(ngram)
        ]
