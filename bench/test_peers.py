"""The same lowercased text through other truecasers, in the same run.

Other truecasers are slow, so they get the first --peer-words words; ours runs on the same words,
and ``times_peer`` is the ratio of both speeds, ``ngram_times_peer`` that of its n-grams alone,
``unigram_times_peer`` that of its lexicon. Peers report their own seconds (peer_server.py).

KenLM's `query`, which scores the cased text and chooses nothing, and an older truecase (--against)
get the whole text and take turns with ours; the ratios are medians of those of each turn, by what
the processes take of the processors.
"""

import subprocess
import sys
import time
from pathlib import Path

import older
import peers
import processes
import pytest

WAYS = {"": None, "ngram_": "ngram", "unigram_": "unigram"}


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
    for key, name in WAYS.items():
        best = ours(request.getfixturevalue(name or "model"), text)
        benchmark.extra_info[f"{key}ours_words_per_s"] = round(words / best)
        benchmark.extra_info[f"{key}times_peer"] = round(min(seconds) / best, 2)


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


@pytest.mark.benchmark(group="peers, whole processes")
def test_kenlm_query(benchmark, report, kenlm, corpus, request, tmp_path):
    """One score of three words for each word, loading included; ours from start to exit."""
    train = request.config.getoption("peer_train")
    cased, lower, arpa = tmp_path / "cased.txt", tmp_path / "lower.txt", tmp_path / "text.arpa"
    cased.write_bytes(corpus.text)
    lower.write_bytes(corpus.lower)
    try:
        kenlm.program("query")
        kenlm.program("build_binary")
    except peers.PeerMissing as missing:
        pytest.skip(str(missing))
    estimate = ["arpa", "estimate", train or str(cased), "--segmentation", "space"]
    ours = [sys.executable, "-m", "truecase"]
    subprocess.run([*ours, *estimate, "-o", str(arpa)], check=True, cwd=tmp_path)
    binary = kenlm.binary(arpa)
    given = request.config.getoption("model")
    ours += ["-i", str(lower), "-o", str(tmp_path / "out.txt")]
    ours += ["-m", str(Path(given).absolute())] if given else []
    scored = []
    found = {key: [] for key in WAYS}

    def turn():
        scored.append(kenlm.score(binary, cased))
        for key, name in WAYS.items():
            command = [*ours, "--decode-with", name] if name else ours
            found[key].append(processes.run(command, folder=tmp_path))

    benchmark.pedantic(turn, rounds=6)
    report(corpus, seconds=min(cost.seconds for cost in scored), peer="KenLM's query", order=3)
    for key, costs in found.items():
        older.add_ratios(benchmark, key, *(list(map(vars, some)) for some in (scored, costs)))


@pytest.mark.benchmark(group="peers, older version")
@pytest.mark.parametrize("decode_with", WAYS.values(), ids=["model", "ngram", "unigram"])
def test_against(benchmark, report, corpus, request, decode_with, tmp_path):
    """An older truecase and this one, each in a process of its own, on the same text in turn."""
    where = request.config.getoption("against")
    if not where:
        pytest.skip("--against names no older truecase")
    model = request.config.getoption("model")
    settings = {"model": model and str(Path(model).absolute()), "decode_with": decode_with}
    lower = tmp_path / "lower.txt"
    lower.write_bytes(corpus.lower)
    before, now, version = older.take_turns(benchmark, where, settings, lower)
    key = next(key for key, name in WAYS.items() if name == decode_with)
    report(
        corpus,
        seconds=min(answer["seconds"] for answer in before),
        peer="truecase",
        version=f"{version} ({Path(where).name})",
        decode_with=decode_with or "model",
    )
    older.add_ratios(benchmark, key, before, now)
