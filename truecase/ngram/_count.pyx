"""Packed n-grams sorted and counted; words and sentences in streams of ids."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy

from truecase.base._memory cimport STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, rise
from truecase.kernels._sentences cimport first_word, is_mark, sentence_end
from truecase.kernels._structs cimport (
    TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE, KnownWords, Token, TokenArray
)
from truecase.kernels._tokens cimport free_tokens, reserve_tokens
from truecase.kernels._unicode cimport TAG_IU
from truecase.ngram._keys cimport (
    BOS, EOS, Counted128, Counted64, Key128, Sortable, key_at, key_width, less_key, mask128,
    masked, push_word, radix_sort, same_key, set_key, word_of
)

import numpy as np

from truecase.base.threads import OneThread


cdef inline Key128 key_of(Sortable record) noexcept nogil:
    cdef Key128 key
    key.hi = 0
    if Sortable is uint64_t:
        key.lo = record
    elif Sortable is Counted64:
        key.lo = record.key
    elif Sortable is Key128:
        key = record
    else:
        key = record.key
    return key


cdef inline uint64_t count_of(Sortable record) noexcept nogil:
    if Sortable is Counted64:
        return record.count
    elif Sortable is Counted128:
        return record.count
    else:
        return 1


cdef inline bint are_same(Sortable a, Sortable b) noexcept nogil:
    return same_key(key_of(a), key_of(b))


cdef int64_t sum_equal(const Sortable* records, int64_t n, int width, uint64_t* keys,
                       uint32_t* counts) noexcept nogil:
    """Write the keys of sorted records, each once, with the sums of their counts.

    `keys` may be the memory of the records. Returns how many keys there are; -1: a sum is too big.
    """
    cdef int64_t i, m = 0
    cdef uint64_t total = 0
    cdef bint fit = True
    for i in range(n):
        total += count_of(records[i])
        if i + 1 == n or not are_same(records[i + 1], records[i]):
            set_key(keys, m, width, key_of(records[i]))
            counts[m] = <uint32_t>total
            fit = fit and total >> 32 == 0
            total = 0
            m += 1
    return m if fit else -1


cdef class NgramBlock:
    """Collects n-grams of one order; gives the distinct ones, sorted, with their counts.

    Parameters
    ----------
    order : int
    bits : int
        Bits of a word id; ``order * bits <= 128``.
    capacity : int
        Number of n-grams that the block can hold, less than 2**32.
    counted : bool
        Whether the n-grams come with counts, or each is one occurrence.
    """

    cdef readonly int order
    cdef readonly int bits
    cdef readonly int width
    cdef readonly int64_t capacity
    cdef int64_t n
    cdef int n_fields             # uint64 per record: the key, then the count if there is one
    cdef uint64_t[::1] records
    cdef uint64_t[::1] scratch
    cdef Key128 rolling
    cdef object one_thread

    def __cinit__(self, int order, int bits, int64_t capacity, bint counted=False):
        self.width = key_width(order, bits)
        if not 1 <= capacity < <int64_t>1 << 32:
            raise ValueError(f"capacity {capacity}: expected 1 … 2**32 - 1")
        self.one_thread = OneThread("NgramBlock")
        self.order = order
        self.bits = bits
        self.n_fields = self.width + counted
        self.capacity = capacity
        # The system gives memory only to the part that is filled.
        self.records = np.empty(capacity * self.n_fields, dtype=np.uint64)
        self.scratch = np.empty(capacity * self.n_fields, dtype=np.uint64)
        self.n = 0
        self.start_line()

    cdef void start_line(self) noexcept nogil:
        cdef Key128 mask = mask128(self.order * self.bits)
        cdef int _i
        self.rolling.hi = 0
        self.rolling.lo = 0
        for _i in range(self.order - 1):
            self.rolling = push_word(self.rolling, BOS, self.bits, mask)

    cdef int check_start(self, int64_t start, bint counted) except -1:
        if start < 0:
            raise ValueError("start is negative")
        if counted != (self.n_fields > self.width):
            raise ValueError("the block is for n-grams that come with counts, or for others")
        return 0

    def __len__(self):
        return self.n

    def add_ids(self, int64_t start, const uint32_t[::1] ids not None, uint32_t vocabulary_size,
                uint32_t first=0, uint32_t last=0xffffffff):
        """Add the n-grams that end at the ids from `start` on, until the block may be full.

        Lines begin with ``order - 1`` times ``<s>``; a line may continue in the next call. Only
        n-grams whose first word is in `first` … `last` are added.

        Returns
        -------
        int
            Index of the first id not yet added, ``len(ids)`` at the end.
        """
        cdef int64_t i, end, bad = -1, n
        cdef int bits = self.bits, to_first = self.order - 1
        cdef uint32_t word_id, n_more = last - first
        cdef uint64_t key, mask, begin
        cdef uint64_t* out = &self.records[0]
        cdef Key128 wide, wide_mask, wide_begin
        self.check_start(start, False)
        with self.one_thread, nogil:
            n = self.n
            end = min(<int64_t>ids.shape[0], start + self.capacity - n)
            wide = self.rolling
            wide_mask = mask128(self.order * bits)
            self.start_line()
            wide_begin = self.rolling
            if self.width == 1:
                key, mask, begin = wide.lo, wide_mask.lo, wide_begin.lo
                for i in range(start, end):
                    word_id = ids[i]
                    if word_id - EOS >= vocabulary_size - EOS:
                        bad = i
                        break
                    key = ((key << bits) | word_id) & mask
                    # Invariant: end - start is at most the room there is, so n < capacity.
                    out[n] = key
                    n += word_of[uint64_t](key, to_first, bits) - first <= n_more
                    if word_id == EOS:
                        key = begin
                wide.lo = key
            else:
                for i in range(start, end):
                    word_id = ids[i]
                    if word_id - EOS >= vocabulary_size - EOS:
                        bad = i
                        break
                    wide = push_word(wide, word_id, bits, wide_mask)
                    set_key(out, n, 2, wide)
                    n += word_of[Key128](wide, to_first, bits) - first <= n_more
                    if word_id == EOS:
                        wide = wide_begin
            self.rolling = wide
            self.n = n
        if bad >= 0:
            raise ValueError(
                f"word id {ids[bad]} in the stream: expected 2 … {vocabulary_size - 1}")
        return max(start, end)

    def add_suffixes(self, int64_t start, const uint64_t[::1] keys not None, uint32_t first=0,
                     uint32_t last=0xffffffff):
        """Add the suffixes of the (n+1)-grams in `keys`, from record `start` on, like `add_ids`."""
        cdef int bits = self.bits, to_first = self.order - 1
        cdef int width = key_width(self.order + 1, bits)
        cdef int64_t i, n, end = 0
        cdef uint32_t n_more = last - first
        cdef uint64_t* out = &self.records[0]
        cdef Key128 mask, key
        self.check_start(start, False)
        with self.one_thread, nogil:
            n = self.n
            end = max(start, min(<int64_t>keys.shape[0] // width, start + self.capacity - n))
            mask = mask128(self.order * bits)
            if self.width == 1:
                for i in range(start, end):
                    # Invariant: end - start is at most the room there is, so n < capacity.
                    out[n] = keys[width * i + width - 1] & mask.lo
                    n += word_of[uint64_t](out[n], to_first, bits) - first <= n_more
            else:
                for i in range(start, end):
                    key = masked(key_at(&keys[0], i, 2), mask)
                    set_key(out, n, 2, key)
                    n += word_of[Key128](key, to_first, bits) - first <= n_more
            self.n = n
        return end

    cdef inline void put(self, Key128 key, uint64_t count) noexcept nogil:
        # The callers go on only while self.n < self.capacity.
        cdef uint64_t* out = &self.records[self.n * self.n_fields]
        set_key(out, 0, self.width, key)
        out[self.width] = count
        self.n += 1

    def add_renumbered(self, int64_t start, const uint64_t[::1] keys not None,
                       const uint32_t[::1] counts not None, int order, int bits,
                       const uint32_t[::1] new_id not None):
        """Add n-grams under other word ids, from record `start` on, until the block is full.

        Parameters
        ----------
        start : int
        keys : const uint64[::1], shape (n * width,)
            n-grams of `order` words of `bits` bits; only their last words are added if they are
            longer than the block's.
        counts : const uint32[::1], shape (n,)
        order, bits : int
        new_id : const uint32[::1]
            New id of each word id.

        Returns
        -------
        int
            Index of the first record not yet added.

        Raises
        ------
        ValueError
            A word has no new id, or one that does not fit.
        """
        cdef int64_t i, n = counts.shape[0]
        cdef int k, width = key_width(order, bits)
        cdef bint good = True
        cdef uint32_t word
        cdef Key128 key, renumbered, mask
        self.check_start(start, True)
        if order < self.order:
            raise ValueError("no such n-grams")
        if keys.shape[0] != n * width:
            raise ValueError("there are not as many keys as counts")
        with self.one_thread, nogil:
            mask = mask128(self.order * self.bits)
            i = start
            while i < n and self.n < self.capacity:
                key = key_at(&keys[0], i, width)
                renumbered.hi = renumbered.lo = 0
                for k in range(self.order - 1, -1, -1):
                    word = word_of[Key128](key, k, bits)
                    if word >= <uint64_t>new_id.shape[0] or new_id[word] >> self.bits != 0:
                        good = False
                        break
                    renumbered = push_word(renumbered, new_id[word], self.bits, mask)
                if not good:
                    break
                self.put(renumbered, counts[i])
                i += 1
        if not good:
            raise ValueError(f"an n-gram has a word that is not among {new_id.shape[0]}")
        return i

    def add_counted(self, int64_t start, const uint64_t[::1] keys not None,
                    const uint32_t[::1] counts not None, last=None):
        """Add n-grams with their counts, from record `start` on, like `add_ids`.

        `last`, the two halves of a key, is the greatest n-gram that is added.
        """
        cdef int64_t i = start, n = counts.shape[0]
        cdef Key128 key, greatest
        self.check_start(start, True)
        if keys.shape[0] != n * self.width:
            raise ValueError("there are not as many keys as counts")
        greatest.hi, greatest.lo = last or (2**64 - 1, 2**64 - 1)
        with self.one_thread, nogil:
            while i < n and self.n < self.capacity:
                key = key_at(&keys[0], i, self.width)
                if less_key(greatest, key):
                    break
                self.put(key, counts[i])
                i += 1
        return i

    def flush(self, bint copy=True):
        """Empty the block; return its distinct n-grams, sorted, and their counts.

        Parameters
        ----------
        copy : bool
            If false, the keys lie in the block until it is used again.

        Returns
        -------
        keys : uint64 ndarray, shape (n * width,)
        counts : uint32 ndarray, shape (n,)

        Raises
        ------
        OverflowError
            A count reaches 2**32.
        """
        cdef uint64_t* records = &self.records[0]
        cdef uint64_t* scratch = &self.scratch[0]
        with self.one_thread:
            if self.n_fields == 1:
                return take_sorted(self, records, scratch, copy)
            if self.n_fields == 3:
                return take_sorted(self, <Counted128*>records, <Counted128*>scratch, copy)
            if self.width == 1:
                return take_sorted(self, <Counted64*>records, <Counted64*>scratch, copy)
            return take_sorted(self, <Key128*>records, <Key128*>scratch, copy)


cdef object take_sorted(NgramBlock block, Sortable* records, Sortable* scratch, bint copy):
    """Empty the block, whose records these are; otherwise as `NgramBlock.flush`."""
    cdef int64_t n = block.n, m
    cdef Sortable* done
    # The system gives memory only to the part that is filled.
    cdef uint32_t[::1] counts = np.empty(n + 1, np.uint32)
    block.n = 0
    with nogil:
        done = radix_sort(records, scratch, n, block.order * block.bits)
        m = sum_equal(done, n, block.width, <uint64_t*>done, &counts[0])
    if m < 0:
        raise OverflowError("an n-gram occurs 2**32 times or more")
    keys = (block.records if done == records else block.scratch).base[: m * block.width]
    return keys.copy() if copy else keys, counts.base[:m].copy()


def take_surfaces(const uint8_t[::1] blob not None, const int64_t[::1] offsets not None,
                  const uint32_t[::1] ids not None):
    """Return the words of some ids, in the order of `ids`, as a blob and int64 offsets.

    Raises
    ------
    IndexError
        An id is not in the vocabulary.
    """
    cdef int64_t i, at = 0, n = ids.shape[0], n_words = offsets.shape[0] - 1, length
    if not rise(offsets, blob.shape[0]):
        raise ValueError("offsets do not fit the blob of words")
    if n and np.asarray(ids).max() >= n_words:
        raise IndexError(f"an id is not below the {n_words} of the vocabulary")
    new_offsets = np.zeros(n + 1, np.int64)
    np.cumsum(np.diff(offsets)[ids], out=new_offsets[1:])
    cdef uint8_t[::1] out = np.empty(new_offsets[n], np.uint8)
    with nogil:
        for i in range(n):
            length = offsets[ids[i] + 1] - offsets[ids[i]]
            if length:
                memcpy(&out[at], &blob[offsets[ids[i]]], length)
            at += length
    return out.base, new_offsets


# Sentences in a stream of word ids

cdef enum:
    # With TokenFlag, the bits that `truecase.ngram.lexicon.place_flags` sets.
    WORD_ABBREVIATION = 64
    WORD_NAME = 128              # mostly in upper case


cdef struct VocabularyView:      # by word id
    const uint64_t* key
    const uint8_t* tag
    const uint8_t* word_class
    const uint8_t* flags
    uint32_t n


# The tokens of a line have their word id as `start`, since there is no text.

cdef bint is_abbreviation(const void* table, const Token* token) noexcept nogil:
    return ((<const VocabularyView*>table).flags[token.start] & WORD_ABBREVIATION) != 0


cdef bint is_name(const void* table, const Token* token) noexcept nogil:
    return ((<const VocabularyView*>table).flags[token.start] & WORD_NAME) != 0


cdef bint begins(const void* table, const Token* token) noexcept nogil:
    return token.tag == TAG_IU and not is_name(table, token)


cdef int read_line(const VocabularyView* table, const uint32_t* stream, Py_ssize_t n,
                   TokenArray* line) noexcept nogil:
    """Read the words of `stream` up to the next line end; a Status.

    The ids lack white space: it is assumed before every token, except tokens that end or close
    something and commas, colons and semicolons.
    """
    cdef Token* token
    cdef uint32_t word
    cdef Py_ssize_t i
    line.n = 0
    for i in range(n):
        word = stream[i]
        if word == EOS:
            break
        if word >= table.n:
            return STATUS_INVALID
        if reserve_tokens(line, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        token = line.tokens + line.n
        token.start = word
        token.key = table.key[word]
        token.tag = table.tag[word]
        token.word_class = table.word_class[word]
        token.flags = table.flags[word] & (TOKEN_ENDS_SENTENCE | TOKEN_CLOSES)
        if not (token.flags or is_mark(token, 0x2c) or is_mark(token, 0x3a)
                or is_mark(token, 0x3b)):                  # , : ;
            token.flags = TOKEN_SPACE_BEFORE
        line.n += 1
    return STATUS_OK


cdef int mark_first_words(const VocabularyView* table, const uint32_t[::1] stream,
                          uint8_t[::1] is_first) noexcept nogil:
    """Set `is_first` for the first word with letters of each sentence; a Status."""
    cdef TokenArray line
    cdef KnownWords words
    cdef Py_ssize_t at = 0, n = stream.shape[0]
    cdef int32_t first, last, word
    cdef int status = STATUS_OK
    words.words = table
    words.is_abbreviation = is_abbreviation
    words.is_never_alone = is_name
    words.begins = begins
    line.tokens = NULL
    line.n = line.capacity = 0
    while at < n:
        status = read_line(table, &stream[at], n - at, &line)
        if status != STATUS_OK:
            break
        first = 0
        while first < line.n:
            last = sentence_end(&words, &line, first)
            word = first_word(line.tokens, first, last)
            if word >= 0:
                is_first[at + word] = 1
            first = last
        at += line.n + 1
    free_tokens(&line)
    return status


def first_words(const uint32_t[::1] stream, const uint64_t[::1] key, const uint8_t[::1] tag,
                const uint8_t[::1] word_class, const uint8_t[::1] flags):
    """Return which words of a stream are the first word with letters of a sentence.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines; each line ends with id 2.
    key : const uint64[::1], shape (n_words,)
    tag, word_class, flags : const uint8[::1], shape (n_words,)
        As in `truecase.ngram.lexicon.Forms`, with the flags of `place_flags`.

    Returns
    -------
    bool ndarray
        As long as `stream`.
    """
    cdef VocabularyView table
    cdef int status
    if not key.shape[0] == tag.shape[0] == word_class.shape[0] == flags.shape[0] > 0:
        raise ValueError("the tables of words differ in length")
    table.key = &key[0]
    table.tag = &tag[0]
    table.word_class = &word_class[0]
    table.flags = &flags[0]
    table.n = <uint32_t>key.shape[0]
    cdef uint8_t[::1] is_first = np.zeros(stream.shape[0], np.uint8)
    with nogil:
        status = mark_first_words(&table, stream, is_first)
    if status == STATUS_OUT_OF_MEMORY:
        raise MemoryError("no memory for a line of the text")
    if status != STATUS_OK:
        raise ValueError(f"a word id is not in the vocabulary of {table.n} words")
    return is_first.base.view(np.bool_)


def tally_stops(const uint32_t[::1] stream, const uint8_t[::1] flags, const uint8_t[::1] tag,
                int64_t[:, ::1] counts):
    """Count how often each word stands before a token that ends sentences, and what follows.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines; each line ends with id 2.
    flags, tag : const uint8[::1], shape (n_words,)
    counts : int64[:, ::1], shape (2, n_words)
        Added to. Row 0: occurrences before such a token; row 1: those where the line ends with it.

    Returns
    -------
    uint64 ndarray
        ``word << 32 | next word`` for each occurrence that a capitalised word follows.
    """
    cdef Py_ssize_t i, following, n_found = 0, n = stream.shape[0]
    cdef uint32_t n_words = <uint32_t>flags.shape[0]
    if counts.shape[0] != 2 or counts.shape[1] != n_words or tag.shape[0] != n_words:
        raise ValueError("the tables of words differ in length")
    if n and np.asarray(stream).max() >= n_words:
        raise ValueError(f"a word id is not in the vocabulary of {n_words} words")
    cdef uint64_t[::1] found = np.empty(n + 1, np.uint64)
    with nogil:
        for i in range(n - 1):
            if stream[i] == EOS or not flags[stream[i + 1]] & TOKEN_ENDS_SENTENCE:
                continue
            counts[0, stream[i]] += 1
            following = i + 2
            while following < n and flags[stream[following]] & TOKEN_CLOSES:
                following += 1
            if following == n or stream[following] == EOS:
                counts[1, stream[i]] += 1
            elif tag[stream[following]] == TAG_IU:
                found[n_found] = (<uint64_t>stream[i] << 32) | stream[following]
                n_found += 1
    return found.base[:n_found].copy()
