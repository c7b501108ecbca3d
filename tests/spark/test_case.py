"""Columns and frames that Spark has cased are what the driver's truecaser makes of them."""

from datetime import datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from pyspark.sql import functions
from pyspark.sql import types as T  # noqa: N812

from truecase import Truecaser, name_list
from truecase.integrations.spark import AddedFile, case_frame, truecased

ROWS = ["mary took the bill to london", None, "the post\nof oslo", "", "mary's «ΣΑΣ»"] * 40
SOURCES = ["Puis avec Bill , nous", None, "alors le pont", "x", "Bill"] * 40


@pytest.fixture(scope="module")
def frame(spark):
    rows = list(zip(range(len(ROWS)), ROWS, SOURCES, strict=True))
    return spark.createDataFrame(rows, "i long, text string, source string").repartition(4)


def by_number(frame):
    """The rows of a frame in the order of their numbers."""
    return sorted(frame.collect(), key=lambda row: row.i)


@pytest.fixture(params=["name", "path", "added file", "object", "object with names"])
def any_model(request, spark, model, model_file, tmp_path):
    """A model in each way to give one, and the truecaser that it is."""
    if request.param == "name":
        return "en", Truecaser.load("en")
    if request.param == "path":
        return str(model_file), model
    if request.param == "added file":
        # Spark takes files of one name once.
        path = tmp_path / f"{tmp_path.name}.truecase"
        path.write_bytes(model_file.read_bytes())
        spark.sparkContext.addFile(str(path))
        return AddedFile(path), model
    if request.param == "object":
        return model, model
    named = model.with_names(name_list(["LonDON"]))
    return named, named


def test_every_way_to_give_a_model(any_model, frame, with_cased):
    given, truecaser = any_model
    expected = truecaser.column(pa.array(ROWS)).to_pylist()
    assert [row.text for row in by_number(with_cased(frame, "text", given))] == expected


@pytest.mark.parametrize("way", ["expression"], indirect=True)
def test_expression_has_options_and_confidence(model, frame, way):
    text, confidence = model.column(pa.array(ROWS), style="title", confidence=True)
    cased = truecased(functions.col("text"), model, style="title", confidence=True)
    made = frame.select("i", cased)
    assert made.columns == ["i", "truecased(text)"]
    rows = by_number(made.select("i", "truecased(text).*"))
    assert [row.text for row in rows] == text.to_pylist()
    assert [row.confidence for row in rows] == confidence.to_pylist()


def test_source_and_alignment(spark, bilingual, with_cased):
    translated = ["then with bill , us", None, "so the bridge", "", "bill"] * 40
    aligned = ["0-0 1-1 2-2 3-3 4-4", None, "0-0", "", None] * 40
    rows = list(zip(range(len(translated)), translated, SOURCES, aligned, strict=True))
    frame = spark.createDataFrame(rows, "i long, text string, source string, links string")
    texts, sources, links = (pa.array([row[n] for row in rows]) for n in (1, 2, 3))
    for options, names in (
        ({"source": sources}, {"source": "source"}),
        ({"source": sources, "alignment": links}, {"source": "source", "alignment": "links"}),
    ):
        expected = bilingual.column(texts, **options).to_pylist()
        assert expected != bilingual.column(texts).to_pylist()
        made = by_number(with_cased(frame, "text", bilingual, **names))
        assert [row.text for row in made] == expected
        assert [(row.i, row.source, row.links) for row in made] == [
            (i, source, link) for i, _, source, link in rows
        ]


def test_frame_keeps_schema_and_other_columns(spark, model):
    schema = T.StructType(
        [
            T.StructField("i", T.LongType(), nullable=False, metadata={"key": "value"}),
            T.StructField("when", T.TimestampType()),
            T.StructField("title", T.StringType(), metadata={"language": "en"}),
            T.StructField("price", T.DecimalType(10, 2)),
            T.StructField("words", T.ArrayType(T.StringType())),
            T.StructField("body", T.StringType(), nullable=False),
            T.StructField("nested", T.StructType([T.StructField("raw", T.BinaryType())])),
        ]
    )
    rows = [
        (0, datetime(2020, 2, 29, 1), "in london", Decimal("1.50"), ["mary"], "mary", (b"\xff",)),
        (1, None, None, None, None, "", None),
        (2, None, "", Decimal("-7.00"), [None], "the bbc\n", (None,)),
    ]
    frame = spark.createDataFrame(rows, schema)
    made = case_frame(frame, ["title", "body"], model, confidence=True)
    numbers = [T.StructField(n, T.DoubleType()) for n in ("title_confidence", "body_confidence")]
    assert made.schema == T.StructType([*schema.fields, *numbers])
    (titles, of_titles), (bodies, of_bodies) = (
        (each.to_pylist() for each in model.column(pa.array(column), confidence=True))
        for column in ([row[2] for row in rows], [row[5] for row in rows])
    )
    expected = [
        (*row[:2], titles[i], *row[3:5], bodies[i], row[6], of_titles[i], of_bodies[i])
        for i, row in enumerate(rows)
    ]
    assert [tuple(row) for row in by_number(made)] == expected
    assert case_frame(frame, "body", model).schema == schema


def test_columns_with_large_offsets(spark, model, frame, with_cased):
    expected = model.column(pa.array(ROWS)).to_pylist()
    spark.conf.set("spark.sql.execution.arrow.useLargeVarTypes", "true")
    try:
        made = by_number(with_cased(frame, "text", model))
    finally:
        spark.conf.unset("spark.sql.execution.arrow.useLargeVarTypes")
    assert [row.text for row in made] == expected


def test_empty_frames(spark, model, with_cased):
    empty = spark.createDataFrame([], "text string")
    assert with_cased(empty, "text", model, confidence=True).collect() == []


def test_each_process_loads_a_model_once(spark, model_file, tmp_path, python_of_workers):
    log = tmp_path / "opened"
    # Of any file, the process that opens it.
    python_of_workers(
        "import os, sys\n"
        "def note(event, given):\n"
        f"    if event == 'open' and str(given[0]) == {str(model_file)!r}:\n"
        f"        with open({str(log)!r}, 'a') as out:\n"
        "            out.write(f'{os.getpid()}\\n')\n"
        "sys.addaudithook(note)\n"
    )
    rows = spark.createDataFrame([(i, row) for i, row in enumerate(ROWS)], "i long, text string")
    frame = rows.repartition(12)
    for _ in range(2):
        case_frame(frame, "text", model_file).collect()
    opened = log.read_text().split()
    once = opened.count(opened[0])
    if hasattr(functions, "arrow_udf"):
        frame.select(truecased("text", model_file)).collect()
    opened = log.read_text().split()
    assert 1 <= len(set(opened)) <= 4
    assert {opened.count(process) for process in opened} == {once}
    assert once <= 2
