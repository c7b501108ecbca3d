"""A column that another library offers: type and chunks, checked before anything is read."""

from cpython.buffer cimport PyBUF_READ
from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stddef cimport size_t
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t
from libc.string cimport memset

from truecase.columns._abi cimport (
    FLAG_DICTIONARY_ORDERED,
    ArrowArray,
    ArrowArrayStream,
    ArrowSchema,
)

import numpy as np

from truecase.columns.types import text_type
from truecase.errors import ColumnError, WrongTypeError
from truecase.base.threads import OneThread

__all__ = ["GivenChunk", "GivenColumn"]

_KINDS = {"string": TEXT_32, "large_string": TEXT_64, "string_view": TEXT_VIEW}

cdef enum Fault:
    SOUND = 0
    FALLING = 1                  # offsets
    OUTSIDE = 2                  # a view points outside its buffer


cdef int64_t first_wrong(const TextRows* rows, int* fault) noexcept nogil:
    """The first row whose place cannot be, or the number of rows."""
    cdef int64_t i, at, begin, end
    cdef const int32_t* view
    fault[0] = FALLING
    for i in range(rows.n):
        at = rows.first + i
        if rows.kind == TEXT_VIEW:
            # Of a null row nothing is read.
            if is_null(rows, i):
                continue
            view = <const int32_t*>(rows.views + at * <int64_t>VIEW_BYTES)
            fault[0] = OUTSIDE
            if view[0] < 0:
                return i
            if view[0] > <int32_t>INLINE_BYTES and (
                    view[2] < 0 or view[2] >= rows.n_buffers or view[3] < 0
                    or rows.buffers[view[2]] == NULL
                    or <int64_t>view[3] + view[0] > rows.buffer_bytes[view[2]]):
                return i
            continue
        if rows.kind == TEXT_32:
            begin, end = rows.offsets_32[at], rows.offsets_32[at + 1]
        else:
            begin, end = rows.offsets_64[at], rows.offsets_64[at + 1]
        # Nulls, too: what follows them begins where they end.
        if begin < 0 or end < begin:
            return i
    fault[0] = SOUND
    return rows.n


cdef class GivenChunk:
    """The rows of one chunk.

    Attributes
    ----------
    type : TextType
    length : int
    dictionary : GivenChunk or None
        Of a dictionary, its texts; the rows are their numbers.
    """

    def __dealloc__(self):
        if self.array == &self.own and self.own.release != NULL:
            self.own.release(&self.own)

    def n_bytes(self):
        """Bytes of all rows."""
        cdef const uint8_t* text
        cdef int64_t i
        cdef size_t n = 0
        with nogil:
            for i in range(self.rows.n):
                if not is_null(&self.rows, i):
                    n += row_text(&self.rows, i, &text)
        return n

    def nulls(self):
        """Which rows are null; None: none is.

        Returns
        -------
        ndarray of bool or None
        """
        cdef int64_t first, n = self.length
        cdef const uint8_t* valid
        # Nobody may have filled it: `GivenChunk()` is a chunk of no rows, without an array.
        if n == 0:
            return None
        valid = <const uint8_t*>self.array.buffers[0]
        if valid == NULL:
            return None
        first = self.array.offset
        bits = np.unpackbits(_bytes_at(valid, (first + n + 7) // 8), bitorder="little")
        found = bits[first:first + n] == 0
        return found if found.any() else None

    def numbers(self):
        """The numbers of the dictionary's texts, a copy; those of null rows are 0.

        Raises
        ------
        ColumnError
            One is outside the dictionary.
        """
        cdef int64_t first, n = self.length
        dtype = np.dtype(self.type.index_type)
        if n == 0:
            return np.zeros(0, dtype)
        first = self.array.offset
        given = _bytes_at(self.array.buffers[1], (first + n) * dtype.itemsize).view(dtype)
        found = given[first:].copy()
        nulls = self.nulls()
        if nulls is not None:
            found[nulls] = 0
        wrong = (found < 0) | (found >= self.dictionary.length)
        if nulls is not None:
            wrong &= ~nulls
        if wrong.any():
            row = int(wrong.argmax())
            raise ColumnError(
                f"row {row} of a chunk: there is no text {found[row]} in its dictionary of "
                f"{self.dictionary.length}")
        return found


cdef class GivenColumn:
    """A column by the Arrow PyCapsule interface.

    Parameters
    ----------
    column : object
        With ``__arrow_c_array__`` or ``__arrow_c_stream__``.
    name : str
        For messages.

    Attributes
    ----------
    type : TextType
    is_stream : bool
        Whether it may have several chunks.

    Raises
    ------
    WrongTypeError
        It has neither.
    ColumnError
        Its type is not one of text.
    """

    cdef readonly object type
    cdef readonly bint is_stream
    cdef readonly str name
    cdef object _capsule
    cdef object _given
    cdef object _one_thread

    def __cinit__(self, column, str name="column"):
        self._one_thread = OneThread("GivenColumn")
        self.name = name
        self._given = column
        # What has both may be in several pieces, which only a stream can give.
        if hasattr(column, "__arrow_c_stream__"):
            self.is_stream = True
            self._capsule = column.__arrow_c_stream__()
            self.type = _type_of_stream(
                <ArrowArrayStream*>PyCapsule_GetPointer(self._capsule, "arrow_array_stream"), name)
        elif hasattr(column, "__arrow_c_array__"):
            schema, self._capsule = column.__arrow_c_array__()
            self.type = _type_of(
                <ArrowSchema*>PyCapsule_GetPointer(schema, "arrow_schema"), name)
        else:
            raise WrongTypeError(
                f"{name}: expected an Arrow column, such as one of pyarrow, polars, pandas 3 or "
                f"DuckDB, found {type(column).__name__}")

    def __iter__(self):
        """The chunks, each checked, once.

        Raises
        ------
        ColumnError
            A buffer is missing, or a row's place cannot be.
        """
        cdef GivenChunk chunk
        cdef ArrowArrayStream* stream
        cdef int code
        if not self.is_stream:
            chunk = GivenChunk.__new__(GivenChunk)
            chunk.array = <ArrowArray*>PyCapsule_GetPointer(self._capsule, "arrow_array")
            chunk.keeps = (self._capsule, self._given)
            _check(chunk, self.type, self.name)
            yield chunk
            return
        stream = <ArrowArrayStream*>PyCapsule_GetPointer(self._capsule, "arrow_array_stream")
        while True:
            chunk = GivenChunk.__new__(GivenChunk)
            chunk.array = &chunk.own
            # Whoever makes it may need the GIL in another thread.
            with self._one_thread, nogil:
                code = stream.get_next(stream, &chunk.own)
            _check_stream(stream, code, self.name)
            if chunk.own.release == NULL:
                return
            _check(chunk, self.type, self.name)
            yield chunk


cdef object _bytes_at(const void* memory, size_t n):
    return np.frombuffer(PyMemoryView_FromMemory(<char*>memory, n, PyBUF_READ), np.uint8)


cdef object _type_of(ArrowSchema* schema, str name):
    dictionary = None
    if schema.format == NULL:
        raise ColumnError(f"{name}: it does not tell its type")
    if schema.dictionary != NULL and schema.dictionary.format != NULL:
        dictionary = schema.dictionary.format.decode("ascii", "replace")
    return text_type(
        schema.format.decode("ascii", "replace"), dictionary,
        is_ordered=bool(schema.flags & FLAG_DICTIONARY_ORDERED), name=name)


cdef object _type_of_stream(ArrowArrayStream* stream, str name):
    cdef ArrowSchema schema
    memset(&schema, 0, sizeof(ArrowSchema))
    _check_stream(stream, stream.get_schema(stream, &schema), name)
    try:
        return _type_of(&schema, name)
    finally:
        if schema.release != NULL:
            schema.release(&schema)


cdef object _check_stream(ArrowArrayStream* stream, int code, str name):
    cdef const char* message
    if code:
        message = stream.get_last_error(stream)
        told = message.decode("utf-8", "replace") if message != NULL else f"error {code}"
        raise ColumnError(f"{name}: whoever offers it failed: {told}")


cdef object _check(GivenChunk chunk, object kind, str name):
    """Find the buffers of a chunk, and check that each row lies in them."""
    cdef ArrowArray* array = chunk.array
    cdef TextRows* rows = &chunk.rows
    cdef int fault
    cdef int64_t wrong
    chunk.type = kind
    chunk.length = array.length
    if array.length < 0 or array.offset < 0 or array.offset > INT64_MAX - 64 - array.length:
        raise ColumnError(f"{name}: a chunk has {array.length} rows from row {array.offset}")
    if kind.name == "null":
        return
    if array.n_buffers < (2 if kind.index_type else 3) or array.buffers == NULL:
        raise ColumnError(f"{name}: a chunk of {kind} has {array.n_buffers} buffers")
    if kind.index_type:
        if array.length and array.buffers[1] == NULL:
            raise ColumnError(f"{name}: a chunk of {kind} has no numbers")
        if array.dictionary == NULL:
            raise ColumnError(f"{name}: a chunk of {kind} has no dictionary")
        chunk.dictionary = GivenChunk.__new__(GivenChunk)
        chunk.dictionary.array = array.dictionary
        # Whose memory is the chunk's, which whoever reads it holds.
        _check(chunk.dictionary, kind._replace(index_type="", is_ordered=False), name)
        return
    rows.kind = _KINDS[kind.name]
    rows.n = array.length
    rows.first = array.offset
    rows.valid = <const uint8_t*>array.buffers[0]
    if array.length == 0:
        return
    if array.buffers[1] == NULL:
        raise ColumnError(f"{name}: a chunk of {kind} has no {_places(kind)}")
    if rows.kind == TEXT_VIEW:
        rows.views = <const uint8_t*>array.buffers[1]
        rows.buffers = <const uint8_t**>(array.buffers + 2)
        rows.n_buffers = array.n_buffers - 3
        rows.buffer_bytes = <const int64_t*>array.buffers[array.n_buffers - 1]
        if rows.n_buffers and rows.buffer_bytes == NULL:
            raise ColumnError(f"{name}: a chunk of {kind} does not tell how long its buffers are")
    else:
        rows.offsets_32 = <const int32_t*>array.buffers[1]
        rows.offsets_64 = <const int64_t*>array.buffers[1]
        rows.data = <const uint8_t*>array.buffers[2]
    with nogil:
        wrong = first_wrong(rows, &fault)
    if wrong < rows.n:
        what = "point outside their buffer" if fault == OUTSIDE else "fall"
        raise ColumnError(f"{name}: row {wrong} of a chunk: its {_places(kind)} {what}")
    if rows.kind != TEXT_VIEW and rows.data == NULL and chunk.n_bytes():
        raise ColumnError(f"{name}: a chunk of {kind} has no text")


cdef str _places(object kind):
    return "views" if kind.name == "string_view" else "offsets"
