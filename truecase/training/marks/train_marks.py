"""A model learns which marks stand between words."""

from truecase.errors import WrongTypeError
from truecase.files.progress import Progress
from truecase.model.model import Model
from truecase.training.marks.labelled import label_words
from truecase.training.marks.learn import learn_marks
from truecase.training.material import Text, check_files, file_names, read_text
from truecase.training.recipe import MarksRecipe
from truecase.training.reporter import reporter

#: How marks are learned if nothing else is said.
DEFAULT = MarksRecipe()


def train_marks(
    model: Model,
    text: Text,
    recipe: MarksRecipe = DEFAULT,
    *,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Model:
    """Learn which marks stand between the words of a language.

    Parameters
    ----------
    model : Model
        Of the same language. Marks that it has are replaced, all else stays.
    text : path-like, sequence of path-like, or callable
        Punctuated and cased text of the kind that is to be punctuated, a paragraph or what somebody
        says at a time per line, in its order: a million words or more, such as transcripts.
    recipe : MarksRecipe
    progress : Progress, optional
    encoding : str, optional
        How the characters of files are written, as for `train`.

    Raises
    ------
    WrongTypeError
        If the model is none.
    TrainingError
        If the text is too short, or some mark never occurs.
    OSError, ValueError
        A file cannot be read, or is not what it should be; the message names it.
    """
    if not isinstance(model, Model):
        raise WrongTypeError(f"model: expected a Model, found {type(model).__name__}")
    check_files(file_names(text))
    turkic = model.text.casing == "turkic"
    words = label_words(read_text(text, progress, encoding), recipe, turkic)
    tell = reporter(progress)
    marks = learn_marks(
        words, recipe, turkic, lambda share, loss: tell("learning the marks", share)
    )
    notes = {
        "words": len(words.label),
        **{name: value for name, value in vars(recipe).items() if name != "alike"},
        "passes": recipe.passes_over(len(words.label)),
        "marks": list(recipe.marks),
        "ends": list(recipe.ends),
        "openings": list(recipe.openings),
        "offsets": dict(recipe.offsets),
    }
    return model.replace(marks=marks).with_notes(marks=notes)
