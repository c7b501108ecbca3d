"""What else is done to text: SmartCase, conversions, titles, records of case, languages."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from typing import Any

from draw import Draw
from judge import expect, only_case, refusing
from models import truecaser

from truecase.formats.bibliographies import TitleCaser
from truecase.integrations import moses, opennmt
from truecase.integrations.sacremoses import MosesDetruecaser, MosesTruecaser
from truecase.rules.punctuation import shift_back, shift_marks, take_off_marks
from truecase.rules.smartcase import capitalize, normalize
from truecase.training.recipe import Filters
from truecase.training.text_filter import TextFilter
from truecase.truecaser import Truecaser
from truecase.truecaser.bridge import CaseBridge
from truecase.truecaser.multilingual import MultilingualTruecaser
from truecase.truecaser.sentence_case import sentence_case
from truecase.truecaser.sharp_s import restored_block

GUIDES = (
    "truecase.truecaser",
    "truecase.integrations",
    "truecase.ngram",
    "truecase.rules",
    "truecase.formats",
)
MAX_LENGTH = 1500

Tool = Callable[[bytes, Draw], None]
_ENCODINGS = ("utf-8", None, "latin-1", "utf-16", "auto")


def check(data: bytes) -> None:
    draw = Draw(data)
    tool = draw.choice(_TOOLS)
    choices = Draw(draw.bytes(3))
    with refusing():
        tool(draw.rest(), choices)


def _text(block: bytes) -> str:
    return block.decode("utf-8", "replace")


def _smartcase(change: Callable[..., Any], block: bytes, draw: Draw) -> None:
    options = {"segmentation": draw.choice(("raw", "space")), "language": draw.choice(("", "tr"))}
    text = _text(block)
    only_case(text.encode(), change(text, **options).encode())
    change(block, encoding=draw.choice(_ENCODINGS), **options)


def _sharp_s(block: bytes, draw: Draw) -> None:
    restored = restored_block(truecaser("ngram"), block)
    expect(restored.count(b"\n") == block.count(b"\n"), "other lines than before")


def _marks(block: bytes, draw: Draw) -> None:
    """Shifted and back, and off."""
    text = _text(block)
    if not any(word.startswith("￭") for word in text.split()):
        expect(shift_back(shift_marks(text)) == text, "shifted and back is another text")
    shift_back(text)
    bare = take_off_marks(text)
    expect(take_off_marks(bare) == bare, "more goes off the second time")


def _opennmt(block: bytes, draw: Draw) -> None:
    """There and back, where the text has none of the marks."""
    line = _text(block).split("\n")[0]
    if draw.flag():
        words = " ".join(word for word in line.split(" ") if word)
        back = opennmt.from_features(opennmt.to_features(line))
        only_case(*(one.encode("utf-8", "surrogateescape") for one in (words, back)))
        soft = opennmt.to_markup(line, draw.flag())
        if "⦅" not in line and "￭" not in line:
            expect(
                opennmt.from_markup(soft).split(" ") == [w for w in line.split(" ") if w]
                or not line.strip(" "),
                f"markup of {line!r} says {opennmt.from_markup(soft)!r}",
            )
    else:
        opennmt.convert_block(opennmt.from_markup, block)
        opennmt.convert_block(opennmt.from_features, block)


def _moses(block: bytes, draw: Draw) -> None:
    model = moses.train([block], draw.flag())
    n_lines = block.count(b"\n") + (not block.endswith(b"\n") and block != b"")
    for tool in (moses.Truecase(model, draw.flag()), moses.Detruecase()):
        expect(tool(block).count(b"\n") == n_lines, "other lines than before")
    list(moses.headlines_of(block.splitlines(True)))


def _sacremoses(block: bytes, draw: Draw) -> None:
    text = _text(block)
    lines = [line.split() for line in text.split("\n")]
    tool = MosesTruecaser()
    tool.train(lines, possibly_use_first_token=draw.flag())
    for line in text.split("\n")[:5]:
        tool.truecase(line, return_str=True)
        MosesDetruecaser().detruecase(line, is_headline=draw.flag())
        MosesTruecaser.split_xml(line)


def _titles(block: bytes, draw: Draw) -> None:
    titles = _text(block).split("\n")[:10]
    after_colon = draw.choice(("capital", "lower"))
    cased = sentence_case(titles, after_colon=after_colon, truecaser=_english())
    for before, after in zip(titles, cased, strict=True):
        only_case(before.encode(), after.encode(), "a title")
    sentence_case(titles, braces=True, truecaser=_english())


def _english() -> Truecaser:
    return truecaser("crf-neural")


def _bibliography(block: bytes, draw: Draw) -> None:
    format = draw.choice(("bibtex", "csl"))
    encoding = draw.choice((None, None, "latin-1", "utf-16"))
    caser = TitleCaser(block, "file", format, _english(), encoding=encoding)
    out = b"".join(caser.output())
    if encoding is None and block[:2] not in (b"\xff\xfe", b"\xfe\xff"):
        expect(out.count(b"\n") == block.count(b"\n"), "other lines than before")
    again = TitleCaser(out, "file", format, _english(), encoding=encoding)
    expect(again.summary.n_titles == caser.summary.n_titles, "other titles than before")
    if format == "bibtex":
        b"".join(TitleCaser(block, "file", format, _english(), "lower", True).output())


def _bridge(block: bytes, draw: Draw) -> None:
    bridge = CaseBridge(_english())
    lines = _text(block).replace("\r", " ").split("\n")[:8]
    plain, records = bridge.before(lines)
    only_case("\n".join(lines).encode(), "\n".join(plain).encode())
    back = bridge.after(plain, records)
    only_case("\n".join(lines).encode(), "\n".join(back).encode())
    bridge.before_block(block)


@functools.cache
def _several() -> MultilingualTruecaser:
    return MultilingualTruecaser({"en": truecaser("ngram"), "tr": truecaser("turkish")})


def _languages(block: bytes, draw: Draw) -> None:
    several = _several()
    text = _text(block)
    lines = text.split("\n")
    expect(len(several.languages_of(lines)) == len(lines), "as many languages as lines")
    cased = several.batch(lines)
    only_case(text.encode(), "\n".join(cased).encode())
    only_case(block, several.case_block(block, 1 + draw.byte() % 2))


def _filter(block: bytes, draw: Draw) -> None:
    patterns = ("^[A-Z ]+$",) if draw.flag() else ()
    titles = draw.choice(("all", "drop", "only")) if patterns else "all"
    filters = Filters(clean=draw.flag(), titles=titles, title_patterns=patterns)
    kept = b"".join(TextFilter(filters)([block]))
    expect(len(kept) <= len(block) + 1, "more than before")


_TOOLS: tuple[Tool, ...] = (
    *(functools.partial(_smartcase, capitalize), functools.partial(_smartcase, normalize)),
    *(_sharp_s, _opennmt, _moses, _sacremoses, _titles),
    *(_bibliography, _bridge, _languages, _filter, _marks),
)

_BIBTEX = b"""@comment{a} @string{s = "b"}
@article{key, title = {The {New} York of \\emph{Mary}: A $x^2$ Study}, year = 2000, langid={en},
  booktitle = "Proc. of " # s # { the US}, author = {O'Brien, {\\'E}mile and others} }
@book(k2, title={{All} Caps NASA})
"""
_CSL = (
    b'[{"id":"a","title":"The New York of Mary: A <i>Study</i>","language":"en",'
    b'"container-title":"b"}]'
)


def seeds() -> Iterator[bytes]:
    from small_model import random_block, training_text

    marked = (
        "⦅mrk_case_modifier_C⦆ mary ⦅mrk_begin_case_region_U⦆ us ⦅mrk_end_case_region_U⦆ "
        "a￭ ￭b c￨C\n"
    )
    texts = [
        training_text(5).encode(),
        random_block(300, 3),
        b"THE NEW YORK STUDY: a Title\n",
        _BIBTEX,
    ]
    texts += [
        _CSL,
        marked.encode(),
        b'<a href="b">Mary</a> said <b>NO</b> .\n<hl> The Bill </hl>\n',
    ]
    texts.append("DIE STRASSE IST GROSS . İstanbul ΟΔΟΣ\n".encode())
    for tool in range(len(_TOOLS)):
        for number, text in enumerate(texts):
            yield bytes((tool, number, number // 2, number % 3)) + text
    yield bytes((_TOOLS.index(_bibliography), 1, 0, 0)) + _CSL
