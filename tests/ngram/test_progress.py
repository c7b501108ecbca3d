"""The progress bar: silent unless on a terminal."""

import io
import sys
import time

import pytest

from truecase.base.progress import Progress, total_size


@pytest.fixture(autouse=True)
def every_update_is_shown(monkeypatch):
    monkeypatch.setattr("truecase.base.progress._UPDATE_INTERVAL", 0)


class Terminal(io.StringIO):
    def isatty(self):
        return True


def test_silent_without_terminal(monkeypatch):
    stream = io.StringIO()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress(100, "read") as progress:
        progress.add_bytes(50)
        progress.add_words(10)
        progress.phase("count")
    assert stream.getvalue() == ""
    assert (progress.n_bytes, progress.n_words) == (50, 10)


def test_shown_on_a_terminal(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress(100, "read") as progress:
        progress.add_words(10)
        progress.add_bytes(100)
    assert "read" in stream.getvalue()


def shown(stream):
    """What the terminal has shown, one line after the other."""
    return [line.strip() for line in stream.getvalue().split("\r") if line.strip()]


def test_stages_tell_what_is_known(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress(100, "reading") as progress:
        for _ in range(4):
            progress.add_bytes(25)
        read = len(shown(stream))
        progress.phase("estimating")
        estimated = len(shown(stream))
        progress.phase("estimating")
        assert len(shown(stream)) == estimated
        progress.phase("writing")
    lines = shown(stream)
    assert any(line.startswith("reading: 100%") for line in lines[:read])
    assert lines[estimated - 1] == "estimating: 00:00"
    assert lines[-1] == "writing: 00:00"
    assert not any("%" in line for line in lines if line.startswith(("estimating", "writing")))


def test_files_that_are_read_again_begin_again(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    with Progress(100, "reading") as progress:
        progress.add_bytes(100)
        progress.phase("counting words")
        progress.add_bytes(50)
        assert shown(stream)[-1].startswith("counting words:  50%")
        progress.add_bytes(100)
        assert "%" not in shown(stream)[-1]
    assert progress.n_bytes == 250


def test_after_the_last_byte_only_time_passes(monkeypatch):
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    monkeypatch.setattr("truecase.base.progress._TICK", 0.01)
    with Progress(100, "reading") as progress:
        progress.add_bytes(100)
        deadline = time.monotonic() + 60
        while "%" in shown(stream)[-1]:
            assert time.monotonic() < deadline
            time.sleep(0.01)
        assert shown(stream)[-1].startswith("reading: 00:")


def test_no_standard_error(monkeypatch):
    monkeypatch.setattr(sys, "stderr", None)
    with Progress(100) as progress:
        progress.add_bytes(1)


def test_total_size(tmp_path):
    path = tmp_path / "a"
    path.write_bytes(b"12345")
    assert total_size([path, path]) == 10
    assert total_size([path, "-"]) is None
    assert total_size([path, tmp_path / "none"]) is None
