"""Learning curves: what a truecaser gets right by how much text it was trained on.

Wang, Knight & Marcu (2006), figure 4.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from truecase.errors import TruecaseError
from truecase.evaluate.metrics import Evaluation

#: Marks the files, and says what their layout is.
_KIND = "truecase learning curve"
_FORMAT = 1


class CurveError(TruecaseError):
    """A file is no learning curve."""


@dataclass(frozen=True)
class CurvePoint:
    """A model trained on the first so many words of a corpus, and what it gets right.

    Attributes
    ----------
    n_words, n_lines : int
        Of the training text; words are what stands between white space.
    accuracy, f1, out_of_vocabulary : float
        On the test text; see `truecase.evaluate.metrics.Evaluation`.
    error_by_tag : dict of str to float
        Share of the words of each tag that are wrong.
    """

    n_words: int
    n_lines: int
    accuracy: float
    f1: float
    out_of_vocabulary: float
    error_by_tag: dict[str, float]

    @classmethod
    def of(cls, n_words: int, n_lines: int, evaluation: Evaluation) -> CurvePoint:
        """The point of a model that was evaluated."""
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
    """Points of one or several presets.

    Attributes
    ----------
    corpus, test : list of str
        Names of the training texts and of the test texts.
    n_test_words : int
    curves : dict of str to list of CurvePoint
        By preset, the sizes rising.
    """

    corpus: list[str]
    test: list[str]
    n_test_words: int
    curves: dict[str, list[CurvePoint]]

    def to_dict(self) -> dict[str, Any]:
        """As it stands in a file."""
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


def read_curve(path: str | os.PathLike[str]) -> LearningCurve:
    """Read what bench/learning_curve.py wrote.

    Raises
    ------
    CurveError
        It is something else; the message names the file.
    OSError
        It cannot be read.
    """
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
