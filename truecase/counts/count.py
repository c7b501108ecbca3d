"""Counting a text: its words by themselves, then, knowing those of all parts, its n-grams."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from truecase.corpus._intern import Interner
from truecase.corpus.id_stream import END_OF_LINE, IdStream
from truecase.corpus.vocabulary import FIRST_WORD
from truecase.counts.about import About
from truecase.counts.errors import CountsError
from truecase.counts.ngrams import ngram_bits
from truecase.counts.words import WordCounts
from truecase.lexicon._stream import first_words
from truecase.lexicon.lexicon import describe_vocabulary, place_flags
from truecase.lexicon.stops import StopTally
from truecase.ngram.counting import CountedPieces, MemoryPlan, RunCounter, add_ids
from truecase.text.casing import is_turkic
from truecase.training.recipe import Filters
from truecase.training.text_filter import TextFilter

# n-grams that are sorted at a time where memory is not limited.
_SORTED = 1 << 25


@dataclass(frozen=True)
class HowToCount:
    """How a text is read.

    Attributes
    ----------
    segmentation, language : str
        As of `truecase.training.recipe.TextRecipe`.
    clean : bool
        As of `truecase.training.recipe.Filters`.
    """

    segmentation: str = "raw"
    language: str = ""
    clean: bool = False

    @classmethod
    def of(cls, about: About) -> HowToCount:
        """How a file's text was read."""
        return cls(about.segmentation, about.language, about.clean)

    def filter(self) -> TextFilter:
        """What takes out what is not counted."""
        return TextFilter(Filters(clean=self.clean), self.segmentation, self.language)


def count_words(blocks: Iterable[bytes], how: HowToCount, on_disk: bool = False) -> WordCounts:
    """Count the words of a text.

    Parameters
    ----------
    blocks : iterable of bytes
        Whole lines.
    how : HowToCount
    on_disk : bool
        Keep the text, as numbers, in a temporary file instead of in memory.
    """
    clean = how.filter()
    stream = IdStream(on_disk)
    interner = Interner(how.segmentation, how.language, stream)
    for block in clean(blocks):
        interner.add_block(block)
    vocabulary = interner.vocabulary()
    del interner
    count = np.zeros(len(vocabulary), np.int64)
    forms = describe_vocabulary(vocabulary.blob, vocabulary.offsets, is_turkic(how.language))
    stops = StopTally(len(vocabulary))
    for chunk in stream.line_chunks():
        count += np.bincount(chunk, minlength=len(vocabulary))
        stops.add(chunk, forms)
    stream.close()
    about = About(
        "words",
        how.segmentation,
        how.language,
        how.clean,
        n_lines=int(count[END_OF_LINE]),
        n_words=len(vocabulary) - FIRST_WORD,
        n_junk=clean.n_junk,
    )
    return WordCounts.sorted(about, vocabulary, count, stops)


class NgramCounter:
    """Counts the n-grams of a text.

    Parameters
    ----------
    words : WordCounts
        Of all parts of the text.
    order : int
        Words of an n-gram.
    plan : MemoryPlan

    Attributes
    ----------
    n_lines, n_junk : int
        Counted so far, and left out.
    """

    def __init__(self, words: WordCounts, order: int, plan: MemoryPlan) -> None:
        self._words = words
        how = HowToCount.of(words.about)
        vocabulary = words.training_vocabulary()
        self._n_words = len(vocabulary)
        self._interner = Interner(how.segmentation, how.language, None, vocabulary)
        self._forms = words.forms()
        self._flags = place_flags(self._forms)
        self._clean = how.filter()
        bits = ngram_bits(self._n_words)
        if order * bits > 128:
            raise CountsError(f"{order}-grams of {self._n_words} different words cannot be counted")
        self._counter = RunCounter.of_keys(order, bits, _SORTED, plan)
        # In the order of training's ids.
        self._initial = np.zeros(self._n_words, np.int64)
        self.n_lines = 0

    @property
    def initial(self) -> npt.NDArray[np.int64]:
        """How often each word, in the order of its bytes, is the first of a sentence so far."""
        initial = np.zeros(self._n_words, np.int64)
        initial[self._words.ids] = self._initial
        return initial

    @property
    def n_junk(self) -> int:
        """Lines left out so far."""
        return self._clean.n_junk

    def add(self, blocks: Iterable[bytes], name: str) -> None:
        """Count the n-grams of whole lines.

        Parameters
        ----------
        blocks : iterable of bytes
        name : str
            Of the text, for errors.

        Raises
        ------
        CountsError
            The text has a word that was not counted.
        """
        before = self.n_lines
        for block in self._clean(blocks):
            ids, n_lines = self._interner.ids(block)
            if len(self._interner) > self._n_words:
                self._refuse(ids, self.n_lines - before, name)
            forms = self._forms
            is_first = first_words(ids, forms.key, forms.tag, forms.word_class, self._flags)
            self._initial += np.bincount(ids[is_first], minlength=self._n_words)
            ids[is_first] += np.uint32(self._n_words)
            add_ids(self._counter, ids, 2 * self._n_words)
            self.n_lines += n_lines

    def _refuse(self, ids: npt.NDArray[np.uint32], n_lines: int, name: str) -> None:
        first = int(np.flatnonzero(ids >= self._n_words)[0])
        line = n_lines + 1 + int((ids[:first] == END_OF_LINE).sum())
        word = self._interner.vocabulary().surface(self._n_words).decode(errors="replace")
        raise CountsError(
            f"{name}: line {line}{self._of_what()}: the word {word!r} is not among the words that "
            "were given, which are of other text"
        )

    def _of_what(self) -> str:
        return " of those that are not left out" if self._words.about.clean else ""

    def counted(self) -> CountedPieces:
        """The n-grams with their counts, rising; to be called once, when all is added."""
        return self._counter.counted()
