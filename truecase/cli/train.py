"""``truecase train``: make a model from plain text."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from truecase.cli.aligned import alignment_file
from truecase.cli.bitext import READ_FILES, add_bitext, check_bitext, dev_alignment_file
from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import (
    add_encoding,
    add_order,
    add_segmentation,
    add_threads,
    size,
    whole_number,
)
from truecase.cli.recipe import OPTIONS, recipe_from
from truecase.cli.streams import check_model_output, naming_errors
from truecase.cli.train_marks import marks_recipe
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.training.dense import Fit
    from truecase.training.recipe import Recipe
    from truecase.training.train import Trained


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
  truecase train talks.txt --preset crf-sparse --marks ",.?" -o talks.truecase
  truecase train --counts all.counts -o en.truecase
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
        "bilingual preset, more text in the target language, if there is some; with --counts, what "
        "crf-sparse learns its weights on, or crf the neighbours of words",
    )
    parser.add_argument(
        "--counts",
        metavar="FILE",
        help="n-grams of `truecase count --words` and `truecase merge`, in place of CORPUS: for "
        "unigram, ngram and portage, and for the language models of crf and crf-sparse",
    )
    parser.add_argument(
        "-o", "--output", metavar="MODEL", required=True, help="where the model goes"
    )
    parser.add_argument(
        "--dev",
        metavar="FILE",
        help="evaluate the model on this text; the figures are kept in it. The presets crf and "
        "bilingual learn their weights on it, crf-sparse and bilingual-sparse go over it at the "
        "end of training: it must not be part of CORPUS. Without it, crf and bilingual hold some "
        "of the text out",
    )
    model = parser.add_argument_group("the model")
    model.add_argument(
        "--preset",
        choices=(
            "unigram",
            "ngram",
            "portage",
            "crf",
            "crf-sparse",
            "bilingual",
            "bilingual-sparse",
        ),
        default="ngram",
        help="ngram: n-gram model and search for the best sequence (default); unigram: the "
        "most frequent form of each word; crf: n-grams and further features with learned "
        "weights (needs pip install 'truecase-crf[train]'); crf-sparse: n-grams, millions of "
        "sparse features and a hidden layer, the most accurate; portage: n-grams joined with the "
        "case of words by themselves (Agbago et al. 2005); bilingual and bilingual-sparse: crf "
        "and crf-sparse with features of the source sentence, learned from aligned text "
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
        help="learn the first word of a sentence as lowercase if that is its usual form "
        "elsewhere; default: yes",
    )
    model.add_argument(
        "--candidates",
        choices=("pruned", "full"),
        help="candidates of a word: forms seen in training (pruned, default), or also its "
        "lowercase, capitalised and upper-case forms (full)",
    )
    model.add_argument(
        "--sigma",
        metavar="SIGMA",
        type=sigma,
        help="of presets crf and bilingual: standard deviation of the weights' prior, or search, "
        "which learns on one half of the development text and judges on the other; default: 0.5",
    )
    sparse = parser.add_argument_group("with the presets crf-sparse and bilingual-sparse")
    sparse.add_argument(
        "--sparse-size",
        metavar="SIZE",
        type=size,
        help="bytes for its features, part of --max-size; default: 8 million",
    )
    sparse.add_argument(
        "--folds",
        metavar="N",
        type=whole_number(1, 100),
        help="parts of the text; weights are learned on each with the language model of the "
        "others; default: 4",
    )
    sparse.add_argument(
        "--epochs",
        metavar="N",
        type=whole_number(1, 100),
        help="passes of the weights over the text; default: 1",
    )
    sparse.add_argument(
        "--drop-punctuation",
        metavar="SHARE",
        type=float,
        help="share of the lines that lose their punctuation while weights are learned, for "
        "text from speech recognition; default: 0",
    )
    model.add_argument(
        "--marks",
        metavar="MARKS",
        help="learn these marks from CORPUS, too, in the order of its lines, for `truecase "
        'punctuate`, such as ",.?", the strongest last; `truecase train-marks` says more',
    )
    add_bitext(parser)
    small = parser.add_argument_group("its size")
    small.add_argument(
        "--prune",
        metavar="N",
        type=whole_number(0),
        nargs="+",
        help="leave out n-grams that occur no more often than this, one number per order",
    )
    small.add_argument(
        "--min-count",
        metavar="N",
        type=whole_number(1),
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
        help="with pruned candidates: leave out forms that are a smaller share of their "
        "word's occurrences; default: 0.02",
    )
    small.add_argument(
        "--keep-ngrams",
        action=argparse.BooleanOptionalAction,
        help="keep the words of the n-grams, for `truecase arpa export`; default: no",
    )
    text = parser.add_argument_group("which lines it learns from")
    add_encoding(text)
    text.add_argument(
        "--clean",
        action=argparse.BooleanOptionalAction,
        help="take out markup tags, and lines that are mostly in upper case; default: no",
    )
    text.add_argument(
        "--titles",
        choices=("all", "drop", "only"),
        help="lines that are titles: train on all lines (default), on the others, on them only",
    )
    text.add_argument(
        "--title-pattern",
        metavar="REGEX",
        action="append",
        dest="title_patterns",
        help="a line in which this is found is a title, beside those found by their case and "
        "form; may be repeated",
    )
    text.add_argument(
        "--title-detector",
        action=argparse.BooleanOptionalAction,
        help="learn to tell titles from body text, for `truecase apply --style auto`; default: no",
    )
    about = parser.add_argument_group("about the text, kept in the model")
    about.add_argument("--licence", metavar="TEXT", help="its licence")
    about.add_argument("--origin", metavar="TEXT", help="where it comes from")
    work = parser.add_argument_group("resources")
    work.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        help="memory that counting may use, such as 2G; more goes to temporary files. The "
        "model is the same",
    )
    add_threads(work)
    add_quiet(parser)
    # What is not given is as the preset has it.
    parser.set_defaults(**dict.fromkeys(OPTIONS))


def sigma(text: str) -> float | str:
    """A standard deviation, or ``search``."""
    if text == "search":
        return text
    try:
        return float(text)
    except ValueError:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number or search") from None


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.alignment.lines import SkippedLines
    from truecase.base.progress import Progress
    from truecase.base.read import STDIN
    from truecase.cli.evaluate import check_has_words
    from truecase.training.material import Bitext
    from truecase.training.train import train

    recipe = recipe_from(arguments.preset, {name: getattr(arguments, name) for name in OPTIONS})
    marks = None
    if arguments.marks is not None:
        marks = marks_recipe(arguments.marks, arguments.language or "")
    check_bitext(arguments, recipe)
    check_counts(arguments, recipe)
    read = [
        *arguments.corpus,
        arguments.counts,
        *(getattr(arguments, name) for name in ("dev", *READ_FILES)),
    ]
    # Found out now, not after an hour of training.
    check_model_output(arguments.output, read)
    if arguments.dev is not None and arguments.dev != STDIN:
        check_has_words(arguments.dev, arguments.encoding)
    text, more, development = arguments.corpus, (), arguments.dev
    if recipe.source is not None:
        text, more = arguments.target, arguments.corpus
        if development is not None:
            development = Bitext(development, arguments.dev_source, dev_alignment_file(arguments))
    skipped = SkippedLines() if arguments.skip_bad_alignments else None
    paths = [text, *more] if recipe.source else [*text]
    with Progress.for_files(paths, "reading", shows_progress(arguments)) as progress:
        trained = train(
            text,
            recipe,
            counts=arguments.counts,
            source=arguments.source,
            alignment=alignment_file(arguments),
            more=more,
            development=development,
            skipped=skipped,
            threads=arguments.threads,
            memory=arguments.memory,
            progress=progress,
            encoding=arguments.encoding,
            marks=marks,
        )
    if skipped is not None:
        skipped.report()
    note(arguments, report(trained, arguments.dev))
    with naming_errors(arguments.output):
        trained.model.save(arguments.output)
    return 0


def check_counts(arguments: argparse.Namespace, recipe: Recipe) -> None:
    """Refuse what has no effect beside counts, and counts that a preset has no use for."""
    from truecase.errors import TrainingError
    from truecase.training.counting import check_text_beside_counts

    if arguments.counts is None:
        return
    for name in ("segmentation", "language", "clean"):
        if getattr(arguments, name) is not None:
            raise UsageError(f"--{name}: the counts say how their text was read")
    if arguments.folds is not None:
        raise UsageError("--folds: weights are learned on text that was not counted: one is enough")
    if recipe.source is not None:
        raise UsageError(f"--counts: the preset {recipe.preset} needs aligned text")
    try:
        check_text_beside_counts(recipe, bool(arguments.corpus), arguments.dev is not None)
    except TrainingError as error:
        raise UsageError(str(error)) from None


def report(trained: Trained, development: str | None) -> str:
    """What training found out, and the score on the development text."""
    from truecase.training.dense import Fit

    lines = []
    fit = trained.figures.get("source", trained.figures.get("dense"))
    if isinstance(fit, Fit):
        lines.append(fit_table(fit))
    if trained.evaluation is not None:
        note = ""
        if trained.learned_on_development:
            note = "; the weights were learned on this text: judge other text with evaluate"
        lines.append(
            f"{development}: token accuracy {100 * trained.evaluation.accuracy:.2f}, "
            f"F1 {100 * trained.evaluation.f1:.2f}, {trained.evaluation.n_words:,} words{note}\n"
        )
    elif trained.learned_on_development:
        lines.append(
            f"{development}: not judged, as the last passes of training went over it: judge other "
            "text with evaluate\n"
        )
    return "".join(lines)


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
