"""Learning curves: accuracy over the size of the training text.

Wang, Knight & Marcu (2006), figure 4.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from truecase.errors import CurveError
from truecase.evaluation.metrics import Evaluation
from truecase.options import StrPath

# What marks a file of a learning curve, and the version of its layout.
_KIND = "truecase learning curve"
_FORMAT = 1


@dataclass(frozen=True)
class CurvePoint:
    """The size of a training text, and figures of `Evaluation` for a model trained on it."""

    n_words: int
    n_lines: int
    accuracy: float
    f1: float
    out_of_vocabulary: float
    error_by_tag: dict[str, float]

    @classmethod
    def of(cls, n_words: int, n_lines: int, evaluation: Evaluation) -> CurvePoint:
        """Make a point from a model's evaluation."""
        return cls(
            n_words,
            n_lines,
            evaluation.accuracy,
            evaluation.f1,
            evaluation.out_of_vocabulary or 0.0,
            {
                tag: tally.error_rate
                for tag, tally in evaluation.by_tag.items()
                if tally.n_words > 0
            },
        )


@dataclass(frozen=True)
class LearningCurve:
    """The points of each preset, in rising size, and the names of the texts."""

    corpus: list[str]
    test: list[str]
    n_test_words: int
    curves: dict[str, list[CurvePoint]]

    def to_dict(self) -> dict[str, Any]:
        """The curve as a file holds it."""
        return {
            "kind": _KIND,
            "format": _FORMAT,
            "corpus": self.corpus,
            "test": self.test,
            "n_test_words": self.n_test_words,
            "curves": {
                preset: [vars(point) for point in points] for preset, points in self.curves.items()
            },
        }


def read_curve(path: StrPath) -> LearningCurve:
    """Read a file of `python bench/learning_curve.py`; raise CurveError for any other."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read()
    try:
        plain = json.loads(data)
        if plain["kind"] != _KIND:
            raise ValueError
        if plain["format"] > _FORMAT:
            raise CurveError(f"{name}: a newer version of truecase wrote this learning curve")
        curves = {
            str(preset): [_point(point) for point in points]
            for preset, points in plain["curves"].items()
        }
        return LearningCurve(
            [str(text) for text in plain["corpus"]],
            [str(text) for text in plain["test"]],
            int(plain["n_test_words"]),
            curves,
        )
    except CurveError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError, OverflowError, RecursionError):
        raise CurveError(f"{name}: not a file that bench/learning_curve.py wrote") from None


def _point(plain: dict[str, Any]) -> CurvePoint:
    return CurvePoint(
        int(plain["n_words"]),
        int(plain["n_lines"]),
        float(plain["accuracy"]),
        float(plain["f1"]),
        float(plain["out_of_vocabulary"]),
        {str(tag): float(rate) for tag, rate in plain["error_by_tag"].items()},
    )
