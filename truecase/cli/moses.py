"""``truecase moses``: the scripts of Moses' truecaser by their names and options."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from truecase.cli.options import add_step
from truecase.cli.streams import STDOUT, check_output, naming_errors
from truecase.errors import UsageError

DESCRIPTION = """\
What train-truecaser.perl, truecase.perl and detruecase.perl of Moses do, with their options and
models, on tokenised text: for pipelines that call them. Each line comes out with one space
between its words, as there. Models are those of Moses' truecaser.
"""

EPILOG = """\
examples:
  truecase moses train --model truecase-model.en --corpus corpus.tok.en
  truecase moses truecase --model truecase-model.en < in.tok.en > out.true.en
  truecase moses detruecase < translated.true.en > translated.tok.en

truecase moses truecase --help, and so on, explain each. To case any text with a model of
truecase, see truecase --help; with one of Moses' truecaser and white space as it is,
truecase -m MODEL.
"""

_TRAIN = """\
Count the forms of words in tokenised text, and write them as a model of Moses' truecaser. The
first word of a sentence does not count.
"""

_TRAIN_EPILOG = """\
example:
  truecase moses train --model truecase-model.en --corpus corpus.tok.en

Words are in the order of the text, and of forms that are as frequent the first one is the best:
train-truecaser.perl has another order each time it runs.
"""

_TRUECASE = """\
Give the first word of each sentence its most frequent form, and every word that the model has
not seen in its form. Tags (<b>) and factors (word|NN) stay as they are.
"""

_TRUECASE_EPILOG = """\
examples:
  truecase moses truecase --model truecase-model.en < in.tok.en > out.true.en
  recogniser | truecase moses truecase --model truecase-model.en -b --asr
"""

_DETRUECASE = """\
Capitalise the first word of each sentence.
"""

_DETRUECASE_EPILOG = """\
examples:
  truecase moses detruecase < translated.true.en > translated.tok.en
  truecase moses detruecase --in translated.true.en --headline source.sgm
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    scripts = parser.add_subparsers(metavar="SCRIPT", required=True, dest="script")

    train = add_step(scripts, "train", "text to model: train-truecaser.perl", _TRAIN, _TRAIN_EPILOG)
    train.add_argument(
        *_names("model"), metavar="MODEL", required=True, help="where to write the model"
    )
    train.add_argument(
        *_names("corpus"),
        metavar="FILE",
        required=True,
        help="tokenised text in UTF-8, plain or compressed",
    )
    train.add_argument(
        *_names("possiblyUseFirstToken"),
        dest="use_first_token",
        action="store_true",
        help="also count the first word of a sentence: like any other if it is not capitalised, "
        "and by a tenth if it is the only word of its line",
    )
    train.set_defaults(carry_out=_train)

    truecase = add_step(
        scripts, "truecase", "text through a model: truecase.perl", _TRUECASE, _TRUECASE_EPILOG
    )
    truecase.add_argument(
        *_names("model"), metavar="MODEL", required=True, help="model of Moses' truecaser"
    )
    truecase.add_argument(
        "-a",
        *_names("asr"),
        action="store_true",
        help="the case of the input means nothing: every word takes its most frequent form, words "
        "that the model does not have are lowercased",
    )
    _add_unbuffered(truecase)
    truecase.set_defaults(carry_out=_truecase)

    detruecase = add_step(
        scripts,
        "detruecase",
        "first words capitalised: detruecase.perl",
        _DETRUECASE,
        _DETRUECASE_EPILOG,
    )
    detruecase.add_argument(
        *_names("in"),
        dest="input",
        metavar="FILE",
        default="-",
        help="text to read; default: standard input",
    )
    detruecase.add_argument(
        *_names("headline"),
        metavar="FILE",
        help="SGML file of NIST, with as many segments as the text has lines: of those between "
        "<hl> and </hl> all words are capitalised but articles, prepositions and the like",
    )
    _add_unbuffered(detruecase)
    detruecase.set_defaults(carry_out=_detruecase)


def _names(name: str) -> tuple[str, str]:
    """Perl takes long options behind one dash, too, and pipelines of Moses write them so."""
    return f"--{name}", f"-{name}"


def _add_unbuffered(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "-b",
        *_names("unbuffered"),
        action="store_true",
        help="write each line as soon as it is read",
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry the script out."""
    return int(arguments.carry_out(arguments))


def _train(arguments: argparse.Namespace) -> int:
    from truecase.base.read import display_name, iter_blocks
    from truecase.compat.moses import train
    from truecase.errors import ReadError

    check_output(arguments.model, [arguments.corpus])
    model = train(iter_blocks([arguments.corpus], encoding="utf-8"), arguments.use_first_token)
    if not len(model):
        raise ReadError(
            f"{display_name(arguments.corpus)}: there is no word to count; the first of a sentence "
            "counts with --possiblyUseFirstToken only"
        )
    with naming_errors(arguments.model):
        model.write(arguments.model)
    return 0


def _truecase(arguments: argparse.Namespace) -> int:
    from truecase.compat.moses import Truecase
    from truecase.errors import ReadError
    from truecase.smartcase.moses import read_moses_model

    model = read_moses_model(arguments.model)
    if model is None:
        raise ReadError(
            f"{arguments.model}: not a model of Moses' truecaser; `truecase moses train` makes one"
        )
    _through(Truecase(model, arguments.asr), "-", arguments.unbuffered)
    return 0


def _detruecase(arguments: argparse.Namespace) -> int:
    from truecase.base.read import open_bytes
    from truecase.compat.moses import Detruecase, headlines_of
    from truecase.errors import ReadError

    headlines: list[bool] = []
    if arguments.headline is not None:
        if arguments.headline == arguments.input == "-":
            raise UsageError("standard input can be read once: give --in a file, or --headline")
        with open_bytes(arguments.headline) as file:
            headlines = list(headlines_of(file))
        if not headlines:
            raise ReadError(f"{arguments.headline}: no line begins with <seg")
    _through(Detruecase(headlines), arguments.input, arguments.unbuffered)
    return 0


def _through(script: Callable[[bytes], bytes], source: str, unbuffered: bool) -> None:
    from truecase.cli.transform import transform

    transform(
        script,
        source,
        STDOUT,
        line_buffered=unbuffered or None,
        # Bytes that are no UTF-8 do not stop these scripts.
        encoding="utf-8",
        # The scripts show none.
        progress=False,
    )
