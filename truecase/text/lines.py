"""Where a text in memory can be cut: at ends of lines."""

from collections.abc import Iterator


def line_slices(text: bytes | bytearray, size: int) -> Iterator[slice]:
    """Slices that make up a text, each ending with a line, or with the text.

    Parameters
    ----------
    text : bytes or bytearray
    size : int
        Each slice but the last goes on to the first line end at or after this many bytes.

    Yields
    ------
    slice
    """
    start = 0
    while start < len(text):
        end = text.find(b"\n", start + size) + 1 or len(text)
        yield slice(start, end)
        start = end
