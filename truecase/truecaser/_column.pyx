"""Arrow's C data interface: read columns of text from other libraries, and offer them cased ones.

The layout of the structs is that of the specification (Arrow columnar format, "The Arrow C data
interface" and "The Arrow C stream interface"). Type and chunks of a column are checked before a row
is read. Line ends within a row are text: a row with k of them is k + 1 lines.
"""

from cpython.buffer cimport PyBUF_READ
from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from cpython.memoryview cimport PyMemoryView_FromMemory
from cpython.pycapsule cimport PyCapsule_Destructor, PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from libc.errno cimport ENOMEM
from libc.stddef cimport size_t
from libc.stdint cimport INT64_MAX, int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memcpy, memset

from truecase.kernels._unicode cimport line_feed_behind, line_feeds

import numpy as np

from truecase.base.threads import OneThread
from truecase.errors import ColumnError, WrongTypeError
from truecase.truecaser.arrow_types import text_type


cdef struct ArrowSchema:
    const char* format
    const char* name
    const char* metadata
    int64_t flags
    int64_t n_children
    ArrowSchema** children
    ArrowSchema* dictionary
    void (*release)(ArrowSchema*) noexcept nogil
    void* private_data


cdef struct ArrowArray:
    int64_t length
    int64_t null_count           # -1: not counted
    int64_t offset
    int64_t n_buffers
    int64_t n_children
    const void** buffers
    ArrowArray** children
    ArrowArray* dictionary
    void (*release)(ArrowArray*) noexcept nogil
    void* private_data


cdef struct ArrowArrayStream:
    int (*get_schema)(ArrowArrayStream*, ArrowSchema*) noexcept nogil
    int (*get_next)(ArrowArrayStream*, ArrowArray*) noexcept nogil
    const char* (*get_last_error)(ArrowArrayStream*) noexcept nogil
    void (*release)(ArrowArrayStream*) noexcept nogil
    void* private_data


cdef enum:
    FLAG_DICTIONARY_ORDERED = 1
    FLAG_NULLABLE = 2


cdef enum TextKind:
    NO_TEXT = 0                  # every row is null
    TEXT_32 = 1                  # string: offsets of 32 bits
    TEXT_64 = 2                  # large_string: offsets of 64 bits
    TEXT_VIEW = 3                # string_view: 16 bytes a row, the text in them or elsewhere

cdef enum:
    VIEW_BYTES = 16
    INLINE_BYTES = 12            # texts of up to so many stand in the view itself


cdef struct TextRows:
    TextKind kind
    int64_t n                    # rows
    int64_t first                # of them, in the buffers
    const uint8_t* valid         # a bit a row; NULL: none is null
    const int32_t* offsets_32
    const int64_t* offsets_64
    const uint8_t* data
    const uint8_t* views
    const uint8_t** buffers      # that views point into
    const int64_t* buffer_bytes
    int64_t n_buffers


cdef inline bint is_null(const TextRows* rows, int64_t i) noexcept nogil:
    cdef int64_t at = rows.first + i
    return rows.kind == NO_TEXT or (rows.valid != NULL and not rows.valid[at >> 3] >> (at & 7) & 1)


cdef inline int64_t offset_at(const TextRows* rows, int64_t at) noexcept nogil:
    return rows.offsets_32[at] if rows.kind == TEXT_32 else rows.offsets_64[at]


cdef inline size_t row_text(const TextRows* rows, int64_t i, const uint8_t** text) noexcept nogil:
    """Find a row's text; return its bytes. Invariant: `InputChunk` has checked the buffers."""
    cdef int64_t at = rows.first + i
    cdef const int32_t* view
    if rows.kind != TEXT_VIEW:
        text[0] = rows.data + offset_at(rows, at)
        return offset_at(rows, at + 1) - offset_at(rows, at)
    view = <const int32_t*>(rows.views + at * <int64_t>VIEW_BYTES)
    if view[0] <= <int32_t>INLINE_BYTES:
        text[0] = <const uint8_t*>(view + 1)
    else:
        text[0] = rows.buffers[view[2]] + view[3]
    return view[0]


# --- reading ------------------------------------------------------------------------------------

_KINDS = {"string": TEXT_32, "large_string": TEXT_64, "string_view": TEXT_VIEW}


cdef int64_t first_wrong(const TextRows* rows) noexcept nogil:
    """The first row that lies outside its buffers, or the number of rows."""
    cdef int64_t i, at
    cdef const int32_t* view
    for i in range(rows.n):
        at = rows.first + i
        if rows.kind == TEXT_VIEW:
            # Null rows are not read.
            if is_null(rows, i):
                continue
            view = <const int32_t*>(rows.views + at * <int64_t>VIEW_BYTES)
            if view[0] < 0:
                return i
            if view[0] > <int32_t>INLINE_BYTES and (
                    view[2] < 0 or view[2] >= rows.n_buffers or view[3] < 0
                    or rows.buffers[view[2]] == NULL
                    or <int64_t>view[3] + view[0] > rows.buffer_bytes[view[2]]):
                return i
        # Null rows, too: the next row begins where they end.
        elif offset_at(rows, at) < 0 or offset_at(rows, at + 1) < offset_at(rows, at):
            return i
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

    cdef readonly object type
    cdef readonly int64_t length
    cdef readonly InputChunk dictionary
    cdef TextRows rows
    cdef ArrowArray* array
    cdef ArrowArray own
    cdef object keeps

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
        if self.type.name == "null":
            return np.ones(n, np.bool_)
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
        wrong = (found < 0) | (found >= self.dictionary.length)
        nulls = self.nulls()
        if nulls is not None:
            wrong &= ~nulls
            found[nulls] = 0
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

    Raises
    ------
    WrongTypeError
        `column` has neither method.
    ColumnError
        Its type is not one of text.
    """

    cdef readonly object type
    cdef ArrowArrayStream* stream  # NULL: the column is one array
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
            self._capsule = column.__arrow_c_stream__()
            self.stream = <ArrowArrayStream*>PyCapsule_GetPointer(
                self._capsule, "arrow_array_stream")
            self.type = _type_of_stream(self.stream, name)
        elif hasattr(column, "__arrow_c_array__"):
            schema, self._capsule = column.__arrow_c_array__()
            self.type = _type_of(<ArrowSchema*>PyCapsule_GetPointer(schema, "arrow_schema"), name)
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
        cdef int code
        if self.stream == NULL:
            chunk = InputChunk.__new__(InputChunk)
            chunk.array = <ArrowArray*>PyCapsule_GetPointer(self._capsule, "arrow_array")
            chunk.keeps = (self._capsule, self._given)
            _check(chunk, self.type, self.name)
            yield chunk
            return
        while True:
            chunk = InputChunk.__new__(InputChunk)
            chunk.array = &chunk.own
            # The library that makes it may need the GIL in another thread.
            with self._one_thread, nogil:
                code = self.stream.get_next(self.stream, &chunk.own)
            _check_stream(self.stream, code, self.name)
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
        raise ColumnError(f"{name}: the library that offers it failed: {told}")


cdef object _check(InputChunk chunk, object kind, str name):
    """Find the buffers of a chunk, and check that each row lies in them."""
    cdef ArrowArray* array = chunk.array
    cdef TextRows* rows = &chunk.rows
    cdef int64_t wrong
    chunk.type = kind
    chunk.length = array.length
    if array.length < 0 or array.offset < 0 or array.offset > INT64_MAX - 64 - array.length:
        raise ColumnError(f"{name}: a chunk has {array.length} rows from row {array.offset}")
    if kind.name == "null":
        if array.dictionary != NULL and array.dictionary.length and array.dictionary.n_buffers:
            raise ColumnError(f"{name}: expected text, found dictionary of double")
        rows.n = array.length
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
        _check(chunk.dictionary, kind.of_texts, name)
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
        wrong = first_wrong(rows)
    if wrong < rows.n:
        what = "point outside their buffer" if rows.kind == TEXT_VIEW else "fall"
        raise ColumnError(f"{name}: row {wrong} of a chunk: its {_places(kind)} {what}")
    if rows.kind != TEXT_VIEW and rows.data == NULL and chunk.n_bytes():
        raise ColumnError(f"{name}: a chunk of {kind} has no text")


cdef str _places(object kind):
    return "views" if kind.name == "string_view" else "offsets"


# --- lines of rows ------------------------------------------------------------------------------

cdef uint8_t LINE_FEED = 0x0A
cdef uint8_t NOTHING = 0


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


# --- writing ------------------------------------------------------------------------------------


def texts_of_lines(InputChunk chunk, int64_t begin, int64_t end, bytes block, int n_feeds=1):
    """Undo `lines_of_rows` after its block was cased; runs in any thread.

    Returns
    -------
    memoryview, int64 ndarray
        The texts one after the other, those of null rows empty, and where each of them ends.

    Raises
    ------
    ValueError
        The block has other lines than these rows.
    """
    cdef const uint8_t* first = <const uint8_t*>PyBytes_AS_STRING(block)
    cdef const uint8_t* last = first + len(block)
    cdef const uint8_t* at = first
    cdef const uint8_t* row_end
    cdef uint8_t* out
    cdef int64_t i, n, n_texts = 0
    cdef size_t size = 0
    cdef bint are_lines
    ends = np.empty(end - begin, np.int64)
    cdef int64_t[::1] places = ends
    texts = PyBytes_FromStringAndSize(NULL, len(block))
    out = <uint8_t*>PyBytes_AS_STRING(texts)
    with nogil:
        for i in range(begin, end):
            n_texts += not is_null(&chunk.rows, i)
        # If there are more lines than texts, some texts have several.
        are_lines = <int64_t>line_feeds(first, last - first) == n_texts * n_feeds
        for i in range(begin, end):
            if not is_null(&chunk.rows, i):
                n = 0 if are_lines else feeds_in_row(&chunk.rows, i)
                row_end = line_feed_behind(at, last, n)
                if row_end == NULL or last - row_end < n_feeds:
                    break
                memcpy(out + size, at, row_end - at)
                size += row_end - at
                at = row_end + n_feeds
            places[i - begin] = size
        else:
            i = end
    if i < end:
        raise ValueError("the model has changed more than the case of a text")
    return memoryview(texts)[:size], ends


def views_of_texts(const uint8_t[::1] texts, const int64_t[::1] ends, int32_t[:, ::1] views,
                   int32_t buffer, int64_t start):
    """Fill the views of texts that stand one after the other.

    Returns those that are too long for their view, which point to byte `start` and on of `buffer`.
    """
    cdef int64_t i, begin = 0
    cdef size_t size, held = 0
    long_texts = PyBytes_FromStringAndSize(NULL, texts.shape[0])
    cdef char* out = PyBytes_AS_STRING(long_texts)
    with nogil:
        for i in range(ends.shape[0]):
            size = ends[i] - begin
            views[i, 0] = <int32_t>size
            if size > INLINE_BYTES:
                memcpy(&views[i, 1], &texts[begin], 4)
                views[i, 2] = buffer
                views[i, 3] = <int32_t>(start + held)
                memcpy(out + held, &texts[begin], size)
                held += size
            elif size:
                memcpy(&views[i, 1], &texts[begin], size)
            begin = ends[i]
    return memoryview(long_texts)[:held]


cdef void* zeros(size_t n, size_t size) except NULL:
    """Memory for `n` structs, all 0."""
    cdef void* memory = calloc(n, size)
    if memory == NULL:
        raise MemoryError()
    return memory


cdef class ArrowChunk:
    """An array of Arrow that owns its buffers.

    Parameters
    ----------
    length : int
    buffers : list of bytes or uint8 ndarray
        In Arrow's order, without the first one, which says what is null.
    nulls : ndarray of bool, optional
        Which rows are null.
    dictionary : ArrowChunk, optional

    Attributes
    ----------
    null_count : int
    """

    cdef readonly int64_t length
    cdef readonly int64_t null_count
    cdef readonly list buffers
    cdef readonly ArrowChunk dictionary
    cdef const void** pointers

    def __cinit__(self, int64_t length, list buffers, nulls=None, ArrowChunk dictionary=None):
        cdef const uint8_t[::1] view
        cdef int64_t i
        valid = None
        if nulls is not None and nulls.any():
            self.null_count = nulls.sum()
            valid = np.packbits(~nulls, bitorder="little")
        self.length = length
        self.buffers = [valid, *buffers]
        self.dictionary = dictionary
        self.pointers = <const void**>zeros(len(self.buffers), sizeof(void*))
        for i, buffer in enumerate(self.buffers):
            if buffer is not None:
                view = buffer
                # An empty buffer must not be NULL.
                self.pointers[i] = &view[0] if view.shape[0] else &NOTHING

    def __dealloc__(self):
        free(self.pointers)

    cdef int offer(self, ArrowArray* array) except -1:
        """Fill a struct that keeps this chunk until it is released."""
        cdef ArrowArray* dictionary = NULL
        memset(array, 0, sizeof(ArrowArray))
        if self.dictionary is not None:
            dictionary = <ArrowArray*>zeros(1, sizeof(ArrowArray))
            self.dictionary.offer(dictionary)
        array.length = self.length
        array.null_count = self.null_count
        array.n_buffers = len(self.buffers)
        array.buffers = self.pointers
        array.dictionary = dictionary
        array.release = release_array
        array.private_data = <void*>self
        Py_INCREF(self)
        return 0


# --- export -------------------------------------------------------------------------------------

ctypedef fused Struct:
    ArrowSchema
    ArrowArray
    ArrowArrayStream


cdef void free_struct(Struct* held) noexcept:
    if held.release != NULL:
        held.release(held)
    free(held)


cdef void release_array(ArrowArray* array) noexcept with gil:
    cdef object chunk = <object>array.private_data
    if array.dictionary != NULL:
        free_struct(array.dictionary)
    array.release = NULL
    Py_DECREF(chunk)


cdef int fill_schema(ArrowSchema* schema, object kind) except -1:
    """Fill the schema of a TextType."""
    cdef bytes letters = kind.letters.encode()
    memset(schema, 0, sizeof(ArrowSchema))
    if kind.index_type:
        schema.dictionary = <ArrowSchema*>zeros(1, sizeof(ArrowSchema))
        fill_schema(schema.dictionary, kind.of_texts)
    schema.format = PyBytes_AS_STRING(letters)
    # Empty: the end of the letters.
    schema.name = schema.format + len(letters)
    schema.flags = FLAG_NULLABLE | (FLAG_DICTIONARY_ORDERED if kind.is_ordered else 0)
    schema.release = release_schema
    schema.private_data = <void*>letters
    Py_INCREF(letters)
    return 0


cdef void release_schema(ArrowSchema* schema) noexcept with gil:
    cdef object letters = <object>schema.private_data
    if schema.dictionary != NULL:
        free_struct(schema.dictionary)
    schema.release = NULL
    Py_DECREF(letters)


cdef void free_schema(object capsule) noexcept:
    free_struct(<ArrowSchema*>PyCapsule_GetPointer(capsule, "arrow_schema"))


cdef void free_array(object capsule) noexcept:
    free_struct(<ArrowArray*>PyCapsule_GetPointer(capsule, "arrow_array"))


cdef void free_stream(object capsule) noexcept:
    free_struct(<ArrowArrayStream*>PyCapsule_GetPointer(capsule, "arrow_array_stream"))


cdef object new_capsule(size_t size, const char* name, PyCapsule_Destructor destroy):
    """Make a capsule of a struct that is empty, and may be freed so."""
    return PyCapsule_New(zeros(1, size), name, destroy)


def schema_capsule(kind):
    """Make the schema of a TextType."""
    capsule = new_capsule(sizeof(ArrowSchema), "arrow_schema", free_schema)
    fill_schema(<ArrowSchema*>PyCapsule_GetPointer(capsule, "arrow_schema"), kind)
    return capsule


def array_capsules(kind, ArrowChunk chunk not None):
    """Make the schema and the array of a chunk."""
    capsule = new_capsule(sizeof(ArrowArray), "arrow_array", free_array)
    chunk.offer(<ArrowArray*>PyCapsule_GetPointer(capsule, "arrow_array"))
    return schema_capsule(kind), capsule


def stream_capsule(kind, chunks):
    """Make a stream of chunks."""
    cdef ArrowArrayStream* stream
    capsule = new_capsule(sizeof(ArrowArrayStream), "arrow_array_stream", free_stream)
    stream = <ArrowArrayStream*>PyCapsule_GetPointer(capsule, "arrow_array_stream")
    # Any thread may take the next chunk.
    held = (kind, chunks[::-1])
    stream.get_schema = stream_schema
    stream.get_next = stream_next
    stream.get_last_error = stream_error
    stream.release = release_stream
    stream.private_data = <void*>held
    Py_INCREF(held)
    return capsule


cdef int stream_schema(ArrowArrayStream* stream, ArrowSchema* schema) noexcept with gil:
    try:
        fill_schema(schema, (<tuple>stream.private_data)[0])
    except MemoryError:
        return ENOMEM
    return 0


cdef int stream_next(ArrowArrayStream* stream, ArrowArray* array) noexcept with gil:
    cdef list chunks = (<tuple>stream.private_data)[1]
    memset(array, 0, sizeof(ArrowArray))
    try:
        (<ArrowChunk>chunks.pop()).offer(array)
    except IndexError:
        pass
    except MemoryError:
        return ENOMEM
    return 0


cdef const char* stream_error(ArrowArrayStream* stream) noexcept nogil:
    return "out of memory"


cdef void release_stream(ArrowArrayStream* stream) noexcept with gil:
    cdef object held = <object>stream.private_data
    stream.release = NULL
    Py_DECREF(held)
