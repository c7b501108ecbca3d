"""``truecase learning-curve``: what more training text brings."""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import re
import sys
import tempfile
from typing import TYPE_CHECKING

from truecase.cli.options import UsageError, add_order, add_segmentation, add_threads, size
from truecase.cli.streams import check_output, write_text

if TYPE_CHECKING:
    from truecase.evaluate.curve import CurvePoint, LearningCurve
    from truecase.training.options import TrainingOptions

DESCRIPTION = """\
Train models on the first words of a text, each on more of them than the one before, and
evaluate each on the same test text. Where the curve still rises, more text will help.
"""

EPILOG = """\
examples:
  truecase learning-curve news.txt.gz --test test.txt -o curve.json
  truecase learning-curve news.txt --test test.txt --sizes 100K 1M 10M --html curve.html
  truecase learning-curve news.txt --test test.txt --preset unigram trigram -o curve.json
  truecase evaluate --html report.html --learning-curve curve.json test.txt
"""

# Words of the first model if no sizes are given.
_FIRST_SIZE = 10_000

_WORDS = re.compile(r"(\d+(?:\.\d+)?)([kmg]?)", re.IGNORECASE)


def number_of_words(text: str) -> int:
    """A number of words, such as 20000, 20K or 1.5M."""
    match = _WORDS.fullmatch(text.strip().replace(",", "").replace("_", ""))
    factor = {"": 1, "k": 1e3, "m": 1e6, "g": 1e9}
    number = round(float(match[1]) * factor[match[2].lower()]) if match else 0
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of words such as 100K")
    return number


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        nargs="+",
        help="training text, plain or compressed (gz, xz, bz2, zst); its first lines are in "
        "every model, so shuffle a text whose parts differ",
    )
    parser.add_argument(
        "--test", metavar="FILE", required=True, help="correctly cased text to evaluate on"
    )
    parser.add_argument(
        "--sizes",
        metavar="N",
        nargs="+",
        type=number_of_words,
        help="words of training text, such as 10K 100K 1M; default: 10K, 30K, 100K and so on, "
        "and at last the whole text",
    )
    parser.add_argument(
        "-o", "--output", metavar="FILE", help="where the figures go, as JSON; - is standard output"
    )
    parser.add_argument(
        "--html", metavar="FILE", help="draw them: one page that needs no other file"
    )
    model = parser.add_argument_group("the models")
    model.add_argument(
        "--preset",
        metavar="PRESET",
        nargs="+",
        default=["trigram"],
        help="presets of `truecase train`, one curve each; default: trigram",
    )
    add_order(model)
    add_segmentation(model)
    model.add_argument(
        "--max-size",
        metavar="SIZE",
        type=size,
        help="size of the model files to stay below, such as 12M",
    )
    work = parser.add_argument_group("resources")
    work.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        help="memory that counting may use, such as 2G; more goes to temporary files",
    )
    add_threads(work)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    if arguments.output is None and arguments.html is None:
        raise UsageError("expected -o FILE, --html FILE, or both")
    if arguments.output == "-" and arguments.html == "-":
        raise UsageError("-o and --html: only one of them can be standard output")
    if "-" in [*arguments.corpus, arguments.test]:
        raise UsageError("standard input can be read only once: save it to a file first")
    options = _options(arguments)
    for path in (arguments.output, arguments.html):
        if path is not None:
            check_output(path)
    for path in [*arguments.corpus, arguments.test]:
        with open(path, "rb"):
            pass
    curve = _train(arguments, options)
    if arguments.output is not None:
        write_text(arguments.output, json.dumps(curve.to_dict(), indent=2) + "\n")
    if arguments.html is not None:
        from truecase.report.curve_section import curve_page

        write_text(arguments.html, curve_page(curve))
    return 0


def _options(arguments: argparse.Namespace) -> list[TrainingOptions]:
    """Options of each preset, checked before anything is trained."""
    from truecase.training.options import TrainingError, TrainingOptions

    common = TrainingOptions(
        order=arguments.order,
        segmentation=arguments.segmentation,
        language=arguments.language,
        max_size=arguments.max_size,
        memory=arguments.memory,
        threads=arguments.threads,
    )
    presets: list[str] = list(dict.fromkeys(arguments.preset))
    try:
        return [dataclasses.replace(common, preset=preset) for preset in presets]
    except TrainingError as error:
        raise UsageError(f"--preset: {error}") from None


def _train(arguments: argparse.Namespace, options: list[TrainingOptions]) -> LearningCurve:
    from truecase.corpus.prefix import count_words
    from truecase.evaluate.curve import LearningCurve

    n_words = count_words(arguments.corpus)
    if n_words == 0:
        raise ValueError(f"{', '.join(arguments.corpus)}: there is no word in it")
    sizes = sorted(set(arguments.sizes or default_sizes(n_words)))
    if sizes[-1] > n_words:
        print(
            f"truecase: warning: the corpus has {n_words:,} words: larger sizes are left out",
            file=sys.stderr,
        )
        sizes = [size for size in sizes if size < n_words] + [n_words]
    curves: dict[str, list[CurvePoint]] = {}
    n_test_words = 0
    for chosen in options:
        points = curves.setdefault(chosen.preset, [])
        for n in sizes:
            point, n_test_words = _point(arguments, chosen, n)
            points.append(point)
            print(
                f"{chosen.preset}, {point.n_words:,} words: precision "
                f"{100 * point.precision:.2f}, F1 {100 * point.f1:.2f}",
                file=sys.stderr,
            )
    corpus = [os.path.basename(path) for path in arguments.corpus]
    return LearningCurve(corpus, [os.path.basename(arguments.test)], n_test_words, curves)


def default_sizes(n_words: int) -> list[int]:
    """10,000, 30,000, 100,000 … words, and all of them."""
    sizes = []
    power = _FIRST_SIZE
    while power < n_words:
        sizes += [power, 3 * power]
        power *= 10
    # A last step that is hardly one is left out.
    return [size for size in sizes if size < 0.8 * n_words] + [n_words]


def _point(
    arguments: argparse.Namespace, options: TrainingOptions, n_words: int
) -> tuple[CurvePoint, int]:
    from truecase.cli.evaluate import evaluate_model
    from truecase.corpus.prefix import Prefix
    from truecase.evaluate.curve import CurvePoint
    from truecase.truecaser import Truecaser

    # A file, so that each preset is trained as `truecase train` does it, which may read twice.
    with tempfile.TemporaryDirectory(prefix="truecase-") as folder:
        path = os.path.join(folder, "prefix.txt")
        prefix = Prefix(arguments.corpus, n_words)
        with open(path, "wb") as file:
            for block in prefix:
                file.write(block)
        truecaser = Truecaser.train([path], options)
    evaluation = evaluate_model(truecaser, [arguments.test], options.threads or 1)
    return CurvePoint.of(prefix.n_words, prefix.n_lines, evaluation), evaluation.n_words
