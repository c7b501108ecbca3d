"""Words where they stand, as they are written, and how sure the model is of each candidate.

Posteriors come from forward-backward; where only what is chosen is asked for, it does not run.
"""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

from truecase._core cimport (
    INPUT_IGNORE,
    CompiledModel,
    Walk,
    Workspace,
    begin_walk,
    decide,
    edge_weights_of,
    free_workspace,
    is_raised_after,
    next_piece,
    next_sentence,
    score,
)
from truecase.decode._forward_backward cimport (
    ForwardBackward,
    forward_backward,
    free_forward_backward,
)
from truecase.lattice._lattice cimport Node
from truecase.model._view cimport ModelView
from truecase.runtime._status cimport STATUS_INVALID, STATUS_OK, STATUS_TOO_LONG
from truecase.source._block cimport AlignedBlock
from truecase.source._held cimport hold_case, is_held
from truecase.source._phrase cimport AlignedText, SourcePhrase
from truecase.text._casing cimport TAG_AL, TAG_IU, TAG_MX
from truecase.text._render cimport render_anew, render_token
from truecase.text._token cimport Token

from truecase._core import INPUT_CASES, SENTENCE_STARTS
from truecase.text.casing import TAGS

__all__ = ["word_posteriors"]


cdef int infer_sentence(const Walk* walk, Workspace* work,
                        ForwardBackward* passes) noexcept nogil:
    """Best path and posteriors of the walk's sentence, without `passes` the path alone; a Status.

    Then nodes have the case in which rules have them written.
    """
    cdef const ModelView* model = walk.model
    cdef int32_t word, c
    cdef const Token* token
    cdef Node* node
    cdef bint has_source = model.source.is_active and work.side.aligned != NULL
    cdef const SourcePhrase* phrase = NULL
    cdef int status = score(walk, passes == NULL, work)
    if status == STATUS_OK:
        status = decide(walk, work)
    if status == STATUS_OK and passes != NULL:
        status = forward_backward(model.lm.order, edge_weights_of(model, work), &work.lattice,
                                  &work.viterbi.edges, &model.start, NULL, passes)
    if status != STATUS_OK:
        return status
    for word in range(walk.last - walk.first):
        if is_raised_after(walk, work, word):
            for c in range(work.lattice.first_node[word], work.lattice.first_node[word + 1]):
                node = work.lattice.nodes + c
                if node.tag == TAG_AL:
                    node.tag = TAG_IU
        token = work.tokens.tokens + walk.first + word
        if work.tokens.may_have_spans and is_held(token):
            if has_source:
                phrase = work.side.phrase + walk.first + word
            for c in range(work.lattice.first_node[word], work.lattice.first_node[word + 1]):
                hold_case(work.lattice.nodes + c, token, walk.piece_case == INPUT_IGNORE, phrase)
    return STATUS_OK


cdef list describe_words(const Walk* walk, const Workspace* work, const ForwardBackward* passes,
                         bytearray buffer):
    """For each word: where it stands in the block, its candidates as rendered, the chosen first."""
    cdef int32_t i, c, chosen
    cdef const Token* token
    cdef const Node* node
    cdef const double* p
    cdef size_t start
    cdef uint32_t length, room
    cdef char* out
    cdef int tag
    words = []
    for i in range(walk.last - walk.first):
        token = work.tokens.tokens + walk.first + i
        node = work.lattice.nodes + work.lattice.first_node[i]
        room = 2 * (token.end - token.start) + 16
        if <uint32_t>len(buffer) < room:
            buffer.extend(bytes(room))
        out = buffer
        # Candidates that are rendered alike are one to whoever reads the text.
        candidates = {}
        chosen = work.viterbi.path[i]
        # The mask tells mixed forms apart; of all others the tag says everything.
        best = (node[chosen].tag, node[chosen].upper_mask if node[chosen].tag == TAG_MX else 0)
        if passes == NULL:
            candidates[best] = 1.0
        else:
            p = passes.posterior + work.lattice.first_node[i]
            for c in range(work.lattice.first_node[i + 1] - work.lattice.first_node[i]):
                tag = node[c].tag
                key = (tag, node[c].upper_mask if tag == TAG_MX else 0)
                candidates[key] = candidates.get(key, 0.0) + p[c]
        forms = []
        for key in sorted(candidates, key=lambda key: (key != best, -candidates[key], key)):
            tag = key[0]
            if walk.piece_case == INPUT_IGNORE and not is_held(token):
                length = render_anew(walk.text, token, tag, key[1], walk.model.turkic,
                                     <uint8_t*>out)
            else:
                length = render_token(walk.text, token, tag, key[1], walk.model.turkic,
                                      <uint8_t*>out)
            forms.append((<bytes>out[:length], TAGS[tag], min(1.0, candidates[key])))
        start = walk.part_offset + token.start
        words.append((start, start + (token.end - token.start), forms))
    return words


def word_posteriors(CompiledModel model, block, str input_case="ignore", source=None,
                    phrases=None, str sentence_start="always", bint chosen_only=False):
    """Where each word of each line stands, its candidates and their posteriors.

    Parameters
    ----------
    model : CompiledModel
    block : bytes-like
        UTF-8 text, lines separated by LF.
    input_case, source, phrases, sentence_start
        As for `CompiledModel.case_block`.
    chosen_only : bool
        Leave out all candidates but the chosen one, and the work for their posteriors.

    Returns
    -------
    list of list of (int, int, list of (bytes, str, float))
        For each line, for each word as the model cuts it: the bytes of the block where it begins
        and ends; the candidates as they would be written, their tags and posteriors. The first
        is the one on the best path; the others follow by posterior. The posteriors of a word sum
        to 1.

    Raises
    ------
    ValueError
        If a line is too long, `input_case` or `sentence_start` unknown, or `source` or `phrases`
        are of another number of lines or words.
    MemoryError
    """
    if input_case not in INPUT_CASES:
        raise ValueError(f"input_case {input_case!r}: expected {' or '.join(INPUT_CASES)}")
    if sentence_start not in SENTENCE_STARTS:
        raise ValueError(f"sentence_start {sentence_start!r}: expected always or learned")
    if source is not None and not model.takes_source:
        raise ValueError(
            "a unigram model, and one with Portage's models of case, look at no source")
    cdef bytes text = bytes(block)
    cdef int mode = INPUT_CASES[input_case]
    cdef Walk walk
    cdef Workspace work
    cdef ForwardBackward memory
    cdef ForwardBackward* passes = NULL if chosen_only else &memory
    cdef AlignedBlock aligned = None
    cdef const AlignedText* source_text = NULL
    cdef bint more
    cdef bytearray buffer = bytearray(256)
    if source is not None:
        aligned = AlignedBlock(text, source, phrases)
        source_text = &aligned.aligned
    memset(&work, 0, sizeof(Workspace))
    memset(&memory, 0, sizeof(ForwardBackward))
    lines = []
    try:
        begin_walk(&walk, &model.model, <const uint8_t*><const char*>text, len(text), source_text,
                   mode, &work)
        walk.start_always = SENTENCE_STARTS[sentence_start]
        while True:
            with nogil:
                more = next_piece(&walk, &work)
            if not more:
                break
            if walk.starts_line:
                lines.append([])
            while True:
                with nogil:
                    more = next_sentence(&walk, &work)
                    if more:
                        walk.status = infer_sentence(&walk, &work, passes)
                if not more or walk.status != STATUS_OK:
                    break
                lines[len(lines) - 1] += describe_words(&walk, &work, passes, buffer)
        if walk.status == STATUS_TOO_LONG:
            raise ValueError(f"line {walk.line} of the block is 2 GiB or longer")
        if walk.status == STATUS_INVALID:
            raise ValueError(f"line {walk.line} of the block has not as many words as are aligned")
        if walk.status != STATUS_OK:
            raise MemoryError(f"no memory left at line {walk.line} of the block")
        return lines
    finally:
        free_workspace(&work)
        free_forward_backward(&memory)
