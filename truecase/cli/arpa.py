"""``truecase arpa``: n-gram models in ARPA format, estimated, imported and exported."""

from __future__ import annotations

import argparse
from typing import Any

from truecase.cli import streams
from truecase.cli.commands import MODEL_OUTPUT, Command, defaults
from truecase.cli.flags import Flag
from truecase.cli.transform import file_progress, given
from truecase.errors import named


def _estimate(arguments: argparse.Namespace) -> None:
    from truecase.ngram.estimate import estimate_arpa
    from truecase.ngram.kneser_ney import KneserNeyOptions

    output = streams.output_path(arguments.output, arguments.corpus)
    with (
        file_progress(arguments, arguments.corpus, "reading") as progress,
        streams.naming_errors(arguments.output),
    ):
        estimate_arpa(
            arguments.corpus,
            output,
            KneserNeyOptions(arguments.order, arguments.prune, arguments.memory),
            progress=progress,
            **given(arguments, "segmentation language encoding"),
        )


def _import(arguments: argparse.Namespace) -> None:
    from truecase.training.exchange import from_arpa

    streams.check_model_output(arguments.output, [arguments.arpa, arguments.map])
    truecaser = from_arpa(
        arguments.arpa,
        mapping=arguments.map,
        **given(arguments, "segmentation language variant search smartcase keep_ngrams encoding"),
    )
    streams.save_model(truecaser, arguments.output)


def _export(arguments: argparse.Namespace) -> None:
    from truecase.model.model import Model
    from truecase.training.exchange import to_arpa, to_mapping

    output = streams.output_path(arguments.output, [arguments.model])
    if arguments.map is not None:
        streams.check_output(arguments.map, [arguments.model, arguments.output])
    model = Model.load(arguments.model)
    with named(arguments.model):
        with streams.naming_errors(arguments.output):
            to_arpa(model, output)
        if arguments.map is not None:
            with streams.naming_errors(arguments.map):
                to_mapping(model, arguments.map)


_ARPA_OUTPUT: dict[str, Any] = {
    "required": True,
    "default": None,
    "help": "ARPA file to write, in UTF-8; compressed if it ends in .gz, .xz, .bz2 or .zst; -: "
    "standard output",
}

STEPS = {
    "": Command(),
    "estimate": Command(
        _estimate,
        {"corpus": Flag("CORPUS", nargs="+")},
        {"options": "output segmentation language encoding order prune memory quiet"},
        {"output": _ARPA_OUTPUT, **defaults(segmentation="space", language="", order=3, prune=())},
        "text to ARPA file",
    ),
    "import": Command(
        _import,
        {"arpa": Flag("ARPA")},
        {
            "options": "output segmentation language encoding map variant search smartcase "
            "keep-ngrams"
        },
        {
            "output": MODEL_OUTPUT,
            **defaults(segmentation="space", language="", smartcase=False, keep_ngrams=False),
        },
        "ARPA file to truecase model",
    ),
    "export": Command(
        _export,
        {"model": Flag("MODEL")},
        {"options": "output map"},
        {"output": _ARPA_OUTPUT},
        "truecase model to ARPA file",
    ),
}
