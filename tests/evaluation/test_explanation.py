"""What is explained is what was decoded: sums, posteriors and the path."""

import functools
import json
import math

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from parts import compiled
from recipes import SMALL_NETWORK, estimated, trained
from small_model import training_text

from truecase.evaluation._trace import trace_line
from truecase.evaluation.text_tables import explanation_table
from truecase.kernels.schema import columns
from truecase.training.dense import with_weights
from truecase.truecaser import Truecaser

LINES = (
    "the bridge of lyon was never seen by dr. mary again",
    "us post in washington ; bill o'brien doesn't like the e-mail !",
    "zorblax-bridge 3.50 and qwertz. the post is in oslo.",
    '" breaking news from accra ," said łukasz',
    "ibm",
    "1984 , 42",
)


def train(**options):
    if options.get("candidates") != "full":
        options["min_share"] = 0.0
    return estimated(training_text(400, seed=5).encode(), min_count=1, **options)


def weighed(order, seed=1):
    """A model of the preset crf, its weights drawn at random."""
    rng = np.random.default_rng(seed)
    return Truecaser(
        with_weights(train(preset="crf", order=order).model, rng.normal(0.0, 1.0, len(columns())))
    )


def neural():
    text = training_text(800, seed=3).encode()
    return trained(text, "crf-neural", min_share=0.0, **SMALL_NETWORK)


MODELS = {
    "unigram": lambda: train(preset="unigram"),
    "order 1": lambda: train(order=1),
    "order 2": lambda: train(order=2, candidates="full"),
    "ngram": lambda: train(),
    "ngram, all candidates": lambda: train(candidates="full"),
    "order 4": lambda: train(order=4, candidates="full"),
    "portage": lambda: train(preset="portage"),
    "portage, powers": lambda: train(preset="portage", variant="powers", order=2),
    "portage, interpolated": lambda: train(preset="portage", variant="interpolated"),
    "portage from left to right": lambda: train(preset="portage", search="left-to-right"),
    "crf 2": lambda: weighed(2),
    "crf 3": lambda: weighed(3),
    "crf-neural": neural,
}


@pytest.fixture(scope="session", params=MODELS)
def model(request):
    return MODELS[request.param]()


def check(model, text):
    """Everything that must hold of the explanation of a line."""
    explanation = model.explain(text)
    assert explanation.output == model(text)
    assert "".join(w.output for w in explanation.words) == "".join(explanation.output.split())
    order, weight, traces = trace_line(compiled(model), text.encode("utf-8", "surrogatepass"))
    for sentence, trace in zip(explanation.sentences, traces, strict=True):
        check_scores(sentence, trace, order, weight)
        steps = np.zeros((len(sentence.words), 64))
        for edge in sentence.edges:
            steps[edge.word, edge.candidate] += edge.posterior
        for number, word in enumerate(sentence.words):
            assert sum(candidate.is_chosen for candidate in word.candidates) == 1
            posteriors = [candidate.posterior for candidate in word.candidates]
            assert math.isclose(sum(posteriors), 1.0, abs_tol=1e-6)
            # The kernel's sums over all paths, and those of the drawing's arrays.
            np.testing.assert_allclose(steps[number, : len(posteriors)], posteriors, atol=1e-5)
            for candidate in word.candidates:
                products = [c.value * c.weight for c in candidate.contributions]
                assert math.isclose(candidate.score, sum(products), abs_tol=1e-9)
                assert all(map(math.isfinite, products))
    return explanation


def check_scores(sentence, trace, order, weight):
    """The features add up to what the search adds for each candidate, after the path before it."""
    for number, (word, traced) in enumerate(zip(sentence.words, trace.words, strict=True)):
        assert word.is_scored == (order == 1 or traced.edges is not None)
        for c, candidate in enumerate(word.candidates if word.is_scored else ()):
            places = range(number - traced.edges.ndim + 1, number)
            history = [trace.path[place] if place >= 0 else 0 for place in places]
            score = traced.word.candidates[c].score + weight * traced.edges[(*history, c)]
            if traced.transitions is not None:
                score += traced.transitions[trace.path[number - 1] if number else 0][c][0]
            assert math.isclose(candidate.score, score, rel_tol=1e-5, abs_tol=1e-4)


@pytest.mark.parametrize("line", LINES)
def test_sums_and_posteriors(model, line):
    check(model, line)


@examples(30)
@given(words=st.lists(st.sampled_from(training_text(60, seed=9).split()), max_size=12))
def test_any_words(words):
    check(trained_once(), " ".join(words))


@examples(30)
@given(text=st.text(st.characters(exclude_characters="\n"), max_size=40))
def test_any_text(text):
    explanation = trained_once().explain(text)
    json.dumps(explanation.to_dict()).encode()
    explanation_table(explanation)


@functools.cache
def trained_once():
    return weighed(3, seed=7)


def test_the_best_path_is_the_best():
    """Of short sentences every path's score, from the edges and nodes that are shown."""
    model = train(order=2, candidates="full")
    sentence = model.explain("bill post in lyon").sentences[0]
    lm = {(e.word, e.before, e.candidate): e.lm for e in sentence.edges}
    best = {0: 0.0}
    for number, word in enumerate(sentence.words):
        best = {
            c: max(
                score + lm[number, b if number else 0, c] + node_part(candidate)
                for b, score in best.items()
            )
            for c, candidate in enumerate(word.candidates)
        }
    assert math.isclose(max(best.values()), sentence.score, rel_tol=1e-5)


def node_part(candidate):
    return sum(c.product for c in candidate.contributions if c.feature != "lm")


def test_columns_of_a_crf_model():
    explanation = weighed(3).explain("the bridge , zorblax-post")
    names = {
        c.feature
        for word in explanation.words
        for candidate in word.candidates
        for c in candidate.contributions
    }
    assert {"lm", "initial", "case_given_word", "unknown_word", "hyphen_parts"} <= names
    assert any(name.startswith("transition:") for name in names)
    assert "after_punctuation:," in names
    assert not any(name.startswith("fine") for name in names)


def test_first_word_that_gets_its_capital_afterwards():
    word = train().explain("the bridge").words[0]
    assert (word.text, word.output, word.is_changed_after) == ("the", "The", True)
    assert word.candidates[word.chosen].text == "the"


def test_first_word_that_is_there_twice():
    word = weighed(3).explain("the bridge").words[0]
    raised = [candidate for candidate in word.candidates if candidate.is_raised]
    assert [(candidate.text, candidate.tag) for candidate in raised] == [("The", "IU")]
    assert "the -> The" in explanation_table(weighed(3).explain("the bridge"))


def test_sentences_are_decoded_one_by_one():
    explanation = train().explain("bill took it . the post is free .")
    assert [len(sentence.words) for sentence in explanation.sentences] == [5, 6]
    assert [word.text for word in explanation.words[:4]] == ["bill", "took", "it", "."]
    assert all(sentence.words[-1].is_end for sentence in explanation.sentences)


def given_bonuses(text):
    explanation = Truecaser.load("en").with_casing(input_case="proofread").explain(text)
    candidates = (
        one
        for sentence in explanation.sentences
        for word in sentence.words
        for one in word.candidates
    )
    return {
        one.text: part.product
        for one in candidates
        for part in one.contributions
        if part.feature == "as_given"
    }


def test_bonuses_of_the_input_case_are_those_of_casing():
    assert given_bonuses("they said that you MUST hurry")["MUST"] > 10
    # This sentence stays.
    assert given_bonuses("the Old Houses Of Two Quiet Rivers are here") == {}


def test_words_without_any_choice_are_passed_over():
    words = train().explain("said said said said said").words
    assert [word.is_scored for word in words] == [False] * 5
    assert all(not candidate.contributions for word in words for candidate in word.candidates)


def test_empty_line():
    explanation = train().explain("")
    assert (explanation.output, explanation.sentences) == ("", ())
    assert train().explain("  ").words == ()


@pytest.mark.parametrize(
    "text, message",
    [
        ("two\nlines", "only one line can be explained at a time"),
        ("a " * 10_001, "20,002 bytes: at most 20,000"),
    ],
)
def test_refused(text, message):
    with pytest.raises(ValueError, match=message):
        trained_once().explain(text)


def test_table_is_aligned_and_wrapped():
    model = weighed(3)
    table = explanation_table(model.explain("us post in oslo"), width=120)
    lines = table.splitlines()
    assert lines[0] == model("us post in oslo")
    assert max(map(len, lines)) <= 120
    start = lines[2].index("value x weight")
    assert all(line[start - 1 : start] == " " for line in lines[3:7])
    assert sum(line.startswith(">") for line in lines) == 6
