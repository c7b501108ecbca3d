"""Models that come with the package, with their cards."""

import contextlib
import os
from collections.abc import Iterator
from importlib import resources

#: English, the default, and English that was translated from French.
EMBEDDED = ("en", "fr-en")


def is_embedded(path: str | os.PathLike[str] | None) -> bool:
    """Whether a model is one of the package's: none is named, or by name, and no file has it."""
    return path is None or (path in EMBEDDED and not os.path.exists(path))


@contextlib.contextmanager
def model_file(path: str | os.PathLike[str] | None) -> Iterator[str | os.PathLike[str]]:
    """The file of a model: that of an embedded one, or `path` itself."""
    if not is_embedded(path):
        assert path is not None
        yield path
        return
    name = EMBEDDED[0] if path is None else os.fspath(path)
    with resources.as_file(resources.files(__name__) / f"{name}.truecase") as file:
        yield file
