"""The network: its plain twin, whole numbers, and what it must not change."""

import math
import pickle

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from networks import neural, random_network, settling
from reference import network as plain
from small_model import training_text

from truecase import Truecaser
from truecase._core import CompiledModel
from truecase.errors import ModelError
from truecase.kernels._components import Network
from truecase.kernels._names import BONUS
from truecase.kernels._punctuation_network import find_rows
from truecase.model.names import name_list
from truecase.training._network_text import vectors_of

TEXT = training_text(60, seed=5)
LINES = [line for line in TEXT.splitlines() if not line.isupper()]
CASES = {"AL": 0, "IU": 1, "AU": 2, "MX": 3}


@pytest.fixture(scope="module")
def ngram(model_file):
    return Truecaser.load(model_file)


def words_told(truecaser, line):
    ignoring = truecaser.with_casing(input_case="ignore")
    return [
        word
        for sentence in ignoring.explain(line, sentence_start="learned").sentences
        for word in sentence.words
        if not word.is_end and any(len(w.candidates) > 1 for w in sentence.words)
    ]


@examples(60)
@given(
    line=st.sampled_from(LINES),
    seed=st.integers(0, 100),
    n_units=st.sampled_from([16, 32, 64]),
    n_rows=st.sampled_from([0, 4, 64]),
    scale=st.sampled_from([0.1, 1.0, 20.0]),
)
def test_scores_are_the_twins(ngram, line, seed, n_units, n_rows, scale):
    truecaser = neural(ngram, seed, n_units=n_units, n_words=n_rows, n_pairs=n_rows, scale=scale)
    arrays = truecaser.model.network.arrays
    read = vectors_of(CompiledModel(truecaser.model), line.encode() + b"\n", 50)
    vectors = [
        plain.vector(arrays, *(column[i].tolist() for column in read[:5]))
        for i in range(len(read.word))
    ]
    wanted, at = [], 0
    for n in read.length.tolist():
        wanted += plain.scores(arrays, n_units, vectors[at : at + n])
        at += n
    words = words_told(truecaser, line)
    assert len(words) == len(wanted)
    for word, scores in zip(words, wanted, strict=True):
        for candidate in word.candidates:
            told = {one.feature: one.product for one in candidate.contributions}.get("network")
            if len(word.candidates) > 1:
                score = scores[CASES.get(candidate.tag, 0)]
                assert math.isclose(told, score, rel_tol=1e-4, abs_tol=1e-4 * max(1.0, scale**2))
            else:
                assert told is None


def test_facts_are_those_of_the_candidates(ngram):
    truecaser = neural(ngram)
    compiled = CompiledModel(truecaser.model)
    for line in LINES[:20]:
        facts = (vectors_of(compiled, line.encode() + b"\n", 50).facts.astype(int) - 128) / 32
        words = words_told(truecaser, line)
        assert len(words) == len(facts)
        for word, fact in zip(words, facts, strict=True):
            tags = {CASES[one.tag] for one in word.candidates if one.tag in CASES}
            assert [bool(flag) for flag in fact[4:8]] == [case in tags for case in range(4)]
            assert bool(fact[12]) == (len(word.candidates) > 1)
            if tags:
                counts = {
                    case: max(w.training_count for w in word.candidates if CASES[w.tag] == case)
                    for case in tags
                }
                most = math.log2(1 + max(counts.values()))
                assert fact[8] * 8 == pytest.approx(most, abs=0.26)
                for case, count in counts.items():
                    behind = min(10.0, most - math.log2(1 + count))
                    assert -fact[case] * 4 == pytest.approx(behind, abs=0.26)


def test_case_of_the_input_is_not_read(ngram):
    compiled = CompiledModel(neural(ngram).model)
    # A line in capitals teaches nothing; without vectors there is nothing to compare.
    lines = "".join(f"{line}\n" for line in LINES if len(line.split()) > 1)
    one, other = (
        vectors_of(compiled, text.encode(), 50)[:5] for text in (lines.lower(), lines.title())
    )
    for a, b in zip(one, other, strict=True):
        assert np.array_equal(a, b)


def test_it_decides(ngram):
    lower = TEXT.lower().encode()
    plainly = ngram.case_block(lower)
    assert any(neural(ngram, seed).case_block(lower) != plainly for seed in range(5))


@pytest.mark.parametrize("input_case", ["ignore", "keep", "auto", "evidence"])
def test_only_case_changes_and_threads_do_not_count(ngram, input_case):
    text = (TEXT + TEXT.upper() + "\0 \xff\n" + TEXT.lower()) * 3
    block = text.encode("latin-1", "replace")
    truecaser = neural(ngram, 3)
    once = truecaser.case_block(block, input_case=input_case)
    assert once.lower() == block.lower()
    lines = block.split(b"\n")
    apart = [truecaser.case_block(line, input_case=input_case) for line in lines]
    assert b"\n".join(apart) == once
    decoded = [line.decode("latin-1") for line in lines]
    assert truecaser.batch(decoded, threads=3) == truecaser.batch(decoded, threads=1)


MARKS = [*"\"“”„'‘’`-‐–—", "``", "''", "...", "…", "-lrb-", "(", "&quot;", "&#39;", "----"]
WORDS = [
    "don't",
    "don’t",
    "well-known",
    "well‐known",
    "Σίσυφος",
    "ΣΊΣΥΦΟΣ",
    "Kelvin",
    "\u212aelvin",
]


@given(st.lists(st.sampled_from([*MARKS, *WORDS]), min_size=1, max_size=12))
def test_words_of_one_key_have_the_same_rows_of_letters(ngram, words):
    text = " ".join(["the", *words, "Thing"]) + "\n"
    read = vectors_of(CompiledModel(ngram.model), text.encode(), 1 << 14)
    rows = {}
    for key, *letters in zip(read.word.tolist(), read.suffix, read.prefix, strict=True):
        assert rows.setdefault(key, letters) == letters


def test_what_a_thread_has_read_does_not_count(ngram):
    truecaser = neural(ngram, 3)
    lines = [f"the {mark} cat {mark} and {word} sat" for mark in MARKS for word in WORDS]
    alone = [Truecaser(truecaser.model)(line) for line in lines]
    assert [truecaser(line) for line in reversed(lines)] == alone[::-1]


def test_case_that_says_nothing_is_no_evidence(ngram):
    truecaser = neural(ngram, 3)
    for line in LINES:
        lower = line.lower()
        assert truecaser(lower, input_case="evidence") == truecaser(lower)


def test_a_capital_in_each_of_four_words_is_no_evidence(ngram):
    truecaser = neural(ngram, 3).with_casing(sentence_start="learned")
    wrong = {3: 0, 4: 0}
    for line in LINES:
        words = [word for word in line.split() if word.isalpha()]
        for n in wrong if len(words) >= 4 else ():
            title = " ".join(words[:n]).title()
            wrong[n] += truecaser(title, input_case="evidence") != truecaser(title.lower())
    assert wrong[3] > 0
    assert wrong[4] == 0


def test_the_form_that_came_is_a_candidate(ngram):
    """Where the network prefers mixed case to all else, it can only be that of the input."""
    network = random_network(1)
    arrays = {**network.arrays, "out": network.arrays["out"] * 0}
    arrays["out.bias"] = np.array([0, 0, 0, 1000], np.float32)
    truecaser = Truecaser(
        ngram.model.replace(network=Network(arrays, network.settings))
    ).with_casing(sentence_start="learned")
    text = "the hArbour of the fLurbish was sEen in the mornIng"
    assert truecaser(text, input_case="evidence") == text
    assert "hArbour" not in truecaser(text, input_case="ignore")


def test_a_word_that_came_in_any_form_may_stay(ngram):
    truecaser = neural(ngram, 3).with_casing(
        sentence_start="learned", input_case="evidence", min_odds=1e300
    )
    text = "the hArbour of the fLurbish was sEen in the mornIng"
    assert truecaser(text) == text != truecaser.with_casing(min_odds=1)(text)


@pytest.mark.parametrize("seed", range(4))
def test_pairs_settle_words_as_the_twin(ngram, seed):
    truecaser, checks, sides = settling(ngram, TEXT, seed)
    compiled = CompiledModel(truecaser.model)
    whole = Truecaser(truecaser.model.only("whole"))
    n_settled = n_moved = 0
    for line in LINES:
        lower = line.lower()
        read = vectors_of(compiled, lower.encode() + b"\n", 50)
        told = [
            [word for word in sentence.words if not word.is_end]
            for sentence in whole.explain(lower, sentence_start="learned").sentences
        ]
        assert [len(words) for words in told] == read.length.tolist()
        cased, place = truecaser(lower, sentence_start="learned"), 0
        rows = [*find_rows(read.pair, checks).tolist(), len(checks)]
        at = 0
        for words in told:
            for i, word in enumerate(words):
                place = lower.index(word.text, place)
                output = cased[place : place + len(word.text)]
                place += len(word.text)
                after = rows[at + i + 1] if i + 1 < len(words) else len(checks)
                case = plain.settled_case(int(sides[rows[at + i]][0]), int(sides[after][1]))
                forms = [one.text for one in word.candidates if CASES.get(one.tag) == case]
                if case is not None and len(word.candidates) > 1 and len(forms) == 1:
                    n_settled += 1
                    n_moved += forms[0] != word.output
                    assert output == forms[0]
            at += len(words)
    assert n_settled >= 10
    assert n_moved > 0


@pytest.mark.parametrize("bonus", [0.0, 1000.0])
def test_a_name_is_settled_in_its_own_case_alone(ngram, bonus):
    truecaser, _, _ = settling(ngram, TEXT, 2)
    lines = [line.lower() for line in LINES]
    outputs = truecaser.batch(lines, sentence_start="learned")
    whole = Truecaser(truecaser.model.only("whole")).batch(lines, sentence_start="learned")
    n_same = n_named = 0
    for line, output, of_whole in zip(lines, outputs, whole, strict=True):
        words = zip(line.split(), output.split(), of_whole.split(), strict=True)
        for place, (word, cased, other) in enumerate(words):
            # Where the pairs have changed something, they have settled the word.
            if not word.isalpha() or cased == other or line.split().count(word) > 1:
                continue
            kinds = dict.fromkeys(BONUS, bonus)
            names = name_list([word.capitalize()], bonus=kinds)
            named = Truecaser(truecaser.model.replace(names=names))
            found = named(line, sentence_start="learned").split()[place]
            if cased == word.capitalize():
                n_same += 1
                assert found == cased
            elif bonus > 0 and cased == word:
                n_named += 1
                assert found == word.capitalize()
    assert n_same > 0
    assert n_named > 0 or bonus == 0


def test_without_pairs_that_settle_all_is_as_by_the_whole_model(ngram):
    truecaser, _, _ = settling(ngram, TEXT, 1)
    whole = Truecaser(truecaser.model.only("whole"))
    lower = TEXT.lower().encode()
    assert whole.case_block(lower) != truecaser.case_block(lower)
    assert not whole.model.network.arrays["pairs"].reshape(-1, 20)[:, -2:].any()
    assert Truecaser(whole.model.only("whole")).case_block(lower) == whole.case_block(lower)


@pytest.mark.parametrize("seed", range(4))
def test_settled_words_are_the_same_with_their_probabilities(ngram, seed):
    truecaser, _, _ = settling(ngram, TEXT, seed)
    for text in (TEXT, TEXT.lower()):
        cased = truecaser.case_block(text.encode())
        assert truecaser.changes_block(text.encode())[0] == cased
        of_lines = cased.decode().splitlines()
        for line, out in list(zip(text.splitlines(), of_lines, strict=True))[:10]:
            assert truecaser.explain(line).output == out


def test_it_travels(ngram, tmp_path):
    truecaser = neural(ngram, 5)
    truecaser.save(tmp_path / "with.truecase")
    again = Truecaser.load(tmp_path / "with.truecase")
    lower = TEXT.lower().encode()
    assert again.model.preset == "crf-neural"
    assert again.model.network.info()["units"] == 16
    assert again.case_block(lower) == truecaser.case_block(lower)
    assert pickle.loads(pickle.dumps(truecaser)).case_block(lower) == again.case_block(lower)


def test_n_grams_alone_are_those_of_the_model_beneath(ngram):
    assert neural(ngram).model.only("ngram").network is None


@pytest.mark.parametrize(
    ("name", "change", "says"),
    [
        ("words", lambda a: a[:-1], "words has 3199 entries, expected 3200"),
        ("prefixes", lambda a: a.astype(np.float32), "prefixes is not a vector of uint8"),
        ("forward.inputs", lambda a: a[:-1], "forward.inputs has 5567 entries"),
        ("backward.state", lambda a: a[:-1], "backward.state has 767 entries"),
        ("out", lambda a: a * np.nan, "out has an entry that is no number"),
        ("joined.bias", lambda a: a + 1e7, "joined.bias has an entry .* beyond"),
    ],
)
def test_broken_arrays_are_refused(name, change, says):
    network = random_network(1)
    with pytest.raises(ModelError, match=says):
        Network({**network.arrays, name: change(network.arrays[name])}, network.settings)


@pytest.mark.parametrize(
    ("name", "value", "says"),
    [
        ("n_units", 24, "expected a multiple of 16"),
        ("n_units", 144, "outside 16"),
        ("n_words", 63, "expected a multiple of 4"),
        ("n_pairs", -4, "outside 0"),
        ("n_affixes", 0, "outside 1"),
        ("lm_weight", "much", "not a number"),
    ],
)
def test_settings_out_of_range_are_refused(name, value, says):
    network = random_network(1)
    with pytest.raises(ModelError, match=says):
        Network(network.arrays, {**network.settings, name: value})


def test_what_it_cannot_stand_beside_is_refused(ngram, crf_model_file):
    network = random_network(1)
    with pytest.raises(ModelError, match="a network stands beside n-grams"):
        Truecaser.load(crf_model_file).model.replace(network=network)
    with pytest.raises(ModelError, match="a network stands beside n-grams"):
        ngram.model.only("unigram").replace(network=network)
