"""How sure a model is: the posterior of every candidate of every word, by forward-backward."""

from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.string cimport memset

from truecase._core cimport (
    TEXT_PADDING,
    CompiledModel,
    Workspace,
    build_lattice,
    edge_weights_of,
    find_path,
    free_workspace,
    sentence_end,
    weigh_lattice,
)
from truecase._model cimport INITIAL_RESTORE, Model
from truecase._status cimport STATUS_OK
from truecase.decode._forward_backward cimport (
    ForwardBackward,
    forward_backward,
    free_forward_backward,
)
from truecase.lattice._lattice cimport Node
from truecase.text._casing cimport TAG_AL, TAG_IU, TAG_MX
from truecase.text._render cimport render_token
from truecase.text._segment cimport Token, segment_line

from truecase._core import INPUT_CASES
from truecase.modelfile.errors import ModelError

__all__ = ["word_posteriors"]

cdef tuple TAG_NAMES = ("AL", "IU", "AU", "MX", "AN")


cdef int infer_sentence(const Model* model, const uint8_t* text, int32_t first, int32_t end,
                        int input_case, Workspace* work,
                        ForwardBackward* passes) noexcept nogil:
    """Best path and posteriors of the tokens first … end - 1; a Status."""
    cdef int32_t first_cased, i, c
    cdef Node* node
    cdef int status = build_lattice(model, text, first, end, input_case, True, work, &first_cased)
    if status == STATUS_OK:
        status = weigh_lattice(model, text, first, end, first_cased, False, work)
    if status == STATUS_OK:
        status = find_path(model, work)
    if status == STATUS_OK:
        status = forward_backward(model.lm.order, edge_weights_of(model, work), &work.lattice,
                                  &work.viterbi.edges, &model.start, NULL, passes)
    if status == STATUS_OK and first_cased >= 0 and model.initial == INITIAL_RESTORE:
        i = first_cased - first
        for c in range(work.lattice.first_node[i], work.lattice.first_node[i + 1]):
            node = work.lattice.nodes + c
            if node.tag == TAG_AL:
                node.tag = TAG_IU
    return status


cdef list describe_words(const Model* model, const uint8_t* text, int32_t first, int32_t end,
                         const Workspace* work, const ForwardBackward* passes, bytearray buffer):
    """For each word: its candidates as rendered, with tags and probabilities, the chosen first."""
    cdef int32_t i, c, chosen
    cdef const Token* token
    cdef const Node* node
    cdef const double* p
    cdef uint32_t length, room
    cdef char* out
    cdef int tag
    words = []
    for i in range(end - first):
        token = work.tokens.tokens + first + i
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
            length = render_token(text, token, tag, key[1], model.turkic,
                                  <uint8_t*>out)
            forms.append((<bytes>out[:length], TAG_NAMES[tag], min(1.0, candidates[key])))
        words.append(forms)
    return words


def word_posteriors(CompiledModel model, block, str input_case="ignore"):
    """Candidates and their probabilities for each word of each line.

    Parameters
    ----------
    model : CompiledModel
    block : bytes-like
        UTF-8 text below 1 GiB, lines separated by LF.
    input_case : {"ignore", "keep"}
        Whether words that have upper case stay as they are.

    Returns
    -------
    list of list of list of (bytes, str, float)
        For each line, for each word as the model cuts it: the candidates as they would be
        written, their tags and probabilities. The first is the one on the best path; the
        others follow by probability. The probabilities of a word sum to 1.

    Raises
    ------
    ValueError
        If the block is too long, or `input_case` unknown.
    MemoryError
    """
    if model._owners is None:
        raise ModelError("this model was not initialised")
    if input_case not in ("ignore", "keep"):
        raise ValueError(f"input_case {input_case!r}: expected ignore or keep")
    if len(block) > 1 << 30:
        raise ValueError("a block of text is longer than 1 GiB")
    cdef bytes padded = bytes(block) + b"\n" * TEXT_PADDING
    cdef const uint8_t* text = padded
    cdef uint32_t begin = 0, line_end, size = <uint32_t>(len(padded) - TEXT_PADDING)
    cdef int mode = INPUT_CASES[input_case], status = STATUS_OK
    cdef int32_t first, last
    cdef Workspace work
    cdef ForwardBackward passes
    cdef bytearray buffer = bytearray(256)
    memset(&work, 0, sizeof(Workspace))
    memset(&passes, 0, sizeof(ForwardBackward))
    lines = []
    try:
        while begin < size:
            line_end = begin
            while line_end < size and text[line_end] != 0x0a:
                line_end += 1
            words = []
            with nogil:
                status = segment_line(text, begin, line_end, model.model.segmentation,
                                      model.model.turkic, &work.tokens)
            first = 0
            while status == STATUS_OK and first < work.tokens.n:
                last = sentence_end(&model.model.lexicon, &work.tokens, first)
                with nogil:
                    status = infer_sentence(&model.model, text, first, last, mode, &work, &passes)
                if status == STATUS_OK:
                    words += describe_words(&model.model, text, first, last, &work, &passes,
                                            buffer)
                    first = last
            if status != STATUS_OK:
                raise MemoryError(f"no memory left at line {len(lines) + 1} of the block")
            lines.append(words)
            begin = line_end + 1
        return lines
    finally:
        free_workspace(&work)
        free_forward_backward(&passes)
