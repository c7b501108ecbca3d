"""A list of names as a component of a model."""

from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.string cimport memchr, memcpy

from truecase.runtime._memory cimport TEXT_PADDING
from truecase.text._casing cimport MAX_CODE_POINT, has_case
from truecase.text._utf8 cimport decode

from truecase.errors import ModelError
from truecase.modelfile.section import MAX_NUMBER

__all__ = ["BONUS", "LONGEST", "NameList", "scan_names"]

#: Most bytes of a name.
LONGEST = LONGEST_NAME

#: Added to the score of a name that is common words, too, in nats: of one word, and where the
#: lexicon has no such form of it; of each word of several; of one in lower case. Chosen by
#: bench/experiments/names.py.
BONUS = {"word": 1.0, "unseen_word": 2.0, "phrase": 1.0, "unseen_phrase": 2.0, "lower": 1.0}

cdef enum Fault:
    FAULT_NONE = 0
    FAULT_ENCODING = 1
    FAULT_CONTROL = 2
    FAULT_LONG = 3
    FAULT_EMPTY = 4
    FAULT_UNCASED = 5

FAULTS = {
    FAULT_ENCODING: "it is no UTF-8; --encoding names the file's encoding",
    FAULT_CONTROL: "it has a control character; a list has a name a line and nothing else",
    FAULT_LONG: f"it has more than {LONGEST} bytes; a list has a name a line and nothing else",
    FAULT_EMPTY: "there is no name after the !",
}


cdef inline int look_at(const uint8_t* text, uint32_t start, uint32_t end) noexcept nogil:
    """What is wrong with a name, a Fault."""
    cdef uint32_t p = start, length, cp
    cdef bint cased = False
    if end - start > LONGEST_NAME:
        return FAULT_LONG
    while p < end:
        cp = decode(text + p, text + end, &length)
        if cp > MAX_CODE_POINT:
            return FAULT_ENCODING
        if cp < 0x20 and cp != 0x09 or cp == 0x7f:
            return FAULT_CONTROL
        cased = cased or has_case(cp, False) or has_case(cp, True)
        p += length
    return FAULT_NONE if cased else FAULT_UNCASED


cdef inline bint is_blank(uint8_t byte) noexcept nogil:
    return byte == 0x20 or byte == 0x09 or byte == 0x0d


cdef uint32_t scan(const uint8_t* text, uint32_t size, uint8_t* names, uint32_t* starts,
                   uint8_t* forced, uint32_t* n_out, uint32_t* n_uncased,
                   uint32_t* first_uncased, int* fault) noexcept nogil:
    """Copy the names of a text, without what stands around them; the line it has come to."""
    cdef uint32_t p = 0, line = 0, begin, end, n = 0, size_out = 0
    cdef const void* newline
    cdef bint force
    fault[0] = FAULT_NONE
    n_uncased[0] = 0
    first_uncased[0] = 0
    starts[0] = 0
    if size >= 3 and text[0] == 0xef and text[1] == 0xbb and text[2] == 0xbf:
        p = 3
    while p < size:
        line += 1
        newline = memchr(text + p, 0x0a, size - p)
        end = <uint32_t>(<const uint8_t*>newline - text) if newline != NULL else size
        begin = p
        p = end + 1
        while begin < end and is_blank(text[begin]):
            begin += 1
        while begin < end and is_blank(text[end - 1]):
            end -= 1
        if begin == end or (text[begin] == 0x23 and (begin + 1 == end
                                                     or is_blank(text[begin + 1]))):
            continue
        force = text[begin] == 0x21
        if force:
            begin += 1
            while begin < end and is_blank(text[begin]):
                begin += 1
            if begin == end:
                fault[0] = FAULT_EMPTY
                break
        fault[0] = look_at(text, begin, end)
        if fault[0] == FAULT_UNCASED:
            fault[0] = FAULT_NONE
            n_uncased[0] += 1
            if first_uncased[0] == 0:
                first_uncased[0] = line
            continue
        if fault[0] != FAULT_NONE:
            break
        memcpy(names + size_out, text + begin, end - begin)
        size_out += end - begin
        forced[n] = force
        n += 1
        starts[n] = size_out
    n_out[0] = n
    return line


def scan_names(text not None):
    """The names of a plain list, one a line.

    Parameters
    ----------
    text : bytes-like
        UTF-8. Empty lines, and those that begin with ``#`` and white space, are none.

    Returns
    -------
    arrays : dict of str to ndarray
        Those of a `NameList`.
    n_uncased : int
        Lines left out because no letter in them has case.
    first_uncased : int
        The first of them, from 1.
    fault : tuple of (int, str), optional
        A line and what is wrong with it, instead of arrays.
    """
    # Another thread may change what is no bytes, and lines are counted before they are read.
    cdef const uint8_t[::1] view = bytes(memoryview(text))
    cdef uint32_t size = <uint32_t>view.shape[0]
    cdef uint32_t n = 0, n_uncased = 0, first_uncased = 0, line = 0
    cdef int fault = FAULT_NONE
    if view.shape[0] > 0x7fffffff:
        raise ModelError("a list of names has 2 GiB or more")
    import numpy as np

    n_lines = np.count_nonzero(np.asarray(view) == 0x0a) + 1 if size else 0
    names = np.zeros(size + TEXT_PADDING, np.uint8)
    starts = np.zeros(n_lines + 1, np.uint32)
    forced = np.zeros(n_lines + 1, np.uint8)
    cdef uint8_t[::1] names_view = names
    cdef uint32_t[::1] starts_view = starts
    cdef uint8_t[::1] forced_view = forced
    if size:
        with nogil:
            line = scan(&view[0], size, &names_view[0], &starts_view[0], &forced_view[0], &n,
                        &n_uncased, &first_uncased, &fault)
    if fault != FAULT_NONE:
        return None, 0, 0, (line, FAULTS[fault])
    arrays = {
        "text": names[: int(starts[n]) + TEXT_PADDING].copy(),
        "starts": starts[: n + 1].copy(),
        "forced": forced[:n].copy(),
    }
    # Behind the last name nothing of one that was left out.
    arrays["text"][int(starts[n]):] = 0
    return arrays, n_uncased, first_uncased, None


cdef class NameList(Component):
    """Names in their right case, of words and phrases.

    Arrays: ``text``, the names one after the other and 16 zeros; ``starts``, where each begins and
    the last one ends; ``forced``, 1 for a name that no context, and no rule about first words,
    may change. Settings: ``bonus``, see `BONUS`, which are the defaults.
    """

    about = "names in their right case"

    def __cinit__(self, arrays, settings=None):
        section = self.section("names")
        self.starts = section.array("starts", "uint32")
        self.text = section.array("text", "uint8")
        self.forced = section.array("forced", "uint8", max(self.starts.shape[0] - 1, 0))
        self._check_places()
        given = self.settings.get("bonus", {})
        if not isinstance(given, dict):
            raise ModelError("the setting names.bonus has no names of settings")
        self.settings["bonus"] = {**BONUS, **given}
        weights = [section.number(f"bonus.{name}", -MAX_NUMBER, MAX_NUMBER) for name in BONUS]
        for place in range(4):
            self.bonus[place // 2][place % 2] = weights[place]
        self.lower_bonus = weights[4]

    cdef int _check_places(self) except -1:
        cdef Py_ssize_t i, n = self.starts.shape[0] - 1
        cdef Py_ssize_t end = self.starts[n] if n >= 0 else 0
        if n < 0 or self.starts[0] != 0 or self.text.shape[0] != end + TEXT_PADDING:
            raise ModelError("the array names/starts does not lead from 0 to the end of the names")
        for i in range(n):
            if not 0 < <int64_t>self.starts[i + 1] - self.starts[i] <= LONGEST_NAME:
                raise ModelError(
                    f"the array names/starts has a name of no bytes or more than {LONGEST}")
        for i in range(end, self.text.shape[0]):
            if self.text[i]:
                raise ModelError("the array names/text does not end in zeros")
        return 0

    def __len__(self):
        return self.starts.shape[0] - 1

    def __getitem__(self, Py_ssize_t index):
        """A name as it was written in its list, with the ! in front if there was one."""
        if not 0 <= index < len(self):
            raise IndexError(f"name {index} of {len(self)}")
        cdef uint32_t first = self.starts[index], last = self.starts[index + 1]
        name = bytes(self.text[first:last]).decode("utf-8", "replace")
        return f"!{name}" if self.forced[index] else name

    def info(self):
        """What it is, in a few words and numbers."""
        return {
            **super().info(),
            "names": len(self),
            "forced": len(self) - bytes(self.forced).count(0),
        }
