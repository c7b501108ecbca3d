"""A harness a file: ``check(data)`` fails where something is wrong with what was read."""

from __future__ import annotations

import ast
import importlib
from collections.abc import Iterable
from pathlib import Path
from typing import Protocol, cast

import tests_here  # noqa: F401  # whose modules harnesses import

#: All that there are.
NAMES = tuple(
    sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem[0] != "_")
)


class Harness(Protocol):
    """What a file here holds.

    Attributes
    ----------
    GUIDES : tuple of str
        Python modules and packages whose branches guide the fuzzer, as those of compiled modules
        do; to count them takes several times as long as to run them.
    MAX_LENGTH : int
        Bytes of the longest input.
    """

    GUIDES: tuple[str, ...]
    MAX_LENGTH: int

    def check(self, data: bytes) -> None:
        """Read, case, compare; raises what must not happen."""

    def seeds(self) -> Iterable[bytes]:
        """Inputs to begin with."""


def harness(name: str) -> Harness:
    """The harness of a name."""
    return cast(Harness, importlib.import_module(f"harnesses.{name}"))


def guides_of(name: str) -> tuple[str, ...]:
    """Its `Harness.GUIDES`, without importing it: they must be known before it imports them."""
    tree = ast.parse((Path(__file__).parent / f"{name}.py").read_text("utf-8"))
    for node in tree.body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "GUIDES":
            return tuple(ast.literal_eval(node.value))
    raise AttributeError(f"{name} has no GUIDES")
