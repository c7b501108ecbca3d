"""The lexicon of a model; keys and case of a vocabulary's forms; ẞ in capitals by a lexicon."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.base._memory cimport STATUS_OK, TEXT_PADDING, Output, append_output, rise
from truecase.kernels._maps cimport fill_slots, floats_of
from truecase.kernels._segment cimport OwnedTokens, segment_line
from truecase.kernels._structs cimport (
    N_CLASSES, N_CLASS_TAGS, TOKEN_KEEPS, TOKEN_LOWERS, TokenArray
)
from truecase.kernels._tokens cimport SEGMENT_RAW, SEGMENT_SPACE, form_hash, token_of
from truecase.kernels._unicode cimport TAG_AU, find_byte

from truecase.base.model_file import MAX_NUMBER


cdef class Lexicon(Component):
    """Lowercase word → its forms, their unigrams and counts; the classes of unknown words.

    Arrays: ``slots`` and ``records`` (`truecase/kernels/_lexicon.pxd`), the values of codes
    ``probability_ln`` and ``backoff_ln``, and of the 20 class tokens ``classes.probability_ln``,
    ``classes.backoff_ln`` and ``classes.word_given_class_ln``. Settings: ``candidates``,
    ``unseen_form_ln``, ``parts_bonus_ln``, ``sentence_start_backoff_ln``, ``sentence_end_ln``,
    ``smartcase``, and those of the packed table.
    """

    about = "forms of each word, their unigram probabilities and counts"

    def __cinit__(self, arrays, settings=None):
        cdef const uint32_t[::1] records
        cdef const float[::1] class_lm, class_backoff, class_word
        cdef int c, t, i
        section = self.section("lexicon")
        records = section.array("records", "uint32")
        self.view.n_records = <uint32_t>records.shape[0]
        self.view.records = &records[0] if records.shape[0] else NULL
        fill_slots(&self.view.slots, section, "", int(section.number("payload_bits", 1, 32)), False)
        self.view.probability_ln = floats_of(section, "probability_ln", 256)
        self.view.backoff_ln = floats_of(section, "backoff_ln", 256)
        class_lm = section.array("classes.probability_ln", "float32", N_CLASSES * N_CLASS_TAGS)
        class_backoff = section.array("classes.backoff_ln", "float32", N_CLASSES * N_CLASS_TAGS)
        class_word = section.array(
            "classes.word_given_class_ln", "float32", N_CLASSES * N_CLASS_TAGS)
        for c in range(N_CLASSES):
            for t in range(N_CLASS_TAGS):
                i = N_CLASS_TAGS * c + t
                self.view.classes[c][t].form = class_form(c, t)
                self.view.classes[c][t].log_probability = class_lm[i]
                self.view.classes[c][t].log_backoff = class_backoff[i]
                self.view.classes[c][t].log_word_given_class = class_word[i]
        self.view.parts_bonus = section.number("parts_bonus_ln", -MAX_NUMBER, MAX_NUMBER)
        self.view.unseen_form = section.number("unseen_form_ln", -MAX_NUMBER, MAX_NUMBER)
        self.sentence_start_backoff_ln = section.number(
            "sentence_start_backoff_ln", -MAX_NUMBER, MAX_NUMBER)
        self.sentence_end_ln = section.number("sentence_end_ln", -MAX_NUMBER, MAX_NUMBER)
        self.proposes_all = section.choice("candidates", {"pruned": 0, "full": 1})
        self.smartcase = self.settings.get("smartcase", True) is True

    @property
    def n_records(self):
        return self.view.n_records

    def info(self):
        return {
            **super().info(),
            "words": self.settings.get("n_entries"),
            "forms": self.settings.get("n_forms"),
            "candidates": self.settings["candidates"],
        }


def padded(text):
    """A text as an array, with the readable bytes that kernels need behind it."""
    import numpy as np

    return np.concatenate([np.frombuffer(text, np.uint8), np.zeros(TEXT_PADDING, np.uint8)])


def summarise_forms(blob, const int64_t[::1] offsets, bint turkic):
    """Key, case and class of surface forms.

    Parameters
    ----------
    blob : bytes-like
        The surface forms, one after the other.
    offsets : const int64[::1], shape (n + 1,)
        Form i is ``blob[offsets[i]:offsets[i + 1]]``, without white space.
    turkic : bool

    Returns
    -------
    key, form, upper_mask : uint64 ndarray, shape (n,)
        `form` is the identity in the n-gram tables.
    tag, word_class, flags : uint8 ndarray, shape (n,)
        0 for a form that is not one token.
    """
    cdef Py_ssize_t n = offsets.shape[0] - 1, i
    if not rise(offsets, len(blob)):
        raise ValueError("offsets do not fit the blob of surface forms")
    import numpy as np

    keys = np.zeros(n, dtype=np.uint64)
    forms = np.zeros(n, dtype=np.uint64)
    masks = np.zeros(n, dtype=np.uint64)
    tags = np.zeros(n, dtype=np.uint8)
    classes = np.zeros(n, dtype=np.uint8)
    flags = np.zeros(n, dtype=np.uint8)
    cdef const uint8_t[::1] text = padded(blob)
    cdef uint64_t[::1] key = keys, form = forms, mask = masks
    cdef uint8_t[::1] tag = tags, word_class = classes, flag = flags
    cdef TokenArray tokens
    cdef int status = STATUS_OK
    if n == 0:
        return keys, forms, masks, tags, classes, flags
    memset(&tokens, 0, sizeof(TokenArray))
    with nogil:
        for i in range(n):
            status = segment_line(&text[0] + offsets[i], 0,
                                  <uint32_t>(offsets[i + 1] - offsets[i]), SEGMENT_SPACE, turkic,
                                  &tokens)
            if status != STATUS_OK:
                break
            if tokens.n != 1:
                continue
            key[i] = tokens.tokens[0].key
            mask[i] = tokens.tokens[0].upper_mask
            tag[i] = tokens.tokens[0].tag
            word_class[i] = tokens.tokens[0].word_class
            flag[i] = tokens.tokens[0].flags
            form[i] = form_hash(key[i], tag[i], mask[i])
        free(tokens.tokens)
    if status != STATUS_OK:
        raise MemoryError("no memory left to describe the vocabulary")
    return keys, forms, masks, tags, classes, flags


def special_forms():
    """Identities of ``<unk>``, ``<s>``, ``</s>``; those of class tokens, at ``4 * class + tag``."""
    import numpy as np

    marks = np.array([unknown_form(), sentence_start_form(), sentence_end_form()], dtype=np.uint64)
    classes = np.array([class_form(c, t) for c in range(5) for t in range(4)], dtype=np.uint64)
    return marks, classes


# The German ß of words in capitals: ``STRASSE`` is ``STRAẞE``.
#
# The upper case of ß is SS (Unicode's SpecialCasing.txt), so that case alone does not restore it. A
# word gets it if the lexicon has the form with ß more often than that with ss. A word that the
# lexicon lacks may be a compound: its longest beginning or end in the lexicon decides.

cdef enum:
    MOST_PLACES = 4              # of SS in a word
    MOST_BYTES = 64
    LEAST_PART = 5               # bytes of a part of a compound


cdef double count_of(const LexiconView* lexicon, const uint8_t* word, uint32_t size, uint32_t sharp,
                     const int32_t* places, uint32_t begin) noexcept nogil:
    """How often training saw a word with ß for SS at the places of the bits of `sharp`.

    `places` count from `begin` bytes before the word.
    """
    cdef uint8_t letters[MOST_BYTES + TEXT_PADDING]
    cdef int k
    memcpy(letters, word, size)
    memset(letters + size, 0x20, TEXT_PADDING)
    for k in range(MOST_PLACES):
        if sharp >> k & 1:
            letters[places[k] - begin] = 0xc3
            letters[places[k] - begin + 1] = 0x9f
    return training_count(lexicon, first_record(lexicon, token_of(letters, 0, size, 0, False).key))


cdef inline bint overlaps(uint32_t sharp, const int32_t* places, int n) noexcept nogil:
    """Whether two of the places share an S."""
    cdef int k
    for k in range(1, n):
        if sharp >> (k - 1) & 3 == 3 and places[k] - places[k - 1] < 2:
            return True
    return False


cdef uint32_t likeliest(const LexiconView* lexicon, const uint8_t* word, uint32_t begin,
                        uint32_t end, const int32_t* places, int n, double* count) noexcept nogil:
    """Places between `begin` and `end` with ß in the part's likeliest form, as bits."""
    cdef uint32_t within = 0, sharp, best = 0
    cdef double seen
    cdef int k
    for k in range(n):
        if places[k] >= <int32_t>begin and places[k] + 2 <= <int32_t>end:
            within |= 1 << k
    count[0] = count_of(lexicon, word + begin, end - begin, 0, places, begin)
    sharp = within
    while sharp:
        if not overlaps(sharp, places, n):
            seen = count_of(lexicon, word + begin, end - begin, sharp, places, begin)
            if seen > count[0]:
                count[0] = seen
                best = sharp
        sharp = (sharp - 1) & within
    return best


cdef uint32_t sharp_places(const LexiconView* lexicon, const uint8_t* word, uint32_t size,
                           const int32_t* places, int n) noexcept nogil:
    """Places of SS in a word that are ß, as bits."""
    cdef double count
    cdef uint32_t best = likeliest(lexicon, word, 0, size, places, n, &count)
    cdef uint32_t length, start, of_part, decided = 0
    cdef int side, k
    if count > 0:
        return best
    for k in range(n):
        if decided >> k & 1:
            continue
        for length in range(size - 1, LEAST_PART - 1, -1):
            for side in range(2):
                start = side * (size - length)
                if not <int32_t>start <= places[k] <= <int32_t>(start + length) - 2:
                    continue
                of_part = likeliest(lexicon, word, start, start + length, places, n, &count)
                if count > 0:
                    best |= of_part & 1 << k
                    decided |= 1 << k
                    break
            if decided >> k & 1:
                break
    return best if not overlaps(best, places, n) else 0


cdef int find_places(const uint8_t* word, uint32_t size, int32_t* places) noexcept nogil:
    """Find the places of SS in a word; their number, 0 if they are too many or the word is long."""
    cdef uint32_t p
    cdef int n = 0
    if size < 3 or size > MOST_BYTES:
        return 0
    # No German word begins with ß.
    for p in range(1, size - 1):
        if word[p] == 0x53 and word[p + 1] == 0x53:
            if n == MOST_PLACES:
                return 0
            places[n] = <int32_t>p
            n += 1
    return n


cdef int restore_line(const LexiconView* lexicon, const uint8_t* text, const TokenArray* tokens,
                      uint32_t begin, uint32_t end, Output* out) noexcept nogil:
    """Append a line with its ẞ; a Status."""
    cdef int32_t places[MOST_PLACES]
    cdef const Token* token
    cdef uint32_t copied = begin, sharp, at
    cdef int32_t i
    cdef int n, k, status = STATUS_OK
    for i in range(tokens.n):
        token = tokens.tokens + i
        if token.tag != TAG_AU or token.flags & (TOKEN_KEEPS | TOKEN_LOWERS):
            continue
        n = find_places(text + token.start, token.end - token.start, places)
        if n == 0:
            continue
        sharp = sharp_places(lexicon, text + token.start, token.end - token.start, places, n)
        for k in range(n):
            if sharp >> k & 1:
                at = token.start + <uint32_t>places[k]
                status = (status or append_output(out, text + copied, at - copied)
                          or append_output(out, b"\xe1\xba\x9e", 3))
                copied = at + 2
    return status or append_output(out, text + copied, end - copied)


def sharp_s_restored(Lexicon lexicon not None, bytes block not None, str segmentation="raw"):
    cdef int kind = SEGMENT_SPACE if segmentation == "space" else SEGMENT_RAW
    cdef bytes padded = block + b"\n" * TEXT_PADDING
    cdef const uint8_t* text = padded
    cdef size_t size = len(block), p = 0, line_end
    cdef OwnedTokens words = OwnedTokens()
    cdef Output out
    cdef int status = STATUS_OK
    if size > <size_t>0x7fffffff:
        raise ValueError("a block of 2 GiB or more")
    if b"SS" not in block:
        return block
    memset(&out, 0, sizeof(Output))
    try:
        with nogil:
            while p < size and status == STATUS_OK:
                line_end = find_byte(text, p, size, 0x0a)
                status = segment_line(
                    text, <uint32_t>p, <uint32_t>line_end, kind, False, &words.tokens)
                line_end = min(line_end + 1, size)
                status = status or restore_line(
                    &lexicon.view, text, &words.tokens, <uint32_t>p, <uint32_t>line_end, &out)
                p = line_end
        if status != STATUS_OK:
            raise MemoryError("no memory left for the words of a line")
        return out.bytes[:out.size]
    finally:
        free(out.bytes)
