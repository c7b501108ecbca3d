"""Subwords of a line, as translation systems split it, and the words that they are parts of."""

from __future__ import annotations

import re

import numpy as np
import numpy.typing as npt

from truecase.options import SubwordForm

_WORD = re.compile(r"[^\t-\r ]+")
_SPACE = "▁"

# So many letters of a line are shown in messages.
_SHOWN = 20


def words_of_subwords(subwords: str, text: str, form: SubwordForm) -> list[int] | None:
    """Of each subword of a line the number of its word, words being between white space.

    Subwords are found in the text by their letters, whatever their case, so that the text need not
    be tokenised as they are. Where they are other letters (an unknown symbol, another
    normalisation), their marks tell, if they make as many words.

    Parameters
    ----------
    subwords : str
        Between white space.
    text : str
        The line that they are of.
    form : {"sentencepiece", "bpe", "wordpiece"}

    Returns
    -------
    list of int or None
        None: they are not of this line.
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


def subwords_of_lines(
    block: bytes, text: bytes, form: SubwordForm
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32], dict[int, str]]:
    """Words of the subwords of many lines.

    Parameters
    ----------
    block, text : bytes
        Lines of subwords, and the lines that they are of.
    form : {"sentencepiece", "bpe", "wordpiece"}

    Returns
    -------
    words : int32 ndarray, shape (n_subwords,)
        Of each subword the number of its word in its line.
    n_subwords : int32 ndarray, shape (n_lines,)
    problems : dict of int to str
        Of each line, from 0, whose subwords are not of its text, what is wrong; it has no subwords
        in the arrays.
    """
    words: list[int] = []
    counts = []
    problems = {}
    lines, texts = split_lines(block), split_lines(text)
    texts += [""] * (len(lines) - len(texts))
    for number, (line, of_text) in enumerate(zip(lines, texts, strict=True)):
        found = words_of_subwords(line, of_text, form)
        if found is None:
            problems[number] = _what_differs(line, of_text, form)
            found = []
        words += found
        counts.append(len(found))
    return np.array(words, np.int32), np.array(counts, np.int32), problems


def _what_differs(subwords: str, text: str, form: SubwordForm) -> str:
    """The first subword that is not in the text."""
    letters = "".join(_WORD.findall(text))
    rest = letters.casefold()
    for number, piece in enumerate(_WORD.findall(subwords)):
        part = _letters(piece, form).casefold()
        if not rest.startswith(part):
            follows = f"{rest[:_SHOWN]!r}" if rest else "nothing"
            return (
                f"the subwords are not of this line of text: where subword {number} (from 0) is "
                f"{piece[:_SHOWN]!r}, the text has {follows}"
            )
        rest = rest[len(part) :]
    return (
        "the subwords are not of this line of text: after the last one the text goes on with "
        f"{rest[:_SHOWN]!r}"
    )


def split_lines(block: bytes) -> list[str]:
    """Lines of a block without their ends."""
    lines = block.decode("utf-8", "surrogateescape").split("\n")
    if not lines[-1]:
        lines.pop()
    return lines
