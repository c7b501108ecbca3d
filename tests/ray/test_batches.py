"""Data sets of Ray, cased by tasks and by actors, are what the driver's truecaser makes of them."""

import pyarrow as pa
import pytest
import ray
import ray.data
from no_package import NO_PACKAGE
from other_version import OTHER_VERSION, with_other_version

import truecase
from truecase import Truecaser, name_list
from truecase.errors import ColumnError
from truecase.integrations.ray import TruecaseBatch

ROWS = ["mary took the bill to london", None, "the post\nof oslo", "", "mary's «ΣΑΣ»"] * 40
SOURCES = ["Puis avec Bill , nous", None, "alors le pont", "x", "Bill"] * 40


@pytest.fixture(scope="module")
def data():
    table = pa.table(
        {"i": range(len(ROWS)), "text": ROWS, "source": SOURCES, "n": [[1.5, None]] * len(ROWS)}
    )
    return ray.data.from_arrow(table).repartition(4).materialize()


def cased(data, *arguments, **options):
    """The rows in order, as a table."""
    made = data.map_batches(*arguments, batch_format="pyarrow", **options)
    return pa.concat_tables(ray.get(made.to_arrow_refs())).sort_by("i")


def test_tasks(model, data, model_file):
    expected = model.column(pa.array(ROWS)).to_pylist()
    named = model.with_names(name_list(["LonDON"]))
    for given, truecaser in ((model_file, model), (model, model), (named, named)):
        table = cased(data, TruecaseBatch("text", given))
        assert table["text"].to_pylist() == truecaser.column(pa.array(ROWS)).to_pylist()
        assert table.column_names == ["i", "text", "source", "n"]
        assert table["source"].to_pylist() == SOURCES
        assert table["n"].to_pylist() == [[1.5, None]] * len(ROWS)
    assert named.column(pa.array(ROWS)).to_pylist() != expected


def test_actors(data):
    one = ray.data.ActorPoolStrategy(size=1)
    table = cased(data, TruecaseBatch, fn_constructor_args=(["text", "source"], "en"), compute=one)
    model = Truecaser.load()
    assert table["text"].to_pylist() == model.column(pa.array(ROWS)).to_pylist()
    assert table["source"].to_pylist() == model.column(pa.array(SOURCES)).to_pylist()


def test_source_and_confidence(data, bilingual_model_file):
    batch = TruecaseBatch("text", bilingual_model_file, "source", confidence=True, style="title")
    table = cased(data, batch)
    text, confidence = Truecaser.load(bilingual_model_file).column(
        pa.array(ROWS), source=pa.array(SOURCES), confidence=True, style="title"
    )
    assert table["text"].to_pylist() == text.to_pylist()
    assert table["text_confidence"].to_pylist() == confidence.to_pylist()


def test_worker_without_the_package(model, data, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(NO_PACKAGE)
    environment = {"env_vars": {"PYTHONPATH": str(tmp_path)}}
    with pytest.raises(Exception, match="a worker lacks truecase") as raised:
        cased(data, TruecaseBatch("text", model), runtime_env=environment)
    version = truecase.__version__
    assert f"install the wheel of truecase-crf {version} on all workers" in str(raised.value)


def test_worker_with_another_version(data, model_file, tmp_path):
    (tmp_path / "sitecustomize.py").write_text(with_other_version(tmp_path / "other"))
    environment = {"env_vars": {"PYTHONPATH": str(tmp_path)}}
    for model in (model_file, Truecaser.load(style="title")):
        with pytest.raises(Exception, match="ModelError") as raised:
            cased(data, TruecaseBatch("text", model), runtime_env=environment)
        assert (
            str(raised.value)
            .strip()
            .endswith(
                f"it was sent by truecase {truecase.__version__}, and this process has "
                f"{OTHER_VERSION}: install the same version for all"
            )
        )


def test_batches_that_cannot_be_cased(data, model):
    with pytest.raises(Exception, match="column n: expected text, found list"):
        cased(data, TruecaseBatch("n", model))
    with pytest.raises(Exception, match="there is no column c: expected one of i, text, source, n"):
        cased(data, TruecaseBatch("c", model))
    with pytest.raises(Exception, match=r"table or a record batch of pyarrow .* found dict"):
        data.map_batches(TruecaseBatch("text", model)).take_all()


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"columns": []}, "columns: expected one or more"),
        ({"columns": ["a", "b"], "source": "c"}, "a source goes with one column"),
        ({"alignment": "a"}, "an alignment needs its source"),
        ({"style": "none"}, "style 'none'"),
    ],
)
def test_options_are_told_before_the_job(options, message, model):
    with pytest.raises(ValueError, match=message):
        TruecaseBatch(**{"columns": "text", "model": model, **options})


def test_table_by_itself(model):
    table = pa.table({"text": pa.array(ROWS).dictionary_encode(), "void": pa.nulls(len(ROWS))})
    made = TruecaseBatch(["text", "void"], model)(table)
    assert made["text"].to_pylist() == model.column(pa.array(ROWS)).to_pylist()
    assert made["text"].type == table["text"].type
    assert made["void"].to_pylist() == [None] * len(ROWS)
    with pytest.raises(ColumnError, match="there is a column text_confidence already"):
        TruecaseBatch("text", model, confidence=True)(
            table.append_column("text_confidence", table["void"])
        )
