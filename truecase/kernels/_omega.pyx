"""Portage's models of case as a component of a model."""

from libc.stdint cimport uint8_t

from truecase.kernels._lexicon cimport N_CLASSES, N_CLASS_TAGS

from truecase.base._vectors import all_between
from truecase.errors import ModelError


__all__ = ["CaseModels"]

_VARIANTS = {"product": 0, "interpolated": 1, "powers": 2}


cdef class CaseModels(Component):
    """Portage's models of the case of a word by itself (Agbago et al. 2005).

    Arrays: ``case_code``, the code of each form record's log Φ, whose values are ``case_ln``;
    ``unknown_ln``, log Π; ``powers``. Settings: ``variant``, ``theta``, ``search``, ``lm_share``.
    """

    about = "Portage's models of case"

    def __cinit__(self, arrays, settings=None):
        cdef const uint8_t[::1] codes
        cdef const float[::1] values
        cdef int i
        section = self.section("portage")
        codes = section.array("case_code", "uint8")
        self.n_records = codes.shape[0]
        self.omega.case_code = &codes[0] if codes.shape[0] else NULL
        values = section.array("case_ln", "float32", 256)
        self.omega.case_ln = &values[0]
        values = section.array("unknown_ln", "float32", N_CLASSES * N_CLASS_TAGS)
        for i in range(N_CLASSES * N_CLASS_TAGS):
            self.omega.unknown_ln[i // N_CLASS_TAGS][i % N_CLASS_TAGS] = values[i]
        self.omega.variant = section.choice("variant", _VARIANTS)
        self.omega.joint = section.choice("theta", {"conditional": 0, "joint": 1})
        self.omega.left_to_right = section.choice("search", {"viterbi": 0, "left-to-right": 1})
        self.omega.lm_share = section.number("lm_share", 0, 1)
        values = section.array("powers", "float32", 2 * N_BANDS)
        if not all_between(values, -1e3, 1e3):
            raise ModelError("the array portage/powers has an entry beyond ±1000")
        for i in range(N_BANDS):
            self.omega.alpha[i] = values[i]
            self.omega.beta[i] = values[N_BANDS + i]
        for i in range(256):
            self.omega.count[i] = 2.0 ** (i / 8.0) - 1.0
        self.omega.is_active = True

    @property
    def multiplies_n_grams(self):
        """Whether edges stay those of the n-grams, with Φ and Π as factors of the nodes."""
        return bool(self.settings["variant"] == "product" and self.settings["theta"] == "joint")

    def info(self):
        return {
            **super().info(),
            **{name: self.settings[name] for name in ("variant", "search", "lm_share")},
        }
