"""A model's calibration: weights that turn probabilities into frequencies of being right."""

from truecase.errors import ModelError


__all__ = ["ONE", "SEVERAL", "Calibration"]

#: Names of the weights of words with several forms, and with one, in order.
SEVERAL = (
    "constant",
    "log_odds_of_rare_words",
    "log_odds_of_common_words",
    "seen",
    "seen_squared",
    "unseen",
    "familiar",
)
ONE = ("constant", "seen", "seen_squared", "unseen", "familiar")

assert len(SEVERAL) == N_SEVERAL and len(ONE) == N_ONE


cdef class Calibration(Component):
    """Weights that turn the probability of a form into how often such forms are right.

    Arrays: ``several`` and ``one``, the weights of words with several forms and with one. Those of
    log-odds are not negative: forms of a higher probability are right more often.
    """

    about = "a calibration of probabilities"

    def __cinit__(self, arrays, settings=None):
        cdef int i
        cdef double weight
        section = self.section("calibration")
        for i, weight in enumerate(section.array("several", "float32", N_SEVERAL)):
            self.view.several[i] = weight
        for i, weight in enumerate(section.array("one", "float32", N_ONE)):
            self.view.one[i] = weight
        if (self.view.several[<int>SEVERAL_RARE_LOG_ODDS] < 0.0
                or self.view.several[<int>SEVERAL_COMMON_LOG_ODDS] < 0.0):
            raise ModelError("the array calibration/several has a negative weight of log-odds")
        self.view.is_active = True

    def info(self):
        several, one = self.arrays["several"], self.arrays["one"]
        return {
            **super().info(),
            "several": dict(zip(SEVERAL, several.tolist(), strict=True)),
            "one": dict(zip(ONE, one.tolist(), strict=True)),
        }
