"""Count a column of text on Spark, as ``truecase train count`` and ``truecase train merge`` do.

Executors count in the kernel and make rows, which Spark shuffles and adds up; the driver writes the
sums, in order, as the file that ``truecase train count`` makes of the whole text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from truecase.errors import TrainingError
from truecase.integrations.arrow_batches import sent
from truecase.integrations.count_batches import CountNgrams, CountWords, SummedNgrams, packed_rows
from truecase.integrations.spark import check_texts, functions
from truecase.ngram.table import MAX_ORDER
from truecase.options import StrPath
from truecase.training.count_files import About, WordCounts, write_ngrams
from truecase.training.count_text import HowToCount
from truecase.training.recipe import TextRecipe

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql import DataFrame


#: Bytes of memory for the counts of a task, in addition to its words.
TASK_MEMORY = 256 << 20


def count_words(
    frame: DataFrame,
    column: str,
    out: StrPath,
    *,
    segmentation: str = "raw",
    language: str = "",
    clean: bool = False,
) -> About:
    """Count the words of a column into a file of the driver: the first step of two.

    Returns the header of the file.

    Parameters
    ----------
    frame : DataFrame
    column : str
        Holds text, a line in each row; null rows are skipped.
    out : path-like
        On the driver.
    segmentation, language, clean
        As for `truecase.count_text`.

    Raises
    ------
    TrainingError
        The column is missing, or has no words; or an option is unknown.
    """
    _check_column(frame, column)
    TextRecipe(segmentation, language)  # type: ignore[arg-type]
    count = CountWords(HowToCount(segmentation, language, clean), column)
    receive = sent(count)

    def count_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return receive()(batches)

    rows = frame.select(column).mapInArrow(count_batches, CountWords.SCHEMA)
    sums = (functions.sum(name).alias(name) for name in ("n", "stops", "ends"))
    words = count.summed(rows.groupBy("word", "after").agg(*sums).toArrow())
    words.save(out)
    return words.about


def count_ngrams(
    frame: DataFrame,
    column: str,
    words: StrPath,
    out: StrPath,
    *,
    order: int = 3,
    memory: int = TASK_MEMORY,
) -> About:
    """Count the n-grams of a column into a file of the driver: the second step.

    Returns the header of the file.

    Parameters
    ----------
    frame, column
        As for `count_words`.
    words : path-like
        On the driver: a file of `count_words`, or several of them merged.
    out : path-like
        On the driver; ``truecase train --counts`` makes a model of it.
    order : int
        Words of an n-gram, 1 to 5.
    memory : int
        Bytes for the counts of a task, in addition to the words; more counts go to temporary files.

    Raises
    ------
    TrainingError
        The column is missing, or `order` is out of range.
    CountsError, OSError
        `words` cannot be read, or the text has other words.
    """
    if not 1 <= order <= MAX_ORDER:
        raise TrainingError(f"order {order}: expected 1 to {MAX_ORDER}")
    _check_column(frame, column)
    known = WordCounts.load(words)
    with open(words, "rb") as file:
        shared = frame.sparkSession.sparkContext.broadcast(file.read())
    receive, receive_packing = sent(CountNgrams(order, column, memory)), sent(packed_rows)

    def count_batches(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return receive()(batches, shared.value)

    def pack(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        return receive_packing()(batches)

    rows = frame.select(column).mapInArrow(count_batches, CountNgrams.SCHEMA)
    summed = rows.groupBy("key").agg(functions.sum("n").alias("n")).orderBy("key")
    packed = summed.mapInArrow(pack, "kind binary, keys binary, n binary")
    try:
        sums = (
            (bytes(row["kind"]), bytes(row["keys"]), bytes(row["n"]))
            for row in packed.toLocalIterator()
        )
        ngrams = SummedNgrams(sums, known, order)
        return write_ngrams(out, ngrams.about, known, ngrams.initial, ngrams.pieces())
    finally:
        shared.unpersist()


def _check_column(frame: DataFrame, column: str) -> None:
    if column not in frame.columns:
        there = ", ".join(frame.columns)
        raise TrainingError(f"there is no column {column}: expected one of {there}")
    check_texts(frame, [column], TrainingError)
