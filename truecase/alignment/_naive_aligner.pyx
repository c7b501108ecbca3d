"""Draws the phrase pairs of the naive phrase aligner (Wang, Knight & Marcu 2006, 5).

Target words without links take no part: the others have *ranks*, counted from 0 in the line. A
phrase pair is a range of source words and a range of ranks, consistent if no link leads out of it.
"""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from truecase.base._check cimport check
from truecase.base._memory cimport STATUS_INVALID, STATUS_OK

import numpy as np


__all__ = ["MAX_LENGTH", "sample"]

MAX_LENGTH = 64


cdef enum:
    MASK_BITS = 64               # a set of lengths: bit l - 1 is length l


cdef struct Pair:
    int32_t source_begin
    int32_t source_end
    int32_t rank_begin
    int32_t rank_end


cdef struct Block:               # lines with links as in `Phrases`
    const int64_t* line_offsets
    const int64_t* offsets
    const int32_t* source
    const int32_t* n_source
    int64_t n_lines
    uint64_t first_line          # its number in the file
    uint64_t seed


cdef struct Draw:                # the distribution of lengths
    double weight[MASK_BITS]
    uint64_t support             # lengths of positive weight
    int32_t longest
    uint64_t state               # of the generator


cdef struct Line:                # scratch memory of one line, for the largest of a block
    int32_t n_source
    int32_t n_ranks
    int32_t* first_rank          # of each source word; INT32_MAX if it has no links
    int32_t* last_rank
    int32_t* low                 # of each rank, its first and last source word
    int32_t* high
    int32_t* word                # the target word of each rank
    int32_t* above               # at a pair's first rank: the rank after its last; else 0
    int32_t* below               # at a pair's last rank: its first rank, plus 1; else 0
    int32_t* owner               # of each rank, its pair
    uint64_t* lengths            # of each source word, the possible lengths of a phrase there
    Pair* pairs                  # in the order of the source
    int32_t n_pairs


cdef struct Span:                # a phrase pair that is being closed
    int32_t source_begin
    int32_t source_end
    int32_t seen_end             # source words before this have been read
    int32_t rank_begin
    int32_t rank_end
    int32_t first                # ranks wanted; scanned are rank_begin to rank_end
    int32_t last


cdef inline uint64_t next_random(uint64_t* state) noexcept nogil:
    """SplitMix64 (Steele, Lea & Flood 2014)."""
    cdef uint64_t z
    state[0] += <uint64_t>0x9e3779b97f4a7c15
    z = state[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xbf58476d1ce4e5b9
    z = (z ^ (z >> 27)) * <uint64_t>0x94d049bb133111eb
    return z ^ (z >> 31)


cdef inline int32_t draw_length(Draw* draw, uint64_t lengths) noexcept nogil:
    """Draw one of a non-empty set of lengths, by weight."""
    cdef double total = 0, u
    cdef int32_t length = 0, chosen = 0
    cdef uint64_t left = lengths
    while left:
        if left & 1:
            total += draw.weight[length]
        left >>= 1
        length += 1
    u = (next_random(&draw.state) >> 11) * (1.0 / 9007199254740992.0) * total
    length = 0
    while lengths:
        if lengths & 1:
            chosen = length + 1
            u -= draw.weight[length]
            if u < 0:
                break
        lengths >>= 1
        length += 1
    return chosen


cdef bint index_links(const int64_t* offsets, const int32_t* source, int64_t first_word,
                      int64_t n_words, Line* line) noexcept nogil:
    """Fill in the ranks of a line and their links; whether all links fit."""
    cdef int64_t word, i
    cdef int32_t rank = 0, j
    for j in range(line.n_source):
        line.first_rank[j] = INT32_MAX
        line.last_rank[j] = -1
    for word in range(n_words):
        if offsets[first_word + word] == offsets[first_word + word + 1]:
            continue
        for i in range(offsets[first_word + word], offsets[first_word + word + 1]):
            j = source[i]
            if j < 0 or j >= line.n_source:
                return False
            check(i == offsets[first_word + word] or source[i - 1] < j)
            if line.first_rank[j] > rank:
                line.first_rank[j] = rank
            line.last_rank[j] = rank
        # Invariant: the source words of a target word rise.
        line.low[rank] = source[offsets[first_word + word]]
        line.high[rank] = source[offsets[first_word + word + 1] - 1]
        line.word[rank] = <int32_t>word
        line.above[rank] = 0
        line.below[rank] = 0
        rank += 1
    line.n_ranks = rank
    return True


cdef uint64_t consistent_lengths(const Line* line, int32_t begin, int32_t longest) noexcept nogil:
    """Lengths of the source phrases from `begin` that have a consistent target phrase."""
    cdef int32_t end = begin, needed = begin, first = 0, last = -1, low, high
    cdef uint64_t lengths = 0
    cdef int32_t limit = min(line.n_source, begin + longest)
    # Linear in the line: each rank is read in full from at most `longest` places, since from
    # elsewhere its links lead out of reach.
    while end < limit:
        low = line.first_rank[end]
        high = line.last_rank[end]
        end += 1
        if high >= 0:
            if last < 0:
                first = low
                last = low - 1
            while first > low:
                first -= 1
                if line.low[first] < begin or line.high[first] >= limit:
                    return lengths
                needed = max(needed, line.high[first] + 1)
            while last < high:
                last += 1
                if line.low[last] < begin or line.high[last] >= limit:
                    return lengths
                needed = max(needed, line.high[last] + 1)
        if last >= 0 and needed <= end:
            lengths |= <uint64_t>1 << (end - begin - 1)
    return lengths


cdef void find_lengths(Line* line, const Draw* draw) noexcept nogil:
    """For each source word, find the lengths of phrases after which the line's end can be reached.

    If no length does, these are all consistent lengths, maybe the empty set.
    """
    cdef int32_t i
    cdef uint64_t reaches = 1    # bit l - 1: the end can be reached from l words on
    cdef uint64_t lengths, good
    for i in range(line.n_source - 1, -1, -1):
        lengths = consistent_lengths(line, i, draw.longest) & draw.support
        good = lengths & reaches
        line.lengths[i] = good if good else lengths
        reaches = (reaches << 1) | (1 if good else 0)


cdef void absorb(Line* line, Span* span, int32_t source_begin) noexcept nogil:
    """Merge the pairs before a span into it, back to the one that has the source word."""
    cdef Pair* pair
    while span.source_begin > source_begin:
        # Invariant: the pairs are side by side and lead from source word 0 to the span.
        check(line.n_pairs > 0)
        line.n_pairs -= 1
        pair = line.pairs + line.n_pairs
        check(pair.source_begin < span.source_begin)
        span.source_begin = pair.source_begin
        span.first = min(span.first, pair.rank_begin)
        span.last = max(span.last, pair.rank_end - 1)


cdef int32_t take_rank(Line* line, Span* span, int32_t rank) noexcept nogil:
    """Extend the span over the source words of a rank."""
    if line.low[rank] < span.source_begin:
        absorb(line, span, line.low[rank])
    if line.high[rank] >= span.source_end:
        span.source_end = line.high[rank] + 1
    return rank


cdef void close_span(Line* line, Span* span) noexcept nogil:
    """Extend a span by as little as makes it consistent."""
    cdef int32_t rank
    while True:
        while span.seen_end < span.source_end:
            if line.last_rank[span.seen_end] >= 0:
                span.first = min(span.first, line.first_rank[span.seen_end])
                span.last = max(span.last, line.last_rank[span.seen_end])
            span.seen_end += 1
        if span.last < 0:
            return
        if span.rank_begin == span.rank_end:
            span.rank_begin = span.rank_end = span.first
        if span.rank_end <= span.last:
            rank = take_rank(line, span, span.rank_end)
            # The ranks of a merged pair belong to its own source words.
            span.rank_end = line.above[rank] if line.above[rank] else rank + 1
        elif span.rank_begin > span.first:
            rank = take_rank(line, span, span.rank_begin - 1)
            span.rank_begin = line.below[rank] - 1 if line.below[rank] else rank
        elif span.seen_end == span.source_end:
            return


cdef void add_pair(Line* line, int32_t source_begin, int32_t source_end, int32_t rank_begin,
                   int32_t rank_end) noexcept nogil:
    cdef Pair* pair = line.pairs + line.n_pairs
    pair.source_begin = source_begin
    pair.source_end = source_end
    pair.rank_begin = rank_begin
    pair.rank_end = rank_end
    line.above[rank_begin] = rank_end
    line.below[rank_end - 1] = rank_begin + 1
    line.n_pairs += 1


cdef int32_t add_closed(Line* line, int32_t begin) noexcept nogil:
    """Add the smallest consistent pair with the word, merging earlier pairs; return its source end.

    Used if no length will do. It always ends, at worst with the whole line.
    """
    cdef Span span
    span.source_begin = span.seen_end = begin
    span.source_end = begin + 1
    span.rank_begin = span.rank_end = 0
    span.first = INT32_MAX
    span.last = -1
    close_span(line, &span)
    while span.last < 0 and span.source_end < line.n_source:
        span.source_end += 1
        close_span(line, &span)
    if span.last < 0:
        # Source words without links at the end of the line belong to the pair before.
        absorb(line, &span, begin - 1)
        span.rank_begin = span.first
        span.rank_end = span.last + 1
    add_pair(line, span.source_begin, span.source_end, span.rank_begin, span.rank_end)
    return span.source_end


cdef void add_phrase(Line* line, int32_t begin, int32_t length) noexcept nogil:
    """Add the pair of a source phrase that is known to be consistent."""
    cdef int32_t first = INT32_MAX, last = -1, j
    for j in range(begin, begin + length):
        if line.last_rank[j] >= 0:
            first = min(first, line.first_rank[j])
            last = max(last, line.last_rank[j])
    add_pair(line, begin, begin + length, first, last + 1)


cdef int32_t write_pairs(Line* line, int32_t n_target, int32_t* out) noexcept nogil:
    """Write the pairs, which share out all target words, in target order; return their number."""
    cdef int32_t i, rank, n = 0, end
    cdef Pair* pair
    for i in range(line.n_pairs):
        for rank in range(line.pairs[i].rank_begin, line.pairs[i].rank_end):
            line.owner[rank] = i
    rank = 0
    while rank < line.n_ranks:
        pair = line.pairs + line.owner[rank]
        rank = pair.rank_end
        # Words without links belong to the pair on their left, the first ones to the first pair.
        end = n_target if rank == line.n_ranks else line.word[rank]
        out[4 * n] = pair.source_begin
        out[4 * n + 1] = pair.source_end
        out[4 * n + 2] = 0 if n == 0 else out[4 * n - 1]
        out[4 * n + 3] = end
        n += 1
    return n


cdef int sample_lines(const Block* block, Draw* draw, Line* line, int64_t* pair_offsets,
                      int32_t* pairs) noexcept nogil:
    """Draw the pairs of all lines of a block, at most one per target word; a Status."""
    cdef int64_t number, n_pairs = 0, n_words
    cdef int32_t begin
    pair_offsets[0] = 0
    for number in range(block.n_lines):
        n_words = block.line_offsets[number + 1] - block.line_offsets[number]
        line.n_source = block.n_source[number]
        line.n_pairs = 0
        if not index_links(block.offsets, block.source, block.line_offsets[number], n_words, line):
            return STATUS_INVALID
        if line.n_ranks > 0:
            # Lines have generators of their own, so that blocks may be cut anywhere.
            draw.state = block.seed
            draw.state = next_random(&draw.state) ^ (block.first_line + <uint64_t>number)
            find_lengths(line, draw)
            begin = 0
            while begin < line.n_source:
                if line.lengths[begin]:
                    add_phrase(line, begin, draw_length(draw, line.lengths[begin]))
                    begin = line.pairs[line.n_pairs - 1].source_end
                else:
                    begin = add_closed(line, begin)
            n_pairs += write_pairs(line, <int32_t>n_words, pairs + 4 * n_pairs)
        pair_offsets[number + 1] = n_pairs
    return STATUS_OK


def sample(
    const int64_t[::1] line_offsets,
    const int64_t[::1] offsets,
    const int32_t[::1] source,
    const int32_t[::1] n_source,
    weights,
    uint64_t seed,
    uint64_t first_line,
):
    cdef int64_t n_lines = line_offsets.shape[0] - 1, n_words = offsets.shape[0] - 1
    cdef int64_t room, target_room
    cdef int64_t[::1] pair_offsets
    cdef int32_t[:, ::1] pairs
    cdef Block block
    cdef Draw draw
    cdef Line line
    cdef int32_t* words
    cdef int status, i
    if n_source.shape[0] != n_lines:
        raise ValueError("numbers of source words are not those of the lines")
    weights = list(weights)
    if not 1 <= len(weights) <= MASK_BITS:
        raise ValueError(f"{len(weights)} phrase lengths, expected 1 to {MASK_BITS}")
    memset(&draw, 0, sizeof(Draw))
    draw.longest = len(weights)
    for i in range(draw.longest):
        draw.weight[i] = weights[i]
        if draw.weight[i] > 0:
            draw.support |= <uint64_t>1 << i
    out = (np.zeros(n_lines + 1, np.int64), np.empty((n_words + 1, 4), np.int32))
    if n_lines == 0:
        return out[0], out[1][:0]
    pair_offsets, pairs = out
    room = int(np.max(n_source)) + 1
    target_room = int(np.max(np.diff(line_offsets))) + 1
    if np.min(n_source) < 0 or target_room > INT32_MAX:
        raise ValueError("numbers of words out of range")
    block.line_offsets = &line_offsets[0]
    block.offsets = &offsets[0]
    block.source = &source[0] if source.shape[0] else NULL
    block.n_source = &n_source[0]
    block.n_lines = n_lines
    block.first_line = first_line
    block.seed = seed
    memset(&line, 0, sizeof(Line))
    words = <int32_t*>malloc((2 * room + 6 * target_room) * sizeof(int32_t))
    line.lengths = <uint64_t*>malloc(room * sizeof(uint64_t))
    line.pairs = <Pair*>malloc(room * sizeof(Pair))
    try:
        if words == NULL or line.lengths == NULL or line.pairs == NULL:
            raise MemoryError
        line.first_rank = words
        line.last_rank = words + room
        line.low = words + 2 * room
        line.high = line.low + target_room
        line.word = line.high + target_room
        line.above = line.word + target_room
        line.below = line.above + target_room
        line.owner = line.below + target_room
        with nogil:
            status = sample_lines(&block, &draw, &line, &pair_offsets[0], &pairs[0, 0])
    finally:
        free(words)
        free(line.lengths)
        free(line.pairs)
    if status != STATUS_OK:
        raise ValueError("a link leads beyond its source line")
    return out[0], out[1][:pair_offsets[n_lines]].copy()
