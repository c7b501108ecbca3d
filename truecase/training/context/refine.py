"""A model gets a context layer, learned on text that it was not trained on."""

from dataclasses import dataclass
from typing import NamedTuple

from truecase._core import CompiledModel
from truecase.errors import ModelError, TrainingError, WrongTypeError
from truecase.evaluate.judge import judge
from truecase.files.progress import Progress
from truecase.model.model import Model
from truecase.text.lines import line_slices
from truecase.training.context.layer import learn_layer
from truecase.training.context.recipe import ContextRecipe
from truecase.training.holdout import Holdout
from truecase.training.material import Text, check_files, file_names, read_text, spooled
from truecase.training.train import reporter

#: How layers are learned if nothing else is said.
DEFAULT = ContextRecipe()

# Words that are held out to judge by, at most.
_JUDGED_WORDS = 50_000

# Text is judged in parts, which threads share.
_PART_BYTES = 1 << 16


class Judged(NamedTuple):
    """Errors without the layer and with it, on text that nothing was learned from.

    Attributes
    ----------
    words, before, after : int
        Words of the text, and how many of them come out wrong.
    """

    words: int
    before: int
    after: int


@dataclass(frozen=True)
class Refined:
    """A model with a context layer, and what it gains."""

    model: Model
    judged: Judged


def refine(
    model: Model,
    text: Text,
    recipe: ContextRecipe = DEFAULT,
    *,
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
    _check(model)
    names = file_names(text)
    check_files(names)
    base = model.replace(context=None)
    compiled = CompiledModel(base)
    holdout = Holdout(read_text(text, progress, encoding), words=_JUDGED_WORDS)
    with spooled(holdout.training()) as spool:
        try:
            held_out = holdout.text()
        except TrainingError:
            raise TrainingError(
                f"{', '.join(names) or 'the text'}: too short to learn from and to judge by: give "
                "more of it"
            ) from None
        tell = reporter(progress)
        layer = learn_layer(
            compiled, spool, recipe, lambda share, loss: tell("learning the layer", share)
        )
        n_bytes = spool.n_bytes
    parts = [held_out[part] for part in line_slices(held_out, _PART_BYTES)]
    refined = base.replace(context=layer)
    before, after = (
        judge(one, parts, threads, language=model.text.casing_language)
        for one in (compiled, CompiledModel(refined))
    )
    judged = Judged(
        after.n_words, before.n_words - before.n_correct, after.n_words - after.n_correct
    )
    notes = {"bytes": n_bytes, **vars(recipe), "judged": judged._asdict()}
    return Refined(refined.with_notes(refined=notes), judged)


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
