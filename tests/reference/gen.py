"""GEN in plain Python: the candidates of a word, from the arrays of a model.

Wang, Knight & Marcu (2006), 4.4, parts (i) and (ii), with the rules for unknown words.
"""

import re
from typing import NamedTuple

import numpy as np
from truecase_testing import find

from reference import casing
from reference.segment import Piece, hash_bytes, to_bytes, word_class

TAGS = ("AL", "IU", "AU", "MX")
CLASSES = ("quantity", "acronym", "hyphenated", "alphabetic", "other")


class Form(NamedTuple):
    """One that is recorded for a word."""

    tag: str
    mask: int
    count_code: int


class Candidate(NamedTuple):
    surface: str
    score: float
    tag: str
    count_code: int = 0
    is_recorded: bool = True  # the lexicon has the form
    is_of_parts: bool = False  # each part of the compound has its own likely case


class Lexicon:
    """Forms by key, as the arrays have them."""

    def __init__(self, arrays, settings):
        self.arrays, self.settings = arrays, settings
        shape = (len(CLASSES), len(TAGS))
        self.word_given_class = np.reshape(arrays["classes.word_given_class_ln"], shape)
        self.class_lm = np.reshape(arrays["classes.probability_ln"], shape)

    def first_record(self, key: int) -> int:
        """1 + the place of the first record of a key; 0 if there is none."""
        table = self.settings
        (payload,) = find(
            self.arrays["slots"], table["n_slots"], table["fingerprint_bits"],
            table["payload_bits"], 0xFFFFFFFF, table["max_probes"], np.array([key], np.uint64),
        )  # fmt: skip
        return int(payload)

    def is_abbreviation(self, key: int) -> bool:
        first = self.first_record(key)
        return first > 0 and bool(int(self.arrays["records"][first - 1]) & 8)

    def forms(self, key: int) -> list[Form]:
        """Each form recorded for a key, most frequent first."""
        forms = []
        first = self.first_record(key)
        place, records = first - 1, self.arrays["records"]
        while first:
            record, mask = int(records[place]), 0
            if record & 3 == 3:
                mask = int(records[place + 1]) | int(records[place + 2]) << 32
                place += 2
            forms.append(Form(TAGS[record & 3], mask, int(record) >> 24))
            place += 1
            if record & 4:
                break
        return forms

    def class_score(self, piece: Piece, tag: str) -> float:
        """ln p(word | class, tag), what stands for a form that the lexicon lacks."""
        tag = "AL" if tag == "AN" else tag
        return float(self.word_given_class[CLASSES.index(piece.word_class), TAGS.index(tag)])


def candidates(lexicon: Lexicon, piece: Piece, word: str, turkic: bool) -> list[Candidate]:
    """Surface and node score of each candidate of a word, in GEN's order.

    `word` is the token as the text has it: what is rendered.
    """
    # The others are left out, so that there is room for more candidates below 64.
    known = lexicon.forms(piece.key)[:52]
    out = []
    for form in known:
        form_tag = form.tag if piece.tag != "AN" else "AN"
        surface = casing.render(word, form_tag, form.mask, turkic)
        if form_tag == "MX" and piece.word_class == "hyphenated":
            _, raised, small = cased_parts(lexicon, word, turkic)
            surface = small if surface == raised else surface
            if surface in {other.surface for other in out}:
                continue
        out.append(Candidate(surface, 0.0, form_tag, form.count_code))
    tags = [form.tag for form in known]
    full = lexicon.settings["candidates"] == "full"
    if known and not full:
        return out
    lowest = "AN" if piece.tag == "AN" else "AL"
    wanted = [(lowest, 0)] if "AL" not in tags else []
    other = not known and piece.word_class == "other"
    is_whole = not casing.begins_broken(word, turkic)
    if piece.tag != "AN" and is_whole and not (other and not has_underscore(word)):
        low, first, upper = (casing.render(word, t, 0, turkic) for t in ("AL", "IU", "AU"))
        if first != low and "IU" not in tags and not other:
            wanted.append(("IU", 0))
        if upper != first and "AU" not in tags and (first != low or known or other):
            wanted.append(("AU", 0))
    of_parts = None
    unseen = lexicon.settings["unseen_form_ln"] if known else 0.0
    scored = [(tag, mask, lexicon.class_score(piece, tag) + unseen) for tag, mask in wanted]
    if not known and piece.word_class == "hyphenated":
        scored, of_parts = hyphenated(lexicon, piece, word, scored, turkic)
    return out + [
        Candidate(
            casing.render(word, tag, mask, turkic), score, tag,
            is_recorded=False, is_of_parts=(tag, mask) == of_parts,
        )
        for tag, mask, score in scored
    ]  # fmt: skip


def has_underscore(word: str) -> bool:
    """Whether a word is letters, digits and underscores, of which one is between others."""
    return re.search("(?s)[^_]_[^_]", word) is not None and (
        re.search(r"[\x00-/:-@\[-^`{-\x7f]", word) is None
    )


def hyphenated(lexicon, piece, word, scored, turkic):
    """An unknown compound: each part raised is a candidate, each part's likely case favoured.

    Gives the candidates, and tag and mask of the one that is favoured.
    """
    surface = piece.surface.decode("utf-8", "surrogateescape")
    composed, _, raised = cased_parts(lexicon, surface, turkic)
    bonus = lexicon.settings["parts_bonus_ln"]
    tag, mask = described(composed, turkic)
    raised_tag, raised_mask = described(raised, turkic)
    scored = list(scored)
    if raised_tag == "MX" and (raised_tag, raised_mask) != (tag, mask):
        scored.append(("MX", raised_mask, lexicon.class_score(piece, "MX")))
    if (tag, mask) in [(t, m) for t, m, _ in scored]:
        favoured = [(t, m, s + bonus * ((t, m) == (tag, mask))) for t, m, s in scored]
    else:
        favoured = [*scored, (tag, mask, lexicon.class_score(piece, tag) + bonus)]
    return favoured, (tag, mask)


def cased_parts(lexicon, word, turkic):
    """A compound in its parts' likely case, with each part raised, and without the small ones."""
    parts = re.split("([-‐‑])", word)
    likely, raised, small = [], [], []
    for i, part in enumerate(parts):
        likely.append(part if i % 2 else likely_case(lexicon, part, turkic))
        raised.append(part if i % 2 else casing.render(part, "IU", 0, turkic))
        is_small = 0 < i < len(parts) - 1 and len(part) <= 3 and part == likely[i]
        small.append(part if is_small else raised[i])
    _, mask = described("".join(small), turkic)
    return "".join(likely), "".join(raised), "".join(small if mask & (mask - 1) else raised)


def described(word: str, turkic: bool) -> tuple[str, int]:
    tag = casing.tag(word, turkic)
    return ("AL" if tag == "AN" else tag), casing.upper_mask(word, turkic) if tag == "MX" else 0


def likely_case(lexicon: Lexicon, part: str, turkic: bool) -> str:
    """A part by itself: its most frequent form, or that of an unknown alphabetic word."""
    key = hash_bytes(to_bytes("".join(casing.fold(c, turkic) for c in part)))
    known = lexicon.forms(key)
    lowest = "".join(casing.lower(c, turkic) for c in part)
    if known:
        return casing.render(lowest, known[0].tag, known[0].mask, turkic)
    if word_class(part) == "alphabetic":
        row = CLASSES.index("alphabetic")
        totals = lexicon.class_lm[row] + lexicon.word_given_class[row]
        if totals[TAGS.index("IU")] > totals[TAGS.index("AL")]:
            return casing.render(lowest, "IU", 0, turkic)
    return lowest
