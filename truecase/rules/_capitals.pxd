"""Capitals by rule: the first word of a sentence, the word behind a colon, a pronoun, offices.

The rule speaks after the search: a word that is lowercase on the best path gets a capital where the
text leaves no doubt. The model decides everywhere else: after ``?"``, an ellipsis or a closing
bracket, beside signs of code, and for words with digits, marks or an inner capital.

A colon introduces something (``He had one wish: to go home``) except within times, addresses and
code, and behind a label, which is one word and perhaps a number: ``Note:``, ``Step 1:``.

House style for offices is the case of ``president`` and ``committee`` where they stand alone:
``The president said``, not ``President Obama`` nor ``the Security Council``: beside a name, the
model decides. The style works on the best path, whose capitals show names.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._render cimport hyphenated_parts
from truecase.kernels._sentences cimport CAPITAL_DUTCH, is_dutch_short_form, is_mark, label_end
from truecase.kernels._structs cimport (
    CLASS_HYPHENATED, CLASS_OTHER, CLASS_QUANTITY, NODE_FORCED, NODE_NAME, TOKEN_CANONICAL,
    TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_KEEPS, TOKEN_LOWERS, TOKEN_MARKUP, TOKEN_SPACE_BEFORE,
    Lattice, Node, Token
)
from truecase.kernels._tokens cimport apostrophe_length, in_list, word_run
from truecase.kernels._unicode cimport (
    CHAR_CASED, CHAR_LETTER, HASH_SEED, TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX, case_of, class_of,
    decode, hash_end, is_digit
)
from truecase.rules._language cimport (
    OFFICE_ADDRESS, OFFICE_ARTICLE, OFFICE_BODY, OFFICE_DETERMINER, OFFICE_JOIN, OFFICE_NO_NAME,
    OFFICE_OF, OFFICE_ONLY_LOWER, OFFICE_ORDINAL, OFFICE_PHRASE, OFFICE_PLURAL, OFFICE_POSSESSIVE,
    OFFICE_RANK, OFFICE_WANTS_DETERMINER, OFFICE_WORD, RulesView, add_word, rule_word
)


cdef enum AfterColon:
    COLON_AS_LEARNED, COLON_CAPITAL, COLON_LOWER

cdef enum:
    MAX_OPENING = 3              # marks between a colon and the word behind it
    MOST_WORDS = 3               # of an office

cdef enum OfficeStyle:
    OFFICES_AS_LEARNED, OFFICES_CAPITAL, OFFICES_LOWER


cdef struct OfficeCases:         # the style of each word of a sentence, filled by its owner
    uint8_t* style               # OfficeStyle
    int32_t capacity
    bint any


cdef struct TaggedSentence:      # the words of a sentence in the case of the best path
    const RulesView* rules
    const Token* tokens
    int32_t n
    const Lattice* lattice
    const int32_t* path


cdef inline bint is_ellipsis(const uint8_t* text, const Token* tokens, int32_t i) noexcept nogil:
    cdef uint32_t p = tokens[i].start
    if tokens[i].flags & TOKEN_ENDS_SENTENCE == 0:
        return False
    if text[p] == 0xe2 and text[p + 1] == 0x80 and text[p + 2] == 0xa6:
        return True
    return text[p] == 0x2e and (
        tokens[i].end - tokens[i].start > 1
        or (i > 0 and tokens[i - 1].flags & TOKEN_ENDS_SENTENCE
            and text[tokens[i - 1].start] == 0x2e))


cdef inline bint is_ordinal(const uint8_t* text, const Token* number, int n_digits) noexcept nogil:
    """Whether a number before a period may be an ordinal: ``5``, ``xix``; no ``vi``, we."""
    cdef uint32_t p, n = number.end - number.start
    if number.word_class == CLASS_QUANTITY:
        return n <= <uint32_t>n_digits
    for p in range(number.start, number.end):
        if text[p] | 0x20 not in b"ivx":
            return False
    return n_digits > 0 and n > 1 and not in_list(b" vi Vi VI ", text + number.start, n)


cdef inline bint ends_surely(const uint8_t* text, const Token* tokens, int32_t i,
                             int ordinals) noexcept nogil:
    """Whether the sentence or head that ends at token `i` surely ends there.

    A number of at most `ordinals` digits before a period may be an ordinal: ``am 5. mai``.
    """
    cdef bint is_closed = False, is_bracketed = False
    while i > 0 and tokens[i].flags & TOKEN_CLOSES:
        is_bracketed = is_bracketed or text[tokens[i].start] in b")]}"
        is_closed = True
        i -= 1
    if not tokens[i].flags & TOKEN_ENDS_SENTENCE:
        return True
    if is_bracketed or is_ellipsis(text, tokens, i):
        return False
    if text[tokens[i].start] != 0x2e:
        return not is_closed
    return i == 0 or not is_ordinal(text, tokens + i - 1, ordinals)


cdef inline bint is_dash(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether a token is a hyphen, or one or several dashes of any length."""
    cdef uint8_t byte = text[token.start]
    return byte == 0x2d or (
        byte == 0xe2 and token.end - token.start >= 3 and text[token.start + 1] == 0x80
        and text[token.start + 2] >= 0x90 and text[token.start + 2] <= 0x95)


cdef inline bint is_dialogue_dash(const uint8_t* text, const Token* tokens, int32_t n,
                                  int32_t i) noexcept nogil:
    """Whether a speaker's dash stands right before a word: ``-Where? -There.``

    At the beginning of a line without an end mark it may belong to an option: ``-user name``.
    """
    cdef int32_t last = n - 1
    if not is_dash(text, tokens + i) or tokens[i + 1].flags & TOKEN_SPACE_BEFORE:
        return False
    if i > 0:
        return tokens[i].flags & TOKEN_SPACE_BEFORE != 0
    while last > 0 and tokens[last].flags & (TOKEN_CLOSES | TOKEN_MARKUP):
        last -= 1
    return tokens[last].flags & TOKEN_ENDS_SENTENCE != 0


cdef inline bint may_open(const uint8_t* text, const Token* tokens, int32_t n, int32_t i,
                          bint after_period) noexcept nogil:
    """Whether a mark may stand before a sentence's first word: quotes, brackets, dashes, bullets.

    Another token follows it. After other marks than a period, a dash may continue the sentence
    (``what else? - a book``), unless a speaker's words begin behind it.
    """
    cdef const Token* token = tokens + i
    cdef uint8_t byte = text[token.start]
    cdef uint32_t length
    if token.flags & TOKEN_ENDS_SENTENCE:
        return False
    if is_dash(text, token):
        return after_period or is_dialogue_dash(text, tokens, n, i)
    return byte >= 0x80 and not class_of(
        decode(text + token.start, text + token.end, &length)) & CHAR_LETTER or (
        token.flags & TOKEN_CANONICAL or byte in b"\"'`([*")


cdef inline bint opens_plural(const uint8_t* text, const Token* tokens, int32_t n,
                              int32_t i) noexcept nogil:
    """Whether the ending of a plural in brackets is behind a word: ``file(s)``, ``Datei(en)``."""
    cdef const Token* ending = tokens + i + 2
    return i + 3 < n and tokens[i].n_code_points > 2 and text[tokens[i + 1].start] == 0x28 and (
        text[tokens[i + 3].start] == 0x29) and (
        in_list(b" e n s en es ", text + ending.start, ending.end - ending.start))


cdef inline bint is_joined(const uint8_t* text, const Token* tokens, int32_t n,
                           int32_t i) noexcept nogil:
    """Whether a sign of code or of a choice is beside a word: ``f(x)``, ``a = 1``, ``he/she``."""
    cdef uint8_t byte
    if i > 0 and not tokens[i].flags & TOKEN_SPACE_BEFORE and (
            not tokens[i - 1].flags & TOKEN_MARKUP) and (
            not is_dialogue_dash(text, tokens, n, i - 1)) and (
            text[tokens[i - 1].end - 1] in b"-=+/\\<>#$@&%^~|_"):
        return True
    if i + 1 >= n:
        return False
    byte = text[tokens[i + 1].start]
    if tokens[i + 1].flags & TOKEN_MARKUP:
        return False
    if tokens[i + 1].flags & TOKEN_SPACE_BEFORE:       # chmod [OPTION], x = 1; not edit [part]
        # Not row {0} of {1}, either.
        return byte in b"=<|" or (
            byte == 0x7b and not is_digit(text[tokens[i + 1].start + 1])) or (
            byte == 0x5b and i + 2 < n and tokens[i].tag != TAG_AU
            and (tokens[i + 2].tag == TAG_AU or text[tokens[i + 2].start] == 0x2d))
    if byte == 0x3a or byte == 0x2e:                   # std::string, a.b
        return i + 2 < n and not tokens[i + 2].flags & (TOKEN_SPACE_BEFORE | TOKEN_CLOSES
                                                        | TOKEN_ENDS_SENTENCE)
    return tokens[i + 1].flags & TOKEN_CANONICAL == 0 and not opens_plural(text, tokens, n, i) and (
        byte in b"([{=+/\\<>#$@&%^~|_*")


cdef inline bint begins_with_case(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether a token is a word that begins with a letter that has case."""
    cdef uint32_t length, hyphen
    if token.word_class == CLASS_OTHER:
        return False
    if token.word_class == CLASS_QUANTITY:
        # Words that end in digits are often identifiers, but not uranium-235.
        hyphen = word_run(text, token.start, token.end)
        if text[hyphen] != 0x2d or not (
                token.start + 3 < hyphen < token.end - 1 and token.end <= hyphen + 4):
            return False
    return case_of(decode(text + token.start, text + token.end, &length)).bits & CHAR_CASED != 0


cdef inline bint is_sure_start(const uint8_t* text, const Token* tokens, int32_t n,
                               int32_t first, int32_t word, int ordinals,
                               int capital_rule) noexcept nogil:
    """Whether token `word`, the first of the sentence from `first`, surely has its capital."""
    cdef int32_t i
    cdef bint after_period = first == 0 or not tokens[first - 1].flags & TOKEN_ENDS_SENTENCE or (
        text[tokens[first - 1].start] == 0x2e)
    if first > 0 and not ends_surely(text, tokens, first - 1, ordinals):
        return False
    if not begins_with_case(text, tokens + word):
        return False
    for i in range(label_end(tokens, first, n), word):
        # <i>she smiled.</i>
        if not (tokens[i].flags & TOKEN_MARKUP
                or capital_rule == CAPITAL_DUTCH and is_dutch_short_form(tokens, i)
                or may_open(text, tokens, n, i, after_period)):
            return False
    return not is_joined(text, tokens, n, word)


cdef inline bint is_double_quote(const uint8_t* text, const Token* token) noexcept nogil:
    """Whether a token is one of ``" “ ” „ « »``."""
    cdef const uint8_t* at = text + token.start
    return at[0] == 0x22 or at[0] == 0xe2 and at[1] == 0x80 and 0x9c <= at[2] <= 0x9e or (
        at[0] == 0xc2 and (at[1] == 0xab or at[1] == 0xbb))


cdef inline bint introduces(const Token* tokens, int32_t n, int32_t first,
                            int32_t i) noexcept nogil:
    """Whether token `i` of a line of n is a colon that introduces something.

    `first` begins the sentence.
    """
    cdef int32_t k, n_words = 0
    if not is_mark(tokens + i, 0x3a) or tokens[i].flags & (TOKEN_KEEPS | TOKEN_LOWERS):
        return False
    if i + 1 >= n or not tokens[i + 1].flags & TOKEN_SPACE_BEFORE:
        return False
    for k in range(first, i):
        n_words += tokens[k].tag != TAG_AN
        if n_words > 1:
            return True
    return False


cdef inline bint is_after_colon(const uint8_t* text, const Token* tokens, int32_t n, int32_t first,
                                int32_t i) noexcept nogil:
    """Whether a colon introduces token `i`, with or without quotes between."""
    cdef int32_t k = i - 1
    while k > first and k > i - 1 - MAX_OPENING and not is_mark(tokens + k, 0x3a):
        if tokens[k].tag != TAG_AN or tokens[k].flags & TOKEN_ENDS_SENTENCE:
            return False
        if not (text[tokens[k].start] >= 0x80 or text[tokens[k].start] in b"\"'`(["
                or tokens[k].flags & (TOKEN_CANONICAL | TOKEN_MARKUP)):
            return False
        k -= 1
    if k <= first or not introduces(tokens, n, first, k):
        return False
    return begins_with_case(text, tokens + i) and not is_joined(text, tokens, n, i)


cdef inline void hide_colons(Token* tokens, int32_t n, int32_t first, int32_t last) noexcept nogil:
    """Replace such colons of a sentence by commas: the model sees the word behind as inside."""
    cdef int32_t i
    for i in range(first + 1, last):
        if introduces(tokens, n, first, i):
            tokens[i].key = hash_end(HASH_SEED, 0x2c, 1)


cdef inline bint is_short_form(const RulesView* rules, const uint8_t* text, uint32_t p,
                               uint32_t end) noexcept nogil:
    """Whether the text behind the pronoun is one of its short forms, as in ``I'm`` or ``I'll``."""
    cdef uint32_t length = apostrophe_length(text, p, end)
    p += length
    return length > 0 and p < end and in_list(rules.short_forms, text + p, end - p)


cdef inline bint begins_as_pronoun(const RulesView* rules, const uint8_t* text,
                                   const Token* token) noexcept nogil:
    return text[token.start] | 0x20 == rules.pronoun


cdef inline bint is_pronoun(const RulesView* rules, const uint8_t* text, const Token* tokens,
                            int32_t n, int32_t i) noexcept nogil:
    """Whether token `i` is the pronoun, not the letter of ``(i)``, ``a[i]`` or ``i = 0``."""
    cdef const Token* token = tokens + i
    cdef uint8_t byte
    if not begins_as_pronoun(rules, text, token):
        return False
    if token.end - token.start > 1:
        # Between spaces a short form is one word.
        return is_short_form(rules, text, token.start + 1, token.end)
    if i > 0:
        byte = text[tokens[i - 1].end - 1]
        # Baha 'i: an apostrophe on its own is no quotation mark for sure.
        if byte in b"=+/\\<>#$@&%^~|_*['`":
            return False
        if not token.flags & TOKEN_SPACE_BEFORE and not (byte >= 0x80 or byte in b"\"(-;"):
            return False
    if i + 1 >= n:
        return True
    token += 1
    byte = text[token.start]
    if token.flags & TOKEN_SPACE_BEFORE:
        return byte not in b"=+/\\<>^~|_*)]"
    if i > 0 and byte == 0x22 and text[tokens[i - 1].start] == 0x22:
        return False                                   # the "i" of a word
    if is_short_form(rules, text, token.start, token.end):
        return True
    return byte >= 0x80 or byte in b",;:!?\"'-&." and not is_joined(text, tokens, n, i)


cdef inline uint32_t office_word(const TaggedSentence* at, int32_t i) noexcept nogil:
    """Bits of word `i`; 0 if there is no such word."""
    return rule_word(at.rules, at.tokens[i].key).offices if 0 <= i < at.n else 0


cdef inline int32_t office_end(const TaggedSentence* at, int32_t i, uint32_t* kind) noexcept nogil:
    """End of the longest office that begins at word `i`, and its kind; else `i`."""
    cdef int32_t k, end = i
    cdef uint32_t found
    cdef uint64_t phrase = 0
    for k in range(i, min(i + MOST_WORDS, at.n)):
        if k > i and not at.tokens[k].flags & TOKEN_SPACE_BEFORE:
            break
        if at.tokens[k].flags & (TOKEN_KEEPS | TOKEN_LOWERS) or (
                not office_word(at, k) & OFFICE_WORD):
            break
        phrase = add_word(phrase, at.tokens[k].key)
        found = rule_word(at.rules, phrase).offices
        if found & OFFICE_PHRASE:
            kind[0] = found
            end = k + 1
    return end


cdef inline bint is_upper(const TaggedSentence* at, int32_t i) noexcept nogil:
    cdef int tag = at.lattice.nodes[at.lattice.first_node[i] + at.path[i]].tag
    return tag != TAG_AL and tag != TAG_AN


cdef inline bint is_name(const TaggedSentence* at, int32_t i) noexcept nogil:
    """Whether word `i` has a capital and may belong to a name."""
    return i < at.n and is_upper(at, i) and not office_word(at, i) & OFFICE_NO_NAME


cdef inline bint is_named(const TaggedSentence* at, int32_t i) noexcept nogil:
    """Whether a name stands at `i`, with or without an article before it."""
    return is_name(at, i) or (office_word(at, i) & OFFICE_ARTICLE and is_name(at, i + 1))


cdef inline int style_of_office(const TaggedSentence* at, int style, int32_t first, int32_t end,
                                uint32_t kind) noexcept nogil:
    """The style of an office, the words from `first` to `end`."""
    cdef uint32_t before = office_word(at, first - 1)
    cdef uint32_t after = office_word(at, end)
    cdef bint is_of_name = after & OFFICE_OF and is_named(at, end + 1)
    cdef bint is_on_name = kind & OFFICE_BODY and after & OFFICE_JOIN and is_named(at, end + 1)
    # A period may stand behind a word of address.
    if first > 1 and is_mark(at.tokens + first - 1, 0x2e):
        before = office_word(at, first - 2) & OFFICE_ADDRESS
    # President Obama, the State Department, Mr. President, the Queen's Birthday.
    if is_name(at, end) or before & OFFICE_ADDRESS or (
            after & OFFICE_POSSESSIVE and is_name(at, end + 1)):
        return OFFICES_AS_LEARNED
    # The Office of the President.
    if before & OFFICE_ARTICLE and first > 3 and (
            office_word(at, first - 2) & OFFICE_OF) and is_upper(at, first - 3):
        return OFFICES_AS_LEARNED
    # The band Queen, the Security Council, the Prince of Wales, the Committee on Foreign Relations.
    if kind & OFFICE_WANTS_DETERMINER and (
            not before & OFFICE_DETERMINER or is_of_name or is_on_name):
        return OFFICES_AS_LEARNED
    if style == OFFICES_LOWER:
        return OFFICES_LOWER
    # The president of a company, the presidents, a president, the first president.
    if (after & OFFICE_OF and not is_of_name) or not before & OFFICE_ARTICLE or (
            office_word(at, first) & OFFICE_ORDINAL or kind & (OFFICE_PLURAL | OFFICE_ONLY_LOWER)):
        return OFFICES_AS_LEARNED
    return OFFICES_CAPITAL


# Find the style of each word of a sentence but the one at `initial`; a Status.
cdef inline int find_offices(const TaggedSentence* sentence, int style, int32_t initial,
                             OfficeCases* out) noexcept nogil:
    cdef int32_t i = 0, k, first, end, made
    cdef uint32_t kind = 0
    out.any = False
    if out.capacity < sentence.n:
        if grow(<void**>&out.style, <size_t>sentence.n, 1) != STATUS_OK:
            return STATUS_OUT_OF_MEMORY
        out.capacity = sentence.n
    memset(out.style, OFFICES_AS_LEARNED, <size_t>sentence.n)
    while i < sentence.n:
        end = office_end(sentence, i, &kind)
        if end == i:
            i += 1
            continue
        # With its ranks: the first deputy prime minister.
        first = i
        while not kind & OFFICE_WANTS_DETERMINER and (
                office_word(sentence, first - 1) & OFFICE_RANK):
            first -= 1
        made = style_of_office(sentence, style, first, end, kind)
        if made != OFFICES_AS_LEARNED:
            out.any = True
            for k in range(first, end):
                # A first word has its capital, and small words none.
                if k != initial and not office_word(sentence, k) & OFFICE_OF:
                    out.style[k] = <uint8_t>made
        i = end
    return STATUS_OK


cdef inline void follow_style(Node* node, const uint8_t* text, const Token* token, int style,
                              bint turkic) noexcept nogil:
    """Give a candidate the case of its word by the style; names of a list keep theirs."""
    cdef bint has_parts = token.word_class == CLASS_HYPHENATED
    if node.flags & (NODE_FORCED | NODE_NAME) or node.tag == TAG_AU:
        return
    if style == OFFICES_CAPITAL and node.tag == TAG_AL:
        node.upper_mask = hyphenated_parts(text, token, turkic)
        node.tag = TAG_MX if node.upper_mask else TAG_IU
    elif style == OFFICES_LOWER and (node.tag == TAG_IU or (node.tag == TAG_MX and has_parts)):
        node.tag = TAG_AL
        node.upper_mask = 0
