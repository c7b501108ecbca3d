"""An explanation as aligned text for a terminal."""

from __future__ import annotations

import unicodedata

from truecase.explain.explanation import Candidate, Explanation, Sentence, Word

# Candidates of a word that are listed, and marks of what is special about them.
_N_SHOWN = 8
_CHOSEN = ">"

_LEGEND = """\
> best path; p: share of all paths, by probability, that pass here; score: sum of value x weight
of the features, those that look back with the words before as on the best path; seen: times in
training. A word without score has one form, as have the words that it could depend on.
"""


def explanation_table(explanation: Explanation) -> str:
    """The explanation as text: a block of lines per word, one line per candidate."""
    parts = [explanation.output]
    for number, sentence in enumerate(explanation.sentences, 1):
        if len(explanation.sentences) > 1:
            parts.append(f"sentence {number}")
        parts.append(_sentence_table(sentence))
    return "\n\n".join(parts) + "\n\n" + _LEGEND


def _sentence_table(sentence: Sentence) -> str:
    names = feature_names(sentence)
    header = ["", "", "tag", "seen", "p", "score", *names]
    rows: list[list[str]] = []
    for word in sentence.words:
        ranked = sorted(word.candidates, key=lambda c: (not c.is_chosen, -c.posterior))
        rows += [_row(word, candidate, names) for candidate in ranked[:_N_SHOWN]]
        if len(ranked) > _N_SHOWN:
            rows.append(["", f"({len(ranked) - _N_SHOWN} more)"] + [""] * (len(header) - 2))
    total = ["", "sum of the best path", "", "", "", f"{sentence.score:.2f}"]
    rows.append(total + [""] * len(names))
    return _align(header, rows)


def feature_names(sentence: Sentence) -> list[str]:
    """Features that gave something to some candidate, in the order in which they first did."""
    names: dict[str, None] = {}
    for word in sentence.words:
        for candidate in word.candidates:
            for contribution in candidate.contributions:
                # A column each would be wide: a tag transition is as good as named by its tags.
                names.setdefault(contribution.feature.partition(":")[0])
    return list(names)


def _row(word: Word, candidate: Candidate, names: list[str]) -> list[str]:
    text = candidate.text if not word.is_end else "(end)"
    if candidate.is_chosen and word.is_raised_after:
        text += f" -> {word.output}"
    cells = [
        _CHOSEN if candidate.is_chosen else "",
        text,
        candidate.tag if not word.is_end else "",
        f"{candidate.training_count:,}" if not word.is_end else "",
        f"{candidate.posterior:.3f}",
        f"{candidate.score:.2f}" if word.is_scored else "-",
    ]
    for name in names:
        found = [c for c in candidate.contributions if c.feature.partition(":")[0] == name]
        cells.append(" ".join(f"{c.value:.2f} x {c.weight:.2f}" for c in found))
    return cells


def _align(header: list[str], rows: list[list[str]]) -> str:
    """Columns of equal width, the first two and what has no digits to the left."""
    widths = [max(_width(row[i]) for row in [header, *rows]) for i in range(len(header))]
    lines = []
    for row in [header, *rows]:
        cells = []
        for i, cell in enumerate(row):
            space = " " * (widths[i] - _width(cell))
            cells.append(cell + space if i < 3 else space + cell)
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def _width(text: str) -> int:
    """Columns of a terminal that a text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
