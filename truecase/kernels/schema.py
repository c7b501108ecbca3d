"""The schema of features: the one place that names them, in the order of their numbers.

A dense feature is a number for each candidate, with one weight (Wang, Knight & Marcu 2006, 4.3;
Agbago, Kuhn & Foster 2005, 3). `docs/reference/features.md` says what each is, and ``make
features`` writes their numbers, `_schema.pxd`. Models store weights by name.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from truecase.kernels.text import TAGS

if TYPE_CHECKING:
    from truecase.base.spool import Float64s


#: On the edges: log-probability of the form after the forms before it (WKM, eq. 6).
LM = "lm"

#: On the nodes; `truecase/kernels/_dense.pxd` fills them.
NODE_COLUMNS = tuple(
    """
    case_given_word unknown_word class_token unseen_form hyphen_parts initial initial_raised
    upper_before upper_after context_2_before context_1_before context_1_after context_2_after
    unknown_suffix unfinished unfinished_short inside_quotes inside_brackets
    """.split()
)

#: On the nodes, by the source; `truecase/kernels/_source_features.pxd` fills them.
SOURCE_COLUMNS = tuple(
    """
    translation tag_translation source_upper same_form_lower same_form same_form_sentence_initial
    same_form_upper same_form_mixed same_form_initial same_form_run same_form_other_script
    source_form aligned_lower aligned_initial aligned_first aligned_upper aligned_not_upper
    aligned_caseless unaligned source_all_upper initial_source_upper initial_source_lower
    mark_source_upper mark_source_lower source_capitalised_share
    """.split()
)

#: On the nodes: the score of features that are not dense, with the weight 1.
BASE = "base"

#: Marks that have an ``after_punctuation`` feature each; all others share ``other``.
MARKS = (
    ". , : ; ! ? … \" ' ( ) [ ] { } / \\ & - – — * • · | # % $ € £ + = < > ~ @ ^ _ ` '' ``"
    " « » „ ‹ › ¿ ¡ § ° 。 、 ， ： 「 」 -- ..."
).split()
OTHER_MARK = "other"

#: States of transitions: the case of the form's identity; `_lattice.pxd`, NodeState.
STATES = (*TAGS, "START", "END")
TRANSITIONS = tuple(
    (before, now) for before in STATES if before != "END" for now in STATES if now != "START"
)

#: On the edges: the effect of the case of the word before, and after, on the case of a word. The
#: model has the log-odds ratios by word (`truecase/training/evidence.py`).
NEIGHBOUR_CASE_COLUMNS = ("word_after_case", "word_before_case")

#: Weights that decode sensibly before training; the others start at 0.
DEFAULTS = {
    LM: 1.0,
    "class_token": 1.0,
    "unseen_form": -10.0,
    "hyphen_parts": 8.0,
    "initial": 5.0,
    BASE: 1.0,
}


def mark_columns() -> tuple[str, ...]:
    """Names of the columns of punctuation marks; ``other`` is the last."""
    return tuple(f"after_punctuation:{mark}" for mark in (*MARKS, OTHER_MARK))


def transition_columns() -> tuple[str, ...]:
    """Names of the columns of neighbouring tags."""
    return tuple(f"transition:{before}>{now}" for before, now in TRANSITIONS)


def transition_states() -> list[tuple[int, int]]:
    """The two states of each of `transition_columns`, as numbers."""
    return [(STATES.index(before), STATES.index(now)) for before, now in TRANSITIONS]


def columns() -> tuple[str, ...]:
    """All columns, in the order of training's weight vectors."""
    of_nodes = (*NODE_COLUMNS, *mark_columns(), *SOURCE_COLUMNS, BASE)
    return (LM, *of_nodes, *transition_columns(), *NEIGHBOUR_CASE_COLUMNS)


def named_weights(weights: "Sequence[float] | Float64s") -> dict[str, float]:
    """The weights by name, without those that are 0 and ``base``, which models do not store."""
    return {
        name: float(weight)
        for name, weight in zip(columns(), weights, strict=True)
        if weight != 0.0 and name != BASE
    }


def in_order(named: Mapping[str, float]) -> list[float]:
    """Put weights in the order of `columns`; columns without a name get 0.

    Raises
    ------
    ValueError
        There is no column of a name.
    """
    place = {name: index for index, name in enumerate(columns())}
    weights = [0.0] * len(place)
    for name, weight in named.items():
        if name not in place:
            raise ValueError(f"there is no feature of the name {name!r}")
        weights[place[name]] = weight
    return weights


def weight_vector(named: Mapping[str, float]) -> "Float64s":
    """Put weights in the order of `columns`, as a vector; raises as `in_order` does."""
    import numpy as np

    return np.array(in_order(named))


def default_weights() -> "Float64s":
    """Weights to start from, in the order of `columns`."""
    return weight_vector(DEFAULTS)
