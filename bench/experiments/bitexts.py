"""Prepared bitexts as the bilingual experiments read them, and how a model is judged on one.

A folder is what `prepare_bitext.py` leaves: PART.LANGUAGE, tokens between spaces, and PART.align
with the links of words, the first language of the folder's name being their source.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np

from truecase.alignment.lines import AlignedLines
from truecase.alignment.link_formats import parse_pharaoh
from truecase.errors import AlignmentError
from truecase.evaluation.metrics import Evaluation, evaluate_lines
from truecase.kernels._segment import count_words
from truecase.kernels._unicode import lower
from truecase.training.translation_tables import with_naive_phrases
from truecase.truecaser import Truecaser

#: Tasks whose English is cased.
TO_ENGLISH = (
    "en-fr-it:en en-fr-debian:en en-fr-news:en en-de-it:en en-de-debian:en en-de-news:en"
    " zh-en-news:en en-cs-news:en en-ru-news:en"
).split()

#: What a model sees of the source: phrases of the naive phrase aligner, the links of words, the
#: sentence alone, nothing.
SIGHTS = ("phrases", "words", "sentence", "nothing")

#: Options of every model that is trained on such a text.
BASE = {"text.segmentation": "space", "lexicon.min_count": 1, "lexicon.min_share": 0.0}

_SAMPLE_SEED = 1
_PIECE = 1 << 20


@dataclass(frozen=True)
class Task:
    """A bitext in one direction.

    Attributes
    ----------
    folder : Path
    target : str
        The language to be cased.
    """

    folder: Path
    target: str

    @classmethod
    def parse(cls, bitexts: Path, name: str) -> "Task":
        """The task of a name like ``en-fr-it:fr``: folder, colon, language to be cased.

        Raises
        ------
        AlignmentError
            The folder has no such language.
        """
        folder, _, target = name.partition(":")
        if target not in folder.split("-")[:2]:
            raise AlignmentError(
                f"{name}: expected FOLDER:LANGUAGE, the language one of the folder's"
            )
        return cls(bitexts / folder, target)

    @property
    def name(self) -> str:
        """As it was parsed."""
        return f"{self.folder.name}:{self.target}"

    @property
    def direction(self) -> str:
        """Languages as tables name them: E→F."""
        return f"{self._initial(self.source)}→{self._initial(self.target)}"

    @staticmethod
    def _initial(language: str) -> str:
        return {"zh": "C"}.get(language, language[0].upper())

    @property
    def source(self) -> str:
        """The other language."""
        first, second = self.folder.name.split("-")[:2]
        return second if self.target == first else first

    def read(self, part: str, n_words: int | None = None) -> AlignedLines:
        """A part of the bitext with the links of its words.

        Parameters
        ----------
        part : str
        n_words : int, optional
            A random sample of the lines, of about so many target words. A larger sample has
            all lines of a smaller one.
        """
        source, target, links = (
            (self.folder / f"{part}.{suffix}").read_bytes()
            for suffix in (self.source, self.target, "align")
        )
        if n_words is not None:
            lines = np.random.default_rng(_SAMPLE_SEED).permutation(target.count(b"\n"))
            sizes = count_words(target)
            kept = lines[: int(np.searchsorted(np.cumsum(sizes[lines]), n_words)) + 1]
            kept.sort()
            source, target, links = (_select(text, kept) for text in (source, target, links))
        if self.folder.name.startswith(f"{self.target}-"):
            links = re.sub(rb"(\d+)-(\d+)", rb"\2-\1", links)
        phrases = parse_pharaoh(links, count_words(source), count_words(target))
        return AlignedLines(target, source, phrases)


def _select(text: bytes, lines: "np.ndarray[Any, np.dtype[np.int64]]") -> bytes:
    every = text.splitlines(keepends=True)
    return b"".join(every[line] for line in lines)


def pieces(lines: AlignedLines) -> Iterator[AlignedLines]:
    """The same lines, some at a time."""
    return lines.parts(_PIECE)


class Judge:
    """A part of a bitext that models are judged on.

    Parameters
    ----------
    lines : AlignedLines
        With the links of words.
    language : str
        Of the target.
    """

    def __init__(self, lines: AlignedLines, language: str) -> None:
        self.lines = lines
        self._reference = lines.target.decode().split("\n")
        self._bare = lower(lines.target.decode(), language).encode()

    @cached_property
    def n_words(self) -> int:
        """Words of the target."""
        return sum(len(line.split()) for line in self._reference)

    @cached_property
    def _phrases(self) -> AlignedLines:
        return with_naive_phrases(self.lines)

    def case(self, model: Truecaser, seen: str) -> str:
        """The text, lowercased, as the model cases it."""
        if seen == "nothing":
            return model.case_block(self._bare).decode()
        phrases = {"phrases": self._phrases.phrases, "words": self.lines.phrases, "sentence": None}[
            seen
        ]
        return model.case_block(self._bare, source=self.lines.source, phrases=phrases).decode()

    def evaluate(self, model: Truecaser, seen: str) -> Evaluation:
        """Compare what the model makes of the text with the text."""
        return evaluate_lines(self._reference, self.case(model, seen).split("\n"))

    def errors(self, model: Truecaser, seen: str) -> int:
        """Number of the words that are wrong."""
        return self.errors_of(self.case(model, seen).split("\n"))

    def errors_of(self, cased: list[str]) -> int:
        """The same of lines that something has cased."""
        evaluation = evaluate_lines(
            self._reference, cased + [""] * (len(self._reference) - len(cased))
        )
        return evaluation.n_words - evaluation.n_correct
