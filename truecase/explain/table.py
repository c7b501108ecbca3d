"""An explanation as aligned text for a terminal."""

from __future__ import annotations

import textwrap
import unicodedata

from truecase.explain.explanation import Candidate, Explanation, Gap, Sentence, Word

# Candidates of a word that are listed, and marks of what is special about them.
_N_SHOWN = 8
_CHOSEN = ">"

# What the features gave has this much room at least.
_NARROWEST = 40

_LEGEND = (
    "> chosen path; p: share of all paths, by probability, that pass here; score: sum of value x "
    "weight of the features, those that look back with the words before as on the chosen path; "
    "seen: times in training. A word without score has one form, as have the words that it could "
    "depend on."
)
_GAPS = " The first table: > a mark was put at the word; how probable each is behind it."
_SURE = " sure: how often such words come out right, by the model's calibration."


def explanation_table(explanation: Explanation, width: int = 100) -> str:
    """The explanation as text: a block of lines per word, one line or more per candidate.

    Parameters
    ----------
    explanation : Explanation
    width : int
        Columns of the terminal; what the features gave is wrapped there.
    """
    parts = [explanation.output]
    sure = explanation.is_calibrated
    if explanation.gaps:
        parts.append(_gap_table(explanation.gaps))
    for number, sentence in enumerate(explanation.sentences, 1):
        if len(explanation.sentences) > 1:
            parts.append(f"sentence {number}")
        parts.append(_sentence_table(sentence, width, sure))
    legend = _LEGEND + (_SURE if sure else "") + (_GAPS if explanation.gaps else "")
    parts.append(textwrap.fill(legend, max(width, _NARROWEST)))
    return "\n\n".join(parts) + "\n"


def _gap_table(gaps: tuple[Gap, ...]) -> str:
    labels = list(gaps[0].posteriors)
    rows = [["", "", "", *(label or "none" for label in labels)]]
    for gap in gaps:
        shares = [f"{gap.posteriors[label]:.3f}" for label in labels]
        rows.append([_CHOSEN if gap.is_marked else "", gap.marked, "", *shares])
    return "\n".join(line.rstrip() for line in _align(rows))


def _sentence_table(sentence: Sentence, width: int, sure: bool) -> str:
    rows = [["", "", "tag", "seen", "p", "score", *(["sure"] if sure else [])]]
    features: list[list[str]] = [["value x weight of each feature"]]
    for word in sentence.words:
        ranked = sorted(word.candidates, key=lambda c: (not c.is_chosen, -c.posterior))
        for candidate in ranked[:_N_SHOWN]:
            rows.append(_row(word, candidate, sure))
            features.append(_features(word, candidate))
        if len(ranked) > _N_SHOWN:
            rows.append(["", f"({len(ranked) - _N_SHOWN} more)"])
            features.append([])
    rows.append(["", "sum of the chosen path", "", "", "", f"{sentence.score:.2f}"])
    rows = [row + [""] * (len(rows[0]) - len(row)) for row in rows]
    features.append([])
    lines = []
    for left, given in zip(_align(rows), features, strict=True):
        wrapped = _wrap(given, max(width - _width(left) - 3, _NARROWEST))
        lines.append(f"{left}   {wrapped[0]}".rstrip())
        lines += [" " * (_width(left) + 3) + more for more in wrapped[1:]]
    return "\n".join(lines)


def _row(word: Word, candidate: Candidate, sure: bool) -> list[str]:
    text = " -> ".join(word.steps(candidate)) if not word.is_end else "(end)"
    return [
        _CHOSEN if candidate.is_chosen else "",
        text,
        candidate.tag if not word.is_end else "",
        f"{candidate.training_count:,}" if not word.is_end else "",
        f"{candidate.posterior:.3f}",
        f"{candidate.score:.2f}" if word.is_scored else "-",
        *([f"{word.posterior:.3f}"] if sure and candidate.is_chosen and not word.is_end else []),
    ]


def _features(word: Word, candidate: Candidate) -> list[str]:
    """The features that gave most first."""
    if candidate.is_listed and len(word.candidates) == 1:
        return ["by the list of names"]
    given = sorted(candidate.contributions, key=lambda c: -abs(c.product))
    return [f"{c.feature} {c.value:.2f} x {c.weight:.2f}" for c in given]


def _wrap(items: list[str], width: int) -> list[str]:
    """Items on as many lines as they need; at least one line."""
    lines = [""]
    for item in items:
        longer = f"{lines[-1]}, {item}" if lines[-1] else item
        # A comma follows.
        if lines[-1] and _width(longer) + 1 > width:
            lines[-1] += ","
            lines.append(item)
        else:
            lines[-1] = longer
    return lines


def _align(rows: list[list[str]]) -> list[str]:
    """Columns of equal width, the first three to the left, the others to the right."""
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for i, cell in enumerate(row):
            space = " " * (widths[i] - _width(cell))
            cells.append(cell + space if i < 3 else space + cell)
        lines.append("  ".join(cells))
    return lines


def _width(text: str) -> int:
    """Columns of a terminal that a text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
