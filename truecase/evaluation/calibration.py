"""Calibration: whether a model is right as often as its probabilities say."""

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from truecase.base.spool import Bools, Float64s


class JudgedWords(NamedTuple):
    """Arrays with an entry for each word that has case.

    Attributes
    ----------
    probability : ndarray of float64
        Uncalibrated posterior of the chosen form.
    values : ndarray of float64, shape (n_words, n_weights)
        The features of a calibration; those of words with one form come first, the others are 0.
    is_one, is_decided, is_right : ndarray of bool
        The word has one form; the model decides its case; the chosen form is the reference's.
    """

    probability: "Float64s"
    values: "Float64s"
    is_one: "Bools"
    is_decided: "Bools"
    is_right: "Bools"


#: Limits of the bins of probabilities, finer where most words are.
LIMITS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)


def calibration_error(probabilities: "Float64s", is_right: "Bools") -> float:
    """Compute the expected calibration error.

    It is the mean difference between probability and accuracy over bins of words by their
    probability, weighted by their words.
    """
    import numpy as np

    place = np.searchsorted(LIMITS[1:-1], probabilities, side="right")
    differences = np.bincount(place, probabilities - is_right, len(LIMITS) - 1)
    return float(np.abs(differences).sum() / max(1, len(probabilities)))
