"""Runs a harness under the coverage-guided fuzzer.

    LD_PRELOAD=…/asan_with_fuzzer.so python fuzz/run.py HARNESS [CORPUS…] [-libFuzzer=options]

See fuzz/README.md; `make fuzz-native` does all that is needed.
"""

from __future__ import annotations

import hashlib
import mmap
import os
import shutil
import struct
import sys
import traceback
import warnings
from contextlib import nullcontext
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))

import atheris

#: A file for each harness: executions, and bytes of their inputs.
COUNTS = Path(__file__).resolve().parent.parent / "build" / "fuzz" / "counts"
#: An input and a traceback for each place where something was found.
FINDINGS = COUNTS.parent / "findings"
#: What each harness begins with.
SEEDS = COUNTS.parent / "seeds"
#: Inputs of any length from the start, and less to count: without how rare each feature is and what
#: shorter input has it, a fifth more inputs are tried in the same time.
_OPTIONS = ("-len_control=0", "-entropic=0", "-reduce_inputs=0")
_PAIR = struct.Struct("<QQ")


def _stop(unraisable: sys.UnraisableHookArgs) -> None:
    """An error in a kernel that cannot be raised must not go by unseen."""
    traceback.print_exception(unraisable.exc_value)
    print(f"nobody could catch this: {unraisable.object!r}", file=sys.stderr, flush=True)
    os.abort()


class _Counts:
    """How often a harness was run, and over how many bytes, in all runs together: in a file.

    libFuzzer ends the process without a word to Python, so that nothing can be written then.
    """

    def __init__(self, name: str) -> None:
        path = COUNTS / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.exists():
            path.write_bytes(bytes(_PAIR.size))
        with open(path, "r+b") as file:
            self._map = mmap.mmap(file.fileno(), _PAIR.size)

    def add(self, n_bytes: int) -> None:
        n, total = _PAIR.unpack(self._map)
        _PAIR.pack_into(self._map, 0, n + 1, total + n_bytes)


class _Findings:
    """Keeps the first input for each place where an error came up, so that a run can go on.

    Only with the environment variable TRUECASE_FUZZ_GO_ON; otherwise the first one ends it.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._goes_on = bool(os.environ.get("TRUECASE_FUZZ_GO_ON"))

    def keep(self, data: bytes, error: Exception) -> bool:
        """Whether the run may go on."""
        if not self._goes_on:
            return False
        frames = traceback.extract_tb(error.__traceback__)[-2:]
        place = "|".join(f"{frame.filename}:{frame.lineno}" for frame in frames)
        what = hashlib.sha256(f"{type(error).__name__} {place}".encode()).hexdigest()[:12]
        path = FINDINGS / f"{self._name}-{what}"
        if not path.exists():
            FINDINGS.mkdir(parents=True, exist_ok=True)
            path.write_bytes(data)
            report = "".join(traceback.format_exception(error))
            path.with_suffix(".txt").write_text(report, "utf-8", "backslashreplace")
            print(f"found: {path}: {type(error).__name__}", file=sys.stderr, flush=True)
        return True


def main(name: str | None = None) -> None:
    """Run the harness of a name, or the one that the command line begins with."""
    from harnesses import NAMES, guides_of, harness
    from kept import kept_inputs

    if name is None:
        if len(sys.argv) < 2 or sys.argv[1] not in NAMES:
            sys.exit(f"usage: run.py HARNESS [folder, option of libFuzzer ...]; {', '.join(NAMES)}")
        name = sys.argv.pop(1)
    warnings.simplefilter("ignore")
    counts = _Counts(name)
    guides = guides_of(name)
    # What is imported late is imported for the seeds.
    with atheris.instrument_imports(include=list(guides)) if guides else nullcontext():
        chosen = harness(name)
        seeds = list(chosen.seeds())
        for seed in seeds:
            chosen.check(seed)
    sys.unraisablehook = _stop
    check = chosen.check
    # Texts that a harness makes of its inputs, where it does.
    lengths: list[int] = getattr(chosen, "LENGTHS", [])
    texts = _Counts(f"{name}.text") if hasattr(chosen, "LENGTHS") else None
    findings = _Findings(name)

    def counted(data: bytes) -> None:
        counts.add(len(data))
        lengths.clear()
        try:
            check(data)
            if texts is not None:
                texts.add(sum(lengths))
        except Exception as error:
            if not findings.keep(data, error):
                raise

    # libFuzzer ends the process without a word, and no folder would be cleared away behind it.
    beginning = SEEDS / name
    shutil.rmtree(beginning, ignore_errors=True)
    beginning.mkdir(parents=True)
    for number, seed in enumerate([*seeds, *kept_inputs(name)]):
        (beginning / str(number)).write_bytes(seed)
    # The first folder that libFuzzer is given is where it writes.
    options = [f"-max_len={chosen.MAX_LENGTH}", *_OPTIONS, *sys.argv[1:], str(beginning)]
    atheris.Setup([sys.argv[0], *options], counted)
    atheris.Fuzz()


if __name__ == "__main__":
    main()
