"""λ, α and β of Ω from development text (Agbago, Kuhn & Foster 2005, 5).

All are those that give the case of the text's words the highest probability, each word's
history being as the text has it.
"""

import io
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.model.model import Model
from truecase.portage._case_models import CaseModels
from truecase.portage.case_models import DEFAULT_POWERS, DEFAULT_SHARE, N_BANDS
from truecase.training.portage._observe import observe
from truecase.training.recipe import PortageRecipe

# Exponents are drawn to the untuned ones, as if this many words spoke for those.
_PRIOR_WORDS = 20.0
_ROUNDS = 50


@dataclass(frozen=True)
class Observations:
    """θ and Φ of each candidate of the words that a text decides; see `observe`."""

    start: npt.NDArray[np.int64]
    gold: npt.NDArray[np.int64]
    band: npt.NDArray[np.uint8]
    theta_ln: npt.NDArray[np.float32]
    case_ln: npt.NDArray[np.float32]

    @property
    def chosen(self) -> npt.NDArray[np.int64]:
        """Places of the candidates that the text has."""
        return self.start[:-1] + self.gold


@dataclass(frozen=True)
class PortageFigures:
    """What λ, or the exponents, were fitted to.

    Attributes
    ----------
    words : int
        Of the text, those with a choice.
    """

    words: int

    def to_dict(self) -> dict[str, Any]:
        """For the metadata of a model."""
        return {"words": self.words}


def learn(model: Model, lines: bytes, recipe: PortageRecipe) -> tuple[CaseModels, PortageFigures]:
    """Fit λ, or the exponents, of Portage's variants to a correctly cased text.

    Parameters
    ----------
    model : Model
        With Portage's models of case.
    lines : bytes
        Text that the model was not trained on.
    recipe : PortageRecipe
        Of the variant interpolated or powers; a product has nothing to fit.
    """
    assert model.portage is not None
    arrays = model.portage.arrays
    settings = {**model.portage.settings, "variant": recipe.variant}
    observations = Observations(*observe(CompiledModel(model), io.BytesIO(lines)))
    figures = PortageFigures(len(observations.gold))
    if recipe.variant == "interpolated":
        settings["lm_share"] = fit_share(observations)
        return CaseModels(arrays, settings), figures
    powers = fit_powers(observations).astype(np.float32)
    return CaseModels({**arrays, "powers": powers}, settings), figures


def fit_share(observations: Observations) -> float:
    """λ of highest likelihood, by expectation maximisation (Jelinek & Mercer 1980)."""
    theta = np.exp(observations.theta_ln[observations.chosen].astype(np.float64))
    case = np.exp(observations.case_ln[observations.chosen].astype(np.float64))
    share = DEFAULT_SHARE
    if not len(theta):
        return share
    for _ in range(_ROUNDS):
        by_lm = share * theta
        share = float(np.mean(by_lm / np.maximum(by_lm + (1 - share) * case, 1e-300)))
        share = min(max(share, 1e-3), 1 - 1e-3)
    return round(share, 6)


def fit_powers(observations: Observations) -> npt.NDArray[np.float64]:
    """α of every band of training counts, then β, of highest penalised likelihood.

    For each band log Ω is a log-linear model with the features log θ and log Φ, concave in
    its two weights; Newton's method finds them.
    """
    powers = DEFAULT_POWERS.copy()
    counts = np.diff(observations.start)
    word = np.repeat(np.arange(len(counts)), counts)
    features = np.stack([observations.theta_ln, observations.case_ln], axis=1).astype(np.float64)
    for band in range(N_BANDS):
        inside = observations.band == band
        if inside.any():
            member = inside[word]
            _, group = np.unique(word[member], return_inverse=True)
            is_gold = np.zeros(len(word), np.bool_)
            is_gold[observations.chosen] = True
            powers[[band, N_BANDS + band]] = _fit_pair(
                features[member], group, is_gold[member], DEFAULT_POWERS[[band, N_BANDS + band]]
            )
    return powers


def _fit_pair(
    features: npt.NDArray[np.float64],
    group: npt.NDArray[np.int64],
    is_gold: npt.NDArray[np.bool_],
    prior: npt.NDArray[np.float64],
) -> npt.NDArray[np.float64]:
    """Two weights of a conditional log-linear model whose alternatives are groups of rows."""
    weights = prior.copy()
    n_groups = int(group.max()) + 1
    best = -np.inf
    step = np.zeros(2)
    for _ in range(_ROUNDS):
        score = features @ weights
        top = np.full(n_groups, -np.inf)
        np.maximum.at(top, group, score)
        weight = np.exp(score - top[group])
        total = np.bincount(group, weights=weight)
        p = weight / total[group]
        pull = weights - prior
        value = (
            float((score[is_gold] - top[group[is_gold]] - np.log(total[group[is_gold]])).sum())
            - _PRIOR_WORDS * float(pull @ pull) / 2
        )
        if value < best - 1e-9:
            # Newton overshot: half the step back.
            step /= 2
            weights = weights - step
            if float(np.abs(step).max()) < 1e-6:
                break
            continue
        best = value
        mean = np.stack([np.bincount(group, weights=p * column) for column in features.T], axis=1)
        gradient = features[is_gold].sum(axis=0) - mean.sum(axis=0) - _PRIOR_WORDS * pull
        hessian = (features * p[:, None]).T @ features - mean.T @ mean + _PRIOR_WORDS * np.eye(2)
        step = np.linalg.solve(hessian, gradient)
        if float(np.abs(step).max()) < 1e-6:
            break
        weights = weights + step
    return np.clip(weights, 0.0, 10.0)
