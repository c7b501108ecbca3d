"""The words of a text by themselves: tags, posteriors, reasons. Methods of `Truecaser`."""

from typing import TYPE_CHECKING

from truecase.options import InputCase, SentenceStart, Style
from truecase.truecaser.arguments import checked_bytes, checked_text, encode, source_lines
from truecase.truecaser.punctuation import marks_of

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from truecase.alignment.phrases import Phrases
    from truecase.explain.explanation import Explanation
    from truecase.explain.words import CasedBlock, TaggedWord, WordPosterior
    from truecase.styles.styles import Styler
    from truecase.truecaser import Truecaser


def tags(
    self: "Truecaser",
    text: str,
    *,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    source: str | None = None,
    alignment: str | None = None,
    sentence_start: SentenceStart = "always",
) -> list[list["TaggedWord"]]:
    """The words of each line of `text` as the model cuts it, cased, with tags of their case.

    Parameters
    ----------
    text : str
        Its lines end in LF; a last line may lack it.
    input_case, style, source, alignment, sentence_start
        As for a call of the truecaser.

    Returns
    -------
    list of list of TaggedWord
        For each line its words, in order. A word begins and ends at characters of `text`
        and comes out as ``truecaser(text)[word.start:word.end]``; together the words have
        all of the text but white space.

    Raises
    ------
    ValueError, AlignmentError, StyleError
        As for a call of the truecaser.
    """
    from truecase.explain.words import tagged_words

    block = _cased_block(self, text, input_case, style, source, alignment, sentence_start)
    return tagged_words(self._compiled, block)


def posteriors(
    self: "Truecaser",
    text: str,
    *,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    source: str | None = None,
    alignment: str | None = None,
    sentence_start: SentenceStart = "always",
) -> list[list["WordPosterior"]]:
    """The same words as `tags` gives, each with the posterior of all its candidates.

    A calibrated model (`Truecaser.calibrate`) tells how often such words come out right. It tells
    1 of what it does not decide: words without case, in addresses and code, whose case is kept
    from the input, and names of a list that are no common words.

    Parameters
    ----------
    text, input_case, style, source, alignment, sentence_start
        As for `tags`. Candidates that a rule or a style writes alike are one, as probable
        as all of them together.

    Returns
    -------
    list of list of WordPosterior

    Raises
    ------
    ValueError, AlignmentError, StyleError
        As for a call of the truecaser.
    """
    from truecase.explain.words import posteriors_of_words

    block = _cased_block(self, text, input_case, style, source, alignment, sentence_start)
    return posteriors_of_words(self._compiled, block)


def _cased_block(
    self: "Truecaser",
    text: str,
    input_case: InputCase,
    style: Style | None,
    source: str | None,
    alignment: str | None,
    sentence_start: SentenceStart,
) -> "CasedBlock":
    lines = encode(checked_text(text, "text"))
    return _block_of_words(
        self,
        lines,
        "surrogatepass",
        input_case,
        style,
        **source_lines(
            lines,
            None if source is None else encode(checked_text(source, "source")),
            None if alignment is None else encode(checked_text(alignment, "alignment")),
        ),
        sentence_start=sentence_start,
    )


def _block_of_words(
    self: "Truecaser",
    lines: bytes,
    errors: str,
    input_case: InputCase,
    style: Style | None,
    source: bytes | None,
    phrases: "Phrases | None",
    sentence_start: SentenceStart,
    styler: "Styler | None" = None,
) -> "CasedBlock":
    from truecase.explain.words import CasedBlock

    style = self.style if style is None else self._checked_style(style, styler)
    if style != "sentence" and styler is None:
        styler = self.styler
    return CasedBlock(
        lines, errors, source, phrases, input_case, style, sentence_start, styler, self.language
    )


def table_block(
    self: "Truecaser",
    block: "Buffer",
    input_case: InputCase = "ignore",
    style: Style | None = None,
    *,
    source: bytes | None = None,
    phrases: "Phrases | None" = None,
    sentence_start: SentenceStart = "always",
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
    from truecase.explain.words import table_of_words

    given = bytes(checked_bytes(block, "block"))
    words = _block_of_words(
        self, given, "surrogateescape", input_case, style, source, phrases, sentence_start, styler
    )
    return table_of_words(self._compiled, words, with_posteriors=with_posteriors)


def explain(
    self: "Truecaser",
    text: str,
    *,
    source: str | None = None,
    alignment: str | None = None,
    sentence_start: SentenceStart = "always",
    punctuate: bool = False,
) -> "Explanation":
    """Case one line and tell why: candidates, features, posteriors, the best path.

    Parameters
    ----------
    text : str
        Its case is dropped first.
    source, alignment : str, optional
        As for a call of the truecaser.
    sentence_start : {"always", "learned"}
    punctuate : bool
        Put marks first, as `punctuate` does, and tell how probable each was; each sentence begins
        in upper case then, and there is no source.

    Raises
    ------
    ValueError
        If it has several lines, or more than 20,000 bytes, or what is explained with marks is
        said to have a source or to begin anywhere.
    ModelError
        If marks are to be put, and the model has none.
    """
    from truecase.explain.explain import explain_line, explain_marked

    if punctuate:
        if source is not None or alignment is not None or sentence_start != "always":
            raise ValueError("with punctuate, expected no source, alignment or sentence_start")
        marks = marks_of(self.model)
        return explain_marked(self._compiled, self.model, marks, checked_text(text, "text"))
    lines = source_lines(
        encode(checked_text(text, "text")),
        None if source is None else encode(checked_text(source, "source")),
        None if alignment is None else encode(checked_text(alignment, "alignment")),
    )
    return explain_line(self._compiled, self.model, text, **lines, sentence_start=sentence_start)
