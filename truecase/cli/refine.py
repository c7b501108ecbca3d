"""``truecase refine``: let a model look at whole sentences where it is in doubt."""

from __future__ import annotations

import argparse

from truecase.cli.notes import add_quiet, note, shows_progress
from truecase.cli.options import add_encoding, add_threads, whole_number
from truecase.cli.streams import check_model_output, naming_errors
from truecase.errors import UsageError

DESCRIPTION = """\
Give a model of the preset crf-sparse a layer that decides words in doubt by their whole sentence:
what the model decides of all its words at first, which of them are names, what opens a name and
what closes it. Two gated recurrent units read the sentence, one from either end, and what they
learn is added to the scores of the words that the model is not sure of. Of a model of 68 million
words of English, 3 % of the errors went, most of them in news and encyclopedia; it was a seventh
slower, and the file grew by 200 kB.

TEXT is cased text that the model was NOT trained on, a million words or more, of all kinds that the
model is for: train on five sixths of what there is, and refine on the rest. On text that it was
trained on, a model is surer than it ever is later, and the layer would learn to believe it.
With --unseen, all of the text can be used: train a model on all of it, and one on each two thirds.
About 50,000 words are held out, and standard error tells how many of them are wrong before and
after.

A calibration that the model has goes, as its words get other scores: calibrate the model anew.
Beside a source the layer is not asked.
"""

EPILOG = """\
examples:
  truecase train most.txt --preset crf-sparse -o base.truecase
  truecase refine base.truecase rest.txt -o my.truecase
  truecase refine all.truecase --unseen not-a.truecase a.txt --unseen not-b.truecase b.txt \\
      --units 64 -o slower.truecase
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument("base", metavar="MODEL", help="the model to refine")
    parser.add_argument(
        "text",
        metavar="TEXT",
        nargs="*",
        help="cased text, a sentence or segment per line, plain or compressed; - is standard input",
    )
    parser.add_argument(
        "-o", "--output", metavar="MODEL", required=True, help="where the refined model goes"
    )
    parser.add_argument(
        "--unseen",
        metavar=("OTHER", "TEXT"),
        nargs="+",
        action="append",
        default=[],
        help="a part of the text that MODEL was trained on, and before it a model that was trained "
        "like MODEL on all but this part; can be given several times",
    )
    parser.add_argument(
        "--units",
        metavar="N",
        type=whole_number(8),
        default=32,
        help="recurrent units of each direction, a multiple of 8 up to 128: more of them tell "
        "more, and are slower; default: 32",
    )
    parser.add_argument(
        "--passes",
        metavar="N",
        type=whole_number(1),
        default=2,
        help="passes of the layer over the text; default: 2",
    )
    add_encoding(parser)
    add_threads(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.base.progress import Progress
    from truecase.errors import TrainingError
    from truecase.model.model import Model
    from truecase.training.context import refine
    from truecase.training.recipe import ContextRecipe

    try:
        recipe = ContextRecipe(n_units=arguments.units, passes=arguments.passes)
    except TrainingError as error:
        raise UsageError(str(error)) from None
    for other, *parts in arguments.unseen:
        if not parts:
            raise UsageError(f"--unseen {other}: text that this model has not seen is missing")
    if not arguments.text and not arguments.unseen:
        raise UsageError("text that the model was not trained on is needed: TEXT, or --unseen")
    files = [*arguments.text, *(name for _, *parts in arguments.unseen for name in parts)]
    if len(set(files)) < len(files):
        raise UsageError("a text is given twice")
    check_model_output(arguments.output, files)
    model = Model.load(arguments.base)
    unseen = [(Model.load(other), parts) for other, *parts in arguments.unseen]
    with Progress.for_files(files, "reading", shows_progress(arguments)) as progress:
        refined = refine(
            model,
            arguments.text,
            recipe,
            unseen=unseen,
            threads=arguments.threads,
            progress=progress,
            encoding=arguments.encoding,
        )
    if model.calibration is not None:
        note(
            arguments,
            "the refined model has no calibration, as its words have other scores: see calibrate",
        )
    judged = refined.judged
    note(
        arguments,
        f"wrong words of {judged.words:,} that were held out: "
        f"{judged.before:,} before, {judged.after:,} after",
    )
    with naming_errors(arguments.output):
        refined.model.save(arguments.output)
    return 0
