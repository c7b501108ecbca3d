"""Models by name: those of the package, with their cards, and those of other packages."""

import errno
import os
from types import NoneType

from truecase.errors import WrongTypeError
from truecase.options import StrPath

#: English, the default, and English software texts that were translated from French.
EMBEDDED = ("en", "fr-en")


def is_embedded(path: StrPath | None) -> bool:
    """Whether a path is None or the name of an embedded model.

    A file of that name needs its folder, as in ``./en``.
    """
    return path is None or os.fspath(path) in EMBEDDED


def model_file(path: StrPath | None) -> StrPath:
    """Find the file of an embedded or installed model by its name, or return `path` itself.

    A file wins over an installed model of the same name.

    Raises
    ------
    WrongTypeError
        `path` is not a path.
    FileNotFoundError
        There is no file and no model of this name.
    ModelError
        The package that has the model is broken.
    """
    if not isinstance(path, (str, os.PathLike, NoneType)):
        raise WrongTypeError(
            f"path: expected a file or the name of a model, found {type(path).__name__}"
        )
    if not is_embedded(path):
        assert path is not None
        name = os.fspath(path)
        if not _is_name(name) or os.path.exists(name):
            return path
        from truecase.data.installed import installed_model

        installed = installed_model(name)
        if installed is None:
            raise FileNotFoundError(errno.ENOENT, _what_there_is(name), name)
        return installed
    # A package with compiled modules is never run from an archive.
    return os.path.join(os.path.dirname(__file__), f"{path or EMBEDDED[0]}.truecase")


def _is_name(path: str | bytes) -> bool:
    """Whether a path may name a model: no folder, no suffix, no bytes."""
    return isinstance(path, str) and os.path.basename(path) == path and "." not in path


def _what_there_is(name: str) -> str:
    """Explain which models there are, and how to get the missing one."""
    from truecase.data.installed import LANGUAGES, installed_models, package_of

    if name in LANGUAGES:
        return (
            f"no such file, and the model for {LANGUAGES[name]} is not installed: "
            f"pip install {package_of(name)}"
        )
    if name == "auto":
        return (
            "no such file, nor one model for all languages: truecase apply -l auto, and "
            "MultilingualTruecaser in Python, choose one for each line"
        )
    models = [*EMBEDDED, *installed_models()]
    return (
        f"no such file, nor a model of that name; there are {', '.join(models[:-1])} and "
        f"{models[-1]}"
    )
