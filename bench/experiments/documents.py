"""What it costs that sentences run over line ends.

    python bench/experiments/documents.py TEXT... [-m MODEL] [--width 40] [--sentences 10]

Each text has a sentence or a heading a line. Lowercased, it is cased by sentence; line by line,
each sentence being filled to a width; and with `--context document`, each sentence a paragraph of
its own, and all of a document together, a blank line after every ten sentences; and together in
lines that are no filled text: pairs of about equal length, as subtitles have them. Then the same
without the marks. Token accuracy / F1 over all words, and over the first two and last two of each
sentence.

With `--latency`, the same documents come word by word, as live captions do (`Truecaser.session`).
"""

import argparse
import re
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from truecase.base.read import read_blocks
from truecase.evaluation.metrics import evaluate_lines
from truecase.truecaser import Truecaser


def figures(sentences: list[str], cased: str) -> str:
    """Figures of all words, and of those at the ends of sentences."""
    words = iter(cased.split())
    outputs = [[next(words) for _ in sentence.split()] for sentence in sentences]
    whole = evaluate_lines(sentences, [" ".join(output) for output in outputs])
    ends = evaluate_lines(
        [" ".join(at_ends(sentence.split())) for sentence in sentences],
        [" ".join(at_ends(output)) for output in outputs],
    )
    return " | ".join(f"{100 * e.accuracy:.2f} / {100 * e.f1:.2f}" for e in (whole, ends))


def at_ends(words: list[str]) -> list[str]:
    """The first two and the last two."""
    return words if len(words) < 5 else [*words[:2], *words[-2:]]


def filled(sentences: list[str], width: int, per_paragraph: int, per_document: int) -> list[str]:
    """Lines of a width at most; a blank one after each document."""
    lines: list[str] = []
    for first in range(0, len(sentences), per_document):
        for at in range(first, min(first + per_document, len(sentences)), per_paragraph):
            end = min(at + per_paragraph, first + per_document)
            lines += textwrap.wrap(
                " ".join(sentences[at:end]), width, break_long_words=False, break_on_hyphens=False
            )
        lines.append("")
    return lines


def balanced(sentences: list[str], width: int, per_document: int) -> list[str]:
    """Lines in pairs of about equal length, a blank one after each document."""
    lines: list[str] = []
    for first in range(0, len(sentences), per_document):
        for pair in textwrap.wrap(
            " ".join(sentences[first : first + per_document]),
            2 * width,
            break_long_words=False,
            break_on_hyphens=False,
        ):
            spaces = [match.start() for match in re.finditer(" ", pair)]
            at = min(spaces, key=lambda place: abs(2 * place - len(pair)), default=len(pair))
            lines += [line for line in (pair[:at], pair[at + 1 :]) if line]
        lines.append("")
    return lines


def without_marks(sentence: str) -> str:
    """The words alone."""
    return " ".join(re.sub(r"[^\w\s'’-]", " ", sentence).split())


def live(model: Truecaser, documents: list[str], latency: int) -> str:
    """Documents that come word by word."""
    session = model.session(latency)
    words = [word for document in documents for word in [*document.split(), "\n\n"]]
    return "".join([session.push(f"{word} ") for word in words]) + session.close()


def by_latency(model: Truecaser, args: argparse.Namespace) -> int:
    """Print figures of sessions."""
    print("| text | latency | all words | ends of sentences |")
    print("|---|---:|---:|---:|")
    for path in args.texts:
        text = b"".join(read_blocks([path])).decode().splitlines()
        sentences = [line for line in text if line.strip()][: args.lines]
        documents = [
            " ".join(sentences[at : at + args.sentences]).lower()
            for at in range(0, len(sentences), args.sentences)
        ]
        for latency in args.latency or (0, 1, 2, 5, 10):
            cased = live(model, documents, latency)
            print(f"| {path.name} | {latency} | {figures(sentences, cased)} |", flush=True)
        whole = "\n".join(model.batch(documents))
        print(f"| {path.name} | all | {figures(sentences, whole)} |")
    return 0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("texts", nargs="+", type=Path, metavar="TEXT")
    parser.add_argument("-m", "--model", help="default: the embedded English model")
    parser.add_argument("--width", type=int, default=40)
    parser.add_argument("--sentences", type=int, default=10, help="of a document")
    parser.add_argument("--lines", type=int, default=3000, help="of each text")
    parser.add_argument(
        "--latency", nargs="*", type=int, metavar="N", help="words; default: 0 1 2 5 10"
    )
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    if args.latency is not None:
        return by_latency(model, args)
    print("| text | lines | all words | ends of sentences |")
    print("|---|---|---:|---:|")
    for path in args.texts:
        text = b"".join(read_blocks([path])).decode().splitlines()
        lines = [line for line in text if line.strip()][: args.lines]
        for name, sentences in (
            (path.name, lines),
            (f"{path.name}, no marks", [s for s in map(without_marks, lines) if s]),
        ):
            lower = [sentence.lower() for sentence in sentences]
            own = filled(lower, args.width, 1, args.sentences)
            together = filled(lower, args.width, args.sentences, args.sentences)
            pairs = balanced(lower, args.width, args.sentences)
            ways: dict[str, tuple[Callable[[list[str]], list[str]], list[str]]] = {
                "sentences": (model.batch, lower),
                "filled, line by line": (model.batch, own),
                "filled, each sentence by itself": (model.document, own),
                "filled, sentences together": (model.document, together),
                "pairs of lines, together": (model.document, pairs),
            }
            for way, (case, given) in ways.items():
                print(f"| {name} | {way} | {figures(sentences, ' '.join(case(given)))} |")
    return 0


if __name__ == "__main__":
    sys.exit(main())
