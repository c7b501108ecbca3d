"""Counts of n-grams: the words of the text with their ids, and each n-gram's count.

A word that is the first of its sentence has another id than elsewhere, ``n_words`` more: whether
its capital is to be believed is decided when a model is made.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
import struct
from collections.abc import Callable
from typing import IO

import numpy as np
import numpy.typing as npt

from truecase.choices import StrPath
from truecase.counts._ngram_code import decode, encode
from truecase.counts.about import About
from truecase.counts.archive import ABOUT, CountsReader, create, little, numbers
from truecase.counts.words import WordCounts
from truecase.errors import CountsError
from truecase.ngram.counting import CountedPieces, id_bits, key_width

# n-grams of one block of the file, and what stands before it: records, bytes.
_BLOCK = 1 << 16
_HEADER = struct.Struct("<II")
_MOST_BYTES = 24 * _BLOCK

MEMBER = "n-grams"


def ngram_bits(n_words: int) -> int:
    """Bits of a word's id in n-grams, where the first of a sentence has one of its own."""
    return id_bits(2 * n_words)


def write_ngrams(
    path: StrPath,
    about: About,
    words: WordCounts,
    initial: npt.NDArray[np.int64],
    pieces: CountedPieces,
) -> About:
    """Write a file of n-grams, whole or not at all; the same counts give the same bytes.

    Parameters
    ----------
    path : path
    about : About
        Its number of n-grams is not looked at.
    words : WordCounts
    initial : int64 ndarray, shape (n_words,)
        How often each word, in the order of its bytes, is the first of a sentence.
    pieces : iterable of (keys, counts)
        Rising.

    Returns
    -------
    About
        With the number of n-grams.
    """
    with create(path) as file:
        words.write(file)
        file.write("first.counts", little(initial))
        with file.open(MEMBER) as out:
            n_ngrams = _write_pieces(out, pieces, key_width(about.order, ngram_bits(len(initial))))
        about = dataclasses.replace(about, n_ngrams=n_ngrams)
        file.write(ABOUT, about.to_json())
    return about


def _write_pieces(out: IO[bytes], pieces: CountedPieces, width: int) -> int:
    previous, n_ngrams = (0, 0), 0
    for keys, counts in _blocks(pieces, width):
        coded = encode(keys, width, counts, previous)
        out.write(_HEADER.pack(len(counts), len(coded)))
        out.write(coded.data)
        previous = _last(keys, width)
        n_ngrams += len(counts)
    return n_ngrams


def _blocks(pieces: CountedPieces, width: int) -> CountedPieces:
    """The same n-grams in blocks of one size, however they come: files must not differ by it."""
    waiting: list[tuple[npt.NDArray[np.uint64], npt.NDArray[np.uint32]]] = []
    n_waiting = 0
    for piece in itertools.chain(pieces, [None]):
        if piece is not None:
            waiting.append(piece)
            n_waiting += len(piece[1])
        if n_waiting >= _BLOCK or piece is None:
            keys = np.concatenate([keys for keys, _ in waiting] or [np.zeros(0, np.uint64)])
            counts = np.concatenate([counts for _, counts in waiting] or [np.zeros(0, np.uint32)])
            cut = len(counts) if piece is None else len(counts) // _BLOCK * _BLOCK
            for start in range(0, cut, _BLOCK):
                end = min(start + _BLOCK, cut)
                yield keys[start * width : end * width], counts[start:end]
            waiting, n_waiting = [(keys[cut * width :], counts[cut:])], len(counts) - cut


def _last(keys: npt.NDArray[np.uint64], width: int) -> tuple[int, int]:
    return (int(keys[-2]) if width == 2 else 0, int(keys[-1]))


class NgramCounts:
    """A file of n-grams, open for reading.

    Parameters
    ----------
    path : path

    Attributes
    ----------
    name : str
    about : About

    Raises
    ------
    OSError
        The file cannot be opened.
    CountsError
        It is damaged, or no file of n-grams.
    """

    def __init__(self, path: StrPath) -> None:
        self._file = CountsReader(path)
        self.name, self.about = self._file.name, self._file.about
        if self.about.kind != "n-grams":
            self._file.close()
            raise CountsError(
                f"{self.name}: counts of words alone; count the text once more with --words "
                f"{self.name}, which gives those of n-grams"
            )

    def words(self) -> WordCounts:
        """The words."""
        return WordCounts.read(self._file)

    def initial(self, words: WordCounts) -> npt.NDArray[np.int64]:
        """How often each word is the first of a sentence, in the order of its bytes."""
        initial = numbers(self._file, "first.counts", np.int64, len(words.vocabulary))
        if bool((initial < 0).any()) or bool((initial > words.count).any()):
            raise CountsError(f"{self.name}: damaged: a word is first more often than it is there")
        return initial

    def pieces(self, n_words: int, add_bytes: Callable[[int], None] | None = None) -> CountedPieces:
        """The n-grams with their counts, rising; `add_bytes` is told how many bytes they are.

        Raises
        ------
        CountsError
            They are damaged; found at the end, if not before.
        """
        n_bits = self.about.order * ngram_bits(n_words)
        if n_bits > 128:
            raise CountsError(f"{self.name}: damaged: n-grams of so many words cannot be")
        width = key_width(self.about.order, ngram_bits(n_words))
        previous, n_ngrams = (0, 0), 0
        with self._file.open(MEMBER) as file, self._file.naming_damage():
            while header := file.read(_HEADER.size):
                if len(header) < _HEADER.size:
                    raise ValueError("its n-grams end too early")
                n, n_bytes = _HEADER.unpack(header)
                if not 1 <= n <= _BLOCK or not n_bytes <= _MOST_BYTES:
                    raise ValueError("a block of n-grams has no such size")
                keys, counts = decode(file.read(n_bytes), n, width, previous)
                previous = _last(keys, width)
                # They rise, so that the last one is the greatest.
                if (previous[0] << 64 | previous[1]) >> n_bits:
                    raise ValueError("an n-gram is beyond all words")
                n_ngrams += n
                if add_bytes is not None:
                    add_bytes(_HEADER.size + n_bytes)
                yield keys, counts
            if n_ngrams != self.about.n_ngrams:
                raise ValueError(
                    f"{n_ngrams} n-grams, but it says that it has {self.about.n_ngrams}"
                )

    def naming_damage(self) -> contextlib.AbstractContextManager[None]:
        """Inside the block, an error that what was counted does not fit together names the file."""
        return self._file.naming_damage()

    def close(self) -> None:
        """Close the file."""
        self._file.close()

    def __enter__(self) -> NgramCounts:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
