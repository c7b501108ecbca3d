"""What is given to a truecaser: wrong types and numbers of lines are told, not cased."""

import array
import mmap

import numpy as np
import pyarrow as pa
import pytest
from recipes import recipe

from truecase import (
    PRESETS,
    CaseBridge,
    MultilingualTruecaser,
    NameList,
    SentenceCaser,
    Truecaser,
    apply_corrections,
    case_bibliography,
    case_file,
    case_table,
    count_text,
    merge_counts,
    name_list,
    normalize,
    review_file,
    sentence_case,
)
from truecase.errors import (
    CasingError,
    EvaluationError,
    TrainingError,
    TruecaseError,
    WrongTypeError,
)
from truecase.integrations import duckdb, moses, opennmt
from truecase.integrations.ray import TruecaseBatch
from truecase.rules.moses import MosesModel
from truecase.rules.punctuation import shift_back, shift_marks, take_off_marks
from truecase.training.adapt import adapt
from truecase.training.recipe import SourceRecipe, TextRecipe


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda m: m(None), "text: expected a str, found NoneType"),
        (lambda m: TruecaseBatch(7), "columns: expected a str or a list, found int"),
        (lambda m: TruecaseBatch("text", source=7), "source: expected a str or None, found int"),
        (lambda m: m(b"a"), "text: expected a str, found bytes"),
        (lambda m: m(["a"]), "text: expected a str, found list; batch and column case several"),
        (lambda m: m("a", source=["A"]), "source: expected a str, found list"),
        (lambda m: m("a", source="A", alignment=[]), "alignment: expected a str, found list"),
        (lambda m: m.batch(["a", None]), r"lines\[1\]: expected a str, found NoneType"),
        (lambda m: m.batch("ab"), "lines: expected a list of str, found one str"),
        (lambda m: m.batch(b"ab"), "lines: expected a list of str, found one bytes"),
        (lambda m: m.batch(None), "lines: expected a list of str, found NoneType"),
        (lambda m: m.batch(np.array("ab")), "lines: expected a list of str, found one ndarray"),
        (lambda m: m.batch(["a"], source="A"), "source: expected a list of str, found one str"),
        (lambda m: m.batch(["a"], source=[7]), r"source\[0\]: expected a str, found int"),
        (lambda m: m.batch(["a"], source=["A"], alignment="0-0"), "alignment: expected a list"),
        (lambda m: m.case_block("a"), "block: expected bytes, found str; a text is cased by"),
        (lambda m: m.case_block(None), "block: expected bytes, found NoneType"),
        (lambda m: m.case_block(b"a", source="A"), "source: expected bytes, found str"),
        (lambda m: m.case_block(7), "block: expected bytes, found int"),
        (lambda m: m.case_block(np.array(["a"])), "block: expected bytes, found ndarray"),
        (lambda m: m.case_block(np.array(["a"], object)), "block: expected bytes, found ndarray"),
        (lambda m: m.table_block("a"), "block: expected bytes, found str"),
        (lambda m: m.tags(None), "text: expected a str, found NoneType"),
        (lambda m: m.training_count(None), "word: expected a str, found NoneType"),
        (lambda m: m.batch(["a"], threads="2"), "threads: expected an int, found str"),
        (lambda m: Truecaser("en"), "model: expected a Model .Truecaser.load opens files., f"),
        (lambda m: case_file(__file__, "x", m.model, format="text"), "model: expected a truecaser"),
        (lambda m: case_table(__file__, "x", ["a"], 5, format="csv"), "model: expected Truecaser"),
        (lambda m: Truecaser.load("en", "ngram"), "verify: expected True or False, found str"),
        (lambda m: Truecaser.load(3), "path: expected a file or the name of a model, found int"),
        (
            lambda m: Truecaser.load(b"en"),
            "path: expected a file or the name of a model, found byt",
        ),
        (lambda m: m.save(3), "path: expected a path, found int"),
        (lambda m: m.model.save(None), "path: expected a path, found NoneType"),
        (lambda m: adapt(3, "a.txt"), "model: expected Model, found int"),
        (lambda m: adapt(m, "a.txt"), "model: expected Model, found Truecaser"),
        (lambda m: adapt(m.model, "a.txt", "ngram"), "recipe: expected Adaptation, found str"),
        (lambda m: Truecaser.train(3), "text: expected a str, a path, a list or a function, f"),
        (lambda m: Truecaser.train(["a", 3]), r"text\[1\]: expected a str or a path, found int"),
        (lambda m: Truecaser.train([], 3), "recipe: expected a Recipe or the name of a preset"),
        (lambda m: m.tags(b"a"), "text: expected a str, found bytes"),
        (lambda m: m.posteriors(["a"]), "text: expected a str, found list"),
        (lambda m: m.explain(b"a"), "text: expected a str, found bytes"),
        (lambda m: m.explain("a", source=b"A"), "source: expected a str, found bytes"),
        (lambda m: m.explain("a", source="A", alignment=[]), "alignment: expected a str, found"),
        (lambda m: m.evaluate("The end"), "reference: expected a list of str, found one str"),
        (lambda m: m.evaluate([None]), r"reference\[0\]: expected a str, found NoneType"),
        (lambda m: m.document(["a"], threads=1.5), "threads: expected an int, found float"),
        (lambda m: m.document(["a"], separator=5), "separator: expected a str or None, found int"),
        (lambda m: m.session(2.0), "latency: expected an int, found float"),
        (lambda m: m.table_block(b"a", source="A"), "source: expected bytes, found str"),
        (lambda m: Truecaser(m.model, casing=5), "casing: expected a Casing, found int"),
        (lambda m: case_file(b"x", "y"), "path: expected a str or a path, found bytes"),
        (lambda m: case_file("x", "y", encoding=8), "encoding: expected a str or None, found int"),
        (lambda m: case_file("x", "y", threads="2"), "threads: expected an int, found str"),
        (lambda m: case_file("x", "y", punctuate="no"), "punctuate: expected True or False"),
        (lambda m: case_file("x", "y", leave=5), "leave: expected a list, found int"),
        (lambda m: case_table("x.csv", "y", 2), "columns: expected a str or a list, found int"),
        (lambda m: case_table("x.csv", "y", [2]), r"columns\[0\]: expected a str, found int"),
        (
            lambda m: case_bibliography("x", "y", 5),
            "truecaser: expected Truecaser or None, found int",
        ),
        (lambda m: SentenceCaser("x"), "truecaser: expected Truecaser or None, found str"),
        (lambda m: CaseBridge("x"), "truecaser: expected Truecaser or None, found str"),
        (
            lambda m: MultilingualTruecaser([m, m]),
            "truecasers: expected a mapping of str to Truecaser",
        ),
        (lambda m: review_file("x", "y", settings=5), "settings: expected ReviewSettings or None"),
        (lambda m: review_file("x", "y", "en"), "model: expected Truecaser, MultilingualTruecaser"),
        (lambda m: name_list(5), "names: expected a list, found int"),
        (lambda m: normalize("a", 5), "model: expected MosesModel, a str, a path or N"),
        (lambda m: count_text("a", None), "out: expected a str or a path, found NoneType"),
        (lambda m: merge_counts("a", b"x"), "out: expected a str or a path, found bytes"),
        (lambda m: m.session(punctuate="no"), "punctuate: expected True or False, found str"),
        (lambda m: m.explain("a", punctuate=1), "punctuate: expected True or False, found int"),
        (lambda m: m.column(pa.array(["a"]), confidence="x"), "confidence: expected True or False"),
        (lambda m: m.missing_marks(["a"], pauses=[5]), r"pauses\[0\]: expected a list, found int"),
        (
            lambda m: m.model.only(5),
            "decode_with: expected 'whole', 'ngram' or 'unigram', found int",
        ),
        (lambda m: m.punctuate("a", lines=5), "lines: expected 'keep' or 'sentences', found int"),
        (lambda m: Truecaser.train(lambda: None), "text: expected a function that gives blocks of"),
        (lambda m: MosesModel.read(None), "path: expected a str or a path, found NoneType"),
        (lambda m: shift_marks(b"a"), "text: expected a str, found bytes"),
        (lambda m: shift_back(None), "text: expected a str, found NoneType"),
        (lambda m: take_off_marks(["a"]), "text: expected a str, found list"),
        (
            lambda m: sentence_case("A Title", truecaser=array.array("i")),
            "truecaser: expected Truecaser or None, found array",
        ),
        (
            lambda m: sentence_case("A Title", truecaser=np.arange(2)),
            "truecaser: expected Truecaser or None, found ndarray",
        ),
        (lambda m: NameList(["OpenAI"]), "arrays: expected them by name; name_list makes a l"),
        (lambda m: opennmt.to_features(5), "line: expected a str, found int"),
        (lambda m: opennmt.from_features(None), "line: expected a str, found NoneType"),
        (lambda m: opennmt.to_markup(b"a"), "line: expected a str, found bytes"),
        (lambda m: opennmt.from_markup(["a"]), "line: expected a str, found list"),
        (lambda m: moses.train(["a b"]), r"blocks\[0\]: expected bytes, found str"),
        (lambda m: moses.train(iter(["a b"])), "block: expected lines of UTF-8 as bytes, found st"),
        (lambda m: moses.train("a b"), "block: expected lines of UTF-8 as bytes, found str"),
        (lambda m: moses.train(5), "blocks: expected a list, found int"),
        (lambda m: moses.Detruecase()("a"), "block: expected lines of UTF-8 as bytes, found str"),
        (lambda m: duckdb.register(5), "connection: expected DuckDB's, found int"),
    ],
)
def test_wrong_types(model, call, message):
    with pytest.raises(WrongTypeError, match=f"^{message}") as refused:
        call(model)
    # A wrong type to Python, and one of the package's own errors.
    assert isinstance(refused.value, TypeError) and isinstance(refused.value, TruecaseError)


@pytest.mark.parametrize("value", [[], {}, b"title", 5, np.zeros(3)])
@pytest.mark.parametrize("option", ["input_case", "style", "sentence_start"])
def test_values_of_wrong_types(model, option, value):
    for call in (model, model.tags, lambda text, **options: model.batch([text], **options)):
        with pytest.raises(CasingError, match=f"^{option} .*: expected one of"):
            call("mary", **{option: value})


@pytest.mark.filterwarnings("ignore:Kneser-Ney")
def test_scalars_of_numpy(model, tmp_path):
    """They are as good as Python's own, also where an option goes into a model's notes."""
    options = {"lexicon.min_count": np.int64(1), "max_size": np.int32(100_000)}
    ngram = PRESETS["ngram"].with_options(options)
    assert type(ngram.lexicon.min_count) is int
    text = tmp_path / "text.txt"
    text.write_text("Mary met Ann in London.\n" * 9)
    made = Truecaser.train(text, ngram, threads=np.int64(1), memory=np.float32(1e9))
    made.save(tmp_path / "model.truecase")
    assert Truecaser.load(tmp_path / "model.truecase", verify=np.True_)("mary") == "Mary"
    assert model.with_casing(min_odds=np.float32(2)).casing.min_odds == 2
    assert CaseBridge(model).after([np.str_("oui")], ["upper"]) == ["OUI"]
    assert type(model.batch(list(np.array(["MARY"])))[0]) is str
    assert model.evaluate(np.array(["Mary saw it."])).n_lines == 1


@pytest.mark.parametrize(
    ("text", "alignment"), [("mary", ""), ("mary\nann", "0-0\n"), ("mary\nann", "\n"), ("", "")]
)
def test_a_last_line_without_links(model, text, alignment):
    assert model(text, source=text, alignment=alignment).lower() == text
    with pytest.raises(ValueError, match="lines, but not as many lines of alignment"):
        model(text, source=text, alignment=alignment + "\n\n0-0")


THREADS = [
    lambda m, n: m.batch(["a"], threads=n),
    lambda m, n: m.case_block(b"a", threads=n),
    lambda m, n: m.column(pa.array(["a"]), threads=n),
    lambda m, n: m.document(["a"], threads=n),
    lambda m, n: m.evaluate(["A"], threads=n),
    lambda m, n: Truecaser.train("a.txt", threads=n),
    lambda m, n: adapt(m.model, "a.txt", threads=n),
    lambda m, n: case_file("a.srt", "b.srt", threads=n),
    lambda m, n: case_table("a.csv", "b.csv", ["a"], threads=n),
    lambda m, n: apply_corrections("a", "b", "c", threads=n),
]


@pytest.mark.parametrize("call", THREADS)
def test_threads_are_checked_alike(model, call):
    for n, message in ((0, "threads 0: expected 1 or more"), ("2", "threads: expected an int, ")):
        with pytest.raises(TruecaseError, match=f"^{message}"):
            call(model, n)


def mapped(data):
    view = mmap.mmap(-1, len(data))
    view[:] = data
    return view


def test_whole_numbers_of_other_libraries(model, tmp_path):
    two = np.int64(2)
    lines = ["mary has the iphone ,"] * 4_000
    assert model.batch(lines, threads=two) == model.batch(lines)
    assert model.case_block(b"mary\n", threads=two) == model.case_block(b"mary\n")
    model.session(latency=two)
    (tmp_path / "t.csv").write_text("text\nmary\n")
    case_table(tmp_path / "t.csv", tmp_path / "out.csv", ["text"], model, threads=two)
    with pytest.raises(WrongTypeError, match="threads: expected an int, found float"):
        model.batch(lines, threads=2.0)


@pytest.mark.parametrize(
    "buffer",
    [
        bytearray,
        memoryview,
        mapped,
        lambda data: array.array("B", data),
        lambda data: array.array("I", data),
        lambda data: memoryview(data[::-1])[::-1],
        lambda data: np.frombuffer(data, np.uint8),
        lambda data: np.frombuffer(data, np.int8).reshape(2, -1),
    ],
)
def test_any_buffer(model, buffer):
    block = b"mary has the iphone ,\n" * 4_000
    assert len(block) % 8 == 0
    for threads in (1, 3):
        assert model.case_block(buffer(block), threads) == model.case_block(block)
        beside = model.case_block(block, source=block.upper())
        assert model.case_block(block, threads, source=buffer(block.upper())) == beside
    assert model.table_block(buffer(block)) == model.table_block(block)


@pytest.mark.parametrize("threads", [1, 4])
@pytest.mark.parametrize("n_lines", [2, 20_000])
@pytest.mark.parametrize("missing", [1, 2, -1])
def test_a_source_of_another_number_of_lines(model, threads, n_lines, missing):
    n_source = n_lines - missing
    block, source = b"mary\n" * n_lines, b"MARIE\n" * n_source
    message = f"there are {n_lines} lines, but {n_source} of their source"
    for shown in (source, source.removesuffix(b"\n") if n_source else b""):
        with pytest.raises(ValueError, match=message):
            model.case_block(block, threads, source=shown)
    with pytest.raises(ValueError, match=message):
        model(block.decode(), source=source.decode())
    for more in ({}, {"alignment": ["0-0"] * n_lines}):
        with pytest.raises(ValueError, match=f"{n_lines} texts, but {n_source} of source"):
            model.batch(["mary"] * n_lines, threads, source=["MARIE"] * n_source, **more)


def test_lines_within_texts_count(model):
    with pytest.raises(ValueError, match="there are 3 lines, but 2 of their source"):
        model.batch(["a\nb", "c"], source=["A", "C"])
    with pytest.raises(ValueError, match="2 texts, but 1 of alignment"):
        model.batch(["a", "b"], source=["A", "B"], alignment=["0-0"])
    with pytest.raises(ValueError, match="0 texts, but 1 of source"):
        model.batch([], source=["A"])


@pytest.mark.parametrize(
    ("text", "source"), [("mary", ""), ("mary\nmary", "X\n"), ("mary\n", "\n"), ("mary\n", "MARIE")]
)
def test_last_lines_that_cannot_be_seen_are_there(model, text, source):
    assert model(text, source=source).lower() == text


def test_which_models_look_at_a_source(model_file):
    assert Truecaser.load(model_file).takes_source
    assert not Truecaser.load(model_file, decode_with="unigram").takes_source


def test_evaluation_knows_the_language(tmp_path):
    text = tmp_path / "text.txt"
    text.write_text("Irmak ile İnci ılık suda .\n" * 30, encoding="utf-8")
    model = Truecaser.train([text], recipe(language="tr", min_count=1))
    evaluation = model.evaluate(["Irmak ile İnci ılık suda ."])
    assert evaluation.n_changed == 0
    assert evaluation.accuracy == 1.0
    assert model.evaluate(["IRMAK İLE"]).by_tag["AU"].n_words == 2
    block = "IRMAK İLE\n".encode()
    from truecase.evaluation.metrics import evaluate_blocks

    figures = evaluate_blocks(model, [block], language="tr", input_case="ignore")
    assert figures == model.evaluate(["IRMAK İLE"])


def test_evaluation_of_nothing(model):
    for lines in ([], [""], [" "]):
        with pytest.raises(EvaluationError, match="there is no word"):
            model.evaluate(lines)


@pytest.mark.parametrize("language", ["turkish", "t", "t1", "Türkçe", "-"])
def test_a_language_is_a_code(language):
    with pytest.raises(TrainingError, match="expected a code of ISO 639, such as en, de or pt-BR"):
        TextRecipe(language=language)
    with pytest.raises(TrainingError, match="expected a code"):
        SourceRecipe(language=language)


@pytest.mark.parametrize(
    "language", ["tr", "TR", "tr-TR", "tr_TR", "tur", "az", "aze", "az-Latn-AZ"]
)
def test_codes_of_turkish_and_azerbaijani(language):
    assert TextRecipe(language=language).casing == "turkic"


@pytest.mark.parametrize("language", ["", "en", "pt-BR", "zh_Hans", "gsw", "tro", "azb-IR"])
def test_codes_of_other_languages(language):
    assert TextRecipe(language=language).casing == "default"


def test_embedded_names(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "en").write_bytes(b"no model")
    assert Truecaser.load("en").model.text.language == "en"
    with pytest.raises(ValueError, match="en"):
        Truecaser.load("./en")
    with pytest.raises(FileNotFoundError, match="the model for German is not installed"):
        Truecaser.load("de")
