"""Scores of all forms and n-grams, by word id, before anything is packed."""

import numpy as np
import numpy.typing as npt

from truecase.lexicon.case_probability import case_given_class
from truecase.lexicon.lexicon import Forms
from truecase.ngram._shorter import find_shorter
from truecase.ngram.model import NgramModel
from truecase.ngram.prune import Order
from truecase.ngram.table import LN10
from truecase.training.language_model import (
    N_CLASS_TOKENS,
    N_EXTRA,
    Scored,
    class_scores,
)

# Pieces of columns that are worked on at a time; results do not depend on it.
_THREADS = 2


def score_forms(
    forms: Forms,
    kept: npt.NDArray[np.bool_],
    rare: npt.NDArray[np.bool_],
    model: NgramModel,
    class_tokens: bool = True,
) -> Scored:
    """Unigrams by word id, natural log, and the n-grams with their contexts found.

    The probabilities of `model` are given up on the way, but those of its unigrams.

    Parameters
    ----------
    forms : Forms
    kept, rare : bool ndarray, shape (n_words,)
        Forms in the lexicon; forms that class tokens, or unknown words, stand for.
    model : NgramModel
        Over the vocabulary's ids and those of the class tokens.
    class_tokens : bool
        Whether the model has class tokens.
    """
    n_words = len(forms.key)
    size = n_words + N_EXTRA
    ids = model.words[0][:, 0]
    log_prob = np.full(size, model.log10_prob[0][0] * LN10, np.float32)
    log_backoff = np.zeros(size, np.float32)
    log_prob[ids] = model.log10_prob[0] * LN10
    if model.order > 1:
        log_backoff[ids] = model.log10_backoff[0] * LN10
    n_tokens = np.zeros(size, np.int64)
    if class_tokens:
        n_tokens[n_words:-1] = np.bincount(
            forms.class_token[rare], weights=forms.count[rare], minlength=N_CLASS_TOKENS
        )
    in_model = np.zeros(size, np.bool_)
    in_model[ids] = True
    scored = Scored(
        forms,
        kept & in_model[:n_words],
        log_prob,
        log_backoff,
        class_scores(forms, rare, n_tokens[n_words:-1]),
        case_given_class(forms),
        in_model,
    )
    assert model.count is not None
    for k in range(2, model.order + 1):
        words = model.words[k - 1]
        context = suffix = np.full(len(words), -1, np.int32)
        if k > 2:
            context, suffix = find_shorter(words, model.words[k - 2], _THREADS)
            scored.is_closed &= bool((context >= 0).all() and (suffix >= 0).all())
        log_prob_k = _to_natural(model.log10_prob, k)
        log_backoff_k = (
            _to_natural(model.log10_backoff, k)
            if k < model.order
            else np.zeros(len(words), np.float32)
        )
        scored.orders.append(
            Order(
                words,
                log_prob_k,
                log_backoff_k,
                model.count[k - 1],
                context,
                suffix,
                np.zeros(0, np.float32),
            )
        )
    return scored


def _to_natural(log10: list[npt.NDArray[np.float32]], k: int) -> npt.NDArray[np.float32]:
    """The values of one order, which are taken from the list, to another base in place."""
    values, log10[k - 1] = log10[k - 1], np.zeros(0, np.float32)
    values *= LN10
    return values


def unigram_model(forms: Forms, kept: npt.NDArray[np.bool_], rare: npt.NDArray[np.bool_]) -> Scored:
    """Log-frequencies of the forms; the decoder takes the first form of each word."""
    size = len(forms.key) + N_EXTRA
    log_prob = np.zeros(size, np.float32)
    log_prob[: len(forms.key)] = np.log((forms.count + 0.5) / (forms.count.sum() + 1.0))
    n_tokens = np.zeros(N_CLASS_TOKENS, np.int64)
    return Scored(
        forms,
        kept,
        log_prob,
        np.zeros(size, np.float32),
        class_scores(forms, rare, n_tokens),
        case_given_class(forms),
        np.ones(size, np.bool_),
    )
