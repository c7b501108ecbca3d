"""``--min-odds`` and ``--report-changes``: like Python, and what does not go together."""

import os
import subprocess
import sys

import pytest

from truecase import Truecaser

HEADER = "line\tword\tfrom\tto\tprobability\n"
TEXT = b"The Board met in paris, at DUSK.\n\nTHE SEA\nhe \xff met Obama\0 on Monday\n"


def report_of(changes, first_line=0):
    return HEADER + "".join(
        f"{line + first_line}\t{word}\t{before}\t{after}\t{probability:.4f}\n"
        for line, word, before, after, probability in changes
    )


@pytest.mark.parametrize(
    "more",
    [
        (),
        ("-j", 4),
        ("--line-buffered", "-j", 2),
        ("--min-odds", "5"),
        ("--min-odds", "1e9", "--input-case", "keep"),
        ("--style", "title"),
    ],
)
def test_like_python(truecase, english, tmp_path, more):
    text = TEXT.replace(b"\xff", b"") * 10_000 if "-j" in more else TEXT
    how = {"--style": "style", "--min-odds": "min_odds", "--input-case": "input_case"}
    options = {
        how[name]: float(value) if name == "--min-odds" else value
        for name, value in zip(more[::2], more[1::2], strict=False)
        if name in how
    }
    caser = english.with_casing(**options)
    cased, changes = caser.changes_block(text)
    report = tmp_path / "changes.tsv"
    done = truecase(*more, "--report-changes", report, text=text)
    assert (done.returncode, done.stderr) == (0, b"")
    assert done.stdout == cased == caser.case_block(text) == truecase(*more, text=text).stdout
    assert report.read_bytes().decode("utf-8", "surrogateescape") == report_of(changes)


def test_the_report(truecase, english, tmp_path):
    report, output = tmp_path / "changes.tsv", tmp_path / "out.txt"
    done = truecase("-o", output, "--report-changes", "-", text=TEXT)
    header, *rows = (row.split("\t") for row in done.stdout.decode().splitlines())
    assert header == ["line", "word", "from", "to", "probability"]
    assert [row[:4] for row in rows[:4]] == [
        ["1", "5", "paris", "Paris"],
        ["1", "7", "DUSK", "dusk"],
        ["3", "1", "THE", "The"],
        ["3", "2", "SEA", "sea"],
    ]
    certain = truecase("--confidence", text=TEXT).stdout.decode("utf-8", "replace")
    words = dict(row.split("\t")[2::2] for row in certain.splitlines() if row)
    assert all(float(words[to]) == pytest.approx(float(p), abs=6e-5) for *_, to, p in rows)
    assert output.read_bytes() == english.case_block(TEXT)
    assert truecase("--report-changes", report, text=b"").stdout == b""
    assert report.read_text() == HEADER


def test_beside_a_source(truecase, tmp_path):
    source, report = tmp_path / "source.txt", tmp_path / "changes.tsv"
    source.write_text("Le conseil de Paris\nLa mer\n")
    block = b"the Council of paris\nthe SEA\n"
    model = Truecaser.load("fr-en", min_odds=2)
    options = ("-m", "fr-en", "--min-odds", "2", "--source", source)
    done = truecase(*options, "--report-changes", report, text=block)
    cased, changes = model.changes_block(block, source=source.read_bytes())
    assert done.stdout == cased == truecase(*options, text=block).stdout
    assert report.read_text() == report_of(changes)


def test_odds_in_other_commands(truecase, english):
    line = "The Board met in paris"
    sure = english.with_casing(min_odds=1000)
    assert sure(line) != english(line)
    words = truecase("--confidence", "--min-odds", "1000", text=f"{line}\n".encode())
    assert words.stdout == sure.table_block(f"{line}\n".encode(), with_posteriors=True)
    po = f'msgid "Y"\nmsgstr "{line}"\n'
    done = truecase("file", "-q", "--min-odds", "1000", text=po.encode())
    assert done.stdout.decode() == po.replace(line, sure(line))
    rows = f"text\n{line}\n".encode()
    options = ("table", "-q", "--format", "csv", "--column", "text", "--min-odds", "1000")
    assert truecase(*options, text=rows).stdout.decode().split("\n")[1] == sure(line)


@pytest.mark.parametrize("value", ["0", "0.5", "-3", "nan", "inf", "", "sure", "1e400"])
def test_wrong_odds(truecase, value):
    done = truecase(f"--min-odds={value}", text=b"x\n")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"expected a number from 1 to 1e300" in done.stderr


@pytest.mark.parametrize(
    ("options", "code", "message"),
    [
        (
            "--min-odds 5 --style upper",
            2,
            "has no effect, because --style upper raises all letters",
        ),
        ("--min-odds 5 --decode-with unigram", 1, "min_odds: a model without n-grams"),
        ("--min-odds 5 -m MOSES", 2, "--min-odds: Moses' truecaser knows no probabilities"),
        ("--report-changes x -m MOSES", 2, "--report-changes: models of Moses' truecaser"),
        ("--report-changes x --confidence", 2, "--confidence writes all words in place of"),
        ("--report-changes x --tags", 2, "--tags writes all words in place of"),
        ("--report-changes x --context document", 2, "does not go together"),
        ("--report-changes x -l auto", 2, "does not go together"),
        ("--report-changes -", 2, "the output are the same file"),
        ("--report-changes x -o x", 2, "the output are the same file"),
        ("--report-changes no/x", 1, "there is no folder"),
    ],
)
def test_what_has_no_effect_is_refused(truecase, model, options, code, message):
    done = truecase(*options.replace("MOSES", model).split(), text=b"THE sea\n")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (code, b"", 1)
    assert message in done.stderr.decode()


def test_the_report_does_not_replace_its_text(truecase, tmp_path):
    text = tmp_path / "text.txt"
    text.write_bytes(TEXT)
    done = truecase("-i", text, "--report-changes", text)
    assert done.returncode == 1 and b"is also read" in done.stderr
    assert text.read_bytes() == TEXT


@pytest.mark.skipif(os.name != "posix", reason="pipes of POSIX")
def test_closed_pipe_of_the_report_ends_quietly(tmp_path):
    text = tmp_path / "text.txt"
    text.write_bytes(TEXT.replace(b"\xff", b"") * 10_000)
    command = [sys.executable, "-m", "truecase", "-i", text, "-o", tmp_path / "out.txt"]
    with subprocess.Popen(
        [*command, "--report-changes", "-"], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout.readline() == HEADER.encode()
        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""
