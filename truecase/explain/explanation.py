"""Why a text is cased as it is, as data: words, candidates, and what each feature gave."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Contribution:
    """What one feature gave to a candidate's score."""

    feature: str
    value: float
    weight: float

    @property
    def product(self) -> float:
        """Value times weight."""
        return self.value * self.weight


@dataclass(frozen=True)
class Candidate:
    """One form that a word could take.

    Attributes
    ----------
    text : str
        The word in this case.
    tag : str
        AL, IU, AU, MX or AN.
    training_count : int
        How often the form occurred in training, to about 5 %; 0 if the model does not have it.
    contributions : tuple of Contribution
        Those on the edge (``lm``, ``transition:…``; ``context`` in Portage's models) with the
        words before as the chosen path has them.
    score : float
        Their sum; natural log, up to a constant that all candidates of the word share.
    posterior : float
        Share of all paths, weighed by their probability, that pass here; not calibrated.
    is_chosen : bool
        Whether the chosen path does.
    is_raised : bool
        The lowercase form with a capital because it starts the sentence: for the language model
        it is lowercase.
    is_listed : bool
        The form that a list of names has. Where that is common words, too, the contribution
        ``names_list`` tells by how much it is favoured; else it is the only candidate. What words
        of English speech are favoured by is ``spoken``, what a form gets for its parts
        ``composed``; what a layer of whole sentences adds, ``whole_sentence``.
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
    """One word of a sentence.

    Attributes
    ----------
    text : str
        As it was given; empty for the end of the sentence.
    output : str
        As it comes out.
    candidates : tuple of Candidate
    is_scored : bool
        False if neither this word nor those before it have more than one candidate: the
        search passes over it, and its score is not known.
    is_changed_after : bool
        It comes out otherwise than the best path has it: a sentence's first word, or the English I,
        got its capital by rule after the search, or a word in an address, code or markup was left
        as it is.
    is_end : bool
        The end of the sentence, which the language model counts as a word.
    posterior : float
        How sure the model is of `output`, as `Truecaser.posteriors` has it: calibrated, if the
        model is.
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
        """Number of the candidate on the best path."""
        return next(i for i, candidate in enumerate(self.candidates) if candidate.is_chosen)

    def steps(self, candidate: Candidate) -> tuple[str, ...]:
        """A candidate as the model has it and, if that is not the same, as it comes out.

        The first word of a sentence can be lowercase to the language model and still come out
        with a capital; `steps` tell such a candidate from the capitalised one.

        Parameters
        ----------
        candidate : Candidate
            One of this word's.

        Returns
        -------
        tuple of str
            One text, or two.
        """
        if candidate.is_raised:
            lower = [other.text for other in self.candidates if other.tag == "AL"]
            return (*lower, candidate.text)
        if candidate.is_chosen and self.is_changed_after:
            return (candidate.text, self.output)
        return (candidate.text,)


@dataclass(frozen=True)
class Edge:
    """A step from a candidate of one word to one of the next.

    Attributes
    ----------
    word : int
        The word that it leads to.
    before, candidate : int
        Numbers of the two candidates; `before` is 0 for the sentence's first word.
    lm : float or None
        Log-probability, older words as the best path has them; None if it is not known.
    posterior : float
        Share of all paths that take it.
    """

    word: int
    before: int
    candidate: int
    lm: float | None
    posterior: float


@dataclass(frozen=True)
class Sentence:
    """What is decoded at a time.

    Attributes
    ----------
    words : tuple of Word
        The last one is the end of the sentence.
    edges : tuple of Edge
    score : float
        Of the chosen path, as the search has it: the sum of its candidates' scores.
    is_best : bool
        Whether no path has a higher score; not so where each word is decided by itself, from
        left to right.
    """

    words: tuple[Word, ...]
    edges: tuple[Edge, ...]
    score: float
    is_best: bool = True


@dataclass(frozen=True)
class Gap:
    """What stands around a word once marks have been put.

    Attributes
    ----------
    word : str
        As it was given.
    before, behind : str
        What was put in front of it and behind it, or empty.
    posteriors : dict of str to float
        How probable each of the model's marks is behind it, and none, which is ``""``; 1 for a mark
        that the word had. Of a model with marks in front of words, each pair of what stands behind
        the word and in front of the next. They sum to 1, and are those of single gaps: the end of
        the text ends a sentence whatever they are.
    """

    word: str
    before: str
    behind: str
    posteriors: dict[str, float]

    @property
    def marked(self) -> str:
        """The word with what was put around it."""
        return f"{self.before}{self.word}{self.behind}"

    @property
    def is_marked(self) -> bool:
        """Whether anything was put."""
        return bool(self.before or self.behind)


@dataclass(frozen=True)
class Explanation:
    """Everything that led to an output.

    Attributes
    ----------
    text, output : str
        One line.
    sentences : tuple of Sentence
    preset : str
        Of the model.
    order : int
        Length of its n-grams.
    is_calibrated : bool
        Whether the probabilities of words are calibrated; the shares of paths never are.
    gaps : tuple of Gap
        Behind each word of the text, if marks were put; otherwise empty.
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
        """The words of all sentences, without the sentences' ends."""
        return tuple(
            word for sentence in self.sentences for word in sentence.words if not word.is_end
        )

    def to_dict(self) -> dict[str, Any]:
        """All of it as plain dicts, lists, texts and numbers."""
        plain = dataclasses.asdict(self)
        for sentence in plain["sentences"]:
            for word in sentence["words"]:
                for candidate in word["candidates"]:
                    for contribution in candidate["contributions"]:
                        contribution["product"] = contribution["value"] * contribution["weight"]
        return plain
