"""An explanation of a text's case as data: words, candidates, contributions of features."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    from truecase.base.spool import Float32s


@dataclass(frozen=True)
class Contribution:
    """The contribution of a feature to a candidate's score."""

    feature: str
    value: float
    weight: float

    @property
    def product(self) -> float:
        """Value times weight."""
        return self.value * self.weight


@dataclass(frozen=True)
class Candidate:
    """A form of a word.

    Attributes
    ----------
    text : str
        The word in this case.
    tag : str
        AL, IU, AU, MX or AN.
    training_count : int
        How often the form occurred in training, to about 5 %; 0 if the model lacks it.
    contributions : tuple of Contribution
        Those of the edge (``lm``, ``transition:…``; ``context`` in Portage's models) depend on the
        earlier words of the chosen path.
    score : float
        Sum of the contributions: a natural logarithm, up to a constant for the word.
    posterior : float
        Share of all paths, weighted by their probability, that pass here; not calibrated.
    is_chosen : bool
    is_raised : bool
        The form is lowercase for the language model, and gets a capital as the sentence's first.
    is_listed : bool
        The form is in a list of names: the only candidate, unless it is also a common word, to
        which the list gives the bonus ``names_list``. Other bonuses: ``as_given`` for the form that
        the word came in, ``spoken`` for words of English speech, ``composed`` for a form's parts;
        ``settled`` is taken off the forms of a word that its neighbours decide against.
    """

    text: str
    tag: str
    training_count: int
    contributions: tuple[Contribution, ...]
    score: float
    posterior: float
    is_chosen: bool
    is_raised: bool = False
    is_listed: bool = False


@dataclass(frozen=True)
class Word:
    """A word of a sentence.

    Attributes
    ----------
    text : str
        The input; empty for the end of the sentence.
    output : str
    candidates : tuple of Candidate
    is_scored : bool
        False if neither this word nor those before it have more than one candidate: the search
        skips it, and its score is unknown.
    is_changed_after : bool
        A rule has changed the word after the search: the first of a sentence, the English I, or a
        word in an address, code or markup, which keeps its case.
    is_end : bool
        The end of the sentence, which the language model counts as a word.
    posterior : float
        The probability of `output`; see `Truecaser.posteriors`.
    """

    text: str
    output: str
    candidates: tuple[Candidate, ...]
    is_scored: bool
    is_changed_after: bool = False
    is_end: bool = False
    posterior: float = 1.0

    @property
    def chosen(self) -> int:
        """Index of the candidate on the best path."""
        return next(i for i, candidate in enumerate(self.candidates) if candidate.is_chosen)

    def steps(self, candidate: Candidate) -> tuple[str, ...]:
        """A candidate's form for the language model and, if it differs, in the output."""
        if candidate.is_raised:
            lower = [other.text for other in self.candidates if other.tag == "AL"]
            return (*lower, candidate.text)
        if candidate.is_chosen and self.is_changed_after:
            return (candidate.text, self.output)
        return (candidate.text,)


@dataclass(frozen=True)
class Edge:
    """A step between candidates of neighbouring words.

    Attributes
    ----------
    word : int
        Index of the second word.
    before, candidate : int
        Indexes of the two candidates; `before` is 0 for the sentence's first word.
    lm : float or None
        Log-probability, with older words as on the best path; None if unknown.
    posterior : float
        Share of all paths that take the edge.
    """

    word: int
    before: int
    candidate: int
    lm: float | None
    posterior: float


@dataclass(frozen=True)
class Sentence:
    """A sentence, which is decoded as a whole.

    Attributes
    ----------
    words : tuple of Word
        The last one is the end of the sentence.
    edges : tuple of Edge
    score : float
        The sum of the scores of the chosen candidates.
    is_best : bool
        No path has a higher score; False if words were decided one by one, from left to right.
    """

    words: tuple[Word, ...]
    edges: tuple[Edge, ...]
    score: float
    is_best: bool = True


@dataclass(frozen=True)
class Gap:
    """The punctuation added before and behind a word.

    Attributes
    ----------
    posteriors : dict of str to float
        Probability of each mark behind the word, and of none, ``""``; 1 for a mark that the word
        had. If the model has marks before words, too, the keys are pairs: a mark behind the word
        and one before the next. The end of the text ends a sentence, whatever they are.
    """

    word: str
    before: str
    behind: str
    posteriors: dict[str, float]

    @property
    def marked(self) -> str:
        """The word with the added punctuation."""
        return f"{self.before}{self.word}{self.behind}"

    @property
    def is_marked(self) -> bool:
        """Whether punctuation was added."""
        return bool(self.before or self.behind)


@dataclass(frozen=True)
class Explanation:
    """Everything that determined an output.

    Attributes
    ----------
    text, output : str
        The input and output line.
    sentences : tuple of Sentence
    preset, order
        The model's preset and the length of its n-grams.
    is_calibrated : bool
        The words' probabilities are calibrated; the shares of paths never are.
    gaps : tuple of Gap
        One behind each word if punctuation was added.
    """

    text: str
    output: str
    sentences: tuple[Sentence, ...]
    preset: str
    order: int
    is_calibrated: bool = False
    gaps: tuple[Gap, ...] = ()

    def __repr__(self) -> str:
        return f"<Explanation: {self.text!r} to {self.output!r}, preset {self.preset}>"

    @property
    def words(self) -> tuple[Word, ...]:
        """The words of all sentences, without the ends of sentences."""
        return tuple(
            word for sentence in self.sentences for word in sentence.words if not word.is_end
        )

    def to_dict(self) -> dict[str, Any]:
        """The explanation as plain dicts, lists, strings and numbers."""
        plain = dataclasses.asdict(self)
        for sentence in plain["sentences"]:
            for word in sentence["words"]:
                for candidate in word["candidates"]:
                    for contribution in candidate["contributions"]:
                        contribution["product"] = contribution["value"] * contribution["weight"]
        return plain


class WordTrace(NamedTuple):
    """A word as decoding has it.

    Scores and contributions in `word` lack those of its edges. `edges` are log-probabilities by
    history, if any, and candidate; `transitions` weights and their features by both candidates.
    """

    word: Word
    edges: Float32s | None
    transitions: list[list[tuple[float, list[tuple[str, float, float]]]]] | None


class SentenceTrace(NamedTuple):
    """A sentence as decoding has it, and its best path."""

    words: list[WordTrace]
    path: list[int]
