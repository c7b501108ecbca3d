"""N-gram models that tests make: a corpus of word ids, and what must hold of any model."""

import numpy as np

from truecase.ngram.arpa import is_sorted
from truecase.ngram.counting import StreamNgrams
from truecase.ngram.kneser_ney import DEFAULTS, estimate_kneser_ney
from truecase.ngram.table import MAX_ORDER
from truecase.ngram.vocabulary import IdStream


def stream_of(lines):
    """A corpus of lines of word ids."""
    stream = IdStream()
    ids = [word_id for line in lines for word_id in (*line, 2)]
    stream.append(np.array(ids, dtype=np.uint32), len(lines))
    return stream


def ngrams_of(lines, **options):
    """The n-grams of lines of word ids."""
    return StreamNgrams(stream_of(lines), **options)


def estimate(source, vocabulary_size, options=DEFAULTS):
    """A Kneser-Ney model in memory."""
    return estimate_kneser_ney(source, vocabulary_size, options).to_model()


def validate(model, vocabulary_size):
    """Check the invariants of an `NgramModel`; ValueError names the order and the problem."""
    order = model.order
    if not 1 <= order <= MAX_ORDER:
        raise ValueError(f"a model of order {order}: expected 1 … {MAX_ORDER}")
    if len(model.log10_prob) != order or len(model.log10_backoff) != order - 1:
        raise ValueError(f"order {order}: {order} arrays of probabilities, one fewer of backoffs")
    if model.count is not None and len(model.count) != order:
        raise ValueError("one array of counts per order expected")
    for k in range(1, order + 1):
        words = model.words[k - 1]
        n = len(words)
        if words.dtype != np.uint32 or words.shape != (n, k):
            raise ValueError(f"{k}-grams: words must be uint32 of shape ({n}, {k})")
        if n and int(words.max()) >= vocabulary_size:
            raise ValueError(f"{k}-grams: word id {words.max()} of {vocabulary_size} words")
        columns = [("probabilities", model.log10_prob[k - 1], np.float32)]
        if k < order:
            columns.append(("backoffs", model.log10_backoff[k - 1], np.float32))
        if model.count is not None:
            columns.append(("counts", model.count[k - 1], np.uint32))
        for name, column, dtype in columns:
            if column.dtype != dtype or column.shape != (n,):
                raise ValueError(f"{k}-grams: {name} must be {np.dtype(dtype)} of shape ({n},)")
            if dtype is np.float32 and not np.isfinite(column).all():
                raise ValueError(f"{k}-grams: {name} that are not finite")
        if n and float(model.log10_prob[k - 1].max()) > 0:
            raise ValueError(f"{k}-grams: a probability above 1")
        if not is_sorted(words):
            raise ValueError(f"{k}-grams: not sorted by word ids, or not unique")
