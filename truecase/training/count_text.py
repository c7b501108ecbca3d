"""Counting texts into files that merge: ``truecase train count``."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Iterator

from truecase.counts.about import About
from truecase.counts.count import HowToCount, NgramCounter, count_words
from truecase.counts.ngrams import write_ngrams
from truecase.counts.words import WordCounts
from truecase.errors import TrainingError
from truecase.files.progress import Progress
from truecase.files.read import display_name
from truecase.ngram.counting import MemoryPlan
from truecase.ngram.estimate import LEAST_MEMORY, PYTHON_BYTES
from truecase.ngram.model import MAX_ORDER
from truecase.training.material import Path, Text, check_files, file_names, read_text
from truecase.training.recipe import TextRecipe

DEFAULT_ORDER = 3


def count_text(
    text: Text,
    out: Path,
    *,
    words: Path | None = None,
    order: int | None = None,
    segmentation: str | None = None,
    language: str | None = None,
    clean: bool | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> About:
    """Count a text, or a part of one, into a file; such files merge, and models are made of them.

    A part may be empty.

    In two steps, since which words begin sentences depends on the abbreviations and names of the
    whole text: first the words of all parts, which are merged, then, with these, the n-grams.

    Parameters
    ----------
    text : path-like, sequence of path-like, or callable
        As for `truecase.training.train.train`.
    out : path
        Where to write; appears whole or not at all. The same text gives the same bytes.
    words : path, optional
        Words of all parts, merged: count n-grams. Without it, words are counted.
    order : int, optional
        Of n-grams: how many words each has, 1 to 5; 3 by default. Models can be made of this
        order or a lower one.
    segmentation, language, clean : optional
        Of words, as for recipes; by default "raw", "" and False. n-grams are counted as their
        words were.
    memory : int, optional
        Bytes that counting may use beside the vocabulary; more goes to temporary files. The
        file is the same.
    progress : Progress, optional
    encoding : str, optional
        As for `truecase.training.train.train`.

    Returns
    -------
    About
        What the file says of itself.

    Raises
    ------
    TrainingError, CountsError
        The arguments do not go together; `words` is no such file, or of other text.
    OSError, ValueError
        A file cannot be read or written, or is not what it should be; the message names it.
    """
    names = file_names(text)
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
        _tell(progress, "writing")
        counted.save(out)
        return counted.about
    for name, value in (("segmentation", segmentation), ("language", language), ("clean", clean)):
        if value is not None:
            raise TrainingError(f"{name}: is as of the words in {os.fspath(words)}")
    order = DEFAULT_ORDER if order is None else order
    if not 1 <= order <= MAX_ORDER:
        raise TrainingError(f"order {order}: expected 1 to {MAX_ORDER}")
    return _count_ngrams(text, out, words, order, memory, progress, encoding)


def _count_ngrams(
    text: Text,
    out: Path,
    words: Path,
    order: int,
    memory: int | None,
    progress: Progress | None,
    encoding: str | None,
) -> About:
    known = WordCounts.load(words)
    left = None if memory is None else memory - known.vocabulary.nbytes() - PYTHON_BYTES
    counter = NgramCounter(known, order, MemoryPlan.for_memory(left, 0, 1))
    for part, name in _texts(text):
        counter.add(read_text(part, progress, encoding), name)
    _tell(progress, "counting n-grams")
    about = dataclasses.replace(
        known.about,
        kind="n-grams",
        n_lines=counter.n_lines,
        n_junk=counter.n_junk,
        order=order,
        words=known.fingerprint(),
    )
    return write_ngrams(out, about, known, counter.initial, counter.counted())


def _texts(text: Text) -> Iterator[tuple[Text, str]]:
    """Each file of a text by itself, with its name for errors."""
    if callable(text):
        yield text, "the text"
    else:
        for name in file_names(text):
            yield name, display_name(name)


def _tell(progress: Progress | None, step: str) -> None:
    if progress is not None:
        progress.phase(step)
