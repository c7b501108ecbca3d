"""Which marks a model is to put, and how it learns that."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from truecase.errors import TrainingError
from truecase.marks._marks import MAX_BEFORE, MAX_MARKS, MAX_PAIRS, MAX_UNITS, is_sign
from truecase.marks._reading import IN_BUCKET

# As those count who measure such models: Tilk & Alumäe (2016) and others.
_ALIKE = {
    "!": ".",
    ";": ".",
    "…": ".",
    "。": ".",
    ":": ",",
    "—": ",",
    "–": ",",
    "-": ",",
    "，": ",",
}

# Words to learn from, in all passes.
_ENOUGH = 30_000_000


@dataclass(frozen=True)
class MarksRecipe:
    """Which marks a model is to put, and how it learns that.

    Attributes
    ----------
    marks : tuple of str
        The strongest last: a word that carries several counts as carrying that.
    ends : tuple of str
        Those of them that end sentences.
    alike : mapping of str to str
        Other signs that count as one of them, in the text that is learned from and in what is to be
        punctuated.
    openings : tuple of str
        Marks in front of words, such as the Spanish ¿ and ¡.
    offsets : mapping of str to float
        Nats that are added to the score of a mark in the end, "" being none: text that is learned
        from may have fewer marks than the text that is to get them.
    n_units : int
        Of each direction, a multiple of 8.
    n_words, n_endings : int
        Rows of words, and of their last letters, which share them by their hashes.
    n_pairs : int
        Rows of the most frequent pairs of words, at most; a multiple of 4.
    passes : int
        Over the text; 0: as many as make 30 million words, from 2 to 20, since a small text has
        too few steps otherwise.
    rate : float
        Adam's at the beginning, from which it falls to 0 along a cosine.
    length, batch : int
        Words of a piece, and pieces that make a step.
    hide_words : float
        Share of the words whose rows are hidden, and of pairs, so that not all is learned of
        words alone.
    cut, cut_gaps : float
        Share of the pieces that are read as a stream that breaks off after some words, and share of
        the words it breaks off after: what follows is not always known.
    show : float
        Share of the pieces that have some of their marks already.
    misheard, dropped, doubled : float
        Shares of the words that are replaced by others, left out, and said twice, as errors of
        recognisers are.

    Raises
    ------
    TrainingError
        Marks or numbers make no sense.
    """

    marks: tuple[str, ...] = (",", ".", "?")
    ends: tuple[str, ...] = (".", "?")
    alike: Mapping[str, str] = field(default_factory=_ALIKE.copy)
    openings: tuple[str, ...] = ()
    offsets: Mapping[str, float] = field(default_factory=dict)
    n_units: int = 64
    n_words: int = 1 << 16
    n_endings: int = 1 << 12
    n_pairs: int = 1 << 18
    passes: int = 0
    rate: float = 3e-3
    length: int = 120
    batch: int = 64
    hide_words: float = 0.1
    cut: float = 0.15
    cut_gaps: float = 0.1
    show: float = 0.15
    misheard: float = 0.0
    dropped: float = 0.0
    doubled: float = 0.0

    def __post_init__(self) -> None:
        if not 1 <= len(self.marks) <= MAX_MARKS or len(set(self.marks)) < len(self.marks):
            raise TrainingError(
                f"marks {' '.join(self.marks)}: expected 1 to {MAX_MARKS}, each once"
            )
        n_pairs = (1 + len(self.marks)) * (1 + len(self.openings))
        if len(self.openings) > MAX_BEFORE or n_pairs > MAX_PAIRS:
            raise TrainingError(
                f"marks: {len(self.marks)} behind words and {len(self.openings)} in front of them "
                "are too many"
            )
        if len({*self.marks, *self.openings}) < len(self.marks) + len(self.openings):
            raise TrainingError("marks: expected each once")
        for sign in (*self.marks, *self.openings, *self.alike):
            if not is_sign(sign):
                raise TrainingError(f"{sign!r} is no mark of one character")
        for name, given in (("ends", self.ends), ("offsets", self.offsets)):
            known = (*self.marks, "", *(self.openings if name == "offsets" else ()))
            unknown = [mark for mark in given if mark not in known]
            if unknown:
                raise TrainingError(f"{name}: {unknown[0]!r} is none of the marks")
        if not 8 <= self.n_units <= MAX_UNITS or self.n_units % 8:
            raise TrainingError(f"units {self.n_units}: expected 8, 16, 24 … {MAX_UNITS}")
        for name in ("n_words", "n_endings"):
            if not 1 <= getattr(self, name) < 1 << 31:
                raise TrainingError(f"{name} {getattr(self, name)}: expected 1 to {(1 << 31) - 1}")
        if not 0 <= self.n_pairs < 1 << 31 or self.n_pairs % IN_BUCKET:
            raise TrainingError(f"n_pairs {self.n_pairs}: expected a multiple of {IN_BUCKET}")
        if self.passes < 0 or self.length < 16 or self.batch < 1:
            raise TrainingError("passes, length, batch: expected at least 0, 16, 1")
        if not self.rate > 0:
            raise TrainingError(f"rate {self.rate}: expected a number above 0")
        for name in ("hide_words", "cut", "cut_gaps", "show", "misheard", "dropped", "doubled"):
            if not 0 <= getattr(self, name) <= 1:
                raise TrainingError(f"{name} {getattr(self, name)}: expected 0 to 1")
        if self.dropped + self.doubled > 0.5:
            raise TrainingError("dropped, doubled: expected at most half of the words together")

    def passes_over(self, n_words: int) -> int:
        """Over a text of so many words."""
        return self.passes or min(max(math.ceil(_ENOUGH / n_words), 2), 20)

    @property
    def used_alike(self) -> dict[str, str]:
        """Of `alike`, what stands for a mark that the model has."""
        return {
            sign: mark
            for sign, mark in self.alike.items()
            if mark in self.marks and sign not in (*self.marks, *self.openings)
        }

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """What may stand behind one word and in front of the next, by their labels."""
        return [(mark, opening) for opening in ("", *self.openings) for mark in ("", *self.marks)]

    @property
    def signs(self) -> dict[str, int]:
        """Labels of all signs that count as marks."""
        label = {mark: number for number, mark in enumerate(self.marks, 1)}
        return label | {sign: label[mark] for sign, mark in self.used_alike.items()}
