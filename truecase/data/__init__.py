"""Models that come with the package, with their cards."""

import errno
import os
from types import NoneType

from truecase.errors import WrongTypeError

#: English, the default, and English software texts that were translated from French.
EMBEDDED = ("en", "fr-en")


def is_embedded(path: str | os.PathLike[str] | None) -> bool:
    """Whether a model is one of the package's: none is named, or by its bare name.

    A file of that name is given with its folder, such as ``./en``.
    """
    return path is None or os.fspath(path) in EMBEDDED


def check_model_name(path: str | os.PathLike[str]) -> None:
    """Refuse a name, without folder and suffix, that neither a model of the package nor a file has.

    Raises
    ------
    FileNotFoundError
        Its message says which models there are.
    """
    name = os.fspath(path)
    if name in EMBEDDED or os.path.basename(name) != name or "." in name or os.path.exists(name):
        return
    raise FileNotFoundError(
        errno.ENOENT,
        f"no such file, nor a model of the package, which has {' and '.join(EMBEDDED)}",
        name,
    )


def model_file(path: str | os.PathLike[str] | None) -> str | os.PathLike[str]:
    """The file of a model: that of an embedded one, or `path` itself.

    Raises
    ------
    WrongTypeError
        It is no path.
    """
    if not isinstance(path, (str, os.PathLike, NoneType)):
        raise WrongTypeError(
            f"path: expected a file or the name of an embedded model, found {type(path).__name__}"
        )
    if not is_embedded(path):
        assert path is not None
        check_model_name(path)
        return path
    # A package with compiled modules is never run from an archive.
    return os.path.join(os.path.dirname(__file__), f"{path or EMBEDDED[0]}.truecase")
