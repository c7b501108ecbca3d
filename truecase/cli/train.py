"""``truecase train``: make a model from plain text."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from truecase.cli.options import add_segmentation, add_threads, size, whole_number
from truecase.cli.streams import check_output, naming_errors

if TYPE_CHECKING:
    from truecase.corpus.progress import Progress
    from truecase.training.options import TrainingOptions

DESCRIPTION = """\
Train a model from correctly cased text, one sentence or segment per line. The same text and
options give the same model, byte for byte.
"""

EPILOG = """\
examples:
  truecase train news.txt.gz wikipedia.txt.zst --dev dev.txt -o en.truecase
  zcat tokenised-*.gz | truecase train - --segmentation space -o en.truecase
  truecase train corpus.txt --preset unigram -o small.truecase
  truecase train corpus.txt --max-size 12M --licence CC-BY-4.0 -o en.truecase
  truecase train derlem.txt --language tr -o tr.truecase
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        nargs="+",
        help="text, plain or compressed (gz, xz, bz2, zst); - is standard input",
    )
    parser.add_argument(
        "-o", "--output", metavar="MODEL", required=True, help="where the model goes"
    )
    parser.add_argument(
        "--dev",
        metavar="FILE",
        help="evaluate the model on this text; the figures are kept in it",
    )
    model = parser.add_argument_group("the model")
    model.add_argument(
        "--preset",
        choices=("trigram", "unigram"),
        default="trigram",
        help="trigram: n-gram model and search for the best sequence (default); unigram: the "
        "most frequent form of each word",
    )
    model.add_argument(
        "--order",
        metavar="N",
        type=whole_number(1, 5),
        default=3,
        help="length of the n-grams, 1 to 5; default: 3",
    )
    add_segmentation(model)
    model.add_argument(
        "--smartcase",
        action=argparse.BooleanOptionalAction,
        default=True,
        help="learn the first word of a sentence as lowercase if that is its usual form "
        "elsewhere; default: yes",
    )
    model.add_argument(
        "--gen",
        choices=("pruned", "full"),
        default="pruned",
        help="candidates of a word: forms seen in training (pruned, default), or also its "
        "lowercase, capitalised and upper-case forms (full)",
    )
    small = parser.add_argument_group("its size")
    small.add_argument(
        "--prune",
        metavar="N",
        type=whole_number(0),
        nargs="+",
        default=[],
        help="leave out n-grams that occur no more often than this, one number per order",
    )
    small.add_argument(
        "--min-count",
        metavar="N",
        type=whole_number(1),
        default=2,
        help="forms seen less often are left to their word class; default: 2",
    )
    small.add_argument(
        "--max-size",
        metavar="SIZE",
        type=size,
        help="size of the model file to stay below, such as 12M; n-grams that matter least "
        "for casing go first",
    )
    small.add_argument(
        "--min-share",
        metavar="SHARE",
        type=float,
        default=0.02,
        help="with pruned candidates: leave out forms that are a smaller share of their "
        "word's occurrences; default: 0.02",
    )
    small.add_argument(
        "--keep-ngrams",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="keep the words of the n-grams, for `truecase arpa export`; default: no",
    )
    about = parser.add_argument_group("about the text, kept in the model")
    about.add_argument("--licence", metavar="TEXT", default="", help="its licence")
    about.add_argument("--origin", metavar="TEXT", default="", help="where it comes from")
    work = parser.add_argument_group("resources")
    work.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        help="memory that counting may use, such as 2G; more goes to temporary files. The "
        "model is the same",
    )
    add_threads(work)


# Names of arguments that are names of `TrainingOptions`.
_OPTION_NAMES = (
    "preset",
    "order",
    "segmentation",
    "language",
    "smartcase",
    "prune",
    "min_count",
    "min_share",
    "keep_ngrams",
    "gen",
    "max_size",
    "memory",
    "origin",
    "licence",
    "threads",
)


def training_options(arguments: argparse.Namespace) -> TrainingOptions:
    """The options of training that the arguments stand for."""
    from truecase.training.options import TrainingOptions

    values: dict[str, Any] = {name: getattr(arguments, name) for name in _OPTION_NAMES}
    values["prune"] = tuple(values["prune"])
    return TrainingOptions(**values)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli.evaluate import evaluate_model
    from truecase.cli.transform import counted_blocks
    from truecase.corpus.progress import Progress
    from truecase.training.train import train_arrays
    from truecase.truecaser import Truecaser

    options = training_options(arguments)
    # An hour of training must not end in a spelling mistake.
    check_output(arguments.output)
    if arguments.dev is not None:
        with open(arguments.dev, "rb"):
            pass
    paths: list[str] = arguments.corpus
    with Progress.for_files(paths, "reading") as progress:
        arrays, metadata = train_arrays(
            counted_blocks(paths, progress),
            options,
            lambda step, share: _report(progress, step, share),
        )
    truecaser = Truecaser(arrays, metadata)
    if arguments.dev is not None:
        evaluation = evaluate_model(truecaser, [arguments.dev], options.threads or 1)
        truecaser.metadata["dev"] = {
            "words": evaluation.n_words,
            "precision": round(evaluation.precision, 6),
            "f1": round(evaluation.f1, 6),
        }
        print(
            f"{arguments.dev}: precision {100 * evaluation.precision:.2f}, "
            f"F1 {100 * evaluation.f1:.2f}, {evaluation.n_words:,} words",
            file=sys.stderr,
        )
    with naming_errors(arguments.output):
        truecaser.save(arguments.output)
    return 0


def _report(progress: Progress, step: str, share: float) -> None:
    progress.phase(f"{step} {share:.0%}" if share else step)
