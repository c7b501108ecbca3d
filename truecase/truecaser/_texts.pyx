"""Case Python's texts in place, and make texts of cased lines.

Lone surrogates are encoded as UTF-8 encodes other characters, and decoded again.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize, PyBytes_GET_SIZE
from cpython.list cimport PyList_GET_ITEM, PyList_GET_SIZE, PyList_New, PyList_SET_ITEM
from cpython.ref cimport PyObject, Py_INCREF
from cpython.unicode cimport PyUnicode_DecodeUTF8
from libc.stddef cimport size_t
from libc.stdint cimport uint8_t
from libc.string cimport memcpy

from truecase._core cimport (
    INPUT_IGNORE, CompiledModel, OwnedWorkspace, Walk, begin_walk, case_all, check_status,
    use_casing
)
from truecase.kernels._unicode cimport line_feed_behind, line_feeds

from truecase.errors import WrongTypeError


cdef uint8_t LINE_FEED = 0x0A


cdef enum:
    # So little text is cased before another thread would have taken the GIL.
    HELD_BYTES = 32

cdef extern from "Python.h":
    bint PyUnicode_IS_COMPACT_ASCII(PyObject* text) noexcept nogil
    Py_ssize_t PyUnicode_GET_LENGTH(PyObject* text) noexcept nogil
    void* PyUnicode_DATA(PyObject* text) noexcept nogil


def case_text(CompiledModel model, text, casing):
    """Do `CompiledModel.case_block` for one str; WrongTypeError if it is something else."""
    cdef bytes encoded
    cdef const uint8_t* block
    cdef size_t size
    cdef OwnedWorkspace work
    cdef Walk walk
    if not isinstance(text, str):
        found = type(text).__name__
        raise WrongTypeError(f"text: expected a str, found {found}; batch and column case several")
    if PyUnicode_IS_COMPACT_ASCII(<PyObject*>text):
        block = <const uint8_t*>PyUnicode_DATA(<PyObject*>text)
        size = PyUnicode_GET_LENGTH(<PyObject*>text)
    else:
        encoded = (<str>text).encode("utf-8", "surrogatepass")
        block = <const uint8_t*>PyBytes_AS_STRING(encoded)
        size = PyBytes_GET_SIZE(encoded)
    work = model.take_workspace()
    begin_walk(&walk, &model.model, block, size, NULL, INPUT_IGNORE, &work.memory)
    use_casing(&walk, casing)
    if size > <size_t>HELD_BYTES:
        with nogil:
            case_all(&walk, &work.memory)
    else:
        case_all(&walk, &work.memory)
    check_status(&walk)
    cased = PyUnicode_DecodeUTF8(<const char*>work.memory.out.bytes, work.memory.out.size,
                                 "surrogatepass")
    model.keep_workspace(work)
    return cased


def n_characters(list texts, str name):
    """Count the characters of all texts, and one more for each text; make each a plain str.

    Raises
    ------
    WrongTypeError
        An item is not a str; the message has the list's `name`.
    """
    cdef Py_ssize_t i, n = 0
    for i in range(PyList_GET_SIZE(texts)):
        text = <object>PyList_GET_ITEM(texts, i)
        if not isinstance(text, str):
            raise WrongTypeError(f"{name}[{i}]: expected a str, found {type(text).__name__}")
        if type(text) is not str:  # an item of an array of NumPy
            texts[i] = text = str.__str__(text)
        n += PyUnicode_GET_LENGTH(<PyObject*>text) + 1
    return n


def parts_of_texts(list texts, Py_ssize_t size):
    """Cut a list of texts into parts of about `size` characters, at least one text each.

    Returns
    -------
    list of (int, int)
        The first text of each part, and one after the last.
    """
    cdef Py_ssize_t begin = 0, held = 0, i, n = PyList_GET_SIZE(texts)
    cdef list parts = []
    for i in range(n):
        held += PyUnicode_GET_LENGTH(<PyObject*>PyList_GET_ITEM(texts, i)) + 1
        if held >= size or i == n - 1:
            parts.append((begin, i + 1))
            begin = i + 1
            held = 0
    return parts


def lines_of_texts(list texts, Py_ssize_t begin, Py_ssize_t end):
    """Encode the texts from `begin` to before `end`, each with a line feed behind it."""
    cdef list encoded = []
    cdef bytes utf8
    cdef PyObject* text
    cdef Py_ssize_t i, n_encoded = 0
    cdef size_t size = 0, n
    cdef const void* data
    cdef uint8_t* out
    for i in range(begin, end):
        text = <PyObject*>PyList_GET_ITEM(texts, i)
        if PyUnicode_IS_COMPACT_ASCII(text):
            size += PyUnicode_GET_LENGTH(text) + 1
        else:
            utf8 = (<str>text).encode("utf-8", "surrogatepass")
            size += PyBytes_GET_SIZE(utf8) + 1
            encoded.append(utf8)
    block = PyBytes_FromStringAndSize(NULL, size)
    out = <uint8_t*>PyBytes_AS_STRING(block)
    for i in range(begin, end):
        text = <PyObject*>PyList_GET_ITEM(texts, i)
        if PyUnicode_IS_COMPACT_ASCII(text):
            data = PyUnicode_DATA(text)
            n = PyUnicode_GET_LENGTH(text)
        else:
            data = PyBytes_AS_STRING(encoded[n_encoded])
            n = PyBytes_GET_SIZE(encoded[n_encoded])
            n_encoded += 1
        memcpy(out, data, n)
        out[n] = LINE_FEED
        out += n + 1
    return block


def texts_of_lines(list texts, Py_ssize_t begin, Py_ssize_t end, bytes block):
    """Undo `lines_of_texts` after its block was cased; line feeds in texts are part of them.

    Raises
    ------
    ValueError
        The block has other lines than these texts.
    """
    cdef const uint8_t* at = <const uint8_t*>PyBytes_AS_STRING(block)
    cdef const uint8_t* last = at + PyBytes_GET_SIZE(block)
    cdef const uint8_t* line_end
    cdef Py_ssize_t i, n_feeds
    # If each text is one line, none is searched for line feeds.
    cdef bint are_lines = line_feeds(at, last - at) == end - begin
    cdef list made = PyList_New(end - begin)
    for i in range(begin, end):
        n_feeds = 0 if are_lines else (<str>PyList_GET_ITEM(texts, i)).count("\n")
        line_end = line_feed_behind(at, last, n_feeds)
        if line_end == NULL:
            break
        one = PyUnicode_DecodeUTF8(<const char*>at, line_end - at, "surrogatepass")
        Py_INCREF(one)
        PyList_SET_ITEM(made, i - begin, one)
        at = line_end + 1
    else:
        if at == last:
            return made
    raise ValueError("the model has changed more than the case of a text")
