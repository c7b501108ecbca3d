"""A text in memory through a function of blocks, as a file goes through it."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from truecase.base.encoding import FileEncoding, TextDecoder, TextEncoder
from truecase.errors import WrongTypeError

#: A text, or the bytes of a file.
AnyText = TypeVar("AnyText", str, bytes)

_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def through(text: AnyText, encoding: str | None, function: Callable[[bytes], bytes]) -> AnyText:
    """The function of a text, as text of the same kind.

    Parameters
    ----------
    text : str or bytes
    encoding : str, optional
        In which bytes are; by default as for files.
    function : callable
        UTF-8 to UTF-8, without a byte order mark.

    Raises
    ------
    WrongTypeError
        `text` is neither, or a str that is given an encoding.
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
