"""Reads links of words from files: Pharaoh's form, attention matrices, links of subwords.

fast_align, eflomal and Marian write links as ``0-0 1-2``. Soft alignments hold the attention of
each target subword to each source subword: Marian (``--alignment soft``) writes a line of rows,
CTranslate2 a line of JSON. Links of subwords are mapped to links of their words.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np

from truecase.alignment._links import BAD_FORM, BAD_PROBABILITY, BAD_SOURCE, parse
from truecase.alignment.lines import BadLines, Phrases, running_sum
from truecase.base.spool import Float64s, Int32s
from truecase.errors import AlignmentError
from truecase.kernels._segment import count_lines, count_words
from truecase.kernels.text import split_lines
from truecase.options import SubwordForm


def links_of_words(
    parts: Phrases,
    source_word: Int32s,
    target_word: Int32s,
    n_source_parts: Int32s,
    words_per_line: Int32s,
) -> Phrases:
    """Map links of parts, tokens or subwords, to links of their words.

    `source_word` and `target_word` are, for each part, the index of its word in its line; the
    others are parts of each source line and words of each target line.
    """
    lines = running_sum(words_per_line)
    line_of_part = np.repeat(np.arange(parts.n_lines), parts.words_per_line)
    n_links = np.diff(parts.offsets)
    target = np.repeat(lines[line_of_part] + target_word, n_links)
    first_part = np.repeat(running_sum(n_source_parts)[line_of_part], n_links)
    source = source_word[first_part + parts.source_words]
    return Phrases.of_pairs(lines, target, source, parts.unaligned)


def _check_threshold(threshold: float) -> None:
    if not 0 <= threshold <= 1:
        raise AlignmentError(f"threshold {threshold}: expected 0 to 1")


# Longer links are not shown whole in messages.
_SHOWN = 40


def parse_pharaoh(
    block: bytes,
    n_source: Int32s,
    n_target: Int32s,
    *,
    threshold: float = 0.0,
    possible: bool = True,
    bad: BadLines = BadLines(),
    unit: str = "word",
) -> Phrases:
    """Parse a block of lines of links, each ``source-target``, words counted from 0.

    A link may carry its probability, ``0-1:0.87`` or ``0-1/0.87``, and may be merely possible,
    ``0?1``. The order of links does not matter, nor do repetitions. In an empty line no target word
    has a link.

    Parameters
    ----------
    block : bytes
        As many lines as there are counts.
    n_source, n_target : int32 ndarray, shape (n_lines,)
        Words of each line, against which links are checked.
    threshold : float
        Links of smaller probability are dropped; links without one are certain.
    possible : bool
        Whether possible links count.
    bad : BadLines
    unit : str
        Linked units, for messages: ``word`` or ``subword``.

    Raises
    ------
    AlignmentError
        A link is malformed, or points beyond the words of its lines; names file and line. Or the
        threshold is no probability.
    ValueError
        The block has another number of lines.
    """
    _check_threshold(threshold)
    target, source, problem, problem_at = parse(block, n_source, n_target, threshold, possible)
    wrong = np.flatnonzero(problem)
    unaligned = np.zeros(len(problem), np.uint8)
    if len(wrong):
        i = int(wrong[0])
        link = block[problem_at[i] :].split(maxsplit=1)[0][:_SHOWN].decode("utf-8", "replace")
        what = _problem(int(problem[i]), int(n_source[i]), int(n_target[i]), unit)
        bad.add(i, f"link {link!r}: {what}", len(wrong))
        unaligned[wrong] = 1
    return Phrases.of_pairs(running_sum(n_target), target, source, unaligned)


def _problem(problem: int, n_source: int, n_target: int, unit: str) -> str:
    if problem == BAD_FORM:
        return "expected source-target, two numbers, such as 0-1"
    if problem == BAD_PROBABILITY:
        return "expected a probability from 0 to 1 after it, such as 0-1:0.87"
    side, n_units = ("source", n_source) if problem == BAD_SOURCE else ("target", n_target)
    units = unit if n_units == 1 else f"{unit}s"
    return f"the {side} line has only {n_units} {units} (they are counted from 0)"


def format_pharaoh(phrases: Phrases) -> bytes:
    """Write lines of links, in the order of the target words; unaligned lines are empty."""
    lines = []
    for line in phrases.to_lines():
        words = [] if isinstance(line, int) else line
        lines.append(" ".join(f"{source}-{i}" for i, word in enumerate(words) for source in word))
    return "".join(f"{line}\n" for line in lines).encode()


_WORD = re.compile(r"[^\t-\r ]+")
_SPACE = "▁"

# So many letters of a line are shown in messages.
_SHOWN_OF_SUBWORD = 20


def words_of_subwords(subwords: str, text: str, form: SubwordForm) -> list[int] | None:
    """For each subword of a line, the index of its word; None if the subwords are not of this line.

    Subwords are found in the text by their letters, whatever their case and the text's
    tokenisation. If the letters differ (an unknown symbol, another normalisation), the marks
    decide, provided that they make as many words.
    """
    pieces = _WORD.findall(subwords)
    words = _WORD.findall(text)
    letters = [_letters(piece, form) for piece in pieces]
    if "".join(letters).casefold() == "".join(words).casefold():
        word_of_letter = [i for i, word in enumerate(words) for _ in word.casefold()]
        found, place = [], 0
        for letter in letters:
            # A mark alone belongs to the word that follows.
            found.append(word_of_letter[min(place, len(word_of_letter) - 1)] if words else 0)
            place += len(letter.casefold())
        return found if words or not pieces else None
    found = _by_marks(pieces, form)
    return found if found and found[-1] + 1 == len(words) else None


def _letters(piece: str, form: SubwordForm) -> str:
    if form == "sentencepiece":
        return piece.replace(_SPACE, "")
    if form == "bpe":
        return piece.removesuffix("@@")
    return piece.removeprefix("##")


def _by_marks(pieces: list[str], form: SubwordForm) -> list[int]:
    found: list[int] = []
    word = -1
    is_begun = False
    for i, piece in enumerate(pieces):
        if form == "sentencepiece":
            begins = piece.startswith(_SPACE)
        elif form == "bpe":
            begins = not pieces[i - 1].endswith("@@")
        else:
            begins = not piece.startswith("##")
        # After a mark alone the next piece begins no other word.
        if (begins and not is_begun) or i == 0:
            word += 1
        is_begun = form == "sentencepiece" and piece == _SPACE
        found.append(word)
    return found


class SubwordLines(NamedTuple):
    """The words that the subwords of some lines are parts of.

    Attributes
    ----------
    word : int32 ndarray, shape (n_subwords,)
        For each subword, the index of its word in its line.
    per_line : int32 ndarray, shape (n_lines,)
        Subwords of each line; 0 for a line in `problems`.
    problems : dict of int to str
        For each line, from 0, whose subwords do not fit its text, what is wrong.
    """

    word: Int32s
    per_line: Int32s
    problems: dict[int, str]


def subwords_of_lines(block: bytes, text: bytes, form: SubwordForm) -> SubwordLines:
    """Find the words of the subwords in `block`, whose lines are those of `text`."""
    words: list[int] = []
    counts = []
    problems = {}
    lines = _decoded(block, count_lines(block))
    texts = _decoded(text, len(lines))
    for number, (line, of_text) in enumerate(zip(lines, texts, strict=True)):
        found = words_of_subwords(line, of_text, form)
        if found is None:
            problems[number] = _what_differs(line, of_text, form)
            found = []
        words += found
        counts.append(len(found))
    return SubwordLines(np.array(words, np.int32), np.array(counts, np.int32), problems)


def _decoded(block: bytes, n_lines: int) -> list[str]:
    """The lines of a block, which may lack empty ones at its end; ValueError if it has more."""
    lines = split_lines(block.decode("utf-8", "surrogateescape"))
    if len(lines) > n_lines:
        raise ValueError(f"there are {n_lines} lines, but {len(lines)} beside them")
    return lines + [""] * (n_lines - len(lines))


def _what_differs(subwords: str, text: str, form: SubwordForm) -> str:
    """A message about the first subword that is not in the text."""
    letters = "".join(_WORD.findall(text)).casefold()
    place = 0
    for number, piece in enumerate(_WORD.findall(subwords)):
        part = _letters(piece, form).casefold()
        if not letters.startswith(part, place):
            rest = letters[place : place + _SHOWN_OF_SUBWORD]
            follows = repr(rest) if rest else "nothing"
            return (
                f"the subwords are not of this line of text: where subword {number} (from 0) is "
                f"{piece[:_SHOWN_OF_SUBWORD]!r}, the text has {follows}"
            )
        place += len(part)
    return (
        "the subwords are not of this line of text: after the last one the text goes on with "
        f"{letters[place : place + _SHOWN_OF_SUBWORD]!r}"
    )


#: Least attention of linked words, by default.
SOFT_THRESHOLD = 0.3

# Figures are rounded as they are written.
_TOLERANCE = 0.02


def parse_soft(
    block: bytes,
    source: SubwordLines,
    target: SubwordLines,
    words_per_line: Int32s,
    *,
    threshold: float = SOFT_THRESHOLD,
    bad: BadLines = BadLines(),
) -> Phrases:
    """Parse lines of soft alignments into links of words.

    The attention of a target word to a source word is the mean, over its subwords, of their
    attention to all subwords of the source word; words with at least `threshold` are linked.

    Raises
    ------
    AlignmentError
        A row is broken, of another length, or does not sum up to 1; names file and line. Or the
        threshold is no probability.
    """
    _check_threshold(threshold)
    lines: list[list[list[int]] | int] = []
    at_source = at_target = 0
    for i, text in enumerate(_decoded(block, len(source.per_line))):
        source_word = source.word[at_source : at_source + source.per_line[i]]
        target_word = target.word[at_target : at_target + target.per_line[i]]
        at_source += int(source.per_line[i])
        at_target += int(target.per_line[i])
        try:
            matrix = _matrix(text, len(source_word), len(target_word))
        except ValueError as error:
            bad.add(i, error)
            lines.append(int(words_per_line[i]))
            continue
        lines.append(_links(matrix, source_word, target_word, int(words_per_line[i]), threshold))
    return Phrases.from_lines(lines)


def _matrix(text: str, n_source: int, n_target: int) -> Float64s:
    """The rows of a line, without the end of the sentence."""
    text = text.strip()
    try:
        if text.startswith("["):
            rows = [[float(weight) for weight in row] for row in json.loads(text)]
        else:
            rows = [[float(weight) for weight in row.split(",")] for row in text.split()]
    except (ValueError, TypeError, OverflowError, RecursionError):
        raise ValueError(
            "expected rows of attention such as 0.9,0.1 0.2,0.8, or a list of lists"
        ) from None
    if len(rows) not in (n_target, n_target + 1):
        raise ValueError(f"there are {len(rows)} rows, but {n_target} target subwords")
    for number, row in enumerate(rows):
        if len(row) not in (n_source, n_source + 1):
            raise ValueError(
                f"row {number} (from 0) has {len(row)} weights, but there are {n_source} source "
                "subwords"
            )
        total = sum(row)
        # Not a number is not near 1 either.
        if not (abs(total - 1) <= _TOLERANCE and min(row) >= 0):
            raise ValueError(f"row {number} (from 0) sums up to {total:.3g}, not to 1")
    return np.array([row[:n_source] for row in rows[:n_target]]).reshape(n_target, n_source)


def _links(
    matrix: Float64s, source: Int32s, target: Int32s, n_words: int, threshold: float
) -> list[list[int]]:
    n_source_words = int(source.max(initial=-1)) + 1
    sums = np.zeros((n_words, n_source_words))
    np.add.at(sums, (target[:, None], source[None, :]), matrix)
    counts = np.bincount(target, minlength=n_words)[:, None]
    means = sums / np.maximum(counts, 1)
    return [np.flatnonzero((row >= threshold) & (row > 0)).tolist() for row in means]


@dataclass(frozen=True)
class SystemAlignment:
    """The format of a translation system's alignment.

    Attributes
    ----------
    subwords, is_soft, threshold
        As for `AlignmentFile`.
    names : tuple of str
        The files of the subwords of source and target, for messages.
    """

    subwords: SubwordForm
    is_soft: bool = False
    threshold: float | None = None
    names: tuple[str, str] = ("source subwords", "target subwords")

    def links(
        self,
        alignment: bytes,
        source: bytes,
        target: bytes,
        subwords: Sequence[bytes],
        bad: BadLines = BadLines(),
    ) -> Phrases:
        """Links of the words of some lines of text, given as lines of subwords, too.

        `bad` also gets the lines whose subwords do not fit their text.

        Raises
        ------
        AlignmentError
            Links or rows are broken or do not fit their line, or subwords do not fit their text;
            names file and line.
        """
        of_source = subwords_of_lines(subwords[0], source, self.subwords)
        of_target = subwords_of_lines(subwords[1], target, self.subwords)
        other_text = sorted(of_source.problems.keys() | of_target.problems.keys())
        for i in other_text:
            side = 0 if i in of_source.problems else 1
            problem = (of_source, of_target)[side].problems[i]
            replace(bad, name=self.names[side]).add(i, problem)
        if other_text:
            lines = alignment.split(b"\n")
            for i in other_text:
                lines[i] = b""
            alignment = b"\n".join(lines)
        n_words = count_words(target)
        if self.is_soft:
            threshold = SOFT_THRESHOLD if self.threshold is None else self.threshold
            found = parse_soft(
                alignment, of_source, of_target, n_words, threshold=threshold, bad=bad
            )
        else:
            counts, least = (of_source.per_line, of_target.per_line), self.threshold or 0.0
            parts = parse_pharaoh(alignment, *counts, threshold=least, bad=bad, unit="subword")
            found = links_of_words(
                parts, of_source.word, of_target.word, of_source.per_line, n_words
            )
        if not other_text:
            return found
        unaligned = found.unaligned.copy()
        unaligned[other_text] = 1
        return replace(found, unaligned=unaligned)
