"""A model of the preset crf: text in, language model and lexicon, weights, a model out."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from truecase.crf.features import LM, named_weights, weight_vector
from truecase.crf.holdout import Holdout
from truecase.crf.train import (
    SIGMA,
    Development,
    Fit,
    Report,
    fit_weights,
    import_minimize,
    judge_features,
    search_sigma,
)
from truecase.modelfile.errors import ModelError
from truecase.portage.clean import TextFilter
from truecase.training.fit import Report as StepReport
from truecase.training.options import TrainingOptions
from truecase.training.train import train_arrays

if TYPE_CHECKING:
    from truecase.truecaser import Truecaser

_Vector = npt.NDArray[np.float64]

# A language model that lacks this share of the text is estimated again, from all of it.
_SHARE_TO_MISS = 0.02


def current_weights(truecaser: "Truecaser") -> _Vector:
    """The weights of a model, in the order of `truecase.crf.features.columns`.

    Raises
    ------
    ModelError
        If it has none.
    """
    if "crf" not in truecaser.metadata["decoder"]:
        raise ModelError(
            f"a model of the preset {truecaser.metadata['decoder']['preset']} has no features "
            "to be weighed; train one with --preset crf"
        )
    names = truecaser.metadata["decoder"]["crf"]["columns"]
    return weight_vector(dict(zip(names, map(float, truecaser.arrays["crf.weights"]), strict=True)))


def with_weights(truecaser: "Truecaser", weights: _Vector) -> "Truecaser":
    """The same model with other weights; those that are 0 are not kept."""
    from truecase.truecaser import Truecaser

    named = named_weights(weights)
    named.setdefault(LM, 0.0)
    arrays = dict(truecaser.arrays)
    arrays["crf.weights"] = np.array(list(named.values()), np.float32)
    decoder = dict(truecaser.metadata["decoder"])
    decoder["crf"] = {**decoder["crf"], "columns": list(named)}
    return Truecaser(arrays, {**truecaser.metadata, "decoder": decoder})


def learn_weights(
    truecaser: "Truecaser",
    text: bytes,
    *,
    sigma: float | str = SIGMA,
    threads: int = 1,
    report: Report | None = None,
    mean: _Vector | None = None,
    judge: bool = True,
) -> tuple["Truecaser", Fit]:
    """Learn the weights of a model's features on cased text that it was not estimated from.

    Parameters
    ----------
    truecaser : Truecaser
        A model of the preset crf.
    text : bytes
        Cased lines, other than those that language model and lexicon come from: features
        look better on text that they were counted in than they are, and the weights would
        trust them too much.
    sigma : float or "search"
        Standard deviation of the prior around its mean.
    threads : int
        The weights do not depend on it.
    report : callable, optional
    mean : float64 ndarray, optional
        Mean of the prior; 0 by default.
    judge : bool
        Also find each feature's share of the decisions.

    Returns
    -------
    truecaser : Truecaser
        The model with the weights.
    fit : Fit
    """
    start = current_weights(truecaser)
    development = Development(truecaser._compiled, text, threads)
    if sigma == "search":
        sigma, _ = search_sigma(development, start, mean=mean, report=report)
    fit = fit_weights(development, start, sigma=float(sigma), mean=mean, report=report)
    if judge:
        fit.features = judge_features(development, fit.weights)
    learned = with_weights(truecaser, fit.weights)
    learned.metadata["crf"] = fit.to_dict()
    return learned, fit


def train_crf(
    read: Callable[[], Iterable[bytes]],
    options: TrainingOptions,
    *,
    development: bytes | None = None,
    can_read_again: bool = True,
    step: StepReport = lambda name, share: None,
    report: Report | None = None,
) -> tuple["Truecaser", Fit]:
    """Train a model of the preset crf.

    Without a development text of its own, some of the training text is held out from language
    model and lexicon, and the weights are learned on that. If it is more than 2 % of the text,
    language model and lexicon are then made again, from all of it; the weights stay.

    Parameters
    ----------
    read : callable
        Gives the training text, as blocks of whole lines.
    options : TrainingOptions
    development : bytes, optional
        Cased text to learn the weights on. It must not be part of the training text.
    can_read_again : bool
        Whether `read` may be called twice.
    step, report : callable
        Told of the steps of training, and of each evaluation of the objective.

    Returns
    -------
    truecaser : Truecaser
    fit : Fit
    """
    from truecase.truecaser import Truecaser

    import_minimize()
    holdout = None
    if development is None:
        holdout = Holdout(TextFilter(options)(read()))
        arrays, metadata = train_arrays(holdout.training(), options, step)
        development = holdout.text()
    else:
        arrays, metadata = train_arrays(read(), options, step)
    step("learning weights", 0.0)
    learned, fit = learn_weights(
        Truecaser(arrays, metadata),
        development,
        sigma=options.sigma,
        threads=options.threads or 1,
        report=report,
    )
    n_tokens = metadata["corpus"]["tokens"]
    if holdout is None or not can_read_again or fit.n_tokens < _SHARE_TO_MISS * n_tokens:
        return learned, fit
    summary = learned.metadata["crf"]
    arrays, metadata = train_arrays(read(), options, step)
    again = with_weights(Truecaser(arrays, metadata), fit.weights)
    again.metadata["crf"] = summary
    return again, fit
