"""The n-grams of a model."""

from truecase.ngram._table cimport MAX_ORDER, NgramTable
from truecase.packed._load cimport fill_slots

from truecase.modelfile.section import MAX_NUMBER

__all__ = ["LanguageModel"]


cdef int fill_table(NgramTable* table, section, str name) except -1:
    cdef const float[::1] values
    cdef int probability_bits = int(section.number(f"{name}.probability_bits", 1, 16))
    cdef int backoff_bits = int(section.number(f"{name}.backoff_bits", 0, 16))
    fill_slots(&table.slots, section, name, probability_bits + backoff_bits)
    table.probability_bits = probability_bits
    table.probability_mask = (1 << probability_bits) - 1
    table.backoff_mask = (1 << backoff_bits) - 1
    values = section.array(f"{name}.probability_ln", "float32", 1 << probability_bits)
    table.probability_ln = &values[0]
    if backoff_bits:
        values = section.array(f"{name}.backoff_ln", "float32", 1 << backoff_bits)
        table.backoff_ln = &values[0]
    return 0


cdef class LanguageModel(Component):
    """Cased n-grams of order 2 and more; unigrams are the lexicon's.

    Arrays, for each order k from 2 up: ``ngramk.slots``, ``ngramk.probability_ln`` and, but in
    the highest order, ``ngramk.backoff_ln``. Settings: ``order``; ``closed``, whether every
    n-gram's first and last words but one are n-grams, too; ``weight``, if no features beside
    them have it, by default 1; and those of the packed tables.
    """

    about = "cased n-grams"

    def __cinit__(self, arrays, settings=None):
        cdef int k
        section = self.section("lm")
        self.view.order = int(section.number("order", 1, MAX_ORDER))
        self.view.closed = self.settings.get("closed") is True
        self.weight = 1.0
        if "weight" in self.settings:
            self.weight = section.number("weight", -MAX_NUMBER, MAX_NUMBER)
        for k in range(2, self.view.order + 1):
            fill_table(&self.view.tables[k], section, f"ngram{k}")

    @property
    def order(self):
        """Longest n-gram, in words."""
        return self.view.order

    def info(self):
        """What it is, in a few words and numbers."""
        names = [f"ngram{k}" for k in range(2, self.order + 1)]
        return {
            **super().info(),
            "order": self.order,
            **{name: self.settings[name].get("n_entries") for name in names},
        }
