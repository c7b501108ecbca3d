"""Weights of what tells whether a word of a title has capitals of its own.

Learned on English titles with the embedded model, and written, by

    python bench/experiments/title_weights.py acl-titles.fixed.txt.xz wikipedia.txt.xz FOLDER
"""

#: For words with the first letter raised, in titles whose case says something.
WITH_CASE = {
    "constant": -1.7517,
    "log_odds": 0.2361,
    "log_odds_size": -0.6186,
    "log_odds_middle": 2.6708,
    "log_odds_above_4": 0.6276,
    "log_odds_above_7": 0.1843,
    "log_odds_above_9": -0.5307,
    "log_odds_below_0": 0.4274,
    "alone": 0.3204,
    "alone_middle": 0.4443,
    "alone_above_4": 0.1927,
    "product": 0.3413,
    "product_above_4": -0.4440,
    "share": 0.9682,
    "share_log_odds": 0.2809,
    "first": -0.5544,
    "first_log_odds": -0.6753,
    "first_share": -0.3661,
    "label": 5.1927,
    "label_unseen": 1.1508,
    "after_colon": -2.3778,
    "unseen": 0.2573,
    "unseen_share": 0.2872,
    "count": 0.7324,
    "length": -0.5059,
    "digit": 0.5611,
    "first_of_hyphenated": -0.3053,
    "later_of_hyphenated": -0.9020,
    "after_acronym": -1.0825,
    "before_acronym": -0.5477,
    "log_odds_before": -0.1630,
    "log_odds_after": 0.0588,
    "alone_before": 0.5227,
    "alone_after": -0.0604,
    "alone_before_log_odds": -0.0990,
    "alone_after_log_odds": -0.2141,
    "after_space": -0.3276,
    "before_bracket": 0.7288,
    "after_bracket": 0.4737,
    "before_number": -0.4861,
}

#: From this probability on they keep their capitals.
WITH_CASE_THRESHOLD = 0.35

#: For all words of titles whose case says nothing.
WITHOUT_CASE = {
    "constant": 0.7143,
    "log_odds": 0.2757,
    "log_odds_size": -0.6634,
    "log_odds_middle": 2.3774,
    "log_odds_above_4": 1.4911,
    "log_odds_above_7": -0.0423,
    "log_odds_above_9": -0.3829,
    "log_odds_below_0": 0.4696,
    "alone": -0.0110,
    "alone_middle": 0.5276,
    "alone_above_4": 0.4381,
    "product": 0.1507,
    "product_above_4": -0.1592,
    "share": 0.0000,
    "share_log_odds": 0.0000,
    "first": 0.3993,
    "first_log_odds": -0.7610,
    "first_share": 0.0000,
    "label": 4.9498,
    "label_unseen": 0.6454,
    "after_colon": -1.7017,
    "unseen": 1.1577,
    "unseen_share": 0.0000,
    "count": -0.9204,
    "length": -1.6047,
    "digit": 0.0677,
    "first_of_hyphenated": 0.3041,
    "later_of_hyphenated": -0.0293,
    "after_acronym": 0.0000,
    "before_acronym": 0.0000,
    "log_odds_before": -0.0899,
    "log_odds_after": -0.0205,
    "alone_before": 0.1835,
    "alone_after": -0.1087,
    "alone_before_log_odds": -0.1258,
    "alone_after_log_odds": -0.1034,
    "after_space": -0.1539,
    "before_bracket": 0.5782,
    "after_bracket": 0.7039,
    "before_number": 0.6961,
}

#: From this probability on they keep their capitals.
WITHOUT_CASE_THRESHOLD = 0.25
