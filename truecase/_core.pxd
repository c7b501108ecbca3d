"""What training kernels share with decoding: the model, one thread's memory, the very lattice.

A training kernel of another module does what `case_piece` does, with its own work in the
place of decoding:

    segment_line(text, begin, end, model.segmentation, model.turkic, &work.tokens)
    while first < work.tokens.n:
        last = sentence_end(&model.lexicon, &work.tokens, first)
        build_lattice(model, text, first, last, INPUT_IGNORE, True, work)
        …                                # work.lattice; its last word is </s>
        first = last

`text` needs ``TEXT_PADDING`` readable bytes after its end.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint32_t

from truecase._model cimport Model
from truecase.bilingual._side cimport SourceSide
from truecase.crf.fine._templates cimport SentenceView
from truecase.decode._edges cimport EdgeWeights, Edges
from truecase.decode._viterbi cimport Viterbi
from truecase.lattice._lattice cimport Lattice
from truecase.lexicon._lexicon cimport FORM_ABBREVIATION, LexiconView, first_record
from truecase.text._segment cimport (
    TOKEN_CLOSES,
    TOKEN_ENDS_SENTENCE,
    TOKEN_SPACE_BEFORE,
    Token,
    TokenArray,
)


cdef enum InputCase:
    INPUT_IGNORE = 0
    INPUT_KEEP = 1
    INPUT_AUTO = 2

cdef enum:
    TEXT_PADDING = 16            # what segment_line may read after the end of a line


cdef struct Workspace:           # the memory of one thread
    TokenArray tokens
    Lattice lattice
    Viterbi viterbi
    Lattice mirror               # the lattice as the domain's language model sees it
    Edges mirror_edges
    SentenceView view            # what fine features see of a sentence
    SourceSide side              # the source of the line under work, if there is one
    uint8_t* text                # a part of the block, padded
    size_t text_capacity
    uint8_t* out
    size_t out_size
    size_t out_capacity


cdef inline bint is_abbreviation(const LexiconView* lexicon, const Token* token) noexcept nogil:
    cdef uint32_t index = first_record(lexicon, token.key)
    return index != 0 and (lexicon.records[index - 1] & FORM_ABBREVIATION) != 0


cdef inline int32_t sentence_end(const LexiconView* lexicon, const TokenArray* tokens,
                                 int32_t first) noexcept nogil:
    """End of the sentence that token `first` begins: 1 + its last token."""
    cdef const Token* token = tokens.tokens
    cdef int32_t i, mark
    for i in range(first + 1, tokens.n):
        if not (token[i].flags & TOKEN_SPACE_BEFORE
                and token[i - 1].flags & (TOKEN_ENDS_SENTENCE | TOKEN_CLOSES)):
            continue
        mark = i - 1
        while mark > first and token[mark].flags & TOKEN_CLOSES:
            mark -= 1
        if (mark > first and token[mark].flags & TOKEN_ENDS_SENTENCE
                and not is_abbreviation(lexicon, token + mark - 1)):
            return i
    return tokens.n


# The language models' part of that: the edges' log-probabilities; a Status.
cdef int score_lm(const Model* model, int32_t first, Workspace* work) noexcept nogil

# Its lattice once built: edges and nodes get the scores that the model's features have, so that
# `search_edges` and `forward_backward` can run; a Status. With `for_search`, candidates that the
# best path never takes may be dropped, as posteriors must not have it.
cdef int weigh_lattice(const Model* model, const uint8_t* text, int32_t first, int32_t end,
                       int32_t first_cased, bint for_search, Workspace* work) noexcept nogil

# The path by which the model decides, in ``work.viterbi.path``: the best one, or with Portage's
# search the best word after word; a Status.
cdef int find_path(const Model* model, Workspace* work) noexcept nogil

# The weights of the edges: those learned with a source if the line under work has one.
cdef const EdgeWeights* edge_weights_of(const Model* model, const Workspace* work) noexcept nogil

cdef void free_workspace(Workspace* work) noexcept nogil

cdef int build_lattice(const Model* model, const uint8_t* text, int32_t first, int32_t end,
                       int input_case, bint at_start, Workspace* work,
                       int32_t* first_cased) noexcept nogil


cdef class CompiledModel:
    cdef Model model
    cdef list _owners            # None until __init__ has succeeded
    cdef list _workspaces
