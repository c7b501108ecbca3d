"""What it costs to learn weights on text that language model and lexicon have seen.

    python bench/experiments/honesty.py --train CORPUS... --text NAME=FILE...

Three models of the preset crf, all with the same language model, that of the text without the
part held out; their weights are learned on

held out   text that the language model has not seen (what `truecase train` does)
seen       as much text that it has seen
none       nothing: the weights that training starts from
"""

import argparse
import sys
import warnings

from truecase.base.read import read_blocks
from truecase.training.counting import count
from truecase.training.dense import learn_dense
from truecase.training.estimate import estimate
from truecase.training.material import Holdout
from truecase.training.recipe import PRESETS
from truecase.truecaser import Truecaser

SHOWN = ("lm", "case_given_word", "unseen_form", "class_token", "context_1_before")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--train", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--text", nargs="+", required=True, metavar="NAME=FILE")
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    texts = {}
    for item in args.text:
        name, _, path = item.partition("=")
        with open(path, encoding="utf-8") as file:
            texts[name] = file.read().splitlines()

    holdout = Holdout(read_blocks(args.train))
    blocks = list(holdout.training())
    unseen = holdout.text()
    seen_holdout = Holdout(blocks, words=2 * len(unseen.split()))
    for _ in seen_holdout.training():
        pass
    seen = seen_holdout.text()[: len(unseen)]
    recipe = PRESETS["crf"]
    base = estimate(count(blocks, recipe.text), recipe)
    columns = "".join(f" {name:>10}" for name in texts)
    weights = "".join(f" {name:>16}" for name in SHOWN)
    print(f"{'learned on':12} {'tokens':>9} {'wrong there':>11}{columns}   weights:{weights}")
    for name, text in (("held out", unseen), ("seen", seen), ("none", None)):
        model, fit = base, None
        if text is not None:
            component, fit = learn_dense(base, text, recipe.dense, judge=False)
            model = base.replace(dense=component)
        errors = "".join(
            f" {100 * (1 - Truecaser(model).evaluate(lines).accuracy):10.3f}"
            for lines in texts.values()
        )
        if fit is None:
            print(f"{name:12} {'':9} {'':11}{errors}")
            continue
        named = model.dense.weights
        values = "".join(f" {named.get(column, 0.0):16.3f}" for column in SHOWN)
        wrong = 100 * fit.n_wrong / fit.n_tokens
        print(f"{name:12} {fit.n_tokens:9,} {wrong:11.3f}{errors}           {values}", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
