"""Every entry that cases text with a model, as one function each of a truecaser and a text."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable, Sequence

from draw import Draw
from judge import expect, one_line, only_case, refusing

from truecase.alignment.lines import Phrases
from truecase.errors import ModelError
from truecase.kernels._segment import count_words
from truecase.kernels.text import words_of
from truecase.truecaser import Truecaser
from truecase.truecaser.punctuation import Punctuation

Entry = Callable[[Truecaser, bytes, Draw], None]


def _text(block: bytes) -> str:
    return block.decode("utf-8", "replace")


def case_block(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """A block of lines, with the case of the input dropped, kept and proofread."""
    for input_case in ("ignore", "keep", "proofread"):
        only_case(block, truecaser.case_block(block, 1, input_case))


def case_texts(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """Texts, by a call and in a batch."""
    text = _text(block)
    lines = text.split("\n")
    wanted = truecaser(text)
    expect("\n".join(truecaser.batch(lines)) == wanted, "a batch makes other lines than a call")
    expect(not draw.flag() or truecaser.batch(lines, 2) == wanted.split("\n"), "two threads")


@functools.lru_cache(100)
def _links(counts: tuple[int, ...], step: int) -> Phrases:
    """Links to the same word, to one that there may be, and to none."""
    return Phrases.from_lines([[[i, i + step]] * n for i, n in enumerate(counts)])


def case_with_source(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """Beside a source, aligned and not."""
    source = block.upper() if draw.flag() else block.title()
    if source.count(b"\n") != block.count(b"\n") or not truecaser.takes_source:
        return
    only_case(block, truecaser.case_block(block, source=source))
    links = _links(tuple(count_words(block)), draw.byte() % 5)
    only_case(block, truecaser.case_block(block, source=source, phrases=links))


def tell_posteriors(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """Words with their tags and with how sure the model is of them."""
    text = _text(block)
    cased = truecaser(text)
    tagged, judged = truecaser.tags(text), truecaser.posteriors(text)
    for line, told in zip(tagged, judged, strict=True):
        for word, sure in zip(line, told, strict=True):
            expect(word.text == cased[word.start : word.end], f"{word} is not what stands there")
            expect((word.start, word.text) == (sure.start, sure.text), f"{word}, and then {sure}")
            shares = [sure.posterior, *(one.posterior for one in sure.candidates)]
            expect(all(-1e-3 <= share <= 1.001 for share in shares), f"no probabilities: {sure}")
    table = truecaser.table_block(block, with_posteriors=True)
    expect(table.count(b"\n\n") <= block.count(b"\n") + 1, "more lines than there are")


def explain(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """One line, explained."""
    line = _text(block).split("\n")[0][:80]
    explanation = truecaser.explain(line)
    explanation.to_dict()
    expect(explanation.output == truecaser(line), "it explains another line than it cases")
    if truecaser.model.marks is not None:
        marked = truecaser.explain(line, punctuate=True)
        expect(marked.output == truecaser.punctuate(line), "it explains other marks than it puts")


def case_document(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """Lines of a document."""
    lines = _text(block).split("\n")
    cased = truecaser.document(lines)
    expect(len(cased) == len(lines), f"{len(lines)} lines become {len(cased)}")
    only_case("\n".join(lines).encode(), "\n".join(cased).encode())


def case_session(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """Text that comes in pieces."""
    text = _text(block)
    session = truecaser.session(draw.byte() % 4)
    size = 1 + draw.byte() % 40 if len(text) < 100 else 40
    parts = [session.push(text[at : at + size]) for at in range(0, len(text), size)]
    only_case(text.encode(), "".join([*parts, session.close()]).encode())


_SECONDS = (None, 0.0, 0.2, 0.7, 2.0, 1e30, 1e-30, math.inf, -1.0, math.nan)


def punctuate(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """Marks and case: of the whole text, in pieces, and as a session."""
    if truecaser.model.marks is None:
        return
    whole = truecaser.punctuate_block(block)
    _only_marks(block, whole)
    _only_marks(block, truecaser.punctuate_block(block, lines="sentences"), besides=r"\s")
    stream = Punctuation(truecaser)
    size = 1 + draw.byte() % 40 if len(block) < 100 else 40
    parts = [block[at : at + size] for at in range(0, len(block), size)]
    threads = 1 + draw.byte() % 2
    expect(b"".join(stream.cased(parts, threads)) == whole, "pieces make another text")
    text = _text(block)
    session = truecaser.session(draw.byte() % 4, punctuate=True)
    pieces = [session.push(text[at : at + size]) for at in range(0, len(text), size)]
    _only_marks(text.encode(), "".join([*pieces, session.close()]).encode())
    shares = [
        share for _, one in truecaser.mark_probabilities(text[:200]) for share in one.values()
    ]
    expect(all(-1e-3 <= share <= 1.001 for share in shares), "no probabilities")
    words = words_of(text[:200])
    pauses = [_SECONDS[draw.byte() % len(_SECONDS)] for _ in words]
    found = truecaser.missing_marks([text[:200]], pauses=[pauses])
    expect([len(one) for one in found] == [len(words)], "marks of other words")
    silent = truecaser.missing_marks([text[:200]], pauses=[[None] * len(words)])
    expect(
        silent == truecaser.missing_marks([text[:200]]), "pauses that nobody knows say something"
    )


def _only_marks(before: bytes, after: bytes, besides: str = "") -> None:
    """Whether nothing but marks has been added, and nothing but case changed."""
    signs = re.compile(f"[,.?¿{besides}]")
    one, other = (text.decode("utf-8", "surrogateescape") for text in (before, after))
    expect(bool(besides) or len(other) >= len(one), "something is gone")
    only_case(*(signs.sub("", text).encode("utf-8", "surrogateescape") for text in (one, other)))


def case_in_style(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """As titles, and by line."""
    for style in ("title", "title-chicago", "auto") if truecaser.model.titles else ("title-ap",):
        only_case(block, truecaser.case_block(block, style=style))


def count(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """What training has seen of each word."""
    counts = truecaser.training_counts(block)
    expect(all(n >= 0 for n in counts), "negative counts")
    for word in _text(block).split()[:5]:
        truecaser.training_count(word)


def case_with_names(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """With names of the text itself."""
    from truecase.errors import NamesError
    from truecase.model.names import name_list

    words = _text(block).split()[:8]
    try:
        names = name_list([" ".join(words[:2]), *(f"!{word}" for word in words[2:4]), *words[4:]])
    except NamesError as error:
        one_line(error)
        return
    only_case(block, truecaser.with_names(names).case_block(block))


def keep_parts(truecaser: Truecaser, block: bytes, draw: Draw) -> None:
    """What decodes of it alone, and the model saved and opened again."""
    for what in ("whole", "ngram", "unigram"):
        try:
            only = Truecaser(truecaser.model.only(what))
        except ModelError as error:
            one_line(error)
            continue
        only_case(block, only.case_block(block))
    truecaser.model.info()
    truecaser.about()
    repr(truecaser)


#: All of them; what is cheapest comes most often.
ENTRIES: tuple[Entry, ...] = (
    *(5 * (case_block,)),
    *(case_texts, case_with_source, case_with_source, tell_posteriors, explain, case_document),
    *(case_session, punctuate, case_in_style, count, case_with_names, keep_parts),
)


def by_entries(truecaser: Truecaser, block: bytes, draw: Draw, entries: Sequence[Entry]) -> None:
    """Case by some entries, any of which may refuse the text in a sentence."""
    for entry in entries:
        with refusing():
            entry(truecaser, block, draw)
