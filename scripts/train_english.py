"""Train the embedded English model, without its marks and calibration, or a larger model.

    python scripts/train_english.py CORPUS_DIR OUT [--large]

CORPUS_DIR holds naturally cased text, plain or compressed, mostly a sentence per line. A file
"paragraphs" has several sentences per line, a file "short" has sentences of one to three words
("She smiled."). The model learns from each sentence in its natural frequency: repeating short ones
cost accuracy (docs/experiments/trials.md). The script leaves out titles, as lines and as files
("headings", "titles"), because a network that has read them gives short lines capitals. It leaves
out a file "news-wmt", whose licence does not allow redistribution. The name of a file may begin
with that of its folder ("en-paragraphs"). The options were chosen on development text.

The script first trains the network, then estimates the n-grams of the model by themselves. The same
text gives the same model. For 173 million words, this takes about 1.7 hours of two cores and 4.5
GB; with --large, which has twice as many units, words and pairs and five times the n-grams, about
3.5 hours.
"""

import argparse
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np

from truecase.base.progress import Progress
from truecase.kernels._components import Network
from truecase.model.model import Model
from truecase.training.recipe import PRESETS, Recipe, recipe_note
from truecase.training.train import train

ONCE = Path(__file__).with_name("each_sentence_once.py")
LICENCE = "CC BY-SA 4.0 (statistics of texts under free licences; see en.md)"
LEFT_OUT = ("headings", "titles", "news-wmt")
ORIGIN = "English Wikipedia, OpenStax, UN debates, novels, documentation; see en.md"
# Bytes for the lexicon and the n-grams, and how often its forms are seen: while the network learns,
# and in the model. Forms seen 3 times take 4 MB and leave little for n-grams; those seen 4 times
# make 2 % fewer errors in development text, and those seen 6 times no fewer than these.
IN_TRAINING, IN_MODEL = (5_200_000, 3), (5_380_000, 4)
# The network's units, and its rows.
UNITS, WORDS, PAIRS = 64, 1 << 17, 1 << 18
# Of a large one.
N_TIMES, NGRAM_TIMES = 2, 5
# Nats off the scores of Capitalised and UPPER words, as training text has headings and titles;
# chosen on development text of news and documentation, after training.
FEWER_CAPITALS = (0, 0.4, 0.3, 0)


def with_fewer_capitals(network: Network) -> Network:
    """Return a network that gives fewer words a capital."""
    arrays = dict(network.arrays)
    arrays["out.bias"] = arrays["out.bias"] - np.array(FEWER_CAPITALS, np.float32)
    return Network(arrays, network.settings)


def sized(recipe: Recipe, n_bytes: int, min_count: int) -> Recipe:
    """Return the recipe with a size of lexicon and n-grams, and a minimum count of forms."""
    size = n_bytes + recipe.feature_size
    return recipe.with_options({"max_size": size, "lexicon.min_count": min_count})


def trained(texts: list[Path], recipe: Recipe) -> Model:
    """Train a model on the texts."""
    with Progress(sum(path.stat().st_size for path in texts), "counting") as progress:
        return train(texts, recipe, threads=2, progress=progress).model


def main() -> int:
    """Train the model; return 0."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("corpus", type=Path, metavar="CORPUS_DIR")
    parser.add_argument("out", type=Path)
    parser.add_argument("--large", action="store_true")
    args = parser.parse_args()
    n_times = N_TIMES if args.large else 1
    files = sorted(
        path for path in args.corpus.iterdir() if not any(name in path.name for name in LEFT_OUT)
    )
    paragraphs = [path for path in files if "paragraphs" in path.name]
    if len(paragraphs) != 1:
        sys.exit(f"{args.corpus}: expected one file with paragraphs in its name")
    options = {
        "text.language": "en",
        "filters.titles": "drop",
        "lexicon.min_share": 0.002,
        "licence": LICENCE,
        "origin": ORIGIN,
    }
    neural = PRESETS["crf-neural"].with_options(
        {
            **options,
            "network.n_units": n_times * UNITS,
            "network.n_words": n_times * WORDS,
            "network.n_pairs": n_times * PAIRS,
            "network.epochs": 2,
        }
    )
    in_training, in_model = (
        (n_bytes * (NGRAM_TIMES if args.large else 1), min_count)
        for n_bytes, min_count in (IN_TRAINING, IN_MODEL)
    )
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, ONCE, *paragraphs, folder, *files], check=True)
        texts = sorted(Path(folder).iterdir())
        network = trained(texts, sized(neural, *in_training)).network
        model = trained(texts, sized(PRESETS["ngram"].with_options(options), *in_model))
    model = model.replace(network=with_fewer_capitals(network))
    model.with_notes(training=recipe_note(sized(neural, *in_model))).save(args.out)
    return 0


if __name__ == "__main__":
    sys.exit(main())
