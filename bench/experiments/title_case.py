"""Sentence case to Title Case: words as their authors have them, beside the package titlecase.

    python bench/experiments/title_case.py titles.txt.xz        (needs `pip install titlecase`)

Of the file, a title a line, those are taken that are in Title Case: at least four words, all of
four letters and more with a capital, a shorter one without. They are put into sentence case by
`truecase.sentence_case`, and from there back.
"""

from __future__ import annotations

import argparse
import re
import sys
from pathlib import Path

from titlecase import titlecase
from titles import read_lines

import truecase
from truecase.styles.style_names import TITLE_GUIDES
from truecase.styles.styles import Styler


def is_in_title_case(line):
    words = re.findall(r"[^\W\d_]+", line)
    return (
        len(line.split()) >= 4
        and all(word[0].isupper() for word in words if len(word) >= 4)
        and any(word.islower() for word in line.split() if len(word) < 4)
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", 1)[0])
    parser.add_argument("file", type=Path)
    lines = [line for line in read_lines(parser.parse_args().file) if is_in_title_case(line)]
    cased = truecase.sentence_case(lines)
    block = "\n".join(cased).encode()
    styler = Styler()
    outputs = {
        style: styler.apply(style, block, block).decode().split("\n") for style in TITLE_GUIDES
    }
    outputs["titlecase"] = [titlecase(line) for line in cased]
    words = sum(len(line.split()) for line in lines)
    print(f"{len(lines):,} titles, {words:,} words        titles right  words right")
    for name, output in outputs.items():
        right = sum(a == b for a, b in zip(output, lines, strict=True))
        same = sum(
            a == b
            for one, line in zip(output, lines, strict=True)
            for a, b in zip(one.split(), line.split(), strict=True)
        )
        print(f"{name:32} {100 * right / len(lines):10.1f} {100 * same / words:12.1f}")


if __name__ == "__main__":
    sys.exit(main())
