"""Packed translation tables: look-ups against the probabilities, pruning, damaged arrays."""

import math
from unittest import mock

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from small_tables import MENU, described, smooth_quietly, token_forms, word_counts
from truecase_testing import table_features, table_probabilities

from truecase.errors import ModelError
from truecase.kernels._components import TranslationTables
from truecase.training import translation_tables
from truecase.training.translation_tables import backoffs_for, pack_tables

EXACT = {"_MIN_GAIN": -math.inf, "_CODE_BITS": 12, "_FINGERPRINT_BITS": 30}
LARGE = 1 << 30
WORDS = st.sampled_from(
    [b"Click", b"click", b"CLICK", b"OK", b"ok", b"On", b"on", b"iPhone", b"Iphone", b",", b"3"]
)
COUNTS = st.dictionaries(st.tuples(WORDS, WORDS), st.integers(1, 9), max_size=40)


def packed(tables, max_bytes=LARGE, **constants):
    with mock.patch.dict(vars(translation_tables), constants):
        return pack_tables(tables, max_bytes)


def load(tables, max_bytes=LARGE, **constants):
    return TranslationTables(*packed(tables, max_bytes, **constants))


def are_ambiguous(tables, lower):
    """Which targets have several forms, and the stranger, which the tables do not leave out."""
    ambiguous = np.bincount(tables.target_key, minlength=len(tables.lower.counts.target)) > 1
    return np.append(ambiguous if lower else ambiguous[tables.target_key], True)


def table_of(tables, lower):
    """All sources, all targets and a stranger; p of each pair of them."""
    smoothed = tables.lower if lower else tables.cased
    counts = smoothed.counts
    sources = np.append(counts.source, np.uint64(12345))
    targets = np.append(counts.target, np.uint64(54321))
    table = np.outer(
        np.append(smoothed.backoff, 1.0), np.append(smoothed.continuation, smoothed.unknown)
    )
    table[counts.pair_source, counts.pair_target] = smoothed.probability
    return sources, targets, table


def looked_up(loaded, sources, targets, lower):
    shape = len(sources), len(targets)
    return table_probabilities(
        loaded, np.repeat(sources, len(targets)), np.tile(targets, len(sources)), lower
    ).reshape(shape)


@given(COUNTS)
@example({})
def test_probabilities_of_all_pairs_are_found(counts):
    tables = smooth_quietly(word_counts(counts))
    loaded = load(tables, **EXACT)
    for lower in (False, True):
        sources, targets, table = table_of(tables, lower)
        kept = are_ambiguous(tables, lower)
        found = looked_up(loaded, sources, targets, lower)
        np.testing.assert_allclose(found[:, kept], table[:, kept], rtol=2e-3)


@given(COUNTS, st.integers(0, 400), st.floats(0, 1))
def test_pruned_tables_keep_to_their_size_and_stay_finite(counts, n_bytes, share):
    tables = smooth_quietly(word_counts(counts))
    books = 2 * 4 * 64 + 200
    arrays, settings = packed(tables, books + n_bytes, _LOWER_SHARE=share)
    assert sum(array.nbytes for array in arrays.values()) <= max(books + n_bytes, 700)
    loaded = TranslationTables(arrays, settings)
    for lower in (False, True):
        sources, targets, _ = table_of(tables, lower)
        found = looked_up(loaded, sources, targets, lower)
        assert (found > 0).all() and (found <= 1).all()


@given(COUNTS, st.randoms(use_true_random=False))
def test_backoffs_take_over_what_pruning_takes_away(counts, random):
    smoothed = smooth_quietly(word_counts(counts)).cased
    pairs = smoothed.counts
    said = np.array([random.random() < 0.5 for _ in pairs.count], bool)
    backoff = backoffs_for(smoothed, said)
    table = np.outer(backoff, np.append(smoothed.continuation, smoothed.unknown))
    source, target = pairs.pair_source[said], pairs.pair_target[said]
    table[source, target] = smoothed.probability[said]
    # A share is 1 at most, which is less than is left where unlikely pairs alone are stored.
    np.testing.assert_allclose(table.sum(axis=1)[backoff < 1], 1.0)
    assert (table.sum(axis=1) < 1 + 1e-9).all()
    assert (backoff >= smoothed.backoff).all()
    np.testing.assert_allclose(
        backoffs_for(smoothed, np.ones(len(said), bool)), smoothed.backoff, rtol=1e-6
    )


def test_words_of_one_form_are_left_out():
    tables = smooth_quietly(word_counts(MENU))
    _, kept = packed(tables, **EXACT)
    # OK, button and the comma have one form.
    assert kept["cased"]["n_pairs"] == len(MENU) - 3
    assert kept["lower"]["n_pairs"] == 4


def test_pairs_that_tell_case_are_kept_first():
    tables = smooth_quietly(word_counts(MENU))
    _, settings = packed(tables, 790, _LOWER_SHARE=0.0)
    assert 0 < settings["cased"]["n_pairs"] < len(MENU) - 3
    loaded = load(tables, 790, _LOWER_SHARE=0.0)
    _, form, tag = described([b"click", b"Click"])
    key = described([b"click"])[0][0]
    for line, best in ((b"Cliquez", 1), (b"cliquez", 0)):
        translation, _, _ = table_features(loaded, line, 1, False, None, form, tag, int(key))
        assert int(np.argmax(translation)) == best


def test_same_tables_same_bytes():
    arrays = [packed(smooth_quietly(word_counts(MENU)))[0] for _ in range(2)]
    for name in arrays[0]:
        np.testing.assert_array_equal(arrays[0][name], arrays[1][name])


@given(COUNTS, st.lists(WORDS, max_size=5), st.lists(st.integers(0, 5), max_size=4))
def test_features_are_equations_7_and_8(counts, line_words, words):
    tables = smooth_quietly(word_counts(counts))
    loaded = load(tables, **EXACT)
    line = b" ".join(line_words)
    candidates = [b"click", b"Click", b"CLICK"]
    key, form, tag = described(candidates)
    tokens = token_forms(line)
    tags = described(line_words)[2] if line_words else []
    for chosen in (None, sorted(set(words))):
        phrase = [i for i in range(len(tokens)) if chosen is None or i in chosen]
        # marks are no part of the phrase unless they are all there is of a word: here they are
        translation, tag_translation, likeliest = table_features(
            loaded, line, 1, False, chosen, form, tag, int(key[0])
        )
        if not phrase:
            assert not translation.any() and not tag_translation.any() and likeliest == -1
            continue
        lower = table_probabilities(
            loaded,
            np.array([tokens[i][1] for i in phrase], np.uint64),
            np.full(len(phrase), key[0]),
            True,
        )
        assert likeliest == phrase[int(np.argmax(lower))]
        for c in range(len(candidates)):
            cased = table_probabilities(
                loaded,
                np.array([tokens[i][0] for i in phrase], np.uint64),
                np.full(len(phrase), form[c]),
            )
            assert translation[c] == pytest.approx(math.log(cased.sum()), abs=1e-4)
            by_tag = sum(
                p * tables.tag[tags[i], tag[c]] for p, i in zip(lower, phrase, strict=True)
            )
            assert tag_translation[c] == pytest.approx(math.log(by_tag), abs=1e-4)


def test_an_example_of_the_paper():
    """CLIQUEZ SUR OK: unseen in upper case, so that the tags decide."""
    tables = smooth_quietly(word_counts(MENU))
    loaded = load(tables, **EXACT)
    key, form, tag = described([b"click", b"Click", b"CLICK"])
    source = b"CLIQUEZ SUR OK"
    _, by_tag, likeliest = table_features(loaded, source, 1, False, None, form, tag, int(key[0]))
    assert int(np.argmax(by_tag)) == 2
    assert likeliest == 0
    by_form, _, _ = table_features(loaded, b"Cliquez sur OK", 1, False, [0], form, tag, int(key[0]))
    assert int(np.argmax(by_form)) == 1


def test_a_long_line_is_finite():
    tables = smooth_quietly(word_counts(MENU))
    loaded = load(tables)
    key, form, tag = described([b"click", b"Click", b"CLICK"])
    for line in (b"OK " * 10_000, b"zzz " * 10_000):
        for words in (None, range(10_000)):
            first, second, _ = table_features(loaded, line, 1, False, words, form, tag, int(key[0]))
            assert np.isfinite(first).all() and np.isfinite(second).all()


def damaged(change):
    arrays, settings = packed(smooth_quietly(word_counts(MENU)))
    change(arrays, settings)
    return arrays, settings


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda a, s: a.pop("tag"), "tables/tag is missing"),
        (lambda a, s: a.update({"tag": a["tag"][:24]}), "24 entries"),
        (lambda a, s: a["tag"].fill(0), "outside"),
        (lambda a, s: a["cased.value"].fill(2), "outside"),
        (lambda a, s: a["cased.value"].fill(0), "outside"),
        (lambda a, s: a["cased.value"].fill(np.nan), "is no number"),
        (lambda a, s: a["lower.value"].fill(np.inf), "is no number"),
        (lambda a, s: a.update({"cased.value": a["cased.value"][:9]}), "9 entries"),
        (lambda a, s: a.update({"cased.slots": a["cased.slots"][:9]}), "shorter"),
        (lambda a, s: s["lower"].update(n_slots=10**6), "shorter"),
        (lambda a, s: s["lower"].update(n_slots=-1), "outside"),
        (lambda a, s: s["cased"].update(code_bits=17), "outside"),
        (lambda a, s: s["cased"].update(code_bits=5), "64 entries"),
        (lambda a, s: s["cased"].update(code_bits="6"), "not a number"),
        (lambda a, s: s["cased"].update(fingerprint_bits=0), "outside"),
        (lambda a, s: s["cased"].update(max_probes=2**40), "outside"),
        (lambda a, s: s["cased"].update(unknown=0.0), "outside"),
        (lambda a, s: s["cased"].pop("unknown"), "unknown is missing"),
        (lambda a, s: s.pop("lower"), "lower.code_bits is missing"),
    ],
)
def test_damaged_tables_are_refused(change, message):
    with pytest.raises(ModelError, match=message):
        TranslationTables(*damaged(change))


@given(st.randoms(use_true_random=False))
def test_any_slots_can_be_read(random):
    """What the slots hold is never an index out of range."""

    def change(arrays, settings):
        for name in ("cased", "lower"):
            slots = arrays[f"{name}.slots"]
            slots[:] = [random.randrange(256) for _ in slots]
            settings[name]["max_probes"] = random.randrange(100)

    loaded = TranslationTables(*damaged(change))
    key, form, tag = described([b"click", b"Click", b"CLICK"])
    first, second, _ = table_features(loaded, b"Cliquez OK", 1, False, None, form, tag, int(key[0]))
    assert np.isfinite(first).all() and np.isfinite(second).all()


def test_wrong_arguments():
    loaded = load(smooth_quietly(word_counts(MENU)))
    one, two = np.zeros(1, np.uint64), np.zeros(2, np.uint64)
    with pytest.raises(ValueError, match="1 sources but 2 targets"):
        table_probabilities(loaded, one, two)
    with pytest.raises(ValueError, match="a tag"):
        table_features(loaded, b"a", 1, False, None, one, np.full(1, 5, np.uint8), 0)
