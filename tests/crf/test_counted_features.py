"""Features that are logarithms of shares and counts, against the plain twin on random lines."""

import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from parts import compiled
from recipes import estimated
from reference import counted, gen
from reference.segment import CANONICAL, segment
from small_model import training_text

from truecase.evaluation._trace import trace_line
from truecase.kernels import schema
from truecase.kernels._components import (
    SUFFIX_TABLE_BYTES,
    DenseFeatures,
    hash_suffixes,
    slots_and_checks,
)
from truecase.options import Casing
from truecase.training.dense import with_weights
from truecase.truecaser import Truecaser

WORDS = sorted(set(training_text(80).lower().split()))
PIECES = [
    "mary-ahmed", "iphone-mary", "anti-nasa", "x-ray", "nasa-bbc", "3-euros", "qxv", "qxvburg",
    "o'brien-mcleod", "qxv-zzz", "u.n.", "x.", "3.50", "4th", "a/b.txt", "straße", "ﬁsh", "ı",
    "日本", "…", "max_size", ".", "?", "qxvness", "évoρa", "ὀδός", "zürichburg",
    "QXVNESS", "Qxvı", "QXVII",
]  # fmt: skip
LINES = st.lists(
    st.one_of(st.sampled_from(WORDS), st.sampled_from(PIECES), st.text(max_size=6)), max_size=8
).map(" ".join)


def suffix_table(rng):
    """Of many letters, and of some endings."""
    endings = [*"abcdefghijklmnopqrstuvwxyzéıς", "rg", "urg", "burg", "ess", "ness", "v-z", "ıı"]
    surfaces = [ending.encode() for ending in endings]
    offsets = np.cumsum([0, *map(len, surfaces)])
    hashes = hash_suffixes(b"".join(surfaces), offsets, np.arange(len(endings)), False)
    whole = np.array([row[len(ending) - 1] for row, ending in zip(hashes, endings, strict=True)])
    table = np.zeros(SUFFIX_TABLE_BYTES, np.uint8)
    for place, check in zip(*slots_and_checks(whole), strict=True):
        table[place : place + 4] = [check, *rng.integers(0, 256, 3)]
    return table


@pytest.fixture(scope="module", params=["pruned", "full", "turkic", "without evidence"])
def numbers(request):
    """The twin of a model in which what is kept of the training text is drawn anew."""
    options = {"min_share": 0.0} if request.param == "pruned" else {"candidates": "full"}
    if request.param == "turkic":
        options["language"] = "tr"
    model = estimated(training_text(800, seed=3).encode(), "crf", **options).model
    rng = np.random.default_rng(5)
    arrays = dict(model.dense.arrays)
    arrays["unknown_tag_ln"] = rng.normal(-3, 3, 20).astype(np.float32)
    arrays["neighbour_log_odds"] = rng.integers(0, 256, len(arrays["neighbour_log_odds"]), np.uint8)
    arrays["suffixes"] = suffix_table(rng)
    if request.param == "without evidence":
        del arrays["neighbour_log_odds"], arrays["suffixes"]
    model = model.replace(dense=DenseFeatures(arrays, model.dense.settings))
    # Features are traced as far as they have weights.
    ones = schema.weight_vector(dict.fromkeys(schema.NODE_COLUMNS, 1.0))
    truecaser = Truecaser(with_weights(model, ones))
    return truecaser, counted.Numbers(
        gen.Lexicon(truecaser.model.lexicon.arrays, truecaser.model.lexicon.settings),
        arrays["unknown_tag_ln"],
        arrays.get("neighbour_log_odds"),
        arrays.get("suffixes"),
        turkic=request.param == "turkic",
    )


@examples(100)
@given(line=LINES)
@example("bill . qxvburg of london-qxvness , mary-ahmed and qxv zürichburg")
@example("so QXVII and QXVIİ and qxvıı met")
@example("A-A")
def test_like_the_twin(numbers, line):
    truecaser, numbers = numbers
    line = line.replace("\n", " ").encode()
    *_, sentences = trace_line(compiled(truecaser), line, Casing("ignore"))
    pieces = segment(line, turkic=numbers.turkic)
    assert len(pieces) == sum(len(sentence.words) - 1 for sentence in sentences)
    for sentence in sentences:
        traced = [one.word for one in sentence.words[:-1]]
        words = []
        for piece in pieces[: len(traced)]:
            text = line[piece.start : piece.end].decode()
            found = [gen.Candidate(text, 0.0, "AN")]
            if not piece.flags & CANONICAL:
                found = gen.candidates(numbers.lexicon, piece, text, numbers.turkic)
            words.append(counted.Word(piece, text, found))
        del pieces[: len(traced)]
        for place, (word, seen) in enumerate(zip(words, traced, strict=True)):
            lowercase = [c for c in word.candidates if c.tag == "AL"]
            n_raised = sum(candidate.is_raised for candidate in seen.candidates)
            assert n_raised in (0, len(lowercase))
            # A lowercase form with a capital for its place is that form.
            twins = [*word.candidates, *lowercase[:n_raised]]
            assert len(twins) == len(seen.candidates)
            if len(twins) == 1:
                continue
            for candidate, twin in zip(seen.candidates, twins, strict=True):
                values = {one.feature: one.value for one in candidate.contributions}
                expected = counted.counted_features(numbers, words, place, twin)
                found = {name: values.get(name, 0.0) for name in counted.NAMES}
                assert found == pytest.approx(expected, abs=1e-5)


def test_each_feature_is_seen(numbers):
    """Lines as above give each of them a value, so that none is compared in vain."""
    truecaser, numbers = numbers
    line = b"so bill met mr. qxvburg of nasa-bbc and ahmed-post zq ."
    *_, sentences = trace_line(compiled(truecaser), line, Casing("ignore"))
    seen = {
        contribution.feature
        for sentence in sentences
        for one in sentence.words
        for candidate in one.word.candidates
        for contribution in candidate.contributions
    }
    nothing_of = {"unseen_form"} if numbers.lexicon.settings["candidates"] != "full" else set()
    if numbers.log_odds is None:
        nothing_of |= {name for _, name in counted.CONTEXT} | {"unknown_suffix"}
    assert set(counted.NAMES) - seen == nothing_of
