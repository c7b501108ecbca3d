"""Kinds of text that marks are learned from: millions of words of each, and F1 on labelled words.

    python bench/experiments/kinds_of_marks.py MODEL dev2012.tsv.xz
        --kind podcasts=changelog.txt --kind paragraphs=paragraphs.txt.xz ...
        --mix podcasts=2.5,paragraphs=2.5 --mix podcasts=5 ... [--passes 2] [--pairs 262144]

Of each kind, blocks of 100 lines are taken, spread over its file. Each mixture gives MODEL its
marks; F1 is that of the offsets that are best on the labelled words (`punctuation.py --offsets`),
so these choose, and other words are for reporting.
"""

import argparse
from collections.abc import Iterator
from pathlib import Path

from frame import read_lines, run_script
from punctuation import best_offsets

from truecase import Truecaser
from truecase.training.punctuation import train_marks
from truecase.training.recipe import MarksRecipe

_LINES = 100


def part_of(path: Path, n_words: float) -> Iterator[bytes]:
    """Blocks spread over a file, of about so many words; all of it if it has no more."""
    lines = read_lines(path)
    blocks = [lines[first : first + _LINES] for first in range(0, len(lines), _LINES)]
    sizes = [sum(len(line.split()) for line in block) for block in blocks]
    share = min(1.0, n_words / max(1, sum(sizes)))
    due, taken = 0.0, 0
    for block, size in zip(blocks, sizes, strict=True):
        due += size * share
        if taken + size / 2 <= due:
            yield ("\n".join(block) + "\n").encode()
            taken += size


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("words", metavar="WORDS", type=Path)
    parser.add_argument("--kind", metavar="NAME=FILE", action="append", default=[])
    parser.add_argument("--mix", metavar="NAME=MILLIONS,...", action="append", default=[])
    parser.add_argument("--passes", type=int, default=2)
    parser.add_argument("--pairs", type=int, default=MarksRecipe.n_pairs)
    given = parser.parse_args()
    model = Truecaser.load(given.model).model
    kinds = {name: Path(path) for name, _, path in (one.partition("=") for one in given.kind)}
    for mix in given.mix:
        parts = {
            kinds[name]: 1e6 * float(millions)
            for name, _, millions in (part.partition("=") for part in mix.split(","))
        }

        def text(parts: dict[Path, float] = parts) -> Iterator[bytes]:
            for path, n_words in parts.items():
                yield from part_of(path, n_words)

        learned = train_marks(model, text, MarksRecipe(passes=given.passes, n_pairs=given.pairs))
        f1, none, comma = best_offsets(Truecaser(learned), given.words)
        n_words = learned.notes["marks"]["words"]
        print(f"{mix}: {n_words:,} words; F1 {f1:.1f} with {none} for none, {comma} for commas")


if __name__ == "__main__":
    run_script(main)
