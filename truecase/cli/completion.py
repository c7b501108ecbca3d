"""``truecase completion``: a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse
from typing import Any

from truecase.cli.streams import write_text

DESCRIPTION = """\
Print a script that lets a shell complete commands, options, their values and names of files. It
is made from the commands of this version; make it again after an upgrade. Needs shtab
(pip install 'truecase-crf[completion]') to be made, not to be used.
"""

EPILOG = """\
examples:
  truecase completion bash > ~/.local/share/bash-completion/completions/truecase
  truecase completion zsh > ~/.zfunc/_truecase       # a folder of $fpath
  truecase completion fish > ~/.config/fish/completions/truecase.fish
"""

SHELLS = ("bash", "zsh", "fish")

# What stands for the values of options that are files.
_FILES = frozenset(("ARPA", "BASE", "CORPUS", "FILE", "MODEL", "REFERENCE", "SOURCE", "TARGET"))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("shell", metavar="SHELL", choices=SHELLS, help="bash, zsh or fish")


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    write_text("-", script(arguments.shell))
    return 0


def script(shell: str) -> str:
    """The script.

    Raises
    ------
    TruecaseError
        shtab is not installed.
    """
    from truecase.errors import TruecaseError

    try:
        import shtab
    except ModuleNotFoundError:
        raise TruecaseError(
            "completion needs shtab: pip install 'truecase-crf[completion]'"
        ) from None
    parser = _whole_parser()
    _complete_files(parser, shtab.FILE)
    return f"{str(shtab.complete(parser, shell)).rstrip()}\n"


def _whole_parser() -> argparse.ArgumentParser:
    """One parser of all commands; the options of the default one stand before them."""
    from truecase.cli import COMMANDS, build_parser, command_module

    parser = build_parser("apply", is_default=True)
    commands = parser.add_subparsers(metavar="COMMAND", prog="truecase")
    for name, summary in COMMANDS.items():
        module = command_module(name)
        module.add_arguments(commands.add_parser(name, help=summary))
    return parser


def _complete_files(parser: argparse.ArgumentParser, files: Any) -> None:
    """Mark what takes a file, in all subcommands."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _complete_files(below, files)
        elif action.metavar in _FILES:
            action.complete = files  # type: ignore[attr-defined]
