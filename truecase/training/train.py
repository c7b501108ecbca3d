"""Training: a text and a recipe give a model.

check the inputs of the recipe → filter the text once → count → build a model with nothing learned
→ run the learners → judge the model by the development text
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing, nullcontext
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, cast

from truecase._core import CompiledModel
from truecase.alignment.lines import AlignedLines, SkippedLines
from truecase.alignment.parallel import AlignmentFile
from truecase.base._component import Component
from truecase.base.argument_types import check_arguments
from truecase.base.progress import Progress, reporter
from truecase.base.read import STDIN
from truecase.errors import TrainingError
from truecase.evaluation.metrics import Evaluation, evaluate_blocks
from truecase.kernels._components import TranslationTables
from truecase.model.model import Model
from truecase.model.names import read_names
from truecase.options import StrPath
from truecase.rules.styles import TitleWeights
from truecase.training import dense
from truecase.training.count_files import NgramCounts
from truecase.training.estimate import Counts, MergedCounts, count, estimate
from truecase.training.material import (
    AlignedText,
    Bitext,
    BitextBlocks,
    Holdout,
    Lines,
    Text,
    TextBlocks,
    check_files,
    file_names,
    parts_of,
    read_bitext,
    read_text,
)
from truecase.training.network import empty_network, learn_network
from truecase.training.portage import learn_portage
from truecase.training.punctuation import train_marks
from truecase.training.recipe import MarksRecipe, NetworkRecipe, Recipe, recipe_of
from truecase.training.text_filter import TextFilter
from truecase.training.translation_tables import translation_tables, with_naive_phrases

# If a language model lacks this share of the text, training estimates it again, from all of it.
_SHARE_TO_MISS = 0.02

# Largest size in bytes of the held-out part of an aligned text, about.
_HELD_OUT = 8_000_000

# The names of figures in a model's metadata.
_NOTES = {"dense": "crf", "source": "source"}


@dataclass
class Trained:
    """A model, and the figures of its training.

    Attributes
    ----------
    model : Model
    figures : dict of str to Fit
        Keys are the parts of the recipe whose weights were learned: ``dense``, ``source``.
    evaluation : Evaluation or None
        On the development text, unless learning has used it up.
    learned_on_development : bool
        Training learned weights on the development text, so that its figures flatter the model.
    """

    model: Model
    figures: dict[str, dense.Fit] = field(default_factory=dict)
    evaluation: Evaluation | None = None
    learned_on_development: bool = False


def train(
    text: Text | AlignedText = (),
    recipe: Recipe | str = "ngram",
    *,
    counts: StrPath | None = None,
    source: StrPath | None = None,
    alignment: StrPath | AlignmentFile | None = None,
    more: Text = (),
    names: StrPath | Sequence[StrPath] = (),
    development: Text | AlignedText | Bitext | None = None,
    skipped: SkippedLines | None = None,
    threads: int = 1,
    memory: float | None = None,
    progress: Progress | None = None,
    encoding: str | None = None,
    marks: MarksRecipe | None = None,
) -> Trained:
    """Train a model.

    Parameters
    ----------
    text : path-like, sequence of path-like, or callable
        Cased text, a sentence or segment per line: files, plain or compressed; ``-`` is standard
        input. A callable gives blocks of whole lines; blocks of `AlignedLines` if the recipe
        has a source.
    recipe : Recipe or str
        A str is the name of a preset.
    counts : path-like, optional
        N-gram counts that `truecase.training.count_text.count_text` wrote: training makes lexicon
        and language model from them instead of `text`. A network then learns on `text`, which must
        not be the counted text; dense features take the neighbours of words from it and learn their
        weights on `development`; other presets refuse `text`.
    source, alignment : path-like, optional
        For a recipe with a source: the sentences that `text`, one file, translates, and the
        word alignment in Pharaoh's form; or an `AlignmentFile`, such as one over subwords.
    more : as `text`
        For a recipe with a source: further text in the target language, without a source.
    names : path-like or sequence of path-like
        Lists of names that the text may lack, as `truecase.model.names.read_names` reads them. The
        lexicon counts each name ``min_count`` times; the network decides by the context how far to
        trust it.
    development : path-like, sequence of path-like, Bitext or callable, optional
        Other text of the kind that the model is for, with its source if the recipe has one.
        Dense features, and those of a source, learn their weights on it; Portage's variants are
        fitted to it. Without it, these features learn on a held-out part of `text`.
    skipped : SkippedLines, optional
        Ignore the alignment of lines where it is broken, and count these lines here.
    threads : int
        The model does not depend on it.
    memory : int, optional
        Bytes that counting may use; more goes to temporary files. The model is the same.
    progress : Progress, optional
    encoding : str, optional
        Encoding of the files; by default as their byte order marks say, or UTF-8, which is checked.
    marks : MarksRecipe, optional
        Also learn the marks between words; training reads `text` once more for it, in the order
        of its lines (see `truecase.training.punctuation`).

    Returns
    -------
    Trained

    Raises
    ------
    TrainingError
        The recipe lacks an input or has no use for one; or the text cannot give a model.
    OSError, ValueError
        A file cannot be read or has another format; the message names it.
    """
    recipe = recipe_of(recipe)
    check_arguments(train, locals())
    if memory is not None and memory < 1:
        raise TrainingError(f"memory {memory!r}: expected a number of bytes, 1 or more")
    inputs = Inputs(text, counts, source, alignment, more, names, development, skipped, encoding)
    inputs.check(recipe)
    punctuated = None if marks is None else inputs.punctuated(recipe)
    with nullcontext() if inputs.counts is None else NgramCounts(inputs.counts) as file:
        if file is not None:
            recipe = recipe_for_counts(recipe, file)
        memory = None if memory is None else int(memory)
        run = _Run(recipe, threads, memory, progress, file, inputs.listed(recipe))
        lines = inputs.development_lines(recipe)
        if recipe.source is None:
            blocks = read_text(cast("Text", text), progress, encoding)
            trained = run.without_source(run.clean(blocks), lines)
        else:
            pieces = run.clean(inputs.aligned(progress))
            further = run.clean(read_text(inputs.more, progress, encoding))
            with closing(BitextBlocks(pieces, further)) as spool:
                trained = run.with_source(spool, cast("AlignedLines | None", lines))
    if marks is not None and punctuated is not None:
        trained.model = train_marks(
            trained.model, punctuated, marks, threads=threads, progress=progress, encoding=encoding
        )
    return trained


@dataclass(frozen=True)
class Inputs:
    """The texts of a training; see `train`."""

    text: Text | AlignedText = ()
    counts: StrPath | None = None
    source: StrPath | None = None
    alignment: StrPath | AlignmentFile | None = None
    more: Text = ()
    names: StrPath | Sequence[StrPath] = ()
    development: Text | AlignedText | Bitext | None = None
    skipped: SkippedLines | None = None
    encoding: str | None = None

    def check(self, recipe: Recipe) -> None:
        """Raise TrainingError if the recipe lacks a text, or has no use for one."""
        names = file_names(self.text)
        has_text = callable(self.text) or bool(names)
        if self.counts is None:
            if not has_text:
                raise TrainingError("there is no text to train on")
        elif recipe.source is not None:
            raise TrainingError(f"counts: the preset {recipe.preset} needs aligned text")
        elif self.names:
            raise TrainingError("names: they are counted with the text, not beside counts")
        else:
            check_text_beside_counts(recipe, has_text, self.development is not None)
        if recipe.source is None:
            self._check_without_source(recipe)
        else:
            self._check_with_source(recipe, names)
        if recipe.dense is not None or recipe.source is not None:
            dense.import_minimize()
        others: list[object] = [self.source, self.alignment, self.counts, self.more]
        others += [self.development, self.names]
        check_files([*names, *(n for one in others if one is not None for n in file_names(one))])

    def _check_without_source(self, recipe: Recipe) -> None:
        has_more = callable(self.more) or bool(file_names(self.more))
        given = {"source": self.source, "alignment": self.alignment, "skipped": self.skipped}
        for name, value in {**given, "more": has_more or None}.items():
            if value is not None:
                raise TrainingError(f"{name}: the preset {recipe.preset} does not look at a source")
        if isinstance(self.development, Bitext):
            raise TrainingError(
                f"development: the preset {recipe.preset} does not look at a source; give the "
                "text alone"
            )

    def _check_with_source(self, recipe: Recipe, names: list[str]) -> None:
        if callable(self.text):
            if self.source is not None or self.alignment is not None:
                raise TrainingError("source, alignment: `text` already gives aligned lines")
        elif self.source is None or self.alignment is None or len(names) != 1:
            raise TrainingError(
                f"the preset {recipe.preset} needs one file of text, its source and their alignment"
            )
        development = self.development
        if not (development is None or callable(development) or isinstance(development, Bitext)):
            raise TrainingError(
                f"development: the preset {recipe.preset} needs its source, too; give a Bitext"
            )

    def aligned(self, progress: Progress | None) -> Iterable[AlignedLines]:
        """Blocks of the text of a recipe with a source."""
        if callable(self.text):
            return cast("Iterable[AlignedLines]", self.text())
        assert self.source is not None
        bitext = Bitext(file_names(self.text)[0], self.source, self.alignment)
        return read_bitext(bitext, self.skipped, progress, self.encoding)

    def development_lines(self, recipe: Recipe) -> Lines | None:
        """The whole development text."""
        if self.development is None:
            return None
        if recipe.source is None:
            return b"".join(read_text(cast("Text", self.development), encoding=self.encoding))
        if isinstance(self.development, Bitext):
            parts = list(read_bitext(self.development, self.skipped, encoding=self.encoding))
        else:
            parts = list(cast("Callable[[], Iterable[AlignedLines]]", self.development)())
        return AlignedLines.join(parts) if parts else None

    def listed(self, recipe: Recipe) -> bytes:
        """Lines of the names, each `min_count` times."""
        if not self.names:
            return b""
        names = read_names(self.names, encoding=self.encoding, language=recipe.text.language)
        starts = names.arrays["starts"]
        text = names.arrays["text"][: starts[-1]].tobytes()
        lines = b"".join(text[a:b] + b"\n" for a, b in pairwise(starts.tolist()))
        return lines * recipe.lexicon.min_count

    def punctuated(self, recipe: Recipe) -> Text:
        """The text that punctuation is learned from.

        Raises TrainingError if there is no such text, or if it can be read only once.
        """
        if not callable(self.text):
            names = file_names(self.text)
            if not names:
                raise TrainingError("marks: there is no text to learn them from")
            if STDIN in names:
                raise TrainingError("marks: text is read twice: give a file, not standard input")
        if recipe.source is None or not callable(self.text):
            return cast("Text", self.text)
        aligned = cast("Callable[[], Iterable[AlignedLines]]", self.text)
        return lambda: (piece.target for piece in aligned())


def recipe_for_counts(recipe: Recipe, file: NgramCounts) -> Recipe:
    """The recipe with the text options of the counts.

    Raises TrainingError if the recipe sets others, or needs more than counts can give.
    """
    about = file.about
    counted: dict[str, object] = {
        "text.segmentation": about.segmentation,
        "text.language": about.language,
        "filters.clean": about.clean,
    }
    for option, value in counted.items():
        part, name = option.split(".")
        asked, usual = (getattr(getattr(one, part), name) for one in (recipe, Recipe()))
        if asked not in (usual, value):
            raise TrainingError(f"{option}: {asked!r}, but {file.name} was counted with {value!r}")
    if recipe.filters.titles != "all" or recipe.filters.title_detector:
        raise TrainingError(
            "titles: a detector learns from the text itself, which counts do not have"
        )
    if recipe.lm is not None and recipe.lm.order > about.order:
        raise TrainingError(
            f"order {recipe.lm.order}: {file.name} has {about.order}-grams; count with --order "
            f"{recipe.lm.order}"
        )
    if recipe.network is not None:
        if recipe.network.folds not in (NetworkRecipe.folds, 1):
            raise TrainingError(
                "folds: leave it out: weights are learned on text that was not counted"
            )
        counted["network.folds"] = 1
    return recipe.with_options(counted)


def check_text_beside_counts(recipe: Recipe, has_text: bool, has_development: bool) -> None:
    """Raise TrainingError if a preset lacks a text beside counts, or has no use for one."""
    preset = f"the preset {recipe.preset}"
    if recipe.network is not None:
        if not has_text:
            raise TrainingError(
                f"{preset} learns its weights on text: beside the counts, give some that was not "
                "counted"
            )
    elif recipe.dense is not None:
        if not has_text:
            raise TrainingError(
                f"{preset} looks at the neighbours of words, which counts do not have: give "
                "some text beside the counts"
            )
        if not has_development:
            raise TrainingError(
                f"{preset} with counts learns its weights on a development text: give one that was "
                "not counted"
            )
    elif has_text:
        raise TrainingError(f"{preset} needs only the counts: give no text beside them")


@dataclass
class _Run:
    """One training of a recipe."""

    recipe: Recipe
    threads: int
    memory: int | None
    progress: Progress | None
    file: NgramCounts | None
    names: bytes

    def __post_init__(self) -> None:
        text = self.recipe.text
        self._report = reporter(self.progress)
        self.clean = TextFilter(self.recipe.filters, text.segmentation, text.language)

    def without_source(self, blocks: Iterable[bytes], lines: Any) -> Trained:
        """Train on text or counts; `lines` are the development text."""
        assert lines is None or isinstance(lines, bytes)
        recipe = self.recipe
        if recipe.network is not None:
            with closing(TextBlocks(blocks)) as spool:
                trained = self._network(spool)
            return trained if lines is None else self._judged(trained, lines)
        if recipe.dense is None:
            return self._tuned(self._estimate(blocks), lines)
        if lines is None:
            with closing(TextBlocks(blocks)) as spool:
                return self._dense_held_out(spool)
        trained = self._dense(self._estimate(blocks), lines)
        trained.learned_on_development = True
        return self._judged(trained, lines)

    def _tuned(self, model: Model, lines: bytes | None) -> Trained:
        """The n-gram model with Portage's weights fitted to the development text."""
        trained = Trained(model)
        if lines is None:
            return trained
        portage = self.recipe.portage
        if portage is not None and portage.variant != "product":
            trained.model = model.replace(portage=learn_portage(model, lines, portage))
            trained.learned_on_development = True
        return self._judged(trained, lines)

    def _estimate(self, blocks: Iterable[bytes], reserved: int = 0, prefix: str = "") -> Model:
        """Estimate a model with nothing learned yet.

        `reserved` bytes of its size are kept free for other parts; `prefix` names it in reports.
        """
        recipe = self.recipe

        def report(step: str, share: float | None) -> None:
            self._report(prefix + step, share)

        report("reading", None)
        max_size = None if recipe.max_size is None else recipe.max_size - reserved
        counts: Counts | MergedCounts
        if self.file is None:
            counts = count(blocks, recipe.text, self.memory is not None, self.names)
            left_out = self.clean.left_out
        else:
            counts = MergedCounts(self.file, blocks)
            left_out = counts.left_out
        with nullcontext() if self.file is None else self.file.naming_damage():
            model = estimate(counts, recipe, max_size=max_size, memory=self.memory, report=report)
        model = model.with_notes(corpus={**model.notes["corpus"], **left_out})
        if recipe.filters.title_detector and self.clean.detector is not None:
            model = model.replace(titles=TitleWeights.of(self.clean.detector))
        return model

    def _with(self, trained: Trained, component: Component, part: str, fit: dense.Fit) -> Trained:
        """Put what was learned for a part of the recipe into the model."""
        notes = {_NOTES[part]: fit.to_dict()}
        model = trained.model.replace(**{part: component}).with_notes(**notes)
        return Trained(model, {**trained.figures, part: fit})

    def _dense(self, model: Model, lines: bytes, judge: bool = True) -> Trained:
        assert self.recipe.dense is not None
        self._report("learning weights", None)
        component, fit = dense.learn_dense(
            model, lines, self.recipe.dense, threads=self.threads, judge=judge
        )
        return self._with(Trained(model), component, "dense", fit)

    def _dense_held_out(self, spool: TextBlocks) -> Trained:
        """Learn weights on some of the text; if that is much, count all of it again afterwards."""
        holdout = Holdout(spool.text())
        model = self._estimate(holdout.training())
        trained = self._dense(model, holdout.text())
        fit = trained.figures["dense"]
        if fit.n_tokens >= _SHARE_TO_MISS * model.notes["corpus"]["tokens"]:
            model = self._estimate(spool.text(), prefix="all text: ")
            model = dense.with_weights(model, fit.weights).with_notes(
                **{_NOTES["dense"]: fit.to_dict()}
            )
            trained = Trained(model, trained.figures)
        return trained

    def _estimate_folds(self, spool: TextBlocks, n_folds: int) -> tuple[Model, list[Model]]:
        """A model of all text, and one of each fold, estimated from the others."""
        reserved = self.recipe.feature_size
        if self.file is not None:
            # The language model has not seen the text: it needs no folds.
            model = self._estimate((), reserved)
            return model, [model]
        n_folds = min(n_folds, max(1, len(spool)))
        models = [
            self._estimate(spool.text(fold, n_folds), reserved, f"fold {fold + 1} of {n_folds}: ")
            for fold in range(n_folds)
        ]
        return self._estimate(spool.text(), reserved, "all text: "), models

    def _network(self, spool: TextBlocks) -> Trained:
        """Learn a network with models of the folds."""
        recipe = self.recipe.network
        assert recipe is not None
        model, models = self._estimate_folds(spool, recipe.folds)
        nothing = empty_network(recipe)
        compiled = [CompiledModel(fold.replace(network=nothing)) for fold in models]
        network = learn_network(spool, compiled, recipe, self._report, self.threads)
        return Trained(model.replace(network=network))

    def with_source(self, spool: BitextBlocks, lines: AlignedLines | None) -> Trained:
        """Train on aligned text; `lines` are the development text."""
        recipe = self.recipe
        assert recipe.source is not None
        fold, n_folds, learned_on = 0, 1, lines
        if learned_on is None:
            n_folds = max(10, spool.n_bytes // _HELD_OUT)
            if len(spool) < n_folds:
                raise TrainingError(
                    "the aligned text is too short to hold some of it out: give a development text "
                    "with its source and alignment"
                )
            fold = n_folds // 2
            learned_on = AlignedLines.join(spool.fold(fold, n_folds))
        self._report("translation tables", None)
        tables = translation_tables(spool.without_fold(fold, n_folds), recipe.text, recipe.source)
        n_bytes = sum(array.nbytes for array in tables[0].values())
        if recipe.source.translation.phrases == "naive":
            learned_on = with_naive_phrases(learned_on)
        sigma = dense.SIGMA
        if recipe.network is not None:
            with closing(TextBlocks(spool.text(fold, n_folds))) as blocks:
                trained = self._network(blocks)
            trained.model = trained.model.replace(tables=TranslationTables(*tables))
        else:
            model = self._estimate(spool.text(fold, n_folds), n_bytes)
            model = model.replace(tables=TranslationTables(*tables))
            trained = self._dense(model, learned_on.target, judge=False)
            sigma = trained.figures["dense"].sigma
        self._report("learning weights of the source", None)
        of_source, fit = dense.learn_source(
            trained.model, learned_on, recipe.source, sigma=sigma, threads=self.threads
        )
        trained = self._with(trained, of_source, "source", fit)
        if lines is None:
            return trained
        trained.learned_on_development = True
        return self._judged(trained, lines)

    def _judged(self, trained: Trained, lines: Lines) -> Trained:
        """Evaluate the model on the development text; its metadata gets the figures, too."""
        self._report("judging", None)
        evaluation = judge(trained.model, lines, self.threads)
        trained.evaluation = evaluation
        notes: dict[str, Any] = {
            "words": evaluation.n_words,
            "accuracy": round(evaluation.accuracy, 6),
            "f1": round(evaluation.f1, 6),
        }
        if trained.learned_on_development:
            notes["learned_on"] = True
        trained.model = trained.model.with_notes(dev=notes)
        return trained


def judge(model: Model, lines: Lines, threads: int = 1) -> Evaluation:
    """Compare the case that a model gives to cased lines with their own."""
    language = model.text.casing_language
    return evaluate_blocks(CompiledModel(model), parts_of(lines), threads, language=language)
