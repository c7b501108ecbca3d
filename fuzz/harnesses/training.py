"""Any bytes as training text: a model that cases, or a sentence that says why there is none."""

from __future__ import annotations

from collections.abc import Iterator

from draw import Draw
from entries import case_block
from judge import expect, outcome, quiet
from scratch import folder

from truecase.truecaser import Truecaser

GUIDES = ("truecase.training", "truecase.ngram")
MAX_LENGTH = 2000


def check(data: bytes) -> None:
    from recipes import estimated

    draw = Draw(data)
    preset = draw.choice(("ngram", "unigram", "portage", "ngram", "crf"))
    options: dict[str, object] = {
        "min_count": 1 + draw.byte() % 3,
        "language": draw.choice(("", "tr", "en", "nl", "el")),
        "segmentation": draw.choice(("raw", "space")),
        "candidates": draw.choice(("pruned", "full")),
        "smartcase": draw.flag(),
    }
    if preset != "unigram":
        options["order"] = 2 + draw.byte() % 4
        options["keep_ngrams"] = draw.flag()
    is_saved = draw.flag()
    text = draw.rest()
    with quiet():
        model = outcome(lambda: estimated(text, preset, **options))
        if isinstance(model, str):
            return
        case_block(model, text, draw)
        if is_saved:
            model.save(folder() / "made.truecase")
            again = Truecaser.load(folder() / "made.truecase", verify=True, copy=True)
            expect(again.case_block(text) == model.case_block(text), "saved it is another model")


def seeds() -> Iterator[bytes]:
    from small_model import random_block, training_text

    for number in range(60):
        text = training_text(12, seed=number).encode()
        if number % 3 == 0:
            text = random_block(600, number)
        choices = (number % 5, number % 3, number // 5, number % 2, number // 2, number % 3, number)
        yield bytes((*choices, number // 4, number % 2)) + text
