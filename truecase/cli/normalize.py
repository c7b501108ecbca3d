"""``truecase normalize``: lowercase first words that are lowercase elsewhere."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import add_input_output, add_line_buffered, add_segmentation, add_threads
from truecase.cli.streams import check_output, naming_errors
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.smartcase.moses import MosesModel

DESCRIPTION = """\
Lowercase the capitalised first word of a sentence if its most frequent form away from
sentence starts is lowercase ("The cat" becomes "the cat", "London is" stays). Only the case
of such words changes. This prepares text for training translation and language models;
users of Moses call it truecasing. The counts of forms come from a model (--model) or from
texts (--train), often the very text that is to be normalised.
"""

EPILOG = """\
examples:
  truecase normalize --train corpus.txt -i corpus.txt -o normalized.txt
  truecase normalize --train big.txt.gz --save-model counts.en --model-only
  truecase normalize --model counts.en < in.txt > out.txt
  truecase normalize --model moses-truecase-model.en --segmentation space < tokenised.txt

Models are Moses truecase models: "word (n/total) other (n) ..." on each line. Moses' and
sacremoses' truecasers do more with them: they also raise first words, and give words within a
sentence another case. `truecase -m MODEL --input-case keep` is sacremoses' --use-known.
"""


# Options that are about the text to normalise, as they are if not given.
_OF_TEXT = (("input", "-"), ("output", "-"), ("line_buffered", None), ("threads", None))


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_input_output(parser)
    counts = parser.add_mutually_exclusive_group(required=True)
    counts.add_argument(
        "-m", "--model", metavar="MODEL", help="Moses truecase model with the counts of forms"
    )
    counts.add_argument(
        "--train",
        metavar="CORPUS",
        nargs="+",
        help="count forms in these texts first, plain or compressed",
    )
    parser.add_argument(
        "--save-model", metavar="MODEL", help="write the counts as a Moses truecase model"
    )
    parser.add_argument(
        "--model-only", action="store_true", help="only write the model, normalise nothing"
    )
    add_segmentation(parser)
    add_threads(parser)
    parser.set_defaults(threads=None)
    add_line_buffered(parser)
    add_quiet(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli.transform import transform
    from truecase.smartcase.normalize import Normalizer

    if arguments.model_only and arguments.save_model is None:
        raise UsageError("--model-only needs --save-model MODEL: where should the model go?")
    if arguments.model_only:
        for name, nothing in _OF_TEXT:
            if getattr(arguments, name) != nothing:
                option = f"--{name.replace('_', '-')}"
                raise UsageError(f"{option}: nothing is normalised with --model-only")
    if arguments.save_model is not None:
        read = [*(arguments.train or ()), arguments.model, arguments.input]
        check_output(arguments.save_model, read)
    if not arguments.model_only:
        check_output(arguments.output)
    model = _counts(arguments)
    if arguments.save_model is not None:
        with naming_errors(arguments.save_model):
            model.write(arguments.save_model)
    if arguments.model_only:
        return 0
    transform(
        Normalizer(model, arguments.segmentation, arguments.language),
        arguments.input,
        arguments.output,
        threads=arguments.threads or 1,
        line_buffered=arguments.line_buffered,
        encoding=arguments.encoding,
        label="normalising",
        progress=shows_progress(arguments),
    )
    return 0


def _counts(arguments: argparse.Namespace) -> MosesModel:
    from truecase.base.progress import Progress
    from truecase.base.read import STDIN, display_name
    from truecase.data import is_embedded
    from truecase.errors import ReadError
    from truecase.smartcase.moses import read_moses_model
    from truecase.smartcase.normalize import count_forms

    if arguments.model is not None:
        given = None
        if not is_embedded(arguments.model):
            given = read_moses_model(arguments.model)
        if given is None:
            raise ReadError(
                f"{arguments.model}: not a model of Moses' truecaser; `truecase normalize --train "
                "CORPUS --save-model MODEL` makes one"
            )
        return given
    paths: list[str] = arguments.train
    if STDIN in paths and arguments.input == STDIN and not arguments.model_only:
        raise UsageError("standard input can be read once: give the text as a file, with -i")
    from truecase.cli.transform import counted_blocks

    with Progress.for_files(paths, "counting", shows_progress(arguments)) as progress:
        counted = count_forms(
            counted_blocks(paths, progress, arguments.encoding),
            arguments.segmentation,
            arguments.language,
        )
    if not len(counted):
        raise ReadError(f"{', '.join(map(display_name, paths))}: there is no word to count")
    return counted
