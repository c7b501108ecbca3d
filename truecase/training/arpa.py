"""Models from ARPA files, and ARPA files from models.

A language model that SRILM, KenLM or another toolkit estimated over cased text becomes a
truecaser; a model that was trained with ``keep_ngrams`` gives its n-grams back.
"""

import os

import numpy as np

from truecase.lexicon.lexicon import N_MARKS, describe_vocabulary
from truecase.ngram.arpa import read_arpa
from truecase.training.build import pack_model
from truecase.training.export import write_kept_ngrams
from truecase.training.options import TrainingOptions
from truecase.training.score import score_forms
from truecase.truecaser import Truecaser

# Probabilities stand for counts in a text of this many words.
_PSEUDO_WORDS = 1e9


def from_arpa(
    path: str | os.PathLike[str], segmentation: str = "space", language: str = ""
) -> Truecaser:
    """A truecaser whose language model is an ARPA file's.

    Its words are the surface forms that GEN proposes. All n-grams are kept; words of the
    lowest unigram probability stand for unknown ones.

    Parameters
    ----------
    path : path-like
        ARPA file over cased words, plain or compressed.
    segmentation : {"space", "raw"}
        How the text it was estimated from was cut into words.
    language : str
        ``tr`` and ``az`` have their own case mapping.

    Raises
    ------
    ArpaError
        If the file is broken; the message names file and line.
    """
    vocabulary, model = read_arpa(path)
    options = TrainingOptions(
        order=model.order, segmentation=segmentation, language=language, smartcase=False,
        min_count=1, min_share=0.0, fingerprint_bits=20,
    )  # fmt: skip
    forms = describe_vocabulary(vocabulary.blob, vocabulary.offsets, options.turkic)
    ids = model.words[0][:, 0]
    log10_prob = np.full(len(vocabulary), -np.inf)
    log10_prob[ids] = model.log10_prob[0]
    kept = (log10_prob > -99) & (forms.form != 0)
    kept[:N_MARKS] = False
    lowest = log10_prob[kept].min(initial=0.0)
    rarest = kept & (log10_prob < lowest + 1e-4)
    forms.count[kept] = np.maximum(2, np.rint(_PSEUDO_WORDS * 10 ** log10_prob[kept]))
    forms.count[rarest] = 1
    if model.count is None:
        model.count = [np.ones(len(words), np.uint32) for words in model.words]
    scored = score_forms(forms, kept, rarest, model, class_tokens=False)
    arrays, settings = pack_model(scored, options)
    metadata = {
        "decoder": settings,
        "training": {"arpa": os.path.basename(os.fspath(path)), **options.to_dict()},
        "origin": "an ARPA file",
        "licence": "",
        "corpus": {"forms": len(vocabulary) - N_MARKS},
    }
    return Truecaser(arrays, metadata)


def to_arpa(truecaser: Truecaser, path: str | os.PathLike[str]) -> None:
    """Write the n-grams of a model that keeps them as an ARPA file (.gz: compressed).

    Raises
    ------
    ModelError
        If the model was trained without ``keep_ngrams``.
    """
    write_kept_ngrams(truecaser.arrays, path)
