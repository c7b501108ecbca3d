"""Pruning keeps distributions whole, contexts complete, and drops what costs least."""

import itertools
import math

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from reference.backoff import BackoffModel

from truecase.ngram._kneser_ney import CasingLosses
from truecase.ngram.prune import (
    Order,
    find_shorter,
    full_scorer,
    mark_deciding,
    measure_losses,
    needed_losses,
    renormalise,
)

N_WORDS = 7


def needed_above(orders, threshold):
    """The n-grams whose loss, or that of one that needs them, is above a threshold."""
    return [losses > threshold for losses in needed_losses(orders)]


def normalised_model(rng, order):
    """A random backoff model whose distributions sum to one; log_prob and log_backoff dicts.

    Where a shorter history leaves next to nothing to the words that are not listed, the
    backoff weight would be in the thousands and magnify the rounding of 16-bit scores into
    sums far from one: such contexts are left out.
    """
    probability, backoff = {}, {}
    shares = rng.dirichlet(np.ones(N_WORDS))
    for word in range(N_WORDS):
        probability[(word,)] = math.log(shares[word])
    for k in range(2, order + 1):
        contexts = [gram for gram in probability if len(gram) == k - 1]
        for context in contexts:
            if rng.random() < 0.3:
                continue
            words = [w for w in range(N_WORDS) if rng.random() < 0.5][: N_WORDS - 1]
            if not words:
                continue
            lower = BackoffModel(order, probability, backoff)
            rest = 1 - sum(math.exp(lower.score(context[1:], w)) for w in words)
            if rest < 0.05:
                continue
            taken = rng.uniform(0.2, 0.9)
            for word, share in zip(words, rng.dirichlet(np.ones(len(words))), strict=True):
                probability[(*context, word)] = math.log(taken * share)
            backoff[context] = math.log((1 - taken) / rest)
    return probability, backoff


def as_orders(probability, backoff, order, form):
    orders, below = [], None
    for k in range(2, order + 1):
        grams = sorted(gram for gram in probability if len(gram) == k)
        words = np.array(grams, np.uint32).reshape(len(grams), k)
        missing = np.full(len(grams), -1, np.int32)
        context, suffix = (missing, missing) if below is None else find_shorter(words, below)
        orders.append(
            Order(
                words,
                np.array([probability[g] for g in grams], np.float32),
                np.array([backoff.get(g, 0.0) for g in grams], np.float32),
                np.array([1 + sum(g) % 5 for g in grams], np.uint32),
                context,
                suffix,
                np.zeros(len(grams), np.float32),
            )
        )
        below = words
    return orders


def as_reference(orders, log_prob, log_backoff):
    probability = {(w,): float(log_prob[w]) for w in range(N_WORDS)}
    backoff = {(w,): float(log_backoff[w]) for w in range(N_WORDS)}
    for order in orders:
        for gram, p, b in zip(order.words, order.log_prob, order.log_backoff, strict=True):
            probability[tuple(map(int, gram))] = float(p)
            backoff[tuple(map(int, gram))] = float(b)
    return BackoffModel(1 + len(orders), probability, backoff)


def setup_model(seed, order):
    rng = np.random.default_rng(seed)
    form = rng.integers(1, 2**64, N_WORDS, np.uint64)
    probability, backoff = normalised_model(rng, order)
    orders = as_orders(probability, backoff, order, form)
    log_prob = np.array([probability[(w,)] for w in range(N_WORDS)], np.float32)
    log_backoff = np.array([backoff.get((w,), 0.0) for w in range(N_WORDS)], np.float32)
    # Words 1 and 2 are forms of one word, so are 3, 4 and 5; words 0 and 6 stand alone.
    start = np.array([0, 0, 1, 2, 4, 6, 8, 8])
    others = np.array([2, 1, 4, 5, 3, 5, 3, 4], np.uint32)
    scorer = full_scorer(orders, form, log_prob, log_backoff)
    node_score = np.linspace(-1, 1, N_WORDS).astype(np.float32)
    measure_losses(orders, scorer, start, others, node_score)
    return form, orders, log_prob, log_backoff, start, others, node_score


@pytest.mark.parametrize("order", [2, 3, 4])
@examples(20)
@given(seed=st.integers(0, 2**32), share=st.floats(0, 1))
def test_distributions_sum_to_one_after_pruning(order, seed, share):
    form, orders, log_prob, log_backoff, *_ = setup_model(seed, order)
    losses = np.concatenate([o.loss for o in orders])
    threshold = float(np.quantile(losses, share)) if len(losses) else 0.0
    for o in orders:
        # Nothing is exempt from the sums here, so that they can be checked exactly.
        o.loss = np.maximum(o.loss, 1e-9)
    pruned, backoffs = renormalise(
        orders, needed_above(orders, threshold), form, log_prob, log_backoff
    )
    model = as_reference(pruned, log_prob, backoffs)
    for length in range(order):
        for history in itertools.product(range(N_WORDS), repeat=length):
            total = sum(math.exp(model.score(history, w)) for w in range(N_WORDS))
            assert total == pytest.approx(1, abs=1e-2)


@examples(20)
@given(seed=st.integers(0, 2**32))
def test_losses_are_those_of_the_definition(seed):
    _, orders, log_prob, log_backoff, start, others, node_score = setup_model(seed, 3)
    model = as_reference(orders, log_prob, log_backoff)

    def total(gram):
        return sum(model.score(gram[:i], gram[i]) for i in range(len(gram)))

    for order in orders:
        for gram, p, count, loss in zip(
            order.words.tolist(), order.log_prob, order.count, order.loss, strict=True
        ):
            shorter = model.backoff.get(tuple(gram[:-1]), 0.0)
            fall = float(p) - shorter - model.score(gram[1:-1], gram[-1])
            expected = 0.0
            for place, word in enumerate(gram):
                weights = [1.0]
                for other in others[start[word] : start[word + 1]]:
                    changed = [*gram[:place], int(other), *gram[place + 1 :]]
                    gap = total(changed) - total(gram) + node_score[other] - node_score[word]
                    weights.append(math.exp(gap))
                if len(weights) == 1:
                    continue
                before = 1.0 / sum(weights)
                after = before * math.exp(-fall) / (1 - before + before * math.exp(-fall))
                divergence = before * math.log(before / after)
                divergence += (1 - before) * math.log((1 - before) / (1 - after))
                expected += count / before * divergence
            assert loss == pytest.approx(expected, rel=0.02, abs=0.02)


@given(st.integers(0, 2**32))
@examples(20)
def test_contexts_and_suffixes_of_kept_ngrams_are_kept(seed):
    _, orders, *_ = setup_model(seed, 4)
    previous = None
    for threshold in (0.0, 0.1, 1.0, 1e9):
        keep = needed_above(orders, threshold)
        for below, above, kept_below, kept_above in zip(
            orders, orders[1:], keep, keep[1:], strict=False
        ):
            all_below = {tuple(w) for w in below.words.tolist()}
            contexts = {tuple(w[:-1]) for w in above.words[kept_above].tolist()}
            suffixes = {tuple(w[1:]) for w in above.words[kept_above].tolist()}
            kept = {tuple(w) for w in below.words[kept_below].tolist()}
            assert (contexts | suffixes) & all_below <= kept
        if previous is not None:
            assert all((now <= then).all() for now, then in zip(keep, previous, strict=True))
        previous = keep
    assert not any(mask.any() for mask in previous)


@examples(60)
@given(st.data())
def test_shorter_ngrams_are_found_as_in_a_dictionary(data):
    k = data.draw(st.integers(2, 5))
    row = st.tuples(*[st.integers(0, 4)] * k)
    words = sorted(data.draw(st.sets(row, max_size=60)))
    below = sorted(data.draw(st.sets(st.tuples(*[st.integers(0, 5)] * (k - 1)), max_size=40)))
    place = {gram: i for i, gram in enumerate(below)}
    context, suffix = find_shorter(
        np.array(words, np.uint32).reshape(-1, k), np.array(below, np.uint32).reshape(-1, k - 1)
    )
    assert list(context) == [place.get(gram[:-1], -1) for gram in words]
    assert list(suffix) == [place.get(gram[1:], -1) for gram in words]


@pytest.mark.parametrize("order", [2, 3, 4])
def test_ngrams_are_given_up(order):
    form, orders, log_prob, log_backoff, *_ = setup_model(7, order)
    keep = needed_above(orders, float(np.median(orders[-1].loss)))
    pruned, _ = renormalise(orders, keep, form, log_prob, log_backoff)
    assert orders == []
    assert [len(one.words) for one in pruned] == [int(mask.sum()) for mask in keep]


@examples(20)
@given(st.integers(0, 2**32))
def test_deciding_ngrams_are_those_that_have_a_loss(seed):
    _, orders, _, _, start, *_ = setup_model(seed, 3)
    losses = [order.loss for order in orders]
    mark_deciding(orders, start)
    for order, loss in zip(orders, losses, strict=True):
        assert order.loss.tolist() == (loss > 0).tolist()


@examples(20)
@given(st.integers(0, 2**32))
def test_needed_losses_are_those_of_the_longest_ngrams_that_need_them(seed):
    _, orders, *_ = setup_model(seed, 4)
    needed = [order.loss.tolist() for order in orders]
    for k in (2, 1):
        for i, loss in enumerate(needed[k]):
            for place in (orders[k].context[i], orders[k].suffix[i]):
                if place >= 0:
                    needed[k - 1][place] = max(needed[k - 1][place], loss)
    assert [losses.tolist() for losses in needed_losses(orders)] == needed


@pytest.mark.parametrize(
    ("start", "others", "n_scores"),
    [
        ([0, 0, 0, 0, 0, 0, 0, 1], [], N_WORDS),
        ([0, 2, 1, 2, 2, 2, 2, 2], [0, 1], N_WORDS),
        ([0, 0, 0, 0, 0, 0, 0, 1], [N_WORDS], N_WORDS),
        ([0, 0], [], N_WORDS),
        ([0] * 8, [], N_WORDS - 1),
    ],
)
def test_alternatives_that_do_not_fit_are_refused(start, others, n_scores):
    form, orders, log_prob, log_backoff, *_ = setup_model(1, 3)
    with pytest.raises(ValueError, match="do not fit the vocabulary"):
        CasingLosses(
            full_scorer(orders, form, log_prob, log_backoff),
            np.array(start, np.int64),
            np.array(others, np.uint32),
            np.zeros(n_scores, np.float32),
        )


def test_losses_do_not_depend_on_what_is_measured_with_them():
    form, orders, log_prob, log_backoff, start, others, node_score = setup_model(3, 3)
    scorer = full_scorer(orders, form, log_prob, log_backoff)
    losses = CasingLosses(scorer, start, others, node_score)
    words = np.array(list(itertools.product(range(N_WORDS), repeat=3)), np.uint32)
    counts = np.arange(1, len(words) + 1, dtype=np.uint32)
    backoffs = np.linspace(-2, 0, len(words)).astype(np.float32)
    at_once = losses.of(words, counts, backoffs)
    one_by_one = [losses.of(words[i : i + 1], counts[i : i + 1], backoffs[i : i + 1])[0]
                  for i in range(len(words))]  # fmt: skip
    assert at_once.tolist() == one_by_one
    assert (at_once > 0).tolist() == [bool(set(w) & {1, 2, 3, 4, 5}) for w in words.tolist()]
    with pytest.raises(ValueError, match="word id 7"):
        losses.of(np.full((1, 3), N_WORDS, np.uint32), counts[:1], backoffs[:1])
    with pytest.raises(ValueError, match="differ in length"):
        losses.of(words, counts[:1], backoffs)


def test_shorter_ngrams_are_the_same_for_any_number_of_threads():
    rng = np.random.default_rng(5)
    codes = np.unique(rng.integers(0, 100**3, 700_000))
    words = np.stack([codes // 10_000, codes // 100 % 100, codes % 100], axis=1).astype(np.uint32)
    below = np.unique(rng.integers(0, 100**2, 6_000))
    rows = np.stack([below // 100, below % 100], axis=1).astype(np.uint32)
    place = np.full(100**2, -1)
    place[below] = np.arange(len(below))
    for threads in (1, 2):
        context, suffix = find_shorter(words, rows, threads)
        assert np.array_equal(context, place[codes // 100])
        assert np.array_equal(suffix, place[codes % 10_000])
