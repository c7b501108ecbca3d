"""Dense features that are logarithms of shares and counts of the training text, in plain Python."""

import math
from typing import NamedTuple

import numpy as np

from reference import casing
from reference.gen import CLASSES, TAGS, Candidate, Lexicon
from reference.segment import Piece

#: Features of which `counted_features` has the value.
NAMES = (
    "case_given_word",
    "unknown_word",
    "class_token",
    "unseen_form",
    "hyphen_parts",
    "upper_before",
    "upper_after",
    "context_2_before",
    "context_1_before",
    "context_1_after",
    "context_2_after",
    "unknown_suffix",
)
CONTEXT = ((-2, "context_2_before"), (-1, "context_1_before"),
           (1, "context_1_after"), (2, "context_2_after"))  # fmt: skip
N_SUFFIX_SLOTS = 2**15


class Word(NamedTuple):
    piece: Piece
    text: str
    candidates: list[Candidate]


class Numbers:
    """What a model holds of the training text for these features.

    `log_odds` has a row for each record of the lexicon, then for each class of unknown words, then
    for the ends of a sentence; four columns, those of `CONTEXT`.
    """

    def __init__(
        self, lexicon: Lexicon, unknown_tag_ln, log_odds=None, suffixes=None, turkic=False
    ) -> None:
        self.lexicon = lexicon
        self.turkic = turkic
        self.unknown_tag_ln = np.reshape(unknown_tag_ln, (len(CLASSES), len(TAGS)))
        self.log_odds = None if log_odds is None else np.reshape(log_odds, (-1, 4))
        self.suffixes = None if suffixes is None else np.reshape(suffixes, (N_SUFFIX_SLOTS, 4))

    def pi(self, word: Word, tag: str) -> float:
        """Portage's log Π: that of a class of words that training has not seen."""
        row = self.unknown_tag_ln[CLASSES.index(word.piece.word_class)]
        return float(row[TAGS.index("AL" if tag == "AN" else tag)])

    def is_known(self, word: Word) -> bool:
        return self.lexicon.first_record(word.piece.key) > 0

    def beside(self, words: list[Word], place: int, column: int) -> float:
        """What the word at a place, or the end of the sentence, says of one beside it."""
        if self.log_odds is None:
            return 0.0
        row = -1
        if 0 <= place < len(words):
            row = self.lexicon.first_record(words[place].piece.key) - 1
            if row < 0:
                row = CLASSES.index(words[place].piece.word_class) - len(CLASSES) - 1
        return (int(self.log_odds[row, column]) - 128) / 16

    def suffix_ln(self, word: Word, tag: str) -> float:
        """log P(tag | ending) by the longest of the last 1 to 4 letters that is known."""
        if self.suffixes is None or tag not in TAGS[:3] or self.is_known(word):
            return 0.0
        if word.piece.word_class not in ("alphabetic", "hyphenated"):
            return 0.0
        found = 0.0
        for place, check in suffix_places(word.text, self.turkic):
            slot = self.suffixes[place]
            if slot[0] == check:
                found = -int(slot[1 + TAGS.index(tag)]) / 16
        return found


def suffix_places(word: str, turkic: bool = False) -> list[tuple[int, int]]:
    """Place in the table, and check byte, of the last 1 to 4 letters of a word."""
    value, places = 0, []
    for letter in reversed(word[-4:]):
        value = murmur(31 * value + ord(casing.lower(letter, turkic)) + 1)
        places.append((value >> 49, 1 + value % 255))
    return places


def murmur(x: int) -> int:
    """The finaliser of MurmurHash3, 64 bits."""
    for factor in (0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53):
        x %= 2**64
        x = (x ^ x >> 33) * factor
    x %= 2**64
    return x ^ x >> 33


def occurrences(candidate: Candidate) -> float:
    """In training; they are kept as logarithms, eight steps to the factor 2."""
    return 2 ** (candidate.count_code / 8) - 1


def limited(log_odds: float) -> float:
    return min(max(log_odds, -6.0), 6.0)


def upper_log_odds(numbers: Numbers, word: Word) -> float:
    """Log-odds that a word has upper case, whatever stands beside it."""
    if word.candidates[0].tag == "AN":
        return 0.0
    lower = sum(occurrences(c) for c in word.candidates if c.tag == "AL")
    upper = sum(occurrences(c) for c in word.candidates if c.tag != "AL")
    if lower + upper == 0:
        return limited(numbers.pi(word, "IU") - numbers.pi(word, "AL"))
    return limited(math.log((upper + 0.25) / (lower + 0.25)))


def counted_features(
    numbers: Numbers, words: list[Word], place: int, candidate: Candidate
) -> dict[str, float]:
    """Names and values of a candidate of word `place` of a sentence."""
    word = words[place]
    found = {}
    if numbers.is_known(word):
        total = sum(map(occurrences, word.candidates))
        prior = math.exp(limited(numbers.pi(word, candidate.tag)))
        found["case_given_word"] = math.log((occurrences(candidate) + prior) / (total + 1))
    else:
        found["unknown_word"] = numbers.pi(word, candidate.tag)
        found["unknown_suffix"] = numbers.suffix_ln(word, candidate.tag)
    if not candidate.is_recorded:
        found["class_token"] = numbers.lexicon.class_score(word.piece, candidate.tag)
        found["unseen_form"] = float(numbers.is_known(word))
    found["hyphen_parts"] = float(candidate.is_of_parts)
    if candidate.tag != "AL":
        if place > 0:
            found["upper_before"] = upper_log_odds(numbers, words[place - 1])
        if place + 1 < len(words):
            found["upper_after"] = upper_log_odds(numbers, words[place + 1])
        for column, (distance, name) in enumerate(CONTEXT):
            found[name] = numbers.beside(words, place + distance, column)
    return {name: found.get(name, 0.0) for name in NAMES}
