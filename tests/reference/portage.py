"""Portage's models in plain Python: counts and fractions, Ω by trying every path, line rules."""

import itertools
import math
from collections import Counter
from fractions import Fraction

from reference.casing import is_cased, is_letter, render
from reference.segment import CANONICAL, ENDS_SENTENCE, segment


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
    cased = [piece for piece in segment(line, segmentation, turkic) if piece.tag != "AN"]
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


def raise_parts(word, small):
    """A hyphenated word in a title."""
    parts, marks = [""], []
    for c in word:
        if c in "-‐‑":
            marks.append(c)
            parts.append("")
        else:
            parts[-1] += c
    raised, place = [], 0
    for i, part in enumerate(parts):
        stays = 0 < i < len(parts) - 1 and part.lower() in small
        # Masks of mixed case reach as far as the 63rd code point.
        initial = next((j for j, c in enumerate(part) if is_cased(c)), 0)
        stays |= place + initial >= 63
        raised.append(part if stays else render(part, "IU"))
        place += len(part) + 1
    return raised[0] + "".join(m + part for m, part in zip(marks, raised[1:], strict=True))


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
            word = render(word, "IU")
        out += line[end : piece.start] + word.encode("utf-8", "surrogateescape")
        end = piece.end
    return out + line[end:]


def title(line, small, clitics, segmentation="raw"):
    """A line, cased as a sentence, as a title; words without &apos; and the like."""
    pieces = segment(line, segmentation)
    words = [line[piece.start : piece.end].decode("utf-8", "surrogateescape") for piece in pieces]
    plain = [piece.surface.decode("utf-8", "surrogateescape").lower() for piece in pieces]
    cased = [i for i, p in enumerate(pieces) if p.tag != "AN" and plain[i] not in clitics]
    out, end, begins = b"", 0, True
    for i, piece in enumerate(pieces):
        word = words[i]
        if piece.tag == "AN":
            if piece.flags & ENDS_SENTENCE or word in (":", "--", "—", "–"):
                begins = True
        else:
            wanted = begins or [i] == cased[-1:] or plain[i] not in small
            if wanted and not piece.flags & CANONICAL:
                if piece.word_class == "hyphenated" and piece.tag in ("AL", "IU"):
                    word = raise_parts(word, small)
                elif (
                    piece.word_class == "alphabetic"
                    and piece.tag == "AL"
                    and plain[i] not in clitics
                ):
                    word = render(word, "IU")
            begins = False
        out += line[end : piece.start] + word.encode("utf-8", "surrogateescape")
        end = piece.end
    return out + line[end:]
