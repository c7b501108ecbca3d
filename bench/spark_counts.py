"""Compare counting on Spark with counting in one process: the same files, seconds and CPU seconds.

    python bench/spark_counts.py TEXT... [--cores N]

Spark runs in `local-cluster` with executors of one core, whose heap is 2 GB, and reads the texts
as lines; each of the two steps is timed by itself. CPU seconds are those of all processes, the
JVMs' among them. The files that the driver writes must be those of `count_text`, byte for byte;
then a model is trained on them.
"""

import argparse
import filecmp
import os
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from cluster import timed
from script import run_script

from truecase import Truecaser, count_text
from truecase.base.read import read_blocks


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("text", nargs="+", metavar="TEXT")
    parser.add_argument("--cores", type=int, default=2, metavar="N")
    given = parser.parse_args()
    from pyspark.sql import SparkSession

    from truecase.integrations.spark_counts import count_ngrams, count_words

    n_words = sum(len(block.split()) for block in read_blocks(given.text))
    print(f"{n_words:,} words")
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["PYSPARK_PYTHON"] = sys.executable
        os.environ["SPARK_WORKER_DIR"] = str(folder / "executors")
        spark = (
            SparkSession.builder.master(f"local-cluster[{given.cores},1,2048]")
            .config("spark.executor.memory", "2g")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.local.dir", str(folder / "local"))
            .config("spark.sql.shuffle.partitions", 4 * given.cores)
            .config("spark.sql.files.maxPartitionBytes", 32 << 20)
            .getOrCreate()
        )
        spark.sparkContext.setLogLevel("ERROR")
        frame = spark.read.text([os.path.abspath(text) for text in given.text], lineSep="\n")
        words, counts = folder / "words", folder / "counts"
        print(f"{'step':24} {'clock s':>8} {'CPU s':>8} {'words/CPU s':>12}")

        def measure(step: str, run: Callable[[], object]) -> None:
            seconds, cpu, *_ = timed(run)
            print(f"{step:24} {seconds:8.1f} {cpu:8.1f} {n_words / cpu:12,.0f}", flush=True)

        measure("Spark: words", lambda: count_words(frame, "value", words))
        measure("Spark: n-grams", lambda: count_ngrams(frame, "value", words, counts))
        spark.stop()
        mine, my_counts = folder / "mine", folder / "my counts"
        measure("one process: words", lambda: count_text(given.text, mine))
        measure("one process: n-grams", lambda: count_text(given.text, my_counts, words=mine))
        if not filecmp.cmp(words, mine, False) or not filecmp.cmp(counts, my_counts, False):
            sys.exit("spark_counts.py: the files differ")
        measure("train --counts", lambda: Truecaser.train(counts=counts))


if __name__ == "__main__":
    run_script(main)
