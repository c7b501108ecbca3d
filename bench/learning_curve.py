"""Accuracy by size of the training text, as figures and a page.

python bench/learning_curve.py news.txt.gz --test test.txt -o curve.json
"""

from __future__ import annotations

import argparse
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from charts import STYLE, Axes, Point, figure, legend, lines

from truecase.base.read import read_blocks
from truecase.cli import main as run_main
from truecase.cli.commands import Command
from truecase.cli.evaluate import check_has_words
from truecase.cli.flags import MAX_NUMBER, Flag
from truecase.cli.streams import check_output, write_text
from truecase.cli.train import recipe_from
from truecase.cli.transform import note
from truecase.errors import UsageError
from truecase.evaluation.metrics import evaluate_blocks
from truecase.evaluation.pages import Markup, element, page, section, table
from truecase.kernels.text import TAGS

if TYPE_CHECKING:
    from truecase.training.recipe import Recipe


HELP = """\
Train models on the first words of a text, each on more of them than the one before, and
evaluate each on the same test text. Where the curve still rises, more text will help.

examples:
  python bench/learning_curve.py news.txt.gz --test test.txt -o curve.json
  python bench/learning_curve.py news.txt --test test.txt --sizes 100K 1M 10M --html curve.html
  python bench/learning_curve.py news.txt --test test.txt --preset unigram ngram -o curve.json
"""

# Options of recipes, and where a recipe has them.
_OPTIONS = {
    "order": "lm.order",
    "segmentation": "text.segmentation",
    "language": "text.language",
    "max_size": "max_size",
}

# Words of the first model if no sizes are given.
_FIRST_SIZE = 10_000

_WORDS = re.compile(r"(\d+(?:\.\d+)?)([kmg]?)", re.IGNORECASE)


@dataclass(frozen=True)
class CurvePoint:
    """The size of a training text, and figures of `Evaluation` for a model trained on it."""

    n_words: int
    n_lines: int
    accuracy: float
    f1: float
    out_of_vocabulary: float
    error_by_tag: dict[str, float]


@dataclass(frozen=True)
class LearningCurve:
    """The points of each preset, in rising size, and the names of the texts."""

    corpus: list[str]
    test: list[str]
    n_test_words: int
    curves: dict[str, list[CurvePoint]]


def number_of_words(text: str) -> int:
    """A number of words, such as 20000, 20K or 1.5M."""
    match = _WORDS.fullmatch(text.strip().replace(",", "").replace("_", ""))
    factor = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}
    number = float(match[1]) * factor[match[2].lower()] if match else 0.0
    if not 0.5 < number < MAX_NUMBER:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of words such as 100K")
    return round(number)


def run(arguments: argparse.Namespace) -> None:
    """Carry the command out."""
    if arguments.output is None and arguments.html is None:
        raise UsageError("expected -o FILE, --html FILE, or both")
    if arguments.output == "-" and arguments.html == "-":
        raise UsageError("-o and --html: only one of them can be standard output")
    if "-" in [*arguments.corpus, arguments.test]:
        raise UsageError("standard input can be read only once: save it to a file first")
    recipes = _recipes(arguments)
    for path in (arguments.output, arguments.html):
        if path is not None:
            check_output(path, [*arguments.corpus, arguments.test])
    for path in [*arguments.corpus, arguments.test]:
        with open(path, "rb"):
            pass
    curve = _train(arguments, recipes)
    if arguments.output is not None:
        write_text(arguments.output, json.dumps(_plain(curve), indent=2) + "\n")
    if arguments.html is not None:
        title = "Learning curve"
        body = element("h1", title), curve_section(curve)
        write_text(arguments.html, page(title, *body, style=STYLE))


def _plain(curve: LearningCurve) -> dict[str, Any]:
    """The curve as a file holds it."""
    curves = {name: [vars(point) for point in points] for name, points in curve.curves.items()}
    return {**vars(curve), "curves": curves}


def _recipes(arguments: argparse.Namespace) -> dict[str, Recipe]:
    """Make the recipe of each preset, checked before anything is trained."""
    from truecase.training.recipe import PRESETS

    recipes = {}
    unused = {name for name in _OPTIONS if getattr(arguments, name) is not None}
    for preset in dict.fromkeys(arguments.preset):
        if preset not in PRESETS:
            known = [name for name, recipe in PRESETS.items() if recipe.source is None]
            raise UsageError(
                f"--preset: unknown preset {preset!r}: expected one of {', '.join(known)}"
            )
        if PRESETS[preset].source is not None:
            raise UsageError(f"--preset {preset}: needs a source, which this script does not take")
        own = {name for name, path in _OPTIONS.items() if PRESETS[preset].has_option(path)}
        recipes[preset] = recipe_from(_with_options(arguments, preset, own))
        unused -= own
    if unused:
        # No preset has it: say which have.
        recipe_from(_with_options(arguments, arguments.preset[0], unused))
    return recipes


def _with_options(
    arguments: argparse.Namespace, preset: str, names: set[str]
) -> argparse.Namespace:
    return argparse.Namespace(
        preset=preset, **{name: getattr(arguments, name) for name in sorted(names)}
    )


def _train(arguments: argparse.Namespace, recipes: dict[str, Recipe]) -> LearningCurve:
    from truecase.errors import TrainingError

    n_words = count_words(arguments.corpus, arguments.encoding)
    if n_words == 0:
        raise ValueError(f"{', '.join(arguments.corpus)}: there is no word in it")
    check_has_words(arguments.test, arguments.encoding)
    sizes = sorted(set(arguments.sizes or default_sizes(n_words)))
    if sizes[-1] > n_words:
        print(
            f"truecase: warning: the corpus has {n_words:,} words: larger sizes are left out",
            file=sys.stderr,
        )
        sizes = [size for size in sizes if size < n_words] + [n_words]
    curves: dict[str, list[CurvePoint]] = {}
    n_test_words = 0
    for preset, recipe in recipes.items():
        points = curves.setdefault(preset, [])
        for n in sizes:
            try:
                point, n_test_words = _point(arguments, recipe, n)
            except TrainingError as error:
                raise TrainingError(f"{preset}, {n:,} words: {error}") from None
            points.append(point)
            note(
                arguments,
                f"{preset}, {point.n_words:,} words: token accuracy "
                f"{100 * point.accuracy:.2f}, F1 {100 * point.f1:.2f}",
            )
    corpus = [os.path.basename(path) for path in arguments.corpus]
    return LearningCurve(corpus, [os.path.basename(arguments.test)], n_test_words, curves)


def count_words(paths: Sequence[str], encoding: str | None = None) -> int:
    """Number of white-space-separated words of all texts."""
    return sum(len(block.split()) for block in read_blocks(paths, encoding=encoding))


class Prefix:
    """Blocks of the first lines of texts, up to and with the line of the `wanted`-th word.

    Iterating reads the files anew; `n_words` and `n_lines` count what has been yielded since.
    """

    def __init__(self, paths: Sequence[str], wanted: int, encoding: str | None = None) -> None:
        self._paths = paths
        self._encoding = encoding
        self._wanted = wanted
        self.n_words = 0
        self.n_lines = 0

    def __iter__(self) -> Iterator[bytes]:
        """Yield blocks of whole lines."""
        self.n_words = self.n_lines = 0
        for block in read_blocks(self._paths, encoding=self._encoding):
            n_words = len(block.split())
            if self.n_words + n_words <= self._wanted:
                self.n_words += n_words
                self.n_lines += block.count(b"\n") + (not block.endswith(b"\n"))
                yield bytes(block)
            else:
                yield self._part(bytes(block))
            if self.n_words >= self._wanted:
                return

    def _part(self, block: bytes) -> bytes:
        """The lines of a block that are still wanted."""
        kept = []
        for line in io.BytesIO(block):
            if self.n_words >= self._wanted:
                break
            self.n_words += len(line.split())
            self.n_lines += 1
            kept.append(line)
        return b"".join(kept)


def default_sizes(n_words: int) -> list[int]:
    """10,000, 30,000, 100,000 … words, and all of them."""
    sizes = []
    power = _FIRST_SIZE
    while power < n_words:
        sizes += [power, 3 * power]
        power *= 10
    # A last step that is hardly one is left out.
    return [size for size in sizes if size < 0.8 * n_words] + [n_words]


def _point(arguments: argparse.Namespace, recipe: Recipe, n_words: int) -> tuple[CurvePoint, int]:
    from truecase.training.train import train
    from truecase.truecaser import Truecaser

    prefix = Prefix(arguments.corpus, n_words, arguments.encoding)
    trained = train(lambda: prefix, recipe, threads=arguments.threads, memory=arguments.memory)
    model = Truecaser(trained.model)
    text = read_blocks([arguments.test], ahead=False, encoding=arguments.encoding)
    how = {"language": model.language, "input_case": "ignore"}
    evaluation = evaluate_blocks(model, text, arguments.threads, **how)
    point = CurvePoint(
        prefix.n_words,
        prefix.n_lines,
        evaluation.accuracy,
        evaluation.f1,
        evaluation.out_of_vocabulary or 0.0,
        {tag: tally.error_rate for tag, tally in evaluation.by_tag.items() if tally.n_words > 0},
    )
    return point, evaluation.n_words


_HALF = 520


def curve_section(curve: LearningCurve) -> Markup:
    """Show accuracy and F1 over the size of the training text."""
    names = list(curve.curves)
    return section(
        "Accuracy by size of the training text",
        f"Each point is a model trained on the beginning of {', '.join(curve.corpus)} and tested "
        f"on {', '.join(curve.test)} ({curve.n_test_words:,} words). The horizontal axis is "
        "logarithmic.",
        legend(names),
        element(
            "div.pair",
            _chart(curve, "Words right", lambda point: point.accuracy),
            _chart(curve, "F1 of words not all-lowercase", lambda point: point.f1),
        ),
        element("details", element("summary", "The numbers"), _table(curve)),
    )


def _chart(curve: LearningCurve, label: str, value: Callable[[CurvePoint], float]) -> Markup:
    series = [
        [
            Point(
                point.n_words,
                100 * value(point),
                f"{preset}, {point.n_words:,} words: {100 * value(point):.2f} %",
            )
            for point in points
        ]
        for preset, points in curve.curves.items()
    ]
    about = f"{label} in per cent by words of training text"
    draw = lines(series, about, Axes("words of training text", label))
    return figure(draw, _HALF)


def _table(curve: LearningCurve) -> Markup:
    tags = sorted(
        {tag for points in curve.curves.values() for point in points for tag in point.error_by_tag},
        key=TAGS.index,
    )
    rows = [
        [
            f"{preset}, {point.n_words:,} words",
            f"{100 * point.accuracy:.2f}",
            f"{100 * point.f1:.2f}",
            f"{100 * point.out_of_vocabulary:.2f}",
            *(f"{100 * point.error_by_tag.get(tag, 0.0):.2f}" for tag in tags),
        ]
        for preset, points in curve.curves.items()
        for point in points
    ]
    header = ["model", "words right %", "F1 %", "unseen %", *(f"{tag} wrong %" for tag in tags)]
    return table(header, rows, "Learning curve in numbers")


COMMAND = Command(
    run,
    {
        "corpus": Flag(
            "CORPUS",
            help="training text, plain or compressed (gz, xz, bz2, zst); its first lines are in "
            "every model, so shuffle a text whose parts differ",
            nargs="+",
        )
    },
    {
        "options": "test sizes output html encoding quiet",
        "the models": "preset order segmentation language max-size",
        "resources": "memory threads",
    },
    {
        "test": Flag("FILE", required=True, help="correctly cased text to evaluate on"),
        "sizes": Flag(
            "N",
            nargs="+",
            type=number_of_words,
            help="words of training text, such as 10K 100K 1M; default: 10K, 30K, 100K and so on, "
            "and at last the whole text",
        ),
        "output": {"default": None, "help": "where the figures go, as JSON; - is standard output"},
        "preset": {
            "nargs": "+",
            "choices": None,
            "default": ["ngram"],
            "help": "presets of `truecase train`, one curve each, all but the bilingual ones; "
            "default: ngram. An option that only some of them have is for these",
        },
    },
    help=HELP,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Run the script."""
    return run_main(argv, lambda: {"": COMMAND}, "python bench/learning_curve.py")


if __name__ == "__main__":
    sys.exit(main())
