"""Trains the embedded English model, but for its marks and its calibration; or a larger one.

    python scripts/train_english.py CORPUS_DIR OUT [--large]

CORPUS_DIR holds naturally cased text, plain or compressed, most of it a sentence a line:
"paragraphs", with several sentences a line, "short", with sentences of one to three words ("She
smiled."), and others. Each sentence is learned from once, in its natural frequency: short ones
twenty times over cost accuracy (docs/experiments/trials.md). Titles are left out: a network that
has read headings in Title Case gives short lines capitals. A file whose name begins with "news-wmt"
is left out, as its licence does not allow redistribution. Options were chosen on development text.
The same text gives the same model. Takes about 1.5 hours and 3 GB for 113 million words; --large,
twice as many units, words and pairs and five times the n-grams, some 3 hours.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from truecase.base.progress import Progress
from truecase.kernels._components import Network
from truecase.training.recipe import PRESETS
from truecase.training.train import train

ONCE = Path(__file__).with_name("each_sentence_once.py")
LICENCE = (
    "CC BY-SA 4.0 (statistics of texts under CC BY-SA, CC BY, MIT, Apache 2.0, BSD and public "
    "domain; see en.md)"
)
ORIGIN = "English Wikipedia, OpenStax, UN debates, novels, documentation; see en.md"
# Bytes for the lexicon and the n-grams, beside the network; its units, and its rows.
NGRAMS, UNITS, WORDS, PAIRS = 5_200_000, 64, 1 << 17, 1 << 18
# Of a large one.
N_TIMES, NGRAM_TIMES = 2, 5
# Chosen on development text of news and documentation, after training: the weight of the n-grams,
# and nats off the scores of Capitalised and UPPER words, as training text has headings and titles.
LM_WEIGHT, FEWER_CAPITALS = 0.85, (0, 0.4, 0.3, 0)


def with_fewer_capitals(network: Network) -> Network:
    """A network that gives fewer words a capital, and n-grams more weight."""
    arrays = dict(network.arrays)
    arrays["out.bias"] = arrays["out.bias"] - np.array(FEWER_CAPITALS, np.float32)
    return Network(arrays, {**network.settings, "lm_weight": LM_WEIGHT})


def main() -> int:
    """Train the model; 0."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path, metavar="CORPUS_DIR")
    parser.add_argument("out", type=Path)
    parser.add_argument("--large", action="store_true")
    args = parser.parse_args()
    n_times = N_TIMES if args.large else 1
    files = sorted(path for path in args.corpus.iterdir() if not path.name.startswith("news-wmt"))
    paragraphs = [path for path in files if path.name.startswith("paragraphs")]
    if len(paragraphs) != 1:
        sys.exit(f"{args.corpus}: expected one file whose name begins with paragraphs")
    recipe = PRESETS["crf-neural"].with_options(
        {
            "text.language": "en",
            "filters.titles": "drop",
            "lexicon.min_count": 3,
            "lexicon.min_share": 0.002,
            "network.n_units": n_times * UNITS,
            "network.n_words": n_times * WORDS,
            "network.n_pairs": n_times * PAIRS,
            "network.epochs": 2,
            "licence": LICENCE,
            "origin": ORIGIN,
        }
    )
    ngrams = NGRAMS * (NGRAM_TIMES if args.large else 1)
    recipe = recipe.with_options({"max_size": ngrams + recipe.network.size})
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ONCE, *paragraphs, folder, *files], check=True)
        texts = sorted(Path(folder).iterdir())
        with Progress(sum(path.stat().st_size for path in texts), "counting") as progress:
            model = train(texts, recipe, threads=2, progress=progress).model
    model.replace(network=with_fewer_capitals(model.network)).save(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
