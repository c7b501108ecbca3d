"""Counts pairs of source and target forms of a word-aligned bitext."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memchr, memset

from truecase.base._memory cimport STATUS_INVALID, STATUS_OK, STATUS_TOO_LONG, TEXT_PADDING
from truecase.kernels._dense cimport check
from truecase.kernels._segment cimport segment_line
from truecase.kernels._source cimport (
    free_source, is_word, segment_source, select_phrase, surface_form
)
from truecase.kernels._structs cimport SourceLine, Token, TokenArray, WordIndex
from truecase.kernels._tokens cimport free_index, free_tokens, index_words
from truecase.training._pair_table cimport (
    FormTable, PairSlot, PairTable, count_pair, free_forms, free_pairs, intern_form, prefetch_pair
)

import numpy as np

from truecase.base.threads import OneThread


__all__ = ["PairCounter"]


cdef enum:
    BATCH = 256                  # pairs whose slots are fetched together


cdef struct Counting:
    SourceLine source
    TokenArray target
    WordIndex target_words
    FormTable sources
    FormTable targets
    PairTable pairs
    uint64_t batch[BATCH]
    int32_t n_batch
    int64_t n_words              # target words that have a source word
    int segmentation
    bint source_turkic
    bint target_turkic


cdef struct Links:               # a `Phrases`, checked
    const int64_t* line_offsets
    const int64_t* offsets
    const int32_t* source
    const uint8_t* unaligned
    int64_t n_lines


cdef int flush_batch(Counting* work) noexcept nogil:
    cdef int32_t i
    cdef int status
    if work.pairs.n_slots:
        for i in range(work.n_batch):
            prefetch_pair(&work.pairs, work.batch[i])
    for i in range(work.n_batch):
        status = count_pair(&work.pairs, work.batch[i])
        if status != STATUS_OK:
            return status
    work.n_batch = 0
    return STATUS_OK


cdef inline int count_token(Counting* work, const Token* token, const int32_t* words,
                            int32_t n_words) noexcept nogil:
    """Count the pairs of one target token; a Status."""
    cdef const Token* source
    cdef uint32_t target_id, source_id
    cdef int32_t k, i
    cdef int status = intern_form(&work.targets, surface_form(token), token.key, token.tag,
                                  &target_id)
    select_phrase(&work.source, words, n_words, is_word(token))
    for k in range(work.source.n_phrase):
        i = work.source.phrase[k]
        source = work.source.tokens.tokens + i
        if status == STATUS_OK:
            status = intern_form(&work.sources, work.source.forms[i].form, source.key, source.tag,
                                 &source_id)
        if status == STATUS_OK and work.n_batch == BATCH:
            status = flush_batch(work)
        if status != STATUS_OK:
            return status
        work.batch[work.n_batch] = (<uint64_t>source_id << 32) | target_id
        work.n_batch += 1
    return status


cdef int count_line(Counting* work, const Links* links, int64_t line) noexcept nogil:
    """Count the pairs of a segmented line; a Status."""
    cdef int64_t word, base = links.line_offsets[line]
    cdef int64_t begin, n
    cdef int32_t i
    cdef int status
    if work.target_words.n_words != links.line_offsets[line + 1] - base:
        return STATUS_INVALID
    # Invariant, checked by `add`: offsets ascend and end with the last source word.
    for begin in range(links.offsets[base], links.offsets[links.line_offsets[line + 1]]):
        if <uint32_t>links.source[begin] >= <uint32_t>work.source.words.n_words:
            return STATUS_INVALID
    for word in range(work.target_words.n_words):
        begin = links.offsets[base + word]
        n = links.offsets[base + word + 1] - begin
        check(n >= 0)
        if n == 0:
            continue
        work.n_words += 1
        for i in range(work.target_words.first_token[word],
                       work.target_words.first_token[word + 1]):
            status = count_token(work, work.target.tokens + i, links.source + begin, <int32_t>n)
            if status != STATUS_OK:
                return status
    return STATUS_OK


cdef inline size_t line_end(const uint8_t* text, size_t begin, size_t size) noexcept nogil:
    cdef const uint8_t* found = <const uint8_t*>memchr(text + begin, 0x0a, size - begin)
    return <size_t>(found - text) if found != NULL else size


cdef int count_block(Counting* work, const uint8_t* source, size_t source_size,
                     const uint8_t* target, size_t target_size, const Links* links,
                     int64_t* blamed) noexcept nogil:
    """Count the pairs of all lines of two padded blocks; a Status, and its line in `blamed`."""
    cdef size_t p = 0, q = 0, p_end, q_end
    cdef int64_t line = 0
    cdef int status = STATUS_OK
    while p < source_size or q < target_size:
        blamed[0] = line + 1
        if p >= source_size or q >= target_size or line >= links.n_lines:
            return STATUS_TOO_LONG
        p_end = line_end(source, p, source_size)
        q_end = line_end(target, q, target_size)
        if not links.unaligned[line]:
            status = segment_source(source, <uint32_t>p, <uint32_t>p_end, work.segmentation,
                                    work.source_turkic, &work.source)
            if status == STATUS_OK:
                status = segment_line(target, <uint32_t>q, <uint32_t>q_end, work.segmentation,
                                      work.target_turkic, &work.target)
            if status == STATUS_OK:
                status = index_words(target, <uint32_t>q, <uint32_t>q_end, work.segmentation,
                                     &work.target, &work.target_words)
            if status == STATUS_OK:
                status = count_line(work, links, line)
            if status != STATUS_OK:
                return status
        line += 1
        p = p_end + 1
        q = q_end + 1
    blamed[0] = line
    if line != links.n_lines:
        return STATUS_TOO_LONG
    return flush_batch(work)


cdef class PairCounter:
    """Counts linked pairs of surface forms, block by block.

    Memory grows with the number of different forms and pairs, not with the text. `segmentation` is
    0 for space and 1 for raw; `source_turkic` and `target_turkic` are the casing of Turkish and
    Azeri.
    """

    cdef Counting work
    cdef object one_thread

    def __cinit__(self, int segmentation, bint source_turkic, bint target_turkic):
        memset(&self.work, 0, sizeof(Counting))
        self.one_thread = OneThread("PairCounter")
        self.work.segmentation = segmentation
        self.work.source_turkic = source_turkic
        self.work.target_turkic = target_turkic

    def __dealloc__(self):
        free_source(&self.work.source)
        free_tokens(&self.work.target)
        free_index(&self.work.target_words)
        free_forms(&self.work.sources)
        free_forms(&self.work.targets)
        free_pairs(&self.work.pairs)

    def add(self, source, target, const int64_t[::1] line_offsets, const int64_t[::1] offsets,
            const int32_t[::1] links, const uint8_t[::1] unaligned):
        """Count the links of a block of lines.

        Every token of a target word is paired with those tokens of its source words that
        `select_phrase` lists.

        Parameters
        ----------
        source, target : bytes-like
            Equally many lines.
        line_offsets : const int64[::1], shape (n_lines + 1,)
            First target word of each line, counted over the block.
        offsets : const int64[::1], shape (n_words + 1,)
            Source words of target word w are ``links[offsets[w]:offsets[w + 1]]``.
        links : const int32[::1]
        unaligned : const uint8[::1], shape (n_lines,)
            1: the alignment of the line is unknown; the line has no links.

        Raises
        ------
        ValueError
            The arrays do not fit each other or the lines. The lines before the named one are
            counted, the named line is not.
        MemoryError
        """
        cdef bytes first = bytes(source) + bytes(TEXT_PADDING)
        cdef bytes second = bytes(target) + bytes(TEXT_PADDING)
        cdef const uint8_t* p = first
        cdef const uint8_t* q = second
        cdef size_t p_size = len(first) - TEXT_PADDING, q_size = len(second) - TEXT_PADDING
        # Copies, which stay as checked whatever another thread does with the caller's arrays.
        cdef const int64_t[::1] line_starts = np.array(line_offsets)
        cdef const int64_t[::1] starts = np.array(offsets)
        cdef const int32_t[::1] some_links = np.array(links)
        cdef const uint8_t[::1] some_unaligned = unaligned
        cdef Links view
        cdef int64_t blamed = 0
        cdef int status
        if p_size > INT32_MAX or q_size > INT32_MAX:
            raise ValueError("a block of 2 GiB or more cannot be counted at once")
        _check_offsets("line_offsets", line_starts, starts.shape[0] - 1)
        _check_offsets("offsets", starts, links.shape[0])
        if unaligned.shape[0] != line_offsets.shape[0] - 1:
            raise ValueError(f"{line_offsets.shape[0] - 1} lines of links, but `unaligned` "
                             f"has {unaligned.shape[0]} entries")
        if not links.shape[0]:
            some_links = np.zeros(1, np.int32)
        if not unaligned.shape[0]:
            some_unaligned = np.zeros(1, np.uint8)
        view.line_offsets = &line_starts[0]
        view.offsets = &starts[0]
        view.source = &some_links[0]
        view.unaligned = &some_unaligned[0]
        view.n_lines = unaligned.shape[0]
        with self.one_thread, nogil:
            status = count_block(&self.work, p, p_size, q, q_size, &view, &blamed)
        if status == STATUS_INVALID:
            raise ValueError(f"line {blamed} of the block: its links do not fit the words "
                             "of source and target")
        if status == STATUS_TOO_LONG:
            raise ValueError(f"line {blamed} of the block: source, target and links have "
                             "different numbers of lines, or more words than can be counted")
        if status != STATUS_OK:
            raise MemoryError(f"no memory left to count pairs at line {blamed} of the block")

    @property
    def n_words(self):
        """Target words so far that have a source word."""
        return self.work.n_words

    @property
    def n_bytes(self):
        """Bytes that forms and pairs take now."""
        return (self.work.pairs.n_slots * sizeof(PairSlot)
                + (self.work.sources.n_slots + self.work.targets.n_slots) * sizeof(uint32_t)
                + (self.work.sources.capacity + self.work.targets.capacity) * 17)

    def pairs(self):
        """The counts so far: pairs, uint64, ascending, and the count of each, uint32.

        The upper half of a pair is the source id, the lower half the target id.
        """
        with self.one_thread:
            return self._pairs()

    cdef object _pairs(self):
        cdef uint64_t n, i, k = 0
        # Remains of a call that failed.
        if flush_batch(&self.work) != STATUS_OK:
            raise MemoryError("no memory left to count pairs")
        n = self.work.pairs.n
        pair_array = np.empty(n, np.uint64)
        count_array = np.empty(n, np.uint32)
        cdef uint64_t[::1] pair = pair_array
        cdef uint32_t[::1] count = count_array
        with nogil:
            for i in range(self.work.pairs.n_slots):
                if self.work.pairs.slots[i].count:
                    pair[k] = self.work.pairs.slots[i].pair
                    count[k] = self.work.pairs.slots[i].count
                    k += 1
        order = np.argsort(pair_array)
        return pair_array[order], count_array[order]

    def source_forms(self):
        """Form, lowercase key (both uint64) and tag (uint8) of each source id."""
        with self.one_thread:
            return _forms(&self.work.sources)

    def target_forms(self):
        """Form, lowercase key (both uint64) and tag (uint8) of each target id."""
        with self.one_thread:
            return _forms(&self.work.targets)


cdef _forms(const FormTable* table):
    forms = np.empty(table.n, np.uint64)
    keys = np.empty(table.n, np.uint64)
    tags = np.empty(table.n, np.uint8)
    cdef uint64_t[::1] form = forms, key = keys
    cdef uint8_t[::1] tag = tags
    cdef uint32_t i
    for i in range(table.n):
        form[i] = table.form[i]
        key[i] = table.key[i]
        tag[i] = table.tag[i]
    return forms, keys, tags


def _check_offsets(name, const int64_t[::1] offsets, n):
    values = np.asarray(offsets)
    if (not len(values) or values[0] != 0 or values[len(values) - 1] != n
            or (np.diff(values) < 0).any()):
        raise ValueError(f"`{name}` must rise from 0 to {n}")
