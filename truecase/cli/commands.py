"""The commands by name, and the reading of their arguments."""

import argparse
import importlib
import re
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn

from truecase.cli import EXIT_USAGE
from truecase.cli.flags import FLAGS, Flag, RecipeChoices, help_of, help_texts, read_text
from truecase.errors import UsageError

if TYPE_CHECKING:
    from _typeshed import SupportsWrite

#: Name of each command, and a line for the overview. `STEPS` in ``truecase.cli.NAME`` has a
#: `Command` for each step, and for "", the name alone.
COMMANDS = {
    "apply": "restore the case of a text (the default command)",
    "punctuate": "add punctuation and case to recognised speech",
    "file": "case the texts in subtitles, translations and other files",
    "table": "case columns of Parquet, Arrow, JSON lines, CSV and TSV",
    "text": "normalise, capitalise, put titles into sentence case, shift marks",
    "review": "make a page of the least certain words, and apply corrections",
    "bridge": "case before and after a machine translation system",
    "explain": "show why a line is cased as it is",
    "evaluate": "compare a model's case with a reference",
    "train": "train a model from cased text; adapt or calibrate one",
    "align": "align the words of a text with those of its translation",
    "info": "show the contents of a model; list the languages",
    "arpa": "estimate, import or export n-gram models in ARPA format",
    "completion": "print a script that completes commands in a shell",
}


class Command(NamedTuple):
    """A command or step: its arguments, and the function that runs it.

    Attributes
    ----------
    run : callable, optional
        None: the command needs the name of a step.
    arguments : mapping of str to Flag
        Positional arguments.
    flags : mapping of str to str
        Names of `FLAGS`, by the title under which help shows them.
    changes : mapping of str to mapping or Flag
        Attributes of options that differ from `FLAGS`, or an option of the command's own.
    summary : str
        A line about a step.
    help : str
        Help with examples, if ``help.txt`` has none.
    """

    run: Callable[[argparse.Namespace], None] | None = None
    arguments: Mapping[str, Flag] = {}
    flags: Mapping[str, str] = {}
    changes: Mapping[str, Mapping[str, Any] | Flag] = {}
    summary: str = ""
    help: str = ""

    def options(self) -> dict[str, Flag]:
        """Return the options of this command by name."""
        options: dict[str, Flag] = {}
        for name in " ".join(self.flags.values()).split():
            changes = self.changes.get(name, {})
            if isinstance(changes, Flag):
                options[name] = changes
            else:
                options[name] = FLAGS[name].but(**changes)
        return options


#: Changes of ``--output`` for commands that need the name of a file.
MODEL_OUTPUT: dict[str, Any] = {
    "metavar": "MODEL",
    "required": True,
    "default": None,
    "help": "the model file to write",
}


def defaults(**values: object) -> dict[str, Any]:
    """Make changes of options whose defaults differ from those in `FLAGS`."""
    return {name.replace("_", "-"): {"default": value} for name, value in values.items()}


#: A positional FILE, the same as ``--input``.
FILE_ARGUMENT = {"file": Flag("FILE", nargs="?")}


class _StoreOnce(argparse.Action):
    """Stores the value of an option; a second value is an error."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: object,
        option_string: str | None = None,
    ) -> None:
        if option_string is not None and hasattr(namespace, self.dest):
            raise argparse.ArgumentError(self, "given twice")
        setattr(namespace, self.dest, values)


class Parser(argparse.ArgumentParser):
    """A parser of one command; its namespace has only the options that were given.

    `prog` is the command's name, as it was typed; `is_default`: it was not typed, and its help is
    the overview of all commands.
    """

    def __init__(
        self, command: Command, prog: str, is_default: bool = False, **options: Any
    ) -> None:
        super().__init__(
            prog=prog,
            formatter_class=partial(argparse.RawDescriptionHelpFormatter, max_help_position=26),
            argument_default=argparse.SUPPRESS,
            allow_abbrev=False,
            add_help=False,
            usage=f"{prog} {_usage(command)}",
        )
        self.command = command
        self.is_default = is_default
        self.steps: Mapping[str, Command] = {}
        self.options = {**command.arguments, **command.options()}
        self._flags: list[tuple[argparse.Action, Flag]] = []
        self.register("action", None, _StoreOnce)
        self.register("action", "store", _StoreOnce)
        # A group adds its arguments without a formatter for each.
        positional = self.add_argument_group("arguments")
        for name, flag in command.arguments.items():
            self._add(positional, name, flag)
        for title, names in command.flags.items():
            group = self.add_argument_group(title)
            for name in names.split():
                self._add(group, f"--{name}", self.options[name])
        other = self.add_argument_group("other")
        other.add_argument("-h", "--help", action="help", help="show this and exit")
        if is_default:
            from truecase.base.model_file import __version__

            other.add_argument("--version", action="version", version=f"truecase {__version__}")

    def _add(self, group: argparse._ArgumentGroup, name: str, flag: Flag) -> None:
        options: dict[str, Any] = {}
        if flag.metavar:
            metavar = tuple(flag.metavar.split())
            options["metavar"] = metavar if len(metavar) > 1 else flag.metavar
            options["type"] = flag.type or flag.file_name
            options["choices"] = flag.choices or (
                RecipeChoices(name.removeprefix("--"), flag.recipe)
                if flag.recipe and flag.type is None
                else None
            )
            options["nargs"] = flag.nargs
            if flag.repeats:
                options["action"] = "append"
        else:
            options["action"] = argparse.BooleanOptionalAction if flag.negated else "store_true"
            options["default"] = argparse.SUPPRESS
        if flag.required:
            options["required"] = True
        names = [*(f"-{short}" for short in flag.short.split()), name]
        if flag.typed:
            names[-1], options["dest"] = f"--{flag.typed}", name.removeprefix("--")
        self._flags.append((group.add_argument(*names, **options), flag))

    def explain_options(self) -> None:
        """Give all actions their help, which takes time to make."""
        texts = help_texts()
        for action, flag in self._flags:
            name = action.dest.replace("_", "-")
            word = f"--{name}" if action.option_strings else flag.metavar
            own = texts.get(f"{self.prog.removeprefix('truecase ')} {word}") or flag.help
            action.help = help_of(name, flag, " ".join((own or texts.get(word, "")).split()))
            if isinstance(action.choices, RecipeChoices):
                action.choices = list(action.choices)

    def format_help(self) -> str:
        """Format the help."""
        if self.is_default:
            commands = _table(COMMANDS)
            return help_texts()["truecase"].format(commands=commands)
        self.explain_options()
        text = self.command.help or help_texts()[self.prog.removeprefix("truecase ")]
        self.description, _, examples = text.partition("\nexample")
        self.epilog = f"example{examples}" if examples else ""
        if self.steps:
            steps = _table({name: one.summary for name, one in self.steps.items()})
            self.epilog = f"steps:\n{steps}\n\n{self.epilog}"
        return super().format_help()

    def _print_message(self, message: str, file: "SupportsWrite[str] | None" = None) -> None:
        from truecase.cli.streams import complain, naming_errors

        if file is not None and file is sys.stdout:
            with naming_errors("standard output"):
                file.write(message)
        else:
            complain(message)

    def error(self, message: str) -> NoReturn:
        """Print one line about wrong arguments, with what may have been meant, and exit."""
        message = message.replace("ignored explicit argument", "it takes no value, found")
        _, is_word, rest = message.partition("unrecognized arguments: ")
        typed = (re.findall(r"[^\s',():]+", rest or message.partition("'")[2]) or [""])[0].lower()
        listed = re.search("(?:choose from|expected one of) ([^;]*)", message)
        names = re.findall(r"[^\s',()]+", listed[1]) if listed else []
        places = {action.metavar for action in self._actions if not action.option_strings}
        if typed in ("-m", "--model") and places & {"MODEL", "BASE"}:
            message += "; the model is given without an option"
        elif typed.startswith("-") and typed != "--":
            names = list(self._option_string_actions)
        elif is_word and "input" in self.options:
            message += "; a run reads one file, given with --input"
        from difflib import get_close_matches

        likely = [name for name in names if typed[1:] and f"-{typed}" in f"-{name}"]
        likely = likely or get_close_matches(typed, names, 2, 0.7)
        message += f"; did you mean {' or '.join(likely[:2])}?" if likely else ""
        self.exit(EXIT_USAGE, f"{self.prog}: {message} (see {self.prog} --help)\n")

    def read(self, words: Sequence[str]) -> argparse.Namespace:
        """Read the words behind a command's name; UsageError: options do not go together."""
        given = self.parse_args(words)
        if vars(given):
            check_rules(vars(given), self.prog.removeprefix("truecase").strip() or "apply")
        # Two ways to say the same.
        for name, same in (("lang", "model"), ("file", "input")):
            if hasattr(given, name):
                value = getattr(given, name)
                setattr(given, same, [value] if self.options[same].repeats else value)
        for name, flag in self.options.items():
            name = name.replace("-", "_")
            if not hasattr(given, name):
                default = flag.default
                setattr(given, name, [*default] if isinstance(default, list) else default)
        return given


def rules() -> Iterator[tuple[str, list[str], bool, list[str], str]]:
    """Read ``rules.txt``: commands, options, whether they need one of others, these, message."""
    for line in read_text("rules.txt").splitlines():
        if not line or line.startswith("#"):
            continue
        rule, _, message = line.partition(" | ")
        commands, _, pair = rule.rpartition(": ")
        needs = " needs " in pair
        options, _, others = pair.partition(" needs " if needs else " excludes ")
        usual = "{option} needs {other}" if needs else "{option} does not go together with {other}"
        yield commands, options.split(), needs, others.split(), message or usual


def check_rules(given: Mapping[str, object], command: str) -> None:
    """Raise UsageError for options that exclude each other, or would do nothing.

    `given` has the values of the options that were given, by their names with underscores.
    """
    for commands, options, needs, others, message in rules():
        if commands and command not in commands.split(", "):
            continue
        for option in options:
            found = [other for other in others if _is_given(other, given)]
            if _is_given(option, given) and bool(found) != needs:
                raise UsageError(
                    message.format(
                        option=_typed(option),
                        other=_typed((found or others)[0]),
                        name=_typed(option.partition("=")[0]),
                    )
                )


def _is_given(option: str, given: Mapping[str, object]) -> bool:
    name, _, value = option.partition("=")
    found = given.get(name.replace("-", "_"))
    # Another option may name the model, and a place the file.
    return str(found) == value if value else found is not None and found is not False


def _typed(option: str) -> str:
    name, _, value = option.partition("=")
    if name == "lang":
        return f"-l {value}".strip()
    return f"--{name} {value}".strip() if value != "True" else f"--{name}"


def _usage(command: Command) -> str:
    if command.run is None:
        return "STEP [OPTION ...]"
    words = [f"--{name} {one.metavar}" for name, one in command.options().items() if one.required]
    for flag in command.arguments.values():
        name = f"{flag.metavar} ..." if flag.nargs in ("+", "*") else flag.metavar
        words.append(f"[{name}]" if flag.nargs in ("?", "*") else name)
    return " ".join(["[OPTION ...]", *words])


def _table(rows: Mapping[str, str]) -> str:
    width = max(map(len, rows))
    return "\n".join(f"  {name:{width}}  {summary}" for name, summary in rows.items())


def steps_of(command: str) -> dict[str, Command]:
    """Load one of `COMMANDS`: its steps by name."""
    steps: dict[str, Command] = importlib.import_module(f"truecase.cli.{command}").STEPS
    return steps


def read_arguments(argv: Sequence[str]) -> tuple[Command, argparse.Namespace]:
    """Find the command that was called, and read its arguments.

    SystemExit: help was shown, or the arguments are wrong. UsageError: options do not go together.
    """
    if argv and argv[0] == "help":
        argv = [*argv[1:], "--help"]
    if not argv or argv[0] not in COMMANDS:
        parser = Parser(steps_of("apply")[""], "truecase", is_default=True)
        if argv and not argv[0].startswith("-"):
            step = argv[0] or None
            calls = [f"truecase {name} {step}" for name in COMMANDS if step in steps_of(name)]
            expected = " or ".join(calls) or f"one of {', '.join(COMMANDS)}"
            parser.error(
                f"unknown command {argv[0][:40]!r}: expected {expected}; "
                "a file to be cased is given with -i, a text on standard input"
            )
        return parser.command, parser.read(argv)
    return read_step(steps_of(argv[0]), f"truecase {argv[0]}", argv[1:])


def read_step(
    steps: Mapping[str, Command], prog: str, words: Sequence[str]
) -> tuple[Command, argparse.Namespace]:
    """Find a step of a command or program, and read its arguments, as `read_arguments` does."""
    step, rest = "", list(words)
    while rest and rest[0].strip() and f"{step} {rest[0]}".strip() in steps:
        step = f"{step} {rest.pop(0)}".strip()
    command = steps[step]
    parser = Parser(command, f"{prog} {step}".strip())
    below = steps_below(steps, step)
    if command.run is None and not (rest and rest[0].startswith("-")):
        found = f"unknown step {rest[0]!r}" if rest else "a step is required"
        parser.error(f"{found}: expected one of {', '.join(below)}")
    parser.steps = below
    return command, parser.read(rest)


def steps_below(steps: Mapping[str, Command], step: str) -> dict[str, Command]:
    """Name the steps of a command, or those of one of its steps."""
    return {
        name.removeprefix(step).strip(): one
        for name, one in steps.items()
        if name != step and name.rpartition(" ")[0] == step
    }
