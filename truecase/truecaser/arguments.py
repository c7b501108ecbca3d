"""What a caller gives, looked at, and as the kernels want it.

Raises `WrongTypeError` that names the argument, where it is of another type.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, TypedDict

from truecase.errors import WrongTypeError
from truecase.truecaser._texts import n_characters

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from truecase.alignment.lines import Phrases


class SourceLines(TypedDict):
    """What `case_block` wants to know of the source."""

    source: bytes | None
    phrases: "Phrases | None"


def source_lines(block: bytes, source: bytes | None, alignment: bytes | None) -> SourceLines:
    """The source and its alignment as `case_block` has them."""
    if alignment is None:
        return {"source": source, "phrases": None}
    if source is None:
        raise ValueError("an alignment needs its source")
    from truecase.alignment.link_formats import parse_pharaoh
    from truecase.kernels._segment import count_words

    phrases = parse_pharaoh(alignment, count_words(source), count_words(block))
    return {"source": source, "phrases": phrases}


def checked_text(text: object, name: str) -> str:
    """The same text, if it is one."""
    if not isinstance(text, str):
        raise WrongTypeError(f"{name}: expected a str, found {type(text).__name__}")
    return text


def listed(texts: Iterable[str], name: str) -> list[str]:
    """A list of the texts, which are not looked at."""
    if isinstance(texts, (str, bytes, bytearray, memoryview)):
        raise WrongTypeError(f"{name}: expected a list of str, found one {type(texts).__name__}")
    try:
        return list(texts)
    except TypeError:
        raise WrongTypeError(
            f"{name}: expected a list of str, found {type(texts).__name__}"
        ) from None


def checked_texts(texts: Iterable[str], name: str) -> list[str]:
    """A list of the texts, each of them looked at."""
    checked = listed(texts, name)
    n_characters(checked, name)
    return checked


def checked_threads(threads: int) -> int:
    """The same number, if it is one of threads."""
    if not isinstance(threads, int):
        raise WrongTypeError(f"threads: expected an int, found {type(threads).__name__}")
    if threads < 1:
        raise ValueError(f"threads {threads}: expected 1 or more")
    return threads


def checked_bytes(block: "Buffer", name: str) -> bytes | bytearray | memoryview:
    """The same bytes, as something that has a length in bytes."""
    if isinstance(block, (bytes, bytearray)):
        return block
    try:
        view = memoryview(block)
    except TypeError:
        hint = "; a text is cased by calling the truecaser" if isinstance(block, str) else ""
        raise WrongTypeError(
            f"{name}: expected bytes, found {type(block).__name__}{hint}"
        ) from None
    return view.cast("B") if view.c_contiguous else bytes(view)


def encode(text: str) -> bytes:
    """UTF-8; lone surrogates survive the round trip."""
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes) -> str:
    """What `encode` has encoded."""
    return data.decode("utf-8", "surrogatepass")
