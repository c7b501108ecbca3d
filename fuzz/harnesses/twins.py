"""Kernels of the text, against their plain twins in Python."""

from __future__ import annotations

from collections.abc import Iterator

from draw import Draw
from judge import expect
from truecase_testing import render, segment
from unicode_here import other_characters

from truecase.kernels import _unicode as _casing
from truecase.kernels._spans import find_spans

GUIDES = ()
MAX_LENGTH = 160

_TAGS = ("AL", "IU", "AU", "MX", "AN")


def check(data: bytes) -> None:
    draw = Draw(data)
    way = draw.byte() % 7
    language = ("", "tr")[draw.byte() % 4 == 0]
    mask = draw.number(8)
    line = draw.rest().replace(b"\n", b" ")
    # The twins have the Unicode of the interpreter.
    if not other_characters().isdisjoint(line.decode("utf-8", "ignore")):
        return
    if way < 4:
        _segments(line, language)
    elif way < 6:
        _rendered(line, language, mask)
    else:
        _cased(line, language)


def _segments(line: bytes, language: str) -> None:
    from reference import segment as twin
    from reference import spans

    spans_found = [tuple(span) for span in find_spans(line)]
    wanted = [tuple(span) for span in spans.find_spans(line)]
    expect(spans_found == wanted, f"spans {spans_found}, but the twin's {wanted}")
    for segmentation in ("raw", "space"):
        tokens = segment(line, segmentation, language)
        pieces = twin.segment(line, segmentation, language == "tr")
        found = [twin.Piece(*(getattr(t, name) for name in twin.Piece._fields)) for t in tokens]
        expect(found == pieces, f"tokens {found}, but the twin's {pieces}")
        held = [(token.held, token.markup) for token in tokens]
        expect(held == spans.held(line, tokens), "the twin holds other tokens")


def _rendered(line: bytes, language: str, mask: int) -> None:
    from reference import casing as twin

    for token in segment(line, "space", language):
        piece = line[token.start : token.end].decode("utf-8", "surrogateescape")
        for tag in _TAGS:
            for capitals in (token.upper_mask, mask):
                found = render(line, token.start, token.end, tag, capitals, "space", language)
                wanted = twin.render(piece, tag, capitals, language == "tr")
                expect(
                    found == wanted.encode("utf-8", "surrogateescape"),
                    f"{piece!r} as {tag} is {found!r}, but the twin's {wanted!r}",
                )


def _cased(line: bytes, language: str) -> None:
    from reference import casing as twin

    turkic = language == "tr"
    for word in line.decode("utf-8", "replace").split():
        expect(_casing.tag(word, language) == twin.tag(word, turkic), f"tag of {word!r}")
        folded = "".join(twin.fold(c, turkic) for c in word)
        expect(_casing.fold(word, language) == folded, f"fold of {word!r}")
        lowered = "".join(twin.lowered(word, i, turkic) for i in range(len(word)))
        expect(_casing.lower(word, language) == lowered, f"lower case of {word!r}")


def seeds() -> Iterator[bytes]:
    from small_model import random_block, training_text

    lines = [line.encode() for line in training_text(12, seed=3).splitlines()]
    lines += [random_block(150, number).replace(b"\n", b" ") for number in range(12)]
    lines += [
        b"see (https://a.org/Foo_(Bar)). mailto:Me@X.org C:\\Windows\\x.exe {name} &nbsp; -LRB-",
        "şöße ﬁn ǆ ΟΔΟΣ ος i̇ İI 中文 😀 `` '' U.S. d'aujourd’hui don't 3DTV ß ẞ".encode(),
        b"l'homme \xe9t\xc9 \xff\xc3 O'Brien's 'tis J.R.R.Tolkien [[Some Link|text]] %1$s --Flag",
    ]
    for number, line in enumerate(lines):
        for way in range(number % 2, 7, 2):
            yield bytes((way, number, *(number * k % 256 for k in range(8)))) + line[:140]
