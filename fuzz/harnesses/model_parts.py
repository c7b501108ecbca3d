"""Models whose settings and arrays are changed one by one, and text that is cased with them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from damage import damaged
from draw import Draw
from entries import ENTRIES, by_entries
from judge import one_line, quiet
from models import KINDS

from truecase.errors import ModelError
from truecase.model.model import Model
from truecase.truecaser import Truecaser

GUIDES = ()
MAX_LENGTH = 400

# Known words and unknown ones, labels, spans, words of other letters.
_TEXT = (
    b'mary took the iphone to new york on monday . "us bill in london ," said o\'brien\n'
    b"the u.s. post of mcleod : ebay don't 3dtv e-mail xyzzy http://a.b/c\n"
    b"\xce\xbf\xce\xb4\xce\xbf\xcf\x83 \xc5\x9f\xc3\xb6\xc3\x9fe i\xcc\x87 -LRB- 3.50 AND MAY\n"
)


def check(data: bytes) -> None:
    draw = Draw(data)
    kind = draw.choice(KINDS)
    entries = [draw.choice(ENTRIES) for _ in range(3 if draw.byte() % 8 == 7 else 1)]
    with quiet():
        arrays, metadata = damaged(draw, kind)
        try:
            truecaser = Truecaser(Model.of_arrays(arrays, metadata))
        except ModelError as error:
            one_line(error)
            return
        by_entries(truecaser, draw.rest() or _TEXT, draw, entries)


def seeds() -> Iterator[bytes]:
    draw = random.Random(1)
    for number in range(200):
        yield bytes((number % len(KINDS), number // len(KINDS) % 6)) + draw.randbytes(30)
