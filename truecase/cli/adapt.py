"""``truecase adapt``: fit a model to a domain."""

from __future__ import annotations

import argparse

from truecase.cli.notes import add_quiet, note
from truecase.cli.options import (
    UsageError,
    add_encoding,
    add_names,
    add_threads,
    size,
    whole_number,
)
from truecase.cli.streams import check_model_output, naming_errors
from truecase.cli.train import fit_table, sigma

DESCRIPTION = """\
Adapt a model of the preset crf or bilingual to a domain by cased text of it. The weights of its
features are learned again on the text given by --dev, kept near those that the model has. With
--corpus, the words and n-grams of further text are mixed in, with the share that is best for
--dev. Without --dev, some of the corpus is held out for it. With --names, lists of names in
their right case are kept in the model, of any preset; they need no text.
"""

EPILOG = """\
examples:
  truecase train news.txt.gz --preset crf -o general.truecase
  truecase adapt general.truecase --dev in-domain.txt -o adapted.truecase
  truecase adapt general.truecase --corpus more.txt.gz --dev some.txt -o adapted.truecase
  truecase adapt general.truecase --corpus in-domain.txt -o adapted.truecase
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
        help="text of the domain to learn the weights on; not part of the corpus",
    )
    parser.add_argument(
        "--corpus",
        metavar="FILE",
        nargs="+",
        default=[],
        help="text of the domain whose words and n-grams are mixed in",
    )
    parser.add_argument(
        "--sigma",
        metavar="SIGMA",
        type=sigma,
        help="how far weights may go from the model's, a standard deviation, or search; "
        "default: 0.1",
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
        help="size that the corpus's n-grams may add to the model file, such as 4M",
    )
    add_names(parser)
    add_encoding(parser)
    add_threads(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.errors import TrainingError
    from truecase.training.adapt import adapt
    from truecase.training.recipe import Adaptation
    from truecase.truecaser import Truecaser

    has_text = arguments.dev is not None or bool(arguments.corpus)
    if not has_text and not arguments.names:
        raise UsageError("text of the domain is needed: --dev FILE, --corpus FILE, or --names FILE")
    names = ("sigma", "min_count", "max_size")
    given = {
        name: getattr(arguments, name) for name in names if getattr(arguments, name) is not None
    }
    if arguments.dev in (arguments.corpus or ()):
        raise UsageError("--dev and --corpus: weights are to be learned on text of its own")
    if not arguments.corpus:
        for name in ("min_count", "max_size"):
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
    check_model_output(
        arguments.output, [*(arguments.corpus or ()), arguments.dev, *arguments.names]
    )
    base = Truecaser.load(arguments.base)
    if arguments.names:
        base = base.with_names(arguments.names, encoding=arguments.encoding)
    if not has_text:
        with naming_errors(arguments.output):
            base.save(arguments.output)
        return 0
    adapted = adapt(
        base.model,
        arguments.corpus,
        recipe,
        development=arguments.dev,
        threads=arguments.threads,
        encoding=arguments.encoding,
    )
    if adapted.tried:
        note(
            arguments,
            "share of the domain's language model: "
            f"{adapted.model.notes['adapted']['mixture_weight']} "
            f"(log-likelihood {max(value for _, value in adapted.tried):.1f})",
        )
    note(arguments, fit_table(adapted.fit))
    with naming_errors(arguments.output):
        adapted.model.save(arguments.output)
    return 0
