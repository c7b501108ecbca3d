"""Weights of what tells whether a word of a title has capitals of its own.

Learned on English titles with the embedded model; written by

    python bench/experiments/titles.py acl-titles.fixed.txt.xz --learn WEIGHTS
"""

#: For words with the first letter raised, in titles whose case says something.
WITH_CASE = {
    "constant": -2.2863,
    "log_odds": 0.9917,
    "log_odds_size": -0.3662,
    "log_odds_middle": 1.2554,
    "log_odds_high": -0.3148,
    "log_odds_alone": -0.4489,
    "log_odds_alone_middle": 3.3050,
    "capitalised_share": -0.9631,
    "capitalised_share_log_odds": -0.0405,
    "first": -1.8360,
    "first_log_odds": -0.6166,
    "first_capitalised_share": 1.2603,
    "first_alone": 5.3499,
    "first_alone_unseen": 1.1580,
    "after_colon": -1.1602,
    "unseen": 0.5129,
    "count": 1.1868,
    "unseen_capitalised_share": -0.2531,
    "length": 0.8792,
    "digit": 0.2868,
    "first_of_hyphenated": 0.8166,
    "later_of_hyphenated": 0.5902,
    "after_acronym": -0.6107,
    "before_acronym": -0.5020,
    "log_odds_before": -0.2740,
    "log_odds_after": 0.1209,
    "after_space": 0.0070,
    "before_bracket": 0.7886,
    "after_bracket": -0.8029,
    "before_number": -3.0356,
}

#: From this probability on a word keeps them: the best F1, by WITH_CASE.
WITH_CASE_THRESHOLD = 0.50

#: For all words of titles whose case says nothing.
WITHOUT_CASE = {
    "constant": -0.6169,
    "log_odds": 0.9593,
    "log_odds_size": -0.7554,
    "log_odds_middle": 0.9124,
    "log_odds_high": 0.6510,
    "log_odds_alone": -0.3587,
    "log_odds_alone_middle": 2.9995,
    "capitalised_share": 0.0000,
    "capitalised_share_log_odds": 0.0000,
    "first": 0.1195,
    "first_log_odds": -0.8894,
    "first_capitalised_share": 0.0000,
    "first_alone": 5.2076,
    "first_alone_unseen": 0.2394,
    "after_colon": 0.1155,
    "unseen": 1.2496,
    "count": -2.0917,
    "unseen_capitalised_share": 0.0000,
    "length": -1.2816,
    "digit": 0.2428,
    "first_of_hyphenated": 2.1033,
    "later_of_hyphenated": 1.9035,
    "after_acronym": 0.0000,
    "before_acronym": 0.0000,
    "log_odds_before": -0.3213,
    "log_odds_after": -0.0390,
    "after_space": 1.0968,
    "before_bracket": 0.4269,
    "after_bracket": 2.0558,
    "before_number": 0.3876,
}

#: From this probability on a word keeps them: the best F1, by WITHOUT_CASE.
WITHOUT_CASE_THRESHOLD = 0.40
