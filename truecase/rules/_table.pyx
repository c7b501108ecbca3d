"""The table of a language's words and phrases, made of its TOML file once for each process."""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK
from truecase.kernels._maps cimport add_key, free_index
from truecase.kernels._segment cimport key_of
from truecase.rules._parts cimport learned_weights

from truecase.rules.language import phrases, read_rules


__all__ = []

# The bit of each list, by section.
_SPEECH = {
    "lower": SPEECH_LOWER, "likely_lower": SPEECH_LIKELY_LOWER, "i_am": SPEECH_I_AM,
    "i_will": SPEECH_I_WILL, "domain": SPEECH_DOMAIN, "number": SPEECH_NUMBER,
    "after_i_am": SPEECH_AFTER_I_AM, "after_i_will": SPEECH_AFTER_I_WILL, "dot": SPEECH_DOT,
    "letter_pair": SPEECH_LETTER_PAIR,
}
_FORMS = {
    "date": FORM_DATE, "lettered": FORM_LETTERED, "saluted": FORM_SALUTED,
    "upper_first": FORM_UPPER_FIRST, "versus": FORM_VERSUS, "court": FORM_COURT,
    "party": FORM_PARTY, "cites": FORM_CITES, "key": FORM_KEY, "head": FORM_HEAD,
    "unit_head": FORM_UNIT_HEAD, "note": FORM_NOTE, "note_head": FORM_NOTE_HEAD,
    "before_date": FORM_BEFORE_DATE, "after_date": FORM_AFTER_DATE,
    "between_dates": FORM_BETWEEN_DATES, "on_date": FORM_ON_DATE,
    "date_or_word": FORM_DATE_OR_WORD, "speech_verb": FORM_SPEECH_VERB,
    "salutation": FORM_SALUTATION, "unit": FORM_UNIT, "slashed": FORM_SLASHED,
}
_SENTENCES = {"abbreviations": FORM_ABBREVIATION}
_OFFICES = {
    "person": OFFICE_PHRASE, "often_name": OFFICE_PHRASE | OFFICE_OFTEN_NAME,
    "body": OFFICE_PHRASE | OFFICE_BODY, "only_lower": OFFICE_PHRASE | OFFICE_ONLY_LOWER,
    "rank": OFFICE_RANK, "ordinal": OFFICE_RANK | OFFICE_ORDINAL,
    "determiner": OFFICE_DETERMINER, "address": OFFICE_ADDRESS, "join": OFFICE_JOIN,
    "article": OFFICE_ARTICLE, "of": OFFICE_OF, "possessive": OFFICE_POSSESSIVE,
    "no_name": OFFICE_NO_NAME,
}
_COLUMNS = (("speech", _SPEECH, 0), ("forms", _FORMS, 1), ("sentences", _SENTENCES, 1),
            ("offices", _OFFICES, 2))


cdef class RuleTable:
    """Owner of the table's memory."""

    cdef KeyIndex index
    cdef RuleWord* words
    cdef uint64_t filter[FILTER_WORDS]
    cdef RulesView view

    def __cinit__(self, rules):
        cdef uint64_t key
        cdef uint32_t i
        entries = self.entries_of(rules)
        self.words = <RuleWord*>calloc(len(entries) + 1, sizeof(RuleWord))
        if self.words == NULL:
            raise MemoryError("no memory left for the words of rules")
        for i, (key, entry) in enumerate(entries.items()):
            if add_key(&self.index, key, i) != STATUS_OK:
                raise MemoryError("no memory left for the words of rules")
            speech, forms, offices, mask = entry
            self.words[i + 1] = RuleWord(speech, forms, offices, mask)
            if speech & SPEECH_HAS_CASE or forms & FORM_HAS_CASE:
                self.filter[(key >> 6) & (FILTER_WORDS - 1)] |= <uint64_t>1 << (key & 63)
        self.fill_view(rules)

    def __dealloc__(self):
        free_index(&self.index)
        free(self.words)

    cdef dict entries_of(self, rules):
        """Collect by key the bits of speech, forms and offices, and the mask of a unit."""
        cdef uint64_t key
        entries = {}
        for section, bits, column in _COLUMNS:
            values = rules.get(section, {})
            for name in bits.keys() & values.keys():
                for words, is_plural in phrases(values[name]):
                    key = 0
                    bit = bits[name]
                    is_phrase = len(words) > 1 or bit & OFFICE_PHRASE and column == 2
                    for word in words:
                        if is_phrase and column == 2:
                            add_bits_of(entries, key_of(word), 2, OFFICE_WORD)
                        key = add_word(key, key_of(word.lower())) if is_phrase else key_of(
                            word.lower())
                    if is_plural:
                        bit |= OFFICE_PLURAL
                    if name == "slashed" and words[0].isupper():
                        bit |= FORM_SLASHED_UPPER
                    entry = add_bits_of(entries, key, column, bit)
                    if name == "unit":
                        entry[3] = sum(1 << at for at, c in enumerate(words[0]) if c.isupper())
        return entries

    cdef int fill_view(self, rules) except -1:
        cdef int i
        capitals, sentences = rules.get("capitals", {}), rules.get("sentences", {})
        speech, forms = rules.get("speech", {}), rules.get("forms", {})
        memset(&self.view, 0, sizeof(RulesView))
        self.view.index = &self.index
        self.view.words = self.words
        self.view.filter = &self.filter[0]
        self.view.favours_speech = bool(speech)
        self.view.favours_forms = bool(forms)
        self.view.has_offices = "offices" in rules
        self.view.has_abbreviations = "abbreviations" in sentences
        self.view.may_raise = "pronoun" in capitals or "speech_verb" in forms
        self.view.has_ordinals = sentences.get("ordinals", True)
        for letter in capitals.get("pronoun", ""):
            self.view.pronoun = ord(letter)
        for i, form in enumerate(capitals.get("short_forms", "").split()):
            self.view.short_form[i] = ord(form[0]) | (ord(form[1]) << 8 if form[1:] else 0)
            self.view.n_short_forms = i + 1
        for letter in speech.get("letter_word", "").split():
            self.view.letter_words |= 1 << (ord(letter) - 0x61)
        for i, letter in enumerate(speech.get("after_i_am_ending", "")):
            self.view.ending[i] = ord(letter)
        self.view.sure = speech.get("sure", 0.0)
        self.view.likely = speech.get("likely", 0.0)
        self.view.unit_bonus = forms.get("unit_bonus", 0.0)
        self.view.form_bonus = forms.get("bonus", 0.0)
        if forms.get("learned_parts"):
            self.view.parts = learned_weights()
        return 0


cdef object add_bits_of(dict entries, uint64_t key, int column, uint32_t bits):
    entry = entries.setdefault(key, [0, 0, 0, 0])
    entry[column] |= bits
    return entry


# By language; they are never released, as views point into them.
cdef dict _TABLES = {}


cdef RulesView view_rules(str language, bint scores, bint own_scores) except *:
    cdef RuleTable table = _TABLES.get(language)
    cdef RulesView view
    if table is None:
        table = _TABLES.setdefault(language, RuleTable(read_rules(language)))
    view = table.view
    view.favours_speech &= scores
    view.favours_forms &= scores and own_scores
    return view
