"""From blocks of text to word ids.

The surface forms of a vocabulary: their order, and some of them by themselves.

Passes over a stream of word ids: where sentences begin and end.
"""

from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free, malloc, qsort
from libc.string cimport memchr, memcmp, memcpy, memset

from truecase.base._memory cimport (
    STATUS_INVALID,
    STATUS_OK,
    STATUS_OUT_OF_MEMORY,
    STATUS_TOO_LONG,
    TEXT_PADDING,
    grow,
    rise,
)
from truecase.kernels._plain cimport canonical_surface
from truecase.kernels._render cimport write_surface
from truecase.kernels._segment_line cimport segment_line
from truecase.kernels._sentences cimport KnownWords, first_word, is_mark, sentence_end
from truecase.kernels._tokens cimport (
    SEGMENT_RAW,
    TOKEN_CANONICAL,
    TOKEN_CLOSES,
    TOKEN_ENDS_SENTENCE,
    TOKEN_SPACE_BEFORE,
    TOKEN_VARIANT,
    Token,
    TokenArray,
    free_tokens,
)
from truecase.kernels._unicode cimport TAG_IU, load8, trailing_zeros

import numpy as np

from truecase.base.threads import OneThread
from truecase.kernels.text import is_turkic
from truecase.ngram.vocabulary import SPECIAL_SURFACES as _SPECIAL_SURFACES, IdStream, Vocabulary


__all__ = ["surface_order", "take_surfaces"]


cdef enum:
    BATCH = 32                    # words whose slots are fetched at the same time
    EOS = 2
    N_SPECIALS = 3
    PADDING = 2 * TEXT_PADDING    # readable bytes after a text, and more room than any mark takes
    LINE_END = 0xffffffff         # in place of a word's length


cdef struct Batch:
    WordKey keys[BATCH]
    int n
    WordTable* table
    uint32_t* out                 # where the next id goes
    int64_t n_skipped


cdef int resolve(Batch* batch) noexcept nogil:
    """Write the ids of the words in the batch, new ones included, and empty it."""
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
    """Words are what stands between space, tab, carriage return, NUL and the ends of lines."""
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
    """Words are the tokens of natural text; `side` has room for the longest token's surface.

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
                # The side buffer is used again by the next one, so this one is done with now.
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
    """Words that get their ids in the order in which they come; one thread at a time."""

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
        """Number of word ids given so far, the three special ones included."""
        return self.table.n_words

    def add_words(self, vocabulary):
        """Give the words of a vocabulary their ids, where they have none yet.

        Parameters
        ----------
        vocabulary : Vocabulary

        Returns
        -------
        uint32 ndarray, shape (len(vocabulary),)
            The id of each.
        """
        with self.one_thread:
            return insert_all(&self.table, vocabulary.blob, vocabulary.offsets)

    def vocabulary(self, uint32_t first=N_SPECIALS):
        """The surface forms of the ids given so far, as a `Vocabulary` of its own memory.

        Parameters
        ----------
        first : int
            Ids from 3 up to this one are left out: their words are not in the vocabulary.
        """
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

    Ids are given in the order in which words first occur, from 3 on; 0, 1 and 2 are
    ``<unk>``, ``<s>`` and ``</s>``. Words of the corpus that read like one of these three
    are skipped, as white space would be, and counted in `n_skipped`.

    Parameters
    ----------
    segmentation : {"space", "raw"}
        ``space``: words are what stands between spaces, tabs, carriage returns and NULs.
        ``raw``: the tokens of natural text.
    language : str
        ``tr`` and ``az`` have their own lowercase of I.
    stream : IdStream, optional
        Where the ids go; by default a new one in memory.
    vocabulary : Vocabulary, optional
        Words that have their ids already; others get the next ones.

    Notes
    -----
    One object belongs to one thread at a time. Every line has an end: a last line without
    its line feed counts like one with it, and an empty line is a line without words.
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
        """How many words were skipped because they read like a special one."""
        return self.skipped

    def add_block(self, const uint8_t[::1] block not None):
        """Append the words of some whole lines to the stream.

        Parameters
        ----------
        block : bytes-like
            Whole lines, each but perhaps the last ended by a line feed.
        """
        self.stream.append(*self.ids(block))

    def ids(self, const uint8_t[::1] block not None):
        """The words of some whole lines as ids, which do not go to the stream.

        Parameters
        ----------
        block : bytes-like
            As for `add_block`.

        Returns
        -------
        ids : uint32 ndarray
        n_lines : int
        """
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
                status = self.add_raw(&batch, &block[0], <uint32_t>n_bytes)
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

    cdef int add_raw(self, Batch* batch, const uint8_t* block, uint32_t n_bytes) noexcept nogil:
        cdef TokenArray tokens
        cdef int status
        # Segmentation reads beyond the end, which a caller's bytes do not allow.
        cdef uint8_t* text = <uint8_t*>malloc(2 * <size_t>n_bytes + 2 * PADDING)
        if text == NULL:
            return STATUS_OUT_OF_MEMORY
        memcpy(text, block, n_bytes)
        memset(text + n_bytes, 0, PADDING)
        tokens.tokens = NULL
        tokens.n = 0
        tokens.capacity = 0
        status = intern_raw(batch, text, n_bytes, self.turkic, &tokens, text + n_bytes + PADDING)
        free_tokens(&tokens)
        free(text)
        return status


cdef enum:
    SURFACE_BYTES = 8


cdef struct Surface:
    uint64_t head                 # the first bytes, the first of them highest, zeros after the end
    const uint8_t* start
    uint32_t length
    uint32_t word_id


cdef uint64_t head_of(const uint8_t* start, uint32_t length) noexcept nogil:
    cdef uint64_t head = 0
    cdef uint32_t i
    for i in range(SURFACE_BYTES):
        head = (head << 8) | (start[i] if i < length else 0)
    return head


cdef int compare(const void* a, const void* b) noexcept nogil:
    cdef const Surface* left = <const Surface*>a
    cdef const Surface* right = <const Surface*>b
    cdef uint32_t shorter
    cdef int order
    if left.head != right.head:
        return -1 if left.head < right.head else 1
    shorter = min(left.length, right.length)
    order = memcmp(left.start, right.start, shorter)
    if order:
        return order
    if left.length != right.length:
        return -1 if left.length < right.length else 1
    # qsort is not stable everywhere; no two words are the same, but a caller's might be.
    return -1 if left.word_id < right.word_id else 1


def surface_order(const uint8_t[::1] blob not None, const int64_t[::1] offsets not None,
                  uint32_t first=0):
    """Ids of words, in the order of the words' bytes.

    Parameters
    ----------
    blob : const uint8[::1]
        The words, one after the other.
    offsets : const int64[::1], shape (n + 1,)
        Word i is ``blob[offsets[i]:offsets[i + 1]]``.
    first : int
        Ids below this one are left out.

    Returns
    -------
    uint32 ndarray, shape (n - first,)
    """
    cdef int64_t n = offsets.shape[0] - 1, i
    cdef Surface* words
    cdef const uint8_t* text = &blob[0] if blob.shape[0] else NULL
    if not rise(offsets, blob.shape[0]):
        raise ValueError("offsets do not fit the blob of words")
    if n >= <int64_t>1 << 32:
        raise OverflowError("more than 2**32 words")
    order = np.empty(max(n - first, 0), np.uint32)
    if not len(order):
        return order
    cdef uint32_t[::1] ids = order
    words = <Surface*>malloc((n - first) * sizeof(Surface))
    if words == NULL:
        raise MemoryError(f"no memory to sort {n} words")
    with nogil:
        for i in range(n - first):
            words[i].start = text + offsets[first + i]
            words[i].length = <uint32_t>(offsets[first + i + 1] - offsets[first + i])
            words[i].head = head_of(words[i].start, words[i].length)
            words[i].word_id = <uint32_t>(first + i)
        qsort(words, n - first, sizeof(Surface), compare)
        for i in range(n - first):
            ids[i] = words[i].word_id
    free(words)
    return order


def take_surfaces(const uint8_t[::1] blob not None, const int64_t[::1] offsets not None,
                  const uint32_t[::1] ids not None):
    """Some words of a vocabulary, in the order of `ids`.

    Returns
    -------
    blob : uint8 ndarray
    offsets : int64 ndarray, shape (n + 1,)

    Raises
    ------
    IndexError
        An id is no word of the vocabulary.
    """
    cdef int64_t i, at = 0, n = ids.shape[0], n_words = offsets.shape[0] - 1, length
    cdef bint good = True
    if not rise(offsets, blob.shape[0]):
        raise ValueError("offsets do not fit the blob of words")
    starts = np.zeros(n + 1, np.int64)
    cdef int64_t[::1] new_offsets = starts
    with nogil:
        for i in range(n):
            if ids[i] >= n_words:
                good = False
                break
            new_offsets[i + 1] = new_offsets[i] + offsets[ids[i] + 1] - offsets[ids[i]]
    if not good:
        raise IndexError(f"an id is not below the {n_words} of the vocabulary")
    taken = np.empty(starts[n], np.uint8)
    cdef uint8_t[::1] out = taken
    with nogil:
        for i in range(n):
            length = new_offsets[i + 1] - new_offsets[i]
            if length:
                memcpy(&out[at], &blob[offsets[ids[i]]], length)
            at += length
    return taken, starts


cdef enum:
    END_OF_LINE = 2
    # Beside TokenFlag, as `truecase.ngram.lexicon.place_flags` sets them.
    WORD_ABBREVIATION = 64
    WORD_NAME = 128              # most often in upper case


cdef struct VocabularyView:      # of a vocabulary, by word id
    const uint64_t* key
    const uint8_t* tag
    const uint8_t* word_class
    const uint8_t* flags
    uint32_t n


# The tokens of a line have their word id as `start`: here, no text stands behind them.

cdef bint is_abbreviation(const void* table, const Token* token) noexcept nogil:
    return ((<const VocabularyView*>table).flags[token.start] & WORD_ABBREVIATION) != 0


cdef bint is_name(const void* table, const Token* token) noexcept nogil:
    return ((<const VocabularyView*>table).flags[token.start] & WORD_NAME) != 0


cdef bint begins(const void* table, const Token* token) noexcept nogil:
    return token.tag == TAG_IU and not is_name(table, token)


cdef inline int view_vocabulary(VocabularyView* table, const uint64_t[::1] key,
                                const uint8_t[::1] tag, const uint8_t[::1] word_class,
                                const uint8_t[::1] flags) except -1:
    if not key.shape[0] == tag.shape[0] == word_class.shape[0] == flags.shape[0] > 0:
        raise ValueError("the tables of words differ in length")
    table.key = &key[0]
    table.tag = &tag[0]
    table.word_class = &word_class[0]
    table.flags = &flags[0]
    table.n = <uint32_t>key.shape[0]
    return 0


cdef int read_line(const VocabularyView* table, const uint32_t* stream, Py_ssize_t n,
                   TokenArray* line) noexcept nogil:
    """The words from the beginning of `stream` to the next end of a line; a Status.

    Ids do not tell where white space was: before all but what ends or closes something and the
    marks within a sentence.
    """
    cdef Token* token
    cdef uint32_t word
    cdef Py_ssize_t i
    line.n = 0
    for i in range(n):
        word = stream[i]
        if word == END_OF_LINE:
            break
        if word >= table.n:
            return STATUS_INVALID
        if line.n == line.capacity:
            if grow(<void**>&line.tokens, 2 * <size_t>line.n + 64, sizeof(Token)) != STATUS_OK:
                return STATUS_OUT_OF_MEMORY
            line.capacity = 2 * line.n + 64
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


cdef inline Py_ssize_t past_closing(const uint32_t[::1] stream, Py_ssize_t i,
                                    const uint8_t[::1] flags) noexcept nogil:
    """The first word from i on that closes no quotation or bracket."""
    while i < stream.shape[0] and flags[stream[i]] & TOKEN_CLOSES:
        i += 1
    return i


cdef int mark_first_words(const VocabularyView* table, const uint32_t[::1] stream,
                          uint8_t[::1] is_first) noexcept nogil:
    """Set `is_first` for words that are the first of their sentence, with letters; a Status."""
    cdef TokenArray line
    cdef KnownWords words
    cdef Py_ssize_t at = 0, n = stream.shape[0]
    cdef int32_t first, last, word
    cdef int status = STATUS_OK
    words.words = table
    words.is_abbreviation = is_abbreviation
    words.is_name = is_name
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
    """Which words of a stream are the first of a sentence, with letters.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines; each line ends with id 2.
    key : const uint64[::1], shape (n_words,)
    tag, word_class, flags : const uint8[::1], shape (n_words,)
        Of each word id, as `truecase.ngram.lexicon.describe_vocabulary` and `place_flags`
        give them.

    Returns
    -------
    is_first : bool ndarray
        As long as `stream`.
    """
    cdef VocabularyView table
    cdef int status
    view_vocabulary(&table, key, tag, word_class, flags)
    found = np.zeros(stream.shape[0], np.uint8)
    cdef uint8_t[::1] is_first = found
    with nogil:
        status = mark_first_words(&table, stream, is_first)
    if status == STATUS_OUT_OF_MEMORY:
        raise MemoryError("no memory for a line of the text")
    if status != STATUS_OK:
        raise ValueError(f"a word id is not in the vocabulary of {table.n} words")
    return found.view(np.bool_)


def by_place(const uint32_t[::1] stream not None, const uint8_t[::1] is_first not None,
             const uint32_t[::1] inside not None, const uint32_t[::1] initial not None):
    """A stream under other word ids, which the first words of sentences have of their own.

    Parameters
    ----------
    stream : const uint32[::1], shape (n,)
    is_first : const bool[::1], shape (n,)
    inside, initial : const uint32[::1], shape (n_words,)
        New ids of words elsewhere, and of the first ones.

    Returns
    -------
    uint32 ndarray, shape (n,)

    Raises
    ------
    ValueError
        If the arrays differ in length, or a word id is not in the vocabulary.
    """
    cdef Py_ssize_t i, n = stream.shape[0]
    cdef uint32_t n_words = <uint32_t>inside.shape[0]
    cdef bint bad = False
    if is_first.shape[0] != n or initial.shape[0] != n_words:
        raise ValueError("the arrays of words differ in length")
    ids = np.empty(n, np.uint32)
    cdef uint32_t[::1] out = ids
    with nogil:
        for i in range(n):
            if stream[i] >= n_words:
                bad = True
                break
            out[i] = initial[stream[i]] if is_first[i] else inside[stream[i]]
    if bad:
        raise ValueError(f"a word id is not in the vocabulary of {n_words} words")
    return ids


def tally_stops(const uint32_t[::1] stream, const uint8_t[::1] flags, const uint8_t[::1] tag,
                int64_t[:, ::1] counts):
    """Add to `counts` how often words stand before a mark that ends sentences, and what follows.

    Parameters
    ----------
    stream : const uint32[::1]
        Word ids of whole lines; each line ends with id 2.
    flags, tag : const uint8[::1], shape (n_words,)
        Of each word id.
    counts : int64[:, ::1], shape (2, n_words)
        Rows: occurrences right before such a mark; those of them where the line ends with it.

    Returns
    -------
    uint64 ndarray
        Of the occurrences where a capitalised word follows, ``word << 32 | word that follows``.
    """
    cdef Py_ssize_t i, following, n_found = 0, n = stream.shape[0]
    cdef uint32_t n_words = <uint32_t>flags.shape[0]
    cdef uint64_t[::1] found
    if counts.shape[0] != 2 or counts.shape[1] != n_words or tag.shape[0] != n_words:
        raise ValueError("the tables of words differ in length")
    if n and np.asarray(stream).max() >= n_words:
        raise ValueError(f"a word id is not in the vocabulary of {n_words} words")
    pairs = np.empty(n + 1, np.uint64)
    found = pairs
    with nogil:
        for i in range(n - 1):
            if stream[i] == END_OF_LINE or not flags[stream[i + 1]] & TOKEN_ENDS_SENTENCE:
                continue
            counts[0, stream[i]] += 1
            following = past_closing(stream, i + 2, flags)
            if following == n or stream[following] == END_OF_LINE:
                counts[1, stream[i]] += 1
            elif tag[stream[following]] == TAG_IU:
                found[n_found] = (<uint64_t>stream[i] << 32) | stream[following]
                n_found += 1
    return pairs[:n_found].copy()
