"""Pages of benchmarks.

    python bench/page.py RESULTS.json > PAGE.html            of one run
    python bench/page.py --releases PAGE.md [--check]        of all that is kept in results/

The first is made of what pytest-benchmark wrote: a table for each group, the stages, and how many
times faster that is than peers measured in the same run and than the kept figures of the last
release. The second puts a table and a drawing of the releases into a page of the documentation;
with --check nothing is written, and it is an error if the page is not up to date.
"""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

import history
import summary
from kept import Release, machine_of, releases
from script import run_script

from truecase.evaluation.pages import escape, policy

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 70rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #ccc; text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums }
"""


def html_table(table: summary.Table) -> str:
    def row(cells: list[str]) -> str:
        kinds = ["" if table.is_text(c) else ' class="number"' for c in range(len(cells))]
        return "".join(
            f"<td{kind}>{escape(cell)}</td>" for kind, cell in zip(kinds, cells, strict=True)
        )

    header = "".join(f"<th>{escape(name.strip())}" for name in table.header)
    rows = "\n".join(f"<tr>{row(cells)}</tr>" for cells in table.rows)
    note = f"<p>{escape(table.note)}</p>" if table.note else ""
    return f"<h2>{escape(table.title)}</h2>\n<table>\n<tr>{header}</tr>\n{rows}\n</table>\n{note}"


def page(run: dict[str, Any], last: Release | None) -> str:
    """HTML of one run's results."""
    machine = machine_of(run)
    benchmarks = run["benchmarks"]
    versions = sorted({str(b["extra_info"].get("truecase", "")) for b in benchmarks} - {""})
    title = escape(f"Benchmarks of truecase {', '.join(versions)}".strip())
    about = escape(
        f"{machine['cpu']}, {machine['system']}, {machine['python_implementation']} "
        f"{machine['python_version']}, {run['datetime'][:10]}. Only ratios of one run carry "
        "over to another machine or another day."
    )
    parts = [
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        policy(STYLE),
        f"<title>{title}</title>\n<style>{STYLE}</style>\n<h1>{title}</h1>\n<p>{about}</p>",
        *map(html_table, reversed(summary.tables(run, last))),
    ]
    return "\n".join(parts) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description="Pages of benchmarks.")
    parser.add_argument("run", type=Path, nargs="?", metavar="RESULTS.json")
    parser.add_argument("--releases", type=Path, metavar="PAGE.md")
    parser.add_argument("--check", action="store_true")
    args = parser.parse_args()
    if (args.run is None) == (args.releases is None) or (args.check and args.run):
        parser.error("expected RESULTS.json, or --releases PAGE.md")
    known = releases()
    if args.run is not None:
        run = json.loads(args.run.read_text(encoding="utf-8"))
        sys.stdout.write(page(run, known[-1] if known else None))
        return 0
    fits = history.write(args.releases, known, args.check)
    if args.check and not fits:
        print(f"page.py: {args.releases} is not what bench/results has; make bench-history")
        return 1
    return 0


if __name__ == "__main__":
    run_script(main)
