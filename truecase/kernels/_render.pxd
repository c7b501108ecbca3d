"""Writes a token in a given case, and says which cases differ for it."""

from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy

from truecase.kernels._plain cimport canonical_surface
from truecase.kernels._structs cimport (
    CLASS_HYPHENATED, NODE_CLASS, NODE_NAME, TOKEN_ASCII, TOKEN_CANONICAL, TOKEN_SHARP_S,
    TOKEN_VARIANT, Node, Token
)
from truecase.kernels._tokens cimport canonical_code_point, is_hyphen
from truecase.kernels._unicode cimport (
    CHAR_MARK, MAX_CODE_POINT, TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX, ascii_letters, class_of,
    each_byte, encode, ends_word_sigma, first_bytes, gather, has_case, has_no_capital, load8,
    store8, to_lower, to_title, to_upper, upper_letters
)


cdef enum CaseRoom:
    ROOM_INITIAL = 1             # IU differs from AL
    ROOM_UPPER = 2               # AU differs from AL and from IU


cdef enum CaseSeen:              # among letters
    SEEN_LOWER = 1
    SEEN_UPPER = 2


cdef inline uint64_t spread(uint64_t bits) noexcept nogil:
    """The eight lowest bits as the high bits of eight bytes: the inverse of `gather`."""
    bits = (bits & 0xff) * each_byte(1) & <uint64_t>0x8040201008040201
    return (bits + each_byte(0x7f)) & <uint64_t>0x8080808080808080


cdef inline uint32_t render_ascii(const uint8_t* text, const Token* token, int tag,
                                  uint64_t upper_mask, uint8_t* out) noexcept nogil:
    cdef uint32_t n = token.end - token.start, left = n, at = 0
    cdef uint64_t block, letters, raised
    cdef bint before_first = True
    cdef const uint8_t* p = text + token.start
    if n == 1:
        out[0] = p[0]
        letters = ascii_letters(p[0])
        if letters:
            raised = tag == TAG_IU or tag == TAG_AU or (tag == TAG_MX and upper_mask & 1)
            out[0] = <uint8_t>(p[0] & 0xdf if raised else p[0] | 0x20)
        return 1
    while True:
        block = load8(p)
        letters = ascii_letters(block)
        if left < 8:
            letters &= first_bytes(left)
        raised = 0
        if tag == TAG_AU:
            raised = letters
        elif tag == TAG_IU:
            if before_first and letters:
                raised = letters & (~letters + 1)
                before_first = False
        elif tag == TAG_MX:
            if at < 56:
                raised = spread(upper_mask >> at) & letters
            elif at == 56:
                # Bit 63 stands for all code points from the 64th on, which keep their case.
                raised = spread((upper_mask >> 56) & 0x7f) & letters
                if upper_mask >> 63:
                    raised |= upper_letters(block, letters) & <uint64_t>0x80 << 56
            elif upper_mask >> 63:
                raised = upper_letters(block, letters)
        block = (block | letters >> 2) & ~(raised >> 2)
        store8(out, block)
        if left <= 8:
            return n
        p += 8
        out += 8
        left -= 8
        at += 8


cdef inline uint32_t render_any(const uint8_t* text, const Token* token, int tag,
                                uint64_t upper_mask, bint turkic, uint8_t* out) noexcept nogil:
    cdef uint32_t p = token.start, i = 0, length, n = 0, cp, wanted, before = 0, q, after, skipped
    cdef bint before_first = True, raise_it, next_raised
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        wanted = cp
        if has_case(cp, turkic):
            next_raised = tag == TAG_AU
            if tag == TAG_AU:
                raise_it = True
            elif tag == TAG_IU:
                raise_it = before_first
            elif tag == TAG_MX:
                if i < 63:
                    raise_it = (upper_mask >> i) & 1
                    next_raised = i < 62 and (upper_mask >> (i + 1)) & 1
                elif upper_mask >> 63:
                    raise_it = to_lower(cp, turkic) != cp
                    next_raised = to_title(cp, turkic) != cp
                else:
                    raise_it = False
            else:
                raise_it = False
            before_first = False
            if not raise_it:
                wanted = to_lower(cp, turkic)
                if cp == 0x3a3:
                    q = p + length
                    after = 0
                    while q < token.end:
                        after = canonical_code_point(text, q, token.end, token.flags, &skipped)
                        if not class_of(after) & CHAR_MARK:
                            break
                        after = 0
                        q += skipped
                    if ends_word_sigma(before, after):
                        wanted = 0x3c2
            elif tag == TAG_IU:
                wanted = to_title(cp, turkic)
            elif next_raised:
                wanted = to_upper(cp, turkic)
            else:
                # Before small letters ǆ is raised to title case; Georgian has only upper case.
                wanted = to_title(cp, turkic)
                if wanted == to_lower(cp, turkic):
                    wanted = to_upper(cp, turkic)
        elif cp > MAX_CODE_POINT:
            before_first = False
        elif tag != TAG_AU:
            wanted = to_lower(cp, turkic)                  # ẞ
        if wanted == cp:
            memcpy(out + n, text + p, length)
            n += length
        else:
            n += encode(wanted, out + n)
        if not class_of(cp) & CHAR_MARK:
            before = cp
        p += length
        i += 1
    return n


cdef inline bint is_bracket_escape(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether the token is -LRB- or its kin, the only marks with letters, and no row of hyphens."""
    return (token.flags & TOKEN_CANONICAL and token.end - token.start == 5
            and text[token.start] == 0x2d
            and 0x61 <= text[token.start + 1] | 0x20 <= 0x7a)


cdef inline uint32_t render_token(const uint8_t* text, const Token* token, int tag,
                                  uint64_t upper_mask, bint turkic, uint8_t* out) noexcept nogil:
    """Write the token in the given case; the number of bytes, at most 2 * length.

    AN writes the input bytes, and so does the token's own case; a bracket's escape (-LRB-) is
    always written in upper case. The function may use 2 * length + 4 bytes of `out`, and reads up
    to 7 bytes past the token.
    """
    cdef uint32_t i, n = token.end - token.start
    if tag == TAG_AN or token.flags & TOKEN_CANONICAL:
        memcpy(out, text + token.start, n)
        if is_bracket_escape(text, token):
            for i in range(1, n - 1):
                out[i] &= 0xdf
        return n
    if token.flags & TOKEN_ASCII and not token.flags & TOKEN_VARIANT and not turkic:
        return render_ascii(text, token, tag, upper_mask, out)
    if tag == token.tag and (tag != TAG_MX or upper_mask == token.upper_mask):
        memcpy(out, text + token.start, n)
        return n
    return render_any(text, token, tag, upper_mask, turkic, out)


cdef inline uint32_t render_anew(const uint8_t* text, const Token* token, int tag,
                                 uint64_t upper_mask, bint turkic, uint8_t* out) noexcept nogil:
    """`render_token` without traces of the input case: ẞ becomes ß."""
    cdef uint32_t n = render_token(text, token, tag, upper_mask, turkic, out), p = 0, kept = 0
    if not token.flags & TOKEN_SHARP_S:
        return n
    while p < n:
        if n - p >= 3 and out[p] == 0xe1 and out[p + 1] == 0xba and out[p + 2] == 0x9e:
            out[kept] = 0xc3
            out[kept + 1] = 0x9f
            kept += 2
            p += 3
            continue
        out[kept] = out[p]
        kept += 1
        p += 1
    return kept


cdef inline int case_room(const uint8_t* text, const Token* token, bint turkic) noexcept nogil:
    """Which of AL, IU and AU differ: bits of CaseRoom.

    It is 0 if the first letter is an invalid byte, or has no capital: ﬁrst becomes neither ﬁRst
    nor ﬁRST.
    """
    cdef const uint8_t* first = text + token.start
    if token.tag == TAG_AN or token.flags & TOKEN_CANONICAL:
        return 0
    # Two ASCII letters have all cases, in Turkish, too.
    if token.end - token.start > 1 and (
            ascii_letters(first[0] | <uint64_t>first[1] << 8) == 0x8080):
        return ROOM_INITIAL | ROOM_UPPER
    return case_room_of_any(text, token, turkic)


cdef inline int case_room_of_any(const uint8_t* text, const Token* token,
                                 bint turkic) noexcept nogil:
    """`case_room` of a token with case that is no spelling of a mark."""
    cdef uint32_t p = token.start, length, n_cased = 0, cp, low
    cdef int room = 0
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        p += length
        if has_case(cp, turkic):
            low = to_lower(cp, turkic)
            n_cased += 1
            if n_cased == 1:
                if to_title(low, turkic) != low:
                    room |= ROOM_INITIAL
                if to_upper(low, turkic) != to_title(low, turkic):
                    room |= ROOM_UPPER
            elif to_upper(low, turkic) != low:
                room |= ROOM_UPPER
            if room == ROOM_INITIAL | ROOM_UPPER:
                return room
        elif n_cased == 0 and (cp > MAX_CODE_POINT or has_no_capital(cp, turkic)):
            return 0
    return room


cdef inline int cases_of(const uint8_t* text, const Token* tokens, int32_t n, int passed_over,
                         bint turkic) noexcept nogil:
    """Which cases the letters of n tokens have: bits of CaseSeen; a flag passes a token over."""
    cdef int32_t i
    cdef int tag, seen = 0
    for i in range(n):
        tag = tokens[i].tag
        if tag == TAG_AN or tokens[i].flags & passed_over:
            continue
        if tag != TAG_AL:
            seen |= SEEN_UPPER
        if tag == TAG_AL or tag == TAG_MX or (
                tag == TAG_IU and case_room(text, tokens + i, turkic) & ROOM_UPPER):
            seen |= SEEN_LOWER
        if seen == SEEN_LOWER | SEEN_UPPER:
            break
    return seen


cdef inline bint is_wrong_acronym(const uint8_t* text, const Token* token,
                                  const Node* node) noexcept nogil:
    """Whether a new form in capitals has a Greek accent, which words in capitals lose."""
    cdef uint32_t p
    cdef uint8_t before, c
    if node.tag != TAG_AU or node.flags & (NODE_CLASS | NODE_NAME) != NODE_CLASS:
        return False
    for p in range(token.start + 1, token.end):
        before = text[p - 1]
        c = text[p]
        if before == 0xce and (0x86 <= c <= 0x90 or 0xac <= c <= 0xb0) or (
                before == 0xcf and 0x8c <= c <= 0x8e):
            return True
    return False


cdef inline uint64_t hyphenated_parts(const uint8_t* text, const Token* token,
                                      bint turkic) noexcept nogil:
    """Mask of the first cased letter of each part of a hyphenated word; 0 if IU or AU has it."""
    cdef uint32_t p = token.start, length, cp, i = 0, n_parts = 0, n_cased = 0
    cdef uint64_t mask = 0
    cdef bint part_starts = True
    if token.word_class != CLASS_HYPHENATED:
        return 0
    while p < token.end and i < 63:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        n_cased += has_case(cp, turkic)
        if is_hyphen(cp):
            part_starts = True
        elif part_starts and has_case(cp, turkic):
            part_starts = False
            mask |= <uint64_t>1 << i
            n_parts += 1
        elif cp > MAX_CODE_POINT or (part_starts and has_no_capital(cp, turkic)):
            part_starts = False
        p += length
        i += 1
    return mask if 1 < n_parts < n_cased else 0


cdef inline uint32_t write_surface(const uint8_t* text, const Token* token,
                                   uint8_t* out) noexcept nogil:
    """Write the canonical surface form: at most the token's length, 3 bytes for a mark."""
    cdef uint32_t p = token.start, n = 0, length, cp
    cdef const char* surface
    if not token.flags & TOKEN_VARIANT:
        surface = canonical_surface(text, token, &length)
        memcpy(out, surface, length)
        return length
    while p < token.end:
        cp = canonical_code_point(text, p, token.end, token.flags, &length)
        n += encode(cp, out + n)
        p += length
    return n
