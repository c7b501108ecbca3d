"""Links of words: parsed, and made into phrases; and tokens."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport INT32_MAX, UINT32_MAX, int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from truecase.base._check cimport check
from truecase.base._memory cimport STATUS_OK, TEXT_PADDING
from truecase.kernels._segment cimport segment_line
from truecase.kernels._structs cimport Token, TokenArray, WordIndex
from truecase.kernels._tokens cimport (
    SEGMENT_RAW, SEGMENT_SPACE, free_index, free_tokens, index_words
)
from truecase.kernels._unicode cimport ascii_space, draw, find_byte

import numpy as np

from truecase.kernels._segment import SEGMENTATIONS as _SEGMENTATIONS, count_lines
from truecase.kernels.text import is_turkic


# Links in Pharaoh's form


cdef enum Problem:
    PROBLEM_NONE = 0
    PROBLEM_FORM = 1
    PROBLEM_PROBABILITY = 2      # no number, or outside of 0 to 1
    PROBLEM_SOURCE = 3           # beyond the words of the source line
    PROBLEM_TARGET = 4


BAD_FORM = PROBLEM_FORM
BAD_PROBABILITY = PROBLEM_PROBABILITY
BAD_SOURCE = PROBLEM_SOURCE


cdef enum:
    MAX_NUMBER = 1 << 30         # larger numbers of words are read as this one
    MAX_EXPONENT = 400           # beyond those of any double


cdef struct ReadLink:            # a link as the text has it
    int32_t source
    int32_t target
    double probability
    bint possible


cdef struct BlockLinks:          # the links so far, and what those of the next line must fit
    int64_t* target              # number of the target word in the block
    int64_t* source              # and of the source word in its line
    int64_t n
    int64_t first_word           # of the line, in the block
    int32_t n_source             # words of the line
    int32_t n_target
    double threshold             # least probability of a link that is kept
    bint keep_possible


cdef inline bint digit(const uint8_t* text, int64_t p, int64_t end) noexcept nogil:
    return p < end and text[p] >= 0x30 and text[p] <= 0x39


cdef inline int64_t read_number(const uint8_t* text, int64_t p, int64_t end,
                                int32_t* number) noexcept nogil:
    """Read the digits at p; return their end, or -1 without digits."""
    cdef int32_t n = 0
    if not digit(text, p, end):
        return -1
    while digit(text, p, end):
        n = n * 10 + (text[p] - 0x30) if n < MAX_NUMBER // 10 - 1 else MAX_NUMBER
        p += 1
    number[0] = n
    return p


cdef inline int64_t read_probability(const uint8_t* text, int64_t p, int64_t end,
                                     double* probability) noexcept nogil:
    """Read the decimal number at p; return its end, or -1 if it is not a number from 0 to 1."""
    cdef double x = 0, scale = 1
    cdef int32_t exponent = 0
    cdef int64_t start = p
    cdef bint negative = False, any_digit = False
    while digit(text, p, end):
        x = x * 10 + (text[p] - 0x30)
        p += 1
        any_digit = True
    if p < end and text[p] == 0x2e:
        p += 1
        while digit(text, p, end):
            # Digits beyond what a double holds change nothing.
            if scale < 1e17:
                x = x * 10 + (text[p] - 0x30)
                scale *= 10
            p += 1
            any_digit = True
    if not any_digit or p - start > MAX_EXPONENT:
        return -1
    x /= scale
    if p < end and (text[p] == 0x65 or text[p] == 0x45):
        p += 1
        if p < end and (text[p] == 0x2b or text[p] == 0x2d):
            negative = text[p] == 0x2d
            p += 1
        p = read_number(text, p, end, &exponent)
        if p < 0 or exponent > MAX_EXPONENT:
            return -1
        while exponent > 0 and x != 0:
            x = x / 10 if negative else x * 10
            exponent -= 1
    # Sums of rounded shares may come out above 1 by a little.
    if not x <= 1.001:
        return -1
    probability[0] = x
    return p


cdef inline int read_link(const uint8_t* text, int64_t begin, int64_t end, const BlockLinks* links,
                          ReadLink* found) noexcept nogil:
    """Read the link text[begin:end]; a Problem."""
    cdef int64_t p = read_number(text, begin, end, &found.source)
    if p < 0 or p >= end or (text[p] != 0x2d and text[p] != 0x3f):
        return PROBLEM_FORM
    found.possible = text[p] == 0x3f
    found.probability = 1
    p = read_number(text, p + 1, end, &found.target)
    if p < 0:
        return PROBLEM_FORM
    if p < end:
        if text[p] != 0x3a and text[p] != 0x2f:
            return PROBLEM_FORM
        p = read_probability(text, p + 1, end, &found.probability)
        if p != end:
            return PROBLEM_PROBABILITY
    if found.source >= links.n_source:
        return PROBLEM_SOURCE
    if found.target >= links.n_target:
        return PROBLEM_TARGET
    return PROBLEM_NONE


cdef int read_line(const uint8_t* text, int64_t* at, int64_t end,
                   BlockLinks* links) noexcept nogil:
    """Append the links from `at` to `end`; a Problem, and `at` is where the bad link begins."""
    cdef int64_t begin, stop
    cdef ReadLink found
    cdef int problem
    while True:
        while at[0] < end and ascii_space(text[at[0]]):
            at[0] += 1
        begin = stop = at[0]
        if begin >= end:
            return PROBLEM_NONE
        while stop < end and not ascii_space(text[stop]):
            stop += 1
        problem = read_link(text, begin, stop, links, &found)
        if problem != PROBLEM_NONE:
            return problem
        if found.probability >= links.threshold and (links.keep_possible or not found.possible):
            links.target[links.n] = links.first_word + found.target
            links.source[links.n] = found.source
            links.n += 1
        at[0] = stop


def parse(
    const uint8_t[::1] block,
    const int32_t[::1] n_source,
    const int32_t[::1] n_target,
    double threshold,
    bint keep_possible,
):
    # A link takes three bytes and what separates it from the next.
    cdef int64_t size = block.shape[0], n_lines = n_source.shape[0], room = size // 4 + 1
    cdef int64_t begin = 0, end, at, number = 0, n_before
    cdef const uint8_t* text
    cdef BlockLinks links
    if n_target.shape[0] != n_lines:
        raise ValueError("both sides must have the same number of lines")
    if np.min(n_source, initial=0) < 0 or np.min(n_target, initial=0) < 0:
        raise ValueError("numbers of words must not be negative")
    cdef int64_t[::1] target = np.empty(room, np.int64)
    cdef int64_t[::1] source = np.empty(room, np.int64)
    cdef uint8_t[::1] problem = np.zeros(n_lines, np.uint8)
    cdef int64_t[::1] problem_at = np.zeros(n_lines, np.int64)
    links.target = &target[0]
    links.source = &source[0]
    links.n = links.first_word = 0
    links.threshold = threshold
    links.keep_possible = keep_possible
    with nogil:
        while begin < size and number < n_lines:
            text = &block[0]
            end = find_byte(text, begin, size, 0x0a)
            links.n_source = n_source[number]
            links.n_target = n_target[number]
            at = begin
            n_before = links.n
            problem[number] = <uint8_t>read_line(text, &at, end, &links)
            if problem[number] != PROBLEM_NONE:
                problem_at[number] = at
                links.n = n_before
            links.first_word += links.n_target
            number += 1
            begin = end + 1
    if begin < size or number < n_lines:
        raise ValueError("the block does not have as many lines as there are counts")
    return target.base[:links.n], source.base[:links.n], problem.base, problem_at.base


cdef struct Output:
    uint8_t* text                # a token takes its bytes and one more
    int32_t* word                # of each token; room for as many as there are bytes
    int64_t n_bytes
    int64_t n_tokens


cdef void write_line(const uint8_t* text, const TokenArray* tokens, const WordIndex* words,
                     Output* out) noexcept nogil:
    cdef int32_t i, word = -1
    cdef uint32_t p
    cdef const Token* token
    for i in range(tokens.n):
        token = tokens.tokens + i
        # Words without tokens of their own begin where the one before does not end.
        while word + 1 < words.n_words and words.first_token[word + 1] <= i:
            word += 1
        if i > 0:
            out.text[out.n_bytes] = 0x20
            out.n_bytes += 1
        for p in range(token.start, token.end):
            out.text[out.n_bytes] = 0x5f if ascii_space(text[p]) else text[p]
            out.n_bytes += 1
        out.word[out.n_tokens] = max(word, 0)
        out.n_tokens += 1
    out.text[out.n_bytes] = 0x0a
    out.n_bytes += 1


cdef int split_lines(const uint8_t* text, uint32_t size, int segmentation, bint turkic,
                     Output* out, int64_t* line_offsets) noexcept nogil:
    """Split all lines of a padded text; a Status."""
    cdef TokenArray tokens
    cdef WordIndex words
    cdef uint32_t begin = 0, end
    cdef int64_t line = 0
    cdef int status = STATUS_OK
    memset(&tokens, 0, sizeof(TokenArray))
    memset(&words, 0, sizeof(WordIndex))
    line_offsets[0] = 0
    while begin < size and status == STATUS_OK:
        end = <uint32_t>find_byte(text, begin, size, 0x0a)
        status = segment_line(text, begin, end, segmentation, turkic, &tokens)
        if status == STATUS_OK:
            status = index_words(text, begin, end, segmentation, &tokens, &words)
        if status == STATUS_OK:
            write_line(text, &tokens, &words, out)
            line += 1
            line_offsets[line] = out.n_tokens
        begin = end + 1
    free_tokens(&tokens)
    free_index(&words)
    return status


def split_tokens(bytes block not None, str segmentation="raw", str language=""):
    cdef int64_t size = len(block), n_lines
    cdef const uint8_t* data = block
    cdef Output out
    cdef int kind, status
    cdef bint turkic = is_turkic(language)
    if segmentation not in _SEGMENTATIONS:
        raise ValueError(f"segmentation {segmentation!r}: expected 'space' or 'raw'")
    if size >= UINT32_MAX // 2:
        raise ValueError("a block must be smaller than 2 GB")
    kind = SEGMENT_RAW if segmentation == "raw" else SEGMENT_SPACE
    n_lines = count_lines(block)
    cdef int64_t[::1] line_offsets = np.zeros(n_lines + 1, np.int64)
    cdef int32_t[::1] word = np.empty(size + 1, np.int32)
    cdef uint8_t[::1] padded = np.empty(size + TEXT_PADDING, np.uint8)
    cdef uint8_t[::1] tokens = np.empty(2 * size + n_lines + 1, np.uint8)
    memset(&out, 0, sizeof(Output))
    out.word = &word[0]
    out.text = &tokens[0]
    memcpy(&padded[0], data, size)
    memset(&padded[0] + size, 0, TEXT_PADDING)
    with nogil:
        status = split_lines(&padded[0], <uint32_t>size, kind, turkic, &out, &line_offsets[0])
    if status != STATUS_OK:
        raise MemoryError("out of memory while segmenting a line")
    text = PyBytes_FromStringAndSize(<char*>out.text, out.n_bytes)
    return text, line_offsets.base, word.base[:out.n_tokens].copy()


# Phrases drawn by the naive phrase aligner (Wang, Knight & Marcu 2006, 5)

# Target words without links take no part: the others have *ranks*, counted from 0 in the line.
# A phrase pair is a range of source words and one of ranks, consistent if no link leads out of it.

cdef enum:
    MASK_BITS = 64               # a set of lengths: bit l - 1 is length l


cdef struct Pair:
    int32_t source_begin
    int32_t source_end
    int32_t rank_begin
    int32_t rank_end


cdef struct Draw:                # the distribution of lengths
    double weight[MASK_BITS]
    uint64_t support             # lengths of positive weight
    int32_t longest
    uint64_t state               # of the generator


cdef struct PhraseLine:          # scratch memory of one line, for the largest of a block
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


cdef inline int32_t draw_length(Draw* how, uint64_t lengths) noexcept nogil:
    """Draw one of a non-empty set of lengths, by weight."""
    cdef double total = 0, u
    cdef int32_t length = 0, chosen = 0
    cdef uint64_t left = lengths
    while left:
        if left & 1:
            total += how.weight[length]
        left >>= 1
        length += 1
    u = (draw(&how.state) >> 11) * (1.0 / 9007199254740992.0) * total
    length = 0
    while lengths:
        if lengths & 1:
            chosen = length + 1
            u -= how.weight[length]
            if u < 0:
                break
        lengths >>= 1
        length += 1
    return chosen


cdef bint index_links(const int64_t* offsets, const int32_t* source, int64_t first_word,
                      int64_t n_words, PhraseLine* line) noexcept nogil:
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


cdef uint64_t consistent_lengths(const PhraseLine* line, int32_t begin,
                                 int32_t longest) noexcept nogil:
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


cdef void find_lengths(PhraseLine* line, const Draw* how) noexcept nogil:
    """For each source word, find the lengths of phrases after which the line's end can be reached.

    If no length does, these are all consistent lengths, maybe the empty set.
    """
    cdef int32_t i
    cdef uint64_t reaches = 1    # bit l - 1: the end can be reached from l words on
    cdef uint64_t lengths, good
    for i in range(line.n_source - 1, -1, -1):
        lengths = consistent_lengths(line, i, how.longest) & how.support
        good = lengths & reaches
        line.lengths[i] = good if good else lengths
        reaches = (reaches << 1) | (1 if good else 0)


cdef void absorb(PhraseLine* line, Span* span, int32_t source_begin) noexcept nogil:
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


cdef int32_t take_rank(PhraseLine* line, Span* span, int32_t rank) noexcept nogil:
    """Extend the span over the source words of a rank."""
    if line.low[rank] < span.source_begin:
        absorb(line, span, line.low[rank])
    if line.high[rank] >= span.source_end:
        span.source_end = line.high[rank] + 1
    return rank


cdef void close_span(PhraseLine* line, Span* span) noexcept nogil:
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


cdef void add_pair(PhraseLine* line, int32_t source_begin, int32_t source_end, int32_t rank_begin,
                   int32_t rank_end) noexcept nogil:
    cdef Pair* pair = line.pairs + line.n_pairs
    pair.source_begin = source_begin
    pair.source_end = source_end
    pair.rank_begin = rank_begin
    pair.rank_end = rank_end
    line.above[rank_begin] = rank_end
    line.below[rank_end - 1] = rank_begin + 1
    line.n_pairs += 1


cdef int32_t add_closed(PhraseLine* line, int32_t begin) noexcept nogil:
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


cdef void add_phrase(PhraseLine* line, int32_t begin, int32_t length) noexcept nogil:
    """Add the pair of a source phrase that is known to be consistent."""
    cdef int32_t first = INT32_MAX, last = -1, j
    for j in range(begin, begin + length):
        if line.last_rank[j] >= 0:
            first = min(first, line.first_rank[j])
            last = max(last, line.last_rank[j])
    add_pair(line, begin, begin + length, first, last + 1)


cdef int32_t write_pairs(PhraseLine* line, int32_t n_target, int32_t* out) noexcept nogil:
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


cdef void draw_pairs(Draw* how, PhraseLine* line) noexcept nogil:
    """Draw the pairs of a line that has links."""
    cdef int32_t begin = 0
    find_lengths(line, how)
    while begin < line.n_source:
        if line.lengths[begin]:
            add_phrase(line, begin, draw_length(how, line.lengths[begin]))
            begin = line.pairs[line.n_pairs - 1].source_end
        else:
            begin = add_closed(line, begin)


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
    cdef int64_t room, target_room, number, n_of_line, n_pairs = 0
    cdef const int32_t* links = &source[0] if source.shape[0] else NULL
    cdef bint good = True
    cdef Draw how
    cdef PhraseLine line
    cdef int i
    if n_source.shape[0] != n_lines:
        raise ValueError("numbers of source words are not those of the lines")
    weights = list(weights)
    if not 1 <= len(weights) <= MASK_BITS:
        raise ValueError(f"{len(weights)} phrase lengths, expected 1 to {MASK_BITS}")
    memset(&how, 0, sizeof(Draw))
    how.longest = len(weights)
    for i in range(how.longest):
        how.weight[i] = weights[i]
        if how.weight[i] > 0:
            how.support |= <uint64_t>1 << i
    room = int(np.max(n_source, initial=0)) + 1
    target_room = int(np.max(np.diff(line_offsets), initial=0)) + 1
    if np.min(n_source, initial=0) < 0 or target_room > INT32_MAX:
        raise ValueError("numbers of words out of range")
    cdef int64_t[::1] pair_offsets = np.zeros(n_lines + 1, np.int64)
    cdef int32_t[:, ::1] pairs = np.empty((n_words + 1, 4), np.int32)
    cdef int32_t[::1] words = np.empty(2 * room + 6 * target_room, np.int32)
    cdef uint64_t[::1] lengths = np.empty(room, np.uint64)
    cdef int32_t[::1] own_pairs = np.empty(4 * room, np.int32)
    line.lengths = &lengths[0]
    line.pairs = <Pair*>&own_pairs[0]
    line.first_rank = &words[0]
    line.last_rank = line.first_rank + room
    line.low = line.last_rank + room
    line.high = line.low + target_room
    line.word = line.high + target_room
    line.above = line.word + target_room
    line.below = line.above + target_room
    line.owner = line.below + target_room
    with nogil:
        for number in range(n_lines):
            n_of_line = line_offsets[number + 1] - line_offsets[number]
            line.n_source = n_source[number]
            line.n_pairs = 0
            good = index_links(&offsets[0], links, line_offsets[number], n_of_line, &line)
            if not good:
                break
            if line.n_ranks > 0:
                # Lines have generators of their own, so that blocks may be cut anywhere.
                how.state = seed
                how.state = draw(&how.state) ^ (first_line + <uint64_t>number)
                draw_pairs(&how, &line)
                # At most one pair per target word.
                n_pairs += write_pairs(&line, <int32_t>n_of_line, &pairs[n_pairs, 0])
            pair_offsets[number + 1] = n_pairs
    if not good:
        raise ValueError("a link leads beyond its source line")
    return pair_offsets.base, pairs.base[:n_pairs].copy()
