"""Figures of an evaluation, by hand and against a plain twin."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from truecase.errors import EvaluationError
from truecase.evaluation.metrics import Evaluator, evaluate_lines

REFERENCE = ["The McDonald family visits NASA .", "New York in May"]
OUTPUT = ["The mcdonald family Visits NASA .", "New york in May"]


def test_counts_by_hand():
    e = evaluate_lines(REFERENCE, OUTPUT)
    assert (e.n_lines, e.n_correct_lines, e.n_words, e.n_correct) == (2, 0, 10, 7)
    # Gold: The McDonald NASA New York May; proposed: The Visits NASA New May.
    assert (e.n_gold, e.n_proposed, e.n_hits) == (6, 5, 4)
    assert e.accuracy == 0.7
    assert e.case_error_rate == pytest.approx(0.3)
    assert e.f1 == pytest.approx(2 * (4 / 5) * (4 / 6) / (4 / 5 + 4 / 6))
    assert e.by_tag["IU"].n_words == 4
    assert e.by_tag["IU"].n_errors == 1
    assert e.by_tag["AN"].n_words == 1
    assert e.confusion["MX"]["AL"] == 1
    assert e.confusion["AL"]["IU"] == 1
    assert e.n_changed == 0
    assert e.out_of_vocabulary is None


def test_two_mixed_forms_can_differ():
    e = evaluate_lines(["iPhone"], ["iPHone"])
    assert e.confusion["MX"]["MX"] == 1
    assert e.n_correct == 0


def test_training_counts():
    counts = {"The": 100, "family": 1, "in": 3, "May": 2}
    e = evaluate_lines(REFERENCE, OUTPUT, lambda word: counts.get(word, 0))
    assert e.out_of_vocabulary == pytest.approx(0.6)
    bins = {(low, high): (t.n_words, t.n_errors) for low, high, t in e.by_training_count}
    assert bins[0, 0] == (6, 3)
    assert bins[1, 1] == (1, 0)
    assert bins[2, 3] == (2, 0)
    assert bins[4, 7] == (0, 0)
    assert bins[64, 127] == (1, 0)
    assert sum(n for n, _ in bins.values()) == e.n_words


def test_common_errors_most_frequent_first():
    e = evaluate_lines(["Polish Polish May"], ["polish polish may"])
    assert e.common_errors == [("Polish", "polish", 2), ("May", "may", 1)]


def test_changed_letters_are_counted():
    e = evaluate_lines(["the café"], ["The cafe"])
    assert e.n_changed == 1
    assert e.n_correct == 0


def test_nothing_at_all():
    for lines in ([], [""], ["  ", "\t"]):
        with pytest.raises(EvaluationError, match="there is no word to evaluate on"):
            evaluate_lines(lines, lines, lambda word: 0)


def test_segmentation_of_the_output_does_not_matter():
    e = evaluate_lines(["  Two\twords "], ["Two words"])
    assert (e.n_words, e.n_correct, e.n_correct_lines) == (2, 2, 1)


@pytest.mark.parametrize(
    ("reference", "output", "message"),
    [
        (["a", "b c"], ["a", "b"], "line 2: 2 words in the reference, 1 in the output"),
        (["a", "b"], ["a"], "line 2: the output has ended"),
        (["a"], ["a", ""], "line 2: the reference has ended"),
    ],
)
def test_different_counts_name_the_line(reference, output, message):
    with pytest.raises(EvaluationError, match=message):
        evaluate_lines(reference, output)


def test_line_numbers_go_on_over_blocks():
    evaluator = Evaluator()
    evaluator.add(["a"] * 10, ["a"] * 10)
    with pytest.raises(EvaluationError, match="line 12:"):
        evaluator.add(["a", "b"], ["a", "b b"])


WORDS = st.sampled_from(["the", "The", "THE", "tHe", "us", "US", "7", "Éa", "éa", "\udcff", "ß"])


@given(st.lists(st.lists(st.tuples(WORDS, WORDS), max_size=6), max_size=6))
def test_same_as_a_loop_over_words(lines):
    assume(any(lines))
    e = evaluate_lines(
        [" ".join(gold for gold, _ in line) for line in lines],
        [" ".join(word for _, word in line) for line in lines],
    )
    pairs = [pair for line in lines for pair in line]
    gold = [g != g.lower() for g, _ in pairs]
    proposed = [w != w.lower() for _, w in pairs]
    equal = [g == w for g, w in pairs]
    assert e.n_words == len(pairs)
    assert e.n_correct == sum(equal)
    assert e.n_gold == sum(gold)
    assert e.n_proposed == sum(proposed)
    assert e.n_hits == sum(map(all, zip(gold, proposed, equal, strict=True)))
    assert e.n_correct_lines == sum(all(g == w for g, w in line) for line in lines)
    assert sum(sum(row.values()) for row in e.confusion.values()) == len(pairs)
    assert sum(t.n_errors for t in e.by_tag.values()) == len(pairs) - sum(equal)
