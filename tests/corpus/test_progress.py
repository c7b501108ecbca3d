"""The progress bar: silent unless on a terminal."""

import io
import sys

from truecase.corpus.progress import Progress, total_size


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
