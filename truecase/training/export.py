"""n-grams with their words, kept in a model so that they can be written as an ARPA file."""

import numpy as np

from truecase.base.model_file import Arrays
from truecase.choices import StrPath
from truecase.corpus.vocabulary import Vocabulary
from truecase.errors import ModelError
from truecase.lexicon.lexicon import N_CLASS_TAGS, N_CLASSES
from truecase.ngram.arpa import write_arpa
from truecase.ngram.kept_words import KeptWords
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


#: What to do about a model that cannot be written as files of other tools.
NO_WORDS = "this model holds no words, only their fingerprints: train it with --keep-ngrams"


def write_kept_ngrams(words: KeptWords | None, path: StrPath) -> None:
    """Write the n-grams of a model that keeps them as an ARPA file, compressed if its name says so.

    Raises
    ------
    ModelError
        If the model was trained without ``keep_ngrams``, or they are damaged.
    """
    if words is None:
        raise ModelError(
            f"{NO_WORDS}, or write an ARPA file from the text itself with `truecase arpa estimate`"
        )
    write_arpa(path, words.vocabulary(), words.ngrams())
