"""The lexicon: hash of a lowercase form → its surface forms, without strings.

A packed table maps the hash of a lowercase form to its first form record. A record is a 32-bit
word; two more with the mask of upper-case code points follow for an MX form. The most frequent form
comes first. Words of one form may share their record.

====== ==========================================================================
bits   meaning
====== ==========================================================================
0-1    tag: 0 AL or AN, 1 IU, 2 AU, 3 MX
2      last form of its key
3      abbreviation: a period after this word rarely ends the sentence
4      AL away from sentence starts is this key's most frequent form (on every form)
8-15   code of the unigram log-probability
16-23  code of the unigram backoff
24-31  code of the training count
====== ==========================================================================
"""

from libc.math cimport exp2
from libc.stdint cimport uint32_t, uint64_t

from truecase.base._check cimport check
from truecase.base._component cimport Component
from truecase.kernels._maps cimport find_slot
from truecase.kernels._structs cimport KnownWords, LexiconView, Token
from truecase.kernels._unicode cimport TAG_AL, TAG_IU, TAG_MX, mix


# Identities of forms that are no words: sentence marks and class tokens.

cdef inline uint64_t sentence_start_form() noexcept nogil:
    return mix(<uint64_t>0x7472756563617301)


cdef inline uint64_t sentence_end_form() noexcept nogil:
    return mix(<uint64_t>0x7472756563617302)


cdef inline uint64_t unknown_form() noexcept nogil:
    return mix(<uint64_t>0x7472756563617303)


cdef inline uint64_t class_form(int word_class, int tag_code) noexcept nogil:
    """Identity that all forms of a word class and tag share (AL/AN 0, IU 1, AU 2, MX 3)."""
    return mix(<uint64_t>0x7472756563617310 + <uint64_t>(4 * word_class + tag_code))


cdef enum FormRecord:
    FORM_TAG = 3
    FORM_LAST = 4
    FORM_ABBREVIATION = 8


cdef enum:
    # Of a word; more would take time at each word of a damaged file.
    MAX_FORMS = 256


cdef inline uint32_t first_record(const LexiconView* lexicon, uint64_t key) noexcept nogil:
    """1 + index of the first form record of `key`; 0 if the key is unknown."""
    cdef uint64_t payload = find_slot(&lexicon.slots, key, 0xffffffff)
    # Only a damaged file has a payload out of range; the key counts as unknown.
    return <uint32_t>payload if payload <= lexicon.n_records else 0


cdef inline uint64_t mask_of_record(const LexiconView* lexicon, uint32_t index) noexcept nogil:
    """Mask of the MX form of a record; 0 if it is beyond the records, as in a damaged file."""
    if index + 2 > lexicon.n_records:
        return 0
    return lexicon.records[index] | (<uint64_t>lexicon.records[index + 1] << 32)


cdef inline uint32_t next_record(const LexiconView* lexicon, uint32_t index) noexcept nogil:
    """1 + index of the word's next form record, 0 after the last one; `index` is such a number."""
    cdef uint32_t record
    check(0 < index <= lexicon.n_records)
    record = lexicon.records[index - 1]
    index += 3 if record & FORM_TAG == TAG_MX else 1
    return 0 if record & FORM_LAST or index > lexicon.n_records else index


cdef inline double training_count(const LexiconView* lexicon, uint32_t index) noexcept nogil:
    """How often training saw a word, in all forms, to about 5 %; `index` by `first_record`."""
    cdef double total = 0.0
    cdef int n_forms = 0
    while index and n_forms < MAX_FORMS:
        total += exp2((lexicon.records[index - 1] >> 24) / 8.0) - 1.0
        index = next_record(lexicon, index)
        n_forms += 1
    return total


cdef inline bint is_unsettled(const LexiconView* lexicon, uint64_t key) noexcept nogil:
    """Whether a word is unknown, or a rare name with two forms, as NVIDIA and Nvidia."""
    cdef uint32_t first = first_record(lexicon, key)
    cdef uint32_t second = next_record(lexicon, first) if first else 0
    if not second or lexicon.records[first - 1] & FORM_TAG == TAG_AL:
        return not first
    return (lexicon.records[second - 1] & FORM_TAG != TAG_AL
            and 1000.0 > training_count(lexicon, first)
            and 10.0 * training_count(lexicon, second) > training_count(lexicon, first))


cdef inline bint is_abbreviation(const void* lexicon, const Token* token) noexcept nogil:
    cdef uint32_t index = first_record(<const LexiconView*>lexicon, token.key)
    return (index != 0
            and ((<const LexiconView*>lexicon).records[index - 1] & FORM_ABBREVIATION) != 0)


cdef inline bint is_name(const void* lexicon, const Token* token) noexcept nogil:
    cdef uint32_t index = first_record(<const LexiconView*>lexicon, token.key)
    return index != 0 and (<const LexiconView*>lexicon).records[index - 1] & FORM_TAG != TAG_AL


cdef inline bint begins(const void* lexicon, const Token* token) noexcept nogil:
    """Whether a word has a capital that it most often lacks."""
    return (token.tag == TAG_IU
            and first_record(<const LexiconView*>lexicon, token.key) != 0
            and not is_name(lexicon, token))


cdef inline KnownWords known_words(const LexiconView* lexicon, bint is_cased) noexcept nogil:
    """The lexicon's facts about sentence ends; `is_cased`: the case of the text is reliable."""
    cdef KnownWords words
    words.words = lexicon
    words.is_abbreviation = is_abbreviation
    words.is_never_alone = is_name
    words.begins = NULL
    if is_cased:
        words.begins = begins
    return words


cdef class Lexicon(Component):
    cdef LexiconView view
    cdef readonly double sentence_start_backoff_ln
    cdef readonly double sentence_end_ln
    cdef readonly bint proposes_all    # forms unseen in training are candidates, too
    cdef readonly bint smartcase
