"""From text to a Kneser-Ney trigram model in an ARPA file, beside KenLM's lmplz.

Both are whole processes on the same file, already tokenised by spaces, and write the ARPA file.
Beside them: a whole `truecase train`, and one pass of a network over text.
"""

import subprocess
import sys

import pytest

from truecase._core import CompiledModel
from truecase.training.material import TextBlocks
from truecase.training.network import empty_network, learn_network
from truecase.training.recipe import PRESETS
from truecase.truecaser import Truecaser


@pytest.fixture
def text(corpus, tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(corpus.text)
    return path


@pytest.fixture
def train(benchmark, report, corpus, text, tmp_path):
    """A function: time a command on the text, whose output is dropped."""

    def run(*words):
        command = [sys.executable, "-m", "truecase", *words, str(text), "-o", str(tmp_path / "out")]
        benchmark.pedantic(
            subprocess.run, args=(command,), kwargs={"check": True, "cwd": tmp_path}, rounds=3
        )
        report(corpus, order=3)

    return run


@pytest.mark.benchmark(group="train")
def test_arpa_estimate(train):
    train("arpa", "estimate", "--segmentation", "space", "--order", "3")


@pytest.mark.benchmark(group="train")
def test_train_trigram(train):
    train("train")


@pytest.mark.benchmark(group="train")
def test_train_trigram_to_size(train):
    """With a size, what n-grams are worth is measured, and most are left out."""
    train("train", "--max-size", "3M")


@pytest.mark.benchmark(group="train")
@pytest.mark.parametrize("threads", [1, 2])
def test_network_pass(benchmark, report, corpus, threads):
    """One pass of a network, with one language model; nothing is estimated."""
    recipe = PRESETS["crf-neural"].with_options({"network.folds": 1, "network.epochs": 1})
    model = Truecaser.train(lambda: [corpus.text[:2_000_000]]).model
    models = [CompiledModel(model.replace(network=empty_network(recipe.network)))]
    blocks = TextBlocks([corpus.text])
    arguments = {"args": (blocks, models, recipe.network), "kwargs": {"threads": threads}}
    benchmark.pedantic(learn_network, **arguments, rounds=3)
    blocks.close()
    report(corpus)


@pytest.mark.benchmark(group="train")
def test_lmplz(benchmark, report, corpus, text, tmp_path, kenlm):
    kenlm.program("lmplz")
    benchmark.pedantic(kenlm.estimate, args=(text, tmp_path / "lmplz.arpa", 3), rounds=3)
    report(corpus, order=3, peer="lmplz")
