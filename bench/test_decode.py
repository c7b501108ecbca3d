"""Bytes in, bytes out: lowercased lines to cased lines, in one process.

Words are what stands between white space. Every figure is the best of several rounds on text
that is in memory; loading is measured in test_load.py.
"""

import subprocess
import sys

import pytest
import stages

ROUNDS = {"rounds": 5, "warmup_rounds": 1}


def measure(benchmark, report, model, corpus, *, text=None, threads=1, input_case="ignore"):
    settings = {"threads": threads, "input_case": input_case}
    text = text or corpus.lower
    result = benchmark.pedantic(model.case_block, args=(text,), kwargs=settings, **ROUNDS)
    assert len(result.splitlines()) == len(text.splitlines())
    report(corpus, preset=model.about()["preset"], **settings)


def lines_of(corpus):
    return corpus.lower.decode("utf-8", "surrogateescape").splitlines()


def column_of(corpus):
    arrow = pytest.importorskip("pyarrow", reason="columns are pyarrow's")
    return arrow.array(corpus.lower.decode("utf-8", "replace").splitlines())


def line_by_line(model):
    return lambda lines: [model(line) for line in lines]


def measure_rows(benchmark, report, corpus, way, rows):
    result = benchmark.pedantic(way, args=(rows,), **ROUNDS)
    assert len(result) == len(rows)
    report(corpus, threads=1)


@pytest.mark.benchmark(group="decode")
def test_model(benchmark, report, model, corpus):
    measure(benchmark, report, model, corpus)


@pytest.mark.benchmark(group="decode")
def test_whole(benchmark, report, whole, corpus):
    measure(benchmark, report, whole, corpus)


@pytest.mark.benchmark(group="decode")
def test_ngram(benchmark, report, ngram, corpus):
    measure(benchmark, report, ngram, corpus)


@pytest.mark.benchmark(group="decode")
def test_unigram(benchmark, report, unigram, corpus):
    measure(benchmark, report, unigram, corpus)


@pytest.mark.benchmark(group="decode, threads")
@pytest.mark.parametrize("threads", [1, 2])
def test_threads(benchmark, report, model, corpus, threads):
    measure(benchmark, report, model, corpus, threads=threads)


@pytest.mark.benchmark(group="decode, case of the input")
@pytest.mark.parametrize("input_case", ["ignore", "evidence", "keep", "auto"])
def test_input_case(benchmark, report, model, corpus, input_case):
    measure(benchmark, report, model, corpus, text=corpus.text, input_case=input_case)


@pytest.mark.benchmark(group="decode, words without marks")
def test_case_alone(benchmark, report, model, corpus):
    measure(benchmark, report, model, corpus.spoken)


@pytest.mark.benchmark(group="decode, words without marks")
def test_marks_and_case(benchmark, report, model, corpus):
    spoken = corpus.spoken
    # One stream: nobody says where sentences end.
    stream = b" ".join(spoken.lower.split())
    result = benchmark.pedantic(model.punctuate_block, args=(stream,), **ROUNDS)
    assert len(result.split()) == len(stream.split())
    report(spoken, preset=model.about()["preset"], threads=1)


@pytest.mark.benchmark(group="decode, other ways in")
def test_batch_of_str(benchmark, report, model, corpus):
    measure_rows(benchmark, report, corpus, model.batch, lines_of(corpus))


@pytest.mark.benchmark(group="decode, other ways in")
def test_batch_of_str_ngram(benchmark, report, ngram, corpus):
    measure_rows(benchmark, report, corpus, ngram.batch, lines_of(corpus))


@pytest.mark.benchmark(group="decode, other ways in")
def test_column(benchmark, report, model, corpus):
    measure_rows(benchmark, report, corpus, model.column, column_of(corpus))


@pytest.mark.benchmark(group="decode, other ways in")
def test_column_ngram(benchmark, report, ngram, corpus):
    measure_rows(benchmark, report, corpus, ngram.column, column_of(corpus))


@pytest.mark.benchmark(group="decode, other ways in")
def test_line_by_line(benchmark, report, model, corpus):
    part = corpus.head(50_000)
    measure_rows(benchmark, report, part, line_by_line(model), lines_of(part))


@pytest.mark.benchmark(group="decode, other ways in")
def test_line_by_line_ngram(benchmark, report, ngram, corpus):
    part = corpus.head(50_000)
    measure_rows(benchmark, report, part, line_by_line(ngram), lines_of(part))


@pytest.mark.benchmark(group="decode, other ways in")
def test_command_line(benchmark, report, corpus, tmp_path, request):
    path = tmp_path / "lower.txt"
    path.write_bytes(corpus.lower)
    command = [sys.executable, "-m", "truecase", "-i", str(path), "-o", str(tmp_path / "out.txt")]
    path = request.config.getoption("model")
    command += ["-m", path] if path else []
    benchmark.pedantic(
        subprocess.run, args=(command,), kwargs={"check": True, "cwd": tmp_path}, **ROUNDS
    )
    report(corpus, note_start="start of the interpreter included")


@pytest.mark.benchmark(group="share per stage")
@pytest.mark.parametrize("which", ["model", "whole", "ngram", "unigram"])
def test_stages(benchmark, report, corpus, which, request):
    model = request.getfixturevalue(which)
    text = corpus.lower
    benchmark.pedantic(model.case_block, args=(text, 1, "ignore"), rounds=3, warmup_rounds=1)
    report(corpus, decode_with=which, stages_ns=stages.of_words(model, text))
