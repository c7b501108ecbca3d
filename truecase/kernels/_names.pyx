"""Lists of names: a component of a model, and the table that finds them in a text."""

from libc.stdint cimport int64_t
from libc.string cimport memcpy

from truecase.base._check cimport prefetch
from truecase.base._memory cimport TEXT_PADDING
from truecase.kernels._lexicon cimport FORM_TAG, MAX_FORMS, Lexicon, first_record, next_record
from truecase.kernels._maps cimport add_key, first_slot, free_index, resize_index, slot_of_key
from truecase.kernels._segment cimport segment_line
from truecase.kernels._structs cimport KeySlot
from truecase.kernels._tokens cimport free_tokens
from truecase.kernels._unicode cimport CHAR_LETTER, decode, find_byte

from truecase.base.model_file import MAX_NUMBER
from truecase.errors import ModelError


#: Most bytes of a name.
LONGEST = LONGEST_NAME

#: Bonus in nats of a name that is also common words: one word, one whose form the lexicon lacks,
#: each of several words, one in lower case. Chosen by bench/experiments/names.py.
BONUS = {"word": 1.0, "unseen_word": 2.0, "phrase": 1.0, "unseen_phrase": 2.0, "lower": 1.0}

cdef enum Fault:
    FAULT_NONE, FAULT_ENCODING, FAULT_CONTROL, FAULT_LONG, FAULT_EMPTY, FAULT_UNCASED

FAULTS = {
    FAULT_ENCODING: "it is no UTF-8; --encoding names the file's encoding",
    FAULT_CONTROL: "it has a control character; a list has a name a line and nothing else",
    FAULT_LONG: f"it has more than {LONGEST} bytes; a list has a name a line and nothing else",
    FAULT_EMPTY: "there is no name after the !",
}


cdef inline int find_fault(const uint8_t* text, uint32_t start, uint32_t end) noexcept nogil:
    """The Fault of a name."""
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


cdef struct NameScan:
    uint8_t* names               # one after the other
    uint32_t* starts             # where each begins, and the last one ends
    uint8_t* forced
    uint32_t n
    uint32_t n_uncased           # lines without a letter with case
    uint32_t first_uncased       # the first of them, from 1
    uint32_t line                # the last line that was read
    int fault                    # of that line


cdef void scan(const uint8_t* text, uint32_t size, NameScan* out) noexcept nogil:
    """Copy the names of a text to the arrays of `out`; the rest of `out` is zero before."""
    cdef uint32_t p = 0, begin, end, size_out = 0
    cdef bint force
    out.starts[0] = 0
    if size >= 3 and text[0] == 0xef and text[1] == 0xbb and text[2] == 0xbf:
        p = 3
    while p < size:
        out.line += 1
        end = <uint32_t>find_byte(text, p, size, 0x0a)
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
                out.fault = FAULT_EMPTY
                return
        out.fault = find_fault(text, begin, end)
        if out.fault == FAULT_UNCASED:
            out.fault = FAULT_NONE
            out.n_uncased += 1
            if out.first_uncased == 0:
                out.first_uncased = out.line
            continue
        if out.fault != FAULT_NONE:
            return
        memcpy(out.names + size_out, text + begin, end - begin)
        size_out += end - begin
        out.forced[out.n] = force
        out.n += 1
        out.starts[out.n] = size_out


def scan_names(text not None):
    """Read the names of a plain list.

    Parameters
    ----------
    text : bytes-like
        UTF-8, a name on each line. Empty lines, and those that begin with ``#`` and white space,
        are left out.

    Returns
    -------
    arrays : dict of str to ndarray
        Those of a `NameList`.
    n_uncased, first_uncased : int
        Number of lines left out because no letter has case, and the first of them, from 1.
    fault : tuple of (int, str), optional
        A line and its fault, instead of arrays.
    """
    # A copy, as another thread may change the buffer between counting lines and reading them.
    cdef const uint8_t[::1] view = bytes(memoryview(text))
    cdef uint32_t size = <uint32_t>view.shape[0]
    cdef NameScan found
    if view.shape[0] > 0x7fffffff:
        raise ModelError("a list of names has 2 GiB or more")
    import numpy as np

    n_lines = np.count_nonzero(np.asarray(view) == 0x0a) + 1 if size else 0
    names = np.zeros(size + TEXT_PADDING, np.uint8)
    starts = np.zeros(n_lines + 1, np.uint32)
    forced = np.zeros(n_lines + 1, np.uint8)
    cdef uint8_t[::1] names_view = names, forced_view = forced
    cdef uint32_t[::1] starts_view = starts
    memset(&found, 0, sizeof(NameScan))
    found.names = &names_view[0]
    found.starts = &starts_view[0]
    found.forced = &forced_view[0]
    if size:
        with nogil:
            scan(&view[0], size, &found)
    if found.fault != FAULT_NONE:
        return None, 0, 0, (found.line, FAULTS[found.fault])
    n = found.n
    arrays = {
        "text": names[: int(starts[n]) + TEXT_PADDING].copy(),
        "starts": starts[: n + 1].copy(),
        "forced": forced[:n].copy(),
    }
    return arrays, found.n_uncased, found.first_uncased, None


cdef class NameList(Component):
    """Names in their right case, of words and phrases.

    Arrays: ``text``, the names one after the other and 16 zeros; ``starts``, where each begins and
    the last one ends; ``forced``, 1 for a name that neither context nor rules of first words
    change, 2 for a word that does so where it came in capitals. Settings: ``bonus``, with the
    defaults `BONUS`.
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
        cdef Py_ssize_t i, n = self.starts.shape[0] - 1, end = self.starts[n] if n >= 0 else 0
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
        if not 0 <= index < len(self):
            raise IndexError(f"name {index} of {len(self)}")
        cdef uint32_t first = self.starts[index], last = self.starts[index + 1]
        name = bytes(self.text[first:last]).decode("utf-8", "replace")
        return f"!{name}" if self.forced[index] == 1 else name

    def info(self):
        return {
            **super().info(),
            "names": len(self),
            "forced": bytes(self.forced).count(1),
        }


cdef inline bint is_lower_too(const LexiconView* lexicon, uint32_t index) noexcept nogil:
    """Whether a word is also a common word: it has a lowercase form; `index` by `first_record`."""
    cdef int n_forms = 0
    while index and n_forms < MAX_FORMS:
        if lexicon.records[index - 1] & FORM_TAG == TAG_AL:
            return True
        index = next_record(lexicon, index)
        n_forms += 1
    return False


cdef inline int kind_of(const LexiconView* lexicon, const TokenArray* tokens) noexcept nogil:
    """NAME_SURE if a word of the name is only a name, else NAME_LIKELY."""
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

cdef struct Waiting:             # a sequence of units on its way into the table
    uint64_t state
    uint32_t name_and_plural     # bits as in `NameState`, or 0
    bint goes_on

cdef struct Builder:
    NamesView* view
    uint64_t* filter
    KeyIndex* states
    const LexiconView* lexicon
    bint turkic
    Waiting waiting[N_WAITING]   # their slots are prefetched
    int n_waiting
    uint8_t room[LONGEST_NAME + 2 * TEXT_PADDING]


cdef inline int set_state(KeyIndex* states, const Waiting* entry) noexcept nogil:
    """Enter a sequence of units; a later name replaces an earlier one, a plural no name."""
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
    """Enter the waiting sequences, in order; a Status."""
    cdef int i, status
    for i in range(build.n_waiting):
        status = set_state(build.states, &build.waiting[i])
        if status != STATUS_OK:
            return status
    build.n_waiting = 0
    return STATUS_OK


cdef inline int enter(Builder* build, uint64_t state, uint32_t name_and_plural,
                      bint goes_on) noexcept nogil:
    """Prefetch the slot of a sequence of units, and enter it later; a Status."""
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
    """Key of a unit with an s; `room` is scratch memory."""
    cdef uint32_t n = unit.end - unit.start
    memcpy(room, text + unit.start, n)
    memset(room + n, 0, TEXT_PADDING + 1)
    room[n] = 0x73
    return token_of(room, 0, n + 1, 0, turkic).key


cdef inline bint ends_in_letter(const uint8_t* text, const Unit* unit) noexcept nogil:
    """Whether a unit's last code point is a letter."""
    cdef uint32_t p = unit.end - 1, length
    while p > unit.start and text[p] & 0xc0 == 0x80:
        p -= 1
    return (class_of(decode(text + p, text + unit.end, &length)) & CHAR_LETTER) != 0


cdef int enter_plural(Builder* build, const Unit* last, uint64_t before, int32_t n_units,
                      uint32_t name) noexcept nogil:
    """Enter the plural of a name of `n_units`; `before`: the state before its last. A Status."""
    cdef Unit plural = last[0]
    cdef uint64_t state
    if last.is_mark or not ends_in_letter(build.view.text, last):
        return STATUS_OK
    plural.key = key_of_plural(build.view.text, last, build.room, build.turkic)
    if n_units == 1:
        if first_record(build.lexicon, plural.key) != 0:
            # The plural is a word of its own: US makes no USs of uss.
            return STATUS_OK
        let_pass(build, plural.key)
        state = first_state(&plural)
    else:
        state = next_state(before, &plural)
    if n_units <= 2:
        let_pass(build, state)
    return enter(build, state, name | NAME_PLURAL, False)


cdef int enter_name(Builder* build, const TokenArray* tokens, uint32_t number) noexcept nogil:
    """Enter a name's sequences of units, and its plural; a Status."""
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
    """Enter all names, and set their kinds; a Status."""
    cdef TokenArray tokens
    cdef const NamesView* view = build.view
    cdef uint32_t number, n = <uint32_t>kinds.shape[0]
    cdef uint64_t capacity = 1024
    cdef int status
    # Most names have one or two units, and a plural.
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
            kinds[number] = NAME_SURE + min(forced[number], 2) if forced[number] else kind_of(
                build.lexicon, &tokens)
            status = enter_name(build, &tokens, number)
        if status != STATUS_OK:
            break
    free_tokens(&tokens)
    return status or enter_waiting(build)


cdef class NameTable:
    """Finds the names of a list; the lexicon says which of them are also common words.

    Parameters
    ----------
    names : NameList
    lexicon : Lexicon
    segmentation : int
        Segmentation of the text, and so of names.
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
