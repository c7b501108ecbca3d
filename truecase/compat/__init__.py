"""Names and flags of other tools over this package, one module for each of them."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from truecase.compat.truecase_package import TrueCaser, get_true_case

__all__ = ["TrueCaser", "get_true_case"]


def __getattr__(name: str) -> Any:
    # Imported when asked for: the other modules here need no model, and load fast.
    if name in __all__:
        return getattr(import_module("truecase.compat.truecase_package"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
