"""The schema of features: the one place that names them, in the order of their numbers.

A dense feature is a number for each candidate, with one weight (Wang, Knight & Marcu 2006, 4.3;
Agbago, Kuhn & Foster 2005, 3). ``make features`` writes their numbers, `_schema.pxd`, and the
tables of `docs/reference/features.md`. Models store weights by name.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from truecase.kernels.text import TAGS

if TYPE_CHECKING:
    from truecase.base.spool import Float64s


class Feature(NamedTuple):
    """One dense feature.

    Attributes
    ----------
    name : str
        Names its weight, and its column in the kernels.
    document : str
        Its value, for the documentation.
    start : float
        Its weight before training.
    """

    name: str
    document: str
    start: float = 0.0


#: On the edges: log-probability of the form after the forms before it (WKM, eq. 6).
LM = "lm"

#: On the nodes; `truecase/kernels/_dense.pxd` fills them.
NODE = (
    Feature(
        "case_given_word",
        r"$\log P(\text{form} \mid \text{word})$ of a word that training has seen, with one more "
        r"occurrence shared out by $\Pi$: Portage's $\Phi$",
    ),
    Feature(
        "unknown_word",
        r"$\log P(\text{case} \mid \text{class})$ of a word that training has not seen, "
        r"Portage's $\Pi$",
    ),
    Feature(
        "class_token",
        r"$\log P(\text{word} \mid \text{class})$ where the language model has the word's class "
        "instead of the form",
        start=1.0,
    ),
    Feature(
        "unseen_form", "1 for a form that training has not seen, of a word that it has", start=-10.0
    ),
    Feature(
        "hyphen_parts", "1 for an unknown hyphenated word that is cased as its parts are", start=8.0
    ),
    Feature("initial", "1 for a capital of the first word with a letter", start=5.0),
    Feature(
        "initial_raised",
        "1 if that form is lowercase to the language model, and has its capital from its place",
    ),
    Feature(
        "upper_before",
        "log-odds of upper case of the word before in training, or of its class if that has not "
        "seen it, from -6 to 6, for a form with upper case",
    ),
    Feature("upper_after", "the same of the word after"),
    Feature(
        "context_2_before",
        "log-odds ratio of upper case beside the second word before, for a form with upper case",
    ),
    Feature(
        "context_1_before",
        "log-odds ratio of upper case beside the word before, for a form with upper case",
    ),
    Feature(
        "context_1_after",
        "log-odds ratio of upper case beside the word after, for a form with upper case",
    ),
    Feature(
        "context_2_after",
        "log-odds ratio of upper case beside the second word after, for a form with upper case",
    ),
    Feature(
        "unknown_suffix",
        r"$\log P(\text{case} \mid \text{ending})$ of a word that training has not seen, by the "
        "longest known one of its last 1 to 4 letters; 0 for MX",
    ),
    Feature("unfinished", "1 for a form with upper case in a sentence that no mark ends"),
    Feature("unfinished_short", "the same in lines of at most nine tokens, such as headings"),
    Feature("inside_quotes", "1 for a form with upper case in quotation marks"),
    Feature("inside_brackets", "1 for a form with upper case in brackets"),
)

#: On the nodes, by the source; `truecase/kernels/_source_features.pxd` fills them.
SOURCE = (
    Feature("translation", r"$\log \sum_k P(E \mid F_k)$ (Wang, Knight & Marcu 2006, equation 7)"),
    Feature(
        "tag_translation", r"$\log \sum_k P(e \mid f_k) \, P(\tau(E) \mid \tau(F_k))$ (equation 8)"
    ),
    Feature("source_upper", "1 for an AU form if all aligned words with case are AU"),
    Feature(
        "same_form_lower",
        "1 for the AL form of a word that the aligned source words have in lowercase",
    ),
    Feature("same_form", "1 for a form with upper case that the aligned source words have"),
    Feature(
        "same_form_sentence_initial",
        "the same if the source has it only as the first word of its sentence",
    ),
    Feature(
        "same_form_upper", "1 for an AU form of aligned words in a source that is not all upper"
    ),
    Feature("same_form_mixed", "1 for an MX form that the aligned source words have"),
    Feature("same_form_initial", "1 for an IU form of aligned words inside the source sentence"),
    Feature(
        "same_form_run",
        "1 for a form with upper case that the aligned source words have, beside another word that "
        "stands beside it on both sides: a name of several words",
    ),
    Feature(
        "same_form_other_script",
        "1 for a form with upper case that the aligned source words have, in Latin letters in a "
        "source in other ones, or the other way round",
    ),
    Feature("source_form", "1 for a form that training has not seen and the source has"),
    Feature("aligned_lower", "1 for a form with upper case whose source word is lowercase"),
    Feature(
        "aligned_initial",
        "1 for a form that starts with a capital and is not AU, whose source word is likewise",
    ),
    Feature(
        "aligned_first",
        "the same where the source word is the first of its sentence and the target word is not",
    ),
    Feature("aligned_upper", "1 for an AU form whose source word is AU"),
    Feature("aligned_not_upper", "1 for an AU form whose source word has case and is not AU"),
    Feature("aligned_caseless", "1 for a form with upper case whose source words have no case"),
    Feature(
        "unaligned",
        "1 for a form with upper case that no source word is aligned with, in a line that has an "
        "alignment",
    ),
    Feature("source_all_upper", "1 for an AU form where the whole source is in capitals"),
    Feature(
        "initial_source_upper",
        "1 for a first word with a capital if the first word of the source has one",
    ),
    Feature("initial_source_lower", "the same if it has none"),
    Feature(
        "mark_source_upper",
        "1 for a form with a capital after a punctuation mark if its source word has one",
    ),
    Feature("mark_source_lower", "the same if its source word is lowercase"),
    Feature(
        "source_capitalised_share",
        "for a form with upper case, the share of source words that start with a capital",
    ),
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

NODE_COLUMNS = tuple(feature.name for feature in NODE)
SOURCE_COLUMNS = tuple(feature.name for feature in SOURCE)

#: Weights that decode sensibly before training; the others start at 0.
DEFAULTS = {
    LM: 1.0,
    **{feature.name: feature.start for feature in NODE if feature.start},
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
