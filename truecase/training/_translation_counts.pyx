"""Counts pairs of source and target forms of a word-aligned bitext."""

from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.base._check cimport prefetch
from truecase.base._memory cimport (
    STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG, TEXT_PADDING, reserve
)
from truecase.kernels._maps cimport (
    NOT_FOUND, add_key, find_key, first_slot, free_index as free_keys, slot_of_key
)
from truecase.kernels._segment cimport segment_line
from truecase.kernels._source cimport (
    AlignedBlock, free_source, is_word, segment_source, select_phrase, surface_form
)
from truecase.kernels._structs cimport (
    AlignedText, KeyIndex, KeySlot, SourceLine, Token, TokenArray, WordIndex
)
from truecase.kernels._tokens cimport free_index, free_tokens, index_words
from truecase.kernels._unicode cimport find_byte

import numpy as np

from truecase.base.threads import OneThread


cdef enum:
    MOST_FORMS = 1 << 30
    BATCH = 256                  # pairs whose slots are fetched together


cdef extern from *:
    """
    /* Factors whose product is 1: a pair's key is spread over the table, and leads back to it. */
    #define TRUECASE_PAIR_SPREAD 0x9e3779b97f4a7c15u
    #define TRUECASE_PAIR_GATHER 0xf1de83e19937733du
    """
    uint64_t SPREAD "TRUECASE_PAIR_SPREAD"
    uint64_t GATHER "TRUECASE_PAIR_GATHER"


cdef struct Form:
    uint64_t form
    uint64_t key
    uint8_t tag


cdef struct FormTable:           # all zeros at first
    KeyIndex ids                 # by form
    Form* forms                  # by id, in order of first sight
    uint32_t n
    int64_t capacity


cdef inline void free_forms(FormTable* table) noexcept nogil:
    free_keys(&table.ids)
    free(table.forms)


cdef inline int intern_form(FormTable* table, uint64_t form, uint64_t key, uint8_t tag,
                            uint32_t* id) noexcept nogil:
    """Find the id of a form, and add the form if it is new; a Status."""
    id[0] = find_key(&table.ids, form)
    if id[0] != NOT_FOUND:
        return STATUS_OK
    if table.n >= MOST_FORMS:
        return STATUS_TOO_LONG
    if reserve(<void**>&table.forms, &table.capacity, <int64_t>table.n + 1,
               sizeof(Form)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    id[0] = table.n
    table.forms[table.n] = Form(form, key, tag)
    table.n += 1
    return add_key(&table.ids, form, id[0])


cdef inline int count_pair(KeyIndex* pairs, uint64_t key) noexcept nogil:
    """Count a pair once more; a Status. Counts stop at 2**32 - 1."""
    cdef KeySlot* slot = slot_of_key(pairs, key)
    if slot == NULL:
        return add_key(pairs, key, 0)
    slot.value_plus_one += slot.value_plus_one != <uint32_t>0xffffffff
    return STATUS_OK


cdef struct Counting:
    SourceLine source
    TokenArray target
    WordIndex target_words
    FormTable sources
    FormTable targets
    KeyIndex pairs               # counts by SPREAD * (source id << 32 | target id)
    uint64_t batch[BATCH]
    int32_t n_batch
    int64_t n_words              # target words that have a source word
    int segmentation
    bint source_turkic
    bint target_turkic


cdef int flush_batch(Counting* work) noexcept nogil:
    cdef int32_t i
    cdef int status
    if work.pairs.capacity:
        for i in range(work.n_batch):
            prefetch(work.pairs.slots + first_slot(work.batch[i], work.pairs.capacity))
    # From the end: what is left after an error has not been counted.
    while work.n_batch > 0:
        status = count_pair(&work.pairs, work.batch[work.n_batch - 1])
        if status != STATUS_OK:
            return status
        work.n_batch -= 1
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
        status = status or intern_form(
            &work.sources, work.source.forms[i].form, source.key, source.tag, &source_id)
        if status == STATUS_OK and work.n_batch == BATCH:
            status = flush_batch(work)
        if status != STATUS_OK:
            return status
        work.batch[work.n_batch] = SPREAD * (<uint64_t>source_id << 32 | target_id)
        work.n_batch += 1
    return status


cdef int count_line(Counting* work, const AlignedText* lines, int64_t line) noexcept nogil:
    """Count the pairs of a segmented line; a Status."""
    cdef int64_t word, base = lines.line_offsets[line], begin, n
    cdef int32_t i
    cdef int status
    if work.target_words.n_words != lines.line_offsets[line + 1] - base:
        return STATUS_INVALID
    # Invariant, checked by `AlignedBlock`: offsets ascend and end with the last source word.
    for begin in range(lines.offsets[base], lines.offsets[lines.line_offsets[line + 1]]):
        if <uint32_t>lines.links[begin] >= <uint32_t>work.source.words.n_words:
            return STATUS_INVALID
    for word in range(work.target_words.n_words):
        begin = lines.offsets[base + word]
        n = lines.offsets[base + word + 1] - begin
        if n == 0:
            continue
        work.n_words += 1
        for i in range(work.target_words.first_token[word],
                       work.target_words.first_token[word + 1]):
            status = count_token(work, work.target.tokens + i, lines.links + begin, <int32_t>n)
            if status != STATUS_OK:
                return status
    return STATUS_OK


cdef int count_block(Counting* work, const uint8_t* target, size_t size, const AlignedText* lines,
                     int64_t* blamed) noexcept nogil:
    """Count the pairs of all lines of a padded block; a Status, and its line in `blamed`."""
    cdef size_t p = 0, q = 0, p_end, q_end
    cdef int64_t line
    cdef int status = STATUS_OK
    for line in range(lines.n_lines):
        blamed[0] = line + 1
        p_end = find_byte(lines.source, p, lines.source_size, 0x0a)
        q_end = find_byte(target, q, size, 0x0a)
        if not lines.unaligned[line]:
            status = segment_source(
                lines.source, <uint32_t>p, <uint32_t>p_end, work.segmentation, work.source_turkic,
                &work.source) or segment_line(
                target, <uint32_t>q, <uint32_t>q_end, work.segmentation, work.target_turkic,
                &work.target) or index_words(
                target, <uint32_t>q, <uint32_t>q_end, work.segmentation, &work.target,
                &work.target_words) or count_line(work, lines, line)
            if status != STATUS_OK:
                return status
        # A last line of the source that is empty may lack its line end.
        p = min(p_end + 1, <size_t>lines.source_size)
        q = q_end + 1
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
        free_keys(&self.work.pairs)

    def add(self, bytes target not None, source, phrases not None):
        """Count the links of a block of lines; see `AlignedBlock`.

        Every token of a target word is paired with those tokens of its source words that
        `select_phrase` lists.

        Raises
        ------
        ValueError
            Lines, source and links do not fit each other. Of links that do not fit the words of a
            line, the message names the line; the lines before it are counted.
        MemoryError
        """
        cdef AlignedBlock lines = AlignedBlock(target, source, phrases)
        cdef bytes padded = target + bytes(TEXT_PADDING)
        cdef const uint8_t* text = padded
        cdef size_t size = len(target)
        cdef int64_t blamed = 0
        cdef int status
        if size > INT32_MAX:
            raise ValueError("a block of 2 GiB or more cannot be counted at once")
        with self.one_thread, nogil:
            status = count_block(&self.work, text, size, &lines.aligned, &blamed)
        if status == STATUS_INVALID:
            raise ValueError(f"line {blamed} of the block: its links do not fit the words "
                             "of source and target")
        if status == STATUS_TOO_LONG:
            raise ValueError(f"line {blamed} of the block: more words than can be counted")
        if status != STATUS_OK:
            raise MemoryError(f"no memory left to count pairs at line {blamed} of the block")

    @property
    def n_words(self):
        """Target words so far that have a source word."""
        return self.work.n_words

    def pairs(self):
        """The counts so far: pairs, uint64, ascending, and the count of each, uint32.

        The upper half of a pair is the source id, the lower half the target id.
        """
        cdef KeyIndex* pairs = &self.work.pairs
        cdef uint64_t[::1] pair
        cdef uint32_t[::1] count
        cdef uint64_t i, k = 0
        with self.one_thread:
            # Remains of a call that failed.
            if flush_batch(&self.work) != STATUS_OK:
                raise MemoryError("no memory left to count pairs")
            pair = np.empty(pairs.n, np.uint64)
            count = np.empty(pairs.n, np.uint32)
            with nogil:
                for i in range(pairs.capacity):
                    if pairs.slots[i].value_plus_one:
                        pair[k] = GATHER * pairs.slots[i].key
                        count[k] = pairs.slots[i].value_plus_one
                        k += 1
        order = np.argsort(pair.base)
        return pair.base[order], count.base[order]

    def forms(self):
        """Form, lowercase key (both uint64) and tag (uint8) of each source id and target id."""
        with self.one_thread:
            return _forms(&self.work.sources), _forms(&self.work.targets)


cdef _forms(const FormTable* table):
    forms = np.empty(table.n, np.uint64)
    keys = np.empty(table.n, np.uint64)
    tags = np.empty(table.n, np.uint8)
    cdef uint64_t[::1] form = forms, key = keys
    cdef uint8_t[::1] tag = tags
    cdef uint32_t i
    for i in range(table.n):
        form[i], key[i], tag[i] = table.forms[i].form, table.forms[i].key, table.forms[i].tag
    return forms, keys, tags
