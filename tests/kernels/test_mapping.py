"""Mapping files of SRILM's disambig: read, written, refused; models from them and back."""

import contextlib
import gzip
import threading

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from portage_files import ARPA, MAP
from recipes import estimated
from small_model import training_text
from truecaser_text import HARBOUR_LINES

from truecase.errors import MappingError, ModelError, TrainingError
from truecase.training.exchange import from_arpa, mapping_lines, read_mapping, to_arpa, to_mapping
from truecase.truecaser import Truecaser


@pytest.fixture
def files(tmp_path):
    arpa, phi = tmp_path / "theta.arpa", tmp_path / "phi.map"
    arpa.write_text(ARPA)
    phi.write_text(MAP)
    return arpa, phi


def read(tmp_path, text, name="x.map"):
    path = tmp_path / name
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return read_mapping(path)


class TestRead:
    def test_forms_and_their_shares(self, tmp_path):
        words = read(tmp_path, "us us 3 US 1 \n\nof of\nx X .5e-1 x 0.95\nwhere Where where").words
        assert words == {
            b"us": {b"us": 0.75, b"US": 0.25},
            b"of": {b"of": 1.0},
            b"x": {b"X": 0.05, b"x": 0.95},
            b"where": {b"Where": 0.5, b"where": 0.5},
        }

    def test_a_number_after_a_form_is_its_probability(self, tmp_path):
        assert read(tmp_path, "1984 1984 1984\n2 2 1").words == {
            b"1984": {b"1984": 1.0},
            b"2": {b"2": 1.0},
        }

    def test_a_form_of_probability_zero_is_none(self, tmp_path):
        assert read(tmp_path, "us us 0 US 0.2").words == {b"us": {b"US": 1.0}}

    def test_classes(self, tmp_path):
        text = "a A\n<alphabetic> <alphabetic:AL> 0.25 <alphabetic:IU> 0.75\n"
        table = np.exp(read(tmp_path, text).unknown_ln).reshape(5, 4)
        assert table[3, :2] == pytest.approx([0.25, 0.75])
        assert table[0, 0] == 1.0
        assert np.isfinite(read(tmp_path, text).unknown_ln).all()
        assert read(tmp_path, "a A").unknown_ln is None

    def test_compressed(self, tmp_path):
        assert read(tmp_path, gzip.compress(b"a A\n"), "x.gz").words == {b"a": {b"A": 1.0}}

    @pytest.mark.parametrize(
        "text, line, message",
        [
            ("a A\nb\n", 2, "after the word 'b', expected its forms"),
            ("a A\na a\n", 2, "'a' is mapped already, in line 1"),
            ("a A\nA a\n", 2, "'A' is mapped already, in line 1"),
            ("a A\nb A\n", 2, "'A' is not 'b' in another case"),
            ("a A 0.5 A 0.5\n", 1, "'A' occurs twice"),
            ("a A -0.3\n", 1, "probability '-0.3' of 'A' is negative"),
            ("a A 1e999\n", 1, "probability '1e999' of 'A' is infinite"),
            ("a A 1e308 a 1e308\n", 1, "after the word 'a', expected its forms"),
            ("a A 0\n", 1, "after the word 'a', expected its forms"),
            ("a A nan\n", 1, "'nan' is not 'a' in another case"),
            ("a 0.5 A\n", 1, "'0.5' is not 'a' in another case"),
            ("<s> <s>\n", 1, "no word is mapped"),
            ("", 1, "no word is mapped"),
            ("x X\n<acronym> <acronym:ZZ> 1\n", 2, "'<acronym:ZZ>' is no case of the class"),
            ("<other> <other:AL>\n<other> <other:AL>\n", 2, "the class '<other>' is mapped"),
            (b"a " + b"A" * (1 << 21), 1, "a line that does not end"),
            (b"\x80\xff \x80\xfe 1\n", 1, "in another case"),
            (b"\x7fELF\x00\x01\n", 1, "expected its forms"),
        ],
    )
    def test_a_broken_file_is_refused_by_file_and_line(self, tmp_path, text, line, message):
        with pytest.raises(MappingError) as caught:
            read(tmp_path, text)
        assert str(caught.value).startswith(f"{tmp_path / 'x.map'}:{line}: ")
        assert message in str(caught.value)
        assert "\n" not in str(caught.value) and len(str(caught.value)) < 400

    @examples(100)
    @given(data=st.binary(max_size=60))
    def test_any_bytes_are_read_or_refused(self, tmp_path_factory, data):
        path = tmp_path_factory.getbasetemp() / f"{threading.get_ident()} any.map"
        path.write_bytes(data)
        words = {}
        with contextlib.suppress(ValueError):
            words = read_mapping(path).words
        assert all(sum(forms.values()) == pytest.approx(1, abs=1e-3) for forms in words.values())


def test_what_is_written_is_read_again(tmp_path):
    surfaces = ["us", "US", "Ünal", "ünal", "x", "Οδος", "ΟΔΟΣ", "1984"]
    case = np.array([0.25, 0.75, 1 / 3, 2 / 3, 0, 0.5, 0.5, 1], np.float32)
    unknown = np.log(np.full(20, 0.25, np.float32))
    lines = mapping_lines([s.encode() for s in surfaces], case, unknown)
    (tmp_path / "x.map").write_bytes(b"".join(lines))
    mapping = read_mapping(tmp_path / "x.map")
    assert list(mapping.words) == [word.encode() for word in ("us", "ünal", "οδος", "1984")]
    for surface, share in zip(surfaces, case, strict=True):
        if share:
            (forms,) = [f for f in mapping.words.values() if surface.encode() in f]
            assert forms[surface.encode()] == pytest.approx(float(share), abs=1e-6)
    assert mapping.unknown_ln == pytest.approx(unknown)


class TestModels:
    def test_the_worked_example_from_files(self, files):
        arpa, phi = files
        for search in ("viterbi", "left-to-right"):
            model = Truecaser(from_arpa(arpa, mapping=phi, search=search))
            assert model("akakpo agbago") == "Akakpo Agbago"
        plain = Truecaser(from_arpa(arpa))
        assert plain("akakpo agbago") == "Akakpo AGBAGO"

    def test_words_without_a_mapping_keep_the_forms_of_the_language_model(self, files):
        arpa, phi = files
        model = Truecaser(from_arpa(arpa, mapping=phi))
        assert model("so akakpo", sentence_start="learned") == "so Akakpo"
        assert model("so akakpo") == "So Akakpo"

    def test_forms_that_the_language_model_lacks_are_candidates(self, files):
        arpa, phi = files
        phi.write_text(MAP + "togo Togo 0.9 TOGO 0.1\n")
        assert Truecaser(from_arpa(arpa, mapping=phi))("akakpo togo") == "Akakpo Togo"

    def test_classes_of_the_mapping_case_unknown_words(self, files):
        arpa, phi = files
        phi.write_text(MAP + "<alphabetic> <alphabetic:AL> 0.2 <alphabetic:IU> 0.8\n")
        assert Truecaser(from_arpa(arpa, mapping=phi))("akakpo lome 10kv") == "Akakpo Lome 10kv"
        phi.write_text(MAP + "<alphabetic> <alphabetic:AL> 0.8 <alphabetic:IU> 0.2\n")
        assert Truecaser(from_arpa(arpa, mapping=phi))("akakpo lome 10kv") == "Akakpo lome 10kv"

    @pytest.mark.parametrize("option", [{"search": "greedy"}, {"variant": "powers"}])
    def test_portage_s_options_without_a_mapping_are_refused(self, tmp_path, option):
        with pytest.raises(TrainingError, match="expected with a mapping file"):
            from_arpa(tmp_path / "x.arpa", **option)

    @pytest.mark.parametrize("min_count", [1, 2])
    @pytest.mark.parametrize("smartcase", [False, True])
    def test_a_trained_model_comes_back_from_its_two_files(self, tmp_path, min_count, smartcase):
        text = training_text() + "\n".join(HARBOUR_LINES)
        model = estimated(
            text.encode(), "portage", keep_ngrams=True, min_count=min_count, smartcase=smartcase,
            fingerprint_bits=20,
        )  # fmt: skip
        for i in range(2):
            to_arpa(model.model, tmp_path / f"{i}.arpa")
            to_mapping(model.model, tmp_path / f"{i}.map")
            again = Truecaser(
                from_arpa(
                    tmp_path / f"{i}.arpa", "raw", mapping=tmp_path / f"{i}.map",
                    smartcase=smartcase, keep_ngrams=True,
                )
            )  # fmt: skip
            lines = [
                line.lower() + " quillfeather bought xyz-corp in u.s.-south for 10kv"
                for line in text.split("\n")
            ]
            assert again.batch(lines) == model.batch(lines)
            model = again
        for kind in ("arpa", "map"):
            first, second = ((tmp_path / f"{i}.{kind}").read_bytes() for i in range(2))
            assert first == second

    def test_models_that_have_no_mapping_say_so(self, files, tmp_path):
        arpa, phi = files
        with pytest.raises(ModelError, match="--preset portage"):
            to_mapping(from_arpa(arpa, keep_ngrams=True), tmp_path / "x")
        with pytest.raises(ModelError, match="--keep-ngrams"):
            to_mapping(from_arpa(arpa, mapping=phi), tmp_path / "x")
