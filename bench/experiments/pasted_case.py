"""Training on the output of a translation system (Agbago, Kuhn & Foster 2005, 5).

    python bench/experiments/machine_translation.py all BITEXT WORK --directions fr-en --cases lower
    python bench/experiments/pasted_case.py translate BITEXT WORK --direction fr-en
    python bench/experiments/pasted_case.py compare BITEXT WORK --direction fr-en --json OUT.json

A truecaser learns from well-formed text and cases what a system writes. Portage's authors
suggest to train it on output of the system instead, "whose words have been assigned case ... by
'pasting' onto them case patterns from corresponding words in reference data".

``translate`` translates the training text, each half with a system that is trained on the other
half, with the weights that the system of all text has. ``compare`` pastes: each word of the
output gets the case that it has in the reference, the first word a capital where the reference
begins with one, and words that the reference has not are cased by a `bilingual` model of the
bitext. Then it trains models on references, on pasted output, and on both, each with weights
learned on references and on pasted output of the development text, and prints BLEU of the
system's test output, cased by each, with its alignment of words. --thot-python as for
`machine_translation.py`.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from bitexts import BASE, pieces
from translation_quality import ORACLE, case_as_reference, read_lines, score, table

from truecase.alignment.lines import AlignedLines
from truecase.alignment.link_formats import parse_pharaoh
from truecase.text._words import count_words
from truecase.training.recipe import PRESETS
from truecase.training.train import train
from truecase.truecaser import Truecaser

FOLDS = 2
PRESET_NAMES = ["ngram", "crf-sparse", "bilingual", "bilingual-sparse"]


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("step", choices=["translate", "compare"])
    parser.add_argument("bitext", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--direction", required=True, metavar="fr-en")
    parser.add_argument("--presets", nargs="+", default=PRESET_NAMES)
    parser.add_argument("--samples", type=int, default=1000, help="of the bootstrap")
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--thot-python", default=os.environ.get("THOT_PYTHON", sys.executable))
    args = parser.parse_args()
    if args.step == "translate":
        translate(args)
    else:
        compare(args)
    return 0


# --- the training text, translated --------------------------------------------------------------


def translate(args: argparse.Namespace) -> None:
    """Leave train.out and train.out.align in the system's folder: a translation of each line."""
    languages = args.bitext.name.split("-")[:2]
    system = args.work / args.direction / "lower"
    for fold in range(FOLDS):
        bitext = args.work / f"fold{fold}" / args.bitext.name
        bitext.mkdir(parents=True, exist_ok=True)
        for ending in (*languages, "align"):
            lines = (args.bitext / f"train.{ending}").read_bytes().splitlines(keepends=True)
            inside = [line for i, line in enumerate(lines) if i % FOLDS == fold]
            outside = [line for i, line in enumerate(lines) if i % FOLDS != fold]
            (bitext / f"train.{ending}").write_bytes(b"".join(outside))
            (bitext / f"test.{ending}").write_bytes(b"".join(inside))
            shutil.copyfile(args.bitext / f"dev.{ending}", bitext / f"dev.{ending}")
        own = args.work / f"fold{fold}" / args.direction / "lower"
        for step in ("prepare", "lexicon", "train", "translate"):
            if step == "translate":
                shutil.copyfile(system / "weights.json", own / "weights.json")
            command = [sys.executable, str(Path(__file__).with_name("machine_translation.py"))]
            command += [step, str(bitext), str(bitext.parent), "--directions", args.direction]
            command += ["--cases", "lower", "--sets", "test", "--thot-python", args.thot_python]
            subprocess.run(command, check=True)
    for ending in ("out", "align"):
        folds = [
            read_lines(args.work / f"fold{fold}" / args.direction / "lower" / f"test.{ending}")
            for fold in range(FOLDS)
        ]
        n = sum(map(len, folds))
        lines = [folds[i % FOLDS][i // FOLDS] for i in range(n)]
        (system / f"train.out{'.align' if ending == 'align' else ''}").write_text(
            "".join(f"{line}\n" for line in lines), encoding="utf-8"
        )


# --- models of it -------------------------------------------------------------------------------


def aligned(target: list[str], source: list[str], links: list[str]) -> AlignedLines:
    """Lines with their sources, the links those of source and target."""
    texts = ["".join(f"{line}\n" for line in lines).encode() for lines in (target, source, links)]
    phrases = parse_pharaoh(texts[2], count_words(texts[1]), count_words(texts[0]))
    return AlignedLines(texts[0], texts[1], phrases)


def learns_weights(preset: str) -> bool:
    """Whether models of a preset learn from a development text."""
    return PRESETS[preset].dense is not None or PRESETS[preset].sparse is not None


def learned(preset: str, text: AlignedLines, development: AlignedLines) -> Truecaser:
    """A model of a preset as `bilingual.py` trains it."""
    recipe = PRESETS[preset].with_options(BASE)
    if recipe.sparse is not None:
        recipe = recipe.with_options({"sparse.epochs": 2, "lexicon.smartcase": False})
    if recipe.source is None:
        targets = (lambda: [development.target]) if learns_weights(preset) else None
        return Truecaser(train(lambda: [text.target], recipe, development=targets).model)
    done = train(lambda: pieces(text), recipe, development=lambda: [development])
    return Truecaser(done.model)


def compare(args: argparse.Namespace) -> None:
    """Print BLEU by what models learned from."""
    source, target = args.direction.split("-")
    turned = args.bitext.name.startswith(f"{target}-")
    system = args.work / args.direction / "lower"
    texts: dict[str, dict[str, AlignedLines]] = {}
    for part in ("train", "dev"):
        sources, references = (
            read_lines(args.bitext / f"{part}.{language}") for language in (source, target)
        )
        links = read_lines(args.bitext / f"{part}.align")
        if turned:
            links = [
                " ".join("-".join(reversed(link.split("-"))) for link in line.split())
                for line in links
            ]
        outputs = read_lines(system / f"{part}.out")
        of_outputs = read_lines(system / ("train.out.align" if part == "train" else "dev.align"))
        texts[part] = {
            "references": aligned(references, sources, links),
            "lowercased output": aligned(outputs, sources, of_outputs),
        }
    first = learned("bilingual", texts["train"]["references"], texts["dev"]["references"])
    for part, found in texts.items():
        pasted = paste(first, found["lowercased output"], found["references"])
        found["pasted output"] = pasted
        found["both"] = AlignedLines.join([found["references"], pasted])
        print(f"# {part}: {share_pasted(pasted, found['references']):.1%} of words pasted")

    lines, reference, test_source, links = (
        read_lines(system / f"test.{name}") for name in ("out", "reference", "source", "align")
    )
    rows = {"lowercased": lines}
    baseline = ""
    for preset in args.presets:
        for of_text in ("references", "pasted output", "both"):
            for of_weights in ("references", "pasted output"):
                if not learns_weights(preset) and of_weights != "references":
                    continue
                model = learned(preset, texts["train"][of_text], texts["dev"][of_weights])
                name = f"{preset}: {of_text}"
                if learns_weights(preset):
                    name += f"; weights: {of_weights}"
                baseline = baseline or name
                if PRESETS[preset].source is None:
                    rows[name] = model.batch(lines)
                else:
                    rows[name] = model.batch(lines, source=test_source, alignment=links)
                print(f"# {name}", flush=True)
    otherwise = rows[baseline]
    rows[ORACLE] = [
        case_as_reference(*texts) for texts in zip(lines, reference, otherwise, strict=True)
    ]
    figures = score(rows, reference, baseline, args.samples)
    print(table(figures, baseline, f"{args.bitext.name} {args.direction}"))
    if args.json:
        args.json.write_text(json.dumps({"baseline": baseline, "rows": figures}, indent=1) + "\n")


def paste(model: Truecaser, output: AlignedLines, reference: AlignedLines) -> AlignedLines:
    """The output with the case of the reference, and of the model where that has not the word."""
    cased = model.case_block(output.target, source=output.source, phrases=output.phrases)
    lines = (text.decode().split("\n")[:-1] for text in (output.target, reference.target, cased))
    pasted = [case_as_reference(*texts) for texts in zip(*lines, strict=True)]
    text = "".join(f"{line}\n" for line in pasted).encode()
    return AlignedLines(text, output.source, output.phrases)


def share_pasted(output: AlignedLines, reference: AlignedLines) -> float:
    """The share of the output's words that the reference has."""
    n = found = 0
    for line, other in zip(output.target.splitlines(), reference.target.splitlines(), strict=True):
        there = set(other.lower().split())
        words = line.lower().split()
        n += len(words)
        found += sum(word in there for word in words)
    return found / n


if __name__ == "__main__":
    sys.exit(main())
