"""Sorting of n-grams that come with counts, and adding up of those that are the same."""

from libc.stdint cimport int64_t, uint32_t, uint64_t

from truecase.ngram._keys cimport (
    Key128, block_width, key_at, mask128, push_word, same_key, word_of,
)
from truecase.ngram._sort cimport Counted64, Counted128, radix_sort

import numpy as np

from truecase.base.threads import OneThread

__all__ = ["CountedBlock"]

cdef enum:
    BOS = 1
    EOS = 2


cdef inline void move(uint64_t* to, const uint64_t* fields, int n) noexcept nogil:
    cdef int i
    for i in range(n):
        to[i] = fields[i]


cdef class CountedBlock:
    """Collects n-grams of one order with their counts, then gives the distinct ones, sorted.

    Parameters
    ----------
    order : int
    bits : int
        Bits of a word id; ``order * bits <= 128``.
    capacity : int
        How many records the block can hold, less than 2**32.
    """

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
        # Both are touched only as far as they are filled.
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

        Of longer ones than the block's, the last words are added.

        Parameters
        ----------
        keys : const uint64[::1], shape (n * width,)
            n-grams of `order` words of `bits` bits.
        counts : const uint32[::1], shape (n,)
        start, order, bits : int
        new_id : const uint32[::1]
            Of each word id.

        Returns
        -------
        int
            Number of the first record not yet added.

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
        """Add the suffixes of (n+1)-grams that end a line, but those that begin with <s>.

        Parameters
        ----------
        keys : const uint64[::1]
            (n+1)-grams.
        counts : const uint32[::1]
            Theirs in the corpus.
        start : int
            Record to go on from.

        Returns
        -------
        int
            Number of the first record not yet looked at.
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
        """The distinct n-grams of the block, sorted, and their counts; empties the block.

        Parameters
        ----------
        copy : bool
            There for callers that have other blocks, too: what is given out is always a copy.

        Returns
        -------
        keys : uint64 ndarray, shape (n * width,)
        counts : uint32 ndarray, shape (n,)

        Raises
        ------
        OverflowError
            An n-gram occurs 2**32 times or more.
        """
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
