"""Text by every entry of a truecaser, with sound models: words, reasons, documents, sources."""

from __future__ import annotations

import random
from collections.abc import Iterator

from draw import Draw
from entries import ENTRIES, by_entries
from models import KINDS, truecaser

GUIDES = ("truecase.truecaser", "truecase.evaluation")
MAX_LENGTH = 1500


def check(data: bytes) -> None:
    draw = Draw(data)
    kind = draw.choice(KINDS)
    entry = draw.choice(ENTRIES)
    choices = Draw(draw.bytes(4))
    by_entries(truecaser(kind), draw.rest(), choices, [entry])


def seeds() -> Iterator[bytes]:
    from small_model import random_block, training_text

    draw = random.Random(2)
    for number in range(len(KINDS) * len(ENTRIES)):
        text = training_text(3, seed=number).encode()
        if number % 3:
            text = text.lower() if number % 3 == 1 else random_block(200, number)
        yield bytes((number, number // len(KINDS))) + draw.randbytes(4) + text
