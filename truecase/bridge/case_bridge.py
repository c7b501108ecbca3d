"""Case around a translation system, before it and after it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from truecase.alignment.errors import SkippedLines
from truecase.alignment.pharaoh import parse_pharaoh
from truecase.bridge.judge import (
    emphasis_record,
    is_lower,
    may_be_title,
    may_be_upper,
    title_record,
    upper_record,
)
from truecase.bridge.recase import Links, Recaser
from truecase.bridge.records import ORDINARY, CaseRecord, as_record, format_records, parse_records
from truecase.bridge.words import Line, read_line
from truecase.errors import TruecaseError, WrongTypeError
from truecase.text._words import count_words
from truecase.titles.sentence_case import UNSEEN_IN_HEADINGS, SentenceCaser

if TYPE_CHECKING:
    from truecase.alignment.phrases import Phrases
    from truecase.options import AfterColon
    from truecase.truecaser import Truecaser


class CaseBridge:
    """Puts text into sentence case for a translation system, and gives translations its case back.

    May be used by any number of threads.

    Parameters
    ----------
    truecaser : Truecaser, optional
        A model of the source language; the embedded English one if not given.
    target_language : str
        Of the translations, such as ``de``: titles follow English rules for ``en``; the Turkish i.
    emphasis : bool
        Whether single words in capitals of ordinary lines count as emphasis (do NOT open) where
        the model writes them in lower case. Their translations get capitals back through an
        alignment only.
    """

    def __init__(
        self,
        truecaser: Truecaser | None = None,
        *,
        target_language: str = "",
        emphasis: bool = False,
    ) -> None:
        self._truecaser = truecaser
        self._titles: SentenceCaser | None = None
        self._emphasis = emphasis
        self._recase = Recaser(target_language)

    def before(self, lines: Iterable[str]) -> tuple[list[str], list[CaseRecord]]:
        """Lines as a translation system wants them.

        Lines in capitals, in Title Case or all in lower case come out in sentence case, all others
        as they are.

        Parameters
        ----------
        lines : iterable of str
            One sentence or segment each, without line ends.

        Returns
        -------
        lines : list of str
            The same but for case.
        records : list of CaseRecord
            What case each line had, for `after`; ``str(record)`` is a line of a file of records.

        Raises
        ------
        WrongTypeError
            `lines` is one str, or has something in it that is none.
        TruecaseError
            One has a line feed.
        """
        given = _checked(lines, "lines")
        model, titles = self._models()
        read = [read_line(text, model.language) for text in given]
        styles = [self._style(line) for line in read]
        asked = [i for i, style in enumerate(styles) if style != "cased"]
        sentences = dict(zip(asked, model.batch([given[i] for i in asked]), strict=True))
        in_title_case = [i for i in asked if styles[i] == "title"]
        sentences |= zip(
            in_title_case, titles.batch([given[i] for i in in_title_case]), strict=True
        )
        out, records = [], []
        for i, line in enumerate(read):
            text, record = given[i], ORDINARY
            if i in sentences:
                text, record = self._judged(line, styles[i], sentences[i])
            out.append(text)
            records.append(record)
        return out, records

    def after(
        self,
        translations: Iterable[str],
        records: Iterable[CaseRecord | str],
        source: Iterable[str] | None = None,
        alignment: Iterable[str] | None = None,
    ) -> list[str]:
        """Translations in the case that their sources had.

        Parameters
        ----------
        translations : iterable of str
        records : iterable of CaseRecord or str
            What `before` has given, one for each translation.
        source : iterable of str, optional
            The lines that were translated, in either case. Their words are what alignments are
            checked against; without an alignment, words that a system has copied are found by
            them.
        alignment : iterable of str, optional
            Of each line, in Pharaoh's form, which words are translations of each other: ``0-0
            1-2``, the source's first.

        Returns
        -------
        list of str
            The same but for case.

        Raises
        ------
        RecordError
            A record is none.
        AlignmentError
            An alignment is broken, or leads beyond its lines.
        TruecaseError
            There are not as many of each.
        WrongTypeError
            Something is no str.
        """
        texts = _checked(translations, "translations")
        if isinstance(records, (str, bytes)):
            raise WrongTypeError(f"records: expected a list, found one {type(records).__name__}")
        parsed = [as_record(record, place) for place, record in enumerate(records)]
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
                _joined(alignments),
                _joined(texts),
                None if sources is None else _joined(sources),
            )
        return self._given_back(texts, parsed, sources, links)

    def before_block(self, block: bytes) -> tuple[bytes, bytes]:
        """Lines of UTF-8 for the system, and the lines of their records; broken bytes stay."""
        lines, end = _split(block)
        out, records = self.before(lines)
        return _encoded("\n".join(out) + end), format_records(records)

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
        """Lines of UTF-8 in the case that their sources had.

        Parameters
        ----------
        block, records, source : bytes
            As many lines.
        phrases : Phrases, optional
            Their alignment.
        name, first_line : str, int
            The file of the records, and its line where the block begins, for messages.

        Raises
        ------
        RecordError, TruecaseError
        """
        lines, end = _split(block)
        parsed = parse_records(records, name, first_line)
        if len(parsed) != len(lines):
            raise TruecaseError(
                f"{name}: there are {len(lines)} translations, but {len(parsed)} records"
            )
        sources = None if source is None else _split(source)[0]
        if sources is not None:
            sources += [""] * (len(lines) - len(sources))
        out = self._given_back(lines, parsed, sources, phrases)
        return _encoded("\n".join(out) + end)

    def _models(self) -> tuple[Truecaser, SentenceCaser]:
        if self._truecaser is None:
            from truecase.truecaser import Truecaser

            self._truecaser = Truecaser.load()
        if self._titles is None:
            # Titles have a capital there unless house style has none.
            after_colon: AfterColon = (
                "lower" if self._truecaser.after_colon == "lower" else "capital"
            )
            self._titles = SentenceCaser(
                self._truecaser, after_colon, unseen_threshold=UNSEEN_IN_HEADINGS
            )
        return self._truecaser, self._titles

    def _style(self, line: Line) -> str:
        """What a line may be; ``cased`` if it is surely as sentences are."""
        if is_lower(line):
            return "lower"
        if may_be_upper(line):
            return "upper"
        if may_be_title(line):
            return "title"
        if self._emphasis and any(word.tag == "AU" for word in line.words):
            return "emphasis"
        return "cased"

    def _judged(self, given: Line, style: str, text: str) -> tuple[str, CaseRecord]:
        """What goes to the system in a line's stead, and its record."""
        assert self._truecaser is not None
        if style == "lower":
            # A sentence may have no capitals: it begins with a number.
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
            # Inner capitals in a line of capitals are meant.
            kept = [i for i in record.words if given.words[i].tag == "MX"]
            return _with_words(text, given, kept), record
        record = emphasis_record(given, sentence, seen)
        return _with_words(given.text, sentence, record.words), record

    def _given_back(
        self,
        texts: Sequence[str],
        records: Sequence[CaseRecord],
        sources: Sequence[str] | None,
        phrases: Phrases | None,
    ) -> list[str]:
        links: Sequence[Links | int] = phrases.to_lines() if phrases is not None else []
        out = []
        for i, (text, record) in enumerate(zip(texts, records, strict=True)):
            of_line = links[i] if phrases is not None else None
            out.append(
                self._recase(
                    text,
                    record,
                    None if sources is None else sources[i],
                    None if isinstance(of_line, int) else of_line,
                )
            )
        return out


# Of a link, the source's word.
_SOURCE_NUMBER = re.compile(rb"(?<!\S)([0-9]{1,9})[-?]")
# A link that points beyond is an error where the source is not there to say so.
_MOST_WORDS = 1 << 20


def parse_links(
    alignment: bytes,
    target: bytes,
    source: bytes | None = None,
    *,
    threshold: float = 0.0,
    name: str = "alignment",
    first_line: int = 1,
    skipped: SkippedLines | None = None,
) -> Phrases:
    """Parse an alignment; without its source only the target's words are checked.

    See `truecase.alignment.pharaoh.parse_pharaoh`.
    """
    n_target = count_words(target)
    if source is None:
        # Parsing takes memory for as many words as there may be.
        largest = max(map(int, _SOURCE_NUMBER.findall(alignment)), default=0)
        n_source = np.full(len(n_target), min(largest + 1, _MOST_WORDS), np.int32)
    else:
        n_source = count_words(source)
    return parse_pharaoh(
        alignment,
        n_source,
        n_target,
        threshold=threshold,
        name=name,
        first_line=first_line,
        skipped=skipped,
    )


def _with_words(text: str, other: Line, numbers: Sequence[int]) -> str:
    """A text with some words as another line of the same words has them."""
    letters = list(text)
    for i in numbers:
        word = other.words[i]
        letters[word.start : word.end] = other.text[word.start : word.end]
    return "".join(letters)


def _split(block: bytes) -> tuple[list[str], str]:
    """Lines, and what ends the last one."""
    lines = block.decode("utf-8", "surrogateescape").split("\n")
    if lines[-1]:
        return lines, ""
    lines.pop()
    return lines, "\n" if lines else ""


def _joined(lines: Sequence[str]) -> bytes:
    return _encoded("".join(f"{line}\n" for line in lines))


def _encoded(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


def _checked(lines: Iterable[str], name: str) -> list[str]:
    if isinstance(lines, (str, bytes, bytearray, memoryview)):
        raise WrongTypeError(f"{name}: expected a list of str, found one {type(lines).__name__}")
    checked = list(lines)
    for place, line in enumerate(checked):
        if not isinstance(line, str):
            raise WrongTypeError(f"{name}[{place}]: expected a str, found {type(line).__name__}")
        if "\n" in line:
            raise TruecaseError(f"{name}[{place}]: has a line end; give each line by itself")
    return checked
