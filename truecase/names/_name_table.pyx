"""Where the names of a list are found, for the lexicon of a model."""

from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.string cimport memcpy, memset

from truecase.lexicon._lexicon cimport (
    FORM_LAST,
    FORM_TAG,
    MAX_FORMS,
    LexiconView,
    first_record,
)
from truecase.lexicon._model_lexicon cimport Lexicon
from truecase.names._name_list cimport LONGEST_NAME, NameList
from truecase.names._names cimport (
    NAME_FORCED,
    NAME_GOES_ON,
    NAME_LIKELY,
    NAME_PLURAL,
    NAME_SHIFT,
    NAME_SURE,
    NamesView,
    Unit,
    first_state,
    next_state,
    next_unit,
)
from truecase.runtime._check cimport prefetch
from truecase.runtime._memory cimport TEXT_PADDING
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY
from truecase.text._casing cimport CHAR_LETTER, TAG_AL, TAG_AN, TAG_MX, class_of
from truecase.text._key_index cimport (
    KeyIndex,
    KeySlot,
    add_key,
    first_slot,
    free_index,
    resize_index,
    slot_of_key,
)
from truecase.text._segment_line cimport segment_line
from truecase.text._token cimport Token, TokenArray, describe, free_tokens
from truecase.text._utf8 cimport decode

from truecase.errors import ModelError

__all__ = ["NameTable"]


cdef inline bint is_lower_too(const LexiconView* lexicon, uint32_t index) noexcept nogil:
    """Whether a word is a common one: it has a lowercase form. `index`: 1 + its first record's."""
    cdef uint32_t record
    cdef int n_forms = 0
    index -= 1
    while index < lexicon.n_records and n_forms < MAX_FORMS:
        n_forms += 1
        record = lexicon.records[index]
        if record & FORM_TAG == TAG_AL:
            return True
        if record & FORM_LAST:
            break
        index += 3 if record & FORM_TAG == TAG_MX else 1
    return False


cdef inline int kind_of(const LexiconView* lexicon, const TokenArray* tokens) noexcept nogil:
    """NAME_SURE where some word of the name is nothing but a name."""
    cdef const Token* token
    cdef uint32_t index
    cdef int32_t i
    for i in range(tokens.n):
        token = tokens.tokens + i
        if token.tag == TAG_AN:
            continue
        index = first_record(lexicon, token.key)
        if index == 0 or (token.tag != TAG_AL and not is_lower_too(lexicon, index)):
            return NAME_SURE
    return NAME_LIKELY


cdef enum:
    N_WAITING = 64

cdef struct Waiting:             # what is known of a sequence of units, on its way into the table
    uint64_t state
    uint32_t name_and_plural     # as `NameState` has them, or 0
    bint goes_on

cdef struct Builder:
    NamesView* view
    uint64_t* filter
    KeyIndex* states
    const LexiconView* lexicon
    bint turkic
    Waiting waiting[N_WAITING]   # their slots are being fetched
    int n_waiting
    uint8_t room[LONGEST_NAME + 2 * TEXT_PADDING]


cdef inline int set_state(KeyIndex* states, const Waiting* entry) noexcept nogil:
    """Enter what is known of a sequence of units; a later name counts, a plural less than names."""
    cdef KeySlot* slot = slot_of_key(states, entry.state)
    cdef uint32_t value
    if slot == NULL:
        return add_key(states, entry.state, entry.name_and_plural | entry.goes_on)
    value = slot.value_plus_one - 1
    if entry.name_and_plural and not (entry.name_and_plural & NAME_PLURAL
                                      and value >> NAME_SHIFT and not value & NAME_PLURAL):
        value = entry.name_and_plural | (value & NAME_GOES_ON)
    slot.value_plus_one = (value | entry.goes_on) + 1
    return STATUS_OK


cdef inline int enter_waiting(Builder* build) noexcept nogil:
    """Enter what waits, in its order; a Status."""
    cdef int i, status
    for i in range(build.n_waiting):
        status = set_state(build.states, &build.waiting[i])
        if status != STATUS_OK:
            return status
    build.n_waiting = 0
    return STATUS_OK


cdef inline int enter(Builder* build, uint64_t state, uint32_t name_and_plural,
                      bint goes_on) noexcept nogil:
    """Have a sequence of units entered; a Status."""
    cdef Waiting* entry = &build.waiting[build.n_waiting]
    prefetch(build.states.slots + first_slot(state, build.states.capacity))
    entry.state = state
    entry.name_and_plural = name_and_plural
    entry.goes_on = goes_on
    build.n_waiting += 1
    return enter_waiting(build) if build.n_waiting == N_WAITING else STATUS_OK


cdef inline void let_pass(Builder* build, uint64_t hash) noexcept nogil:
    hash &= build.view.filter_mask
    build.filter[hash >> 6] |= <uint64_t>1 << (hash & 63)


cdef inline uint64_t key_of_plural(const uint8_t* text, const Unit* unit, uint8_t* room,
                                   bint turkic) noexcept nogil:
    """Key of a unit with an s, for which there is `room`."""
    cdef Token word
    cdef uint32_t n = unit.end - unit.start
    memcpy(room, text + unit.start, n)
    memset(room + n, 0, TEXT_PADDING + 1)
    room[n] = 0x73
    memset(&word, 0, sizeof(Token))
    word.end = n + 1
    describe(room, &word, turkic)
    return word.key


cdef inline bint ends_in_letter(const uint8_t* text, const Unit* unit) noexcept nogil:
    """Whether a unit's last code point is a letter."""
    cdef uint32_t p = unit.end - 1, length
    while p > unit.start and text[p] & 0xc0 == 0x80:
        p -= 1
    return (class_of(decode(text + p, text + unit.end, &length)) & CHAR_LETTER) != 0


cdef int enter_plural(Builder* build, const Unit* last, uint64_t before, int32_t n_units,
                      uint32_t name) noexcept nogil:
    """Enter a name of `n_units` with an s; `before` is the state without its last. A Status."""
    cdef Unit plural = last[0]
    cdef uint64_t state
    if last.is_mark or not ends_in_letter(build.view.text, last):
        return STATUS_OK
    plural.key = key_of_plural(build.view.text, last, build.room, build.turkic)
    if n_units == 1:
        if first_record(build.lexicon, plural.key) != 0:
            # A word by itself: not every US makes an USs of uss.
            return STATUS_OK
        let_pass(build, plural.key)
        state = first_state(&plural)
    else:
        state = next_state(before, &plural)
    if n_units <= 2:
        let_pass(build, state)
    return enter(build, state, name | NAME_PLURAL, False)


cdef int enter_name(Builder* build, const TokenArray* tokens, uint32_t number) noexcept nogil:
    """Enter the sequences of units that make a name, and its plural; a Status."""
    cdef Unit unit, ahead
    cdef uint64_t state = 0, before = 0
    cdef uint32_t name = (number + 1) << NAME_SHIFT
    cdef int32_t n_units = 0
    cdef bint goes_on
    cdef int status
    memset(&ahead, 0, sizeof(Unit))
    ahead.token = -1
    goes_on = next_unit(build.view.text, tokens, build.turkic, &ahead)
    while goes_on:
        unit = ahead
        goes_on = next_unit(build.view.text, tokens, build.turkic, &ahead)
        before = state
        if n_units == 0:
            state = first_state(&unit)
            let_pass(build, unit.key)
        else:
            state = next_state(state, &unit)
        if n_units == 1 or (n_units == 0 and not goes_on):
            let_pass(build, state)
        n_units += 1
        status = enter(build, state, 0 if goes_on else name, goes_on)
        if status != STATUS_OK:
            return status
    return enter_plural(build, &unit, before, n_units, name) if n_units else STATUS_OK


cdef int enter_names(Builder* build, const uint8_t[::1] forced, int segmentation,
                     uint8_t[::1] kinds) noexcept nogil:
    """Enter all names, and find out which are common words, too; a Status."""
    cdef TokenArray tokens
    cdef const NamesView* view = build.view
    cdef uint32_t number, n = <uint32_t>kinds.shape[0]
    cdef uint64_t capacity = 1024
    cdef int status
    # Most names are of one or two units, and have a plural.
    while capacity < 4 * <uint64_t>n:
        capacity *= 2
    status = resize_index(build.states, capacity)
    if status != STATUS_OK:
        return status
    memset(&tokens, 0, sizeof(TokenArray))
    for number in range(n):
        status = segment_line(view.text, view.starts[number], view.starts[number + 1],
                              segmentation, build.turkic, &tokens)
        if status == STATUS_OK:
            kinds[number] = NAME_FORCED if forced[number] else kind_of(build.lexicon, &tokens)
            status = enter_name(build, &tokens, number)
        if status != STATUS_OK:
            break
    free_tokens(&tokens)
    return enter_waiting(build) if status == STATUS_OK else status


cdef class NameTable:
    """Where the names of a list are found, and which of them are common words to a lexicon.

    Parameters
    ----------
    names : NameList
    lexicon : Lexicon
    segmentation : int
        How text, and so each name, is cut into words.
    turkic : bool
    """

    def __cinit__(self, NameList names not None, Lexicon lexicon not None, int segmentation,
                  bint turkic):
        cdef Py_ssize_t n = len(names)
        cdef int status
        cdef Builder build
        cdef uint8_t[::1] kinds
        cdef uint64_t[::1] filter
        if n == 0:
            return
        kinds_bytes = bytearray(n)
        bits = 4096
        while bits < 32 * n:
            bits *= 2
        filter_words = memoryview(bytearray(bits // 8)).cast("Q")
        kinds, filter = kinds_bytes, filter_words
        self.kept = (names, kinds_bytes, filter_words)
        self.view.text = &names.text[0]
        self.view.starts = &names.starts[0]
        self.view.kinds = &kinds[0]
        self.view.filter = &filter[0]
        self.view.filter_mask = bits - 1
        self.view.states = &self.states
        memcpy(self.view.bonus, names.bonus, sizeof(names.bonus))
        self.view.lower_bonus = names.lower_bonus
        memset(&build, 0, sizeof(Builder))
        build.view = &self.view
        build.filter = &filter[0]
        build.states = &self.states
        build.lexicon = &lexicon.view
        build.turkic = turkic
        with nogil:
            status = enter_names(&build, names.forced, segmentation, kinds)
        if status == STATUS_OUT_OF_MEMORY:
            raise MemoryError("no memory left for the table of names")
        if status != STATUS_OK:
            raise ModelError(f"a list of names has at most 2^30 of them, this one {n}")
        self.view.is_active = True

    def __dealloc__(self):
        free_index(&self.states)
