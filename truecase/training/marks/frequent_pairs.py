"""The pairs of words of a text that are frequent, and so get rows of their own."""

import numpy as np
import numpy.typing as npt

from truecase.marks._reading import IN_BUCKET, pair_keys, pair_rows, place_pairs

# Of a pair that is rarer, a row would learn the text by heart.
_LEAST_OFTEN = 8


def find_pairs(
    keys: npt.NDArray[np.uint64], most: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint16]]:
    """Which pairs are frequent, and where they are.

    Parameters
    ----------
    keys : uint64 ndarray, shape (n,)
        Of the words of a text.
    most : int
        How many rows there may be, a multiple of 4.

    Returns
    -------
    rows : int32 ndarray, shape (n,)
        Of each word, that of the pair which ends with it; n_rows if that has none.
    checks : uint16 ndarray, shape (n_rows,)
        16 bits of the hash of the pair of each row, 0 for a row of none.
    """
    before = np.zeros_like(keys)
    before[1:] = keys[:-1]
    pairs = pair_keys(before, keys)
    checks = place_pairs(*_most_frequent(pairs, most))
    return pair_rows(pairs, checks), checks


def _most_frequent(pairs: npt.NDArray[np.uint64], most: int) -> tuple[npt.NDArray[np.uint64], int]:
    """Those that are frequent, the most frequent first, and how many rows they get."""
    ordered = np.sort(pairs)
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    counts = np.diff(first, append=len(ordered))
    is_frequent = counts >= _LEAST_OFTEN
    chosen, counts = ordered[first[is_frequent]], counts[is_frequent]
    # Buckets fill unevenly: half as many rows again, and twice as many pairs to fill them.
    n_rows = min(most, -(-len(chosen) * 3 // 2 // IN_BUCKET) * IN_BUCKET)
    order = np.argsort(-counts, kind="stable")[: 2 * n_rows]
    return chosen[order], n_rows


def with_checks(
    checks: npt.NDArray[np.uint16], numbers: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    """Rows as a model has them, from the numbers of these and of what has no row, behind them."""
    n = len(checks)
    in_front = checks.astype("<u2").view(np.uint8).reshape(n, 2)
    rows: npt.NDArray[np.uint8] = np.hstack([in_front, numbers.reshape(n + 1, -1)[:n]])
    return rows.ravel()
