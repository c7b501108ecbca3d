"""The likely case of a hyphenated word that the lexicon lacks, from the case of its parts."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

from truecase.lexicon._lexicon cimport FORM_TAG, ClassForm, LexiconView, first_record
from truecase.text._casing cimport (
    MAX_CODE_POINT,
    TAG_AL,
    TAG_AN,
    TAG_AU,
    TAG_IU,
    TAG_MX,
    CaseShape,
    add_to_shape,
    clear_shape,
    has_case,
    has_no_capital,
    shape_tag,
    to_lower,
    to_upper,
)
from truecase.text._token cimport CLASS_ALPHABETIC, Token, canonical_code_point, describe


cdef inline uint64_t likely_case(const LexiconView* lexicon, const Token* part,
                                 int* tag) noexcept nogil:
    """Tag of the most frequent form of a word by itself, and its mask if it is MX."""
    cdef uint32_t index = first_record(lexicon, part.key)
    cdef uint32_t record
    cdef const ClassForm* lower
    cdef const ClassForm* initial
    if index:
        record = lexicon.records[index - 1]
        tag[0] = record & FORM_TAG
        if tag[0] == TAG_MX and index + 1 < lexicon.n_records:
            return lexicon.records[index] | (<uint64_t>lexicon.records[index + 1] << 32)
        return 0
    tag[0] = TAG_AL
    if part.word_class == CLASS_ALPHABETIC:
        lower = &lexicon.classes[<int>CLASS_ALPHABETIC][<int>TAG_AL]
        initial = &lexicon.classes[<int>CLASS_ALPHABETIC][<int>TAG_IU]
        if (initial.log_probability + initial.log_word_given_class
                > lower.log_probability + lower.log_word_given_class):
            tag[0] = TAG_IU
    return 0


cdef inline uint64_t compose_parts(const LexiconView* lexicon, const uint8_t* text,
                                   const Token* token, bint turkic, int* tag) noexcept nogil:
    """Case of a hyphenated word whose parts have each their own likely case.

    Gives its tag, and the mask of its upper-case code points. Code points from the 64th on
    stay lowercase.
    """
    cdef uint32_t p = token.start, length, cp, i = 0, in_part = 0
    cdef uint32_t part_end
    cdef int part_tag = TAG_AL
    cdef uint64_t part_mask = 0, mask = 0
    cdef bint first_cased = True, raised
    cdef Token part
    cdef CaseShape shape
    clear_shape(&shape)
    part_end = p
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        if cp == 0x2d or cp == 0x2010 or cp == 0x2011:
            add_to_shape(&shape, cp, turkic)
            p += length
            i += 1
            part_end = p
            continue
        if p >= part_end:
            # A new part: look it up whole.
            memset(&part, 0, sizeof(Token))
            part.start = p
            part_end = p
            while part_end < token.end:
                cp = canonical_code_point(text, part_end, token.end, token.flags, &length)
                if cp == 0x2d or cp == 0x2010 or cp == 0x2011:
                    break
                part_end += length
            part.end = part_end
            part.flags = token.flags
            describe(text, &part, turkic)
            part_mask = likely_case(lexicon, &part, &part_tag)
            first_cased = True
            in_part = 0
            cp = canonical_code_point(text, p, token.end, token.flags, &length)
        cp = to_lower(cp, turkic)
        if has_case(cp, turkic):
            raised = (
                part_tag == TAG_AU or (part_tag == TAG_IU and first_cased)
                or (part_tag == TAG_MX and in_part < 63 and (part_mask >> in_part) & 1)
            )
            first_cased = False
            if raised and i < 63 and to_upper(cp, turkic) != cp:
                mask |= <uint64_t>1 << i
                cp = to_upper(cp, turkic)
        elif cp > MAX_CODE_POINT or (first_cased and has_no_capital(cp, turkic)):
            first_cased = False
        add_to_shape(&shape, cp, turkic)
        p += length
        i += 1
        in_part += 1
    tag[0] = shape_tag(&shape)
    if tag[0] == TAG_AN:
        tag[0] = TAG_AL
    return mask if tag[0] == TAG_MX else 0
