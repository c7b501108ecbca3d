"""Styles of cased text: sentences, titles by a guide, upper case, or a choice line by line.

Upper case that the model gave (names, acronyms) stays in titles, and parts of hyphenated words are
treated alike (State-of-the-Art). A word that a guide lowers as a preposition or conjunction only,
and that is mostly something else in titles (off, out, over, up; so, yet), has a capital; *to* of
infinitives is like any other.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from truecase.base._component import Component
from truecase.errors import StyleError
from truecase.kernels.text import split_lines
from truecase.options import Style
from truecase.rules.language import rules_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from truecase.base.model_file import Buffers
    from truecase.base.spool import Bools, UInt8s
    from truecase.rules._lines import StyleWriter, TitleDetector


STYLES: tuple[Style, ...] = get_args(Style)
# The styles that are chosen line by line, and the style of titles in each.
_TITLES: dict[str, str] = {
    style: f"title{style.removeprefix('auto')}" for style in STYLES if "auto" in style
}


def detected(style: str) -> str | None:
    """Return the style of titles if `style` detects titles line by line; else None."""
    return _TITLES.get(style)


def check_style(style: str) -> Style:
    """Return the style; raises `StyleError` if there is no such style."""
    for known in STYLES:
        if style == known:
            return known
    raise StyleError(f"style {style!r}: expected one of {', '.join(STYLES)}")


class TitleGuide(NamedTuple):
    """How a guide writes titles.

    Attributes
    ----------
    small_words : tuple of str
        Lowercase inside a title. The model decides on names of letters and units.
    raises_last : bool
        Whether the last word always has a capital.
    max_kept : int
        If above 0, the only rule: longer words get a capital, others keep the model's case.
    """

    small_words: tuple[str, ...]
    raises_last: bool
    max_kept: int = 0


_ALWAYS = "a an the and but or nor for at by in of on per to via as vs vs. v v. n 'n'"

TITLE_GUIDES = {
    "title": TitleGuide(tuple(f"{_ALWAYS} if".split()), True),
    # Associated Press, on titles of compositions: articles, conjunctions and prepositions of up to
    # three letters, but as the first and the last word.
    "title-ap": TitleGuide(tuple(f"{_ALWAYS} if".split()), True),
    # American Psychological Association, 7th edition, section 6.17: the same words of up to three
    # letters, and no rule for the last one.
    "title-apa": TitleGuide(tuple(f"{_ALWAYS} off up if".split()), False),
    # Chicago Manual of Style, 18th edition, section 8.160: articles; and, but, for, or, nor; to and
    # as, whatever they are; prepositions of up to four letters (until the 17th edition: of any).
    "title-chicago": TitleGuide(
        tuple(f"{_ALWAYS} amid atop from into onto sans than upon with".split()), True
    ),
    "title-every": TitleGuide((), True),
    # Agbago, Kuhn & Foster (2005), section 4: words "longer than four letters".
    "title-long-words": TitleGuide((), False, 4),
}


N_WEIGHTS = 1 << 15  # of a `TitleDetector`
_WEIGHT_STEP = 1 / 16
_ZERO_CODE = 128


class TitleWeights(Component):
    """The weights of a `TitleDetector`: a code minus 128 is a weight in sixteenths."""

    about = "a detector of titles"

    def __init__(self, arrays: Buffers, settings: Mapping[str, Any] | None = None) -> None:
        self.section("titles").vector("weights", "uint8", N_WEIGHTS)

    @classmethod
    def of(cls, detector: TitleDetector) -> TitleWeights:
        """Pack the weights of a trained detector."""
        import numpy as np

        codes = np.rint(detector.weights / _WEIGHT_STEP) + _ZERO_CODE
        return cls({"weights": np.clip(codes, 0, 255).astype(np.uint8)})

    def detector(self, segmentation: str, language: str) -> TitleDetector:
        """Unpack the detector."""
        import numpy as np

        from truecase.rules._lines import TitleDetector

        codes = self.arrays["weights"].astype(np.float32)
        return TitleDetector(segmentation, language, (codes - _ZERO_CODE) * _WEIGHT_STEP)


#: Lowercase words of names (Ludwig van Beethoven); behind numbers, marks of measures and times.
INSIDE = "al bin da de del della den der di du el ibn la le van von zu g h l m mi min pm s x"


def words_inside(language: str) -> list[str]:
    """`INSIDE` and the lowercase units of a language."""
    forms = rules_of(language).get("forms", {})
    return [*INSIDE.split(), *filter(str.islower, str(forms.get("unit", "")).split())]


def title_writer(style: str, segmentation: str, language: str, inside: list[str]) -> StyleWriter:
    """Make a writer of a model's lines in a style of `TITLE_GUIDES`."""
    from truecase.rules._lines import StyleWriter

    guide = TITLE_GUIDES[style]
    joined = " ".join(map(str, rules_of("en")["titles"].values())).split()
    small, clitics, within = (
        [word.encode() for word in words]
        for words in (guide.small_words, joined, inside if guide.small_words else ())
    )
    return StyleWriter(
        segmentation, language, small, clitics, guide.raises_last, guide.max_kept, within
    )


class Styler:
    """Writes cased text in a style; any number of threads may use it.

    `segmentation` and `language` are the model's; a line with a match of a regular expression of
    `patterns` is a title.
    """

    def __init__(
        self,
        segmentation: str = "raw",
        language: str = "",
        detector: TitleDetector | None = None,
        patterns: Sequence[str] = (),
    ) -> None:
        inside = words_inside(language)
        self._writers = {
            style: title_writer(style, segmentation, language, inside) for style in TITLE_GUIDES
        }
        self._detector = detector
        self._patterns = compile_patterns(patterns)

    def titles(self, block: bytes) -> UInt8s:
        """Find the lines that are titles, by their form or a pattern."""
        if self._detector is None and not self._patterns:
            raise StyleError(
                "style auto: this model has no title detector: train it with --title-detector, "
                "or give a --title-pattern"
            )
        import numpy as np

        if self._detector is None:
            return matches(block, self._patterns).astype(np.uint8)
        found = self._detector.detect(block)
        if not self._patterns:
            return found
        return np.maximum(found, matches(block, self._patterns).astype(np.uint8))

    def apply(self, style: str, given: bytes, cased: bytes) -> bytes:
        """Write `cased`, a model's output for the lines `given`, in a style of `Style`."""
        if style == "sentence":
            return cased
        if style == "upper":
            return self._writers["title"].upper(given)
        titles = detected(check_style(style))
        if titles is not None:
            return self._writers[titles].title(cased, self.titles(given))
        return self._writers[style].title(cased)


def compile_patterns(patterns: Iterable[str]) -> list[re.Pattern[bytes]]:
    """Compile regular expressions over bytes; raises `StyleError`, which names the pattern."""
    compiled = []
    for pattern in patterns:
        try:
            compiled.append(re.compile(pattern.encode("utf-8", "surrogateescape")))
        except re.error as error:
            raise StyleError(f"title pattern {pattern!r}: {error}") from None
    return compiled


def matches(block: bytes, patterns: Sequence[re.Pattern[bytes]]) -> Bools:
    """Find the lines that contain a match of a pattern."""
    import numpy as np

    lines = split_lines(block)
    return np.fromiter(
        (any(pattern.search(line) for pattern in patterns) for line in lines), np.bool_, len(lines)
    )
