"""N-gram models as arrays, and packed with their probabilities into the tables of a model."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, NamedTuple, TypeVar

import numpy as np
import numpy.typing as npt

from truecase.base.spool import Float32s, UInt32s, UInt64s
from truecase.base.threads import ordered_map
from truecase.kernels._maps import MAX_PROBES, SlotPacker
from truecase.kernels._ngrams import hash_ngrams
from truecase.kernels.quantise import quantise

MAX_ORDER = 5

LN10 = float(np.log(10.0))

# n-grams whose hashes are in memory at a time.
_CHUNK = 1 << 18

# Chunks that are worked on at a time; the result does not depend on it.
_THREADS = 2


class Block(NamedTuple):
    """Consecutive n-grams of one order, as they are in a model."""

    words: UInt32s
    log10_prob: Float32s
    log10_backoff: Float32s | None
    counts: UInt32s | None = None


Result = TypeVar("Result")


@dataclass
class NgramModel:
    """A backoff n-gram model: the contents of an ARPA file.

    Entry ``k - 1`` of each list is for the n-grams of `k` words, distinct and sorted
    lexicographically by word id.

    Attributes
    ----------
    words : list of uint32 arrays, shape (n_k, k)
    log10_prob : list of float32 arrays, shape (n_k,)
        Finite and not positive.
    log10_backoff : list of float32 arrays, shape (n_k,)
        Finite; for all orders but the highest.
    count : list of uint32 arrays, shape (n_k,), or None
        Occurrences in the corpus, if known: of ``<s>`` the number of lines, of ``<unk>`` 0.
    """

    words: list[UInt32s]
    log10_prob: list[Float32s]
    log10_backoff: list[Float32s]
    count: list[UInt32s] | None = None

    @property
    def order(self) -> int:
        """Words in the longest n-grams."""
        return len(self.words)

    @property
    def n_ngrams(self) -> list[int]:
        """Number of n-grams of each order, from the unigrams on."""
        return [len(words) for words in self.words]

    def blocks(self, order: int, use: Callable[[Block], Result]) -> Iterator[Result]:
        """Yield ``use(block)`` for the n-grams of an order, block by block."""
        for begin in range(0, len(self.words[order - 1]), _CHUNK):
            part = slice(begin, begin + _CHUNK)
            backoff = self.log10_backoff[order - 1][part] if order < self.order else None
            yield use(Block(self.words[order - 1][part], self.log10_prob[order - 1][part], backoff))


class SlotWidths(NamedTuple):
    """Bits of the fields of a slot, and the share of the slots that are filled."""

    probability_bits: int
    backoff_bits: int
    fingerprint_bits: int
    load: float


Codebook = Callable[[npt.NDArray[np.floating], int, int], tuple[UInt32s, Float32s]]


def as_read(natural: Float32s) -> Float32s:
    """Round natural logarithms as if they were written to an ARPA file, in base 10, and read back.

    So a trained model has the same bytes as one that is read from such a file.
    """
    values = natural / np.float32(LN10)
    values *= np.float32(LN10)
    return values


def quantise_backoffs(
    log_backoff: npt.NDArray[np.floating], bits: int, codebook: Codebook = quantise
) -> tuple[UInt32s, Float32s]:
    """Codes and codebook of backoffs; code 0, and no other, is exactly 0.

    Look-up relies on it: a backoff of 0 says that no longer n-gram has this context.
    """
    codes = np.zeros(len(log_backoff), np.uint32)
    some = log_backoff != 0
    codes[some], book = codebook(log_backoff[some], bits, 1)
    book[1:][book[1:] == 0] = np.float32(-1e-6)
    book[0] = 0
    return codes, book


def pack_order(
    words: UInt32s,
    log_prob: Float32s,
    log_backoff: Float32s | None,
    form: UInt64s,
    widths: SlotWidths,
    codebook: Codebook = quantise,
    count_probes: bool = True,
) -> tuple[dict[str, npt.NDArray[np.generic]], dict[str, Any]]:
    """Pack the n-grams of one order.

    Parameters
    ----------
    words : uint32 ndarray, shape (n, order)
    log_prob, log_backoff : float32 ndarray, shape (n,)
        Natural log; no backoffs in the highest order.
    form : uint64 ndarray, shape (n_words,)
        Identity of each word id.
    widths : SlotWidths
    codebook : callable
        Makes codes and a codebook from values, a width and the first code.
    count_probes : bool
        Measure the longest search for any n-gram; otherwise nothing is known of it.

    Returns
    -------
    arrays : dict
        ``slots``, ``probability_ln`` and, below the highest order, ``backoff_ln``.
    settings : dict
        Their layout, for look-up.
    """
    probability_bits, backoff_bits, fingerprint_bits, load = widths
    words = np.ascontiguousarray(words, np.uint32)
    # Code 0 marks an empty slot.
    payloads, book = codebook(log_prob, probability_bits, 1)
    arrays: dict[str, npt.NDArray[np.generic]] = {"probability_ln": book}
    if log_backoff is None:
        backoff_bits = 0
    else:
        backoff_codes, backoff_book = quantise_backoffs(log_backoff, backoff_bits, codebook)
        payloads |= backoff_codes << np.uint32(probability_bits)
        del backoff_codes
        arrays["backoff_ln"] = backoff_book
    payload_bits, mask = probability_bits + backoff_bits, (1 << probability_bits) - 1
    packer = SlotPacker(len(words), fingerprint_bits, payload_bits, mask, load)

    def entries(begin: int) -> tuple[UInt64s, UInt64s]:
        part = slice(begin, begin + _CHUNK)
        return hash_ngrams(words[part], form), payloads[part].astype(np.uint64)

    starts = range(0, len(words), _CHUNK)
    for hashes, values in ordered_map(entries, starts, _THREADS):
        packer.add(hashes, values)
    max_probes = min(packer.n_slots, MAX_PROBES)
    if count_probes:
        probes = ordered_map(lambda begin: packer.n_probes(*entries(begin)), starts, _THREADS)
        max_probes = max(probes, default=0)
    arrays["slots"] = packer.data
    return arrays, {
        "n_entries": len(words),
        "n_slots": packer.n_slots,
        "fingerprint_bits": fingerprint_bits,
        "probability_bits": probability_bits,
        "backoff_bits": backoff_bits,
        "max_probes": max_probes,
    }
