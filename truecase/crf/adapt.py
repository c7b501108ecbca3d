"""Adaptation of a model to a domain by some text of it.

*Weights* are learned anew on the domain's text with the prior's mean at the weights that the
model has (Chelba & Acero 2004): where the text says nothing, they stay as they are.

*Words and n-grams* of further text of the domain are mixed in by linear interpolation
(`truecase/decode/_mixture.pxd`): the file of the adapted model holds both language models. How
much of the domain's is taken is what makes the development text the most probable.
"""

from typing import TYPE_CHECKING, Any

import numpy as np

from truecase.crf.model import current_weights, learn_weights
from truecase.crf.train import Development, Fit, Report
from truecase.modelfile.errors import ModelError
from truecase.training.options import TrainingOptions
from truecase.training.train import train_arrays

if TYPE_CHECKING:
    from collections.abc import Iterable

    from truecase.truecaser import Truecaser


#: Standard deviation of the weights around those of the base model.
SIGMA = 0.1

#: Shares of the domain's language model that are tried.
MIXTURE_WEIGHTS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)


def adapt_weights(
    base: "Truecaser",
    text: bytes,
    *,
    sigma: float | str = SIGMA,
    threads: int = 1,
    report: Report | None = None,
) -> tuple["Truecaser", Fit]:
    """Learn a model's weights on text of a domain, starting from those it has.

    Parameters
    ----------
    base : Truecaser
        A model of the preset crf.
    text : bytes
        Cased lines of the domain.
    sigma : float or "search"
        Standard deviation of the prior. The smaller, the closer the weights stay.
    threads : int
        The weights do not depend on it.
    report : callable, optional

    Returns
    -------
    truecaser : Truecaser
    fit : Fit

    Raises
    ------
    ModelError
        If the model has no weights.
    TrainingError
        If the text has nothing to learn from, or SciPy is missing.
    """
    adapted, fit = learn_weights(
        base, text, sigma=sigma, threads=threads, report=report, mean=current_weights(base)
    )
    adapted.metadata["adapted"] = {
        **adapted.metadata.get("adapted", {}),
        "tokens": fit.n_tokens,
        "sigma": fit.sigma,
    }
    return adapted, fit


def mix_in(
    base: "Truecaser",
    blocks: "Iterable[bytes]",
    text: bytes,
    *,
    min_count: int = 1,
    max_size: int | None = None,
    threads: int = 1,
) -> tuple["Truecaser", list[tuple[float, float]]]:
    """Mix the words and n-grams of a domain's text into a model.

    Parameters
    ----------
    base : Truecaser
        A model of the preset crf, without such a mixture.
    blocks : iterable of bytes
        Cased text of the domain, blocks of whole lines.
    text : bytes
        Other text of it, for the choice of the mixture's weight.
    min_count, max_size
        As of `TrainingOptions`, for the domain's language model.
    threads : int

    Returns
    -------
    truecaser : Truecaser
    tried : list of (weight, log-likelihood of `text`)

    Raises
    ------
    ModelError
        If the model has no weights, or a mixture already.
    """
    weights = current_weights(base)
    decoder = base.metadata["decoder"]
    if "domain" in decoder:
        raise ModelError("the model is adapted already; adapt its base instead")
    language = "tr" if decoder["casing"] == "turkic" else ""
    options = TrainingOptions(
        preset="trigram", order=decoder["order"], segmentation=decoder["segmentation"],
        language=language, min_count=min_count, max_size=max_size, min_share=0.0,
    )  # fmt: skip
    arrays, metadata = train_arrays(blocks, options)
    # A class token stands for many words: each has its share of the probability.
    share = np.log(max(1, metadata["corpus"]["forms"]))
    of_class = np.asarray(arrays["classes.word_given_class_ln"], np.float32)
    arrays["classes.word_given_class_ln"] = (of_class - share).astype(np.float32)
    tried = []
    for weight in MIXTURE_WEIGHTS:
        mixed = _mixture(base, arrays, metadata, weight)
        development = Development(mixed._compiled, text, threads)
        tried.append((weight, development.evaluate(weights)[0]))
    best = max(tried, key=lambda pair: pair[1])[0]
    mixed = _mixture(base, arrays, metadata, best)
    mixed.metadata["adapted"] = {"mixture_weight": best, "corpus": metadata["corpus"]}
    return mixed, tried


def _mixture(
    base: "Truecaser", arrays: dict[str, Any], metadata: dict[str, Any], weight: float
) -> "Truecaser":
    from truecase.truecaser import Truecaser

    both = dict(base.arrays)
    both.update({f"domain.{name}": array for name, array in arrays.items()})
    domain = {"mixture_weight": weight, "decoder": metadata["decoder"]}
    decoder = {**base.metadata["decoder"], "domain": domain}
    return Truecaser(both, {**base.metadata, "decoder": decoder})
