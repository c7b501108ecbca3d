"""Count the words that agreement on the forms of a text's unknown words mends and breaks.

    python bench/experiments/agreed_names.py TEXT... [-m MODEL] [--lines 3000]

Each text has a sentence a line, in the order of its documents. Errors are wrong words between white
space.
"""

from frame import header, parser_of, read_lines, row, run_script

from truecase.kernels._unicode import lower
from truecase.truecaser import Truecaser
from truecase.truecaser.agreed_names import with_agreed_names


def main() -> None:
    """Print a line for each text."""
    parser = parser_of(__doc__)
    parser.add_argument("--lines", type=int, default=3000, help="of each text")
    args = parser.parse_args()
    model = Truecaser.load(args.model)
    header("text", "words", "wrong before", "mended", "broken")
    for path in args.texts:
        lines = read_lines(path, args.lines)
        lowered = [lower(line) for line in lines]
        agreed = with_agreed_names(model, ["\n".join(lowered)])
        n_words = wrong = mended = broken = 0
        for line, *outputs in zip(lines, model.batch(lowered), agreed.batch(lowered), strict=True):
            for right, before, after in zip(line.split(), *map(str.split, outputs), strict=True):
                n_words += 1
                wrong += before != right
                mended += before != right == after
                broken += before == right != after
        row(path.name, n_words, wrong, mended, broken)


if __name__ == "__main__":
    run_script(main)
