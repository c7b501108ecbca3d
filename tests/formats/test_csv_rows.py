"""CSV and TSV: each byte outside of the texts that are cased stays."""

import csv
import io

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from truecase.errors import TableError
from truecase.formats import csv_rows
from truecase.formats.csv_rows import CsvRows
from truecase.formats.rows import case_rows
from truecase.formats.tables import ColumnJob


class Raises:
    """Stands for a caser: raises all letters, or changes nothing."""

    def __init__(self, change=True):
        self._change = change

    def __call__(self, texts, sources=None, alignments=None):
        return [text.upper() if self._change else text for text in texts]


def cased(data, *columns, change=True, cuts=(), **options):
    """A file with its texts raised, and its bad rows, read in blocks of so many lines."""
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1][:-1]
    places = sorted({0, *(min(cut, len(lines)) for cut in cuts), len(lines)})
    blocks = [b"".join(lines[a:b]) for a, b in zip(places, places[1:], strict=False)]
    jobs = [ColumnJob(column) for column in columns]
    done = [
        case_rows(block, jobs, Raises(change))
        for block in CsvRows("t.csv", columns, **options).blocks(b for b in blocks if b)
    ]
    return b"".join(one.data for one in done), [bad for one in done for bad in one.bad]


FIELD = st.text(st.sampled_from('abZé ,;\t"\r\n'), max_size=8)


@st.composite
def files(draw):
    """Rows of three fields, of which some are quoted for no reason, and how the file has them."""
    delimiter = draw(st.sampled_from(",;\t"))
    end = draw(st.sampled_from(["\n", "\r\n", "\r"]))
    rows = [["id", "text", "more"], *draw(st.lists(st.lists(FIELD, min_size=3, max_size=3)))]

    def spelt(field):
        needs = any(sign in field for sign in (delimiter, "\r", "\n")) or field.startswith('"')
        if needs or draw(st.booleans()):
            return '"' + field.replace('"', '""') + '"'
        return field

    text = end.join(delimiter.join(map(spelt, row)) for row in rows)
    return delimiter, rows, (text + draw(st.sampled_from(["", end]))).encode()


@examples(200)
@given(file=files(), cuts=st.lists(st.integers(0, 12)))
def test_only_the_texts_change(file, cuts):
    delimiter, rows, data = file
    options = {"delimiter": delimiter, "cuts": cuts}
    assert cased(data, "text", change=False, **options) == (data, [])
    made, bad = cased(data, "text", **options)
    assert bad == []
    # Letters of ASCII alone are raised, so that no length changes.
    assert made.lower() == data.lower()
    found = list(csv.reader(io.StringIO(made.decode(), newline=""), delimiter=delimiter))
    assert found == [rows[0], *([a, b.encode().upper().decode(), c] for a, b, c in rows[1:])]
    assert cased(data, "more", "id", "text", change=False, **options) == (data, [])


def test_names_numbers_and_blank_lines():
    data = b'\n"te""xt",b\n\na,b\n'
    assert cased(data, 'te"xt')[0] == b'\n"te""xt",b\n\nA,b\n'
    assert cased(b"a,b\nc,d\n", "2", has_header=False)[0] == b"a,B\nc,D\n"
    assert cased(b"a\nb\n\nc", "a")[0] == b"a\nB\n\nC"
    assert cased(b"", "a") == (b"", [])
    assert cased(b"a,b", "b") == (b"a,b", [])


def test_quotes_that_are_text():
    data = b'a\t"b\nc\td"\n'
    assert cased(data, "2", delimiter="\t", has_header=False, has_quotes=False)[0] == (
        b'a\t"B\nc\tD"\n'
    )


def test_quotes_within_a_field_are_text():
    assert cased(b'n,text\n1,5" disk\n2,a"b"c\n', "text")[0] == b'n,text\n1,5" DISK\n2,A"B"C\n'


@pytest.mark.parametrize(
    ("row", "reason"),
    [
        (b"1,a,b", "has 3 fields, and the first row 2"),
        (b"1", "has 1 fields"),
        (b'1,"a"b', "something follows a closing quotation mark; where such marks are text"),
        (b'1,"a" ', "something follows a closing quotation mark"),
        (b'"1"x,a,"b\n', "a quotation mark is not closed"),
    ],
)
def test_bad_rows_stay_and_are_named(row, reason):
    data = b'n,text\n0,"a\nb"\n' + row + b"\n2,c\n"
    for cuts in ((), range(9)):
        made, bad = cased(data, "text", cuts=cuts)
        rest = b"2,c\n" if "not closed" in reason else b"2,C\n"
        assert made == b'n,text\n0,"A\nB"\n' + row + b"\n" + rest
        assert [(one.row, one.line) for one in bad] == [(2, 4)]
        assert bad[0].reason.startswith(reason)
        assert str(bad[0]).startswith("row 2 (line 4): ")


def test_a_quotation_mark_that_is_never_closed(monkeypatch):
    monkeypatch.setattr(csv_rows, "LONGEST_ROW", 100)
    data = b'n,text\n0,a\n1,"b\n' + b"c,d\n" * 100
    with pytest.raises(TableError, match=r"t.csv: row 2: a quotation mark is not closed"):
        cased(data, "text", cuts=range(0, 104, 10))


def test_a_long_row_is_not_read_again_for_each_block(monkeypatch):
    sizes = []
    read = CsvRows._read
    monkeypatch.setattr(
        CsvRows, "_read", lambda self, block: sizes.append(len(block.data)) or read(self, block)
    )
    blocks = [b'text\n"', *[b"x\n" * (1 << 19)] * 12, b'"\n1\n']
    rows = sum(block.n_rows for block in CsvRows("t.csv", ["text"]).blocks(iter(blocks)))
    assert rows == 2
    assert sum(sizes) < 3 * sum(map(len, blocks))


@pytest.mark.parametrize(
    ("column", "message"),
    [
        ("texts", "t.csv: there is no column texts; did you mean text?"),
        ("x", "there are: id, text, Id, id"),
        ("id", "there are 2 columns id"),
    ],
)
def test_columns_that_are_not_there(column, message):
    with pytest.raises(TableError) as error:
        cased(b"id,text,Id,id\n1,2,3,4\n", column)
    assert message in str(error.value)


def test_another_sign_between_columns():
    with pytest.raises(TableError, match=r"the only one is 'a;text': if ';' .* give --delimiter"):
        cased(b"a;text\n1;b\n", "text")
