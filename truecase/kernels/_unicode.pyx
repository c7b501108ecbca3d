"""Case of strings by the mappings that the kernels use, for Python."""

from truecase.kernels.text import TAGS, is_turkic


UNICODE_VERSION = (<bytes>TRUECASE_UNICODE).decode("ascii")


def fold(text: str, language: str = "") -> str:
    cdef bint turkic = is_turkic(language)
    return "".join([chr(to_fold(ord(c), turkic)) for c in text])


def upper(text: str, language: str = "") -> str:
    cdef bint turkic = is_turkic(language)
    return "".join([chr(to_upper(ord(c), turkic)) for c in text])


def title(text: str, language: str = "") -> str:
    cdef bint turkic = is_turkic(language)
    return "".join([chr(to_title(ord(c), turkic)) for c in text])


cdef uint32_t next_to(str text, Py_ssize_t place, int step):
    """The code point before or after `place`, marks skipped; 0 for none."""
    place += step
    while 0 <= place < len(text):
        if not class_of(ord(text[place])) & CHAR_MARK:
            return ord(text[place])
        place += step
    return 0


def lower(text: str, language: str = "") -> str:
    cdef bint turkic = is_turkic(language)
    cdef Py_ssize_t place
    cdef uint32_t cp
    parts = []
    for place in range(len(text)):
        cp = ord(text[place])
        if cp == 0x3a3 and ends_word_sigma(next_to(text, place, -1), next_to(text, place, 1)):
            parts.append("\u03c2")
        else:
            parts.append(chr(to_lower(cp, turkic)))
    return "".join(parts)


def capitalize(text: str, language: str = "") -> str:
    cdef bint turkic = is_turkic(language)
    cdef Py_ssize_t place
    lowered = lower(text, language)
    for place in range(len(text)):
        if has_case(ord(text[place]), turkic):
            first = to_title(ord(text[place]), turkic)
            return lowered[:place] + chr(first) + lowered[place + 1:]
    return lowered


def tag(text: str, language: str = "") -> str:
    cdef bint turkic = is_turkic(language)
    cdef CaseShape shape
    clear_shape(&shape)
    for c in text:
        add_to_shape(&shape, ord(c), turkic)
    return TAGS[shape_tag(&shape)]
