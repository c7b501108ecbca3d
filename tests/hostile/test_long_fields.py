"""Expressions that read a long field once, not from each of its places.

In a process of its own that is given up in the end: what takes hours would never fail here.
"""

import subprocess
import sys

import pytest
from patience import seconds

MAPPING = """
from truecase.errors import MappingError
from truecase.training.exchange import MappingError, read_mapping
with open("x.map", "wb") as file:
    file.write(b"word Word " + b"9" * 1_000_000 + b"x\\n")
try:
    read_mapping("x.map")
except MappingError as error:
    print(error)
"""

COMMENTS = """
from truecase.training.text_filter import _TAG
line = b"<!--" * 1_000_000
print(len(_TAG.sub(b"", line)))
"""

DOCUMENTS = """
from truecase.truecaser.punctuation import Session
session = Session(str.upper)
print(len(session.push("a\\n\\n" * 1_000_000)))
"""

CATALOGUE = """
from truecase.errors import FormatError
from truecase.formats.registry import read_document
try:
    read_document(%s, "x", "%s")
except FormatError as error:
    print(error)
"""

DETECTED = """
from truecase.errors import FormatError
from truecase.formats.registry import detect
try:
    detect(b"%s" + b"\\n" * %d, "x")
except FormatError as error:
    print(error)
"""

ROWS = """
from truecase.formats.registry import read_document
n = 300_000
cues = b"1\\n00:00:01,000 --> 00:00:02,000\\n%sx\\n\\n2\\n00:00:02,100 --> 00:00:03,000\\nb\\n"
files = {
    "a.srt": cues % (b"." * n),
    "b.srt": cues % (b"-" * n),
    "c.srt": cues % (b"<v" + b" " * n),
    "d.srt": cues % (b"<v." * n),
    "a.smi": b"<sami><sync start=1>a" + b"<sync " + b"start=1 " * n,
    "a.md": b"`" * n + b"x",
    "b.md": b"a" + b"_" * n + b"b",
    "c.md": b"{% code" + b"-" * n,
    "d.md": b"a^[b] " * (n // 10),
    "strings.xml": b"<resources xmlns:xliff='x'><string>" + b"<xliff:g>a</xliff:g> " * (n // 10)
    + b"</string></resources>",
    "a.html": b"<p>" + b'<a href="https://github.com/x">' * (n // 10),
}
for name, data in files.items():
    read_document(data, name)
print("read")
"""

MARKS = """
from truecase.truecaser.sentence_case import _without_ends
from truecase.truecaser.sentence_case import _ACRONYM, _COLON
from truecase.formats.catalogues import _STYLE
from truecase.formats.placeholders import _begins
_STYLE.findall(b"1." * 100_000)
_begins("." * 500_000 + "x", [])
_COLON.search(": " * 250_000 + "x")
_ACRONYM.fullmatch("1" + "a" * 500_000 + "é")
print(len(_without_ends("!" * 500_000 + " a" + "?" * 500_000)))
"""
TABLE = """
from truecase.formats.csv_rows import CsvRows
block, = CsvRows("x", ["a"]).blocks(iter([b"a,b\\n" + b"x\\n" * 300_000]))
print(block.bad[299_999])
"""

REVIEWED = """
from truecase.formats.lines import Flow
from truecase.formats.placeholders import protected
from truecase.formats.segments import Piece
text = "we %s saw " * 30_000
flow = Flow([Piece(0, 0, len(text), text)], protected)
print(*list(flow.spans((i, i + 2) for i in range(0, len(flow.line) - 2, 3)))[-1])
"""

COPIES = """
from truecase.formats.lines import _equal
words = [word for i in range(10_000) for word in ("we", "saw", str(i))]
print(len(list(_equal(words, ["we", "saw"] * 10_000))))
"""

TITLES = r"""
from truecase.truecaser.bridge import read_line
from truecase.truecaser.title_markup import plain
addresses = "ä http://a.bc/7 " * 50_000
read_line(addresses)
plain(addresses)
plain(r"\(a " * 50_000)
plain("<span class='nocase'>" * 50_000)
print(len(plain("{" * 500_000 + "}" * 500_000).text))
"""
TAGS = """
from truecase.integrations import moses
from truecase.integrations.moses import Splitter, has_tag
print(len(Splitter(perl=True).pieces("<a>" * 100_000)), has_tag("<" * 500_000))
"""


@pytest.mark.parametrize(
    "program, expected",
    [
        (MAPPING, "x.map:1: '9999999999999999"),
        (COMMENTS, str(4_000_000)),
        (DOCUMENTS, str(3_000_000)),
        (MARKS, str(1_000_002)),
        (TITLES, "0"),
        (COPIES, "20000"),
        (TABLE, "row 300000 (line 300001): has 1 fields"),
        (REVIEWED, "299997 299999"),
        (TAGS, "100000 False"),
        (ROWS, "read"),
        (DETECTED % ("1", 60_000), "x: line 1: neither"),
        (DETECTED % ("a", 60_000), "x: line 1: neither"),
        (CATALOGUE % ('b"http://" * 100_000', "strings"), "x: line 1: expected"),
        (CATALOGUE % ('b"{" * 100_000', "yaml"), "x: line 1: broken YAML: values are nested"),
        (CATALOGUE % ('b"- " * 100_000', "yaml"), "x: line 1: broken YAML: values are nested"),
    ],
    ids=[
        "a number in a mapping file",
        "comments that do not end",
        "documents of one word",
        "marks in a title",
        "addresses and signs in a title",
        "words of a transcript that repeat",
        "bad rows of a table",
        "placeholders in a text for review",
        "tags of Moses",
        "rows of one sign",
        "empty lines behind a number",
        "empty lines behind a word",
        "slashes that begin no comment",
        "brackets in YAML",
        "lists of lists in YAML",
    ],
)
def test_takes_no_hours(program, expected, tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", program],
        cwd=tmp_path, capture_output=True, text=True, timeout=seconds(60), check=False,
    )  # fmt: skip
    assert done.stderr == ""
    assert done.stdout.startswith(expected)
