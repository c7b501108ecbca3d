"""Plain text: sentences in lines, or lines in sentences."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truecase.documents.line_ends import line_ends_inside
from truecase.formats.pieces import plain
from truecase.formats.units import Units

_BOM = b"\xef\xbb\xbf"
_LINE_FEED = 0x0A


def read_sentences(name: str, data: bytes) -> Units:
    """The lines of a text, each of which is sentences by itself.

    Raises
    ------
    FormatError
        Never; any text is one.
    """
    n_feeds = data.count(b"\n")
    return _between(data, np.zeros(n_feeds, np.bool_))


def read_paragraphs(name: str, data: bytes) -> Units:
    """The paragraphs of a text, whose sentences run over its lines.

    Raises
    ------
    FormatError
        Never; any text is one.
    """
    return _between(data, line_ends_inside(data))


def _between(data: bytes, inside: npt.NDArray[np.bool_]) -> Units:
    """What stands between the line feeds that are not inside a unit."""
    units = Units()
    feeds = np.flatnonzero(np.frombuffer(data, np.uint8) == _LINE_FEED)[~inside]
    start = len(_BOM) if data.startswith(_BOM) else 0
    for end in [*feeds.tolist(), len(data)]:
        if start < end:
            units.add_unit([plain(data, start, end)])
        start = end + 1
    return units
