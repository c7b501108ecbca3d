"""Portage's models in plain Python: counts and fractions, Ω by trying every path, line rules."""

import itertools
import math
import re
from collections import Counter
from fractions import Fraction
from itertools import takewhile

from reference.casing import is_cased, is_digit, is_letter, is_without_capital, render
from reference.segment import CANONICAL, ENDS_SENTENCE, SPACE_BEFORE, segment


class CountedText:
    """θ and Φ as relative frequencies, as in the paper's worked example: no smoothing."""

    def __init__(self, sentences, order=2):
        self.order = order
        self.forms = Counter()
        self.ngrams = Counter()
        for words in sentences:
            self.forms.update(words)
            self.ngrams.update(zip(*(words[i:] for i in range(order)), strict=False))

    def candidates(self, word):
        return [form for form in self.forms if form.lower() == word]

    def theta(self, form, history):
        """P(form | word, history): among the forms of the word that follow this history."""
        counts = {other: self.ngrams[(*history, other)] for other in self.candidates(form.lower())}
        return Fraction(counts[form], sum(counts.values()))

    def case_given_word(self, form):
        return Fraction(self.forms[form], sum(self.forms[f] for f in self.candidates(form.lower())))


def log_sum(values):
    top = max(values)
    return top + math.log(sum(math.exp(v - top) for v in values))


def edge_scores(p, node, *, known, has_choice, variant, joint, share=0.5, alpha=1.0):
    """What Ω puts on the edges into one word's candidates after one history."""
    if not has_choice:
        return p if joint else [0.0] * len(p)
    if not known:
        return [0.0] * len(p)
    total = log_sum(p)
    theta = [value - total for value in p]
    if variant == "product":
        scores = theta
    elif variant == "interpolated":
        scores = [
            math.log(share * math.exp(t) + (1 - share) * math.exp(s)) - s
            for t, s in zip(theta, node, strict=True)
        ]
    else:
        k = log_sum([alpha * t + s for t, s in zip(theta, node, strict=True)])
        scores = [alpha * t - k for t in theta]
    return [score + total for score in scores] if joint else scores


def step_scores(model, history, word, candidates, node_score, known, **settings):
    """Edges plus nodes of all candidates of one word; the last word is ``</s>``."""
    options = candidates[word]
    p = [model.score(history, option) for option in options]
    has_choice = len(options) > 1 and word < len(candidates) - 1
    edges = edge_scores(p, node_score[word], known=known[word], has_choice=has_choice, **settings)
    return [e + s for e, s in zip(edges, node_score[word], strict=True)]


def best_paths(model, start, candidates, node_score, known, **settings):
    """Every path of highest Ω (to rounding), by enumeration."""
    scored = []
    for path in itertools.product(*(range(len(options)) for options in candidates)):
        words, total = [start], 0.0
        for word, choice in enumerate(path):
            total += step_scores(model, words, word, candidates, node_score, known, **settings)[
                choice
            ]
            words.append(candidates[word][choice])
        scored.append((total, path))
    best = max(score for score, _ in scored)
    return [path for score, path in scored if score > best - 1e-3]


def left_to_right(model, start, candidates, node_score, known, **settings):
    """For each word the candidates that are best (to rounding), after the path chosen so far.

    `settings` has the path that the kernel took: where two candidates tie, either may be.
    """
    taken = settings.pop("path")
    words, allowed = [start], []
    for word, options in enumerate(candidates):
        scores = step_scores(model, words, word, candidates, node_score, known, **settings)
        allowed.append([c for c, score in enumerate(scores) if score > max(scores) - 1e-3])
        words.append(options[taken[word]])
    return allowed


# Lines.


def is_mostly_upper(line, segmentation="raw", turkic=False):
    tags = [piece.tag for piece in segment(line, segmentation, turkic) if piece.tag != "AN"]
    return tags.count("AU") >= 2 and 2 * tags.count("AU") > len(tags)


def line_kind(line, segmentation="raw", turkic=False):
    """0 body, 1 title, 2 unclear."""
    pieces = list(segment(line, segmentation, turkic))
    marks = takewhile(lambda piece: piece.word_class == "other", reversed(pieces))
    if any(mark.surface == b"." for mark in marks):
        return 0
    cased = [piece for piece in pieces if piece.tag != "AN"]
    long_words = [
        piece
        for piece in cased[1:]
        if len(piece.surface.decode("utf-8", "surrogateescape")) >= 4
        and piece.word_class in ("alphabetic", "hyphenated")
    ]
    raised = sum(piece.tag != "AL" for piece in long_words)
    if 2 * raised < len(long_words):
        return 0
    return 1 if len(long_words) >= 2 and 5 * raised >= 4 * len(long_words) else 2


# Titles.


def has_parts(word, word_class):
    if word_class in ("hyphenated", "alphabetic"):
        return word_class == "hyphenated"
    return re.fullmatch(r"(?:[-.a-zA-Z0-9\u0080-\U0010ffff]|(?<=[0-9])/)*", word) and "-" in word


def raised(word):
    """A word with its first letter raised, if that has a capital."""
    first = next((c for c in word if is_cased(c) or is_without_capital(c)), "")
    return word if first and is_without_capital(first) else render(word, "IU")


def raise_parts(word, small, mask):
    """A hyphenated word in a title, whose upper-case letters are `mask`."""
    parts, marks = [""], []
    for c in word:
        if c in "-‐‑":
            marks.append(c)
            parts.append("")
        else:
            parts[-1] += c
    out, place = [], 0
    for i, part in enumerate(parts):
        stays = 0 < i < len(parts) - 1 and part.lower() in small
        # Masks of mixed case reach as far as the 63rd code point.
        initial = next((j for j, c in enumerate(part) if is_cased(c)), 0)
        stays |= place + initial >= 63
        stays |= any(mask >> (place + j) & 1 for j in range(len(part)) if place + j < 63)
        stays |= any(map(is_digit, part))
        out.append(part if stays else raised(part))
        place += len(part) + 1
    return out[0] + "".join(m + part for m, part in zip(marks, out[1:], strict=True))


def long_words(line, max_kept, clitics, segmentation="raw"):
    """A line, cased as a sentence, as a title in which words of more letters have a capital."""
    out, end = b"", 0
    for piece in segment(line, segmentation):
        word = line[piece.start : piece.end].decode("utf-8", "surrogateescape")
        is_word = (
            piece.word_class in ("alphabetic", "hyphenated")
            and piece.tag == "AL"
            and not piece.flags & CANONICAL
            and piece.surface.decode("utf-8", "surrogateescape").lower() not in clitics
        )
        if is_word and sum(map(is_letter, word)) > max_kept:
            word = raised(word)
        out += line[end : piece.start] + word.encode("utf-8", "surrogateescape")
        end = piece.end
    return out + line[end:]


def is_break(words, pieces, i):
    """Whether the word behind a mark begins a part of a title."""
    is_apart = bool(pieces[i].flags & SPACE_BEFORE)
    if pieces[i].flags & ENDS_SENTENCE:
        return words[i][0] != "."
    if words[i] in (":", "--", "—", "–"):
        return True
    if words[i] == "-":
        return is_apart and i + 1 < len(words) and bool(pieces[i + 1].flags & SPACE_BEFORE)
    return is_apart and words[i] in ("(", "[")


def is_tone(plain, pieces, i, small):
    """Whether ``a`` is a musical key."""
    after = plain[i + 1 : i + 3]
    if i == 0 or plain[i] != "a" or not after:
        return False
    if after[0] in ("flat", "sharp"):
        return after[1:] in (["major"], ["minor"])
    if after[0] not in ("major", "minor") or plain[i - 1] != "in":
        return False
    return i + 2 == len(plain) or pieces[i + 2].tag == "AN" or plain[i + 2] in small


def is_inside(plain, pieces, i, inside):
    """Whether a lowercase word is part of a name, or a unit."""

    def is_named(k):
        return pieces[k].tag not in ("AL", "AN") or plain[k] in inside

    if plain[i] not in inside or i == 0:
        return False
    if pieces[i - 1].word_class == "quantity" or plain[i - 1] == "/":
        return True
    return i + 1 < len(plain) and is_named(i - 1) and is_named(i + 1)


def ends_clause(plain, pieces, i, small):
    """Whether a small word ends a part of a title."""
    after = plain[i + 1 : i + 3]
    if "/" in (plain[i - 1 : i] + after[:1]):
        return True
    if len(after) < 2:
        return False
    if after[0] in ("and", "or"):
        return len(plain[i]) > 1 and after[1] not in small
    if pieces[i + 1].flags & SPACE_BEFORE:
        return False
    return after[0][:1] in tuple("!:;?") or (after[0][:1] == "," and after[1] not in small)


def is_feat(plain, pieces, i):
    return (
        plain[i] in ("feat", "ft")
        and i + 2 < len(plain)
        and plain[i + 1] == "."
        and not pieces[i + 1].flags & SPACE_BEFORE
    )


def title(line, small, clitics, inside, segmentation="raw"):
    """A line, cased as a sentence, as a title; words without &apos; and the like."""
    pieces = segment(line, segmentation)
    words = [line[piece.start : piece.end].decode("utf-8", "surrogateescape") for piece in pieces]
    plain = [piece.surface.decode("utf-8", "surrogateescape").lower() for piece in pieces]
    last = [
        i
        for i, p in enumerate(pieces)
        if (p.tag != "AN" or p.word_class == "quantity") and plain[i] not in clitics
    ][-1:]
    out, end, begins = b"", 0, True
    for i, piece in enumerate(pieces):
        word = words[i]
        if piece.tag == "AN":
            begins = is_break(words, pieces, i) or (
                begins and piece.word_class != "quantity" and plain[i] != ","
            )
        else:
            wanted = begins or [i] == last or plain[i] not in small
            wanted |= is_tone(plain, pieces, i, small) or ends_clause(plain, pieces, i, small)
            wanted &= begins or not is_inside(plain, pieces, i, inside)
            if wanted and not piece.flags & CANONICAL and not is_feat(plain, pieces, i):
                if has_parts(word, piece.word_class):
                    if piece.tag != "AU" and not piece.upper_mask >> 63:
                        word = raise_parts(word, small, piece.upper_mask)
                elif (
                    piece.word_class == "alphabetic"
                    and piece.tag == "AL"
                    and plain[i] not in clitics
                ):
                    word = raised(word)
            begins = False
        out += line[end : piece.start] + word.encode("utf-8", "surrogateescape")
        end = piece.end
    return out + line[end:]
