"""Plain twins of the translation tables: pairs of a line, Kneser-Ney, look-up."""

from collections import Counter, defaultdict

SPACE = b"\t\n\x0b\x0c\r "


def words_of(line):
    """Half-open spans of the runs of bytes other than ASCII white space."""
    spans, start = [], None
    for p, c in enumerate(line + b" "):
        if c in SPACE:
            if start is not None:
                spans.append((start, p))
            start = None
        elif start is None:
            start = p
    return spans


def first_tokens(line, tokens):
    """First token of each word, and their number; `tokens` are spans in rising order."""
    return [
        sum(1 for start, _ in tokens if start < word_start) for word_start, _ in words_of(line)
    ] + [len(tokens)]


def phrase(first_token, are_words, words, of_words):
    """Source tokens that count for a target token that is a word, or is not."""
    chosen = []
    for word in sorted(set(words)):
        if not 0 <= word < len(first_token) - 1:
            continue
        tokens = range(first_token[word], first_token[word + 1])
        chosen += [i for i in tokens if are_words[i] == of_words] or list(tokens)
    return chosen


def discounts(counts):
    """Chen & Goodman's, or the fallback; never 0."""
    n = Counter(counts)
    if not (n[1] and n[2] and n[3]):
        return (0.5, 1.0, 1.5)
    y = n[1] / (n[1] + 2 * n[2])
    found = (1 - 2 * y * n[2] / n[1], 2 - 3 * y * n[3] / n[2], 3 - 4 * y * n[4] / n[3])
    if any(not 0 <= d <= k for k, d in enumerate(found, 1)):
        return (0.5, 1.0, 1.5)
    return tuple(max(d, 0.01) for d in found)


class KneserNeyPairs:
    """p(target | source) of a dict of counts by (source, target)."""

    def __init__(self, counts, n_members):
        self.counts = counts
        self.n_members = n_members
        self.by_source = defaultdict(dict)
        self.sources_of = defaultdict(set)
        for (source, target), count in counts.items():
            self.by_source[source][target] = count
            self.sources_of[target].add(source)
        self.d = discounts(counts.values())
        self.lower_d = discounts([len(s) for s in self.sources_of.values()])

    def continuation(self, target):
        n = {t: len(s) for t, s in self.sources_of.items()}
        if not n:
            return 1 / self.n_members
        total = sum(n.values())
        taken = {t: min(self.lower_d[min(k, 3) - 1], k) for t, k in n.items()}
        return (n.get(target, 0) - taken.get(target, 0)) / total + (
            sum(taken.values()) / total / self.n_members
        )

    def backoff(self, source):
        row = self.by_source.get(source)
        if not row:
            return 1.0
        return sum(min(self.d[min(c, 3) - 1], c) for c in row.values()) / sum(row.values())

    def __call__(self, source, target):
        row = self.by_source.get(source, {})
        c = row.get(target, 0)
        seen = (c - min(self.d[min(c, 3) - 1], c)) / sum(row.values()) if c else 0.0
        return seen + self.backoff(source) * self.continuation(target)
