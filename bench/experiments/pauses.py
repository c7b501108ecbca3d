"""What pauses behind words say of marks, and what they gain: on words that have times and marks.

    python bench/experiments/pauses.py MODEL TRANSCRIPT.json...

TRANSCRIPT is one of a recogniser that puts marks and aligns words with the sound, such as
WhisperX: `segments` with `words`, each with `word`, `start` and `end`. Printed are, by the seconds
behind a word, the log-odds of a mark against none, less what they are on average, and F1 of the
marks that are put without pauses and with them; texts end where two seconds or more are silent.
"""

import argparse
import json
import math
from pathlib import Path

import numpy as np
from frame import run_script
from punctuation import ALIKE, f1, row

from truecase import Truecaser

BOUNDS = (0.05, 0.2, 0.3, 0.5, 0.8, 1.2, 2.0, math.inf)
# Seconds after which a text ends.
LONG = 2.0


def read(path: Path) -> tuple[list[str], list[int], list[float]]:
    """Words without marks in lower case, their labels, and the seconds behind them, or NaN."""
    words, labels, pauses = [], [], []
    end = None
    for segment in json.loads(path.read_text(encoding="utf-8"))["segments"]:
        for told in segment.get("words", []):
            word = told["word"].strip()
            bare = word.rstrip(",.?!;:")
            if not bare:
                continue
            if words:
                start = told.get("start")
                pauses.append(math.nan if start is None or end is None else start - end)
            words.append(bare.lower())
            labels.append(max((ALIKE.get(sign, 0) for sign in word[len(bare) :]), default=0))
            end = told.get("end")
    return words, labels, [*pauses, math.nan]


def log_odds(labels: np.ndarray, pauses: np.ndarray) -> None:
    print(f"{'seconds below':>14} {'words':>7} {'ends':>7} {'commas':>7}")
    low = -math.inf
    average = [math.log((labels == 0).sum() / kind.sum()) for kind in (labels >= 2, labels == 1)]
    for high in BOUNDS:
        of_bound = labels[(pauses >= low) & (pauses < high)]
        none = max(0.5, (of_bound == 0).sum())
        odds = [
            math.log(max(0.5, n) / none) + mean
            for n, mean in zip(((of_bound >= 2).sum(), (of_bound == 1).sum()), average, strict=True)
        ]
        print(f"{high:14} {len(of_bound):7,} {odds[0]:7.2f} {odds[1]:7.2f}")
        low = high


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model", metavar="MODEL")
    parser.add_argument("transcript", type=Path, nargs="+")
    given = parser.parse_args()
    model = Truecaser.load(given.model)
    for path in given.transcript:
        words, labels, pauses = read(path)
        print(path.name)
        log_odds(np.array(labels), np.array(pauses))
        cuts = [0, *(i + 1 for i, pause in enumerate(pauses) if pause >= LONG), len(words)]
        spans = [slice(a, b) for a, b in zip(cuts, cuts[1:], strict=False) if a < b]
        texts = [" ".join(words[span]) for span in spans]
        print(f"{'':34} {'words':>9} {'comma':>9} {'full stop':>9} {'question':>9} {'all':>9}")
        for name, seconds in (("words alone", None), ("and pauses", [pauses[s] for s in spans])):
            told = model.missing_marks(texts, pauses=seconds)
            found = np.array([ALIKE.get(behind, 0) for text in told for _, behind in text])
            row(name, f1(found, np.array(labels), np.zeros(4, np.int64)), len(words))


if __name__ == "__main__":
    run_script(main)
