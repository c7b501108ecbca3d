"""How a text was cased for a review page, and the corrections that the page returns."""

from __future__ import annotations

import dataclasses
import hashlib
import json
import os
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple, get_args

from truecase.errors import CasingError, ReviewError
from truecase.kernels._unicode import fold
from truecase.options import (
    Casing,
    ColonStyle,
    Context,
    DecodeWith,
    InputCase,
    OfficeStyle,
    SentenceStart,
    StrPath,
)


@dataclass(frozen=True)
class ReviewSettings:
    """All that determines the output before corrections; the page stores it.

    Attributes
    ----------
    model : str, optional
        A path, or the name of an embedded model; None for ``en``, or for a model without a file.
    decode_with : {"whole", "words", "ngram", "unigram"}, optional
    names : tuple of str
        Files with names in their right case.
    format, encoding, field, source_language, target_language : str, optional
        As for `truecase.case_file`.
    input_case, sentence_start, after_colon, offices, context
        As for `truecase.options.Casing`; `context` for plain text alone.
    keep_case : bool
        Leave the case of the text, but for corrections; the page shows the words that the model
        would case otherwise.
    casing : Casing
        The options above as a record.

    Raises
    ------
    ReviewError
        A value is unknown.
    """

    model: str | None = None
    decode_with: DecodeWith | None = None
    names: tuple[str, ...] = ()
    format: str | None = None
    encoding: str | None = None
    field: str | None = None
    source_language: str | None = None
    target_language: str | None = None
    input_case: InputCase = "ignore"
    sentence_start: SentenceStart = "always"
    after_colon: ColonStyle = "as-learned"
    offices: OfficeStyle = "as-learned"
    context: Context = "line"
    keep_case: bool = False

    def __post_init__(self) -> None:
        known = get_args(DecodeWith)
        if self.decode_with is not None and self.decode_with not in known:
            raise ReviewError(
                f"decode_with {self.decode_with!r}: expected one of {', '.join(known)}"
            )
        try:
            self.casing  # noqa: B018 - checks the values
        except CasingError as error:
            raise ReviewError(str(error)) from None

    @property
    def casing(self) -> Casing:  # noqa: D102 - described above
        return Casing(
            self.input_case,
            sentence_start=self.sentence_start,
            context=self.context,
            after_colon=self.after_colon,
            offices=self.offices,
        )

    def to_json(self) -> dict[str, Any]:
        """The settings that differ from the defaults."""
        return {
            field.name: list(value) if isinstance(value, tuple) else value
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    @classmethod
    def of_json(cls, given: object) -> ReviewSettings:
        """The settings that `to_json` has written; raises ReviewError for anything else."""
        if not isinstance(given, Mapping):
            raise ReviewError("its settings are no object")
        known = {field.name: field for field in dataclasses.fields(cls)}
        made: dict[str, Any] = {}
        for name, value in given.items():
            if name not in known:
                raise ReviewError(f"its settings have {name!r}, which this version does not know")
            if name == "names":
                if not _are_texts(value):
                    raise ReviewError("its setting names is no list of files")
                value = tuple(value)
            elif not isinstance(value, bool if name == "keep_case" else str):
                raise ReviewError(f"its setting {name} is {value!r}")
            made[name] = value
        return cls(**made)


#: The kind of file, and its version, in a file of corrections.
KIND, VERSION = "corrections", 1

# No page makes more than some hundred bytes a correction.
_MOST_BYTES = 1 << 30


class Correction(NamedTuple):
    """Characters `start` … `end` - 1 of a segment: the model's form, and the right one.

    `line` is that of the segment, for messages.
    """

    start: int
    end: int
    before: str
    after: str
    line: int


class Corrections:
    """The corrections in a file.

    Attributes
    ----------
    name, of : str
        The name of the file, for messages, and that of the text.
    settings : ReviewSettings
    letters, cased : str
        Checksums of the text; see `Digests`.
    by_segment : dict of int to list of Correction
        In the order of the text.
    names : list of str
        Forms for the list of names.
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
            self.names: list[str] = given.get("names", [])
            if not _are_texts(self.names):
                raise ReviewError("names is no list of texts")
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
        """How many words are corrected."""
        return sum(map(len, self.by_segment.values()))


def read_corrections(path: StrPath) -> Corrections:
    """Read a file of corrections; ReviewError names the file and a broken correction."""
    name = os.fspath(path)
    with open(path, "rb") as file:
        data = file.read(_MOST_BYTES)
    try:
        given = json.loads(data)
    except (ValueError, RecursionError):
        raise ReviewError(f"{name}: no corrections of a review page (it is no JSON)") from None
    return Corrections(name, given)


class Corrector:
    """Corrects segments; `language` is that of the model's case mappings."""

    def __init__(self, corrections: Corrections, language: str) -> None:
        self._corrections = corrections
        self._language = language
        self._digests = Digests()

    def __call__(self, segment: int, cased: str) -> str:
        """The corrected text of a segment; raises ReviewError if a correction does not fit."""
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
        """Raise ReviewError if the text, or the model's output, was another one."""
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
    for key in ("segment", "line", "start", "end"):
        value = given.get(key)
        if not isinstance(value, int) or isinstance(value, bool) or value < 0:
            raise ReviewError(f"{key} is {value!r}, expected a number")
    start, end = given["start"], given["end"]
    before, after = _text(given, "from"), _text(given, "to")
    if not start < end:
        raise ReviewError(f"it goes from character {start} to {end}")
    return given["segment"], Correction(start, end, before, after, given["line"])


def _text(given: Mapping[str, Any], key: str) -> str:
    value = given.get(key)
    if not isinstance(value, str):
        raise ReviewError(f"{key} is {value!r}, expected a text")
    return value


def _are_texts(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(one, str) for one in value)


_BYTES = 16
_MODULUS = 1 << (8 * _BYTES)


class Digests:
    """Checksums of the segments of a file, in any order, by any number of threads.

    `letters` ignores case: it shows whether the text is the same. `cased` shows whether the model
    has cased it in the same way.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._letters = 0
        self._cased = 0

    def add(self, segment: int, cased: str) -> None:
        """Add the cased text of a segment."""
        letters, whole = (_checksum(segment, text) for text in (fold(cased), cased))
        with self._lock:
            self._letters = (self._letters + letters) % _MODULUS
            self._cased = (self._cased + whole) % _MODULUS

    @property
    def letters(self) -> str:
        """Checksum without case, in hexadecimal digits."""
        return f"{self._letters:0{2 * _BYTES}x}"

    @property
    def cased(self) -> str:
        """Checksum of the cased text."""
        return f"{self._cased:0{2 * _BYTES}x}"


def _checksum(segment: int, text: str) -> int:
    data = f"{segment}:{text}".encode("utf-8", "surrogatepass")
    return int.from_bytes(hashlib.blake2b(data, digest_size=_BYTES).digest(), "little")
