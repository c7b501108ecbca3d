"""Lines that are no sentences: documents, and text that comes in pieces. Methods of `Truecaser`."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from truecase.errors import WrongTypeError
from truecase.options import Context, InputCase, SentenceStart, Style
from truecase.runtime.threads import ordered_map
from truecase.truecaser.arguments import checked_texts, decode, encode
from truecase.truecaser.punctuation import mark_stream

if TYPE_CHECKING:
    from truecase.documents.session import Session
    from truecase.truecaser import Truecaser
    from truecase.truecaser.marked_session import MarkedSession


def document(
    self: "Truecaser",
    lines: Iterable[str],
    threads: int = 1,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    *,
    separator: str | None = None,
    sentence_start: SentenceStart = "always",
    context: Context = "document",
    one_sense: bool = False,
) -> list[str]:
    """Case lines that are no sentences: those of a paragraph as one.

    Hard-wrapped text, subtitles, speech. What begins a sentence is for the model to tell, not
    the line; but a bullet, a number or a speaker begins one, and in text that was filled to a
    width, a line on which the next word would have found room ends one.

    Parameters
    ----------
    lines : iterable of str
        Without their line feeds. A blank line ends a document.
    threads : int
    input_case, style, sentence_start
        As for a call of the truecaser.
    separator : str, optional
        A line that ends a document, too, and stays as it is.
    context : {"document", "line"}
        ``line``: each line is sentences by itself, for `one_sense`.
    one_sense : bool
        What the text says of a word with confidence counts where it stands elsewhere in it, in
        windows of about 200 lines. Takes two passes, and several times as long.

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
        `lines` is a str by itself, or has something in it that is none.
    """
    from truecase.documents.by_document import by_document
    from truecase.documents.document import checked_separator

    texts = checked_texts(lines, "lines")
    for place, text in enumerate(texts):
        if "\n" in text:
            raise ValueError(f"lines[{place}]: has a line feed; give its lines one by one")
    if not texts:
        return []
    case = self.one_sense_block if one_sense else self.case_block
    function, regroup = by_document(
        lambda block: case(
            block, input_case=input_case, style=style, sentence_start=sentence_start
        ),
        context,
        checked_separator(separator),
        one_sense=one_sense,
    )
    blocks = regroup(encode(f"{text}\n") for text in texts)
    return decode(b"".join(ordered_map(function, blocks, threads))).split("\n")[:-1]


def one_sense_block(
    self: "Truecaser",
    block: bytes,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    *,
    sentence_start: SentenceStart = "always",
) -> bytes:
    """Case a block in two passes: what it says of a word with confidence counts in all of it.

    Parameters
    ----------
    block : bytes
        Lines of one document; see `truecase.documents.one_sense`.
    input_case, style, sentence_start
        As for `case_block`.
    """
    from truecase.documents.evidence import Evidence
    from truecase.documents.one_sense import settled
    from truecase.names.names import join_lists, name_list

    given = bytes(block)
    # The weights of the evidence were learned on probabilities that are not calibrated.
    plain = self.without_calibration()
    first = plain.table_block(
        given, input_case, style, sentence_start=sentence_start, with_posteriors=True
    )
    evidence = Evidence(first.decode("utf-8", "surrogateescape"), self.training_count)
    forms = evidence.forms()
    if not forms:
        return self.case_block(given, 1, input_case, style, sentence_start=sentence_start)
    names = name_list(forms)
    if self.model.names is not None:
        # The user's own count.
        names = join_lists([names, self.model.names])
    knowing = plain._with(plain.model.replace(names=names))
    second = knowing.table_block(
        given, input_case, style, sentence_start=sentence_start, with_posteriors=True
    )
    text, table = (data.decode("utf-8", "surrogateescape") for data in (given, second))
    return settled(text, table, evidence).encode("utf-8", "surrogateescape")


def session(
    self: "Truecaser",
    latency: int = 2,
    input_case: InputCase = "ignore",
    style: Style | None = None,
    *,
    sentence_start: SentenceStart = "always",
    punctuate: bool = False,
    marks: Iterable[str] | None = None,
) -> "Session | MarkedSession":
    """A session for text that comes in pieces, such as live captions.

    Parameters
    ----------
    latency : int
        Words that are waited for before a word is final.
    input_case, style, sentence_start
        As for a call of the truecaser.
    punctuate : bool
        Put marks between the words, too, which have none, as speech recognition gives them. A mark
        is final with the word that it follows.
    marks : iterable of str, optional
        With `punctuate`: those of the model's marks that may be put; by default all.

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
    from truecase.documents.document import DocumentError
    from truecase.documents.session import Session
    from truecase.truecaser.marked_session import MarkedSession

    if not isinstance(latency, int):
        raise WrongTypeError(f"latency: expected an int, found {type(latency).__name__}")
    if punctuate:
        if latency < 0:
            raise DocumentError(f"latency {latency}: expected 0 words or more")
        return MarkedSession(
            mark_stream(self, marks, latency),
            lambda lines: self.case_block(
                lines, 1, input_case, style, sentence_start=sentence_start
            ),
        )
    if marks is not None:
        raise ValueError("marks are put only with punctuate=True")
    return Session(
        lambda line: self(line, input_case, style, sentence_start=sentence_start), latency
    )
