"""Adapters to other libraries, and the names and flags of other truecasers."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from truecase.integrations.truecase_package import TrueCaser, get_true_case

__all__ = ["TrueCaser", "get_true_case"]


def __getattr__(name: str) -> Any:
    # Imported on demand, as the other modules here load fast without a model.
    if name in __all__:
        from truecase.integrations import truecase_package

        return getattr(truecase_package, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
