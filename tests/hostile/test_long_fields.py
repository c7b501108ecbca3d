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

MARKS = """
from truecase.truecaser.sentence_case import _without_ends
print(len(_without_ends("!" * 500_000 + " a" + "?" * 500_000)))
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
        (TAGS, "100000 False"),
        (CATALOGUE % ('b"http://" * 100_000', "strings"), "x: line 1: expected"),
        (CATALOGUE % ('b"{" * 100_000', "yaml"), "x: line 1: broken YAML: values are nested"),
        (CATALOGUE % ('b"- " * 100_000', "yaml"), "x: line 1: broken YAML: values are nested"),
    ],
    ids=[
        "a number in a mapping file",
        "comments that do not end",
        "documents of one word",
        "marks in a title",
        "tags of Moses",
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
