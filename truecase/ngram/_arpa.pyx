"""Formats and parses the lines of ARPA files, and sorts n-grams."""

from libc.stdint cimport int64_t, uint32_t, uint64_t, uint8_t
from libc.stdio cimport snprintf
from libc.stdlib cimport free, malloc, strtod
from libc.string cimport memchr, memcpy

from truecase.base._memory cimport STATUS_OK, rise
from truecase.ngram._intern cimport (
    WordIds, WordKey, WordSlot, WordTable, find_word_slot, insert_word, make_key
)
from truecase.ngram._keys cimport N_SPECIALS, Key128, radix_sort

import numpy as np


cdef enum:
    MAX_NUMBER = 32               # bytes of a formatted number

cdef enum ParseStatus:
    PARSED = 0
    NO_NUMBER = 1
    TOO_FEW_WORDS = 2
    TOO_MANY_FIELDS = 3
    UNKNOWN_WORD = 4
    REPEATED_WORD = 5
    NO_BACKOFF_NUMBER = 6
    POSITIVE = 7
    NO_MEMORY = 8
    UNWANTED_BACKOFF = 9

# Tools write log10 of 0 in different ways: as a number below -LARGEST, for example.
cdef float LOG10_ZERO = -99

# No logarithm of a probability or backoff is larger.
cdef float LARGEST = 1e5

cdef double[23] POWERS = [
    1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15, 1e16,
    1e17, 1e18, 1e19, 1e20, 1e21, 1e22,
]


cdef const char* PAIRS = (
    b"00010203040506070809101112131415161718192021222324252627282930313233343536373839"
    b"40414243444546474849505152535455565758596061626364656667686970717273747576777879"
    b"8081828384858687888990919293949596979899"
)


cdef inline uint8_t* write_integer(uint8_t* out, uint64_t value) noexcept nogil:
    cdef uint8_t[20] digits
    cdef int n = 0
    if value < 10:
        out[0] = <uint8_t>(48 + value)
        return out + 1
    while True:
        digits[n] = <uint8_t>(48 + value % 10)
        value //= 10
        n += 1
        if value == 0:
            break
    while n:
        n -= 1
        out[0] = digits[n]
        out += 1
    return out


cdef uint8_t* write_number(uint8_t* out, float number) noexcept nogil:
    """Write the fewest digits that give the same float32 back; at most MAX_NUMBER bytes."""
    cdef double value, scaled
    cdef int decimals, i, n
    cdef uint64_t whole, fraction, power
    if number < 0:
        out[0] = 45
        out += 1
        number = -number
    value = number
    if value == 0:
        out[0] = 48
        return out + 1
    if not (value >= 1e-6 and value < 1e6):
        n = snprintf(<char*>out, MAX_NUMBER - 1, "%.9g", value)
        return out + n
    decimals = 4 if value >= 100 else 5 if value >= 16 else 6
    scaled = value
    while scaled < 1 and decimals < 12:
        scaled *= 10
        decimals += 1
    while True:
        whole = <uint64_t>(value * POWERS[decimals] + 0.5)
        if <float>(<double>whole / POWERS[decimals]) == number or decimals == 15:
            break
        decimals += 1
    power = <uint64_t>POWERS[decimals]
    fraction = whole % power
    out = write_integer(out, whole // power)
    if fraction == 0:
        return out
    out[0] = 46
    out += 1
    i = decimals
    while i >= 2:
        i -= 2
        memcpy(out + i, PAIRS + 2 * (fraction % 100), 2)
        fraction //= 100
    if i:
        out[0] = <uint8_t>(48 + fraction)
    out += decimals
    while (out - 1)[0] == 48:
        out -= 1
    return out


def format_number(float number):
    """A number as ARPA files have it."""
    cdef uint8_t[64] out
    cdef uint8_t* end = write_number(out, number)
    return (<char*>out)[: end - out].decode("ascii")


def format_lines(const uint32_t[:, ::1] words not None, const float[::1] log10_prob not None,
                 const float[::1] log10_backoff, const uint8_t[::1] blob not None,
                 const int64_t[::1] offsets not None, int64_t start, uint8_t[::1] out not None):
    """Write the lines of n-grams from row `start` on into `out`, as many as fit.

    Returns
    -------
    next_row : int
    n_bytes : int
    """
    cdef int64_t i, n = words.shape[0], n_words = offsets.shape[0] - 1, length, form
    cdef int64_t n_form_bytes = blob.shape[0]
    cdef int order = <int>words.shape[1], j
    cdef uint8_t* p
    cdef uint8_t* end
    cdef const uint8_t* forms = &blob[0] if blob.shape[0] else NULL
    cdef bint outside = False
    if start < 0 or not rise(offsets, blob.shape[0]):
        raise ValueError("offsets do not fit the blob of surface forms")
    if log10_prob.shape[0] != n or (log10_backoff is not None and log10_backoff.shape[0] != n):
        raise ValueError("not as many numbers as n-grams")
    if out.shape[0] == 0:
        raise ValueError("no room for lines")
    p = &out[0]
    end = p + out.shape[0]
    with nogil:
        i = start
        while i < n:
            length = 2 * MAX_NUMBER + 2 + 16
            for j in range(order):
                if words[i, j] >= n_words:
                    outside = True
                    break
                length += offsets[words[i, j] + 1] - offsets[words[i, j]] + 1
            if outside or length > end - p:
                break
            p = write_number(p, log10_prob[i])
            for j in range(order):
                p[0] = 9 if j == 0 else 32
                p += 1
                form = offsets[words[i, j]]
                length = offsets[words[i, j] + 1] - form
                # Most words are short, and a copy of fixed length needs no call. It fits: the
                # numbers take far less than their share of the line.
                if length <= 16 and form + 16 <= n_form_bytes:
                    memcpy(p, forms + form, 16)
                else:
                    memcpy(p, forms + form, length)
                p += length
            if log10_backoff is not None:
                p[0] = 9
                p = write_number(p + 1, log10_backoff[i])
            p[0] = 10
            p += 1
            i += 1
    if outside:
        raise ValueError(f"word id {max(words[i])} in a vocabulary of {n_words} words")
    return i, p - &out[0]


cdef inline bint is_blank(uint8_t byte) noexcept nogil:
    return byte == 32 or byte == 9


cdef inline float logarithm(float number) noexcept nogil:
    return number if number >= -LARGEST else LOG10_ZERO


cdef const uint8_t* parse_number(const uint8_t* p, const uint8_t* end,
                                 float* number) noexcept nogil:
    """Parse the number from `p` to the next blank or `end`; NULL if the field is not a number."""
    cdef uint64_t digits = 0
    cdef int n_digits = 0, decimals = 0, i
    cdef bint negative = False
    cdef const uint8_t* start = p
    cdef char[64] copy
    cdef char* stop
    cdef double value
    if p < end and p[0] == 45:
        negative = True
        p += 1
    while p < end and 48 <= p[0] <= 57 and n_digits < 18:
        digits = 10 * digits + (p[0] - 48)
        n_digits += 1
        p += 1
    if p < end and p[0] == 46:
        p += 1
        while p < end and 48 <= p[0] <= 57 and n_digits < 18:
            digits = 10 * digits + (p[0] - 48)
            n_digits += 1
            decimals += 1
            p += 1
    if n_digits and (p == end or is_blank(p[0])):
        value = <double>digits / POWERS[decimals]
        number[0] = <float>(-value if negative else value)
        return p
    p = start
    while p < end and not is_blank(p[0]):
        p += 1
    if p == start or p - start >= 64:
        return NULL
    for i in range(<int>(p - start)):
        # strtod reads hexadecimal numbers and, in some locales, other decimal points.
        if start[i] == 120 or start[i] == 88 or start[i] == 44:
            return NULL
    memcpy(copy, start, p - start)
    copy[p - start] = 0
    value = strtod(copy, &stop)
    if stop != copy + (p - start) or value != value:
        return NULL
    number[0] = <float>value
    return p


cdef inline bint is_upper_unk(const uint8_t* form) noexcept nogil:
    return (form[0] == 60 and form[1] == 85 and form[2] == 78 and form[3] == 75 and form[4] == 62)


cdef inline const uint8_t* skip_blanks(const uint8_t* p, const uint8_t* end) noexcept nogil:
    while p < end and is_blank(p[0]):
        p += 1
    return p


cdef inline int add_unigram(WordTable* table, const WordKey* key, WordSlot* slot, bint is_unk,
                            uint32_t* id, bint* seen) noexcept nogil:
    """Give the word of a unigram its id; REPEATED_WORD if it had one, unless it is special."""
    cdef bint is_repeated
    if slot.id_plus_1 > N_SPECIALS:
        return REPEATED_WORD
    if slot.id_plus_1 or (is_unk and not seen[0]):
        id[0] = slot.id_plus_1 - 1 if slot.id_plus_1 else 0
        is_repeated = seen[id[0]]
        seen[id[0]] = True
        return REPEATED_WORD if is_repeated else PARSED
    id[0] = table.n_words
    return PARSED if insert_word(table, key, slot) == STATUS_OK else NO_MEMORY


cdef inline int parse_words(WordTable* table, const uint8_t** at, const uint8_t* line_end,
                            const uint8_t* end, int order, uint32_t* ids,
                            bint* seen) noexcept nogil:
    """Parse the words of an n-gram and move `at` behind them; the block ends at `end`."""
    cdef const uint8_t* p = at[0]
    cdef const uint8_t* form
    cdef WordKey key
    cdef WordSlot* slot
    cdef bint is_unk
    cdef int j, status = PARSED
    for j in range(order):
        form = skip_blanks(p, line_end)
        p = form
        while p < line_end and not is_blank(p[0]):
            p += 1
        if p == form:
            return TOO_FEW_WORDS
        make_key(form, <uint32_t>(p - form), end - form >= 24, &key)
        slot = find_word_slot(table, &key)
        is_unk = p - form == 5 and is_upper_unk(form)
        if order == 1:
            status = add_unigram(table, &key, slot, is_unk, ids, seen)
        elif slot.id_plus_1:
            ids[j] = slot.id_plus_1 - 1
        elif is_unk:
            ids[j] = 0
        else:
            return UNKNOWN_WORD
    at[0] = p
    return status


cdef inline int parse_backoff(const uint8_t* p, const uint8_t* end, bint highest,
                              float* backoff) noexcept nogil:
    """Parse the end of a line: blanks or, below the highest order, a backoff."""
    backoff[0] = 0
    p = skip_blanks(p, end)
    if p == end:
        return PARSED
    p = parse_number(p, end, backoff)
    if p == NULL:
        return NO_BACKOFF_NUMBER
    if skip_blanks(p, end) < end:
        return TOO_MANY_FIELDS
    if highest:
        return PARSED if backoff[0] == 0 else UNWANTED_BACKOFF
    if not backoff[0] <= LARGEST:
        return NO_BACKOFF_NUMBER
    backoff[0] = logarithm(backoff[0])
    return PARSED


cdef class ArpaWords(WordIds):
    """The words of an ARPA file, and the parser of its lines."""

    cdef readonly list has_special

    def __cinit__(self):
        self.has_special = [False, False, False]

    def parse_lines(self, const uint8_t[::1] block not None, int64_t start, bint highest,
                    uint32_t[:, ::1] words not None, float[::1] log10_prob not None,
                    float[::1] log10_backoff not None, int64_t row):
        """Parse lines of n-grams into the rows from `row` on.

        Stops before a line that is empty or begins with a backslash, at the end of the block of
        whole lines, when the rows are full, or at an error.

        Returns
        -------
        position : int
            Of the first byte not consumed; at an error, of the bad line.
        row : int
        n_lines : int
            Lines consumed.
        status : int
        """
        if not 0 <= start <= block.shape[0] or not 0 <= row <= words.shape[0]:
            raise ValueError("there is no such place in the block, or no such row")
        with self.one_thread:
            return self._parse(block, start, highest, words, log10_prob, log10_backoff, row)

    cdef object _parse(self, const uint8_t[::1] block, int64_t start, bint highest,
                       uint32_t[:, ::1] words, float[::1] log10_prob, float[::1] log10_backoff,
                       int64_t row):
        cdef int64_t n = words.shape[0], n_lines = 0
        cdef int order = <int>words.shape[1], j
        cdef const uint8_t* text
        cdef const uint8_t* p
        cdef const uint8_t* line
        cdef const uint8_t* line_end
        cdef const uint8_t* end
        cdef const uint8_t* end_of_text
        cdef int status = PARSED
        cdef float number
        cdef bint[3] seen
        if log10_prob.shape[0] != n or log10_backoff.shape[0] != (0 if highest else n):
            raise ValueError("not as many numbers as n-grams")
        for j in range(3):
            seen[j] = self.has_special[j]
        if block.shape[0] == 0:
            return start, row, 0, PARSED
        text = &block[0]
        end = text + block.shape[0]
        with nogil:
            line = text + start
            while line < end and row < n:
                line_end = <const uint8_t*>memchr(line, 10, end - line)
                if line_end == NULL:
                    line_end = end
                p = line
                end_of_text = line_end
                if end_of_text > p and (end_of_text - 1)[0] == 13:
                    end_of_text -= 1
                p = skip_blanks(p, end_of_text)
                if p == end_of_text or p[0] == 92:
                    break
                p = parse_number(p, end_of_text, &number)
                if p == NULL:
                    status = NO_NUMBER
                    break
                # Rounding may have made 1 a little larger.
                if number > 1e-3:
                    status = POSITIVE
                    break
                log10_prob[row] = 0 if number > 0 else logarithm(number)
                status = parse_words(
                    &self.table, &p, end_of_text, end, order, &words[row, 0], seen
                )
                if status == PARSED:
                    status = parse_backoff(p, end_of_text, highest, &number)
                if status != PARSED:
                    break
                if not highest:
                    log10_backoff[row] = number
                row += 1
                n_lines += 1
                line = line_end + 1 if line_end < end else end
        self.has_special = [bool(seen[j]) for j in range(3)]
        return line - text, row, n_lines, status


def lexicographic_order(const uint32_t[:, ::1] words not None, int bits):
    """Row numbers in stable lexicographic order, int64; all word ids are less than ``2**bits``."""
    cdef int64_t i, n = words.shape[0]
    cdef int order = <int>words.shape[1], first, last, j
    cdef int per_key = max(1, 64 // bits)
    cdef Key128* keys
    cdef Key128* scratch
    cdef Key128* done
    cdef uint64_t packed
    out_array = np.empty(n, dtype=np.int64)
    cdef int64_t[::1] out = out_array
    keys = <Key128*>malloc((n + 1) * sizeof(Key128))
    scratch = <Key128*>malloc((n + 1) * sizeof(Key128))
    if keys == NULL or scratch == NULL:
        free(keys)
        free(scratch)
        raise MemoryError(f"no memory to sort {n} {order}-grams")
    with nogil:
        for i in range(n):
            keys[i].hi = i
        done = keys
        last = order
        # Words are taken from the last to the first, as many at a time as fit into 64 bits.
        while last > 0:
            first = max(0, last - per_key)
            for i in range(n):
                packed = 0
                for j in range(first, last):
                    packed = (packed << bits) | words[<int64_t>done[i].hi, j]
                done[i].lo = packed
            done = radix_sort[Key128](done, scratch if done == keys else keys, n,
                                      (last - first) * bits)
            last = first
        for i in range(n):
            out[i] = <int64_t>done[i].hi
    free(keys)
    free(scratch)
    return out_array
