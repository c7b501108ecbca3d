"""How often ``-l auto`` gives a line to the model of its language, by the length of the line.

    python bench/experiments/languages_apart.py de=dev.de.txt fr=dev.fr.txt ... [--lines 500]

Of each file, of one language and plain or compressed, lines are taken that are spread over it; each
counts as it is, and as one and as three words in sequence out of its middle. All are lowercased.
The models are English and those of the folder `models`, or those that are installed.
"""

import argparse
from collections import Counter
from pathlib import Path

from frame import read_lines, run_script

from truecase import Truecaser
from truecase.kernels._unicode import lower
from truecase.truecaser.multilingual import LanguageIdentifier, installed_languages

ROOT = Path(__file__).parents[2]
LENGTHS = {"sentence": 0, "3 words": 3, "1 word": 1}


def lines_of(path: str, language: str, most: int) -> list[str]:
    """Lowercased lines of three words and more, spread over a file."""
    lines = [line for line in read_lines(Path(path)) if len(line.split()) >= 3]
    step = max(1, len(lines) // most)
    return [lower(line, language) for line in lines[::step][:most]]


def middle(line: str, n: int) -> str:
    """So many words out of the middle of a line; all of it for 0."""
    words = line.split()
    start = (len(words) - n) // 2
    return " ".join(words[start : start + n]) if n else line


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("texts", metavar="LANG=FILE", nargs="+")
    parser.add_argument("--lines", metavar="N", type=int, default=500, help="of each, at most")
    arguments = parser.parse_args()
    found = {path.stem: path for path in sorted((ROOT / "models").glob("*/*/*.truecase"))}
    paths = {"en": "en"} | (found or {code: code for code in installed_languages()})
    identifier = LanguageIdentifier({code: Truecaser.load(path) for code, path in paths.items()})
    codes = list(paths)
    right: Counter[str] = Counter()
    sure: Counter[str] = Counter()
    n_lines = 0
    print(f"{len(codes)} languages; of the lines, % right (% decided, % right of these)\n")
    print(f"| language | lines | {' | '.join(LENGTHS)} | taken most for |")
    print(f"|---|---:|{'---:|' * len(LENGTHS)}---|")
    for given in arguments.texts:
        code, _, path = given.partition("=")
        lines = lines_of(path, code, arguments.lines)
        own = codes.index(code)
        cells = []
        others: Counter[str] = Counter()
        for name, n in LENGTHS.items():
            told = identifier.identify([middle(line, n) for line in lines])
            is_right = told.best == own
            n_sure = int(told.is_sure.sum())
            cells.append(f"{100 * is_right.mean():.1f}")
            right[name] += int(is_right.sum())
            sure[name] += n_sure
            right[f"{name}, decided"] += int((is_right & told.is_sure).sum())
            others.update(codes[place] for place in told.best[~is_right])
        n_lines += len(lines)
        most = ", ".join(f"{other} {n}" for other, n in others.most_common(2))
        print(f"| {code} | {len(lines):,} | {' | '.join(cells)} | {most} |", flush=True)
    cells = [
        f"{100 * right[name] / n_lines:.1f} ({100 * sure[name] / n_lines:.0f}, "
        f"{100 * right[f'{name}, decided'] / max(1, sure[name]):.1f})"
        for name in LENGTHS
    ]
    print(f"| all | {n_lines:,} | {' | '.join(cells)} | |")


if __name__ == "__main__":
    run_script(main)
