"""Token accuracy and F1 of models on texts, as a table: the one of README.

    python bench/experiments/accuracy.py TEXT... [-m NAME=MODEL...] [--json OUT]

Each text is lowercased, cased again and compared; words are what stands between white space, F1
is over those that are not all-lowercase. Without `-m`, the rows are the embedded English model,
its n-grams alone and its lexicon alone.
"""

import argparse
import json
import sys
from pathlib import Path

from truecase.evaluate.metrics import evaluate_lines
from truecase.files.read import read_blocks
from truecase.truecaser import Truecaser


def rows(models: list[str]) -> dict[str, Truecaser]:
    """Models by the name of their row."""
    if models:
        return {name: Truecaser.load(path) for name, _, path in (m.partition("=") for m in models)}
    return {
        "embedded English model": Truecaser.load(),
        "its n-grams alone": Truecaser.load(decode_with="ngram"),
        "its lexicon alone": Truecaser.load(decode_with="unigram"),
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    parser.add_argument("-m", "--model", action="append", default=[], metavar="NAME=MODEL")
    parser.add_argument("--json", type=Path, metavar="OUT")
    args = parser.parse_args()
    texts = {
        Path(path).name: b"".join(read_blocks([path])).decode("utf-8").splitlines()
        for path in args.texts
    }
    found: dict[str, dict[str, dict[str, float]]] = {}
    print(f"| | {' | '.join(texts)} |")
    print(f"|---|{'---:|' * len(texts)}")
    for name, model in rows(args.model).items():
        cells = []
        for text, lines in texts.items():
            judged = evaluate_lines(lines, model.batch([line.lower() for line in lines]))
            accuracy, f1 = 100 * judged.accuracy, 100 * judged.f1
            found.setdefault(name, {})[text] = {"accuracy": accuracy, "f1": f1}
            cells.append(f"{accuracy:.2f} / {f1:.2f}")
        print(f"| {name} | {' | '.join(cells)} |")
    if args.json:
        args.json.write_text(json.dumps({"models": found}, indent=1) + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
