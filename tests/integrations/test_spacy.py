"""The component and the tokenizer for spaCy, with a blank English pipeline."""

import pickle
import subprocess
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase import ModelError, Truecaser

spacy = pytest.importorskip("spacy")

from truecase.integrations.spacy import TruecasingTokenizer, truecase_first  # noqa: E402

TEXT = "she met barack obama in NEW YORK.\nhe doesn't live  there"
CASED = "She met Barack Obama in New York.\nHe doesn't live  there"


@pytest.fixture(scope="module")
def with_component():
    nlp = spacy.blank("en")
    nlp.add_pipe("truecase")
    return nlp


@pytest.fixture(scope="module")
def cased_first():
    return truecase_first(spacy.blank("en"))


class TestComponent:
    def test_it_says_how_words_are_cased_and_leaves_the_text(self, with_component):
        doc = with_component(TEXT)
        assert doc.text == TEXT
        assert doc._.truecased == CASED == Truecaser.load()(TEXT)
        assert [token._.truecase for token in doc[:8]] == CASED.split(".")[0].split() + ["."]
        for token in doc:
            assert doc._.truecased[token.idx : token.idx + len(token)] == token._.truecase

    def test_many_texts_come_out_as_one_by_one(self, with_component):
        texts = [TEXT, "", "in london", "\n"]
        docs = list(with_component.pipe(texts, batch_size=2))
        assert [doc._.truecased for doc in docs] == [Truecaser.load()(text) for text in texts]
        docs = with_component.pipe(texts * 2, n_process=2, batch_size=2)
        assert [doc._.truecased for doc in docs] == [Truecaser.load()(text) for text in texts * 2]

    def test_no_component_no_case(self):
        doc = spacy.blank("en")("in london")
        assert doc._.truecased is None and doc[1]._.truecase is None

    def test_options(self, tmp_path):
        nlp = spacy.blank("en")
        nlp.add_pipe("truecase", config={"input_case": "keep", "sentence_start": "learned"})
        given = "the cEO of ibm"
        expected = Truecaser.load()(given, "keep", sentence_start="learned")
        assert nlp(given)._.truecased == expected
        with pytest.raises(ValueError, match="input_case"):
            nlp.add_pipe("truecase", name="loud", config={"input_case": "loud"})
        (tmp_path / "no.truecase").write_bytes(b"no model")
        with pytest.raises(ModelError, match=r"no\.truecase"):
            nlp.add_pipe("truecase", name="broken", config={"model": str(tmp_path / "no.truecase")})

    def test_saved_and_loaded(self, with_component, tmp_path):
        with_component.to_disk(tmp_path / "saved")
        assert spacy.load(tmp_path / "saved")(TEXT)._.truecased == CASED


class TestTokenizer:
    def test_the_pipeline_sees_the_text_cased(self, cased_first):
        doc = cased_first(TEXT)
        assert doc.text == CASED
        assert doc._.original_text == TEXT
        assert [token.idx for token in doc] == [token.idx for token in spacy.blank("en")(CASED)]

    def test_saved_and_loaded(self, cased_first, tmp_path):
        cased_first.to_disk(tmp_path / "saved")
        loaded = spacy.load(tmp_path / "saved")
        assert isinstance(loaded.tokenizer, TruecasingTokenizer)
        assert loaded(TEXT).text == CASED

    def test_special_cases_of_the_tokenizer_are_saved(self, tmp_path):
        nlp = truecase_first(spacy.blank("en"))
        nlp.tokenizer.add_special_case("Obama", [{"ORTH": "Oba"}, {"ORTH": "ma"}])
        nlp.to_disk(tmp_path / "saved")
        texts = [token.text for token in spacy.load(tmp_path / "saved")("barack obama")]
        assert texts == ["Barack", "Oba", "ma"]

    def test_other_processes(self, cased_first):
        assert [doc.text for doc in cased_first.pipe([TEXT] * 4, n_process=2)] == [CASED] * 4
        assert pickle.loads(pickle.dumps(cased_first.tokenizer))(TEXT).text == CASED

    def test_it_goes_around_once(self, cased_first):
        with pytest.raises(ValueError, match="cases text already"):
            truecase_first(cased_first)


@given(st.text(st.characters(codec="utf-8"), max_size=30))
def test_offsets_are_the_same(cased_first, text):
    doc = cased_first(text)
    assert len(doc.text) == len(text) == len(doc._.original_text)


@pytest.mark.parametrize("letter", ["ß", "ŉ", "ﬁ", "İ", "ΐ", "ẖ", "Å"])
def test_letters_whose_other_case_is_longer_stay(cased_first, letter):
    given = f"{letter}a in london"
    doc = cased_first(given)
    assert doc.text[0] == letter
    assert doc.text[-6:] == "London"
    assert [token.idx for token in doc] == [0, 3, 6]


def test_nothing_of_the_package_needs_spacy():
    code = (
        "import sys; sys.modules['spacy'] = None\n"
        "import truecase; truecase.truecase('x')\n"
        "try: import truecase.integrations.spacy\n"
        "except ImportError as error: print(error)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, text=True)
    assert done.stdout == ("truecase.integrations.spacy needs spaCy: pip install spacy\n")
