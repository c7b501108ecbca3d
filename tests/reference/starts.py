"""Sentences in plain Python: where they end, and which words surely have a capital."""

from __future__ import annotations

import re

from reference import casing
from reference.gen import Lexicon
from reference.segment import CANONICAL, CLOSES, ENDS_SENTENCE, SPACE_BEFORE, Piece

SHORT_FORM = re.compile(r"(?:'|’|&apos;)(?:m|d|ll|ve)", re.IGNORECASE)
PLURALS = ("(|s|)", "(|e|)", "(|n|)", "(|es|)", "(|en|)")
DASH = re.compile("-+|[‐-―].*", re.DOTALL)


def text_of(piece: Piece, line: bytes) -> str:
    return line[piece.start : piece.end].decode("utf-8", "surrogateescape")


class Sentence:
    """Pieces of a line, of which those from `first` to `end` are a sentence."""

    def __init__(self, line: bytes, pieces: list[Piece], first: int, end: int) -> None:
        self.words = [text_of(piece, line) for piece in pieces]
        self.pieces, self.first, self.end = pieces, first, end

    def has(self, i: int, flag: int) -> bool:
        return bool(self.pieces[i].flags & flag)

    def is_attached(self, i: int) -> bool:
        return not self.has(i, SPACE_BEFORE)

    def first_cased(self) -> int | None:
        """The word that begins the sentence, where it has one to be capitalised."""
        for i in range(self.label_end(), self.end):
            if self.pieces[i].tag != "AN":
                return i if self.pieces[i].word_class != "other" else None
            if self.pieces[i].word_class != "other":
                return None
        return None

    def label_end(self) -> int:
        """End of a label: ``1)``, ``a)``, ``(12)``, ``[00:12]``."""
        words = self.words[self.first : self.end]
        if len(words) > 3 and (words[0], words[2]) == ("[", "]"):
            is_time = self.pieces[self.first + 1].word_class == "quantity"
            return self.first + 3 * (is_time and not self.is_attached(self.first + 3))
        i = self.first + (self.words[self.first] == "(")
        if i + 1 >= self.end or self.words[i + 1] != ")" or not self.is_attached(i + 1):
            return self.first
        piece = self.pieces[i]
        longest = 2 if piece.word_class == "quantity" else int(piece.tag != "AN")
        return i + 2 if piece.end - piece.start <= longest else self.first

    def end_is_sure(self, i: int, ordinals: int) -> bool:
        closed = ""
        while i > 0 and self.has(i, CLOSES):
            closed += self.words[i][0]
            i -= 1
        if not self.has(i, ENDS_SENTENCE):
            return True
        if set(closed) & set(")]}"):
            return False
        mark = self.words[i]
        follows_point = i > 0 and self.has(i - 1, ENDS_SENTENCE) and self.words[i - 1][0] == "."
        if self.has(i, ENDS_SENTENCE) and (
            mark[0] == "…" or (mark[0] == "." and (mark != "." or follows_point))
        ):
            return False
        if mark[0] != ".":
            return not closed
        return i == 0 or not self.is_ordinal(i - 1, ordinals)

    def is_ordinal(self, i: int, n_digits: int) -> bool:
        """Whether a number of at most so many digits, or a Roman one, may be an ordinal."""
        word = self.words[i].lower()
        if self.pieces[i].word_class == "quantity":
            return self.pieces[i].end - self.pieces[i].start <= n_digits
        return n_digits > 0 and re.fullmatch("[ivx]{2,}", word) is not None and word != "vi"

    def may_open(self, i: int, after_period: bool) -> bool:
        word = self.words[i]
        if self.has(i, ENDS_SENTENCE):
            return False
        if DASH.match(word):
            return after_period or self.is_dialogue_dash(i)
        if word[0] >= "\u0080":
            return not casing.is_letter(word[0]) or self.has(i, CANONICAL)
        return self.has(i, CANONICAL) or word[0] in "\"'`([*"

    def is_dialogue_dash(self, i: int) -> bool:
        if not DASH.match(self.words[i]) or not self.is_attached(i + 1):
            return False
        if i > 0:
            return not self.is_attached(i)
        last = next(
            k for k in range(len(self.words) - 1, -1, -1) if k == 0 or not self.has(k, CLOSES)
        )
        return self.has(last, ENDS_SENTENCE)

    def is_code(self, i: int) -> bool:
        """Whether the word has a sign of code beside it."""
        is_dialogue = i > 0 and self.is_dialogue_dash(i - 1)
        if (
            i > 0
            and self.is_attached(i)
            and not is_dialogue
            and (self.words[i - 1][-1] in "-=+/\\<>#$@&%^~|_")
        ):
            return True
        if i + 1 >= len(self.words):
            return False
        sign = self.words[i + 1][0]
        if not self.is_attached(i + 1):
            behind = self.pieces[i + 2 : i + 3]
            is_option = any(one.tag == "AU" for one in behind)
            is_option = is_option or "".join(self.words[i + 2 : i + 3]).startswith("-")
            if sign == "{":
                return not "".join(self.words[i + 1 : i + 3])[1:2].isdecimal()
            return sign in "=<|" or (sign == "[" and self.pieces[i].tag != "AU" and is_option)
        if sign in ":.":
            return i + 2 < len(self.words) and not self.pieces[i + 2].flags & (
                SPACE_BEFORE | CLOSES | ENDS_SENTENCE
            )
        ending = [word.lower() for word in self.words[i + 1 : i + 4]]
        if len(self.words[i]) >= 3 and "|".join(ending) in PLURALS:
            return False
        return not self.has(i + 1, CANONICAL) and sign in "([{=+/\\<>#$@&%^~|_*"

    def begins_with_case(self, i: int) -> bool:
        """Words that end in digits do if letters and a hyphen are before: uranium-235."""
        word, kind = self.words[i], self.pieces[i].word_class
        is_compound = kind == "quantity" and re.fullmatch(r"\w{4,}-.{1,3}", word) is not None
        return (is_compound or kind not in ("other", "quantity")) and casing.is_cased(word[0])

    def start_is_sure(self, i: int, ordinals: int) -> bool:
        before = self.first - 1
        after_period = (
            before < 0 or not self.has(before, ENDS_SENTENCE) or self.words[before][0] == "."
        )
        return (
            (before < 0 or self.end_is_sure(before, ordinals))
            and self.begins_with_case(i)
            and all(self.may_open(k, after_period) for k in range(self.label_end(), i))
            and not self.is_code(i)
        )

    def is_pronoun(self, i: int) -> bool:
        word = self.words[i]
        if word[0] not in "iI":
            return False
        if len(word) > 1:
            return bool(SHORT_FORM.fullmatch(word[1:]))
        before = self.words[i - 1][-1] if i > 0 else ""
        if before and before in "=+/\\<>#$@&%^~|_*['`":
            return False
        if before and self.is_attached(i) and before < "\u0080" and before not in '"(-;':
            return False
        if i + 1 >= len(self.words):
            return True
        after = self.words[i + 1]
        if not self.is_attached(i + 1):
            return after[0] not in "=+/\\<>^~|_*)]"
        if i > 0 and after[0] == '"' and self.words[i - 1][0] == '"':
            return False
        if SHORT_FORM.fullmatch(after):
            return True
        return after[0] >= "\u0080" or (after[0] in ",;:!?\"'-&." and not self.is_code(i))


class Ends:
    """Where the sentences of a line end; `lexicon` knows abbreviations."""

    def __init__(self, line: bytes, pieces: list[Piece], lexicon: Lexicon) -> None:
        self.words = [text_of(piece, line) for piece in pieces]
        self.pieces, self.lexicon = pieces, lexicon

    def spans(self) -> list[tuple[int, int]]:
        spans, first = [], 0
        while first < len(self.pieces):
            end = next(
                (i for i in range(first + 1, len(self.pieces)) if self.begins(first, i)),
                len(self.pieces),
            )
            spans.append((first, end))
            first = end
        return spans

    def begins(self, first: int, i: int) -> bool:
        """Whether token i begins a sentence, where `first` began the one before it."""
        flags = [piece.flags for piece in self.pieces]
        if not (flags[i] & SPACE_BEFORE and flags[i - 1] & (ENDS_SENTENCE | CLOSES)):
            return False
        mark = i - 1
        while mark > first and flags[mark] & CLOSES:
            mark -= 1
        if mark == first or not flags[mark] & ENDS_SENTENCE or self.is_quoted(first, mark, i):
            return False
        if self.is_in_brackets(first, mark):
            return False
        return not (
            self.keys(mark) != "?"
            and self.lexicon.is_abbreviation(self.pieces[mark - 1].key)
            and not self.stands_alone(first, mark, i)
        )

    def keys(self, i: int) -> str:
        """What a token stands for, if it is a mark."""
        piece = self.pieces[i]
        return piece.surface.decode("utf-8", "replace") if piece.tag == "AN" else ""

    def is_quoted(self, first: int, mark: int, i: int) -> bool:
        if self.keys(mark) not in ("?", "!"):
            return False
        if any(self.keys(k) in ('"', "'", "»") for k in range(mark + 1, i)):
            return True
        if self.keys(i) == "»":
            return True
        quotes = [self.keys(k) for k in range(first, mark)].count('"')
        return self.keys(i) == '"' and bool(self.pieces[i].flags & CLOSES) and quotes % 2 == 1

    def is_in_brackets(self, first: int, mark: int) -> bool:
        if self.keys(mark) not in ("?", "!") or self.keys(mark + 1) != ")":
            return False
        brackets = [k for k in range(first, mark) if self.keys(k) in ("(", ")")]
        return bool(
            brackets
            and brackets[-1] > first
            and self.keys(brackets[-1]) == "("
            and self.pieces[brackets[-1] - 1].tag != "AN"
        )

    def goes_on(self, i: int) -> bool:
        return bool(self.pieces[i].flags & (ENDS_SENTENCE | CLOSES)) or (
            self.pieces[i].word_class == "quantity"
        )

    def stands_alone(self, first: int, mark: int, i: int) -> bool:
        is_only = all(piece.tag == "AN" for piece in self.pieces[first : mark - 1])
        quotes = ('"', "'", "»")
        is_quoted = self.keys(mark - 2) in quotes and any(
            self.keys(k) in quotes for k in range(mark + 1, i)
        )
        if not (is_only or is_quoted) or self.pieces[mark - 1].tag == "AN" or self.goes_on(i):
            return False
        likeliest = self.lexicon.forms(self.pieces[mark - 1].key)[0].tag
        return (is_only and i > mark + 1) or likeliest == "AL"


def capitals(
    line: bytes, pieces: list[Piece], sentences: list[tuple[int, int]], english: bool
) -> tuple[set[int], set[int]]:
    """Places of the pieces that surely begin a sentence, and of those that are the pronoun."""
    starts, pronouns = set(), set()
    for first, end in sentences:
        sentence = Sentence(line, pieces, first, end)
        start = sentence.first_cased()
        if start is not None and sentence.start_is_sure(start, 0 if english else 2):
            starts.add(start)
        if english:
            pronouns |= {i for i in range(first, end) if sentence.is_pronoun(i)}
    return starts, pronouns
