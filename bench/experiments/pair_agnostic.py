"""What a source is worth to a model that has learned nothing of its language.

    python bench/experiments/prepare_bitext.py DATA BITEXTS
    python bench/experiments/pair_agnostic.py BITEXTS [-m MODEL] [--learn] [--tasks FOLDER:LANG ...]

Prints the errors that MODEL (the embedded English one) makes on the test part of each task
without a source, with the source sentence, and with the links of words. With --learn, weights of
the columns that need no translation table are learned on the development parts of all tasks
together, before, and printed: `any_pair` in `truecase/features/schema.py` is made so, and
`noun_capitals` with a German model and --tasks en-de-it:de en-de-debian:de en-de-news:de.
"""

import argparse
import sys
from pathlib import Path

from bitexts import Judge, Task

from truecase.alignment.lines import AlignedLines
from truecase.training.recipe import SourceRecipe
from truecase.training.source.learn import learn as learn_source
from truecase.truecaser import Truecaser

TASKS = (
    "en-fr-it:en en-fr-debian:en en-fr-news:en en-de-it:en en-de-debian:en en-de-news:en"
    " zh-en-news:en"
).split()
SIGHTS = ("nothing", "sentence", "words")
# Few weights, much text: of 0.5, 1 and 3 the errors on the development texts are the fewest.
_SIGMA = 1.0


def learn(model: Truecaser, tasks: list[Task]) -> Truecaser:
    """The model with weights learned on the development parts; prints them."""
    development = AlignedLines.join([task.read("dev") for task in tasks])
    component, _ = learn_source(model.model, development, SourceRecipe(), sigma=_SIGMA)
    names = component.settings["features"]
    weights = component.arrays["weights"].reshape(2, -1).T.tolist()
    for name, (aligned, unaligned) in zip(names, weights, strict=True):
        print(f'    "{name}": ({aligned:.2f}, {unaligned:.2f}),')
    return Truecaser(model.model.replace(source=component))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("bitexts", type=Path)
    parser.add_argument("-m", "--model", help="default: the embedded English model")
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--tasks", nargs="+", default=TASKS, metavar="FOLDER:LANG")
    args = parser.parse_args()
    tasks = [Task.parse(args.bitexts, name) for name in args.tasks]
    model = Truecaser.load(args.model)
    if args.learn:
        model = learn(model, tasks)
    print(f"| {'test':18} | words | no source | source sentence | aligned words |")
    print("|---|---:|---:|---:|---:|")
    for task in tasks:
        judge = Judge(task.read("test"), task.target)
        alone, *others = (judge.errors(model, sight) for sight in SIGHTS)
        cells = [f"{n} (−{100 * (alone - n) / alone:.0f} %)" for n in others]
        print(f"| {task.name:18} | {judge.n_words:,} | {alone} | {' | '.join(cells)} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
