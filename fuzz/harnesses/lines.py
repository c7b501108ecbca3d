"""Short lines, one by one, as people call for them: as a text, as a block, beside others."""

from __future__ import annotations

from collections.abc import Iterator

from draw import Draw
from judge import expect, only_case
from models import KINDS, truecaser

GUIDES = ()
MAX_LENGTH = 200

# As they are most often.
_INPUT_CASES = ("ignore", "evidence", "keep", "auto", "proofread")


def check(data: bytes) -> None:
    draw = Draw(data)
    decoder = truecaser(draw.choice(KINDS))
    how = draw.byte()
    input_case = _INPUT_CASES[how % 5]
    line = draw.rest().replace(b"\n", b" ")
    cased = decoder.case_block(line, 1, input_case)
    only_case(line, cased)
    if how & 32:
        between = b"the post .\n" + line + b"\nMAY"
        again = decoder.case_block(between, 1, input_case)
        expect(again.split(b"\n")[1] == cased, f"among others, the line {line!r} is another")
    if how & 64:
        text = line.decode("utf-8", "replace")
        is_same = text.encode() == line
        wanted = cased if is_same else decoder.case_block(text.encode(), 1, input_case)
        called = decoder(text, input_case=input_case)
        expect(called.encode() == wanted, "a call makes another text than a block")


def seeds() -> Iterator[bytes]:
    from small_model import random_block, training_text

    lines = [line.encode() for line in training_text(20, seed=7).splitlines()]
    lines += [line.lower() for line in lines] + random_block(600, 8).split(b"\n")[:40]
    lines += [
        "şöße ﬁn ǆ ΟΔΟΣ ος i̇ İI 中文 😀 http://a.b/C?d=E a@b.org 3DTV x".encode(),
        b"-LRB- ... \"no.\" he said , 'tis j.r.r. tolkien's 3.50 e-mail u.s. [[x]] %1$s --flag",
        b"i'm mcleod-macdonald & o'brien: 1) first. 2) second? (a) the case!",
    ]
    for number, line in enumerate(lines):
        yield bytes((number, 32 * (number % 8) + number // 8 % 4)) + line[: MAX_LENGTH - 2]
