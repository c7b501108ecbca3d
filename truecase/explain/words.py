"""Words of a text: where they stand, how they are written, and how sure the model is of it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from truecase.explain._posteriors import word_posteriors, word_table
from truecase.text._casing import tag as tag_of

if TYPE_CHECKING:
    from truecase._core import CompiledModel
    from truecase.alignment.phrases import Phrases
    from truecase.options import InputCase, SentenceStart, Style
    from truecase.styles.styles import Styler

# Of each line: each word's first character and the one after its last, and its candidates.
_Candidates = list[tuple[str, str, float]]
_Line = list[tuple[int, int, _Candidates]]


# A text has so many words that making each tuple by its class would take as long as casing them.
_new = tuple.__new__


class TaggedWord(NamedTuple):
    """A word, where it stands and how it is written.

    Attributes
    ----------
    start, end : int
        The input has it at ``text[start:end]``, in characters.
    text : str
        As it comes out; but for case, what stands there.
    tag : str
        AL: all lower case, IU: initial upper case, AU: all upper case, MX: mixed, AN: there are
        no letters that have case.
    """

    start: int
    end: int
    text: str
    tag: str


class Candidate(NamedTuple):
    """One way to write a word.

    Attributes
    ----------
    text : str
        The word in this case.
    tag : str
        AL, IU, AU, MX or AN.
    posterior : float
        The share that the paths through it have of all paths of the lattice, each weighed by
        the model (Wang, Knight & Marcu 2006, equation 1). If the model is calibrated, how often
        such forms are right.
    """

    text: str
    tag: str
    posterior: float


class WordPosterior(NamedTuple):
    """A word, and how sure the model is of its case.

    Attributes
    ----------
    start, end, text, tag
        As those of a `TaggedWord`.
    posterior : float
        How sure the model is of `text`, from 0 to 1.
    candidates : tuple of Candidate
        All ways to write it that were considered, the one chosen first, the others by their
        posteriors. What a rule or a style makes the same text of counts as one. Their posteriors
        sum to 1; if the model is calibrated, to at most 1: what one candidate alone leaves is that
        of forms which were not considered.
    """

    start: int
    end: int
    text: str
    tag: str
    posterior: float
    candidates: tuple[Candidate, ...]


class CasedBlock(NamedTuple):
    """Lines to case, with all that decides how.

    Attributes
    ----------
    lines : bytes
        UTF-8, separated by LF.
    errors : {"surrogatepass", "surrogateescape"}
        What `lines` holds besides UTF-8: lone surrogates that a str had, or broken bytes.
    source : bytes, optional
    phrases : Phrases, optional
    input_case, style, sentence_start : str
        As for `Truecaser.case_block`.
    styler : Styler or None
        Of the model; styles other than ``sentence`` need it.
    language : str
        Of the model.
    """

    lines: bytes
    errors: str
    source: bytes | None
    phrases: Phrases | None
    input_case: InputCase
    style: Style
    sentence_start: SentenceStart
    styler: Styler | None
    language: str

    @property
    def walked(self) -> tuple[bytes, str, bytes | None, Phrases | None, str]:
        """What the kernels go over: the lines, and what decides before any style."""
        return self.lines, self.input_case, self.source, self.phrases, self.sentence_start


def tagged_words(model: CompiledModel, block: CasedBlock) -> list[list[TaggedWord]]:
    """The words of each line as they come out."""
    return [
        [_new(TaggedWord, (start, end, text, tag)) for start, end, ((text, tag, _),) in line]
        for line in _decoded(model, block, chosen_only=True)
    ]


def posteriors_of_words(model: CompiledModel, block: CasedBlock) -> list[list[WordPosterior]]:
    """The same words with the posterior of each candidate."""
    words: list[list[WordPosterior]] = []
    for line in _decoded(model, block, chosen_only=False):
        words.append([])
        for start, end, found in line:
            candidates = tuple([_new(Candidate, candidate) for candidate in found])
            words[-1].append(_new(WordPosterior, (start, end, *found[0], candidates)))
    return words


def table_of_words(model: CompiledModel, block: CasedBlock, *, with_posteriors: bool) -> bytes:
    """The words as tab-separated values, one a line; an empty line ends each line of the block.

    Fields are the start and the end of the word, in characters of its line; its text; its tag;
    and, `with_posteriors`, its posterior.
    """
    if block.style == "sentence":
        return word_table(model, *block.walked, with_posteriors)
    text = block.lines.decode("utf-8", block.errors)
    rows = []
    line_start = 0
    for line, given in zip(
        _decoded(model, block, chosen_only=not with_posteriors),
        text.split("\n"),
        strict=False,
    ):
        for start, end, ((word, tag, posterior), *_) in line:
            row = f"{start - line_start}\t{end - line_start}\t{word}\t{tag}"
            rows.append(f"{row}\t{posterior:.6f}\n" if with_posteriors else f"{row}\n")
        rows.append("\n")
        line_start += len(given) + 1
    return "".join(rows).encode("utf-8", block.errors)


def _decoded(model: CompiledModel, block: CasedBlock, *, chosen_only: bool) -> Iterable[_Line]:
    found = word_posteriors(model, *block.walked, chosen_only, block.errors)
    if block.style == "sentence":
        return found
    lines = list(found)
    _style(lines, block)
    return lines


def _style(lines: list[_Line], block: CasedBlock) -> None:
    """Give the candidates another style, and make those one that are then the same."""
    assert block.styler is not None
    given = block.lines.decode("utf-8", block.errors)
    n = max((len(candidates) for line in lines for *_, candidates in line), default=0)
    # What a style does to a word depends on the case of that word alone, so that a candidate of
    # each word can be looked at in one pass.
    styled = []
    for place in range(n):
        cased = "".join(_with_candidates(given, lines, place)).encode("utf-8", block.errors)
        out = block.styler.apply(block.style, block.lines, cased)
        styled.append(out.decode("utf-8", block.errors))
    for line in lines:
        for i, (start, end, candidates) in enumerate(line):
            posteriors: dict[str, float] = {}
            for place, (_, _, posterior) in enumerate(candidates):
                text = styled[place][start:end]
                posteriors[text] = posteriors.get(text, 0.0) + posterior
            chosen = styled[0][start:end]
            if block.style == "upper":
                # So do forms that were not considered.
                posteriors[chosen] = 1.0
            ranked = sorted(posteriors, key=lambda text: (text != chosen, -posteriors[text], text))
            line[i] = (
                start,
                end,
                [
                    (text, tag_of(text, block.language), min(1.0, posteriors[text]))
                    for text in ranked
                ],
            )


def _with_candidates(given: str, lines: list[_Line], place: int) -> Iterator[str]:
    """A text with the candidate of each word that stands at a place, or the last there is."""
    done = 0
    for line in lines:
        for start, end, candidates in line:
            yield given[done:start]
            yield candidates[min(place, len(candidates) - 1)][0]
            done = end
    yield given[done:]
