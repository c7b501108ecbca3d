"""The n-grams of a model with their words, for files of other tools."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from truecase.base._component import Component
from truecase.errors import ModelError

if TYPE_CHECKING:
    from truecase.base.model_file import Buffers
    from truecase.base.spool import Float32s
    from truecase.ngram.table import NgramModel
    from truecase.ngram.vocabulary import Vocabulary


_N_SPECIAL = 3  # <unk>, <s>, </s>
_MAX_ORDER = 5


class KeptWords(Component):
    """N-grams with their words, for ARPA and mapping files.

    Arrays: ``blob`` and ``offsets``, the surface forms one after the other; for each order k,
    ``wordsk``, k word ids for each n-gram, and their ``log_probk`` and ``log_backoffk``, which for
    order 1 are those of all surface forms; and, in models of case, ``case``, Φ by word.

    Types and lengths are checked at construction. The contents are checked on use: casing does not
    need them, and loading a model must not read them.
    """

    about = "n-grams with their words"

    def __init__(self, arrays: Buffers, settings: Mapping[str, Any] | None = None) -> None:
        section = self.section("words")
        blob = section.vector("blob", "uint8")
        offsets = section.vector("offsets", "uint64")
        n_words = len(offsets) - 1
        if n_words < _N_SPECIAL or offsets[0] != 0 or offsets[-1] != len(blob):
            raise ModelError(
                "the array words/offsets does not lead from 0 to the end of words/blob"
            )
        # The longest n-grams that an array exists for.
        names = ("words", "log_prob", "log_backoff")
        orders = range(2, _MAX_ORDER + 1)
        there = [k for k in orders if any(f"{name}{k}" in section.arrays for name in names)]
        self._order = max(there, default=1)
        for k in range(1, self._order + 1):
            ids = section.vector(f"words{k}", "uint32")
            if len(ids) % k:
                raise ModelError(f"the array words/words{k} does not have {k} words per n-gram")
            # Every word has a unigram, even if no n-gram contains it.
            n = n_words if k == 1 else len(ids) // k
            section.vector(f"log_prob{k}", "float32", n)
            section.vector(f"log_backoff{k}", "float32", n)
        if "case" in section.arrays and len(section.vector("case", "float32")) > n_words:
            raise ModelError(f"the array words/case describes more than the {n_words} words")

    def vocabulary(self) -> Vocabulary:
        """The surface forms; ModelError if the offsets do not rise."""
        from truecase.ngram.vocabulary import Vocabulary

        arrays = self.arrays
        try:
            return Vocabulary(arrays["blob"].astype("uint8"), arrays["offsets"].astype("int64"))
        except ValueError:
            raise ModelError("the array words/offsets does not rise") from None

    def ngrams(self) -> NgramModel:
        """The n-grams of an ARPA file; ModelError if a word is unknown or a number not finite."""
        import numpy as np

        from truecase.ngram.table import NgramModel

        arrays = self.arrays
        n_words = len(arrays["offsets"]) - 1
        model = NgramModel([], [], [])
        for k in range(1, self._order + 1):
            words = arrays[f"words{k}"].reshape(-1, k)
            if words.max(initial=0) >= n_words:
                raise ModelError(f"the array words/words{k} has a word beyond the {n_words}")
            log_prob, log_backoff = self._finite(f"log_prob{k}"), self._finite(f"log_backoff{k}")
            if k == 1:
                log_prob, log_backoff = log_prob[words[:, 0]], log_backoff[words[:, 0]]
            model.words.append(np.ascontiguousarray(words))
            model.log10_prob.append(_to_log10(np.minimum(log_prob, 0)))
            if k < self._order:
                model.log10_backoff.append(_to_log10(log_backoff))
        return model

    def cases(self) -> tuple[list[bytes], Float32s] | None:
        """Surface forms and the Φ of each; None if the model has no models of case.

        ModelError if the offsets do not rise or a Φ is not a share.
        """
        if "case" not in self.arrays:
            return None
        shares = self._finite("case")
        if shares.min(initial=0.0) < 0 or shares.max(initial=0.0) > 1:
            raise ModelError("the array words/case has an entry outside 0 … 1")
        vocabulary = self.vocabulary()
        return [vocabulary.surface(i) for i in range(len(shares))], shares

    def _finite(self, name: str) -> Float32s:
        import numpy as np

        return np.asarray(self.section("words").array(name, "float32"))


def _to_log10(natural: Float32s) -> Float32s:
    return (natural / math.log(10.0)).astype("float32")
