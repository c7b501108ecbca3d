"""Decoding with a source: lowercased target lines, source lines and links in, cased lines out.

The alignment is read from its text within the time (``aligned``), as `truecase apply` has to;
``unaligned`` has the whole source line as the phrase of each word, ``alone`` no source at all.
Without --bitext, the text is its own source, word for word: the path is the same, the
figures flatter. With --against, an older version takes turns with this one.
"""

import subprocess
import sys
from pathlib import Path

import older
import pytest

from truecase.alignment.link_formats import parse_pharaoh
from truecase.kernels._segment import count_words

ROUNDS = {"rounds": 5, "warmup_rounds": 1}


SOURCES = ["aligned", "unaligned", "alone"]


def measure(benchmark, report, model, bitext, source, **settings):
    def case():
        if source == "alone":
            return model.case_block(bitext.target.lower)
        phrases = None
        if source == "aligned":
            phrases = parse_pharaoh(
                bitext.alignment, count_words(bitext.source), count_words(bitext.target.lower)
            )
        return model.case_block(bitext.target.lower, source=bitext.source, phrases=phrases)

    result = benchmark.pedantic(case, **ROUNDS)
    assert len(result.splitlines()) == len(bitext.target.lower.splitlines())
    report(bitext.target, preset=model.about()["preset"], threads=1, **settings)


@pytest.mark.benchmark(group="decode, with a source")
@pytest.mark.parametrize("source", SOURCES)
def test_source(benchmark, report, model, bitext, source):
    measure(benchmark, report, model, bitext, source)


@pytest.fixture
def files(bitext, tmp_path):
    """A function: the files of the source, by what is seen of it."""
    source, alignment = tmp_path / "source.txt", tmp_path / "links.txt"
    source.write_bytes(bitext.source)
    alignment.write_bytes(bitext.alignment)
    (tmp_path / "lower.txt").write_bytes(bitext.target.lower)

    def of(seen):
        found = {} if seen == "alone" else {"source": str(source)}
        return {**found, "alignment": str(alignment)} if seen == "aligned" else found

    return of


@pytest.mark.benchmark(group="decode, with a source, command line")
@pytest.mark.parametrize("source", SOURCES)
def test_command_line(benchmark, report, bitext, request, files, tmp_path, source):
    command = [sys.executable, "-m", "truecase"]
    command += ["-i", str(tmp_path / "lower.txt"), "-o", str(tmp_path / "out.txt")]
    path = request.config.getoption("model")
    command += ["-m", path] if path else []
    for name, file in files(source).items():
        command += [f"--{name}", file]
    benchmark.pedantic(
        subprocess.run, args=(command,), kwargs={"check": True, "cwd": tmp_path}, **ROUNDS
    )
    report(bitext.target, note_start="start of the interpreter included")


@pytest.mark.benchmark(group="peers, older version")
@pytest.mark.parametrize("source", SOURCES)
def test_against(benchmark, report, bitext, request, files, tmp_path, source):
    """An older truecase and this one, each in a process of its own, on the same text in turn."""
    where = request.config.getoption("against")
    if not where:
        pytest.skip("--against names no older truecase")
    model = request.config.getoption("model")
    settings = {"model": model and str(Path(model).absolute()), **files(source)}
    before, now, version = older.take_turns(benchmark, where, settings, tmp_path / "lower.txt")
    report(
        bitext.target,
        seconds=min(answer["seconds"] for answer in before),
        peer="truecase",
        version=f"{version} ({Path(where).name}), source: {source}",
    )
    older.add_ratios(benchmark, "", before, now)
