"""Every option of the command line, declared once.

A command lists the names of its options (`truecase.cli.commands.Command`). ``help.txt`` has the
help of each. An option that is a field of a recipe has the field's help, values and default;
`truecase.options` describes casing.
"""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, get_args

from truecase.options import CASING_OPTIONS, Casing, DecodeWith, SubwordForm

if TYPE_CHECKING:
    import dataclasses


# Values that name a file or a model, by their names in help.
FILES = frozenset("ARPA BASE CORPUS FILE MODEL REFERENCE SOURCE TARGET".split())


class Flag:
    """An option, or a positional argument.

    It is no named tuple, as each start of the command makes all `FLAGS`.

    Attributes
    ----------
    metavar : str
        Name of the value in help. An option without one takes no value.
    help : str
        One sentence, to which the default is added. Empty: that in ``help.txt``, or of the recipe.
    type : callable, optional
        Converts the value, or says what was expected.
    default : object
    short : str
        Its one letter.
    typed : str
        Its name as it is typed, if another option of other commands is typed alike.
    choices : iterable of str, optional
        Its values; by default those of the recipe's field.
    nargs : str, optional
        As for argparse: ``?``, ``*`` or ``+``.
    repeats : bool
        Values are collected in a list.
    negated : bool
        ``--no-NAME`` is its opposite.
    required : bool
    recipe : str
        The class in `truecase.training.recipe` that has a field of its name.
    """

    metavar: str = ""
    help: str = ""
    type: Callable[[str], object] | None = None
    default: object = None
    short: str = ""
    typed: str = ""
    choices: Sequence[str] | RecipeChoices | None = None
    nargs: str | None = None
    repeats: bool = False
    negated: bool = False
    required: bool = False
    recipe: str = ""

    def __init__(self, metavar: str = "", **attributes: Any) -> None:
        vars(self).update(attributes, metavar=metavar)

    def file_name(self, text: str) -> str:
        """Refuse an empty name of a file or model, such as a shell's variable without a value."""
        if not text and self.metavar in FILES:
            raise argparse.ArgumentTypeError("the name is empty")
        return text

    def but(self, **changes: Any) -> Flag:
        """Return the flag with other attributes."""
        return Flag(**{**vars(self), **changes})


# Types of options: each converts the typed text, or says what was expected.

_FACTORS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}
#: Numbers of options are below this.
MAX_NUMBER = 1 << 63


class Auto(str):
    """The value of ``-l auto``; a str, as ``-m auto`` gives, would name a model."""


def expecting(what: str, convert: Callable[[str], Any]) -> Callable[[str], Any]:
    """Make the type of an option: `convert`, whose ValueError becomes a message.

    The message says what was expected, or without `what` is that of the error.
    """

    def typed(text: str) -> Any:
        try:
            if what and not re.fullmatch("[ -^`-~]*", text):  # Python reads 1_0 and ١٠, too
                raise ValueError(text)
            return convert(text)
        except ValueError as error:
            message = f"{text!r}: expected {what}" if what else str(error)
            raise argparse.ArgumentTypeError(message) from None

    return typed


def _bounded(number: Any, low: int, high: int | None = None) -> Any:
    if not low <= number <= (MAX_NUMBER - 1 if high is None else high):
        raise ValueError(number)
    return number


def _bytes(text: str) -> int:
    match = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", text.strip(), re.IGNORECASE)
    number = float(match[1]) * _FACTORS[match[2].lower()] if match else -1.0
    return int(_bounded(min(number, MAX_NUMBER), 0))


def _n_processors() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def whole_number(low: int, high: int | None = None) -> Callable[[str], Any]:
    """Make the type of a whole number within bounds, both included."""
    bounds = f"{low} or more" if high is None else f"{low} to {high}"
    return expecting(f"a whole number, {bounds}", lambda text: _bounded(int(text), low, high))


def _language(text: str) -> str:
    """Check the code of a language, or find that of a name, such as German or français."""
    from truecase.kernels.text import is_turkic, primary_language
    from truecase.model.embedded import language_code

    if not text:
        raise ValueError("the name is empty")
    code = text if primary_language(text) else language_code(text) or text
    is_turkic(code)  # checks it
    return code


def _encoding(text: str) -> str:
    from truecase.base.encoding import check_encoding

    return check_encoding(text)


size = expecting("a size such as 512M or 4G", _bytes)
threads = expecting(
    "a number of threads, 0 for all", lambda text: _bounded(int(text), 0) or _n_processors()
)
share = expecting("a number from 0 to 1", lambda text: _bounded(float(text), 0, 1))
sigma = expecting("a number or search", lambda text: text if text == "search" else float(text))
odds = expecting("a number from 1 to 1e300", lambda text: Casing(min_odds=float(text)).min_odds)
language = expecting("", _language)
encoding = expecting("", _encoding)


def language_model(code: str) -> str:
    """Find the model of a language: its name or file; ``auto`` stays."""
    from truecase.model.embedded import missing_model, model_of_language

    if code == "auto":
        return Auto(code)
    found = model_of_language(language(code))
    if found is not None:
        return found
    raise argparse.ArgumentTypeError(missing_model(code))


def _casing_flag(name: str, default: str | None = None) -> Flag:
    option = CASING_OPTIONS[name]
    return Flag(help=option.help, default=default, choices=option.choices)


def flags_by_name(typed: dict[str, Flag]) -> dict[str, Flag]:
    """Set the short letter and the metavar of flags from their keys, and key them by name."""
    flags = {}
    for words, flag in typed.items():
        short, _, rest = f" {words}".rpartition(" --")
        name, _, metavar = rest.partition(" ")
        flag.short, flag.metavar = short.strip(" -"), metavar
        if not (metavar or flag.negated):
            flag.default = False
        flags[name] = flag
    return flags


def _alike(words: str, **attributes: Any) -> dict[str, Flag]:
    """Make options that differ in their names and the words for their values alone."""
    return {typed: Flag(**attributes) for typed in words.split(", ")}


# Options as they are typed, with a word for the value.

_TYPED = {
    # Files and streams
    **_alike("-i --input FILE, -o --output FILE", default="-"),
    "--encoding NAME": Flag(type=encoding),
    "--line-buffered": Flag(negated=True),
    "-j --threads N": Flag(type=threads, default=1),
    "--memory SIZE": Flag(type=size),
    **_alike("-q --quiet, --json, --html FILE, --verify, --languages"),
    # Which model
    # In training, --language is that of the text.
    "-l --lang CODE": Flag(type=language_model, typed="language"),
    "--decode-with PART": Flag(choices=get_args(DecodeWith)),
    "--copy-model": Flag(negated=True),
    "--names FILE": Flag(default=[], repeats=True),
    **_alike("-m --model MODEL"),
    # How text is cased
    "--input-case CASE": _casing_flag("input_case"),
    "--style STYLE": _casing_flag("style", "sentence"),
    "--context CONTEXT": _casing_flag("context", "line"),
    "--sentence-start HOW": _casing_flag("sentence_start"),
    "--after-colon HOW": _casing_flag("after_colon"),
    "--offices HOW": _casing_flag("offices"),
    "--min-odds N": Flag(help=CASING_OPTIONS["min_odds"].help, type=odds),
    "--title-pattern REGEX": Flag(default=[], repeats=True),
    **_alike(
        "--document-separator TEXT, --restore-sharp-s, --emphasis, --tags, "
        "--confidence, --report-changes FILE"
    ),
    # Punctuation
    "--lines HOW": Flag(default="keep", choices=("keep", "sentences")),
    **_alike("--marks MARKS, --punctuate"),
    # Translations
    "--threshold P": Flag(type=share),
    "--subwords FORM": Flag(choices=get_args(SubwordForm)),
    **_alike("--source-language CODE, --target-language CODE", type=language),
    "--records FILE": Flag(required=True),
    "--seed N": Flag(type=whole_number(1, 2**31 - 1)),
    **_alike(
        "--source FILE, --target FILE, --alignment FILE, --source-subwords FILE, "
        "--target-subwords FILE, --soft-alignment, --moses-trace, --skip-bad-alignments, "
        "--save PATH, --with PATH"
    ),
    # Files and tables
    **_alike("--include-final, --include-locked", default=False, negated=True),
    "-c --column NAME": Flag(repeats=True, required=True),
    "--source-column NAME": Flag(default=[], repeats=True),
    "--alignment-column NAME": Flag(default=[], repeats=True),
    "--confidence-column NAME": Flag(default=[], repeats=True),
    **_alike(
        "--format NAME, --field NAME, --dry-run, --suffix TEXT, --skip-bad, "
        "--delimiter SIGN, --no-header, --no-quotes, --braces, --language-column NAME"
    ),
    # Review
    "--words N": Flag(type=whole_number(1)),
    **_alike("--apply CORRECTIONS, --keep-case"),
    # Judging
    **_alike("--hypothesis FILE"),
    # Counting words before they are normalised
    "--train CORPUS": Flag(nargs="+"),
    **_alike("--save-model MODEL, --model-only"),
    # Training
    "--preset PRESET": Flag(
        default="ngram",
        choices="unigram ngram portage crf crf-neural bilingual bilingual-neural".split(),
    ),
    **_alike("--segmentation HOW, --titles WHICH, --candidates WHICH", recipe="Recipe"),
    **_alike("--phrases OF, --variant HOW, --search HOW", recipe="Recipe"),
    **_alike(
        "--clean, --keep-ngrams, --smartcase, --title-detector", negated=True, recipe="Recipe"
    ),
    "--language CODE": Flag(type=language, recipe="Recipe"),
    "--min-count N": Flag(type=whole_number(1), recipe="Recipe"),
    **_alike("--drop-punctuation SHARE, --min-share SHARE", type=share, recipe="Recipe"),
    "--order N": Flag(type=whole_number(1, 5), recipe="Recipe"),
    "--prune N": Flag(type=whole_number(0), nargs="+", recipe="Recipe"),
    "--sigma SIGMA": Flag(type=sigma, recipe="Recipe"),
    **_alike("--epochs N, --folds N", type=whole_number(1, 100), recipe="Recipe"),
    **_alike("--max-size SIZE, --table-size SIZE", type=size, recipe="Recipe"),
    **_alike("--licence TEXT, --origin TEXT", type=str, recipe="Recipe"),
    **_alike(
        "--counts FILE, --dev FILE, --dev-source FILE, --dev-alignment FILE, "
        "--dev-source-subwords FILE, --dev-target-subwords FILE"
    ),
    # Steps of training
    **_alike("--corpus FILE, --general FILE", default=[], nargs="+"),
    "--passes N": Flag(type=whole_number(0)),
    "--offset [MARK=]NATS": Flag(default=[], repeats=True),
    **_alike("--units N, --pairs N", type=whole_number(0), recipe="MarksRecipe"),
    **_alike("--map FILE"),
}

#: Every option of the command line by its name.
FLAGS = flags_by_name(_TYPED)


def recipe_field(name: str, recipe: str) -> tuple[str, dataclasses.Field[Any]]:
    """Find the path of an option in a recipe, and its field."""
    from truecase.training import recipe as recipes

    return next(
        (path, field)
        for path, field in recipes.option_fields(getattr(recipes, recipe))
        if field.metadata.get("flag") == f"--{name}"
    )


class RecipeChoices:
    """The values of a recipe's option, looked up when it is given or its help is shown."""

    def __init__(self, name: str, recipe: str) -> None:
        self._names = name, recipe

    def __iter__(self) -> Iterator[str]:
        from truecase.training import recipe as recipes

        _, field = recipe_field(*self._names)
        declared = field.type if isinstance(field.type, str) else field.type.__name__
        return iter(get_args(getattr(recipes, declared)))

    def __contains__(self, value: object) -> bool:
        return value in tuple(self)


def read_text(name: str) -> str:
    """Read a file beside this one."""
    with open(os.path.join(os.path.dirname(__file__), name), encoding="utf-8") as file:
        return file.read()


def help_texts() -> dict[str, str]:
    """Read ``help.txt``: texts by the names of commands, and of options and arguments.

    One of a command alone has the command's name in front.
    """
    sections = read_text("help.txt").split("\n= ")
    return {name: text for name, _, text in (section.partition("\n") for section in sections)}


def help_of(name: str, flag: Flag, text: str) -> str:
    """Return an option's help: `text`, or that of its recipe, and its default."""
    default = flag.default
    if flag.recipe:
        _, field = recipe_field(name, flag.recipe)
        text = text or field.metadata["help"]
        default = field.default if default is None else default
    if isinstance(default, bool):
        default = ("yes" if default else "no") if flag.negated else None
    elif isinstance(default, int) and flag.metavar == "SIZE":
        default = f"{default:,}"
    if default not in (None, "", "-", [], ()) and "default" not in text:
        text += f"; default: {default}"
    return text.replace("%", "%%")
