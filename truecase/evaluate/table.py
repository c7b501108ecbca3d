"""An evaluation as text for people."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from truecase.evaluate.metrics import Evaluation

# Errors that the table lists; the JSON form has more.
_N_ERRORS_SHOWN = 10


def text_table(rows: Sequence[Sequence[str]], header: Sequence[str]) -> str:
    """Columns of equal width: the first to the left, the others to the right."""
    cells = [list(header), *map(list, rows)]
    widths = [max(len(row[i]) for row in cells) for i in range(len(header))]
    lines = []
    for row in cells:
        line = row[0].ljust(widths[0]) + "".join(
            "  " + cell.rjust(width) for cell, width in zip(row[1:], widths[1:], strict=True)
        )
        lines.append(line.rstrip())
    return "\n".join(lines)


def _percent(share: float) -> str:
    return f"{100 * share:.2f}"


def evaluation_table(evaluation: Evaluation) -> str:
    """The figures of an evaluation as text tables, rates in per cent."""
    e = evaluation
    summary = [
        ["lines", f"{e.n_lines:,}"],
        ["words", f"{e.n_words:,}"],
        ["token accuracy (all words)", _percent(e.accuracy)],
        ["case error rate", _percent(e.case_error_rate)],
        ["F1 (words not all-lowercase)", _percent(e.f1)],
        ["  of the proposed, right", _percent(e.cased_precision)],
        ["  of the reference, found", _percent(e.cased_recall)],
        ["lines without error", _percent(e.sentence_accuracy)],
    ]
    if e.out_of_vocabulary is not None:
        summary.append(["words not seen in training", _percent(e.out_of_vocabulary)])
    if e.n_changed:
        summary.append(["words changed by more than case", f"{e.n_changed:,}"])
    parts = [text_table(summary, ["", ""]).lstrip("\n")]

    tags = [name for name, tally in e.by_tag.items() if tally.n_words]
    columns = [
        name for name in e.by_tag if name in tags or any(row[name] for row in e.confusion.values())
    ]
    parts.append(
        text_table(
            [
                [
                    name,
                    f"{e.by_tag[name].n_words:,}",
                    f"{e.by_tag[name].n_errors:,}",
                    _percent(e.by_tag[name].error_rate),
                    *(f"{e.confusion[name][column]:,}" for column in columns),
                ]
                for name in tags
            ],
            ["reference tag", "words", "errors", "% wrong", *(f"as {name}" for name in columns)],
        )
    )
    if e.by_training_count is not None:
        parts.append(
            text_table(
                [
                    [
                        f"{low:,}" if low == high else f"{low:,}-{high:,}",
                        f"{tally.n_words:,}",
                        f"{tally.n_errors:,}",
                        _percent(tally.error_rate),
                    ]
                    for low, high, tally in e.by_training_count
                ],
                ["seen in training", "words", "errors", "% wrong"],
            )
        )
    if e.common_errors:
        parts.append(
            text_table(
                [[gold, word, f"{n:,}"] for gold, word, n in e.common_errors[:_N_ERRORS_SHOWN]],
                ["frequent errors: reference", "output", "times"],
            )
        )
    return "\n\n".join(parts) + "\n"


def comparison_table(judged: Sequence[tuple[str, Evaluation]]) -> str:
    """Figures of several models side by side, rates in per cent, and errors by tag."""
    header = ["", *(name for name, _ in judged)]
    figures: list[tuple[str, Callable[[Evaluation], str]]] = [
        ("words", lambda e: f"{e.n_words:,}"),
        ("token accuracy (all words)", lambda e: _percent(e.accuracy)),
        ("case error rate", lambda e: _percent(e.case_error_rate)),
        ("F1 (words not all-lowercase)", lambda e: _percent(e.f1)),
        ("  of the proposed, right", lambda e: _percent(e.cased_precision)),
        ("  of the reference, found", lambda e: _percent(e.cased_recall)),
        ("lines without error", lambda e: _percent(e.sentence_accuracy)),
        (
            "words not seen in training",
            lambda e: "-" if e.out_of_vocabulary is None else _percent(e.out_of_vocabulary),
        ),
    ]
    rows = [[label, *(figure(e) for _, e in judged)] for label, figure in figures]
    rows += [
        [f"errors in {tag} ({tally.n_words:,} words)"]
        + [f"{e.by_tag[tag].n_errors:,}" for _, e in judged]
        for tag, tally in judged[0][1].by_tag.items()
        if tally.n_words
    ]
    return text_table(rows, header) + "\n"
