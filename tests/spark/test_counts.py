"""Counts made on Spark are the bytes of `count_text` over the same text."""

import random

import pytest
from pyspark.errors import PythonException
from small_model import training_text

from truecase import TrainingError, count_text
from truecase.integrations.spark_counts import count_ngrams, count_words
from truecase.training.train import train

pytestmark = pytest.mark.filterwarnings("ignore:Kneser-Ney")

LINES = [
    "Mr. Smith met Dr. Jones. The two went to Lyon.",
    "The mr. in the text? Yes. The dr. too.",
    "THE END OF IT",
    "caf\u00e9 <b>Noir</b>",
    "",
    "Two lines.\nIn one row.",
]


@pytest.fixture(scope="module")
def rows():
    lines = training_text(150, seed=3).splitlines() + LINES * 5
    random.Random(1).shuffle(lines)
    return lines


@pytest.fixture(scope="module")
def frame(spark, rows):
    given = [(i, row) for i, row in enumerate(rows)]
    given.insert(7, (-1, None))
    return spark.createDataFrame(given, "i int, text string").repartition(3)


@pytest.mark.parametrize(("order", "options"), [(2, {}), (3, {"clean": True, "language": "en"})])
def test_same_bytes(order, options, frame, rows, tmp_path):
    text = "".join(row + "\n" for row in rows).encode()
    count_text(lambda: iter([text]), tmp_path / "w", **options)
    count_words(frame, "text", tmp_path / "spark.w", **options)
    assert (tmp_path / "spark.w").read_bytes() == (tmp_path / "w").read_bytes()
    count_text(lambda: iter([text]), tmp_path / "c", words=tmp_path / "w", order=order)
    about = count_ngrams(frame, "text", tmp_path / "spark.w", tmp_path / "spark.c", order=order)
    # Some rows have two lines.
    assert about.n_lines + about.n_junk == text.count(b"\n") > len(rows)
    assert (tmp_path / "spark.c").read_bytes() == (tmp_path / "c").read_bytes()
    train(recipe="unigram", counts=tmp_path / "spark.c").model.save(tmp_path / "model")


def test_wrong_arguments(frame, tmp_path):
    for column, message in (("none", "there is no column none"), ("i", "expected text, found int")):
        with pytest.raises(TrainingError, match=message):
            count_words(frame, column, tmp_path / "x")
    with pytest.raises(TrainingError, match="segmentation 'none': expected"):
        count_words(frame, "text", tmp_path / "x", segmentation="none")
    with pytest.raises(TrainingError, match="order 9"):
        count_ngrams(frame, "text", tmp_path / "w", tmp_path / "x", order=9)


def test_words_of_other_text(frame, tmp_path):
    count_text(lambda: iter([b"other words\n"]), tmp_path / "w")
    with pytest.raises(PythonException) as raised:
        count_ngrams(frame, "text", tmp_path / "w", tmp_path / "x")
    said = str(raised.value).strip().splitlines()[-1]
    assert "CountsError: column text: line 1: the word " in said
    assert not (tmp_path / "x").exists()
