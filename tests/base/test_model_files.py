"""Model files: what is written is read, whole; what is not a model is refused by name."""

import json
import mmap
import os
import sys

import numpy as np
import pytest
from plain_containers import save
from recipes import trained
from truecaser_text import HARBOUR_LINES

import truecase
from truecase.base._component import is_laid_out
from truecase.base.model_file import FORMAT, METADATA_KEY, model_bytes, read_bytes, read_model
from truecase.errors import ModelError
from truecase.training.count_files import NgramCounts
from truecase.truecaser import Truecaser

TEXT = "\n".join(HARBOUR_LINES).encode()


is_not_turned = pytest.mark.skipif(
    sys.byteorder == "big", reason="arrays of a file are copies here, turned around"
)


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "m.truecase"
    trained(TEXT, min_count=1, origin="stories", licence="CC0").save(path)
    return path


@is_not_turned
def test_arrays_are_views_of_the_mapped_file(path):
    arrays, metadata = read_model(path, verify=True)
    assert metadata["format"] == FORMAT and metadata["notes"]["licence"] == "CC0"
    for array in arrays.values():
        assert array.readonly and isinstance(array.obj, mmap.mmap) and is_laid_out(array)


def test_what_is_written_is_read(path, tmp_path):
    model = Truecaser.load(path)
    model.save(tmp_path / "again")
    assert (tmp_path / "again").read_bytes() == path.read_bytes()
    assert model("anna berg") == "Anna Berg"


def test_the_version_that_writes_is_written(path, tmp_path):
    assert read_model(path)[1]["package"] == truecase.__version__
    older = rewritten(path, tmp_path, lambda arrays, metadata: metadata.update(package="0.0.1"))
    model = Truecaser.load(older)
    assert "package" not in model.model.notes
    model.save(tmp_path / "again")
    assert read_model(tmp_path / "again")[1]["package"] == truecase.__version__


def test_the_version_of_unicode_is_written(path):
    assert read_model(path)[1]["sections"]["text"]["unicode"] == "14.0"


def test_a_licence_that_is_no_text_loses_no_model(path):
    """An argument of the command line may have any bytes, and comes last, after the training."""
    arrays, metadata = read_model(path)
    named = {name: np.asarray(array) for name, array in arrays.items()}
    written = model_bytes(named, {**metadata, "licence": "free \udcff"})
    assert read_bytes(written, "odd")[1]["licence"] == "free ?"


@is_not_turned
def test_a_model_that_was_read_needs_its_file_no_more(path, tmp_path):
    own = tmp_path / "own"
    own.write_bytes(path.read_bytes())
    model = Truecaser.load(own, copy=True)
    arrays, _ = read_model(own, verify=True, copy=True)
    for array in arrays.values():
        assert array.readonly and isinstance(array.obj, bytes) and is_laid_out(array)
    own.write_bytes(b"")
    assert model("anna berg") == "Anna Berg"


@is_not_turned
@pytest.mark.parametrize("copy", [False, True])
def test_a_header_of_odd_length(path, tmp_path, copy):
    """Then no array lies where its type may lie."""
    data = path.read_bytes()
    length = int.from_bytes(data[:8], "little") + 1
    odd = tmp_path / "odd"
    odd.write_bytes(length.to_bytes(8, "little") + data[8 : 7 + length] + b" " + data[7 + length :])
    assert not is_laid_out(read_model(odd, copy=copy)[0]["lexicon/records"])
    assert Truecaser.load(odd, verify=True, copy=copy)("anna berg") == "Anna Berg"


def test_a_model_that_is_replaced_stays_the_same_to_who_has_mapped_it(path, tmp_path):
    own = tmp_path / "own"
    own.write_bytes(path.read_bytes())
    model = Truecaser.load(own)
    trained(b"anna berg\n" * 50, min_count=1).save(own)
    assert model("anna berg") == "Anna Berg"
    assert Truecaser.load(own).training_count("harbour") == 0 < model.training_count("harbour")


NUMBERS = {
    "f32": np.array([1.5, -0.25], np.float32),
    "u32": np.arange(5, dtype=np.uint32),
    "u64": np.arange(5, dtype=np.uint64) << np.uint64(40),
    "u8": np.arange(3, dtype=np.uint8),
}


def test_files_are_little_endian_whatever_their_arrays_are():
    written = []
    for order in "<>":
        turned = {
            name: array.astype(array.dtype.newbyteorder(order)) for name, array in NUMBERS.items()
        }
        written.append(model_bytes(turned, {"sections": {}}))
    assert written[0] == written[1]
    assert np.arange(5, dtype="<u4").tobytes() in written[0]
    assert np.array([1.5, -0.25], "<f4").tobytes() in written[0]


def test_a_machine_of_the_other_byte_order_turns_numbers(monkeypatch):
    file = model_bytes(NUMBERS, {"sections": {}})
    own, _ = read_bytes(file, "own")
    monkeypatch.setattr(sys, "byteorder", {"little": "big", "big": "little"}[sys.byteorder])
    turned, _ = read_bytes(file, "turned")
    for name, array in NUMBERS.items():
        assert own[name].tobytes() == array.tobytes()
        assert turned[name].tobytes() == array.byteswap().tobytes()
        assert turned[name].format == own[name].format
        assert turned[name].readonly


def rewritten(path, tmp_path, change):
    arrays, metadata = read_model(path)
    arrays = {name: np.array(array) for name, array in arrays.items()}
    change(arrays, metadata)
    out = tmp_path / "changed"
    out.write_bytes(save(arrays, {METADATA_KEY: json.dumps(metadata)}))
    return out


def lengthen(arrays, metadata, order):
    """Say that the trigrams of a model are its longer n-grams, too."""
    about = metadata["sections"]["lm"]
    about["order"] = order
    for k in range(4, order + 1):
        about[f"ngram{k}"] = about["ngram3"]
        for name in ("slots", "probability_ln"):
            arrays[f"lm/ngram{k}.{name}"] = arrays[f"lm/ngram3.{name}"]


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda a, m: m.update(format=FORMAT + 1, package="9.9"), r"newer.*truecase 9\.9: upgrade"),
        (lambda a, m: m.pop("sections"), "metadata is incomplete"),
        (lambda a, m: m.update(format="one"), "names no format"),
        (lambda a, m: m["sections"].pop("text"), "the section text is missing"),
        (lambda a, m: m["sections"].pop("lexicon"), "the section lexicon is missing"),
        (lambda a, m: m["sections"].update(hat={}), "the section hat is unknown; a newer"),
        (lambda a, m: m["sections"].update(lexicon=[]), "the section lexicon"),
        (lambda a, m: a.update({"hat/size": a["lexicon/records"]}), "hat/size belongs to no"),
        (lambda a, m: a.pop("lexicon/records"), r"the array lexicon/records is missing"),
        (lambda a, m: m["sections"]["lm"].update(order=9), "the setting lm.order is 9"),
        (lambda a, m: m["sections"]["lm"].update(order=1), "lm.order is 1, and there are longer"),
        (lambda a, m: m["sections"]["lm"].update(order=2), "2, and the backoffs of its 2-grams"),
        (lambda a, m: lengthen(a, m, 5), "lm.order is 5, and the backoffs of its 3-grams"),
        (
            lambda a, m: m["sections"]["text"].update(segmentation="x"),
            "the setting segmentation is 'x'",
        ),
        (
            lambda a, m: m["sections"]["text"].update(unicode="99.0"),
            r"Unicode 99\.0, and this package has the case mappings of Unicode 14\.0: use",
        ),
        (lambda a, m: m["sections"]["lm"]["ngram3"].update(n_slots=10**9), "shorter than its"),
        (lambda a, m: a.update({"lexicon/backoff_ln": np.zeros(3, np.float32)}), "3 entries"),
        (
            lambda a, m: a["lm/ngram2.probability_ln"].__setitem__(5, np.nan),
            r"lm/ngram2.probability_ln .*is no number or beyond",
        ),
        # Beside so large a number, what tells candidates apart is lost in sums, and which is best
        # depends on the order of adding up: two entries chose differently.
        (
            lambda a, m: a["lexicon/backoff_ln"].fill(-1.7e38),
            r"lexicon/backoff_ln has an entry that .* beyond ±1e\+06",
        ),
        (
            lambda a, m: a.update({"lexicon/records": np.zeros(3, np.uint8)}),
            "not a vector of uint32",
        ),
        (
            lambda a, m: m["sections"]["lexicon"].update(sentence_end_ln=float("nan")),
            "the setting lexicon.sentence_end_ln",
        ),
    ],
)
def test_broken_invariants_are_named(path, tmp_path, change, message):
    changed = rewritten(path, tmp_path, change)
    with pytest.raises(ModelError, match=message) as caught:
        Truecaser.load(changed)
    assert str(changed) in str(caught.value)


def nested(depth):
    return "[" * depth + "]" * depth


@pytest.mark.parametrize(
    "metadata", [nested(100_000), '{"format": 2, "sections": {"order": ' + nested(100) + "}}"]
)
def test_deeply_nested_metadata_is_refused(tmp_path, metadata):
    path = tmp_path / "deep"
    path.write_bytes(save({"x": np.zeros(3, np.float32)}, {METADATA_KEY: metadata}))
    with pytest.raises(ModelError, match=r"deep: .* nested more than 32 deep"):
        Truecaser.load(path)


def test_a_deeply_nested_header_is_refused(tmp_path):
    path = tmp_path / "deep"
    header = ('{"__metadata__": ' + nested(100_000) + "}").encode()
    path.write_bytes(len(header).to_bytes(8, "little") + header)
    with pytest.raises(ModelError, match="deep: not a truecase model"):
        Truecaser.load(path)


def test_a_changed_byte_is_found_by_the_checksum(path, tmp_path):
    data = bytearray(path.read_bytes())
    data[-40] ^= 1
    changed = tmp_path / "changed"
    changed.write_bytes(data)
    with pytest.raises(ModelError, match="do not match the checksum"):
        Truecaser.load(changed, verify=True)


@pytest.mark.parametrize("data", [b"", b"hello", b"\xff" * 100, save({"x": np.zeros(3)})])
def test_other_files_are_no_models(tmp_path, data):
    path = tmp_path / "other"
    path.write_bytes(data)
    with pytest.raises(ModelError, match="other: not a truecase model"):
        Truecaser.load(path)


def test_n_grams_in_arpa_are_no_model(tmp_path):
    path = tmp_path / "x.arpa.gz"
    path.write_bytes(b"\x1f\x8b" + bytes(99))
    with pytest.raises(ModelError, match=r"x\.arpa\.gz: n-grams in ARPA, no model: truecase arpa"):
        Truecaser.load(path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="named pipes are Unix's")
def test_pipes_and_devices(tmp_path):
    """The one gives its bytes once, the other for ever."""
    os.mkfifo(tmp_path / "pipe")
    for path in (str(tmp_path / "pipe"), "/dev/zero"):
        for load in (Truecaser.load, lambda path: Truecaser.load(path, copy=False), NgramCounts):
            with pytest.raises(ModelError, match=f"^{path}: is a pipe or device: such models are"):
                load(path)
