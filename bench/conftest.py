"""Options, texts and models of the benchmarks."""

import os
import platform
import statistics
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import corpora
import kept
import peers
import summary


def pytest_addoption(parser):
    group = parser.getgroup("truecase benchmarks")
    group.addoption(
        "--corpus",
        action="append",
        help="text, folder of .txt files, or `generated`, a small text made of templates; may be "
        "repeated (default: $TRUECASE_CORPORA, else `generated`)",
    )
    group.addoption("--megabytes", type=float, default=8, help="how much of each text (8)")
    group.addoption(
        "--bitext",
        nargs=3,
        metavar=("SOURCE", "TARGET", "ALIGNMENT"),
        help="aligned text for the benchmarks of decoding with a source, in Pharaoh's form",
    )
    group.addoption("--model", help="model file to decode with (default: the embedded model)")
    group.addoption(
        "--unigram-model",
        help="model file of the preset unigram (default: the model's own lexicon)",
    )
    group.addoption("--peer-words", type=int, default=200_000, help="words that peers case")
    group.addoption(
        "--peer-train", help="text that trainable peers learn from (default: the corpus itself)"
    )
    group.addoption(
        "--pypi-truecase-python",
        default=os.environ.get("TRUECASE_PEER_PYPI"),
        help="interpreter of an environment with the index's package truecase "
        "(default: $TRUECASE_PEER_PYPI)",
    )
    group.addoption(
        "--sacremoses-python",
        default=os.environ.get("TRUECASE_PEER_SACREMOSES", sys.executable),
        help="interpreter of an environment with sacremoses (default: $TRUECASE_PEER_SACREMOSES, "
        "else this one)",
    )
    group.addoption(
        "--against",
        default=os.environ.get("TRUECASE_AGAINST"),
        metavar="WORKTREE_OR_ENVIRONMENT",
        help="an older truecase to take turns with: a checkout that is built in place, an "
        "environment, or its interpreter (default: $TRUECASE_AGAINST)",
    )
    group.addoption(
        "--kenlm-bin",
        default=os.environ.get("TRUECASE_PEER_KENLM"),
        help="folder with KenLM's programs, of which build_binary and query are enough "
        "(default: $TRUECASE_PEER_KENLM)",
    )


# Options that name files. Tests run in a folder of their own.
PATHS = (
    "model",
    "unigram_model",
    "peer_train",
    "pypi_truecase_python",
    "sacremoses_python",
    "against",
    "kenlm_bin",
)


def pytest_configure(config):
    for name in PATHS:
        if value := config.getoption(name, None):
            setattr(config.option, name, str(config.invocation_params.dir / value))
    if files := config.getoption("bitext", None):
        config.option.bitext = [str(config.invocation_params.dir / file) for file in files]


def chosen_corpora(config):
    if not hasattr(config, "truecase_corpora"):
        given = config.getoption("corpus") or os.environ.get("TRUECASE_CORPORA", "").split()
        try:
            config.truecase_corpora = corpora.read(
                [Path(name) for name in given], config.getoption("megabytes")
            )
        except (OSError, ValueError) as error:
            raise pytest.UsageError(str(error)) from None
    return config.truecase_corpora


def pytest_generate_tests(metafunc):
    if "corpus" in metafunc.fixturenames:
        texts = chosen_corpora(metafunc.config)
        metafunc.parametrize("corpus", texts, ids=[text.label for text in texts], scope="session")


def model_path(config):
    """File of --model, or of the embedded model."""
    from truecase.model.embedded import model_file

    return Path(model_file(config.getoption("model")))


def load_model(path, decode_with=None):
    import truecase

    try:
        return truecase.Truecaser.load(path, decode_with=decode_with)
    except (OSError, truecase.ModelError) as error:
        pytest.skip(f"no model: {error}")


@pytest.fixture(scope="session")
def bitext(request):
    """Aligned lines: --bitext, or the first text as its own source, word for word."""
    given = request.config.getoption("bitext")
    if given:
        source, target, alignment = map(Path, given)
        return corpora.read_bitext(source, target, alignment)
    return corpora.same_on_both_sides(chosen_corpora(request.config)[0])


@pytest.fixture(scope="session")
def model(request):
    """The model under test."""
    return load_model(model_path(request.config))


@pytest.fixture(scope="session")
def whole(request):
    """The same, no word settled by its neighbours."""
    return load_model(model_path(request.config), "whole")


@pytest.fixture(scope="session")
def ngram(request):
    """The model under test, its n-grams alone."""
    return load_model(model_path(request.config), "ngram")


@pytest.fixture(scope="session")
def unigram(request):
    """The baseline: --unigram-model, or the lexicon of the model under test alone."""
    path = request.config.getoption("unigram_model")
    return load_model(path or model_path(request.config), "unigram")


@pytest.fixture
def report(benchmark):
    """Put words per second, and what they were taken on, into ``extra_info``.

    The words and bytes are those of the text, unless the settings have others.
    """

    def write(corpus, seconds=None, **settings):
        import truecase

        benchmark.extra_info.update({**corpus.settings(), **settings})
        benchmark.extra_info["truecase"] = truecase.__version__
        benchmark.extra_info["python"] = platform.python_version()
        if seconds is None and benchmark.stats is None:
            return  # --benchmark-disable
        seconds = seconds or benchmark.stats.stats.min
        words = benchmark.extra_info["words"]
        benchmark.extra_info["words_per_s"] = round(words / seconds)
        benchmark.extra_info["bytes_per_s"] = round(benchmark.extra_info["bytes"] / seconds)

    return write


@pytest.fixture
def report_ms(benchmark):
    """Put the least and the median of some seconds into ``extra_info``, as milliseconds."""

    def write(what, seconds, target_ms=None):
        info = {"what": what, "target_ms": target_ms} if target_ms else {"what": what}
        found = {"best_ms": min(seconds), "median_ms": statistics.median(seconds)}
        benchmark.extra_info.update(info, **{k: round(1e3 * s, 2) for k, s in found.items()})

    return write


# After the table of pytest-benchmark itself.
@pytest.hookimpl(trylast=True)
def pytest_terminal_summary(terminalreporter, config):
    """Tables of the run; the last ones say what it comes to."""
    session = getattr(config, "_benchmarksession", None)
    made = [bench for bench in (session.benchmarks if session else []) if bench.extra_info]
    if not made:
        return
    run = {
        "machine_info": session.get_machine_info(),
        "benchmarks": [
            {
                "group": bench.group,
                "name": bench.name,
                "extra_info": bench.extra_info,
                "stats": {"min": bench.stats.min},
            }
            for bench in made
        ],
    }
    last = kept.releases()[-1:]
    before = ""
    for table in summary.tables(run, last[0] if last else None):
        terminalreporter.section(table.title)
        for line in table.lines():
            terminalreporter.write_line(line)
        if table.note and table.note != before:
            terminalreporter.write_line(table.note)
        before = table.note


def start(make, *args):
    try:
        return make(*args)
    except peers.PeerMissing as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def sacremoses(request):
    peer = start(peers.PythonPeer, "sacremoses", request.config.getoption("sacremoses_python"))
    yield peer
    peer.close()


@pytest.fixture(scope="session", params=["pypi-truecase", "pypi-truecase-raw"])
def pypi_truecase(request):
    python = request.config.getoption("pypi_truecase_python")
    if not python:
        pytest.skip(
            "the index's package truecase has our import name and needs an environment of its own: "
            "--pypi-truecase-python"
        )
    peer = start(peers.PythonPeer, request.param, python)
    yield peer
    peer.close()


@pytest.fixture(scope="session")
def kenlm(request):
    return start(peers.KenLM, request.config.getoption("kenlm_bin"))
