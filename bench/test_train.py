"""From text to a Kneser-Ney trigram model in an ARPA file, beside KenLM's lmplz.

Both are whole processes on the same file, already tokenised by spaces, and write the ARPA file.
"""

import subprocess
import sys

import pytest


@pytest.fixture
def text(corpus, tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(corpus.text)
    return path


@pytest.mark.benchmark(group="train")
def test_arpa_estimate(benchmark, report, corpus, text, tmp_path):
    command = [sys.executable, "-m", "truecase", "arpa", "estimate", str(text)]
    command += ["--segmentation", "space", "--order", "3", "-o", str(tmp_path / "ours.arpa")]
    benchmark.pedantic(
        subprocess.run, args=(command,), kwargs={"check": True, "cwd": tmp_path}, rounds=3
    )
    report(corpus, order=3)


@pytest.mark.benchmark(group="train")
def test_train_trigram(benchmark, report, corpus, text, tmp_path):
    command = [sys.executable, "-m", "truecase", "train", str(text)]
    command += ["-o", str(tmp_path / "model.truecase")]
    benchmark.pedantic(
        subprocess.run, args=(command,), kwargs={"check": True, "cwd": tmp_path}, rounds=3
    )
    report(corpus, order=3)


@pytest.mark.benchmark(group="train")
def test_lmplz(benchmark, report, corpus, text, tmp_path, kenlm):
    kenlm.program("lmplz")
    benchmark.pedantic(kenlm.estimate, args=(text, tmp_path / "lmplz.arpa", 3), rounds=3)
    report(corpus, order=3, peer="lmplz")


@pytest.mark.benchmark(group="score")
def test_kenlm_query(benchmark, report, corpus, text, tmp_path, kenlm):
    """One trigram score for each word, the model in memory form: loading included."""
    for name in ("lmplz", "build_binary", "query"):
        try:
            kenlm.program(name)
        except Exception as missing:
            pytest.skip(str(missing))
    kenlm.estimate(text, tmp_path / "lmplz.arpa", 3)
    binary = kenlm.binary(tmp_path / "lmplz.arpa")
    benchmark.pedantic(kenlm.score, args=(binary, text), rounds=3, warmup_rounds=1)
    report(corpus, order=3, peer="query")
