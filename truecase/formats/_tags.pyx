"""Tags of well-formed XML, found without a parser."""

from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memcmp

from truecase.formats._markup cimport (
    ends_name, find_byte, markup_end, name_end, tag_end)

from truecase.base.threads import OneThread

__all__ = ["MAX_NAMES", "TagScanner", "find_attribute"]

cdef enum:
    N_NAMES = 32

MAX_NAMES = N_NAMES


# A name that is looked for.
cdef struct Name:
    const uint8_t* text
    int64_t size
    int code
    bint has_end


cdef class TagScanner:

    cdef const uint8_t[::1] _data
    cdef list _kept
    cdef Name _names[N_NAMES]
    cdef int _n_names
    cdef int64_t _position
    cdef int64_t _depth
    cdef int64_t _max_depth
    cdef object _one_thread

    def __cinit__(self, const uint8_t[::1] data not None, names, ends, int64_t max_depth):
        cdef bytes name
        self._one_thread = OneThread("TagScanner")
        # Counted as they are kept: meanwhile, another thread may add some.
        self._kept = list(names)
        if len(self._kept) > N_NAMES:
            raise ValueError(f"more than {N_NAMES} names")
        self._data = data
        self._max_depth = max_depth
        self._position = self._depth = 0
        for self._n_names, name in enumerate(self._kept):
            if names[name] < 1:
                raise ValueError("a code is not positive")
            self._names[self._n_names].text = <const uint8_t*><char*>name
            self._names[self._n_names].size = len(name)
            self._names[self._n_names].code = names[name]
            self._names[self._n_names].has_end = names[name] in ends
        self._n_names = len(self._kept)

    cdef const Name* _name(self, const uint8_t* name, int64_t size) noexcept nogil:
        """The name if it is looked for; else NULL."""
        cdef int i
        for i in range(self._n_names):
            if self._names[i].size == size and memcmp(self._names[i].text, name, <size_t>size) == 0:
                return &self._names[i]
        return NULL

    def tags(self, int64_t n_bytes):
        with self._one_thread:
            return self._tags(n_bytes)

    cdef object _tags(self, int64_t n_bytes):
        cdef const uint8_t* data
        cdef int64_t p = self._position, size = self._data.shape[0], start, name
        cdef int64_t limit = size if n_bytes > size - p else p + n_bytes
        cdef const Name* known
        cdef bint is_empty
        cdef list found = []
        if p == size:
            return None
        data = &self._data[0]
        while p < limit:
            start = find_byte(data, p, size, c'<')
            if start < 0 or start + 1 == size:
                p = size
                break
            if data[start + 1] == c'!' or data[start + 1] == c'?':
                p = markup_end(data, start, size)
                if p < 0:
                    raise OverflowError("markup that is not closed")
                continue
            name = start + 1 + (data[start + 1] == c'/')
            known = self._name(data + name, name_end(data, name, size) - name)
            p = tag_end(data, name, size)
            if p < 0:
                raise OverflowError("a tag that is not closed")
            if name == start + 2:
                if known != NULL and known.has_end:
                    found.append((-known.code, self._depth, start, p, None))
                self._depth -= 1
                continue
            is_empty = data[p - 2] == c'/'
            if self._depth == self._max_depth:
                raise OverflowError("elements are nested too deep")
            if known != NULL:
                found.append((known.code, self._depth + 1, start, p, None))
                if is_empty and known.has_end:
                    found.append((-known.code, self._depth + 1, p, p, None))
            self._depth += not is_empty
        self._position = p
        return found


def find_attribute(const uint8_t[::1] data not None, int64_t start, int64_t end,
                   bytes name not None):
    cdef const uint8_t* wanted = <const uint8_t*><char*>name
    cdef int64_t p, q, value, value_end, size = len(name)
    cdef const uint8_t* text
    if not 0 <= start < end <= data.shape[0]:
        raise IndexError("no such tag")
    text = &data[0]
    p = name_end(text, start + 1, end)
    while True:
        while p < end and ends_name(text[p]):
            p += 1
        q = p
        while q < end and text[q] != c'=' and not ends_name(text[q]):
            q += 1
        value = find_byte(text, q, end, c'=') + 1
        if value == 0:
            return None
        while value < end and text[value] != c'"' and text[value] != c"'":
            value += 1
        if value == end:
            return None
        value_end = find_byte(text, value + 1, end, text[value])
        if value_end < 0:
            return None
        if q - p == size and memcmp(text + p, wanted, <size_t>size) == 0:
            return bytes(data[value + 1:value_end])
        p = value_end + 1
