"""Loops that run at the limits of a machine: no program that does as much can run faster.

Only the work is here; the caller takes the time.
"""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t

from truecase.text._hash cimport (
    HASH_SEED,
    HIGH_BITS,
    ascii_letters,
    each_byte,
    hash_block,
    hash_end,
    load8,
    store8,
    trailing_zeros,
    upper_letters,
)

__all__ = ["follow", "gather", "pass_over_words"]


cdef enum:
    PADDING = 8                  # bytes behind a text that are read and written with it
    LINE = 8                     # numbers of a line of the cache


cdef inline uint64_t spaces(uint64_t block) noexcept nogil:
    """High bit of the first byte that is a space or a line feed, and of bytes above it."""
    cdef uint64_t space = block ^ each_byte(0x20), feed = block ^ each_byte(0x0a)
    return (((space - each_byte(0x01)) & ~space) | ((feed - each_byte(0x01)) & ~feed)) & HIGH_BITS


cdef int64_t pass_over(const uint8_t* text, int64_t size, uint8_t* out, const uint32_t* table,
                       uint64_t mask, uint64_t* found) noexcept nogil:
    """Copy a text in lower case, hash its words, look each up once; how many there are."""
    cdef int64_t at = 0, n_words = 0
    cdef uint64_t state = HASH_SEED, length = 0, block, ends, n, total = 0
    while at < size:
        block = load8(text + at)
        block |= upper_letters(block, ascii_letters(block)) >> 2
        store8(out + at, block)
        ends = spaces(block)
        if ends == 0:
            state = hash_block(state, block)
            length += 8
            at += 8
            continue
        n = trailing_zeros(ends) >> 3
        block &= (<uint64_t>1 << (8 * n)) - 1
        length += n
        total += table[hash_end(state, block, length) & mask]
        n_words += length != 0
        state = HASH_SEED
        length = 0
        at += n + 1
    found[0] = total
    return n_words


def pass_over_words(const uint8_t[::1] text not None, uint8_t[::1] out not None,
                    const uint32_t[::1] table not None):
    """Copy a text in ASCII lower case, hash each word and look it up: casing cannot do with less.

    Parameters
    ----------
    text, out : bytes-like
        `out` is written; the last 8 bytes of `text` are no part of it, and before them is a line
        feed.
    table : uint32 ndarray, shape (a power of two,)

    Returns
    -------
    n_words : int
    found : int
        Sum of what was looked up, modulo 2**64.
    """
    cdef int64_t n_words, size = text.shape[0] - PADDING
    cdef uint64_t found = 0, mask = <uint64_t>table.shape[0] - 1
    if table.shape[0] < 1 or table.shape[0] & mask:
        raise ValueError("expected a table of 2**n numbers")
    if size < 1 or text[size - 1] != 0x0a or out.shape[0] < text.shape[0]:
        raise ValueError("expected a line feed and 8 bytes at the end, and room for all")
    with nogil:
        n_words = pass_over(&text[0], size, &out[0], &table[0], mask, &found)
    return n_words, found


cdef enum:
    STREAMS = 4                  # random numbers that are made beside one another


cdef uint64_t gather_lines(const uint64_t* table, uint64_t n_lines, int64_t n) noexcept nogil:
    cdef uint64_t place[STREAMS]
    cdef uint64_t total = 0
    cdef int64_t _
    cdef int k
    for k in range(STREAMS):
        place[k] = <uint64_t>k << 60
    for _ in range(n // STREAMS):
        for k in range(STREAMS):
            # Steele & Vigna (2021): a full period, good upper bits.
            place[k] = place[k] * <uint64_t>0xd1342543de82ef95 + 1
            # Invariant: the place is below n_lines.
            total += table[LINE * (((place[k] >> 32) * n_lines) >> 32)]
    return total


def gather(const uint64_t[::1] table not None, int64_t n):
    """Read `n` random lines of a table, none of which has to wait for another; their sum.

    Parameters
    ----------
    table : uint64 ndarray
        Eight numbers a line of the cache; fewer than 2**32 lines.
    n : int
        A multiple of 4.
    """
    cdef uint64_t total, n_lines = <uint64_t>table.shape[0] // LINE
    if n_lines < 1:
        raise ValueError("the table has no line")
    with nogil:
        total = gather_lines(&table[0], n_lines, n)
    return total


def follow(const uint64_t[::1] table not None, int64_t n):
    """Read `n` lines of a table, each where the one before says; the last place.

    Parameters
    ----------
    table : uint64 ndarray
        The first of each eight numbers is the line to go to.
    n : int
    """
    cdef uint64_t place = 0, n_lines = <uint64_t>table.shape[0] // LINE
    cdef int64_t i, _
    if n_lines < 1:
        raise ValueError("the table has no line")
    for i in range(<int64_t>n_lines):
        if table[LINE * i] >= n_lines:
            raise ValueError(f"line {i} leads out of the table")
    with nogil:
        for _ in range(n):
            place = table[LINE * place]
    return place
