"""The same lowercased text through other truecasers, in the same run.

Peers are slow, so they get the first --peer-words words; ours runs on the same words, and
``times_peer`` is the ratio of both speeds, ``ngram_times_peer`` that of its n-grams alone.
Peers report their own seconds (peer_server.py).
"""

import time
from pathlib import Path

import pytest


@pytest.fixture
def part(corpus, request, tmp_path):
    """The head of the corpus, and files of it for the peers."""
    text = corpus.head(request.config.getoption("peer_words"))
    lower, cased = tmp_path / "lower.txt", tmp_path / "cased.txt"
    lower.write_bytes(text.lower)
    cased.write_bytes(text.text)
    return text, lower, cased


def ours(model, text):
    """Best seconds of five rounds over the same text."""
    best = float("inf")
    for _ in range(5):
        start = time.perf_counter()
        model.case_block(text.lower, threads=1, input_case="ignore")
        best = min(best, time.perf_counter() - start)
    return best


def compare(benchmark, report, peer, request, part):
    text, lower, _ = part
    seconds = []
    benchmark.pedantic(
        lambda: seconds.append(peer.request("case", lower)["seconds"]), rounds=3, iterations=1
    )
    report(text, seconds=min(seconds), peer=peer.name, version=peer.version, load_s=peer.load_s)
    words = benchmark.extra_info["words"]
    for name, key in (("model", ""), ("ngram", "ngram_")):
        best = ours(request.getfixturevalue(name), text)
        benchmark.extra_info[f"{key}ours_words_per_s"] = round(words / best)
        benchmark.extra_info[f"{key}times_peer"] = round(min(seconds) / best, 1)


@pytest.mark.benchmark(group="peers, decode")
def test_sacremoses(benchmark, report, sacremoses, request, part):
    train = request.config.getoption("peer_train")
    sacremoses.request("train", Path(train) if train else part[2])
    compare(benchmark, report, sacremoses, request, part)


@pytest.mark.benchmark(group="peers, train")
def test_sacremoses_train(benchmark, report, sacremoses, part):
    text, _, cased = part
    seconds = []
    benchmark.pedantic(
        lambda: seconds.append(sacremoses.request("train", cased)["seconds"]),
        rounds=3,
        iterations=1,
    )
    report(text, seconds=min(seconds), peer=sacremoses.name, version=sacremoses.version)


@pytest.mark.benchmark(group="peers, decode")
def test_pypi_truecase(benchmark, report, pypi_truecase, request, part):
    compare(benchmark, report, pypi_truecase, request, part)
