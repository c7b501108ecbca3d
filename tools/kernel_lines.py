"""A plugin of coverage.py: which lines of the Cython files ran (make coverage, make fuzz-coverage).

Cython has one, too, which looks for the C code beside its source, and takes the lines of a .pxd
file from the last module that includes it: there, functions that this module does not call are
missing. Here a line can run if any module was given code for it.
"""

from __future__ import annotations

import functools
import re
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from coverage import CoveragePlugin, FileReporter, FileTracer

CHECKOUT = Path(__file__).resolve().parents[1]
#: Where a traced build leaves its C code (setup.py).
TRANSLATED = CHECKOUT / "build" / "trace" / "cython"

_PLACE_OR_LINE = re.compile(r'^\s*/\* "(.*)":\d+$|__Pyx_TraceLine\((\d+),')


@functools.cache
def _lines_with_code() -> dict[Path, set[int]]:
    """The lines of each Cython file that some module has traced code for."""
    lines: dict[Path, set[int]] = defaultdict(set)
    for translated in TRANSLATED.rglob("*.c"):
        source = CHECKOUT
        with translated.open(encoding="utf-8") as code:
            for text in code:
                found = _PLACE_OR_LINE.search(text)
                if found is None:
                    continue
                if found[1]:
                    source = CHECKOUT / found[1]
                else:
                    lines[source].add(int(found[2]))
    return lines


class CythonTracer(FileTracer):
    """Tells where a file is whose name in the compiled module is that of its build."""

    def __init__(self, source: Path) -> None:
        self.source = source

    def source_filename(self) -> str:
        return str(self.source)


class CythonReporter(FileReporter):
    """Tells which lines of a file can run."""

    def lines(self) -> set[int]:
        return _lines_with_code()[Path(self.filename)]


class KernelLines(CoveragePlugin):
    """Traces and reports the package's .pyx and .pxd files."""

    def file_tracer(self, filename: str) -> CythonTracer | None:
        source = CHECKOUT / filename
        if source.suffix in (".pyx", ".pxd") and source.is_file():
            return CythonTracer(source)
        return None

    def file_reporter(self, filename: str) -> CythonReporter:
        return CythonReporter(filename)

    def find_executable_files(self, src_dir: str) -> Iterable[str]:
        folder = Path(src_dir)
        return [str(path) for path in _lines_with_code() if path.is_relative_to(folder)]


def coverage_init(registry, options: dict[str, str]) -> None:
    registry.add_file_tracer(KernelLines())
