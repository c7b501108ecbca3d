"""``truecase train``: make a model from plain text."""

from __future__ import annotations

import argparse
import contextlib
import os
import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from truecase.cli.commands import MODEL_OUTPUT, Command, defaults
from truecase.cli.flags import Flag
from truecase.cli.streams import check_model_output, save_model
from truecase.cli.transform import ALIGNMENT_FLAGS, alignment_file, file_progress, given, note
from truecase.errors import OptionError, StyleError, TrainingError, UsageError

if TYPE_CHECKING:
    from truecase.model.model import Model
    from truecase.training.adapt import Comparison
    from truecase.training.calibration import TextFigures
    from truecase.training.count_files import About
    from truecase.training.dense import Fit
    from truecase.training.recipe import MarksRecipe, Recipe
    from truecase.training.train import Trained

# From so many errors on, their change is also shown as a share.
_ENOUGH_FOR_SHARE = 20


@contextlib.contextmanager
def usage_errors(convert: Callable[[str], str] = str) -> Iterator[None]:
    """Make errors of training, such as of a recipe's values, those of usage."""
    try:
        yield
    except TrainingError as error:
        raise UsageError(convert(str(error))) from None


def _count(arguments: argparse.Namespace) -> None:
    from truecase.training.count_text import count_text

    check_model_output(arguments.output, [*arguments.corpus, arguments.words])
    with (
        file_progress(arguments, arguments.corpus, "counting") as progress,
        usage_errors(with_flags),
    ):
        about = count_text(
            arguments.corpus,
            arguments.output,
            progress=progress,
            **given(arguments, "words order segmentation language clean memory encoding"),
        )
    note(arguments, f"{arguments.output}: {_told(about)}")


def _merge(arguments: argparse.Namespace) -> None:
    from truecase.training.count_text import merge_counts

    check_model_output(arguments.output, arguments.part)
    with file_progress(arguments, arguments.part, "merging") as progress:
        about = merge_counts(arguments.part, arguments.output, progress=progress)
    note(arguments, f"{arguments.output}: {_told(about)}")


def _told(about: About) -> str:
    lines = f"of {about.n_lines:,} lines"
    if about.n_junk:
        lines += f", {about.n_junk:,} left out"
    if about.kind == "words":
        return f"{about.n_words:,} words {lines}"
    return f"{about.n_ngrams:,} {about.order}-grams {lines}"


def _adapt(arguments: argparse.Namespace) -> None:
    from truecase.training.adapt import adapt
    from truecase.training.recipe import Adaptation
    from truecase.truecaser import Truecaser

    has_text = arguments.dev is not None or bool(arguments.corpus)
    if not has_text and not arguments.names:
        raise UsageError("text of the domain is needed: --dev FILE, --corpus FILE, or --names FILE")
    if arguments.dev in (arguments.corpus or ()):
        raise UsageError("--dev: is in --corpus, too; give text that is not in the corpus")
    with usage_errors():
        recipe = Adaptation(**given(arguments, "sigma passes min_count max_size"))
    if not has_text and arguments.threads != 1:
        raise UsageError("--threads: lists of names need only one; leave it out")
    texts = [*arguments.corpus, *arguments.general, arguments.dev, *arguments.names]
    check_model_output(arguments.output, texts)
    base = Truecaser.load(arguments.base)
    if arguments.names:
        base = base.with_names(arguments.names, encoding=arguments.encoding)
    if not has_text:
        save_model(base, arguments.output)
        return
    with file_progress(arguments, arguments.corpus, "reading") as progress:
        adapted = adapt(
            base.model,
            arguments.corpus,
            recipe,
            development=arguments.dev,
            progress=progress,
            **given(arguments, "general threads encoding"),
        )
    if base.model.calibration is not None:
        what = "has no calibration, because its scores differ: calibrate it with train calibrate"
        note(arguments, f"the adapted model {what}")
    if adapted.tried:
        note(
            arguments,
            "share of the domain's language model: "
            f"{adapted.model.notes['adapted']['mixture_weight']} "
            f"(log-likelihood {max(value for _, value in adapted.tried):.1f})",
        )
    if adapted.fit is not None:
        note(arguments, fit_table(adapted.fit))
    if adapted.comparisons:
        note(arguments, _comparison_table(adapted.comparisons, arguments.dev))
    save_model(adapted.model, arguments.output)


def _comparison_table(comparisons: dict[str, Comparison], development: str | None) -> str:
    """Write how many words are wrong before and after, a row for each text."""
    names = {"domain": development or "the domain, held out", "general": "general text"}
    width = max(len(name) for name in names.values())
    rows = [f"{'wrong words':{width}}  {'of':>9} {'before':>8} {'after':>8}"]
    for name, one in comparisons.items():
        row = f"{names[name]:{width}}  {one.words:9,} {one.before:8,} {one.after:8,}"
        # A share of a few errors says nothing.
        if one.before >= _ENOUGH_FOR_SHARE:
            row += f" {100 * (one.after - one.before) / one.before:+8.1f} %"
        rows.append(row)
    return "\n".join(rows) + "\n"


def _base_model(arguments: argparse.Namespace) -> Model:
    from truecase.model.model import Model

    if len(set(arguments.text)) < len(arguments.text):
        raise UsageError("a text is given twice")
    check_model_output(arguments.output, arguments.text)
    return Model.load(arguments.base)


def _calibrate(arguments: argparse.Namespace) -> None:
    from truecase.training.calibration import calibrate

    model = _base_model(arguments)
    with file_progress(arguments, arguments.text, "reading") as progress:
        how = given(arguments, "threads encoding")
        calibrated = calibrate(model, arguments.text, progress=progress, **how)
    note(arguments, _calibration_table(arguments.text, calibrated.texts))
    save_model(calibrated.model, arguments.output)


def _calibration_table(names: Sequence[str], texts: Sequence[TextFigures]) -> str:
    """Write confidence, accuracy and errors of the model in %, by text."""
    width = max(4, *(len(name) for name in names))
    rows = [
        f"{'':{width}}  {'':>9} {'':>7} {'before':>15} {'after':>15} {'left out':>9}",
        f"{'text':{width}}  {'words':>9} {'right':>7} {'sure':>7} {'error':>7} {'sure':>7} "
        f"{'error':>7} {'error':>9}",
    ]
    for name, one in zip(names, texts, strict=True):
        shares = (one.accuracy, one.before, one.error_before, one.after, one.error_after)
        cells = " ".join(f"{100 * share:7.2f}" for share in shares)
        rows.append(f"{name:{width}}  {one.words:9,} {cells} {100 * one.error_left_out:9.2f}")
    return "\n".join(rows) + "\n"


def _learn_marks(arguments: argparse.Namespace) -> None:
    from truecase.training.punctuation import train_marks

    model = _base_model(arguments)
    recipe = marks_recipe(
        arguments.marks,
        model.text.language,
        offsets=dict(map(_offset, arguments.offset)),
        **{f"n_{name}": number for name, number in given(arguments, "units pairs").items()},
        **given(arguments, "passes"),
    )
    with file_progress(arguments, arguments.text, "reading") as progress:
        how = given(arguments, "threads encoding")
        trained = train_marks(model, arguments.text, recipe, progress=progress, **how)
    note(arguments, f"learned marks from {trained.notes['marks']['words']:,} words")
    save_model(trained, arguments.output)


def marks_recipe(marks: str, language: str = "", **options: Any) -> MarksRecipe:
    """Make a recipe for these marks, the strongest last, with other options of recipes."""
    from truecase.training.recipe import MarksRecipe

    # In Greek, a semicolon is a question mark.
    signs = f".?!…。？！\u037e{';' if language == 'el' else ''}"
    openings = tuple(mark for mark in marks if mark in "¿¡")
    behind = tuple(mark for mark in marks if mark not in openings)
    ends = tuple(mark for mark in behind if mark in signs)
    with usage_errors():
        return MarksRecipe(marks=behind, ends=ends, openings=openings, **options)


def _offset(text: str) -> tuple[str, float]:
    mark, _, number = text.rpartition("=")
    try:
        return mark, float(number)
    except ValueError:
        raise UsageError(f"--offset {text}: expected a number, or a mark, = and a number") from None


def fit_table(fit: Fit) -> str:
    """Write the results of training for the features, one line each."""
    lines = [
        f"weights learned on {fit.n_tokens:,} tokens, {fit.n_ambiguous:,} of them ambiguous: "
        f"log-likelihood {fit.log_likelihood:.1f}, gradient norm {fit.gradient_norm:.3g}, "
        f"sigma {fit.sigma:g}, {fit.evaluations} evaluations, "
        f"{fit.bytes_per_token:.0f} bytes per token",
        f"{'feature':28} {'weight':>9}  % of the decisions that change without it",
    ]
    lines += [
        f"{feature.name:28} {feature.weight:9.3f}  {100 * feature.decisions:.3f}"
        for feature in fit.features
    ]
    return "\n".join(lines) + "\n"


_TEXT = Flag("TEXT", nargs="+")
_COUNTS_OUTPUT = {**MODEL_OUTPUT, "metavar": "COUNTS", "help": "the file of counts to write"}


# Options that name files that are read.
_READ_FILES = (
    "counts dev source target alignment source_subwords target_subwords dev_source dev_alignment "
    "dev_source_subwords dev_target_subwords"
).split()


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    from truecase.alignment.lines import SkippedLines
    from truecase.cli.evaluate import check_has_words
    from truecase.training.material import Bitext
    from truecase.training.train import train

    recipe = recipe_from(arguments)
    marks = None
    if arguments.marks is not None:
        marks = marks_recipe(arguments.marks, arguments.language or "")
    _check_texts(arguments, recipe)
    read = [*arguments.corpus, *arguments.names]
    read += [getattr(arguments, name) for name in _READ_FILES]
    # Check now, not after an hour of training.
    check_model_output(arguments.output, read)
    if arguments.dev is not None and os.path.isfile(arguments.dev):  # a pipe is read once
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
            alignment=alignment_file(arguments),
            more=more,
            names=arguments.names,
            development=development,
            skipped=skipped,
            progress=progress,
            marks=marks,
            **given(arguments, "counts source threads memory encoding"),
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
            "options": "output dev counts names memory threads quiet",
            "the model": "preset variant search order segmentation language smartcase candidates "
            "sigma marks",
            "with the presets crf-neural and bilingual-neural": "folds epochs drop-punctuation",
            "with the presets bilingual and bilingual-neural": f"source target {ALIGNMENT_FLAGS} "
            "dev-source dev-alignment dev-source-subwords dev-target-subwords "
            "skip-bad-alignments source-language phrases table-size",
            "its size": "prune min-count max-size min-share keep-ngrams",
            "which lines it learns from": "encoding clean titles title-pattern title-detector",
            "about the text, kept in the model": "licence origin",
        },
        {"output": MODEL_OUTPUT, "title-pattern": {"default": None}},
    ),
    "count": Command(
        _count,
        {"corpus": _TEXT.but(metavar="CORPUS")},
        {
            "options": "output words order memory quiet",
            "the text; the same for n-grams as for their words": "segmentation language clean "
            "encoding",
        },
        {"output": _COUNTS_OUTPUT, "words": {"metavar": "FILE", "type": None}},
        "count a part of a text that is too large for one run",
    ),
    "merge": Command(
        _merge,
        {"part": Flag("PART", nargs="+")},
        {"options": "output quiet"},
        {"output": _COUNTS_OUTPUT},
        "add up the counts of parts",
    ),
    "adapt": Command(
        _adapt,
        {"base": Flag("BASE")},
        {
            "options": "output threads quiet",
            "text of the domain": "corpus general dev names encoding",
            "how": "passes sigma min-count max-size",
        },
        {
            "output": MODEL_OUTPUT,
            **{
                name: {"recipe": "Adaptation"} for name in "passes sigma min-count max-size".split()
            },
        },
        "fit a model to a domain, with a little text of the domain",
    ),
    "calibrate": Command(
        _calibrate,
        {"base": Flag("MODEL"), "text": _TEXT},
        {"options": "output encoding threads quiet"},
        {"output": MODEL_OUTPUT},
        "make the probabilities of a model true",
    ),
    "marks": Command(
        _learn_marks,
        {"base": Flag("MODEL"), "text": _TEXT},
        {"options": "output marks offset units pairs passes threads encoding quiet"},
        {"output": MODEL_OUTPUT, **defaults(marks=",.?"), "passes": {"recipe": "MarksRecipe"}},
        "teach a model the marks between words",
    ),
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
    return "".join(lines)


def recipe_from(arguments: argparse.Namespace) -> Recipe:
    """Make the recipe of ``--preset`` with the given options of recipes.

    UsageError: the preset has no such option, or a value is out of range.
    """
    from truecase.training.recipe import PRESETS, recipe_of

    recipe, options = recipe_of(arguments.preset), {}
    # Several parts have options of one name; a preset has one of these parts, or none.
    paths: dict[str, list[str]] = {}
    for path, flag in _flags_by_path().items():
        paths.setdefault(flag, []).append(path)
    for flag, places in paths.items():
        value = getattr(arguments, flag[2:].replace("-", "_"), None)
        if value is None:
            continue
        place = next(filter(recipe.has_option, places), None)
        if place is None:
            presets = [name for name, one in PRESETS.items() if any(map(one.has_option, places))]
            raise UsageError(f"{flag}: {OptionError(flag, recipe.preset, presets).reason}")
        options[place] = tuple(value) if isinstance(value, list) else value
    try:
        return recipe.with_options(options)
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
