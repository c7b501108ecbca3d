"""Long texts, made of words that are known, words that are not, and pieces of any bytes."""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator

from draw import Draw
from judge import expect, only_case
from models import KINDS, truecaser

from harnesses.text import small_parts

GUIDES = ()
MAX_LENGTH = 600

_ENDS = (b" ", b" ", b" ", b" ", b" ", b" ", b" ", b" ", b"\n", b"\n", b"\t", b"", b"\r\n", b" , ")
_N_WORDS = 6000


@functools.cache
def _words() -> tuple[bytes, ...]:
    from small_model import random_block, training_text

    known = training_text(200).encode().split()
    odd = random_block(6000, 5).split()
    return (*known, *(word.lower() for word in known), *(word.upper() for word in known[::5]), *odd)


def check(data: bytes) -> None:
    draw = Draw(data)
    decoder = truecaser(draw.choice(KINDS))
    input_case = draw.choice(("ignore", "keep", "auto", "evidence", "proofread"))
    other_way = draw.byte() % 16
    shuffled = random.Random(draw.number(4))
    n_own = draw.number() % (_N_WORDS // 2)
    own = [piece for piece in draw.rest().split(b"|") if piece] or [b"a"]
    pieces = shuffled.choices(_words(), k=_N_WORDS - n_own) + shuffled.choices(own, k=n_own)
    shuffled.shuffle(pieces)
    ends = shuffled.choices(_ENDS, k=_N_WORDS)
    block = b"".join(part for pair in zip(pieces, ends, strict=True) for part in pair)
    LENGTHS.append(len(block))
    cased = decoder.case_block(block, 1, input_case)
    only_case(block, cased)
    if other_way == 0:
        expect(decoder.case_block(block, 2, input_case) == cased, "two threads make another text")
    elif other_way == 1:
        cut = block.find(b"\n", len(block) // 2) + 1
        halves = (block[:cut], block[cut:])
        again = b"".join(decoder.case_block(half, 1, input_case) for half in halves)
        expect(again == cased, "cut in two, the text is another")
    elif other_way == 2:
        with small_parts():
            expect(decoder.case_block(block, 3, input_case) == cased, "in parts it is another text")


#: Bytes of the texts since somebody has emptied it.
LENGTHS: list[int] = []


def seeds() -> Iterator[bytes]:
    hard = b"a" * 90 + b"|\xcc\x87|.|(|\"|http://a.b/C?d=E|U.S.|don't|\xf0\x9f\x98\x80|1)|-|'|\xff"
    for number in range(3 * len(KINDS)):
        yield bytes((number, number // 3, number, number, 0, 0, 0, 0, number % 8)) + hard
