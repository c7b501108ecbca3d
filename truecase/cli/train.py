"""``truecase train``: make a model from plain text."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from truecase.cli.bitext import add_bitext, check_bitext, read_bitext, read_development
from truecase.cli.options import (
    UsageError,
    add_order,
    add_segmentation,
    add_threads,
    size,
    whole_number,
)
from truecase.cli.streams import check_output, naming_errors

if TYPE_CHECKING:
    from truecase.corpus.progress import Progress
    from truecase.crf.train import Fit
    from truecase.training.options import TrainingOptions
    from truecase.truecaser import Truecaser

DESCRIPTION = """\
Train a model from correctly cased text, one sentence or segment per line. The same text and
options give the same model, byte for byte.
"""

EPILOG = """\
examples:
  truecase train news.txt.gz wikipedia.txt.zst --dev dev.txt -o en.truecase
  zcat tokenised-*.gz | truecase train - --segmentation space -o en.truecase
  truecase train corpus.txt --preset unigram -o small.truecase
  truecase train corpus.txt --preset crf --dev other.txt -o en.truecase
  truecase train corpus.txt --preset portage --variant powers --dev dev.txt -o p.truecase
  truecase train scraped.txt --clean --titles drop --title-detector -o body.truecase
  truecase train corpus.txt --max-size 12M --licence CC-BY-4.0 -o en.truecase
  truecase train derlem.txt --language tr -o tr.truecase
  truecase train --preset bilingual --source fr.txt --target en.txt --alignment fr-en.align \\
      --dev dev.en --dev-source dev.fr --dev-alignment dev.align -o fr-en.truecase
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "corpus",
        metavar="CORPUS",
        nargs="*",
        help="text, plain or compressed (gz, xz, bz2, zst); - is standard input. With a "
        "bilingual preset, more text in the target language, if there is some",
    )
    parser.add_argument(
        "-o", "--output", metavar="MODEL", required=True, help="where the model goes"
    )
    parser.add_argument(
        "--dev",
        metavar="FILE",
        help="evaluate the model on this text; the figures are kept in it. The preset crf "
        "learns its weights on it, and crf-fine goes over it at the end of training: it must "
        "not be part of CORPUS. Without it, crf holds some of CORPUS out",
    )
    model = parser.add_argument_group("the model")
    model.add_argument(
        "--preset",
        choices=(
            "trigram",
            "unigram",
            "crf",
            "crf-fine",
            "portage",
            "bilingual",
            "bilingual-fine",
        ),
        default="trigram",
        help="trigram: n-gram model and search for the best sequence (default); unigram: the "
        "most frequent form of each word; crf: n-grams and further features with learned "
        "weights (needs pip install 'truecase[train]'); crf-fine: n-grams, sparse features by the "
        "million and a hidden layer, the most accurate; portage: n-grams joined with the case "
        "of words by themselves (Agbago et al. 2005); bilingual and bilingual-fine: crf and "
        "crf-fine with features of the source sentence, learned from aligned text "
        "(Wang, Knight & Marcu 2006)",
    )
    model.add_argument(
        "--variant",
        choices=("product", "interpolated", "powers"),
        help="of preset portage: how the two are joined; the weights of interpolated and "
        "powers are fitted to the --dev text, if there is one; default: product",
    )
    model.add_argument(
        "--search",
        choices=("viterbi", "left-to-right"),
        help="of preset portage: best sequence, or word by word; default: viterbi",
    )
    add_order(model)
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
    model.add_argument(
        "--sigma",
        metavar="SIGMA",
        type=sigma,
        default=0.5,
        help="with crf: standard deviation of the weights' prior, or search, which learns on "
        "one half of the development text and judges on the other; default: 0.5",
    )
    fine = parser.add_argument_group("with the presets crf-fine and bilingual-fine")
    fine.add_argument(
        "--fine-size",
        metavar="SIZE",
        type=size,
        default=8_000_000,
        help="bytes for its features, part of --max-size; default: 8 million",
    )
    fine.add_argument(
        "--folds",
        metavar="N",
        type=whole_number(1, 100),
        default=4,
        help="parts of the text; weights are learned on each with the language model of the "
        "others; default: 4",
    )
    fine.add_argument(
        "--epochs",
        metavar="N",
        type=whole_number(1, 100),
        default=1,
        help="passes of the weights over the text; default: 1",
    )
    fine.add_argument(
        "--drop-punctuation",
        metavar="SHARE",
        type=float,
        default=0.0,
        help="share of the lines that lose their punctuation while weights are learned, for "
        "text from speech recognition; default: 0",
    )
    add_bitext(parser)
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
    text = parser.add_argument_group("which lines it learns from")
    text.add_argument(
        "--clean",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="take out markup tags, and lines that are mostly in upper case; default: no",
    )
    text.add_argument(
        "--titles",
        choices=("all", "drop", "only"),
        default="all",
        help="lines that are titles: train on all lines (default), on the others, on them only",
    )
    text.add_argument(
        "--title-pattern",
        metavar="REGEX",
        action="append",
        default=[],
        dest="title_patterns",
        help="a line in which this is found is a title, beside those found by their case and "
        "form; may be repeated",
    )
    text.add_argument(
        "--title-detector",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="learn to tell titles from body text, for `truecase apply --style auto`; default: no",
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


def sigma(text: str) -> float | str:
    """A standard deviation, or ``search``."""
    if text == "search":
        return text
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number or search") from None


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
    "clean",
    "titles",
    "title_patterns",
    "title_detector",
    "gen",
    "max_size",
    "memory",
    "origin",
    "licence",
    "threads",
    "sigma",
    "fine_size",
    "folds",
    "epochs",
    "drop_punctuation",
    "source_language",
    "phrases",
    "table_size",
)


def training_options(arguments: argparse.Namespace) -> TrainingOptions:
    """The options of training that the arguments stand for."""
    from truecase.training.options import TrainingOptions

    values: dict[str, Any] = {name: getattr(arguments, name) for name in _OPTION_NAMES}
    values["prune"] = tuple(values["prune"])
    values["title_patterns"] = tuple(values["title_patterns"])
    for name in ("variant", "search"):
        if getattr(arguments, name) is not None:
            if arguments.preset != "portage":
                raise UsageError(f"--{name}: only preset portage has it")
            values[name] = getattr(arguments, name)
    return TrainingOptions(**values)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli.evaluate import evaluate_model
    from truecase.cli.transform import counted_blocks
    from truecase.corpus.progress import Progress
    from truecase.corpus.read import STDIN
    from truecase.training.train import train_arrays
    from truecase.truecaser import Truecaser

    fit: Fit | None = None
    check_bitext(arguments)
    options = training_options(arguments)
    # An hour of training must not end in a spelling mistake.
    check_output(arguments.output)
    if arguments.dev is not None:
        with open(arguments.dev, "rb"):
            pass
    paths: list[str] = arguments.corpus
    with Progress.for_files(paths, "reading") as progress:
        if options.is_bilingual:
            truecaser, fit = _train_bilingual(arguments, options, progress)
        elif options.preset == "crf":
            from truecase.crf.model import train_crf

            truecaser, fit = train_crf(
                lambda: counted_blocks(paths, progress),
                options,
                development=_read(arguments.dev),
                can_read_again=STDIN not in paths,
                step=lambda step, share: _report(progress, step, share),
                report=lambda number, objective, norm: _report(
                    progress, f"learning weights: {objective:.1f}", 0.0
                ),
            )
        elif options.preset == "crf-fine":
            from truecase.crf.fine.train import train_fine

            truecaser = train_fine(
                lambda: counted_blocks(paths, progress),
                options,
                development=_read(arguments.dev),
                step=lambda step, share: _report(progress, step, share),
            )
        else:
            arrays, metadata = train_arrays(
                counted_blocks(paths, progress),
                options,
                lambda step, share: _report(progress, step, share),
            )
            truecaser = Truecaser(arrays, metadata)
    if fit is not None:
        print(fit_table(fit), end="", file=sys.stderr)
    # What crf-fine has gone over at the end says nothing of other text.
    if arguments.dev is not None and not options.has_fine:
        if options.preset == "portage":
            truecaser = tuned(truecaser, arguments.dev)
        evaluation = evaluate_model(
            truecaser,
            [arguments.dev],
            options.threads or 1,
            source=arguments.dev_source,
            alignment=arguments.dev_alignment,
        )
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


def _train_bilingual(
    arguments: argparse.Namespace, options: TrainingOptions, progress: Progress
) -> tuple[Truecaser, Fit | None]:
    from truecase.bilingual.alignment_errors import SkippedLines
    from truecase.bilingual.train import train_bilingual
    from truecase.cli.transform import counted_blocks

    skipped = SkippedLines() if arguments.skip_bad else None
    trained = train_bilingual(
        read_bitext(arguments.source, arguments.target, arguments.alignment, skipped, progress),
        options,
        read_development(arguments, skipped),
        more=lambda: counted_blocks(arguments.corpus, progress),
        step=lambda step, share: _report(progress, step, share),
        report=lambda number, objective, norm: _report(
            progress, f"learning weights: {objective:.1f}", 0.0
        ),
    )
    if skipped is not None:
        skipped.report()
    return trained


def fit_table(fit: Fit) -> str:
    """What training found out about the features, one line each."""
    lines = [
        f"weights learned on {fit.n_tokens:,} tokens, {fit.n_ambiguous:,} of them ambiguous: "
        f"log-likelihood {fit.log_likelihood:.1f}, gradient norm {fit.gradient_norm:.3g}, "
        f"sigma {fit.sigma:g}, {fit.evaluations} evaluations, "
        f"{fit.bytes_per_token:.0f} bytes per token",
        f"{'feature':28} {'weight':>9}  % of the decisions that change without it",
    ]
    lines += [
        f"{feature.name:28} {feature.weight:9.3f}  {100 * feature.decisions:.3f}"
        for feature in fit.features
    ]
    return "\n".join(lines) + "\n"


def _read(path: str | None) -> bytes | None:
    from truecase.corpus.read import read_blocks

    return None if path is None else b"".join(read_blocks([path]))


def tuned(truecaser: Truecaser, dev: str) -> Truecaser:
    """A portage model with the weights of its variant fitted to a text."""
    from truecase.corpus.read import open_text
    from truecase.portage.fit import tune

    with open_text(dev) as file:
        return tune(truecaser, (line.decode("utf-8", "surrogateescape") for line in file))


def _report(progress: Progress, step: str, share: float) -> None:
    progress.phase(f"{step} {share:.0%}" if share else step)
