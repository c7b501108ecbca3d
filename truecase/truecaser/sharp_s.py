"""Restore the German ß in words in capitals, where SS stands for it."""

from __future__ import annotations

from truecase.base.argument_types import check_arguments
from truecase.errors import ModelError
from truecase.kernels._lexicon import sharp_s_restored
from truecase.kernels.text import primary_language
from truecase.rules.smartcase import AnyText, through
from truecase.truecaser import Truecaser

# Regions that write ss.
_WITHOUT = ("ch", "li")


def restore_sharp_s(text: AnyText, truecaser: Truecaser, *, encoding: str | None = None) -> AnyText:
    """Write ẞ in German words in capitals that have ß in lower case: ``STRAẞE`` for ``STRASSE``.

    In capitals ß is usually written SS, and case alone cannot tell it from ss. A word gets ß if the
    model has it more often with ß; a compound, if its longest part that the model knows does. This
    changes letters, so case the result: ``truecaser(restore_sharp_s(text, truecaser))`` makes
    ``Die Straße`` of ``DIE STRASSE``. The same as ``truecase apply --restore-sharp-s``.

    Parameters
    ----------
    text : str or bytes
        One or more lines.
    truecaser : Truecaser
        Of German, except that of Switzerland and Liechtenstein, which has no ß.
    encoding : str, optional
        Of bytes; by default that of their byte order mark, or UTF-8.

    Raises
    ------
    ModelError
        The model is of another language.
    ReadError
        The bytes are in another encoding.
    """
    check_arguments(restore_sharp_s, locals())
    check_sharp_s(truecaser)
    return through(text, encoding, lambda block: restored_block(truecaser, block))


def check_sharp_s(truecaser: Truecaser) -> None:
    """Raise ModelError if the model's language has no ß."""
    language = truecaser.model.text.language
    regions = language.lower().replace("_", "-").split("-")[1:]
    if primary_language(language) not in ("de", "deu", "ger") or set(regions) & set(_WITHOUT):
        raise ModelError(
            "ß is restored by models of German, except that of Switzerland; this one is for "
            f"{language or 'no language'}"
        )


def restored_block(truecaser: Truecaser, block: bytes) -> bytes:
    """Do `restore_sharp_s` for lines of UTF-8."""
    text = truecaser.model.text
    return sharp_s_restored(truecaser.model.lexicon, block, text.segmentation)
