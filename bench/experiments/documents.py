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
import textwrap
from collections.abc import Callable

from frame import header, parser_of, read_lines, row, run_script, without_punctuation

from truecase.evaluation.metrics import evaluate_lines
from truecase.truecaser import Truecaser


def figures(sentences: list[str], cased: str) -> list[str]:
    """Figures of all words, and of those at the ends of sentences."""
    words = iter(cased.split())
    outputs = [[next(words) for _ in sentence.split()] for sentence in sentences]
    whole = evaluate_lines(sentences, [" ".join(output) for output in outputs])
    ends = evaluate_lines(
        [" ".join(at_ends(sentence.split())) for sentence in sentences],
        [" ".join(at_ends(output)) for output in outputs],
    )
    return [f"{100 * e.accuracy:.2f} / {100 * e.f1:.2f}" for e in (whole, ends)]


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


def live(model: Truecaser, documents: list[str], latency: int) -> str:
    """Documents that come word by word."""
    session = model.session(latency)
    words = [word for document in documents for word in [*document.split(), "\n\n"]]
    return "".join([session.push(f"{word} ") for word in words]) + session.close()


def by_latency(model: Truecaser, args: argparse.Namespace) -> None:
    """Print figures of sessions."""
    header("text", "latency", "all words", "ends of sentences")
    for path in args.texts:
        sentences = read_lines(path, args.lines)
        documents = [
            " ".join(sentences[at : at + args.sentences]).lower()
            for at in range(0, len(sentences), args.sentences)
        ]
        for latency in args.latency or (0, 1, 2, 5, 10):
            row(path.name, latency, *figures(sentences, live(model, documents, latency)))
        row(path.name, "all", *figures(sentences, "\n".join(model.batch(documents))))


def main() -> None:
    parser = parser_of(__doc__)
    parser.add_argument("--width", type=int, default=40)
    parser.add_argument("--sentences", type=int, default=10, help="of a document")
    parser.add_argument("--lines", type=int, default=3000, help="of each text")
    parser.add_argument(
        "--latency", nargs="*", type=int, metavar="N", help="words; default: 0 1 2 5 10"
    )
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    if args.latency is not None:
        by_latency(model, args)
        return
    header("text", "lines", "all words", "ends of sentences")
    for path in args.texts:
        lines = read_lines(path, args.lines)
        bare = [line for line in map(without_punctuation, lines) if line]
        for name, sentences in ((path.name, lines), (f"{path.name}, no marks", bare)):
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
                row(name, way, *figures(sentences, " ".join(case(given))))


if __name__ == "__main__":
    run_script(main)
