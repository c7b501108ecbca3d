"""Check the caller's texts and sources, and convert them for the kernels."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypedDict, TypeVar

from truecase.base.argument_types import check_type
from truecase.errors import WrongTypeError
from truecase.options import plain
from truecase.truecaser._texts import lines_of_texts, n_characters

if TYPE_CHECKING:
    from typing_extensions import Buffer

    from truecase.alignment.lines import Phrases


_Text = TypeVar("_Text")


class SourceLines(TypedDict):
    """Arguments of `case_block` about the source."""

    source: bytes | None
    phrases: "Phrases | None"


def source_lines(block: bytes, source: bytes | None, alignment: bytes | None) -> SourceLines:
    """Parse the alignment of a block with its source."""
    if alignment is None:
        return {"source": source, "phrases": None}
    if source is None:
        raise ValueError("an alignment needs its source")
    from truecase.alignment.link_formats import parse_pharaoh
    from truecase.kernels._segment import count_words

    n_words = count_words(block)
    # A last line without links and line feed.
    alignment += b"\n" * (alignment.count(b"\n") == len(n_words) - 1)
    phrases = parse_pharaoh(alignment, count_words(source), n_words)
    return {"source": source, "phrases": phrases}


def encoded_lines(
    text: str, source: str | None, alignment: str | None
) -> tuple[bytes, SourceLines]:
    """Check and encode a text, its source and its alignment."""
    block = encode(checked_text(text, "text"))
    return block, source_lines(
        block,
        None if source is None else encode(checked_text(source, "source")),
        None if alignment is None else encode(checked_text(alignment, "alignment")),
    )


def encoded_texts(
    texts: list[str], source: Iterable[str] | None, alignment: Iterable[str] | None
) -> tuple[bytes, SourceLines]:
    """Encode texts, each a line, and check and encode their sources and alignments."""
    blocks: list[bytes | None] = []
    for name, other in (("source", source), ("alignment", alignment)):
        given = None if other is None else checked_texts(other, name)
        if given is not None and len(given) != len(texts):
            raise ValueError(f"there are {len(texts)} texts, but {len(given)} of {name}")
        blocks.append(None if given is None else lines_of_texts(given, 0, len(given)))
    block = lines_of_texts(texts, 0, len(texts))
    if not texts:
        return block, {"source": None, "phrases": None}
    return block, source_lines(block, *blocks)


def checked_text(text: Any, name: str) -> str:
    """Return the text, if it is a str."""
    check_type(name, text, str, "a str")
    return str.__str__(text)  # kernels take no class of their own


def listed(texts: Iterable[_Text], name: str) -> list[_Text]:
    """Make a list of the texts without checking them."""
    if isinstance(plain(texts), (str, bytes, bytearray, memoryview)):
        raise WrongTypeError(f"{name}: expected a list of str, found one {type(texts).__name__}")
    if type(texts) is not list:
        check_type(name, texts, Iterable, "a list of str")
    return list(texts)


def counted_texts(texts: Iterable[str], name: str) -> tuple[list[str], int]:
    """Make a list of the texts, check each, and count their characters as `n_characters` does."""
    checked = listed(texts, name)
    return checked, n_characters(checked, name)


def checked_texts(texts: Iterable[str], name: str) -> list[str]:
    """Make a list of the texts and check each."""
    return counted_texts(texts, name)[0]


def checked_bytes(block: "Buffer", name: str) -> bytes | bytearray | memoryview:
    """Return the bytes as an object whose `len` is in bytes."""
    if isinstance(block, (bytes, bytearray)):
        return block
    try:
        view = memoryview(block)
        if view.format[-1:] in ("O", "w"):  # pointers, and NumPy's characters of four bytes
            raise TypeError
    except TypeError:
        hint = "; a text is cased by calling the truecaser" if isinstance(block, str) else ""
        raise WrongTypeError(
            f"{name}: expected bytes, found {type(block).__name__}{hint}"
        ) from None
    return view.cast("B") if view.c_contiguous else bytes(view)


def encode(text: str) -> bytes:
    """Encode as UTF-8; lone surrogates survive the round trip."""
    return text.encode("utf-8", "surrogatepass")


def decode(data: bytes) -> str:
    """Undo `encode`."""
    return data.decode("utf-8", "surrogatepass")
