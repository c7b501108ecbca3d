"""Text with its marks as words with labels."""

from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.errors import TrainingError
from truecase.marks._reading import FLAGS, read_words, word_rows
from truecase.training.marks.frequent_pairs import find_pairs
from truecase.training.recipe import MarksRecipe

# A word that nine times in ten has a full stop within lines is an abbreviation: Mr., vs.
_STOPS_OF_ABBREVIATION, _LEAST_OFTEN = 0.9, 5


class _Read(NamedTuple):
    """What `read_words` gives back."""

    key: npt.NDArray[np.uint64]
    ending: npt.NDArray[np.uint32]
    label: npt.NDArray[np.uint8]
    flags: npt.NDArray[np.uint8]
    before: npt.NDArray[np.uint8]


class LabelledWords(NamedTuple):
    """The words of a text, and which mark stands behind each.

    Attributes
    ----------
    rows : dict of str to int32 ndarray, shape (n,)
        Theirs in each table of rows.
    pair_checks : uint16 ndarray
        By which frequent pairs are found; see `find_pairs`.
    label : uint8 ndarray, shape (n,)
        Of the gap behind the word: the number of the mark there, 0 for none, and for each opening
        mark in front of the next word so many more as there are marks and none.
    abbreviations : uint64 ndarray
        Keys of words that a full stop belongs to, ascending.
    """

    rows: dict[str, npt.NDArray[np.int32]]
    pair_checks: npt.NDArray[np.uint16]
    label: npt.NDArray[np.uint8]
    abbreviations: npt.NDArray[np.uint64]


def label_words(
    blocks: Iterable[bytes], recipe: MarksRecipe, turkic: bool = False
) -> LabelledWords:
    """Read the words of a cased text of whole lines, and the marks behind them.

    The end of a line ends a sentence. A full stop whose word is a letter, or has full stops within
    it, or goes on in lower case, is none; three dots are what goes on as a comma if lower case
    follows.

    Raises
    ------
    TrainingError
        There are no words, or some mark never occurs.
    """
    keys: list[npt.NDArray[np.uint64]] = []
    endings: list[npt.NDArray[np.int32]] = []
    labels: list[npt.NDArray[np.uint8]] = []
    stops: list[npt.NDArray[np.bool_]] = []
    often: Counter[int] = Counter()
    openings: list[npt.NDArray[np.uint8]] = []
    for block in blocks:
        read = _without_signs(_Read(*read_words(block, recipe.signs, turkic, recipe.openings)))
        if not len(read.key):
            continue
        openings.append(read.before)
        label, is_stop = _settled(read.label, read.flags, recipe)
        often.update(read.key[is_stop].tolist())
        keys.append(read.key)
        of_ending = read.ending.astype(np.uint64) * recipe.n_endings
        endings.append((of_ending >> 32).astype(np.int32))
        labels.append(label)
        stops.append(is_stop)
    if not keys:
        raise TrainingError("the text has no words to learn marks from")
    key, label, is_stop = np.concatenate(keys), np.concatenate(labels), np.concatenate(stops)
    keys.clear()
    n_rows = recipe.n_words
    word = word_rows(key, n_rows)
    share = np.bincount(word[is_stop], minlength=n_rows) / np.maximum(
        1, np.bincount(word, minlength=n_rows)
    )
    stopped = np.array([one for one, n in often.items() if n >= _LEAST_OFTEN], np.uint64)
    stopped_rows = word_rows(stopped, n_rows)
    is_short = share[stopped_rows] >= _STOPS_OF_ABBREVIATION
    label[is_stop & np.isin(word, stopped_rows[is_short])] = 0
    before = np.concatenate(openings)
    missing = [
        mark
        for found, marks in ((label, recipe.marks), (before, recipe.openings))
        for n, mark in enumerate(marks, 1)
        if not (found == n).any()
    ]
    if missing:
        raise TrainingError(f"the text to learn marks from has no {missing[0]!r}")
    label[:-1] += before[1:] * np.uint8(1 + len(recipe.marks))
    pair, checks = find_pairs(key, recipe.n_pairs)
    rows = {"words": word, "endings": np.concatenate(endings), "pairs": pair}
    return LabelledWords(rows, checks, label, np.sort(stopped[is_short]))


def _without_signs(read: _Read) -> _Read:
    """Words alone: marks that stand by themselves go to the word before them.

    Opening marks go to the word behind them.
    """
    is_word = read.flags & FLAGS["is sign"] == 0
    place = np.cumsum(is_word) - 1
    words = _Read(*(of_all[is_word] for of_all in read))
    lonely = np.flatnonzero(~is_word & (place >= 0))
    np.maximum.at(words.label, place[lonely], read.label[lonely])
    np.bitwise_or.at(words.flags, place[lonely], read.flags[lonely] & FLAGS["ends line"])
    opening = np.flatnonzero(~is_word & (read.before > 0) & (place + 1 < len(words.key)))
    np.maximum.at(words.before, place[opening] + 1, read.before[opening])
    return words


def _settled(
    label: npt.NDArray[np.uint8], flags: npt.NDArray[np.uint8], recipe: MarksRecipe
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
    """Labels as they are meant, and which words have a full stop within a line."""

    def has(flag: str) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = flags & FLAGS[flag] != 0
        return found

    label = label.copy()
    ends_line = has("ends line")
    before_upper = np.append(has("is upper")[1:], True) | ends_line
    is_stop = has("stops") & ~ends_line
    signs = recipe.signs
    label[has("trails") & ~before_upper] = signs.get(",", 0)
    label[is_stop & (has("has stop") | ~before_upper)] = 0
    ends = [signs[mark] for mark in recipe.ends]
    if ends:
        label[ends_line & ~np.isin(label, ends)] = ends[0]
    return label, is_stop
