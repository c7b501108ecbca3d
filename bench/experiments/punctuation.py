"""Marks put between words: F1 of each, and of all, on words with labels and on punctuated text.

    python bench/experiments/punctuation.py MODEL --words dev2012.tsv.xz --words test2011.tsv.xz
        [--as-released] [--offsets] [--errors SHARE] [--latency 0 1 2 5 10]
        [--text news.txt ...] [--lines N] [--rounds N] [--apart]

`--words`: a lowercased word a line, a tab, and `O`, `COMMA`, `PERIOD` or `QUESTION`, as the field
has the talks of IWSLT 2011 and 2012. Parts of words (`we`, `'re`) are joined to the word before
them, as they are in other text; a mark that the file has between them counts as missed. All words
are one stream. `--as-released`: also F1 of what `truecase punctuate` writes for the parts as they
are, over all tokens of the file, as others publish it. `--offsets` looks, on the first file, for
the best offsets of no mark and of commas (`truecase train marks --offset`). `--errors`: the same
with errors in such a share of the words. `--latency`: the same by the words that are waited for.

`--text`: cased, punctuated lines of a sentence each. Words with their marks taken off and in lower
case are one stream; F1 of the marks, of case with marks and case put together, and of case alone on
the cut sentences without their marks; with `--latency`, the same of 20,000 words that come one by
one; and words per second of both, in turns on one core.
"""

import argparse
import re
import sys
import time
from pathlib import Path

import numpy as np
import numpy.typing as npt
from frame import read_lines, run_script

from truecase import Truecaser
from truecase.truecaser.punctuation import mark_stream

LABELS = {"O": 0, "COMMA": 1, "PERIOD": 2, "QUESTION": 3}
MARKS = ",.?"
# As the field counts them.
ALIKE = {"!": 2, ";": 2, ":": 1, ",": 1, ".": 2, "?": 3, "…": 2}
# Of a text, that are put through a session.
LIVE_WORDS = 20_000
_OUTSIDE = re.compile(r"^[^\w]*(.*?)[^\w]*$", re.DOTALL)

Labels = npt.NDArray[np.int64]


def read_labelled(path: Path, join: bool = True) -> tuple[list[str], Labels, Labels]:
    """Words, their labels, and how many of each label are within words that were joined."""
    words: list[str] = []
    labels: list[int] = []
    within = np.zeros(4, np.int64)
    for line in read_lines(path):
        word, _, label = line.rstrip("\n").partition("\t")
        if not word:
            continue
        if join and words and (word == "n't" or (len(word) > 1 and word[0] == "'")):
            within[labels[-1]] += 1
            words[-1] += word
            labels[-1] = LABELS[label]
        else:
            words.append(word)
            labels.append(LABELS[label])
    return words, np.array(labels), within


def read_sentences(
    path: Path, n_lines: int, openings: list[str] | None = None
) -> tuple[list[str], list[str], Labels]:
    """Sentences without marks, their words, and the labels behind them.

    `openings` gets the Spanish mark in front of each word, or an empty text.
    """
    sentences, labels = [], []
    lonely = ""
    for line in read_lines(path)[:n_lines]:
        kept = []
        for chunk in line.split():
            word = _OUTSIDE.sub(r"\1", chunk)
            if word:
                kept.append(word)
                if openings is not None:
                    front = [sign for sign in chunk[: chunk.index(word)] if sign in "¿¡"]
                    openings.append(front[-1] if front else lonely)
                lonely = ""
                behind = chunk[chunk.rindex(word[-1]) + 1 :]
            elif labels and kept:
                behind = chunk
                lonely = chunk if chunk in ("¿", "¡") else ""
            else:
                continue
            label = max((ALIKE.get(sign, 0) for sign in behind), default=0)
            if word:
                labels.append(label)
            else:
                labels[-1] = max(labels[-1], label)
        if kept:
            sentences.append(" ".join(kept))
    return sentences, [word for line in sentences for word in line.split()], np.array(labels)


def misheard(words: list[str], labels: Labels, share: float) -> tuple[list[str], Labels]:
    """Words with errors as of recognisers: half are other words, the rest left out or doubled."""
    draw = np.random.default_rng(1)
    kind = draw.random(len(words))
    others = draw.integers(len(words), size=len(words))
    heard: list[str] = []
    marks: list[int] = []
    for i, (word, label) in enumerate(zip(words, labels.tolist(), strict=True)):
        if kind[i] < share / 4 and heard:
            marks[-1] = max(marks[-1], label)
            continue
        if kind[i] < share / 2:
            heard.append(word)
            marks.append(0)
        heard.append(words[others[i]] if share / 2 <= kind[i] < share else word)
        marks.append(label)
    return heard, np.array(marks)


def probabilities(model: Truecaser, words: list[str]) -> npt.NDArray[np.float32]:
    """Of the marks behind each word, whatever stands in front of the next."""
    assert model.model.marks is not None
    assert "".join(model.model.marks.marks) == MARKS, "the experiment is about , . ?"
    stream = mark_stream(model.model, probabilities=True)
    stream.feed(" ".join(words).encode())
    stream.finish()
    shares = stream.take_probabilities()
    return shares.reshape(len(shares), -1, 1 + len(MARKS)).sum(1)


def put(
    model: Truecaser, words: list[str], latency: int | None = None, between: str = " "
) -> Labels:
    """The labels of the marks behind words, or the words of texts, after punctuation."""
    stream = mark_stream(model.model, latency=latency)
    stream.feed(between.join(words).encode())
    stream.finish()
    return np.array([ALIKE.get(word[-1], 0) for word in stream.take_words().decode().split()])


def f1(found: Labels, wanted: Labels, missed: Labels) -> list[float]:
    """Of each mark, and of all together."""
    hits, said, gold = (np.zeros(4, np.int64) for _ in range(3))
    for label in range(1, 4):
        hits[label] = ((found == label) & (wanted == label)).sum()
        said[label] = (found == label).sum()
        gold[label] = (wanted == label).sum() + missed[label]
    each = [200 * h / max(1, s + g) for h, s, g in zip(hits[1:], said[1:], gold[1:], strict=True)]
    return [*each, 200 * hits.sum() / max(1, said.sum() + gold.sum())]


def row(name: str, figures: list[float], n: int) -> None:
    print(f"{name:34} {n:9,} " + " ".join(f"{figure:9.1f}" for figure in figures), flush=True)


def live(model: Truecaser, words: list[str], wanted: Labels, latency: int) -> None:
    """A session that gets the words one by one: marks and case."""
    session = model.session(latency, punctuate=True)
    parts = [session.push(f"{word.lower()} ") for word in words]
    came = "".join([*parts, session.close()]).split()
    found = np.array(
        [ALIKE.get(one[len(word) :], 0) for one, word in zip(came, words, strict=True)]
    )
    bare = " ".join(one[: len(word)] for one, word in zip(came, words, strict=True))
    row(f"  {latency} words later", f1(found, wanted, np.zeros(4, np.int64)), len(words))
    print(f"{'    case':34} F1 {case_f1(bare, ' '.join(words)):.2f}", flush=True)


def best_offsets(model: Truecaser, path: Path) -> tuple[float, float, float]:
    """F1 with what is best added to no mark and to commas, and these two."""
    words, wanted, missed = read_labelled(path)
    logs = np.log(probabilities(model, words) + 1e-30)
    best = (0.0, 0.0, 0.0)
    for none in np.arange(-2, 1.01, 0.1):
        for comma in np.arange(-1, 1.01, 0.1):
            found = (logs + np.array([none, comma, 0, 0])).argmax(1)
            best = max(best, (f1(found, wanted, missed)[-1], round(none, 1), round(comma, 1)))
    return best


def on_text(model: Truecaser, path: Path, n_lines: int, rounds: int) -> None:
    sentences, words, wanted = read_sentences(path, n_lines)
    found = put(model, words)
    row(path.name, f1(found, wanted, np.zeros(4, np.int64)), len(words))
    if model.model.marks is not None and model.model.marks.openings:
        in_front(model, path, n_lines)
    stream = " ".join(words).lower()
    reference = " ".join(words)
    came = model.punctuate(stream)
    bare = " ".join(one[: len(word)] for one, word in zip(came.split(), words, strict=True))
    cut = "\n".join(sentences)
    cased = model.case_block(cut.lower().encode()).decode()
    for name, output, gold in (
        ("  case, marks and case together", bare, reference),
        ("  case, cut sentences, no marks", cased.replace("\n", " "), cut.replace("\n", " ")),
    ):
        print(f"{name:34} F1 {case_f1(output, gold):.2f}", flush=True)
    speeds: dict[str, float] = {}
    one_line = stream.encode()
    lines = cut.lower().encode()
    for _ in range(rounds):
        for name, function in (
            ("case", lambda: model.case_block(lines)),
            ("marks and case", lambda: model.punctuate_block(one_line)),
        ):
            begin = time.process_time()
            function()
            speeds[name] = max(speeds.get(name, 0.0), len(words) / (time.process_time() - begin))
    ratio = speeds["marks and case"] / speeds["case"]
    print(
        f"  words/s: case {speeds['case']:,.0f}, marks and case "
        f"{speeds['marks and case']:,.0f}: {ratio:.2f} times"
    )


def in_front(model: Truecaser, path: Path, n_lines: int) -> None:
    """F1 of the marks in front of words, as `punctuate` puts them."""
    wanted: list[str] = []
    _, words, _ = read_sentences(path, n_lines, wanted)
    told = [before for before, _ in model.missing_marks([" ".join(words).lower()])[0]]
    assert model.model.marks is not None
    for sign in model.model.marks.openings:
        said, gold = told.count(sign), wanted.count(sign)
        hits = sum(a == b == sign for a, b in zip(told, wanted, strict=True))
        f1 = 200 * hits / max(1, said + gold)
        print(f"  {sign} in front of words: F1 {f1:.1f}, {gold:,} of them")


def case_f1(output: str, gold: str) -> float:
    """F1 of words that are not all lower case, as they stand."""
    pairs = list(zip(output.split(), gold.split(), strict=True))
    hits = sum(a == b != b.lower() for a, b in pairs)
    said = sum(a != a.lower() for a, _ in pairs)
    wanted = sum(b != b.lower() for _, b in pairs)
    return 200 * hits / max(1, said + wanted)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("--words", type=Path, action="append", default=[])
    parser.add_argument("--text", type=Path, nargs="+", default=[])
    parser.add_argument("--as-released", action="store_true")
    parser.add_argument("--offsets", action="store_true")
    parser.add_argument("--errors", type=float, default=0.0)
    parser.add_argument("--latency", type=int, nargs="+", default=[])
    parser.add_argument("--lines", type=int, default=sys.maxsize)
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--apart", action="store_true")
    given = parser.parse_args()
    if given.offsets and not given.words:
        parser.error("--offsets: which words? --words is missing")
    model = Truecaser.load(given.model)
    print(f"{'':34} {'words':>9} {'comma':>9} {'full stop':>9} {'question':>9} {'all':>9}")
    for path in given.words:
        words, wanted, missed = read_labelled(path)
        for latency in (None, *given.latency):
            found = put(model, words, latency)
            name = path.name if latency is None else f"  {latency} words later"
            row(name, f1(found, wanted, missed), len(words))
        if given.as_released:
            tokens, labels, none = read_labelled(path, join=False)
            came = model.punctuate(" ".join(tokens)).split()
            pairs = zip(came, tokens, strict=True)
            found = np.array([ALIKE.get(one[len(token) :], 0) for one, token in pairs])
            row("  as released", f1(found, labels, none), len(tokens))
        if given.errors:
            heard, labels = misheard(words, wanted, given.errors)
            found = put(model, heard)
            row(f"  with {given.errors:.0%} of errors", f1(found, labels, missed), len(heard))
    if given.offsets:
        best, none, comma = best_offsets(model, given.words[0])
        print(
            f"best on {given.words[0].name}: F1 {best:.1f} with --offset={none} --offset=,={comma}"
        )
    for path in given.text:
        if given.apart:
            sentences, words, wanted = read_sentences(path, given.lines)
            found = put(model, sentences, between="\n\n")
            row(path.name, f1(found, wanted, np.zeros(4, np.int64)), len(words))
            print(f"  {np.count_nonzero(found != wanted):,} wrong gaps", flush=True)
            continue
        on_text(model, path, given.lines, given.rounds)
        _, words, wanted = read_sentences(path, given.lines)
        for latency in given.latency:
            live(model, words[:LIVE_WORDS], wanted[:LIVE_WORDS], latency)


if __name__ == "__main__":
    run_script(main)
