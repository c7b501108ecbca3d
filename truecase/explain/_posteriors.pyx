"""How sure a model is: the posterior of every candidate of every word, by forward-backward."""

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
from truecase.runtime._status cimport STATUS_OK, STATUS_TOO_LONG
from truecase.source._held cimport hold_case, is_held
from truecase.text._casing cimport TAG_AL, TAG_IU, TAG_MX
from truecase.text._render cimport render_token
from truecase.text._token cimport Token

from truecase._core import INPUT_CASES, SENTENCE_STARTS
from truecase.text.casing import TAGS

__all__ = ["word_posteriors"]


cdef int infer_sentence(const Walk* walk, Workspace* work,
                        ForwardBackward* passes) noexcept nogil:
    """Best path and posteriors of the walk's sentence; a Status."""
    cdef const ModelView* model = walk.model
    cdef int32_t word, c
    cdef const Token* token
    cdef Node* node
    cdef int status = score(walk, False, work)
    if status == STATUS_OK:
        status = decide(walk, work)
    if status == STATUS_OK:
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
            for c in range(work.lattice.first_node[word], work.lattice.first_node[word + 1]):
                hold_case(work.lattice.nodes + c, token, walk.piece_case == INPUT_IGNORE, NULL)
    return STATUS_OK


cdef list describe_words(const Walk* walk, const Workspace* work, const ForwardBackward* passes,
                         bytearray buffer):
    """For each word: its candidates as rendered, with tags and posteriors, the chosen first."""
    cdef int32_t i, c, chosen
    cdef const Token* token
    cdef const Node* node
    cdef const double* p
    cdef uint32_t length, room
    cdef char* out
    cdef int tag
    words = []
    for i in range(walk.last - walk.first):
        token = work.tokens.tokens + walk.first + i
        node = work.lattice.nodes + work.lattice.first_node[i]
        p = passes.posterior + work.lattice.first_node[i]
        room = 2 * (token.end - token.start) + 16
        if <uint32_t>len(buffer) < room:
            buffer.extend(bytes(room))
        out = buffer
        # Candidates that are rendered alike are one to whoever reads the text.
        candidates = {}
        chosen = work.viterbi.path[i]
        for c in range(work.lattice.first_node[i + 1] - work.lattice.first_node[i]):
            tag = node[c].tag
            # The mask tells mixed forms apart; of all others the tag says everything.
            key = (tag, node[c].upper_mask if tag == TAG_MX else 0)
            candidates[key] = candidates.get(key, 0.0) + p[c]
        best = (node[chosen].tag, node[chosen].upper_mask if node[chosen].tag == TAG_MX else 0)
        forms = []
        for key in sorted(candidates, key=lambda key: (key != best, -candidates[key], key)):
            tag = key[0]
            length = render_token(walk.text, token, tag, key[1], walk.model.turkic,
                                  <uint8_t*>out)
            forms.append((<bytes>out[:length], TAGS[tag], min(1.0, candidates[key])))
        words.append(forms)
    return words


def word_posteriors(CompiledModel model, block, str input_case="ignore",
                    str sentence_start="always"):
    """Candidates and their posteriors for each word of each line.

    Parameters
    ----------
    model : CompiledModel
    block : bytes-like
        UTF-8 text, lines separated by LF.
    input_case : {"ignore", "keep"}
        Whether words that have upper case stay as they are.
    sentence_start : {"always", "learned"}
        As for `CompiledModel.case_block`.

    Returns
    -------
    list of list of list of (bytes, str, float)
        For each line, for each word as the model cuts it: the candidates as they would be
        written, their tags and posteriors.  The first is the one on the best path; the
        others follow by posterior. The posteriors of a word sum to 1.

    Raises
    ------
    ValueError
        If a line is too long, or `input_case` or `sentence_start` unknown.
    MemoryError
    """
    if input_case not in ("ignore", "keep"):
        raise ValueError(f"input_case {input_case!r}: expected ignore or keep")
    if sentence_start not in SENTENCE_STARTS:
        raise ValueError(f"sentence_start {sentence_start!r}: expected always or learned")
    cdef bytes text = bytes(block)
    cdef int mode = INPUT_CASES[input_case]
    cdef Walk walk
    cdef Workspace work
    cdef ForwardBackward passes
    cdef bint more
    cdef bytearray buffer = bytearray(256)
    memset(&work, 0, sizeof(Workspace))
    memset(&passes, 0, sizeof(ForwardBackward))
    lines = []
    try:
        begin_walk(&walk, &model.model, <const uint8_t*><const char*>text, len(text), NULL, mode,
                   &work)
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
                        walk.status = infer_sentence(&walk, &work, &passes)
                if not more or walk.status != STATUS_OK:
                    break
                lines[len(lines) - 1] += describe_words(&walk, &work, &passes, buffer)
        if walk.status == STATUS_TOO_LONG:
            raise ValueError(f"line {walk.line} of the block is 2 GiB or longer")
        if walk.status != STATUS_OK:
            raise MemoryError(f"no memory left at line {walk.line} of the block")
        return lines
    finally:
        free_workspace(&work)
        free_forward_backward(&passes)
