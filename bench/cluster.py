"""Spark and Ray on this machine against casing in one process: words per second and core.

    python bench/cluster.py TEXT [--model MODEL] [--copies N] [--rounds N] [--cores N]
        [--engines spark ray]

TEXT is repeated, a row per line, and written as Parquet in several files. Engines read these, case
the column and throw the rows away; what they take until a first small job is done is their start.
The yardstick is `Truecaser.column` on the same rows in one process, from the same files, with as
many threads. Seconds are those of a clock and those of all processes' CPU together, the JVM's
among them: on a machine that does other things as well only the latter say much. Rounds of all
are one after the other; figures are medians.
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

import pyarrow as pa
import pyarrow.parquet as pq

from truecase import Truecaser

TICKS = os.sysconf("SC_CLK_TCK")


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


def timed(run: Callable[[], object]) -> tuple[float, float]:
    """Seconds by the clock and of CPU; looked at often, since engines end processes at any time."""
    start, before = time.monotonic(), cpu_of_processes()
    seen = dict(before)
    ended = threading.Event()

    def look() -> None:
        while not ended.wait(0.5):
            seen.update(cpu_of_processes())

    looker = threading.Thread(target=look)
    looker.start()
    run()
    seconds = time.monotonic() - start
    ended.set()
    looker.join()
    seen.update(cpu_of_processes())
    return seconds, sum(cpu - before.get(process, 0) for process, cpu in seen.items())


def in_process(folder: Path, model: Truecaser, cores: int) -> Iterator[Callable[[], object]]:
    def run() -> None:
        for path in sorted(folder.iterdir()):
            model.column(pq.read_table(path, columns=["text"])["text"], cores)

    yield run


def with_spark(
    folder: Path, model: str | None, cores: int, batch: int
) -> Iterator[Callable[[], object]]:
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

    def run(frame: object) -> None:
        case_frame(frame, "text", model).write.format("noop").mode("overwrite").save()

    few = spark.createDataFrame([("in london",)] * 2 * cores, "text string").repartition(cores)
    run(few)
    yield lambda: run(spark.read.parquet(str(folder)))
    spark.stop()


def with_ray(
    folder: Path, model: str | None, cores: int, batch: int
) -> Iterator[Callable[[], object]]:
    import ray
    import ray.data

    from truecase.integrations.ray import TruecaseBatch

    ray.init(num_cpus=cores, include_dashboard=False, log_to_driver=False)
    ray.data.DataContext.get_current().enable_progress_bars = False

    def run(data: object) -> None:
        made = data.map_batches(
            TruecaseBatch("text", model), batch_format="pyarrow", batch_size=batch
        )
        for _ in made.iter_internal_ref_bundles():
            pass

    run(ray.data.from_arrow(pa.table({"text": ["in london"] * 2 * cores})).repartition(cores))
    # Reading waits more than it computes: with a whole core for each reader, casing has too few.
    little = {"num_cpus": 0.1}
    yield lambda: run(ray.data.read_parquet(str(folder), ray_remote_args=little))
    ray.shutdown()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", metavar="TEXT")
    parser.add_argument("--model", metavar="MODEL")
    parser.add_argument("--copies", type=int, default=128, metavar="N")
    parser.add_argument("--files", type=int, default=8, metavar="N")
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--cores", type=int, default=2, metavar="N")
    parser.add_argument("--batch", type=int, default=10_000, metavar="ROWS")
    parser.add_argument("--engines", nargs="*", default=["spark", "ray"])
    args = parser.parse_args()
    rows = Path(args.text).read_text(encoding="utf-8").split("\n")
    n_words = args.copies * sum(len(row.split()) for row in rows)
    print(f"{n_words:,} words, {args.copies * len(rows):,} rows, {args.cores} cores")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name) / "rows"
        folder.mkdir()
        table = pa.table({"text": rows * (args.copies // args.files)})
        for i in range(args.files):
            pq.write_table(table, folder / f"{i}.parquet")
        n_words = n_words // args.copies * (args.copies // args.files) * args.files
        ways = {"in process": in_process(folder, Truecaser.load(args.model), args.cores)}
        if "spark" in args.engines:
            ways["Spark"] = with_spark(folder, args.model, args.cores, args.batch)
        if "ray" in args.engines:
            ways["Ray"] = with_ray(folder, args.model, args.cores, args.batch)
        runs, seconds = {}, {}
        for way, made in ways.items():
            start = time.monotonic()
            runs[way] = next(made)
            print(f"{way:12} start {time.monotonic() - start:6.1f} s", flush=True)
            seconds[way] = []
        for number in range(args.rounds):
            for way, run in runs.items():
                clock, cpu = timed(run)
                seconds[way].append((clock, cpu))
                load = os.getloadavg()[0]
                print(f"round {number} {way:12} {clock:6.1f} s, CPU {cpu:6.1f} s, load {load:.1f}")
                sys.stdout.flush()
        base = [statistics.median(column) for column in zip(*seconds["in process"], strict=True)]
        for way, found in seconds.items():
            clock, cpu = (statistics.median(column) for column in zip(*found, strict=True))
            print(
                f"{way:12} {n_words / clock / args.cores:10,.0f} words/s and core by the clock "
                f"({base[0] / clock:.2f} of in process), {n_words / cpu:10,.0f} words per CPU "
                f"second ({base[1] / cpu:.2f})"
            )
        for made in ways.values():
            next(made, None)


if __name__ == "__main__":
    main()
