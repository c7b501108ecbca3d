"""The text of contents that are plain: whose case comes back byte for byte where it stands.

What is seldom, or takes knowledge of placeholders and of what must not change, is not plain, and
left to `truecase.formats.xml_content`, `po`, `interface_xml`, `protect` and `flow`, which say what
each of these rules is. For contents that are plain, these functions give the same text.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint8_t

from truecase.formats._markup cimport (
    find_byte, find_bytes, markup_end, name_end, stands_at, tag_end)
from truecase.runtime._memory cimport grow
from truecase.runtime._output cimport Output, append_output
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY

cdef enum:
    # beside the codes of Status
    NOT_PLAIN = -1

# How contents are written: XML, the same with the escapes of Android, strings of PO, one of JSON.
cdef enum Notation:
    NOTATION_XML = 0
    NOTATION_ANDROID = 1
    NOTATION_PO = 2
    NOTATION_JSON = 3


# Bytes of the file that stand in the lines as they are.
cdef struct Run:
    int64_t line
    int64_t file
    int64_t size


# Lines one after the other, and where their bytes came from.
cdef struct Lines:
    Output out
    Run* runs
    size_t n_runs
    size_t runs_capacity


cdef inline int add_run(Lines* lines, const uint8_t* data, int64_t begin,
                        int64_t end) noexcept nogil:
    cdef size_t n = <size_t>(end - begin)
    if begin >= end:
        return STATUS_OK
    if lines.n_runs == lines.runs_capacity:
        if grow(<void**>&lines.runs, 2 * lines.n_runs + 64, sizeof(Run)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        lines.runs_capacity = 2 * lines.n_runs + 64
    lines.runs[lines.n_runs].line = <int64_t>lines.out.size
    lines.runs[lines.n_runs].file = begin
    lines.runs[lines.n_runs].size = end - begin
    lines.n_runs += 1
    return append_output(&lines.out, data + begin, n)


cdef inline int add_sign(Lines* lines, uint8_t sign) noexcept nogil:
    """A character that stands for something, and does not change."""
    return append_output(&lines.out, &sign, 1)


cdef inline bint is_letter(uint8_t c) noexcept nogil:
    return (c | 0x20) >= c'a' and (c | 0x20) <= c'z'


cdef inline bint is_digit(uint8_t c) noexcept nogil:
    return c >= c'0' and c <= c'9'


cdef inline uint8_t predefined(const uint8_t* data, int64_t p, int64_t end) noexcept nogil:
    """What a reference stands for whose name is at `p`; 0: not one of XML's five."""
    if stands_at(data, p, end, b"amp;", 4):
        return c'&'
    if stands_at(data, p, end, b"lt;", 3):
        return c'<'
    if stands_at(data, p, end, b"gt;", 3):
        return c'>'
    if stands_at(data, p, end, b"quot;", 5):
        return c'"'
    if stands_at(data, p, end, b"apos;", 5):
        return c"'"
    return 0


cdef inline int add_number(Lines* lines, const uint8_t* data, int64_t p,
                           int64_t end) noexcept nogil:
    """The character of a reference by number, `p` … `end` - 1, if it is a sign of no case."""
    cdef int64_t base = 10, number = 0, digit
    cdef int status
    if end - p > 8 or end - p < 2 or data[p] != c'#':
        return NOT_PLAIN
    p += 1
    if data[p] == c'x':
        base = 16
        p += 1
    if p == end:
        return NOT_PLAIN
    while p < end:
        digit = data[p] - c'0' if is_digit(data[p]) else (data[p] | 0x20) - c'a' + 10
        if digit < 0 or digit >= base:
            return NOT_PLAIN
        number = base * number + digit
        p += 1
    if number < 0x80 and not is_letter(<uint8_t>number):
        return add_sign(lines, <uint8_t>number)
    if number >= 0xa0 and number < 0xaa:
        status = add_sign(lines, 0xc2)
        return status if status != STATUS_OK else add_sign(lines, <uint8_t>number)
    if number >= 0x2000 and number < 0x2070:
        status = add_sign(lines, 0xe2)
        if status == STATUS_OK:
            status = add_sign(lines, <uint8_t>(0x80 | ((number >> 6) & 0x3f)))
        return status if status != STATUS_OK else add_sign(lines, <uint8_t>(0x80 | (number & 0x3f)))
    return NOT_PLAIN


cdef inline int code_shows(const uint8_t* data, int64_t begin, int64_t end) noexcept nogil:
    """What stands for native code: a blank, `0` if a value is put in there, or `NOT_PLAIN`."""
    cdef int64_t p
    cdef uint8_t c
    if stands_at(data, begin, end, b"%s", 2) or stands_at(data, begin, end, b"%d", 2):
        if end - begin == 2:
            return c'0'
    if 2 < end - begin < 60 and data[begin] == c'{' and data[end - 1] == c'}':
        for p in range(begin + 1, end - 1):
            if not (is_letter(data[p]) or is_digit(data[p])):
                return NOT_PLAIN
        return c'0'
    for p in range(begin, end):
        c = data[p]
        if c == c'%' or c == c'{' or c == c'$':
            return NOT_PLAIN
        if c == c'&' and not predefined(data, p + 1, end):
            return NOT_PLAIN
    return c' '


# What the start tag of an element within a text means.
cdef enum TagKind:
    TAG_NOT_PLAIN, TAG_LOOKS, TAG_STANDS, TAG_CODE, TAG_STANDS_WITH_CODE


cdef inline int tag_kind(const uint8_t* data, int64_t p, int64_t end,
                         int notation) noexcept nogil:
    """Of the tag whose name begins at `p` and whose last byte is before `end`."""
    cdef int64_t n, last = name_end(data, p, end), local = p
    for n in range(p, last):
        if data[n] == c':':
            local = n + 1
    n = last - local
    # The content of xliff:g does not change in Android.
    if notation == NOTATION_ANDROID and local > p:
        return TAG_NOT_PLAIN
    if n == 1 and data[local] == c'x':
        return TAG_STANDS
    if n == 2:
        if stands_at(data, local, end, b"ph", 2) or stands_at(data, local, end, b"ut", 2):
            return TAG_STANDS_WITH_CODE
        if stands_at(data, local, end, b"cp", 2):
            return TAG_STANDS
        if stands_at(data, local, end, b"it", 2):
            return TAG_CODE
        if stands_at(data, local, end, b"sm", 2) or stands_at(data, local, end, b"em", 2):
            return TAG_NOT_PLAIN
    elif n == 3:
        if stands_at(data, local, end, b"bpt", 3) or stands_at(data, local, end, b"ept", 3):
            return TAG_CODE
        if stands_at(data, local, end, b"mrk", 3):
            if (find_bytes(data, last, end, b"protected", 9) >= 0
                    or find_bytes(data, last, end, b"translate", 9) >= 0):
                return TAG_NOT_PLAIN
    return TAG_LOOKS


cdef inline int android_escape(uint8_t c) noexcept nogil:
    """What a backslash and a character stand for."""
    if c == c'n':
        return c'\n'
    if c == c't':
        return c' '
    if c == c"'" or c == c'"' or c == c'\\' or c == c'@' or c == c'?':
        return c
    return NOT_PLAIN


cdef inline int read_xml(Lines* lines, const uint8_t* data, int64_t start, int64_t end,
                         int notation) noexcept nogil:
    """Add the text of a content; a Status, or `NOT_PLAIN`."""
    cdef int64_t p = start, q, code_start = 0, n_open = 0
    cdef size_t stand_in = 0
    cdef bint shows_code = False, in_android = notation == NOTATION_ANDROID
    cdef int status = STATUS_OK, sign
    cdef uint8_t c
    while p < end and status == STATUS_OK:
        c = data[p]
        if c == c'&':
            q = find_byte(data, p, end, c';')
            if q < 0:
                return NOT_PLAIN
            if n_open == 0:
                c = predefined(data, p + 1, q + 1)
                status = add_sign(lines, c) if c else add_number(lines, data, p + 1, q)
                if status == NOT_PLAIN:
                    return NOT_PLAIN
            p = q + 1
        elif c == c'\\' and in_android and n_open == 0:
            sign = android_escape(data[p + 1]) if p + 1 < end else NOT_PLAIN
            if sign == NOT_PLAIN:
                return NOT_PLAIN
            status = add_sign(lines, <uint8_t>sign)
            p += 2
        elif c != c'<':
            q = p
            while p < end and data[p] != c'<' and data[p] != c'&' and (
                    not in_android or data[p] != c'\\' or n_open > 0):
                p += 1
            if n_open == 0:
                status = add_run(lines, data, q, p)
        elif p + 1 == end:
            return NOT_PLAIN
        elif data[p + 1] == c'!' or data[p + 1] == c'?':
            q = markup_end(data, p, end)
            if q < 0:
                return NOT_PLAIN
            if n_open == 0 and stands_at(data, p, end, b"<![CDATA[", 9):
                if in_android and find_byte(data, p, q, c'\\') >= 0:
                    return NOT_PLAIN
                status = add_run(lines, data, p + 9, q - 3)
            p = q
        elif data[p + 1] == c'/':
            q = find_byte(data, p, end, c'>')
            if q < 0:
                return NOT_PLAIN
            if n_open > 0:
                n_open -= 1
                if n_open == 0 and shows_code:
                    sign = code_shows(data, code_start, p)
                    if sign == NOT_PLAIN:
                        return NOT_PLAIN
                    lines.out.bytes[stand_in] = <uint8_t>sign
            p = q + 1
        else:
            q = tag_end(data, p + 1, end)
            if q < 0:
                return NOT_PLAIN
            if n_open > 0:
                n_open += data[q - 2] != c'/'
                p = q
                continue
            sign = tag_kind(data, p + 1, q, notation)
            if sign == TAG_NOT_PLAIN:
                return NOT_PLAIN
            if sign == TAG_STANDS or sign == TAG_STANDS_WITH_CODE:
                # They may say in attributes what is to be shown.
                if (find_bytes(data, p, q, b"equiv", 5) >= 0
                        or find_bytes(data, p, q, b"disp", 4) >= 0):
                    return NOT_PLAIN
                stand_in = lines.out.size
                status = add_sign(lines, c' ')
            if data[q - 2] != c'/' and (sign == TAG_CODE or sign == TAG_STANDS_WITH_CODE):
                n_open = 1
                code_start = q
                shows_code = sign == TAG_STANDS_WITH_CODE
            p = q
    return status


cdef inline int read_po(Lines* lines, const uint8_t* data, int64_t start,
                        int64_t end) noexcept nogil:
    """Add the text of strings in quotation marks; a Status, or `NOT_PLAIN`."""
    cdef int64_t p = start, q
    cdef int status = STATUS_OK
    cdef uint8_t c
    while True:
        while p < end and (data[p] == c' ' or data[p] == c'\t' or data[p] == c'\n'
                           or data[p] == c'\r'):
            p += 1
        if p >= end:
            return STATUS_OK
        if data[p] != c'"':
            return NOT_PLAIN
        p += 1
        while True:
            q = p
            while p < end and data[p] != c'"' and data[p] != c'\\' and data[p] != c'\n' and (
                    data[p] != c'\r'):
                p += 1
            if p == end:
                return NOT_PLAIN
            status = add_run(lines, data, q, p)
            if status != STATUS_OK:
                return status
            c = data[p]
            p += 1
            if c == c'"':
                break
            if c != c'\\' or p == end:
                return NOT_PLAIN
            c = data[p]
            if c == c'n':
                c = c'\n'
            elif c == c't':
                c = c'\t'
            elif c != c'"' and c != c'\\':
                return NOT_PLAIN
            status = add_sign(lines, c)
            if status != STATUS_OK:
                return status
            p += 1


cdef inline int read_json(Lines* lines, const uint8_t* data, int64_t start,
                          int64_t end) noexcept nogil:
    """Add the text of what is between quotation marks; a Status, or `NOT_PLAIN`."""
    cdef int64_t p = start, q
    cdef int status = STATUS_OK
    cdef uint8_t c
    while p < end and status == STATUS_OK:
        q = find_byte(data, p, end, c'\\')
        if q < 0:
            return add_run(lines, data, p, end)
        status = add_run(lines, data, p, q)
        if q + 1 == end:
            return NOT_PLAIN
        c = data[q + 1]
        if c == c'n':
            c = c'\n'
        elif c == c'r':
            c = c'\r'
        elif c == c't' or c == c'b' or c == c'f':
            c = c' '
        elif c == c'\n' or c == c'\r' or c == c'u' or c >= 0x80:
            return NOT_PLAIN
        if status == STATUS_OK:
            status = add_sign(lines, c)
        p = q + 2
    return status


cdef inline bint may_be_protected(const uint8_t* text, size_t p, size_t size,
                                  bint has_accelerators) noexcept nogil:
    """Whether something could begin at `p` that is not to change, or a mark of a menu's key."""
    cdef uint8_t c = text[p], after = text[p + 1] if p + 1 < size else c' '
    cdef bint before_word = is_letter(after) or is_digit(after) or after == c'_' or after >= 0x80
    if c == c'{' or c == c'`':
        return True
    if c == c'%':
        # A number's, as in "5%", is none.
        if p == 0 or not is_digit(text[p - 1]):
            return True
        return before_word or after == c'%' or after == c'('
    if c == c'<':
        return is_letter(after) or after == c'/'
    if c == c'&':
        return is_letter(after) or after == c'#' or (has_accelerators and before_word)
    if c == c'$':
        return is_letter(after) or after == c'_' or after == c'('
    return has_accelerators and (c == c'_' or c == c'~') and before_word


cdef inline bint parts_paragraphs(const uint8_t* text, size_t p, size_t size) noexcept nogil:
    """Whether a blank line follows the line feed at `p`."""
    p += 1
    while p < size and (text[p] == c' ' or text[p] == c'\t' or text[p] == c'\r'):
        p += 1
    return p < size and text[p] == c'\n'


cdef inline int finish_line(Lines* lines, size_t begin, bint has_accelerators) noexcept nogil:
    """Make one line of the text from `begin`; `NOT_PLAIN` where that takes more than blanks."""
    cdef uint8_t* text = lines.out.bytes + begin
    cdef size_t p, size = lines.out.size - begin
    cdef uint8_t c
    for p in range(size):
        c = text[p]
        if c > c'`' and c != c'{' and c != c'~':
            continue
        if c == c'\n':
            if parts_paragraphs(text, p, size):
                return NOT_PLAIN
            text[p] = c' '
        elif c == c'\r':
            text[p] = c' '
        elif (c == c'%' or c == c'{' or c == c'<' or c == c'&' or c == c'$' or c == c'`'
              or c == c'_' or c == c'~'):
            if may_be_protected(text, p, size, has_accelerators):
                return NOT_PLAIN
    return STATUS_OK


cdef inline int read_content(Lines* lines, const uint8_t* data, int64_t start, int64_t end,
                             int notation, bint has_accelerators) noexcept nogil:
    """Add a line with the text of a content, without its end.

    A Status, or `NOT_PLAIN`: then the lines are as before.
    """
    cdef size_t size = lines.out.size, n_runs = lines.n_runs
    cdef int status
    if notation == NOTATION_PO:
        status = read_po(lines, data, start, end)
    elif notation == NOTATION_JSON:
        status = read_json(lines, data, start, end)
    else:
        status = read_xml(lines, data, start, end, notation)
    if status == STATUS_OK:
        status = finish_line(lines, size, has_accelerators)
    if status == NOT_PLAIN:
        lines.out.size = size
        lines.n_runs = n_runs
    return status
