"""Models that other packages bring: of languages, or of anyone's own text.

A package names its models by entry points of the group ``truecase.models``. What an entry point
leads to is the path of a model file:

.. code-block:: toml

    [project.entry-points."truecase.models"]
    de = "truecase_model_de:PATH"
"""

import os

from truecase.errors import ModelError

#: The group of entry points that name models.
GROUP = "truecase.models"

#: Languages for which the project makes packages, by the code that is their model's name.
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
    """The package that brings the model of a language."""
    return f"truecase-crf-{language}"


def installed_models() -> list[str]:
    """Names of the models of other packages, sorted."""
    # Takes longer than all else that a start needs.
    from importlib.metadata import entry_points

    return sorted({entry.name for entry in entry_points(group=GROUP)})


def installed_model(name: str) -> str | None:
    """The file of a model that another package brings; None if none has the name.

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
