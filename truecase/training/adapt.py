"""Adapt a model to a domain by some text of it.

Linear interpolation mixes the domain's words and n-grams in (`truecase/kernels/_mixture.pxd`); the
model file holds both language models. A *network* learns on (`learn_domain`). *Dense weights* are
learned again, with the prior's mean at the old weights (Chelba & Acero 2004); the mixture's share
is then the one that makes the text the most probable.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterable
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from truecase._core import CompiledModel
from truecase.base.argument_types import check_arguments
from truecase.base.progress import Progress, Report, reporter
from truecase.errors import LearningWarning, ModelError, TrainingError
from truecase.kernels._lexicon import Lexicon
from truecase.kernels._ngrams import Domain, LanguageModel
from truecase.model.model import Model
from truecase.training.dense import Development, Fit, current_weights, import_minimize, learn_dense
from truecase.training.material import Holdout, Text, TextBlocks, check_files, file_names, read_text
from truecase.training.network import learn_domain
from truecase.training.recipe import (
    Adaptation,
    DenseRecipe,
    LexiconRecipe,
    NgramRecipe,
    Recipe,
    TextRecipe,
)
from truecase.training.train import judge, train


def domain_parts(
    base: Model, blocks: Iterable[bytes], recipe: Adaptation, max_size: int | None = None
) -> tuple[Lexicon, LanguageModel, dict[str, Any]]:
    """Lexicon, language model and notes of a domain's text, for `truecase.kernels._ngrams.Domain`.

    `blocks` are whole lines of cased text; `max_size` limits the bytes of both parts. Segmentation,
    language and order are those of `base`.
    """
    domain = Recipe(
        text=TextRecipe(base.text.segmentation, base.text.casing_language),
        lexicon=LexiconRecipe(recipe.min_count, min_share=0.0),
        lm=NgramRecipe(base.order),
        max_size=max_size,
    )
    trained = train(lambda: blocks, domain).model
    assert trained.lm is not None
    # A class token stands for many words: each gets its share of the probability.
    share = np.log(max(1, trained.notes["corpus"]["forms"]))
    name = "classes.word_given_class_ln"
    of_class = np.asarray(trained.lexicon.arrays[name], np.float32)
    arrays = {**trained.lexicon.arrays, name: (of_class - share).astype(np.float32)}
    return Lexicon(arrays, trained.lexicon.settings), trained.lm, trained.notes["corpus"]


# Adapting a model

#: The default recipe.
DEFAULT = Adaptation()

#: Shares of the domain's language model that are tried with dense features.
MIXTURE_WEIGHTS = (0.02, 0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98)

#: The share with a network, which learns with it.
SHARE = 0.2

#: Folds of the domain's text.
FOLDS = 4

# Largest number of words that are held out to judge by.
_JUDGED_WORDS = 20_000


@dataclass(frozen=True)
class Comparison:
    """Errors of a model before a change and after it.

    Attributes
    ----------
    words : int
        Words of the text.
    before, after : int
        Words that come out wrong.
    """

    words: int
    before: int
    after: int


@dataclass
class Adapted:
    """An adapted model, and the figures of its adaptation.

    Attributes
    ----------
    model : Model
    fit : Fit or None
        For dense weights.
    tried : list of (share, log-likelihood of the development text)
        Shares of the domain's language model, for dense weights; empty without a mixture.
    comparisons : dict of str to Comparison
        For a network: ``domain``, and with general text ``general``.
    """

    model: Model
    fit: Fit | None = None
    tried: list[tuple[float, float]] = field(default_factory=list)
    comparisons: dict[str, Comparison] = field(default_factory=dict)


def adapt(
    model: Model,
    text: Text = (),
    recipe: Adaptation = DEFAULT,
    *,
    general: Text = (),
    development: Text | None = None,
    threads: int = 1,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Adapted:
    """Adapt a model to a domain.

    Parameters
    ----------
    model : Model
        Of the preset crf-neural, as the embedded English one, bilingual-neural, crf or bilingual.
    text : path-like, sequence of path-like, or callable
        Cased text of the domain: its words and n-grams are mixed in, and a network learns on it.
        Dense features can do without.
    recipe : Adaptation
    general : as `text`, optional
        For a model with a network: cased text of other kinds, to judge the model by before and
        after. Nothing is learned from it.
    development : as `text`, optional
        Other text of the domain. It judges a model with a network before and after; a model with
        dense features learns its weights and the mixture's on it. By default, a held-out part of
        `text`.
    threads, progress, encoding
        See `truecase.training.train.train`.

    Raises
    ------
    WrongTypeError
        `model` is not a Model, or `recipe` not an Adaptation.
    ModelError
        The model is of another preset, or was adapted already.
    TrainingError
        There is no text of the domain, or nothing to learn from in it, or an option has no effect.
    """
    check_arguments(adapt, locals())
    has_text = callable(text) or bool(file_names(text))
    has_general = callable(general) or bool(file_names(general))
    if development is None and not has_text:
        raise TrainingError("text of the domain is needed: `text`, `development`, or both")
    _check_base(model, has_text)
    _check_recipe(model, recipe, has_text, has_general)
    judged = {"domain": development} if development is not None else {}
    if has_general:
        judged["general"] = general
    check_files([*file_names(text), *(name for one in judged.values() for name in file_names(one))])
    blocks: Iterable[bytes] = read_text(text, progress, encoding) if has_text else ()
    lines_of = {name: b"".join(read_text(one, encoding=encoding)) for name, one in judged.items()}
    if model.dense is None:
        return _adapt_by_folds(model, recipe, blocks, lines_of, threads, progress)
    import_minimize()
    tried: list[tuple[float, float]] = []
    lines = lines_of.get("domain")
    if lines is None:
        holdout = Holdout(blocks)
        blocks = list(holdout.training())
        lines = holdout.text()
    report = reporter(progress)
    if has_text:
        report("weighing the mixture", None)
        model, tried = interpolate_lm(model, blocks, lines, recipe, threads=threads)
    report("learning weights", None)
    adapted, fit = adapt_weights(model, lines, sigma=recipe.sigma, threads=threads)
    return Adapted(adapted, fit, tried)


def _adapt_by_folds(
    base: Model,
    recipe: Adaptation,
    blocks: Iterable[bytes],
    judged: dict[str, bytes],
    threads: int,
    progress: Progress | None,
) -> Adapted:
    """Adapt a network to a text, and judge it by others: of the domain, and general text.

    Without another text of the domain, a part of `blocks` is held out.
    """
    report = reporter(progress)
    holdout = Holdout(blocks, words=_JUDGED_WORDS)
    with closing(TextBlocks(blocks if "domain" in judged else holdout.training())) as domain:
        if "domain" not in judged:
            judged = {"domain": holdout.text(), **judged}
        model = _learn(base, recipe, domain, report, threads)
    report("judging", None)
    comparisons = {name: compare(base, model, text, threads) for name, text in judged.items()}
    one = comparisons["domain"]
    if one.after > one.before:
        warnings.warn(
            f"of {one.words:,} words of the domain's text, the adapted model gets {one.after:,} "
            f"wrong, and its base {one.before:,}",
            LearningWarning,
            stacklevel=3,
        )
    notes = {name: vars(one).copy() for name, one in comparisons.items()}
    adapted = {**model.notes["adapted"], "errors": notes}
    return Adapted(model.with_notes(adapted=adapted), comparisons=comparisons)


def _learn(
    base: Model, recipe: Adaptation, domain: TextBlocks, report: Report, threads: int
) -> Model:
    if len(domain) < FOLDS:
        raise TrainingError(
            f"the text of the domain has {domain.n_bytes} bytes, too few to learn from"
        )

    def mixture(blocks: Iterable[bytes]) -> tuple[Model, dict[str, Any]]:
        """The base, mixed with the words and n-grams of some text."""
        lexicon, lm, corpus = domain_parts(base, blocks, recipe, recipe.max_size)
        return base.replace(domain=Domain.of(SHARE, lexicon, lm)), corpus

    report("counting words", None)
    whole, corpus = mixture(domain.text())
    models = [CompiledModel(mixture(domain.text(fold, FOLDS))[0]) for fold in range(FOLDS)]
    assert base.network is not None
    network = learn_domain(base.network, domain, models, recipe.passes, report, threads)
    notes = {"share": SHARE, "corpus": corpus}
    return base.replace(domain=whole.domain, network=network).with_notes(adapted=notes)


def adapt_weights(
    base: Model, text: bytes, *, sigma: float | Literal["search"] = DEFAULT.sigma, threads: int = 1
) -> tuple[Model, Fit]:
    """Learn a model's dense weights on text of a domain, starting from its own weights.

    `sigma` is the standard deviation of the prior: the smaller, the closer the weights stay;
    `text`, `threads` and errors are those of `learn_dense`.
    """
    component, fit = learn_dense(
        base, text, DenseRecipe(sigma), current_weights(base), threads=threads
    )
    adapted = {**base.notes.get("adapted", {}), "tokens": fit.n_tokens, "sigma": fit.sigma}
    learned = base.replace(dense=component)
    return learned.with_notes(crf=fit.to_dict(), adapted=adapted), fit


def interpolate_lm(
    base: Model,
    blocks: Iterable[bytes],
    text: bytes,
    recipe: Adaptation = DEFAULT,
    *,
    threads: int = 1,
) -> tuple[Model, list[tuple[float, float]]]:
    """Mix the words and n-grams of a domain's text into a model with dense features.

    `text` is other text of the domain: it decides the mixture's weight. Returns the model, and each
    weight tried with the log-likelihood of `text`. Raises ModelError if the model has no weights,
    or has a mixture already.
    """
    weights = current_weights(base)
    _check_base(base, True)
    lexicon, lm, corpus = domain_parts(base, blocks, recipe, recipe.max_size)

    def mixture(weight: float) -> Model:
        return base.replace(domain=Domain.of(weight, lexicon, lm))

    tried = []
    for weight in MIXTURE_WEIGHTS:
        development = Development(CompiledModel(mixture(weight)), text, threads)
        tried.append((weight, development.evaluate(weights)[0]))
    best = max(tried, key=lambda pair: pair[1])[0]
    adapted = {"mixture_weight": best, "corpus": corpus}
    return mixture(best).with_notes(adapted=adapted), tried


def _check_base(model: Model, gets_domain: bool) -> None:
    """Refuse models that cannot be adapted."""
    if model.dense is None and model.network is None:
        raise ModelError(
            f"a model of the preset {model.preset} has no weights to adapt: train one of the "
            "preset crf, crf-neural, bilingual or bilingual-neural"
        )
    if gets_domain and model.domain is not None:
        raise ModelError("the model is adapted already; adapt its base instead")


def _check_recipe(model: Model, recipe: Adaptation, has_text: bool, has_general: bool) -> None:
    """Refuse options and texts that have no effect."""
    changed = {name for name, value in vars(recipe).items() if value != getattr(DEFAULT, name)}
    if model.dense is not None:
        if has_general:
            raise TrainingError(
                "general: leave it out: a model with dense weights is judged by `development`"
            )
        if "passes" in changed:
            raise TrainingError("passes: leave it out: dense weights are not learned in passes")
    else:
        if not has_text:
            raise TrainingError(
                f"a model of the preset {model.preset} learns from `text`, which is missing; "
                "`development` only judges it"
            )
        if "sigma" in changed:
            raise TrainingError("sigma: belongs to dense weights, and the model has none")
    if not has_text:
        for name in ("min_count", "max_size"):
            if name in changed:
                raise TrainingError(f"{name}: applies to `text`, which is missing")


def compare(before: Model, after: Model, text: bytes, threads: int = 1) -> Comparison:
    """Judge two models of one language by a cased text."""
    judged = [judge(one, text, threads) for one in (before, after)]
    wrong_before, wrong_after = (one.n_words - one.n_correct for one in judged)
    return Comparison(judged[1].n_words, wrong_before, wrong_after)
