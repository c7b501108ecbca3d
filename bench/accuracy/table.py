"""The table: what was measured, and what others publish for the same set."""

from collections.abc import Iterable, Iterator

from claims import Claim

HEADER = (
    "| set | system | accuracy | F1 | calibration error | words/s | MB |\n"
    "|---|---|---:|---:|---:|---:|---:|"
)


def number(value: float | None, form: str = ".2f") -> str:
    """A figure as a cell; a dash where there is none."""
    return "–" if value is None else f"{value:{form}}"


def markdown(rows: list[dict], claims: Iterable[Claim]) -> str:
    """The table in Markdown: by set, what was measured, then what is published, the best first.

    Published figures are in italics: they were not measured here.
    """
    claims = sorted(claims, key=lambda claim: (-(claim.f1 or 0.0), -(claim.accuracy or 0.0)))
    lines = [HEADER]
    for name in dict.fromkeys(row["set"] for row in rows):
        of_set = [row for row in rows if row["set"] == name]
        differs = f" ({of_set[0]['differs']})" if of_set[0]["differs"] else ""
        shown = f"{name}, {of_set[0]['words']:,} words{differs}"
        for row in of_set:
            lines.append(measured(shown, row))
            shown = ""
        lines.extend(published("", [claim for claim in claims if claim.text == name]))
    measured_sets = {row["set"] for row in rows}
    for claim in claims:
        if claim.text not in measured_sets:
            lines.extend(published(claim.text, [claim]))
    return "\n".join(lines)


def measured(name: str, row: dict) -> str:
    """A row of what was measured."""
    more = f" ({row['changed_lines']:,} lines as they came in)" if row["changed_lines"] else ""
    cells = [
        name,
        row["system"] + more,
        number(row["accuracy"]),
        number(row["f1"]),
        number(row["calibration_error"]),
        number(row["words_per_s"], ",.0f"),
        number(row["bytes"] / 1e6, ".1f"),
    ]
    return f"| {' | '.join(cells)} |"


def published(name: str, claims: Iterable[Claim]) -> Iterator[str]:
    """Rows of what is published."""
    for claim in claims:
        trained = f"; trained on {claim.trained_on}" if claim.trained_on else ""
        system = f"*{claim.system} ({claim.where}{trained})*"
        yield (f"| {name} | {system} | {number(claim.accuracy)} | {number(claim.f1)} | – | – | – |")
