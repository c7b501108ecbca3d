"""Plain twin of the naive phrase aligner: sets of links, and consistency by its definition."""

GOLDEN = 0x9E3779B97F4A7C15
MASK = 2**64 - 1


class SplitMix:
    def __init__(self, state):
        self.state = state

    def next(self):
        self.state = (self.state + GOLDEN) & MASK
        z = self.state
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & MASK
        return z ^ (z >> 31)

    def uniform(self):
        return (self.next() >> 11) * 2.0**-53


def is_consistent(links, source, target):
    """No link has one end in the pair of ranges and the other outside (Och & Ney 2004)."""
    return all((s in source) == (t in target) for s, t in links)


def target_range(links, source):
    """From the first to the last target word linked with a source range; None if there is none."""
    linked = [t for s, t in links if s in source]
    return range(min(linked), max(linked) + 1) if linked else None


def consistent_lengths(links, n_source, begin, weights):
    lengths = []
    for length in range(1, len(weights) + 1):
        source = range(begin, begin + length)
        if weights[length - 1] > 0 and begin + length <= n_source:
            target = target_range(links, source)
            if target is not None and is_consistent(links, source, target):
                lengths.append(length)
    return lengths


def possible_lengths(links, n_source, weights):
    """Per source word the lengths after which the end can be reached, or all consistent ones."""
    reaches_end = {n_source}
    possible = {}
    for begin in reversed(range(n_source)):
        lengths = consistent_lengths(links, n_source, begin, weights)
        good = [length for length in lengths if begin + length in reaches_end]
        if good:
            reaches_end.add(begin)
        possible[begin] = good or lengths
    return possible


def draw(generator, lengths, weights):
    u = generator.uniform() * sum(weights[length - 1] for length in lengths)
    for length in lengths:
        u -= weights[length - 1]
        if u < 0:
            return length
    return lengths[-1]


def smallest_pair(links, n_source, begin, phrases):
    """The smallest consistent source range of whole earlier phrases and words from `begin` on."""
    starts = [phrase.start for phrase in phrases] + [begin]
    first_linked = min(s for s, _ in links if s >= begin)
    # The smallest is unique: the intersection of consistent ranges that share a linked word is
    # consistent, so the order of the search does not matter.
    for end in range(first_linked + 1, n_source + 1):
        for start in reversed(starts):
            source = range(start, end)
            target = target_range(links, source)
            if target is not None and is_consistent(links, source, target):
                return source
    raise AssertionError("the whole line is always consistent")


def source_phrases(links, n_source, weights, generator):
    possible = possible_lengths(links, n_source, weights)
    phrases, begin = [], 0
    while begin < n_source:
        if possible[begin]:
            phrases.append(range(begin, begin + draw(generator, possible[begin], weights)))
        else:
            unlinked_to_the_end = not any(s >= begin for s, _ in links)
            if unlinked_to_the_end:
                source = range(phrases[-1].start, n_source)
            else:
                source = smallest_pair(links, n_source, begin, phrases)
            phrases = [phrase for phrase in phrases if phrase.stop <= source.start]
            phrases.append(source)
        begin = phrases[-1].stop
    return phrases


def pairs(words, n_source, weights, seed, line):
    """Pairs of a line, given the source words of each target word."""
    links = [(s, t) for t, sources in enumerate(words) for s in sources]
    if not words or not n_source:
        return []
    if not links:
        return [(0, n_source, 0, len(words))]
    generator = SplitMix(SplitMix(seed % 2**64).next() ^ line)
    phrases = source_phrases(links, n_source, weights, generator)
    by_target = sorted((target_range(links, source).start, source) for source in phrases)
    starts = [0] + [start for start, _ in by_target[1:]] + [len(words)]
    return [
        (source.start, source.stop, starts[i], starts[i + 1])
        for i, (_, source) in enumerate(by_target)
    ]
