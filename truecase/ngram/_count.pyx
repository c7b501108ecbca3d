"""Blocks that sort and count packed n-grams, with or without counts of their own; merged runs."""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free

from truecase.ngram._keys cimport (
    BOS, EOS, Counted128, Counted64, Key, Key128, block_width, key_at, less_key, mask128,
    push_word, radix_sort, same_key, word_of
)

import numpy as np

from truecase.base.threads import OneThread

__all__ = ["CountedBlock", "KeyBlock", "RunMerger", "count_second_words"]


cdef int64_t collapse(Key* keys, uint32_t* counts, int64_t n) noexcept nogil:
    """Move the unique keys of a sorted array to its front, and fill `counts` with their counts."""
    cdef int64_t i, start = 0, m = 0
    for i in range(1, n + 1):
        if i == n or not same_key(keys[i], keys[start]):
            keys[m] = keys[start]
            counts[m] = <uint32_t>(i - start)
            m += 1
            start = i
    return m


cdef int64_t n_unique(const Key* keys, int64_t n) noexcept nogil:
    cdef int64_t i, m = 1 if n else 0
    for i in range(1, n):
        m += not same_key(keys[i], keys[i - 1])
    return m


def count_second_words(const uint64_t[::1] keys not None, int order, int bits,
                       int64_t[::1] of_words not None):
    """Count, for each word, the n-grams with it as second word; ValueError if a word is unknown."""
    cdef int width = block_width(order, bits, 1)
    cdef int64_t i, n = keys.shape[0] // width, n_words = of_words.shape[0]
    cdef uint32_t word
    cdef bint bad = order < 2
    with nogil:
        for i in range(n):
            if width == 1:
                word = word_of[uint64_t](keys[i], order - 2, bits)
            else:
                word = word_of[Key128](key_at(&keys[0], i, 2), order - 2, bits)
            if bad or word >= n_words:
                bad = True
                break
            of_words[word] += 1
    if bad:
        raise ValueError(f"a second word of {order}-grams is not one of {n_words}")


cdef class KeyBlock:
    """Collects n-grams of one order; gives the distinct ones, sorted, with their counts.

    Parameters
    ----------
    order : int
    bits : int
        Bits of a word id; ``order * bits <= 128``.
    capacity : int
        Number of n-grams that the block can hold, less than 2**32.
    """

    cdef readonly int order
    cdef readonly int bits
    cdef readonly int width
    cdef readonly int64_t capacity
    cdef int64_t n
    cdef object keys
    cdef object scratch
    cdef uint64_t[::1] keys_view
    cdef uint64_t[::1] scratch_view
    cdef Key128 rolling
    cdef object one_thread

    def __cinit__(self, int order, int bits, int64_t capacity):
        self.width = block_width(order, bits, capacity)
        self.one_thread = OneThread("KeyBlock")
        self.order = order
        self.bits = bits
        self.capacity = capacity
        # The system gives memory only to the part that is filled.
        self.keys = np.empty(capacity * self.width, dtype=np.uint64)
        self.scratch = np.empty(capacity * self.width, dtype=np.uint64)
        self.keys_view = self.keys
        self.scratch_view = self.scratch
        self.n = 0
        self.start_line()

    cdef void start_line(self) noexcept nogil:
        cdef Key128 mask = mask128(self.order * self.bits)
        cdef int _i
        self.rolling.hi = 0
        self.rolling.lo = 0
        for _i in range(self.order - 1):
            self.rolling = push_word(self.rolling, BOS, self.bits, mask)

    def __len__(self):
        return self.n

    def add_ids(self, const uint32_t[::1] ids not None, int64_t start, uint32_t vocabulary_size,
                uint32_t first=0, uint32_t last=0xffffffff):
        """Add the n-grams that end at the ids from `start` on, until the block may be full.

        Lines begin with ``order - 1`` times ``<s>``; a line may continue in the next call. Only
        n-grams whose first word is in `first` … `last` are added.

        Returns
        -------
        int
            Index of the first id not yet added, ``len(ids)`` at the end.
        """
        with self.one_thread:
            return self._add_ids(ids, start, vocabulary_size, first, last)

    cdef object _add_ids(self, const uint32_t[::1] ids, int64_t start, uint32_t vocabulary_size,
                         uint32_t first_word, uint32_t last_word):
        cdef int64_t end = min(<int64_t>ids.shape[0], start + self.capacity - self.n)
        cdef int64_t i, bad = -1, n = self.n
        cdef int bits = self.bits, to_first = self.order - 1
        cdef uint32_t word_id, n_more = last_word - first_word
        cdef uint64_t key, mask, first
        cdef uint64_t* out = &self.keys_view[0]
        cdef Key128 wide, wide_mask, wide_first
        cdef Key128* wide_out = <Key128*>&self.keys_view[0]
        if start < 0:
            raise ValueError("start is negative")
        with nogil:
            wide = self.rolling
            wide_mask = mask128(self.order * bits)
            self.start_line()
            wide_first = self.rolling
            if self.width == 1:
                key, mask, first = wide.lo, wide_mask.lo, wide_first.lo
                for i in range(start, end):
                    word_id = ids[i]
                    if word_id - EOS >= vocabulary_size - EOS:
                        bad = i
                        break
                    key = ((key << bits) | word_id) & mask
                    # Invariant: end - start is at most the room there is, so n < capacity.
                    out[n] = key
                    n += word_of[uint64_t](key, to_first, bits) - first_word <= n_more
                    if word_id == EOS:
                        key = first
                wide.lo = key
            else:
                for i in range(start, end):
                    word_id = ids[i]
                    if word_id - EOS >= vocabulary_size - EOS:
                        bad = i
                        break
                    wide = push_word(wide, word_id, bits, wide_mask)
                    wide_out[n] = wide
                    n += word_of[Key128](wide, to_first, bits) - first_word <= n_more
                    if word_id == EOS:
                        wide = wide_first
            self.rolling = wide
            self.n = n
        if bad >= 0:
            raise ValueError(
                f"word id {ids[bad]} in the stream: expected 2 … {vocabulary_size - 1}")
        return max(start, end)

    def add_suffixes(self, const uint64_t[::1] keys not None, int64_t start, uint32_t first=0,
                     uint32_t last=0xffffffff):
        """Add the suffixes of the (n+1)-grams in `keys`, from record `start` on, like `add_ids`."""
        with self.one_thread:
            return self._add_suffixes(keys, start, first, last)

    cdef object _add_suffixes(self, const uint64_t[::1] keys, int64_t start, uint32_t first,
                              uint32_t last):
        cdef int width = 1 if (self.order + 1) * self.bits <= 64 else 2
        cdef int64_t end = min(<int64_t>keys.shape[0] // width, start + self.capacity - self.n)
        cdef int64_t i, n = self.n
        cdef int bits = self.bits, to_first = self.order - 1
        cdef uint32_t n_more = last - first
        cdef uint64_t* out = &self.keys_view[0]
        cdef Key128 mask, key
        if start < 0:
            raise ValueError("start is negative")
        if start >= end:
            return start
        with nogil:
            mask = mask128(self.order * bits)
            if self.width == 1:
                for i in range(start, end):
                    # Invariant: end - start is at most the room there is, so n < capacity.
                    out[n] = keys[width * i + width - 1] & mask.lo
                    n += word_of[uint64_t](out[n], to_first, bits) - first <= n_more
            else:
                for i in range(start, end):
                    key.hi = keys[2 * i] & mask.hi
                    key.lo = keys[2 * i + 1] & mask.lo
                    out[2 * n] = key.hi
                    out[2 * n + 1] = key.lo
                    n += word_of[Key128](key, to_first, bits) - first <= n_more
            self.n = n
        return end

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
        """
        with self.one_thread:
            return self._flush(copy)

    cdef object _flush(self, bint copy):
        cdef int64_t n = self.n, m = 0
        cdef int n_bits = self.order * self.bits
        cdef uint64_t* narrow = NULL
        cdef Key128* wide = NULL
        cdef bint swapped = False
        cdef uint32_t[::1] counts_view
        if self.width == 1:
            with nogil:
                narrow = radix_sort[uint64_t](&self.keys_view[0], &self.scratch_view[0], n, n_bits)
                m = n_unique[uint64_t](narrow, n)
                swapped = narrow != &self.keys_view[0]
        else:
            with nogil:
                wide = radix_sort[Key128](<Key128*>&self.keys_view[0],
                                          <Key128*>&self.scratch_view[0], n, n_bits)
                m = n_unique[Key128](wide, n)
                swapped = wide != <Key128*>&self.keys_view[0]
        counts = np.empty(m, dtype=np.uint32)
        if m:
            counts_view = counts
            if self.width == 1:
                with nogil:
                    collapse[uint64_t](narrow, &counts_view[0], n)
            else:
                with nogil:
                    collapse[Key128](wide, &counts_view[0], n)
        keys = (self.scratch if swapped else self.keys)[: m * self.width]
        if copy:
            keys = keys.copy()
        self.n = 0
        return keys, counts


cdef struct Run:                  # the part of a sorted run that is in memory
    const uint64_t* keys
    const uint32_t* counts
    int64_t position
    int64_t n


cdef struct Front:                # the next record of a run
    Key128 key
    int run


cdef void sift_down(Front* heap, int n, int at) noexcept nogil:
    cdef int child
    cdef Front moving = heap[at]
    while True:
        child = 2 * at + 1
        if child >= n:
            break
        if child + 1 < n and less_key[Key128](heap[child + 1].key, heap[child].key):
            child += 1
        if not less_key[Key128](heap[child].key, moving.key):
            break
        heap[at] = heap[child]
        at = child
    heap[at] = moving


cdef class RunMerger:
    """Merges sorted runs of n-grams, adding the counts of equal ones.

    Parameters
    ----------
    sources : list of callables
        Each returns the next part of its run, ``(keys, counts)``; empty at the end of the run.
    width : int
        uint64 per key.
    """

    cdef list sources
    cdef list parts               # the memory that `runs` points into
    cdef int width
    cdef Run* runs
    cdef Front* heap
    cdef int n_heap
    cdef object one_thread

    def __cinit__(self, list sources, int width):
        cdef int i, n = len(sources)
        if width not in (1, 2):
            raise ValueError(f"width {width}: expected 1 or 2")
        self.one_thread = OneThread("RunMerger")
        self.sources = list(sources)
        self.parts = [None] * n
        self.width = width
        self.runs = <Run*>calloc(n + 1, sizeof(Run))
        self.heap = <Front*>calloc(n + 1, sizeof(Front))
        if self.runs == NULL or self.heap == NULL:
            raise MemoryError(f"no memory to merge {n} runs")
        for i in range(n):
            if self.load(i):
                self.heap[self.n_heap].run = i
                self.heap[self.n_heap].key = key_at(self.runs[i].keys, 0, width)
                self.n_heap += 1
        for i in range(self.n_heap // 2 - 1, -1, -1):
            sift_down(self.heap, self.n_heap, i)

    def __dealloc__(self):
        free(self.runs)
        free(self.heap)

    cdef bint load(self, int run) except -1:
        """Load the next part of a run; False at its end."""
        cdef const uint64_t[::1] keys
        cdef const uint32_t[::1] counts
        keys_array, counts_array = self.sources[run]()
        keys = keys_array
        counts = counts_array
        if keys.shape[0] != counts.shape[0] * self.width:
            raise ValueError("a run has not as many keys as counts")
        self.parts[run] = (keys_array, counts_array)
        self.runs[run].position = 0
        self.runs[run].n = counts.shape[0]
        if counts.shape[0] == 0:
            return False
        self.runs[run].keys = &keys[0]
        self.runs[run].counts = &counts[0]
        return True

    def take(self, int64_t n_out):
        """Return the next `n_out` merged records as ``(keys, counts)``, fewer only at the end.

        Raises
        ------
        OverflowError
            An n-gram occurs 2**32 times or more.
        """
        with self.one_thread:
            return self._take(n_out)

    cdef object _take(self, int64_t n_out):
        cdef int64_t m = 0
        cdef int width = self.width
        cdef uint64_t total
        cdef bint full = False, overflow = False
        cdef Run* run = NULL
        cdef Front* heap = self.heap
        keys_array = np.empty(n_out * width, dtype=np.uint64)
        counts_array = np.empty(n_out, dtype=np.uint32)
        cdef uint64_t[::1] keys_view = keys_array
        cdef uint32_t[::1] counts_view = counts_array
        cdef uint64_t* keys
        cdef uint32_t* counts
        if n_out < 1:
            raise ValueError("n_out must be positive")
        keys = &keys_view[0]
        counts = &counts_view[0]
        while self.n_heap and not full and not overflow:
            with nogil:
                while True:
                    run = &self.runs[heap[0].run]
                    if m and same_key[Key128](key_at(keys, m - 1, width), heap[0].key):
                        total = <uint64_t>counts[m - 1] + run.counts[run.position]
                        if total >> 32:
                            overflow = True
                            break
                        counts[m - 1] = <uint32_t>total
                    else:
                        if m == n_out:
                            full = True
                            break
                        if width == 2:
                            keys[2 * m] = heap[0].key.hi
                        keys[m * width + width - 1] = heap[0].key.lo
                        counts[m] = run.counts[run.position]
                        m += 1
                    run.position += 1
                    if run.position == run.n:
                        break
                    heap[0].key = key_at(run.keys, run.position, width)
                    sift_down(heap, self.n_heap, 0)
            if full or overflow:
                break
            if self.load(heap[0].run):
                heap[0].key = key_at(run.keys, 0, width)
            else:
                self.n_heap -= 1
                heap[0] = heap[self.n_heap]
            if self.n_heap:
                sift_down(heap, self.n_heap, 0)
        if overflow:
            raise OverflowError("an n-gram occurs 2**32 times or more")
        return keys_array[: m * width], counts_array[:m]


cdef inline void move(uint64_t* to, const uint64_t* fields, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        to[i] = fields[i]


cdef class CountedBlock:
    """A `KeyBlock` of n-grams that come with counts."""

    cdef readonly int order
    cdef readonly int bits
    cdef readonly int width
    cdef readonly int64_t capacity
    cdef int64_t n
    cdef int n_fields             # uint64 per record: the key, then the count
    cdef object records
    cdef object scratch
    cdef uint64_t[::1] records_view
    cdef uint64_t[::1] scratch_view
    cdef object one_thread

    def __cinit__(self, int order, int bits, int64_t capacity):
        self.width = block_width(order, bits, capacity)
        self.one_thread = OneThread("CountedBlock")
        self.order = order
        self.bits = bits
        self.n_fields = self.width + 1
        self.capacity = capacity
        # The system gives memory only to the part that is filled.
        self.records = np.empty(capacity * self.n_fields, dtype=np.uint64)
        self.scratch = np.empty(capacity * self.n_fields, dtype=np.uint64)
        self.records_view = self.records
        self.scratch_view = self.scratch
        self.n = 0

    def __len__(self):
        return self.n

    cdef inline void put(self, Key128 key, uint64_t count) noexcept nogil:
        # The callers go on only while self.n < self.capacity.
        cdef uint64_t* out = &self.records_view[self.n * self.n_fields]
        if self.width == 2:
            out[0] = key.hi
            out += 1
        out[0] = key.lo
        out[1] = count
        self.n += 1

    def add_renumbered(self, const uint64_t[::1] keys not None, const uint32_t[::1] counts not None,
                       int64_t start, int order, int bits, const uint32_t[::1] new_id not None):
        """Add n-grams under other word ids, from record `start` on, until the block is full.

        Parameters
        ----------
        keys : const uint64[::1], shape (n * width,)
            n-grams of `order` words of `bits` bits; only their last words are added if they are
            longer than the block's.
        counts : const uint32[::1], shape (n,)
        start, order, bits : int
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
        cdef int k, width = 1 if order * bits <= 64 else 2
        cdef bint good = True
        cdef uint32_t word
        cdef Key128 key, renumbered, mask
        if start < 0 or not 2 <= bits <= 32 or order < self.order or order * bits > 128:
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

    def add_line_ends(self, const uint64_t[::1] keys not None, const uint32_t[::1] counts not None,
                      int64_t start):
        """Add the suffixes, unless they begin with <s>, of (n+1)-grams that end a line.

        `keys` and `counts` are the (n+1)-grams and their counts in the corpus; returns the index of
        the first record, from `start` on, that was not read.
        """
        cdef int64_t i, n = counts.shape[0]
        cdef int bits = self.bits, width = 1 if (self.order + 1) * self.bits <= 64 else 2
        cdef Key128 key, mask
        if start < 0 or (self.order + 1) * bits > 128:
            raise ValueError("no such n-grams")
        if keys.shape[0] != n * width:
            raise ValueError("there are not as many keys as counts")
        with self.one_thread, nogil:
            mask = mask128(self.order * bits)
            i = start
            while i < n and self.n < self.capacity:
                key = key_at(&keys[0], i, width)
                i += 1
                if (word_of[Key128](key, 0, bits) == EOS
                        and word_of[Key128](key, self.order - 1, bits) != BOS):
                    key.hi &= mask.hi
                    key.lo &= mask.lo
                    self.put(key, counts[i - 1])
        return i

    def flush(self, bint copy=True):
        """As `KeyBlock.flush`; always returns copies. OverflowError if a count reaches 2**32."""
        cdef int n_bits = self.order * self.bits
        cdef int64_t i, m = 0, n
        cdef int width = self.width, n_fields = self.n_fields
        cdef uint64_t* records = NULL
        cdef uint64_t total
        cdef bint overflow = False
        cdef uint64_t[::1] keys_view
        cdef uint32_t[::1] counts_view
        cdef Key128 last
        with self.one_thread:
            n = self.n
            with nogil:
                if width == 1:
                    records = <uint64_t*>radix_sort[Counted64](
                        <Counted64*>&self.records_view[0], <Counted64*>&self.scratch_view[0],
                        n, n_bits)
                else:
                    records = <uint64_t*>radix_sort[Counted128](
                        <Counted128*>&self.records_view[0], <Counted128*>&self.scratch_view[0],
                        n, n_bits)
                # The first record of each n-gram gets the sum of all, at the front.
                for i in range(n):
                    last = key_at(records + (m - 1) * n_fields if m else records, 0, width)
                    if m and same_key[Key128](key_at(records + i * n_fields, 0, width), last):
                        total = (records[m * n_fields - 1] + records[(i + 1) * n_fields - 1])
                        overflow = overflow or total >> 32 != 0
                        records[m * n_fields - 1] = total
                    else:
                        move(records + m * n_fields, records + i * n_fields, n_fields)
                        m += 1
            self.n = 0
            if overflow:
                raise OverflowError("an n-gram occurs 2**32 times or more")
            keys = np.empty(m * width, np.uint64)
            counts = np.empty(m, np.uint32)
            if m:
                keys_view = keys
                counts_view = counts
                with nogil:
                    for i in range(m):
                        move(&keys_view[i * width], records + i * n_fields, width)
                        counts_view[i] = <uint32_t>records[(i + 1) * n_fields - 1]
            return keys, counts
