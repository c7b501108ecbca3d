"""The German ß of words in capitals, by what a lexicon knows: ``STRASSE`` is ``STRAẞE``.

In capitals ß is SS as a rule (Unicode's SpecialCasing.txt), so that case alone does not bring it
back. A word gets it if the lexicon has more of the word with ß than with ss; one that it does not
have at all by its longest beginning or end that it has, as compounds are made.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memchr, memcpy, memset

from truecase.lexicon._lexicon cimport LexiconView, first_record, training_count
from truecase.lexicon._model_lexicon cimport Lexicon
from truecase.runtime._memory cimport TEXT_PADDING
from truecase.runtime._output cimport Output, reserve_output
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.text._casing cimport TAG_AU
from truecase.text._segment_line cimport segment_line
from truecase.text._token cimport (
    SEGMENT_RAW,
    SEGMENT_SPACE,
    TOKEN_KEEPS,
    TOKEN_LOWERS,
    Token,
    TokenArray,
    describe,
    free_tokens,
)

__all__ = ["sharp_s_restored"]

cdef enum:
    MOST_PLACES = 4              # of SS in a word
    MOST_BYTES = 64
    LEAST_PART = 5               # bytes of a part of a compound


cdef double count_of(const LexiconView* lexicon, const uint8_t* word, uint32_t size, uint32_t sharp,
                     const int32_t* places, uint32_t begin) noexcept nogil:
    """How often training saw a word whose SS at some places, bits of `sharp`, are ß.

    `places` count from `begin` bytes before the word.
    """
    cdef uint8_t letters[MOST_BYTES + TEXT_PADDING]
    cdef Token token
    cdef int k
    memcpy(letters, word, size)
    memset(letters + size, 0x20, TEXT_PADDING)
    for k in range(MOST_PLACES):
        if sharp >> k & 1:
            letters[places[k] - begin] = 0xc3
            letters[places[k] - begin + 1] = 0x9f
    memset(&token, 0, sizeof(Token))
    token.end = size
    describe(letters, &token, False)
    return training_count(lexicon, first_record(lexicon, token.key))


cdef inline bint overlaps(uint32_t sharp, const int32_t* places, int n) noexcept nogil:
    """Whether two of the places share an S."""
    cdef int k
    for k in range(1, n):
        if sharp >> (k - 1) & 3 == 3 and places[k] - places[k - 1] < 2:
            return True
    return False


cdef uint32_t likeliest(const LexiconView* lexicon, const uint8_t* word, uint32_t begin,
                        uint32_t end, const int32_t* places, int n, double* count) noexcept nogil:
    """Which of its places within `begin` and `end` have ß in the likeliest form of a part."""
    cdef uint32_t within = 0, sharp, best = 0
    cdef double seen
    cdef int k
    for k in range(n):
        if places[k] >= <int32_t>begin and places[k] + 2 <= <int32_t>end:
            within |= 1 << k
    count[0] = count_of(lexicon, word + begin, end - begin, 0, places, begin)
    sharp = within
    while sharp:
        if not overlaps(sharp, places, n):
            seen = count_of(lexicon, word + begin, end - begin, sharp, places, begin)
            if seen > count[0]:
                count[0] = seen
                best = sharp
        sharp = (sharp - 1) & within
    return best


cdef uint32_t sharp_places(const LexiconView* lexicon, const uint8_t* word, uint32_t size,
                           const int32_t* places, int n) noexcept nogil:
    """Which of the places of SS in a word are ß."""
    cdef double count
    cdef uint32_t best = likeliest(lexicon, word, 0, size, places, n, &count)
    cdef uint32_t length, of_part, decided = 0
    cdef int side, k
    if count > 0:
        return best
    for k in range(n):
        if decided >> k & 1:
            continue
        for length in range(size - 1, LEAST_PART - 1, -1):
            for side in range(2):
                if side == 0 and places[k] + 2 > <int32_t>length:
                    continue
                if side == 1 and places[k] < <int32_t>(size - length):
                    continue
                of_part = likeliest(lexicon, word, 0 if side == 0 else size - length,
                                    length if side == 0 else size, places, n, &count)
                if count > 0:
                    best |= of_part & 1 << k
                    decided |= 1 << k
                    break
            if decided >> k & 1:
                break
    return best if not overlaps(best, places, n) else 0


cdef int find_places(const uint8_t* word, uint32_t size, int32_t* places) noexcept nogil:
    """Where a word has SS; how many, 0 of too many or of a word that is too long."""
    cdef uint32_t p
    cdef int n = 0
    if size < 3 or size > MOST_BYTES:
        return 0
    # No German word begins with ß.
    for p in range(1, size - 1):
        if word[p] == 0x53 and word[p + 1] == 0x53:
            if n == MOST_PLACES:
                return 0
            places[n] = <int32_t>p
            n += 1
    return n


cdef int restore_line(const LexiconView* lexicon, const uint8_t* text, const TokenArray* tokens,
                      uint32_t begin, uint32_t end, Output* out) noexcept nogil:
    """Append a line; a Status."""
    cdef int32_t places[MOST_PLACES]
    cdef const Token* token
    cdef uint32_t copied = begin, sharp, at
    cdef int32_t i
    cdef int n, k
    # Two bytes become three.
    if reserve_output(out, 3 * <size_t>(end - begin) // 2 + 4) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    for i in range(tokens.n):
        token = tokens.tokens + i
        if token.tag != TAG_AU or token.flags & (TOKEN_KEEPS | TOKEN_LOWERS):
            continue
        n = find_places(text + token.start, token.end - token.start, places)
        if n == 0:
            continue
        sharp = sharp_places(lexicon, text + token.start, token.end - token.start, places, n)
        for k in range(n):
            if sharp >> k & 1:
                at = token.start + <uint32_t>places[k]
                memcpy(out.bytes + out.size, text + copied, at - copied)
                out.size += at - copied
                memcpy(out.bytes + out.size, b"\xe1\xba\x9e", 3)
                out.size += 3
                copied = at + 2
    memcpy(out.bytes + out.size, text + copied, end - copied)
    out.size += end - copied
    return STATUS_OK


def sharp_s_restored(Lexicon lexicon not None, bytes block not None, str segmentation="raw"):
    cdef int kind = SEGMENT_SPACE if segmentation == "space" else SEGMENT_RAW
    cdef bytes padded = block + b"\n" * TEXT_PADDING
    cdef const uint8_t* text = padded
    cdef size_t size = len(block), p = 0, line_end
    cdef const void* newline
    cdef TokenArray tokens
    cdef Output out
    cdef int status = STATUS_OK
    if size > <size_t>0x7fffffff:
        raise ValueError("a block of 2 GiB or more")
    if b"SS" not in block:
        return block
    memset(&tokens, 0, sizeof(TokenArray))
    memset(&out, 0, sizeof(Output))
    try:
        with nogil:
            while p < size and status == STATUS_OK:
                newline = memchr(text + p, 0x0a, size - p)
                line_end = size
                if newline != NULL:
                    line_end = <size_t>(<const uint8_t*>newline - text) + 1
                status = segment_line(text, <uint32_t>p,
                                      <uint32_t>(line_end - (newline != NULL)), kind, False,
                                      &tokens)
                if status == STATUS_OK:
                    status = restore_line(&lexicon.view, text, &tokens, <uint32_t>p,
                                          <uint32_t>line_end, &out)
                p = line_end
        if status != STATUS_OK:
            raise MemoryError("no memory left for the words of a line")
        return out.bytes[:out.size]
    finally:
        free_tokens(&tokens)
        free(out.bytes)
