"""Input in capitals, Title Case and lower case to a translation system, with and without a bridge.

    python bench/experiments/case_bridge.py BITEXT WORK --parts dev
    python bench/experiments/case_bridge.py BITEXT WORK --parts dev test --model MODEL --json OUT

BITEXT is a folder as `prepare_bitext.py` makes it, such as ``en-fr-it``. A phrase-based system
(`thot_system.py`, needs `sil-thot`; sacrebleu for BLEU) is trained on its first --pairs lines as
they are. The lines of a part are put into capitals, Title Case and lower case, and translated

none        as they are; "raised": with the translation then put into the same case
lowercase   in lower case; the translation is put into the same case, without a model
bridge      through `truecase.truecaser`, without the alignment
aligned     through `truecase.truecaser`, with the system's alignment

and compared with the reference in the same case. ``cased`` is the translation of the lines as they
are; "the same, raised" is that translation in the case of the other row: what no bridge can beat
but by luck. Share of the gap: (bridge - none) / (cased - none).
"""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

from frame import bleu as bleu_of
from frame import parser_of, run_script, save
from frame import read_lines as read
from machine_translation import prepare

from truecase import Truecaser
from truecase.kernels._unicode import lower, upper
from truecase.rules.styles import Styler
from truecase.truecaser.bridge import CaseBridge, CaseRecord, Recaser, changed, read_line

STYLES = ("upper", "title", "lower")


def main() -> int:
    parser = parser_of(__doc__, texts="", model=False)
    parser.add_argument("bitext", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--parts", nargs="+", default=["dev"], choices=("dev", "test"))
    parser.add_argument("--pairs", type=int, default=120_000)
    parser.add_argument("--model", help="of the source language; default: the embedded English one")
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    source, target = args.bitext.name.split("-")[:2]
    corpus = args.work / "corpus" / "true"
    if not corpus.exists():
        prepare(args.bitext, corpus, [source, target], "true")
    bridge = CaseBridge(Truecaser.load(args.model) if args.model else None, target_language=target)
    inputs = {
        part: write_inputs(corpus, part, source, bridge, Styler(segmentation="space"))
        for part in args.parts
    }
    names = [name for of_part in inputs.values() for name in of_part]
    translate(args.work, source, target, args.pairs, names)
    figures = {}
    for part in args.parts:
        figures[part] = measure(args.work, corpus, part, source, target, bridge)
        show(part, figures[part])
    save(args.json, figures)
    return 0


def write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# --- input -----------------------------------------------------------------------------------


def recased(
    lines: list[str], style: str, styler: Styler | None = None, language: str = ""
) -> list[str]:
    """Lines as somebody would have written them in another case; addresses and code stay."""
    if style == "cased":
        return lines
    if style == "title":
        if styler is None:
            give = Recaser(language)
            return [give(line, CaseRecord("title")) for line in lines]
        block = "".join(f"{line}\n" for line in lines).encode()
        return styler.apply("title", block, block).decode().split("\n")[:-1]
    mapping = upper if style == "upper" else lower
    return [changed(read_line(line), mapping) for line in lines]


def write_inputs(
    corpus: Path, part: str, source: str, bridge: CaseBridge, styler: Styler
) -> list[str]:
    """The lines of a part in each case, as they are and through the bridge."""
    cased = read(corpus / f"{part}.{source}")
    names = []
    started = time.process_time()
    for style in ("cased", *STYLES):
        lines = recased(cased, style, styler)
        sentences, records = bridge.before(lines)
        n_changed = sum(record.style != "cased" for record in records)
        same = sum(a == b for a, b in zip(sentences, cased, strict=True))
        print(f"# {part} {style}: {n_changed} recased; {same} of {len(cased)} as the original")
        for way, text in (("none", lines), ("bridge", sentences)):
            names.append(f"{part}-{style}-{way}")
            write(corpus / f"{names[-1]}.{source}", text)
        write(corpus / f"{part}-{style}.records", [str(record) for record in records])
    print(f"# before: {time.process_time() - started:.1f} s")
    return names


def translate(work: Path, source: str, target: str, n_pairs: int, names: list[str]) -> None:
    """Train the system and let it translate; anew only what has changed."""
    corpus, lexica = work / "corpus" / "true", work / "lexica" / "true"
    system = work / f"{source}-{target}" / "true"
    texts = {name: (corpus / f"{name}.{source}").read_text(encoding="utf-8") for name in names}
    done = system / "translated.json"
    if done.exists() and json.loads(done.read_text()) == texts:
        return
    script = str(Path(__file__).with_name("thot_system.py"))

    def run(*arguments: str) -> None:
        subprocess.run([sys.executable, script, *arguments], check=True)

    pairs = ["--pairs", str(n_pairs)]
    for one, other in ((source, target), (target, source)):
        prefix = lexica / f"{one}-{other}"
        if not Path(f"{prefix}.fa_lexnd").exists():
            run("lexicon", str(corpus), one, other, str(prefix), *pairs)
    run("train", str(corpus), source, target, str(lexica), str(system), *pairs, "--sets", *names)
    run("translate", str(corpus), source, target, str(system), *names)
    done.write_text(json.dumps(texts))


# --- figures ---------------------------------------------------------------------------------


def measure(
    work: Path, corpus: Path, part: str, source: str, target: str, bridge: CaseBridge
) -> dict[str, dict[str, float]]:
    """BLEU by case of the input and way."""
    system = work / f"{source}-{target}" / "true"
    reference = read(corpus / f"{part}.{target}")

    def bleu(lines: list[str], style: str) -> float:
        return round(bleu_of(lines, recased(reference, style, language=target)), 2)

    def bleu_lower(lines: list[str]) -> float:
        return round(bleu_of(lines, reference, lowercase=True), 2)

    def out(style: str, way: str) -> list[str]:
        return read(system / f"{part}-{style}-{way}.out")

    cased = out("cased", "none")
    figures = {"cased": {"cased": bleu(cased, "cased")}}
    for style in ("cased", *STYLES):
        records = read(corpus / f"{part}-{style}.records")
        sources = read(corpus / f"{part}-{style}-none.{source}")
        translated = out(style, "bridge")
        alignment = read(system / f"{part}-{style}-bridge.align")
        row = figures.setdefault(style, {})
        if style != "cased":
            row["none"] = bleu(out(style, "none"), style)
            row["none, raised"] = bleu(recased(out(style, "none"), style, language=target), style)
            row["lowercase"] = bleu(recased(out("lower", "none"), style, language=target), style)
        row["bridge"] = bleu(bridge.after(translated, records, sources), style)
        row["aligned"] = bleu(bridge.after(translated, records, sources, alignment), style)
        row["none, case ignored"] = bleu_lower(out(style, "none"))
        row["bridge, case ignored"] = bleu_lower(translated)
        row["cased, raised"] = bleu(recased(cased, style, language=target), style)
    return figures


def show(part: str, figures: dict[str, dict[str, float]]) -> None:
    for style, row in figures.items():
        print(part, style, *(f"{name}: {value:.2f}" for name, value in row.items()), sep="\n  ")
        if style == "cased":
            continue
        for way in ("bridge", "aligned"):
            gained = row[way] - row["none"]
            of_cased = gained / (figures["cased"]["cased"] - row["none"])
            of_raised = gained / (row["cased, raised"] - row["none"])
            print(f"  {way}: {of_cased:.1%} of the gap to cased, {of_raised:.1%} to cased, raised")


if __name__ == "__main__":
    run_script(main)
