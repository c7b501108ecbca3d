"""What a source is worth to a model that has learned nothing of its language.

    python bench/experiments/prepare_bitext.py DATA BITEXTS
    python bench/experiments/pair_agnostic.py BITEXTS [-m MODEL] [--tasks FOLDER:LANG ...]
        [--part dev] [--learn] [--judged FOLDER:LANG ...]

Prints the errors that MODEL (the embedded English one) makes on the test part of each task, or on
another --part, without a source, with the source sentence, and with the links of words.

With --learn, weights of the columns that need no translation table are learned before, on the
development parts of all tasks together, and printed as `truecase/kernels/schema.py` has them:
`any_pair` on all lines, `from_noun_capitals` and `from_others` on those whose source is in a
language whose nouns have a capital, and in another; lines are judged with the weights of their
kind. `noun_capitals` is `any_pair` of a German model with --tasks en-de-it:de en-de-debian:de
en-de-news:de. --judged names other tasks to judge on.
"""

from pathlib import Path

import numpy as np
from bitexts import Judge, Task
from frame import header, parser_of, row
from truecase_testing import KINDS, kind_of_line

from truecase.alignment.lines import AlignedLines
from truecase.training.dense import learn_source
from truecase.training.recipe import SourceRecipe
from truecase.truecaser import Truecaser

TASKS = (
    "en-fr-it:en en-fr-debian:en en-fr-news:en en-de-it:en en-de-debian:en en-de-news:en"
    " zh-en-news:en en-cs-news:en en-ru-news:en"
).split()
SIGHTS = ("nothing", "sentence", "words")
NAMES = ("any_pair", "from_noun_capitals", "from_others")
# Few weights, much text: of 0.5, 1 and 3 the errors on the development texts are the fewest.
_SIGMA = 1.0


def kinds_of(lines: AlignedLines) -> "np.ndarray":
    """The number of each source line's kind."""
    found = [KINDS.index(kind_of_line(line)) for line in lines.source.split(b"\n")[:-1]]
    return np.array(found, np.int64)


def learn(model: Truecaser, tasks: list[Task]) -> list[Truecaser]:
    """The model with weights learned on the development parts, by kind; prints them."""
    development = AlignedLines.join([task.read("dev") for task in tasks])
    kinds = kinds_of(development)
    models = []
    weights: dict[str, dict[str, tuple[float, float]]] = {}
    for number, name in enumerate(NAMES):
        # Lines that do not tell get weights that were learned on all.
        lines = development if number == 0 else development.where(kinds == number)
        if not lines.target:
            models.append(models[0])
            continue
        component, _ = learn_source(model.model, lines, SourceRecipe(), sigma=_SIGMA)
        weights[name] = component.weights
        models.append(Truecaser(model.model.replace(source=component)))
    for feature in weights[NAMES[0]]:
        print(f'    "{feature}"')
        for name, of_kind in weights.items():
            aligned, unaligned = (round(weight, 2) + 0.0 for weight in of_kind[feature])
            print(f"        {name}=({aligned}, {unaligned}),")
    return models


class KindJudge(Judge):
    """Cases each line by the model of its kind, if there are several models."""

    def __init__(self, lines: AlignedLines, language: str, models: list[Truecaser]) -> None:
        super().__init__(lines, language)
        self.models = models
        self.kinds = kinds_of(lines)

    def errors_by_kind(self, seen: str) -> int:
        """Number of the words that are wrong."""
        if len(self.models) == 1 or seen == "nothing":
            return self.errors(self.models[0], seen)
        texts = [self.case(model, seen).split("\n") for model in self.models]
        cased = [texts[kind][i] for i, kind in enumerate(self.kinds)]
        return self.errors_of(cased)


def main() -> None:
    parser = parser_of(__doc__, texts="")
    parser.add_argument("bitexts", type=Path)
    parser.add_argument("--learn", action="store_true")
    parser.add_argument("--part", default="test", help="to judge on")
    parser.add_argument("--tasks", nargs="+", default=TASKS, metavar="FOLDER:LANG")
    parser.add_argument("--judged", nargs="+", metavar="FOLDER:LANG", help="default: as --tasks")
    args = parser.parse_args()
    tasks = [Task.parse(args.bitexts, name) for name in args.tasks]
    judged = [Task.parse(args.bitexts, name) for name in args.judged or args.tasks]
    models = [Truecaser.load(args.model)]
    if args.learn:
        models = learn(models[0], tasks)
    header(args.part, "words", "no source", "source sentence", "aligned words")
    for task in judged:
        judge = KindJudge(task.read(args.part), task.target, models)
        alone, *others = (judge.errors_by_kind(sight) for sight in SIGHTS)
        cells = [f"{n:,} ({_percent(n, alone)})" for n in others]
        row(task.name, judge.n_words, alone, *cells)


def _percent(n: int, of: int) -> str:
    return f"{100 * (n - of) / of:+.0f} %".replace("-", "−")


if __name__ == "__main__":
    main()
