"""The words of a block with the posteriors of their forms, by forward-backward.

If the model is calibrated, so are the posteriors (truecase/kernels/_calibration.pxd).
"""

from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stdlib cimport free
from libc.string cimport memcmp, memset

from truecase._core cimport (
    INPUT_IGNORE, CompiledModel, apply_all_rules, begin_walk, check_status, count_of,
    free_workspace, infer, is_anew, is_decided, next_piece, next_sentence, use_casing, word_forms
)
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, Output, reserve_output
from truecase.kernels._calibration cimport compute_inputs
from truecase.kernels._lattice cimport MAX_CANDIDATES, is_held
from truecase.kernels._render cimport render_anew, render_token
from truecase.kernels._source cimport AlignedBlock
from truecase.kernels._structs cimport N_SEVERAL, AlignedText
from truecase.kernels._unicode cimport TAG_AN, decode

import numpy as np

from truecase.evaluation.calibration import JudgedWords
from truecase.kernels._segment import count_lines
from truecase.kernels.text import TAGS
from truecase.options import DEFAULT_CASING


cdef uint32_t render_as(const Walk* walk, const Token* token, int tag, uint64_t upper_mask,
                        uint8_t* out) noexcept nogil:
    if is_anew(walk) and not is_held(token):
        return render_anew(walk.text, token, tag, upper_mask, walk.model.turkic, out)
    return render_token(walk.text, token, tag, upper_mask, walk.model.turkic, out)


cdef class Sentences:
    """Infers the sentences of a block one after the other.

    With `calibrates`, a calibrated model gives calibrated posteriors.
    """

    def __cinit__(self, CompiledModel model, bytes text, casing, source, phrases,
                  bint with_posteriors, bint calibrates=True):
        cdef AlignedBlock aligned = None
        cdef const AlignedText* source_text = NULL
        if source is not None:
            if not model.takes_source:
                raise ValueError(
                    "a unigram model, and one with Portage's models of case, look at no source")
            aligned = AlignedBlock(text, source, phrases)
            source_text = &aligned.aligned
        self.kept = (model, text, aligned)
        self.is_by_rule = True
        self.has_posteriors = with_posteriors
        self.is_calibrated = calibrates and with_posteriors and model.model.calibration.is_active
        begin_walk(&self.walk, &model.model, <const uint8_t*><const char*>text, len(text),
                   source_text, INPUT_IGNORE, &self.work)
        use_casing(&self.walk, casing)

    def __dealloc__(self):
        free_workspace(&self.work)

    cdef bint advance(self) noexcept nogil:
        cdef bint with_posteriors
        while True:
            if not self.is_in_piece:
                if not next_piece(&self.walk, &self.work):
                    return False
                self.is_in_piece = True
                if self.walk.starts_line:
                    self.n_lines += 1
            if next_sentence(&self.walk, &self.work):
                with_posteriors = self.has_posteriors or self.walk.keeps_unsure
                self.walk.status = infer(&self.walk, with_posteriors, &self.work)
                if self.walk.status == STATUS_OK and self.is_by_rule:
                    apply_all_rules(&self.walk, with_posteriors, &self.work)
                return self.walk.status == STATUS_OK
            if self.walk.status != STATUS_OK:
                return False
            self.is_in_piece = False

    cdef int forms_of(self, int32_t word, Form* forms) noexcept nogil:
        return word_forms(&self.walk, &self.work, word, self.has_posteriors, self.is_calibrated,
                          forms)


cdef struct Place:               # characters are counted up to here
    size_t byte
    size_t character


cdef inline size_t count_on(Place* place, const uint8_t* text, size_t size, size_t byte,
                            bint is_of_str) noexcept nogil:
    """Count the characters up to a byte; a broken byte is a character.

    Text that was a str has no broken bytes, but may have lone surrogates.
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


cdef list words_of_sentence(Sentences at, Place* place, bytearray buffer, const char* errors,
                            bint is_of_str):
    """The words of the sentence, as `word_posteriors` gives them."""
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
        n = at.forms_of(i, forms)
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


def word_posteriors(CompiledModel model, block, casing=DEFAULT_CASING, source=None, phrases=None,
                    bint chosen_only=False, str errors="surrogateescape"):
    """Case a block, and yield for each line the list of its words.

    Parameters
    ----------
    model, block, casing, source, phrases
        As for `CompiledModel.case_block`, with its errors.
    chosen_only : bool
        Leave out the other candidates and do not compute posteriors.
    errors : {"surrogateescape", "surrogatepass"}
        The block may have broken bytes, each a character, or the lone surrogates of a str.

    Yields
    ------
    list of (int, int, list of (str, str, float))
        For each word its first character and the one after its last, counted in the block, and
        its forms with their tags and posteriors: the form on the best path, then the others by
        posterior. Posteriors sum to 1; to at most 1 for the only form of a calibrated model.
    """
    cdef Sentences at = Sentences(model, bytes(block), casing, source, phrases, not chosen_only)
    cdef Place place
    cdef bint more = True, is_of_str = errors == "surrogatepass"
    cdef bytes handler = errors.encode()
    cdef bytearray buffer = bytearray(256)
    cdef int64_t n_lines = 0
    memset(&place, 0, sizeof(Place))
    words = []
    while more:
        with nogil:
            more = at.advance()
        while n_lines < at.n_lines:
            if n_lines > 0:
                yield words
            n_lines += 1
            words = []
        if more:
            words += words_of_sentence(at, &place, buffer, handler, is_of_str)
    check_status(&at.walk)
    if n_lines > 0:
        yield words


def line_confidences(CompiledModel model, bytes block, casing=DEFAULT_CASING, source=None,
                     phrases=None):
    """The posterior of each line's least certain word; 1 for a line without words.

    Parameters and errors are those of `word_posteriors`. Returns a float64 array of shape
    (n_lines,).
    """
    cdef Sentences at = Sentences(model, block, casing, source, phrases, True)
    cdef Form[MAX_CANDIDATES] forms
    cdef int32_t word
    least = np.ones(count_lines(block))
    cdef double[::1] of_line = least
    with nogil:
        while at.advance():
            for word in range(at.walk.last - at.walk.first):
                at.forms_of(word, forms)
                of_line[at.n_lines - 1] = min(of_line[at.n_lines - 1], forms[0].posterior)
    check_status(&at.walk)
    return least


cdef int judge_sentence(Sentences at, const uint8_t* reference, Output* room,
                        double[::1] probability, double[:, ::1] value, uint8_t[:, ::1] flag,
                        int64_t* n) noexcept nogil:
    """Append the words of the sentence that have case; a Status."""
    cdef Form[MAX_CANDIDATES] forms
    cdef const Token* token
    cdef int32_t word
    cdef uint32_t length
    cdef bint is_one
    for word in range(at.walk.last - at.walk.first):
        token = at.work.tokens.tokens + at.walk.first + word
        if token.tag == TAG_AN:
            continue
        room.size = 0
        if reserve_output(room, room_of(token)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        is_one = at.forms_of(word, forms) == 1
        length = render_as(&at.walk, token, forms[0].tag, forms[0].upper_mask, room.bytes)
        probability[n[0]] = forms[0].posterior
        compute_inputs(is_one, forms[0].posterior, count_of(&at.walk, &at.work, word),
                       &at.work.traits, &value[n[0], 0])
        flag[0, n[0]] = is_one
        flag[1, n[0]] = is_decided(&at.walk, &at.work, word)
        flag[2, n[0]] = length == token.end - token.start and memcmp(
            room.bytes, reference + at.walk.part_offset + token.start, length) == 0
        n[0] += 1
    return STATUS_OK


def judged_words(CompiledModel model, bytes block, bytes reference):
    """Case a lowercased block and compare it with the reference, which has the same length.

    Raises ValueError if the lengths differ, or a line is too long.
    """
    if len(block) != len(reference):
        raise ValueError("the text and its reference differ in length")
    cdef Sentences at = Sentences(model, block, DEFAULT_CASING, None, None, True, False)
    cdef Py_ssize_t most = len(block) + 1     # a word has a byte
    probabilities, values = np.empty(most), np.zeros((most, N_SEVERAL))
    flags = np.empty((3, most), np.bool_)
    cdef double[::1] probability = probabilities
    cdef double[:, ::1] value = values
    cdef uint8_t[:, ::1] flag = flags.view(np.uint8)
    cdef const uint8_t* right = <const uint8_t*><const char*>reference
    cdef int64_t n = 0
    cdef Output room
    memset(&room, 0, sizeof(Output))
    try:
        with nogil:
            while at.advance():
                at.walk.status = judge_sentence(at, right, &room, probability, value, flag, &n)
        check_status(&at.walk)
    finally:
        free(room.bytes)
    # Copies, so that the room for more words is freed.
    return JudgedWords(probabilities[:n].copy(), values[:n].copy(), *flags[:, :n].copy())
