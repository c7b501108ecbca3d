"""Gives a model with sparse features a cascade, learned from text that its weights do not know.

    python scripts/add_cascade.py MODEL TEXT... -o OUT
    python scripts/add_cascade.py MODEL --bitext SOURCE TARGET ALIGNMENT -o OUT

Training does so by itself (`truecase train --preset crf-sparse`, or `bilingual-sparse`, which wants
a text with its source and its links in Pharaoh's form). This is for a model from before
there were cascades: all else of it stays, byte for byte, but for a calibration, which is to be
learned anew (`truecase train calibrate`).
"""

import argparse
import sys
from pathlib import Path

from truecase import Truecaser
from truecase.alignment.lines import AlignedLines
from truecase.alignment.link_formats import parse_pharaoh
from truecase.kernels._segment import count_words
from truecase.training.cascade import learn_cascade
from truecase.training.material import Lines


def read_bitext(names: list[str]) -> AlignedLines:
    """Target lines, their sources and links, of three files."""
    source, target, links = (Path(name).read_bytes() for name in names)
    return AlignedLines(
        target, source, parse_pharaoh(links, count_words(source), count_words(target))
    )


def main(arguments: list[str]) -> int:
    """Write the model; 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("texts", nargs="*")
    parser.add_argument(
        "--bitext", nargs=3, action="append", default=[], metavar=("SOURCE", "TARGET", "ALIGNMENT")
    )
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args(arguments)
    texts: list[Lines] = [Path(name).read_bytes() for name in options.texts]
    texts += map(read_bitext, options.bitext)
    model = learn_cascade(Truecaser.load(options.model).model, texts)
    if model.sparse is None or not model.sparse.has_cascade:
        sys.exit(f"{options.model}: no cascade decides as it does, or the text is too short")
    Truecaser(model).save(options.output)
    settings = model.sparse.settings
    names = [settings["templates"][number] for number in model.sparse.arrays["cascade.early"]]
    print("margin", settings["cascade"]["margin"], *names)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
