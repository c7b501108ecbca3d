"""The words of a text by themselves: tags, posteriors, reasons. Methods of `Truecaser`."""

from typing import TYPE_CHECKING

from truecase.options import InputCase, SentenceStart, Style
from truecase.truecaser.arguments import checked_bytes, checked_text, encode, source_lines
from truecase.truecaser.punctuation import marks_of

if TYPE_CHECKING:
    from typing_extensions import Buffer, Unpack

    from truecase.alignment.lines import Phrases
    from truecase.evaluation.explanation import Explanation
    from truecase.evaluation.words import CasedBlock, TaggedWord, WordPosterior
    from truecase.options import CasingOptions
    from truecase.rules.styles import Styler
    from truecase.truecaser import Truecaser


def tags(
    self: "Truecaser",
    text: str,
    *,
    source: str | None = None,
    alignment: str | None = None,
    **casing: "Unpack[CasingOptions]",
) -> list[list["TaggedWord"]]:
    """The words of each line of `text` as the model cuts it, cased, with tags of their case.

    Parameters
    ----------
    text : str
        Its lines end in LF; a last line may lack it.
    source, alignment
        As for a call of the truecaser.
    **casing
        As for `Truecaser.with_casing`.

    Returns
    -------
    list of list of TaggedWord
        For each line its words, in order. A word begins and ends at characters of `text`
        and comes out as ``truecaser(text)[word.start:word.end]``; together the words have
        all of the text but white space.

    Raises
    ------
    CasingError, ValueError, AlignmentError, StyleError
        As for a call of the truecaser.
    """
    from truecase.evaluation.words import tagged_words

    block = _block_of_text(self.with_casing(**casing), text, source, alignment)
    return tagged_words(self._compiled, block)


def posteriors(
    self: "Truecaser",
    text: str,
    *,
    source: str | None = None,
    alignment: str | None = None,
    **casing: "Unpack[CasingOptions]",
) -> list[list["WordPosterior"]]:
    """The same words as `tags` gives, each with the posterior of all its candidates.

    A calibrated model (`Truecaser.calibrate`) tells how often such words come out right. It tells
    1 of what it does not decide: words without case, in addresses and code, whose case is kept
    from the input, and names of a list that are no common words.

    Parameters
    ----------
    text, source, alignment, **casing
        As for `tags`. Candidates that a rule or a style writes alike are one, as probable
        as all of them together.

    Returns
    -------
    list of list of WordPosterior

    Raises
    ------
    CasingError, ValueError, AlignmentError, StyleError
        As for a call of the truecaser.
    """
    from truecase.evaluation.words import posteriors_of_words

    block = _block_of_text(self.with_casing(**casing), text, source, alignment)
    return posteriors_of_words(self._compiled, block)


def _block_of_text(
    self: "Truecaser", text: str, source: str | None, alignment: str | None
) -> "CasedBlock":
    from truecase.evaluation.words import CasedBlock

    lines = encode(checked_text(text, "text"))
    of_source = source_lines(
        lines,
        None if source is None else encode(checked_text(source, "source")),
        None if alignment is None else encode(checked_text(alignment, "alignment")),
    )
    styler = None if self.casing.style == "sentence" else self.styler
    return CasedBlock(
        lines, "surrogatepass", self.casing, **of_source, styler=styler, language=self.language
    )


def table_block(
    self: "Truecaser",
    block: "Buffer",
    input_case: InputCase | None = None,
    style: Style | None = None,
    *,
    source: bytes | None = None,
    phrases: "Phrases | None" = None,
    sentence_start: SentenceStart | None = None,
    with_posteriors: bool = False,
    styler: "Styler | None" = None,
) -> bytes:
    """The words of newline-separated lines as tab-separated values, one a line.

    Parameters
    ----------
    block, input_case, style, source, phrases, sentence_start
        As for `case_block`.
    with_posteriors : bool
        Also how sure the model is of each word.
    styler : Styler, optional
        Instead of the model's own, such as one with patterns of titles.

    Returns
    -------
    bytes
        The start and the end of each word in its line, in characters; the word as it comes
        out; its tag; its posterior. An empty line ends each line of the block.
    """
    from truecase.evaluation.words import CasedBlock, table_of_words

    given = bytes(checked_bytes(block, "block"))
    casing = self.casing.but(input_case=input_case, style=style, sentence_start=sentence_start)
    self._check(casing, styler)
    if casing.style != "sentence" and styler is None:
        styler = self.styler
    words = CasedBlock(given, "surrogateescape", casing, source, phrases, styler, self.language)
    return table_of_words(self._compiled, words, with_posteriors=with_posteriors)


def explain(
    self: "Truecaser",
    text: str,
    *,
    source: str | None = None,
    alignment: str | None = None,
    sentence_start: SentenceStart | None = None,
    punctuate: bool = False,
) -> "Explanation":
    """Case one line and tell why: candidates, features, posteriors, the best path.

    Parameters
    ----------
    text : str
        Its case is dropped first.
    source, alignment : str, optional
        As for a call of the truecaser.
    sentence_start : str, optional
        In place of that of the truecaser.
    punctuate : bool
        Punctuate the text first, and say how probable each mark was. It needs a text without a
        source.

    Raises
    ------
    ValueError
        The text has several lines, or more than 20,000 bytes; or `punctuate` comes with a source
        or a `sentence_start` other than ``always``.
    ModelError
        The model cannot punctuate.
    """
    from truecase.evaluation.explain import explain_line, explain_marked

    if punctuate:
        if source is not None or alignment is not None or sentence_start not in (None, "always"):
            raise ValueError("with punctuate, expected no source, alignment or sentence_start")
        casing = self.casing.but(input_case="ignore", sentence_start="always")
        marks = marks_of(self.model)
        return explain_marked(self._compiled, self.model, marks, checked_text(text, "text"), casing)
    lines = source_lines(
        encode(checked_text(text, "text")),
        None if source is None else encode(checked_text(source, "source")),
        None if alignment is None else encode(checked_text(alignment, "alignment")),
    )
    casing = self.casing.but(input_case="ignore", sentence_start=sentence_start)
    return explain_line(self._compiled, self.model, text, casing, **lines)
