"""What adaptation is worth: errors of base, in-domain alone and adapted, by in-domain words.

    python bench/experiments/adaptation.py --base BASE.truecase --domain TEXT --test TEXT
        [--words 10000 100000 1000000]

BASE is a model of the preset crf, trained on text far from the domain. Of the first so many
words of the domain's text,

alone     a crf model is trained from them, a tenth held out for its weights
weights   the base's weights are learned again on all of them, the prior's mean at the base's
mixed     nine tenths give words and n-grams that are mixed in, the rest the mixture's weight
both      and the weights, too
"""

import argparse
import sys
import warnings
from pathlib import Path

from truecase.training.adapt import adapt_weights, interpolate_lm
from truecase.training.holdout import Holdout
from truecase.training.recipe import PRESETS, Adaptation
from truecase.truecaser import Truecaser


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--base", required=True, metavar="MODEL")
    parser.add_argument("--domain", required=True, metavar="FILE")
    parser.add_argument("--test", required=True, metavar="FILE")
    parser.add_argument("--words", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--sigma", type=float, default=Adaptation().sigma)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    base = Truecaser.load(args.base)
    test = Path(args.test).read_text(encoding="utf-8").splitlines()
    print(f"% of {sum(len(line.split()) for line in test):,} words of {args.test} that are wrong")
    print(f"base {error(base, test):.3f}")
    names = "".join(f" {name:>8}" for name in ("alone", "weights", "mixed", "both", "share"))
    print(f"{'in-domain words':>15}{names}")
    for wanted in args.words:
        n, lines = 0, []
        for line in Path(args.domain).read_bytes().splitlines(keepends=True):
            n += len(line.split())
            lines.append(line)
            if n >= wanted:
                break
        text = b"".join(lines)
        recipe = PRESETS["crf"].with_options({"lexicon.min_count": 1})
        alone = Truecaser.train(lambda text=text: [text], recipe)
        weights, _ = adapt_weights(base.model, text, sigma=args.sigma)
        holdout = Holdout([text])
        rest = list(holdout.training())
        mixed, _ = interpolate_lm(base.model, rest, holdout.text())
        both, _ = adapt_weights(mixed, holdout.text(), sigma=args.sigma)
        models = (alone, *map(Truecaser, (weights, mixed, both)))
        errors = [error(model, test) for model in models]
        share = mixed.notes["adapted"]["mixture_weight"]
        print(f"{n:15,} " + " ".join(f"{e:8.3f}" for e in errors) + f" {share:8.2f}", flush=True)
    return 0


def error(model, lines):
    """Percentage of wrong words."""
    return 100 * (1 - model.evaluate(lines).accuracy)


if __name__ == "__main__":
    sys.exit(main())
