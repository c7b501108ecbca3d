"""``truecase arpa``: n-gram models in ARPA format, estimated, imported and exported."""

from __future__ import annotations

import argparse

from truecase.cli.help_format import HelpFormatter
from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import add_encoding, add_order, add_segmentation, size, whole_number
from truecase.cli.streams import check_model_output, check_output, naming_errors
from truecase.errors import UsageError

DESCRIPTION = """\
Estimate n-gram models, and exchange them with SRILM, KenLM and other tools as ARPA files.
"""

EPILOG = """\
examples:
  truecase arpa estimate corpus.txt --order 3 -o corpus.arpa
  truecase arpa import srilm.arpa.gz -o srilm.truecase
  truecase arpa import theta.arpa --map phi.map -o portage.truecase
  truecase arpa export my.truecase -o my.arpa

truecase arpa estimate --help, and so on, explain each.
"""

_ESTIMATE = """\
Estimate an interpolated modified Kneser-Ney model and write it as an ARPA file: the model
that lmplz of KenLM makes of the same text. Words keep their case.
"""

_ESTIMATE_EPILOG = """\
examples:
  truecase arpa estimate tokenised.txt.gz --order 3 -o model.arpa.gz
  truecase arpa estimate big.txt --order 5 --prune 0 0 1 --memory 4G -o big.arpa
"""

_IMPORT = """\
Make a truecase model from an ARPA file whose words are cased, such as SRILM, KenLM or
`truecase arpa estimate` write. With a mapping file, such as SRILM's disambig reads, it is a
model of preset portage (Agbago et al. 2005).
"""

_EXPORT = """\
Write the n-grams of a truecase model as an ARPA file. The model must have been trained with
--keep-ngrams: others hold no words, only their fingerprints.
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    commands = parser.add_subparsers(metavar="ACTION", required=True, dest="action")

    estimate = commands.add_parser(
        "estimate",
        help="text to ARPA file",
        description=_ESTIMATE,
        epilog=_ESTIMATE_EPILOG,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    estimate.add_argument(
        "corpus",
        metavar="CORPUS",
        nargs="+",
        help="text, one sentence per line, plain or compressed; - is standard input",
    )
    _add_output(
        estimate,
        "FILE",
        "ARPA file to write, in UTF-8; compressed if it ends in .gz, .xz, .bz2 or .zst",
    )
    add_segmentation(estimate, default="space")
    add_encoding(estimate)
    add_quiet(estimate)
    add_order(estimate)
    estimate.add_argument(
        "--prune",
        metavar="N",
        type=whole_number(0),
        nargs="+",
        default=[],
        help="leave out n-grams that occur no more often than this, one number per order, "
        "the last one for all higher orders too",
    )
    estimate.add_argument(
        "--memory",
        metavar="SIZE",
        type=size,
        help="memory to use, such as 2G; more goes to temporary files. The result is the same",
    )
    estimate.set_defaults(carry_out=_estimate)

    import_ = commands.add_parser(
        "import",
        help="ARPA file to truecase model",
        description=_IMPORT,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    import_.add_argument("arpa", metavar="ARPA", help="ARPA file, plain or compressed")
    _add_output(import_, "MODEL", "truecase model to write")
    add_segmentation(import_, default="space")
    add_encoding(import_)
    import_.add_argument(
        "--map",
        metavar="FILE",
        help="mapping file of SRILM's disambig, lowercase words to cased ones: makes a model "
        "of preset portage",
    )
    import_.add_argument(
        "--variant",
        choices=("product", "interpolated", "powers"),
        help="with --map: how n-grams and mapping are joined; default: product",
    )
    import_.add_argument(
        "--search",
        choices=("viterbi", "left-to-right"),
        help="with --map: best sequence, or word by word; default: viterbi",
    )
    import_.add_argument(
        "--smartcase",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="the model is of text in which first words of sentences are lowercase: capitalise "
        "them; default: no",
    )
    import_.add_argument(
        "--keep-ngrams",
        action=argparse.BooleanOptionalAction,
        default=False,
        help="keep the words, for `truecase arpa export`; default: no",
    )
    import_.set_defaults(carry_out=_import)

    export = commands.add_parser(
        "export",
        help="truecase model to ARPA file",
        description=_EXPORT,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    export.add_argument("model", metavar="MODEL", help="truecase model")
    _add_output(
        export,
        "FILE",
        "ARPA file to write, in UTF-8; compressed if it ends in .gz, .xz, .bz2 or .zst",
    )
    export.add_argument(
        "--map",
        metavar="FILE",
        help="also write the case mapping of a model of preset portage, for SRILM's disambig",
    )
    export.set_defaults(carry_out=_export)


def _add_output(parser: argparse.ArgumentParser, metavar: str, text: str) -> None:
    parser.add_argument("-o", "--output", metavar=metavar, required=True, help=text)


def run(arguments: argparse.Namespace) -> int:
    """Carry the action out."""
    return int(arguments.carry_out(arguments))


def _estimate(arguments: argparse.Namespace) -> int:
    from truecase.base.progress import Progress
    from truecase.ngram.estimate import estimate_arpa

    check_output(arguments.output, arguments.corpus)
    with (
        Progress.for_files(arguments.corpus, "reading", shows_progress(arguments)) as progress,
        naming_errors(arguments.output),
    ):
        estimate_arpa(
            arguments.corpus,
            arguments.output,
            segmentation=arguments.segmentation,
            order=arguments.order,
            prune=arguments.prune,
            memory=arguments.memory,
            progress=progress,
            language=arguments.language,
            encoding=arguments.encoding,
        )
    return 0


def _import(arguments: argparse.Namespace) -> int:
    from truecase.training.exchange import from_arpa

    check_model_output(arguments.output, [arguments.arpa, arguments.map])
    ours = {
        name: getattr(arguments, name)
        for name in ("variant", "search")
        if getattr(arguments, name) is not None
    }
    if ours and arguments.map is None:
        raise UsageError(f"--{next(iter(ours))}: only a model with a --map has it")
    truecaser = from_arpa(
        arguments.arpa,
        segmentation=arguments.segmentation,
        language=arguments.language,
        mapping=arguments.map,
        smartcase=arguments.smartcase,
        keep_ngrams=arguments.keep_ngrams,
        encoding=arguments.encoding,
        **ours,
    )
    with naming_errors(arguments.output):
        truecaser.save(arguments.output)
    return 0


def _export(arguments: argparse.Namespace) -> int:
    from truecase.errors import ModelError
    from truecase.model.model import Model
    from truecase.training.exchange import to_arpa, to_mapping

    check_output(arguments.output, [arguments.model])
    if arguments.map is not None:
        check_output(arguments.map, [arguments.model, arguments.output])
    model = Model.load(arguments.model)
    try:
        with naming_errors(arguments.output):
            to_arpa(model, arguments.output)
        if arguments.map is not None:
            with naming_errors(arguments.map):
                to_mapping(model, arguments.map)
    except ModelError as error:
        raise ModelError(f"{arguments.model}: {error}") from None
    return 0
