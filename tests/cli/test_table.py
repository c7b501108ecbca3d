"""`table` as a command: what `case_table` writes, byte for byte."""

import gzip
import json
import os
import signal
import subprocess
import sys
import time

import pytest

from truecase import Truecaser, case_table
from truecase import truecase as case_english

ROWS = ["the old trees of paris", None, "i met nasa in\nlondon", "", "caf\u00e9 in berlin"]


@pytest.fixture
def files(tmp_path):
    """The same table in all formats."""
    made = {}
    lines = [json.dumps({"id": i, "text": row}) + "\n" for i, row in enumerate(ROWS)]
    made["jsonl"] = tmp_path / "t.jsonl"
    made["jsonl"].write_text("".join(lines))
    for kind, between in (("csv", ","), ("tsv", "\t")):
        made[kind] = tmp_path / f"t.{kind}"
        fields = [f'{i}{between}"{row or ""}"\r\n' for i, row in enumerate(ROWS)]
        made[kind].write_text(f"id{between}text\r\n" + "".join(fields), newline="")
    try:
        import pyarrow as pa
        import pyarrow.parquet as pq
    except ImportError:
        return made
    table = pa.table({"id": range(len(ROWS)), "text": ROWS})
    made["parquet"], made["arrow"] = tmp_path / "t.parquet", tmp_path / "t.arrow"
    pq.write_table(table, made["parquet"], row_group_size=2)
    with pa.ipc.new_stream(str(made["arrow"]), table.schema) as writer:
        writer.write_table(table)
    return made


@pytest.mark.parametrize("kind", ["jsonl", "csv", "tsv", "parquet", "arrow"])
def test_the_command_does_what_the_function_does(kind, files, truecase, tmp_path):
    if kind not in files:
        pytest.skip("needs pyarrow")
    path, out, expected = files[kind], tmp_path / f"out.{kind}", tmp_path / f"expected.{kind}"
    done = truecase("table", path, "--column", "text", "-o", out)
    assert (done.returncode, done.stdout) == (0, b"")
    name = {"parquet": "Parquet", "arrow": "Arrow IPC", "jsonl": "JSON lines"}.get(
        kind, kind.upper()
    )
    told = f"truecase: {path}: {name}: 5 rows, 3 texts changed\n"
    assert done.stderr.decode() == told
    case_table(path, expected, "text")
    assert out.read_bytes() == expected.read_bytes()
    assert case_english("i met nasa in\nlondon") == "I met NASA in\nLondon"
    if kind not in ("parquet", "arrow"):
        texts = [case_english(row or "") for row in ROWS]
        if kind == "jsonl":
            texts = [None if row is None else text for row, text in zip(ROWS, texts, strict=True)]
            assert [json.loads(line)["text"] for line in out.open()] == texts
        assert b"NASA in" in out.read_bytes()
    options = ["-j", "2", "--style", "title", "--input-case", "keep", "--sentence-start", "learned"]
    done = truecase("table", "-i", path, "-c", "text", *options, "-o", out, "-q")
    assert done.stderr == b""
    own = Truecaser.load()
    case_table(
        path, expected, ["text"], own, style="title", input_case="keep", sentence_start="learned"
    )
    assert out.read_bytes() == expected.read_bytes()
    if kind != "parquet":
        piped = truecase("table", "--format", kind, "-c", "text", text=path.read_bytes())
        assert piped.stderr.startswith(b"truecase: standard input: ")
        case_table(path, expected, "text")
        assert piped.stdout == expected.read_bytes()
    else:
        piped = truecase("table", path, "-c", "text")
        case_table(path, expected, "text")
        assert piped.stdout == expected.read_bytes()


def test_compressed_and_encoded(truecase, tmp_path):
    data = "id\ttext\r\n1\tthe café of paris\r\n".encode("utf-16")
    path, out = tmp_path / "t.tsv.gz", tmp_path / "out.tsv.gz"
    path.write_bytes(gzip.compress(data))
    truecase("table", path, "-c", "text", "-o", out)
    assert gzip.decompress(out.read_bytes()).decode("utf-16") == (
        "id\ttext\r\n1\tThe café of Paris\r\n"
    )
    old = tmp_path / "t.csv"
    old.write_bytes("id;text\n1;the café of paris\n".encode("cp1252"))
    options = ["--encoding", "cp1252", "--delimiter", ";"]
    done = truecase("table", old, "-c", "text", *options)
    assert done.stdout == "id;text\n1;The café of Paris\n".encode("cp1252")
    marked = "\ufefftext,n\nin paris,1\n".encode()
    assert truecase("table", "--format", "csv", "-c", "text", text=marked).stdout == (
        marked.replace(b"in paris", b"In Paris")
    )


def test_names_and_documents(truecase, tmp_path):
    names = tmp_path / "names.txt"
    names.write_text("SemEval\n")
    row = b'{"text": "we won at\\nsemeval"}\n'
    options = ["--format", "jsonl", "-c", "text", "--names", names, "--context", "document"]
    assert truecase("table", *options, text=row).stdout == b'{"text": "We won at\\nSemEval"}\n'


def test_no_header_and_no_quotes(truecase):
    options = ["--format", "tsv", "--no-header", "--no-quotes", "--column", "2"]
    done = truecase("table", *options, text=b'1\t"in paris\n2\tin "oslo\n')
    assert done.stdout == b'1\t"In Paris\n2\tIn "Oslo\n'


def test_bad_rows(truecase, tmp_path):
    path, out = tmp_path / "t.jsonl", tmp_path / "out.jsonl"
    rows = [b'{"text": "in paris"}\n', b'{"text": "in', b'\xff"}\n', b'{"text": 1}\n']
    path.write_bytes(b"".join([rows[0], rows[1] + rows[2], rows[3], rows[0]]))
    done = truecase("table", path, "-c", "text", "-o", out)
    assert (done.returncode, out.exists()) == (1, False)
    assert done.stderr.decode() == (
        f"truecase: {path}: row 2: text: is not UTF-8: invalid start byte"
        "; --skip-bad, in Python skip_bad=True, leaves such rows as they are\n"
    )
    done = truecase("table", path, "-c", "text", "-o", out, "--skip-bad")
    assert done.returncode == 0
    assert done.stderr.decode() == (
        f"truecase: {path}: JSON lines: 4 rows, 2 texts changed; 2 bad rows left as they were, the "
        "first: row 2: text: is not UTF-8: invalid start byte\n"
    )
    assert out.read_bytes() == path.read_bytes().replace(b"in paris", b"In Paris")
    done = truecase("table", "--format", "csv", "-c", "a", "--skip-bad", text=b"a\nx,y\n")
    assert done.stderr.endswith(
        b"; 1 bad row left as it was: row 1 (line 2): has 2 fields, and the first row 1\n"
    )


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (["-c", "texts", "t.csv"], 1, "t.csv: there is no column texts; did you mean text?"),
        (["-c", "text", "none.csv"], 1, "none.csv: No such file or directory"),
        (["-c", "text", "t.csv", "-o", "no/out.csv"], 1, "no/out.csv: there is no folder"),
        (["t.csv"], 2, "required: -c/--column"),
        (["-c", "text", "t.csv", "-i", "t.csv"], 2, "give one"),
        (["-c", "text", "t.txt"], 2, "--format: the name t.txt does not show it"),
        (["-c", "text"], 2, "--format: the name standard input does not show it"),
        (["-c", "text", "t.csv", "--suffix", "_x"], 2, "--suffix: CSV gets no new columns"),
        (["-c", "text", "t.csv", "--confidence-column", "x"], 2, "--confidence-column: CSV gets"),
        (["-c", "text", "t.csv", "-o", "out.parquet"], 2, "--output: out.parquet would be Parquet"),
        (["-c", "a..b", "t.jsonl"], 2, "--column: 'a..b' is no path"),
        (["-c", "text", "t.jsonl", "--delimiter", ";"], 2, "--delimiter: only CSV and TSV"),
        (["-c", "text", "t.csv", "--delimiter", ";;"], 2, "--delimiter ';;': expected one sign"),
        (["-c", "text", "t.jsonl", "--source-column", "s[]"], 2, "--source-column: s[] is a list"),
        (["-c", "t[]", "t.jsonl", "--source-column", "s"], 2, "--source-column: t[] has any numb"),
        (["-c", "text", "t.csv", "--source-column", "x"], 1, "there is no column x"),
        (["-c", "text", "t.csv", "--alignment-column", "x"], 2, "--alignment-column: an alignment"),
        (["-c", "text", "t.csv", "--style", "upper", "--names", "n"], 2, "--names: has no effect"),
        (["-c", "text", "t.csv", "--context", "document", "--style", "upper"], 2, "has no effect"),
        (["-c", "text", "--format", "parquet"], 2, "--input: Parquet is read from its end"),
    ],
)  # fmt: skip
def test_wrong_usage(options, code, message, truecase, tmp_path):
    for name in ("t.csv", "t.txt"):
        (tmp_path / "here" / name).write_text("id,text\n1,in paris\n")
    (tmp_path / "here/t.jsonl").write_text('{"text": "a"}\n')
    done = truecase("table", *options)
    assert (done.returncode, done.stdout) == (code, b"")
    assert done.stderr.count(b"\n") == 1
    assert message in done.stderr.decode()


def test_models_that_are_not_for_tables(truecase, model, portage_model_file, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("id,text\n1,in paris\n")
    done = truecase("table", path, "-c", "text", "-m", model)
    assert (done.returncode, b"models of Moses' truecaser" in done.stderr) == (2, True)
    options = ["-m", portage_model_file, "--source-column", "id"]
    done = truecase("table", path, "-c", "text", *options)
    assert (done.returncode, b"--source: this model does not use" in done.stderr) == (2, True)


@pytest.mark.parametrize("kind", ["csv", "parquet"])
def test_without_pyarrow(kind, truecase, tmp_path):
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "pyarrow.py").write_text("raise ModuleNotFoundError\n")
    path = tmp_path / f"t.{kind}"
    path.write_text("id,text\n1,in paris\n")
    before = os.environ.get("PYTHONPATH", "")
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, (str(hidden), before)))}
    done = truecase("table", "-q", path, "-c", "text", env=environment)
    if kind == "csv":
        assert (done.stdout, done.stderr) == (b"id,text\n1,In Paris\n", b"")
    else:
        assert done.returncode == 1
        assert done.stderr == b"truecase: Parquet needs pyarrow: pip install pyarrow\n"


@pytest.mark.skipif(os.name != "posix", reason="signals as of POSIX")
def test_interrupted(tmp_path):
    out = tmp_path / "out.jsonl"
    out.write_bytes(b"before")
    command = [sys.executable, "-m", "truecase", "table", "--format", "jsonl", "-c", "text"]
    process = subprocess.Popen([*command, "-o", str(out)], stdin=subprocess.PIPE, cwd=tmp_path)
    process.stdin.write(b'{"text": "in paris"}\n' * 20_000)
    process.stdin.flush()
    deadline = time.monotonic() + 60
    while not [name for name in os.listdir(tmp_path) if name.endswith(".part")]:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    process.send_signal(signal.SIGTERM)
    process.stdin.close()
    assert process.wait(60) == 143
    assert out.read_bytes() == b"before"
    assert os.listdir(tmp_path) == ["out.jsonl"]
