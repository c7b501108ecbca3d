"""How the words of a lexicon are usually cased: one code for each, read by templates."""

import numpy as np
import numpy.typing as npt

from truecase.lexicon.lexicon import TAG_AL, TAG_AN, TAG_AU, TAG_MX, Forms, LexiconArrays

#: Bounds of the share of a word's occurrences, away from sentence starts, with upper case.
SHARES = (0.002, 0.01, 0.03, 0.08, 0.2, 0.35, 0.5, 0.65, 0.8, 0.92, 0.97, 0.99, 0.998)

#: Bounds of their number.
COUNTS = (6, 20, 100, 1000, 10000)

N_SHARES = len(SHARES) + 1
N_COUNTS = len(COUNTS) + 1


def prior_codes(forms: Forms, lexicon: LexiconArrays) -> npt.NDArray[np.uint8]:
    """Code of the usual case of each key, at the place of its first form record.

    ``(kind * N_SHARES + share) * N_COUNTS + count``, where kind says which upper-case forms
    prevail: 0 IU, 1 AU, 2 MX. Forms too rare to be in the lexicon count as well.

    Parameters
    ----------
    forms : Forms
        All forms of the training text.
    lexicon : LexiconArrays
        Those that are kept.

    Returns
    -------
    uint8 ndarray, shape (n_records,)
    """
    order = np.argsort(lexicon.keys, kind="stable")
    keys = lexicon.keys[order]
    codes = np.zeros(len(lexicon.records), np.uint8)
    if not len(keys):
        return codes
    place = np.minimum(np.searchsorted(keys, forms.key), len(keys) - 1)
    known = keys[place] == forms.key
    inside = np.where(known, forms.count - forms.initial_count, 0).astype(np.float64)

    def mass(chosen: npt.NDArray[np.bool_]) -> npt.NDArray[np.float64]:
        return np.bincount(place[chosen], inside[chosen], minlength=len(keys)).astype(np.float64)

    total = mass(known)
    lower = mass(known & ((forms.tag == TAG_AL) | (forms.tag == TAG_AN)))
    acronym = mass(known & (forms.tag == TAG_AU))
    mixed = mass(known & (forms.tag == TAG_MX))
    upper = total - lower
    share = np.digitize(upper / np.maximum(total, 1), SHARES)
    count = np.digitize(total, COUNTS)
    kind = np.where(2 * acronym > upper, 1, np.where(2 * mixed > upper, 2, 0))
    codes[lexicon.first_record[order].astype(np.int64) - 1] = (
        kind * N_SHARES + share
    ) * N_COUNTS + count
    return codes
