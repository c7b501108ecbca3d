"""Kneser-Ney against its plain twin, against KenLM's numbers, and against what must hold."""

import math
import re
import warnings
from pathlib import Path

import numpy as np
import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from ngram_models import estimate, ngrams_of, validate
from reference.kneser_ney import KneserNey as Reference

from truecase.errors import DiscountWarning, EmptyCorpusError
from truecase.ngram._words import Interner
from truecase.ngram.arpa import read_arpa
from truecase.ngram.counting import MemoryPlan, StreamNgrams
from truecase.ngram.kneser_ney import KneserNeyOptions, closed_form_discounts, estimate_kneser_ney

GOLDEN = Path(__file__).parent.parent / "golden" / "kenlm"


def estimate_quietly(lines, vocabulary_size, *args, **kwargs):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DiscountWarning)
        options = KneserNeyOptions(*args, **kwargs)
        return estimate(ngrams_of(lines), vocabulary_size, options)


@st.composite
def corpora(draw):
    n_words = draw(st.integers(1, 12))
    # Ids come in order of their first occurrence, as an Interner gives them.
    lines = draw(
        st.lists(st.lists(st.integers(0, n_words - 1), max_size=9), min_size=1, max_size=25)
    )
    names = {}
    lines = [[names.setdefault(word, len(names) + 3) for word in line] for line in lines]
    if not names:
        lines.append([3])
        names[0] = 3
    return lines, len(names) + 3


@st.composite
def thresholds(draw):
    return tuple(sorted(draw(st.lists(st.integers(0, 3), min_size=1, max_size=3))))


#: A discount of it is 0, which floating-point numbers round to less.
DISCOUNT_OF_ZERO = (
    [[], [], [], [3], [3, 3, 3, 4, 3, 4, 3], [4, 4], [3, 3, 4], [5, 3, 5, 3]], 6
)  # fmt: skip


@examples(80)
@given(corpus=corpora(), order=st.integers(1, 5), prune=thresholds())
@example(corpus=DISCOUNT_OF_ZERO, order=2, prune=(0,))
def test_equals_its_plain_twin(corpus, order, prune):
    lines, vocabulary_size = corpus
    prune = prune[:order]
    model = estimate_quietly(lines, vocabulary_size, order, prune)
    validate(model, vocabulary_size)
    reference = Reference(lines, vocabulary_size, order, prune)
    for k in range(1, order + 1):
        expected = reference.ngrams(k)
        assert [tuple(row) for row in model.words[k - 1].tolist()] == [row[0] for row in expected]
        prob = [max(-99, math.log10(row[1])) if row[1] > 0 else -99 for row in expected]
        assert model.log10_prob[k - 1] == pytest.approx(prob, abs=2e-6)
        assert model.count[k - 1].tolist() == [row[3] for row in expected]
        if k < order:
            backoff = [math.log10(row[2]) if row[2] > 0 else -99 for row in expected]
            assert model.log10_backoff[k - 1] == pytest.approx(backoff, abs=2e-6)


class TinyPlan(MemoryPlan):
    """Sorts, merges and looks up a few n-grams at a time."""

    on_disk = True
    chunk_records = 3
    piece_records = 3

    def sort_capacity(self, width, needed):
        return 5

    def merge_records(self, width, n_runs):
        return 2

    def lookup_records(self, width, needed):
        return max(2, -(-needed // 255))


def assert_same(a, b):
    for name in ("words", "log10_prob", "log10_backoff", "count"):
        for x, y in zip(getattr(a, name), getattr(b, name), strict=True):
            assert x.dtype == y.dtype
            assert x.shape == y.shape
            assert x.tobytes() == y.tobytes()


@examples(60)
@given(corpus=corpora(), order=st.integers(1, 5), prune=thresholds())
def test_a_memory_limit_changes_no_bit(corpus, order, prune):
    lines, vocabulary_size = corpus
    expected = estimate_quietly(lines, vocabulary_size, order, prune[:order])
    assert_same(expected, estimate_quietly(lines, vocabulary_size, order, prune[:order], 0))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(
            MemoryPlan, "for_memory", lambda memory, reserved, threads: TinyPlan(0, threads)
        )
        tiny = estimate_quietly(lines, vocabulary_size, order, prune[:order], 0)
    assert_same(expected, tiny)


@pytest.mark.parametrize("order, vocabulary_size", [(3, 2000), (5, 2000), (5, 40_000)])
def test_a_memory_limit_changes_no_bit_of_a_larger_model(order, vocabulary_size):
    random = np.random.default_rng(7)
    words = np.minimum(random.zipf(1.3, 120_000), vocabulary_size - 3) + 2
    lines = [line.tolist() for line in np.split(words, np.sort(random.integers(0, 120_000, 6000)))]
    expected = estimate_quietly(lines, vocabulary_size, order, (0, 0, 1))
    validate(expected, vocabulary_size)
    assert_same(expected, estimate_quietly(lines, vocabulary_size, order, (0, 0, 1), 0))


def probability(model, index, history, word):
    """p(word | history) of a backoff model, as any reader of the model computes it."""
    log10 = 0.0
    while True:
        ngram = (*history, word)
        at = index[len(ngram) - 1].get(ngram)
        if at is not None:
            return 10 ** (log10 + model.log10_prob[len(ngram) - 1][at])
        at = index[len(history) - 1].get(tuple(history))
        if at is not None:
            log10 += model.log10_backoff[len(history) - 1][at]
        history = history[1:]


@examples(40)
@given(corpus=corpora(), order=st.integers(1, 4), prune=thresholds())
def test_probabilities_of_any_history_sum_to_1(corpus, order, prune):
    lines, vocabulary_size = corpus
    model = estimate_quietly(lines, vocabulary_size, order, prune[:order])
    index = [{tuple(row): i for i, row in enumerate(words.tolist())} for words in model.words]
    words = [word for (word,) in index[0] if word != 1]
    histories = [ngram for k in range(1, order) for ngram in index[k - 1] if 2 not in ngram]
    for history in [(), *histories]:
        total = sum(probability(model, index, history, word) for word in words)
        assert total == pytest.approx(1, abs=1e-5)


def golden_models():
    models = []
    for path in sorted(GOLDEN.glob("market.*.arpa.gz")):
        match = re.fullmatch(r"market\.o(\d)(?:\.prune(\d+))?\.arpa\.gz", path.name)
        prune = [int(digit) for digit in match[2] or ""]
        models.append(pytest.param(path, int(match[1]), prune, id=path.name))
    return models


@pytest.mark.parametrize("path, order, prune", golden_models())
def test_equals_lmplz(path, order, prune):
    interner = Interner("space")
    interner.add_block((GOLDEN / "market.txt").read_bytes())
    model = estimate(StreamNgrams(interner.stream), len(interner), KneserNeyOptions(order, prune))
    surfaces = list(interner.vocabulary())
    vocabulary, expected = read_arpa(path)
    for k in range(1, order + 1):
        theirs = {
            tuple(vocabulary.surface(int(word)) for word in row): i
            for i, row in enumerate(expected.words[k - 1])
        }
        ours = [tuple(surfaces[word] for word in row) for row in model.words[k - 1].tolist()]
        assert sorted(ours) == sorted(theirs)
        rows = [theirs[ngram] for ngram in ours]
        assert np.abs(model.log10_prob[k - 1] - expected.log10_prob[k - 1][rows]).max() < 1e-6
        if k < order:
            backoff = expected.log10_backoff[k - 1][rows]
            assert np.abs(model.log10_backoff[k - 1] - backoff).max() < 1e-6


@pytest.mark.parametrize(
    "n, expected",
    [
        ((40, 20, 10, 5), (0.5, 1.25, 2.0)),
        ((40, 20, 10, 0), (0.5, 1.25, 3.0)),
        ((0, 20, 10, 5), None),
        ((40, 0, 10, 5), None),
        ((40, 20, 0, 5), None),
        ((10, 1, 50, 5), None),
    ],
)
def test_closed_form_discounts(n, expected):
    assert closed_form_discounts(n) == (None if expected is None else pytest.approx(expected))


def test_fallback_discounts_are_named():
    source = ngrams_of([[3, 4], [3, 5]])
    with pytest.warns(DiscountWarning, match=r"order 1, 2, 3 .* using 0\.5 1 1\.5") as record:
        model = estimate_kneser_ney(source, 6)
    assert len(record) == 1
    assert model.discounts == [(0.5, 1.0, 1.5)] * 3


@pytest.mark.parametrize("lines", [[], [[]], [[], []]])
def test_a_corpus_without_words_is_refused(lines):
    with pytest.raises(EmptyCorpusError, match="no words"):
        estimate(ngrams_of(lines), 3)


@pytest.mark.parametrize("order", range(1, 6))
def test_one_word(order):
    model = estimate_quietly([[3]], 4, order)
    validate(model, 4)
    assert model.n_ngrams == [4, 2, 1, 0, 0][:order]


@pytest.mark.parametrize("order", range(1, 6))
def test_one_line_of_ten_thousand_words(order):
    line = [3 + i * i % 97 for i in range(10_000)]
    model = estimate_quietly([line], 100, order)
    validate(model, 100)
    assert model.count[0].sum() == 10_000 + 1 + 1


def test_words_that_never_occur_are_not_in_the_model():
    model = estimate_quietly([[3], [5]], 7, 2)
    assert model.words[0].ravel().tolist() == [0, 1, 2, 3, 5]


@pytest.mark.parametrize("order", [1, 2, 3, 5])
@pytest.mark.parametrize("bad", [0, 1, 5, 2**32 - 1])
def test_ids_outside_the_vocabulary_are_refused(order, bad):
    with pytest.raises(ValueError, match=f"word id {bad} in the stream: expected 2 … 4"):
        estimate_quietly([[3, bad, 4]], 5, order)


def test_thresholds():
    assert KneserNeyOptions(3).thresholds == (0, 0, 0)
    assert KneserNeyOptions(4, (0, 1)).thresholds == (0, 1, 1, 1)
    with pytest.raises(ValueError, match="4 pruning thresholds for a model of order 3"):
        KneserNeyOptions(3, (0, 0, 0, 0))
    with pytest.raises(ValueError, match="fall"):
        KneserNeyOptions(3, (1, 0))
    with pytest.raises(ValueError, match="negative"):
        KneserNeyOptions(3, (-1,))


@pytest.mark.parametrize("order", [0, 6])
def test_orders_out_of_range(order):
    with pytest.raises(ValueError, match="expected 1 … 5"):
        KneserNeyOptions(order)


def test_long_keys():
    """Ids of 25 bits, five of which are a key of 125."""
    size = 1 << 25
    a, b, c = 3, size // 2, size - 1
    lines = [[a, b, c], [b, b, c, a], [c], [a, b, c, a, b, c]]
    ids = {a: 3, b: 4, c: 5}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DiscountWarning)
        wide = estimate_kneser_ney(ngrams_of(lines), size, KneserNeyOptions(5))
        renamed = [[ids[word] for word in line] for line in lines]
        small = estimate(ngrams_of(renamed), 6, KneserNeyOptions(5))
    names = {0: 0, 1: 1, 2: 2, a: 3, b: 4, c: 5}
    for k in range(2, 6):
        (block,) = wide.blocks(k, lambda block: block)
        rows = [[names[word] for word in row] for row in block.words.tolist()]
        assert rows == small.words[k - 1].tolist()
        assert block.counts.tolist() == small.count[k - 1].tolist()


def test_too_long_keys_are_refused():
    with pytest.raises(OverflowError, match="5-grams of 67108864 different words"):
        estimate(ngrams_of([[3]]), 1 << 26, KneserNeyOptions(5))


@examples(40)
@given(corpus=corpora(), order=st.integers(1, 5), threads=st.integers(1, 2))
def test_ranges_of_first_words_and_threads_make_no_difference(corpus, order, threads):
    lines, vocabulary_size = corpus
    plan = MemoryPlan(threads=threads)
    whole, ranges = (
        list(ngrams_of(lines, at_once=n).counted(vocabulary_size, order, plan))
        for n in (1 << 20, 1)
    )
    assert len(whole) == 1
    assert len(ranges) > 1
    for column in (0, 1):
        joined = np.concatenate([piece[column] for piece in ranges])
        assert np.array_equal(joined, whole[0][column])


def test_a_word_beyond_the_vocabulary_is_refused():
    source = ngrams_of([[3, 9, 4]])
    with pytest.raises(ValueError, match="word id 9 in the stream: expected 2 … 4"):
        list(source.counted(5, 2, MemoryPlan()))
