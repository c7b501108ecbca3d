"""Truecasers go to other processes: by name, by path, by value."""

import contextlib
import copy
import hashlib
import multiprocessing
import os
import pickle
import subprocess
import sys
import threading

import numpy as np
import pytest
from recipes import trained
from small_model import training_text

import truecase
from truecase import Model, Truecaser

LINES = ["mary took the bill to london", "the post of oslo", "foobar is in lyon"] * 50


@pytest.fixture(scope="module")
def loaded(neural_model_file):
    return Truecaser.load(neural_model_file)


def sent(truecaser):
    return pickle.loads(pickle.dumps(truecaser))


def same(one, other):
    assert one.casing == other.casing
    assert one.batch(LINES) == other.batch(LINES)
    mine, yours = (t.model.to_arrays() for t in (one, other))
    assert mine[1] == yours[1]
    assert mine[0].keys() == yours[0].keys()
    assert all(np.array_equal(mine[0][name], yours[0][name]) for name in mine[0])


def test_embedded_models_travel_by_name():
    for name in (None, "en", "fr-en"):
        model = Truecaser.load(name)
        assert len(pickle.dumps(model)) < 400
        same(sent(model), model)


def test_files_travel_by_path(loaded, neural_model_file, tmp_path):
    data = pickle.dumps(loaded)
    assert len(data) < 500
    assert str(neural_model_file).encode() in data
    same(sent(loaded), loaded)


def test_paths_are_from_the_root(neural_model_file, tmp_path, monkeypatch):
    path = tmp_path / "m.truecase"
    path.write_bytes(neural_model_file.read_bytes())
    monkeypatch.chdir(tmp_path)
    data = pickle.dumps(Truecaser.load("m.truecase"))
    monkeypatch.chdir("/")
    same(pickle.loads(data), Truecaser.load(path))


def test_what_has_no_file_travels_by_value():
    model = trained(training_text(400).encode(), "crf")
    data = pickle.dumps(model)
    assert len(data) > model.model.lexicon.n_bytes
    same(pickle.loads(data), model)
    assert pickle.dumps(pickle.loads(data)) == data


@pytest.mark.parametrize(
    "change",
    [
        lambda t: t.with_names(truecase.name_list(["FooBar", "!npm"])),
        lambda t: Truecaser(t.model.only("ngram")),
        lambda t: Truecaser(t.model.only("unigram"), "title"),
        lambda t: Truecaser(t.model.with_notes(more="x")),
        lambda t: Truecaser(t.model.replace(titles=None, network=None)),
    ],
)
def test_what_was_changed_goes_beside_the_path(change, loaded):
    changed = change(loaded)
    data = pickle.dumps(changed)
    assert len(data) < 4000
    same(pickle.loads(data), changed)
    assert pickle.dumps(pickle.loads(data)) == data
    # and once more
    again = change(pickle.loads(data))
    same(sent(again), again)


def test_the_same_model_is_the_same_bytes_in_any_process(neural_model_file):
    code = (
        "import pickle, sys, hashlib, truecase\n"
        "t = truecase.Truecaser.load(sys.argv[1]).with_names(truecase.name_list(['A b', 'Cd']))\n"
        "print(hashlib.sha256(pickle.dumps(t)).hexdigest())\n"
    )
    names = truecase.name_list(["A b", "Cd"])
    mine = pickle.dumps(Truecaser.load(neural_model_file).with_names(names))
    for seed in ("1", "2"):
        done = subprocess.run(
            [sys.executable, "-c", code, str(neural_model_file)],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.strip() == hashlib.sha256(mine).hexdigest()


def test_a_process_has_a_model_once(loaded):
    data = pickle.dumps(loaded)
    models = [pickle.loads(data).model for _ in range(3)]
    assert all(model is models[0] for model in models)
    other = sent(Truecaser(loaded.model.only("ngram")))
    kept = sent(loaded)
    # their arrays are the same memory
    assert other.model.lexicon is kept.model.lexicon
    found = []
    threads = [threading.Thread(target=lambda: found.append(sent(loaded))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({id(one.model) for one in found}) == 1


def test_copies_share_the_model(loaded):
    for made in (copy.copy(loaded), copy.deepcopy(loaded), copy.deepcopy([loaded])[0]):
        assert made is not loaded
        assert made.model is loaded.model
    assert copy.deepcopy(loaded.model) is loaded.model
    titled = Truecaser(loaded.model, "title")
    assert copy.copy(titled)("the post") == titled("the post")


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")
@pytest.mark.parametrize("way", multiprocessing.get_all_start_methods())
def test_processes(way, loaded):
    many = LINES * 60  # enough for threads
    expected = loaded.batch(many, threads=2)
    context = multiprocessing.get_context(way)
    # A function of the package: another process may not find the tests.
    with context.Pool(2) as pool:
        done = pool.starmap_async(Truecaser.batch, [(loaded, many, 2)] * 3)
        assert done.get(timeout=120) == [expected] * 3


def test_the_file_has_changed(neural_model_file, model_file, tmp_path):
    path = tmp_path / "m.truecase"
    path.write_bytes(neural_model_file.read_bytes())
    model = Truecaser.load(path, copy=True)
    data = pickle.dumps(model)
    Model.load(model_file).save(path)
    with pytest.raises(
        truecase.ModelError, match=r"m\.truecase: the model of this name is another"
    ):
        pickle.loads(data)
    # What is no longer there goes by value.
    same(sent(model), model)
    path.unlink()
    same(sent(model), model)
    with pytest.raises(FileNotFoundError, match="no such file here"):
        pickle.loads(data)


def test_another_version_of_the_package(loaded):
    data = pickle.dumps(loaded)
    version = truecase.__version__
    other = "9" + version[1:]
    with pytest.raises(
        truecase.ModelError,
        match=rf"sent by truecase {other}, and this process has {version}: install the same",
    ):
        pickle.loads(
            data.replace(f'"package": "{version}'.encode(), f'"package": "{other}'.encode())
        )


@pytest.mark.parametrize("place", range(0, 4000, 37))
def test_damaged_on_the_way(place, loaded):
    from truecase.model.pickling import packed, unpacked

    data = bytearray(packed(loaded.with_names(truecase.name_list(["FooBar"])).model))
    place %= len(data)
    data[place] ^= 0x55
    with contextlib.suppress(truecase.ModelError, OSError):
        unpacked(bytes(data))


def test_what_holds_a_truecaser(loaded):
    for made in (truecase.SentenceCaser(loaded), truecase.CaseBridge(loaded)):
        assert type(sent(made)) is type(made)


def test_datasets_know_what_they_have_cased(loaded, neural_model_file):
    fingerprint = pytest.importorskip("datasets.fingerprint")
    other = Truecaser.load(neural_model_file)
    assert fingerprint.Hasher.hash(loaded) == fingerprint.Hasher.hash(other)
    named = other.with_names(truecase.name_list(["FooBar"]))
    assert fingerprint.Hasher.hash(loaded) != fingerprint.Hasher.hash(named)
