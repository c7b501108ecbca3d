"""Restores the capitalisation of lowercased text.

>>> import truecase
>>> truecase.truecase("she moved from new york to the netherlands in 2009 .")
'She moved from New York to the Netherlands in 2009 .'
"""

from functools import lru_cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from truecase.modelfile.errors import ModelError
    from truecase.truecaser import Truecaser

__version__ = "0.1.0"

__all__ = ["ModelError", "Truecaser", "get_true_case", "truecase"]


def __getattr__(name: str) -> Any:
    """Import what needs NumPy and the compiled modules when it is first asked for."""
    if name == "Truecaser":
        from truecase.truecaser import Truecaser

        return Truecaser
    if name == "ModelError":
        from truecase.modelfile.errors import ModelError

        return ModelError
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])


@lru_cache(maxsize=1)
def _english() -> "Truecaser":
    """The embedded English model, loaded when it is first used."""
    from truecase.truecaser import Truecaser

    return Truecaser.load()


def truecase(text: str, input_case: str = "ignore", style: str = "sentence") -> str:
    """Case English text with the embedded model.

    Parameters
    ----------
    text : str
        One or more lines; only their case is changed.
    input_case : {"ignore", "keep", "auto"}
        What the case of the input means: nothing; words that have upper case stay as they
        are; or by line, ``ignore`` where all letters have the same case and else all words
        but the first stay.
    style : {"sentence", "title", "upper", "auto"}
        How the text comes out; see `truecase.portage.styles`.

    Returns
    -------
    str
    """
    return _english()(text, input_case, style)


def get_true_case(text: str) -> str:
    """Case English text, under the name that users of the PyPI package ``truecase`` call.

    Parameters
    ----------
    text : str

    Returns
    -------
    str
    """
    return truecase(text)
