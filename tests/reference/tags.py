"""Tags and attributes of XML, by expat: the twin of `truecase.formats._contents`."""

import itertools
from xml.parsers import expat


def tags(data: bytes, codes: dict[str, int], ends: set[int]) -> list[tuple[int, int, int, int]]:
    """Code, depth, start and end of each start tag, and of end tags with `ends`."""
    parser = expat.ParserCreate("utf-8")
    found: list[tuple[int, int, int, int]] = []
    open_tags: list[bytes] = []

    def start(name: str, attributes: dict[str, str]) -> None:
        begin = parser.CurrentByteIndex
        end = _tag_end(data, begin)
        open_tags.append(data[begin:end])
        if name in codes:
            found.append((codes[name], len(open_tags), begin, end))

    def end(name: str) -> None:
        if codes.get(name) in ends:
            begin = last = parser.CurrentByteIndex
            if not open_tags[-1].endswith(b"/>"):
                last = _tag_end(data, begin)
            found.append((-codes[name], len(open_tags), begin, last))
        open_tags.pop()

    parser.StartElementHandler = start
    parser.EndElementHandler = end
    parser.Parse(data, True)
    return found


def attributes(tag: str) -> dict[str, str]:
    """The attributes of an element without content."""
    parser = expat.ParserCreate("utf-8")
    found: dict[str, str] = {}
    parser.StartElementHandler = lambda name, given: found.update(given)
    parser.Parse(tag, True)
    return found


def _tag_end(data: bytes, start: int) -> int:
    quote = None
    for i in itertools.count(start):
        sign = data[i : i + 1]
        if quote is not None:
            quote = None if sign == quote else quote
        elif sign in (b"'", b'"'):
            quote = sign
        elif sign == b">":
            return i + 1
    raise AssertionError
