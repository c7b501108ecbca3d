"""Weights of what tells whether a word's form elsewhere in a text is its form here, too.

Learned on English texts with the embedded model, each in order and shuffled, and written, by

    python bench/experiments/one_sense.py TEXT... --learn truecase/documents/evidence_weights.py

A change is made where the sum is more than the margin, so that texts which are no documents lose
nothing. docs/guides/documents.md has the errors of each text with weights learned on the others.
The texts were:

newstest2017, csnews, runews, frnews, wikibench, wikipedia, wikipedia2, wikipedia3, docs, blogs,
research, peps, calls, frit, deit, dedebian, frdebian
"""

MARGIN = 0.45
WEIGHTS: dict[str, tuple[float, ...]] = {
    "raised": (
        1.164,  # places_of_second
        -0.496,  # places_of_first
        -1.093,  # places_of_others
        -0.657,  # seen
        0.066,  # distance
        0.015,  # first_log_odds
        -0.004,  # second_log_odds
        -0.490,  # first_word
        0.253,  # title_line
        -0.374,  # no_mark
        0.214,  # capital_before
        -0.670,  # capital_after
        0.373,  # capital_before_in_second
        0.369,  # capital_after_in_second
        0.495,  # capitals
        -0.797,  # share
        0.261,  # constant
    ),
    "lowered": (
        0.075,  # places_of_second
        -0.107,  # places_of_first
        0.123,  # places_of_others
        -0.242,  # seen
        0.057,  # distance
        -0.712,  # first_log_odds
        0.282,  # second_log_odds
        -0.384,  # first_word
        -0.269,  # title_line
        0.337,  # no_mark
        -0.011,  # capital_before
        -0.046,  # capital_after
        -0.293,  # capital_before_in_second
        -0.557,  # capital_after_in_second
        -0.967,  # capitals
        0.252,  # share
        0.668,  # constant
    ),
    "other": (
        0.581,  # places_of_second
        0.127,  # places_of_first
        -0.084,  # places_of_others
        0.029,  # seen
        0.286,  # distance
        -0.261,  # first_log_odds
        0.053,  # second_log_odds
        0.851,  # first_word
        0.423,  # title_line
        -0.112,  # no_mark
        -0.084,  # capital_before
        -0.346,  # capital_after
        -0.020,  # capital_before_in_second
        -0.559,  # capital_after_in_second
        -0.439,  # capitals
        0.335,  # share
        0.266,  # constant
    ),
}
