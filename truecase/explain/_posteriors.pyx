"""Words where they stand, as they are written, and how sure the model is of each candidate.

The probabilities are calibrated where the model can (truecase/decode/_calibration.pxd).
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.math cimport rint
from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase._core cimport CompiledModel, Walk
from truecase.explain._forms cimport Form
from truecase.explain._sentences cimport Sentences, render_as, room_of
from truecase.lattice._lattice cimport MAX_CANDIDATES
from truecase.runtime._output cimport Output, reserve_output
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.text._token cimport Token
from truecase.text._utf8 cimport decode

import numpy as np

from truecase.options import DEFAULT_CASING
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


cdef list describe_words(Sentences at, Place* place, bytearray buffer, const char* errors,
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
    """Where each word of each line stands, its candidates and their posteriors, line by line.

    Parameters
    ----------
    model : CompiledModel
    block : bytes-like
        UTF-8 text, lines separated by LF.
    casing, source, phrases
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
        word sum to 1; of a calibrated model, where there is one candidate, to at most 1.

    Raises
    ------
    ValueError
        As of `CompiledModel.case_block`.
    MemoryError
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


cdef int write_rows(Sentences at, Place* place, Output* table) noexcept nogil:
    """A row for each word of the sentence; a Status."""
    cdef const Walk* walk = &at.walk
    cdef const Token* token
    cdef Form[MAX_CANDIDATES] forms
    cdef size_t start
    cdef uint64_t millionths
    cdef int32_t i
    for i in range(walk.last - walk.first):
        token = at.work.tokens.tokens + walk.first + i
        at.forms_of(i, forms)
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


cdef int write_table(Sentences at, Output* table) noexcept nogil:
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


cdef int least_certain(Sentences at, double* least, int64_t n) noexcept nogil:
    """The posterior of each line's least certain word, 1 for a line without words; a Status."""
    cdef Form[MAX_CANDIDATES] forms
    cdef int64_t i
    cdef int32_t word
    for i in range(n):
        least[i] = 1.0
    while at.go_on():
        for word in range(at.walk.last - at.walk.first):
            at.forms_of(word, forms)
            if forms[0].posterior < least[at.n_lines - 1]:
                least[at.n_lines - 1] = forms[0].posterior
    return at.walk.status


def line_confidences(CompiledModel model, bytes block, casing=DEFAULT_CASING, source=None,
                     phrases=None):
    """How sure the model is of each line: the posterior of its least certain word.

    Parameters
    ----------
    model : CompiledModel
    block : bytes
    casing, source, phrases
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
    cdef Sentences at = Sentences(model, block, casing, source, phrases, True)
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


def word_table(CompiledModel model, bytes block, casing=DEFAULT_CASING, source=None, phrases=None,
               bint with_posteriors=False):
    """The words as tab-separated values, one a line; an empty line ends each line of the block.

    Parameters
    ----------
    model : CompiledModel
    block : bytes
    casing, source, phrases
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
    cdef Sentences at = Sentences(model, block, casing, source, phrases, with_posteriors)
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
