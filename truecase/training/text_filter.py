"""Filter markup, lines in upper case and titles from training text (Agbago et al. 2005, 4)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import TypeVar

import numpy as np

from truecase.alignment.lines import AlignedLines, lines_where, word_numbers
from truecase.base.spool import Bools, UInt8s
from truecase.rules._lines import TITLE, UNCLEAR, TitleDetector
from truecase.rules.styles import compile_patterns, matches
from truecase.training.material import target_of
from truecase.training.recipe import Filters

#: Blocks of lines, with their sources or without.
_Lines = TypeVar("_Lines", bytes, AlignedLines)

#: If titles are left out, the detector learns from this many bytes at the start of the text, which
#: wait in memory; otherwise from one block in `LEARNING_SHARE`, all along the text.
LEARNING_BYTES = 1 << 25
LEARNING_SHARE = 4

# <b>, </p>, <br/>, <a href="…">, <!-- … -->: nothing that begins with a blank or a digit.
# A comment has no other opening in it: otherwise each of many would be read to the end of the line.
_TAG = re.compile(rb"<(?:/?[A-Za-z][^<>\n]{0,500}|!--(?:[^\n<-]|<(?!!--)|-(?!->))*--)>")
_SPACES = re.compile(rb"[ \t]{2,}")


class TextFilter:
    """Cleans training text block by block.

    `detector` learns from the first blocks, if titles matter; `left_out` has the numbers of lines
    left out so far, by kind, for the metadata of the model.
    """

    def __init__(self, filters: Filters, segmentation: str = "raw", language: str = "") -> None:
        self._filters = filters
        self._patterns = compile_patterns(filters.title_patterns)
        self.left_out = {"junk_lines": 0} if filters.clean else {}
        self._unwanted = {"drop": "title_lines", "only": "body_lines"}.get(filters.titles)
        if self._unwanted:
            self.left_out[self._unwanted] = 0
        # Knows lines, even if no titles are to be learnt.
        self._lines = TitleDetector(segmentation, language)
        self.detector = self._lines if filters.title_detector or self._unwanted else None

    def __call__(self, blocks: Iterable[_Lines]) -> Iterator[_Lines]:
        """Blocks of whole lines without the lines to leave out; a line goes with its source."""
        cleaned = map(self._without_tags, blocks)
        if self.detector is None:
            yield from map(self._filtered, cleaned)
        elif self._filters.titles == "all":
            for number, block in enumerate(cleaned):
                if number % LEARNING_SHARE == 0:
                    self.detector.learn(target_of(block))
                yield self._filtered(block)
        else:
            yield from self._after_learning(cleaned, self.detector)

    def _after_learning(
        self, blocks: Iterator[_Lines], detector: TitleDetector
    ) -> Iterator[_Lines]:
        """Filtered blocks; the first ones wait until the detector has learnt from them."""
        waiting: list[_Lines] = []
        n_bytes = 0
        for block in blocks:
            detector.learn(target_of(block))
            waiting.append(block)
            n_bytes += len(target_of(block))
            if n_bytes >= LEARNING_BYTES:
                break
        yield from map(self._filtered, waiting)
        del waiting
        yield from map(self._filtered, blocks)

    def _without_tags(self, block: _Lines) -> _Lines:
        text = target_of(block)
        if not self._filters.clean or b"<" not in text:
            return block
        cleaned = _SPACES.sub(b" ", _TAG.sub(b" ", text))
        if isinstance(block, bytes):
            return cleaned
        # Markup is blanked in place: each remaining word is, or is inside, a word of the line.
        blanked = _TAG.sub(lambda tag: b" " * len(tag[0]), text)
        return block.with_target(cleaned, word_numbers(blanked, text))

    def _filtered(self, block: _Lines) -> _Lines:
        filters, text = self._filters, target_of(block)
        if not self.left_out:
            return block
        kinds, junk = self._lines.look(text)
        keep = np.ones(len(kinds), np.bool_)
        if filters.clean:
            keep &= ~junk
            self.left_out["junk_lines"] += int(junk.sum())
        if self._unwanted:
            wanted = self._is_title(text, kinds) == (filters.titles == "only")
            self.left_out[self._unwanted] += int((keep & ~wanted).sum())
            keep &= wanted
        if keep.all():
            return block
        if isinstance(block, bytes):
            return lines_where(block, keep)
        return block.where(keep)

    def _is_title(self, block: bytes, kinds: UInt8s) -> Bools:
        """Lines that are titles by their case, or, if the case says nothing, by their form."""
        assert self.detector is not None
        is_title: Bools = (kinds == TITLE) | (
            (kinds == UNCLEAR) & (self.detector.detect(block) > 0)
        )
        if self._patterns:
            is_title |= matches(block, self._patterns)
        return is_title
