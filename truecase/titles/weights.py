"""Weights of what tells whether a word of a title has capitals of its own.

Learned on English titles with the embedded model, and written, by

    python bench/experiments/title_weights.py acl-titles.fixed.txt.xz wikipedia.txt.xz FOLDER
"""

#: For words with the first letter raised, in titles whose case says something.
WITH_CASE = {
    "constant": -2.8657,
    "log_odds": -0.2060,
    "log_odds_size": -0.8747,
    "log_odds_middle": 2.9041,
    "log_odds_above_4": 1.9129,
    "log_odds_above_7": 0.1559,
    "log_odds_above_9": -0.5276,
    "log_odds_below_0": 0.3343,
    "alone": -0.2411,
    "alone_middle": 1.3679,
    "alone_above_4": 0.4316,
    "product": 0.0829,
    "product_above_4": -0.0020,
    "share": 1.0318,
    "share_log_odds": 0.2644,
    "first": 0.0593,
    "first_log_odds": -0.6773,
    "first_share": -0.7238,
    "label": 4.9377,
    "label_unseen": 1.2702,
    "after_colon": -2.6669,
    "unseen": 0.2136,
    "unseen_share": 1.0080,
    "count": 1.4327,
    "length": -0.6703,
    "digit": 1.0533,
    "first_of_hyphenated": -0.0926,
    "later_of_hyphenated": -1.0812,
    "after_acronym": -0.9014,
    "before_acronym": -0.5057,
    "log_odds_before": -0.2580,
    "log_odds_after": -0.0724,
    "alone_before": 1.0126,
    "alone_after": 0.2244,
    "alone_before_log_odds": -0.0889,
    "alone_after_log_odds": -0.1491,
    "after_space": -0.4022,
    "before_bracket": 0.7683,
    "after_bracket": -0.2915,
    "before_number": -0.3356,
}

#: From this probability on they keep their capitals.
WITH_CASE_THRESHOLD = 0.40

#: For all words of titles whose case says nothing.
WITHOUT_CASE = {
    "constant": 0.0767,
    "log_odds": -0.1620,
    "log_odds_size": -1.0172,
    "log_odds_middle": 2.9432,
    "log_odds_above_4": 2.4472,
    "log_odds_above_7": 0.1402,
    "log_odds_above_9": -0.5788,
    "log_odds_below_0": 0.4276,
    "alone": -0.2997,
    "alone_middle": 0.6158,
    "alone_above_4": 0.5312,
    "product": 0.0309,
    "product_above_4": 0.1689,
    "share": 0.0000,
    "share_log_odds": 0.0000,
    "first": 0.6229,
    "first_log_odds": -0.8773,
    "first_share": 0.0000,
    "label": 4.4813,
    "label_unseen": 1.2647,
    "after_colon": -2.3205,
    "unseen": 1.5322,
    "unseen_share": 0.0000,
    "count": -0.3584,
    "length": -1.6561,
    "digit": 0.2732,
    "first_of_hyphenated": 0.4018,
    "later_of_hyphenated": -0.2014,
    "after_acronym": 0.0000,
    "before_acronym": 0.0000,
    "log_odds_before": -0.1590,
    "log_odds_after": -0.0496,
    "alone_before": 0.5103,
    "alone_after": -0.0956,
    "alone_before_log_odds": -0.1462,
    "alone_after_log_odds": -0.0656,
    "after_space": -0.3215,
    "before_bracket": 0.3002,
    "after_bracket": -0.0306,
    "before_number": 0.3369,
}

#: From this probability on they keep their capitals.
WITHOUT_CASE_THRESHOLD = 0.30
