"""Learn which punctuation stands between words, by the likelihood of the mark behind each."""

from collections import Counter
from collections.abc import Iterable
from functools import partial
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.base.argument_types import check_arguments
from truecase.base.progress import Progress, reporter
from truecase.base.spool import Bools, Float32s, Int32s, Int64s, UInt8s, UInt16s, UInt32s, UInt64s
from truecase.base.threads import ordered_map
from truecase.errors import TrainingError
from truecase.kernels import _punctuation_network as kernel
from truecase.model.model import Model
from truecase.training import recurrent
from truecase.training.material import Text, check_files, file_names, read_text
from truecase.training.recipe import MarksRecipe, plain
from truecase.training.recurrent import Weights

# Labelled words

# A word that has a full stop nine times in ten within lines is an abbreviation: Mr., vs.
_STOPS_OF_ABBREVIATION, _LEAST_STOPS = 0.9, 5


class _Read(NamedTuple):
    """Columns that `read_words` returns."""

    key: UInt64s
    ending: UInt32s
    label: UInt8s
    flags: UInt8s
    before: UInt8s


class LabelledWords(NamedTuple):
    """The words of a text, and the mark behind each.

    `rows`, int32, has the row of each word in each table; `checks`, uint16, those of the tables of
    words and of pairs, whose number is the row of all others. `label`, uint8, is the number of the
    mark behind the word, 0 for no mark; an opening mark before the next word adds its number times
    (1 + the number of marks). `abbreviations`, uint64, are keys of words that a full stop belongs
    to, ascending.
    """

    rows: dict[str, Int32s]
    checks: dict[str, UInt16s]
    label: UInt8s
    abbreviations: UInt64s


def label_words(
    blocks: Iterable[bytes], recipe: MarksRecipe, turkic: bool = False
) -> LabelledWords:
    """Read the words of a cased text of whole lines, and the marks behind them.

    The end of a line ends a sentence. A full stop is no mark if its word is a letter, contains full
    stops, or continues in lower case; three dots before lower case count as a comma. Raises
    TrainingError if there are no words, or some mark never occurs.
    """
    parts: list[tuple[npt.NDArray[Any], ...]] = []
    often: Counter[int] = Counter()
    for block in blocks:
        read = _without_signs(
            _Read(*kernel.read_words(block, recipe.signs, turkic, recipe.openings))
        )
        if not len(read.key):
            continue
        label, is_stop = _corrected(read.label, read.flags, recipe)
        often.update(read.key[is_stop].tolist())
        ending = (read.ending.astype(np.uint64) * recipe.n_endings >> 32).astype(np.int32)
        parts.append((read.key, ending, label, is_stop, read.before))
    if not parts:
        raise TrainingError("the text has no words to learn marks from")
    key, ending, label, is_stop, before = map(np.concatenate, zip(*parts, strict=True))
    del parts
    abbreviations = _abbreviations(key, often)
    label[is_stop & np.isin(key, abbreviations)] = 0
    for found, marks in ((label, recipe.marks), (before, recipe.openings)):
        for n, mark in enumerate(marks, 1):
            if not (found == n).any():
                raise TrainingError(f"the text to learn marks from has no {mark!r}")
    label[:-1] += before[1:] * np.uint8(1 + len(recipe.marks))
    rows, checks = {"endings": ending}, {}
    for name, keys, most in (
        ("words", kernel.pair_keys(np.zeros_like(key), key), recipe.n_words),
        ("pairs", kernel.pair_keys(np.append(np.uint64(0), key[:-1]), key), recipe.n_pairs),
    ):
        counted = recurrent.Counted()
        counted.add(keys)
        checks[name] = counted.checks(most, recurrent.LEAST_OFTEN[name])
        rows[name] = kernel.find_rows(keys, checks[name])
    return LabelledWords(rows, checks, label, abbreviations)


def _abbreviations(key: UInt64s, often: Counter[int]) -> UInt64s:
    """Words that mostly have a full stop behind them; `often` has how often each has one."""
    stopped = np.sort(np.array([one for one, n in often.items() if n >= _LEAST_STOPS], np.uint64))
    place = np.searchsorted(stopped, key)
    place[place == len(stopped)] = 0
    known = place[stopped[place] == key] if len(stopped) else place[:0]
    total = np.bincount(known, minlength=len(stopped))
    with_stop = np.array([often[one] for one in stopped.tolist()], np.int64)
    return stopped[with_stop >= _STOPS_OF_ABBREVIATION * total]


def _without_signs(read: _Read) -> _Read:
    """Move marks that stand by themselves to the word before, opening marks to the next word."""
    is_word = read.flags & kernel.FLAGS["is sign"] == 0
    place = np.cumsum(is_word) - 1
    words = _Read(*(of_all[is_word] for of_all in read))
    lonely = np.flatnonzero(~is_word & (place >= 0))
    np.maximum.at(words.label, place[lonely], read.label[lonely])
    np.bitwise_or.at(words.flags, place[lonely], read.flags[lonely] & kernel.FLAGS["ends line"])
    opening = np.flatnonzero(~is_word & (read.before > 0) & (place + 1 < len(words.key)))
    np.maximum.at(words.before, place[opening] + 1, read.before[opening])
    return words


def _corrected(label: UInt8s, flags: UInt8s, recipe: MarksRecipe) -> tuple[UInt8s, Bools]:
    """The labels after these rules, and the words that have a full stop within a line."""

    def has(flag: str) -> Bools:
        found: Bools = flags & kernel.FLAGS[flag] != 0
        return found

    label = label.copy()
    ends_line = has("ends line")
    before_upper = np.append(has("is upper")[1:], True) | ends_line
    is_stop = has("stops") & ~ends_line
    signs = recipe.signs
    label[has("trails") & ~before_upper] = signs.get(",", 0)
    label[is_stop & (has("has stop") | ~before_upper)] = 0
    ends = [signs[mark] for mark in recipe.ends]
    if ends:
        label[ends_line & ~np.isin(label, ends)] = ends[0]
    return label, is_stop


# The network

_N_INPUTS = sum(kernel.INPUTS)
# Behind the rows stands the mark that is given.
_COLUMNS = recurrent.columns_of(("words", "endings", "pairs"), kernel.INPUTS)
ARCHITECTURE = recurrent.Architecture(
    _COLUMNS, _N_INPUTS, slice(0, _N_INPUTS), kernel.JOINED, scale=0.01
)


class Pieces(NamedTuple):
    """Pieces of text, one behind the other; arrays have shape (n_words,).

    `rows`, int, has the row of each word in each table. `given`, int, is the mark behind the word
    if it is known, else 0. `is_next_known`, bool, is False where the text behind the word is
    unknown, as at the end of a piece or of a stream. `length`, int32, are the words of each piece.
    """

    rows: dict[str, npt.NDArray[Any]]
    given: npt.NDArray[Any]
    is_next_known: Bools
    length: Int32s


def label_scores(weights: Weights, at: Pieces) -> tuple[Float32s, recurrent.Forward]:
    """Scores of each label behind each word, in nats.

    Returns the scores, float32, shape (n_words, n_labels), and what `ARCHITECTURE.gradients` takes.
    """
    n = len(at.given)
    # The last row stands behind the last known word.
    inputs = ARCHITECTURE.inputs(weights, at.rows)
    known = np.flatnonzero(at.given)
    inputs[known, _N_INPUTS - kernel.INPUTS[3] + at.given[known]] = 1
    after = np.where(at.is_next_known, np.arange(1, n + 1), n)
    # The states of the backward direction begin anew where the next word is unknown.
    cuts = np.flatnonzero(~at.is_next_known) + 1
    lengths = at.length, np.diff(cuts, prepend=0).astype(np.int32)
    return ARCHITECTURE.outputs(weights, inputs, lengths, recurrent.Places(slice(n), after, after))


# Learning

# Words at the beginning of a piece, whose past is cut off, teach nothing.
_WARM_UP = 8


def learn_marks(
    text: LabelledWords,
    recipe: MarksRecipe,
    turkic: bool = False,
    report: recurrent.Report = lambda share: None,
    threads: int = 1,
) -> kernel.Marks:
    """Learn which marks stand between words; TrainingError if the text is too short.

    `turkic`: the words of `text` were folded as Turkish or Azeri. `report` gets the share that is
    done. The marks do not depend on `threads`; more than two gain nothing.
    """
    n_pieces = len(text.label) // recipe.length - 1
    passes = recipe.passes_over(len(text.label))
    n_steps = passes * n_pieces // recipe.batch
    if n_steps < 1:
        least = recipe.length * (recipe.batch + 1)
        raise TrainingError(f"marks are learned from {least:,} words or more: give more text")
    # One more row for words, and for pairs, without one.
    n_rows = {name: len(checks) + 1 for name, checks in text.checks.items()}
    n_rows["endings"] = recipe.n_endings
    weights = ARCHITECTURE.first_weights(recipe.n_units, n_rows, len(recipe.pairs))
    learner = _Learner(weights, text, recipe, threads)
    draw = np.random.default_rng(3)
    order = np.concatenate([draw.permutation(n_pieces) for _ in range(passes)])
    steps = recurrent.Steps(recipe.rate, n_steps, report)
    with recurrent.in_one_thread():
        for done in range(n_steps):
            chosen = order[done * recipe.batch : (done + 1) * recipe.batch] * recipe.length
            # Pieces begin elsewhere in each step, so that each word comes to stand in each place.
            place = chosen + draw.integers(recipe.length) + np.arange(recipe.length)[:, None]
            place = np.minimum(place, len(text.label) - 1)
            learner.learn(place, steps.rate, draw)
            steps.count()
    return marks_of(weights, recipe, text, turkic)


class _Learner:
    """The weights, and how they move."""

    def __init__(
        self, weights: Weights, text: LabelledWords, recipe: MarksRecipe, threads: int
    ) -> None:
        self._weights, self._text, self._recipe, self._threads = weights, text, recipe, threads
        self._optimiser = recurrent.Optimiser(
            weights, ARCHITECTURE.columns, text.checks, recipe.rate, recipe.row_rate, threads
        )

    def _rows(self, place: Int64s, draw: np.random.Generator) -> dict[str, Int32s]:
        """The rows of the words at some places, some of them hidden."""
        recipe, text = self._recipe, self._text
        rows = {name: table[place] for name, table in text.rows.items()}
        for name, checks in text.checks.items():
            rows[name] = recurrent.hide_rows(rows[name], recipe.hide_words, len(checks), draw)
        return {name: table.T.ravel() for name, table in rows.items()}

    def learn(self, place: Int64s, rate: float, draw: np.random.Generator) -> None:
        """Learn from pieces of text, shape (length, n_pieces)."""
        halves = zip(np.array_split(place, 2, 1), draw.integers(1 << 62, size=2), strict=True)
        parts = ordered_map(lambda half: self._part(*half), halves, self._threads)
        self._optimiser.step(list(parts), rate)

    def _part(self, place: Int64s, seed: int) -> recurrent.Part:
        """Compute the gradients of some pieces of a step."""
        draw = np.random.default_rng(seed)
        recipe, shape = self._recipe, place.shape
        n_behind = 1 + len(recipe.marks)
        label = self._text.label[place].astype(np.intp)
        is_cut = (draw.random(shape) < recipe.cut_gaps) & (draw.random(shape[1]) < recipe.cut)
        is_cut[-1] = True
        is_shown = (draw.random(shape) < draw.random(shape[1])) & (
            draw.random(shape[1]) < recipe.show
        )
        given = np.where(is_shown, label % n_behind, 0)
        # The opening mark before the next word is learned even where the other mark is given.
        asked = (given == 0) | bool(recipe.openings)
        asked[:_WARM_UP] = False
        rows, length = self._rows(place, draw), np.full(shape[1], shape[0], np.int32)
        at = Pieces(rows, given.T.ravel(), ~is_cut.T.ravel(), length)
        label, asked = label.T.ravel(), asked.T.ravel()
        scores, forward = label_scores(self._weights, at)
        scores -= scores.max(-1, keepdims=True)
        of_scores: Float32s = np.exp(scores)
        of_scores /= of_scores.sum(-1, keepdims=True)
        of_scores[np.arange(len(label)), label] -= 1
        of_scores[~asked] = 0
        gradients, of_inputs = ARCHITECTURE.gradients(self._weights, forward, of_scores)
        return recurrent.Part(gradients, of_inputs, rows, int(asked.sum()))


def marks_of(
    weights: Weights, recipe: MarksRecipe, text: LabelledWords, turkic: bool = False
) -> kernel.Marks:
    """Pack the weights of training for a model."""
    arrays = recurrent.packed(weights, ARCHITECTURE.columns)
    for name, checks in text.checks.items():
        arrays[name] = recurrent.with_checks(checks, arrays[name])
    arrays["abbreviations"] = text.abbreviations
    offsets = [
        recipe.offsets.get(mark, 0.0) + (recipe.offsets.get(opening, 0.0) if opening else 0.0)
        for mark, opening in recipe.pairs
    ]
    arrays["out.bias"] = weights["out.bias"] + np.array(offsets, np.float32)
    settings = {
        "n_units": recipe.n_units,
        "n_endings": recipe.n_endings,
        **{f"n_{name}": len(checks) for name, checks in text.checks.items()},
        "marks": list(recipe.marks),
        "ends": list(recipe.ends),
        "openings": list(recipe.openings),
        "alike": recipe.used_alike,
        "turkic": int(turkic),
    }
    return kernel.Marks(arrays, settings)


# Marks for a model

#: The default recipe.
DEFAULT = MarksRecipe()


def train_marks(
    model: Model,
    text: Text,
    recipe: MarksRecipe = DEFAULT,
    *,
    threads: int = 1,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Model:
    """Learn which marks stand between the words of a language.

    Parameters
    ----------
    model : Model
        A model of the same language. Its marks are replaced, all else stays.
    text : path-like, sequence of path-like, or callable
        Punctuated and cased text of the kind that is to be punctuated, such as transcripts: a
        paragraph or a speaker's turn per line, in its order; a million words or more.
    recipe : MarksRecipe
    threads, progress, encoding
        See `truecase.training.train.train`.

    Raises
    ------
    WrongTypeError
        `model` is not a Model, or `recipe` not a MarksRecipe.
    TrainingError
        The text is too short, or some mark never occurs.
    OSError, ValueError
        A file cannot be read or has another format; the message names it.
    """
    check_arguments(train_marks, locals())
    check_files(file_names(text))
    turkic = model.text.casing == "turkic"
    words = label_words(read_text(text, progress, encoding), recipe, turkic)
    tell = reporter(progress)
    report = partial(tell, "learning the marks")
    marks = learn_marks(words, recipe, turkic, report, threads)
    notes = {
        "words": len(words.label),
        **plain({name: value for name, value in vars(recipe).items() if name != "alike"}),
        "passes": recipe.passes_over(len(words.label)),
    }
    return model.replace(marks=marks).with_notes(marks=notes)
