"""One sense per document: what a text says of a word with confidence counts elsewhere in it.

A word has one case in most of a document (Gale, Church & Yarowsky 1992 of its senses). Text is
cased twice. Where the model is sure of a form inside a sentence, the form becomes a name of the
document in the second pass, as if it stood in a list of names. Weights that were learned tell which
words the second pass may change, by what the text says of both forms and by where the word stands.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from truecase.documents.evidence import FEATURES, Evidence, changes, read_words
from truecase.files.weights import read_weights
from truecase.text.lines import line_slices

#: Lines that speak for each other.
WINDOW = 200

_LEARNED = read_weights("evidence")

#: A word is changed where the weighted sum of its features exceeds this.
MARGIN: float = _LEARNED["margin"]

#: Weights of `FEATURES` for each kind of change.
WEIGHTS: dict[str, list[float]] = {
    kind: [weights[name] for name in FEATURES] for kind, weights in _LEARNED["weights"].items()
}


def settled(given: str, second: str, evidence: Evidence) -> str:
    """What comes out of two passes: the first, and what the second may change.

    Parameters
    ----------
    given : str
        Lines, as they came.
    second : str
        Their words in the second pass, as `Truecaser.table_block` writes them with posteriors.
    evidence : Evidence
        Of the first pass.
    """
    words = [list(line) for line in evidence.lines]
    for change in changes(evidence, read_words(second)):
        weights = WEIGHTS[change.kind]
        score = sum(weight * value for weight, value in zip(weights, change.features, strict=True))
        if score > MARGIN:
            words[change.line][change.word] = change.second
    lines = given.split("\n")
    for number, line in enumerate(words):
        text = lines[number]
        parts = []
        end = 0
        for word in line:
            parts += [text[end : word.start], word.text]
            end = word.end
        lines[number] = "".join([*parts, text[end:]])
    return "\n".join(lines)


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
