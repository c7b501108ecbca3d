"""Modules that another thread is importing are not there yet."""

import importlib
import sys
import threading

from truecase.base.encoding import FileEncoding, TextDecoder
from truecase.base.progress import log
from truecase.base.threads import imported

SLOW = """\
import threading
begun, go_on = threading.Event(), threading.Event()
begun.set()
assert go_on.wait(60)
done = True
"""


def test_only_when_it_is_complete(tmp_path, monkeypatch):
    (tmp_path / "slowly_imported.py").write_text(SLOW)
    monkeypatch.syspath_prepend(tmp_path)
    assert imported("slowly_imported") is None
    thread = threading.Thread(target=importlib.import_module, args=("slowly_imported",))
    thread.start()
    while (module := sys.modules.get("slowly_imported")) is None or not hasattr(module, "begun"):
        pass
    assert module.begun.wait(60)
    assert imported("slowly_imported") is None
    module.go_on.set()
    thread.join()
    assert imported("slowly_imported").done
    del sys.modules["slowly_imported"]


class Incomplete:
    """What a module is while it is being imported: no name is there yet."""

    class __spec__:  # noqa: N801 - the name that modules have
        _initializing = True


def test_text_is_read_while_another_thread_imports_numpy(monkeypatch):
    monkeypatch.setitem(sys.modules, "numpy", Incomplete)
    assert TextDecoder("file", None, FileEncoding()).decode(b"two\nlines\n") == b"two\nlines\n"


def test_nothing_is_logged_while_another_thread_imports_logging(monkeypatch):
    monkeypatch.setitem(sys.modules, "logging", Incomplete)
    log("debug", __name__, "a message")
