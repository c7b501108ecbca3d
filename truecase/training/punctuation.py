"""Learn which punctuation stands between words, by the likelihood of the mark behind each."""

from collections import Counter
from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from truecase.base.progress import Progress
from truecase.errors import TrainingError, WrongTypeError
from truecase.kernels._punctuation_network import (
    FLAGS,
    IN_BUCKET,
    JOINED,
    Marks,
    pair_keys,
    pair_rows,
    place_pairs,
    read_words,
    word_rows,
)
from truecase.model.model import Model
from truecase.training.material import Text, check_files, file_names, read_text
from truecase.training.recipe import MarksRecipe
from truecase.training.recurrent import (
    DIRECTIONS,
    Adam,
    Floats,
    Report,
    Rows,
    Seen,
    Steps,
    Weights,
    first_joining,
    go_back,
    go_over,
    in_one_thread,
    join,
    join_back,
    normal,
    packed,
    sum_rows,
)
from truecase.training.reports import reporter

# Frequent pairs

# A row of a rarer pair would learn the text by heart.
_LEAST_PAIRS = 8


def find_pairs(
    keys: npt.NDArray[np.uint64], most: int
) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.uint16]]:
    """Find the frequent pairs of words and their places, for at most `most` rows, a multiple of 4.

    `keys`, uint64, are those of the words of a text. Returns for each word, int32, the row of the
    pair that ends with it, or n_rows if there is no such row; and for each row, uint16, 16 bits of
    the hash of its pair, 0 for a free row.
    """
    before = np.zeros_like(keys)
    before[1:] = keys[:-1]
    pairs = pair_keys(before, keys)
    checks = place_pairs(*_most_frequent(pairs, most))
    return pair_rows(pairs, checks), checks


def _most_frequent(pairs: npt.NDArray[np.uint64], most: int) -> tuple[npt.NDArray[np.uint64], int]:
    """The frequent pairs, the most frequent first, and the number of their rows."""
    ordered = np.sort(pairs)
    first = np.flatnonzero(np.append(True, ordered[1:] != ordered[:-1]))
    counts = np.diff(first, append=len(ordered))
    is_frequent = counts >= _LEAST_PAIRS
    chosen, counts = ordered[first[is_frequent]], counts[is_frequent]
    # Buckets fill unevenly: half as many rows again, and twice as many pairs to fill them.
    n_rows = min(most, -(-len(chosen) * 3 // 2 // IN_BUCKET) * IN_BUCKET)
    order = np.argsort(-counts, kind="stable")[: 2 * n_rows]
    return chosen[order], n_rows


def with_checks(
    checks: npt.NDArray[np.uint16], numbers: npt.NDArray[np.uint8]
) -> npt.NDArray[np.uint8]:
    """Rows as a model has them; `numbers` end with those of pairs without a row."""
    n = len(checks)
    in_front = checks.astype("<u2").view(np.uint8).reshape(n, 2)
    rows: npt.NDArray[np.uint8] = np.hstack([in_front, numbers.reshape(n + 1, -1)[:n]])
    return rows.ravel()


def without_checks(
    rows: npt.NDArray[np.uint8], n_numbers: int
) -> tuple[npt.NDArray[np.uint16], npt.NDArray[np.uint8]]:
    """Undo `with_checks`, for rows of `n_numbers`."""
    split = rows.reshape(-1, 2 + n_numbers)
    checks = np.ascontiguousarray(split[:, :2]).view("<u2").ravel().astype(np.uint16)
    return checks, np.pad(split[:, 2:], ((0, 1), (0, 0)), constant_values=128)


# Labelled words

# A word that has a full stop nine times in ten within lines is an abbreviation: Mr., vs.
_STOPS_OF_ABBREVIATION, _LEAST_OFTEN = 0.9, 5


class _Read(NamedTuple):
    """Columns that `read_words` returns."""

    key: npt.NDArray[np.uint64]
    ending: npt.NDArray[np.uint32]
    label: npt.NDArray[np.uint8]
    flags: npt.NDArray[np.uint8]
    before: npt.NDArray[np.uint8]


class LabelledWords(NamedTuple):
    """The words of a text, and the mark behind each.

    `rows`, int32, has the row of each word in each table; `pair_checks`, uint16, are those of
    `find_pairs`. `label`, uint8, is the number of the mark behind the word, 0 for no mark; an
    opening mark before the next word adds its number times (1 + the number of marks).
    `abbreviations`, uint64, are keys of words that a full stop belongs to, ascending.
    """

    rows: dict[str, npt.NDArray[np.int32]]
    pair_checks: npt.NDArray[np.uint16]
    label: npt.NDArray[np.uint8]
    abbreviations: npt.NDArray[np.uint64]


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
        read = _without_signs(_Read(*read_words(block, recipe.signs, turkic, recipe.openings)))
        if not len(read.key):
            continue
        label, is_stop = _settled(read.label, read.flags, recipe)
        often.update(read.key[is_stop].tolist())
        ending = (read.ending.astype(np.uint64) * recipe.n_endings >> 32).astype(np.int32)
        parts.append((read.key, ending, label, is_stop, read.before))
    if not parts:
        raise TrainingError("the text has no words to learn marks from")
    key, ending, label, is_stop, before = map(np.concatenate, zip(*parts, strict=True))
    del parts
    n_rows = recipe.n_words
    word = word_rows(key, n_rows)
    share = np.bincount(word[is_stop], minlength=n_rows) / np.maximum(
        1, np.bincount(word, minlength=n_rows)
    )
    stopped = np.array([one for one, n in often.items() if n >= _LEAST_OFTEN], np.uint64)
    stopped_rows = word_rows(stopped, n_rows)
    is_short = share[stopped_rows] >= _STOPS_OF_ABBREVIATION
    label[is_stop & np.isin(word, stopped_rows[is_short])] = 0
    missing = [
        mark
        for found, marks in ((label, recipe.marks), (before, recipe.openings))
        for n, mark in enumerate(marks, 1)
        if not (found == n).any()
    ]
    if missing:
        raise TrainingError(f"the text to learn marks from has no {missing[0]!r}")
    label[:-1] += before[1:] * np.uint8(1 + len(recipe.marks))
    pair, checks = find_pairs(key, recipe.n_pairs)
    rows = {"words": word, "endings": ending, "pairs": pair}
    return LabelledWords(rows, checks, label, np.sort(stopped[is_short]))


def _without_signs(read: _Read) -> _Read:
    """Move marks that stand by themselves to the word before, opening marks to the next word."""
    is_word = read.flags & FLAGS["is sign"] == 0
    place = np.cumsum(is_word) - 1
    words = _Read(*(of_all[is_word] for of_all in read))
    lonely = np.flatnonzero(~is_word & (place >= 0))
    np.maximum.at(words.label, place[lonely], read.label[lonely])
    np.bitwise_or.at(words.flags, place[lonely], read.flags[lonely] & FLAGS["ends line"])
    opening = np.flatnonzero(~is_word & (read.before > 0) & (place + 1 < len(words.key)))
    np.maximum.at(words.before, place[opening] + 1, read.before[opening])
    return words


def _settled(
    label: npt.NDArray[np.uint8], flags: npt.NDArray[np.uint8], recipe: MarksRecipe
) -> tuple[npt.NDArray[np.uint8], npt.NDArray[np.bool_]]:
    """The labels after these rules, and the words that have a full stop within a line."""

    def has(flag: str) -> npt.NDArray[np.bool_]:
        found: npt.NDArray[np.bool_] = flags & FLAGS[flag] != 0
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


# The layer

#: Weights that are tables of rows, and the length of a row.
TABLES = {"words": 24, "endings": 8, "pairs": 8}
#: Number of places for given marks.
GIVEN_SIZE = 8
N_INPUTS = sum(TABLES.values()) + GIVEN_SIZE

# Standard deviations of the initial numbers of rows.
_FIRST_ROWS = {"words": 0.1, "endings": 0.1, "pairs": 0.02}


class Pieces(NamedTuple):
    """Pieces of text side by side, of the same length; arrays have shape (n_words, n_pieces).

    `rows`, int, has the row of each word in each table; the last row of pairs stands for all pairs
    without one. `given`, int, is the mark behind the word if it is known, else 0. `is_next_known`,
    float32, is 0 where the text behind the word is unknown, as at the end of a stream.
    """

    rows: dict[str, npt.NDArray[Any]]
    given: npt.NDArray[Any]
    is_next_known: Floats


class Forward(NamedTuple):
    """Values of some pieces that `gradients_of` needs."""

    inputs: Floats
    keeps: list[Floats]
    seen: list[Seen]
    gaps: Floats
    joined: Floats
    keeps_rows: dict[str, Floats]


def first_weights(n_units: int, n_rows: dict[str, int], n_labels: int, seed: int = 1) -> Weights:
    """Initial weights: tables of rows, units of both directions, and what joins them."""
    draw = np.random.default_rng(seed)
    weights = {
        name: normal(draw, _FIRST_ROWS[name], n_rows[name], size) for name, size in TABLES.items()
    }
    for name in DIRECTIONS:
        weights[f"{name}.inputs"] = normal(draw, N_INPUTS**-0.5, 3 * n_units, N_INPUTS)
        weights[f"{name}.state"] = normal(draw, n_units**-0.5, 3 * n_units, n_units)
        weights[f"{name}.bias"] = np.zeros(3 * n_units, np.float32)
    return weights | first_joining(draw, 2 * n_units + 2 * N_INPUTS, JOINED, n_labels, 0.01)


def label_scores(
    weights: Weights, at: Pieces, keeps_rows: Mapping[str, Floats] = MappingProxyType({})
) -> tuple[Floats, Forward]:
    """Scores of each label behind each word, in nats.

    `keeps_rows` has, for a table, 0 for words whose row is hidden, and 1 for others, shape
    (n_words, n_pieces). Returns the scores, float32, shape (n_words, n_pieces, n_labels), and the
    values for `gradients_of`.
    """
    read = [weights[name][at.rows[name]] for name in TABLES]
    for numbers, name in zip(read, TABLES, strict=True):
        if name in keeps_rows:
            numbers *= keeps_rows[name][..., None]
    given = (at.given[..., None] == np.arange(GIVEN_SIZE)) & (at.given[..., None] > 0)
    inputs = np.concatenate([*read, given], -1, dtype=read[0].dtype)
    # A state of the backward direction counts only where the next word is known.
    carried = np.ones_like(at.is_next_known)
    carried[1:] = at.is_next_known[:-1]
    keeps = [np.ones_like(carried), carried]
    seen = [
        go_over(weights, name, inputs, keep) for name, keep in zip(DIRECTIONS, keeps, strict=True)
    ]
    behind = at.is_next_known[:-1, :, None] > 0
    gaps = np.concatenate(
        [
            seen[0].states,
            _one_earlier(seen[1].states),
            inputs,
            _one_earlier(inputs[1:] * behind, len(inputs)),
        ],
        axis=-1,
    )
    joined, scores = join(weights, gaps)
    return scores, Forward(inputs, keeps, seen, gaps, joined, dict(keeps_rows))


def gradients_of(
    weights: Weights, at: Pieces, forward: Forward, of_scores: Floats
) -> tuple[Weights, dict[str, Rows]]:
    """Gradients of the weights from those of the scores: whole arrays, and rows of tables."""
    n = forward.seen[0].states.shape[-1]
    flat = (one.reshape(-1, one.shape[-1]) for one in (forward.gaps, forward.joined, of_scores))
    of_flat, gradients = join_back(weights, *flat)
    of_gaps: Floats = of_flat.reshape(forward.gaps.shape)
    of_inputs: Floats = of_gaps[..., 2 * n : 2 * n + N_INPUTS].copy()
    of_next: Floats = of_gaps[:-1, :, 2 * n + N_INPUTS :] * at.is_next_known[:-1, :, None]
    of_inputs[1:] += of_next
    of_behind = np.zeros_like(forward.seen[1].states)
    of_behind[1:] = of_gaps[:-1, :, n : 2 * n]
    of_both: tuple[Floats, Floats] = (of_gaps[..., :n], of_behind)
    for k, of_states in enumerate(of_both):
        of_inputs += go_back(
            weights,
            DIRECTIONS[k],
            forward.inputs,
            forward.keeps[k],
            forward.seen[k],
            of_states,
            gradients,
        )
    rows: dict[str, Rows] = {}
    first = 0
    for name, size in TABLES.items():
        of_rows = of_inputs[..., first : first + size]
        if name in forward.keeps_rows:
            of_rows = of_rows * forward.keeps_rows[name][..., None]
        rows[name] = sum_rows(at.rows[name], of_rows)
        first += size
    return gradients, rows


def _one_earlier(values: Floats, n: int | None = None) -> Floats:
    """Shift values to the word before; the last word gets zeros."""
    result = np.zeros((n or len(values), *values.shape[1:]), values.dtype)
    following = values if n else values[1:]
    result[: len(following)] = following
    return result


# Learning

# Words at the beginning of a piece, whose past is cut off, teach nothing.
_WARM_UP = 8


def learn_marks(
    text: LabelledWords, recipe: MarksRecipe, turkic: bool = False, report: Report | None = None
) -> Marks:
    """Learn which marks stand between words; TrainingError if the text is too short.

    `turkic`: the words of `text` were folded as Turkish or Azeri. `report` gets the share that is
    done and the loss since the last call, in nats per word.
    """
    n_pieces = len(text.label) // recipe.length - 1
    passes = recipe.passes_over(len(text.label))
    n_steps = passes * n_pieces // recipe.batch
    if n_steps < 1:
        least = recipe.length * (recipe.batch + 1)
        raise TrainingError(f"marks are learned from {least:,} words or more: give more text")
    # One more row for pairs without one.
    n_pairs = len(text.pair_checks)
    n_rows = {"words": recipe.n_words, "endings": recipe.n_endings, "pairs": n_pairs + 1}
    weights = first_weights(recipe.n_units, n_rows, len(recipe.pairs))
    weights["pairs"][-1] = 0
    optimiser = Adam(weights, tuple(TABLES))
    draw = np.random.default_rng(3)
    order = np.concatenate([draw.permutation(n_pieces) for _ in range(passes)])
    steps = Steps(recipe.rate, n_steps, report)
    with in_one_thread():
        for done in range(n_steps):
            chosen = order[done * recipe.batch : (done + 1) * recipe.batch] * recipe.length
            # Pieces begin elsewhere in each step, so that each word comes to stand in each place.
            place = chosen + draw.integers(recipe.length) + _heard(recipe, len(chosen), draw)
            place = np.minimum(place, len(text.label) - 1)
            steps.add(*_step(weights, optimiser, text, place, steps.rate, recipe, draw))
    return marks_of(weights, recipe, text, turkic)


def _heard(recipe: MarksRecipe, n_pieces: int, draw: np.random.Generator) -> npt.NDArray[np.int64]:
    """The words of each piece that a recogniser hears, shape (length, n_pieces).

    A doubled word is there twice, a dropped one is missing.
    """
    if not recipe.dropped and not recipe.doubled:
        return np.arange(recipe.length)[:, None]
    kind = draw.random((recipe.length, n_pieces))
    step = np.where(
        kind < recipe.dropped, 2, np.where(kind < recipe.dropped + recipe.doubled, 0, 1)
    )
    step[0] = 0
    return np.cumsum(step, 0)


def _labels(
    text: LabelledWords, place: npt.NDArray[np.int64], n_behind: int
) -> npt.NDArray[np.intp]:
    """Labels of the gaps behind the heard words; `n_behind` marks, or no mark, end words.

    The mark of an unheard word goes to the word before. No mark stands between copies of a word.
    """
    label = text.label[place].astype(np.intp)
    following = np.append(place[1:], place[-1:] + 1, axis=0)
    passed = following - place == 2
    other = text.label[place[passed] + 1]
    label[passed] = (
        other - other % n_behind + np.maximum(label[passed] % n_behind, other % n_behind)
    )
    label[following == place] = 0
    return label


def _step(
    weights: Weights,
    optimiser: Adam,
    text: LabelledWords,
    place: npt.NDArray[np.int64],
    rate: float,
    recipe: MarksRecipe,
    draw: np.random.Generator,
) -> tuple[float, int]:
    """Learn from some pieces of text; return their loss, and the number of its words."""
    shape = place.shape
    n_behind = 1 + len(recipe.marks)
    label = _labels(text, place, n_behind)
    is_cut = (draw.random(shape) < recipe.cut_gaps) & (draw.random(shape[1]) < recipe.cut)
    is_shown = (draw.random(shape) < draw.random(shape[1])) & (draw.random(shape[1]) < recipe.show)
    heard = place
    if recipe.misheard:
        # Another word of the text, so that frequent ones are heard more often.
        others = draw.integers(len(text.label), size=shape)
        heard = np.where(draw.random(shape) < recipe.misheard, others, place)
    looked_up = {name: table[heard] for name, table in text.rows.items()}
    keeps = {
        name: (draw.random(shape, np.float32) >= recipe.hide_words).astype(np.float32)
        for name in ("words", "pairs")
    }
    # Pairs without a row keep zeros.
    keeps["pairs"] *= looked_up["pairs"] < len(text.pair_checks)
    at = Pieces(
        rows=looked_up,
        given=np.where(is_shown, label % n_behind, 0),
        is_next_known=(~is_cut).astype(np.float32),
    )
    scores, forward = label_scores(weights, at, keeps)
    scores = scores - scores.max(-1, keepdims=True)
    of_scores: Floats = np.exp(scores)
    of_scores /= of_scores.sum(-1, keepdims=True)
    of_label = np.take_along_axis(of_scores, label[..., None], -1)
    # The opening mark before the next word is asked for even beside a given mark.
    asked = (at.given == 0) | bool(recipe.openings)
    asked[:_WARM_UP] = False
    loss = -float(np.log(np.maximum(of_label[..., 0][asked], 1e-30)).sum(dtype=np.float64))
    np.put_along_axis(of_scores, label[..., None], of_label - 1, -1)
    of_scores *= asked[..., None]
    n = int(asked.sum())
    if n:
        gradients, rows = gradients_of(weights, at, forward, of_scores)
        optimiser.step(gradients, rate, n, rows)
    return loss, n


def marks_of(
    weights: Weights, recipe: MarksRecipe, text: LabelledWords, turkic: bool = False
) -> Marks:
    """Pack the weights of training for a model."""
    arrays = packed(weights, TABLES)
    arrays["pairs"] = with_checks(text.pair_checks, arrays["pairs"])
    arrays["abbreviations"] = text.abbreviations
    offsets = [
        recipe.offsets.get(mark, 0.0) + (recipe.offsets.get(opening, 0.0) if opening else 0.0)
        for mark, opening in recipe.pairs
    ]
    arrays["out.bias"] = weights["out.bias"] + np.array(offsets, np.float32)
    settings = {
        "n_units": recipe.n_units,
        "n_words": recipe.n_words,
        "n_endings": recipe.n_endings,
        "n_pairs": len(text.pair_checks),
        "marks": list(recipe.marks),
        "ends": list(recipe.ends),
        "openings": list(recipe.openings),
        "alike": recipe.used_alike,
        "turkic": int(turkic),
    }
    return Marks(arrays, settings)


# Marks for a model

#: The default recipe.
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
        A model of the same language. Its marks are replaced, all else stays.
    text : path-like, sequence of path-like, or callable
        Punctuated and cased text of the kind that is to be punctuated, such as transcripts: a
        paragraph or a speaker's turn per line, in its order; a million words or more.
    recipe : MarksRecipe
    progress, encoding
        See `truecase.training.train.train`.

    Raises
    ------
    WrongTypeError
        `model` is not a Model.
    TrainingError
        The text is too short, or some mark never occurs.
    OSError, ValueError
        A file cannot be read or has another format; the message names it.
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
