"""Check that the structure of the package stays as `pyproject.toml` describes it.

``make lint`` runs this. The limits stand in ``[tool.truecase.house]``. A figure may fall freely; to
raise a limit, add a comment beside it that says why.

    python tools/check_house.py            # the figures that break a limit
    python tools/check_house.py --table    # all figures
"""

import argparse
import ast
import re
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "truecase"
SOURCES = (".py", ".pyx", ".pxd", ".pyi")
TEXTS = ("truecase", "docs", "README.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md")

IMPORT = re.compile(
    r"^(?P<indent>[ \t]*)from[ \t]+(?P<module>truecase[\w.]*)[ \t]+(?P<kind>c?import)"
    r"[ \t]+(?P<names>\([^)]*\)|[^\n#]*)",
    re.MULTILINE,
)
DOCSTRING = re.compile(r'^[ \t]*[rb]?"""(?:[^"\\]|\\.|"(?!""))*"""', re.MULTILINE)
KERNEL_FUNCTION = re.compile(
    r"^(?P<indent>[ ]*)(?:cp?def|def)\s+(?:inline\s+)?(?:[\w.*\[\],: ]+?[\s*&])?(?P<name>\w+)"
    r"\((?P<parameters>[^()]*(?:\([^()]*\)[^()]*)*)\)[^\n]*:[ \t]*(?:#[^\n]*)?\n",
    re.MULTILINE,
)
BRANCH = re.compile(r"\b(?:if|elif|for|while|except|and|or|case)\b")

#: Phrases that a reader has to read twice.
BANNED = re.compile(
    r"\b(?:[Tt]ells? of|of which|[Ww]ho has|(?<!there )is none|are none|[Ww]hoever)\b"
)


MACRO = re.compile(r"^ *#define (\w+)", re.MULTILINE)


class Function(NamedTuple):
    """A function with what makes it hard to read."""

    name: str
    parameters: int
    lines: int
    complexity: int


def package_of(module: str) -> str:
    """The package, or the module at the top, that a dotted name is in."""
    parts = module.split(".")
    return parts[1] if len(parts) > 1 else "__init__"


def sources() -> list[Path]:
    """Source files of the package, stubs included."""
    return sorted(path for path in PACKAGE.rglob("*") if path.suffix in SOURCES)


def room_of(path: Path) -> str:
    """The package that a file is in."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def count_lines(path: Path) -> tuple[int, int]:
    """Lines of code, and lines of docstrings."""
    text = path.read_text(encoding="utf-8")
    documented = set(docstrings_of(path, text))
    lines = (line.strip() for n, line in enumerate(text.splitlines(), 1) if n not in documented)
    return sum(1 for line in lines if line and not line.startswith("#")), len(documented)


def docstrings_of(path: Path, text: str) -> Iterator[int]:
    """Numbers of the lines of docstrings: of Python by its grammar, of Cython by their place."""
    if path.suffix in (".py", ".pyi"):
        for node in ast.walk(ast.parse(text)):
            value = node.value if isinstance(node, ast.Expr) else None
            if isinstance(value, ast.Constant) and isinstance(value.value, str):
                yield from range(node.lineno, (node.end_lineno or node.lineno) + 1)
        return
    for found in DOCSTRING.finditer(text):
        first = text.count("\n", 0, found.start()) + 1
        yield from range(first, first + found[0].count("\n") + 1)


def imports_of(path: Path) -> Iterator[tuple[int, str]]:
    """Line and module of each import and cimport of the package, wherever it stands."""
    text = path.read_text(encoding="utf-8")
    for found in IMPORT.finditer(text):
        line = text.count("\n", 0, found.start()) + 1
        if found["module"] != "truecase":
            yield line, found["module"]
            continue
        for name in found["names"].strip("() \n").split(","):
            if name.strip():
                yield line, f"truecase.{name.split()[0]}"


def python_functions(path: Path) -> Iterator[Function]:
    """The functions of a Python file; closures count as their own and their owner's lines."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    for node in ast.walk(tree):
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            continue
        given = node.args
        names = [arg.arg for arg in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
        n = len([name for name in names if name not in ("self", "cls")])
        first = node.body[0]
        documented = 0
        if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant):
            documented = (first.end_lineno or 0) - first.lineno + 1
        branches = (ast.If, ast.For, ast.While, ast.ExceptHandler, ast.IfExp, ast.comprehension)
        complexity = 1
        for inner in ast.walk(node):
            complexity += isinstance(inner, (*branches, ast.match_case))
            complexity += len(inner.values) - 1 if isinstance(inner, ast.BoolOp) else 0
        lines = (node.end_lineno or 0) - node.lineno + 1 - documented
        yield Function(node.name, n, lines, complexity)


def kernel_functions(path: Path) -> Iterator[Function]:
    """The functions of a Cython file, by their text."""
    text = path.read_text(encoding="utf-8")
    for found in KERNEL_FUNCTION.finditer(text):
        indent = len(found["indent"])
        rest = text[found.end() :].splitlines()
        body = []
        for line in rest:
            if line.strip() and len(line) - len(line.lstrip()) <= indent:
                break
            body.append(line)
        while body and not body[-1].strip():
            body.pop()
        code = DOCSTRING.sub("", "\n".join(body))
        bare = re.sub(r"#[^\n]*|\"[^\"\n]*\"|'[^'\n]*'", "", code)
        names = re.sub(r"\[[^]]*\]|\([^)]*\)", "", found["parameters"])
        given = [name.split("=")[0].split() for name in names.split(",")]
        n = len([words for words in given if words and words[-1] not in ("self", "cls", "*")])
        yield Function(
            found["name"], n, len(code.strip("\n").splitlines()), 1 + len(BRANCH.findall(bare))
        )


def functions() -> Iterator[tuple[Path, Function]]:
    """Every function of the package."""
    for path in sources():
        if path.suffix == ".pyi":
            continue
        found = python_functions(path) if path.suffix == ".py" else kernel_functions(path)
        for function in found:
            yield path, function


def behind_the_walk() -> set[str]:
    """Modules whose declarations ``_core.pyx`` is compiled with."""
    seen: set[str] = set()
    left = ["truecase._core"]
    while left:
        module = left.pop()
        base = ROOT.joinpath(*module.split("."))
        for path in (base.with_suffix(".pxd"), base.with_suffix(".pyx")):
            if not path.exists() or (path.suffix == ".pyx" and module != "truecase._core"):
                continue
            text = path.read_text(encoding="utf-8")
            for found in IMPORT.finditer(text):
                if found["kind"] == "cimport" and found["module"] not in seen:
                    seen.add(found["module"])
                    left.append(found["module"])
    return seen - {"truecase._core"}


def arrows() -> Counter[tuple[str, str]]:
    """How many imports lead from one package to another."""
    found: Counter[tuple[str, str]] = Counter()
    for path in sources():
        own = room_of(path)
        for _, module in imports_of(path):
            if package_of(module) != own:
                found[own, package_of(module)] += 1
    return Counter({pair: n for pair, n in found.items() if "__" not in "".join(pair)})


def public_names() -> int:
    """How many names the package has at its top."""
    tree = ast.parse((PACKAGE / "__init__.pyi").read_text(encoding="utf-8"))
    return sum(
        len([alias for alias in node.names if alias.asname])
        if isinstance(node, ast.ImportFrom)
        else 1
        for node in tree.body
        if isinstance(node, (ast.ImportFrom, ast.FunctionDef))
    )


def figures() -> dict[str, int]:
    """What the limits of ``pyproject.toml`` are compared with."""
    files = sources()
    counted = {path: count_lines(path) for path in files}
    every = list(functions())
    rooms = {room_of(path) for path in files} - {"__init__", "__main__"}
    folders = {path.parent for path in files if path.parent.parent == PACKAGE}
    return {
        "packages": len(folders),
        "rooms": len(rooms),
        "arrows": len(arrows()),
        "files": len([path for path in files if path.suffix != ".pyi" and counted[path][0]]),
        "stubs": len([path for path in files if path.suffix == ".pyi"]),
        "code_lines": sum(code for code, _ in counted.values()),
        "docstring_lines": sum(documented for _, documented in counted.values()),
        "behind_the_walk": len(behind_the_walk()),
        "names_at_the_top": public_names(),
        "many_parameters": len([1 for _, function in every if function.parameters > 7]),
        "long_functions": len([1 for _, function in every if function.lines > 80]),
        "complex_functions": len([1 for _, function in every if function.complexity > 25]),
        "short_files": len(short_files(counted)),
        "long_files": len([1 for path, (code, _) in counted.items() if code > 900]),
        "banned_phrases": len(list(banned_phrases())),
        "repeated_macros": len(repeated_macros()),
    }


def repeated_macros() -> list[str]:
    """C macros that two files define: a module that reads both takes one for the other."""
    names = Counter(
        name for path in sources() for name in set(MACRO.findall(path.read_text(encoding="utf-8")))
    )
    return [name for name, n in names.items() if n > 1]


def short_files(counted: dict[Path, tuple[int, int]]) -> list[Path]:
    """Files of fewer than 60 lines, without stubs, empty files, and ``__init__`` files."""
    return [
        path
        for path, (code, documented) in counted.items()
        if 0 < code + documented < 60
        and path.suffix != ".pyi"
        and path.stem not in ("__init__", "__main__")
        and not path.with_suffix(".pyx").exists()
    ]


def banned_phrases() -> Iterator[str]:
    """Where docstrings, comments and guides have phrases that are read twice."""
    for name in TEXTS:
        top = ROOT / name
        paths = sorted(top.rglob("*")) if top.is_dir() else [top]
        for path in paths:
            if path.suffix not in (*SOURCES, ".md", ".rst"):
                continue
            for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
                if found := BANNED.search(line):
                    yield f"{path.relative_to(ROOT)}:{number}: {found[0]!r}"


def upward_imports(order: list[str]) -> Iterator[str]:
    """Imports that go up the order of packages, and packages that it lacks."""
    height = {room: place for place, room in enumerate(order)}
    for path in sources():
        own, where = room_of(path), path.relative_to(ROOT).as_posix()
        if own not in height:
            yield f"{where}: the order in pyproject.toml lacks {own}"
            continue
        for line, module in imports_of(path):
            room = package_of(module)
            if room not in height:
                yield f"{where}:{line}: there is no package {room}"
            elif height[room] > height[own]:
                yield f"{where}:{line}: {own} must not import {room}, which is above it"


def relative_imports() -> Iterator[str]:
    """Imports that do not name the package."""
    for path in sources():
        text = path.read_text(encoding="utf-8")
        for found in re.finditer(r"^[ \t]*from[ \t]+\.", text, re.MULTILINE):
            line = text.count("\n", 0, found.start()) + 1
            yield f"{path.relative_to(ROOT)}:{line}: a relative import; write it out"


def missing_paths() -> Iterator[str]:
    """Files of the package that documentation or docstrings name and that do not exist."""
    named = re.compile(r"(?<![\w/])truecase/[a-z_0-9/]+\.(?:pyx|pxd|pyi|py|toml|txt)\b")
    for name in (*TEXTS, "bench", "tests", "fuzz", "tools"):
        top = ROOT / name
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.suffix not in (*SOURCES, ".md", ".rst") or "corpus" in path.parts:
                continue
            text = path.read_text(encoding="utf-8")
            for found in named.finditer(text):
                if not (ROOT / found[0]).exists():
                    line = text.count("\n", 0, found.start()) + 1
                    yield f"{path.relative_to(ROOT)}:{line}: there is no {found[0]}"


def problems(settings: dict[str, Any]) -> Iterator[str]:
    """Everything that breaks a limit or the order."""
    yield from relative_imports()
    yield from upward_imports(settings["rooms"])
    yield from missing_paths()
    limits = settings["house"]
    for name, value in figures().items():
        if value > limits[name]:
            yield f"{name}: {value}, more than the {limits[name]} of pyproject.toml"
    yield from list(banned_phrases())[limits["banned_phrases"] :]


def largest() -> Iterator[str]:
    """The functions that break a limit of their own, the worst first."""
    broken = [
        (path, one)
        for path, one in functions()
        if one.parameters > 7 or one.lines > 80 or one.complexity > 25
    ]
    for path, one in sorted(broken, key=lambda pair: (-pair[1].lines, pair[1].name)):
        yield (
            f"{path.relative_to(ROOT)}: {one.name}: {one.parameters} parameters, "
            f"{one.lines} lines, complexity {one.complexity}"
        )


def main() -> int:
    """Print the problems or the table; 1 if there are problems."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--table", action="store_true", help="all figures beside their limits")
    parser.add_argument("--functions", action="store_true", help="functions that break a limit")
    parser.add_argument("--short", action="store_true", help="files of fewer than 60 lines")
    parser.add_argument("--arrows", action="store_true", help="imports between packages")
    arguments = parser.parse_args()
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    settings = settings["tool"]["truecase"]
    if arguments.table:
        for name, value in figures().items():
            print(f"{name:20} {value:7,} of {settings['house'][name]:,}")
        per_package: Counter[str] = Counter()
        for path in sources():
            per_package[room_of(path)] += count_lines(path)[0]
        for name, value in per_package.most_common():
            print(f"  {name:18} {value:7,}")
    if arguments.functions:
        print(*largest(), sep="\n")
    if arguments.short:
        counted = {path: count_lines(path) for path in sources()}
        print(*(path.relative_to(ROOT) for path in short_files(counted)), sep="\n")
    if arguments.arrows:
        for (one, other), n in sorted(arrows().items()):
            print(f"{one} -> {other}: {n}")
    if arguments.table or arguments.functions or arguments.short or arguments.arrows:
        return 0
    found = list(problems(settings))
    print(*found, sep="\n")
    print(f"{len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
