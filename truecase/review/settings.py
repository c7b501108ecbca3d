"""How a text that is reviewed was cased: kept in the page and in its corrections."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, get_args

from truecase.errors import TruecaseError
from truecase.options import ColonStyle, Context, DecodeWith, InputCase, OfficeStyle, SentenceStart

_CHOICES = {
    "decode_with": get_args(DecodeWith),
    "input_case": get_args(InputCase),
    "sentence_start": get_args(SentenceStart),
    "after_colon": get_args(ColonStyle),
    "offices": get_args(OfficeStyle),
    "context": get_args(Context),
}


class ReviewError(TruecaseError):
    """A page cannot be made, or corrections do not fit."""


@dataclass(frozen=True)
class ReviewSettings:
    """All that decides what comes out before corrections.

    Attributes
    ----------
    model : str, optional
        A path, or the name of an embedded model; None: ``en``, or one that has no file.
    decode_with : {"whole", "words", "ngram", "unigram"}, optional
    names : tuple of str
        Files with names in their right case.
    format, encoding, field, source_language, target_language : str, optional
        As for `truecase.formats.document.read_document`.
    input_case : {"ignore", "keep", "auto"}
    sentence_start : {"always", "learned"}
    after_colon, offices : {"as-learned", "capital", "lower"}
    context : {"line", "document"}
        Of plain text, whether sentences run over lines.
    keep_case : bool
        The text is cased already: it stays as it is but for corrections, and the model only tells
        which of its words it would not have cased so.
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
        for name, choices in _CHOICES.items():
            value = getattr(self, name)
            if value not in choices and not (name == "decode_with" and value is None):
                raise ReviewError(f"{name} {value!r}: expected one of {', '.join(choices)}")

    def to_json(self) -> dict[str, Any]:
        """Those that are not as they would be anyway."""
        return {
            field.name: list(value) if isinstance(value, tuple) else value
            for field in dataclasses.fields(self)
            if (value := getattr(self, field.name)) != field.default
        }

    @classmethod
    def of_json(cls, given: object) -> ReviewSettings:
        """The settings that `to_json` has written.

        Raises
        ------
        ReviewError
            They are something else.
        """
        if not isinstance(given, Mapping):
            raise ReviewError("its settings are no object")
        known = {field.name: field for field in dataclasses.fields(cls)}
        made: dict[str, Any] = {}
        for name, value in given.items():
            if name not in known:
                raise ReviewError(f"its settings have {name!r}, which this version does not know")
            if name == "names":
                if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
                    raise ReviewError("its setting names is no list of files")
                value = tuple(value)
            elif not isinstance(value, bool if name == "keep_case" else str):
                raise ReviewError(f"its setting {name} is {value!r}")
            made[name] = value
        return cls(**made)
