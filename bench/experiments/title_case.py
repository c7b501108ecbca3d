"""Sentence case to Title Case: words as their authors have them, beside the package titlecase.

    python bench/experiments/title_case.py titles.txt.xz        (needs `pip install titlecase`)

Of the file, a title a line, those are taken that are in Title Case: at least four words, all of
four letters and more with a capital, a shorter one without. They are put into sentence case by
`truecase.sentence_case`, and from there back.
"""

import re

from frame import header, parser_of, percent, read_lines, row, run_script
from titlecase import titlecase

from truecase import sentence_case
from truecase.rules.styles import TITLE_GUIDES, Styler


def is_in_title_case(line):
    words = re.findall(r"[^\W\d_]+", line)
    return (
        len(line.split()) >= 4
        and all(word[0].isupper() for word in words if len(word) >= 4)
        and any(word.islower() for word in line.split() if len(word) < 4)
    )


def main() -> None:
    parser = parser_of(__doc__, model=False)
    texts = parser.parse_args().texts
    lines = [line for path in texts for line in read_lines(path) if is_in_title_case(line)]
    if not lines:
        parser.error("there is no line in Title Case")
    cased = sentence_case(lines)
    block = "\n".join(cased).encode()
    styler = Styler()
    outputs = {
        style: styler.apply(style, block, block).decode().split("\n") for style in TITLE_GUIDES
    }
    outputs["titlecase"] = [titlecase(line) for line in cased]
    words = " ".join(lines).split()
    header("style", f"right of {len(lines):,} titles", f"of {len(words):,} words")
    for name, output in outputs.items():
        right = sum(a == b for a, b in zip(output, lines, strict=True))
        same = sum(a == b for a, b in zip(" ".join(output).split(), words, strict=True))
        row(name, f"{percent(right, len(lines)):.1f}", f"{percent(same, len(words)):.1f}")


if __name__ == "__main__":
    run_script(main)
