"""``truecase adapt``: fit a model to a domain."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import add_encoding, add_names, add_threads, size, whole_number
from truecase.cli.streams import check_model_output, naming_errors
from truecase.cli.train import fit_table, sigma
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.training.reports import Comparison

# Errors from which on their change is told as a share, too.
_ENOUGH_FOR_SHARE = 20

DESCRIPTION = """\
Adapt a model to a domain by cased text of it, and tell how many words of text that was held out
are wrong before and after. --corpus is the text of the domain: its words and n-grams are mixed in,
and weights are learned on it. With --general, text of other kinds, some of which is learned from in
between, the model stays about as good as before in these. Give --general where the model is to case
other text, too. With --names, lists of names in their right case are kept in the model, of any
preset; they need no text.

The weights of a model of the preset crf or bilingual are learned on --dev instead, and stay near
those that the model has; without --dev, on some of the corpus, which is held out for it.
"""

EPILOG = """\
examples:
  truecase adapt en --corpus manuals.txt -o manuals.truecase
  truecase adapt en --corpus manuals.txt --general news.txt web.txt.gz -o manuals.truecase
  truecase adapt en --corpus manuals.txt --dev more-manuals.txt -o manuals.truecase
  truecase adapt en --names products.txt --names people.tbx -o ours.truecase
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("base", metavar="BASE", help="the model to adapt")
    parser.add_argument(
        "-o", "--output", metavar="MODEL", required=True, help="where the adapted model goes"
    )
    parser.add_argument(
        "--dev",
        metavar="FILE",
        help="other text of the domain, not part of the corpus, to judge the model by; default: a "
        "tenth of the corpus, which is then not learned from. For the presets crf and bilingual, "
        "to learn the weights on",
    )
    parser.add_argument(
        "--corpus",
        metavar="FILE",
        nargs="+",
        default=[],
        help="text of the domain, a sentence or segment per line",
    )
    parser.add_argument(
        "--general",
        metavar="FILE",
        nargs="+",
        default=[],
        help="cased text of other kinds, which the adapted model is to case about as well; "
        "some ten thousand words or more, of which a tenth is to judge by",
    )
    parser.add_argument(
        "--passes",
        metavar="N",
        type=whole_number(1),
        help="passes of the weights over the corpus; default: 2",
    )
    parser.add_argument(
        "--sigma",
        metavar="SIGMA",
        type=sigma,
        help="for the presets crf and bilingual: how far weights may go from the model's, a "
        "standard deviation, or search; default: 0.1",
    )
    parser.add_argument(
        "--min-count",
        metavar="N",
        type=whole_number(1),
        help="forms of the corpus seen less often are left to their word class; default: 1",
    )
    parser.add_argument(
        "--max-size",
        metavar="SIZE",
        type=size,
        help="size that the corpus may add to the model file, such as 4M",
    )
    add_names(parser)
    add_encoding(parser)
    add_threads(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.base.progress import Progress
    from truecase.errors import TrainingError
    from truecase.training.adapt import adapt
    from truecase.training.recipe import Adaptation
    from truecase.truecaser import Truecaser

    has_text = arguments.dev is not None or bool(arguments.corpus)
    if not has_text and not arguments.names:
        raise UsageError("text of the domain is needed: --dev FILE, --corpus FILE, or --names FILE")
    names = ("sigma", "passes", "min_count", "max_size")
    given = {
        name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None
    }
    if arguments.dev in (arguments.corpus or ()):
        raise UsageError("--dev and --corpus: weights are to be learned on text of its own")
    if arguments.dev is not None and arguments.dev in arguments.general:
        raise UsageError("--dev and --general: a model is not to be judged by what it learned from")
    if not arguments.corpus:
        if arguments.general:
            raise UsageError("--general: is beside --corpus, which is missing")
        for name in ("passes", "min_count", "max_size"):
            if name in given:
                raise UsageError(f"--{name.replace('_', '-')}: is about --corpus, which is missing")
    try:
        recipe = Adaptation(**given)
    except TrainingError as error:
        raise UsageError(str(error)) from None
    if not has_text:
        for name in given:
            raise UsageError(f"--{name.replace('_', '-')}: is about text, of which there is none")
        if arguments.threads != 1:
            raise UsageError("--threads: names alone need no more than one")
    texts = [*arguments.corpus, *arguments.general]
    check_model_output(arguments.output, [*texts, arguments.dev, *arguments.names])
    base = Truecaser.load(arguments.base)
    if arguments.names:
        base = base.with_names(arguments.names, encoding=arguments.encoding)
    if not has_text:
        with naming_errors(arguments.output):
            base.save(arguments.output)
        return 0
    with Progress.for_files(texts, "reading", shows_progress(arguments)) as progress:
        adapted = adapt(
            base.model,
            arguments.corpus,
            recipe,
            general=arguments.general,
            development=arguments.dev,
            threads=arguments.threads,
            progress=progress,
            encoding=arguments.encoding,
        )
    if base.model.calibration is not None:
        note(
            arguments,
            "the adapted model has no calibration, as its words have other scores: see calibrate",
        )
    if adapted.tried:
        note(
            arguments,
            "share of the domain's language model: "
            f"{adapted.model.notes['adapted']['mixture_weight']} "
            f"(log-likelihood {max(value for _, value in adapted.tried):.1f})",
        )
    if adapted.fit is not None:
        note(arguments, fit_table(adapted.fit))
    if adapted.comparisons:
        note(arguments, comparison_table(adapted.comparisons, arguments.dev))
    with naming_errors(arguments.output):
        adapted.model.save(arguments.output)
    return 0


def comparison_table(comparisons: dict[str, Comparison], development: str | None) -> str:
    """Words that are wrong before and after, a row for each text."""
    names = {"domain": development or "the domain, held out", "general": "general text, held out"}
    width = max(len(name) for name in names.values())
    rows = [f"{'wrong words':{width}}  {'of':>9} {'before':>8} {'after':>8}"]
    for name, one in comparisons.items():
        row = f"{names[name]:{width}}  {one.words:9,} {one.before:8,} {one.after:8,}"
        # Of a few errors, a share tells nothing.
        if one.before >= _ENOUGH_FOR_SHARE:
            row += f" {100 * (one.after - one.before) / one.before:+8.1f} %"
        rows.append(row)
    return "\n".join(rows) + "\n"
