"""Translation of text without marks, as speech has none: what is best done with the target's marks.

    python bench/experiments/marks_translation.py DATA/en-de-news WORK --source de --target en
        --model en --thot-python PYTHON [--join 2]

Zollmann et al. (2006, 4.2) take the marks off the source side and shift the end marks of the target
in front of their sentences. A phrase-based system (`thot_system.py`) is trained on tokenised,
lowercased text whose source has no marks, with targets of three kinds:

left      end marks where they are: the system puts them from its phrases and n-grams
shifted   in front of their sentences (`truecase text marks shift`), and shifted back in its output
off       no marks; `truecase punctuate` puts them, and case, into its output

--join has so many lines of a text after each other on a line, as nobody says where sentences of
speech end. BLEU by sacrebleu on tokens, in lower case and with case (of the first two, by
`truecase` of MODEL), and F1 of end marks by their number: pairs that a line of the output and of
the reference have in common.
"""

import argparse
import os
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from frame import bleu, parser_of, run_script
from prepare_bitext import text_of

from truecase import Truecaser
from truecase.alignment.lines import AlignedLines
from truecase.alignment.link_formats import format_pharaoh
from truecase.alignment.word_aligner import AlignerOptions, align_bitext, split_tokens
from truecase.base.read import read_blocks
from truecase.rules.punctuation import shift_back, shift_marks, take_off_marks

PARTS = ("train", "dev", "test")
ENDS = (".", "?", "!")

TARGETS: dict[str, Callable[[str], str]] = {
    "left": str,
    "shifted": shift_marks,
    "off": take_off_marks,
}


def joined_lines(path: Path, n: int) -> list[str]:
    lines = b"".join(read_blocks([path], ahead=False)).decode("utf-8").split("\n")[:-1]
    return [" ".join(lines[i : i + n]) for i in range(0, len(lines), n)]


def tokenised(text: str, language: str) -> str:
    return split_tokens(text.encode(), "raw", language)[0].decode()


def prepare(data: Path, corpus: Path, source: str, target: str, kind: str, n: int) -> None:
    """The parts of one kind, aligned."""
    corpus.mkdir(parents=True, exist_ok=True)
    (corpus / "languages").write_text(f"{source} {target}\n")
    sizes = []
    sides = []
    for part in PARTS:
        texts = []
        for language in (source, target):
            path = text_of(data, part, language)
            assert path is not None, (data, part, language)
            texts.append(tokenised("\n".join(joined_lines(path, n)) + "\n", language).lower())
        texts[0] = take_off_marks(texts[0])
        texts[1] = TARGETS[kind](texts[1])
        for language, text in zip((source, target), texts, strict=True):
            (corpus / f"{part}.{language}").write_text(text, encoding="utf-8")
        sizes.append(texts[0].count("\n"))
        sides.append(AlignedLines(texts[1].encode(), texts[0].encode()))
    links = align_bitext(
        iter(sides), AlignerOptions(segmentation="space", seed=1, sweeps=(4, 4, 8))
    )
    first = 0
    for part, size in zip(PARTS, sizes, strict=True):
        chosen = links.select(first, first + size)
        (corpus / f"{part}.align").write_bytes(format_pharaoh(chosen))
        first += size


def run_system(args: argparse.Namespace, corpus: Path, work: Path) -> None:
    source, target = args.source, args.target
    script = str(Path(__file__).with_name("thot_system.py"))
    lexica, system = work / "lexica", work / "system"
    for step in (
        ["lexicon", str(corpus), source, target, str(lexica / f"{source}-{target}")],
        ["lexicon", str(corpus), target, source, str(lexica / f"{target}-{source}")],
        ["train", str(corpus), source, target, str(lexica), str(system)],
        ["tune", str(corpus), source, target, str(system)],
        ["translate", str(corpus), source, target, str(system), "test"],
    ):
        subprocess.run([args.thot_python, script, *step], check=True)


def marked(lines: list[str], kind: str, model: Truecaser) -> list[str]:
    """The system's output with marks in their places, and case."""
    if kind == "off":
        missing = model.missing_marks(lines)
        lines = [
            " ".join(
                f"{before}{word}{behind}"
                for word, (before, behind) in zip(line.split(), marks, strict=True)
            )
            for line, marks in zip(lines, missing, strict=True)
        ]
    if kind == "shifted":
        lines = [shift_back(line) for line in lines]
    return model.batch(lines)


def end_marks(lines: list[str], references: list[str]) -> float:
    hits = said = wanted = 0
    for line, reference in zip(lines, references, strict=True):
        one, other = (
            Counter(token for token in text.split() if token in ENDS) for text in (line, reference)
        )
        hits += (one & other).total()
        said, wanted = said + one.total(), wanted + other.total()
    return 200 * hits / max(1, said + wanted)


def main() -> int:
    parser = parser_of(__doc__, texts="", model=False)
    parser.add_argument("data", type=Path)
    parser.add_argument("work", type=Path)
    parser.add_argument("--source", required=True)
    parser.add_argument("--target", required=True)
    parser.add_argument("--model", default="en", help="of the target language, with marks")
    parser.add_argument("--join", type=int, default=2)
    parser.add_argument("--thot-python", default=os.environ.get("THOT_PYTHON", sys.executable))
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    path = text_of(args.data, "test", args.target)
    assert path is not None
    reference = tokenised("\n".join(joined_lines(path, args.join)) + "\n", args.target)
    references = reference.split("\n")[:-1]
    print(f"{'end marks':10} {'lowercased':>10} {'with case':>10} {'F1 of ends':>10}", flush=True)
    for kind in TARGETS:
        work = args.work / f"{args.join}-{kind}"
        corpus = work / "corpus"
        output = work / "system" / "test.out"
        if not output.exists():
            print(f"{kind}: {time.strftime('%H:%M:%S')}", file=sys.stderr, flush=True)
            prepare(args.data, corpus, args.source, args.target, kind, args.join)
            run_system(args, corpus, work)
        lines = marked(output.read_text(encoding="utf-8").split("\n")[:-1], kind, model)
        tokens = tokenised("\n".join(lines) + "\n", args.target).split("\n")[:-1]
        lowered, cased = (bleu(tokens, references, lowercase=low) for low in (True, False))
        ends = end_marks(tokens, references)
        print(f"{kind:10} {lowered:10.2f} {cased:10.2f} {ends:10.1f}", flush=True)
    return 0


if __name__ == "__main__":
    run_script(main)
