"""Portage's case models from counts: Φ of words that were seen, Π of those that were not."""

import numpy as np
import numpy.typing as npt

from truecase.lexicon.lexicon import (
    N_CLASS_TAGS,
    N_CLASSES,
    N_MARKS,
    TAG_AL,
    Forms,
)

#: Added to the counts of Π, so that no case is impossible, and lowercase is likeliest of a
#: class that was never seen: AL, IU, AU, MX.
PRIOR = (0.3, 0.1, 0.03, 0.03)

_CLASS_OTHER = N_CLASSES - 1


def case_given_word(
    forms: Forms, kept: npt.NDArray[np.bool_], count: npt.NDArray[np.int64]
) -> npt.NDArray[np.float32]:
    """log Φ = log P(form | word): a form's share of its word's occurrences.

    Agbago, Kuhn & Foster (2005), 3.3.

    Parameters
    ----------
    forms : Forms
    kept : bool ndarray, shape (n_words,)
        Forms that are candidates; the shares of a word's sum to one.
    count : int64 ndarray, shape (n_words,)
        Occurrences of each form.

    Returns
    -------
    float32 ndarray, shape (n_words,)
        Natural log; 0 for forms that are not kept.
    """
    ids = np.flatnonzero(kept)
    _, group = np.unique(forms.key[ids], return_inverse=True)
    # A form that only ever began sentences has no count of its own with SmartCase.
    seen = np.maximum(count[ids], 0.5)
    share = seen / np.bincount(group, weights=seen)[group]
    log_share = np.zeros(len(forms.key), np.float32)
    log_share[ids] = np.log(share)
    return log_share


def case_given_class(forms: Forms) -> npt.NDArray[np.float32]:
    """log Π = log P(case | class of the word), from words that occur exactly once.

    Agbago, Kuhn & Foster (2005), 3.4. Classes, in the order in which they are tried:
    quantity, acronym, hyphenated, alphabetic; a word of none of them is lowercase. Words
    that begin a sentence have their case from their place, and do not count.

    Returns
    -------
    float32 ndarray, shape (20,)
        Natural log; class c and tag code t (AL 0, IU 1, AU 2, MX 3) at ``4 * c + t``.
    """
    _, group = np.unique(forms.key, return_inverse=True)
    once = (np.bincount(group, weights=forms.count)[group] == 1) & (forms.initial_count == 0)
    once &= forms.count == 1
    once[:N_MARKS] = False
    seen = np.bincount(forms.class_token[once], minlength=N_CLASSES * N_CLASS_TAGS)
    by_class = seen.reshape(N_CLASSES, N_CLASS_TAGS) + np.array(PRIOR)
    by_class[_CLASS_OTHER] = 1e-7
    by_class[_CLASS_OTHER, TAG_AL] = 1.0
    share = by_class / by_class.sum(axis=1, keepdims=True)
    table: npt.NDArray[np.float32] = np.log(share).astype(np.float32)
    return table.ravel()
