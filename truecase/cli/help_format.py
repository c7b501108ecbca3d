"""How help is laid out: as written, and as wide as the terminal is."""

from __future__ import annotations

import argparse
import os
import sys
from typing import Any

_DEFAULT_COLUMNS = 80


class HelpFormatter(argparse.RawDescriptionHelpFormatter):
    """A formatter that finds its width without the module `shutil`.

    A parser makes one for each of its arguments, also where nobody asks for help, and `shutil`
    imports compressors.
    """

    def __init__(self, prog: str, **options: Any) -> None:
        super().__init__(prog, **{"width": _columns() - 2, **options})


def _columns() -> int:
    """What `shutil.get_terminal_size` says."""
    try:
        columns = int(os.environ["COLUMNS"])
    except (KeyError, ValueError):
        columns = 0
    if columns > 0:
        return columns
    if sys.__stdout__ is None:
        return _DEFAULT_COLUMNS
    try:
        return os.get_terminal_size(sys.__stdout__.fileno()).columns or _DEFAULT_COLUMNS
    except (ValueError, OSError):  # closed, or no terminal
        return _DEFAULT_COLUMNS
