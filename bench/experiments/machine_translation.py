"""Translations of real text to truecase (WKM 2006, 6; Zollmann et al. 2006, Table 4).

    python bench/experiments/machine_translation.py all BITEXT WORK --thot-python PYTHON
    python bench/experiments/machine_translation.py translate BITEXT WORK --directions en-fr

BITEXT holds ``train``, ``dev`` and ``test`` in two languages, ``train.en`` ..., tokenised and
one sentence a line, and ``train.align`` in Pharaoh form, first language of the folder's name
(``en-fr-it``: links ``en-fr``); `prepare_bitext.py` makes such folders. A phrase-based system
(`thot_system.py`) is trained for each direction and each way of treating case:

lower   TrainLowerCase: both sides lowercased; a truecaser restores the case of the output
true    TrainTrueCase: text as it is
smart   SmartCase: first words of sentences lowercased if they mostly are within sentences

Steps, each of which can be run again by itself: ``prepare`` (texts by case), ``lexicon`` (word
translation models), ``train``, ``tune`` (weights, on dev), ``translate`` (dev and test), ``all``.

Left in WORK/en-fr/lower for truecasers and `translation_quality.py`: ``test.source`` (cased),
``test.reference`` (cased), ``test.out`` (the translation), ``test.align`` (its word alignment,
Pharaoh), ``test.trace`` (its phrases, as Moses writes them with -t, with word alignments).

``test.capitalized`` is the translation with the first words of sentences capitalised, as both
papers do; ``test.like-source`` only where the source begins with a capital: many segments of
software and manuals are no sentences.

PYTHON (or the environment variable THOT_PYTHON) has `sil-thot`; without it, this
interpreter. --pairs takes only the first so many sentence pairs for translation
(the language models have all).
"""

import argparse
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from frame import parser_of, run_script

from truecase.rules.smartcase import capitalizer, count_forms, normalizer

SETS = ("train", "dev", "test")
STEPS = ("prepare", "lexicon", "train", "tune", "translate")
CASES = ("lower", "true", "smart")


def main() -> int:
    parser = parser_of(__doc__, texts="", model=False)
    parser.add_argument("step", choices=[*STEPS, "all"])
    parser.add_argument("bitext", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--languages", metavar="en-fr", help="default: from the folder's name")
    parser.add_argument("--directions", nargs="+", metavar="en-fr", help="default: both")
    parser.add_argument("--cases", nargs="+", choices=CASES, default=list(CASES))
    parser.add_argument("--pairs", type=int, help="first sentence pairs to learn from")
    parser.add_argument("--sets", nargs="+", choices=SETS[1:], default=SETS[1:])
    parser.add_argument("--lines", type=int, help="lines of dev to tune on")
    parser.add_argument("--rounds", type=int, help="rounds of tuning")
    parser.add_argument("--thot-python", default=os.environ.get("THOT_PYTHON", sys.executable))
    args = parser.parse_args()
    languages = (args.languages or "-".join(args.bitext.name.split("-")[:2])).split("-")
    directions = [
        direction.split("-")
        for direction in args.directions or ["-".join(languages), "-".join(languages[::-1])]
    ]
    for step in STEPS if args.step == "all" else [args.step]:
        if step == "prepare":
            for case in args.cases:
                prepare(args.bitext, args.work / "corpus" / case, languages, case)
            continue
        # each system needs word translations of both directions
        both = [languages, languages[::-1]]
        for case in args.cases:
            for source, target in both if step == "lexicon" else directions:
                run_thot(args, step, case, source, target)
    return 0


# --- texts --------------------------------------------------------------------------------------


def prepare(bitext: Path, corpus: Path, languages: list[str], case: str) -> None:
    """All sets of both languages in one way of treating case."""
    corpus.mkdir(parents=True, exist_ok=True)
    (corpus / "languages").write_text(" ".join(languages) + "\n")
    shutil.copyfile(bitext / "train.align", corpus / "train.align")
    for language in languages:
        convert = converter(case, bitext / f"train.{language}", language)
        for name in SETS:
            text = (bitext / f"{name}.{language}").read_bytes()
            (corpus / f"{name}.{language}").write_bytes(convert(text))


def converter(case: str, train: Path, language: str) -> Callable[[bytes], bytes]:
    """What brings a text into the wanted case."""
    if case == "smart":
        counts = count_forms([train.read_bytes()], "space", language)
        return normalizer(counts, "space", language)
    if case == "lower":
        return lambda text: text.decode("utf-8").lower().encode("utf-8")
    return bytes


# --- the system, in its own interpreter ---------------------------------------------------------


def run_thot(args: argparse.Namespace, step: str, case: str, source: str, target: str) -> None:
    """One step of one system."""
    corpus = args.work / "corpus" / case
    lexica = args.work / "lexica" / case
    system = args.work / f"{source}-{target}" / case
    common = [step, str(corpus), source, target]
    pairs = ["--pairs", str(args.pairs)] if args.pairs else []
    if step == "lexicon":
        call = [*common, str(lexica / f"{source}-{target}"), *pairs]
    elif step == "train":
        call = [*common, str(lexica), str(system), *pairs]
    elif step == "tune":
        # the other systems begin with the weights of the first
        first = args.work / f"{source}-{target}" / CASES[0]
        start = ["--start", str(first)] if system != first else []
        options = [
            part
            for name in ("lines", "rounds")
            if (value := getattr(args, name)) is not None
            for part in (f"--{name}", str(value))
        ]
        call = [*common, str(system), *start, *options]
    else:
        call = [*common, str(system), *args.sets]
        for name in args.sets:
            shutil.copyfile(args.bitext / f"{name}.{source}", system / f"{name}.source")
            shutil.copyfile(args.bitext / f"{name}.{target}", system / f"{name}.reference")
    print(f"{source}-{target} {case}: {step} {time.strftime('%H:%M:%S')}", flush=True)
    script = Path(__file__).with_name("thot_system.py")
    subprocess.run([args.thot_python, str(script), *call], check=True)
    if step == "translate":
        for name in args.sets:
            capitalize(system, name, target)


def capitalize(system: Path, name: str, language: str) -> None:
    """Capitalise first words: of all lines, and of those whose source begins with a capital."""
    raised = capitalizer("space", language)
    lines = (system / f"{name}.out").read_bytes().splitlines(keepends=True)
    sources = (system / f"{name}.source").read_text(encoding="utf-8").split("\n")[:-1]
    capitalized = raised(b"".join(lines)).splitlines(keepends=True)
    like_source = [
        other if next(filter(str.isalpha, source), "").isupper() else line
        for source, line, other in zip(sources, lines, capitalized, strict=True)
    ]
    (system / f"{name}.capitalized").write_bytes(b"".join(capitalized))
    (system / f"{name}.like-source").write_bytes(b"".join(like_source))


if __name__ == "__main__":
    run_script(main)
