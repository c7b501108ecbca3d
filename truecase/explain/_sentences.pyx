"""The sentences of a block, each with its best path and posteriors, one after the other.

Posteriors come from forward-backward; where only what is chosen is asked for, it does not run.
"""

from libc.stdint cimport int32_t, uint8_t

from truecase._core cimport (
    CompiledModel,
    begin_walk,
    complete_scores,
    edge_weights_of,
    find_best_path,
    follow_offices,
    free_workspace,
    is_raised_after,
    keeps_case,
    next_piece,
    next_sentence,
    score,
)
from truecase.decode._calibration cimport calibrated, familiar_of
from truecase.decode._forward_backward cimport forward_backward, free_forward_backward
from truecase.explain._forms cimport Form, give_probability, rank_forms
from truecase.lattice._gen cimport raise_node
from truecase.lattice._lattice cimport Node
from truecase.lexicon._lexicon cimport training_count
from truecase.model._view cimport ModelView
from truecase.names._names cimport NAME_LIKELY
from truecase.runtime._status cimport STATUS_INVALID, STATUS_OK, STATUS_TOO_LONG
from truecase.source._block cimport AlignedBlock
from truecase.source._held cimport hold_case
from truecase.source._phrase cimport AlignedText, SourcePhrase
from truecase.text._casing cimport TAG_AL, TAG_AN

from truecase._core import INPUT_CASES, SENTENCE_STARTS

__all__ = []


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
        status = find_best_path(walk, work)
    if status == STATUS_OK and passes != NULL:
        status = complete_scores(walk, work)
    if status == STATUS_OK and passes != NULL:
        status = forward_backward(model.lm.order, edge_weights_of(model, work), &work.lattice,
                                  &work.viterbi.edges, &model.start, NULL, passes)
    if status != STATUS_OK:
        return status
    for word in range(walk.last - walk.first):
        if work.offices.any:
            for c in range(work.lattice.first_node[word], work.lattice.first_node[word + 1]):
                follow_offices(walk, work, word, work.lattice.nodes + c)
        if is_raised_after(walk, work, word):
            for c in range(work.lattice.first_node[word], work.lattice.first_node[word + 1]):
                node = work.lattice.nodes + c
                if node.tag == TAG_AL:
                    raise_node(node, walk.text, work.tokens.tokens + walk.first + word,
                               model.capital_rule)
        token = work.tokens.tokens + walk.first + word
        if work.tokens.may_have_spans and is_held(token):
            if has_source:
                phrase = work.side.phrase + walk.first + word
            for c in range(work.lattice.first_node[word], work.lattice.first_node[word + 1]):
                hold_case(work.lattice.nodes + c, token, walk.piece_case == INPUT_IGNORE, phrase)
    return STATUS_OK


cdef class Sentences:
    """The sentences of a block, inferred one after the other.

    With `calibrates`, and where the model can, probabilities are those of being right.
    """

    def __cinit__(self, CompiledModel model, bytes text, str input_case, source, phrases,
                  str sentence_start, bint with_posteriors, bint calibrates=True):
        cdef AlignedBlock aligned = None
        cdef const AlignedText* source_text = NULL
        if input_case not in INPUT_CASES:
            raise ValueError(f"input_case {input_case!r}: expected {' or '.join(INPUT_CASES)}")
        if sentence_start not in SENTENCE_STARTS:
            raise ValueError(f"sentence_start {sentence_start!r}: expected always or learned")
        if source is not None:
            if not model.takes_source:
                raise ValueError(
                    "a unigram model, and one with Portage's models of case, look at no source")
            aligned = AlignedBlock(text, source, phrases)
            source_text = &aligned.aligned
        self.kept = (model, text, aligned)
        if with_posteriors:
            self.passes = &self.memory
        self.is_calibrated = (
            calibrates and with_posteriors and model.model.calibration.is_active)
        begin_walk(&self.walk, &model.model, <const uint8_t*><const char*>text, len(text),
                   source_text, INPUT_CASES[input_case], &self.work)
        self.walk.start_always = SENTENCE_STARTS[sentence_start]

    def __dealloc__(self):
        free_workspace(&self.work)
        free_forward_backward(&self.memory)

    cdef bint go_on(self) noexcept nogil:
        """Go on to the next sentence: whether there is one, and no error."""
        while True:
            if not self.is_in_piece:
                if not next_piece(&self.walk, &self.work):
                    return False
                self.is_in_piece = True
                if self.walk.starts_line:
                    self.n_lines += 1
                    self.line_start = self.walk.part_offset + self.walk.begin
            if next_sentence(&self.walk, &self.work):
                self.walk.status = infer_sentence(&self.walk, &self.work, self.passes)
                if self.is_calibrated:
                    self.familiar = self.how_familiar()
                return self.walk.status == STATUS_OK
            if self.walk.status != STATUS_OK:
                return False
            self.is_in_piece = False

    cdef double how_familiar(self) noexcept nogil:
        """Of the sentence: the mean over its words with case."""
        cdef const Token* token = self.work.tokens.tokens + self.walk.first
        cdef double total = 0.0
        cdef int32_t word, n = 0
        for word in range(self.walk.last - self.walk.first):
            if token[word].tag != TAG_AN:
                total += familiar_of(self.count_of(word))
                n += 1
        return total / n if n else 0.0

    cdef double count_of(self, int32_t word) noexcept nogil:
        """How often training saw a word of the sentence."""
        return training_count(&self.walk.model.lexicon, self.work.lattice.record[word])

    cdef bint is_decided(self, int32_t word) noexcept nogil:
        """Whether the model decides a word's case: not rules, a user's list or the input."""
        cdef int32_t i = self.walk.first + word
        cdef const Token* token = self.work.tokens.tokens + i
        if token.tag == TAG_AN or keeps_case(token, self.walk.piece_case,
                                             word == self.walk.initial):
            return False
        if self.work.named.any and self.work.named.tokens[i].kind > NAME_LIKELY:
            return False
        return not (self.work.tokens.may_have_spans and is_held(token))

    cdef int forms_of(self, int32_t word, Form* forms) noexcept nogil:
        """Those of a word of the sentence, of which there may be MAX_CANDIDATES; how many."""
        cdef int32_t first = self.work.lattice.first_node[word]
        cdef int n = rank_forms(
            self.work.lattice.nodes + first, self.passes.posterior + first if self.passes else NULL,
            self.work.lattice.first_node[word + 1] - first, self.work.viterbi.path[word], forms)
        if self.is_calibrated and self.is_decided(word):
            give_probability(forms, n, calibrated(&self.walk.model.calibration, n == 1,
                                                  forms[0].posterior, self.count_of(word),
                                                  self.familiar))
        return n

    cdef int check(self, int status) except -1:
        if status == STATUS_TOO_LONG:
            raise ValueError(f"line {self.walk.line} of the block is 2 GiB or longer")
        if status == STATUS_INVALID:
            raise ValueError(
                f"line {self.walk.line} of the block has not as many words as are aligned")
        if status != STATUS_OK:
            raise MemoryError(f"no memory left at line {self.walk.line} of the block")
        return 0
