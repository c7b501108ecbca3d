"""The table of words of English speech, one for all models."""

from libc.stdint cimport uint8_t, uint32_t, uint64_t
from libc.string cimport memset

import numpy as np

from truecase.runtime._memory cimport TEXT_PADDING
from truecase.runtime._status cimport STATUS_OK
from truecase.text._key_index cimport KeyIndex, KeySlot, add_key, slot_of_key
from truecase.text._token cimport Token, describe

from truecase.lattice import spoken as lists

__all__ = []


cdef uint64_t key_of(str word):
    cdef const uint8_t[::1] text = word.encode("ascii") + b"\0" * TEXT_PADDING
    cdef Token token
    memset(&token, 0, sizeof(Token))
    token.end = <uint32_t>len(word)
    describe(&text[0], &token, False)
    return token.key


cdef class _SpokenTable:
    """Owner of the table's memory, as long as the process lives."""

    cdef KeyIndex words
    cdef uint64_t[::1] filter
    cdef SpokenView view

    def __cinit__(self):
        cdef KeySlot* slot
        cdef uint64_t key
        cdef uint32_t kind
        self.filter = np.zeros(SPOKEN_FILTER_WORDS, np.uint64)
        for kind, words in (
            (SPOKEN_LOWER, lists.LOWER),
            (SPOKEN_LIKELY_LOWER, lists.LIKELY_LOWER),
            (SPOKEN_I_AM, [lists.I_AM]),
            (SPOKEN_AFTER_I_AM, lists.AFTER_I_AM),
            (SPOKEN_I_WILL, lists.I_WILL),
            (SPOKEN_AFTER_I_WILL, lists.AFTER_I_WILL),
            (SPOKEN_DOT, [lists.DOT]),
            (SPOKEN_DOMAIN, lists.DOMAINS),
            (SPOKEN_NUMBER, lists.NUMBERS),
        ):
            for word in sorted(words):
                key = key_of(word)
                slot = slot_of_key(&self.words, key)
                if slot != NULL:
                    slot.value_plus_one = ((slot.value_plus_one - 1) | kind) + 1
                elif add_key(&self.words, key, kind) != STATUS_OK:
                    raise MemoryError("no memory left for the words of speech")
                if kind & SPOKEN_HAS_CASE:
                    key &= 64 * SPOKEN_FILTER_WORDS - 1
                    self.filter[key >> 6] |= <uint64_t>1 << (key & 63)
        self.view.is_active = True
        self.view.words = &self.words
        self.view.filter = &self.filter[0]
        self.view.sure = lists.SURE
        self.view.likely = lists.LIKELY


cdef _SpokenTable _TABLE = _SpokenTable()


cdef SpokenView view_spoken():
    return _TABLE.view
