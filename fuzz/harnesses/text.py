"""Text of any bytes, cased with every kind of model and option, in one way and in another."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, get_args

from draw import Draw
from judge import expect, only_case
from models import KINDS, truecaser

from truecase import truecaser as module
from truecase.options import ColonStyle, DecodeWith, InputCase, OfficeStyle, SentenceStart, Style
from truecase.truecaser import Truecaser

GUIDES = ()
MAX_LENGTH = 8192

_STYLES: tuple[Style, ...] = ("sentence", *get_args(Style))
_DECODE: tuple[DecodeWith | None, ...] = (None, *get_args(DecodeWith))
_COLON = get_args(ColonStyle)
_OFFICES = get_args(OfficeStyle)
_INPUT_CASES = get_args(InputCase)
_SENTENCE_STARTS = get_args(SentenceStart)


@functools.cache
def _decoder(
    kind: str, what: DecodeWith | None, colon: ColonStyle, offices: OfficeStyle
) -> Truecaser:
    model = truecaser(kind).model
    if model.text.language != "en":
        offices = "as-learned"  # the words of offices are English
    return Truecaser(
        model if what is None else model.only(what), after_colon=colon, offices=offices
    )


@contextmanager
def small_parts() -> Iterator[None]:
    """Let several threads share texts that are short."""
    before = module.ONE_THREAD_BYTES, module.bytes_for_a_thread
    try:
        module.ONE_THREAD_BYTES, module.bytes_for_a_thread = 0, lambda n_bytes, threads: 64
        yield
    finally:
        module.ONE_THREAD_BYTES, module.bytes_for_a_thread = before


def check(data: bytes) -> None:
    draw = Draw(data)
    decoder = _decoder(
        draw.choice(KINDS), draw.choice(_DECODE), draw.choice(_COLON), draw.choice(_OFFICES)
    )
    input_case = draw.choice(_INPUT_CASES)
    start = draw.choice(_SENTENCE_STARTS)
    style = draw.choice(_STYLES)
    if style.startswith("auto") and decoder.model.titles is None:
        style = "title"
    other_way = draw.choice(_WAYS)
    block = draw.rest()

    options: Options = {"input_case": input_case, "style": style, "sentence_start": start}

    def case(text: bytes, threads: int = 1) -> bytes:
        return decoder.case_block(text, threads, **options)

    cased = case(block)
    if style != "upper":  # capitals of some letters have no way back, and of Greek no accents
        only_case(block, cased)
    expect(cased.count(b"\n") == block.count(b"\n"), "there are other lines than before")
    other_way(decoder, case, block, cased, options)


Case = Callable[..., bytes]
Options = dict[str, Any]


def _in_threads(
    decoder: Truecaser, case: Case, block: bytes, cased: bytes, options: Options
) -> None:
    with small_parts():
        expect(case(block, 3) == cased, "three threads make another text")


def _line_by_line(
    decoder: Truecaser, case: Case, block: bytes, cased: bytes, options: Options
) -> None:
    lines = block.split(b"\n")[:40]
    for line, before in zip(lines, cased.split(b"\n"), strict=False):
        expect(case(line) == before, f"alone, the line {line!r} comes out otherwise")


def _cut_in_two(
    decoder: Truecaser, case: Case, block: bytes, cased: bytes, options: Options
) -> None:
    cut = block.find(b"\n", len(block) // 2) + 1
    expect(case(block[:cut]) + case(block[cut:]) == cased, "cut in two, the text is another")


def _as_texts(decoder: Truecaser, case: Case, block: bytes, cased: bytes, options: Options) -> None:
    text = block.decode("utf-8", "replace")
    lines = text.split("\n")
    wanted = case(text.encode()).decode()
    expect(decoder(text, **options) == wanted, "a call makes another text than a block")
    cased_lines = decoder.batch(lines, **options)
    expect("\n".join(cased_lines) == wanted, "a batch makes other lines than a block")


def _batch_in_threads(
    decoder: Truecaser, case: Case, block: bytes, cased: bytes, options: Options
) -> None:
    lines = block.decode("utf-8", "replace").split("\n")
    one = decoder.batch(lines, **options)
    with small_parts():
        expect(decoder.batch(lines, 2, **options) == one, "two threads of a batch")


def _again(decoder: Truecaser, case: Case, block: bytes, cased: bytes, options: Options) -> None:
    expect(case(bytearray(block)) == cased, "the same text, given again, comes out otherwise")
    if options["input_case"] == "ignore" and options["style"] == "sentence":
        only_case(block, case(cased))


# Threads take several times as long as all else.
_WAYS = (*(_in_threads, _batch_in_threads), *(2 * (_line_by_line, _cut_in_two, _as_texts, _again)))


def seeds() -> Iterator[bytes]:
    from small_model import random_block, training_text

    for number in range(40):
        text = training_text(6, seed=number).encode()
        if number % 2:
            text = text.lower()
        if number % 3 == 0:
            text = random_block(400, number)
        yield bytes((number, number // 7, number % 3, number % 2, number % 3, number % 2)) + (
            bytes((number % 13, number)) + text
        )
    hard = "şöße ﬁn ǆ ΟΔΟΣ ος i̇ İI 中文 😀 -LRB- `` '' U.S. http://a.b/C?d=E a@b.org 3DTV x" * 2
    for number in range(len(KINDS)):
        yield bytes((number, 0, 0, 0, 0, 0, 0, number)) + hard.encode()
    greek, upper = KINDS.index("portage"), _STYLES.index("upper")
    for number, text in enumerate(("Μάιος ή αΐδιος νεράιδα προϋπόθεση ΰ", "η άυλη ΌΑΣΗ, ή; ρολόϊ")):
        yield bytes((greek, 0, 0, 0, 0, 0, upper, number)) + text.encode()
