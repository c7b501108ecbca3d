"""Tables of a run for people to read: in the terminal after it, and on the page of a run."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from kept import Release, machine_of, text_of

# The peer whose speed, beside its kept one, says how much faster this machine is than that one was.
YARDSTICK = "test_sacremoses"
MODELS = {"": "model", "ngram_": "its n-grams", "unigram_": "its lexicon"}


@dataclass(frozen=True)
class Table:
    """A table with a line below it.

    Attributes
    ----------
    title : str
    header : tuple of str
        The first column is text, and those whose name ends with a space; others are numbers.
    rows : list of list of str
    note : str
        What the numbers are.
    """

    title: str
    header: tuple[str, ...]
    rows: list[list[str]]
    note: str = ""

    def is_text(self, column: int) -> bool:
        return column == 0 or self.header[column].endswith(" ")

    def lines(self) -> Iterator[str]:
        """The table in characters."""
        cells = [list(self.header), *self.rows]
        widths = [max(len(row[c]) for row in cells) for c in range(len(self.header))]
        for row in cells:
            yield "  ".join(
                cell.ljust(width) if self.is_text(c) else cell.rjust(width)
                for c, (cell, width) in enumerate(zip(row, widths, strict=True))
            ).rstrip()


def times(ratio: float | None) -> str:
    """A ratio as a cell."""
    return "" if ratio is None else f"{ratio:.2f}" if ratio < 9.995 else f"{ratio:.1f}"


def function_of(benchmark: dict[str, Any]) -> str:
    return str(benchmark["name"]).partition("[")[0]


def title_of(benchmark: dict[str, Any]) -> str:
    """The name of a benchmark, with parameters that are neither its text nor its settings."""
    title = function_of(benchmark).removeprefix("test_").replace("_", " ")
    shown = {str(value) for value in benchmark["extra_info"].values()}
    rest = re.sub(r"(^|.*-)[0-9a-f]{8}(-|$)", "", parameter_of(benchmark))
    return title if rest in shown else f"{title} {rest}".strip()


def speed_of(benchmark: dict[str, Any]) -> float | None:
    found = benchmark["extra_info"].get("words_per_s")
    return None if found is None else float(found)


def settings_of(info: dict[str, Any]) -> str:
    """What a benchmark was run with."""
    if "what" in info:
        return str(info["what"])
    names = ("preset", "decode_with", "threads", "input_case", "order", "source")
    return ", ".join(f"{name} {info[name]}" for name in names if name in info)


class AgainstKept:
    """A run beside the kept figures of the last release.

    Parameters
    ----------
    run : dict
        As pytest-benchmark writes it, or as much of it as `summary.tables` reads.
    last : Release or None
    """

    def __init__(self, run: dict[str, Any], last: Release | None) -> None:
        self.last = last
        self.same_machine = last is not None and machine_of(run) == machine_of(last.run)
        # By the text of the name: peers have a head of it.
        self.yardsticks: dict[str, float] = {}
        for benchmark in run["benchmarks"]:
            if function_of(benchmark) == YARDSTICK and (ratio := self.raw(benchmark)):
                self.yardsticks[parameter_of(benchmark)] = ratio

    def raw(self, benchmark: dict[str, Any]) -> float | None:
        """Times the kept words per second; None if this text has none."""
        speed = speed_of(benchmark)
        kept = self.last and self.last.find(benchmark["name"], text_of(benchmark))
        if not kept or speed is None or "words_per_s" not in kept:
            return None
        if kept.get("version") != benchmark["extra_info"].get("version"):
            return None  # another version of a peer
        return speed / float(kept["words_per_s"])

    def evened_out(self, benchmark: dict[str, Any]) -> float | None:
        """The same, divided by how much faster the peer was than then, on the same text."""
        raw, name = self.raw(benchmark), parameter_of(benchmark)
        fits = [text for text in self.yardsticks if name.startswith(text)]
        return raw / self.yardsticks[fits[0]] if raw and fits else None

    def note(self) -> str:
        if self.last is None:
            return "No kept figures: nothing in bench/results."
        machine = "on this kind of machine" if self.same_machine else "on another machine"
        return (
            f"× kept: times the kept figures of {self.last.day} ({self.last.name}), {machine}; "
            "evened: divided by how much faster sacremoses is today than then."
        )


def parameter_of(benchmark: dict[str, Any]) -> str:
    return str(benchmark["name"]).partition("[")[2].removesuffix("]")


def speeds(group: str, benchmarks: Sequence[dict[str, Any]], kept: AgainstKept) -> Table:
    """Words per second of a group of benchmarks."""
    rows = []
    for benchmark in benchmarks:
        info = benchmark["extra_info"]
        speed = speed_of(benchmark)
        rows.append(
            [
                info.get("peer") or title_of(benchmark),
                text_of(benchmark),
                settings_of(info),
                f"{speed:,.0f}",
                f"{info['bytes'] / info['words'] * speed / 1e6:.2f}" if "bytes" in info else "",
                times(kept.raw(benchmark)),
                times(kept.evened_out(benchmark)),
            ]
        )
    header = ("what ", "text ", "settings ", "words/s", "MB/s", "× kept", "evened")
    return Table(group, header, rows, "Best round. " + kept.note())


def milliseconds(group: str, benchmarks: Sequence[dict[str, Any]]) -> Table:
    """Benchmarks that have no words."""
    rows = []
    for benchmark in benchmarks:
        info = benchmark["extra_info"]
        best = info.get("best_ms", 1000 * benchmark["stats"]["min"])
        target = f"{info['target_ms']:g}" if "target_ms" in info else ""
        rows.append([settings_of(info) or title_of(benchmark), f"{best:,.2f}", target])
    return Table(group, ("what", "best, ms", "target, ms"), rows)


def stages(benchmarks: Sequence[dict[str, Any]]) -> Table:
    """Shares of the stages of decoding."""
    names = list(dict.fromkeys(s for b in benchmarks for s in b["extra_info"]["stages_ns"]))
    rows = []
    for benchmark in benchmarks:
        info = benchmark["extra_info"]
        taken = info["stages_ns"]
        total = sum(taken.values()) or 1.0
        shares = [f"{100 * taken[s] / total:.0f} %" if s in taken else "" for s in names]
        rows.append([info["decode_with"], text_of(benchmark), *shares, f"{total:,.0f}"])
    return Table(
        "share per stage",
        ("decode with", "text ", *names, "ns/word"),
        rows,
        "Of a processor's time; medians of rounds in which the stages take turns.",
    )


def against_peers(benchmarks: Iterable[dict[str, Any]]) -> Table:
    """How many times faster than others in the same run."""
    # What ran once for each way of decoding is one row.
    beside: dict[tuple[str, str], dict[str, Any]] = {}
    for benchmark in benchmarks:
        info = benchmark["extra_info"]
        peer = f"{info['peer']} {info.get('version', '')}".strip()
        beside[peer, text_of(benchmark)] = {**info, **beside.get((peer, text_of(benchmark)), {})}
    rows = [
        [
            peer,
            text,
            f"{info['words_per_s']:,}",
            *(times(info.get(f"{k}times_peer")) for k in MODELS),
        ]
        for (peer, text), info in beside.items()
    ]
    header = ("beside", "text ", "its words/s", *(f"× {name}" for name in MODELS.values()))
    note = (
        "Times faster than the peer, in one run. KenLM's query scores and chooses nothing; beside "
        "it, whole processes are compared by what they take of the processors. An older truecase "
        "takes turns with this one: medians of pairs."
    )
    return Table("times as fast as others", header, rows, note)


def tables(run: dict[str, Any], last: Release | None) -> list[Table]:
    """All tables of a run, those that say most last."""
    benchmarks = run["benchmarks"]
    kept = AgainstKept(run, last)
    made = []
    for group in dict.fromkeys(b["group"] for b in benchmarks):
        of_group = [b for b in benchmarks if b["group"] == group]
        with_words = [b for b in of_group if speed_of(b) and "stages_ns" not in b["extra_info"]]
        without = [b for b in of_group if not speed_of(b)]
        if with_words:
            made.append(speeds(group or "others", with_words, kept))
        if without:
            made.append(milliseconds(group or "others", without))
    staged = [b for b in benchmarks if b["extra_info"].get("stages_ns")]
    if staged:
        made.append(stages(staged))
    beside = [b for b in benchmarks if any(f"{k}times_peer" in b["extra_info"] for k in MODELS)]
    if beside:
        made.append(against_peers(beside))
    return made
