"""Any bytes among sound lines, where weights are learned of them: presets, adaptation, and more."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator

from draw import Draw
from entries import case_block
from judge import expect, outcome, quiet
from models import truecaser

from truecase.alignment.lines import AlignedLines, Phrases
from truecase.kernels._segment import count_words
from truecase.truecaser import Truecaser

GUIDES = ()
MAX_LENGTH = 1200


@functools.cache
def _sound(n_lines: int, seed: int) -> bytes:
    from small_model import training_text

    return training_text(n_lines, seed=seed).encode()


def check(data: bytes) -> None:
    draw = Draw(data)
    learn = draw.choice(_WAYS)
    choices = Draw(draw.bytes(4))
    text = draw.rest()
    with quiet():
        learned = outcome(lambda: learn(text, choices))
        if not isinstance(learned, str):
            case_block(learned, text, choices)


def _among(text: bytes, draw: Draw, n_lines: int = 270) -> bytes:
    """A text twice, before sound lines and behind them, so that there is enough to learn from."""
    return b"\n".join((text, _sound(n_lines + draw.byte() % 40, 3), text))


def _dense(text: bytes, draw: Draw) -> Truecaser:
    from recipes import trained

    return trained(_among(text, draw), draw.choice(("crf", "portage")))


def _neural(text: bytes, draw: Draw) -> Truecaser:
    from recipes import trained

    options = {
        "folds": 1 + draw.byte() % 3,
        "epochs": 1 + draw.byte() % 2,
        "n_units": 16,
        "n_words": 4 + draw.byte() // 4 * 4,
        "n_pairs": 4 + draw.byte() // 4 * 4,
        "n_affixes": 1 + draw.byte(),
        "drop_punctuation": draw.choice((0.0, 0.5, 1.0)),
    }
    return trained(_among(text, draw, 60), "crf-neural", **options)


def _bilingual(text: bytes, draw: Draw) -> Truecaser:
    """One half is the source of the other; links go astray."""
    from recipes import SMALL_NETWORK, trained
    from small_bitext import bitext

    is_neural = draw.flag()
    sound = bitext(300)
    lines = text.split(b"\n")
    half = len(lines) // 2
    target = sound.target + b"".join(line + b"\n" for line in lines[:half])
    source = sound.source + b"".join(line + b"\n" for line in lines[half : 2 * half])
    step = draw.byte() % 4
    links = sound.phrases.to_lines()
    sizes = list(zip(count_words(target), count_words(source), strict=True))[len(links) :]
    links += [[[j for j in (i, i + step) if j < m] for i in range(n)] for n, m in sizes]
    pairs = AlignedLines(target, source, Phrases.from_lines(links))
    options = SMALL_NETWORK if is_neural else {}
    return trained(pairs, "bilingual-neural" if is_neural else "bilingual", **options)


def _adapted(text: bytes, draw: Draw) -> Truecaser:
    from truecase.training.adapt import adapt_weights, interpolate_lm

    base = Truecaser(truecaser("crf").model.replace(domain=None))
    mixed, _ = interpolate_lm(base.model, [text], _among(text, draw))
    adapted, _ = adapt_weights(mixed, text if draw.flag() else _among(text, draw))
    return Truecaser(adapted)


def _calibrated(text: bytes, draw: Draw) -> Truecaser:
    from truecase.training.calibration import calibrate

    blocks = [_among(text, draw)]
    model = truecaser(draw.choice(("ngram", "crf-neural"))).model
    made = calibrate(model, [lambda: blocks] * (1 + draw.byte() % 2))
    for figures in made.texts:
        expect(0 <= figures.error_after <= 1, f"no error of a probability: {figures}")
    return Truecaser(made.model)


Way = Callable[[bytes, Draw], Truecaser]
# What is quick comes more often.
_WAYS: tuple[Way, ...] = (
    *(_neural, _calibrated, _dense, _adapted),
    *(_neural, _calibrated, _bilingual),
)


def seeds() -> Iterator[bytes]:
    from small_model import random_block, training_text

    for number in range(3 * len(_WAYS)):
        text = training_text(6, seed=number).encode()
        if number >= len(_WAYS):
            text = random_block(400, number)
        yield bytes((number, number, number // 3, number // 2, number)) + text
