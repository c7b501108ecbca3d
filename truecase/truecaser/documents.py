"""Text whose lines are not sentences: documents, and pieces of a stream. Methods of `Truecaser`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from truecase.base.threads import ordered_map
from truecase.errors import WrongTypeError
from truecase.options import Context, InputCase, SentenceStart, Style
from truecase.truecaser.arguments import checked_texts, decode, encode
from truecase.truecaser.punctuation import mark_stream

if TYPE_CHECKING:
    from truecase.truecaser import Truecaser
    from truecase.truecaser.session import PunctuatedSession, Session


def document(
    self: "Truecaser",
    lines: Iterable[str],
    threads: int = 1,
    input_case: InputCase | None = None,
    style: Style | None = None,
    *,
    separator: str | None = None,
    sentence_start: SentenceStart | None = None,
    context: Context = "document",
    one_sense: bool = False,
) -> list[str]:
    """Case lines whose sentences run over line ends: hard-wrapped text, subtitles, speech.

    The model decides where sentences begin. But a bullet, a number or a speaker begins one, and in
    text that was filled to a width, a line on which the next word would have fitted ends one.

    Parameters
    ----------
    lines : iterable of str
        Without their line feeds. A blank line ends a document.
    threads : int
    input_case, style, sentence_start : str, optional
        In place of those of the truecaser.
    separator : str, optional
        A line that ends a document, too, and stays as it is.
    context : {"document", "line"}
        ``line``: each line is sentences by itself, for `one_sense`.
    one_sense : bool
        Where the model is sure of a word's case, other places of the word within about 200 lines
        follow. It takes two passes, and several times as long.

    Returns
    -------
    list of str
        As many lines, in order.

    Raises
    ------
    DocumentError
        The separator is blank, or more than a line.
    ValueError
        A line has a line feed.
    WrongTypeError
        `lines` is one str, or not all of its items are str.
    """
    from truecase.truecaser.document import by_document, checked_separator

    texts = checked_texts(lines, "lines")
    for place, text in enumerate(texts):
        if "\n" in text:
            raise ValueError(f"lines[{place}]: has a line feed; give its lines one by one")
    if not texts:
        return []
    caser = self.with_casing(input_case=input_case, style=style, sentence_start=sentence_start)
    function, regroup = by_document(
        caser.one_sense_block if one_sense else caser.case_block,
        context,
        checked_separator(separator),
        one_sense=one_sense,
    )
    blocks = regroup(encode(f"{text}\n") for text in texts)
    return decode(b"".join(ordered_map(function, blocks, threads))).split("\n")[:-1]


def one_sense_block(
    self: "Truecaser",
    block: bytes,
    input_case: InputCase | None = None,
    style: Style | None = None,
    *,
    sentence_start: SentenceStart | None = None,
) -> bytes:
    """Case a block in two passes: words follow those places where the model is sure of their case.

    Parameters
    ----------
    block : bytes
        Lines of one document; see `truecase.truecaser.one_sense`.
    input_case, style, sentence_start : str, optional
        In place of those of the truecaser.
    """
    from truecase.model.names import join_lists, name_list
    from truecase.truecaser.one_sense import Evidence, settled

    caser = self.with_casing(input_case=input_case, style=style, sentence_start=sentence_start)
    given = bytes(block)
    # The weights of the evidence were learned on probabilities that are not calibrated.
    plain = caser.without_calibration()
    first = plain.table_block(given, with_posteriors=True)
    evidence = Evidence(first.decode("utf-8", "surrogateescape"), self.training_count)
    forms = evidence.forms()
    if not forms:
        return caser.case_block(given)
    names = name_list(forms)
    if self.model.names is not None:
        # The user's own count.
        names = join_lists([names, self.model.names])
    knowing = plain._with(plain.model.replace(names=names))
    second = knowing.table_block(given, with_posteriors=True)
    text, table = (data.decode("utf-8", "surrogateescape") for data in (given, second))
    return settled(text, table, evidence).encode("utf-8", "surrogateescape")


def session(
    self: "Truecaser",
    latency: int = 2,
    input_case: InputCase | None = None,
    style: Style | None = None,
    *,
    sentence_start: SentenceStart | None = None,
    punctuate: bool = False,
    marks: Iterable[str] | None = None,
) -> "Session | PunctuatedSession":
    """A session for text that comes in pieces, such as live captions.

    Parameters
    ----------
    latency : int
        A word is final once so many others have come after it.
    input_case, style, sentence_start : str, optional
        In place of those of the truecaser.
    punctuate : bool
        Also punctuate the words, as speech recognition gives them. A mark is final with the word
        that it follows.
    marks : iterable of str, optional
        With `punctuate`: the marks of the model that may be put; by default all.

    Raises
    ------
    DocumentError
        The latency is negative.
    ModelError
        With `punctuate`: the model has no marks, or not these.
    ValueError
        There are `marks`, but not `punctuate`.
    WrongTypeError
        The latency is no number.
    """
    from truecase.errors import DocumentError
    from truecase.truecaser.session import PunctuatedSession, Session

    if not isinstance(latency, int):
        raise WrongTypeError(f"latency: expected an int, found {type(latency).__name__}")
    caser = self.with_casing(input_case=input_case, style=style, sentence_start=sentence_start)
    if punctuate:
        if latency < 0:
            raise DocumentError(f"latency {latency}: expected 0 words or more")
        return PunctuatedSession(mark_stream(self, marks, latency), caser.case_block)
    if marks is not None:
        raise ValueError("marks are put only with punctuate=True")
    return Session(caser, latency)
