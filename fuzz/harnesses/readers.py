"""Files that other tools and users bring: models of theirs, lists, counts, corrections."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from draw import Draw
from entries import case_block
from judge import expect, only_case, quiet, refusing
from models import truecaser
from scratch import folder, written

from truecase.alignment.word_aligner import SavedAligner
from truecase.errors import TruecaseError
from truecase.formats.review import apply_corrections, read_corrections
from truecase.model.names import read_names
from truecase.rules.moses import MosesModel, MosesTruecaser
from truecase.training.count_files import NgramCounts, WordCounts
from truecase.training.count_text import HowToCount, count_words, merge_counts
from truecase.training.exchange import from_arpa, read_mapping, to_arpa, to_mapping
from truecase.truecaser import Truecaser
from truecase.truecaser.bridge import format_records, parse_records

GUIDES = (
    "truecase.alignment",
    "truecase.truecaser",
    "truecase.training",
    "truecase.base",
    "truecase.model",
    "truecase.ngram",
    "truecase.kernels",
    "truecase.formats",
    "truecase.rules",
)
MAX_LENGTH = 3000

_TEXT = b"akakpo agbago went so far . \xce\xb1\xce\xb8\xce\xae\xce\xbd\xce\xb1 the\nin new york\n"
_ENCODINGS = (None, None, None, None, "utf-8", "latin-1", "utf-16", "auto")


def check(data: bytes) -> None:
    draw = Draw(data)
    read = draw.choice(_READERS)
    with quiet(), refusing():
        read(draw)


def _arpa(draw: Draw) -> None:
    """An ARPA file, read, cased with, and written again."""
    options: dict[str, Any] = {
        "segmentation": draw.choice(("space", "raw")),
        "language": draw.choice(("", "tr", "en")),
        "smartcase": draw.flag(),
        "keep_ngrams": draw.flag(),
        "encoding": draw.choice(_ENCODINGS),
    }
    is_mapped = draw.flag()
    arpa, _, mapping = draw.rest().partition(b"\n====\n")
    if is_mapped:
        options["mapping"] = written("x.map", mapping)
    model = from_arpa(written("x.arpa", arpa), **options)
    case_block(Truecaser(model), _TEXT, draw)
    if options["keep_ngrams"]:
        again = folder() / "again.arpa"
        to_arpa(model, again)
        from_arpa(again, options["segmentation"], options["language"])
        if is_mapped:
            to_mapping(model, folder() / "again.map")
            read_mapping(folder() / "again.map", options["language"])


def _mapping(draw: Draw) -> None:
    language = draw.choice(("", "tr"))
    found = read_mapping(written("x.map", draw.rest()), language)
    for forms in found.words.values():
        expect(abs(sum(forms.values()) - 1) < 1e-3, f"forms of {sum(forms.values())}")


def _moses(draw: Draw) -> None:
    encoding = draw.choice(("utf-8", "latin-1", "utf-16"))
    language = draw.choice(("", "tr"))
    model = MosesModel.read(written("x.moses", draw.rest()), encoding)
    model.write(folder() / "again.moses")
    MosesModel.read(folder() / "again.moses")
    moses = MosesTruecaser(model, language)
    only_case(_TEXT, moses.case_block(_TEXT))
    only_case(_TEXT, moses.case_block(_TEXT.title(), 2))


def _names(draw: Draw) -> None:
    name = draw.choice(("x.txt", "x.csv", "x.tsv", "x.tbx"))
    encoding = draw.choice(_ENCODINGS)
    language = draw.choice(("", "en", "fr"))
    knows = draw.choice((lambda _: False, str.islower))
    path = written(name, draw.rest())
    names = read_names(path, encoding=encoding, language=language, knows=knows)
    for place in range(len(names)):
        names[place]
    case_block(truecaser("ngram").with_names(names), _TEXT + " ".join(names).encode(), draw)


def _archive(draw: Draw) -> bytes:
    """An archive of counts, some of whose parts are changed; checksums are right."""
    kind = draw.choice(("words", "n-grams"))
    members = dict(_members(kind))
    for _ in range(1 + draw.byte() % 3):
        name = sorted(members)[draw.byte() % len(members)]
        how = draw.byte() % 5
        old = bytearray(members[name])
        if how == 0:
            del members[name]
            if not members:
                break
        elif how == 1:
            members[name] = bytes(old[: draw.number() % (len(old) + 1)])
        elif how == 2:
            members[name] = draw.bytes(draw.byte())
        elif how == 3 and old:
            place, n_removed = draw.number() % len(old), draw.byte() % 4
            old[place : place + n_removed] = draw.bytes(draw.byte() % 12)
            members[name] = bytes(old)
        elif name.endswith(".json"):
            fields = json.loads(_members(kind)[name])  # undamaged: a member may be drawn twice
            place = sorted(fields)[draw.byte() % len(fields)]
            values = (None, True, -1, 0, 1, 5, 6, 1 << 40, "", "n-grams", "words", "tr", [], 0.5)
            fields[place] = draw.choice(values)
            members[name] = json.dumps(fields).encode()
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return made.getvalue()


def _members(kind: str) -> dict[str, bytes]:
    if kind not in _MADE:
        how = HowToCount("raw", "")
        text = b'the bridge of New York .\n"Mary took us ." The US Post\nthe iPhone\n' * 3
        words = count_words([text], how)
        path = folder() / "good.counts"
        words.save(path)
        if kind == "n-grams":
            from truecase.training.count_text import count_text

            path = folder() / "good.ngrams"
            count_text(written("good.txt", text), path, words=folder() / "good.counts", order=3)
        with zipfile.ZipFile(path) as archive:
            _MADE[kind] = {name: archive.read(name) for name in archive.namelist()}
    return _MADE[kind]


_MADE: dict[str, dict[str, bytes]] = {}


def _counts(draw: Draw) -> None:
    """A file of counts, opened and merged with itself."""
    data = _archive(draw) if draw.byte() % 4 else draw.rest()
    paths = [written(name, data) for name in ("x.counts", "y.counts")]
    merged = folder() / "merged.counts"
    about = merge_counts(paths, merged)
    try:
        _load(merged, about.kind)
    except TruecaseError as error:
        # What is merged with itself has n-grams of twice the text that its words are of.
        is_wrong = about.kind == "words" or "first more often" not in str(error)
        expect(not is_wrong, f"what was merged cannot be read: {error}")


def _load(path: Path, kind: str) -> None:
    if kind == "words":
        words = WordCounts.load(path)
        words.forms()
        words.training_vocabulary()
        return
    ngrams = NgramCounts(path)
    try:
        words = ngrams.words()
        ngrams.initial(words)
        sum(len(counts) for _, counts in ngrams.pieces(len(words.vocabulary)))
    finally:
        ngrams.close()


def _aligner(draw: Draw) -> None:
    import hashlib

    head, _, body = draw.rest().partition(b"\n")
    head = head.replace(b"SUM", hashlib.sha256(body).hexdigest().encode())
    SavedAligner.load(written("x.aligner", head + b"\n" + body))


def _records(draw: Draw) -> None:
    records = parse_records(draw.rest())
    expect(parse_records(format_records(records)) == records, "records are read otherwise")


def _corrections(draw: Draw) -> None:
    """Corrections of a review page, and the text that they are of."""
    given, _, text = draw.rest().partition(b"\n====\n")
    corrections = read_corrections(written("x.json", given))
    if corrections.settings.names or corrections.settings.model:
        return  # which name files of this machine
    path = written("x.txt", text or _TEXT)
    apply_corrections(path, folder() / "x.json", folder() / "out.txt", truecaser("ngram"))


def _compressed(draw: Draw) -> None:
    """Whatever is compressed, or says that it is."""
    from truecase.base.read import open_text, read_blocks

    name = draw.choice(("x", "x.gz", "x.xz", "x.bz2", "x.zst"))
    encoding = draw.choice(_ENCODINGS)
    data = draw.rest()
    path = written(name, data)
    blocks = b"".join(read_blocks([path], 64, encoding=encoding))
    with open_text(path, encoding) as file:
        expect(file.read() == blocks, "read in blocks it is another text")


_READERS: tuple[Callable[[Draw], None], ...] = (
    *(_arpa, _mapping, _moses, _names, _counts),
    *(_aligner, _records, _corrections, _compressed),
)


def _seed(reader: Callable[[Draw], None], *choices: int, data: bytes = b"") -> bytes:
    return bytes((_READERS.index(reader), *choices)) + data


_NESTED = b"[" * 1500
_MOSES = b"the (20/24) The (4)\nYork (9/9)\nMcLeod (2/3) MCLEOD (1)\n\xce\xb1 (3/3)\n"
_TBX = (
    b'<?xml version="1.0"?><martif type="TBX" xml:lang="en"><text><body><termEntry>'
    b'<langSet xml:lang="en"><tig><term>New Deal</term></tig></langSet>'
    b'<langSet xml:lang="fr"><tig><term>Amp&amp;re</term></tig></langSet>'
    b"</termEntry></body></text></martif>"
)


def seeds() -> Iterator[bytes]:
    from portage_files import ARPA, MAP

    both = ARPA.encode() + b"\n====\n" + MAP.encode() + b"<alphabetic> <alphabetic:IU> 0.5\n"
    for number in range(8):
        choices = (number % 2, number % 3, number // 2 % 2, number // 4, 0, number % 2)
        yield _seed(_arpa, *choices, data=both)
    yield _seed(_mapping, 0, data=MAP.encode())
    yield _seed(_moses, 0, 0, data=_MOSES)
    yield _seed(_moses, 2, 0, data=_MOSES.decode().encode("utf-16"))
    yield _seed(_names, 0, 0, 0, 0, data=b"# names\nNew Deal\n!eBay\n\nO'Brien  \n\xce\x91\n")
    for table, separator in ((1, b","), (2, b"\t")):
        rows = (b'"term",fr,note', b'New Deal,"Le ""New"" Deal",a', b"eBay,ebay,")
        yield _seed(_names, table, 0, 1, 1, data=b"\n".join(rows).replace(b",", separator))
    yield _seed(_names, 3, 0, 2, 0, data=_TBX)
    for number in range(60):
        yield _seed(
            _counts, 1, number % 2, 0, number // 5, number % 5, number, 0, 3, data=b"\1" * 9
        )
    yield _seed(_counts, 1, 0, 0, 0, 2, 255, data=_NESTED)
    head = b'{"format":1,"segmentation":"raw","source_language":"fr","target_language":"en",'
    yield _seed(_aligner, data=head + b'"sha256":"SUM"}\nLEX\ta\tb\t1\nHMMF\t1\t2\n')
    yield _seed(_records, data=b"cased +3\nupper -1 -2\ntitle\nlower\n")
    given = {
        "truecase": "corrections", "version": 1, "of": "x.txt", "letters": "0", "cased": "0",
        "settings": {"input_case": "keep", "format": "text", "encoding": "utf-8"}, "names": ["a"],
        "corrections": [{"segment": 0, "line": 1, "start": 0, "end": 1, "from": "a", "to": "A"}],
    }  # fmt: skip
    for change in ({}, {"settings": {}}, {"letters": ""}):
        data = json.dumps({**given, **change}).encode()
        yield _seed(_corrections, data=data + b"\n====\n" + _TEXT)
    yield _seed(_corrections, data=_NESTED)
    import bz2
    import gzip
    import lzma

    for number, pack in enumerate((gzip.compress, lzma.compress, bz2.compress), 1):
        packed = pack(b"a line of text\nand another\n")
        yield _seed(_compressed, number, 0, data=packed)
        yield _seed(_compressed, 0, 0, data=packed + packed[:-4])
    yield _seed(_compressed, 0, 6, data="a\nb é".encode("utf-16"))
