"""Libraries that align words, measured: CPU time, and whether they link what must be linked.

    python bench/experiments/word_aligners.py SOURCE TARGET [--lines 40000]
        [--aligners eflomal sil-thot fast_align hmm] [--json OUT]

SOURCE and TARGET are tokenised. No alignment by hand is needed: a name of code (a word with a
digit, underscore or inner period, slash or colon) that occurs exactly once in both lines of a pair
is its own translation. Recall is the share of these that are linked, precision the share of the
links of either of their two words that are this one. Each aligner runs in a process of its own;
Python's part of the work (reading, joining both directions) is in the time. fast_align and hmm
are sil-thot's.
"""

import argparse
import itertools
import json
import re
import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from frame import run_script, save

from truecase.alignment.lines import AlignedLines, Phrases
from truecase.alignment.word_aligner import AlignerOptions, align_bitext, import_library

CODE = re.compile(r"[0-9_]|\w[./:]\w")
ITERATIONS = 5
ALIGNERS = ("eflomal", "sil-thot", "fast_align", "hmm")


class OtherModel:
    """A model of sil-thot trained by expectation maximisation, with the face of its eflomal."""

    def __init__(self, thot: Any, name: str) -> None:
        self.models = [thot.FastAlignModel()]
        if name == "hmm":
            first = thot.Ibm1AlignmentModel()
            self.models = [first, thot.HmmAlignmentModel(first)]
        self.scheduled_iterations = 1

    def add_sentence_pair(self, source: list[str], target: list[str], count: int) -> None:
        self.models[0].add_sentence_pair(source, target, count)

    def start_training(self) -> None:
        self.models[-1].emit_training_alignments = True

    def train(self) -> None:
        for model in self.models:
            model.start_training()
            for _ in range(ITERATIONS):
                model.train()
            model.end_training()

    def end_training(self) -> None:
        pass

    def get_training_alignment(self, line: int) -> Any:
        return self.models[-1].get_training_alignment(line)

    def clear(self) -> None:
        self.models = []


class OtherLibrary:
    """sil-thot with another model in eflomal's place."""

    def __init__(self, thot: Any, name: str) -> None:
        self.EflomalAlignmentModel = lambda: OtherModel(thot, name)


def align(aligner: str, source: bytes, target: bytes) -> Phrases:
    """Align lines by one of the aligners."""
    name = "eflomal" if aligner == "eflomal" else "sil-thot"
    library = import_library([name])[1]
    if aligner in ("fast_align", "hmm"):
        library = OtherLibrary(library, aligner)
    # The pipeline asks for a library by name; here it gets the one that is measured.
    pipeline = sys.modules[align_bitext.__module__]
    pipeline.import_library = lambda names: (name, library)
    return align_bitext([AlignedLines(target, source)], AlignerOptions(segmentation="space"))


def head(path: Path, n_lines: int) -> bytes:
    with path.open("rb") as file:
        return b"".join(itertools.islice(file, n_lines))


def certain_links(source: list[str], target: list[str]) -> Iterator[tuple[int, int]]:
    """Names of code that occur once in both lines."""
    in_source, in_target = Counter(source), Counter(target)
    for i, word in enumerate(source):
        if len(word) > 1 and CODE.search(word) and in_source[word] == in_target[word] == 1:
            yield i, target.index(word)


def judge(links: Phrases, source: bytes, target: bytes) -> dict[str, float]:
    n_certain = n_found = n_of_their_words = 0
    texts = [text.decode("utf-8", "replace").lower().split("\n") for text in (source, target)]
    for line, source_line, target_line in zip(links.to_lines(), *texts, strict=False):
        pairs = {(s, t) for t, word in enumerate(line) for s in word}
        for i, j in certain_links(source_line.split(), target_line.split()):
            n_certain += 1
            n_found += (i, j) in pairs
            n_of_their_words += sum(s == i or t == j for s, t in pairs)
    return {
        "certain": n_certain,
        "recall": 100 * n_found / max(n_certain, 1),
        "precision": 100 * n_found / max(n_of_their_words, 1),
        "links_per_target_word": links.n_links / links.n_words,
    }


def measure(aligner: str, source: bytes, target: bytes) -> dict[str, Any]:
    links = align(aligner, source, target)
    seconds, memory = 0.0, 0
    for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN):
        used = resource.getrusage(who)
        seconds += used.ru_utime + used.ru_stime
        memory = max(memory, used.ru_maxrss)
    n_words = len(source.split()) + len(target.split())
    return {
        "aligner": aligner, "words": n_words, "cpu_seconds": seconds,
        "words_per_second": n_words / seconds, "peak_mb": memory / 1024,
        **judge(links, source, target),
    }  # fmt: skip


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", type=Path)
    parser.add_argument("target", type=Path)
    parser.add_argument("--lines", type=int, default=40_000)
    parser.add_argument("--aligners", nargs="+", choices=ALIGNERS, default=ALIGNERS)
    parser.add_argument("--json", type=Path, metavar="OUT")
    parser.add_argument("--one", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.one:
        source, target = head(args.source, args.lines), head(args.target, args.lines)
        print(json.dumps(measure(args.one, source, target)))
        return 0
    results = []
    print(f"{'':10} {'words/s':>8} {'MB':>5} {'recall':>7} {'prec.':>6} {'links/word':>10}")
    for aligner in args.aligners:
        command = [sys.executable, __file__, str(args.source), str(args.target), "--one", aligner]
        done = subprocess.run(
            [*command, "--lines", str(args.lines)], check=True, stdout=subprocess.PIPE
        )
        row = json.loads(done.stdout)
        print(
            f"{aligner:10} {row['words_per_second']:8,.0f} {row['peak_mb']:5.0f} "
            f"{row['recall']:7.2f} {row['precision']:6.2f} {row['links_per_target_word']:10.3f}",
            flush=True,
        )
        results.append(row)
    save(args.json, results)
    return 0


if __name__ == "__main__":
    run_script(main)
