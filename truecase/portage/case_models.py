"""Portage's models of case, as training makes them and as a model file holds them.

Arrays, beside those of the language model (`truecase.base.model_file`):

================================ =====================================================
``portage.case_code``            per lexicon record, the code of its form's log Φ
``portage.case_ln``              what the 256 codes stand for
``portage.unknown_ln``           log Π of each of the 20 pairs of class and tag
``portage.powers``               α of the 16 bands of training counts, then β
``map.case``                     Φ per word id, of a model that keeps its words
================================ =====================================================
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.base.model_file import Arrays
from truecase.lexicon.case_probability import case_given_class, case_given_word
from truecase.lexicon.lexicon import (
    N_CLASS_TAGS,
    N_CLASSES,
    N_MARKS,
    Forms,
    LexiconArrays,
    smartcased_counts,
)
from truecase.packed.quantise import quantise

#: Bands of training counts that have exponents of their own: 1, 2-3, 4-7, … 32768 and above.
N_BANDS = 16

#: λ, and the exponents, of models that were not tuned on development text: about what tuning
#: finds on encyclopedic text. The more often a word was seen, the more its context is trusted.
DEFAULT_SHARE = 0.93
DEFAULT_POWERS = np.concatenate(
    [
        np.interp(np.arange(N_BANDS), [0, 5, 15], [0.5, 0.5, 1.0]),
        np.interp(np.arange(N_BANDS), [0, 5, 15], [0.55, 0.55, 0.1]),
    ]
)


@dataclass
class CaseProbabilities:
    """Φ and Π of the words of one vocabulary.

    Attributes
    ----------
    case_ln : float32 ndarray, shape (n_words,)
        log Φ of each kept form, natural log.
    unknown_ln : float32 ndarray, shape (20,)
        log Π; class c and tag code t at ``4 * c + t``.
    """

    case_ln: npt.NDArray[np.float32]
    unknown_ln: npt.NDArray[np.float32]


def case_models(forms: Forms, kept: npt.NDArray[np.bool_], smartcase: bool) -> CaseProbabilities:
    """Φ and Π from the counts of a training text."""
    count = smartcased_counts(forms) if smartcase else forms.count
    return CaseProbabilities(case_given_word(forms, kept, count), case_given_class(forms))


def fill_class_backoffs(
    log_backoff: npt.NDArray[np.float32], in_model: npt.NDArray[np.bool_]
) -> npt.NDArray[np.float32]:
    """Backoffs of the class tokens; those that the text lacks get the least of their class.

    A backoff of 1 after what was never seen would make Ω, which does not ask how probable an
    unknown word's form is, prefer cases that never occur.

    Parameters
    ----------
    log_backoff : float32 ndarray, shape (20,)
    in_model : bool ndarray, shape (20,)
        Class tokens that the language model has.
    """
    by_class = np.where(in_model, log_backoff, np.inf).reshape(N_CLASSES, N_CLASS_TAGS)
    least = np.minimum(by_class.min(axis=1), 0.0)
    return np.where(in_model, log_backoff, np.repeat(least, N_CLASS_TAGS)).astype(np.float32)


def pack_case_models(
    models: CaseProbabilities, lexicon: LexiconArrays, variant: str, search: str
) -> tuple[Arrays, dict[str, Any]]:
    """Arrays and settings of a model's `CaseModels`."""
    codes, case_ln = quantise(models.case_ln[lexicon.ids], 8)
    case_code = np.zeros(len(lexicon.records), np.uint8)
    case_code[lexicon.place] = codes
    arrays: Arrays = {
        "case_code": case_code,
        "case_ln": case_ln,
        "unknown_ln": models.unknown_ln,
        "powers": DEFAULT_POWERS.astype(np.float32),
    }
    settings = {
        "variant": variant,
        "search": search,
        "theta": "joint",
        "lm_share": DEFAULT_SHARE,
    }
    return arrays, settings


def kept_cases(models: CaseProbabilities, kept: npt.NDArray[np.bool_]) -> Arrays:
    """Φ by word id, so that it can be written as a mapping file; 0 for what is not in it."""
    # Processors differ in the last bit of 32-bit exponentials, whose double has bits to spare.
    case = np.where(kept, np.exp(models.case_ln.astype(np.float64)), 0.0).astype(np.float32)
    case[:N_MARKS] = 0.0
    return {"case": case}
