"""What the experiments share: reading texts, the parser, counting wrong words, BLEU, tables."""

import argparse
import re
import sys
from collections.abc import Iterable
from itertools import islice
from pathlib import Path

sys.path.append(str(Path(__file__).parents[1]))

from script import run_script as run_script
from script import save as save

from truecase.base.read import open_text, read_blocks
from truecase.truecaser import Truecaser


def parser_of(
    doc: str, *, texts: str = "TEXT", model: bool = True, json_out: bool = False
) -> argparse.ArgumentParser:
    """A parser whose help is a script's docstring.

    Parameters
    ----------
    doc : str
    texts : str
        Name of the positional arguments, one or more paths as ``args.texts``; none if empty.
    model : bool
        Whether there is ``-m``, ``args.model``, the embedded English model without it.
    json_out : bool
        Whether there is ``--json``, ``args.json``, for `save`.
    """
    parser = argparse.ArgumentParser(
        description=doc, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    if texts:
        parser.add_argument("texts", nargs="+", type=Path, metavar=texts)
    if model:
        parser.add_argument("-m", "--model", help="default: the embedded English model")
    if json_out:
        parser.add_argument("--json", type=Path, metavar="OUT", help="keep the figures")
    return parser


def read_text(path: Path) -> str:
    """A text, plain or compressed."""
    return b"".join(read_blocks([path])).decode("utf-8", "surrogateescape")


def read_lines(path: Path, most: int | None = None) -> list[str]:
    """Lines of a text without their ends; with `most`, so many that are not blank."""
    if most is None:
        lines = read_text(path).split("\n")  # a line ends at a line feed, as for the package
        return lines if lines[-1] else lines[:-1]
    with open_text(str(path)) as file:
        every = (line.decode().rstrip("\r\n") for line in file)
        return list(islice((line for line in every if line.strip()), most))


def without_punctuation(line: str) -> str:
    """The words alone, as a recogniser returns them."""
    return " ".join(re.sub(r"[^\w\s'’-]", " ", line).split())


def wrong_words(model: Truecaser, lines: list[str]) -> dict[tuple[int, int], tuple[str, str]]:
    """By line and place: the right form and the form of each word that comes out wrong."""
    found = {}
    outputs = model.batch([line.lower() for line in lines])
    for number, (line, output) in enumerate(zip(lines, outputs, strict=True)):
        if line != output:
            for place, pair in enumerate(zip(line.split(), output.split(), strict=False)):
                if pair[0] != pair[1]:
                    found[number, place] = pair
    return found


def bleu(lines: list[str], reference: list[str], *, lowercase: bool = False) -> float:
    """BLEU of tokenised text."""
    try:
        from sacrebleu.metrics import BLEU
    except ImportError:
        raise SystemExit("sacrebleu is missing: pip install sacrebleu") from None
    metric = BLEU(tokenize="none", lowercase=lowercase, force=True)
    return float(metric.corpus_score(lines, [reference]).score)


def row(*cells: object) -> None:
    """Print a row of a Markdown table; whole numbers get commas."""
    texts = (f"{cell:,}" if isinstance(cell, int) else str(cell) for cell in cells)
    print(f"| {' | '.join(texts)} |", flush=True)


def header(first: str, *others: str) -> None:
    """Print the head of a table; all columns but the first are numbers."""
    row(first, *others)
    print("|---|" + "---:|" * len(others), flush=True)


def percent(part: float, whole: float) -> float:
    """Share in per cent."""
    return 100 * part / max(whole, 1)


def n_words(lines: Iterable[str]) -> int:
    """Words between white space."""
    return sum(len(line.split()) for line in lines)
