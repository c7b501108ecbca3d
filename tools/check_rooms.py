"""Each room of the package knows the rooms before it, never those after it.

``make lint`` runs it. The order stands in ``pyproject.toml``, bottom first. Imports and cimports
count wherever they stand: at the top, in functions, under ``TYPE_CHECKING``, in stubs.

    python tools/check_rooms.py
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "truecase"
CYTHON_IMPORT = re.compile(
    r"^[ \t]*(?:from[ \t]+(?P<module>truecase[\w.]*)[ \t]+c?import"
    r"[ \t]+(?P<names>\([^)]*\)|[^\n#]*)"
    r"|c?import[ \t]+(?P<plain>truecase[\w.]*))",
    re.MULTILINE,
)


def room_of(parts: tuple[str, ...]) -> str:
    """Room of a module, given by its path or dotted name below the package."""
    return parts[0] if parts else "__init__"


def targets_of(module: str, names: list[str], rooms: list[str]) -> Iterator[str]:
    """Rooms that ``from module import names`` reaches."""
    below = tuple(module.split(".")[1:])
    if below:
        yield room_of(below)
        return
    for name in names:
        yield name if name in rooms else "__init__"


def imports_of(path: Path, rooms: list[str]) -> Iterator[tuple[int, str]]:
    """Line and room of each import of the package in a file."""
    text = path.read_text(encoding="utf-8")
    if path.suffix in (".py", ".pyi"):
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.ImportFrom) and (node.module or "").split(".")[0] == "truecase":
                names = [alias.name for alias in node.names]
                for room in targets_of(node.module or "", names, rooms):
                    yield node.lineno, room
            elif isinstance(node, ast.ImportFrom) and node.level:
                raise SystemExit(f"{path}:{node.lineno}: a relative import; write it out")
            elif isinstance(node, ast.Import):
                for alias in node.names:
                    if alias.name.split(".")[0] == "truecase":
                        yield node.lineno, room_of(tuple(alias.name.split(".")[1:]))
        return
    for match in CYTHON_IMPORT.finditer(text):
        line = text.count("\n", 0, match.start()) + 1
        if match["plain"]:
            yield line, room_of(tuple(match["plain"].split(".")[1:]))
            continue
        listed = match["names"].strip("() \n").split(",")
        names = [name.split()[0] for name in listed if name.strip()]
        for room in targets_of(match["module"], names, rooms):
            yield line, room


def problems(rooms: list[str]) -> Iterator[str]:
    """Rooms that the order lacks, and imports that go up it."""
    height = {room: place for place, room in enumerate(rooms)}
    for path in sorted(PACKAGE.rglob("*")):
        if path.suffix not in (".py", ".pyx", ".pxd", ".pyi"):
            continue
        own = room_of(path.relative_to(PACKAGE).with_suffix("").parts)
        where = path.relative_to(ROOT).as_posix()
        if own not in height:
            yield f"{where}: the room {own} is not in the order of pyproject.toml"
            continue
        for line, room in imports_of(path, rooms):
            if room not in height:
                yield f"{where}:{line}: there is no room {room}"
            elif height[room] > height[own]:
                yield f"{where}:{line}: {own} must not know {room}, which is above it"


def main() -> int:
    """Print the problems; 1 if there are any."""
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    rooms = settings["tool"]["truecase"]["rooms"]
    found = list(problems(rooms))
    for problem in found:
        print(problem)
    print(f"{len(rooms)} rooms, {len(found)} imports that go up")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
