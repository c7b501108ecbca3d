"""Feature values of sentences whose candidates are known, against the plain twin."""

import math

import numpy as np
import pytest
from parts import compiled
from recipes import recipe
from reference.features import node_features
from truecase_testing import flat_arrays

from truecase.kernels import schema as features
from truecase.training._dense_objective import TrainingLattices
from truecase.training.estimate import count, estimate
from truecase.truecaser import Truecaser

NODE_NAMES = (*features.NODE_COLUMNS, *features.mark_columns())
CONTEXT_ONLY = {
    name
    for name in NODE_NAMES
    if name.startswith(("after_punctuation", "initial", "inside", "unfinished"))
}
TAGS = features.STATES

# "bill" and "Bill" are both frequent away from the starts of sentences.
TEXT = "so a bill and Bill met . so we saw mr. Bill pay a bill .\n" * 60


@pytest.fixture(scope="module")
def model():
    made = recipe("crf", segmentation="space")
    with pytest.warns(UserWarning, match="Kneser-Ney"):
        return Truecaser(estimate(count([TEXT.encode()], made.text), made))


def by_word(model, line):
    """For each word with several candidates: its candidates' states and features by name."""
    arrays = flat_arrays(TrainingLattices(compiled(model), line.encode()))
    node = value = 0
    words = []
    for width in arrays["width"]:
        candidates = []
        for _ in range(width):
            n = arrays["n_values"][node]
            named = {
                NODE_NAMES[arrays["column"][i]]: float(arrays["value"][i])
                for i in range(value, value + n)
            }
            candidates.append((TAGS[arrays["state"][node]], named))
            value += n
            node += 1
        if width > 1:
            words.append(candidates)
    return words


@pytest.mark.parametrize(
    "line",
    [
        "so bill .",
        "so , bill and bill",
        "so ( bill ) bill .",
        "so `` bill '' bill",
        'so " bill and bill " , bill ?',
        "so : bill - bill ; bill ¿ bill ~~~ bill",
        "so a bill and a bill met . and",
        "so ( a ( a ) bill ) bill ) bill",
        "so a bill met mr. bill , a bill , a bill and bill",
        "so `` a a a a a a a a a a a a a bill",
    ],
)
def test_context_against_the_twin(model, line):
    words = line.split()
    places = [i for i, word in enumerate(words) if word == "bill"]
    found = by_word(model, line)
    # "so" begins the sentence: lowercase, and the same raised.
    assert [tag for tag, _ in found[0]] == ["AL", "AL"]
    raised = node_features(words, 0, "AL", is_raised=True, is_initial=True)
    assert {k: v for k, v in found[0][1][1].items() if k in CONTEXT_ONLY} == raised
    assert len(found) == 1 + len(places)
    for place, candidates in zip(places, found[1:], strict=True):
        assert sorted(tag for tag, _ in candidates) == ["AL", "IU"]
        for tag, named in candidates:
            context = {k: v for k, v in named.items() if k in CONTEXT_ONLY}
            assert context == node_features(words, place, tag)


def test_case_given_word_is_the_share_of_the_form(model):
    (_, _), candidates = by_word(model, "so bill")[0], by_word(model, "so bill")[1]
    shares = {tag: math.exp(named["case_given_word"]) for tag, named in candidates}
    # Seen 120 times each; counts are kept to 5 %, and smoothed.
    assert shares["AL"] == pytest.approx(0.5, abs=0.04)
    assert sum(shares.values()) == pytest.approx(1.0, abs=0.05)


def test_neighbours_shift_the_odds(model):
    after_mr = by_word(model, "so mr. bill")[1]
    after_a = by_word(model, "so a bill")[1]
    upper = [dict(candidates)["IU"]["context_1_before"] for candidates in (after_mr, after_a)]
    assert upper[0] > 1 > -1 > upper[1]
    assert "context_1_before" not in dict(after_mr)["AL"]


def test_unknown_words(model):
    candidates = by_word(model, "so krzt and krzt-Vlm")
    unknown = dict(candidates[1])
    assert set(unknown) == {"AL", "IU", "AU"}
    for named in unknown.values():
        assert named["unknown_word"] < 0 and "case_given_word" not in named
        assert "class_token" in named
    assert any("hyphen_parts" in named for _, named in candidates[2])


def test_every_value_is_finite(model):
    rng = np.random.default_rng(3)
    pieces = ["bill", "Bill", "zq", "12", "'", "“", "\u0130", "ß", "😀", ".", "a-b-", "(", "\xad"]
    for _ in range(200):
        line = " ".join(rng.choice(pieces, rng.integers(1, 12)))
        arrays = flat_arrays(TrainingLattices(compiled(model), line.encode()))
        assert np.isfinite(arrays["value"]).all() and np.isfinite(arrays["lm"]).all()
