"""Measure adaptation: errors of the base, of an in-domain model and of the adapted one, by words.

    python bench/experiments/adaptation.py --domain TEXT --test TEXT
        [--base MODEL] [--other-test TEXT...]
        [--words 10000 100000 1000000] [--skip-last LINES]

BASE is the embedded English model, another model with a network, or one of the preset crf. The
script takes the first --words of the domain's text, in runs of 64 lines in random order; it can
leave out the last lines, if they are the test text. For models with a network

alone     a crf-neural model is trained from them
adapted   the base is adapted to them

and for others

alone     a crf model is trained from them, a tenth held out for its weights
weights   the base's weights are learned again on all of them, the prior's mean at the base's
mixed     nine tenths give words and n-grams that are mixed in, the rest the mixture's weight
both      and the weights, too

A word is wrong if it is not cased as in the test text; the other tests are text of other kinds.
"""

import argparse
import random
import resource
import time
import warnings
from pathlib import Path

from frame import read_lines, run_script

from truecase.model.model import Model
from truecase.training.adapt import adapt, adapt_weights, interpolate_lm
from truecase.training.material import Holdout
from truecase.training.recipe import PRESETS, Adaptation
from truecase.truecaser import Truecaser


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--base", metavar="MODEL", default="en")
    parser.add_argument("--domain", required=True, metavar="FILE")
    parser.add_argument("--test", required=True, metavar="FILE")
    parser.add_argument("--other-test", nargs="*", default=[], metavar="FILE")
    parser.add_argument("--words", type=int, nargs="+", default=[10_000, 100_000, 1_000_000])
    parser.add_argument("--skip-last", type=int, default=0, metavar="LINES")
    parser.add_argument("--sigma", type=float, default=Adaptation().sigma)
    args = parser.parse_args()
    warnings.simplefilter("ignore")
    base = Truecaser.load(args.base).model
    texts = {path: read_lines(path) for path in (args.test, *args.other_test)}
    before = [errors(base, lines) for lines in texts.values()]
    for path, lines, wrong in zip(texts, texts.values(), before, strict=True):
        print(f"{path}: {sum(len(line.split()) for line in lines):,} words, {wrong:,} wrong")
    runs = runs_of(args.domain, args.skip_last)
    for wanted in args.words:
        text = first_words(runs, wanted)
        print(f"{len(text.split()):,} words of {args.domain}", flush=True)
        for name, model, seconds in models(base, text, args):
            wrong = [errors(model, lines) for lines in texts.values()]
            changes = [f"{now:,} ({100 * (now / was - 1):+.1f} %)"
                       for was, now in zip(before, wrong, strict=True)]  # fmt: skip
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
            print(f"  {name:8} {'  '.join(changes)}  {seconds:.0f} s CPU, peak {peak:,} MiB so far",
                  flush=True)  # fmt: skip
    return 0


def runs_of(path: str, skipped: int) -> list[list[bytes]]:
    """The lines of a text, but for the last ones, 64 at a time, in an order drawn by lot."""
    lines = Path(path).read_bytes().splitlines(keepends=True)
    lines = lines[: len(lines) - skipped]
    runs = [lines[start : start + 64] for start in range(0, len(lines), 64)]
    random.Random(1).shuffle(runs)
    return runs


def first_words(runs: list[list[bytes]], wanted: int) -> bytes:
    """Whole lines, until they have so many words."""
    n, taken = 0, []
    for line in (line for run in runs for line in run):
        if n >= wanted:
            break
        n += len(line.split())
        taken.append(line)
    return b"".join(taken)


def models(base: Model, text: bytes, args: argparse.Namespace):
    """Names, models, and the seconds that each took."""
    for name, make in (of_dense if base.dense is not None else of_folds)(base, text, args):
        start = time.process_time()
        yield name, make(), time.process_time() - start


def of_folds(base: Model, text: bytes, args: argparse.Namespace):
    """Ways to a model that learns by folds; the development text of `adapt` only judges."""
    yield (
        "alone",
        lambda: (
            Truecaser.train(
                lambda: [text], PRESETS["crf-neural"].with_options({"text.language": "en"})
            ).model
        ),
    )
    judged = {"development": args.test}
    yield "adapted", lambda: adapt(base, lambda: [text], **judged).model


def of_dense(base: Model, text: bytes, args: argparse.Namespace):
    """The same by dense features."""
    recipe = PRESETS["crf"].with_options({"lexicon.min_count": 1})
    yield "alone", lambda: Truecaser.train(lambda: [text], recipe).model
    yield "weights", lambda: adapt_weights(base, text, sigma=args.sigma)[0]
    holdout = Holdout([text])
    rest = list(holdout.training())

    def mixed() -> Model:
        return interpolate_lm(base, rest, holdout.text())[0]

    yield "mixed", mixed
    yield "both", lambda: adapt_weights(mixed(), holdout.text(), sigma=args.sigma)[0]


def errors(model: Model, lines: list[str]) -> int:
    """Words that come out wrong."""
    found = Truecaser(model).evaluate(lines)
    return found.n_words - found.n_correct


if __name__ == "__main__":
    run_script(main)
