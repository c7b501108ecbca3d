"""Removes case before a translation system, and restores it from the source lines afterwards.

The form of a line does not show its style: ``NASA`` and ``New York`` are in sentence case. A line
is in capitals or Title Case only if a casing model writes some of its words in lower case.
"""

from __future__ import annotations

import re
from collections import Counter, deque
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import Literal, NamedTuple, cast

import numpy as np

from truecase.alignment.lines import BadLines, Phrases
from truecase.alignment.link_formats import parse_pharaoh
from truecase.base.argument_types import check_arguments, check_type
from truecase.errors import RecordError, TruecaseError, named
from truecase.kernels._segment import count_words
from truecase.kernels._unicode import lower, tag, upper
from truecase.kernels.text import primary, split_lines
from truecase.rules.styles import Styler
from truecase.truecaser import Truecaser
from truecase.truecaser._texts import lines_of_texts
from truecase.truecaser.arguments import checked_texts, decode, encode, listed
from truecase.truecaser.sentence_case import LONG_WORD, UNSEEN_IN_HEADINGS, SentenceCaser
from truecase.truecaser.title_markup import character_spans

#: The case of a line: as sentences, all in lower case, as titles, all in capitals.
CaseStyle = Literal["cased", "lower", "title", "upper"]

_NUMBER = "(?:0|[1-9][0-9]{0,8})"
_RECORD = re.compile(rf"lower|cased(?: \+{_NUMBER})*|(?:title|upper)(?: -{_NUMBER})*")
_SHOWN = 40


class CaseRecord(NamedTuple):
    """The case of one line.

    Attributes
    ----------
    style : {"cased", "lower", "title", "upper"}
    words : tuple of int
        Indexes of white-space-separated words that differ from the style: in ``cased`` lines those
        in capitals for emphasis, in ``upper`` lines those not in capitals, in ``title`` lines those
        without a capital.
    """

    style: CaseStyle
    words: tuple[int, ...] = ()

    def __str__(self) -> str:
        sign = "-" if self.style in ("title", "upper") else "+"
        return " ".join([self.style, *(f"{sign}{word}" for word in self.words)])

    @classmethod
    def parse(cls, line: str) -> CaseRecord:
        """Parse a line such as ``upper -2``; raises `RecordError`."""
        if not _RECORD.fullmatch(line):
            raise RecordError(
                f"record {line[:_SHOWN]!r}: expected what `truecase bridge before` writes, such as "
                "upper, title -1 or cased +3"
            )
        style, *words = line.split(" ")
        return cls(cast("CaseStyle", style), tuple(int(word[1:]) for word in words))


ORDINARY = CaseRecord("cased")


def format_records(records: Iterable[CaseRecord]) -> bytes:
    """Write records as lines."""
    return "".join(f"{record}\n" for record in records).encode("ascii")


def parse_records(block: bytes, name: str = "records", first_line: int = 1) -> list[CaseRecord]:
    """Parse lines of records; `name` and `first_line` are for messages."""
    lines = split_lines(block.decode("utf-8", "backslashreplace"))
    return [
        _record(line.rstrip("\r"), f"{name}: line {number}")
        for number, line in enumerate(lines, first_line)
    ]


def as_record(record: object, place: int) -> CaseRecord:
    """Return a record, parsed if it is a line."""
    if isinstance(record, CaseRecord):
        return record
    check_type(f"records[{place}]", record, str, "a CaseRecord or a str")
    return _record(record, f"records[{place}]")  # type: ignore[arg-type]


def _record(line: str, where: str) -> CaseRecord:
    with named(where, RecordError):
        return CaseRecord.parse(line)


# The largest share of words with another case in a line of capitals (iPhone, "and" in a heading).
_MOST_OTHERS = 0.2

# The least share of raised words among the long words of a title.
_RAISED_SHARE = 0.8

Seen = Callable[[str], int]


def style_of(line: Line) -> str:
    """Find the style that a line may have; ``cased`` if it is surely a sentence."""
    kinds = Counter(word.tag for word in line.words)
    if kinds["AL"] and set(kinds) <= {"AL", "AN"}:
        return "lower"
    n_others = kinds["AL"] + kinds["MX"] + sum(map(_is_initial, line.words))
    if kinds["AU"] and n_others <= _MOST_OTHERS * (kinds["AU"] + n_others):
        return "upper"
    later = _later(line)
    n_raised = sum(_is_initial(word) or word.tag == "MX" for word in later)
    n_long_small = sum(word.tag == "AL" and word.end - word.start >= LONG_WORD for word in later)
    if n_raised and n_raised >= _RAISED_SHARE * (n_raised + n_long_small):
        return "title"
    return "cased"


def upper_record(line: Line, sentence: Line, seen: Seen) -> CaseRecord:
    """Make the record of a line that may be in capitals, given the line in sentence case.

    `seen` returns the training count of a word: unknown names and codes may always be in capitals.
    """
    upper = [i for i, word in enumerate(line.words) if word.tag == "AU"]
    lowered = [i for i in upper if sentence.words[i].tag != "AU"]
    if 2 * len(lowered) < len(upper) or not any(seen(_letters(line.words[i])) for i in lowered):
        return ORDINARY
    kept = (i for i, word in enumerate(line.words) if word.tag in ("AL", "MX") or _is_initial(word))
    return CaseRecord("upper", tuple(kept))


def title_record(line: Line, sentence: Line) -> CaseRecord:
    """Make the record of a line that may be in Title Case."""
    if not any(
        given.tag in ("IU", "MX") and word.tag == "AL"
        for given, word in zip(_later(line), _later(sentence), strict=True)
    ):
        return ORDINARY
    return CaseRecord("title", tuple(i for i, word in enumerate(line.words) if word.tag == "AL"))


def emphasis_record(line: Line, sentence: Line, seen: Seen) -> CaseRecord:
    """Make the record of an ordinary line: its words that are in capitals for emphasis."""
    words = (
        i
        for i, (given, word) in enumerate(zip(line.words, sentence.words, strict=True))
        if given.tag == "AU" and word.tag in ("AL", "IU") and seen(_letters(given))
    )
    return CaseRecord("cased", tuple(words))


def _later(line: Line) -> Sequence[Word]:
    """The words after the first one that has letters."""
    for i, word in enumerate(line.words):
        if word.tag != "AN":
            return line.words[i + 1 :]
    return []


def _is_initial(word: Word) -> bool:
    # A single capital letter (I, A) fits every style.
    return word.tag == "IU" and word.end - word.start > 1


def _letters(word: Word) -> str:
    return lower(word.text.strip(".,;:!?\"'()[]«»“”‘’"))


# Separated by ASCII white space, as alignments count words.
_WORD = re.compile(r"[^\t-\r ]+")

# Only lines that match can have an address, code or a tag.
_MAY_HAVE_SPANS = re.compile(r"[^\w\s.,;:!?\"'()-]|[\w][.:][\w]|--|[0-9_]")


class Word(NamedTuple):
    """A word.

    Attributes
    ----------
    start, end : int
        Position in the line, in characters.
    tag : str
        AL, IU, AU, MX, or AN for a word without letters and one that overlaps an address, code or a
        tag.
    text : str
    """

    start: int
    end: int
    tag: str
    text: str


class Line(NamedTuple):
    """A line, its words, and the positions of fixed parts."""

    text: str
    words: list[Word]
    fixed: list[tuple[int, int]]

    def spans(self, numbers: Iterable[int]) -> list[tuple[int, int]]:
        """Return start and end of some words."""
        return [self.words[i][:2] for i in numbers]


def read_line(text: str, language: str = "") -> Line:
    """Find the words of a line, and its addresses, code and markup."""
    fixed = []
    if _MAY_HAVE_SPANS.search(text):
        spans = character_spans(text)
        fixed = [(span.start, span.end) for span in spans if not span.unsure]
    words = []
    left = deque(fixed)
    for match in _WORD.finditer(text):
        start, end = match.span()
        while left and left[0][1] <= start:
            left.popleft()
        kind = "AN" if left and left[0][0] < end else tag(match[0], language)
        words.append(Word(start, end, kind, match[0]))
    return Line(text, words, fixed)


def changed(line: Line, mapping: Callable[[str], str], kept: Iterable[int] = ()) -> str:
    """Map the words of a line, except those at the indexes `kept`, addresses, code and markup.

    `mapping` keeps the length of a text.
    """
    return with_spans(mapping(line.text), line.text, line.spans(kept) + line.fixed)


def with_spans(text: str, other: str, spans: Iterable[tuple[int, int]]) -> str:
    """Replace parts of a text by those of another one of the same length."""
    letters = list(text)
    for start, end in spans:
        letters[start:end] = other[start:end]
    return "".join(letters)


# Without an alignment and a style guide, words of more letters than this get a capital in titles.
_SMALL_WORD_LENGTH = 3

# The letter that begins a word, and the one after an elided article: l'utilisateur.
_INITIAL = re.compile(r"^\W*\w")
_ELIDED = re.compile(r"^\W*\w{1,2}['’](?=\w{4})(\w)")

#: For each target word, the source words that it is linked to.
Links = Sequence[Sequence[int]]


class Recaser:
    """Applies case records to lines of one language; any number of threads may use it.

    Parameters
    ----------
    language : str
        As `target_language` of `CaseBridge`.
    """

    def __init__(self, language: str = "") -> None:
        self._language = language
        self._english = Styler("raw", language) if primary(language) == "en" else None

    def __call__(
        self, text: str, record: CaseRecord, source: str | None = None, links: Links | None = None
    ) -> str:
        """Case a translation as its source was, by the record of the source."""
        if record.style == "cased" and not (record.words and links):
            return text
        line = read_line(text, self._language)
        if record.style == "lower":
            return changed(line, lambda words: lower(words, self._language))
        if record.style == "title":
            return self._title(line, record, links)
        numbers = set(record.words)
        kept: list[int] = []
        if record.style == "cased":
            kept = [i for i, of in enumerate(links or ()) if not _mostly(of, numbers)]
        elif numbers and links is not None:
            kept = [i for i, of in enumerate(links) if of and numbers.issuperset(of)]
        elif numbers and source is not None:
            # A word that the system copied keeps its case.
            given = read_line(source, self._language).words
            copied = {given[i].text for i in numbers if i < len(given)}
            kept = [i for i, word in enumerate(line.words) if word.text in copied]
        return changed(line, self._raise, kept)

    def _title(self, line: Line, record: CaseRecord, links: Links | None) -> str:
        if links is None and self._english is not None:
            data = encode(line.text)
            return decode(self._english.apply("title", data, data))
        small = set(record.words)
        n_linked = Counter(j for of_word in links or () for j in of_word)
        letters = list(line.text)
        begins = True
        for i, word in enumerate(line.words):
            if word.tag == "AN":
                continue
            linked = links[i] if links is not None else ()
            is_raised = sum(map(str.isalpha, word.text)) > _SMALL_WORD_LENGTH
            if linked:
                # An article that belongs to a noun's translation is not a small word.
                alone = all(n_linked[j] == 1 for j in linked)
                is_raised = (is_raised or alone) and not small.issuperset(linked)
            elided = _ELIDED.match(word.text)
            if elided and is_raised:
                place = word.start + elided.start(1)
                letters[place] = self._raise(letters[place])
            if begins or (is_raised and not elided):
                initial = _INITIAL.match(word.text)
                if initial:
                    place = word.start + initial.end() - 1
                    letters[place] = self._raise(letters[place])
            begins = False
        return "".join(letters)

    def _raise(self, text: str) -> str:
        return upper(text, self._language)


def _mostly(linked: Sequence[int], words: set[int]) -> bool:
    """Whether one of the linked words, and at least half of them, are among `words`."""
    return 2 * len(words.intersection(linked)) >= max(len(linked), 1)


class CaseBridge:
    """Puts text into sentence case for a translation system and restores the case of translations.

    Any number of threads may use it.

    Parameters
    ----------
    truecaser : Truecaser, optional
        Of the source language; by default the embedded English model.
    target_language : str
        Language of the translations, such as ``de``; ``en`` has its own rules for titles, and
        Turkish its own i.
    emphasis : bool
        Whether single words in capitals in ordinary lines are emphasis (do NOT open) if the model
        writes them in lower case. Their translations get capitals only with an alignment.
    """

    def __init__(
        self,
        truecaser: Truecaser | None = None,
        *,
        target_language: str = "",
        emphasis: bool = False,
    ) -> None:
        check_arguments(CaseBridge.__init__, locals())
        self._given = truecaser
        self._emphasis = emphasis
        self._recase = Recaser(target_language)

    def __repr__(self) -> str:
        return f"<CaseBridge: {self._given or 'the embedded English model'!s}>"

    def before(self, lines: Iterable[str]) -> tuple[list[str], list[CaseRecord]]:
        """Put lines in capitals, Title Case or lower case into sentence case; keep all others.

        Parameters
        ----------
        lines : iterable of str
            One sentence or segment each, without line ends.

        Returns
        -------
        lines : list of str
        records : list of CaseRecord
            The case that each line had, for `after`; ``str(record)`` is a line of a file.

        Raises
        ------
        WrongTypeError, TruecaseError
            `lines` is not a list of str, or a line has a line feed.
        """
        given = _checked(lines, "lines")
        read = [read_line(text, self._truecaser.language) for text in given]
        styles = [self._style(line) for line in read]
        out, records = list(given), [ORDINARY] * len(given)
        ignoring = self._truecaser.with_casing(input_case="ignore")
        for case, wanted in (
            (self._titles.batch, ("title",)),
            (ignoring.batch, ("lower", "upper", "emphasis")),
        ):
            asked = [i for i, style in enumerate(styles) if style in wanted]
            for i, sentence in zip(asked, case([given[i] for i in asked]), strict=True):
                out[i], records[i] = self._sentence_and_record(read[i], styles[i], sentence)
        return out, records

    def after(
        self,
        translations: Iterable[str],
        records: Iterable[CaseRecord | str],
        source: Iterable[str] | None = None,
        alignment: Iterable[str] | None = None,
    ) -> list[str]:
        """Give translations the case that their sources had; nothing else changes.

        Parameters
        ----------
        translations : iterable of str
        records : iterable of CaseRecord or str
            The records that `before` returned, one for each translation.
        source : iterable of str, optional
            The source lines, in either case. Alignments are checked against them; without an
            alignment, they show which words the system copied.
        alignment : iterable of str, optional
            Links of each line in Pharaoh's format: ``0-0 1-2``, source words first.

        Raises
        ------
        RecordError, AlignmentError
            A record or an alignment is damaged, or links missing words.
        TruecaseError, WrongTypeError
            The arguments have different lengths, or an item is not a str.
        """
        texts = _checked(translations, "translations")
        parsed = [as_record(one, place) for place, one in enumerate(listed(records, "records"))]
        sources = None if source is None else _checked(source, "source")
        alignments = None if alignment is None else _checked(alignment, "alignment")
        for name, others in (("records", parsed), ("source", sources), ("alignment", alignments)):
            if others is not None and len(others) != len(texts):
                raise TruecaseError(
                    f"there are {len(texts)} translations, but {len(others)} lines of {name}"
                )
        links = None
        if alignments is not None:
            links = parse_links(
                _lines(alignments), _lines(texts), None if sources is None else _lines(sources)
            )
        return self._recase_all(texts, parsed, sources, links)

    def before_block(self, block: bytes) -> tuple[bytes, bytes]:
        """Do `before` for lines of UTF-8; returns lines and records. Broken bytes stay."""
        check_arguments(CaseBridge.before_block, locals())
        lines, end = _split(block)
        out, records = self.before(lines)
        return ("\n".join(out) + end).encode("utf-8", "surrogateescape"), format_records(records)

    def after_block(
        self,
        block: bytes,
        records: bytes,
        source: bytes | None = None,
        phrases: Phrases | None = None,
        *,
        name: str = "records",
        first_line: int = 1,
    ) -> bytes:
        """Do `after` for lines of UTF-8.

        `name` and `first_line` are for messages: the file of the records, and the block's place.
        """
        check_arguments(CaseBridge.after_block, locals())
        lines, end = _split(block)
        parsed = parse_records(records, name, first_line)
        if len(parsed) != len(lines):
            raise TruecaseError(
                f"{name}: there are {len(lines)} translations, but {len(parsed)} records"
            )
        sources = None if source is None else _split(source)[0]
        if sources is not None:
            sources += [""] * (len(lines) - len(sources))
        out = self._recase_all(lines, parsed, sources, phrases)
        return ("\n".join(out) + end).encode("utf-8", "surrogateescape")

    @cached_property
    def _truecaser(self) -> Truecaser:
        return self._given or Truecaser.load()

    @cached_property
    def _titles(self) -> SentenceCaser:
        # Titles have a capital after a colon unless the model's style has none.
        return SentenceCaser(
            self._truecaser,
            "lower" if self._truecaser.casing.after_colon == "lower" else "capital",
            unseen_threshold=UNSEEN_IN_HEADINGS,
        )

    def _style(self, line: Line) -> str:
        style = style_of(line)
        if self._emphasis and style == "cased" and any(word.tag == "AU" for word in line.words):
            return "emphasis"
        return style

    def _sentence_and_record(self, given: Line, style: str, text: str) -> tuple[str, CaseRecord]:
        """Line for the translation system, and the record of its case."""
        if style == "lower":
            # A sentence that begins with a number may have no capitals.
            return text, CaseRecord("lower") if text != given.text else ORDINARY
        sentence = read_line(text, self._truecaser.language)
        seen = self._truecaser.training_count
        if style == "title":
            record = title_record(given, sentence)
            return (text, record) if record != ORDINARY else (given.text, record)
        if style == "upper":
            record = upper_record(given, sentence, seen)
            if record == ORDINARY:
                return given.text, record
            # In a line of capitals, mixed case is intended.
            kept = [i for i in record.words if given.words[i].tag == "MX"]
            return with_spans(text, given.text, given.spans(kept)), record
        record = emphasis_record(given, sentence, seen)
        return with_spans(given.text, text, sentence.spans(record.words)), record

    def _recase_all(
        self,
        texts: Sequence[str],
        records: Sequence[CaseRecord],
        sources: Sequence[str] | None,
        phrases: Phrases | None,
    ) -> list[str]:
        nothing = [None] * len(texts)
        links: Sequence[Links | int | None] = nothing if phrases is None else phrases.to_lines()
        return [
            self._recase(text, record, source, None if isinstance(of_line, int) else of_line)
            for text, record, source, of_line in zip(
                texts, records, sources or nothing, links, strict=False
            )
        ]


# The source word of a link.
_SOURCE_NUMBER = re.compile(rb"(?<!\S)([0-9]{1,9})[-?]")
# Without the source, a link to a later word is an error.
_MOST_WORDS = 1 << 20


def parse_links(
    alignment: bytes,
    target: bytes,
    source: bytes | None = None,
    *,
    threshold: float = 0.0,
    bad: BadLines = BadLines(),
) -> Phrases:
    """Do `parse_pharaoh`; without the source, check only the numbers of target words."""
    n_target = count_words(target)
    if source is None:
        # Parsing takes memory for each word of the source.
        largest = max(map(int, _SOURCE_NUMBER.findall(alignment)), default=0)
        n_source = np.full(len(n_target), min(largest + 1, _MOST_WORDS), np.int32)
    else:
        n_source = count_words(source)
    return parse_pharaoh(alignment, n_source, n_target, threshold=threshold, bad=bad)


def _split(block: bytes) -> tuple[list[str], str]:
    """Split into lines, and the line end of the last one."""
    text = bytes(block).decode("utf-8", "surrogateescape")
    return split_lines(text), "\n" if text.endswith("\n") else ""


def _lines(texts: list[str]) -> bytes:
    return lines_of_texts(texts, 0, len(texts))


def _checked(lines: Iterable[str], name: str) -> list[str]:
    checked = checked_texts(lines, name)
    for place, line in enumerate(checked):
        if "\n" in line:
            raise TruecaseError(f"{name}[{place}]: has a line end; give each line by itself")
    return checked
