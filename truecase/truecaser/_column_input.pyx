"""Read a column that another library exports, and make blocks of lines of its rows.

Type and chunks are checked before a row is read. Line ends within a row are text: a row with k of
them is k + 1 lines.
"""

from cpython.buffer cimport PyBUF_READ
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.pycapsule cimport PyCapsule_GetPointer
from libc.stddef cimport size_t
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint32_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.base._memory cimport STATUS_OK, Output, reserve_output
from truecase.kernels._unicode cimport HIGH_BITS, INVALID_BYTE, decode, line_feeds, load8

import numpy as np

from truecase.base.threads import OneThread
from truecase.errors import ColumnError, WrongTypeError
from truecase.truecaser.arrow_types import text_type


__all__ = ["InputChunk", "InputColumn", "is_utf8", "last_row", "line_counts", "lines_of_rows",
           "row_with_lines", "source_lines", "texts_of_rows"]


_KINDS = {"string": TEXT_32, "large_string": TEXT_64, "string_view": TEXT_VIEW}

cdef enum Fault:
    SOUND = 0
    FALLING = 1                  # offsets
    OUTSIDE = 2                  # a view points outside its buffer


cdef int64_t first_wrong(const TextRows* rows, int* fault) noexcept nogil:
    """The first row that lies outside its buffers, or the number of rows."""
    cdef int64_t i, at, begin, end
    cdef const int32_t* view
    fault[0] = FALLING
    for i in range(rows.n):
        at = rows.first + i
        if rows.kind == TEXT_VIEW:
            # Null rows are not read.
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
        # Null rows, too: the next row begins where they end.
        if begin < 0 or end < begin:
            return i
    fault[0] = SOUND
    return rows.n


cdef class InputChunk:
    """The rows of one chunk.

    Attributes
    ----------
    type : TextType
    length : int
    dictionary : InputChunk or None
        The texts of a dictionary; the rows are their numbers.
    """

    def __dealloc__(self):
        if self.array == &self.own and self.own.release != NULL:
            self.own.release(&self.own)

    def n_bytes(self):
        """Count the bytes of all rows."""
        cdef const uint8_t* text
        cdef int64_t i
        cdef size_t n = 0
        with nogil:
            for i in range(self.rows.n):
                if not is_null(&self.rows, i):
                    n += row_text(&self.rows, i, &text)
        return n

    def nulls(self):
        """Return whether each row is null, or None if no row is."""
        cdef int64_t first, n = self.length
        cdef const uint8_t* valid
        # `InputChunk()` has no rows and no array.
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
        """Copy the numbers of the dictionary's texts; those of null rows are 0.

        Raises
        ------
        ColumnError
            A number is outside the dictionary.
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


cdef class InputColumn:
    """A column that is read by the Arrow PyCapsule interface.

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
        `column` has neither method.
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
        self._one_thread = OneThread("InputColumn")
        self.name = name
        self._given = column
        # A column with both methods may have several chunks, which only a stream has.
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
        """Check and yield each chunk, once.

        Raises
        ------
        ColumnError
            A buffer is missing, or a row lies outside it.
        """
        cdef InputChunk chunk
        cdef ArrowArrayStream* stream
        cdef int code
        if not self.is_stream:
            chunk = InputChunk.__new__(InputChunk)
            chunk.array = <ArrowArray*>PyCapsule_GetPointer(self._capsule, "arrow_array")
            chunk.keeps = (self._capsule, self._given)
            _check(chunk, self.type, self.name)
            yield chunk
            return
        stream = <ArrowArrayStream*>PyCapsule_GetPointer(self._capsule, "arrow_array_stream")
        while True:
            chunk = InputChunk.__new__(InputChunk)
            chunk.array = &chunk.own
            # The library that makes it may need the GIL in another thread.
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


cdef object _check(InputChunk chunk, object kind, str name):
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
        chunk.dictionary = InputChunk.__new__(InputChunk)
        chunk.dictionary.array = array.dictionary
        # The chunk owns this memory, and readers hold the chunk.
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


cdef uint8_t LINE_FEED = 0x0A
cdef uint8_t BLANK = 0x20


cdef inline int64_t feeds_in_row(const TextRows* rows, int64_t i) noexcept nogil:
    """Line feeds in a row that is not null."""
    cdef const uint8_t* text
    # C may evaluate the arguments of a call in any order.
    cdef size_t size = row_text(rows, i, &text)
    return line_feeds(text, size)


def last_row(InputChunk chunk, int64_t begin, size_t n_bytes):
    """Return the end of the rows from `begin` that have `n_bytes`, at least one row."""
    cdef const uint8_t* text
    cdef size_t size = 0
    cdef int64_t i = begin
    with nogil:
        while i < chunk.rows.n and (i == begin or size < n_bytes):
            if not is_null(&chunk.rows, i):
                size += row_text(&chunk.rows, i, &text) + 1
            i += 1
    return i


def lines_of_rows(InputChunk chunk, int64_t begin, int64_t end, int n_feeds=1):
    """Join the rows from `begin` to before `end` that are not null, with `n_feeds` line feeds."""
    cdef const uint8_t* text
    cdef uint8_t* out
    cdef size_t size = 0, n
    cdef int64_t i
    cdef int k
    with nogil:
        for i in range(begin, end):
            if not is_null(&chunk.rows, i):
                size += row_text(&chunk.rows, i, &text) + n_feeds
    block = PyBytes_FromStringAndSize(NULL, size)
    out = <uint8_t*>PyBytes_AS_STRING(block)
    with nogil:
        for i in range(begin, end):
            if is_null(&chunk.rows, i):
                continue
            n = row_text(&chunk.rows, i, &text)
            if n:
                memcpy(out, text, n)
            out += n
            for k in range(n_feeds):
                out[k] = LINE_FEED
            out += n_feeds
    return block


cdef inline void copy_on_one_line(uint8_t* out, const uint8_t* text, size_t n) noexcept nogil:
    cdef size_t i
    for i in range(n):
        out[i] = BLANK if text[i] == LINE_FEED else text[i]


def source_lines(InputChunk chunk, int64_t begin, int64_t end, InputChunk sources,
                 int64_t source_begin):
    """Return the source of each line of `lines_of_rows`: its own, or, if unclear, the whole row's.

    Parameters
    ----------
    chunk, begin, end
        As for `lines_of_rows`.
    sources : InputChunk
        The source of row `begin` is its row `source_begin`; a null row is an empty source.
    source_begin : int
    """
    cdef const uint8_t* source = NULL
    cdef Output out
    cdef size_t n
    cdef int64_t i, j, n_lines, _line
    cdef int status = STATUS_OK
    memset(&out, 0, sizeof(Output))
    try:
        with nogil:
            for i in range(begin, end):
                if is_null(&chunk.rows, i):
                    continue
                n_lines = feeds_in_row(&chunk.rows, i) + 1
                j = source_begin + i - begin
                n = 0 if is_null(&sources.rows, j) else row_text(&sources.rows, j, &source)
                if n_lines == 1 or line_feeds(source, n) + 1 != n_lines:
                    for _line in range(n_lines):
                        status = reserve_output(&out, n + 1)
                        if status != STATUS_OK:
                            break
                        copy_on_one_line(out.bytes + out.size, source, n)
                        out.size += n
                        out.bytes[out.size] = LINE_FEED
                        out.size += 1
                else:
                    status = reserve_output(&out, n + 1)
                    if status == STATUS_OK:
                        memcpy(out.bytes + out.size, source, n)
                        out.size += n
                        out.bytes[out.size] = LINE_FEED
                        out.size += 1
                if status != STATUS_OK:
                    break
        if status != STATUS_OK:
            raise MemoryError(f"no memory left for the sources of rows {begin} to {end}")
        return PyBytes_FromStringAndSize(<char*>out.bytes, out.size)
    finally:
        free(out.bytes)


def line_counts(InputChunk chunk, int64_t begin, int64_t end, int n_feeds=1):
    """Count the lines of each row in the result of `lines_of_rows`; int64, 0 for null rows."""
    cdef int64_t i
    counts = np.zeros(end - begin, np.int64)
    cdef int64_t[::1] n = counts
    with nogil:
        for i in range(begin, end):
            if not is_null(&chunk.rows, i):
                n[i - begin] = feeds_in_row(&chunk.rows, i) + n_feeds
    return counts


def is_utf8(bytes block):
    """Return whether `bytes.decode` accepts a block: it refuses surrogates."""
    cdef const uint8_t* at = <const uint8_t*>PyBytes_AS_STRING(block)
    cdef const uint8_t* end = at + len(block)
    cdef uint32_t length
    with nogil:
        while at < end:
            while end - at >= 8 and not load8(at) & HIGH_BITS:
                at += 8
            if at < end:
                if decode(at, end, &length) >= INVALID_BYTE:
                    break
                at += length
    return at == end


def texts_of_rows(InputChunk chunk):
    """Return the rows as bytes, or None."""
    cdef const uint8_t* text
    cdef int64_t i
    cdef size_t n
    texts = []
    for i in range(chunk.rows.n):
        if is_null(&chunk.rows, i):
            texts.append(None)
        else:
            n = row_text(&chunk.rows, i, &text)
            texts.append(PyBytes_FromStringAndSize(<const char*>text, n))
    return texts


def row_with_lines(InputChunk chunk, int64_t begin, int64_t end):
    """Return the first row with a line end in it, or `end`."""
    cdef int64_t i
    with nogil:
        for i in range(begin, end):
            if not is_null(&chunk.rows, i) and feeds_in_row(&chunk.rows, i):
                break
        else:
            i = end
    return i
