"""Measure the peak memory of decoding, which must not grow with the number of lines.

    python bench/memory.py [--corpus FILE] [--model FILE] [--threads 1 2]

The script runs the command line on a text, and on ten times that text. It prints the peak resident
set of each process, and how much more this is than the size of the model file, and than the peak of
a process that only imports the package and loads the model.
"""

import argparse
import os
import sys
import tempfile
from pathlib import Path

import corpora
from processes import peak_mib
from script import run_script

from truecase.model.embedded import model_file

ONLY_LOAD = "import sys, truecase; truecase.Truecaser.load(sys.argv[1] or None)"
MIB = 1024 * 1024
# Nothing there is called truecase.
HERE = tempfile.gettempdir()


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description="Peak memory of decoding.")
    parser.add_argument("--corpus", type=Path, action="append", default=[])
    parser.add_argument("--megabytes", type=float, default=8)
    parser.add_argument("--model", type=Path)
    parser.add_argument("--threads", type=int, nargs="+", default=[1, 2])
    options = parser.parse_args()
    given = options.corpus or [Path(p) for p in os.environ.get("TRUECASE_CORPORA", "").split()]
    corpus = corpora.read(given, options.megabytes)[0]
    model = options.model or Path(model_file(None))
    size = model.stat().st_size / MIB
    base = peak_mib([sys.executable, "-c", ONLY_LOAD, str(options.model or "")], HERE)
    print(f"text {corpus.label}, model {model.name} {size:.1f} MiB; loaded only: {base:.1f} MiB")
    print(f"{'lines':>12} {'threads':>8} {'peak MiB':>9} {'over model':>11} {'over loaded':>12}")
    with tempfile.TemporaryDirectory() as folder:
        for times in (1, 10):
            text = Path(folder) / "text.txt"
            with text.open("wb") as stream:
                for _ in range(times):
                    stream.write(corpus.lower)
            lines = corpus.lower.count(b"\n") * times
            for threads in options.threads:
                command = [sys.executable, "-m", "truecase", "-i", str(text), "-o", os.devnull]
                command += ["-j", str(threads)]
                command += ["-m", str(options.model)] if options.model else []
                peak = peak_mib(command, HERE)
                figures = f"{peak:>9.1f} {peak - size:>11.1f} {peak - base:>12.1f}"
                print(f"{lines:>12,} {threads:>8} {figures}")


if __name__ == "__main__":
    run_script(main)
