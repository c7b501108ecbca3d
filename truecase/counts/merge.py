"""Adding up files of counts."""

from __future__ import annotations

import contextlib
import dataclasses
import os
from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import numpy as np

from truecase.base.atomic import scratch_folder, temporary_name
from truecase.base.progress import Progress
from truecase.choices import StrPath
from truecase.corpus._intern import Interner
from truecase.corpus.vocabulary import FIRST_WORD
from truecase.counts.about import About, check_alike
from truecase.counts.archive import CountsReader
from truecase.counts.ngrams import NgramCounts, ngram_bits, write_ngrams
from truecase.counts.words import MOST, WordCounts
from truecase.errors import CountsError
from truecase.lexicon.stops import StopTally
from truecase.ngram.counting import MemoryPlan, key_width, merged

# Files that are open at a time; of more, sums are merged again.
_AT_ONCE = 128

# Pieces of a merge are small in any plan.
_PLAN = MemoryPlan(limit=1 << 30)

# What a run gives at its end.
_NO_MORE = np.zeros(0, np.uint64), np.zeros(0, np.uint32)


def merge_counts(
    parts: Sequence[StrPath], out: StrPath, *, progress: Progress | None = None
) -> About:
    """Add up files of counts.

    The result does not depend on how a text was cut into parts, nor on their order: it is, byte
    for byte, the file that counting the whole text makes. Memory: words need it for all of them
    and those of one part, n-grams for a block of each part.

    Parameters
    ----------
    parts : sequence of path
        All of words, or all of n-grams that were counted with the same words.
    out : path
        Where to write; appears whole or not at all.
    progress : Progress, optional
        Is told of the bytes of parts.

    Returns
    -------
    About
        What the new file says of itself.

    Raises
    ------
    OSError
        A file cannot be read or written.
    CountsError
        A file is damaged or cut short, or does not go with the others; the message names it.
    """
    if not parts:
        raise CountsError("there are no counts to merge")
    names = [os.path.realpath(part) for part in parts]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise CountsError(f"{os.fspath(parts[place])}: given more than once")
    with CountsReader(parts[0]) as file:
        first = file.about
    for part in parts[1:]:
        with CountsReader(part) as file:
            check_alike(first, os.fspath(parts[0]), file.about, file.name)
    if first.kind == "words":
        words = merge_words(_loaded(parts, progress))
        words.save(out)
        return words.about
    with scratch_folder() as folder:
        while len(parts) > _AT_ONCE:
            parts = [
                _sum_of_some(parts[start : start + _AT_ONCE], folder, progress)
                for start in range(0, len(parts), _AT_ONCE)
            ]
        return _merge_ngrams(parts, out, progress)


def _loaded(parts: Sequence[StrPath], progress: Progress | None) -> Iterator[WordCounts]:
    for part in parts:
        yield WordCounts.load(part)
        if progress is not None:
            progress.add_bytes(os.path.getsize(part))


def _sum_of_some(parts: Sequence[StrPath], folder: str, progress: Progress | None) -> str:
    name = temporary_name(os.path.join(folder, "sum-"))
    _merge_ngrams(parts, name, progress)
    return name


def merge_words(parts: Iterable[WordCounts]) -> WordCounts:
    """Counts of words added up; the parts are known to be alike."""
    interner = Interner()
    count = np.zeros(0, np.int64)
    stops = StopTally(0)
    about: About | None = None
    for part in parts:
        ids = interner.add_words(part.vocabulary)
        n_words = len(interner)
        count = np.concatenate([count, np.zeros(n_words - len(count), np.int64)])
        stops.grow(n_words)
        # No word of a part is there twice.
        count[ids] += part.count
        if int(count.max(initial=0)) > MOST:
            raise CountsError("the parts have more words together than any text")
        stops.add_tally(part.stops, ids)
        about = part.about if about is None else sum_of(about, part.about)
    assert about is not None
    about = dataclasses.replace(about, n_words=len(interner) - FIRST_WORD)
    return WordCounts.sorted(about, interner.vocabulary(), count, stops)


def sum_of(one: About, other: About) -> About:
    """What a file says whose counts are the sum of two."""
    return dataclasses.replace(
        one, n_lines=one.n_lines + other.n_lines, n_junk=one.n_junk + other.n_junk
    )


def _merge_ngrams(parts: Sequence[StrPath], out: StrPath, progress: Progress | None) -> About:
    with contextlib.ExitStack() as stack:
        files = [stack.enter_context(NgramCounts(part)) for part in parts]
        words, about = files[0].words(), files[0].about
        initial = files[0].initial(words)
        for file in files[1:]:
            initial = initial + file.initial(words)
            about = sum_of(about, file.about)
        n_words = len(words.vocabulary)
        add_bytes = None if progress is None else progress.add_bytes
        sources = [partial(next, file.pieces(n_words, add_bytes), _NO_MORE) for file in files]
        width = key_width(about.order, ngram_bits(n_words))
        try:
            return write_ngrams(out, about, words, initial, merged(sources, width, _PLAN))
        except OverflowError as error:
            raise CountsError(str(error)) from None
