"""Word alignments in every form, and text that is cased by the source they lead to."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from draw import Draw
from judge import expect, one_line, only_case, quiet, refusing
from models import truecaser

from truecase.alignment.lines import AlignedLines, BadLines, Phrases, SkippedLines
from truecase.alignment.link_formats import SystemAlignment, format_pharaoh, parse_pharaoh
from truecase.alignment.moses_trace import parse_trace
from truecase.errors import TruecaseError
from truecase.kernels._segment import count_words
from truecase.options import SubwordForm
from truecase.training.translation_tables import PairCounts, count_translations, translation_tables
from truecase.truecaser.bridge import CaseBridge, parse_links

GUIDES = ("truecase.alignment", "truecase.truecaser", "truecase.kernels")
MAX_LENGTH = 1500

_MODELS = ("bilingual", "bilingual-neural", "crf", "crf-neural", "ngram")
_SEPARATOR = b"\n==\n"
_SUBWORDS: tuple[SubwordForm, ...] = ("sentencepiece", "bpe", "wordpiece")


def check(data: bytes) -> None:
    draw = Draw(data)
    read = draw.choice(_READERS)
    skipped = SkippedLines() if draw.flag() else None
    model = draw.choice(_MODELS)
    draw_more = draw.byte()
    parts = [part + b"\n" for part in (draw.rest() + 5 * _SEPARATOR).split(_SEPARATOR)]
    target, source = parts[:2]
    n_lines = min(target.count(b"\n"), source.count(b"\n"))
    target, source = _lines(target, n_lines), _lines(source, n_lines)
    try:
        phrases = read(target, source, parts, draw_more, skipped)
    except TruecaseError as error:
        one_line(error)
        return
    phrases.check(count_words(target), count_words(source))
    decoder = truecaser(model)
    only_case(target, decoder.case_block(target, source=source, phrases=phrases))
    if draw_more & 32:
        lines = [text.decode("utf-8", "replace").split("\n")[:-1] for text in (target, source)]
        links = format_pharaoh(phrases).decode().split("\n")[:-1]
        with refusing():
            decoder.batch(lines[0], source=lines[1], alignment=links)
            CaseBridge(decoder).after(lines[0], ["cased"] * len(lines[0]))
    if draw_more & 64:
        _count_pairs(AlignedLines(target, source, phrases), draw_more)


def _count_pairs(lines: AlignedLines, draw_more: int) -> None:
    """Count which source words stand beside which target words, in one block and in several."""
    from recipes import recipe

    made = recipe("bilingual")
    assert made.source is not None
    turkic = draw_more & 128 != 0
    blocks = [[lines], lines.parts(1 + draw_more % 64)]
    whole, cut = (count_translations(some, "raw", turkic, turkic) for some in blocks)
    expect(whole.n_words == cut.n_words, "cut into blocks, there are other links")
    for one, other in ((whole.cased, cut.cased), (whole.lower, cut.lower)):
        expect(_pairs(one) == _pairs(other), "cut into blocks, there are other pairs")
    with quiet():  # so small a text has no discounts of its own
        arrays, _ = translation_tables([lines], made.text, made.source)
    expect(len(arrays) > 0, "nothing was learned")


def _pairs(counts: PairCounts) -> dict[tuple[int, int], int]:
    """Counts by form of source and target."""
    sources, targets = counts.source[counts.pair_source], counts.target[counts.pair_target]
    both = zip(sources.tolist(), targets.tolist(), strict=True)
    return dict(zip(both, counts.count.tolist(), strict=True))


def _lines(text: bytes, n: int) -> bytes:
    """So many lines, the last ones empty if there are not as many."""
    lines = [*text.split(b"\n")[:n], *[b""] * n][:n]
    return b"".join(line + b"\n" for line in lines)


Reader = Callable[[bytes, bytes, list[bytes], int, SkippedLines | None], Phrases]


def _pharaoh(
    target: bytes, source: bytes, parts: list[bytes], more: int, skipped: SkippedLines | None
) -> Phrases:
    n_lines = target.count(b"\n")
    alignment = _lines(parts[2], n_lines)
    threshold = (0.0, 0.3, 1.0)[more % 3]
    given = {"threshold": threshold, "bad": BadLines(skipped=skipped)}
    parse_links(alignment, target, **given)
    phrases = parse_pharaoh(alignment, count_words(source), count_words(target), **given)
    again = parse_pharaoh(format_pharaoh(phrases), count_words(source), count_words(target))
    expect(again.to_lines() == phrases.to_lines() or skipped is not None, "written otherwise")
    return phrases


def _trace(
    target: bytes, source: bytes, parts: list[bytes], more: int, skipped: SkippedLines | None
) -> Phrases:
    text, links = parse_trace(target, count_words(source), BadLines(skipped=skipped))
    n_words = [len(line.split()) for line in text.split(b"\n")[:-1]]
    expect(list(count_words(text)) == n_words, "other words than between white space")
    # Words of the trace's text, cased here as if they were the target's.
    decoder = truecaser("bilingual")
    only_case(text, decoder.case_block(text, source=source, phrases=links), "the trace")
    return Phrases.unknown(count_words(target))


def _of_subwords(
    target: bytes, source: bytes, parts: list[bytes], more: int, skipped: SkippedLines | None
) -> Phrases:
    n_lines = target.count(b"\n")
    system = SystemAlignment(
        _SUBWORDS[more % 3], more & 4 != 0, (None, 0.0, 0.5, 1.0)[more // 8 % 4]
    )
    links, ours, theirs = (_lines(part, n_lines) for part in parts[2:5])
    return system.links(links, source, target, (ours, theirs), BadLines(skipped=skipped))


_READERS: tuple[Reader, ...] = (_pharaoh, _trace, _of_subwords)


def seeds() -> Iterator[bytes]:
    targets = b"click ok to open the file\nthe us bill\n"
    sources = b"Cliquez OK pour ouvrir le Fichier\nla Facture US\n"
    links = (b"0-0 1-1 2-2 3-3 4-4 5-5\n0-0 1-2 2-1\n", b"0?0 1-1:0.5 5-5:1\n\n", b"0-0 2-9\n")
    for number, alignment in enumerate(links):
        for more in (0, 33, 64, 192):
            parts = (targets, sources, alignment)
            yield bytes((0, number % 2, number, more)) + _SEPARATOR.join(parts)
    traces = (
        b"click ok |0-1| to open |2-3,wa=0-0 1-1,total=-1.5| the file |4-5|\nthe |0-0| bill |1-2|\n"
    )
    yield bytes((1, 0, 0, 3)) + _SEPARATOR.join((traces, sources))
    yield bytes((1, 1, 0, 3)) + _SEPARATOR.join((traces.replace(b"4-5", b"5-4"), sources))
    marked = {0: "▁cli ck ▁ok\n▁us\n", 1: "cli@@ ck ok\nus\n", 2: "cli ##ck ok\nus\n"}
    for form, subwords in marked.items():
        text = (b"click ok\nus\n", b"CLICK OK\nUS\n", b"0-0 1-0 2-2\n0-0\n")
        both = (subwords.upper().encode(), subwords.encode())
        yield bytes((2, 0, 0, form)) + _SEPARATOR.join((*text, *both))
        soft = b"0.9,0.1,0 0.1,0.9,0 0,0,1\n[[1.0, 0.0], [0.0, 1.0]]\n"
        yield bytes((2, 0, 0, form + 4)) + _SEPARATOR.join((*text[:2], soft, *both))
    deep = b"[" * 1200
    yield bytes((2, 0, 0, 5)) + _SEPARATOR.join((*text[:2], deep, *both))
