"""Tokenise and align a bitext's parts: what the bilingual experiments run on.

    python bench/experiments/prepare_bitext.py DATA OUT [--folders en-fr-it zh-en-news ...]

DATA has folders named SOURCE-TARGET or SOURCE-TARGET-DOMAIN with texts PART.LANGUAGE.txt, plain or
compressed, the same number of lines on both sides. OUT gets the same folders with PART.LANGUAGE
(tokens between spaces, Chinese one character a token) and PART.align (Pharaoh form, SOURCE first).
All parts are aligned in one go, as word alignments come with training a translation model.
Needs eflomal or sil-thot (in a checkout: pip install '.[align]').
"""

import argparse
import re
import time
from collections.abc import Iterator
from pathlib import Path

from frame import run_script

from truecase.alignment.lines import AlignedLines
from truecase.alignment.link_formats import format_pharaoh
from truecase.alignment.parallel import read_parallel
from truecase.alignment.word_aligner import AlignerOptions, align_bitext, split_tokens
from truecase.base.atomic import atomic_write
from truecase.base.read import read_blocks
from truecase.kernels._segment import count_lines

PARTS = ("train", "dev", "test", "test2")
IDEOGRAPH = re.compile("([\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003ffff])")


def tokenise(block: bytes, language: str) -> bytes:
    """The same lines with one space between tokens."""
    if language == "zh":
        text = block.decode("utf-8", "surrogateescape")
        block = IDEOGRAPH.sub(r" \1 ", text).encode("utf-8", "surrogateescape")
    return split_tokens(block, "raw", language)[0]


def text_of(folder: Path, part: str, language: str) -> Path | None:
    """The text of one part and language, whatever it is compressed with."""
    return next(iter(sorted(folder.glob(f"{part}.{language}.txt*"))), None)


def prepare(folder: Path, out: Path, seed: int | None) -> None:
    """Tokenise and align the parts of one folder."""
    started = time.perf_counter()
    source, target = folder.name.split("-")[:2]
    out.mkdir(parents=True, exist_ok=True)
    parts = [part for part in PARTS if text_of(folder, part, source)]
    for part in parts:
        for language in (source, target):
            path = text_of(folder, part, language)
            if path is None:
                raise SystemExit(f"{folder}: no {part}.{language}.txt beside {part}.{source}.txt")
            with atomic_write(out / f"{part}.{language}") as file:
                for block in read_blocks([path], ahead=False):
                    file.write(tokenise(block, language))
    n_lines: dict[str, int] = {}

    def blocks() -> Iterator[AlignedLines]:
        for part in parts:
            n_lines[part] = 0
            for block in read_parallel(out / f"{part}.{source}", out / f"{part}.{target}"):
                n_lines[part] += count_lines(block.target)
                yield block

    links = align_bitext(blocks(), AlignerOptions(segmentation="space", seed=seed))
    first = 0
    for part in parts:
        with atomic_write(out / f"{part}.align") as file:
            file.write(format_pharaoh(links.select(first, first + n_lines[part])))
        first += n_lines[part]
    seconds = time.perf_counter() - started
    print(f"{folder.name}: {links.n_lines:,} lines, {links.n_links:,} links, {seconds:.0f} s")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("data", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--folders", nargs="+", help="default: all folders of DATA")
    parser.add_argument("--seed", type=int, help="the same links each time; takes sil-thot")
    args = parser.parse_args()
    for name in args.folders or sorted(path.name for path in args.data.iterdir() if path.is_dir()):
        prepare(args.data / name, args.out / name, args.seed)
    return 0


if __name__ == "__main__":
    run_script(main)
