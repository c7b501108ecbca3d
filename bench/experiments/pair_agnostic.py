"""What a source is worth to a model that has learned nothing of its language.

    python bench/experiments/prepare_bitext.py DATA BITEXTS
    python bench/experiments/pair_agnostic.py BITEXTS [-m MODEL] [--tasks FOLDER:LANG ...]
        [--part dev] [--learn OUT.json] [--judged FOLDER:LANG ...]

Prints the errors that MODEL (the embedded English one) makes on the test part of each task, or on
another --part, without a source, with the source sentence, and with the links of words.

With --learn, weights of the columns that need no translation table are learned before, and written
as `truecase/data/source.json` has them: `any_pair` from all lines, `from_noun_capitals` and
`from_others` from those whose source is in a language whose nouns have a capital, and in another;
lines are judged with the weights of their kind. Weights of the greatest likelihood, on the
development parts, or those of today, whichever leave fewer words wrong, are moved one at a time
while two words fewer are wrong, on every second line of the development parts and of 4,000 lines of
news for training; the other lines check that. `noun_capitals` is `any_pair` of a German model with
--tasks en-de-it:de en-de-debian:de en-de-news:de. --judged names other tasks to judge on.
In a checkout, PYTHONPATH=tests/kernels has the module that tells the kinds of lines.
"""

import json
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
from bitexts import TO_ENGLISH, Judge, Task
from frame import header, parser_of, row, run_script
from truecase_testing import KINDS, kind_of_line

from truecase.alignment.lines import AlignedLines
from truecase.base.model_file import read_weights
from truecase.kernels.schema import named_weights, weight_vector
from truecase.training.dense import learn_source, source_features, weights_of
from truecase.training.recipe import SourceRecipe
from truecase.truecaser import Truecaser

SIGHTS = ("nothing", "sentence", "words")
NAMES = ("any_pair", "from_noun_capitals", "from_others")
# Few weights, much text: of 0.5, 1 and 3 the errors on the development texts are the fewest.
_SIGMA = 1.0
# Lines of a news task's training part that the search has beside its development part.
_MORE_NEWS = 4000
_SWEEPS = 2
# Their weights stay: a first word is in lower case where the source's is, whatever a network makes
# of first words, and a capital of the source's first word alone says nothing.
_HELD = ("initial_source_lower", "same_form_sentence_initial")
_NOTHING = 0.05
_FEWER = 2

#: Weights of each column with an alignment and without.
Weights = dict[str, tuple[float, float]]


def kinds_of(lines: AlignedLines) -> "np.ndarray":
    """The number of each source line's kind."""
    found = [KINDS.index(kind_of_line(line)) for line in lines.source.split(b"\n")[:-1]]
    return np.array(found, np.int64)


def with_weights(model: Truecaser, weights: Weights) -> Truecaser:
    """The model with these weights for lines with a source."""
    alone = named_weights(weights_of(model.model))
    aligned, unaligned = (
        weight_vector({**alone, **{name: pair[k] for name, pair in weights.items()}})
        for k in (0, 1)
    )
    source = source_features(model.model, aligned, unaligned)
    return Truecaser(model.model.replace(source=source))


def only(weights: Weights) -> Weights:
    """The weights of the columns that need no translation table."""
    return {name: pair for name, pair in weights.items() if "translation" not in name}


def moved(weight: float) -> Iterator[float]:
    """Other values of a weight."""
    yield from (0.6 * weight, 1.5 * weight, weight + 0.7, weight - 0.7, 0.0)


def search(model: Truecaser, texts: Sequence[Judge], starts: Sequence[Weights]) -> Weights:
    """Move weights from the best start while fewer words are wrong on the first of two texts."""
    best: Weights = {}
    for side, sight in enumerate(("words", "sentence")):

        def errors(weights: Weights, text: Judge, sight: str = sight) -> int:
            return text.errors(with_weights(model, weights), sight)

        weights = dict(min(starts, key=lambda one: sum(errors(one, text) for text in texts)))
        fewest = errors(weights, texts[0])
        for _ in range(_SWEEPS):
            for name in weights:
                if all(abs(start[name][side]) < _NOTHING for start in starts):
                    continue  # A column of links, without links.
                for value in moved(weights[name][side]):
                    pair = (value, weights[name][1]) if side == 0 else (weights[name][0], value)
                    tried = {**weights, name: pair}
                    n = errors(tried, texts[0])
                    if n <= fewest - _FEWER:
                        weights, fewest = tried, n
        counts = (errors(one, texts[1]) for one in (starts[-1], weights))
        print(
            sight, "on the other lines, with the weights of today and these:", *counts, flush=True
        )
        best = {
            name: pair if side == 0 else (best[name][0], pair[1]) for name, pair in weights.items()
        }
    return best


def learn(model: Truecaser, tasks: list[Task], out: Path) -> list[Truecaser]:
    """The model with weights learned on the development parts, by kind; writes them."""
    development = AlignedLines.join([task.read("dev") for task in tasks])
    news = [task.read("train") for task in tasks if "news" in task.name]
    judged = AlignedLines.join([development, *map(first_lines, news)])
    found: dict[str, Weights] = {}
    for number, name in enumerate(NAMES):
        # Lines that do not tell get weights that were learned on all.
        lines, text = (
            one if number == 0 else one.where(kinds_of(one) == number)
            for one in (development, judged)
        )
        if not lines.target:
            found[name] = found[NAMES[0]]
            continue
        component, _ = learn_source(model.model, lines, SourceRecipe(), sigma=_SIGMA)
        is_first = np.arange(text.target.count(b"\n")) % 2 == 0
        texts = [Judge(text.where(part), model.language) for part in (is_first, ~is_first)]
        print(name)
        today = read_weights("source")[name]
        found[name] = search(model, texts, [only(component.weights), today])
        found[name] |= {held: today[held] for held in _HELD}
    rounded = {
        kind: {name: [round(w, 2) + 0.0 for w in pair] for name, pair in weights.items()}
        for kind, weights in found.items()
    }
    out.write_text(json.dumps(rounded, indent=2) + "\n", encoding="utf-8")
    return [with_weights(model, weights) for weights in found.values()]


def first_lines(lines: AlignedLines) -> AlignedLines:
    """The first lines of a text for training."""
    return lines.where(np.arange(lines.target.count(b"\n")) < _MORE_NEWS)


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
    parser.add_argument("--learn", metavar="OUT.json", type=Path)
    parser.add_argument("--part", default="test", help="to judge on")
    parser.add_argument("--tasks", nargs="+", default=TO_ENGLISH, metavar="FOLDER:LANG")
    parser.add_argument("--judged", nargs="+", metavar="FOLDER:LANG", help="default: as --tasks")
    args = parser.parse_args()
    tasks = [Task.parse(args.bitexts, name) for name in args.tasks]
    judged = [Task.parse(args.bitexts, name) for name in args.judged or args.tasks]
    models = [Truecaser.load(args.model)]
    if args.learn:
        models = learn(models[0], tasks, args.learn)
    header(args.part, "words", "no source", "source sentence", "aligned words")
    for task in judged:
        judge = KindJudge(task.read(args.part), task.target, models)
        alone, *others = (judge.errors_by_kind(sight) for sight in SIGHTS)
        cells = [f"{n:,} ({_percent(n, alone)})" for n in others]
        row(task.name, judge.n_words, alone, *cells)


def _percent(n: int, of: int) -> str:
    return f"{100 * (n - of) / of:+.0f} %".replace("-", "−")


if __name__ == "__main__":
    run_script(main)
