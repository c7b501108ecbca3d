"""The truecaser of sacremoses by its names: where the peer is installed, with its results."""

import inspect
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.errors import ReadError, WrongTypeError
from truecase.integrations.sacremoses import MosesDetruecaser, MosesTruecaser

LINES = [
    "The ferry left the harbour . The harbour was quiet",
    "yesterday The Ferry left for Dublin | |x",
    '" Anna met ANNA in Dublin ! ( anna left )',
    "<b> Dublin </b> is|VBZ|<x> old",
    "No Iphone but an iPhone : iPhone",
    "x Iphone",
]
DOCUMENTS = [line.split() for line in LINES]
TEXT = [
    "THE FERRY LEFT DUBLIN .",
    'the Ferry . " Ferry anna ! &quot; IPHONE zorb',
    "<b> THE </b> Ferry|NN|X The |The .|x The a<b ΟΔΟΣ ß",
    "",
]


@pytest.fixture
def trained():
    truecaser = MosesTruecaser()
    truecaser.train(DOCUMENTS)
    return truecaser


def test_what_it_learns(trained):
    assert trained.model["best"]["dublin"] == "Dublin"
    assert trained.model["casing"]["harbour"] == {"harbour": 2}
    assert trained.model["casing"]["ferry"] == {"ferry": 1, "Ferry": 1}
    assert trained.model["known"] == Counter(Ferry=1, iPhone=1, The=1)


def test_what_it_writes(trained):
    assert trained.truecase(TEXT[0]) == ["the", "ferry", "left", "Dublin", "."]
    assert trained.truecase(TEXT[0], return_str=True) == "the ferry left Dublin ."
    assert trained.truecase("x Ferry", use_known=True) == ["x", "Ferry"]
    assert trained.truecase("x Ferry") == ["x", "ferry"]
    assert trained.truecase("Ferry", use_known=True) == ["ferry"]


def test_for_speech_unknown_words_are_lowercased():
    truecaser = MosesTruecaser(is_asr=True)
    truecaser.train(DOCUMENTS)
    assert truecaser.truecase("x FERRY ZORB", use_known=True) == ["x", "ferry", "zorb"]
    assert not truecaser.model["known"]


def test_tags_and_factors_pass(trained):
    assert trained.truecase("<b> DUBLIN </b> DUBLIN|NP|DUBLIN |DUBLIN", return_str=True) == (
        "<b> Dublin </b> Dublin|NP|DUBLIN |DUBLIN"
    )


def test_files_and_models(trained, tmp_path):
    text, model = tmp_path / "text", tmp_path / "model"
    text.write_text("\n".join(LINES) + "\n", encoding="utf-8")
    other = MosesTruecaser()
    assert other.train_from_file(text, save_to=model) == trained.model
    with open(text, encoding="utf-8") as file:
        assert MosesTruecaser().train_from_file_object(file) == trained.model
    trained.save_model(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == model.read_bytes()
    loaded = MosesTruecaser(model)
    assert loaded.model == trained.model
    assert list(loaded.truecase_file(text)) == [
        trained.truecase(line, return_str=True) for line in LINES
    ]
    assert list(loaded.truecase_file(text, return_str=False)) == list(map(trained.truecase, LINES))


def test_another_encoding(tmp_path):
    one = MosesTruecaser(encoding="latin-1")
    one.train([["le", "Café"]], save_to=tmp_path / "model")
    assert (tmp_path / "model").read_bytes() == "Café (1/1)\n".encode("latin-1")
    assert MosesTruecaser(tmp_path / "model", encoding="latin-1").truecase("CAFÉ") == ["Café"]


def test_counts_that_are_not_whole(tmp_path):
    one = MosesTruecaser()
    # The second token, after a quotation mark, counts a tenth.
    one.train([['"', "Word"]], tmp_path / "model", possibly_use_first_token=True)
    assert (tmp_path / "model").read_text() == "Word (0.1/0.1)\n"
    assert MosesTruecaser(tmp_path / "model").truecase("word") == ["Word"]


def test_mistakes(tmp_path):
    with pytest.raises(ValueError, match="there is no model: train one"):
        MosesTruecaser().truecase("a")
    with pytest.raises(ValueError, match="there is no model: train one"):
        MosesTruecaser().save_model(tmp_path / "model")
    assert not list(tmp_path.iterdir())
    (tmp_path / "model").write_text("the (2/2)\nword\n")
    with pytest.raises(ReadError, match="model: line 2: expected pairs"):
        MosesTruecaser(tmp_path / "model")
    with pytest.raises(TypeError, match="expected a str, found bytes"):
        MosesTruecaser.split_xml(b"a")


@pytest.mark.parametrize(
    ("call", "message"),
    [
        # Python opens a number as a file that is open already, and closes it.
        (lambda: list(MosesTruecaser().truecase_file(1)), "filename: expected a str or a path"),
        (lambda: list(MosesDetruecaser().detruecase_file(1)), "filename: expected a str or a path"),
        (lambda: MosesTruecaser().train_from_file(True), "filename: expected a str or a path"),
        (lambda: MosesTruecaser().train([["a"]], 1), "filename: expected a str or a path"),
        (lambda: MosesTruecaser().train(None), "documents: expected lists of tokens"),
        (lambda: MosesTruecaser().train([5]), "tokens: expected a list of str, found int"),
        (lambda: MosesTruecaser().save_model(None), "filename: expected a str or a path"),
    ],
)
def test_wrong_types(call, message):
    with pytest.raises(WrongTypeError, match=message):
        call()


def test_first_words_are_raised(tmp_path):
    detruecaser = MosesDetruecaser()
    text = '" the ferry . late ! again of course'
    assert detruecaser.detruecase(text, return_str=True) == '" The ferry . Late ! Again of course'
    assert detruecaser.detruecase("the ferry of dublin", is_headline=True) == [
        "The",
        "Ferry",
        "of",
        "Dublin",
    ]
    (tmp_path / "text").write_text("a b\nc . d\n")
    assert list(detruecaser.detruecase_file(tmp_path / "text")) == ["A b", "C . D"]


PIECES = st.sampled_from(
    ["the", "The", "ANNA", "Ferry", " ", "  ", "\t", "\x1c", "\xa0", ".", '"', "<b>", "<b c>", "<"]
    + [">", "|", "|N", "a|", "é", "É", "ß", "İ", "ΟΣ", "&quot;", "!", "Zorb", "\u2028", "ǅ"]
)


@pytest.fixture(scope="module")
def peer():
    return pytest.importorskip("sacremoses")


class TestLikeThePeer:
    """What sacremoses gives for the same input."""

    @pytest.mark.parametrize("is_asr", [None, True])
    @pytest.mark.parametrize("first_token", [False, True])
    def test_models_and_text(self, peer, tmp_path, is_asr, first_token):
        ours, theirs = MosesTruecaser(is_asr=is_asr), peer.MosesTruecaser(is_asr=is_asr)
        ours.train(DOCUMENTS, tmp_path / "ours", first_token)
        theirs.train(DOCUMENTS, str(tmp_path / "theirs"), first_token)
        assert ours.model == theirs.model
        assert (tmp_path / "ours").read_bytes() == (tmp_path / "theirs").read_bytes()
        for text in TEXT + LINES:
            for use_known in (False, True):
                expected = theirs.truecase(text, use_known=use_known)
                assert ours.truecase(text, use_known=use_known) == expected

    def test_parameters(self, peer):
        for ours, theirs in (
            (MosesTruecaser, peer.MosesTruecaser),
            (MosesDetruecaser, peer.MosesDetruecaser),
        ):
            for name, function in inspect.getmembers(theirs, inspect.isfunction):
                if not name.startswith("_"):
                    assert _parameters(getattr(ours, name)) == _parameters(function), name
        assert _parameters(MosesTruecaser) == _parameters(peer.MosesTruecaser)

    @given(pieces=st.lists(PIECES, max_size=20))
    def test_any_line(self, peer, pieces):
        line = "".join(pieces)
        for is_asr in (None, True):
            ours, theirs = MosesTruecaser(is_asr=is_asr), peer.MosesTruecaser(is_asr=is_asr)
            assert ours.train([line.split(), *DOCUMENTS]) == theirs.train(
                [line.split(), *DOCUMENTS]
            )
            for use_known in (False, True):
                expected = theirs.truecase(line, use_known=use_known)
                assert ours.truecase(line, use_known=use_known) == expected
        for is_headline in (False, True):
            expected = peer.MosesDetruecaser().detruecase(line, is_headline)
            assert MosesDetruecaser().detruecase(line, is_headline) == expected


def _parameters(function):
    return [(p.name, p.default) for p in inspect.signature(function).parameters.values()]
