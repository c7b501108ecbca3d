"""Steps for `transformers` and `datasets`; pipelines are stubs that write what real ones do."""

import json
import pickle

import pytest

import truecase
from truecase.errors import WrongTypeError
from truecase.integrations.hugging_face import TruecaseColumn, TruecaseOutput


class Pipeline:
    """Gives what it is told to, of as many inputs as there are."""

    def __init__(self, output):
        self.output = output
        self.options = None

    def __call__(self, inputs, **options):
        self.options = options
        return [self.output for _ in inputs] if isinstance(inputs, list) else self.output


@pytest.fixture(scope="module")
def step():
    return TruecaseOutput()


SPEECH = {
    "text": " THE TRAIN FOR NEW YORK IS IN PARIS",
    "chunks": [
        {"text": " THE TRAIN FOR NEW", "timestamp": (0.0, 1.2)},
        {"text": " YORK IS IN PARIS", "timestamp": (1.2, None)},
    ],
}


def test_speech(step):
    given = json.dumps(SPEECH)
    out = step.behind(Pipeline(SPEECH))("sound.wav")
    assert out == {
        "text": " The train for New York is in Paris",
        "chunks": [
            {"text": " The train for New", "timestamp": (0.0, 1.2)},
            {"text": " York is in Paris", "timestamp": (1.2, None)},
        ],
    }
    assert json.dumps(SPEECH) == given


def test_words_with_timestamps(step):
    text = "IN NEW YORK IN"
    chunks = [{"text": word, "timestamp": (0, 1)} for word in text.split()]
    out = step({"text": text, "chunks": chunks})
    assert [chunk["text"] for chunk in out["chunks"]] == ["In", "New", "York", "in"]


def test_a_chunk_that_the_text_has_not(step):
    assert step({"text": "in paris", "chunks": None}) == {"text": "In Paris", "chunks": None}
    out = step({"text": "in paris", "chunks": [{"text": "in london"}, {"text": "paris"}]})
    assert [chunk["text"] for chunk in out["chunks"]] == ["In London", "Paris"]


def test_silence_has_no_text(step):
    silent = [{"text": None}, {"timestamp": (0, 1)}, {"text": " "}]
    out = step({"text": "in paris", "chunks": [*silent, {"text": "paris"}]})
    assert out["chunks"] == [*silent, {"text": "Paris"}]
    assert step({"text": "in paris", "chunks": None})["chunks"] is None


@pytest.mark.parametrize("key", ["translation_text", "summary_text", "generated_text"])
def test_what_writes_text(step, key):
    pipeline = Pipeline([{key: "he lives in berlin.", "score": 0.5}])
    out = step.behind(pipeline)("Er wohnt in Berlin.", max_length=40)
    assert out == [{key: "He lives in Berlin.", "score": 0.5}]
    assert pipeline.options == {"max_length": 40}
    assert step.behind(pipeline)(["a", "b"]) == [out, out]


def test_a_conversation(step):
    turns = [
        {"role": "user", "content": "where is paris"},
        {"role": "assistant", "content": "in france"},
    ]
    out = step([{"generated_text": turns}])
    assert [turn["content"] for turn in out[0]["generated_text"]] == ["where is paris", "In France"]


def test_a_stream_stays_one(step):
    out = step({"text": text} for text in ["in london", "in paris"])
    assert next(out) == {"text": "In London"}
    assert next(out) == {"text": "In Paris"}


def test_options():
    step = TruecaseOutput(input_case="keep", sentence_start="learned")
    expected = truecase.truecase("the cEO of ibm", "keep", sentence_start="learned")
    assert step({"text": "the cEO of ibm"}) == {"text": expected}


@pytest.mark.parametrize(
    ("output", "message"),
    [
        ("in london", "found str"),
        ({"label": "POSITIVE"}, "one of text, .* found label"),
        ([{}], "found an empty one"),
        ({"text": 3}, "expected a str of text, or turns, found int"),
        ({"generated_text": ["in london"]}, "expected a str of text, or turns, found list"),
    ],
)
def test_no_text(step, output, message):
    with pytest.raises(WrongTypeError, match=message):
        step(output)


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: TruecaseColumn(7), "column: expected a str, found int"),
        (lambda: TruecaseColumn("text")(["in london"]), "rows: expected a row or a batch"),
        (lambda: TruecaseColumn("text")({"text": [1]}), "text: expected text, found int"),
        (lambda: TruecaseColumn("text")({"text": 7}), "text: expected text, found int"),
    ],
)
def test_wrong_types(call, message):
    with pytest.raises(WrongTypeError, match=message):
        call()


def test_column():
    batch = {"id": [1, 2, 3], "text": ["in london", None, "a\nin paris"]}
    assert TruecaseColumn("text")(batch) == {"text": ["In London", None, "A\nIn Paris"]}
    assert TruecaseColumn("text", "cased")({"text": "in london"}) == {"cased": "In London"}
    with pytest.raises(KeyError, match="there is no column line: expected one of id, text"):
        TruecaseColumn("line")(batch)
    with pytest.raises(TypeError, match="found int"):
        TruecaseColumn("id")(batch)


def test_it_pickles_by_name(tmp_path, monkeypatch):
    model = tmp_path / "my.truecase"
    truecase.Truecaser.load("en", decode_with="unigram").save(model)
    monkeypatch.chdir(tmp_path)
    column = TruecaseColumn("text", model="my.truecase")
    data = pickle.dumps(column)
    assert len(data) < 1_000
    assert pickle.dumps(TruecaseColumn("text", model="my.truecase")) == data
    assert pickle.dumps(TruecaseColumn("text", model="my.truecase", input_case="keep")) != data
    monkeypatch.chdir("/")
    assert pickle.loads(data)({"text": "in london"}) == {"text": "In London"}
    truecase.Truecaser.load("en", decode_with="ngram").save(model)
    assert pickle.dumps(TruecaseColumn("text", model=model)) != data


def test_wrong_options_are_told_at_once():
    with pytest.raises(ValueError, match="loud"):
        TruecaseOutput(input_case="loud")
    with pytest.raises(ValueError, match="often"):
        TruecaseColumn("text", sentence_start="often")
    with pytest.raises(FileNotFoundError, match="nothing"):
        TruecaseOutput("nothing")


class TestDatasets:
    @pytest.fixture
    def datasets(self, tmp_path):
        datasets = pytest.importorskip("datasets")
        datasets.disable_progress_bars()
        return datasets

    def test_map(self, datasets):
        rows = datasets.Dataset.from_dict({"text": ["in london", None, "in paris"], "n": [1, 2, 3]})
        for options in ({}, {"batched": True}, {"batched": True, "num_proc": 2}):
            cased = rows.map(TruecaseColumn("text"), **options)
            assert cased["text"][:] == ["In London", None, "In Paris"]
            assert cased["n"][:] == [1, 2, 3]
        assert rows.map(TruecaseColumn("text", "cased"), batched=True)["text"][:] == rows["text"][:]

    def test_the_same_step_has_the_same_fingerprint(self, datasets):
        one, same, other = (
            datasets.fingerprint.Hasher.hash(TruecaseColumn("text", input_case=case))
            for case in ("ignore", "ignore", "keep")
        )
        assert one == same != other

    def test_a_stream(self, datasets):
        rows = datasets.Dataset.from_dict({"text": ["in london"]}).to_iterable_dataset()
        assert list(rows.map(TruecaseColumn("text"), batched=True)) == [{"text": "In London"}]
