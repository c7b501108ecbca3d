"""Small models of every kind, made once from the text of the tests."""

from __future__ import annotations

import functools
import os
import warnings
from collections.abc import Callable
from pathlib import Path

from tests_here import ROOT

from truecase.truecaser import Truecaser

#: Where the files are; a process that is given this environment variable shares those of another.
FOLDER = Path(os.environ.get("TRUECASE_FUZZ_MODELS", ROOT / "build" / "fuzz" / "models"))


def _text(n_lines: int) -> bytes:
    from small_model import training_text

    return training_text(n_lines).encode()


def _ngram() -> Truecaser:
    from recipes import trained

    return trained(_text(60), language="en", title_detector=True, keep_ngrams=True)


def _turkish() -> Truecaser:
    from recipes import trained

    return trained(_text(40), language="tr", segmentation="space", candidates="full")


def _crf() -> Truecaser:
    from recipes import trained

    from truecase.training.adapt import adapt_weights, interpolate_lm

    base = trained(_text(600), "crf")
    other = _text(200).replace(b"bridge", b"Bridge")
    mixed, _ = interpolate_lm(base.model, [other], other)
    adapted, _ = adapt_weights(mixed, other)
    return adapted


def _neural() -> Truecaser:
    """With what stands beside a network: marks, a calibration, names."""
    from calibrations import random_calibration
    from mark_models import random_marks
    from networks import settling
    from recipes import trained

    from truecase.model.names import name_list

    text = _text(60)
    model = settling(trained(text, language="en"), text.decode(), 1)[0].model
    names = name_list(["New Deal", "iPad", "!eBay", "O'Brien", "Αθήνα"])
    model = model.replace(marks=random_marks(1, openings=("¿",)))
    return Truecaser(model.replace(calibration=random_calibration(1), names=names))


def _bilingual() -> Truecaser:
    from recipes import trained
    from small_bitext import bitext

    return trained(bitext(400), "bilingual")


def _bilingual_neural() -> Truecaser:
    from recipes import SMALL_NETWORK, trained
    from small_bitext import bitext

    return trained(bitext(400), "bilingual-neural", **SMALL_NETWORK)


def _portage() -> Truecaser:
    from recipes import trained

    # Of Greek, for its capitals, which have no accents; what else there is makes no difference.
    return trained(_text(60), "portage", keep_ngrams=True, language="el")


_MAKERS: dict[str, Callable[[], Truecaser]] = {
    "ngram": _ngram,
    "turkish": _turkish,
    "crf": _crf,
    "crf-neural": _neural,
    "bilingual": _bilingual,
    "bilingual-neural": _bilingual_neural,
    "portage": _portage,
}

#: The kinds of models.
KINDS = tuple(_MAKERS)


def model_file(kind: str) -> Path:
    """Path of a model's file, which is made if it is not there."""
    path = FOLDER / f"{kind}.truecase"
    if not path.exists():
        FOLDER.mkdir(parents=True, exist_ok=True)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # so small a text has no discounts of its own
            made = _MAKERS[kind]()
        # Another process may be making the same.
        part = path.with_suffix(f".{os.getpid()}")
        made.save(part)
        part.replace(path)
    return path


@functools.cache
def truecaser(kind: str) -> Truecaser:
    """The model of a kind, in memory of its own, whose ends a sanitizer watches."""
    return Truecaser.load(model_file(kind), copy=True)


if __name__ == "__main__":
    for name in KINDS:
        print(model_file(name), model_file(name).stat().st_size)
