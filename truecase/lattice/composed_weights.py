"""The learned weights of forms made of parts: bench/experiments/composed_forms.py wrote them.

Of a part: `KIND` by place (first, later), kind (known, unknown, unknown with a digit) and case
(lower, initial, upper, mixed); `LETTER` of a known one by whether it is one letter, place and case;
`LENGTH` of an unknown one by length (up to 3, 5, more), whether it has a vowel, and case; `SHARE`
times the logarithm of a known form's share; `TOP` of its most frequent form by that share (above
0.97, 0.9, 0.7, less) and case; `UNSEEN` of a case that it was never seen in.

`PAIR` of two parts by the case before (the four, none, the word's beginning), the case, and which
of both are unknown. Of a word, `WHOLE` by class and case, `LIKELY` by class and `LIKELY_UNKNOWN` by
whether a part is unknown where each part has its likeliest form.

Of a plural, `PLURAL` by what the word without its s mostly is (an acronym, unknown, another word),
`PLURAL_STEM_COUNT` and `PLURAL_STEM_SHARE` times the logarithm of its count and share as an
acronym, `PLURAL_LENGTH` (3 … 7 letters), `PLURAL_S` by whether another s stands before the
last, and `PLURAL_VOWEL` by whether it has a vowel.
"""

SHARE = 0.46
TOP = (
    (-0.49, 9.53, 9.89, 7.24),
    (1.29, 3.67, 6.82, 9.33),
    (0.68, 4.56, 8.24, 2.36),
    (-1.92, -0.29, 7.46, 10.32),
)
UNSEEN = (-2.32, -1.38, -6.43, 0.0)
KIND = (
    ((-2.77, 2.37, 0.77, -0.37), (-3.41, 1.64, 1.78, 0.0), (-0.08, 2.29, -2.21, 0.0)),
    ((1.18, 2.22, -1.33, -2.07), (-0.9, 0.42, 0.48, 0.0), (1.92, -0.26, -1.66, 0.0)),
)
LENGTH = (
    ((-2.75, -8.17, 10.93, 0.0), (-1.78, 2.54, -0.75, 0.0)),
    ((-3.12, -7.69, 10.81, 0.0), (1.01, 5.57, -6.58, 0.0)),
    ((0.0, 0.0, 0.0, 0.0), (2.33, 9.81, -12.14, 0.0)),
)
LETTER = (
    ((0.25, -0.66, 0.77, -0.37), (4.14, -0.74, -1.33, -2.07)),
    ((-3.02, 3.02, 0.0, 0.0), (-2.96, 2.96, 0.0, 0.0)),
)
PAIR = (
    (
        (4.66, 5.82, 7.54, 8.78),
        (6.41, 9.26, -1.53, -5.81),
        (7.78, 6.29, -2.45, -3.7),
        (13.65, 0.0, -0.56, 0.0),
        (-0.11, 0.0, -4.78, 0.0),
    ),
    (
        (-3.6, -4.76, -8.03, -9.68),
        (1.34, 0.94, -1.79, -0.48),
        (-4.17, -0.61, -5.43, -11.36),
        (-3.37, 0.0, -8.12, 0.0),
        (-4.45, 0.0, -4.03, 0.0),
    ),
    (
        (-2.22, -4.32, 6.58, 11.09),
        (-4.73, -9.87, 6.76, 3.4),
        (-0.83, -4.64, 7.7, 7.77),
        (-2.53, 0.0, -0.67, 0.0),
        (-4.65, 0.0, 8.82, 0.0),
    ),
    (
        (-5.41, -5.66, 0.0, 0.0),
        (-4.19, 7.7, 0.0, 0.0),
        (-2.43, -0.14, 0.0, 0.0),
        (-0.35, 0.0, 0.0, 0.0),
        (9.2, 0.0, 0.0, 0.0),
    ),
    (
        (1.67, -0.25, 0.0, 0.0),
        (-0.05, -4.97, 0.0, 0.0),
        (-1.49, 5.22, 0.0, 0.0),
        (-0.13, 0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0),
    ),
    (
        (-2.77, -3.5, 0.0, 0.0),
        (2.37, 3.93, 0.0, 0.0),
        (0.77, -0.43, 0.0, 0.0),
        (-0.37, 0.0, 0.0, 0.0),
        (0.0, 0.0, 0.0, 0.0),
    ),
)
WHOLE = (
    (3.9, -1.74, 3.55, -5.72),
    (-1.0, -0.64, -1.37, 3.01),
    (5.24, -2.63, 2.54, -5.15),
    (0.0, 0.0, 0.0, 0.0),
    (-0.17, -1.07, 6.82, -5.58),
)
LIKELY = (-1.68, 4.64, 0.05, 0.0, 0.42)
LIKELY_UNKNOWN = (4.02, -0.58)
PLURAL = (1.01, 0.84, -2.31)
PLURAL_STEM_COUNT = 0.5
PLURAL_STEM_SHARE = -0.16
PLURAL_LENGTH = (0.88, 5.03, 0.58, -0.4, -6.56)
PLURAL_S = (2.39, -2.86)
PLURAL_VOWEL = (3.29, -3.76)
