"""Words of a text: their positions, forms and posteriors."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from truecase.evaluation._posteriors import word_posteriors
from truecase.kernels._unicode import tag as tag_of
from truecase.kernels.text import spliced

if TYPE_CHECKING:
    from truecase._core import CompiledModel
    from truecase.alignment.lines import Phrases
    from truecase.options import Casing
    from truecase.rules.styles import Styler


# For each word of a line: its first character, the one after its last, its candidates.
_Candidates = list[tuple[str, str, float]]
_Line = list[tuple[int, int, _Candidates]]


# Making each tuple by its class would take as long as casing the words.
_new = tuple.__new__


class TaggedWord(NamedTuple):
    """A word with its position and form.

    Attributes
    ----------
    start, end : int
        Its position in the input, ``text[start:end]``, in characters.
    text : str
        The word in the output.
    tag : str
        AL: all lower case, IU: initial upper case, AU: all upper case, MX: mixed, AN: no letters
        with case.
    """

    start: int
    end: int
    text: str
    tag: str


class Candidate(NamedTuple):
    """A form of a word.

    Attributes
    ----------
    text : str
        The word in this case.
    tag : str
        AL, IU, AU, MX or AN.
    posterior : float
        Share of the lattice's paths that pass through it, weighted by their probability (Wang,
        Knight & Marcu 2006, equation 1). If the model is calibrated: how often such forms are
        right.
    """

    text: str
    tag: str
    posterior: float


class WordPosterior(NamedTuple):
    """A `TaggedWord` with the posteriors of its forms.

    Attributes
    ----------
    posterior : float
        The probability of `text`.
    candidates : tuple of Candidate
        All forms considered, the chosen one first, the others by posterior. Forms that a rule or a
        style makes equal count as one. Their posteriors sum to 1; to at most 1 for the single form
        of a calibrated model, as there are forms that were not considered.
    """

    start: int
    end: int
    text: str
    tag: str
    posterior: float
    candidates: tuple[Candidate, ...]


class ChangedWord(NamedTuple):
    """A word that comes out in another case.

    Attributes
    ----------
    line : int
        Its line, from 1.
    word : int
        Which word between white space it is, or is a part of, from 1.
    before, after : str
    probability : float
        That of `after`: `WordPosterior.posterior`.
    """

    line: int
    word: int
    before: str
    after: str
    probability: float


class CasedBlock(NamedTuple):
    """Lines to case, and the arguments of `word_posteriors`; the model's styler and language."""

    lines: bytes
    errors: str
    casing: Casing
    source: bytes | None
    phrases: Phrases | None
    styler: Styler | None
    language: str

    @property
    def walked(self) -> tuple[bytes, Casing, bytes | None, Phrases | None]:
        """The arguments of kernels, which know no styles."""
        return self.lines, self.casing, self.source, self.phrases


def tagged_words(model: CompiledModel, block: CasedBlock) -> list[list[TaggedWord]]:
    """Return the words of each line as in the output."""
    return [
        [_new(TaggedWord, (start, end, text, tag)) for start, end, ((text, tag, _),) in line]
        for line in _decoded(model, block, chosen_only=True)
    ]


def posteriors_of_words(model: CompiledModel, block: CasedBlock) -> list[list[WordPosterior]]:
    """Return the words of each line with the posterior of each candidate."""
    words: list[list[WordPosterior]] = []
    for line in _decoded(model, block, chosen_only=False):
        words.append([])
        for start, end, found in line:
            candidates = tuple([_new(Candidate, candidate) for candidate in found])
            words[-1].append(_new(WordPosterior, (start, end, *found[0], candidates)))
    return words


def changed_words(model: CompiledModel, block: CasedBlock) -> tuple[str, list[ChangedWord]]:
    """Return the cased text, and its words that have changed."""
    text = block.lines.decode("utf-8", block.errors)
    splices: list[tuple[int, int, str]] = []
    changes: list[ChangedWord] = []
    for number, line in enumerate(_decoded(model, block, chosen_only=False), 1):
        place, last = 0, -1
        for start, end, found in line:
            place += start != last
            last = end
            after, _, posterior = found[0]
            before = text[start:end]
            if after != before:
                changes.append(ChangedWord(number, place, before, after, posterior))
                splices.append((start, end, after))
    return spliced(text, splices), changes


def table_of_words(model: CompiledModel, block: CasedBlock, *, with_posteriors: bool) -> bytes:
    """The words as tab-separated values, as `Truecaser.table_block` describes them."""
    text = block.lines.decode("utf-8", block.errors)
    rows = []
    line_start = 0
    for line, given in zip(
        _decoded(model, block, chosen_only=not with_posteriors), text.split("\n"), strict=False
    ):
        for start, end, ((word, tag, posterior), *_) in line:
            row = f"{start - line_start}\t{end - line_start}\t{word}\t{tag}"
            rows.append(f"{row}\t{posterior:.6f}\n" if with_posteriors else f"{row}\n")
        rows.append("\n")
        line_start += len(given) + 1
    return "".join(rows).encode("utf-8", block.errors)


def _decoded(model: CompiledModel, block: CasedBlock, *, chosen_only: bool) -> Iterable[_Line]:
    found = word_posteriors(model, *block.walked, chosen_only, block.errors)
    if block.casing.style == "sentence":
        return found
    lines = list(found)
    _style(lines, block)
    return lines


def _style(lines: list[_Line], block: CasedBlock) -> None:
    """Apply the style to the candidates and join those that become equal."""
    assert block.styler is not None
    given = block.lines.decode("utf-8", block.errors)
    n = max((len(candidates) for line in lines for *_, candidates in line), default=0)
    # A style changes a word by its own case alone: one pass can style a candidate of each word.
    styled = []
    for place in range(n):
        forms = (
            (start, end, candidates[min(place, len(candidates) - 1)][0])
            for line in lines
            for start, end, candidates in line
        )
        cased = spliced(given, forms).encode("utf-8", block.errors)
        out = block.styler.apply(block.casing.style, block.lines, cased)
        styled.append(out.decode("utf-8", block.errors))
    for line in lines:
        for i, (start, end, candidates) in enumerate(line):
            posteriors: dict[str, float] = {}
            for place, (_, _, posterior) in enumerate(candidates):
                text = styled[place][start:end]
                posteriors[text] = posteriors.get(text, 0.0) + posterior
            chosen = styled[0][start:end]
            if block.casing.style == "upper":
                # Forms that were not considered would be upper case, too.
                posteriors[chosen] = 1.0
            ranked = sorted(posteriors, key=lambda text: (text != chosen, -posteriors[text], text))
            joined = [
                (one, tag_of(one, block.language), min(1.0, posteriors[one])) for one in ranked
            ]
            line[i] = start, end, joined
