"""Gives a model with sparse features a cascade, learned from text that its weights do not know.

    python scripts/add_cascade.py MODEL TEXT... -o OUT

Training does so by itself (`truecase train --preset crf-sparse`). This is for a model from before
there were cascades: all else of it stays, byte for byte.
"""

import argparse
import sys

from truecase import Truecaser
from truecase._core import CompiledModel
from truecase.training.sparse._evidence import count_settled
from truecase.training.sparse.cascade import learn_cascade


def main(arguments: list[str]) -> int:
    """Write the model; 0."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("model")
    parser.add_argument("texts", nargs="+")
    parser.add_argument("-o", "--output", required=True)
    options = parser.parse_args(arguments)
    texts = []
    for path in options.texts:
        with open(path, "rb") as file:
            texts.append(file.read())
    model = learn_cascade(Truecaser.load(options.model).model, texts)
    if model.sparse is None or not model.sparse.has_cascade:
        sys.exit(f"{options.model}: no cascade decides as it does, or the text is too short")
    Truecaser(model).save(options.output)
    settings = model.sparse.settings
    names = [settings["templates"][number] for number in model.sparse.arrays["cascade.early"]]
    print("margin", settings["cascade"]["margin"], *names)
    for path, text in zip(options.texts, texts, strict=True):
        words, with_choice, settled = count_settled(CompiledModel(model), text)
        print(f"{path}: {words} words, {with_choice} with a choice, {settled} of them settled")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
