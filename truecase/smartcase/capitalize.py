"""Capitalise the first word of every sentence: the inverse of `truecase.smartcase.normalize`.

A sentence begins at the start of a line and after ``.``, ``!``, ``?`` and their kin. Opening
quotes, brackets, bullets and a number such as ``1.`` before the first word are skipped. No letter
is ever lowercased: COVID and iPhone stay as they are.

No sentence begins after an abbreviation (`ABBREVIATIONS`), an initial or a word with a period
inside (e.g.); after an ellipsis or a colon; or after a question or exclamation in quotation marks,
as "he said" usually follows. First words with a capital, addresses, #tags, and words that begin
with a digit are unchanged.
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
        One or more lines; line ends are kept. The bytes of a file give the same bytes as the
        command.
    segmentation : {"raw", "space"}
        Natural text, or tokens separated by white space.
    language : str
        Turkish and Azeri (``tr``, ``az``) have case mappings of their own.
    encoding : str, optional
        Encoding of bytes, any that Python knows; by default that of the byte order mark, or UTF-8,
        which is checked.

    Returns
    -------
    str or bytes
        The same type and encoding as `text`.

    Raises
    ------
    ReadError
        The bytes are clearly in another encoding, or Python does not know the encoding.
    ValueError
        `segmentation` or `language` is unknown.
    """
    return through(text, encoding, Capitalizer(segmentation, language))


class Capitalizer:
    """Capitalises the first word of every sentence.

    May be used by any number of threads at once.

    Parameters
    ----------
    segmentation, language : str
        As for `capitalize`.
    """

    def __init__(self, segmentation: str = "raw", language: str = "") -> None:
        self._kernel = _Kernel(segmentation, language, ABBREVIATIONS)

    def __call__(self, block: bytes) -> bytes:
        """Capitalise whole lines; only case changes."""
        return self._kernel.capitalize(block)
