"""Words to ids: the words of blocks of text, and the vocabulary that they make."""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset

from truecase.base._memory cimport (
    STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG, TEXT_PADDING, rise
)
from truecase.kernels._plain cimport canonical_surface
from truecase.kernels._render cimport write_surface
from truecase.kernels._segment cimport segment_line
from truecase.kernels._structs cimport TOKEN_CANONICAL, TOKEN_VARIANT, Token, TokenArray
from truecase.kernels._tokens cimport SEGMENT_RAW, free_tokens
from truecase.kernels._unicode cimport load8, trailing_zeros
from truecase.ngram._keys cimport EOS, N_SPECIALS

import numpy as np

from truecase.base.threads import OneThread
from truecase.kernels.text import is_turkic
from truecase.ngram.vocabulary import SPECIAL_SURFACES as _SPECIAL_SURFACES, IdStream, Vocabulary


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


cdef int resolve(Batch* batch) noexcept nogil:
    """Write the ids of the words in the batch, giving new words an id, and empty the batch."""
    cdef int i, status
    cdef WordKey* key
    cdef WordSlot* slot
    for i in range(batch.n):
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
            status = insert_word(batch.table, key, slot)
            if status != STATUS_OK:
                return status
    batch.n = 0
    return STATUS_OK


cdef inline int add_word(Batch* batch, const uint8_t* start, uint32_t length,
                         bint readable_beyond) noexcept nogil:
    cdef WordKey* key = &batch.keys[batch.n]
    make_key(start, length, readable_beyond, key)
    prefetch_word(batch.table, key)
    batch.n += 1
    return resolve(batch) if batch.n == BATCH else STATUS_OK


cdef inline int add_line_end(Batch* batch) noexcept nogil:
    batch.keys[batch.n].length = <uint32_t>LINE_END
    batch.n += 1
    return resolve(batch) if batch.n == BATCH else STATUS_OK


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


cdef int intern_spaced(Batch* batch, const uint8_t* text, const uint8_t* end) noexcept nogil:
    """Intern the words between spaces, tabs, carriage returns, NULs and line ends."""
    cdef const uint8_t* p = text
    cdef const uint8_t* start
    cdef int status
    while p < end:
        if is_separator(p[0]):
            if p[0] == 10:
                status = add_line_end(batch)
                if status != STATUS_OK:
                    return status
            p += 1
            continue
        start = p
        p = find_separator(p + 1, end)
        status = add_word(batch, start, <uint32_t>(p - start), end - start >= 24)
        if status != STATUS_OK:
            return status
    if end > text and (end - 1)[0] != 10:
        status = add_line_end(batch)
        if status != STATUS_OK:
            return status
    return resolve(batch)


cdef int intern_raw(Batch* batch, const uint8_t* text, uint32_t n_bytes, bint turkic,
                    TokenArray* tokens, uint8_t* side) noexcept nogil:
    """Intern the tokens of natural text; `side` has room for the longest token's surface.

    The caller guarantees 24 readable bytes after the text.
    """
    cdef uint32_t begin = 0, end, length
    cdef const uint8_t* line_feed
    cdef const uint8_t* form
    cdef const Token* token
    cdef int status
    cdef int32_t i
    while begin < n_bytes:
        line_feed = <const uint8_t*>memchr(text + begin, 10, n_bytes - begin)
        end = <uint32_t>(line_feed - text) if line_feed != NULL else n_bytes
        status = segment_line(text, begin, end, SEGMENT_RAW, turkic, tokens)
        if status != STATUS_OK:
            return status
        for i in range(tokens.n):
            token = &tokens.tokens[i]
            if token.flags & TOKEN_VARIANT:
                # Resolved now, since the next one overwrites the side buffer.
                length = write_surface(text, token, side)
                status = add_word(batch, side, length, False)
                if status == STATUS_OK:
                    status = resolve(batch)
            elif token.flags & TOKEN_CANONICAL:
                form = <const uint8_t*>canonical_surface(text, token, &length)
                status = add_word(batch, form, length, False)
            else:
                status = add_word(batch, text + token.start, token.end - token.start, True)
            if status != STATUS_OK:
                return status
        status = add_line_end(batch)
        if status != STATUS_OK:
            return status
        begin = end + 1
    return resolve(batch)


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
    ids = np.empty(n, np.uint32)
    cdef uint32_t[::1] out = ids
    with nogil:
        for i in range(n):
            make_key(&blob[0] + offsets[i], <uint32_t>(offsets[i + 1] - offsets[i]), False,
                     &key)
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
    return ids


cdef class WordIds:
    """Gives words ids in the order in which they come; one thread at a time."""

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
        cdef uint8_t[::1] blob
        cdef int64_t[::1] offsets
        cdef int64_t specials, begin, shift
        cdef uint32_t i, n
        with self.one_thread:
            n = self.table.n_words
            if not N_SPECIALS <= first <= n:
                raise ValueError(f"first id {first}: expected {N_SPECIALS} … {n}")
            specials = self.table.offsets[<int>N_SPECIALS]
            begin = self.table.offsets[first]
            shift = begin - specials
            blob = np.empty(self.table.offsets[n] - shift, dtype=np.uint8)
            offsets = np.empty(n - first + N_SPECIALS + 1, dtype=np.int64)
            memcpy(&blob[0], self.table.arena, specials)
            if blob.shape[0] > specials:
                memcpy(&blob[specials], self.table.arena + begin, blob.shape[0] - specials)
            for i in range(N_SPECIALS):
                offsets[i] = self.table.offsets[i]
            for i in range(first, n + 1):
                offsets[i - first + N_SPECIALS] = self.table.offsets[i] - shift
            return Vocabulary(blob.base, offsets.base)


cdef class Interner(WordIds):
    """Turns a corpus into a stream of word ids and the vocabulary that goes with it.

    Ids are given in the order in which words first occur, from 3 on; 0, 1 and 2 are ``<unk>``,
    ``<s>`` and ``</s>``. Words of the corpus that read like these are skipped
    and counted in `n_skipped`. Empty lines and a last line without a
    line feed have an end, too.

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

    cdef object scratch
    cdef bint raw
    cdef bint turkic
    cdef int64_t skipped
    cdef bint broken
    cdef readonly str segmentation
    cdef readonly str language
    cdef readonly object stream

    def __cinit__(self, str segmentation="space", str language="", stream=None, vocabulary=None):
        if segmentation not in ("space", "raw"):
            raise ValueError(f"segmentation {segmentation!r}: expected 'space' or 'raw'")
        self.segmentation = segmentation
        self.language = language
        self.raw = segmentation == "raw"
        self.turkic = is_turkic(language)
        self.stream = IdStream() if stream is None else stream
        if vocabulary is not None:
            known = self.add_words(vocabulary)
            if not np.array_equal(known, np.arange(len(vocabulary))):
                raise ValueError("a word of the vocabulary is there twice, or is a special one")

    @property
    def n_skipped(self):
        """Number of words that were skipped because they read like a special one."""
        return self.skipped

    def add_block(self, const uint8_t[::1] block not None):
        """Append the words of whole lines to the stream; the last may lack its line feed."""
        self.stream.append(*self.ids(block))

    def ids(self, const uint8_t[::1] block not None):
        """Return the word ids of whole lines, uint32, and the number of lines; the stream stays."""
        with self.one_thread:
            return self._ids(block)

    cdef object _ids(self, const uint8_t[::1] block):
        cdef int64_t n_bytes = block.shape[0]
        cdef int64_t n_ids, n_lines = 0, i
        cdef int status
        cdef Batch batch
        cdef uint32_t[::1] out
        cdef uint32_t* ids
        if self.broken:
            raise RuntimeError("this Interner has run out of memory before")
        if n_bytes == 0:
            return np.zeros(0, np.uint32), 0
        if n_bytes >= <int64_t>1 << 31:
            raise ValueError("a block of text must be smaller than 2 GiB")
        # A line end or at least one byte for each id, and an end for a last line without one.
        if self.scratch is None or len(self.scratch) <= n_bytes:
            self.scratch = np.empty(n_bytes + 1, dtype=np.uint32)
        out = self.scratch
        ids = &out[0]
        batch.n = 0
        batch.table = &self.table
        batch.out = ids
        batch.n_skipped = 0
        with nogil:
            if self.raw:
                status = intern_bytes(&batch, &block[0], <uint32_t>n_bytes, self.turkic)
            else:
                status = intern_spaced(&batch, &block[0], &block[0] + n_bytes)
            n_ids = batch.out - ids
            for i in range(n_ids):
                n_lines += ids[i] == EOS
        self.skipped += batch.n_skipped
        if status == STATUS_TOO_LONG:
            self.broken = True
            raise OverflowError("more than 2**32 different words")
        if status != STATUS_OK:
            self.broken = True
            raise MemoryError(f"no memory for a vocabulary of more than {self.table.n_words} words")
        return self.scratch[:n_ids].copy(), n_lines
