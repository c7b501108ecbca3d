"""Train each language on most of its text and judge on the rest: precision, F1, error by tag.

    python bench/experiments/languages.py FOLDER --languages de fr es ru nl tr
        [--presets ngram crf crf-sparse] [--json OUT]

FOLDER/LANG holds texts (*.txt, plain or compressed). Lines whose checksum is divisible by ten
are held out; the same line never falls on both sides. Nothing but `--language` changes from one
language to the next.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import zlib
from pathlib import Path

from truecase.base.read import read_blocks
from truecase.truecaser import Truecaser

HELD_OUT = 10
TAGS = ("AL", "IU", "AU", "MX")


def split(folder: Path) -> tuple[list[bytes], list[bytes]]:
    """Lines to train on and lines to judge on."""
    files = sorted(path for path in folder.iterdir() if ".txt" in path.suffixes)
    train, held_out = [], []
    for block in read_blocks([str(path) for path in files]):
        for line in block.splitlines():
            (train if zlib.crc32(line) % HELD_OUT else held_out).append(line)
    return train, held_out


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--languages", nargs="+", default=["de", "fr", "es", "ru", "nl", "tr"])
    parser.add_argument("--presets", nargs="+", default=["ngram", "crf", "crf-sparse"])
    parser.add_argument("--json", type=Path, metavar="OUT")
    args = parser.parse_args()
    tags = "".join(f" {'err ' + tag:>7}" for tag in TAGS)
    print(f"{'':3} {'preset':9} {'train':>8} {'test':>7} {'P':>6} {'F1':>6}{tags}")
    results = []
    for language in args.languages:
        train, held_out = split(args.folder / language)
        n_train = sum(len(line.split()) for line in train)
        for preset in args.presets:
            with tempfile.TemporaryDirectory() as folder:
                text, model = Path(folder) / "train.txt", Path(folder) / "m.truecase"
                text.write_bytes(b"\n".join(train) + b"\n")
                subprocess.run(
                    [sys.executable, "-m", "truecase", "train", str(text), "-o", str(model),
                     "--preset", preset, "--language", language],
                    check=True, stderr=subprocess.DEVNULL,
                )  # fmt: skip
                figures = Truecaser.load(model).evaluate(
                    line.decode("utf-8", "replace") for line in held_out
                )
            errors = {
                tag: 100 * row.error_rate for tag, row in figures.by_tag.items() if tag in TAGS
            }
            cells = "".join(f" {errors[tag]:6.2f}%" for tag in TAGS)
            head = f"{language:3} {preset:9} {n_train:8,} {figures.n_words:7,}"
            print(
                f"{head} {100 * figures.accuracy:6.2f} {100 * figures.f1:6.2f}{cells}", flush=True
            )
            results.append({
                "language": language, "preset": preset, "train_words": n_train,
                "test_words": figures.n_words, "precision": 100 * figures.accuracy,
                "f1": 100 * figures.f1, "error_by_tag": errors,
            })  # fmt: skip
    if args.json:
        args.json.write_text(json.dumps(results, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
