"""Arguments that several commands share, and the types of arguments."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Callable
from typing import Any

from truecase.cli.help_format import HelpFormatter

#: What ``-l auto`` stands for: no model, file or name, has a null character in it.
AUTO = "auto\0"

_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([kmgt]?)(?:i?b)?", re.IGNORECASE)
#: What is not below this is no number of anything here.
MAX_NUMBER = 1 << 63
_FACTORS = {"": 1, "k": 1 << 10, "m": 1 << 20, "g": 1 << 30, "t": 1 << 40}


def size(text: str) -> int:
    """A number of bytes, such as ``512M`` or ``4G``."""
    match = _SIZE.fullmatch(text.strip())
    number = float(match[1]) * _FACTORS[match[2].lower()] if match else -1.0
    if not 0 <= number < MAX_NUMBER:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a size such as 512M or 4G")
    return int(number)


def threads(text: str) -> int:
    """A number of threads; 0 is one for each processor."""
    try:
        number = int(text)
    except ValueError:
        number = -1
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text!r}: expected a number of threads, 0 for all")
    return number or _n_processors()


def _n_processors() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def whole_number(low: int, high: int | None = None) -> Callable[[str], int]:
    """Type of an argument: a whole number within bounds, both included."""

    def convert(text: str) -> int:
        bounds = f"{low} or more" if high is None else f"{low} to {high}"
        try:
            number = int(text)
        except ValueError:
            number = low - 1
        if number < low or (high is not None and number > high):
            raise argparse.ArgumentTypeError(f"{text!r}: expected a whole number, {bounds}")
        return number

    return convert


def language(text: str) -> str:
    """A code of a language."""
    from truecase.text.casing import is_turkic

    try:
        is_turkic(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None
    return text


def language_model(code: str) -> str:
    """The model of a language, by a name or its file; or `AUTO`."""
    from truecase.data import is_embedded
    from truecase.data.installed import LANGUAGES, installed_model, package_of

    if code == "auto":
        return AUTO
    # pt-BR and pt have one model unless a package has brought another.
    base = language(code).replace("_", "-").split("-")[0].lower()
    for name in (code, base):
        if is_embedded(name):
            return name
        installed = installed_model(name)
        if installed is not None:
            return installed
    if base in LANGUAGES:
        raise argparse.ArgumentTypeError(
            f"the model for {LANGUAGES[base]} is not installed: pip install {package_of(base)}"
        )
    raise argparse.ArgumentTypeError(
        f"no model for {code}: truecase train makes one of text in the language"
    )


def add_input_output(parser: argparse.ArgumentParser) -> None:
    """Where text comes from and goes to."""
    parser.add_argument(
        "-i",
        "--input",
        metavar="FILE",
        default="-",
        help="text to read, plain or compressed (gz, xz, bz2, zst); default: standard input",
    )
    parser.add_argument(
        "-o",
        "--output",
        metavar="FILE",
        default="-",
        help="where to write; a file appears whole or not at all, compressed if its name ends in "
        ".gz, .xz, .bz2 or .zst; default: standard output",
    )
    add_encoding(parser, written=True)


def encoding(text: str) -> str:
    """A character encoding that Python knows."""
    from truecase.base.encoding import check_encoding
    from truecase.errors import ReadError

    try:
        return check_encoding(text)
    except ReadError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def add_encoding(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup, written: bool = False
) -> None:
    """How text is encoded that is read, and, with `written`, what is made of it."""
    back = "; the output has the same" if written else ""
    parser.add_argument(
        "--encoding",
        metavar="NAME",
        type=encoding,
        help=f"character encoding of the text, any that Python knows{back}; default: as its byte "
        "order mark says, or UTF-8, and text that is in another encoding is an error. With utf-8 "
        "nothing is checked, and broken bytes stay as they are",
    )


def add_model(parser: argparse.ArgumentParser, several: bool = False) -> None:
    """Which model to use, or with `several` a list of models, empty if none is named."""
    more: dict[str, Any] = {"action": "append", "default": []} if several else {}
    which = parser if several else parser.add_mutually_exclusive_group()
    which.add_argument(
        "-m",
        "--model",
        metavar="MODEL",
        **more,
        help="model file, of truecase or of Moses' truecaser, or a model that comes with the "
        "package: en, the default, or fr-en, for software documentation and interfaces "
        "translated from French, with their --source; en is better for all else; or the name of "
        "one that another package has brought"
        + ("; repeat it to compare models" if several else ""),
    )
    if not several:
        which.add_argument(
            "-l",
            "--lang",
            metavar="CODE",
            dest="model",
            type=language_model,
            help="the model of a language, such as de or pt-BR: en is in the package, others are "
            "packages of their own (pip install truecase-crf-de); auto, for truecase apply alone: "
            "of each line the one of its language, of those that are installed",
        )
    parser.add_argument(
        "--decode-with",
        choices=("whole", "words", "ngram", "unigram"),
        help="use only the n-grams of the model (ngram), or only its lexicon (unigram): "
        "several times as fast, less accurate; or no layer that reads the whole sentence of words "
        "in doubt (words): a seventh faster, a little less accurate; or all features of every word "
        "(whole): slower, fewer than one word in a thousand differs; default: all of it, but of "
        "words that some of the features decide surely not the others",
    )
    add_names(parser)


def add_names(parser: argparse.ArgumentParser) -> None:
    """Lists of names in their right case."""
    parser.add_argument(
        "--names",
        metavar="FILE",
        action="append",
        default=[],
        help="names in their right case, one a line (OpenAI, van der Berg), or a term base in TBX "
        "or CSV. A name that is also common words (Apple) is favoured and its context decides; "
        "with ! in front it is always right; repeat it for more files",
    )


def add_step(
    steps: Any, name: str, does: str, description: str, epilog: str
) -> argparse.ArgumentParser:
    """The parser of one step of a command, of those that `add_subparsers` has begun."""
    parser: argparse.ArgumentParser = steps.add_parser(
        name,
        help=does,
        description=description,
        epilog=epilog,
        formatter_class=HelpFormatter,
        allow_abbrev=False,
    )
    return parser


def add_sentence_start(parser: argparse.ArgumentParser) -> None:
    """Whether first words have a capital by rule."""
    parser.add_argument(
        "--sentence-start",
        choices=("always", "learned"),
        help="always: the first word of a line, the first after a full stop, question or "
        "exclamation mark that ends a sentence, and in English I, I'm and the like have a "
        "capital by rule, and words of speech (um, f y i, theyll) are favoured in their case "
        "(default); learned: as the model's weights have it",
    )


def add_house_style(parser: argparse.ArgumentParser) -> None:
    """The case of a word that a colon introduces, and of offices."""
    parser.add_argument(
        "--after-colon",
        choices=("as-learned", "capital", "lower"),
        help="a word that a colon introduces: as the model has it (default), with a capital like "
        "the first of a sentence, or as it would be inside one, where names keep theirs; labels "
        "(Note:, Step 1:), times and addresses are not meant",
    )
    parser.add_argument(
        "--offices",
        choices=("as-learned", "capital", "lower"),
        help="offices and bodies that stand alone, in English: as the model has them (default), "
        "with a capital behind the (the President said, the Committee), or in lower case (the "
        "president said); with a name beside them (President Obama) they are as the model has them",
    )


def add_order(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """How long n-grams are."""
    parser.add_argument(
        "--order",
        metavar="N",
        type=whole_number(1, 5),
        default=3,
        help="length of the n-grams, 1 to 5; default: 3",
    )


def add_threads(parser: argparse.ArgumentParser | argparse._ArgumentGroup) -> None:
    """How many threads work."""
    parser.add_argument(
        "-j",
        "--threads",
        metavar="N",
        type=threads,
        default=1,
        help="threads to use, 0 for one per processor; default: 1. The output is the same "
        "for any number",
    )


def add_segmentation(
    parser: argparse.ArgumentParser | argparse._ArgumentGroup, default: str = "raw"
) -> None:
    """How text is cut into words, and by which case mappings."""
    parser.add_argument(
        "--segmentation",
        choices=("raw", "space"),
        default=default,
        help=f"raw: any text; space: words stand between white space; default: {default}",
    )
    parser.add_argument(
        "--language",
        metavar="CODE",
        type=language,
        default="",
        help="language of the text, such as en or pt-BR; tr (Turkish) and az (Azerbaijani) have "
        "a dotted and a dotless i, the letters of all others are raised alike",
    )


def add_line_buffered(parser: argparse.ArgumentParser) -> None:
    """When output is written."""
    parser.add_argument(
        "--line-buffered",
        action=argparse.BooleanOptionalAction,
        help="write lines as soon as they are read, instead of a block at a time; "
        "default: if input or output is a terminal",
    )
