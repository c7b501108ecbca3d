"""What goes wrong on an executor ends the job, and the last line on the driver is a sentence."""

import shutil

import pytest
from no_package import NO_PACKAGE
from other_version import OTHER_VERSION, with_other_version
from pyspark.errors import PythonException
from pyspark.sql import functions

import truecase
from truecase import ModelError, TruecaseError, Truecaser
from truecase.errors import ColumnError
from truecase.integrations.spark import AddedFile, case_frame, truecased


@pytest.fixture(scope="module")
def frame(spark):
    return spark.createDataFrame(
        [(1, "mary", None), (2, None, "x")], "i int, text string, b string"
    )


def last_line(frame):
    """What the driver says at last when a frame cannot be computed."""
    with pytest.raises(PythonException) as raised:
        frame.collect()
    return str(raised.value).strip().splitlines()[-1]


def test_worker_without_the_package(with_cased, frame, model, python_of_workers):
    python_of_workers(NO_PACKAGE)
    said = last_line(with_cased(frame, "text", model))
    version = truecase.__version__
    assert said.startswith(
        f"ImportError: a worker lacks truecase {version}: install the wheel of truecase-crf "
        f"{version} on all workers, for "
    )
    assert said.endswith("(No module named 'truecase')")


@pytest.mark.parametrize("given", ["name", "truecaser", "added file"])
def test_worker_with_another_version(
    given, spark, frame, model_file, tmp_path, python_of_workers, with_cased
):
    python_of_workers(with_other_version(tmp_path / "other"))
    if given == "name":
        model = "en"
    elif given == "truecaser":
        model = Truecaser.load(model_file, style="title")
    else:
        spark.sparkContext.addFile(str(model_file))
        model = AddedFile(model_file)
    assert last_line(with_cased(frame, "text", model)) == (
        "truecase.errors.ModelError: a model from another process: it was sent by truecase "
        f"{truecase.__version__}, and this process has {OTHER_VERSION}: install the same version "
        "for all"
    )


def test_file_that_executors_lack(frame, model_file, tmp_path):
    path = tmp_path / "nowhere.truecase"
    shutil.copy(model_file, path)
    by_path, added = (case_frame(frame, "text", model) for model in (path, AddedFile(path)))
    path.unlink()
    said = last_line(by_path)
    assert said.startswith("FileNotFoundError: ") and said.endswith(
        "a model of this path was sent by another process, and there is no such file here: "
        f"'{path}'"
    )
    assert last_line(added) == (
        "truecase.errors.ModelError: nowhere.truecase: this executor has no file of that name: "
        "give it to all of them by SparkContext.addFile"
    )


def test_file_that_is_another_one(spark, frame, model_file, neural_model_file, tmp_path):
    path = tmp_path / "two.truecase"
    shutil.copy(model_file, path)
    added = case_frame(frame, "text", AddedFile(path))
    shutil.copy(neural_model_file, tmp_path / "new")
    (tmp_path / "new").replace(path)
    spark.sparkContext.addFile(str(path))
    assert last_line(added) == (
        "truecase.errors.ModelError: two.truecase: the file that executors have is another one "
        "than the driver's"
    )


def test_rows_that_cannot_be_cased(frame, bilingual_model_file, with_cased):
    linked = frame.withColumn("links", functions.lit("9-9")).fillna("mary")
    model = Truecaser.load(bilingual_model_file)
    assert "9-9" in last_line(with_cased(linked, "text", model, source="b", alignment="links"))


@pytest.mark.parametrize("way", ["expression"], indirect=True)
def test_column_that_is_no_text(frame, model, way):
    said = last_line(frame.select(truecased("i", model)))
    assert said.endswith("ColumnError: column: expected text, found int32")


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"columns": "i"}, ColumnError, "column i: expected text, found int"),
        ({"columns": "c"}, ColumnError, "there is no column c: expected one of i, text, b"),
        ({"columns": []}, ValueError, "columns: expected one or more"),
        ({"source": "c"}, ColumnError, "there is no column c"),
        ({"source": "i"}, ColumnError, "column i: expected text, found int"),
        ({"columns": ["text", "b"], "source": "b"}, ValueError, "a source goes with one column"),
        ({"alignment": "b"}, ValueError, "an alignment needs its source"),
        ({"style": "none"}, ValueError, "style 'none': expected one of"),
        ({"input_case": "none"}, ValueError, "input_case 'none': expected one of"),
        ({"model": "none"}, FileNotFoundError, "no such file, nor a model of that name"),
    ],
)
def test_options_are_told_before_the_job(options, error, message, frame, model_file):
    with pytest.raises(error, match=message):
        case_frame(frame, **{"columns": "text", "model": model_file, **options})


@pytest.mark.parametrize("way", ["expression"], indirect=True)
@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"alignment": "b"}, ValueError, "an alignment needs its source"),
        ({"style": "none"}, ValueError, "style 'none': expected one of"),
        ({"input_case": "none"}, ValueError, "input_case 'none': expected one of"),
        ({"model": "none"}, FileNotFoundError, "no such file, nor a model of that name"),
    ],
)
def test_options_of_expressions(options, error, message, spark, model_file, way):
    with pytest.raises(error, match=message):
        truecased("text", **{"model": model_file, **options})


def test_confidence_overwrites_no_column(frame, model):
    there = frame.withColumn("text_confidence", functions.lit(1))
    with pytest.raises(ColumnError, match="there is a column text_confidence already"):
        case_frame(there, "text", model, confidence=True)


def test_model_that_is_damaged(tmp_path, frame, with_cased):
    (tmp_path / "a.truecase").write_bytes(b"no model at all")
    for given in (str, AddedFile):
        with pytest.raises(ModelError):
            with_cased(frame, "text", given(tmp_path / "a.truecase"))


@pytest.mark.skipif(hasattr(functions, "arrow_udf"), reason="this PySpark has expressions")
def test_expression_without_pyspark_for_it():
    with pytest.raises(TruecaseError, match=r"4\.1 and later; on 4\.0 use case_frame"):
        truecased("text")
