"""Models of other packages.

A package names its models by entry points of the group ``truecase.models``, which refer to
paths of model files:

.. code-block:: toml

    [project.entry-points."truecase.models"]
    de = "truecase_model_de:PATH"
"""

import os

from truecase.errors import ModelError

#: The group of entry points that name models.
GROUP = "truecase.models"

#: Languages for which the project makes packages, by code, which names the model.
LANGUAGES = {
    "cs": "Czech",
    "de": "German",
    "el": "Greek",
    "es": "Spanish",
    "fr": "French",
    "it": "Italian",
    "nl": "Dutch",
    "pl": "Polish",
    "pt": "Portuguese",
    "ru": "Russian",
    "sv": "Swedish",
    "tr": "Turkish",
    "uk": "Ukrainian",
}


def package_of(language: str) -> str:
    """Name of the package with a language's model."""
    return f"truecase-crf-{language}"


def installed_models() -> list[str]:
    """Names of the models of other packages, sorted."""
    # Takes longer to import than everything else at start.
    from importlib.metadata import entry_points

    return sorted({entry.name for entry in entry_points(group=GROUP)})


def installed_model(name: str) -> str | None:
    """Find the file of another package's model; None if no package has one of this name.

    Raises
    ------
    ModelError
        The package that names it is broken, or two packages name it.
    """
    from importlib.metadata import entry_points

    found = {entry.value: entry for entry in entry_points(group=GROUP, name=name)}
    if not found:
        return None
    if len(found) > 1:
        raise ModelError(f"{name}: several packages have a model of this name: {', '.join(found)}")
    (entry,) = found.values()
    try:
        path = entry.load()
    except Exception as error:
        raise ModelError(
            f"{name}: the package that has the model cannot be loaded, {entry.value}: {error}"
        ) from error
    if not isinstance(path, (str, os.PathLike)):
        raise ModelError(f"{name}: {entry.value} is {type(path).__name__}, not the path of a model")
    return os.fspath(path)
