"""Calibration: whether a model is right as often as its probabilities say."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


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

    probability: "npt.NDArray[np.float64]"
    values: "npt.NDArray[np.float64]"
    is_one: "npt.NDArray[np.bool_]"
    is_decided: "npt.NDArray[np.bool_]"
    is_right: "npt.NDArray[np.bool_]"


class Bin(NamedTuple):
    """The words whose posterior lies in an interval: their mean posterior and accuracy."""

    low: float
    high: float
    n_words: int
    confidence: float
    accuracy: float


#: Limits of the bins of a reliability table, finer where most words are.
LIMITS = (0.0, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.99, 0.999, 1.0)


def reliability(judged: Iterable[tuple[float, bool]]) -> tuple[list[Bin], float]:
    """Compare a model's posteriors with how often it is right.

    Parameters
    ----------
    judged : iterable of (float, bool)
        For each word the posterior of the chosen form, and whether the form is right.

    Returns
    -------
    bins : list of Bin
        The bins that have words.
    error : float
        Expected calibration error: the mean difference between confidence and accuracy over the
        bins, weighted by their words.
    """
    n = [0] * (len(LIMITS) - 1)
    confidence = [0.0] * len(n)
    right = [0] * len(n)
    for probability, is_right in judged:
        place = 0
        while place < len(n) - 1 and probability >= LIMITS[place + 1]:
            place += 1
        n[place] += 1
        confidence[place] += probability
        right[place] += is_right
    bins = [
        Bin(LIMITS[i], LIMITS[i + 1], n[i], confidence[i] / n[i], right[i] / n[i])
        for i in range(len(n))
        if n[i]
    ]
    total = max(1, sum(n))
    error = sum(b.n_words * abs(b.confidence - b.accuracy) for b in bins) / total
    return bins, error


def calibration_error(
    probabilities: "npt.NDArray[np.float64]", is_right: "npt.NDArray[np.bool_]"
) -> float:
    """Compute the expected calibration error of `reliability` from arrays."""
    import numpy as np

    place = np.searchsorted(LIMITS[1:-1], probabilities, side="right")
    differences = np.bincount(place, probabilities - is_right, len(LIMITS) - 1)
    return float(np.abs(differences).sum() / max(1, len(probabilities)))
