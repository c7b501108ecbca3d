"""Applies a function of blocks to a text in memory, as to a file."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from truecase.base.encoding import FileEncoding, TextDecoder, TextEncoder
from truecase.errors import WrongTypeError

#: A text, or the bytes of a file.
AnyText = TypeVar("AnyText", str, bytes)

_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def through(text: AnyText, encoding: str | None, function: Callable[[bytes], bytes]) -> AnyText:
    """Apply a function to a text; returns the same type.

    Parameters
    ----------
    text : str or bytes
    encoding : str, optional
        Encoding of bytes; as for `truecase.base.encoding.TextDecoder`.
    function : callable
        Maps UTF-8 without a byte order mark to UTF-8.

    Raises
    ------
    WrongTypeError
        `text` has another type, or is a str and an encoding is given.
    ReadError
        The bytes are in another encoding.
    """
    if isinstance(text, str):
        if encoding is not None:
            raise WrongTypeError(
                "encoding: a str has none; leave it out, or give the bytes of the text"
            )
        mark = _MARK if text.startswith(_MARK) else ""
        out = function(text[len(mark) :].encode("utf-8", "surrogatepass"))
        return mark + out.decode("utf-8", "surrogatepass")
    if not isinstance(text, bytes):
        raise WrongTypeError(f"text: expected a str or bytes, found {type(text).__name__}")
    found = FileEncoding()
    decoder = TextDecoder("the text", encoding, found)
    decoded = decoder.decode(text)
    decoded += decoder.finish()
    return bytes(TextEncoder(found).encode(function(decoded), True))
