"""Weights of the dense features, and of those of a source: MAP training by L-BFGS.

The objective is that of Wang, Knight & Marcu (2006), equation 5. With the prior's mean at the
weights of another model, it is the adaptation of Chelba & Acero (2004).
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from truecase._core import CompiledModel
from truecase.alignment.lines import AlignedLines, all_caps_lines, wrong_links
from truecase.base.model_file import Arrays
from truecase.base.spool import Float64s, UInt8s
from truecase.base.threads import ordered_map
from truecase.errors import LearningWarning, ModelError, TrainingError
from truecase.kernels._components import DenseFeatures, SourceFeatures
from truecase.kernels.schema import BASE, LM, SOURCE_COLUMNS, columns, named_weights, weight_vector
from truecase.kernels.text import language_of
from truecase.model.model import Model
from truecase.training._dense_objective import TrainingLattices
from truecase.training.material import Lines, parts_of, sides
from truecase.training.recipe import DenseRecipe, SourceRecipe

#: Standard deviation of the weights around the prior's mean (WKM, 4.3).
SIGMA = 0.5

#: The values that ``sigma="search"`` tries.
SIGMAS = (0.05, 0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0)

# Parts of about this many bytes of text make up lattices; the parts, not the threads, determine the
# order in which numbers are added.
_PART = 1 << 15
# After so many iterations the search begins anew, with weights in units of their uncertainty at the
# point that it has reached: for weights of a source, this differs much from that at the start. One
# search without new beginnings takes five times as many iterations.
_ITERATIONS = 50
_MAX_ROUNDS = 60


@dataclass
class Feature:
    """Figures of one column.

    Attributes
    ----------
    name : str
    weight : float
    decisions : float
        Share of the ambiguous words that a weight of 0 would decide differently.
    """

    name: str
    weight: float
    decisions: float


@dataclass
class Fit:
    """Weights, and how well they fit.

    Attributes
    ----------
    weights : float64 ndarray
        In the order of `truecase.kernels.schema.columns`.
    sigma : float
    log_likelihood, objective : float
        Of the development text, natural log, without and with the prior's penalty.
    gradient_norm : float
        Euclidean norm of the objective's gradient.
    evaluations : int
    n_tokens, n_ambiguous, n_wrong : int
        Tokens of the development text; words with several candidates, one of them right; and
        how many of these words the weights decide wrongly.
    bytes_per_token : float
        Memory of the training lattices.
    features : list of Feature
        The columns with a weight, the most important first.
    """

    weights: Float64s
    sigma: float
    log_likelihood: float
    objective: float
    gradient_norm: float
    evaluations: int
    n_tokens: int
    n_ambiguous: int
    n_wrong: int
    bytes_per_token: float
    features: list[Feature] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The figures for the metadata of a model, rounded."""
        return {
            "sigma": self.sigma,
            "tokens": self.n_tokens,
            "ambiguous": self.n_ambiguous,
            "wrong": self.n_wrong,
            "log_likelihood": round(self.log_likelihood, 3),
            "gradient_norm": round(self.gradient_norm, 6),
            "evaluations": self.evaluations,
            "decisions": {feature.name: round(feature.decisions, 6) for feature in self.features},
        }


class Development:
    """The lattices of a development text, evaluated by several threads.

    The sums do not depend on the number of threads. `model` has a CRF preset and was estimated from
    other text; `text` is cased lines, with or without their source.
    """

    def __init__(self, model: CompiledModel, text: Lines, threads: int = 1) -> None:
        self._threads = threads
        parts = parts_of(text, _PART)
        made = ordered_map(lambda part: TrainingLattices(model, *sides(part)), parts, threads)
        self._parts = list(made)

    @property
    def sizes(self) -> dict[str, int]:
        """`TrainingLattices.sizes`, summed up over the text."""
        sizes = [part.sizes for part in self._parts]
        return {name: sum(one[name] for one in sizes) for name in ("tokens", "words", "bytes")}

    def _evaluate_parts(self, weights: Float64s) -> list[tuple[float, Float64s, int, int]]:
        return list(ordered_map(lambda part: part.evaluate(weights), self._parts, self._threads))

    def curvature(self, weights: Float64s) -> Float64s:
        """Approximate negative second derivatives of the log-likelihood by each weight.

        They are the variance of the gradient over the parts of the text (Berndt et al. 1974).
        """
        gradients = np.array([result[1] for result in self._evaluate_parts(weights)])
        variance: Float64s = ((gradients - gradients.mean(axis=0)) ** 2).sum(axis=0)
        return variance

    def evaluate(self, weights: Float64s) -> tuple[float, Float64s, int, int]:
        """`TrainingLattices.evaluate`, summed up over the text."""
        results = self._evaluate_parts(weights)
        gradient = np.zeros(len(weights))
        log_likelihood, n_ambiguous, n_wrong = 0.0, 0, 0
        for part_ll, part_gradient, ambiguous, wrong in results:
            log_likelihood += part_ll
            gradient += part_gradient
            n_ambiguous += ambiguous
            n_wrong += wrong
        return log_likelihood, gradient, n_ambiguous, n_wrong

    def choices(self, weights: Float64s) -> UInt8s:
        """The most probable candidate of every word in the lattices."""

        def choose(part: TrainingLattices) -> UInt8s:
            chosen = np.zeros(part.sizes["words"], np.uint8)
            part.evaluate(weights, chosen)
            return chosen

        chosen = list(ordered_map(choose, self._parts, self._threads))
        return np.concatenate(chosen or [np.zeros(0, np.uint8)])

    def halves(self) -> tuple[Development, Development]:
        """Two interleaved parts of the text."""
        parts = Development.__new__(Development), Development.__new__(Development)
        for number, half in enumerate(parts):
            half._threads = self._threads
            half._parts = self._parts[number::2]
        return parts


def fit_weights(
    development: Development,
    start: Float64s,
    *,
    sigma: float = SIGMA,
    mean: Float64s | None = None,
    active: Sequence[bool] | None = None,
) -> Fit:
    """Find the weights of the highest posterior probability; TrainingError as in `learn_dense`.

    The search begins at `start`, float64; columns that are not `active`, by default all are, keep
    these weights. The prior has the mean `mean`, 0 by default, and the standard deviation `sigma`.
    """
    minimize = import_minimize()
    if development.evaluate(start)[2] == 0:
        raise TrainingError(
            "the development text has no word with a choice of case: nothing to learn from"
        )
    mean = np.zeros(len(start)) if mean is None else mean
    free = np.ones(len(start), np.bool_) if active is None else np.asarray(active, np.bool_)
    evaluations = 0
    weights = start.copy()

    def negative(values: Float64s, unit: Float64s) -> tuple[float, Float64s]:
        nonlocal evaluations
        evaluations += 1
        weights[free] = values * unit
        log_likelihood, gradient, _, _ = development.evaluate(weights)
        distance = weights - mean
        objective = log_likelihood - float(distance @ distance) / (2 * sigma * sigma)
        gradient = (gradient - distance / (sigma * sigma))[free]
        return -objective, -gradient * unit

    for _ in range(_MAX_ROUNDS):
        # In units of their own uncertainty, all weights have the same scale for the search.
        unit = 1.0 / np.sqrt(development.curvature(weights) + 1.0 / (sigma * sigma))[free]
        found = minimize(
            negative,
            weights[free] / unit,
            args=(unit,),
            jac=True,
            method="L-BFGS-B",
            options={"maxiter": _ITERATIONS, "maxcor": _ITERATIONS, "ftol": 1e-9, "gtol": 1e-2},
        )
        weights[free] = found.x * unit
        if found.success:
            break
    else:
        warnings.warn(
            f"the weights had not converged after {evaluations:,} evaluations: the norm of the "
            f"gradient is {np.linalg.norm(found.jac / unit):.3g}",
            LearningWarning,
            stacklevel=2,
        )
    # The model file holds 32-bit weights: the figures are those of the rounded weights.
    weights = weights.astype(np.float32).astype(np.float64)
    log_likelihood, _, n_ambiguous, n_wrong = development.evaluate(weights)
    sizes = development.sizes
    return Fit(
        weights=weights,
        sigma=sigma,
        log_likelihood=log_likelihood,
        objective=-float(found.fun),
        gradient_norm=float(np.linalg.norm(found.jac / unit)),
        evaluations=evaluations,
        n_tokens=sizes["tokens"],
        n_ambiguous=n_ambiguous,
        n_wrong=n_wrong,
        bytes_per_token=sizes["bytes"] / max(1, sizes["tokens"]),
    )


def search_sigma(
    development: Development, start: Float64s, *, mean: Float64s | None = None
) -> float:
    """Find the standard deviation whose weights make held-out text the most probable.

    One half of the development text gives the weights, and the other half judges.
    """
    learning, judging = development.halves()
    likelihoods = {}
    for sigma in SIGMAS:
        fit = fit_weights(learning, start, sigma=sigma, mean=mean)
        start = fit.weights
        likelihoods[sigma] = judging.evaluate(fit.weights)[0]
    return max(likelihoods, key=lambda sigma: likelihoods[sigma])


def ablate_features(development: Development, weights: Float64s) -> list[Feature]:
    """Leave out each column and count the changed decisions; the largest share comes first."""
    n_ambiguous = max(1, development.evaluate(weights)[2])
    chosen = development.choices(weights)
    features = []
    for place, name in enumerate(columns()):
        if weights[place] == 0.0:
            continue
        without = weights.copy()
        without[place] = 0.0
        changed = int((development.choices(without) != chosen).sum())
        features.append(Feature(name, float(weights[place]), changed / n_ambiguous))
    return sorted(features, key=lambda feature: (-feature.decisions, feature.name))


def import_minimize() -> Callable[..., Any]:
    """Import SciPy's minimiser; raise TrainingError if SciPy is not installed."""
    try:
        from scipy.optimize import minimize
    except ModuleNotFoundError:
        raise TrainingError(
            "learning the weights of features needs SciPy: pip install scipy threadpoolctl"
        ) from None
    found: Callable[..., Any] = minimize
    return found


# Weights of a model


def dense_features(model: Model) -> DenseFeatures:
    """The dense features of a model; ModelError if it has none."""
    if model.dense is None:
        raise ModelError(
            f"a model of the preset {model.preset} has no dense features, whose weights are "
            "what can be learned again: train one of the preset crf or bilingual"
        )
    return model.dense


def current_weights(model: Model) -> Float64s:
    """The dense weights of a model in the order of `columns`; ModelError if it has none."""
    return weight_vector(dense_features(model).weights)


def with_weights(model: Model, weights: Float64s) -> Model:
    """The same model with other weights; it drops those that are 0."""
    return model.replace(dense=_component(dense_features(model), weights))


def _component(dense: DenseFeatures, weights: Float64s) -> DenseFeatures:
    named = named_weights(weights)
    named.setdefault(LM, 0.0)
    return dense.with_weights(named)


def learn_dense(
    model: Model,
    lines: bytes,
    recipe: DenseRecipe,
    prior: Float64s | None = None,
    *,
    threads: int = 1,
    judge: bool = True,
) -> tuple[DenseFeatures, Fit]:
    """Learn the weights of a model's dense features.

    Parameters
    ----------
    lines : bytes
        Cased lines that are not part of the text of language model and lexicon: on that text,
        features look better than they are, and the weights would trust them too much.
    prior : float64 ndarray, optional
        Mean of the weights' prior; 0 by default.
    threads : int
        The weights do not depend on it.
    judge : bool
        Also find each feature's share of the decisions.

    Raises
    ------
    ModelError
        The model has no dense features.
    TrainingError
        The text has nothing to learn from, or SciPy is missing.
    """
    start = current_weights(model)
    development = Development(CompiledModel(model), lines, threads)
    sigma = recipe.sigma
    if sigma == "search":
        sigma = search_sigma(development, start, mean=prior)
    fit = fit_weights(development, start, sigma=float(sigma), mean=prior)
    if judge:
        fit.features = ablate_features(development, fit.weights)
    return _component(dense_features(model), fit.weights), fit


# Weights of the columns that look at the source sentence
#
# Wang, Knight & Marcu (2006) describe them in 4.2. If the model's other features are columns, too,
# they get other weights for lines with a source; any other model's score without a source is one
# column.

# One line in this many is repeated in upper case on both sides: a source in upper case is strong
# evidence, but development texts have too little of it to learn that.
_ALL_CAPS_EVERY = 20

# Lines are repeated with this share of their links wrong, since aligners err. Errors of the
# embedded model fall by 0.4 %, with the links as they are and with half of them wrong.
_WRONG_LINKS = 0.3

# Smallest weight of a network's score.
_LEAST_BASE = 0.1


def source_features(
    model: Model, aligned: Float64s, unaligned: Float64s, casing: str = "default"
) -> SourceFeatures:
    """Weights of a model for a source, whose language has this `casing`.

    The weights, float64, in the order of `truecase.kernels.schema.columns`, are for lines with an
    alignment and for lines without one.
    """
    place = {name: index for index, name in enumerate(columns())}
    values = [
        float(vector[place[name]]) for vector in (aligned, unaligned) for name in SOURCE_COLUMNS
    ]
    arrays: Arrays = {"weights": np.array(values, np.float32)}
    settings: dict[str, Any] = {"features": list(SOURCE_COLUMNS), "casing": casing}
    if model.dense is not None or model.network is not None:
        others = named_weights(aligned)
        others = {name: w for name, w in others.items() if name not in (*SOURCE_COLUMNS, BASE)}
        others.setdefault(LM, 0.0)
        arrays["dense_weights"] = np.array(list(others.values()), np.float32)
        settings["dense_features"] = list(others)
    return SourceFeatures(arrays, settings)


def weights_of(model: Model) -> Float64s:
    """The weights of a model without a source, in the order of `columns`."""
    if model.dense is not None:
        return weight_vector(model.dense.weights)
    lm_weight = 1.0 if model.network is None else float(model.network.settings["lm_weight"])
    return weight_vector({LM: lm_weight, BASE: 1.0})


def learn_source(
    model: Model,
    lines: AlignedLines,
    recipe: SourceRecipe,
    *,
    sigma: float = SIGMA,
    threads: int = 1,
) -> tuple[SourceFeatures, Fit]:
    """Learn the weights of a model for lines with a source.

    Parameters
    ----------
    model : Model
        Its language model has order 2 at least.
    lines : AlignedLines
        Cased text that the model was not estimated from. Weights for aligned lines are learned
        with its phrases and with deliberately wrong ones, weights for other lines without phrases.
    sigma : float
        Standard deviation of the weights' prior. The prior's mean is 0, or the weight without a
        source for columns that have one.
    threads : int
        As for `learn_dense`. The result's `Fit` is that of aligned lines.
    """
    start = weights_of(model)
    casing = recipe.casing
    languages = (model.text.casing_language, language_of(casing))
    all_caps = all_caps_lines(lines, _ALL_CAPS_EVERY, *languages)
    lines = AlignedLines.join([lines, all_caps])
    linked = lines
    if lines.phrases is not None:
        linked = AlignedLines.join([lines, wrong_links(lines, _WRONG_LINKS)])
    bare = CompiledModel(model.replace(source=source_features(model, start, start, casing)))
    of_source = np.isin(columns(), SOURCE_COLUMNS)
    free = of_source | (model.dense is not None)
    if model.network is not None:
        # A network is surer than it is right, of text that it has not read.
        free |= np.isin(columns(), (LM, BASE))
    mean = np.where(of_source, 0.0, start)
    development = Development(bare, linked, threads)
    fit = fit_weights(development, start, sigma=sigma, mean=mean, active=list(free))
    fit.features = ablate_features(development, fit.weights)
    del development
    unaligned = fit.weights
    if lines.phrases is not None:
        development = Development(bare, AlignedLines(lines.target, lines.source), threads)
        unaligned = fit_weights(
            development, fit.weights, sigma=sigma, mean=mean, active=list(of_source)
        ).weights
    # Models have no weight of a network's score: all else is in its unit.
    unit = 1.0
    if model.network is not None:
        unit = max(fit.weights[list(columns()).index(BASE)], _LEAST_BASE)
    return source_features(model, fit.weights / unit, unaligned / unit, casing), fit
