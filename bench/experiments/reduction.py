"""Word errors of the CRF presets beside those of a trigram model of the same text.

    python bench/experiments/reduction.py --train CORPUS... --dev FILE --text NAME=FILE...

Trains the presets ngram, crf and crf-sparse on the same text with the command line (with --dev, crf
learns its weights there, and the last passes of crf-sparse go over it), cases each
text after lowercasing it, and prints the per cent of its words that are wrong, and by how many per
cent that is less than with the trigram. Words are what stands between white space.

--options gives each preset some of its own, as in --options "crf-sparse=--epochs 2"; --dev-for
names the presets that get the development text; --json keeps the figures.
"""

import argparse
import json
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from truecase.base.read import read_blocks
from truecase.evaluation.metrics import Evaluation, evaluate_lines
from truecase.truecaser import Truecaser

PRESETS = ("ngram", "crf", "crf-sparse")


def named(item: str) -> tuple[str, str]:
    """The two sides of NAME=VALUE."""
    name, _, value = item.partition("=")
    return name, value


def train(preset: str, corpus: list[str], dev: str | None, options: str, out: Path) -> Truecaser:
    """A model of a preset, made as a user makes it."""
    command = [
        sys.executable, "-m", "truecase", "train", *corpus, "-o", str(out),
        "--preset", preset, *shlex.split(options),
    ]  # fmt: skip
    if dev is not None:
        command += ["--dev", dev]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return Truecaser.load(out)


def judge(model: Truecaser, path: str) -> Evaluation:
    """Lowercase a text, case it again, compare."""
    lines = b"".join(read_blocks([path])).decode().splitlines()
    return evaluate_lines(lines, model.batch(lines))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--train", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--dev", metavar="FILE")
    parser.add_argument("--dev-for", nargs="*", default=["crf", "crf-sparse"], metavar="PRESET")
    parser.add_argument("--text", nargs="+", required=True, metavar="NAME=FILE")
    parser.add_argument("--options", nargs="+", default=[], metavar="PRESET=OPTIONS")
    parser.add_argument("--json", metavar="FILE")
    args = parser.parse_args()
    options = dict(named(item) for item in args.options)
    texts = dict(named(item) for item in args.text)
    rows = []
    first: dict[str, float] = {}
    print(f"{'preset':9} {'text':12} {'words':>8} {'errors':>8} {'less %':>7} {'F1':>6} {'MB':>6}")
    for preset in PRESETS:
        with tempfile.TemporaryDirectory() as folder:
            out = Path(folder) / "model.truecase"
            dev = args.dev if preset in args.dev_for else None
            model = train(preset, args.train, dev, options.get(preset, ""), out)
            size = out.stat().st_size
        for name, path in texts.items():
            figures = judge(model, path)
            errors = 100 * (1 - figures.accuracy)
            less = 100 * (1 - errors / first.setdefault(name, errors))
            print(
                f"{preset:9} {name:12} {figures.n_words:8,} {errors:8.2f} {less:7.1f}"
                f" {100 * figures.f1:6.2f} {size / 1e6:6.1f}",
                flush=True,
            )
            rows.append({
                "preset": preset, "text": name, "words": figures.n_words,
                "errors": round(errors, 3), "less": round(less, 2),
                "f1": round(100 * figures.f1, 3), "bytes": size,
            })  # fmt: skip
    if args.json:
        Path(args.json).write_text(json.dumps(rows, indent=1) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
