"""Many segments at once: lines of their texts for a model, and the file with the lines' case."""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memset

from truecase.formats._content cimport (
    NOT_PLAIN, Lines, NOTATION_ANDROID, NOTATION_JSON, NOTATION_PO, NOTATION_XML, Run, add_sign,
    read_content)
from truecase.runtime._memory cimport grow
from truecase.runtime._output cimport Output, append_output
from truecase.runtime._status cimport STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.text._utf8 cimport ascii_space, decode

from truecase.base.threads import OneThread

__all__ = ["ANDROID", "JSON", "PO", "XML", "SegmentTexts", "follow_one_another"]

XML, ANDROID, PO, JSON = NOTATION_XML, NOTATION_ANDROID, NOTATION_PO, NOTATION_JSON

_CHANGED = "the model has changed more than the case of a text"


# A segment of a block.
cdef struct Segment:
    int64_t line_end    # its lines' end, among those of the block
    size_t runs_end
    bint is_plain


# Where the putting back of a block stands, and what it has seen.
cdef struct Pass:
    const uint8_t* data
    int64_t position    # up to where the file is written
    int64_t line        # in the lines given
    int64_t cased       # in the lines that came back
    int64_t n_words
    int64_t n_changed
    int64_t n_changed_words


cdef inline bint is_space(uint32_t c) noexcept nogil:
    """White space, where words are cut."""
    if c < 0x80:
        return ascii_space(<uint8_t>c) or (c >= 0x1c and c < 0x20)
    return (c == 0x85 or c == 0xa0 or c == 0x1680 or (c >= 0x2000 and c <= 0x200a)
            or c == 0x2028 or c == 0x2029 or c == 0x202f or c == 0x205f or c == 0x3000)


cdef inline int write(Output* out, const uint8_t* data, int64_t n) noexcept nogil:
    return append_output(out, data, <size_t>n) if n > 0 else STATUS_OK


cdef int put_line_back(Pass* at, const uint8_t* line, int64_t line_end, const uint8_t* cased,
                       int64_t cased_size, const Run* runs, size_t n_runs,
                       Output* out) noexcept nogil:
    """Write the file up to the last change of a segment; a Status.

    `STATUS_INVALID`: the cased line has not the characters of the line.
    """
    cdef int64_t n_words = 0, n_changed_words = 0, i = at.line, j = at.cased, file
    cdef size_t run = 0
    cdef bint inside = False, word_differs = False, is_written = False
    cdef uint32_t n, m, c, d
    while i < line_end:
        if j >= cased_size:
            return STATUS_INVALID
        c = line[i]
        d = cased[j]
        n = m = 1
        if c >= 0x80:
            c = decode(line + i, line + line_end, &n)
        if d >= 0x80:
            d = decode(cased + j, cased + cased_size, &m)
        if is_space(c):
            n_changed_words += inside and word_differs
            inside = word_differs = False
        elif not inside:
            n_words += 1
            inside = True
        if c != d:
            if d == c'\n':
                return STATUS_INVALID
            word_differs = True
            while run < n_runs and runs[run].line + runs[run].size <= i:
                run += 1
            if run < n_runs and runs[run].line <= i:
                file = runs[run].file + i - runs[run].line
                if (write(out, at.data + at.position, file - at.position) != STATUS_OK
                        or write(out, cased + j, m) != STATUS_OK):
                    return STATUS_OUT_OF_MEMORY
                at.position = file + n
                is_written = True
        i += n
        j += m
    n_changed_words += inside and word_differs
    at.n_words += n_words
    if is_written:
        at.n_changed += 1
        at.n_changed_words += n_changed_words
    at.line = i
    at.cased = j
    return STATUS_OK


cdef inline void pass_characters(Pass* at, const uint8_t* line, int64_t line_end,
                                 const uint8_t* cased, int64_t cased_size) noexcept nogil:
    """Pass as many characters of the cased lines as there are up to `line_end`."""
    while at.line < line_end:
        at.line += 1
        if at.line == line_end or (line[at.line] & 0xc0) != 0x80:
            at.cased += 1
            while at.cased < cased_size and (cased[at.cased] & 0xc0) == 0x80:
                at.cased += 1


def follow_one_another(const int64_t[::1] starts, const int64_t[::1] ends) -> bool:
    cdef int64_t i, position = 0
    if starts.shape[0] != ends.shape[0]:
        raise ValueError("as many spans begin as end")
    for i in range(starts.shape[0]):
        if starts[i] < position or ends[i] < starts[i]:
            return False
        position = ends[i]
    return True


cdef class SegmentTexts:

    cdef readonly bytes lines
    cdef readonly object sources
    cdef readonly int64_t n_words
    cdef readonly int64_t n_changed
    cdef readonly int64_t n_changed_words
    cdef const uint8_t[::1] _data
    cdef Lines _lines
    cdef Lines _sources
    cdef Segment* _segments
    cdef int64_t _first
    cdef int64_t _n
    cdef int64_t _end
    cdef object _one_thread

    def __dealloc__(self):
        free(self._lines.out.bytes)
        free(self._lines.runs)
        free(self._sources.out.bytes)
        free(self._sources.runs)
        free(self._segments)

    def __cinit__(self, const uint8_t[::1] data not None, segments, block, int notation, other, *,
                  bint has_accelerators=False, bint takes_source=False):
        cdef const int64_t[::1] starts = segments.target_start, ends = segments.target_end
        cdef const int64_t[::1] source_starts = segments.source_start
        cdef const int64_t[::1] source_ends = segments.source_end
        cdef int64_t k = 0, i, size = data.shape[0]
        cdef int status = STATUS_OK
        self._one_thread = OneThread("SegmentTexts")
        self._data = data
        self._first = block.start
        self._n = block.stop - block.start
        # Below, i < the length of each of these, and spans are in the file: nothing else checks it.
        if (self._first < 0 or self._n < 1 or block.stop > starts.shape[0]
                or block.stop > ends.shape[0] or block.stop > source_starts.shape[0]
                or block.stop > source_ends.shape[0]):
            raise IndexError("no such segments")
        if grow(<void**>&self._segments, <size_t>self._n, sizeof(Segment)) != STATUS_OK:
            raise MemoryError
        for i in range(self._first, self._first + self._n):
            if not (0 <= starts[i] <= ends[i] <= size
                    and -1 <= source_starts[i] <= source_ends[i] <= size):
                raise IndexError("a segment is not in the file")
        self._end = ends[self._first + self._n - 1]
        while k < self._n:
            i = self._first
            with nogil:
                while k < self._n:
                    status = self._read(&data[0], k, starts[i + k], ends[i + k],
                                        source_starts[i + k] if takes_source else -1,
                                        source_ends[i + k], notation, has_accelerators,
                                        takes_source)
                    if status != STATUS_OK:
                        break
                    k += 1
            if status == NOT_PLAIN:
                line, source = other(i + k)
                status = self._take(k, line, source if takes_source else b"", takes_source)
                k += 1
            if status != STATUS_OK:
                raise MemoryError
        self.lines = PyBytes_FromStringAndSize(<char*>self._lines.out.bytes, self._lines.out.size)
        if takes_source:
            self.sources = PyBytes_FromStringAndSize(
                <char*>self._sources.out.bytes, self._sources.out.size)

    cdef int _read(self, const uint8_t* data, int64_t k, int64_t start, int64_t end,
                   int64_t source_start, int64_t source_end, int notation,
                   bint has_accelerators, bint takes_source) noexcept nogil:
        """Add a segment's line; a Status, or `NOT_PLAIN`: then nothing is added."""
        cdef size_t size = self._lines.out.size, source_size = self._sources.out.size
        cdef size_t n_runs = self._lines.n_runs
        cdef int status = STATUS_OK
        if k:
            status = add_sign(&self._lines, c'\n')
            if status == STATUS_OK and takes_source:
                status = add_sign(&self._sources, c'\n')
        if status == STATUS_OK:
            status = read_content(&self._lines, data, start, end, notation, has_accelerators)
        if status == STATUS_OK and source_start >= 0:
            status = read_content(&self._sources, data, source_start, source_end, notation,
                                  has_accelerators)
            # The runs of sources are of no use.
            self._sources.n_runs = 0
        if status == STATUS_OK:
            self._segments[k].line_end = <int64_t>self._lines.out.size
            self._segments[k].runs_end = self._lines.n_runs
            self._segments[k].is_plain = True
        elif status == NOT_PLAIN:
            self._lines.out.size = size
            self._lines.n_runs = n_runs
            self._sources.out.size = source_size
        return status

    cdef int _take(self, int64_t k, bytes line, bytes source, bint takes_source) except? -9:
        """Add the lines of a segment that is not plain; a Status."""
        cdef int status = STATUS_OK
        if k:
            status = add_sign(&self._lines, c'\n')
            if status == STATUS_OK and takes_source:
                status = add_sign(&self._sources, c'\n')
        if status == STATUS_OK:
            status = write(&self._lines.out, <const uint8_t*><char*>line, len(line))
        if status == STATUS_OK and takes_source:
            status = write(&self._sources.out, <const uint8_t*><char*>source, len(source))
        self._segments[k].line_end = <int64_t>self._lines.out.size
        self._segments[k].runs_end = self._lines.n_runs
        self._segments[k].is_plain = False
        return status

    def put_back(self, bytes cased not None, int64_t position, other):
        with self._one_thread:
            return self._put_back(cased, position, other)

    cdef object _put_back(self, bytes cased, int64_t position, object other):
        cdef const uint8_t* given = <const uint8_t*><char*>self.lines
        cdef const uint8_t* got = <const uint8_t*><char*>cased
        cdef int64_t n_got = len(cased), k = 0, begin, start, end
        cdef int status = STATUS_OK
        cdef size_t run = 0
        cdef Output out
        cdef Pass at
        memset(&out, 0, sizeof(Output))
        memset(&at, 0, sizeof(Pass))
        at.data = &self._data[0]
        at.position = position
        if position < 0 or position > self._end:
            raise IndexError("the position is not before the segments")
        try:
            while True:
                with nogil:
                    while k < self._n and status == STATUS_OK:
                        if k:
                            if at.cased >= n_got or got[at.cased] != c'\n':
                                status = STATUS_INVALID
                                break
                            at.cased += 1
                            at.line += 1
                        if not self._segments[k].is_plain:
                            break
                        status = put_line_back(
                            &at, given, self._segments[k].line_end, got, n_got,
                            self._lines.runs + run, self._segments[k].runs_end - run, &out)
                        run = self._segments[k].runs_end
                        k += 1
                if status != STATUS_OK or k == self._n:
                    break
                begin = at.cased
                start = at.line
                pass_characters(&at, given, self._segments[k].line_end, got, n_got)
                if at.cased > n_got:
                    status = STATUS_INVALID
                    break
                for start, end, new in other(self._first + k, cased[begin:at.cased]):
                    if start < at.position or end < start or end > self._end:
                        raise IndexError("the pieces of a text are not in their order")
                    if (write(&out, at.data + at.position, start - at.position) != STATUS_OK
                            or write(&out, <const uint8_t*><char*><bytes>new, len(<bytes>new))
                            != STATUS_OK):
                        status = STATUS_OUT_OF_MEMORY
                    at.position = end
                run = self._segments[k].runs_end
                k += 1
            if status == STATUS_INVALID or (status == STATUS_OK and at.cased != n_got):
                raise ValueError(_CHANGED)
            if (status != STATUS_OK
                    or write(&out, at.data + at.position, self._end - at.position) != STATUS_OK):
                raise MemoryError
            self.n_words = at.n_words
            self.n_changed = at.n_changed
            self.n_changed_words = at.n_changed_words
            return PyBytes_FromStringAndSize(<char*>out.bytes, out.size)
        finally:
            free(out.bytes)
