"""Portage's comparison on a corpus of one's own (Agbago, Kuhn & Foster 2005, 4 and 5).

    python bench/experiments/portage.py --train CORPUS... --text NAME=FILE... [--dev FILE]
        [--translation NAME=FOLDER...] [--rows REGEX] [--min-count N] [--no-smartcase] [--json OUT]

One row per system, from the unigram baseline over the trigram and Ω to its two variants and
the heuristics; per text the case error rate, its relative reduction over the baseline, F1,
and the error rates of words that should be AU, IU (the paper's FU), AL and MX (MC). Weights
of the variants are fitted to `--dev`, which must be none of the texts. The paper gives first
words of sentences no capital of their own, and takes every form it has seen for known: for
that, `--no-smartcase --min-count 1`; then no row has a rule about first words.

--translation is the paper's Table 1: BLEU of a system's output, lowercased and cased again. A
folder is one that `machine_translation.py` or `submitted_systems.py` leaves. In the last row, lines
that a detector, learned from the training text, takes for titles have a capital in words of more
than four letters, as in the paper.
"""

import argparse
import json
import re
import time
from pathlib import Path

import numpy as np
from frame import bleu as bleu_of
from frame import read_lines, read_text, run_script, save

from truecase.evaluation.metrics import evaluate_lines
from truecase.kernels._components import CaseModels
from truecase.kernels._lexicon import Lexicon
from truecase.training.portage import learn_portage
from truecase.training.recipe import PRESETS, PortageRecipe
from truecase.training.train import train
from truecase.truecaser import Truecaser

TAGS = ("AU", "IU", "AL", "MX")

# Name; options of training; settings of the decoder; whether unknown words stay lowercase.
# Rows of equal options share one training.
PORTAGE = {"preset": "portage"}
CLEAN, BODY = {"filters.clean": True}, {"filters.titles": "drop"}
DETECTOR = {"filters.title_detector": True}
WALK = {"search": "left-to-right"}
ROWS = [
    ("unigram (θ1)", {"preset": "unigram"}, {}, False),
    ("trigram (θ3)", {"preset": "ngram"}, {}, False),
    ("θ3, left to right", PORTAGE, {**WALK, "variant": "interpolated", "lm_share": 1.0}, True),
    ("θ3 Φ, left to right", PORTAGE, WALK, True),
    ("Ω = θ3 Φ Π, left to right", PORTAGE, WALK, False),
    ("Ω, Viterbi", PORTAGE, {"theta": "conditional"}, False),
    ("Ω P(word), Viterbi (disambig)", PORTAGE, {}, False),
    ("λ θ3 + (1 - λ) Φ, left to right", PORTAGE, {**WALK, "variant": "interpolated"}, False),
    ("λ θ3 + (1 - λ) Φ, Viterbi", PORTAGE, {"variant": "interpolated"}, False),
    ("θ3^α Φ^β, left to right", PORTAGE, {**WALK, "variant": "powers"}, False),
    ("θ3^α Φ^β, Viterbi", PORTAGE, {"variant": "powers"}, False),
    ("disambig, hyphenated by parts", PORTAGE, {"parts_bonus_ln": 8.0}, False),
    ("disambig, clean text", {**PORTAGE, **CLEAN}, {}, False),
    ("disambig, body only", {**PORTAGE, **BODY}, {}, False),
    ("disambig, clean and body only", {**PORTAGE, **CLEAN, **BODY}, {}, False),
    ("Ω, clean and body only", {**PORTAGE, **CLEAN, **BODY}, WALK, False),
    ("Ω, clean, body only, titles", {**PORTAGE, **CLEAN, **BODY, **DETECTOR},
     {**WALK, "style": "auto-long-words"}, False),
]  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--train", nargs="+", required=True, metavar="FILE")
    parser.add_argument("--text", nargs="+", required=True, metavar="NAME=FILE")
    parser.add_argument("--translation", nargs="+", default=[], metavar="NAME=FOLDER")
    parser.add_argument("--dev", metavar="FILE")
    parser.add_argument("--rows", default=".", metavar="REGEX")
    parser.add_argument("--min-count", type=int, default=2)
    parser.add_argument("--no-smartcase", dest="smartcase", action="store_false")
    parser.add_argument("--json", type=Path, metavar="OUT")
    args = parser.parse_args()
    texts = {}
    for item in args.text:
        name, path = item.split("=", 1)
        texts[name] = read_lines(path)
    translations = {}
    for item in args.translation:
        name, folder = item.split("=", 1)
        found = (read_lines(Path(folder) / f"test.{part}") for part in ("out", "reference"))
        translations[name] = tuple(found)
    dev = read_text(args.dev).encode("utf-8", "surrogateescape") if args.dev else None
    base = {"lexicon.min_count": args.min_count, "lexicon.smartcase": args.smartcase}

    heading = "".join(
        f"  {name + ' err':>12} {'red':>5} {'F1':>6} " + " ".join(f"{tag:>5}" for tag in TAGS)
        for name in texts
    )
    heading += "".join(f"  {name + ' BLEU':>12}" for name in translations)
    print(f"{'row':34}{heading}")
    for name, (lines, reference) in translations.items():
        cased, any_case = (bleu_of(lines, reference, lowercase=low) for low in (False, True))
        print(f"# {name}: BLEU {cased:.2f} lowercased, {any_case:.2f} ignoring case")
    trained: dict[str, Truecaser] = {}
    baseline: dict[str, float] = {}
    results = []
    for row, options, settings, lower_unknown in ROWS:
        if not re.search(args.rows, row):
            continue
        key = json.dumps(options, sort_keys=True)
        if key not in trained:
            start = time.perf_counter()
            wanted = {**base, **options}
            recipe = PRESETS[wanted.pop("preset")]
            if recipe.lm is not None:
                wanted["lm.packing.fingerprint_bits"] = 16
            trained[key] = Truecaser(train(args.train, recipe.with_options(wanted)).model)
            seconds = time.perf_counter() - start
            left_out = {
                name: n
                for name, n in trained[key].model.notes["corpus"].items()
                if name.endswith("_lines")
            }
            print(f"# trained {options} in {seconds:.0f} s {left_out or ''}", flush=True)
        if not args.smartcase:
            settings = {**settings, "smartcase": False}
        style = settings.get("style", "sentence")
        settings = {name: value for name, value in settings.items() if name != "style"}
        model = variant_of(trained[key], settings, lower_unknown)
        if dev is not None and "variant" in settings and "lm_share" not in settings:
            component = learn_portage(model.model, dev, PortageRecipe(settings["variant"]))
            model = Truecaser(model.model.replace(portage=component))
        cells, figures = "", {}
        for name, lines in texts.items():
            evaluation = evaluate_lines(lines, model.batch(lines, style=style, input_case="ignore"))
            error = 100 * evaluation.case_error_rate
            baseline.setdefault(name, error)
            by_tag = {tag: 100 * evaluation.by_tag[tag].error_rate for tag in TAGS}
            figures[name] = {
                "case_error_rate": error, "f1": 100 * evaluation.f1, "by_tag": by_tag,
                "reduction": 100 * (1 - error / baseline[name]),
            }  # fmt: skip
            cells += f"  {error:12.2f} {figures[name]['reduction']:5.1f} {100 * evaluation.f1:6.2f}"
            cells += " " + " ".join(f"{by_tag[tag]:5.1f}" for tag in TAGS)
        bleu = {
            name: bleu_of(model.batch(lines, style=style), reference)
            for name, (lines, reference) in translations.items()
        }
        cells += "".join(f"  {value:12.2f}" for value in bleu.values())
        print(f"{row:34}{cells}", flush=True)
        results.append(
            {"row": row, "texts": figures, "bleu": bleu, "settings": settings, "options": options}
        )
    save(args.json, results)
    return 0


def variant_of(model, settings, lower_unknown):
    """The same model decoding in another way."""
    if not settings and not lower_unknown:
        return model
    own, lexicon = model.model.portage, model.model.lexicon
    arrays = {} if own is None else dict(own.arrays)
    if lower_unknown:
        table = np.full((5, 4), -50.0, np.float32)
        table[:, 0] = 0.0
        arrays["unknown_ln"] = table.ravel()
    of_lexicon = {name: value for name, value in settings.items() if name in lexicon.settings}
    of_portage = {name: value for name, value in settings.items() if name not in of_lexicon}
    lexicon = Lexicon(lexicon.arrays, {**lexicon.settings, **of_lexicon})
    if own is not None:
        own = CaseModels(arrays, {**own.settings, **of_portage})
    return Truecaser(model.model.replace(lexicon=lexicon, portage=own))


if __name__ == "__main__":
    run_script(main)
