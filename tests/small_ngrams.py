"""Random n-gram models, as dictionaries and as packed tables."""

import numpy as np
from reference.backoff import BackoffModel

from truecase.kernels._ngrams import NgramScorer
from truecase.ngram.table import SlotWidths, pack_order


def random_model(rng, order, n_words, density):
    """A model whose n-grams are a random part of all; ids 1 and 2 are <s> and </s>."""
    probability, backoff = {}, {}
    for word in range(n_words):
        probability[(word,)] = -rng.uniform(0.5, 6.0)
        backoff[(word,)] = -rng.uniform(0.0, 2.0)
    for k in range(2, order + 1):
        for gram in np.ndindex(*(n_words,) * k):
            if rng.random() < density:
                probability[gram] = -rng.uniform(0.2, 5.0)
                if k < order:
                    backoff[gram] = -rng.uniform(0.0, 2.0)
    return BackoffModel(order, probability, backoff)


def close(model):
    """Add the shorter n-grams that the longer ones contain, and make backoffs say what goes on."""
    rng = np.random.default_rng(9)
    for k in range(model.order, 1, -1):
        for gram in [gram for gram in model.probability if len(gram) == k]:
            for shorter in (gram[:-1], gram[1:]):
                model.probability.setdefault(shorter, -rng.uniform(0.2, 5.0))
    contexts = {gram[:-1] for gram in model.probability}
    for gram in model.probability:
        if len(gram) < model.order:
            backoff = model.backoff.get(gram, 0.0)
            model.backoff[gram] = min(backoff, -0.01) if gram in contexts else 0.0
    return model


def compile_model(model, n_words, closed=False):
    """The same model in packed tables, wide enough to be exact to about 1e-4."""
    form = np.random.default_rng(5).integers(1, 2**63, n_words).astype(np.uint64)
    tables = []
    for k in range(2, model.order + 1):
        grams = sorted(gram for gram in model.probability if len(gram) == k)
        words = np.array(grams, np.uint32).reshape(len(grams), k)
        prob = np.array([model.probability[g] for g in grams], np.float64)
        back = np.array([model.backoff.get(g, 0.0) for g in grams], np.float64)
        tables.append(
            pack_order(
                words, prob, back if k < model.order else None, form, SlotWidths(16, 16, 24, 0.7)
            )
        )
    unigram = np.array([model.probability[(w,)] for w in range(n_words)], np.float32)
    backoff = np.array([model.backoff[(w,)] for w in range(n_words)], np.float32)
    return form, unigram, backoff, NgramScorer(form, unigram, backoff, tables, closed)
