"""The model that a command was asked to use."""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from truecase.base.read import STDIN
from truecase.cli.flags import Auto
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.options import DecodeWith
    from truecase.rules.moses import MosesTruecaser
    from truecase.truecaser import Truecaser
    from truecase.truecaser.multilingual import MultilingualTruecaser

    CasingModel = Truecaser | MosesTruecaser


def model_of(
    arguments: argparse.Namespace, path: str | None = None, copy: bool | None = None
) -> CasingModel:
    """Load the model of ``-m`` or ``-l``, or `path`; options and errors as of `load_model`."""
    return load_model(
        path or (arguments.model if isinstance(arguments.model, str) else None),
        arguments.decode_with,
        copy,
        arguments.names,
        **{name: getattr(arguments, name, None) for name in ("after_colon", "offices", "min_odds")},
    )


def auto_model(
    arguments: argparse.Namespace, copy: bool | None = None
) -> MultilingualTruecaser | None:
    """Load the models of all installed languages for ``-l auto``; None for another model."""
    if not isinstance(arguments.model, Auto):
        return None
    from truecase.truecaser.multilingual import MultilingualTruecaser

    truecaser = MultilingualTruecaser.load(decode_with=arguments.decode_with, copy=copy)
    truecaser = truecaser.with_casing(min_odds=getattr(arguments, "min_odds", None))
    return truecaser.with_names(_checked_names(arguments.names))


# What a model of Moses' truecaser cannot do.
_MOSES_LACKS = {
    "decode_with": "{path} is a model of Moses' truecaser, a lexicon alone",
    "names": "{path} is a model of Moses' truecaser, a lexicon alone",
    "after_colon": "models of Moses' truecaser have a rule of their own",
    "offices": "models of Moses' truecaser have a rule of their own",
    "min_odds": "Moses' truecaser knows no probabilities",
}


def load_model(
    path: str | None,
    decode_with: DecodeWith | None = None,
    copy: bool | None = None,
    names: Sequence[str] = (),
    **casing: Any,
) -> CasingModel:
    """Load a model of truecase or of Moses' truecaser, or the embedded one.

    The parameters are those of `Truecaser.load` and `Truecaser.with_names`. UsageError: a model of
    Moses' truecaser is given one of these options, names come from standard input, or ``-l auto``
    was given. OSError, ValueError: the file, which the message names, is no readable model.
    """
    from truecase.model.embedded import is_embedded, model_file
    from truecase.truecaser import Truecaser

    if isinstance(path, Auto):
        raise UsageError(
            "-l auto: this command needs one language; only apply, file, table, punctuate and "
            "review identify the languages of lines"
        )
    if path is not None and not is_embedded(path):
        from truecase.rules.moses import MosesTruecaser, read_moses_model

        path = os.fspath(model_file(path))
        moses_model = read_moses_model(path)
        if moses_model is not None:
            given = {"decode_with": decode_with, "names": names, **casing}
            for name, why in _MOSES_LACKS.items():
                if given.get(name) not in (None, (), [], "as-learned"):
                    raise UsageError(f"--{name.replace('_', '-')}: {why.format(path=path)}")
            return MosesTruecaser(moses_model)
    model = Truecaser.load(path, decode_with=decode_with, copy=copy, **casing)
    return model.with_names(_checked_names(names)) if names else model


def _checked_names(files: Sequence[str]) -> Sequence[str]:
    """Files of names; UsageError if one is standard input."""
    if STDIN in files:
        raise UsageError("--names: give the name of a file; - is standard input")
    for file in files:
        os.stat(file)  # else `with_names` says that Python takes names in a list, too
    return files


def require_truecaser(model: CasingModel, message: str) -> Truecaser:
    """Raise UsageError with a message for a model of Moses' truecaser."""
    from truecase.truecaser import Truecaser

    if not isinstance(model, Truecaser):
        raise UsageError(message)
    return model


def require_source_model(model: object) -> None:
    """Raise UsageError for a model that takes no --source."""
    if not getattr(model, "takes_source", False):
        raise UsageError(
            "--source: this model does not use a source; models of the presets unigram and portage "
            "and of Moses' truecaser cannot"
        )


def sentence_start(model: CasingModel | MultilingualTruecaser, value: str | None) -> dict[str, Any]:
    """Return the option of `case_block` for --sentence-start; UsageError for models of Moses."""
    if value is None:
        return {}
    from truecase.rules.moses import MosesTruecaser

    if isinstance(model, MosesTruecaser):
        raise UsageError("--sentence-start: models of Moses' truecaser have a rule of their own")
    return {"sentence_start": value}
