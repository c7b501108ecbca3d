"""Writes cased text in a style: as sentences, as titles, in upper case, or line by line.

Titles follow the usual English rules. The first and the last word are capitalised, and all others
except articles, conjunctions and prepositions of up to three letters; these are capitalised after a
colon, a dash or the end of a sentence. Parts of hyphenated words are treated alike
(State-of-the-Art). Guides differ in the small words and the last word, and one rule goes by the
length of words alone (`truecase.styles.style_names`). Upper case that the model gave (names,
acronyms) is kept.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from truecase.errors import StyleError
from truecase.styles._styles import StyleWriter
from truecase.styles._titles import TitleDetector
from truecase.styles.style_names import TITLE_GUIDES, check_style, detected

if TYPE_CHECKING:
    import numpy.typing as npt

#: Tokens that belong to the word before them.
CLITICS = "'s 'd 'm 'll 're 've n't 't s t".split()


class Styler:
    """Writes cased text in a style; any number of threads may use it.

    Parameters
    ----------
    segmentation, language : str
        The model's.
    detector : TitleDetector, optional
    patterns : sequence of str
        Regular expressions; for ``auto``, a line that contains a match is a title.
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
        """Whether there is a detector or a pattern of titles."""
        return self._detector is not None or bool(self._patterns)

    def titles(self, block: bytes) -> npt.NDArray[np.uint8]:
        """Find the lines that are titles, by their form or a pattern."""
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
        """Write text in a style.

        Parameters
        ----------
        style : str
            One of `truecase.options.Style`.
        given : bytes
            The user's lines.
        cased : bytes
            The lines as cased by a model.
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
    """Compile regular expressions over bytes; raises `StyleError`, which names the pattern."""
    compiled = []
    for pattern in patterns:
        try:
            compiled.append(re.compile(pattern.encode("utf-8", "surrogateescape")))
        except re.error as error:
            raise StyleError(f"title pattern {pattern!r}: {error}") from None
    return compiled


def matches(block: bytes, patterns: Sequence[re.Pattern[bytes]]) -> npt.NDArray[np.bool_]:
    """For each line, whether it contains a match of a pattern."""
    lines = block.split(b"\n")
    if not lines[-1]:
        lines.pop()
    return np.fromiter(
        (any(pattern.search(line) for pattern in patterns) for line in lines), np.bool_, len(lines)
    )
