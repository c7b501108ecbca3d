"""``truecase train``: make a model from plain text."""

from __future__ import annotations

import argparse
import re
from typing import TYPE_CHECKING

from truecase.cli.commands import MODEL_OUTPUT, Command
from truecase.cli.flags import Flag
from truecase.cli.streams import check_model_output, save_model
from truecase.cli.train_steps import STEPS_OF_TRAINING, fit_table, marks_recipe, usage_errors
from truecase.cli.transform import ALIGNMENT_FLAGS, alignment_file, file_progress, note
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.training.recipe import Recipe
    from truecase.training.train import Trained


# Options that name files that are read.
_READ_FILES = (
    "counts dev source target alignment source_subwords target_subwords dev_source dev_alignment "
    "dev_source_subwords dev_target_subwords"
).split()


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    from truecase.alignment.lines import SkippedLines
    from truecase.base.read import STDIN
    from truecase.cli.evaluate import check_has_words
    from truecase.training.material import Bitext
    from truecase.training.train import train

    recipe = recipe_from(arguments)
    marks = None
    if arguments.marks is not None:
        marks = marks_recipe(arguments.marks, arguments.language or "")
    _check_texts(arguments, recipe)
    read = [*arguments.corpus, *(getattr(arguments, name) for name in _READ_FILES)]
    # Check now, not after an hour of training.
    check_model_output(arguments.output, read)
    if arguments.dev is not None and arguments.dev != STDIN:
        check_has_words(arguments.dev, arguments.encoding)
    text, more, development = arguments.corpus, (), arguments.dev
    if recipe.source is not None:
        text, more = arguments.target, arguments.corpus
        if development is not None:
            development = Bitext(
                development, arguments.dev_source, alignment_file(arguments, "dev_")
            )
    skipped = SkippedLines() if arguments.skip_bad_alignments else None
    paths = [text, *more] if recipe.source else [*text]
    with file_progress(arguments, paths, "reading") as progress:
        trained = train(
            text,
            recipe,
            counts=arguments.counts,
            source=arguments.source,
            alignment=alignment_file(arguments),
            more=more,
            development=development,
            skipped=skipped,
            threads=arguments.threads,
            memory=arguments.memory,
            progress=progress,
            encoding=arguments.encoding,
            marks=marks,
        )
    if skipped is not None:
        skipped.report()
    note(arguments, _report(trained, arguments.dev))
    save_model(trained.model, arguments.output)


STEPS = {
    "": Command(
        run,
        {"corpus": Flag("CORPUS", nargs="*", default=())},
        {
            "options": "output dev counts memory threads quiet",
            "the model": "preset variant search order segmentation language smartcase candidates "
            "sigma marks",
            "with the presets crf-neural, crf-sparse and bilingual-sparse": "folds epochs "
            "drop-punctuation sparse-size",
            "with the presets bilingual and bilingual-sparse": f"source target {ALIGNMENT_FLAGS} "
            "dev-source dev-alignment dev-source-subwords dev-target-subwords "
            "skip-bad-alignments source-language phrases table-size",
            "its size": "prune min-count max-size min-share keep-ngrams",
            "which lines it learns from": "encoding clean titles title-pattern title-detector",
            "about the text, kept in the model": "licence origin",
        },
        {"output": MODEL_OUTPUT, "title-pattern": {"default": None}},
    ),
    **STEPS_OF_TRAINING,
}


def _check_texts(arguments: argparse.Namespace, recipe: Recipe) -> None:
    """Refuse texts that are missing, and texts that a preset does not use."""
    from truecase.training.train import check_text_beside_counts

    if recipe.source is not None:
        if None in (arguments.source, arguments.target, arguments.alignment):
            raise UsageError(f"--preset {arguments.preset} needs --source, --target, --alignment")
        if (arguments.dev is None) != (arguments.dev_source is None):
            raise UsageError("--dev and --dev-source: each needs the other")
        dev_subwords = (arguments.dev_source_subwords, arguments.dev_target_subwords)
        if arguments.subwords and arguments.dev_alignment and None in dev_subwords:
            raise UsageError(
                "--subwords: the --dev-alignment needs --dev-source-subwords and "
                "--dev-target-subwords"
            )
    elif not arguments.corpus and arguments.counts is None:
        raise UsageError("there is neither a CORPUS to train on nor --counts")
    if arguments.counts is not None:
        with usage_errors():
            check_text_beside_counts(recipe, bool(arguments.corpus), arguments.dev is not None)


def _report(trained: Trained, development: str | None) -> str:
    """Write the results of training, and the score on the development text."""
    from truecase.training.dense import Fit

    lines = []
    fit = trained.figures.get("source", trained.figures.get("dense"))
    if isinstance(fit, Fit):
        lines.append(fit_table(fit))
    if trained.evaluation is not None:
        note = ""
        if trained.learned_on_development:
            note = "; the weights were learned on this text: judge other text with evaluate"
        lines.append(
            f"{development}: token accuracy {100 * trained.evaluation.accuracy:.2f}, "
            f"F1 {100 * trained.evaluation.f1:.2f}, {trained.evaluation.n_words:,} words{note}\n"
        )
    elif trained.learned_on_development:
        lines.append(
            f"{development}: not judged, as the last passes of training went over it: judge other "
            "text with evaluate\n"
        )
    return "".join(lines)


def recipe_from(arguments: argparse.Namespace) -> Recipe:
    """Make the recipe of ``--preset`` with the given options of recipes.

    UsageError: the preset has no such option, or a value is out of range.
    """
    from truecase.errors import OptionError, StyleError, TrainingError
    from truecase.training.recipe import recipe_of

    recipe, options = recipe_of(arguments.preset), {}
    paths = _flags_by_path()
    # Several parts have options of one name; a preset has one of these parts, or none.
    offered = {flag for path, flag in paths.items() if recipe.has_option(path)}
    for path, flag in paths.items():
        value = getattr(arguments, flag[2:].replace("-", "_"), None)
        if value is not None and (recipe.has_option(path) or flag not in offered):
            options[path] = tuple(value) if isinstance(value, list) else value
    try:
        return recipe.with_options(options)
    except OptionError as error:
        raise UsageError(f"{with_flags(error.option)}: {error.reason}") from None
    except (TrainingError, StyleError) as error:
        raise UsageError(with_flags(str(error))) from None


def with_flags(message: str) -> str:
    """Replace the option at the start of a recipe's message by its flag.

    The message has its last name (``min_share 2.0: …``) or its path.
    """
    first = re.split("[: ]", message, maxsplit=1)[0]
    for path, flag in _flags_by_path().items():
        if first in (path.rpartition(".")[2], flag[2:].replace("-", "_")):
            message = flag + message.removeprefix(first) if message.startswith(first) else message
        if "." in path:
            message = message.replace(path, flag)
    return message


def _flags_by_path() -> dict[str, str]:
    from truecase.training.recipe import Recipe, option_fields

    return {
        path: field.metadata["flag"]
        for path, field in option_fields(Recipe)
        if "flag" in field.metadata
    }
