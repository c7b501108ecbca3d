"""``python -m``: the scripts of Moses' truecaser by their names and options."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Sequence

from truecase.cli import main as run_main
from truecase.cli.commands import Command, read_step
from truecase.cli.flags import Flag
from truecase.cli.streams import STDOUT, check_output, naming_errors
from truecase.errors import ReadError, UsageError
from truecase.integrations.moses import Detruecase, Truecase, headlines_of, train

PROGRAM = f"python -m {__name__.removesuffix('_command')}"

_MOSES = f"""\
What train-truecaser.perl, truecase.perl and detruecase.perl of Moses do, with their options and
models, on tokenised text: for pipelines that call them. Each line comes out with one space
between its words, as there. Models are those of Moses' truecaser.

examples:
  {PROGRAM} train --model truecase-model.en --corpus corpus.tok.en
  {PROGRAM} truecase --model truecase-model.en < in.tok.en > out.true.en
  {PROGRAM} detruecase < translated.true.en > translated.tok.en

To case any text with a model of truecase, see truecase --help; with one of Moses' truecaser and
white space as it is, truecase -m MODEL.
"""

_TRAIN = """\
Count the forms of words in tokenised text, and write them as a model of Moses' truecaser. The
first word of a sentence does not count. Words are in the order of the text, and of forms that are
as frequent the first one is the best: train-truecaser.perl has another order each time it runs.
"""

_TRUECASE = """\
Give the first word of each sentence its most frequent form, and every word that the model has
not seen in its form. Tags (<b>) and factors (word|NN) stay as they are.
"""

_DETRUECASE = """\
Capitalise the first word of each sentence.
"""


def _train(arguments: argparse.Namespace) -> None:
    from truecase.base.read import display_name, iter_blocks

    check_output(arguments.model, [arguments.corpus])
    use_first = arguments.possiblyUseFirstToken
    model = train(iter_blocks([arguments.corpus], encoding="utf-8"), use_first)
    if not len(model):
        raise ReadError(
            f"{display_name(arguments.corpus)}: there is no word to count; the first of a sentence "
            "counts with --possiblyUseFirstToken only"
        )
    with naming_errors(arguments.model):
        model.write(arguments.model)


def _truecase(arguments: argparse.Namespace) -> None:
    from truecase.rules.moses import read_moses_model

    model = read_moses_model(arguments.model)
    if model is None:
        raise ReadError(
            f"{arguments.model}: not a model of Moses' truecaser; `{PROGRAM} train` makes one"
        )
    _transform(Truecase(model, arguments.asr), "-", arguments.unbuffered)


def _detruecase(arguments: argparse.Namespace) -> None:
    from truecase.base.read import open_bytes

    source = getattr(arguments, "in")
    headlines: list[bool] = []
    if arguments.headline is not None:
        if arguments.headline == source == "-":
            raise UsageError("standard input can be read once: give --in a file, or --headline")
        with open_bytes(arguments.headline) as file:
            headlines = list(headlines_of(file))
        if not headlines:
            raise ReadError(f"{arguments.headline}: no line begins with <seg")
    _transform(Detruecase(headlines), source, arguments.unbuffered)


def _transform(script: Callable[[bytes], bytes], source: str, unbuffered: bool) -> None:
    from truecase.cli.transform import transform

    options = argparse.Namespace(
        input=source,
        output=STDOUT,
        line_buffered=unbuffered or None,
        # Bytes that are no UTF-8 do not stop these scripts, which show no progress.
        encoding="utf-8",
        quiet=True,
    )
    transform(script, options)


# Perl takes long options behind one dash, too, and pipelines of Moses write them so.
_FLAGS = {
    "model": Flag("model of Moses' truecaser", "MODEL", required=True, short="model"),
    "corpus": Flag(
        "tokenised text in UTF-8, plain or compressed", "FILE", required=True, short="corpus"
    ),
    "possiblyUseFirstToken": Flag(
        "also count the first word of a sentence: like any other if it is not capitalised, and by "
        "a tenth if it is the only word of its line",
        default=False,
        short="possiblyUseFirstToken",
    ),
    "asr": Flag(
        "the case of the input means nothing: every word takes its most frequent form, words that "
        "the model does not have are lowercased",
        default=False,
        short="a asr",
    ),
    "in": Flag("text to read; default: standard input", "FILE", default="-", short="in"),
    "headline": Flag(
        "SGML file of NIST, with as many segments as the text has lines: of those between <hl> and "
        "</hl> all words are capitalised but articles, prepositions and the like",
        "FILE",
        short="headline",
    ),
    "unbuffered": Flag(
        "write each line as soon as it is read", default=False, short="b unbuffered"
    ),
}
_CHANGES = {name: flag._asdict() for name, flag in _FLAGS.items()}

STEPS = {
    "": Command(help=_MOSES),
    "train": Command(
        _train,
        help=_TRAIN,
        flags={"options": "model corpus possiblyUseFirstToken"},
        changes=_CHANGES,
        summary="text to model: train-truecaser.perl",
    ),
    "truecase": Command(
        _truecase,
        help=_TRUECASE,
        flags={"options": "model asr unbuffered"},
        changes=_CHANGES,
        summary="text through a model: truecase.perl",
    ),
    "detruecase": Command(
        _detruecase,
        help=_DETRUECASE,
        flags={"options": "in headline unbuffered"},
        changes=_CHANGES,
        summary="first words capitalised: detruecase.perl",
    ),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run the scripts' command line; returns the exit code of `truecase.cli.main`."""
    return run_main(argv, lambda words: read_step(STEPS, PROGRAM, words))
