"""Files of every format: read or refused, and back in place with nothing changed but case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import get_args

from draw import Draw
from format_samples import SAMPLES
from judge import expect, one_line, only_case
from models import truecaser

import truecase.formats.lines as segment_lines
from truecase.errors import TruecaseError
from truecase.formats.file_caser import CasesBlocks, FileCaser
from truecase.formats.format import Document, ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document
from truecase.formats.segments import Units
from truecase.options import FileStyle, InputCase

GUIDES = ("truecase.formats", "truecase.truecaser")
MAX_LENGTH = 4096

_FORMATS = (None, *SAMPLES, "docx", "docx body", "docx part")
_ENCODINGS = (None, None, None, "utf-8", "latin-1", "cp1252", "utf-16", "shift_jis", "auto", "x")
_STYLES = get_args(FileStyle)
_INPUT_CASES = get_args(InputCase)


def check(data: bytes) -> None:
    draw = Draw(data)
    kind = draw.choice(_FORMATS)
    how = draw.byte()
    options = draw.byte()
    encoding = draw.choice(_ENCODINGS)
    content = draw.rest()
    if kind == "docx body":
        content, kind = _docx(content, document=True), "docx"
    elif kind == "docx part":
        content, kind = _docx(content, document=False), "docx"
    wanted = Languages(*((None, None), ("fr", "en"), (None, "en"), (None, "fr"))[options % 4])
    context = "document" if kind == "text" and options & 4 else "line"
    leave = () if options & 8 else ("final", "locked")

    def read(given: bytes) -> Document:
        options = ReadOptions(wanted, leave, context=context)
        return read_document(given, "file", kind, options, encoding)

    try:
        document = read(content)
    except TruecaseError as error:
        one_line(error)
        is_named = str(error).startswith("file: ") or "encoding" in str(error)
        expect(is_named, f"names no file: {error}")
        return
    same = _output(document, _Nothing())
    if isinstance(document.segments, Units) and document.segments.copies:
        # Words of a transcript get the case of the text that they are of.
        _check_again(document, read(same))
    else:
        expect(same == content, f"what is not changed comes out otherwise: {same!r}")
    try:
        if how % 4 == 0:
            cased = _output(document, truecaser("ngram"), how)
        else:
            cased = _output(document, _Upper(), 0)
    except TruecaseError as error:
        # Parts of an archive that have no text are read last.
        one_line(error)
        expect("is broken" in str(error), f"read, and not written: {error}")
        return
    _check_again(document, read(cased))
    if how & 64:
        _in_small_blocks(document, cased, how)


def _in_small_blocks(document: Document, cased: bytes, how: int) -> None:
    before = segment_lines._BLOCK_BYTES
    segment_lines._BLOCK_BYTES = 20
    try:
        model = truecaser("ngram") if how % 4 == 0 else _Upper()
        threads = 1 + how // 128
        again = _output(document, model, how if how % 4 == 0 else 0, threads)
    finally:
        segment_lines._BLOCK_BYTES = before
    expect(again == cased, "in small blocks the file comes out otherwise")


def _output(document: Document, model: CasesBlocks, how: int = 0, threads: int = 1) -> bytes:
    style = _STYLES[how // 8 % len(_STYLES)]
    if style == "source" and not document.has_sources:
        style = "sentence"
    caser = FileCaser(document, model, _INPUT_CASES[how // 4 % 3], style=style)
    return b"".join(caser.output(threads))


# Letters may be written as their numbers.
_NUMBERED = re.compile(
    r"&#(?:x(?P<xml>[0-9a-f]+)|(?P<decimal>[0-9]+));"
    # Four digits behind u, eight in YAML or four in Apple's strings behind U.
    r"|\\(?:(?-i:u)(?P<four>[0-9a-f]{4})|x(?P<two>[0-9a-f]{2})"
    r"|(?-i:U)(?P<eight>[0-9a-f]{8}|[0-9a-f]{4}))"
    r"|\\(?P<octal>[0-7]{3})",
    re.IGNORECASE,
)


def _letters(document: Document) -> bytes:
    """The file with all of its letters as themselves."""
    text = document.data.decode("utf-8", "surrogateescape")
    return _NUMBERED.sub(_letter, text).encode("utf-8", "surrogatepass")


def _letter(match: re.Match[str]) -> str:
    bases = {"decimal": 10, "octal": 8}
    kind, digits = next((kind, one) for kind, one in match.groupdict().items() if one is not None)
    if len(digits) > 8:
        return match[0]
    number = int(digits, bases.get(kind, 16))
    return chr(number) if number < 0x110000 else match[0]


def _check_again(before: Document, after: Document) -> None:
    only_case(_letters(before), _letters(after), "the file")


class _Nothing:
    """Changes nothing."""

    def case_block(self, block: bytes, threads: int = 1, input_case: InputCase = "ignore") -> bytes:
        return block


class _Upper:
    """Raises every letter."""

    def case_block(self, block: bytes, threads: int = 1, input_case: InputCase = "ignore") -> bytes:
        from truecase.kernels._unicode import upper

        return upper(block.decode()).encode()


def _docx(content: bytes, *, document: bool) -> bytes:
    """A package with a body that is any text, or with a document that is."""
    import io
    import zipfile

    from docx_files import docx

    made = docx(content.decode("utf-8", "replace") if document else "")
    if document:
        return made
    file = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(made)) as old, zipfile.ZipFile(file, "w") as archive:
        for info in old.infolist():
            is_it = info.filename == "word/document.xml"
            archive.writestr(info.filename, content if is_it else old.read(info))
    return file.getvalue()


def seeds() -> Iterator[bytes]:
    from docx_files import docx, field, paragraph, part, run

    bodies = [
        paragraph(run("where is"), run("new york", "C1")) + paragraph(run("a &amp; b"), style="P1"),
        paragraph(run("a"), field("PAGE", run("1")), run("b")),
    ]
    for body in bodies:
        yield bytes((_FORMATS.index("docx"), 1, 0, 0)) + docx(body)
        yield bytes((_FORMATS.index("docx body"), 1, 0, 0)) + body.encode()
        yield bytes((_FORMATS.index("docx part"), 1, 0, 0)) + part(
            "document", f"<w:body>{body}</w:body>"
        )
    for name, samples in SAMPLES.items():
        for number, sample in enumerate(samples):
            for how in (0, 1, 16, 65, 193):
                yield bytes((_FORMATS.index(name), how, number, 0)) + sample
            yield bytes((0, 1, 2, 0)) + sample
