"""Restores the capitalisation of lowercased text.

>>> import truecase
>>> truecase.truecase("she moved from new york to the netherlands in 2009 .")
'She moved from New York to the Netherlands in 2009 .'

The public names stand in ``__init__.pyi``, once: type checkers read it, and so does this module
when one of them is first asked for. Some need NumPy and compiled modules, which take time to
import.
"""

import os

from truecase._installation import use_installed_package, warn_of_namesake

use_installed_package(os.path.dirname(__file__))
warn_of_namesake(os.path.dirname(__file__))

# To type checkers it is true. The module `typing` takes longer to import than all else here.
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

_modules: "dict[str, str]" = {}


def _module_of(name: str) -> "str | None":
    """The module that a public name is imported from; None for any other name."""
    if not _modules:
        stub = os.path.join(os.path.dirname(__file__), "__init__.pyi")
        with open(stub, encoding="utf-8") as file:
            for line in file:
                if line.startswith("from truecase.") and " as " in line:
                    _modules[line.split()[-1]] = line.split()[1]
    return _modules.get(name)


def __getattr__(name: str) -> "Any":
    if name == "__all__":
        _module_of("truecase")
        return sorted([*_modules, "truecase"])
    module = _module_of(name) if not name.startswith("__") or name == "__version__" else None
    if module is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(module), name)


def __dir__() -> list[str]:
    return sorted({*(name for name in globals() if name[:2] == "__"), *__getattr__("__all__")})


_english: "Any" = None


def truecase(
    text: str,
    input_case: str = "evidence",
    style: str = "sentence",
    *,
    sentence_start: str = "always",
) -> str:
    """Case English text with the embedded model.

    Parameters
    ----------
    text : str
        One or more lines; only their case is changed.
    input_case, style, sentence_start : str
        See `truecase.options.Casing`.

    Returns
    -------
    str
    """
    global _english
    if _english is None:
        from truecase.truecaser import Truecaser

        # Threads that come first together load it each; they share its file's pages.
        _english = Truecaser.load()
    cased: str = _english(text, input_case, style, sentence_start=sentence_start)
    return cased
