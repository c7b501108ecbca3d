"""What training text is rid of: markup, lines in upper case, titles (Agbago et al. 2005, 4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

import numpy as np

from truecase.portage._titles import TITLE, UNCLEAR, TitleDetector
from truecase.portage.styles import compile_patterns, matches

if TYPE_CHECKING:
    import numpy.typing as npt

    from truecase.training.options import TrainingOptions

#: Where titles are left out, the detector learns from so many bytes at the start of the text,
#: which wait in memory; else from one block of so many, all along the text.
LEARNING_BYTES = 1 << 25
LEARNING_SHARE = 4

# <b>, </p>, <br/>, <a href="…">, <!-- … -->: nothing that begins with a blank or a digit.
_TAG = re.compile(rb"<(?:/?[A-Za-z][^<>\n]{0,500}|!--[^\n]*?--)>")
_SPACES = re.compile(rb"[ \t]{2,}")


class TextFilter:
    """Cleans training text block by block.

    Parameters
    ----------
    options : TrainingOptions
        Its `clean`, `titles`, `title_patterns` and `title_detector`.

    Attributes
    ----------
    detector : TitleDetector or None
        What has learnt from the first blocks, if titles matter.
    n_junk, n_titles : int
        Lines left out so far.
    """

    def __init__(self, options: TrainingOptions) -> None:
        self._options = options
        self._patterns = compile_patterns(options.title_patterns)
        self.n_junk = 0
        self.n_titles = 0
        self.detector: TitleDetector | None = None
        if options.title_detector or options.titles != "all":
            self.detector = TitleDetector(options.segmentation, "tr" if options.turkic else "")
        # Knows lines, whether or not titles are to be learnt.
        self._lines = self.detector or TitleDetector(
            options.segmentation, "tr" if options.turkic else ""
        )

    @property
    def left_out(self) -> dict[str, int]:
        """Lines left out so far, as the metadata of the model tells of them."""
        counts = {}
        if self._options.clean:
            counts["junk_lines"] = self.n_junk
        if self._options.titles != "all":
            counts["title_lines"] = self.n_titles
        return counts

    def __call__(self, blocks: Iterable[bytes]) -> Iterator[bytes]:
        """Blocks of whole lines without what is to be left out."""
        if self.detector is None:
            yield from map(self._filtered, map(self._without_tags, blocks))
        elif self._options.titles == "all":
            for number, block in enumerate(map(self._without_tags, blocks)):
                if number % LEARNING_SHARE == 0:
                    self.detector.learn(block)
                yield self._filtered(block)
        else:
            yield from self._after_learning(map(self._without_tags, blocks), self.detector)

    def _after_learning(self, blocks: Iterator[bytes], detector: TitleDetector) -> Iterator[bytes]:
        """Filtered blocks, the first of them held back until they have been learnt from."""
        waiting: list[bytes] = []
        n_bytes = 0
        for block in blocks:
            detector.learn(block)
            waiting.append(block)
            n_bytes += len(block)
            if n_bytes >= LEARNING_BYTES:
                break
        yield from map(self._filtered, waiting)
        del waiting
        yield from map(self._filtered, blocks)

    def _without_tags(self, block: bytes) -> bytes:
        if not self._options.clean or b"<" not in block:
            return block
        return _SPACES.sub(b" ", _TAG.sub(b" ", block))

    def _filtered(self, block: bytes) -> bytes:
        options = self._options
        if not options.clean and options.titles == "all":
            return block
        kinds, junk = self._lines.look(block)
        keep = np.ones(len(kinds), np.bool_)
        if options.clean:
            keep &= ~junk
            self.n_junk += int(junk.sum())
        if options.titles != "all":
            is_title = self._is_title(block, kinds)
            unwanted = is_title if options.titles == "drop" else ~is_title
            self.n_titles += int((keep & is_title).sum())
            keep &= ~unwanted
        if keep.all():
            return block
        lines = block.split(b"\n")
        return b"".join(lines[i] + b"\n" for i in np.flatnonzero(keep))

    def _is_title(self, block: bytes, kinds: npt.NDArray[np.uint8]) -> npt.NDArray[np.bool_]:
        """Lines that are titles by their case; where it says nothing, by their form."""
        assert self.detector is not None
        is_title: npt.NDArray[np.bool_] = (kinds == TITLE) | (
            (kinds == UNCLEAR) & (self.detector.detect(block) > 0)
        )
        if self._patterns:
            is_title |= matches(block, self._patterns)
        return is_title
