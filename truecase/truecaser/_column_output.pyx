"""Make columns of cased lines and of numbers, and export them as Arrow arrays."""

from cpython.pycapsule cimport PyCapsule_GetPointer, PyCapsule_New
from cpython.ref cimport Py_DECREF, Py_INCREF
from cython cimport critical_section
from libc.errno cimport ENOMEM
from libc.stddef cimport size_t
from libc.stdint cimport INT32_MAX, int32_t, int64_t, uint8_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memchr, memcpy, memset, strlen

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, Output, grow, reserve_output
from truecase.truecaser._column_input cimport (
    FLAG_DICTIONARY_ORDERED, FLAG_NULLABLE, INLINE_BYTES, TEXT_32, TEXT_64, TEXT_VIEW, VIEW_BYTES,
    ArrowArray, ArrowArrayStream, ArrowSchema, InputChunk, TextKind, TextRows, is_null,
    may_have_feeds, row_text
)

import numpy as np

from truecase.base.threads import OneThread
from truecase.errors import ColumnError
from truecase.truecaser.arrow_types import INDEX_LETTERS, LETTERS


__all__ = ["ArrowChunk", "TextWriter", "array_capsules", "chunk_of_buffers", "chunk_of_numbers",
           "dictionary_chunk", "schema_capsule", "stream_capsule"]

cdef uint8_t LINE_FEED = 0x0A
cdef uint8_t NOTHING = 0

cdef enum:
    STATUS_TOO_MANY_BYTES = 100  # for offsets of 32 bits
    STATUS_NOT_THE_ROWS = 101    # the block has other lines than the rows


# --- memory ------------------------------------------------------------------------------------

cdef class Memory:
    """Owner of memory of malloc."""

    def __dealloc__(self):
        free(self.bytes)


cdef Memory memory_of(void* pointer):
    cdef Memory memory = Memory.__new__(Memory)
    memory.bytes = pointer
    return memory


cdef class ArrowChunk:
    """An array of Arrow that owns its buffers.

    Attributes
    ----------
    length, null_count : int
    dictionary : ArrowChunk or None
    numbers : ndarray or None
        Of a chunk of numbers; those of null rows say nothing.
    """

    def __dealloc__(self):
        free(self.buffers)

    cdef void offer(self, ArrowArray* array) except *:
        """Fill a struct that keeps this chunk until it is released."""
        cdef ArrowArray* dictionary = NULL
        memset(array, 0, sizeof(ArrowArray))
        if self.dictionary is not None:
            dictionary = <ArrowArray*>calloc(1, sizeof(ArrowArray))
            if dictionary == NULL:
                raise MemoryError()
            self.dictionary.offer(dictionary)
        array.length = self.length
        array.null_count = self.null_count
        array.n_buffers = self.n_buffers
        array.buffers = self.buffers
        array.dictionary = dictionary
        array.release = release_array
        array.private_data = <void*>self
        Py_INCREF(self)


cdef void release_array(ArrowArray* array) noexcept with gil:
    cdef object chunk = <object>array.private_data
    if array.dictionary != NULL:
        if array.dictionary.release != NULL:
            array.dictionary.release(array.dictionary)
        free(array.dictionary)
    array.release = NULL
    Py_DECREF(chunk)


cdef ArrowChunk new_chunk(int64_t length, int64_t null_count, list buffers):
    """Make a chunk of the buffers of objects: Memory, bytes-like, or None for a missing buffer."""
    cdef ArrowChunk chunk = ArrowChunk.__new__(ArrowChunk)
    cdef const uint8_t[::1] view
    cdef int64_t i
    chunk.length = length
    chunk.null_count = null_count
    chunk.keeps = buffers
    chunk.n_buffers = len(buffers)
    chunk.buffers = <const void**>calloc(max(len(buffers), 1), sizeof(void*))
    if chunk.buffers == NULL:
        raise MemoryError()
    for i, buffer in enumerate(buffers):
        if isinstance(buffer, Memory):
            chunk.buffers[i] = (<Memory>buffer).bytes
        elif buffer is not None:
            view = buffer
            # An empty buffer must not be NULL.
            chunk.buffers[i] = &view[0] if view.shape[0] else &NOTHING
    return chunk


# --- texts -------------------------------------------------------------------------------------

cdef class TextWriter:
    """Writes the rows of a chunk, cased, into buffers of their own.

    Parameters
    ----------
    given : InputChunk
    name : str
        Of the column, for messages.
    """

    cdef InputChunk _given
    cdef str _name
    cdef TextKind _kind
    cdef int64_t _row            # the next one
    cdef int64_t _nulls
    cdef uint8_t* _valid         # NULL: none is null
    cdef uint8_t* _places        # offsets, or views
    cdef Output* _texts          # of views several, each below 2 GiB
    cdef int32_t _n_texts
    cdef object _one_thread

    def __cinit__(self, InputChunk given not None, str name):
        cdef int64_t n = given.rows.n
        cdef size_t width = 4
        self._one_thread = OneThread("TextWriter")
        self._given = given
        self._name = name
        self._kind = given.rows.kind
        if self._kind == TEXT_64:
            width = 8
        elif self._kind == TEXT_VIEW:
            width = VIEW_BYTES
        self._places = <uint8_t*>calloc(n + 1, width)
        self._texts = <Output*>calloc(1, sizeof(Output))
        self._n_texts = 1
        if given.rows.valid != NULL:
            self._valid = <uint8_t*>calloc(n // 8 + 1, 1)
        if self._places == NULL or self._texts == NULL or (
                given.rows.valid != NULL and self._valid == NULL):
            raise MemoryError(f"{name}: no memory left for {n} rows")

    def __dealloc__(self):
        cdef int32_t i
        free(self._places)
        free(self._valid)
        if self._texts != NULL:
            for i in range(self._n_texts):
                free(self._texts[i].bytes)
            free(self._texts)

    def write(self, bytes block, int64_t end, int n_feeds=1):
        """Write the rows to before `end`, from a cased block of `lines_of_rows`.

        Raises
        ------
        ColumnError
            The texts have become too many bytes for the type of the column.
        ValueError
            The block has other lines than these rows; or the writer is empty.
        """
        cdef const uint8_t* at = block
        cdef const uint8_t* last = at + len(block)
        cdef int status = STATUS_OK
        if end > self._given.rows.n:
            raise IndexError(f"there is no row {end - 1}")
        with self._one_thread:
            self._check_open()
            with nogil:
                status = self._write(at, last, end, n_feeds)
        if status == STATUS_TOO_MANY_BYTES:
            raise ColumnError(
                f"{self._name}: the cased texts of a chunk are 2 GiB or more, too many for "
                "string: cast the column to large_string, or cut it in chunks")
        if status == STATUS_NOT_THE_ROWS:
            raise ValueError("the model has changed more than the case of a text")
        if status != STATUS_OK:
            raise MemoryError(f"{self._name}: no memory left at row {self._row}")

    cdef int _write(self, const uint8_t* at, const uint8_t* last, int64_t end,
                    int n_feeds) noexcept nogil:
        cdef const TextRows* rows = &self._given.rows
        cdef const uint8_t* text
        cdef const uint8_t* row_end
        cdef const uint8_t* feed
        cdef size_t size
        cdef bint are_lines = not may_have_feeds(rows, self._row, end)
        cdef int status = STATUS_OK
        # Reserve the memory of one block at once.
        if self._kind != TEXT_VIEW:
            status = reserve_output(self._texts, last - at)
        while self._row < end and status == STATUS_OK:
            if is_null(rows, self._row):
                self._nulls += 1
                status = self._add_row(NULL, 0)
                continue
            if self._valid != NULL:
                self._valid[self._row >> 3] |= 1 << (self._row & 7)
            size = row_text(rows, self._row, &text)
            row_end = at
            while True:
                row_end = <const uint8_t*>memchr(row_end, LINE_FEED, last - row_end)
                if row_end == NULL:
                    return STATUS_NOT_THE_ROWS
                # One line feed for each in the input row, and then the one behind it.
                feed = NULL
                if size and not are_lines:
                    feed = <const uint8_t*>memchr(text, LINE_FEED, size)
                if feed == NULL:
                    break
                size -= feed + 1 - text
                text = feed + 1
                row_end += 1
            status = self._add_row(at, row_end - at)
            if last - row_end < n_feeds:
                return STATUS_NOT_THE_ROWS
            at = row_end + n_feeds
        return status

    cdef int _add_row(self, const uint8_t* text, size_t size) noexcept nogil:
        cdef Output* out = self._texts + self._n_texts - 1
        cdef int32_t* view
        cdef int status
        if self._kind == TEXT_VIEW:
            view = <int32_t*>(self._places + self._row * <int64_t>VIEW_BYTES)
            view[0] = <int32_t>size
            if size <= INLINE_BYTES:
                if size:
                    memcpy(view + 1, text, size)
                self._row += 1
                return STATUS_OK
            if out.size + size > <size_t>INT32_MAX:
                if grow(<void**>&self._texts, self._n_texts + 1, sizeof(Output)) != STATUS_OK:
                    return STATUS_OUT_OF_MEMORY
                out = self._texts + self._n_texts
                memset(out, 0, sizeof(Output))
                self._n_texts += 1
            memcpy(view + 1, text, 4)
            view[2] = self._n_texts - 1
            view[3] = <int32_t>out.size
        status = reserve_output(out, size)
        if status != STATUS_OK:
            return status
        if size:
            memcpy(out.bytes + out.size, text, size)
        out.size += size
        self._row += 1
        if self._kind == TEXT_32:
            if out.size > <size_t>INT32_MAX:
                return STATUS_TOO_MANY_BYTES
            (<int32_t*>self._places)[self._row] = <int32_t>out.size
        elif self._kind == TEXT_64:
            (<int64_t*>self._places)[self._row] = <int64_t>out.size
        return STATUS_OK

    def finish(self):
        """Return the chunk, and empty the writer; ValueError if it is empty already."""
        with self._one_thread:
            self._check_open()
            return self._finish()

    cdef int _check_open(self) except -1:
        if self._places == NULL:
            raise ValueError("these rows are written")
        return 0

    cdef object _finish(self):
        cdef int32_t i
        assert self._row == self._given.rows.n
        buffers = [memory_of(self._valid) if self._nulls else None, memory_of(self._places)]
        self._places = NULL
        if self._nulls:
            self._valid = NULL
        sizes = []
        for i in range(self._n_texts):
            sizes.append(self._texts[i].size)
            # Give back memory that is not needed; if that fails, keep it.
            grow(<void**>&self._texts[i].bytes, self._texts[i].size, 1)
            buffers.append(memory_of(self._texts[i].bytes))
            self._texts[i].bytes = NULL
        if self._kind == TEXT_VIEW:
            buffers.append(np.array(sizes, np.int64).view(np.uint8))
        return new_chunk(self._row, self._nulls, buffers)


def chunk_of_numbers(numbers, nulls=None):
    """Make a chunk of numbers.

    Parameters
    ----------
    numbers : ndarray
        Kept, not copied.
    nulls : ndarray of bool, optional
        Which of them are null.
    """
    bits = None
    n_nulls = 0
    if nulls is not None and nulls.any():
        bits = np.packbits(~nulls, bitorder="little")
        n_nulls = int(nulls.sum())
    held = np.ascontiguousarray(numbers)
    cdef ArrowChunk chunk = new_chunk(len(held), n_nulls, [bits, held.view(np.uint8)])
    chunk.numbers = held
    return chunk


def chunk_of_buffers(int64_t length, int64_t null_count, buffers):
    """Make a chunk that holds buffers, in Arrow's order; None: no such buffer."""
    return new_chunk(length, null_count, list(buffers))


def dictionary_chunk(numbers, ArrowChunk texts, nulls=None):
    """Make a chunk of a dictionary: numbers of texts."""
    cdef ArrowChunk chunk = chunk_of_numbers(numbers, nulls)
    chunk.dictionary = texts
    return chunk


# --- export ------------------------------------------------------------------------------------

cdef int fill_schema(ArrowSchema* schema, object kind, int64_t flags) except -1:
    """Fill the schema of a TextType, or of numbers of a NumPy type's letter."""
    cdef bytes letters
    cdef char* held
    memset(schema, 0, sizeof(ArrowSchema))
    if isinstance(kind, str):
        letters = kind.encode()
    elif kind.index_type:
        letters = INDEX_LETTERS[kind.index_type].encode()
    else:
        letters = LETTERS[kind.name].encode()
    # The name, which is empty, is the end of the letters.
    held = <char*>malloc(len(letters) + 1)
    if held == NULL:
        raise MemoryError()
    memcpy(held, <const char*>letters, len(letters) + 1)
    schema.format = held
    schema.name = held + strlen(held)
    schema.flags = flags
    schema.private_data = held
    schema.release = release_schema
    if not isinstance(kind, str) and kind.index_type:
        if kind.is_ordered:
            schema.flags |= FLAG_DICTIONARY_ORDERED
        schema.dictionary = <ArrowSchema*>calloc(1, sizeof(ArrowSchema))
        if schema.dictionary == NULL:
            release_schema(schema)
            raise MemoryError()
        of_texts = kind._replace(index_type="", is_ordered=False)
        fill_schema(schema.dictionary, of_texts, FLAG_NULLABLE)
    return 0


cdef void release_schema(ArrowSchema* schema) noexcept nogil:
    if schema.dictionary != NULL:
        if schema.dictionary.release != NULL:
            schema.dictionary.release(schema.dictionary)
        free(schema.dictionary)
    free(schema.private_data)
    schema.release = NULL


cdef void free_schema_capsule(object capsule) noexcept:
    cdef ArrowSchema* schema = <ArrowSchema*>PyCapsule_GetPointer(capsule, "arrow_schema")
    if schema.release != NULL:
        schema.release(schema)
    free(schema)


cdef void free_array_capsule(object capsule) noexcept:
    cdef ArrowArray* array = <ArrowArray*>PyCapsule_GetPointer(capsule, "arrow_array")
    if array.release != NULL:
        array.release(array)
    free(array)


cdef void free_stream_capsule(object capsule) noexcept:
    cdef ArrowArrayStream* stream = <ArrowArrayStream*>PyCapsule_GetPointer(
        capsule, "arrow_array_stream")
    if stream.release != NULL:
        stream.release(stream)
    free(stream)


def schema_capsule(kind):
    """Make the schema of a TextType, or of numbers by Arrow's letter."""
    cdef ArrowSchema* schema = <ArrowSchema*>calloc(1, sizeof(ArrowSchema))
    if schema == NULL:
        raise MemoryError()
    try:
        fill_schema(schema, kind, FLAG_NULLABLE)
    except MemoryError:
        free(schema)
        raise
    return PyCapsule_New(schema, "arrow_schema", free_schema_capsule)


def array_capsules(kind, ArrowChunk chunk):
    """Make the schema and the array of a chunk."""
    cdef ArrowArray* array
    schema = schema_capsule(kind)
    array = <ArrowArray*>calloc(1, sizeof(ArrowArray))
    if array == NULL:
        raise MemoryError()
    try:
        chunk.offer(array)
    except MemoryError:
        free(array)
        raise
    return schema, PyCapsule_New(array, "arrow_array", free_array_capsule)


cdef class _Stream:
    """The state of a stream of chunks."""

    cdef object kind
    cdef tuple chunks
    cdef Py_ssize_t next_one


def stream_capsule(kind, chunks):
    """Make a stream of chunks, in a capsule."""
    cdef _Stream held = _Stream.__new__(_Stream)
    cdef ArrowArrayStream* stream = <ArrowArrayStream*>calloc(1, sizeof(ArrowArrayStream))
    if stream == NULL:
        raise MemoryError()
    held.kind = kind
    held.chunks = tuple(chunks)
    stream.get_schema = stream_schema
    stream.get_next = stream_next
    stream.get_last_error = stream_error
    stream.release = release_stream
    stream.private_data = <void*>held
    Py_INCREF(held)
    return PyCapsule_New(stream, "arrow_array_stream", free_stream_capsule)


cdef int stream_schema(ArrowArrayStream* stream, ArrowSchema* schema) noexcept with gil:
    cdef _Stream held = <_Stream>stream.private_data
    try:
        fill_schema(schema, held.kind, FLAG_NULLABLE)
    except MemoryError:
        return ENOMEM
    return 0


cdef int stream_next(ArrowArrayStream* stream, ArrowArray* array) noexcept with gil:
    cdef _Stream held = <_Stream>stream.private_data
    cdef int status = 0
    memset(array, 0, sizeof(ArrowArray))
    # Does what the GIL does in other builds.
    with critical_section(held):
        if held.next_one < len(held.chunks):
            try:
                (<ArrowChunk>held.chunks[held.next_one]).offer(array)
                held.next_one += 1
            except MemoryError:
                status = ENOMEM
    return status


cdef const char* stream_error(ArrowArrayStream* stream) noexcept nogil:
    return "out of memory"


cdef void release_stream(ArrowArrayStream* stream) noexcept with gil:
    cdef object held = <object>stream.private_data
    stream.release = NULL
    Py_DECREF(held)
