"""Arguments of commands as options of recipes."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING

from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.training.recipe import Recipe

#: Where a recipe has what an argument says.
OPTIONS: Mapping[str, str] = {
    "segmentation": "text.segmentation",
    "language": "text.language",
    "clean": "filters.clean",
    "titles": "filters.titles",
    "title_patterns": "filters.title_patterns",
    "title_detector": "filters.title_detector",
    "min_count": "lexicon.min_count",
    "min_share": "lexicon.min_share",
    "candidates": "lexicon.candidates",
    "smartcase": "lexicon.smartcase",
    "order": "lm.order",
    "prune": "lm.prune",
    "keep_ngrams": "lm.keep_ngrams",
    "sigma": "dense.sigma",
    "sparse_size": "sparse.size",
    "folds": "sparse.folds",
    "epochs": "sparse.epochs",
    "drop_punctuation": "sparse.drop_punctuation",
    "source_language": "source.language",
    "phrases": "source.translation.phrases",
    "table_size": "source.translation.table_size",
    "variant": "portage.variant",
    "search": "portage.search",
    "max_size": "max_size",
    "origin": "origin",
    "licence": "licence",
}

# Arguments that are not named as their flags.
_FLAGS = {"title_patterns": "--title-pattern"}


def recipe_from(preset: str, given: Mapping[str, object]) -> Recipe:
    """The recipe of a preset with what was given on the command line.

    Parameters
    ----------
    preset : str
    given : mapping of str to object
        Values of `OPTIONS`; None is what was not given.

    Raises
    ------
    UsageError
        The preset has no such option, or a value is none for it.
    """
    from truecase.errors import OptionError, StyleError, TrainingError
    from truecase.training.recipe import recipe_of

    options = {
        OPTIONS[name]: tuple(value) if isinstance(value, list) else value
        for name, value in given.items()
        if value is not None
    }
    try:
        return recipe_of(preset).with_options(options)
    except OptionError as error:
        name = next(name for name, path in OPTIONS.items() if path == error.option)
        raise UsageError(f"{_flag(name)}: {error.reason}") from None
    except (TrainingError, StyleError) as error:
        raise UsageError(with_flags(str(error))) from None


def _flag(name: str) -> str:
    return _FLAGS.get(name, f"--{name.replace('_', '-')}")


def with_flags(message: str) -> str:
    """A message about a recipe, with flags for the options that it names.

    An option is named at the start, by its last name (``min_share 2.0: …``), or by its path.
    """
    first = re.split("[: ]", message, maxsplit=1)[0]
    if first in OPTIONS:
        message = _flag(first) + message.removeprefix(first)
    for name, path in OPTIONS.items():
        if "." in path:
            message = message.replace(path, _flag(name))
    return message
