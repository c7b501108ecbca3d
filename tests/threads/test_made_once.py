"""Constructors that are called again, also while a method runs: nothing is made a second time."""

from truecase.formats._contents import XML, SegmentTexts, TagScanner
from truecase.formats.segments import Segments, Span
from truecase.truecaser._column import InputColumn, stream_capsule
from truecase.truecaser.column import column_of_texts


def as_it_is(block, sources, links):
    return block


class Chunks:
    """A column in several chunks."""

    def __init__(self, *chunks):
        columns = [column_of_texts(texts) for texts in chunks]
        self._kind = columns[0]._kind
        self._chunks = [chunk for column in columns for chunk in column._chunks]

    def __arrow_c_stream__(self, requested_schema=None):
        return stream_capsule(self._kind, self._chunks)


def test_a_stream_that_is_being_read_is_not_exchanged():
    given = InputColumn(Chunks([b"a", b"bc"], [b"d"]))
    chunks = iter(given)
    lengths = [next(chunks).length]
    given.__init__(Chunks([b"e"] * 7), "another")
    lengths += [chunk.length for chunk in chunks]
    assert (given.name, lengths) == ("column", [2, 1])


def test_texts_of_segments_are_not_exchanged():
    data = b"<a>x</a>" * 50_000
    segments, few = Segments(), Segments()
    for start in range(3, len(data), 8):
        segments.add(Span(start, start + 1), Span(-1, -1))
    few.add(Span(1, 2), Span(-1, -1))
    texts = SegmentTexts(b"abcdef", few, range(1), XML, as_it_is)
    texts.__init__(data, segments, range(len(segments)), XML, as_it_is)
    assert texts.lines == b"b"
    assert texts.put_back(b"B", 0, as_it_is) == b"aB"


def test_a_scanner_stays_where_it_is():
    scanner = TagScanner(b"<a><b/></a><b/>", {b"b": 1}, (), 9)
    assert len(scanner.tags(1)) == 0
    scanner.__init__(b"<c/>" * 9, {b"c": 1}, (), 9)
    found = []
    while (part := scanner.tags(1)) is not None:
        found += part
    assert [tag[2] for tag in found] == [3, 11]
