"""Objects of compiled classes that nobody has filled: an exception, never a crash."""

import subprocess
import sys
from importlib import import_module
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

import truecase

PACKAGE = Path(truecase.__file__).parent
MODULES = sorted(
    "truecase." + path.relative_to(PACKAGE).as_posix().removesuffix(suffix).replace("/", ".")
    for suffix in EXTENSION_SUFFIXES[:1]
    for path in PACKAGE.rglob(f"*{suffix}")
)

#: Run in a process of its own, which a null pointer may end.
PROGRAM = """
import faulthandler, sys, warnings
from importlib import import_module
import numpy as np
faulthandler.enable()
warnings.simplefilter("ignore")
GIVEN = (None, 0, 1, b"", b"a b", "", "a", [], np.zeros(2, np.int32), np.zeros(2, np.float32))
OTHERS = {"__len__", "__iter__", "__next__", "__getitem__", "__contains__", "__enter__", "__repr__"}
n_tried = 0
def tried(what, *given):
    global n_tried
    n_tried += 1
    try:
        found = what(*given)
        if hasattr(found, "__next__"):
            next(found, None)
    except (Exception, SystemExit):
        pass
for name in sys.argv[1:]:
    module = import_module(name)
    for kind in vars(module).values():
        if not isinstance(kind, type) or kind.__module__ != name:
            continue
        for given in ((), *((None,) * n for n in range(1, 5)), (0, 0), (b"", b""), ("", "")):
            try:
                made = kind.__new__(kind, *given)
            except Exception:
                continue
            for attribute in dir(kind):
                if attribute.startswith("__") and attribute not in OTHERS:
                    continue
                print(name, kind.__name__, attribute, flush=True)
                try:
                    found = getattr(made, attribute)
                except Exception:
                    continue
                if not callable(found):
                    continue
                tried(found)
                for value in GIVEN:
                    for n in range(1, 6):
                        tried(found, *(value,) * n)
            del made
print(n_tried)
"""


def test_there_are_modules():
    assert len(MODULES) >= 25
    assert import_module(MODULES[0])


@pytest.mark.parametrize("first", range(2))
def test_no_object_crashes(first):
    chosen = [name for name in MODULES[first::2] if not name.endswith("_testing")]
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, *chosen],
        capture_output=True, text=True, errors="replace", timeout=300, check=False,
    )  # fmt: skip
    last = done.stdout.strip().rpartition("\n")[2]
    assert done.returncode == 0, f"{last}\n{done.stderr[-3000:]}"
    assert int(last) > 100
