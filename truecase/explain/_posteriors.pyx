"""Words where they stand, as they are written, and how sure the model is of each candidate.

Posteriors come from forward-backward; where only what is chosen is asked for, it does not run.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport rint
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase._core cimport (
    INPUT_IGNORE,
    CompiledModel,
    Walk,
    Workspace,
    begin_walk,
    complete_scores,
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
from truecase.lattice._gen cimport raise_node
from truecase.lattice._lattice cimport MAX_CANDIDATES, Node
from truecase.model._view cimport ModelView
from truecase.runtime._output cimport Output, reserve_output
from truecase.runtime._status cimport (
    STATUS_INVALID,
    STATUS_OK,
    STATUS_OUT_OF_MEMORY,
    STATUS_TOO_LONG,
)
from truecase.source._block cimport AlignedBlock
from truecase.source._held cimport hold_case, is_held
from truecase.source._phrase cimport AlignedText, SourcePhrase
from truecase.text._casing cimport TAG_AL, TAG_MX
from truecase.text._render cimport render_anew, render_token
from truecase.text._token cimport Token
from truecase.text._utf8 cimport decode

import numpy as np

from truecase._core import INPUT_CASES, SENTENCE_STARTS
from truecase.text.casing import TAGS

__all__ = ["line_confidences", "word_posteriors", "word_table"]


cdef enum:
    NUMBER_ROOM = 24             # bytes of a number in decimal, at most
    TAG_LENGTH = 2
    MILLION = 1000000

cdef bytes _TAG_BYTES = "".join(TAGS).encode()
cdef const char* TAG_NAMES = _TAG_BYTES
assert len(_TAG_BYTES) == TAG_LENGTH * len(TAGS)


cdef struct Place:               # how far characters are counted
    size_t byte
    size_t character


cdef struct Form:                # what candidates that are rendered alike are to whoever reads them
    int tag
    uint64_t upper_mask
    double posterior


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
        status = complete_scores(walk, work)
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
                    raise_node(node, walk.text, work.tokens.tokens + walk.first + word,
                               model.capital_rule)
        token = work.tokens.tokens + walk.first + word
        if work.tokens.may_have_spans and is_held(token):
            if has_source:
                phrase = work.side.phrase + walk.first + word
            for c in range(work.lattice.first_node[word], work.lattice.first_node[word + 1]):
                hold_case(work.lattice.nodes + c, token, walk.piece_case == INPUT_IGNORE, phrase)
    return STATUS_OK


cdef inline size_t count_on(Place* place, const uint8_t* text, size_t size, size_t byte,
                            bint is_of_str) noexcept nogil:
    """Number of the character that begins at a byte, which is not before those counted already.

    A broken byte is a character by itself. Text that was a str has none, but may have lone
    surrogates.
    """
    cdef uint32_t length
    while place.byte < byte:
        if is_of_str:
            place.byte += 1
            while place.byte < byte and (text[place.byte] & 0xc0) == 0x80:
                place.byte += 1
        else:
            decode(text + place.byte, text + size, &length)
            place.byte += length
        place.character += 1
    return place.character


cdef inline uint64_t mask_of(const Node* node) noexcept nogil:
    """The mask that tells mixed forms apart; of all others the tag says everything."""
    return node.upper_mask if node.tag == TAG_MX else 0


cdef inline uint32_t room_of(const Token* token) noexcept nogil:
    """Bytes that a word may take in another case."""
    return 2 * (token.end - token.start) + 16


cdef inline uint32_t render_as(const Walk* walk, const Token* token, int tag, uint64_t upper_mask,
                               uint8_t* out) noexcept nogil:
    """Write a word in a case, where there is `room_of` it; the bytes that it takes."""
    if walk.piece_case == INPUT_IGNORE and not is_held(token):
        return render_anew(walk.text, token, tag, upper_mask, walk.model.turkic, out)
    return render_token(walk.text, token, tag, upper_mask, walk.model.turkic, out)


cdef class _Sentences:
    """The sentences of a block, inferred one after the other."""

    cdef Walk walk
    cdef Workspace work
    cdef ForwardBackward memory
    cdef ForwardBackward* passes     # NULL: only the best path is asked for
    cdef bint is_in_piece
    cdef int64_t n_lines             # that have begun
    cdef size_t line_start           # of the last of them, in the block
    cdef tuple kept                  # what the walk points into

    def __cinit__(self, CompiledModel model, bytes text, str input_case, source, phrases,
                  str sentence_start, bint with_posteriors):
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
                return self.walk.status == STATUS_OK
            if self.walk.status != STATUS_OK:
                return False
            self.is_in_piece = False

    cdef int check(self, int status) except -1:
        if status == STATUS_TOO_LONG:
            raise ValueError(f"line {self.walk.line} of the block is 2 GiB or longer")
        if status == STATUS_INVALID:
            raise ValueError(
                f"line {self.walk.line} of the block has not as many words as are aligned")
        if status != STATUS_OK:
            raise MemoryError(f"no memory left at line {self.walk.line} of the block")
        return 0


cdef inline bint is_before(const Form* one, const Form* other) noexcept nogil:
    if one.posterior != other.posterior:
        return one.posterior > other.posterior
    if one.tag != other.tag:
        return one.tag < other.tag
    return one.upper_mask < other.upper_mask


cdef inline int rank_forms(const Node* node, const double* p, int32_t n, int32_t chosen,
                           Form* forms) noexcept nogil:
    """The forms of a word's n candidates, how many there are: the chosen one, then by posterior.

    Without posteriors `p`, that one alone.
    """
    cdef int32_t c
    cdef int n_forms = 1, i
    cdef Form form
    forms[0].tag = node[chosen].tag
    forms[0].upper_mask = mask_of(node + chosen)
    forms[0].posterior = 1.0
    if p == NULL:
        return 1
    forms[0].posterior = 0.0
    for c in range(n):
        i = 0
        while i < n_forms and (forms[i].tag != node[c].tag
                               or forms[i].upper_mask != mask_of(node + c)):
            i += 1
        if i == n_forms:
            forms[i].tag = node[c].tag
            forms[i].upper_mask = mask_of(node + c)
            forms[i].posterior = 0.0
            n_forms += 1
        forms[i].posterior += p[c]
    for c in range(2, n_forms):
        form = forms[c]
        i = c
        while i > 1 and is_before(&form, &forms[i - 1]):
            forms[i] = forms[i - 1]
            i -= 1
        forms[i] = form
    for i in range(n_forms):
        forms[i].posterior = min(1.0, forms[i].posterior)
    return n_forms


cdef inline int forms_of(_Sentences at, int32_t word, Form* forms) noexcept nogil:
    """Those of a word of the sentence, of which there may be MAX_CANDIDATES."""
    cdef int32_t first = at.work.lattice.first_node[word]
    return rank_forms(
        at.work.lattice.nodes + first, at.passes.posterior + first if at.passes else NULL,
        at.work.lattice.first_node[word + 1] - first, at.work.viterbi.path[word], forms)


cdef list describe_words(_Sentences at, Place* place, bytearray buffer, const char* errors,
                         bint is_of_str):
    """For each word: the characters where it begins and ends, its candidates, the chosen first."""
    cdef const Walk* walk = &at.walk
    cdef int32_t i
    cdef int k, n
    cdef const Token* token
    cdef size_t start, end
    cdef uint32_t length
    cdef Form[MAX_CANDIDATES] forms
    cdef char* out
    words = []
    for i in range(walk.last - walk.first):
        token = at.work.tokens.tokens + walk.first + i
        if <uint32_t>len(buffer) < room_of(token):
            buffer.extend(bytes(room_of(token)))
        out = buffer
        n = forms_of(at, i, forms)
        found = []
        for k in range(n):
            length = render_as(walk, token, forms[k].tag, forms[k].upper_mask, <uint8_t*>out)
            found.append((PyUnicode_DecodeUTF8(out, length, errors), TAGS[forms[k].tag],
                          forms[k].posterior))
        start = walk.part_offset + token.start
        end = start + (token.end - token.start)
        start = count_on(place, walk.block, walk.size, start, is_of_str)
        words.append((start, count_on(place, walk.block, walk.size, end, is_of_str), found))
    return words


def word_posteriors(CompiledModel model, block, str input_case="ignore", source=None,
                    phrases=None, str sentence_start="always", bint chosen_only=False,
                    str errors="surrogateescape"):
    """Where each word of each line stands, its candidates and their posteriors, line by line.

    Parameters
    ----------
    model : CompiledModel
    block : bytes-like
        UTF-8 text, lines separated by LF.
    input_case, source, phrases, sentence_start
        As for `CompiledModel.case_block`.
    chosen_only : bool
        Leave out all candidates but the chosen one, and the work for their posteriors.
    errors : {"surrogateescape", "surrogatepass"}
        What the block holds besides UTF-8: broken bytes, each a character, or the lone surrogates
        of a str.

    Yields
    ------
    list of (int, int, list of (str, str, float))
        Of a line, for each word as the model cuts it: the characters of the block where it
        begins and ends; the candidates as they would be written, their tags and posteriors. The
        first is the one on the best path; the others follow by posterior. The posteriors of a
        word sum to 1.

    Raises
    ------
    ValueError
        If a line is too long, `input_case` or `sentence_start` unknown, or `source` or `phrases`
        are of another number of lines or words.
    MemoryError
    """
    cdef _Sentences at = _Sentences(model, bytes(block), input_case, source, phrases,
                                    sentence_start, not chosen_only)
    cdef Place place
    cdef bint more = True, is_of_str = errors == "surrogatepass"
    cdef bytes handler = errors.encode()
    cdef bytearray buffer = bytearray(256)
    cdef int64_t n_lines = 0
    memset(&place, 0, sizeof(Place))
    words = []
    while more:
        with nogil:
            more = at.go_on()
        while n_lines < at.n_lines:
            if n_lines > 0:
                yield words
            n_lines += 1
            words = []
        if more:
            words += describe_words(at, &place, buffer, handler, is_of_str)
    at.check(at.walk.status)
    if n_lines > 0:
        yield words


cdef inline void write_byte(Output* table, char byte) noexcept nogil:
    table.bytes[table.size] = byte
    table.size += 1


cdef inline void write_number(Output* table, uint64_t number, int n_digits) noexcept nogil:
    """A number in decimal, with zeros before it up to `n_digits` digits."""
    cdef char[NUMBER_ROOM] digits
    cdef int n = 0
    while number or n < n_digits:
        n += 1
        digits[<int>NUMBER_ROOM - n] = <char>(0x30 + number % 10)
        number //= 10
    memcpy(table.bytes + table.size, digits + <int>NUMBER_ROOM - n, n)
    table.size += n


cdef int write_rows(_Sentences at, Place* place, Output* table) noexcept nogil:
    """A row for each word of the sentence; a Status."""
    cdef const Walk* walk = &at.walk
    cdef const Token* token
    cdef Form[MAX_CANDIDATES] forms
    cdef size_t start
    cdef uint64_t millionths
    cdef int32_t i
    for i in range(walk.last - walk.first):
        token = at.work.tokens.tokens + walk.first + i
        forms_of(at, i, forms)
        if reserve_output(table, room_of(token) + 5 * <size_t>NUMBER_ROOM) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        start = walk.part_offset + token.start
        write_number(table, count_on(place, walk.block, walk.size, start, False), 1)
        write_byte(table, 0x09)
        start += token.end - token.start
        write_number(table, count_on(place, walk.block, walk.size, start, False), 1)
        write_byte(table, 0x09)
        table.size += render_as(walk, token, forms[0].tag, forms[0].upper_mask,
                                table.bytes + table.size)
        write_byte(table, 0x09)
        memcpy(table.bytes + table.size, TAG_NAMES + TAG_LENGTH * forms[0].tag, TAG_LENGTH)
        table.size += TAG_LENGTH
        if at.passes != NULL:
            millionths = <uint64_t>rint(<double>MILLION * forms[0].posterior)
            write_byte(table, 0x09)
            write_number(table, millionths // MILLION, 1)
            write_byte(table, 0x2e)
            write_number(table, millionths % MILLION, 6)
        write_byte(table, 0x0a)
    return STATUS_OK


cdef int write_table(_Sentences at, Output* table) noexcept nogil:
    """The rows of all sentences, and an empty line for the end of each line; a Status."""
    cdef Place place
    cdef int64_t n_lines = 0
    cdef bint more = True
    memset(&place, 0, sizeof(Place))
    while more:
        more = at.go_on()
        if at.n_lines > n_lines:
            if reserve_output(table, at.n_lines - n_lines) != STATUS_OK:
                return STATUS_OUT_OF_MEMORY
            for n_lines in range(n_lines, at.n_lines):
                if n_lines > 0:
                    write_byte(table, 0x0a)
            n_lines = at.n_lines
            place.byte = at.line_start
            place.character = 0
        if more and write_rows(at, &place, table) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
    if n_lines > 0:
        if reserve_output(table, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        write_byte(table, 0x0a)
    return at.walk.status


cdef int least_certain(_Sentences at, double* least, int64_t n) noexcept nogil:
    """The posterior of each line's least certain word, 1 for a line without words; a Status."""
    cdef Form[MAX_CANDIDATES] forms
    cdef int64_t i
    cdef int32_t word
    for i in range(n):
        least[i] = 1.0
    while at.go_on():
        for word in range(at.walk.last - at.walk.first):
            forms_of(at, word, forms)
            if forms[0].posterior < least[at.n_lines - 1]:
                least[at.n_lines - 1] = forms[0].posterior
    return at.walk.status


def line_confidences(CompiledModel model, bytes block, str input_case="ignore", source=None,
                     phrases=None, str sentence_start="always"):
    """How sure the model is of each line: the posterior of its least certain word.

    Parameters
    ----------
    model : CompiledModel
    block : bytes
    input_case, source, phrases, sentence_start
        As for `CompiledModel.case_block`.

    Returns
    -------
    ndarray of float64, shape (n_lines,)
        1 for a line without words.

    Raises
    ------
    ValueError, MemoryError
        As `word_posteriors`.
    """
    cdef _Sentences at = _Sentences(model, block, input_case, source, phrases, sentence_start, True)
    cdef int64_t n = block.count(b"\n")
    cdef int status
    if block and not block.endswith(b"\n"):
        n += 1
    least = np.empty(n)
    cdef double[::1] view = least
    if n == 0:
        return least
    with nogil:
        status = least_certain(at, &view[0], n)
    at.check(status)
    return least


def word_table(CompiledModel model, bytes block, str input_case="ignore", source=None,
               phrases=None, str sentence_start="always", bint with_posteriors=False):
    """The words as tab-separated values, one a line; an empty line ends each line of the block.

    Parameters
    ----------
    model : CompiledModel
    block : bytes
    input_case, source, phrases, sentence_start
        As for `CompiledModel.case_block`.
    with_posteriors : bool

    Returns
    -------
    bytes
        Start and end of each word, in characters of its line; the word as it is written; its tag;
        and, with posteriors, that of the word, with six digits behind the point.

    Raises
    ------
    ValueError, MemoryError
        As `word_posteriors`.
    """
    cdef _Sentences at = _Sentences(model, block, input_case, source, phrases, sentence_start,
                                    with_posteriors)
    cdef Output table
    cdef int status
    memset(&table, 0, sizeof(Output))
    try:
        with nogil:
            status = write_table(at, &table)
        at.check(status)
        return PyBytes_FromStringAndSize(<char*>table.bytes, table.size)
    finally:
        free(table.bytes)
