"""Words to ids: of text and of ARPA files, whose lines are parsed and formatted here, too."""

from cpython.conversion cimport PyOS_string_to_double
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcmp, memcpy, memset

from truecase.base._check cimport check, prefetch
from truecase.base._memory cimport (
    STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG, TEXT_PADDING, reserve, rise,
    write_decimal
)
from truecase.kernels._plain cimport canonical_surface
from truecase.kernels._render cimport write_surface
from truecase.kernels._segment cimport segment_line
from truecase.kernels._structs cimport TOKEN_CANONICAL, TOKEN_VARIANT, Token, TokenArray
from truecase.kernels._tokens cimport SEGMENT_RAW, free_tokens
from truecase.kernels._unicode cimport find_byte, load8, trailing_zeros
from truecase.ngram._keys cimport EOS, N_SPECIALS

import numpy as np

from truecase.base.threads import OneThread
from truecase.kernels.text import is_turkic
from truecase.ngram.vocabulary import SPECIAL_SURFACES as _SPECIAL_SURFACES, IdStream, Vocabulary


# A hash table from words to ids

cdef enum:
    HEAD_BYTES = 24


cdef struct WordSlot:             # 32 bytes
    uint64_t head[3]
    uint32_t length
    uint32_t id_plus_1            # 0: the slot is empty


cdef struct WordKey:              # a word to look up or insert
    uint64_t head[3]
    uint64_t hash
    const uint8_t* start
    uint32_t length


cdef struct WordTable:
    WordSlot* slots
    uint64_t slot_mask            # number of slots, a power of two, less 1
    uint8_t* arena                # all forms, in order of their ids
    int64_t arena_capacity
    int64_t* offsets              # n_words + 1 entries; form i is arena[offsets[i]:offsets[i + 1]]
    int64_t offsets_capacity
    uint32_t n_words


cdef inline uint64_t mix_word(uint64_t hash, uint64_t bytes) noexcept nogil:
    hash = (hash ^ bytes) * <uint64_t>0x9fb21c651e98df25
    return hash ^ (hash >> 32)


cdef inline void make_key(const uint8_t* start, uint32_t length, bint readable_beyond,
                          WordKey* key) noexcept nogil:
    """Fill `key`; with `readable_beyond`, 24 bytes may be read from `start` whatever the length."""
    cdef uint32_t i
    cdef uint64_t hash, tail
    key.start = start
    key.length = length
    if length <= HEAD_BYTES:
        if readable_beyond:
            key.head[0] = load8(start)
            key.head[1] = load8(start + 8)
            key.head[2] = load8(start + 16)
            if length < 8:
                key.head[0] &= (<uint64_t>1 << (8 * length)) - 1
                key.head[1] = 0
                key.head[2] = 0
            elif length < 16:
                key.head[1] &= (<uint64_t>1 << (8 * (length - 8))) - 1
                key.head[2] = 0
            elif length < 24:
                key.head[2] &= (<uint64_t>1 << (8 * (length - 16))) - 1
        else:
            memset(key.head, 0, HEAD_BYTES)
            memcpy(key.head, start, length)
            for i in range(3):
                key.head[i] = load8(<const uint8_t*>&key.head[i])
        hash = mix_word(<uint64_t>length * <uint64_t>0x9e3779b97f4a7c15, key.head[0])
        if length > 8:
            hash = mix_word(hash, key.head[1])
            if length > 16:
                hash = mix_word(hash, key.head[2])
    else:
        hash = <uint64_t>length * <uint64_t>0x9e3779b97f4a7c15
        i = 0
        while i + 8 <= length:
            tail = load8(start + i)
            hash = mix_word(hash, tail)
            i += 8
        if i < length:
            tail = 0
            memcpy(&tail, start + i, length - i)
            hash = mix_word(hash, tail)
        memcpy(key.head, start, 16)
        key.head[2] = hash
    # The slot is taken from the low bits.
    hash *= <uint64_t>0xd6e8feb86659fd93
    key.hash = hash ^ (hash >> 32)


cdef inline WordSlot* find_word_slot(const WordTable* table, const WordKey* key) noexcept nogil:
    """The slot of a word, or the empty slot where it belongs."""
    # Invariant: at least one slot is empty (insert_word keeps half of them so).
    cdef uint64_t index = key.hash & table.slot_mask
    cdef WordSlot* slot
    check(table.n_words <= table.slot_mask)
    while True:
        slot = &table.slots[index]
        if slot.id_plus_1 == 0:
            return slot
        if (slot.length == key.length and slot.head[0] == key.head[0]
                and slot.head[1] == key.head[1] and slot.head[2] == key.head[2]):
            if key.length <= HEAD_BYTES or memcmp(
                    table.arena + table.offsets[slot.id_plus_1 - 1], key.start, key.length) == 0:
                return slot
        index = (index + 1) & table.slot_mask


cdef inline void free_word_table(WordTable* table) noexcept nogil:
    free(table.slots)
    free(table.arena)
    free(table.offsets)
    memset(table, 0, sizeof(WordTable))


cdef inline int create_word_table(WordTable* table) noexcept nogil:
    memset(table, 0, sizeof(WordTable))
    table.slot_mask = (1 << 12) - 1
    table.arena_capacity = 1 << 14
    table.offsets_capacity = 1 << 11
    table.slots = <WordSlot*>calloc(table.slot_mask + 1, sizeof(WordSlot))
    table.arena = <uint8_t*>malloc(table.arena_capacity)
    table.offsets = <int64_t*>malloc(table.offsets_capacity * sizeof(int64_t))
    if table.slots == NULL or table.arena == NULL or table.offsets == NULL:
        free_word_table(table)
        return STATUS_OUT_OF_MEMORY
    table.offsets[0] = 0
    return STATUS_OK


cdef inline int double_word_slots(WordTable* table) noexcept nogil:
    cdef uint64_t n_slots = 2 * (table.slot_mask + 1)
    cdef uint64_t mask = n_slots - 1
    cdef WordSlot* slots = <WordSlot*>calloc(n_slots, sizeof(WordSlot))
    cdef uint64_t index
    cdef uint32_t i
    cdef WordKey key
    if slots == NULL:
        return STATUS_OUT_OF_MEMORY
    for i in range(table.n_words):
        make_key(table.arena + table.offsets[i],
                 <uint32_t>(table.offsets[i + 1] - table.offsets[i]), False, &key)
        index = key.hash & mask
        while slots[index].id_plus_1:
            index = (index + 1) & mask
        memcpy(slots[index].head, key.head, HEAD_BYTES)
        slots[index].length = key.length
        slots[index].id_plus_1 = i + 1
    free(table.slots)
    table.slots = slots
    table.slot_mask = mask
    return STATUS_OK


cdef inline int insert_word(WordTable* table, const WordKey* key, WordSlot* slot) noexcept nogil:
    """Give a new word the next id; `slot` is what find_word_slot returned for it."""
    cdef int64_t used = table.offsets[table.n_words]
    if table.n_words >= <uint32_t>0xfffffff0:
        return STATUS_TOO_LONG
    if (reserve(<void**>&table.arena, &table.arena_capacity, used + key.length, 1) != STATUS_OK
            or reserve(<void**>&table.offsets, &table.offsets_capacity,
                       <int64_t>table.n_words + 2, sizeof(int64_t)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    memcpy(table.arena + used, key.start, key.length)
    table.n_words += 1
    table.offsets[table.n_words] = used + key.length
    memcpy(slot.head, key.head, HEAD_BYTES)
    slot.length = key.length
    slot.id_plus_1 = table.n_words
    if 2 * <uint64_t>table.n_words > table.slot_mask:
        return double_word_slots(table)
    return STATUS_OK


# Words of texts

cdef enum:
    BATCH = 32                    # words whose slots are fetched at the same time
    PADDING = 2 * TEXT_PADDING    # readable bytes after a text, and more room than any mark takes
    LINE_END = 0xffffffff         # in place of a word's length


cdef struct Batch:
    WordKey keys[BATCH]
    int n
    WordTable* table
    uint32_t* out                 # where the next id goes
    int64_t n_skipped
    int status                    # of the first word that found no room; later ones are dropped


cdef void resolve(Batch* batch) noexcept nogil:
    """Write the ids of the words in the batch, giving new words an id, and empty the batch."""
    cdef int i, n = batch.n if batch.status == STATUS_OK else 0
    cdef WordKey* key
    cdef WordSlot* slot
    batch.n = 0
    for i in range(n):
        key = &batch.keys[i]
        if key.length == <uint32_t>LINE_END:
            batch.out[0] = EOS
            batch.out += 1
            continue
        slot = find_word_slot(batch.table, key)
        if slot.id_plus_1 > N_SPECIALS:
            batch.out[0] = slot.id_plus_1 - 1
            batch.out += 1
        elif slot.id_plus_1:
            batch.n_skipped += 1
        else:
            batch.out[0] = batch.table.n_words
            batch.out += 1
            batch.status = insert_word(batch.table, key, slot)
            if batch.status != STATUS_OK:
                return


cdef inline void add_word(Batch* batch, const uint8_t* start, uint32_t length,
                          bint readable_beyond) noexcept nogil:
    cdef WordKey* key = &batch.keys[batch.n]
    make_key(start, length, readable_beyond, key)
    prefetch(&batch.table.slots[key.hash & batch.table.slot_mask])
    batch.n += 1
    if batch.n == BATCH:
        resolve(batch)


cdef inline void add_line_end(Batch* batch) noexcept nogil:
    batch.keys[batch.n].length = <uint32_t>LINE_END
    batch.n += 1
    if batch.n == BATCH:
        resolve(batch)


cdef inline bint is_separator(uint8_t byte) noexcept nogil:
    return byte == 32 or byte == 10 or byte == 9 or byte == 13 or byte == 0


cdef inline const uint8_t* find_separator(const uint8_t* p, const uint8_t* end) noexcept nogil:
    """First byte of `p` … `end` that separates words, or `end`."""
    cdef uint64_t bytes, below
    while end - p >= 8:
        bytes = load8(p)
        # Marks every byte below 0x21; marks above the lowest one may be wrong.
        below = (bytes - <uint64_t>0x2121212121212121) & ~bytes & <uint64_t>0x8080808080808080
        if below == 0:
            p += 8
            continue
        p += trailing_zeros(below) >> 3
        if is_separator(p[0]):
            return p
        p += 1
    while p < end and not is_separator(p[0]):
        p += 1
    return p


cdef void intern_spaced(Batch* batch, const uint8_t* text, const uint8_t* end) noexcept nogil:
    """Intern the words between spaces, tabs, carriage returns, NULs and line ends."""
    cdef const uint8_t* p = text
    cdef const uint8_t* start
    while p < end and batch.status == STATUS_OK:
        if is_separator(p[0]):
            if p[0] == 10:
                add_line_end(batch)
            p += 1
            continue
        start = p
        p = find_separator(p + 1, end)
        add_word(batch, start, <uint32_t>(p - start), end - start >= 24)
    if end > text and (end - 1)[0] != 10:
        add_line_end(batch)
    resolve(batch)


cdef int intern_raw(Batch* batch, const uint8_t* text, uint32_t n_bytes, bint turkic,
                    TokenArray* tokens, uint8_t* side) noexcept nogil:
    """Intern the tokens of natural text; `side` has room for the longest token's surface.

    The caller guarantees 24 readable bytes after the text. Returns a Status.
    """
    cdef uint32_t begin = 0, end, length
    cdef const uint8_t* form
    cdef const Token* token
    cdef int status
    cdef int32_t i
    while begin < n_bytes and batch.status == STATUS_OK:
        end = <uint32_t>find_byte(text, begin, n_bytes, 10)
        status = segment_line(text, begin, end, SEGMENT_RAW, turkic, tokens)
        if status != STATUS_OK:
            return status
        for i in range(tokens.n):
            token = &tokens.tokens[i]
            if token.flags & TOKEN_VARIANT:
                # Resolved now, since the next one overwrites the side buffer.
                length = write_surface(text, token, side)
                add_word(batch, side, length, False)
                resolve(batch)
            elif token.flags & TOKEN_CANONICAL:
                form = <const uint8_t*>canonical_surface(text, token, &length)
                add_word(batch, form, length, False)
            else:
                add_word(batch, text + token.start, token.end - token.start, True)
        add_line_end(batch)
        begin = end + 1
    resolve(batch)
    return batch.status


cdef int intern_bytes(Batch* batch, const uint8_t* block, uint32_t n_bytes,
                      bint turkic) noexcept nogil:
    """`intern_raw` of a copy: segmentation reads beyond the end of a text."""
    cdef TokenArray tokens
    cdef int status
    cdef uint8_t* text = <uint8_t*>malloc(2 * <size_t>n_bytes + 2 * PADDING)
    if text == NULL:
        return STATUS_OUT_OF_MEMORY
    memcpy(text, block, n_bytes)
    memset(text + n_bytes, 0, PADDING)
    memset(&tokens, 0, sizeof(TokenArray))
    status = intern_raw(batch, text, n_bytes, turkic, &tokens, text + n_bytes + PADDING)
    free_tokens(&tokens)
    free(text)
    return status


cdef object insert_all(WordTable* table, const uint8_t[::1] blob, const int64_t[::1] offsets):
    cdef int64_t i, n = offsets.shape[0] - 1
    cdef int status = STATUS_OK
    cdef WordKey key
    cdef WordSlot* slot
    if n < 1 or not rise(offsets, blob.shape[0]):
        raise ValueError("offsets do not fit the blob of words")
    cdef uint32_t[::1] out = np.empty(n, np.uint32)
    with nogil:
        for i in range(n):
            make_key(&blob[0] + offsets[i], <uint32_t>(offsets[i + 1] - offsets[i]), False, &key)
            slot = find_word_slot(table, &key)
            if slot.id_plus_1:
                out[i] = slot.id_plus_1 - 1
                continue
            out[i] = table.n_words
            status = insert_word(table, &key, slot)
            if status != STATUS_OK:
                break
    if status != STATUS_OK:
        raise MemoryError(f"no memory for a vocabulary of more than {n} words")
    return out.base


cdef class WordIds:
    """Gives words ids in the order in which they come; one thread at a time."""

    cdef WordTable table
    cdef object one_thread

    def __cinit__(self):
        cdef WordKey key
        cdef bytes surface
        self.one_thread = OneThread(type(self).__name__)
        if create_word_table(&self.table) != STATUS_OK:
            raise MemoryError("no memory for a vocabulary")
        for surface in _SPECIAL_SURFACES:
            make_key(surface, <uint32_t>len(surface), False, &key)
            insert_word(&self.table, &key, find_word_slot(&self.table, &key))

    def __dealloc__(self):
        free_word_table(&self.table)

    def __len__(self):
        """Number of word ids, the three special ones included."""
        return self.table.n_words

    def add_words(self, vocabulary):
        """Give the words of a `Vocabulary` ids, if they have none yet; return the id of each."""
        with self.one_thread:
            return insert_all(&self.table, vocabulary.blob, vocabulary.offsets)

    def vocabulary(self, uint32_t first=N_SPECIALS):
        """Return the words as a new `Vocabulary`, without the ids from 3 up to `first`."""
        with self.one_thread:
            n = self.table.n_words
            if not N_SPECIALS <= first <= n:
                raise ValueError(f"first id {first}: expected {N_SPECIALS} … {n}")
            offsets = np.asarray(<int64_t[:n + 1]>self.table.offsets)
            blob = np.asarray(<uint8_t[:offsets[n]]>self.table.arena)
            specials, begin = offsets[<int>N_SPECIALS], offsets[first]
            return Vocabulary(
                np.concatenate([blob[:specials], blob[begin:]]),
                np.concatenate([offsets[:<int>N_SPECIALS], offsets[first:] - (begin - specials)]))


cdef class Interner(WordIds):
    """Turns a corpus into a stream of word ids and the vocabulary that goes with it.

    Ids are given in the order in which words first occur, from 3 on; 0, 1 and 2 are ``<unk>``,
    ``<s>`` and ``</s>``. Words of the corpus that read like these are skipped and counted in
    `n_skipped`. Empty lines and a last line without a line feed end with ``</s>``, too.

    Parameters
    ----------
    segmentation : {"space", "raw"}
        ``space``: words stand between spaces, tabs, carriage returns and NULs.
        ``raw``: words are the tokens of natural text.
    language : str
        ``tr`` and ``az`` have their own lowercase of I.
    stream : IdStream, optional
        Receives the ids; by default a new one in memory.
    vocabulary : Vocabulary, optional
        Words that keep their ids; other words get the next ones.
    """

    cdef uint32_t[::1] scratch
    cdef bint raw, turkic
    cdef bint broken
    cdef readonly int64_t n_skipped      # words that read like a special one
    cdef readonly object stream

    def __cinit__(self, str segmentation="space", str language="", stream=None, vocabulary=None):
        if segmentation not in ("space", "raw"):
            raise ValueError(f"segmentation {segmentation!r}: expected 'space' or 'raw'")
        self.raw = segmentation == "raw"
        self.turkic = is_turkic(language)
        self.stream = IdStream() if stream is None else stream
        self.scratch = np.empty(0, np.uint32)
        if vocabulary is not None:
            known = self.add_words(vocabulary)
            if not np.array_equal(known, np.arange(len(vocabulary))):
                raise ValueError("a word of the vocabulary is there twice, or is a special one")

    def add_block(self, const uint8_t[::1] block not None):
        """Append the words of whole lines to the stream; the last may lack its line feed."""
        self.stream.append(*self.ids(block))

    def ids(self, const uint8_t[::1] block not None):
        """Return the word ids of whole lines, uint32, and the number of lines; the stream stays."""
        cdef int64_t n_bytes = block.shape[0], n_ids, n_lines = 0, i
        cdef Batch batch
        cdef uint32_t* ids
        with self.one_thread:
            if self.broken:
                raise RuntimeError("this Interner has run out of memory before")
            if n_bytes == 0:
                return np.zeros(0, np.uint32), 0
            if n_bytes >= <int64_t>1 << 31:
                raise ValueError("a block of text must be smaller than 2 GiB")
            # A line end or at least one byte for each id, and an end for a last line without one.
            if self.scratch.shape[0] <= n_bytes:
                self.scratch = np.empty(n_bytes + 1, dtype=np.uint32)
            ids = &self.scratch[0]
            batch.n = 0
            batch.table = &self.table
            batch.out = ids
            batch.n_skipped = 0
            batch.status = STATUS_OK
            with nogil:
                if self.raw:
                    batch.status = intern_bytes(&batch, &block[0], <uint32_t>n_bytes, self.turkic)
                else:
                    intern_spaced(&batch, &block[0], &block[0] + n_bytes)
                n_ids = batch.out - ids
                for i in range(n_ids):
                    n_lines += ids[i] == EOS
            self.n_skipped += batch.n_skipped
            if batch.status == STATUS_TOO_LONG:
                self.broken = True
                raise OverflowError("more than 2**32 different words")
            if batch.status != STATUS_OK:
                self.broken = True
                raise MemoryError(
                    f"no memory for a vocabulary of more than {self.table.n_words} words")
            return self.scratch.base[:n_ids].copy(), n_lines


# Lines of ARPA files

cdef enum:
    MAX_NUMBER = 32               # bytes of a formatted number
    SEEN = 1
    SEEN_UPPER = 2                # <UNK> for <unk>

cdef enum ParseStatus:
    PARSED, NO_NUMBER, TOO_FEW_WORDS, TOO_MANY_FIELDS, UNKNOWN_WORD, REPEATED_WORD,
    NO_BACKOFF_NUMBER, POSITIVE, NO_MEMORY, UNWANTED_BACKOFF

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


# Numbers of all sizes. Functions of C take the decimal point of the locale.

cdef uint8_t* write_any(uint8_t* out, double value) except NULL with gil:
    cdef bytes digits = b"%.9g" % value
    memcpy(out, <const uint8_t*>digits, len(digits))
    return out + len(digits)


cdef bint parse_any(const char* field, float* number) noexcept with gil:
    cdef double value
    try:
        value = PyOS_string_to_double(field, NULL, NULL)
    except ValueError:
        return False
    number[0] = <float>value
    return value == value


cdef uint8_t* write_number(uint8_t* out, float number) except NULL nogil:
    """Write the fewest digits that give the same float32 back; at most MAX_NUMBER bytes."""
    cdef double value, scaled
    cdef int decimals, i
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
        return write_any(out, value)
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
    if whole < 10 * power:
        out[0] = <uint8_t>(48 + whole // power)
        out += 1
    else:
        out += write_decimal(whole // power, out)
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
    cdef int n_digits = 0, decimals = 0
    cdef bint negative = False
    cdef const uint8_t* start = p
    cdef char[64] copy
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
    if p == start or p - start >= 64 or memchr(start, 0, p - start) != NULL:
        return NULL
    memcpy(copy, start, p - start)
    copy[p - start] = 0
    return p if parse_any(copy, number) else NULL


cdef inline const uint8_t* skip_blanks(const uint8_t* p, const uint8_t* end) noexcept nogil:
    while p < end and is_blank(p[0]):
        p += 1
    return p


cdef inline int add_unigram(WordTable* table, const WordKey* key, WordSlot* slot, bint is_upper_unk,
                            uint32_t* id, uint8_t* seen) noexcept nogil:
    """Give the word of a unigram its id; REPEATED_WORD if it had one, unless it is special."""
    cdef WordKey upper_unk
    cdef bint is_repeated
    if slot.id_plus_1 > N_SPECIALS or (is_upper_unk and seen[0] == SEEN_UPPER):
        return REPEATED_WORD
    if slot.id_plus_1 == 1 and seen[0] == SEEN_UPPER:
        # The row in which <UNK> stood for <unk> gets the id of another word.
        seen[0] = SEEN
        id[0] = 0
        id -= 1
        while id[0] != 0:
            id -= 1
        key = &upper_unk
        make_key(b"<UNK>", 5, False, &upper_unk)
        slot = find_word_slot(table, key)
    elif slot.id_plus_1 or (is_upper_unk and not seen[0]):
        id[0] = slot.id_plus_1 - 1 if slot.id_plus_1 else 0
        is_repeated = seen[id[0]]
        seen[id[0]] = SEEN_UPPER if is_upper_unk else SEEN
        return REPEATED_WORD if is_repeated else PARSED
    id[0] = table.n_words
    return PARSED if insert_word(table, key, slot) == STATUS_OK else NO_MEMORY


cdef inline int parse_words(WordTable* table, const uint8_t** at, const uint8_t* line_end,
                            const uint8_t* end, int order, uint32_t* ids,
                            uint8_t* seen) noexcept nogil:
    """Parse the words of an n-gram and move `at` behind them; the block ends at `end`."""
    cdef const uint8_t* p = at[0]
    cdef const uint8_t* form
    cdef WordKey key
    cdef WordSlot* slot
    cdef bint is_upper_unk
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
        is_upper_unk = p - form == 5 and memcmp(form, b"<UNK>", 5) == 0
        if order == 1:
            status = add_unigram(table, &key, slot, is_upper_unk, ids, seen)
        elif slot.id_plus_1:
            ids[j] = slot.id_plus_1 - 1
        elif is_upper_unk:
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

    cdef uint8_t seen[3]          # of the special words

    @property
    def has_special(self):
        return [bool(self.seen[j]) for j in range(3)]

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
        cdef int64_t n = words.shape[0], n_lines = 0
        cdef int order = <int>words.shape[1]
        cdef const uint8_t* text
        cdef const uint8_t* p
        cdef const uint8_t* line
        cdef const uint8_t* line_end
        cdef const uint8_t* end
        cdef const uint8_t* end_of_text
        cdef int status = PARSED
        cdef float number
        if not 0 <= start <= block.shape[0] or not 0 <= row <= words.shape[0]:
            raise ValueError("there is no such place in the block, or no such row")
        if log10_prob.shape[0] != n or log10_backoff.shape[0] != (0 if highest else n):
            raise ValueError("not as many numbers as n-grams")
        if block.shape[0] == 0:
            return start, row, 0, PARSED
        text = &block[0]
        end = text + block.shape[0]
        with self.one_thread:
            with nogil:
                line = text + start
                while line < end and row < n:
                    line_end = text + find_byte(text, line - text, end - text, 10)
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
                        &self.table, &p, end_of_text, end, order, &words[row, 0], self.seen
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
            return line - text, row, n_lines, status
