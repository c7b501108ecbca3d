"""Runs the blocks of a page one after the other, as a reader would who types all of them.

All blocks of a page share a folder and Python's names. Python blocks are doctests: with
prompts, what they print is compared. Lines of console blocks that begin with ``$ `` are commands
of one shell; what stands below is what they print on both streams, ``...`` being anything. A
command must end with code 0, unless a comment names another; without a line below, it may print
what it likes.
"""

import doctest
import importlib.util
import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

from commands import CAN_FORK, server
from docs_markdown import Block

_OPTIONS = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
_SECONDS = 300
_CLIENT = str(Path(__file__).with_name("truecase_client.py"))

#: Languages whose blocks are run, and those that are for the eye.
RUN = ("python", "console")
SHOWN = ("text", "toml", "bibtex")


class Mismatch(AssertionError):
    """A block does not do what the page says."""


def run_page(page: list[Block], folder: Path) -> int:
    """Run all blocks that are to be run; returns how many those are."""
    names: dict[str, object] = {"__name__": "__main__"}
    environment = shell_environment(folder)
    n_run = 0
    before = Path.cwd()
    os.chdir(folder)
    try:
        for block in page:
            if "not run" in block.notes or not has_what_it_needs(block):
                continue
            if "file" in block.notes:
                Path(block.notes["file"]).write_text(block.text, encoding="utf-8")
            elif "output of" in block.notes:
                _compare(block, block.notes["output of"], block.text, environment)
            elif block.language == "python":
                _run_python(block, names)
            elif block.language == "console":
                _run_console(block, environment)
            else:
                continue
            n_run += 1
    finally:
        os.chdir(before)
    return n_run


def has_what_it_needs(block: Block) -> bool:
    """Whether the modules and commands that a comment names are installed."""
    needs = block.notes.get("needs")
    return needs is None or all(map(_is_installed, needs.split(", ")))


def _is_installed(name: str) -> bool:
    if name.startswith("$"):
        return shutil.which(name[1:]) is not None
    return importlib.util.find_spec(name) is not None


def shell_environment(folder: Path) -> dict[str, str]:
    """The environment of commands: ``truecase`` and ``python`` are those of the tests."""
    tools = folder.parent / f"{folder.name}-bin"
    tools.mkdir()
    run = f"-I -S {shlex.quote(_CLIENT)}" if CAN_FORK else "-m truecase"
    for name, words in (("truecase", run), ("python", "")):
        tool = tools / name
        tool.write_text(f'#!/bin/sh\nexec {shlex.quote(sys.executable)} {words} "$@"\n')
        tool.chmod(0o755)
    connection = {"TRUECASE_SERVER": str(server().fileno())} if CAN_FORK else {}
    path = f"{tools}{os.pathsep}{os.environ['PATH']}"
    return {**os.environ, **connection, "PATH": path, "COLUMNS": "80"}


def _run_python(block: Block, names: dict[str, object]) -> None:
    if ">>> " not in block.text:
        code = compile("\n" * (block.line - 1) + block.text, str(block.file), "exec")
        exec(code, names)
        return
    test = doctest.DocTestParser().get_doctest(
        block.text, names, str(block), str(block.file), block.line - 1
    )
    # what the page's earlier blocks have defined, and what this one does, stays
    test.globs = names
    report: list[str] = []
    runner = doctest.DocTestRunner(verbose=False, optionflags=_OPTIONS)
    runner.run(test, out=report.append, clear_globs=False)
    if report:
        raise Mismatch("".join(report))


def commands(block: Block) -> list[tuple[str, str]]:
    """Each command of a console block with what is to come out."""
    found: list[list[str]] = []
    lines = block.text.split("\n")[:-1]
    for number, line in enumerate(lines):
        if line.startswith("$ "):
            found.append([line[2:], ""])
        elif not found:
            raise Mismatch(f"{block}: the block does not begin with a command")
        elif not found[-1][1] and lines[number - 1].endswith("\\"):
            found[-1][0] += "\n" + line
        else:
            found[-1][1] += line + "\n"
    return [(command, output) for command, output in found]


def _run_console(block: Block, environment: dict[str, str]) -> None:
    given = commands(block)
    for number, (command, output) in enumerate(given):
        code = int(block.notes.get("exit", "0")) if number == len(given) - 1 else 0
        _compare(block, command, output, environment, code)


def _compare(
    block: Block, command: str, output: str, environment: dict[str, str], code: int = 0
) -> None:
    done = subprocess.run(
        ["bash", "-c", f"set -o pipefail; {command}"],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        timeout=_SECONDS,
        check=False,
        env=environment,
        pass_fds=[server().fileno()] if CAN_FORK else [],
    )
    said = f"{block}: $ {command}\n"
    if done.returncode != code:
        raise Mismatch(f"{said}exit code {done.returncode}, not {code}:\n{done.stdout}")
    if output and not doctest.OutputChecker().check_output(output, done.stdout, doctest.ELLIPSIS):
        raise Mismatch(f"{said}expected:\n{output}but got:\n{done.stdout}")
