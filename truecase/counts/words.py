"""Counts of words: how often each stands in a text, and before which marks. They add up."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass, field, fields
from io import BytesIO

import numpy as np
import numpy.typing as npt

from truecase.corpus.vocabulary import (
    FIRST_WORD,
    SPECIAL_SURFACES,
    Vocabulary,
    canonical_order,
)
from truecase.counts.about import About
from truecase.counts.archive import ABOUT, CountsReader, CountsWriter, create, little, numbers
from truecase.counts.errors import CountsError
from truecase.lexicon.lexicon import Forms, describe_vocabulary
from truecase.lexicon.stops import StopTally, mark_abbreviations, unpack_pairs
from truecase.text.casing import is_turkic

_LINE_END = 10


#: No text has so many words; counts that are no greater can be added without a look at each sum.
MOST = 1 << 53


@dataclass
class WordCounts:
    """The words of a text in the order of their bytes, with what was counted of them.

    Attributes
    ----------
    about : About
    vocabulary : Vocabulary
        Its first three words are the special ones, as ever.
    count : int64 ndarray, shape (n_words,)
        Occurrences; of ``</s>``, lines.
    stops : StopTally
    """

    about: About
    vocabulary: Vocabulary
    count: npt.NDArray[np.int64]
    stops: StopTally
    _canonical: npt.NDArray[np.uint32] | None = field(default=None, repr=False)

    @classmethod
    def sorted(
        cls,
        about: About,
        vocabulary: Vocabulary,
        count: npt.NDArray[np.int64],
        stops: StopTally,
    ) -> WordCounts:
        """Counts of words that are in any order."""
        ids = vocabulary.byte_order()
        order = np.concatenate([np.arange(FIRST_WORD, dtype=np.uint32), ids])
        new_id = np.zeros(len(order), np.uint32)
        new_id[order] = np.arange(len(order), dtype=np.uint32)
        tally = StopTally(len(order))
        tally.add_tally(stops, new_id)
        return cls(about, vocabulary.take(ids), count[order], tally)

    @property
    def ids(self) -> npt.NDArray[np.uint32]:
        """Places of the words, in the order of the ids that training gives them."""
        if self._canonical is None:
            ids = canonical_order(self.vocabulary, self.count)
            self._canonical = np.concatenate([np.arange(FIRST_WORD, dtype=np.uint32), ids])
        return self._canonical

    def training_vocabulary(self) -> Vocabulary:
        """The words in the order of the ids that training gives them."""
        return self.vocabulary.take(self.ids[FIRST_WORD:])

    def forms(self) -> Forms:
        """Forms in the order of training's ids; how often each is a first word is not known."""
        forms = describe_vocabulary(
            self.vocabulary.blob, self.vocabulary.offsets, is_turkic(self.about.language)
        )
        forms.count += self.count
        mark_abbreviations(forms, self.stops)
        ids = self.ids
        arrays = (getattr(forms, one.name)[ids] for one in fields(forms))
        return Forms(*arrays)

    def fingerprint(self) -> str:
        """What tells these counts from those of other words or text, in hexadecimal."""
        digest = hashlib.sha256()
        words = (self.vocabulary.blob, self.vocabulary.offsets, self.count)
        for part in (*words, self.stops.counts, *self.stops.pairs()):
            digest.update(little(part))
        return digest.hexdigest()[:32]

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write a file of counts, whole or not at all; the same counts give the same bytes."""
        with create(path) as file:
            self.write(file)
            file.write(ABOUT, self.about.to_json())

    def write(self, file: CountsWriter) -> None:
        """Write the members of a file that words are part of."""
        blob, offsets = self.vocabulary.blob, self.vocabulary.offsets
        start = int(offsets[FIRST_WORD])
        ends = offsets[FIRST_WORD + 1 :] - start
        # A line end behind each word, of which none has one inside.
        lines = np.insert(blob[start:], ends, _LINE_END) if len(ends) else blob[start:]
        file.write("words.txt", lines.tobytes())
        file.write("words.counts", little(self.count))
        file.write("stops.counts", little(self.stops.counts))
        pairs, counts = self.stops.pairs()
        file.write("stops.pairs", little(pairs))
        file.write("stops.pair_counts", little(counts))

    @classmethod
    def read(cls, file: CountsReader) -> WordCounts:
        """The words of a file.

        Raises
        ------
        CountsError
            They are damaged.
        """
        lines = np.frombuffer(file.read("words.txt"), np.uint8)
        ends = np.flatnonzero(lines == _LINE_END)
        if len(lines) and (not len(ends) or ends[-1] != len(lines) - 1):
            raise CountsError(f"{file.name}: damaged: its last word has no end")
        specials = np.frombuffer(b"".join(SPECIAL_SURFACES), np.uint8)
        lengths = np.diff(ends, prepend=-1) - 1
        offsets = np.zeros(FIRST_WORD + len(ends) + 1, np.int64)
        offsets[1:] = np.cumsum([*map(len, SPECIAL_SURFACES), *lengths])
        vocabulary = Vocabulary(np.concatenate([specials, lines[lines != _LINE_END]]), offsets)
        n_words = len(vocabulary)
        in_order = np.arange(FIRST_WORD, n_words, dtype=np.uint32)
        if bool((lengths < 1).any()) or not np.array_equal(vocabulary.byte_order(), in_order):
            raise CountsError(f"{file.name}: damaged: its words are not in their order")
        if n_words - FIRST_WORD != file.about.n_words:
            raise CountsError(f"{file.name}: damaged: it has another number of words")
        count = numbers(file, "words.counts", np.int64, n_words)
        stops = StopTally(n_words)
        stops.counts[:] = numbers(file, "stops.counts", np.int64, 2 * n_words).reshape(2, -1)
        pair_counts = numbers(file, "stops.pair_counts", np.int64)
        pairs = numbers(file, "stops.pairs", np.uint64, len(pair_counts))
        if max(int(side.max(initial=0)) for side in unpack_pairs(pairs)) >= n_words:
            raise CountsError(f"{file.name}: damaged: a number of a word is too large")
        for counts in (count, stops.counts, pair_counts):
            if int(counts.min(initial=0)) < 0:
                raise CountsError(f"{file.name}: damaged: a count is negative")
            if int(counts.max(initial=0)) > MOST:
                raise CountsError(f"{file.name}: damaged: a count is larger than any text")
        stops.add_pairs(pairs, pair_counts)
        return cls(file.about, vocabulary, count, stops)

    @classmethod
    def load(cls, path: str | os.PathLike[str] | BytesIO) -> WordCounts:
        """The words of a file of words.

        Raises
        ------
        OSError
            The file cannot be opened.
        CountsError
            It is damaged, or no file of words.
        """
        with CountsReader(path) as file:
            if file.about.kind != "words":
                raise CountsError(
                    f"{file.name}: counts of {file.about.kind}; expected words, as "
                    "`truecase train count` without --words makes them"
                )
            return cls.read(file)
