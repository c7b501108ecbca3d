"""The lexicon of a model."""

from libc.stdint cimport uint32_t

from truecase.lexicon._lexicon cimport N_CLASS_TAGS, N_CLASSES
from truecase.lexicon._special cimport class_form
from truecase.packed._load cimport fill_slots

from truecase.modelfile.section import MAX_NUMBER

__all__ = ["Lexicon"]


cdef class Lexicon(Component):
    """Lowercase word → its forms, their unigrams and counts; the classes of unknown words.

    Arrays: ``slots`` and ``records`` (`truecase/lexicon/_lexicon.pxd`), ``probability_ln`` and
    ``backoff_ln``, the values of their codes; and, of the 20 class tokens,
    ``classes.probability_ln``, ``classes.backoff_ln`` and ``classes.word_given_class_ln``.
    Settings: ``candidates``; the prices ``unseen_form_ln`` and ``parts_bonus_ln``; unigrams of the
    sentence marks, ``sentence_start_backoff_ln`` and ``sentence_end_ln``; ``smartcase``; those
    of the packed table.
    """

    about = "forms of each word, their unigram probabilities and counts"

    def __cinit__(self, arrays, settings=None):
        cdef const uint32_t[::1] records
        cdef const float[::1] values, class_lm, class_backoff, class_word
        cdef int c, t, i
        section = self.section("lexicon")
        records = section.array("records", "uint32")
        self.view.n_records = <uint32_t>records.shape[0]
        self.view.records = &records[0] if records.shape[0] else NULL
        fill_slots(&self.view.slots, section, "", int(section.number("payload_bits", 1, 32)))
        values = section.array("probability_ln", "float32", 256)
        self.view.probability_ln = &values[0]
        values = section.array("backoff_ln", "float32", 256)
        self.view.backoff_ln = &values[0]
        class_lm = section.array("classes.probability_ln", "float32", N_CLASSES * N_CLASS_TAGS)
        class_backoff = section.array("classes.backoff_ln", "float32", N_CLASSES * N_CLASS_TAGS)
        class_word = section.array(
            "classes.word_given_class_ln", "float32", N_CLASSES * N_CLASS_TAGS)
        for c in range(N_CLASSES):
            for t in range(N_CLASS_TAGS):
                i = N_CLASS_TAGS * c + t
                self.view.classes[c][t].form = class_form(c, t)
                self.view.classes[c][t].log_probability = class_lm[i]
                self.view.classes[c][t].log_backoff = class_backoff[i]
                self.view.classes[c][t].log_word_given_class = class_word[i]
        self.view.parts_bonus = section.number("parts_bonus_ln", -MAX_NUMBER, MAX_NUMBER)
        self.view.unseen_form = section.number("unseen_form_ln", -MAX_NUMBER, MAX_NUMBER)
        self.sentence_start_backoff_ln = section.number(
            "sentence_start_backoff_ln", -MAX_NUMBER, MAX_NUMBER)
        self.sentence_end_ln = section.number("sentence_end_ln", -MAX_NUMBER, MAX_NUMBER)
        self.proposes_all = section.choice("candidates", {"pruned": 0, "full": 1})
        self.smartcase = self.settings.get("smartcase", True) is True

    @property
    def n_records(self):
        """Form records."""
        return self.view.n_records

    def info(self):
        """What it is, in a few words and numbers."""
        return {
            **super().info(),
            "words": self.settings.get("n_entries"),
            "forms": self.settings.get("n_forms"),
            "candidates": self.settings["candidates"],
        }
