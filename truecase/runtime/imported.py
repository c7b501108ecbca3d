"""Modules that take long to import, used only where somebody has imported them."""

import sys
from typing import Any


def imported(name: str) -> Any:
    """A module if it is there; None if nobody has imported it, or another thread is at it.

    While a module is being imported it is among those that are there, without most of its names.
    """
    module = sys.modules.get(name)
    # The mark by which the interpreter itself knows modules that are not complete.
    if getattr(getattr(module, "__spec__", None), "_initializing", False):
        return None
    return module
