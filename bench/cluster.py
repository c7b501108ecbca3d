"""Spark and Ray on this machine against casing in one process: words per second and core.

    python bench/cluster.py TEXT [--model MODEL] [--copies N] [--rounds N] [--cores N]
        [--engines spark ray]

TEXT is repeated, a row per line, and written as Parquet in several files. Engines read these, case
the column and throw the rows away. The yardstick is `Truecaser.column` on the same rows in one
process, from the same files, with as many threads; its rows are thrown away as well.

Reported apart are an engine's start, until a first small job is done; its first pass over the text,
in which the JVM compiles and Ray starts its workers, and by how much it is longer than later ones;
and a pass in which Python gives the rows back as they came, which is what the engine takes by
itself. Seconds are those of a clock and those of all processes' CPU together, and of these the part
of the processes that case: on a machine that does other things as well only CPU says much. In each
round all ways run one after the other; a share of the yardstick is the median over the rounds.
"""

import argparse
import os
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pyarrow as pa
import pyarrow.parquet as pq
from script import run_script

from truecase import Truecaser

TICKS = os.sysconf("SC_CLK_TCK")


#: What a process is for.
CASING, ENGINE = "casing", "engine"


def kind_of(process: int) -> str:
    """Whether a process cases or is the engine's; Ray's have the names of what they do now."""
    try:
        words = Path(f"/proc/{process}/cmdline").read_bytes().split(b"\0")
    except OSError:
        return ENGINE
    cases = words[0].startswith(b"ray::MapBatches") or b"pyspark.daemon" in words
    return CASING if cases else ENGINE


def cpu_of_processes() -> dict[int, float]:
    """CPU seconds of this process and of each below it."""
    parents, ticks = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        parents[int(folder.name)] = int(fields[1])
        ticks[int(folder.name)] = int(fields[11]) + int(fields[12])

    def is_ours(process: int) -> bool:
        while process > 1:
            if process == os.getpid():
                return True
            process = parents.get(process, 0)
        return False

    return {process: n / TICKS for process, n in ticks.items() if is_ours(process)}


class Meter:
    """CPU seconds since it was made, of each kind of process; look often, for processes end."""

    def __init__(self) -> None:
        self.seconds = {CASING: 0.0, ENGINE: 0.0}
        self._seen = cpu_of_processes()

    def look(self) -> None:
        for process, cpu in cpu_of_processes().items():
            self.seconds[kind_of(process)] += cpu - self._seen.get(process, 0.0)
            self._seen[process] = cpu


class Took(NamedTuple):
    """Seconds by the clock, of CPU, and of these what the processes took that case."""

    clock: float
    cpu: float
    casing: float


def timed(run: Callable[[], object]) -> Took:
    meter, start = Meter(), time.monotonic()
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.2):
            meter.look()

    looker = threading.Thread(target=look)
    looker.start()
    run()
    clock = time.monotonic() - start
    ended.set()
    looker.join()
    meter.look()
    return Took(clock, sum(meter.seconds.values()), meter.seconds[CASING])


class Ways(NamedTuple):
    """The passes of an engine: one that cases, and one that gives rows back as they came."""

    case: Callable[[], object]
    nothing: Callable[[], object] | None = None


def as_they_came(rows: object) -> object:
    return rows


def in_process(folder: Path, model: Truecaser, cores: int) -> Iterator[Ways]:
    def run() -> None:
        for path in sorted(folder.iterdir()):
            model.column(pq.read_table(path, columns=["text"])["text"], cores)

    yield Ways(run)


def with_spark(folder: Path, model: str | None, cores: int, batch: int) -> Iterator[Ways]:
    from pyspark.sql import SparkSession

    from truecase.integrations.spark import case_frame

    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_WORKER_DIR"] = str(folder.parent / "executors")
    spark = (
        SparkSession.builder.master(f"local-cluster[{cores},1,1024]")
        .config("spark.ui.enabled", "false")
        .config("spark.ui.showConsoleProgress", "false")
        .config("spark.sql.execution.arrow.maxRecordsPerBatch", batch)
        .config("spark.sql.files.maxPartitionBytes", 16 << 20)
        .getOrCreate()
    )
    spark.sparkContext.setLogLevel("ERROR")

    def run(made: object) -> None:
        made.write.format("noop").mode("overwrite").save()

    few = spark.createDataFrame([("in london",)] * 2 * cores, "text string").repartition(cores)
    run(case_frame(few, "text", model))
    rows = spark.read.parquet(str(folder))
    yield Ways(
        lambda: run(case_frame(rows, "text", model)),
        lambda: run(rows.mapInArrow(as_they_came, rows.schema)),
    )
    spark.stop()


def with_ray(folder: Path, model: str | None, cores: int, batch: int, block: int) -> Iterator[Ways]:
    import ray
    import ray.data

    from truecase.integrations.ray import TruecaseBatch

    ray.init(num_cpus=cores, include_dashboard=False, log_to_driver=False)
    context = ray.data.DataContext.get_current()
    context.enable_progress_bars = False
    # Of the default, 128 MB, a text of the size measured here is one or two, for as many tasks.
    context.target_max_block_size = block

    def run(data: object, function: Callable[..., object]) -> None:
        made = data.map_batches(function, batch_format="pyarrow", batch_size=batch)
        for _ in made.iter_internal_ref_bundles():
            pass

    case = TruecaseBatch("text", model)
    few = pa.table({"text": ["in london"] * 2 * cores})
    run(ray.data.from_arrow(few).repartition(cores), case)

    def rows() -> object:
        # Reading waits more than it computes: a whole core for each reader is taken from casing.
        return ray.data.read_parquet(str(folder), num_cpus=0.1)

    yield Ways(lambda: run(rows(), case), lambda: run(rows(), as_they_came))
    ray.shutdown()


def show(what: str, took: Took) -> None:
    casing = f", of it processes that case {took.casing:6.1f} s" if took.casing > 0.1 else ""
    load = os.getloadavg()[0]
    print(f"{what:32} {took.clock:6.1f} s, CPU {took.cpu:6.1f} s{casing}, load {load:.1f}")
    sys.stdout.flush()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", metavar="TEXT")
    parser.add_argument("--model", metavar="MODEL")
    parser.add_argument("--copies", type=int, default=128, metavar="N")
    parser.add_argument("--files", type=int, default=8, metavar="N")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--cores", type=int, default=2, metavar="N")
    parser.add_argument("--batch", type=int, default=10_000, metavar="ROWS")
    parser.add_argument("--block", type=int, default=16 << 20, metavar="BYTES", help="Ray's")
    parser.add_argument("--engines", nargs="*", choices=("spark", "ray"), default=("spark", "ray"))
    args = parser.parse_args()
    if args.copies % args.files or args.copies < 1:
        parser.error("--copies: expected a multiple of --files")
    rows = Path(args.text).read_text(encoding="utf-8").split("\n")
    n_words = args.copies * sum(len(row.split()) for row in rows)
    print(f"{n_words:,} words, {args.copies * len(rows):,} rows, {args.cores} cores")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "rows"
        folder.mkdir()
        table = pa.table({"text": rows * (args.copies // args.files)})
        for i in range(args.files):
            pq.write_table(table, folder / f"{i}.parquet")
        ways = {"in process": in_process(folder, Truecaser.load(args.model), args.cores)}
        given = folder, args.model, args.cores, args.batch
        if "spark" in args.engines:
            ways["Spark"] = with_spark(*given)
        if "ray" in args.engines:
            ways["Ray"] = with_ray(*given, args.block)
        runs: dict[str, Ways] = {}
        took: dict[str, list[Took]] = {}
        for way, made in ways.items():
            start = time.monotonic()
            runs[way] = next(made)
            print(f"{way:12} start {time.monotonic() - start:6.1f} s", flush=True)
            took[way] = []
        # The first round is the one that warms up.
        for number in range(args.rounds + 1):
            for way, run in runs.items():
                took[way].append(timed(run.case))
                show(f"round {number} {way}", took[way][-1])
                if run.nothing is not None:
                    show(f"round {number} {way}, rows as they came", timed(run.nothing))
        base = took["in process"][1:]
        for way, (first, *later) in took.items():
            middle = Took(*map(statistics.median, zip(*later, strict=True)))
            of_clock, of_cpu = (
                statistics.median(one[i] / other[i] for one, other in zip(base, later, strict=True))
                for i in (0, 1)
            )
            print(
                f"{way:12} {n_words / middle.clock / args.cores:10,.0f} words/s and core by the "
                f"clock ({of_clock:.2f} of in process), {n_words / middle.cpu:10,.0f} words per "
                f"CPU second ({of_cpu:.2f}); the first pass took {first.clock - middle.clock:.1f} "
                f"s more, {first.cpu - middle.cpu:.1f} s of CPU"
            )
        for made in ways.values():
            next(made, None)


if __name__ == "__main__":
    run_script(main)
