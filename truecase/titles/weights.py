"""Weights of what tells whether a word of a title has capitals of its own.

Learned on English titles with the embedded model, and written, by

    python bench/experiments/title_weights.py acl-titles.fixed.txt.xz wikipedia.txt.xz WEIGHTS.py
"""

#: For words with the first letter raised, in titles whose case says something.
WITH_CASE = {
    "constant": -1.7697,
    "log_odds": 0.6660,
    "log_odds_size": -0.3482,
    "log_odds_middle": 2.0137,
    "log_odds_above_4": 0.3863,
    "log_odds_above_7": 0.1177,
    "log_odds_above_9": -0.5205,
    "log_odds_below_0": 0.5071,
    "alone": 0.7099,
    "alone_middle": 1.0835,
    "alone_above_4": -0.6769,
    "product": 0.5971,
    "product_above_4": -0.8596,
    "share": 0.3692,
    "share_log_odds": 0.3645,
    "first": -0.7988,
    "first_log_odds": -0.6787,
    "first_share": 0.2359,
    "label": 5.2392,
    "label_unseen": 1.1110,
    "after_colon": -2.2623,
    "unseen": 0.0166,
    "unseen_share": 0.4857,
    "count": 0.7945,
    "length": 0.1696,
    "digit": 0.6949,
    "first_of_hyphenated": 0.2516,
    "later_of_hyphenated": -0.4924,
    "after_acronym": -1.6671,
    "before_acronym": -0.5438,
    "log_odds_before": -0.2303,
    "log_odds_after": 0.0320,
    "alone_before": 0.7709,
    "alone_after": -0.0203,
    "alone_before_log_odds": -0.0803,
    "alone_after_log_odds": -0.2458,
    "after_space": -0.2394,
    "before_bracket": 0.7713,
    "after_bracket": 0.6704,
    "before_number": -1.8773,
}

#: From this probability on they keep their capitals.
WITH_CASE_THRESHOLD = 0.40

#: For all words of titles whose case says nothing.
WITHOUT_CASE = {
    "constant": -0.5012,
    "log_odds": 0.6178,
    "log_odds_size": -0.6020,
    "log_odds_middle": 1.9234,
    "log_odds_above_4": 2.1180,
    "log_odds_above_7": -0.2521,
    "log_odds_above_9": -0.2966,
    "log_odds_below_0": 0.6099,
    "alone": 0.5404,
    "alone_middle": 1.3289,
    "alone_above_4": -0.5697,
    "product": 0.4674,
    "product_above_4": -0.7379,
    "share": 0.0000,
    "share_log_odds": 0.0000,
    "first": 0.5256,
    "first_log_odds": -0.8033,
    "first_share": 0.0000,
    "label": 5.2139,
    "label_unseen": 0.4109,
    "after_colon": -0.9557,
    "unseen": 1.1978,
    "unseen_share": 0.0000,
    "count": -1.4292,
    "length": -0.8583,
    "digit": 0.2743,
    "first_of_hyphenated": 2.0583,
    "later_of_hyphenated": 1.0247,
    "after_acronym": 0.0000,
    "before_acronym": 0.0000,
    "log_odds_before": -0.2367,
    "log_odds_after": -0.0175,
    "alone_before": 0.6374,
    "alone_after": -0.1620,
    "alone_before_log_odds": -0.0726,
    "alone_after_log_odds": -0.1272,
    "after_space": 0.8385,
    "before_bracket": 0.6626,
    "after_bracket": 2.1125,
    "before_number": -0.5291,
}

#: From this probability on they keep their capitals.
WITHOUT_CASE_THRESHOLD = 0.30
