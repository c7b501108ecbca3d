"""Evaluations and explanations as aligned text for a terminal."""

from __future__ import annotations

import textwrap
import unicodedata
from collections.abc import Callable, Sequence

from truecase.evaluation.explanation import Candidate, Explanation, Gap, Sentence, Word
from truecase.evaluation.metrics import Evaluation, Tally

# How many errors the table lists; the JSON form has more.
_N_ERRORS_SHOWN = 10

# Stands for a figure that takes a model.
_UNKNOWN = "-"


def text_table(rows: Sequence[Sequence[str]], header: Sequence[str]) -> str:
    """Align columns: the first to the left, the others to the right."""
    return "\n".join(line.rstrip() for line in _align([header, *rows], 1))


def _percent(share: float | None) -> str:
    return _UNKNOWN if share is None else f"{100 * share:.2f}"


_FIGURES: list[tuple[str, Callable[[Evaluation], str]]] = [
    ("words", lambda e: f"{e.n_words:,}"),
    ("token accuracy (all words)", lambda e: _percent(e.accuracy)),
    ("case error rate", lambda e: _percent(e.case_error_rate)),
    ("F1 (words not all-lowercase)", lambda e: _percent(e.f1)),
    ("  of the proposed, right", lambda e: _percent(e.cased_precision)),
    ("  of the reference, found", lambda e: _percent(e.cased_recall)),
    ("lines without error", lambda e: _percent(e.sentence_accuracy)),
    ("words not seen in training", lambda e: _percent(e.out_of_vocabulary)),
]


def evaluation_table(evaluation: Evaluation) -> str:
    """Write an evaluation as text tables, rates in per cent."""
    e = evaluation
    known = (row for row in figure_rows([e]) if row[1] != _UNKNOWN)
    summary = [["lines", f"{e.n_lines:,}"], *known]
    if e.n_changed:
        summary.append(["words changed by more than case", f"{e.n_changed:,}"])
    parts = [text_table(summary, ["", ""]).lstrip("\n")]

    tags = [name for name, tally in e.by_tag.items() if tally.n_words]
    columns = [
        name for name in e.by_tag if name in tags or any(row[name] for row in e.confusion.values())
    ]
    rows = [
        [name, *_tally(e.by_tag[name]), *(f"{e.confusion[name][column]:,}" for column in columns)]
        for name in tags
    ]
    header = ["reference tag", "words", "errors", "% wrong", *(f"as {name}" for name in columns)]
    parts.append(text_table(rows, header))
    if e.by_training_count is not None:
        rows = [
            [f"{low:,}" if low == high else f"{low:,}-{high:,}", *_tally(tally)]
            for low, high, tally in e.by_training_count
        ]
        parts.append(text_table(rows, ["seen in training", "words", "errors", "% wrong"]))
    if e.common_errors:
        rows = [[gold, word, f"{n:,}"] for gold, word, n in e.common_errors[:_N_ERRORS_SHOWN]]
        parts.append(text_table(rows, ["frequent errors: reference", "output", "times"]))
    return "\n\n".join(parts) + "\n"


def _tally(tally: Tally) -> list[str]:
    return [f"{tally.n_words:,}", f"{tally.n_errors:,}", _percent(tally.error_rate)]


def figure_rows(evaluations: Sequence[Evaluation]) -> list[list[str]]:
    """List the figures of evaluations, each behind its label; rates are in per cent."""
    return [[label, *map(figure, evaluations)] for label, figure in _FIGURES]


def comparison_rows(evaluations: Sequence[Evaluation]) -> list[list[str]]:
    """List the figures of evaluations of the same text, and their errors by tag."""
    return figure_rows(evaluations) + [
        [f"errors in {tag} ({tally.n_words:,} words)"]
        + [f"{e.by_tag[tag].n_errors:,}" for e in evaluations]
        for tag, tally in evaluations[0].by_tag.items()
        if tally.n_words
    ]


def comparison_table(judged: Sequence[tuple[str, Evaluation]]) -> str:
    """Write the figures of several models side by side, rates in per cent, and errors by tag."""
    rows = comparison_rows([e for _, e in judged])
    return text_table(rows, ["", *(name for name, _ in judged)]) + "\n"


# Explanations.

# How many candidates of a word are listed, and what marks the chosen one.
_N_SHOWN = 8
_CHOSEN = ">"

# The least width of the column of features.
_NARROWEST = 40

_LEGEND = (
    "> is on the chosen path. seen: times in training, to about 5 %. p: share of all paths, by "
    "probability, that pass here. score: each feature's value times its weight, summed; features "
    "that look back take the words before from the chosen path. A word without a score has one "
    "form, and so have the words that its form could depend on."
)
_GAPS = " In the first table, > is where a mark was put; a column is how likely a mark is there."
_SURE = " sure: how often such words are right, by the model's calibration, as in --confidence."


def explanation_table(explanation: Explanation, width: int = 100) -> str:
    """Write an explanation as text, a line or more for each candidate, wrapped at `width`."""
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
    head = ["", "", "tag", "seen", "p", "score", *(["sure"] if sure else [])]
    rows = [(head, ["value x weight of each feature"])]
    for word in sentence.words:
        ranked = sorted(word.candidates, key=lambda c: (not c.is_chosen, -c.posterior))
        rows += [(_row(word, one, sure), _features(word, one)) for one in ranked[:_N_SHOWN]]
        if len(ranked) > _N_SHOWN:
            rows.append((["", f"({len(ranked) - _N_SHOWN} more)"], []))
    rows.append((["", "sum of the chosen path", "", "", "", f"{sentence.score:.2f}"], []))
    aligned = _align([row + [""] * (len(head) - len(row)) for row, _ in rows])
    lines = []
    for left, (_, given) in zip(aligned, rows, strict=True):
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
    """List the features, those with the largest products first."""
    if candidate.is_listed and len(word.candidates) == 1:
        return ["by the list of names"]
    given = sorted(candidate.contributions, key=lambda c: -abs(c.product))
    return [f"{c.feature} {c.value:.2f} x {c.weight:.2f}" for c in given]


def _wrap(items: list[str], width: int) -> list[str]:
    """Wrap items into lines, at least one."""
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


def _align(rows: Sequence[Sequence[str]], n_left: int = 3) -> list[str]:
    """Align columns: the first `n_left` to the left, the others to the right."""
    widths = [max(_width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = []
        for i, cell in enumerate(row):
            space = " " * (widths[i] - _width(cell))
            cells.append(cell + space if i < n_left else space + cell)
        lines.append("  ".join(cells))
    return lines


def _width(text: str) -> int:
    """Number of terminal columns that a text takes."""
    return sum(
        0 if unicodedata.combining(c) else 2 if unicodedata.east_asian_width(c) in "WF" else 1
        for c in text
    )
