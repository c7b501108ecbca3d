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
from truecase.smartcase.whole_texts import AnyText, through


def capitalize(
    text: AnyText, *, segmentation: str = "raw", language: str = "", encoding: str | None = None
) -> AnyText:
    """Capitalise the first word of every sentence, as ``truecase text capitalize`` does.

    Parameters
    ----------
    text : str or bytes
        One or more lines; line ends stay as they are. Bytes are those of a file: they give the
        same bytes as the command.
    segmentation : {"raw", "space"}
        Any text, or text whose tokens stand between white space.
    language : str
        Turkish and Azeri (``tr``, ``az``) have case mappings of their own.
    encoding : str, optional
        In which bytes are, any that Python knows; by default what their byte order mark says, or
        UTF-8, which is checked.

    Returns
    -------
    str or bytes
        As `text` is, and in the same encoding.

    Raises
    ------
    ReadError
        The bytes are clearly in another encoding, or there is none of that name.
    ValueError
        `segmentation` or `language` is none.
    """
    return through(text, encoding, Capitalizer(segmentation, language))


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
