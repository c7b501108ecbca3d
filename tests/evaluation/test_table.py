"""The text table of an evaluation."""

from truecase.evaluation.metrics import evaluate_lines
from truecase.evaluation.text_tables import evaluation_table, text_table


def test_columns_are_aligned():
    assert text_table([["a", "1"], ["bcd", "22"]], ["x", "n"]) == "x     n\na     1\nbcd  22"
    # A combining mark takes no column of the terminal.
    assert text_table([["e\u0301a", "1"]], ["", "n"]) == "    n\ne\u0301a  1"


def test_figures_are_shown():
    table = evaluation_table(
        evaluate_lines(["The McDonald family"], ["The mcdonald family"], lambda word: 5)
    )
    assert "66.67" in table
    assert "McDonald" in table
    assert "4-7" in table
    assert "more than case" not in table
    assert table.endswith("\n")
    assert all(line == line.rstrip() for line in table.splitlines())
