"""The weights of a model's dense features: learned, and put into the model."""

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.errors import ModelError
from truecase.features._dense_features import DenseFeatures
from truecase.features.schema import LM, named_weights, weight_vector
from truecase.model.model import Model
from truecase.training.dense.maximise import (
    Development,
    Fit,
    Report,
    ablate_features,
    fit_weights,
    search_sigma,
)
from truecase.training.recipe import DenseRecipe

_Vector = npt.NDArray[np.float64]


def dense_features(model: Model) -> DenseFeatures:
    """Those of a model.

    Raises
    ------
    ModelError
        If it has none.
    """
    if model.dense is None:
        raise ModelError(
            f"a model of the preset {model.preset} has no dense features, whose weights are "
            "what can be learned again: train one of the preset crf or bilingual"
        )
    return model.dense


def current_weights(model: Model) -> _Vector:
    """The weights of a model, in the order of `truecase.features.schema.columns`.

    Raises
    ------
    ModelError
        If it has none.
    """
    return weight_vector(dense_features(model).weights)


def with_weights(model: Model, weights: _Vector) -> Model:
    """The same model with other weights; those that are 0 are not kept."""
    return model.replace(dense=_component(dense_features(model), weights))


def _component(dense: DenseFeatures, weights: _Vector) -> DenseFeatures:
    named = named_weights(weights)
    named.setdefault(LM, 0.0)
    return dense.with_weights(named)


def learn(
    model: Model,
    lines: bytes,
    recipe: DenseRecipe,
    prior: _Vector | None = None,
    *,
    threads: int = 1,
    report: Report | None = None,
    judge: bool = True,
) -> tuple[DenseFeatures, Fit]:
    """Learn the weights of a model's dense features.

    Parameters
    ----------
    model : Model
        With dense features.
    lines : bytes
        Cased lines, other than those that language model and lexicon come from: features
        look better on text that they were counted in than they are, and the weights would
        trust them too much.
    recipe : DenseRecipe
    prior : float64 ndarray, optional
        Mean of the weights' prior; 0 by default.
    threads : int
        The weights do not depend on it.
    report : callable, optional
        Told of each evaluation of the objective.
    judge : bool
        Also find each feature's share of the decisions.

    Returns
    -------
    component : DenseFeatures
    fit : Fit

    Raises
    ------
    ModelError
        If the model has no dense features.
    TrainingError
        If the text has nothing to learn from, or SciPy is missing.
    """
    start = current_weights(model)
    development = Development(CompiledModel(model), lines, threads)
    sigma = recipe.sigma
    if sigma == "search":
        sigma, _ = search_sigma(development, start, mean=prior, report=report)
    fit = fit_weights(development, start, sigma=float(sigma), mean=prior, report=report)
    if judge:
        fit.features = ablate_features(development, fit.weights)
    return _component(dense_features(model), fit.weights), fit
