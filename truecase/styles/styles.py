"""Casing styles at run time: text as sentences, as titles, in upper case, or by the line.

Titles follow the usual English rules: first and last word begin upper, and so do all words
but articles, conjunctions and prepositions of up to three letters, which do so only after a
colon, a dash or the end of a sentence; parts of hyphenated words are treated alike
(State-of-the-Art). Guides differ in these words and in the last one, and one rule goes by the
length of words alone (`truecase.styles.title_guides`). What the model gave upper case (names,
acronyms) stays as it is.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from truecase.styles._styles import StyleWriter
from truecase.styles._titles import TitleDetector
from truecase.styles.style_names import StyleError, check_style, detected
from truecase.styles.title_guides import TITLE_GUIDES

if TYPE_CHECKING:
    import numpy.typing as npt

#: Tokens that belong to the word before them, in titles as elsewhere.
CLITICS = "'s 'd 'm 'll 're 've n't 't s t".split()


class Styler:
    """Gives text that a model has cased another style. May be used by any number of threads.

    Parameters
    ----------
    segmentation, language : str
        Of the model.
    detector : TitleDetector, optional
    patterns : sequence of str
        Regular expressions; ``auto`` takes lines in which one of them is found for titles.
    """

    def __init__(
        self,
        segmentation: str = "raw",
        language: str = "",
        detector: TitleDetector | None = None,
        patterns: Sequence[str] = (),
    ) -> None:
        self._writers = {
            style: StyleWriter(
                segmentation,
                language,
                [word.encode() for word in guide.small_words],
                [word.encode() for word in CLITICS],
                guide.raises_last,
                guide.max_kept,
            )
            for style, guide in TITLE_GUIDES.items()
        }
        self._detector = detector
        self._patterns = compile_patterns(patterns)

    @property
    def detects_titles(self) -> bool:
        """Whether `titles` has something to go by."""
        return self._detector is not None or bool(self._patterns)

    def titles(self, block: bytes) -> npt.NDArray[np.uint8]:
        """Which lines are titles, by their form or a pattern."""
        if not self.detects_titles:
            raise StyleError(
                "style auto: this model has no title detector: train it with --title-detector, "
                "or give a --title-pattern"
            )
        if self._detector is not None:
            found = self._detector.detect(block)
            if not self._patterns:
                return found
            return np.maximum(found, matches(block, self._patterns).astype(np.uint8))
        return matches(block, self._patterns).astype(np.uint8)

    def apply(self, style: str, given: bytes, cased: bytes) -> bytes:
        """Text in a style.

        Parameters
        ----------
        style : str
            One of `truecase.options.Style`.
        given : bytes
            Lines as the user has them.
        cased : bytes
            The same, cased by a model.
        """
        if style == "sentence":
            return cased
        if style == "upper":
            return self._writers["title"].upper(given)
        titles = detected(check_style(style))
        if titles is not None:
            return self._writers[titles].title(cased, self.titles(given))
        return self._writers[style].title(cased)


def compile_patterns(patterns: Iterable[str]) -> list[re.Pattern[bytes]]:
    """Regular expressions over the bytes of lines.

    Raises
    ------
    StyleError
        The message names the pattern and what is wrong with it.
    """
    compiled = []
    for pattern in patterns:
        try:
            compiled.append(re.compile(pattern.encode("utf-8", "surrogateescape")))
        except re.error as error:
            raise StyleError(f"title pattern {pattern!r}: {error}") from None
    return compiled


def matches(block: bytes, patterns: Sequence[re.Pattern[bytes]]) -> npt.NDArray[np.bool_]:
    """For each line whether one of the patterns is found in it."""
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return np.fromiter(
        (any(pattern.search(line) for pattern in patterns) for line in lines), np.bool_, len(lines)
    )
