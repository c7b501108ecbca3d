"""Words of speech, and the case that is favoured for them where they stand.

In English, fillers and short forms without their apostrophe are lower case, those of I have a
capital, and spelled letters are capitals. Training text hardly has them, so that names and
abbreviations of the same letters would win: ``so UM I think``.
"""

from libc.stdint cimport int32_t, uint32_t

from truecase.kernels._structs cimport Lattice, LexiconView, Token
from truecase.kernels._unicode cimport TAG_AN
from truecase.rules._table cimport Line, RulesView, may_have_case


cdef struct SpeechCase:
    int tag                      # favoured; TAG_AN: no tag is
    float bonus


cdef inline bint may_be_speech(const RulesView* rules, const Token* token) noexcept nogil:
    """Whether a word may have a case by these rules; hardly any word of written text may."""
    if token.end - token.start == 1:
        return token.tag != TAG_AN
    return may_have_case(rules, token)


# The case that is favoured for token `i`.
cdef SpeechCase speech_case(const RulesView* rules, const Line* line, int32_t i) noexcept nogil

# Set `speech_bonus` of a word's nodes, which begin at `first`; add the favoured form if it is not
# there; `index` is that of `add_form`; a Status.
cdef int favour_speech(const SpeechCase* favoured, const LexiconView* lexicon, const Token* token,
                       uint32_t index, bint is_initial, int32_t first,
                       Lattice* lattice) noexcept nogil
