"""Files that are compressed because their names say so."""

import bz2
import gzip
import lzma
import sys

import commands
import pytest

from truecase import Truecaser, case_file, count_text
from truecase.base.compression import check_compression, suffix_of
from truecase.base.read import open_text
from truecase.cli.streams import check_model_output, check_output, open_output
from truecase.errors import CompressionError, OutputError

TEXT = b"the same line\n" * 10_000
MAGIC = {".gz": b"\x1f\x8b", ".xz": b"\xfd7zXZ", ".bz2": b"BZh", ".zst": b"\x28\xb5\x2f\xfd"}


@pytest.mark.parametrize("suffix", MAGIC)
def test_compressed_by_suffix(tmp_path, suffix):
    path = tmp_path / f"out.txt{suffix}"
    for _ in range(2):
        with open_output(str(path)) as output:
            for start in range(0, len(TEXT), 1000):
                output.write(memoryview(TEXT)[start : start + 1000])
                output.flush()
        first = path.read_bytes()
    assert first.startswith(MAGIC[suffix])
    assert path.read_bytes() == first
    assert len(first) < len(TEXT) / 20
    assert open_text(path).read() == TEXT
    undo = {".gz": gzip.decompress, ".xz": lzma.decompress, ".bz2": bz2.decompress}.get(suffix)
    if undo is not None:
        assert undo(first) == TEXT


@pytest.mark.parametrize("suffix", MAGIC)
def test_whole_or_not_at_all(tmp_path, suffix):
    path = tmp_path / f"out{suffix}"
    path.write_bytes(b"old")

    def write():
        with open_output(str(path)) as output:
            output.write(TEXT)
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write()
    assert path.read_bytes() == b"old"
    assert [file.name for file in tmp_path.iterdir()] == [path.name]


def test_other_names_are_not_compressed(tmp_path):
    for name in ("out.txt", "gz", "out.gzip", "out.gz.txt"):
        assert suffix_of(tmp_path / name) is None
        with open_output(str(tmp_path / name)) as output:
            output.write(TEXT)
        assert (tmp_path / name).read_bytes() == TEXT


def test_without_the_package(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "zstandard", None)
    monkeypatch.setitem(sys.modules, "compression", None)
    with pytest.raises(CompressionError, match="pip install zstandard"):
        check_output(str(tmp_path / "out.zst"))
    check_compression(tmp_path / "out.gz")


def test_models_are_not_compressed(tmp_path):
    with pytest.raises(OutputError, match=r"give a name without \.gz"):
        check_model_output(str(tmp_path / "my.truecase.gz"))
    check_model_output(str(tmp_path / "my.truecase"))


def test_models_and_counts_of_python(tmp_path, model_file):
    (tmp_path / "text").write_text("She met Mary .\n")
    for write in (
        Truecaser.load(model_file).save,
        lambda path: count_text(tmp_path / "text", path),
    ):
        with pytest.raises(OutputError, match=r"m\.gz: such files are not compressed: give a name"):
            write(tmp_path / "m.gz")
    assert [path.name for path in tmp_path.iterdir()] == ["text"]


def test_files_of_python_are_those_of_the_command(tmp_path, model_file):
    text = b"1\n00:00:01,000 --> 00:00:02,000\nmary has the iphone ,\n"
    (tmp_path / "a.srt").write_bytes(text)
    case_file(tmp_path / "a.srt", tmp_path / "b.srt.gz", Truecaser.load(model_file))
    run = ["file", "a.srt", "-m", str(model_file), "-o", "c.srt.gz", "--quiet"]
    commands.run(*run, cwd=tmp_path)
    written = (tmp_path / "b.srt.gz").read_bytes()
    assert written == (tmp_path / "c.srt.gz").read_bytes()
    assert gzip.decompress(written).lower() == text.lower()
