"""Count texts into files, and merge such files: ``truecase train count``, ``truecase train merge``.

The first step counts the words of each part of a text, the second its n-grams, given the words of
all parts.
"""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from truecase.base.argument_types import check_arguments
from truecase.base.atomic import scratch_folder, temporary_name
from truecase.base.progress import Progress
from truecase.base.read import display_name
from truecase.base.spool import Int64s, UInt32s
from truecase.errors import CountsError, TrainingError
from truecase.kernels.text import is_turkic
from truecase.ngram._count import NgramBlock, first_words
from truecase.ngram._words import Interner
from truecase.ngram.counting import CountedPieces, MemoryPlan, RunCounter, merged
from truecase.ngram.estimate import LEAST_MEMORY, PYTHON_BYTES, intern_blocks
from truecase.ngram.lexicon import StopTally, place_flags
from truecase.ngram.table import MAX_ORDER
from truecase.ngram.vocabulary import EOS, FIRST_WORD, IdStream
from truecase.options import StrPath
from truecase.training import count_files
from truecase.training.count_files import About, WordCounts
from truecase.training.estimate import tally_words
from truecase.training.material import Text, check_files, file_names, read_text
from truecase.training.recipe import Filters, TextRecipe
from truecase.training.text_filter import TextFilter

# Number of n-grams that are sorted at a time where memory is not limited.
_SORTED = 1 << 25


# Counting


@dataclass(frozen=True)
class HowToCount:
    """How a text is read: options of `TextRecipe`, and `clean` of `Filters`."""

    segmentation: str = "raw"
    language: str = ""
    clean: bool = False

    @classmethod
    def of(cls, about: About) -> HowToCount:
        """How a file's text was read."""
        return cls(about.segmentation, about.language, about.clean)

    def filter(self) -> TextFilter:
        """The filter that removes what is not counted."""
        return TextFilter(Filters(clean=self.clean), self.segmentation, self.language)


def count_words(blocks: Iterable[bytes], how: HowToCount, on_disk: bool = False) -> WordCounts:
    """Count the words of a text, given as blocks of whole lines.

    `on_disk`: keep the text, as numbers, in a temporary file instead of in memory.
    """
    clean = how.filter()
    stream = IdStream(on_disk)
    vocabulary = intern_blocks(clean(blocks), how.segmentation, how.language, stream, 1)
    forms, stops = tally_words(vocabulary, stream, is_turkic(how.language))
    stream.close()
    n_lines, n_words = int(forms.count[EOS]), len(vocabulary) - FIRST_WORD
    n_junk = clean.left_out.get("junk_lines", 0)
    about = About("words", **vars(how), n_lines=n_lines, n_words=n_words, n_junk=n_junk)
    return WordCounts.sorted(about, vocabulary, forms.count, stops)


class NgramCounter:
    """Counts the n-grams of a text.

    Parameters
    ----------
    words : WordCounts
        The words of all parts of the text.
    order : int
        Words of an n-gram.
    plan : MemoryPlan
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
        bits = count_files.ngram_bits(self._n_words)
        if order * bits > 128:
            raise CountsError(f"{order}-grams of {self._n_words} different words cannot be counted")
        self._counter = RunCounter(order, bits, _SORTED, plan)
        # In the order of training's ids.
        self._initial = np.zeros(self._n_words, np.int64)
        self.n_lines = 0

    @property
    def initial(self) -> Int64s:
        """How often each word, in the order of its bytes, has begun a sentence so far."""
        initial = np.zeros(self._n_words, np.int64)
        initial[self._words.ids] = self._initial
        return initial

    @property
    def n_junk(self) -> int:
        """Lines left out so far."""
        return self._clean.left_out.get("junk_lines", 0)

    def add(self, blocks: Iterable[bytes], name: str) -> None:
        """Count the n-grams of blocks of whole lines; `name` names the text in errors.

        Raises CountsError if the text has a word that was not counted.
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
            self._counter.add(len(ids), NgramBlock.add_ids, ids, 2 * self._n_words)
            self.n_lines += n_lines

    def _refuse(self, ids: UInt32s, n_lines: int, name: str) -> None:
        first = int(np.flatnonzero(ids >= self._n_words)[0])
        line = n_lines + 1 + int((ids[:first] == EOS).sum())
        word = self._interner.vocabulary().surface(self._n_words).decode(errors="replace")
        of_what = " of those that are not left out" if self._words.about.clean else ""
        raise CountsError(
            f"{name}: line {line}{of_what}: the word {word!r} is not among the words that "
            "were given, which are of other text"
        )

    def counted(self) -> CountedPieces:
        """The n-grams with their counts in ascending order; call it once, after all `add`."""
        return self._counter.counted()


# Merging

# Files that are open at a time; if there are more, their sums are merged again.
_AT_ONCE = 128

# A merge needs only small pieces, whatever the plan.
_PLAN = MemoryPlan(limit=1 << 30)

# The value of a run at its end.
_NO_MORE = np.zeros(0, np.uint64), np.zeros(0, np.uint32)


def merge_counts(
    parts: StrPath | Sequence[StrPath], out: StrPath, *, progress: Progress | None = None
) -> About:
    """Add up files of counts.

    The result does not depend on the cuts between the parts, nor on their order: it is, byte for
    byte, the file that counting the whole text makes. Memory holds the words of the sum and of one
    part, or a block of n-grams of each part.

    Parameters
    ----------
    parts : path or sequence of path
        Files of words, or files of n-grams that were counted with the same words.
    out : path
        Appears whole or not at all.
    progress : Progress, optional
        Counts the bytes of parts.

    Returns
    -------
    About
        The description that the new file begins with.

    Raises
    ------
    OSError
        A file cannot be read or written.
    CountsError
        A file is damaged, cut short, or does not fit the others; the message names it.
    """
    check_arguments(merge_counts, locals())
    parts, progress = file_names(parts), progress or Progress(enabled=False)
    if not parts:
        raise CountsError("there are no counts to merge")
    seen: set[str] = set()
    for part in parts:
        if os.path.realpath(part) in seen:
            raise CountsError(f"{part}: given more than once")
        seen.add(os.path.realpath(part))
    with count_files.CountsReader(parts[0]) as file:
        first = file.about
    for part in parts[1:]:
        with count_files.CountsReader(part) as file:
            count_files.check_alike(first, parts[0], file.about, file.name)
    if first.kind == "words":
        words = merge_words(_loaded(parts, progress))
        words.save(out)
        return words.about
    with scratch_folder() as folder:
        while len(parts) > _AT_ONCE:
            sums = []
            for start in range(0, len(parts), _AT_ONCE):
                sums.append(temporary_name(os.path.join(folder, "sum-")))
                _merge_ngrams(parts[start : start + _AT_ONCE], sums[-1], progress)
            # The bytes of sums are not those of parts.
            parts, progress = sums, Progress(enabled=False)
        return _merge_ngrams(parts, out, progress)


def _loaded(parts: Sequence[StrPath], progress: Progress) -> Iterator[WordCounts]:
    for part in parts:
        yield WordCounts.load(part)
        progress.add_bytes(os.path.getsize(part))


def merge_words(parts: Iterable[WordCounts]) -> WordCounts:
    """Add up counts of words; the caller has checked that the parts fit."""
    interner = Interner()
    count = np.zeros(0, np.int64)
    stops = StopTally(0)
    about: About | None = None
    for part in parts:
        ids = interner.add_words(part.vocabulary)
        n_words = len(interner)
        count = np.concatenate([count, np.zeros(n_words - len(count), np.int64)])
        stops.grow(n_words)
        # No word occurs twice in a part.
        count[ids] += part.count
        if int(count.max(initial=0)) > count_files.MOST:
            raise CountsError("the parts have more words together than any text")
        stops.add_tally(part.stops, ids)
        about = part.about if about is None else sum_of(about, part.about)
    assert about is not None
    about = dataclasses.replace(about, n_words=len(interner) - FIRST_WORD)
    return WordCounts.sorted(about, interner.vocabulary(), count, stops)


def sum_of(one: About, other: About) -> About:
    """The description of the sum of two files."""
    return dataclasses.replace(
        one, n_lines=one.n_lines + other.n_lines, n_junk=one.n_junk + other.n_junk
    )


def _merge_ngrams(parts: Sequence[StrPath], out: StrPath, progress: Progress) -> About:
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(count_files.NgramCounts(part)) for part in parts]
        words, about = files[0].words(), files[0].about
        initial = files[0].initial(words)
        for file in files[1:]:
            initial = initial + file.initial(words)
            about = sum_of(about, file.about)
        for part, file in zip(parts, files, strict=True):
            progress.add_bytes(os.path.getsize(part) - file.n_bytes)
        n_words = len(words.vocabulary)
        each = (file.pieces(n_words, progress.add_bytes) for file in files)
        sources = [partial(next, pieces, _NO_MORE) for pieces in each]
        pieces = merged(sources, about.order, count_files.ngram_bits(n_words), _PLAN)
        try:
            return count_files.write_ngrams(out, about, words, initial, pieces)
        except OverflowError as error:
            raise CountsError(str(error)) from None


DEFAULT_ORDER = 3


# Both steps


def count_text(
    text: Text,
    out: StrPath,
    *,
    words: StrPath | None = None,
    order: int | None = None,
    segmentation: str | None = None,
    language: str | None = None,
    clean: bool | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> About:
    """Count a text, or a part of one, into a file; such files merge, and models are made from them.

    This takes two steps, since abbreviations and names of the whole text determine which words
    begin sentences: count the words of all parts and merge them; then count n-grams with these. A
    part may be empty. Parameters not listed are those of `truecase.training.train.train`.

    Parameters
    ----------
    out : path
        Appears whole or not at all. Equal texts give equal bytes.
    words : path, optional
        Merged words of all parts: count n-grams. Without it, count words.
    order : int, optional
        Words of an n-gram, 1 to 5; 3 by default. The counts serve models of this order or less.
    segmentation, language, clean : optional
        For words, as in recipes; by default "raw", "" and False. n-grams inherit those of their
        words.
    memory : int, optional
        Bytes that counting may use in addition to the vocabulary; more goes to temporary
        files. The file is the same.

    Returns
    -------
    About
        The description that the file begins with.

    Raises
    ------
    TrainingError, CountsError
        The arguments contradict each other; `words` is not a file of words, or is of other text.
    OSError, ValueError
        A file cannot be read or written, or has another format; the message names it.
    """
    check_arguments(count_text, locals())
    names, progress = file_names(text), progress or Progress(enabled=False)
    if not callable(text) and not names:
        raise TrainingError("there is no text to count")
    if memory is not None and memory < LEAST_MEMORY:
        raise TrainingError(f"memory {memory}: at least {LEAST_MEMORY} bytes are needed")
    check_files(names)
    if words is None:
        if order is not None:
            raise TrainingError("order: words have none; give it when n-grams are counted")
        how = HowToCount(segmentation or "raw", language or "", bool(clean))
        TextRecipe(how.segmentation, how.language)  # type: ignore[arg-type]
        blocks = read_text(text, progress, encoding)
        counted = count_words(blocks, how, on_disk=memory is not None)
        progress.phase("writing")
        counted.save(out)
        return counted.about
    for name, value in (("segmentation", segmentation), ("language", language), ("clean", clean)):
        if value is not None:
            raise TrainingError(f"{name}: the words in {os.fspath(words)} say it already")
    order = DEFAULT_ORDER if order is None else order
    if not 1 <= order <= MAX_ORDER:
        raise TrainingError(f"order {order}: expected 1 to {MAX_ORDER}")
    known = WordCounts.load(words)
    left = None if memory is None else memory - known.vocabulary.nbytes() - PYTHON_BYTES
    counter = NgramCounter(known, order, MemoryPlan.for_memory(left, 0, 1))
    if callable(text):
        counter.add(read_text(text), "the text")
    for name in names:
        counter.add(read_text(name, progress, encoding), display_name(name))
    progress.phase("counting n-grams")
    about = known.about_ngrams(order, counter.n_lines, counter.n_junk)
    return count_files.write_ngrams(out, about, known, counter.initial, counter.counted())
