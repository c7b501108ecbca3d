"""Punctuation shifted in front of sentences and back, or taken off (Zollmann et al. 2006, 4.2).

The first word of a sentence shows its end mark, and phrases of a translation system see both only
side by side: training text gets the mark there, and translations get it back. A mark that is a word
of its own is written as it is, one that is joined to a word as ``￭.``; ``￭`` alone begins a
sentence without a mark. Shifting there and back gives the same bytes.
"""

from __future__ import annotations

import re
import unicodedata

from truecase.base.argument_types import check_arguments
from truecase.errors import ShiftError
from truecase.rules.smartcase import BEFORE_NAMES


def added(word: str, marked: str) -> tuple[str, str]:
    """Return the marks that `marked` has in front of the word and behind it."""
    before, _, behind = marked.partition(word)
    return before, behind


#: It marks a mark that was joined to the word before it, as in OpenNMT's Tokenizer.
JOINER = "￭"

_ENDS = "[.?!…。？！؟।]+"
# White space within a line.
_SPACE = "[^\\S\\n]"
_TOKEN = re.compile(rf"(?P<word>\S+)(?P<space>{_SPACE}*)")
_ONLY_ENDS = re.compile(_ENDS)
_JOINED_ENDS = re.compile(rf"(?P<stem>.*?[^.?!…。？！؟।])(?P<mark>{_ENDS})", re.DOTALL)
_NO_END = re.compile(
    rf"(?:\W*(?:[^\W\d_]|{BEFORE_NAMES})"
    r"|.*[^\W\d_]\.[^\W\d_])",
    re.IGNORECASE | re.DOTALL,
)
_LOWER = re.compile(r"\W*[a-zß-öø-ÿ]")
_SHIFTED = re.compile(rf"{JOINER}?{_ENDS}|{JOINER}")


def shift_marks(text: str, first_line: int = 1) -> str:
    """Put each end mark in front of its sentence.

    Raises ShiftError, which names the line, if a word begins with ``￭``; lines are numbered from
    `first_line` on.
    """
    check_arguments(shift_marks, locals())
    lines = text.split("\n")
    for number, line in enumerate(lines):
        if JOINER in line and any(word.startswith(JOINER) for word in line.split()):
            raise ShiftError(
                f"line {first_line + number}: a word begins with {JOINER}, which stands for "
                "shifted marks"
            )
    return "\n".join(map(_shifted, lines))


def shift_back(text: str) -> str:
    """Put each mark that stands in front of a sentence behind it.

    Every end mark that is a word of its own ends the sentence before it.
    """
    check_arguments(shift_back, locals())
    return "\n".join(map(_back, text.split("\n")))


def _tokens(line: str) -> tuple[str, list[tuple[str, str]]]:
    begin = len(line) - len(line.lstrip())
    return line[:begin], [(match["word"], match["space"]) for match in _TOKEN.finditer(line, begin)]


def _shifted(line: str) -> str:
    lead, tokens = _tokens(line)
    out = [lead]
    body: list[tuple[str, str]] = []
    n_sentences = 0
    for place, (word, space) in enumerate(tokens):
        if _ONLY_ENDS.fullmatch(word):
            words, gap = _joined(body)
            out += [word, gap, words, space]
        elif (stem := _ended(word, tokens[place + 1 : place + 2])) is not None:
            words, gap = _joined([*body, (stem, "")])
            out += [JOINER, word[len(stem) :], " ", words, space]
        else:
            body.append((word, space))
            continue
        body = []
        n_sentences += 1
    if body:
        out += [f"{JOINER} " if n_sentences else "", *(part for token in body for part in token)]
    return "".join(out)


def _joined(tokens: list[tuple[str, str]]) -> tuple[str, str]:
    """Return the words as they stand, and the white space behind the last."""
    if not tokens:
        return "", ""
    text = "".join(part for token in tokens for part in token)
    gap = tokens[-1][1]
    return text[: len(text) - len(gap)], gap


def _ended(word: str, following: list[tuple[str, str]]) -> str | None:
    """Return the word without the mark that ends a sentence, or None if it has no such mark."""
    match = _JOINED_ENDS.fullmatch(word)
    if match is None:
        return None
    stem, mark = match.group("stem", "mark")
    goes_on = (
        mark == "."
        and bool(following)
        and (_NO_END.fullmatch(stem) is not None or _LOWER.match(following[0][0]) is not None)
    )
    return None if goes_on else stem


def _back(line: str) -> str:
    lead, tokens = _tokens(line)
    out = [lead]
    # A sentence without a mark is like one behind a joiner alone.
    sign, gap = JOINER, ""
    body: list[tuple[str, str]] = []

    def end() -> None:
        words, after = _joined(body)
        if sign == JOINER:
            out.extend([words, after])
        elif not words:
            out.extend([sign.removeprefix(JOINER), gap])
        elif sign.startswith(JOINER):
            out.extend([words, sign[len(JOINER) :], after])
        else:
            out.extend([words, gap, sign, after])

    for word, space in tokens:
        if _SHIFTED.fullmatch(word):
            end()
            sign, gap, body = word, space, []
        else:
            body.append((word, space))
    end()
    return "".join(out)


# Signs that are read out, or that words are made of.
_KEPT = frozenset("%&@#*§°'’‘+=<>^~|$`_")


def take_off_marks(text: str) -> str:
    """Take off the marks around words, and words of marks with the white space behind them.

    Signs within words (``don't``, ``3.5``) and signs that are read out (``%``, ``&``) stay.
    """
    check_arguments(take_off_marks, locals())
    return "\n".join(map(_bare, text.split("\n")))


def _bare(line: str) -> str:
    out = [line[: len(line) - len(line.lstrip())]]
    for match in _TOKEN.finditer(line):
        word = _stripped(match["word"])
        if word:
            out += [word, match["space"]]
    came = "".join(out)
    return came.rstrip() if line == line.rstrip() else came


def _stripped(word: str) -> str:
    start, end = 0, len(word)
    while start < end and _is_mark(word[start]):
        start += 1
    while end > start and _is_mark(word[end - 1]):
        end -= 1
    return word[start:end]


def _is_mark(character: str) -> bool:
    return character not in _KEPT and unicodedata.category(character).startswith("P")
