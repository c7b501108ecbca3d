"""One sense per document: what a text says of a word with confidence counts elsewhere in it.

A word has one case in most of a document (Gale, Church & Yarowsky 1992 of its senses). Where the
model is sure of it inside a sentence, the form becomes a name of the document, as if it stood in a
list of names: favoured where it is a common word, too, and right where it is none.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator

from truecase.text.lines import line_slices

#: Lines that speak for each other.
WINDOW = 200

# Chosen on development texts by bench/experiments/one_sense.py: the model is sure from this
# posterior on; a form is the word's if it has this share of the places; and a lowercase form counts
# of words that were seen at most so often in training, since what is common is lower case in one
# name and not in another.
_SURE = 0.9
_SHARE = 0.8
_RARE = 500

_ENDS_SENTENCE = re.compile(r"[.!?:…]+")


def evident_forms(table: str, seen: Callable[[str], int]) -> list[str]:
    """The forms that words have inside the sentences of a text, where the model is sure of them.

    Parameters
    ----------
    table : str
        Words of the text as `Truecaser.table_block` writes them, with posteriors.
    seen : callable
        How often a word was seen in training.

    Returns
    -------
    list of str
        In alphabetical order.
    """
    forms: dict[str, Counter[str]] = {}
    is_first = True
    for row in table.split("\n"):
        if not row:
            is_first = True
            continue
        _, _, word, tag, posterior = row.split("\t")
        if tag == "AN":
            is_first = is_first or _ENDS_SENTENCE.fullmatch(word) is not None
            continue
        if not is_first and float(posterior) >= _SURE:
            forms.setdefault(word.lower(), Counter())[word] += 1
        is_first = False
    found = []
    for word, counts in forms.items():
        form, n = counts.most_common(1)[0]
        if n >= _SHARE * counts.total() and (form != word or seen(word) <= _RARE):
            found.append(form)
    return sorted(found)


def windows(
    blocks: Iterable[bytes], separator: bytes | None = None, *, at_blank_lines: bool = False
) -> Iterator[bytes]:
    """The same text in blocks of about `WINDOW` lines, whatever blocks it came in.

    Parameters
    ----------
    blocks : iterable of bytes
        Whole lines.
    separator : bytes, optional
        A line that ends a window, without what stands around it.
    at_blank_lines : bool
        End windows only there, or after as many lines again.
    """
    lines: list[bytes] = []
    for block in blocks:
        for place in line_slices(block, 0):
            line = block[place]
            lines.append(line)
            bare = line.strip()
            is_full = len(lines) >= WINDOW and (not at_blank_lines or not bare)
            if is_full or len(lines) >= 2 * WINDOW or (separator and bare == separator):
                yield b"".join(lines)
                lines = []
    if lines:
        yield b"".join(lines)
