"""Changes of case that follow from a line's own words, and counts of forms that lead to them.

Capitals of first words, Moses' truecasing, titles and upper case; a detector of titles. Each maps
blocks of whole lines to blocks or figures, without the GIL.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport exp, sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.base._memory cimport (
    STATUS_OK, STATUS_TOO_LONG, TEXT_PADDING, Output, append_output, reserve, reserve_output
)
from truecase.kernels._maps cimport add_key, free_index
from truecase.kernels._render cimport ROOM_INITIAL, case_room, render_token
from truecase.kernels._segment cimport find_word, segment_line
from truecase.kernels._sentences cimport (
    CAPITAL_IRISH, capital_mask, is_key_of, is_letter_byte, is_mark
)
from truecase.kernels._structs cimport CLASS_ACRONYM, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_MARKUP
from truecase.kernels._tokens cimport (
    SEGMENT_SPACE, canonical_code_point, fill_token, form_hash, free_tokens, hyphen_length, token_of
)
from truecase.kernels._unicode cimport (
    TAG_IU, TAG_MX, encode, has_case, has_no_capital, to_lower, to_title
)

import threading

from truecase.kernels._segment import SEGMENTATIONS, count_lines
from truecase.kernels.text import CAPITAL_RULES, capital_rule, is_greek, is_turkic


BODY, TITLE, UNCLEAR = 0, 1, 2

cdef enum Task:
    TASK_COUNT                   # count forms inside sentences, change nothing
    TASK_NORMALIZE               # first words: IU → AL where AL is the most frequent form
    TASK_CAPITALIZE              # first words: AL → first letter raised
    TASK_MOSES_KEEP              # truecase.perl: seen forms stay, but for first words
    TASK_MOSES_ALL               # sacremoses: every word in the model takes its best form
    TASK_MOSES_IGNORE            # the same, and other words are lowercased
    TASK_TITLE
    TASK_UPPER
    TASK_LOOK                    # judge lines by their case
    TASK_LEARN                   # learn the form of titles from lines whose case is clear
    TASK_DETECT                  # find lines of the form of a title


RULES = {"keep": TASK_MOSES_KEEP, "all": TASK_MOSES_ALL, "ignore": TASK_MOSES_IGNORE}


cdef enum WordKind:              # values of the index of a guide's words
    WORD_SMALL = 0               # lowercase inside a title
    WORD_NEVER = 1               # part of the word before it: 's, n't
    WORD_INSIDE = 2              # lowercase inside a name or behind a number


cdef struct BestForm:
    uint64_t upper_mask
    double count
    uint8_t tag


cdef struct CountedForm:
    uint64_t key
    uint64_t offset              # of its surface among `surfaces`
    int64_t count
    uint32_t length
    uint8_t tag


cdef struct Counter:             # zeroed is empty and usable
    KeyIndex index               # form hash → number
    CountedForm* forms
    int64_t n_forms
    int64_t capacity
    Output surfaces


cdef struct Job:                 # the task for a block, its tables and output
    int task
    int segmentation
    bint turkic
    const KeyIndex* words        # abbreviations, or the words of a guide: hash → WordKind
    const KeyIndex* keys         # lowercase key → number of its best form
    const KeyIndex* seen         # form hashes
    const BestForm* best
    Counter* counter
    bint greek                   # upper case has no accents
    int capital_rule             # CapitalRule
    bint raises_last             # the last word of a title always begins with a capital
    int max_kept                 # only words of more letters have a title's capital; 0: by rules
    const uint8_t* wanted        # by line, whether it is written as a title; NULL: each is
    float* weight                # of a detector of titles: N_TITLE_WEIGHTS
    float* squares               # sums of its squared gradients (Duchi et al. 2011)
    uint8_t* kind                # by line
    uint8_t* junk                # by line, whether it is mostly upper case
    const uint8_t* text          # the padded block
    TokenArray tokens            # of the line
    uint32_t copied              # the block's bytes whose place in the output is filled
    Output out


cdef inline int count_form(Counter* counter, const uint8_t* text,
                           const Token* token) noexcept nogil:
    """Count a token's surface form; a Status."""
    cdef uint64_t form = form_hash(token.key, token.tag, token.upper_mask)
    cdef uint32_t number = find_key(&counter.index, form)
    cdef uint32_t length = token.end - token.start
    cdef int status
    if number != NOT_FOUND:
        counter.forms[number].count += 1
        return STATUS_OK
    status = reserve(<void**>&counter.forms, &counter.capacity, counter.n_forms + 1,
                     sizeof(CountedForm))
    if status != STATUS_OK:
        return status
    counter.forms[counter.n_forms] = CountedForm(
        token.key, counter.surfaces.size, 1, length, token.tag)
    status = (append_output(&counter.surfaces, text + token.start, length)
              or add_key(&counter.index, form, <uint32_t>counter.n_forms))
    if status == STATUS_OK:
        counter.n_forms += 1
    return status


cdef inline bint is_mostly_lower(const Job* job, uint64_t key) noexcept nogil:
    cdef uint32_t number = find_key(job.keys, key)
    return number != NOT_FOUND and job.best[number].tag == TAG_AL


cdef inline bint may_be_raised(const uint8_t* text, const Token* token, bint turkic) noexcept nogil:
    """Whether a lowercase first word is a word: not an address, a #tag, ``2nd`` or ``ﬁne``."""
    cdef uint8_t byte, bits
    cdef uint32_t p, length, cp
    for p in range(token.start, token.end):
        byte = text[p]
        if byte in (0x2f, 0x40, 0x3a, 0x5f, 0x5c):
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


cdef inline int copy_gap(Job* job, const Token* token) noexcept nogil:
    """Copy the text up to the token, with room for the token; a Status."""
    # Rendering may touch 2 * length + 4 bytes, whole words of eight at a time.
    cdef int status = reserve_output(
        &job.out, token.end - job.copied + <size_t>(token.end - token.start) + 16)
    if status == STATUS_OK:
        memcpy(job.out.bytes + job.out.size, job.text + job.copied, token.start - job.copied)
        job.out.size += token.start - job.copied
        job.copied = token.end
    return status


cdef inline int change_token(Job* job, const Token* token, int tag,
                             uint64_t upper_mask) noexcept nogil:
    """Write the text up to the token, and the token in another case; a Status."""
    cdef int status = copy_gap(job, token)
    if status == STATUS_OK:
        job.out.size += render_token(
            job.text, token, tag, upper_mask, job.turkic, job.out.bytes + job.out.size)
    return status


cdef inline int change_first_letter(Job* job, const Token* token, bint raised) noexcept nogil:
    """The same, with the token's first cased letter raised or lowered; a Status."""
    cdef const uint8_t* text = job.text
    cdef uint32_t p = token.start, cp, length
    cdef int status = copy_gap(job, token)
    if status != STATUS_OK:
        return status
    while p < token.end:
        cp = decode(text + p, text + token.end, &length)
        if has_case(cp, job.turkic):
            job.out.size += encode(
                to_title(cp, job.turkic) if raised else to_lower(cp, job.turkic),
                job.out.bytes + job.out.size)
            p += length
            break
        memcpy(job.out.bytes + job.out.size, text + p, length)
        job.out.size += length
        p += length
    return append_output(&job.out, text + p, token.end - p)


cdef inline int smartcase_line(Job* job) noexcept nogil:
    """Count, normalise or capitalise one line; a Status."""
    cdef SentenceState state
    cdef const Token* token
    cdef uint8_t place
    cdef int32_t i
    cdef int status = STATUS_OK
    memset(&state, 0, sizeof(SentenceState))
    state.place, state.spaced = PLACE_FIRST, True
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        place = next_place(job.text, job.tokens.tokens, i, job.tokens.n, job.words, &state)
        if job.task == TASK_COUNT:
            if place == PLACE_INSIDE and token.tag != TAG_AN:
                status = count_form(job.counter, job.text, token)
        elif token.flags & (TOKEN_KEEPS | TOKEN_LOWERS):
            continue                                       # of an address, code or markup
        elif job.task == TASK_NORMALIZE:
            # Only a first letter can be raised by its place: IT and McDonald stay.
            if (token.tag == TAG_IU and (place == PLACE_FIRST or place == PLACE_UNCLEAR)
                    and is_mostly_lower(job, token.key)):
                status = change_first_letter(job, token, False)
        elif (place == PLACE_FIRST and token.tag == TAG_AL
                and may_be_raised(job.text, token, job.turkic)):
            status = change_first_letter(job, token, True)
        if status != STATUS_OK:
            return status
    return STATUS_OK


cdef inline int moses_tokens(Job* job, uint32_t begin, uint32_t end, bint* is_first) noexcept nogil:
    """Truecase a piece of a line that has no markup; a Status."""
    cdef const uint8_t* text = job.text
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
                    job.task != TASK_MOSES_KEEP or is_first[0]
                    or find_key(job.seen, form_hash(token.key, token.tag, token.upper_mask))
                    == NOT_FOUND):
                status = change_token(job, token, best.tag, best.upper_mask)
        elif job.task == TASK_MOSES_IGNORE and token.tag != TAG_AN and token.tag != TAG_AL:
            status = change_token(job, token, TAG_AL, 0)
        if status != STATUS_OK:
            return status
        if token.end - token.start == 1 and text[token.start] in (0x2e, 0x3a, 0x3f, 0x21):
            is_first[0] = True
        elif not delays_moses_sentence(text, token.start, token.end):
            is_first[0] = False
    return STATUS_OK


cdef inline int moses_line(Job* job, uint32_t begin, uint32_t end) noexcept nogil:
    """Truecase one line of tokenised text, leaving markup alone; a Status."""
    cdef bint is_first = True
    cdef uint32_t markup, markup_end = begin
    cdef int status
    while True:
        markup = find_markup(job.text, begin, end, &markup_end)
        if markup > begin:
            status = moses_tokens(job, begin, markup, &is_first)
            if status != STATUS_OK:
                return status
        if markup >= end:
            return STATUS_OK
        begin = markup_end


cdef inline bint is_break(const uint8_t* text, const Token* tokens, int32_t i,
                          int32_t n) noexcept nogil:
    """Whether the word after this mark begins a part of the title.

    Such marks are colons, dashes, opening brackets and ends of sentences. Whether a period
    ends one (Inc. of), the model has decided.
    """
    cdef const Token* token = tokens + i
    cdef uint32_t length = token.end - token.start
    cdef const uint8_t* p = text + token.start
    if token.flags & TOKEN_ENDS_SENTENCE:
        return p[0] != 0x2e
    if length == 1:
        return p[0] == 0x3a or token.flags & TOKEN_SPACE_BEFORE != 0 and (
            p[0] == 0x28 or p[0] == 0x5b
            or p[0] == 0x2d and i + 1 < n and token[1].flags & TOKEN_SPACE_BEFORE != 0)
    if length == 2:
        return p[0] == 0x2d and p[1] == 0x2d
    # — and –
    return length == 3 and p[0] == 0xe2 and p[1] == 0x80 and (p[2] == 0x93 or p[2] == 0x94)


cdef uint64_t title_parts(const Job* job, const Token* token, int* tag) noexcept nogil:
    """Case of a hyphenated word in a title: each part raised, but for small words inside it.

    Parts with a capital (``non-ASCII``) or a digit stay.
    """
    cdef const uint8_t* text = job.text
    cdef uint32_t p = token.start, end, length, cp
    cdef int i = 0, initial, first = -1
    cdef uint64_t mask = 0, of_part
    cdef bint done
    while True:
        end = p
        while end < token.end and not hyphen_length(text, end, token.end):
            end += 1
        done = token.start < p < end < token.end and find_key(
            job.words, token_of(text, p, end, token.flags, job.turkic).key) == WORD_SMALL
        of_part = 0
        initial = -1
        while p < end:
            cp = canonical_code_point(text, p, token.end, token.flags, &length)
            if i < 63:
                of_part |= token.upper_mask & (<uint64_t>1 << i)
            if has_case(cp, job.turkic) or cp > MAX_CODE_POINT or (
                    not done and has_no_capital(cp, job.turkic)):
                if first < 0:
                    first = i
                # Georgian letters have no capital for a word's start.
                if not done and i < 63 and has_case(cp, job.turkic) and to_title(
                        to_lower(cp, job.turkic), job.turkic) != to_lower(cp, job.turkic):
                    initial = i
                done = True
            elif class_of(cp) & CHAR_DIGIT:
                done = True
                initial = -1
            p += length
            i += 1
        if of_part == 0 and initial >= 0:
            of_part = <uint64_t>1 << initial
        mask |= of_part
        if p >= token.end:
            break
        p += hyphen_length(text, p, token.end)
        i += 1
    if mask:
        tag[0] = TAG_IU if 0 <= first < 63 and mask == <uint64_t>1 << first else TAG_MX
    else:
        tag[0] = token.tag
    return mask


cdef inline bint has_parts(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether a word has parts between hyphens: ``U.S.-led``, ``20-year-old``, ``pre-9/11``."""
    cdef uint32_t p
    cdef bint has_hyphen = False
    if token.word_class == CLASS_HYPHENATED or token.word_class == CLASS_ALPHABETIC:
        return token.word_class == CLASS_HYPHENATED
    for p in range(token.start, token.end):
        if text[p] == 0x2d:
            has_hyphen = True
        elif text[p] == 0x2f and not (p > token.start and 0x30 <= text[p - 1] <= 0x39):
            return False
        elif not (is_letter_byte(text[p]) or 0x2e <= text[p] <= 0x39):
            return False
    return has_hyphen


cdef inline bint takes_capital(const Job* job, const Token* token) noexcept nogil:
    """Whether titles may raise a word: no address, number or clitic, nor what a model decides."""
    if token.flags & (TOKEN_CANONICAL | TOKEN_KEEPS | TOKEN_LOWERS):
        return False
    if has_parts(job.text, token):
        return token.tag != TAG_AU and token.upper_mask >> 63 == 0
    return (token.word_class == CLASS_ALPHABETIC and token.tag == TAG_AL
            and find_key(job.words, token.key) != WORD_NEVER)


cdef inline bint is_feat(const Token* tokens, int32_t i, int32_t n) noexcept nogil:
    """Whether a word is the abbreviation of *featuring*, which stays lowercase in titles."""
    return i + 2 < n and is_mark(tokens + i + 1, 0x2e) and (
        is_key_of(tokens + i, 0x74616566, 4) or is_key_of(tokens + i, 0x7466, 2)) and (
        not tokens[i + 1].flags & TOKEN_SPACE_BEFORE)


cdef inline bint is_tone(const Job* job, const Token* tokens, int32_t i, int32_t n) noexcept nogil:
    """Whether the letter ``a`` is that of a musical key: ``in A Minor for``, ``A Flat Major``."""
    cdef int32_t k = i + 1
    if i == 0 or k >= n or not is_key_of(tokens + i, 0x61, 1):
        return False
    # flat, sharp
    if is_key_of(tokens + k, 0x74616c66, 4) or is_key_of(tokens + k, 0x7072616873, 5):
        k += 1
    # major, minor
    if k >= n or not (is_key_of(tokens + k, 0x726f6a616d, 5)
                      or is_key_of(tokens + k, 0x726f6e696d, 5)):
        return False
    # Not in a minor role. The word before is in.
    return k > i + 1 or is_key_of(tokens + i - 1, 0x6e69, 2) and (
        k + 1 == n or tokens[k + 1].tag == TAG_AN
        or find_key(job.words, tokens[k + 1].key) == WORD_SMALL)


cdef inline uint64_t irish_capitals(const uint8_t* text, const Token* token) noexcept nogil:
    """The letters that upper case raises in a word with an Irish prefix; 0: all.

    A prefix shows by its letters, or by the case of the word: ``na hÉireann``.
    """
    cdef uint64_t first = capital_mask(text + token.start, token.end - token.start, CAPITAL_IRISH)
    if token.n_code_points > 62:
        return 0
    if not first and token.tag == TAG_MX and token.upper_mask & 3 == 2 and (
            text[token.start] == 0x68 or text[token.start] == 0x6e or text[token.start] == 0x74):
        first = 2
    return ~(first - 1) if first else 0


cdef int upper_line(Job* job) noexcept nogil:
    cdef int32_t i
    cdef int status
    cdef const Token* token
    cdef uint64_t mask
    cdef size_t written
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        if token.tag != TAG_AN and (token.tag != TAG_AU or job.greek) and not (
                token.flags & (TOKEN_KEEPS | TOKEN_LOWERS)):
            mask = irish_capitals(job.text, token) if job.capital_rule == CAPITAL_IRISH else 0
            written = job.out.size + (token.start - job.copied)
            status = change_token(job, token, TAG_MX if mask else TAG_AU, mask)
            if status != STATUS_OK:
                return status
            if job.greek:
                drop_accents(job.out.bytes + written, <uint32_t>(job.out.size - written))
    return STATUS_OK


cdef inline int count_letters(const Job* job, const Token* token) noexcept nogil:
    """Letters of a word, without apostrophes, hyphens and marks."""
    cdef uint32_t p = token.start, length, cp
    cdef int n = 0
    while p < token.end:
        cp = canonical_code_point(job.text, p, token.end, token.flags, &length)
        if cp <= MAX_CODE_POINT and class_of(cp) & CHAR_LETTER:
            n += 1
        p += length
    return n


cdef inline bint is_named(const Job* job, const Token* token) noexcept nogil:
    """Whether a word has a capital, or stands in lower case inside names."""
    return TAG_AL != token.tag != TAG_AN or find_key(job.words, token.key) == WORD_INSIDE


cdef inline bint is_inside(const Job* job, const Token* tokens, int32_t i,
                           int32_t n) noexcept nogil:
    """Whether a word stays as it is inside a name (Leonardo da Vinci) or behind a number (5 km)."""
    return i > 0 and find_key(job.words, tokens[i].key) == WORD_INSIDE and (
        tokens[i - 1].word_class == CLASS_QUANTITY or is_mark(tokens + i - 1, 0x2f)
        or i + 1 < n and is_named(job, tokens + i - 1) and is_named(job, tokens + i + 1))


cdef inline bint ends_clause(const Job* job, int32_t i) noexcept nogil:
    """Whether a small word ends a part of a title: ``Log In, Log Out``; not ``of, by and for``.

    Of two words with a slash between them, each is a part: And/Or. So is one before another verb:
    ``Log In or Sign Up``; not ``of and by``.
    """
    cdef const Token* tokens = job.tokens.tokens
    cdef uint8_t mark
    if i > 0 and is_mark(tokens + i - 1, 0x2f) or (
            i + 1 < job.tokens.n and is_mark(tokens + i + 1, 0x2f)):
        return True
    if not job.raises_last or i + 2 >= job.tokens.n:
        return False
    # and, or
    if is_key_of(tokens + i + 1, 0x646e61, 3) or is_key_of(tokens + i + 1, 0x726f, 2):
        return tokens[i].n_code_points > 1 and (
            find_key(job.words, tokens[i + 2].key) != WORD_SMALL)
    if tokens[i + 1].flags & TOKEN_SPACE_BEFORE:
        return False
    mark = job.text[tokens[i + 1].start]
    return mark in (0x21, 0x3a, 0x3b, 0x3f) or mark == 0x2c and (
        find_key(job.words, tokens[i + 2].key) != WORD_SMALL)


cdef inline bint is_raised_in_title(const Job* job, int32_t i, int32_t last,
                                    bint begins) noexcept nogil:
    cdef const Token* tokens = job.tokens.tokens
    if not takes_capital(job, tokens + i):
        return False
    if job.max_kept:
        return tokens[i].tag == TAG_AL and count_letters(job, tokens + i) > job.max_kept and (
            CLASS_HYPHENATED <= tokens[i].word_class <= CLASS_ALPHABETIC)
    if is_feat(tokens, i, job.tokens.n):
        return False
    if find_key(job.words, tokens[i].key) != WORD_SMALL:
        return begins or not is_inside(job, tokens, i, job.tokens.n)
    return begins or (job.raises_last and i == last) or ends_clause(job, i) or (
        is_tone(job, tokens, i, job.tokens.n))


cdef int title_line(Job* job) noexcept nogil:
    """Raise the words of a line that a title raises; a Status."""
    cdef const Token* token
    cdef int32_t i, last = -1
    cdef bint begins = True
    cdef uint64_t mask
    cdef int tag, status
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        # A number may be the last word: Paris in 1900.
        if (token.tag != TAG_AN or token.word_class == CLASS_QUANTITY) and not (
                token.flags & TOKEN_MARKUP) and find_key(job.words, token.key) != WORD_NEVER:
            last = i
    for i in range(job.tokens.n):
        token = job.tokens.tokens + i
        if token.flags & TOKEN_MARKUP:
            continue
        if token.tag == TAG_AN:
            # Nor is a word behind a number the first: No. 2 in B Minor.
            begins = is_break(job.text, job.tokens.tokens, i, job.tokens.n) or (
                begins and token.word_class != CLASS_QUANTITY and not is_mark(token, 0x2c))
            continue
        if is_raised_in_title(job, i, last, begins):
            mask = 0
            tag = TAG_IU
            if has_parts(job.text, token) and not job.max_kept:
                mask = title_parts(job, token, &tag)
            elif not case_room(job.text, token, job.turkic) & ROOM_INITIAL:
                tag = token.tag
            else:
                mask = capital_mask(job.text + token.start, token.end - token.start,
                                    job.capital_rule)
                tag = TAG_MX if mask else TAG_IU
            if tag != token.tag or tag == TAG_MX:
                status = change_token(job, token, tag, mask)
                if status != STATUS_OK:
                    return status
        begins = False
    return STATUS_OK


cdef void learn_line(Job* job, const int32_t* feature, int n, bint is_title) noexcept nogil:
    """One step of AdaGrad on the logistic loss of a line."""
    cdef double p = 1.0 / (1.0 + exp(-line_score(job.weight, feature, n)))
    cdef float gradient = <float>((1.0 if is_title else 0.0) - p)
    cdef int i
    for i in range(n):
        job.squares[feature[i]] += gradient * gradient
        job.weight[feature[i]] += <float>(0.2 * gradient / (1e-3 + sqrt(job.squares[feature[i]])))


cdef void judge_line(Job* job, int64_t line) noexcept nogil:
    """Judge a line by its case or its form, or learn from it."""
    cdef int32_t feature[MAX_LINE_FEATURES]
    cdef int kind, n = 0
    if job.weight != NULL:
        n = line_features(&job.tokens, feature)
    if job.task == TASK_DETECT:
        job.kind[line] = n > 0 and line_score(job.weight, feature, n) > 0
        return
    kind = line_kind(job.text, &job.tokens)
    if job.task == TASK_LOOK:
        job.kind[line] = <uint8_t>kind
        job.junk[line] = is_mostly_upper(&job.tokens)
    elif n > 0 and kind != LINE_UNCLEAR:
        learn_line(job, feature, n, kind == LINE_TITLE)


cdef int work_on_block(Job* job, uint32_t size) noexcept nogil:
    """Carry out the task for all lines of a padded block; a Status."""
    cdef uint32_t begin = 0, end
    cdef int64_t line = -1
    cdef int status
    while begin < size:
        end = find_byte(job.text, begin, size, 0x0a)
        line += 1
        if TASK_MOSES_KEEP <= job.task <= TASK_MOSES_IGNORE:
            status = moses_line(job, begin, end)
        elif job.wanted != NULL and not job.wanted[line]:
            status = STATUS_OK
        else:
            status = segment_line(job.text, begin, end, job.segmentation, job.turkic, &job.tokens)
            if status == STATUS_OK:
                if job.task <= TASK_CAPITALIZE:
                    status = smartcase_line(job)
                elif job.task >= TASK_LOOK:
                    judge_line(job, line)
                elif job.task == TASK_UPPER:
                    status = upper_line(job)
                else:
                    status = title_line(job)
        if status != STATUS_OK:
            return status
        begin = end + 1
    return STATUS_OK


cdef bytes run_job(Job* job, bytes block):
    cdef size_t n = len(block)
    cdef bytes padded
    cdef int status = STATUS_OK
    cdef bint writes = job.task != TASK_COUNT and job.task < TASK_LOOK
    if n > <size_t>0xffffff00:
        raise ValueError("a block of 4 GiB or more: hand over fewer lines at a time")
    padded = block + b"\n" * TEXT_PADDING
    job.text = padded
    with nogil:
        if writes:
            status = reserve_output(&job.out, n + n // 16 + 64)
        status = status or work_on_block(job, <uint32_t>n)
        if writes:
            status = status or append_output(&job.out, job.text + job.copied, n - job.copied)
        free_tokens(&job.tokens)
    try:
        if status == STATUS_TOO_LONG:
            raise ValueError("a line has too many words, or a corpus too many forms")
        if status != STATUS_OK:
            raise MemoryError("out of memory while changing case")
        return PyBytes_FromStringAndSize(<char*>job.out.bytes, job.out.size)
    finally:
        free(job.out.bytes)


cdef int put_key(KeyIndex* index, uint64_t key, uint32_t value) except -1:
    """Add a key unless it is there."""
    if find_key(index, key) == NOT_FOUND and add_key(index, key, value) != STATUS_OK:
        raise MemoryError
    return 0


cdef class _Lines:
    """Settings for the lines of a block, and an index of words."""

    cdef Job job                 # what all calls have in common; each works on a copy
    cdef KeyIndex words

    cdef int set_up(self, str segmentation, str language) except -1:
        if segmentation not in SEGMENTATIONS:
            raise ValueError(f"segmentation {segmentation!r}: expected 'space' or 'raw'")
        self.job.segmentation = SEGMENTATIONS.index(segmentation)
        self.job.turkic = is_turkic(language)
        self.job.words = &self.words
        return 0

    cdef int add_words(self, object words, uint32_t kind) except -1:
        cdef Token token
        for word in words:
            if find_word(word, self.job.turkic, SEGMENT_SPACE, &token):
                put_key(&self.words, token.key, kind)
        return 0

    cdef bytes run(self, bytes block, int task):
        cdef Job job = self.job
        job.task = task
        return run_job(&job, block)

    def __dealloc__(self):
        free_index(&self.words)


cdef class CaseTable(_Lines):
    """The most frequent form of each word, and which forms were seen."""

    cdef KeyIndex keys, seen
    cdef BestForm* best
    cdef int64_t n_best, capacity

    def __cinit__(self, str segmentation="space", str language="", abbreviations=(), forms=()):
        cdef Token token
        cdef uint32_t number
        cdef double count
        self.set_up(segmentation, language)
        self.add_words(abbreviations, 0)
        for surface, count in forms:
            if not find_word(surface, self.job.turkic, self.job.segmentation, &token):
                continue
            number = find_key(&self.keys, token.key)
            if number == NOT_FOUND:
                if reserve(<void**>&self.best, &self.capacity, self.n_best + 1,
                           sizeof(BestForm)) != STATUS_OK:
                    raise MemoryError
                number = <uint32_t>self.n_best
                put_key(&self.keys, token.key, number)
                self.n_best += 1
                self.best[number].count = -1
            if count > self.best[number].count:
                self.best[number] = BestForm(token.upper_mask, count, token.tag)
            put_key(&self.seen, form_hash(token.key, token.tag, token.upper_mask), 0)
        self.job.keys, self.job.seen, self.job.best = &self.keys, &self.seen, self.best

    def __dealloc__(self):
        free_index(&self.keys)
        free_index(&self.seen)
        free(self.best)

    def capitalize(self, bytes block not None) -> bytes:
        return self.run(block, TASK_CAPITALIZE)

    def normalize(self, bytes block not None) -> bytes:
        return self.run(block, TASK_NORMALIZE)

    def truecase(self, bytes block not None, str rule not None) -> bytes:
        if rule not in RULES:
            raise ValueError(f"rule {rule!r}: expected one of {', '.join(RULES)}")
        return self.run(block, RULES[rule])


cdef class FormCounter(_Lines):
    """Counts surface forms away from sentence starts."""

    cdef Counter counter
    cdef object lock             # the counts change while the GIL is released

    def __cinit__(self, str segmentation="raw", str language="", abbreviations=()):
        self.lock = threading.Lock()
        self.set_up(segmentation, language)
        self.add_words(abbreviations, 0)
        self.job.counter = &self.counter

    def __dealloc__(self):
        free_index(&self.counter.index)
        free(self.counter.forms)
        free(self.counter.surfaces.bytes)

    def add_block(self, bytes block not None) -> None:
        with self.lock:
            self.run(block, TASK_COUNT)

    def forms(self) -> list:
        cdef int64_t i
        cdef CountedForm* form
        result = []
        with self.lock:
            for i in range(self.counter.n_forms):
                form = self.counter.forms + i
                surface = PyBytes_FromStringAndSize(
                    <char*>self.counter.surfaces.bytes + form.offset, form.length)
                result.append((form.key, surface, form.count, form.tag == TAG_AL))
        return result


cdef class StyleWriter(_Lines):
    """Rewrites the case of lines that a model has cased as sentences.

    Parameters
    ----------
    segmentation : {"raw", "space"}
    language : str
        It chooses case mappings (Turkish, Azeri), capitals (Dutch, Irish) and accents (Greek).
    small_words, clitics : iterable of bytes
        Lowercase words that stay so inside titles, and words that belong to the word before.
    raises_last, max_kept
        As for `truecase.rules.styles.TitleGuide`.
    inside : iterable of bytes
        Lowercase words that stay so inside names and behind numbers.
    """

    def __cinit__(self, str segmentation="raw", str language="", small_words=(), clitics=(),
                  bint raises_last=True, int max_kept=0, inside=()):
        self.set_up(segmentation, language)
        self.add_words(small_words, WORD_SMALL)
        self.add_words(clitics, WORD_NEVER)
        self.add_words(inside, WORD_INSIDE)
        self.job.greek = is_greek(language)
        self.job.capital_rule = CAPITAL_RULES[capital_rule(language)]
        self.job.raises_last = raises_last
        self.job.max_kept = max_kept

    def title(self, bytes block not None, const uint8_t[::1] lines=None):
        """Lines as titles, all or those whose entry in `lines` is not 0."""
        cdef Job job = self.job
        job.task = TASK_TITLE
        if lines is not None:
            if lines.shape[0] != count_lines(block):
                raise ValueError("one entry for each line expected")
            if lines.shape[0]:
                job.wanted = &lines[0]
        return run_job(&job, block)

    def upper(self, bytes block not None):
        """Lines in upper case."""
        return self.run(block, TASK_UPPER)


cdef class TitleDetector(_Lines):
    """Tells titles from body text by the form of a line: its words, length, marks, ending.

    It ignores case, so that it can judge lowercased lines. It learns from lines whose case leaves
    no doubt (Agbago, Kuhn & Foster 2005, section 4, had rules for one corpus). `segmentation` and
    `language` are those of `truecase.rules.smartcase.capitalize`; `weights`, of a detector that
    has learned, are a float32 ndarray of shape (32768,); ValueError: another shape, or not finite.
    """

    cdef object _weights         # float32 ndarray that is exchanged, never changed
    cdef object _lock            # of that exchange
    cdef object _squares
    cdef object _learning        # one thread learns at a time

    def __cinit__(self, str segmentation="raw", str language="", weights=None):
        import numpy as np

        self.set_up(segmentation, language)
        self._lock = threading.Lock()
        self._learning = threading.Lock()
        self._weights = np.zeros(N_TITLE_WEIGHTS, np.float32)
        self._squares = np.zeros(N_TITLE_WEIGHTS, np.float32)
        if weights is not None:
            if np.shape(weights) != self._weights.shape or not np.isfinite(weights).all():
                raise ValueError(f"a title detector has {N_TITLE_WEIGHTS} finite weights")
            self._weights[:] = weights

    @property
    def weights(self):
        with self._lock:
            return self._weights.copy()

    def learn(self, bytes block not None):
        """Learn from the lines of naturally cased text whose kind is clear."""
        cdef Job job = self.job
        cdef float[::1] weight, squares
        with self._learning:
            # Other threads may still use the old weights.
            learnt = self.weights
            weight, squares = learnt, self._squares
            job.task, job.weight, job.squares = TASK_LEARN, &weight[0], &squares[0]
            run_job(&job, block)
            with self._lock:
                self._weights = learnt

    cdef object judge(self, bytes block, float[::1] weight):
        """Kinds of lines, by weights or their case, and whether they are mostly upper case."""
        import numpy as np

        cdef Job job = self.job
        cdef uint8_t[:, ::1] found
        n_lines = count_lines(block)
        judged = np.zeros((2, n_lines + 1), np.uint8)
        found = judged
        job.task = TASK_LOOK
        if weight is not None:
            job.task, job.weight = TASK_DETECT, &weight[0]
        job.kind, job.junk = &found[0, 0], &found[1, 0]
        run_job(&job, block)
        return judged[:, :n_lines]

    def detect(self, bytes block not None):
        """Find lines with the form of a title: a uint8 ndarray, one entry per line."""
        with self._lock:
            weights = self._weights
        return self.judge(block, weights)[0]

    def look(self, bytes block not None):
        """Judge naturally cased lines by their case alone.

        Returns
        -------
        kind : uint8 ndarray, shape (n_lines,)
            ``BODY``, ``TITLE`` or ``UNCLEAR``.
        junk : bool ndarray, shape (n_lines,)
            Whether a line is mostly upper case.
        """
        kinds, junk = self.judge(block, None)
        return kinds, junk.view("bool")
