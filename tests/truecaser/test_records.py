"""Records of the case of lines, as lines of a file."""

import pytest

from truecase.errors import RecordError
from truecase.truecaser.bridge import CaseRecord, format_records, parse_records

RECORDS = [
    (CaseRecord("cased"), "cased"),
    (CaseRecord("cased", (0, 12)), "cased +0 +12"),
    (CaseRecord("upper", (2,)), "upper -2"),
    (CaseRecord("title", (1, 3)), "title -1 -3"),
    (CaseRecord("lower"), "lower"),
]


def test_records_are_lines():
    assert [str(record) for record, _ in RECORDS] == [line for _, line in RECORDS]
    assert [CaseRecord.parse(line) for _, line in RECORDS] == [record for record, _ in RECORDS]
    block = format_records(record for record, _ in RECORDS)
    assert block.count(b"\n") == len(RECORDS)
    assert parse_records(block) == [record for record, _ in RECORDS]
    assert parse_records(block.replace(b"\n", b"\r\n")[:-2]) == parse_records(block)


@pytest.mark.parametrize(
    "line", ["", "Upper", "upper 2", "upper +2", "cased -2", "lower -1", "title -1  -2", "title -x",
             "upper -01", "upper -99999999999", "\udcff"],
)  # fmt: skip
def test_other_lines_are_refused(line):
    with pytest.raises(RecordError, match="expected what `truecase bridge before` writes"):
        CaseRecord.parse(line)


def test_messages_name_file_and_line():
    with pytest.raises(RecordError, match=r"^in\.case: line 8: record 'uper'"):
        parse_records(b"upper\nuper\n", "in.case", 7)
    with pytest.raises(RecordError, match=r"line 1: record '\\\\xff'"):
        parse_records(b"\xff\n")
