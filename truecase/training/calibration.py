"""Calibrate a model's probabilities on cased text that training has not seen.

Newton's method fits one logistic regression for words with several forms and one for words with one
form (`truecase/kernels/_calibration.pxd`). The less a text resembles the training text, the more a
model overrates itself, which no feature of a word shows fully. Texts therefore begin with equal
weights, and those with larger calibration errors gain weight, as in Sagawa et al. (2020).
"""

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from truecase._core import CompiledModel
from truecase.base.argument_types import check_arguments
from truecase.base.progress import Progress
from truecase.base.spool import Bools, Float64s
from truecase.base.threads import ordered_map
from truecase.errors import TrainingError, WrongTypeError
from truecase.evaluation._posteriors import judged_words
from truecase.evaluation.calibration import JudgedWords, calibration_error
from truecase.kernels._components import ONE, SEVERAL, Calibration
from truecase.kernels._unicode import lower
from truecase.kernels.text import line_slices
from truecase.model.model import Model
from truecase.training.material import PART_BYTES, Text, check_files, file_names, read_text

#: Words with case that each text needs, and how many of them, from the beginning, are used.
LEAST_WORDS = 1_000
MOST_WORDS = 100_000

# Number of reweightings of the texts, and their step for an error that is the mean of all texts'.
_ROUNDS = 8
_RATE = 1.0

# Weight of the prior, by which probabilities stay as they are; so little text overrules it.
_RIDGE = 0.1
_SURE = 13.8  # log-odds of one in a million
_LINEAR = [SEVERAL.index("log_odds_of_rare_words"), SEVERAL.index("log_odds_of_common_words")]
_SLOPES = [*_LINEAR, SEVERAL.index("moderate_log_odds")]


class Weights(NamedTuple):
    """Weights for words with several forms, and for words with one."""

    several: Float64s
    one: Float64s


def _as_they_are() -> Weights:
    """Weights that leave probabilities unchanged."""
    several, one = np.zeros(len(SEVERAL)), np.zeros(len(ONE))
    several[_LINEAR] = 1.0
    one[0] = _SURE
    return Weights(several, one)


@dataclass(frozen=True)
class TextFigures:
    """How sure a model is of the words of a text, and how often it is right.

    Attributes
    ----------
    words : int
        Words with case.
    accuracy : float
        Share of these words that come out right.
    before, after : float
        Mean probability of the chosen forms, from the model's scores and calibrated.
    error_before, error_after : float
        Expected calibration error: the mean difference between probability and accuracy among
        words of similar probability.
    error_left_out : float
        The same with weights learned on the other texts. If there is no other text, each half
        gets weights that were learned on the other half.
    """

    words: int
    accuracy: float
    before: float
    after: float
    error_before: float
    error_after: float
    error_left_out: float


@dataclass(frozen=True)
class Calibrated:
    """A model with a calibration, and the figures of each text."""

    model: Model
    texts: list[TextFigures]


def calibrate(
    model: Model,
    texts: Sequence[Text],
    *,
    threads: int = 1,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Calibrated:
    """Learn how often a model is right for each probability that it states.

    Parameters
    ----------
    model : Model
        Its calibration, if any, is replaced.
    texts : sequence of (path-like, sequence of path-like, or callable)
        Cased text that training has not seen, one text for each kind that the model is to case.
        The first 100,000 words with case of each are used.
    threads, progress, encoding
        See `truecase.training.train.train`.

    Raises
    ------
    WrongTypeError
        `model` is not a Model, or `texts` is one path.
    TrainingError
        There is no text, or one has fewer than 1,000 words with case.
    OSError, ValueError
        A file cannot be read or has another format; the message names it.
    """
    check_arguments(calibrate, locals())
    if isinstance(texts, (str, bytes)) or not isinstance(texts, Sequence):
        raise WrongTypeError(f"texts: expected a list of texts, found {type(texts).__name__}")
    if not texts:
        raise TrainingError("a calibration needs text: give one or more")
    check_files([name for text in texts for name in file_names(text)])
    plain = model.replace(calibration=None)
    compiled = CompiledModel(plain)
    judged = []
    for number, text in enumerate(texts, 1):
        blocks = read_text(text, progress, encoding)
        judged.append(_judge(compiled, blocks, model.text.casing_language, threads))
        n = len(judged[-1].probability)
        if n < LEAST_WORDS:
            name = ", ".join(file_names(text)) or f"text {number}"
            raise TrainingError(
                f"{name}: has {n:,} words with case, too few to calibrate by: at least "
                f"{LEAST_WORDS:,} are needed"
            )
    weights = fit(judged)
    component = Calibration(
        {"several": weights.several.astype(np.float32), "one": weights.one.astype(np.float32)}
    )
    figures = [
        _figures(words, weights, unseen)
        for words, unseen in zip(judged, _errors_left_out(judged, weights), strict=True)
    ]
    notes = {
        "texts": len(figures),
        "words": sum(one.words for one in figures),
        **{
            name: round(float(np.mean([getattr(one, name) for one in figures])), 5)
            for name in ("error_before", "error_after", "error_left_out")
        },
    }
    return Calibrated(plain.replace(calibration=component).with_notes(calibrated=notes), figures)


def _judge(
    model: CompiledModel, blocks: Iterable[bytes], language: str, threads: int
) -> JudgedWords:
    """Judge the words of a text, from its beginning, as many as calibration uses."""

    def judge_part(part: bytes) -> JudgedWords:
        return judged_words(model, *_lowered(part, language))

    found: list[JudgedWords] = []
    n = 0
    parts = (bytes(block[part]) for block in blocks for part in line_slices(block, PART_BYTES))
    for words in ordered_map(judge_part, parts, threads):
        found.append(words)
        n += len(words.probability)
        if n >= MOST_WORDS:
            break
    if not found:
        return judged_words(model, b"", b"")
    return JudgedWords(
        *(np.concatenate(arrays)[:MOST_WORDS] for arrays in zip(*found, strict=True))
    )


def _lowered(block: bytes, language: str) -> tuple[bytes, bytes]:
    """Lines in lower case and as they are, without the few whose length changes."""
    bare, right = [], []
    for line in block.decode("utf-8", "surrogateescape").split("\n"):
        given = line.encode("utf-8", "surrogateescape")
        without = lower(line, language).encode("utf-8", "surrogateescape")
        if len(given) == len(without):
            right.append(given)
            bare.append(without)
    return b"\n".join(bare), b"\n".join(right)


def fit(texts: Sequence[JudgedWords], start: Weights | None = None) -> Weights:
    """Find the weights that make the worst text's error the smallest."""
    shares = np.ones(len(texts))
    several = _Regression(texts, is_one=False)
    one = _Regression(texts, is_one=True)
    weights = best = _as_they_are() if start is None else start
    least = math.inf
    for _ in range(1 if len(texts) == 1 else 1 + _ROUNDS):
        weights = Weights(several.fit(shares, weights.several), one.fit(shares, weights.one))
        errors = np.array(
            [calibration_error(calibrated(text, weights), text.is_right) for text in texts]
        )
        if errors.max() < least:
            least, best = errors.max(), weights
        shares *= np.exp(_RATE * errors / max(errors.mean(), 1e-9))
        shares /= shares.mean()
    return best


def calibrated(words: JudgedWords, weights: Weights) -> Float64s:
    """The probabilities that a model with these weights states, as its kernel computes them.

    Words that it does not decide have 1.
    """
    values = words.values
    z = np.where(words.is_one, values[:, : len(ONE)] @ weights.one, values @ weights.several)
    return np.where(words.is_decided, _logistic(z), words.probability)


def _logistic(z: Float64s) -> Float64s:
    with np.errstate(over="ignore"):
        probability: Float64s = 1.0 / (1.0 + np.exp(-z))
    return probability


class _Regression:
    """A logistic regression on the words of several texts, with one form or with several."""

    def __init__(self, texts: Sequence[JudgedWords], *, is_one: bool) -> None:
        base = _as_they_are()
        self._prior = base.one if is_one else base.several
        self._slopes = [] if is_one else _SLOPES
        wanted = [text.is_decided & (text.is_one == is_one) for text in texts]
        n_weights = len(self._prior)
        self._values = np.concatenate(
            [text.values[of][:, :n_weights] for text, of in zip(texts, wanted, strict=True)]
        )
        self._right = np.concatenate(
            [text.is_right[of] for text, of in zip(texts, wanted, strict=True)]
        ).astype(np.float64)
        self._text = np.repeat(np.arange(len(texts)), [int(of.sum()) for of in wanted])
        # Each text counts the same, so that words of short texts count more.
        sizes = np.array([len(text.probability) for text in texts], np.float64)
        self._of_word = sizes.mean() / sizes

    def fit(self, shares: Float64s, start: Float64s) -> Float64s:
        """The weights that make these words the most probable, each text with its share."""
        of_word = (self._of_word * shares)[self._text]
        free = np.ones(len(start), bool)
        while True:
            weights = self._newton(of_word, np.where(free, start, 0.0), free)
            # Calibration must not reverse an order of probabilities.
            negative = [place for place in self._slopes if free[place] and weights[place] < 0.0]
            if not negative:
                return weights
            free[negative] = False

    def _newton(self, of_word: Float64s, weights: Float64s, free: Bools) -> Float64s:
        values, prior = self._values[:, free], self._prior[free]

        def loss(at: Float64s) -> float:
            z = values @ at
            wrong = np.logaddexp(0.0, z) - self._right * z
            return float(of_word @ wrong + _RIDGE * ((at - prior) ** 2).sum())

        at = weights[free]
        now = loss(at)
        for _ in range(100):
            probability = _logistic(values @ at)
            gradient = values.T @ (of_word * (probability - self._right))
            gradient += 2 * _RIDGE * (at - prior)
            spread = of_word * probability * (1.0 - probability)
            hessian = (values * spread[:, None]).T @ values + 2 * _RIDGE * np.eye(len(at))
            step = np.linalg.solve(hessian, gradient)
            # Far from the minimum, a whole step may overshoot.
            while (then := loss(at - step)) > now and np.abs(step).max() > 1e-9:
                step /= 2
            at, gain, now = at - step, now - then, then
            if gain <= 1e-9 * max(1.0, now):
                break
        found = np.zeros(len(weights))
        found[free] = at
        return found


def _errors_left_out(texts: Sequence[JudgedWords], weights: Weights) -> Iterator[float]:
    """The error of each text with weights learned on the other texts, or on its other half."""
    if len(texts) == 1:
        (text,) = texts
        middle = len(text.probability) // 2
        halves = [_part(text, slice(middle)), _part(text, slice(middle, None))]
        crossed = [
            calibrated(half, fit([other], weights))
            for half, other in zip(halves, reversed(halves), strict=True)
        ]
        yield calibration_error(np.concatenate(crossed), text.is_right)
        return
    for place, text in enumerate(texts):
        others = [other for number, other in enumerate(texts) if number != place]
        yield calibration_error(calibrated(text, fit(others, weights)), text.is_right)


def _part(words: JudgedWords, part: slice) -> JudgedWords:
    arrays: list[Any] = [array[part] for array in words]
    return JudgedWords(*arrays)


def _figures(words: JudgedWords, weights: Weights, left_out: float) -> TextFigures:
    after = calibrated(words, weights)
    return TextFigures(
        words=len(words.probability),
        accuracy=float(words.is_right.mean()),
        before=float(words.probability.mean()),
        after=float(after.mean()),
        error_before=calibration_error(words.probability, words.is_right),
        error_after=calibration_error(after, words.is_right),
        error_left_out=left_out,
    )
