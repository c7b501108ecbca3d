"""Adaptation of a model to a domain by some text of it.

*Weights* are learned anew on the domain's text with the prior's mean at the weights that the
model has (Chelba & Acero 2004): where the text says nothing, they stay as they are.

*Words and n-grams* of further text of the domain are mixed in by linear interpolation
(`truecase/decode/_mixture.pxd`): the file of the adapted model holds both language models. How
much of the domain's is taken is what makes the development text the most probable.
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np

from truecase._core import CompiledModel
from truecase.decode._domain import Domain
from truecase.errors import ModelError, TrainingError, WrongTypeError
from truecase.lexicon._model_lexicon import Lexicon
from truecase.model.model import Model
from truecase.training.dense.learn import current_weights
from truecase.training.dense.learn import learn as learn_dense
from truecase.training.dense.maximise import Development, Fit, Report, import_minimize
from truecase.training.holdout import Holdout
from truecase.training.material import Text, check_files, file_names, read_text
from truecase.training.recipe import (
    Adaptation,
    DenseRecipe,
    LexiconRecipe,
    NgramRecipe,
    Recipe,
    TextRecipe,
)
from truecase.training.train import train

if TYPE_CHECKING:
    from collections.abc import Iterable


#: How models are adapted if nothing else is said.
DEFAULT = Adaptation()

#: Shares of the domain's language model that are tried.
MIXTURE_WEIGHTS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)


@dataclass
class Adapted:
    """A model that was adapted, and what was found out.

    Attributes
    ----------
    model : Model
    fit : Fit
        Of the weights.
    tried : list of (share, log-likelihood of the development text)
        Of the domain's language model; empty without one.
    """

    model: Model
    fit: Fit
    tried: list[tuple[float, float]]


def adapt(
    model: Model,
    text: Text = (),
    recipe: Adaptation = DEFAULT,
    *,
    development: Text | None = None,
    threads: int = 1,
    report: Report | None = None,
    encoding: str | None = None,
) -> Adapted:
    """Adapt a model to a domain.

    Parameters
    ----------
    model : Model
        With dense features.
    text : path-like, sequence of path-like, or callable, optional
        Cased text of the domain, whose words and n-grams are mixed in.
    recipe : Adaptation
    development : as `text`, optional
        Other text of it, for the weights and for the mixture's; by default, some of `text`.
    threads : int
        The model does not depend on it.
    report : callable, optional
        Told of each evaluation of the objective.
    encoding : str, optional
        How the characters of files are written, as for `train`.

    Raises
    ------
    WrongTypeError
        If the model or the recipe is none.
    ModelError
        If the model has no dense features, or a mixture already.
    TrainingError
        If there is no text of the domain, or nothing to learn from in it, or an option
        has no effect.
    """
    if not isinstance(model, Model):
        raise WrongTypeError(f"model: expected a Model, found {type(model).__name__}")
    if not isinstance(recipe, Adaptation):
        raise WrongTypeError(f"recipe: expected an Adaptation, found {type(recipe).__name__}")
    has_text = callable(text) or bool(file_names(text))
    if development is None and not has_text:
        raise TrainingError("text of the domain is needed: `text`, `development`, or both")
    if not has_text:
        for name in ("min_count", "max_size"):
            if getattr(recipe, name) != getattr(DEFAULT, name):
                raise TrainingError(f"{name}: is of `text`, of which there is none")
    _check_base(model, has_text)
    import_minimize()
    check_files([*file_names(text), *(() if development is None else file_names(development))])
    lines = b"" if development is None else b"".join(read_text(development, encoding=encoding))
    tried: list[tuple[float, float]] = []
    if has_text:
        blocks: Iterable[bytes] = read_text(text, encoding=encoding)
        if development is None:
            holdout = Holdout(blocks)
            blocks = list(holdout.training())
            lines = holdout.text()
        model, tried = interpolate_lm(model, blocks, lines, recipe, threads=threads)
    adapted, fit = adapt_weights(model, lines, sigma=recipe.sigma, threads=threads, report=report)
    return Adapted(adapted, fit, tried)


def adapt_weights(
    base: Model,
    text: bytes,
    *,
    sigma: float | Literal["search"] = DEFAULT.sigma,
    threads: int = 1,
    report: Report | None = None,
) -> tuple[Model, Fit]:
    """Learn a model's weights on text of a domain, starting from those it has.

    Parameters
    ----------
    base : Model
        A model with dense features.
    text : bytes
        Cased lines of the domain.
    sigma : float or "search"
        Standard deviation of the prior. The smaller, the closer the weights stay.
    threads : int
        The weights do not depend on it.
    report : callable, optional

    Returns
    -------
    model : Model
    fit : Fit

    Raises
    ------
    ModelError
        If the model has no weights.
    TrainingError
        If the text has nothing to learn from, or SciPy is missing.
    """
    component, fit = learn_dense(
        base, text, DenseRecipe(sigma), current_weights(base), threads=threads, report=report
    )
    adapted = {
        **base.notes.get("adapted", {}),
        "tokens": fit.n_tokens,
        "sigma": fit.sigma,
    }
    learned = base.replace(dense=component)
    return learned.with_notes(crf=fit.to_dict(), adapted=adapted), fit


def interpolate_lm(
    base: Model,
    blocks: "Iterable[bytes]",
    text: bytes,
    recipe: Adaptation = DEFAULT,
    *,
    threads: int = 1,
) -> tuple[Model, list[tuple[float, float]]]:
    """Mix the words and n-grams of a domain's text into a model.

    Parameters
    ----------
    base : Model
        A model with dense features, without such a mixture.
    blocks : iterable of bytes
        Cased text of the domain, blocks of whole lines.
    text : bytes
        Other text of it, for the choice of the mixture's weight.
    recipe : Adaptation
    threads : int

    Returns
    -------
    model : Model
    tried : list of (weight, log-likelihood of `text`)

    Raises
    ------
    ModelError
        If the model has no weights, or a mixture already.
    """
    _check_base(base, True)
    weights = current_weights(base)
    domain = Recipe(
        text=TextRecipe(base.text.segmentation, base.text.casing_language),
        lexicon=LexiconRecipe(recipe.min_count, min_share=0.0),
        lm=NgramRecipe(base.order),
        max_size=recipe.max_size,
    )
    trained = train(lambda: blocks, domain).model
    assert trained.lm is not None
    lm = trained.lm
    # A class token stands for many words: each has its share of the probability.
    share = np.log(max(1, trained.notes["corpus"]["forms"]))
    name = "classes.word_given_class_ln"
    of_class = np.asarray(trained.lexicon.arrays[name], np.float32)
    arrays = {**trained.lexicon.arrays, name: (of_class - share).astype(np.float32)}
    lexicon = Lexicon(arrays, trained.lexicon.settings)

    def mixture(weight: float) -> Model:
        return base.replace(domain=Domain.of(weight, lexicon, lm))

    tried = []
    for weight in MIXTURE_WEIGHTS:
        development = Development(CompiledModel(mixture(weight)), text, threads)
        tried.append((weight, development.evaluate(weights)[0]))
    best = max(tried, key=lambda pair: pair[1])[0]
    adapted = {"mixture_weight": best, "corpus": trained.notes["corpus"]}
    return mixture(best).with_notes(adapted=adapted), tried


def _check_base(model: Model, gets_domain: bool) -> None:
    """Refuse models that cannot be adapted."""
    current_weights(model)
    if gets_domain and model.domain is not None:
        raise ModelError("the model is adapted already; adapt its base instead")
