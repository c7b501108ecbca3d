"""Model files that change while somebody uses them, or are cut short on the way."""

import os
import pickle
import shutil
import sys

import pytest
from small_model import training_text

import truecase.base.model_file as reading
from truecase import Model, ModelError, Truecaser

LINE = "mary took the bill to london on monday ."


@pytest.fixture
def path(model_file, tmp_path):
    return copied(model_file, tmp_path)


def copied(model_file, folder):
    """For tests that change the file: where a test runs in several threads, each has a folder."""
    return shutil.copy(model_file, folder / "m.truecase")


@pytest.mark.parametrize("share", [0, 0.001, 0.5, 0.999])
def test_a_file_that_is_cut_short_later(model_file, tmp_path, share):
    """By default a file is read: of a mapped one, the process would die here."""
    path = copied(model_file, tmp_path)
    model = Truecaser.load(path)
    text = training_text().lower().encode()
    expected = Truecaser.load(model_file).case_block(text)
    os.truncate(path, int(share * os.path.getsize(path)))
    assert model.case_block(text) == expected
    # What is no longer there goes by value.
    assert pickle.loads(pickle.dumps(model)).case_block(text) == expected


@pytest.mark.parametrize("copy", [None, False, True])
def test_a_file_that_is_cut_short_before(model_file, tmp_path, copy):
    path = copied(model_file, tmp_path)
    whole = model_file.read_bytes()
    header = 8 + int.from_bytes(whole[:8], "little")
    for size in (0, 1, 8, 9, 100, header - 1, header, header + 1, len(whole) // 2, len(whole) - 1):
        os.truncate(path, len(whole))
        path.write_bytes(whole[:size])
        with pytest.raises(ModelError) as caught:
            Truecaser.load(path, copy=copy)
        assert str(path) in str(caught.value) and "\n" not in str(caught.value)


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be cut short")
@pytest.mark.parametrize("copy", [False, True])
@pytest.mark.parametrize("size", [0, 9, 5000, -64])
def test_a_file_that_is_cut_short_while_it_is_loaded(path, monkeypatch, size, copy):
    def open_and_cut(*arguments):
        file = open(*arguments)  # noqa: SIM115 - whoever asks for it closes it
        os.truncate(path, size if size >= 0 else os.path.getsize(path) + size)
        return file

    monkeypatch.setattr(reading, "open", open_and_cut, raising=False)
    with pytest.raises(ModelError, match=r"m\.truecase: not a truecase model"):
        Truecaser.load(path, copy=copy)


def test_what_is_mapped(path):
    def is_mapped(*arguments, **options):
        return Model.load(*arguments, **options).origin.is_mapped

    assert is_mapped() and is_mapped("fr-en")
    assert not is_mapped(verify=True) and not is_mapped(copy=True)
    assert is_mapped(verify=True, copy=False)
    assert not is_mapped(path) and not is_mapped(str(path))
    assert is_mapped(path, copy=False) and is_mapped(path, verify=True, copy=False)


@pytest.mark.parametrize("copy", [None, False, True])
def test_other_processes_do_as_the_first(path, copy):
    model = Model.load(path, copy=copy)
    data = pickle.dumps(model)
    del model
    assert pickle.loads(data).origin.is_mapped is (copy is False)


@pytest.mark.parametrize("copy", [None, False])
def test_a_file_that_is_replaced_by_renaming(model_file, neural_model_file, tmp_path, copy):
    """As `save` does it: who has the old file keeps it, who loads afterwards has the new one."""
    path = copied(model_file, tmp_path)
    model = Truecaser.load(path, copy=copy)
    before = model(LINE)
    new = Truecaser.load(neural_model_file)
    new.save(path)
    assert path.read_bytes() == neural_model_file.read_bytes()
    assert model(LINE) == before and model.model.network is None
    assert Truecaser.load(path).model.network is not None
    shutil.copy(neural_model_file, tmp_path / "other")
    os.replace(tmp_path / "other", path)
    assert model(LINE) == before
    assert os.listdir(tmp_path) == ["m.truecase"]
