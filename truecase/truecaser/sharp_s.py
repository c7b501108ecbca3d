"""The German ß of words in capitals, which SS stands for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from truecase.errors import ModelError
from truecase.kernels._lexicon import sharp_s_restored
from truecase.kernels.text import primary_language
from truecase.rules.smartcase import AnyText, through

if TYPE_CHECKING:
    from truecase.truecaser import Truecaser


# Regions that write ss.
_WITHOUT = ("ch", "li")


def restore_sharp_s(text: AnyText, truecaser: Truecaser, *, encoding: str | None = None) -> AnyText:
    """Write ẞ in German words in capitals that have ß in lower case: ``STRAẞE`` for ``STRASSE``.

    In capitals ß is SS as a rule, and case alone cannot tell it from ss. Words get it that the
    model has more often with ß, and compounds by their longest part that it has. This changes
    letters; what it gives is to be cased: ``truecaser(restore_sharp_s(text, truecaser))`` makes
    ``DIE STRASSE`` ``Die Straße``. The same as ``truecase apply --restore-sharp-s``.

    Parameters
    ----------
    text : str or bytes
        One or more lines.
    truecaser : Truecaser
        Of German, but for that of Switzerland and Liechtenstein, which has no ß.
    encoding : str, optional
        In which bytes are; by default what their byte order mark says, or UTF-8.

    Returns
    -------
    str or bytes
        As `text` is.

    Raises
    ------
    ModelError
        The model is of another language.
    ReadError
        The bytes are in another encoding.
    """
    check_sharp_s(truecaser)
    return through(text, encoding, lambda block: restored_block(truecaser, block))


def check_sharp_s(truecaser: Truecaser) -> None:
    """Refuse a model whose language has no ß.

    Raises
    ------
    ModelError
    """
    language = truecaser.model.text.language
    regions = language.lower().replace("_", "-").split("-")[1:]
    if primary_language(language) not in ("de", "deu", "ger") or set(regions) & set(_WITHOUT):
        raise ModelError(
            "ß is restored by models of German, but not that of Switzerland; this one is of "
            f"{language or 'no language'}"
        )


def restored_block(truecaser: Truecaser, block: bytes) -> bytes:
    """The same for lines of UTF-8."""
    text = truecaser.model.text
    return sharp_s_restored(truecaser.model.lexicon, block, text.segmentation)
