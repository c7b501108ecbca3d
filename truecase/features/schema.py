"""The registry of dense features: every column of the model by its name.

A column is a number for each candidate of each word (Wang, Knight & Marcu 2006, 4.3; Agbago,
Kuhn & Foster 2005, 3); the model is one weight per column. A new one takes a function in
`_features.pxd`, its line in ``node_columns`` there, and its name at the same place in
`NODE_COLUMNS` here. Weights are stored by name, so that models outlive a change of the order.
"""

import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from truecase.text.casing import TAGS

#: On the edges: log-probability of the form after the forms before it (WKM, eq. 6).
LM = "lm"

#: On the nodes, in the order of ``node_columns`` in `_features.pxd`.
NODE_COLUMNS = (
    "case_given_word",
    "unknown_word",
    "class_token",
    "unseen_form",
    "hyphen_parts",
    "initial",
    "initial_raised",
    "upper_before",
    "upper_after",
    "context_2_before",
    "context_1_before",
    "context_1_after",
    "context_2_after",
    "unknown_suffix",
    "unfinished",
    "unfinished_short",
    "inside_quotes",
    "inside_brackets",
)

#: On the nodes of bilingual models, in the order of ``source_columns`` in
#: `truecase/features/_source.pxd`.
SOURCE_COLUMNS = (
    "translation",
    "tag_translation",
    "source_upper",
    "same_form_lower",
    "same_form",
    "same_form_first",
    "source_form",
    "aligned_lower",
    "aligned_initial",
    "aligned_first",
    "aligned_upper",
    "aligned_not_upper",
    "aligned_caseless",
    "unaligned",
    "source_all_upper",
    "initial_source_upper",
    "initial_source_lower",
    "mark_source_upper",
    "mark_source_lower",
    "source_title",
)

#: Weights of these, of lines with an alignment and of lines without, for models that have
#: learned none: nothing in them depends on a pair of languages. Learned for the embedded
#: English model on French and German sources (`bench/experiments/pair_agnostic.py`).
DEFAULT_SOURCE_WEIGHTS = {
    "source_upper": (3.12, 4.83),
    "same_form_lower": (4.47, 4.71),
    "same_form": (1.97, 2.19),
    "same_form_first": (0.88, 1.38),
    "source_form": (3.53, 4.97),
    "aligned_lower": (-0.44, 0.0),
    "aligned_initial": (-0.27, 0.0),
    "aligned_first": (0.54, 0.0),
    "aligned_upper": (3.05, 0.0),
    "aligned_not_upper": (-0.77, 0.0),
    "aligned_caseless": (-0.61, 0.0),
    "unaligned": (-0.53, 0.0),
    "source_all_upper": (10.03, 8.66),
    "initial_source_upper": (-0.9, -0.83),
    "initial_source_lower": (-6.19, -6.24),
    "mark_source_upper": (1.0, 0.0),
    "mark_source_lower": (-0.68, 0.0),
    "source_title": (0.01, -0.8),
}

#: On the nodes of models whose other features are not columns: their score, with the weight 1.
BASE = "base"

#: Marks that have an ``after_punctuation`` column each; all others share ``other``.
MARKS = (
    ". , : ; ! ? … \" ' ( ) [ ] { } / \\ & - – — * • · | # % $ € £ + = < > ~ @ ^ _ ` '' ``"
    " « » „ ‹ › ¿ ¡ § ° 。 、 ， ： 「 」 -- ..."
).split()
OTHER_MARK = "other"

#: What transitions tell apart: the case of the form's identity; `_lattice.pxd`, NodeState.
STATES = (*TAGS, "START", "END")

#: On the edges: what the case of the word before, and after, does to the case of a word; the
#: log-odds ratios are in the model, by word (`evidence.py`).
BESIDE_COLUMNS = ("word_after_case", "word_before_case")

#: Weights that decode sensibly before any training; all other columns start at 0.
DEFAULTS = {
    LM: 1.0,
    "class_token": 1.0,
    "unseen_form": -10.0,
    "hyphen_parts": 8.0,
    "initial": 5.0,
    BASE: 1.0,
}


def mark_columns() -> tuple[str, ...]:
    """Names of the columns of punctuation marks, ``other`` the last."""
    return tuple(f"after_punctuation:{mark}" for mark in (*MARKS, OTHER_MARK))


def transition_columns() -> tuple[str, ...]:
    """Names of the columns of neighbouring tags."""
    return tuple(
        f"transition:{before}>{now}"
        for before in STATES
        if before != "END"
        for now in STATES
        if now != "START"
    )


def columns() -> tuple[str, ...]:
    """Every column, in the order of training's weight vectors."""
    return (
        LM,
        *NODE_COLUMNS,
        *mark_columns(),
        *SOURCE_COLUMNS,
        BASE,
        *transition_columns(),
        *BESIDE_COLUMNS,
    )


def default_weights() -> npt.NDArray[np.float64]:
    """Weights to start from, in the order of `columns`."""
    return np.array([DEFAULTS.get(name, 0.0) for name in columns()])


def named_weights(weights: Sequence[float] | npt.NDArray[np.float64]) -> dict[str, float]:
    """The weights that are not 0, by name; ``base`` is none to be kept."""
    return {
        name: float(weight)
        for name, weight in zip(columns(), weights, strict=True)
        if weight != 0.0 and name != BASE
    }


def weight_vector(named: Mapping[str, float]) -> npt.NDArray[np.float64]:
    """Weights in the order of `columns`, 0 for those that are not named.

    Raises
    ------
    ValueError
        If there is no column of that name.
    """
    place = {name: index for index, name in enumerate(columns())}
    vector = np.zeros(len(place))
    for name, weight in named.items():
        if name not in place:
            raise ValueError(f"there is no feature of the name {name!r}")
        vector[place[name]] = weight
    return vector


def transition_states() -> Iterator[tuple[int, int]]:
    """States of each of `transition_columns`, as numbers."""
    for name in transition_columns():
        match = re.fullmatch(r"transition:(\w+)>(\w+)", name)
        assert match is not None
        yield STATES.index(match[1]), STATES.index(match[2])
