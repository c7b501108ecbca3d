"""`truecase.normalize` and `truecase.capitalize`: the same bytes as the commands."""

import commands
import pytest

import truecase
from truecase.rules.moses import MosesModel

TEXT = (
    "The cat sat. The Hague is a city.\r\nWe saw the cat in The Hague.\n\n"
    "Été à Montréal: L'été. the end"
)
MODEL = b"the (9/12) The (3)\nwe (3/4) We (1)\n\xc3\xa9t\xc3\xa9 (2/2)\n"
ENCODINGS = [None, "utf-8-sig", "utf-16", "utf-16-le", "latin-1"]


def written(text, encoding):
    return text.encode(encoding or "utf-8")


def run(data, *arguments):
    done = commands.run(*arguments, text=data)
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture
def model(tmp_path):
    (tmp_path / "m.en").write_bytes(MODEL)
    return tmp_path / "m.en"


@pytest.mark.parametrize("encoding", ENCODINGS)
@pytest.mark.parametrize("segmentation", ["raw", "space"])
def test_bytes_are_those_of_the_commands(model, encoding, segmentation):
    data = written(TEXT, encoding)
    # A byte order mark is enough.
    name = encoding if encoding in ("latin-1", "utf-16-le") else None
    flags = [] if name is None else ["--encoding", name]
    options = {"encoding": name, "segmentation": segmentation}
    flags += ["--segmentation", segmentation]
    capitalized = truecase.capitalize(data, **options)
    assert capitalized == run(data, "text", "capitalize", *flags)
    normalized = truecase.normalize(data, model, **options)
    assert normalized == run(data, "text", "normalize", "-m", model, *flags)
    assert normalized != data and len(capitalized) == len(data)
    if encoding is None:
        for function, out in ((truecase.capitalize, capitalized),):
            assert function(TEXT, segmentation=segmentation).encode() == out
        assert truecase.normalize(TEXT, model, segmentation=segmentation).encode() == normalized


def test_forms_are_counted_in_the_text_itself(tmp_path):
    path = tmp_path / "text.txt"
    path.write_bytes(TEXT.encode())
    expected = run(b"", "text", "normalize", "--train", path, "-i", path)
    assert truecase.normalize(TEXT).encode() == expected
    assert truecase.normalize(TEXT).startswith("the cat sat. the Hague is")


def test_a_model_is_read_once(model):
    counts = MosesModel.read(model)
    assert truecase.normalize(TEXT, counts) == truecase.normalize(TEXT, model)


def test_marks_and_surrogates_of_a_str():
    assert truecase.capitalize("\ufeffyes. no \ud800") == "\ufeffYes. No \ud800"
    assert truecase.capitalize("") == "" and truecase.normalize(b"") == b""


def test_turkish():
    assert truecase.capitalize("it. it", language="tr") == "İt. İt"


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (lambda m: truecase.capitalize(None), TypeError, "expected a str or bytes, found NoneType"),
        (lambda m: truecase.capitalize("a", encoding="latin-1"), TypeError, "a str has none"),
        (lambda m: truecase.capitalize(b"a", encoding="latin-99"), ValueError, "latin-99"),
        (lambda m: truecase.capitalize("a", segmentation="words"), ValueError, "words"),
        (lambda m: truecase.normalize("a", language="turkish"), ValueError, "ISO 639"),
        (lambda m: truecase.normalize("a", __file__), ValueError, "not a model of Moses"),
        (lambda m: truecase.normalize("a", m / "none"), OSError, "none"),
    ],
)
def test_mistakes(call, error, message, tmp_path):
    with pytest.raises(error, match=message) as raised:
        call(tmp_path)
    assert "\n" not in str(raised.value)
