"""Portage's models of case, and λ, α and β of Ω from development text.

Agbago, Kuhn & Foster (2005), 3 and 5. The weights make the case of the text's words the most
probable, given each word's history in the text.
"""

from dataclasses import dataclass

import numpy as np

from truecase._core import CompiledModel
from truecase.base.model_file import Arrays
from truecase.base.spool import Bools, Float32s, Float64s, Int64s, UInt8s
from truecase.kernels._components import CaseModels
from truecase.kernels.quantise import quantise
from truecase.model.model import Model
from truecase.ngram.lexicon import (
    N_CLASS_TAGS,
    N_CLASSES,
    TAG_AL,
    Forms,
    LexiconArrays,
    smartcased_counts,
)
from truecase.ngram.vocabulary import FIRST_WORD
from truecase.training._portage import observe
from truecase.training.recipe import PortageRecipe

# Models of case

#: Added to the counts of Π (AL, IU, AU, MX), so that no case is impossible, and an unseen class is
#: most likely lowercase.
PRIOR = (0.3, 0.1, 0.03, 0.03)

_CLASS_OTHER = N_CLASSES - 1


def case_given_word(forms: Forms, kept: Bools, count: Int64s) -> Float32s:
    """log Φ = log P(form | word): a form's share of its word's occurrences, `count`.

    Agbago, Kuhn & Foster (2005), 3.3. The shares of a word's `kept` forms, its candidates, sum to
    one. All arrays have shape (n_words,). The result, float32, is 0 for other forms.
    """
    ids = np.flatnonzero(kept)
    _, group = np.unique(forms.key[ids], return_inverse=True)
    # A form that occurs only at sentence starts has no count of its own with SmartCase.
    seen = np.maximum(count[ids], 0.5)
    share = seen / np.bincount(group, weights=seen)[group]
    log_share = np.zeros(len(forms.key), np.float32)
    log_share[ids] = np.log(share)
    return log_share


def case_given_class(forms: Forms) -> Float32s:
    """log Π = log P(case | class of the word), from words that occur exactly once.

    Agbago, Kuhn & Foster (2005), 3.4. Classes are tried in this order: quantity, acronym,
    hyphenated, alphabetic; a word outside of them is lowercase. First words of sentences do not
    count, since their place gives them their case. In the result, float32, shape (20,), class c and
    tag code t (AL 0, IU 1, AU 2, MX 3) are at ``4 * c + t``.
    """
    _, group = np.unique(forms.key, return_inverse=True)
    once = (np.bincount(group, weights=forms.count)[group] == 1) & (forms.initial_count == 0)
    once &= forms.count == 1
    once[:FIRST_WORD] = False
    seen = np.bincount(forms.class_token[once], minlength=N_CLASSES * N_CLASS_TAGS)
    by_class = seen.reshape(N_CLASSES, N_CLASS_TAGS) + np.array(PRIOR)
    by_class[_CLASS_OTHER] = 1e-7
    by_class[_CLASS_OTHER, TAG_AL] = 1.0
    share = by_class / by_class.sum(axis=1, keepdims=True)
    table: Float32s = np.log(share).astype(np.float32)
    return table.ravel()


#: Bands of training counts with their own exponents: 1, 2-3, 4-7, … 32768 and above.
N_BANDS = 16

#: λ and the exponents of untuned models: about the values that tuning finds on encyclopedic text.
#: The more often a word was seen, the more its context counts.
DEFAULT_SHARE = 0.93
_BENDS = ([0.5, 0.5, 1.0], [0.55, 0.55, 0.1])
DEFAULT_POWERS = np.concatenate([np.interp(np.arange(N_BANDS), [0, 5, 15], y) for y in _BENDS])


@dataclass
class CaseProbabilities:
    """Φ and Π of the words of one vocabulary.

    `case_ln` is as from `case_given_word`, `unknown_ln` as from `case_given_class`.
    """

    case_ln: Float32s
    unknown_ln: Float32s


def case_models(forms: Forms, kept: Bools, smartcase: bool) -> CaseProbabilities:
    """Φ and Π from the counts of a training text."""
    count = smartcased_counts(forms) if smartcase else forms.count
    return CaseProbabilities(case_given_word(forms, kept, count), case_given_class(forms))


def fill_class_backoffs(log_backoff: Float32s, in_model: Bools) -> Float32s:
    """Backoffs of the class tokens; those outside the language model get the least of their class.

    Ω ignores how probable an unknown word's form is: a backoff of 1 after unseen tokens would make
    it prefer cases that never occur. Both arrays have shape (20,).
    """
    by_class = np.where(in_model, log_backoff, np.inf).reshape(N_CLASSES, N_CLASS_TAGS)
    least = np.minimum(by_class.min(axis=1), 0.0)
    return np.where(in_model, log_backoff, np.repeat(least, N_CLASS_TAGS)).astype(np.float32)


def pack_case_models(
    models: CaseProbabilities, lexicon: LexiconArrays, recipe: PortageRecipe
) -> CaseModels:
    """Pack the models of case."""
    codes, case_ln = quantise(models.case_ln[lexicon.ids], 8)
    case_code = np.zeros(len(lexicon.records), np.uint8)
    case_code[lexicon.place] = codes
    arrays: Arrays = {
        "case_code": case_code,
        "case_ln": case_ln,
        "unknown_ln": models.unknown_ln,
        "powers": DEFAULT_POWERS.astype(np.float32),
    }
    return CaseModels(arrays, {**vars(recipe), "theta": "joint", "lm_share": DEFAULT_SHARE})


def kept_cases(models: CaseProbabilities, kept: Bools) -> Arrays:
    """Φ by word id, for a mapping file; 0 for words outside of it."""
    # Processors differ in the last bit of 32-bit exponentials; a double has bits to spare.
    case = np.where(kept, np.exp(models.case_ln.astype(np.float64)), 0.0).astype(np.float32)
    case[:FIRST_WORD] = 0.0
    return {"case": case}


# Fitting to development text

# A prior of this many words draws exponents to the untuned ones.
_PRIOR_WORDS = 20.0
_ROUNDS = 50


@dataclass(frozen=True)
class Observations:
    """θ and Φ of each candidate of the words that a text decides; see `observe`."""

    start: Int64s
    gold: Int64s
    band: UInt8s
    theta_ln: Float32s
    case_ln: Float32s

    @property
    def chosen(self) -> Int64s:
        """Places of the text's own candidates."""
        return self.start[:-1] + self.gold


def learn_portage(model: Model, lines: bytes, recipe: PortageRecipe) -> CaseModels:
    """Fit λ, or the exponents, of Portage's variants to a correctly cased text.

    `lines` are text that the model was not trained on; `recipe` has the variant interpolated or
    powers, since a product has nothing to fit.
    """
    assert model.portage is not None
    arrays = model.portage.arrays
    settings = {**model.portage.settings, "variant": recipe.variant}
    observations = Observations(*observe(CompiledModel(model), lines))
    if recipe.variant == "interpolated":
        settings["lm_share"] = fit_share(observations)
        return CaseModels(arrays, settings)
    powers = fit_powers(observations).astype(np.float32)
    return CaseModels({**arrays, "powers": powers}, settings)


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


def fit_powers(observations: Observations) -> Float64s:
    """α of every band of training counts, then β, of highest penalised likelihood.

    For each band, log Ω is a log-linear model with the features log θ and log Φ, concave in its two
    weights; Newton's method finds them.
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


def _fit_pair(features: Float64s, group: Int64s, is_gold: Bools, prior: Float64s) -> Float64s:
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
            # Newton overshot: take half the step back.
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
