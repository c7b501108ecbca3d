"""Counts of forms away from sentence starts, and changes of case that follow from them.

Functions map blocks of whole lines to blocks, without the GIL.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int64_t, uint64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memcpy, memset

from truecase.base._memory cimport (
    STATUS_OK, STATUS_OUT_OF_MEMORY, STATUS_TOO_LONG, Output, append_output, grow, reserve_output
)
from truecase.kernels._maps cimport add_key, free_index
from truecase.kernels._render cimport render_token
from truecase.kernels._segment cimport segment_line
from truecase.kernels._structs cimport CLASS_ACRONYM, TOKEN_KEEPS, TOKEN_LOWERS, TokenArray
from truecase.kernels._tokens cimport SEGMENT_RAW, SEGMENT_SPACE, fill_token, form_hash, free_tokens
from truecase.kernels._unicode cimport TAG_AL, TAG_IU, encode, has_case, to_lower, to_title

import threading

from truecase.kernels._segment import SEGMENTATIONS
from truecase.kernels.text import is_turkic


__all__ = ["CaseTable", "FormCounter", "Capitalizer"]


cdef enum Rule:
    RULE_NORMALIZE = 0           # first words: IU → AL where AL is the most frequent form
    RULE_CAPITALIZE = 1          # first words: AL → first letter raised
    RULE_COUNT = 2               # count forms inside sentences, change nothing
    RULE_MOSES_KEEP = 3          # truecase.perl: seen forms stay, but for first words
    RULE_MOSES_ALL = 4           # sacremoses: every word in the model takes its best form
    RULE_MOSES_IGNORE = 5        # the same, and other words are lowercased


RULES = {"keep": RULE_MOSES_KEEP, "all": RULE_MOSES_ALL, "ignore": RULE_MOSES_IGNORE}


cdef struct BestForm:
    uint64_t upper_mask
    double count
    uint8_t tag


cdef struct CountedForm:
    uint64_t key
    uint64_t offset              # of its surface in the blob
    int64_t count
    uint32_t length
    uint8_t tag


cdef struct Counter:             # zeroed is empty and usable
    KeyIndex index               # form hash → number
    CountedForm* forms
    uint8_t* blob
    uint64_t n_forms
    uint64_t capacity
    uint64_t blob_length
    uint64_t blob_capacity


cdef struct Job:                 # the rule for a block, its tables and output
    int rule
    int segmentation
    bint turkic
    const KeyIndex* abbreviations
    const KeyIndex* keys         # lowercase key → number of its best form
    const KeyIndex* seen         # form hashes
    const BestForm* best
    Counter* counter
    TokenArray tokens
    Output out


cdef inline void free_counter(Counter* counter) noexcept nogil:
    free_index(&counter.index)
    free(counter.forms)
    free(counter.blob)
    memset(counter, 0, sizeof(Counter))


cdef inline int count_form(Counter* counter, const uint8_t* text,
                           const Token* token) noexcept nogil:
    """Count a token's surface form; a Status."""
    cdef uint64_t form = form_hash(token.key, token.tag, token.upper_mask)
    cdef uint32_t number = find_key(&counter.index, form)
    cdef uint32_t length = token.end - token.start
    cdef uint64_t wanted
    cdef CountedForm* added
    cdef int status
    if number != NOT_FOUND:
        counter.forms[number].count += 1
        return STATUS_OK
    if counter.n_forms == counter.capacity:
        wanted = 2 * counter.capacity + 1024
        if grow(<void**>&counter.forms, wanted, sizeof(CountedForm)) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        counter.capacity = wanted
    if counter.blob_capacity - counter.blob_length < length:
        wanted = 2 * counter.blob_capacity + length + 4096
        if grow(<void**>&counter.blob, wanted, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        counter.blob_capacity = wanted
    status = add_key(&counter.index, form, <uint32_t>counter.n_forms)
    if status != STATUS_OK:
        return status
    memcpy(counter.blob + counter.blob_length, text + token.start, length)
    added = counter.forms + counter.n_forms
    added.key = token.key
    added.offset = counter.blob_length
    added.count = 1
    added.length = length
    added.tag = token.tag
    counter.n_forms += 1
    counter.blob_length += length
    return STATUS_OK


cdef inline bint is_mostly_lower(const Job* job, uint64_t key) noexcept nogil:
    cdef uint32_t number = find_key(job.keys, key)
    return number != NOT_FOUND and job.best[number].tag == TAG_AL


cdef inline bint may_be_raised(const uint8_t* text, const Token* token,
                               bint turkic) noexcept nogil:
    """Whether a lowercase first word is a word: not an address, a #tag, ``2nd`` or ``ﬁne``."""
    cdef uint8_t byte, bits
    cdef uint32_t p, length, cp
    for p in range(token.start, token.end):
        byte = text[p]
        if byte == 0x2f or byte == 0x40 or byte == 0x3a or byte == 0x5f or byte == 0x5c:
            return False
        if byte == 0x2e and token.word_class != CLASS_ACRONYM and p + 1 < token.end:
            return False
    if text[token.start] == 0x23:
        return False
    p = token.start
    while p < token.end:
        cp = decode(text + p, text + token.end, &length)
        bits = class_of(cp)
        if bits & CHAR_DIGIT:
            return False
        if bits & CHAR_LETTER:
            return has_case(cp, turkic)
        p += length
    return True


cdef inline uint32_t write_first_letter(const uint8_t* text, const Token* token, bint raised,
                                        bint turkic, uint8_t* out) noexcept nogil:
    """Copy the token with its first cased letter raised or lowered."""
    cdef uint32_t p = token.start, n = 0, cp, length
    while p < token.end:
        cp = decode(text + p, text + token.end, &length)
        if has_case(cp, turkic):
            n = p - token.start
            memcpy(out, text + token.start, n)
            n += encode(to_title(cp, turkic) if raised else to_lower(cp, turkic), out + n)
            p += length
            break
        p += length
    else:
        p = token.start
    memcpy(out + n, text + p, token.end - p)
    return n + token.end - p


cdef inline int change_token(Job* job, const uint8_t* text, const Token* token, uint32_t* copied,
                             int tag, uint64_t upper_mask, bint is_first_letter) noexcept nogil:
    """Write the text from `copied` up to the token, and the token in another case."""
    cdef Output* out = &job.out
    cdef uint32_t gap = token.start - copied[0]
    # Rendering may touch 2 * length + 4 bytes, whole words of eight at a time.
    cdef int status = reserve_output(out, gap + 2 * <size_t>(token.end - token.start) + 16)
    if status != STATUS_OK:
        return status
    memcpy(out.bytes + out.size, text + copied[0], gap)
    out.size += gap
    if is_first_letter:
        out.size += write_first_letter(text, token, tag == TAG_IU, job.turkic, out.bytes + out.size)
    else:
        out.size += render_token(text, token, tag, upper_mask, job.turkic, out.bytes + out.size)
    copied[0] = token.end
    return STATUS_OK


cdef inline int smartcase_line(Job* job, const uint8_t* text, uint32_t begin, uint32_t end,
                               uint32_t* copied) noexcept nogil:
    """Count, normalise or capitalise one line; a Status."""
    cdef SentenceState state
    cdef const Token* token
    cdef uint8_t place
    cdef int32_t i
    cdef int status = segment_line(text, begin, end, job.segmentation, job.turkic, &job.tokens)
    if status != STATUS_OK:
        return status
    begin_line(&state)
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        place = next_place(text, job.tokens.tokens, i, job.tokens.n, job.abbreviations, &state)
        if job.rule == RULE_COUNT:
            if place == PLACE_INSIDE and token.tag != TAG_AN:
                status = count_form(job.counter, text, token)
        elif token.flags & (TOKEN_KEEPS | TOKEN_LOWERS):
            continue                                       # of an address, code or markup
        elif job.rule == RULE_NORMALIZE:
            # Only a first letter can be raised by its place: IT and McDonald stay.
            if (token.tag == TAG_IU and (place == PLACE_FIRST or place == PLACE_UNCLEAR)
                    and is_mostly_lower(job, token.key)):
                status = change_token(job, text, token, copied, TAG_AL, 0, True)
        elif (place == PLACE_FIRST and token.tag == TAG_AL
                and may_be_raised(text, token, job.turkic)):
            status = change_token(job, text, token, copied, TAG_IU, 0, True)
        if status != STATUS_OK:
            return status
    return STATUS_OK


cdef inline int moses_tokens(Job* job, const uint8_t* text, uint32_t begin, uint32_t end,
                             bint* is_first, uint32_t* copied) noexcept nogil:
    """Truecase a piece of a line that has no markup; a Status."""
    cdef const BestForm* best
    cdef Token* token
    cdef uint32_t number, bar
    cdef int32_t i
    cdef bint has_factors = find_byte(text, begin, end, 0x7c) < end
    cdef int status = segment_line(text, begin, end, SEGMENT_SPACE, job.turkic, &job.tokens)
    if status != STATUS_OK:
        return status
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        if has_factors:
            bar = find_byte(text, token.start, token.end, 0x7c)
            if bar == token.start:
                continue
            if bar < token.end:
                token.end = bar
                token.flags &= TOKEN_SPACE_BEFORE
                fill_token(text, token, job.turkic)
        number = find_key(job.keys, token.key)
        if number != NOT_FOUND:
            best = job.best + number
            if (best.tag != token.tag or best.upper_mask != token.upper_mask) and (
                    job.rule != RULE_MOSES_KEEP or is_first[0]
                    or find_key(job.seen, form_hash(token.key, token.tag, token.upper_mask))
                    == NOT_FOUND):
                status = change_token(job, text, token, copied, best.tag, best.upper_mask, False)
        elif job.rule == RULE_MOSES_IGNORE and token.tag != TAG_AN and token.tag != TAG_AL:
            status = change_token(job, text, token, copied, TAG_AL, 0, False)
        if status != STATUS_OK:
            return status
        if ends_moses_sentence(text, token.start, token.end):
            is_first[0] = True
        elif not delays_moses_sentence(text, token.start, token.end):
            is_first[0] = False
    return STATUS_OK


cdef inline int moses_line(Job* job, const uint8_t* text, uint32_t begin, uint32_t end,
                           uint32_t* copied) noexcept nogil:
    """Truecase one line of tokenised text, leaving markup alone; a Status."""
    cdef bint is_first = True
    cdef uint32_t markup, markup_end = begin
    cdef int status
    while True:
        markup = find_markup(text, begin, end, &markup_end)
        if markup > begin:
            status = moses_tokens(job, text, begin, markup, &is_first, copied)
            if status != STATUS_OK:
                return status
        if markup >= end:
            return STATUS_OK
        begin = markup_end


cdef int work_on_block(Job* job, const uint8_t* text, uint32_t n) noexcept nogil:
    """Change all lines of a block with 16 readable bytes behind it; a Status."""
    cdef uint32_t begin = 0, end, copied = 0
    cdef int status
    while begin < n:
        end = find_byte(text, begin, n, 0x0a)
        if job.rule >= RULE_MOSES_KEEP:
            status = moses_line(job, text, begin, end, &copied)
        else:
            status = smartcase_line(job, text, begin, end, &copied)
        if status != STATUS_OK:
            return status
        begin = end + 1
    if job.rule == RULE_COUNT:
        return STATUS_OK
    return append_output(&job.out, text + copied, n - copied)


cdef object run_job(Job* job, bytes block):
    cdef size_t n = len(block)
    cdef const uint8_t* data = block
    cdef uint8_t* text
    cdef int status = STATUS_OK
    if n > <size_t>0xffffff00:
        raise ValueError("a block of 4 GiB or more: hand over fewer lines at a time")
    memset(&job.tokens, 0, sizeof(TokenArray))
    memset(&job.out, 0, sizeof(Output))
    with nogil:
        text = <uint8_t*>malloc(n + 16)
        if text == NULL:
            status = STATUS_OUT_OF_MEMORY
        else:
            memcpy(text, data, n)
            memset(text + n, 0, 16)
            if job.rule != RULE_COUNT:
                status = reserve_output(&job.out, n + n // 16 + 64)
            if status == STATUS_OK:
                status = work_on_block(job, text, <uint32_t>n)
        free(text)
        free_tokens(&job.tokens)
    try:
        if status == STATUS_TOO_LONG:
            raise ValueError("a line has too many words, or a corpus too many forms")
        if status != STATUS_OK:
            raise MemoryError("out of memory while changing case")
        return PyBytes_FromStringAndSize(<char*>job.out.bytes, job.out.size)
    finally:
        free(job.out.bytes)


cdef int segmentation_code(str name) except -1:
    if name not in SEGMENTATIONS:
        raise ValueError(f"segmentation {name!r}: expected 'space' or 'raw'")
    return SEGMENT_RAW if name == "raw" else SEGMENT_SPACE


cdef int describe_word(bytes surface, bint turkic, int segmentation, Token* token) except -1:
    """Write the token of a surface form; 0 if the form has no token or several, else 1."""
    cdef TokenArray tokens
    cdef size_t n = len(surface)
    cdef uint8_t* text
    cdef int status, found
    if n > 0xffffff:
        return 0
    text = <uint8_t*>malloc(n + 16)
    if text == NULL:
        raise MemoryError
    memcpy(text, <const uint8_t*>surface, n)
    memset(text + n, 0, 16)
    memset(&tokens, 0, sizeof(TokenArray))
    status = segment_line(text, 0, <uint32_t>n, segmentation, turkic, &tokens)
    found = status == STATUS_OK and tokens.n == 1
    if found:
        token[0] = tokens.tokens[0]
    free_tokens(&tokens)
    free(text)
    if status != STATUS_OK:
        raise MemoryError
    return found


cdef int fill_abbreviations(KeyIndex* index, object words, bint turkic) except -1:
    cdef Token token
    for word in words:
        if describe_word(word, turkic, SEGMENT_SPACE, &token):
            if find_key(index, token.key) == NOT_FOUND:
                if add_key(index, token.key, 0) != STATUS_OK:
                    raise MemoryError
    return 0


cdef class CaseTable:
    """The most frequent form of each word, and which forms were seen."""

    cdef KeyIndex keys
    cdef KeyIndex seen
    cdef KeyIndex abbreviations
    cdef BestForm* best
    cdef uint64_t n_best
    cdef uint64_t capacity
    cdef int segmentation
    cdef bint turkic

    def __cinit__(
        self, str segmentation="space", str language="", abbreviations=(), forms=()
    ):
        cdef Token token
        cdef uint32_t number
        cdef uint64_t form
        cdef double count
        self.segmentation = segmentation_code(segmentation)
        self.turkic = is_turkic(language)
        fill_abbreviations(&self.abbreviations, abbreviations, self.turkic)
        for surface, count in forms:
            if not describe_word(surface, self.turkic, self.segmentation, &token):
                continue
            number = find_key(&self.keys, token.key)
            if number == NOT_FOUND:
                if self.n_best == self.capacity:
                    if grow(<void**>&self.best, 2 * self.capacity + 1024,
                            sizeof(BestForm)) != STATUS_OK:
                        raise MemoryError
                    self.capacity = 2 * self.capacity + 1024
                number = <uint32_t>self.n_best
                if add_key(&self.keys, token.key, number) != STATUS_OK:
                    raise MemoryError
                self.n_best += 1
                self.best[number].count = -1
            if count > self.best[number].count:
                self.best[number].count = count
                self.best[number].tag = token.tag
                self.best[number].upper_mask = token.upper_mask
            form = form_hash(token.key, token.tag, token.upper_mask)
            if find_key(&self.seen, form) == NOT_FOUND:
                if add_key(&self.seen, form, 0) != STATUS_OK:
                    raise MemoryError

    def __dealloc__(self):
        free_index(&self.keys)
        free_index(&self.seen)
        free_index(&self.abbreviations)
        free(self.best)

    def __len__(self):
        return self.n_best

    cdef object _run(self, bytes block, int rule):
        cdef Job job
        job.rule = rule
        job.segmentation = self.segmentation
        job.turkic = self.turkic
        job.abbreviations = &self.abbreviations
        job.keys = &self.keys
        job.seen = &self.seen
        job.best = self.best
        job.counter = NULL
        return run_job(&job, block)

    def normalize(self, bytes block not None) -> bytes:
        return self._run(block, RULE_NORMALIZE)

    def truecase(self, bytes block not None, str rule not None) -> bytes:
        if rule not in RULES:
            raise ValueError(f"rule {rule!r}: expected one of {', '.join(RULES)}")
        return self._run(block, RULES[rule])


cdef class FormCounter:
    """Counts surface forms away from sentence starts."""

    cdef Counter counter
    cdef KeyIndex abbreviations
    cdef int segmentation
    cdef bint turkic
    cdef object lock             # the counts change while the GIL is released

    def __cinit__(self, str segmentation="raw", str language="", abbreviations=()):
        self.lock = threading.Lock()
        self.segmentation = segmentation_code(segmentation)
        self.turkic = is_turkic(language)
        fill_abbreviations(&self.abbreviations, abbreviations, self.turkic)

    def __dealloc__(self):
        free_counter(&self.counter)
        free_index(&self.abbreviations)

    def add_block(self, bytes block not None) -> None:
        cdef Job job
        memset(&job, 0, sizeof(Job))
        job.rule = RULE_COUNT
        job.segmentation = self.segmentation
        job.turkic = self.turkic
        job.abbreviations = &self.abbreviations
        job.counter = &self.counter
        with self.lock:
            run_job(&job, block)

    def forms(self) -> list:
        cdef uint64_t i
        cdef CountedForm* form
        result = []
        with self.lock:
            for i in range(self.counter.n_forms):
                form = self.counter.forms + i
                surface = PyBytes_FromStringAndSize(
                    <char*>self.counter.blob + form.offset, form.length
                )
                result.append((form.key, surface, form.count, form.tag == TAG_AL))
        return result


cdef class Capitalizer:
    """Raises the first letter of every sentence."""

    cdef KeyIndex abbreviations
    cdef int segmentation
    cdef bint turkic

    def __cinit__(self, str segmentation="raw", str language="", abbreviations=()):
        self.segmentation = segmentation_code(segmentation)
        self.turkic = is_turkic(language)
        fill_abbreviations(&self.abbreviations, abbreviations, self.turkic)

    def __dealloc__(self):
        free_index(&self.abbreviations)

    def capitalize(self, bytes block not None) -> bytes:
        cdef Job job
        memset(&job, 0, sizeof(Job))
        job.rule = RULE_CAPITALIZE
        job.segmentation = self.segmentation
        job.turkic = self.turkic
        job.abbreviations = &self.abbreviations
        return run_job(&job, block)
