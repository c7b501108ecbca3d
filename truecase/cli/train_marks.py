"""``truecase train-marks``: let a model learn which marks stand between words."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import add_encoding, whole_number
from truecase.cli.streams import check_model_output, naming_errors
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.training.recipe import MarksRecipe

DESCRIPTION = """\
Let a model learn which marks stand between the words of its language, so that `truecase punctuate`
can put them. Two gated recurrent units read the words, one from either end, and say of each gap how
likely each mark is; case is decided as before.

TEXT is punctuated and cased text of the kind that is to be punctuated: transcripts of speech, for
speech. A line is what somebody says at a time, or a paragraph: lines stay in their order, and
each of them ends a sentence. Several million words are none too many. Learning takes some ten
minutes: small texts are gone over more often than large ones.
"""

EPILOG = """\
examples:
  truecase train-marks en podcasts.txt.xz -o my.truecase
  truecase train-marks en calls.txt --marks ".?" --passes 10 -o my.truecase
  truecase train-marks en talks.txt --offset=-1 --offset=,=-0.4 -o my.truecase
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "base",
        metavar="MODEL",
        help="the model that is to learn them: a file, or en; marks that it has are replaced",
    )
    parser.add_argument(
        "text", metavar="TEXT", nargs="+", help="punctuated text, plain or compressed"
    )
    parser.add_argument(
        "-o", "--output", metavar="MODEL", required=True, help="where the model goes"
    )
    parser.add_argument(
        "--marks",
        metavar="MARKS",
        default=",.?",
        help="the marks to learn, the strongest last; others in the text count as those that are "
        "most like them, ! as a full stop and : as a comma, or as none; those of Spanish that "
        "stand on their heads go in front of words; default: ,.?",
    )
    parser.add_argument(
        "--offset",
        metavar="[MARK=]NATS",
        action="append",
        default=[],
        help="what is added to the score of a mark in the end, or, without one, to that of no "
        "mark: --offset=-1 makes all marks more frequent; can be given for each",
    )
    parser.add_argument(
        "--units",
        metavar="N",
        type=whole_number(8),
        default=64,
        help="recurrent units of each direction, a multiple of 8 up to 128; default: 64",
    )
    parser.add_argument(
        "--pairs",
        metavar="N",
        type=whole_number(0),
        default=1 << 18,
        help="pairs of words that are learned as such, the most frequent ones, at most; a multiple "
        "of 4, 10 bytes of the model each; default: 262144",
    )
    parser.add_argument(
        "--passes",
        metavar="N",
        type=whole_number(1),
        default=0,
        help="over the text; default: as many as make 30 million words, from 2 to 20",
    )
    parser.add_argument(
        "--errors",
        metavar="SHARE",
        type=float,
        default=0.0,
        help="share of the words to make errors with, as recognisers do: half of them another "
        "word, the others left out or said twice; default: 0",
    )
    add_encoding(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.base.progress import Progress
    from truecase.model.model import Model
    from truecase.training.punctuation import train_marks

    if not 0 <= arguments.errors <= 1:
        raise UsageError(f"--errors {arguments.errors:g}: expected a share from 0 to 1")
    if len(set(arguments.text)) < len(arguments.text):
        raise UsageError("a text is given twice")
    check_model_output(arguments.output, arguments.text)
    model = Model.load(arguments.base)
    recipe = marks_recipe(
        arguments.marks,
        model.text.language,
        offsets=dict(map(_offset, arguments.offset)),
        n_units=arguments.units,
        n_pairs=arguments.pairs,
        passes=arguments.passes,
        misheard=arguments.errors / 2,
        dropped=arguments.errors / 4,
        doubled=arguments.errors / 4,
    )
    with Progress.for_files(arguments.text, "reading", shows_progress(arguments)) as progress:
        trained = train_marks(
            model, arguments.text, recipe, progress=progress, encoding=arguments.encoding
        )
    note(arguments, f"learned marks from {trained.notes['marks']['words']:,} words")
    with naming_errors(arguments.output):
        trained.save(arguments.output)
    return 0


def marks_recipe(marks: str, language: str = "", **options: Any) -> MarksRecipe:
    """A recipe for these marks, the strongest last, with other options of recipes."""
    from truecase.errors import TrainingError
    from truecase.training.recipe import MarksRecipe

    # To Greek, a semicolon is a question mark.
    signs = f".?!…。？！\u037e{';' if language == 'el' else ''}"
    openings = tuple(mark for mark in marks if mark in "¿¡")
    behind = tuple(mark for mark in marks if mark not in openings)
    ends = tuple(mark for mark in behind if mark in signs)
    try:
        return MarksRecipe(marks=behind, ends=ends, openings=openings, **options)
    except TrainingError as error:
        raise UsageError(str(error)) from None


def _offset(text: str) -> tuple[str, float]:
    mark, _, number = text.rpartition("=")
    try:
        return mark, float(number)
    except ValueError:
        raise UsageError(f"--offset {text}: expected a number, or a mark, = and a number") from None
