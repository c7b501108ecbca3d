"""Fast paths of files: the texts of many segments at once, and the tags of XML without a parser.

A content is plain if each character of its text is the same bytes in the file, or never changes.
`truecase.formats.lines` reads the others, which are rare or hold placeholders; for plain contents
both give the same text.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint32_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcmp, memset, strlen

from truecase.base._memory cimport (
    STATUS_INVALID, STATUS_OK, STATUS_OUT_OF_MEMORY, Output, append_output, grow
)
from truecase.kernels._unicode cimport (
    CHAR_SPACE, ascii_space, class_of, decode, encode, is_digit, is_letter
)

from truecase.base.threads import OneThread


# The ends of XML's markup; -1 if an end is missing. Nothing here reads beyond the end of a file,
# even of one that is not well-formed.

cdef inline int64_t find_byte(const uint8_t* data, int64_t p, int64_t end,
                              uint8_t byte) noexcept nogil:
    """The first place of a byte in `p` … `end` - 1."""
    cdef const void* found
    if p >= end:
        return -1
    found = memchr(data + p, byte, <size_t>(end - p))
    return -1 if found == NULL else <const uint8_t*>found - data


cdef inline int64_t find_bytes(const uint8_t* data, int64_t p, int64_t end, const char* what,
                               int64_t n) noexcept nogil:
    """The first place of `n` bytes in `p` … `end` - 1."""
    while True:
        p = find_byte(data, p, end - n + 1, <uint8_t>what[0])
        if p < 0 or memcmp(data + p, what, <size_t>n) == 0:
            return p
        p += 1


cdef inline bint stands_at(const uint8_t* data, int64_t p, int64_t end, const char* what,
                           int64_t n) noexcept nogil:
    return end - p >= n and memcmp(data + p, what, <size_t>n) == 0


cdef inline int64_t tag_end(const uint8_t* data, int64_t p, int64_t end) noexcept nogil:
    """After the end of the tag, or declaration, that begins before `p`; quotes hide a `>`."""
    cdef uint8_t c
    while p < end:
        c = data[p]
        if c == c'>':
            return p + 1
        if c == c'"' or c == c"'":
            p = find_byte(data, p + 1, end, c)
            if p < 0:
                return -1
        p += 1
    return -1


cdef inline int64_t end_of(const uint8_t* data, int64_t p, int64_t end, const char* what,
                           int64_t n) noexcept nogil:
    """After the first place of `n` bytes in `p` … `end` - 1."""
    p = find_bytes(data, p, end, what, n)
    return -1 if p < 0 else p + n


cdef inline int64_t markup_end(const uint8_t* data, int64_t p, int64_t end) noexcept nogil:
    """After the comment, CDATA section, instruction or declaration that begins at `p`."""
    if stands_at(data, p, end, b"<!--", 4):
        return end_of(data, p + 4, end, b"-->", 3)
    if stands_at(data, p, end, b"<![CDATA[", 9):
        return end_of(data, p + 9, end, b"]]>", 3)
    if stands_at(data, p, end, b"<?", 2):
        return end_of(data, p + 2, end, b"?>", 2)
    return tag_end(data, p + 1, end)


cdef inline bint ends_name(uint8_t c) noexcept nogil:
    return c == c' ' or c == c'>' or c == c'/' or (c >= 0x09 and c <= 0x0d)


cdef inline int64_t name_end(const uint8_t* data, int64_t p, int64_t end) noexcept nogil:
    """After the name that begins at `p`."""
    while p < end and not ends_name(data[p]):
        p += 1
    return p


cdef enum:
    # besides the codes of Status
    NOT_PLAIN = -1
    SHOWS_VALUE = -2

# Notations of contents: XML, XML with the escapes of Android, strings of PO, a string of JSON.
cdef enum Notation:
    NOTATION_XML = 0
    NOTATION_ANDROID = 1
    NOTATION_PO = 2
    NOTATION_JSON = 3


# Bytes of the file that the lines contain unchanged.
cdef struct Run:
    int64_t line
    int64_t file
    int64_t size


# Lines, one after the other, and the runs of the file in them.
cdef struct Lines:
    const uint8_t* data      # the file
    int notation
    bint has_accelerators
    Output out
    Run* runs
    size_t n_runs
    size_t runs_capacity


cdef inline int add_run(Lines* lines, int64_t begin, int64_t end) noexcept nogil:
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
    return append_output(&lines.out, lines.data + begin, n)


cdef inline int add_sign(Lines* lines, uint8_t sign) noexcept nogil:
    """Add a character that never changes."""
    return append_output(&lines.out, &sign, 1)


cdef extern from *:
    """
    /* A character, and the end of its reference. */
    static const char *const truecase_references[] = {
        "&amp;", "<lt;", ">gt;", "\\"quot;", "'apos;"};
    /* By notation, pairs of what follows a backslash and the character that both stand for. */
    static const char *const truecase_escapes[] = {
        "", "n\\nt ''\\"\\"\\\\\\\\@@??",
        "n\\nt\\t\\"\\"\\\\\\\\",
        "n\\nr\\rt b f ''\\"\\"\\\\\\\\//"};
    """
    const char* const* REFERENCES "truecase_references"
    const char* const* ESCAPES "truecase_escapes"

# Stand-ins of a value that a program will put in: before a word, and before a unit. Behind a digit,
# words are often those of titles.
cdef const char* VALUE_AND_BLANK = b"3,000 "
cdef const char* VALUE_OF_UNIT = b"7"
VALUE, UNIT_VALUE = (<bytes>VALUE_AND_BLANK).decode().rstrip(), (<bytes>VALUE_OF_UNIT).decode()


cdef inline uint8_t predefined(const uint8_t* data, int64_t p, int64_t end) noexcept nogil:
    """The character of the reference whose name is at `p`; 0 unless it is one of XML's five."""
    cdef const char* known
    cdef int i
    for i in range(5):
        known = REFERENCES[i]
        if stands_at(data, p, end, known + 1, <int64_t>strlen(known + 1)):
            return <uint8_t>known[0]
    return 0


cdef inline int add_escape(Lines* lines, int64_t p, int64_t end) noexcept nogil:
    """Add the character of a backslash at `p` and its letter; a Status, or `NOT_PLAIN`."""
    cdef const char* pair = ESCAPES[lines.notation]
    if p + 1 < end:
        while pair[0]:
            if <uint8_t>pair[0] == lines.data[p + 1]:
                return add_sign(lines, <uint8_t>pair[1])
            pair += 2
    return NOT_PLAIN


cdef inline int add_number(Lines* lines, int64_t p, int64_t end) noexcept nogil:
    """Add the character of a numeric reference, `p` … `end` - 1, if the character has no case."""
    cdef const uint8_t* data = lines.data
    cdef int64_t base = 10, number = 0, digit
    cdef uint8_t sign[4]
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
    if ((number < 0x80 and not is_letter(<uint8_t>number)) or 0xa0 <= number < 0xaa
            or 0x2000 <= number < 0x2070):
        return append_output(&lines.out, sign, encode(<uint32_t>number, sign))
    return NOT_PLAIN


cdef inline int code_shows(const uint8_t* data, int64_t begin, int64_t end) noexcept nogil:
    """`SHOWS_VALUE`; `STATUS_OK` if native code shows a blank; or `NOT_PLAIN`."""
    cdef int64_t p
    cdef uint8_t c
    if end - begin == 2 and data[begin] == c'%' and (
            data[begin + 1] == c's' or data[begin + 1] == c'd'):
        return SHOWS_VALUE
    if 2 < end - begin < 60 and data[begin] == c'{' and data[end - 1] == c'}':
        for p in range(begin + 1, end - 1):
            if not (is_letter(data[p]) or is_digit(data[p])):
                return NOT_PLAIN
        return SHOWS_VALUE
    for p in range(begin, end):
        c = data[p]
        if c == c'%' or c == c'{' or c == c'$':
            return NOT_PLAIN
        if c == c'&' and not predefined(data, p + 1, end):
            return NOT_PLAIN
    return STATUS_OK


# Elements within a text: not plain; shown as nothing; as a stand-in; with code as their content.
cdef enum TagKind:
    TAG_NOT_PLAIN, TAG_LOOKS, TAG_STANDS, TAG_CODE, TAG_STANDS_WITH_CODE


cdef inline bint is_one_of(const uint8_t* data, int64_t p, int64_t end,
                           const char* names) noexcept nogil:
    """Whether a name is in a list, in which each has a blank behind it."""
    cdef int64_t i
    while names[0]:
        i = 0
        while p + i < end and <uint8_t>names[i] == data[p + i]:
            i += 1
        if p + i == end and names[i] == c' ':
            return True
        while names[0] != c' ':
            names += 1
        names += 1
    return False


cdef inline int tag_kind(const uint8_t* data, int64_t p, int64_t end, int notation) noexcept nogil:
    """The kind of the tag whose name begins at `p` and whose last byte is before `end`."""
    cdef int64_t n, last = name_end(data, p, end), local = p
    for n in range(p, last):
        if data[n] == c':':
            local = n + 1
    # The content of xliff:g does not change in Android.
    if (notation == NOTATION_ANDROID and local > p) or is_one_of(data, local, last, b"sm em ") or (
            is_one_of(data, local, last, b"mrk ") and (
                find_bytes(data, last, end, b"protected", 9) >= 0
                or find_bytes(data, last, end, b"translate", 9) >= 0)):
        return TAG_NOT_PLAIN
    if is_one_of(data, local, last, b"x cp "):
        return TAG_STANDS
    if is_one_of(data, local, last, b"ph ut "):
        return TAG_STANDS_WITH_CODE
    if is_one_of(data, local, last, b"it bpt ept "):
        return TAG_CODE
    return TAG_LOOKS


# How far a content of XML is read.
cdef struct Content:
    const uint8_t* data
    int64_t p
    int64_t end
    int notation
    int64_t n_open          # elements that are open in native code, with the code's own
    int64_t code_start
    bint shows_code         # the code may show a value: its stand-in, a blank, ends the lines


cdef inline int read_reference(Content* at, Lines* lines) noexcept nogil:
    """Add the character of a reference; a Status, or `NOT_PLAIN`."""
    cdef int64_t start = at.p + 1, last = find_byte(at.data, at.p, at.end, c';')
    cdef uint8_t sign
    if last < 0:
        return NOT_PLAIN
    at.p = last + 1
    if at.n_open > 0:
        return STATUS_OK
    sign = predefined(at.data, start, last + 1)
    return add_sign(lines, sign) if sign else add_number(lines, start, last)


cdef inline int read_text(Content* at, Lines* lines) noexcept nogil:
    """Add text up to the next markup, reference or escape; a Status."""
    cdef const uint8_t* data = at.data
    cdef int64_t start = at.p, p = at.p, end = at.end
    cdef bint has_escapes = at.notation == NOTATION_ANDROID and at.n_open == 0
    while p < end and data[p] != c'<' and data[p] != c'&' and (not has_escapes or data[p] != c'\\'):
        p += 1
    at.p = p
    return add_run(lines, start, p) if at.n_open == 0 else STATUS_OK


cdef inline int read_section(Content* at, Lines* lines) noexcept nogil:
    """Read a comment, an instruction, or a CDATA section, whose text is added."""
    cdef int64_t start = at.p, last = markup_end(at.data, start, at.end)
    if last < 0:
        return NOT_PLAIN
    at.p = last
    if at.n_open > 0 or not stands_at(at.data, start, at.end, b"<![CDATA[", 9):
        return STATUS_OK
    if at.notation == NOTATION_ANDROID and find_byte(at.data, start, last, c'\\') >= 0:
        return NOT_PLAIN
    return add_run(lines, start + 9, last - 3)


cdef inline int read_end_tag(Content* at, Lines* lines) noexcept nogil:
    """Read an end tag; that of code turns the code's stand-in into what the code shows."""
    cdef int64_t start = at.p, last = find_byte(at.data, start, at.end, c'>'), n = 0
    cdef const char* value
    cdef int shown
    if last < 0:
        return NOT_PLAIN
    at.p = last + 1
    if at.n_open == 0:
        return STATUS_OK
    at.n_open -= 1
    if at.n_open == 0 and at.shows_code:
        shown = code_shows(at.data, at.code_start, start)
        if shown != SHOWS_VALUE:
            return shown
        # As `value_at` of placeholders.py.
        while n < 4 and last + 1 + n < at.end and is_letter(at.data[last + 1 + n]):
            n += 1
        if last + 1 + n < at.end and at.data[last + 1 + n] >= 0x80:
            return NOT_PLAIN
        lines.out.size -= 1
        value = VALUE_OF_UNIT if 0 < n < 4 else VALUE_AND_BLANK
        return append_output(&lines.out, <const uint8_t*>value, strlen(value) - (n == 0))
    return STATUS_OK


cdef inline int read_start_tag(Content* at, Lines* lines) noexcept nogil:
    """Read a start tag, and add the stand-in of its element; a Status, or `NOT_PLAIN`."""
    cdef int64_t start = at.p, last = tag_end(at.data, start + 1, at.end)
    cdef int kind, status = STATUS_OK
    cdef bint is_empty
    if last < 0:
        return NOT_PLAIN
    at.p = last
    is_empty = at.data[last - 2] == c'/'
    if at.n_open > 0:
        at.n_open += not is_empty
        return STATUS_OK
    kind = tag_kind(at.data, start + 1, last, at.notation)
    if kind == TAG_NOT_PLAIN:
        return NOT_PLAIN
    if kind == TAG_STANDS or kind == TAG_STANDS_WITH_CODE:
        # Attributes may say how such an element is shown.
        if (find_bytes(at.data, start, last, b"equiv", 5) >= 0
                or find_bytes(at.data, start, last, b"disp", 4) >= 0):
            return NOT_PLAIN
        status = add_sign(lines, c' ')
    if not is_empty and (kind == TAG_CODE or kind == TAG_STANDS_WITH_CODE):
        at.n_open = 1
        at.code_start = last
        at.shows_code = kind == TAG_STANDS_WITH_CODE
    return status


cdef inline int read_xml(Lines* lines, int64_t start, int64_t end) noexcept nogil:
    """Add the text of a content; a Status, or `NOT_PLAIN`."""
    cdef const uint8_t* data = lines.data
    cdef Content at
    cdef int status = STATUS_OK
    cdef uint8_t c
    memset(&at, 0, sizeof(Content))
    at.data = data
    at.p = start
    at.end = end
    at.notation = lines.notation
    while at.p < end and status == STATUS_OK:
        c = data[at.p]
        if c == c'&':
            status = read_reference(&at, lines)
        elif c == c'\\' and at.notation == NOTATION_ANDROID and at.n_open == 0:
            status = add_escape(lines, at.p, end)
            at.p += 2
        elif c != c'<':
            status = read_text(&at, lines)
        elif at.p + 1 == end:
            return NOT_PLAIN
        elif data[at.p + 1] == c'!' or data[at.p + 1] == c'?':
            status = read_section(&at, lines)
        elif data[at.p + 1] == c'/':
            status = read_end_tag(&at, lines)
        else:
            status = read_start_tag(&at, lines)
    return status


cdef inline int read_string(Lines* lines, int64_t p, int64_t end) noexcept nogil:
    """Add the text of what is between quotation marks; a Status, or `NOT_PLAIN`."""
    cdef int64_t q
    cdef int status = STATUS_OK
    while p < end and status == STATUS_OK:
        q = find_byte(lines.data, p, end, c'\\')
        if q < 0:
            return add_run(lines, p, end)
        status = add_run(lines, p, q) or add_escape(lines, q, end)
        p = q + 2
    return status


cdef inline int read_strings(Lines* lines, int64_t p, int64_t end) noexcept nogil:
    """Add the text of strings in quotation marks; a Status, or `NOT_PLAIN`."""
    cdef const uint8_t* data = lines.data
    cdef int64_t start
    cdef int status = STATUS_OK
    while p < end and status == STATUS_OK:
        if ascii_space(data[p]):
            p += 1
            continue
        if data[p] != c'"':
            return NOT_PLAIN
        p += 1
        start = p
        while p < end and data[p] != c'"':
            p += 2 if data[p] == c'\\' else 1
        if p >= end:
            return NOT_PLAIN
        status = read_string(lines, start, p)
        p += 1
    return status


cdef inline bint may_be_protected(const uint8_t* text, size_t p, size_t size,
                                  bint has_accelerators) noexcept nogil:
    """Whether something protected, or the mark of a menu's key, could begin at `p`."""
    cdef uint8_t c = text[p], after = text[p + 1] if p + 1 < size else c' '
    cdef bint before_word = is_letter(after) or is_digit(after) or after == c'_' or after >= 0x80
    if c in b"{`@|":
        return True
    if c in b"DEHMY":
        return after == c
    if c == c'%':
        # The sign behind a number, as in "5%", is not a placeholder.
        if p == 0 or not is_digit(text[p - 1]):
            return True
        return before_word or after == c'%' or after == c'('
    if c in b"<[:":
        return before_word or after == c'/'
    if c == c'&' or c == c'$':
        return before_word or after == (c'#' if c == c'&' else c'(')
    return has_accelerators and (c == c'_' or c == c'~') and before_word


cdef inline bint parts_paragraphs(const uint8_t* text, size_t p, size_t size) noexcept nogil:
    """Whether a colon is before the line feed at `p`, or a blank line or an item may be behind."""
    cdef bint is_behind_colon = p > 0 and text[p - 1] == c':'
    p += 1
    while p < size and (text[p] == c' ' or text[p] == c'\t' or text[p] == c'\r'):
        p += 1
    return is_behind_colon or p < size and (
        text[p] == c'\n' or text[p] == c'-' or text[p] == c'*' or 0x41 <= text[p] <= 0x5a
        or is_digit(text[p]) or text[p] >= 0x80)


cdef inline int finish_line(Lines* lines, size_t begin) noexcept nogil:
    """Make the text from `begin` one line, or return `NOT_PLAIN` if that takes more than blanks."""
    cdef uint8_t* text = lines.out.bytes + begin
    cdef size_t p, size = lines.out.size - begin
    cdef uint8_t c
    for p in range(size):
        c = text[p]
        if c > c'`' and c != c'{' and c != c'|' and c != c'~':
            continue
        if c == c'\n':
            if parts_paragraphs(text, p, size):
                return NOT_PLAIN
            text[p] = c' '
        elif c == c'\r':
            text[p] = c' '
        elif c in b"%{<&$`_~:[@|DEHMY":
            if may_be_protected(text, p, size, lines.has_accelerators):
                return NOT_PLAIN
    return STATUS_OK


cdef inline int read_content(Lines* lines, int64_t start, int64_t end) noexcept nogil:
    """Add a line with the text of a content, without its end; a Status, or `NOT_PLAIN`."""
    cdef size_t size = lines.out.size
    cdef int status
    if lines.notation == NOTATION_PO:
        status = read_strings(lines, start, end)
    elif lines.notation == NOTATION_JSON:
        status = read_string(lines, start, end)
    else:
        status = read_xml(lines, start, end)
    return status or finish_line(lines, size)


XML, ANDROID, PO, JSON = NOTATION_XML, NOTATION_ANDROID, NOTATION_PO, NOTATION_JSON

_CHANGED = "the model has changed more than the case of a text"


# A segment of a block.
cdef struct Segment:
    int64_t line_end    # its lines' end, among those of the block
    size_t runs_end
    bint is_plain


# How far a block is written back, and counts.
cdef struct Pass:
    const uint8_t* data
    const uint8_t* given    # the model's input, and its output
    const uint8_t* got
    int64_t n_got           # bytes of the output
    int64_t position        # the file is written up to here
    int64_t line            # places in the input and in the output
    int64_t cased
    int64_t n_words
    int64_t n_changed
    int64_t n_changed_words


cdef inline bint is_space(uint32_t c) noexcept nogil:
    """White space, where `str.split` cuts words."""
    return class_of(c) & CHAR_SPACE != 0 or 0x1c <= c < 0x20


cdef inline int write(Output* out, const uint8_t* data, int64_t n) noexcept nogil:
    return append_output(out, data, <size_t>n) if n > 0 else STATUS_OK


cdef int put_line_back(Pass* at, int64_t line_end, const Run* runs, size_t n_runs,
                       Output* out) noexcept nogil:
    """Write the file up to the last change of a segment; a Status.

    `STATUS_INVALID`: the cased line has not the characters of the line.
    """
    cdef const uint8_t* line = at.given
    cdef const uint8_t* cased = at.got
    cdef int64_t cased_size = at.n_got
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
                if (write(out, at.data + at.position, file - at.position)
                        or write(out, cased + j, m)):
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


cdef inline void pass_characters(Pass* at, int64_t line_end) noexcept nogil:
    """Pass as many characters of the cased lines as there are up to `line_end`."""
    while at.line < line_end:
        at.line += 1
        if at.line == line_end or (at.given[at.line] & 0xc0) != 0x80:
            at.cased += 1
            while at.cased < at.n_got and (at.got[at.cased] & 0xc0) == 0x80:
                at.cased += 1


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
    cdef bint _takes_source
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
        self._takes_source = takes_source
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
        self._lines.data = &data[0]
        self._lines.notation, self._lines.has_accelerators = notation, has_accelerators
        self._sources = self._lines
        while k < self._n:
            i = self._first
            with nogil:
                while k < self._n:
                    status = self._read(k, starts[i + k], ends[i + k],
                                        source_starts[i + k] if takes_source else -1,
                                        source_ends[i + k])
                    if status != STATUS_OK:
                        break
                    k += 1
            if status == NOT_PLAIN:
                line, source = other(i + k)
                status = self._take(k, line, source if takes_source else b"")
                k += 1
            if status != STATUS_OK:
                raise MemoryError
        self.lines = PyBytes_FromStringAndSize(<char*>self._lines.out.bytes, self._lines.out.size)
        if takes_source:
            self.sources = PyBytes_FromStringAndSize(
                <char*>self._sources.out.bytes, self._sources.out.size)

    cdef int _begin(self, int64_t k) noexcept nogil:
        """End the line of the segment before, if there is one; a Status."""
        cdef int status = STATUS_OK
        if k:
            status = add_sign(&self._lines, c'\n')
            if status == STATUS_OK and self._takes_source:
                status = add_sign(&self._sources, c'\n')
        return status

    cdef void _finish(self, int64_t k, bint is_plain) noexcept nogil:
        self._segments[k].line_end = <int64_t>self._lines.out.size
        self._segments[k].runs_end = self._lines.n_runs
        self._segments[k].is_plain = is_plain

    cdef int _read(self, int64_t k, int64_t start, int64_t end, int64_t source_start,
                   int64_t source_end) noexcept nogil:
        """Add a segment's line; a Status, or `NOT_PLAIN`: then nothing is added."""
        cdef size_t size = self._lines.out.size, source_size = self._sources.out.size
        cdef size_t n_runs = self._lines.n_runs
        cdef int status = self._begin(k) or read_content(&self._lines, start, end)
        if status == STATUS_OK and source_start >= 0:
            status = read_content(&self._sources, source_start, source_end)
            # Sources are not written back, so nobody needs their runs.
            self._sources.n_runs = 0
        if status == STATUS_OK:
            self._finish(k, True)
        elif status == NOT_PLAIN:
            self._lines.out.size = size
            self._lines.n_runs = n_runs
            self._sources.out.size = source_size
        return status

    cdef int _take(self, int64_t k, bytes line, bytes source) except? -9:
        """Add the lines of a segment that is not plain; a Status."""
        cdef int status = self._begin(k) or write(
            &self._lines.out, <const uint8_t*><char*>line, len(line))
        if status == STATUS_OK and self._takes_source:
            status = write(&self._sources.out, <const uint8_t*><char*>source, len(source))
        self._finish(k, False)
        return status

    def put_back(self, bytes cased not None, int64_t position, other):
        with self._one_thread:
            return self._put_back(cased, position, other)

    cdef object _put_back(self, bytes cased, int64_t position, object other):
        cdef int64_t k = 0, begin, start, end
        cdef int status = STATUS_OK
        cdef size_t run = 0
        cdef Output out
        cdef Pass at
        memset(&out, 0, sizeof(Output))
        memset(&at, 0, sizeof(Pass))
        at.data = &self._data[0]
        at.given = <const uint8_t*><char*>self.lines
        at.got = <const uint8_t*><char*>cased
        at.n_got = len(cased)
        at.position = position
        if position < 0 or position > self._end:
            raise IndexError("the position is not before the segments")
        try:
            while True:
                with nogil:
                    while k < self._n and status == STATUS_OK:
                        if k:
                            if at.cased >= at.n_got or at.got[at.cased] != c'\n':
                                status = STATUS_INVALID
                                break
                            at.cased += 1
                            at.line += 1
                        if not self._segments[k].is_plain:
                            break
                        status = put_line_back(
                            &at, self._segments[k].line_end, self._lines.runs + run,
                            self._segments[k].runs_end - run, &out)
                        run = self._segments[k].runs_end
                        k += 1
                if status != STATUS_OK or k == self._n:
                    break
                begin = at.cased
                pass_characters(&at, self._segments[k].line_end)
                if at.cased > at.n_got:
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
            if status == STATUS_INVALID or (status == STATUS_OK and at.cased != at.n_got):
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


cdef enum:
    N_NAMES = 32

MAX_NAMES = N_NAMES


# A name to be found.
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
        """The entry of a name; NULL if it is not wanted."""
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
