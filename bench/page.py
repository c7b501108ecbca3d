"""A page of benchmarks from what pytest-benchmark wrote: page.py results.json > page.html.

One table for each group, a row for each benchmark: its text, words per second of the best round
(or milliseconds), and how many times faster that is than the peer measured in the same run.
"""

import html
import json
import sys
from pathlib import Path

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
table { border-collapse: collapse; width: 100%; display: block; overflow-x: auto }
th, td { padding: .25rem .75rem; border-bottom: 1px solid #ccc; text-align: left }
td.number { text-align: right; font-variant-numeric: tabular-nums }
"""


def speed(benchmark: dict) -> str:
    info = benchmark["extra_info"]
    if "words_per_s" in info:
        return f"{info['words_per_s']:,} words/s"
    if "best_ms" in info:
        return f"{info['best_ms']:,} ms"
    return f"{1000 * benchmark['stats']['min']:,.2f} ms"


def row(benchmark: dict) -> str:
    info = benchmark["extra_info"]
    name = benchmark["name"].partition("[")[0]
    cells = [
        ("", info.get("peer") or name.removeprefix("test_").replace("_", " ")),
        ("", info.get("corpus") or info.get("what") or ""),
        ("", ", ".join(f"{key} {info[key]}" for key in ("threads", "input_case") if key in info)),
        ("number", speed(benchmark)),
        ("number", f"{info['times_peer']:g}" if "times_peer" in info else ""),
    ]
    return "".join(f'<td class="{kind}">{html.escape(str(text))}</td>' for kind, text in cells)


def page(results: dict) -> str:
    """HTML of one run's results."""
    benchmarks = results["benchmarks"]
    machine = results["machine_info"]
    cpu = machine["cpu"] if isinstance(machine["cpu"], str) else machine["cpu"]["brand_raw"]
    versions = sorted({str(b["extra_info"].get("truecase", "")) for b in benchmarks} - {""})
    title = html.escape(f"Benchmarks of truecase {', '.join(versions)}".strip())
    about = html.escape(
        f"{cpu}, {machine['system']}, {machine['python_implementation']} "
        f"{machine['python_version']}, {results['datetime'][:10]}. Only ratios of one run carry "
        "over to another machine or another day."
    )
    parts = [
        '<!doctype html>\n<html lang="en">\n<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width">',
        f"<title>{title}</title>\n<style>\n{STYLE}</style>\n<h1>{title}</h1>\n<p>{about}</p>",
    ]
    for group in dict.fromkeys(b["group"] for b in benchmarks):
        parts.append(f"<h2>{html.escape(group or 'others')}</h2>\n<table>")
        parts.append("<tr><th>what<th>text<th>settings<th>best round<th>times the peer</tr>")
        parts += [f"<tr>{row(b)}</tr>" for b in benchmarks if b["group"] == group]
        parts.append("</table>")
    return "\n".join(parts) + "\n"


def main(arguments: list[str]) -> int:
    if len(arguments) != 1:
        print("usage: page.py RESULTS.json > PAGE.html", file=sys.stderr)
        return 2
    sys.stdout.write(page(json.loads(Path(arguments[0]).read_text(encoding="utf-8"))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
