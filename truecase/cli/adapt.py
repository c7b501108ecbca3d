"""``truecase adapt``: fit a model to a domain."""

from __future__ import annotations

import argparse
import sys

from truecase.cli.options import add_threads, size, whole_number
from truecase.cli.streams import check_output, naming_errors
from truecase.cli.train import fit_table, sigma

DESCRIPTION = """\
Adapt a model of the preset crf to a domain by cased text of it. The weights of its features
are learned again on the text given by --dev, kept near those that the model has. With --corpus,
the words and n-grams of further text are mixed in, as much as --dev finds best. Without --dev,
some of the corpus is held out for it.
"""

EPILOG = """\
examples:
  truecase adapt en.truecase --dev in-domain.txt -o adapted.truecase
  truecase adapt en.truecase --corpus more.txt.gz --dev some.txt -o adapted.truecase
  truecase adapt en.truecase --corpus in-domain.txt -o adapted.truecase
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
        default=0.1,
        help="how far weights may go from the model's, a standard deviation, or search; "
        "default: 0.1",
    )
    parser.add_argument(
        "--min-count",
        metavar="N",
        type=whole_number(1),
        default=1,
        help="forms of the corpus seen less often are left to their word class; default: 1",
    )
    parser.add_argument(
        "--max-size",
        metavar="SIZE",
        type=size,
        help="size that the corpus's n-grams may add to the model file, such as 4M",
    )
    add_threads(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli.options import UsageError
    from truecase.corpus.read import read_blocks
    from truecase.crf.adapt import adapt_weights, mix_in
    from truecase.crf.holdout import Holdout
    from truecase.truecaser import Truecaser

    if arguments.dev is None and not arguments.corpus:
        raise UsageError("text of the domain is needed: --dev FILE, --corpus FILE, or both")
    check_output(arguments.output)
    model = Truecaser.load(arguments.base)
    text = b""
    if arguments.dev is not None:
        text = b"".join(read_blocks([arguments.dev]))
    if arguments.corpus:
        blocks = read_blocks(arguments.corpus)
        if arguments.dev is None:
            holdout = Holdout(blocks)
            blocks = iter(list(holdout.training()))
            text = holdout.text()
        model, tried = mix_in(
            model,
            blocks,
            text,
            min_count=arguments.min_count,
            max_size=arguments.max_size,
            threads=arguments.threads,
        )
        print(
            f"share of the domain's language model: {model.metadata['adapted']['mixture_weight']} "
            f"(log-likelihood {max(value for _, value in tried):.1f})",
            file=sys.stderr,
        )
    model, fit = adapt_weights(model, text, sigma=arguments.sigma, threads=arguments.threads)
    print(fit_table(fit), end="", file=sys.stderr)
    with naming_errors(arguments.output):
        model.save(arguments.output)
    return 0
