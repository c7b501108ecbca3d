"""Figures of releases that are kept in results/, and what is kept of a run.

    python bench/kept.py RUN.json KEPT.json [--release NAME]

RUN.json is what `pytest bench --benchmark-json RUN.json` has written; KEPT.json, in results/ and
named DATE-decode.json, gets what later runs and the page of releases need of it.
"""

import argparse
import json
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from script import run_script, save

RESULTS = Path(__file__).parent / "results"
# Names of benchmarks as they were once.
OLD_NAMES = {"test_ngram": "test_trigram"}
STATISTICS = ("min", "median", "max", "rounds")


def text_of(benchmark: dict[str, Any]) -> str:
    """Label of the text that a benchmark ran on."""
    return benchmark["extra_info"].get("corpus", "")


def machine_of(run: dict[str, Any]) -> dict[str, str]:
    """What of a machine may make figures differ."""
    facts = run["machine_info"]
    cpu = facts["cpu"] if isinstance(facts["cpu"], str) else facts["cpu"].get("brand_raw", "")
    names = ("machine", "system", "python_version", "python_implementation")
    return {"cpu": cpu, **{name: facts.get(name, "") for name in names}}


@dataclass(frozen=True)
class Release:
    """The kept figures of one release.

    Attributes
    ----------
    file : Path
    run : dict
        As `kept` makes it.
    """

    file: Path
    run: dict[str, Any]

    @property
    def name(self) -> str:
        """As it was kept, or the version and what its file's name says."""
        if "release" in self.run:
            return str(self.run["release"])
        versions = {b["extra_info"].get("truecase", "") for b in self.run["benchmarks"]}
        return f"{max(versions)}, {re.sub(r'^[0-9-]*', '', self.file.stem)}"

    @property
    def day(self) -> str:
        return str(self.run["datetime"])[:10]

    @cached_property
    def by_name(self) -> dict[tuple[str, str], dict[str, Any]]:
        """``extra_info`` of each benchmark, by its full name and its text."""
        return {(b["name"], text_of(b)): b["extra_info"] for b in reversed(self.run["benchmarks"])}

    def find(self, name: str, text: str) -> dict[str, Any] | None:
        """``extra_info`` of the benchmark of a full name on a text; None: there was none."""
        function, bracket, parameters = name.partition("[")
        for known in (function, OLD_NAMES.get(function, function)):
            facts = self.by_name.get((known + bracket + parameters, text))
            if facts is not None:
                return facts
        return None


def releases(folder: Path = RESULTS) -> list[Release]:
    """All releases whose figures are kept, the oldest first."""
    found = [
        Release(file, json.loads(file.read_text(encoding="utf-8")))
        for file in sorted(folder.glob("*-decode*.json"))
    ]
    return sorted(found, key=lambda release: str(release.run["datetime"]))


def kept(run: dict[str, Any], release: str | None = None) -> dict[str, Any]:
    """What is kept of a run that pytest-benchmark has written."""
    return {
        **({"release": release} if release else {}),
        "datetime": run["datetime"],
        "machine_info": machine_of(run),
        "benchmarks": [
            {
                "group": benchmark["group"],
                "name": benchmark["name"],
                "extra_info": benchmark["extra_info"],
                "stats": {name: benchmark["stats"][name] for name in STATISTICS},
            }
            for benchmark in run["benchmarks"]
        ],
    }


def main() -> None:
    parser = argparse.ArgumentParser(description="Keep the figures of a run.")
    parser.add_argument("run", type=Path, metavar="RUN.json")
    parser.add_argument("kept", type=Path, metavar="KEPT.json")
    parser.add_argument("--release", metavar="NAME", help="what the page of releases calls it")
    args = parser.parse_args()
    run = json.loads(args.run.read_text(encoding="utf-8"))
    save(args.kept, kept(run, args.release))


if __name__ == "__main__":
    run_script(main)
