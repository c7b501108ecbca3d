"""What an option of the sparse learner, or a text more or less, does to text of every kind.

    python bench/experiments/learner.py --train CORPUS... --text KIND:NAME=FILE...
        [--set OPTION=VALUE...] [--unpunctuated KIND:NAME=FILE...] [--keep MODEL] [--json OUT]

Trains one model of the preset crf-sparse and prints its token accuracy on each text, and the mean
of each kind. Texts of --unpunctuated lose their punctuation first, as speech recognition has none.
OPTION is a path in the recipe, such as sparse.alpha.
"""

import argparse
import ast
import json
import re
import sys
from collections import defaultdict
from pathlib import Path

from truecase.evaluation.metrics import evaluate_lines
from truecase.training.recipe import PRESETS
from truecase.truecaser import Truecaser

BASE = {
    "text.language": "en", "lm.order": 3, "lexicon.min_count": 3, "lexicon.min_share": 0.01,
    "max_size": 8_000_000, "sparse.size": 5_000_000, "sparse.folds": 3, "sparse.epochs": 2,
    "sparse.drop_punctuation": 0.3,
}  # fmt: skip

_MARK = re.compile(r"[^\w\s'’-]|(?<!\w)[-'’]|[-'’](?!\w)")


def unpunctuated(line: str) -> str:
    """A line without marks, but for those inside words."""
    return " ".join(_MARK.sub(" ", line).split())


def named(argument: str) -> tuple[str, str, Path]:
    """Kind, name and file of a text."""
    name, _, file = argument.partition("=")
    kind, colon, name = name.partition(":")
    if not colon or not file:
        raise argparse.ArgumentTypeError(f"expected KIND:NAME=FILE, not {argument!r}")
    return kind, name, Path(file)


def option(argument: str) -> tuple[str, object]:
    """An option of the recipe and its value."""
    name, _, value = argument.partition("=")
    try:
        return name, ast.literal_eval(value)
    except (ValueError, SyntaxError):
        return name, value


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--train", required=True, nargs="+", metavar="FILE")
    parser.add_argument("--text", required=True, nargs="+", type=named, metavar="KIND:NAME=FILE")
    parser.add_argument("--unpunctuated", nargs="+", type=named, default=[], metavar="…")
    parser.add_argument("--set", nargs="+", type=option, default=[], metavar="OPTION=VALUE")
    parser.add_argument("--keep", metavar="MODEL", help="where the model is written")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("-j", "--threads", type=int, default=1)
    args = parser.parse_args()
    options = {**BASE, **dict(args.set)}
    recipe = PRESETS["crf-sparse"].with_options(options)
    truecaser = Truecaser.train(args.train, recipe, threads=args.threads)
    if args.keep:
        truecaser.save(args.keep)
    found, kinds = {}, defaultdict(list)
    for (kind, name, path), bare in [
        *((text, False) for text in args.text),
        *((text, True) for text in args.unpunctuated),
    ]:
        lines = path.read_text(encoding="utf-8").splitlines()
        if bare:
            lines = [unpunctuated(line) for line in lines]
        figures = evaluate_lines(lines, truecaser.batch(line.lower() for line in lines))
        found[name] = {"kind": kind, "accuracy": figures.accuracy, "f1": figures.f1}
        kinds[kind].append(figures.accuracy)
        print(f"{kind:12} {name:16} {100 * figures.accuracy:6.2f} / {100 * figures.f1:.2f}")
    for kind, shares in kinds.items():
        print(
            f"{kind:12} {'mean of ' + str(len(shares)):16} {100 * sum(shares) / len(shares):7.3f}"
        )
    if args.json:
        args.json.write_text(json.dumps({"options": options, "texts": found}, indent=1))
    return 0


if __name__ == "__main__":
    sys.exit(main())
