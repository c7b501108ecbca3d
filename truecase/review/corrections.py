"""Corrections as a page hands them back: read, checked, and put into a text."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, NamedTuple

from truecase.errors import ReviewError
from truecase.options import StrPath
from truecase.review.digest import Digests
from truecase.review.settings import ReviewSettings
from truecase.text._casing import fold

#: What a file of corrections says that it is, and in which version.
KIND, VERSION = "corrections", 1

# No page makes more than some hundred bytes a correction.
_MOST_BYTES = 1 << 30


class Correction(NamedTuple):
    """A word that is to be written otherwise.

    Attributes
    ----------
    start, end : int
        Its characters in the text of its segment.
    before, after : str
        As the model wrote it, and as it should be.
    line : int
        Where the segment begins in the file, for messages.
    """

    start: int
    end: int
    before: str
    after: str
    line: int


class Corrections:
    """A file of corrections.

    Attributes
    ----------
    name : str
        For messages.
    of : str
        Name of the text.
    settings : ReviewSettings
        How the text was cased.
    letters, cased : str
        Checksums of the text; see `Digests`.
    by_segment : dict of int to list of Correction
        In the order of the text.
    names : list of str
        Forms that are to be right in texts to come, too.
    """

    def __init__(self, name: str, given: object) -> None:
        if not isinstance(given, Mapping) or given.get("truecase") != KIND:
            raise ReviewError(f"{name}: no corrections of a review page")
        version = given.get("version")
        if version != VERSION:
            raise ReviewError(
                f"{name}: corrections of version {version!r}, expected {VERSION}; the page was "
                "made by another version of truecase"
            )
        self.name = name
        try:
            self.of, self.letters, self.cased = (
                _text(given, key) for key in ("of", "letters", "cased")
            )
            self.settings = ReviewSettings.of_json(given.get("settings", {}))
            self.names = _texts(given, "names")
        except ReviewError as error:
            raise ReviewError(f"{name}: {error}") from None
        self.by_segment: dict[int, list[Correction]] = {}
        corrections = given.get("corrections")
        if not isinstance(corrections, list):
            raise ReviewError(f"{name}: there is no list of corrections")
        for number, one in enumerate(corrections, 1):
            try:
                segment, correction = _correction(one)
            except ReviewError as error:
                raise ReviewError(f"{name}: correction {number}: {error}") from None
            self.by_segment.setdefault(segment, []).append(correction)
        for found in self.by_segment.values():
            found.sort()
            for one, next_one in zip(found, found[1:], strict=False):
                if next_one.start < one.end:
                    raise ReviewError(
                        f"{name}: {next_one.before!r} in line {next_one.line} is corrected twice"
                    )

    @property
    def n_corrections(self) -> int:
        """Words that are to be written otherwise."""
        return sum(map(len, self.by_segment.values()))


def read_corrections(path: StrPath) -> Corrections:
    """Read a file of corrections.

    Raises
    ------
    ReviewError
        It is none, or something in it cannot be; the message names file and correction.
    OSError
        It cannot be read.
    """
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read(_MOST_BYTES)
    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        raise ReviewError(f"{name}: no corrections of a review page (it is no JSON)") from None
    return Corrections(name, given)


class Corrector:
    """Puts corrections into the segments of a text.

    Parameters
    ----------
    corrections : Corrections
    language : str
        Of the model's case mappings.
    """

    def __init__(self, corrections: Corrections, language: str) -> None:
        self._corrections = corrections
        self._language = language
        self._digests = Digests()

    def __call__(self, segment: int, cased: str) -> str:
        """A segment with its corrections.

        Raises
        ------
        ReviewError
            A word is not there, or not written so, or its correction is another word.
        """
        self._digests.add(segment, cased)
        found = self._corrections.by_segment.get(segment)
        if found is None:
            return cased
        parts = []
        done = 0
        for one in found:
            there = cased[one.start : one.end]
            if there != one.before:
                raise ReviewError(
                    f"{self._corrections.name}: line {one.line} has {there!r} where {one.before!r} "
                    f"was corrected: {self._why(there, one.before)}"
                )
            if len(one.after) != len(there) or not self._is_same_word(one.after, there):
                raise ReviewError(
                    f"{self._corrections.name}: line {one.line}: {one.after!r} is not {there!r} in "
                    "another case"
                )
            parts += [cased[done : one.start], one.after]
            done = one.end
        return "".join([*parts, cased[done:]])

    def check(self, n_segments: int) -> None:
        """Refuse another text, or another model, when all segments are done.

        Raises
        ------
        ReviewError
        """
        name, given = self._corrections.name, self._corrections
        if self._digests.letters != given.letters:
            raise ReviewError(f"{name}: the text is not the one that was reviewed, {given.of}")
        if self._digests.cased != given.cased:
            raise ReviewError(
                f"{name}: the model makes something else of the text than when it was reviewed: "
                "give the same model, names and options, or make a page anew"
            )
        beyond = [segment for segment in given.by_segment if not 0 <= segment < n_segments]
        if beyond:
            line = given.by_segment[beyond[0]][0].line
            raise ReviewError(f"{name}: the text has no place for the correction in line {line}")

    def _why(self, there: str, before: str) -> str:
        if fold(there) == fold(before):
            return "the model is another one, or its options are"
        return "the text is not the one that was reviewed"

    def _is_same_word(self, one: str, other: str) -> bool:
        return fold(one, self._language) == fold(other, self._language) or fold(one) == fold(other)


def _correction(given: object) -> tuple[int, Correction]:
    if not isinstance(given, Mapping):
        raise ReviewError("no object")
    segment, line, start, end = (_number(given, key) for key in ("segment", "line", "start", "end"))
    before, after = _text(given, "from"), _text(given, "to")
    if not start < end:
        raise ReviewError(f"it goes from character {start} to {end}")
    return segment, Correction(start, end, before, after, line)


def _number(given: Mapping[str, Any], key: str) -> int:
    value = given.get(key)
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ReviewError(f"{key} is {value!r}, expected a number")
    return value


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    if not isinstance(value, str):
        raise ReviewError(f"{key} is {value!r}, expected a text")
    return value


def _texts(given: Mapping[str, Any], key: str) -> list[str]:
    value = given.get(key, [])
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise ReviewError(f"{key} is no list of texts")
    return value
