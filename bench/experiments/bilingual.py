"""The experiments of Wang, Knight & Marcu (2006) on open data: Table 4 and Figure 4.

    python bench/experiments/prepare_bitext.py DATA BITEXTS
    python bench/experiments/bilingual.py table BITEXTS --json OUT.json
        [--tasks en-fr-it:fr ...] [--presets crf-neural bilingual-neural] [--more FILE]
    python bench/experiments/bilingual.py curve BITEXTS --json OUT.json
    python bench/experiments/bilingual.py show --json OUT.json [--svg OUT.svg]

A task is a folder of BITEXTS and, after the colon, the language to be cased. Each run puts what it
finds into OUT.json, in the place of what is there of the same tasks and presets; ``show`` prints
the tables of that file and draws the figure.

Lexicons have every form of the training text (``--min-share 0``). Weights are learned on the
development text, and variants are chosen on it: whether language models know forms seen once
(``--min-count 1``) or take their class for them (2), and, of ngram, whether it has
SmartCase. Test texts are for reporting only. Seconds are of CPU time.
"""

import argparse
import json
import time
from collections.abc import Callable, Iterable, Iterator
from itertools import chain
from pathlib import Path
from typing import Any

from bilingual_page import figure, markdown
from bitexts import BASE, SIGHTS, Judge, Task, pieces
from frame import run_script, save

from truecase.alignment.lines import AlignedLines
from truecase.alignment.word_aligner import split_tokens
from truecase.base.read import read_blocks
from truecase.training.recipe import PRESETS, Recipe
from truecase.training.train import train as train_model
from truecase.truecaser import Truecaser

TASKS = (
    "en-fr-it:fr en-fr-it:en en-fr-debian:fr en-fr-debian:en en-fr-news:fr en-fr-news:en"
    " en-de-it:de en-de-it:en en-de-debian:de en-de-debian:en en-de-news:de en-de-news:en"
    " zh-en-news:en"
).split()
DENSE = ("unigram", "ngram", "bilingual")
NEURAL = ("crf-neural", "bilingual-neural")
SIZES = (60_000, 250_000, 1_000_000)

More = Callable[[], Iterable[bytes]]


def train(
    recipe: Recipe, lines: AlignedLines, dev: AlignedLines, more: More = lambda: ()
) -> Truecaser:
    """A model; `more` is target text for its language model and lexicon."""

    def text() -> Iterator[bytes]:
        return chain([lines.target], more())

    if recipe.source is not None:
        trained = train_model(lambda: pieces(lines), recipe, development=lambda: [dev], more=more)
        return Truecaser(trained.model)
    return Truecaser(train_model(text, recipe).model)


def variants(preset: str) -> Iterator[tuple[str, Recipe]]:
    """The variants of a preset, by name; the development text chooses one."""
    recipe = PRESETS[preset].with_options(BASE)
    yield "", recipe
    if preset in ("ngram", "bilingual"):
        yield "min_count 2", recipe.with_options({"lexicon.min_count": 2})
    if preset == "ngram":
        yield "no SmartCase", recipe.with_options({"lexicon.smartcase": False})
        yield (
            "min_count 2, no SmartCase",
            recipe.with_options({"lexicon.min_count": 2, "lexicon.smartcase": False}),
        )


def systems_of(preset: str) -> list[tuple[str, str]]:
    """What a model of a preset is judged as, and what it sees of the source then."""
    if preset == "bilingual":
        # Its weights without a source are those of the preset crf.
        return [("crf" if seen == "nothing" else preset, seen) for seen in SIGHTS]
    if preset == "bilingual-neural":
        return [("crf-neural" if seen == "nothing" else preset, seen) for seen in SIGHTS]
    return [(preset, "nothing")]


def run_table(args: argparse.Namespace, results: dict[str, Any]) -> Iterator[None]:
    more = _tokenised(args.more, args.megabytes)
    for name in args.tasks:
        task = Task.parse(args.bitexts, name)
        lines, dev, test = (task.read(part) for part in ("train", "dev", "test"))
        on_dev, on_test = Judge(dev, task.target), Judge(test, task.target)
        found = results.setdefault("table", {}).setdefault(
            name if args.more is None else f"{name}+", {}
        )
        found["direction"] = task.direction
        if args.more is not None:
            found["more"] = f"{args.more.name}, {args.megabytes} MB"
        found["train_words"] = int(lines.phrases.n_words) if lines.phrases else 0
        found["dev_words"], found["test_words"] = on_dev.n_words, on_test.n_words
        for preset in args.presets:
            rows = [row for row in found.get("rows", []) if row["preset"] != preset]
            for variant, recipe in variants(preset):
                start = time.process_time()
                model = train(recipe, lines, dev, more)
                seconds = time.process_time() - start
                if args.models is not None:
                    model.save(args.models / _file_name(name, preset, variant))
                for system, seen in systems_of(preset):
                    figures = on_test.evaluate(model, seen)
                    row = {
                        "preset": preset,
                        "system": system,
                        "variant": variant,
                        "seen": seen,
                        "dev_errors": on_dev.errors(model, seen),
                        "test_errors": figures.n_words - figures.n_correct,
                        "precision": round(100 * figures.accuracy, 4),
                        "f1": round(100 * figures.f1, 4),
                        "train_seconds": round(seconds, 1),
                    }
                    rows.append(row)
                    print(f"{name:16}", *list(row.values())[1:], sep="\t", flush=True)
            found["rows"] = rows
            yield


def _file_name(*parts: str) -> str:
    name = "-".join(part for part in parts if part)
    return f"{name.replace(':', '-').replace(', ', '-').replace(' ', '-')}.truecase"


def _tokenised(path: Path | None, megabytes: int) -> More:
    """The first megabytes of a text, tokens between spaces as in the bitexts."""

    def blocks() -> Iterator[bytes]:
        if path is None:
            return
        left = 1_000_000 * megabytes
        for block in read_blocks([str(path)], ahead=False):
            if left <= 0:
                return
            left -= len(block)
            yield split_tokens(block)[0]

    return blocks


def run_curve(args: argparse.Namespace, results: dict[str, Any]) -> Iterator[None]:
    task = Task.parse(args.bitexts, args.task)
    dev, test = (Judge(task.read(part), task.target) for part in ("dev", "test"))
    curve = results["curve"] = {
        "task": args.task,
        "direction": task.direction,
        "test_words": test.n_words,
        "points": [],
    }
    for size in [*args.words, None]:
        lines = task.read("train", size)
        point: dict[str, Any] = {"words": int(lines.phrases.n_words) if lines.phrases else 0}
        ngram, bilingual = (
            min(
                (train(recipe, lines, dev.lines) for _, recipe in variants(preset)),
                key=lambda model: dev.errors(model, seen),
            )
            for preset, seen in (("ngram", "nothing"), ("bilingual", "phrases"))
        )
        for system, model, seen in (
            ("ngram", ngram, "nothing"),
            ("crf", bilingual, "nothing"),
            ("bilingual", bilingual, "phrases"),
        ):
            point[system] = {
                "dev_errors": dev.errors(model, seen),
                "test_errors": test.errors(model, seen),
            }
        curve["points"].append(point)
        print(point, flush=True)
        yield


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    table = commands.add_parser("table", help="Table 4")
    table.add_argument("--presets", nargs="+", choices=[*DENSE, *NEURAL], default=DENSE)
    table.add_argument("--more", type=Path, metavar="FILE", help="more target text, cased")
    table.add_argument("--megabytes", type=int, default=200, help="that are read of it")
    table.add_argument("--models", type=Path, metavar="FOLDER", help="keep the models")
    curve = commands.add_parser("curve", help="Figure 4")
    curve.add_argument("--task", default="en-fr-it:fr")
    curve.add_argument("--words", nargs="*", type=int, default=SIZES)
    show = commands.add_parser("show", help="print tables, draw the figure")
    show.add_argument("--svg", type=Path)
    table.add_argument("--tasks", nargs="+", default=TASKS)
    for command in (table, curve):
        command.add_argument("bitexts", type=Path)
    for command in (table, curve, show):
        command.add_argument("--json", type=Path, required=True)
    args = parser.parse_args()
    results = json.loads(args.json.read_text(encoding="utf-8")) if args.json.exists() else {}
    if args.command == "show":
        if not results or (args.svg and "curve" not in results):
            parser.error(
                f"{args.json}: nothing of `{'curve' if results else 'table'}` is in it yet"
            )
        print(markdown(results))
        if args.svg is not None:
            args.svg.write_text(figure(results["curve"]), encoding="utf-8")
        return 0
    if args.command == "table" and args.models is not None:
        args.models.mkdir(parents=True, exist_ok=True)
    run = {"table": run_table, "curve": run_curve}[args.command]
    for _ in run(args, results):
        save(args.json, results)
    return 0


if __name__ == "__main__":
    run_script(main)
