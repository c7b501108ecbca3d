"""Compare casing by sentences that run over cues with casing each line by itself.

    python bench/experiments/subtitles.py FILE... [-m MODEL] [--lines 2000] [--width 42]

A file is subtitles (.srt, .vtt, .ass, as they are), or cased text with a sentence a line, whose
first `--lines` lines are cut into cues of two lines of at most `--width` characters, each sentence
beginning a cue; cues follow each other at 0.1 s, and at 3 s every tenth sentence. The file's case
is taken away; then it is cased as a file, and each line of its texts by itself. F1 is that of
`truecase evaluate`, over the words of the cues.
"""

import textwrap
from pathlib import Path

from frame import header, parser_of, read_lines, read_text, row, run_script

from truecase.evaluation.metrics import evaluate_lines
from truecase.formats.file_caser import FileCaser
from truecase.formats.registry import read_document
from truecase.kernels._unicode import lower
from truecase.truecaser import Truecaser

SUBTITLES = (".srt", ".vtt", ".ass", ".ssa")


def stamp(seconds: float) -> str:
    """A time as SubRip has it."""
    milliseconds = round(seconds * 1000)
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes // 60:02}:{minutes % 60:02}:{rest // 1000:02},{rest % 1000:03}"


def recut(path: Path, n_lines: int, width: int) -> str:
    """Sentences as a file of SubRip."""
    cues: list[str] = []
    time = 1.0
    for i, line in enumerate(read_lines(path, n_lines)):
        text = " ".join(line.split())
        rows = textwrap.wrap(text, width, break_long_words=False, break_on_hyphens=False)
        for j in range(0, len(rows), 2):
            cue = "\n".join(rows[j : j + 2])
            cues.append(f"{len(cues) + 1}\n{stamp(time)} --> {stamp(time + 2)}\n{cue}\n")
            time += 2.1
        time += 3.0 if i % 10 == 9 else 0.0
    return "\n".join(cues)


def lines_of(text: str) -> list[str]:
    """Lines of a file with letters in them."""
    return [line for line in text.splitlines() if any(map(str.isalpha, line))]


def main() -> None:
    parser = parser_of(__doc__, texts="FILE")
    parser.add_argument("--lines", type=int, default=2000)
    parser.add_argument("--width", type=int, default=42)
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    header("file", "words", "by line", "by file")
    for path in args.texts:
        if path.suffix in SUBTITLES:
            cased, name = read_text(path).removeprefix("\ufeff"), path.name
        else:
            cased, name = recut(path, args.lines, args.width), "recut.srt"
        lowered = lower(cased)
        by_file = b"".join(FileCaser(read_document(lowered.encode(), name), model).output())
        by_line = model("\n".join(lines_of(lowered))).split("\n")
        wanted = lines_of(cased)
        results = [
            evaluate_lines(wanted, by_line),
            evaluate_lines(wanted, lines_of(by_file.decode())),
        ]
        row(path.name, results[0].n_words, *(f"{100 * result.f1:.2f}" for result in results))


if __name__ == "__main__":
    run_script(main)
