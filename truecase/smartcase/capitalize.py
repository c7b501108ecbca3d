"""Capitalise the first word of every sentence: the inverse of `truecase.smartcase.normalize`.

A line begins a sentence, and so does what follows ``.``, ``!``, ``?`` and their kin within
it. Opening quotes, brackets, bullets and a number such as ``1.`` before the first word are
skipped. No letter is ever lowercased: COVID and iPhone stay as they are.

Where no sentence is seen to begin: after an abbreviation (`ABBREVIATIONS`), an initial or
anything with a period inside (e.g.); after an ellipsis or a colon; after a question or
exclamation that a quotation mark closes, for "Why?" is mostly followed by "he said". First
words that are left alone: those with any capital, addresses, #tags, and what begins with a
digit.
"""

from __future__ import annotations

from truecase.smartcase._smartcase import Capitalizer as _Kernel
from truecase.smartcase.abbreviations import ABBREVIATIONS


class Capitalizer:
    """Capitalises the first word of every sentence.

    May be used by any number of threads at once.

    Parameters
    ----------
    segmentation : {"raw", "space"}
        Any text, or text whose tokens stand between white space.
    language : str
        Turkish and Azeri (``tr``, ``az``) have case mappings of their own.
    """

    def __init__(self, segmentation: str = "raw", language: str = "") -> None:
        self._kernel = _Kernel(segmentation, language, ABBREVIATIONS)

    def __call__(self, block: bytes) -> bytes:
        """Capitalise whole lines; all but case comes out byte for byte."""
        return self._kernel.capitalize(block)
