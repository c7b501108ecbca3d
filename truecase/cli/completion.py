"""``truecase completion``: a script that completes commands and options in a shell."""

from __future__ import annotations

import argparse
from typing import Any

from truecase.cli.commands import COMMANDS, Command, Parser, steps_below, steps_of
from truecase.cli.flags import FILES, Flag
from truecase.cli.streams import write_text
from truecase.errors import TruecaseError
from truecase.model.embedded import installed_models, languages

SHELLS = ("bash", "zsh", "fish")


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    write_text("-", script(arguments.shell))


STEPS = {"": Command(run, {"shell": Flag("SHELL", choices=SHELLS)})}


def script(shell: str) -> str:
    """Make the script.

    Raises
    ------
    TruecaseError
        shtab is not installed.
    """
    try:
        import shtab
    except ModuleNotFoundError:
        raise TruecaseError("completion needs shtab: pip install shtab") from None
    parser = _whole_parser()
    _complete_files(parser, shtab.FILE)
    return f"{str(shtab.complete(parser, shell)).rstrip()}\n"


def _whole_parser() -> Parser:
    """Make one parser of all commands; the options of the default one come first."""
    parser = Parser(steps_of("apply")[""], "truecase", is_default=True)
    commands = parser.add_subparsers(metavar="COMMAND", prog="truecase")
    for name, summary in COMMANDS.items():
        _add_steps(commands, name, summary, steps_of(name), "")
    return parser


def _add_steps(
    commands: Any, name: str, summary: str, steps: dict[str, Command], step: str
) -> None:
    """Add the parser of a command or step, and those of the steps below it."""
    prog = f"truecase {name} {step}".strip()
    parser = commands.add_parser(prog.split()[-1], help=summary, prog=prog, command=steps[step])
    below = steps_below(steps, step)
    if below:
        inner = parser.add_subparsers(metavar="STEP", prog=prog)
        for word, one in below.items():
            _add_steps(inner, name, one.summary, steps, f"{step} {word}".strip())


def _complete_files(parser: argparse.ArgumentParser, files: Any) -> None:
    """Mark the arguments that take a file, in all subcommands."""
    if isinstance(parser, Parser):
        parser.explain_options()
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for below in action.choices.values():
                _complete_files(below, files)
        elif action.metavar in FILES:
            action.complete = files  # type: ignore[attr-defined]
        elif action.dest == "lang":
            action.choices = sorted({*languages(), *installed_models(), "auto", "en"})
