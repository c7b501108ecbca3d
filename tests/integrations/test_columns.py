"""Columns of the libraries that people have them in."""

import pickle

import pytest
from installed_models import bring
from recipes import estimated

from truecase.errors import ColumnError

ROWS = ["mary took the bill to london", None, "the post\nof oslo", "", "mary"] * 300


@pytest.fixture(scope="module")
def expected(model):
    return [None if row is None else model(row) for row in ROWS]


SOURCES = ["La Maison", None, "Le Pont", "x", "Marie"] * 300


def test_pandas(model, expected):
    pandas = pytest.importorskip("pandas", minversion="3")
    frame = pandas.DataFrame({"text": ROWS}, index=range(7, 7 + len(ROWS)))
    frame["cased"] = frame["text"].pipe(model.column, threads=2)
    assert [None if row != row else row for row in frame["cased"]] == expected
    assert frame["cased"].dtype == frame["text"].dtype
    made = pandas.Series.from_arrow(model.column(frame["text"]))
    assert made.dtype == frame["text"].dtype
    frame["kind"] = frame["text"].astype("category")
    made = pandas.Series.from_arrow(model.column(frame["kind"]))
    assert [None if row != row else row for row in made] == expected
    for none in ([], [None, None]):
        made = model.column(pandas.Series(none, dtype="category"))
        assert made.to_pylist() == none


def test_polars(model, expected, bilingual, model_file):
    polars = pytest.importorskip("polars")
    import truecase.integrations.polars  # noqa: F401

    frame = polars.DataFrame({"text": ROWS, "source": SOURCES})
    text = polars.col("text")
    for made in (
        frame.with_columns(cased=text.truecase.case(model)),
        frame.lazy().with_columns(cased=text.truecase.case(model_file, threads=2)).collect(),
        frame.with_columns(frame["text"].truecase.case(model).alias("cased")),
        frame.lazy().with_columns(cased=text.truecase.case(model)).collect(engine="streaming"),
    ):
        assert made["cased"].to_list() == expected
        assert made["text"].to_list() == ROWS
        assert made.schema["cased"] == polars.String
    made = frame.select(text.truecase.case(bilingual, source="source"))["text"]
    other = frame.select(text.truecase.case(bilingual, source=polars.col("source")))["text"]
    assert (
        made.to_list()
        == other.to_list()
        == bilingual.column(frame["text"], source=frame["source"]).to_pylist()
    )
    codes = frame.select(polars.all().cast(polars.Categorical))
    coded = codes.select(text.truecase.case(bilingual, source="source"))["text"]
    assert (coded.to_list(), coded.dtype) == (made.to_list(), polars.String)
    coded = frame["text"].cast(polars.Categorical)
    assert coded.truecase.case(model).dtype == polars.Categorical
    assert coded.truecase.case(model).to_list() == expected
    grouped = frame.with_columns(key=polars.lit(1)).group_by("key")
    assert grouped.agg(text.truecase.case(model).first())["text"].to_list() == [expected[0]]
    with pytest.raises(Exception, match="expected text, found int64"):
        polars.DataFrame({"n": [1]}).select(polars.col("n").truecase.case(model))


def test_polars_in_any_chunks_and_types(model, tmp_path):
    polars = pytest.importorskip("polars")
    import truecase.integrations.polars  # noqa: F401

    rows = ["anna was in london", None, "bo", "she met john"]
    wanted = model.column(polars.Series(rows)).to_pylist()
    frame = polars.DataFrame({"text": rows})
    parts = [frame.slice(0, 2), frame.slice(2, 1), frame.slice(3)]
    frame.write_parquet(tmp_path / "a.parquet", row_group_size=1)
    for given in (
        polars.concat(parts, rechunk=False),
        polars.concat([*parts, frame.clear()], rechunk=False),
        polars.concat([polars.DataFrame({"text": ["x"]}), frame], rechunk=False).slice(1),
        polars.read_parquet(tmp_path / "a.parquet"),
        polars.concat([frame, polars.DataFrame({"text": ["x"]})], rechunk=False).filter(
            polars.col("text").ne_missing("x")
        ),
        frame.select(polars.col("text").gather([0, 1, 2, 3])),
    ):
        text = polars.col("text")
        assert given.select(text.truecase.case(model))["text"].to_list() == wanted
        assert given["text"].truecase.case(model).to_list() == wanted
        assert polars.Series("made", model.column(given["text"])).to_list() == wanted
        kept = given.filter(text.is_not_null()).select(text.truecase.case(model))["text"]
        assert kept.to_list() == [row for row in wanted if row is not None]
    for dtype in (polars.Null, polars.String, polars.Categorical):
        nothing = polars.DataFrame({"text": polars.Series([None, None], dtype=dtype)})
        made = nothing.select(polars.col("text").truecase.case(model))["text"]
        assert (made.to_list(), made.dtype) == ([None, None], dtype)
    fixed = polars.Series("kind", ["anna", None], dtype=polars.Enum(["anna"]))
    with pytest.raises(ColumnError, match="cast it to String"):
        fixed.truecase.case(model)


def test_duckdb(model, expected, bilingual):
    duckdb = pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    from truecase.integrations.duckdb import register

    rows = pa.table({"i": range(len(ROWS)), "text": ROWS, "source": SOURCES})
    connection = duckdb.connect()
    connection.register("rows", rows)
    register(connection, model)
    cased = connection.sql("select truecase(text) from rows order by i").fetchall()
    assert [row for (row,) in cased] == expected
    register(connection, model, "in_threads", threads=2)
    cased = connection.sql("select in_threads(text) from rows order by i").fetchall()
    assert [row for (row,) in cased] == expected
    register(connection, bilingual, "from_french", with_source=True)
    cased = connection.sql("select from_french(text, source) from rows order by i").fetchall()
    column = bilingual.column(rows["text"], source=rows["source"])
    assert [row for (row,) in cased] == column.to_pylist()
    relation = connection.sql("select text from rows order by i").to_arrow_table()
    assert model.column(relation["text"]).to_pylist() == expected


def test_a_model_by_the_name_of_its_language(monkeypatch, tmp_path):
    duckdb = pytest.importorskip("duckdb")
    pa = pytest.importorskip("pyarrow")
    from truecase.integrations.duckdb import register
    from truecase.integrations.ray import TruecaseBatch

    for code, text in (("de", "Der Hof liegt am See ."), ("fr", "Le port est près de Lyon .")):
        package = f"brought_{code}"
        bring(tmp_path, code, f"{package}:PATH", f"PATH = {str(tmp_path / code)!r}", package)
        estimated(f"{text}\n".encode() * 40, language=code, min_count=1).save(tmp_path / code)
    monkeypatch.syspath_prepend(tmp_path)
    rows = ["der hof liegt am see .", None, "le port est près de lyon ."]
    connection = duckdb.connect()
    register(connection, "de", "german")
    register(connection, "auto")
    made = connection.sql(f"select german('{rows[0]}'), truecase('{rows[2]}')").fetchall()
    assert made == [("Der Hof liegt am See .", "Le port est près de Lyon .")]
    batch = pickle.loads(pickle.dumps(TruecaseBatch("text", "auto")._case))
    cased = batch(pa.table({"text": rows}))
    assert cased["text"].to_pylist() == [made[0][0], None, made[0][1]]
    with pytest.raises(FileNotFoundError, match="xx"):
        TruecaseBatch("text", "xx")


def test_nanoarrow(model, expected):
    nanoarrow = pytest.importorskip("nanoarrow")
    array = nanoarrow.Array(ROWS, nanoarrow.string())
    assert nanoarrow.Array(model.column(array)).to_pylist() == expected


def test_datasets(model, expected):
    datasets = pytest.importorskip("datasets")
    pa = pytest.importorskip("pyarrow")
    rows = datasets.Dataset.from_dict({"text": ROWS}).with_format("arrow")

    def case(batch):
        text = pa.chunked_array(model.column(batch["text"]))
        return batch.set_column(0, "text", text)

    made = rows.map(case, batched=True, load_from_cache_file=False)
    assert made.with_format(None)["text"][:] == expected


def test_columns_of_one_name():
    pa = pytest.importorskip("pyarrow")
    from truecase.integrations.ray import TruecaseBatch

    with pytest.raises(ValueError, match="columns: expected one or more, each once"):
        TruecaseBatch(["text", "text"], confidence=True)
    table = pa.Table.from_arrays([pa.array(["x"])] * 2, names=["text"] * 2)
    with pytest.raises(ColumnError, match="several columns are called text"):
        TruecaseBatch("text")(table)
