"""n-grams with their words, kept in a model so that they can be written as an ARPA file."""

import os
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.corpus.vocabulary import Vocabulary
from truecase.errors import ModelError
from truecase.lexicon.lexicon import N_CLASS_TAGS, N_CLASSES
from truecase.modelfile.layout import Arrays
from truecase.ngram.arpa import write_arpa
from truecase.ngram.kept_words import KeptWords
from truecase.ngram.model import NgramModel
from truecase.ngram.table import LN10
from truecase.portage.case_models import kept_cases
from truecase.text._segment import WORD_CLASSES
from truecase.text.casing import CLASS_TAGS
from truecase.training.language_model import Scored


def kept_words(vocabulary: Vocabulary, scored: Scored) -> KeptWords:
    """What ARPA and mapping files of a model are written from: words, probabilities, backoffs."""
    surfaces = class_surfaces()
    tail = np.cumsum([len(surface) for surface in surfaces]) + vocabulary.offsets[-1]
    size = len(scored.log_prob)
    arrays: Arrays = {
        "blob": np.concatenate([vocabulary.blob, np.frombuffer(b"".join(surfaces), np.uint8)]),
        "offsets": np.concatenate([vocabulary.offsets, tail]).astype(np.uint64),
        "log_prob1": scored.log_prob,
        "log_backoff1": scored.log_backoff,
        "words1": np.flatnonzero(scored.in_model).astype(np.uint32),
    }
    assert len(arrays["offsets"]) == size + 1
    for k, order in enumerate(scored.orders, 2):
        arrays[f"words{k}"] = np.ascontiguousarray(order.words).ravel()
        arrays[f"log_prob{k}"] = order.log_prob
        arrays[f"log_backoff{k}"] = order.log_backoff
    if scored.portage is not None:
        arrays.update(kept_cases(scored.portage, scored.kept))
    return KeptWords(arrays)


def class_surfaces() -> list[bytes]:
    """How the class tokens are written in an ARPA file, and the token of unclear case."""
    names = [f"<{name}:{tag}>" for name in WORD_CLASSES for tag in CLASS_TAGS]
    assert len(names) == N_CLASSES * N_CLASS_TAGS
    return [name.encode() for name in names] + [b"<unclear>"]


def write_kept_ngrams(arrays: Arrays, path: str | os.PathLike[str]) -> None:
    """Write the n-grams of a model that keeps them as an ARPA file, compressed if its name says so.

    Raises
    ------
    ModelError
        If the model was trained without ``keep_ngrams``.
    """
    if "blob" not in arrays:
        raise ModelError(
            "this model holds no words, only their fingerprints: train it with --keep-ngrams, "
            "or write an ARPA file from the text itself with `truecase arpa estimate`"
        )
    vocabulary = Vocabulary(
        np.asarray(arrays["blob"], np.uint8),
        np.asarray(arrays["offsets"]).astype(np.int64),
    )
    write_arpa(path, vocabulary, _as_ngram_model(arrays))


def _as_ngram_model(arrays: Arrays) -> NgramModel:
    order = max(k for k in range(1, 6) if f"words{k}" in arrays)
    model = NgramModel([], [], [])
    for k in range(1, order + 1):
        words: npt.NDArray[Any] = np.asarray(arrays[f"words{k}"]).reshape(-1, k)
        log_prob = np.asarray(arrays[f"log_prob{k}"], np.float32)
        log_backoff = np.asarray(arrays[f"log_backoff{k}"], np.float32)
        if k == 1:
            # Unigrams are stored for every word id, also for those that are in no n-gram.
            log_prob, log_backoff = log_prob[words[:, 0]], log_backoff[words[:, 0]]
        model.words.append(np.ascontiguousarray(words, np.uint32))
        model.log10_prob.append((np.minimum(log_prob, 0) / LN10).astype(np.float32))
        if k < order:
            model.log10_backoff.append((log_backoff / LN10).astype(np.float32))
    return model
