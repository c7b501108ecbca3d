"""A model gets a context layer, learned on text that it was not trained on."""

from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass

from truecase._core import CompiledModel
from truecase.context._context import ContextLayer
from truecase.errors import ModelError, TrainingError, WrongTypeError
from truecase.files.progress import Progress
from truecase.model.model import Model
from truecase.training.comparison import Comparison, compare
from truecase.training.context.layer import Part, learn_layer
from truecase.training.holdout import Holdout
from truecase.training.material import Text, check_files, file_names, read_text, spooled
from truecase.training.recipe import ContextRecipe
from truecase.training.reporter import reporter

#: How layers are learned if nothing else is said.
DEFAULT = ContextRecipe()

# Words that are held out to judge by, at most.
_JUDGED_WORDS = 50_000


@dataclass(frozen=True)
class Refined:
    """A model with a context layer, and what it gains."""

    model: Model
    judged: Comparison


def refine(
    model: Model,
    text: Text = (),
    recipe: ContextRecipe = DEFAULT,
    *,
    unseen: Sequence[tuple[Model, Text]] = (),
    threads: int = 1,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Refined:
    """Learn a layer that decides words in doubt by their sentence.

    Parameters
    ----------
    model : Model
        With sparse features and n-grams. A layer that it has is replaced; its calibration, which
        is of the former scores, goes.
    text : path-like, sequence of path-like, or callable
        Cased text of all kinds that the model is for, which it was not trained on; a million words
        or more. Some of it is held out to judge by.
    recipe : ContextRecipe
    unseen : sequence of (Model, text), optional
        Parts of the text that `model` was trained on, each with a model that was trained like it on
        all but this part: the layer learns from their decisions what `model` decides of what it has
        not seen. In the place of `text`, or besides. Of each, some is held out and judged with its
        own model.
    threads : int
        To judge with. The layer does not depend on it.
    progress : Progress, optional
    encoding : str, optional
        How the characters of files are written, as for `train`.

    Raises
    ------
    WrongTypeError
        If the model is none.
    ModelError
        If it has no sparse features, or no n-grams; or is adapted to a domain, or its features look
        at a source.
    TrainingError
        If the text is too short.
    OSError, ValueError
        A file cannot be read, or is not what it should be; the message names it.
    """
    if not isinstance(model, Model):
        raise WrongTypeError(f"model: expected a Model, found {type(model).__name__}")
    for one in (model, *(given for given, _ in unseen)):
        _check(one)
    given = [(model, text)] if text else []
    if not given and not unseen:
        raise TrainingError("a layer needs text that the model was not trained on")
    texts = [(one.replace(context=None), part) for one, part in (*given, *unseen)]
    check_files([name for _, part in texts for name in file_names(part)])
    held_out = []
    with ExitStack() as spools:
        parts = []
        for one, part in texts:
            holdout = Holdout(
                read_text(part, progress, encoding), words=_JUDGED_WORDS // len(texts)
            )
            spool = spools.enter_context(spooled(holdout.training()))
            parts.append(Part(CompiledModel(one), spool))
            held_out.append((one, _held_out(holdout, part)))
        tell = reporter(progress)
        layer = learn_layer(parts, recipe, lambda share, loss: tell("learning the layer", share))
        n_bytes = sum(part.text.n_bytes for part in parts)
    judged = _judge(held_out, layer, threads)
    notes = {"bytes": n_bytes, **vars(recipe), "judged": vars(judged).copy()}
    refined = model.replace(context=layer).with_notes(refined=notes)
    return Refined(refined, judged)


def _held_out(holdout: Holdout, text: Text) -> bytes:
    try:
        return holdout.text()
    except TrainingError:
        raise TrainingError(
            f"{', '.join(file_names(text)) or 'the text'}: too short to learn from and to judge "
            "by: give more of it"
        ) from None


def _judge(
    held_out: Sequence[tuple[Model, bytes]], layer: ContextLayer, threads: int
) -> Comparison:
    """Errors of each model on what was held out of its text, without the layer and with it."""
    each = [compare(model, model.replace(context=layer), text, threads) for model, text in held_out]
    return Comparison(
        sum(one.words for one in each),
        sum(one.before for one in each),
        sum(one.after for one in each),
    )


def _check(model: Model) -> None:
    """Refuse models that have nothing such a layer could stand beside."""
    if model.sparse is None or model.lm is None or model.lm.order < 2:
        raise ModelError(
            f"a model of the preset {model.preset} cannot be refined: only crf-sparse has what the "
            "layer goes by"
        )
    if model.sparse.reads_source:
        raise ModelError(
            f"a model of the preset {model.preset} cannot be refined: its features look at a source"
        )
    if model.domain is not None or model.sparse_domain is not None:
        raise ModelError("an adapted model cannot be refined; refine its base, and adapt that")
