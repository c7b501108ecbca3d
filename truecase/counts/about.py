"""What a file of counts says of itself, and which files go together."""

from __future__ import annotations

import dataclasses
import json
from dataclasses import dataclass
from typing import Any, Literal

from truecase._installation import __version__
from truecase.errors import CountsError
from truecase.ngram.model import MAX_ORDER
from truecase.text.casing import casing_of

FORMAT = "truecase counts"
FORMAT_VERSION = 1

_NUMBERS = ("n_lines", "n_words", "n_junk", "order", "n_ngrams")

Kind = Literal["words", "n-grams"]


@dataclass(frozen=True)
class About:
    """What was counted, and how.

    Attributes
    ----------
    kind : {"words", "n-grams"}
    segmentation, language : str
        How the text was read.
    clean : bool
        Whether markup was taken out, and lines in upper case left out.
    n_lines, n_junk : int
        Lines that were counted, and those left out.
    n_words : int
        Different words, of n-grams those of all parts of the text.
    order, n_ngrams : int
        Of n-grams: how many words each has, and how many different ones there are. Else 0.
    words : str
        Of n-grams: what tells the words apart that they are made of, in hexadecimal.
    package : str
        Version of the package that counted: another may cut words or sentences in another way.
    """

    kind: Kind
    segmentation: str
    language: str
    clean: bool
    n_lines: int
    n_words: int
    n_junk: int = 0
    order: int = 0
    n_ngrams: int = 0
    words: str = ""
    package: str = __version__

    def to_json(self) -> bytes:
        """As the file has it."""
        fields = {"format": FORMAT, "version": FORMAT_VERSION, **dataclasses.asdict(self)}
        return json.dumps(fields, indent=1).encode() + b"\n"

    @classmethod
    def from_json(cls, text: bytes, name: str) -> About:
        """What the file `name` says.

        Raises
        ------
        CountsError
            It says nothing of the kind, or is of another version.
        """
        try:
            fields = json.loads(text)
            about = _fields_of(fields)
        except (ValueError, TypeError, KeyError, RecursionError):
            raise CountsError(f"{name}: damaged: what it says of itself cannot be read") from None
        if fields["version"] != FORMAT_VERSION:
            raise CountsError(
                f"{name}: counts of format {fields['version']}, but truecase {__version__} knows "
                f"format {FORMAT_VERSION}: count the text again"
            )
        try:
            found = cls(**about)
        except TypeError:
            raise CountsError(f"{name}: damaged: what it says of itself cannot be read") from None
        if found.package != __version__:
            raise CountsError(
                f"{name}: counted by truecase {found.package}, but this is truecase {__version__}, "
                "which may cut words in another way: count the text again"
            )
        return found


def _fields_of(fields: Any) -> dict[str, Any]:
    """The fields of `About`, each of its type."""
    if fields["format"] != FORMAT or not isinstance(fields["version"], int):
        raise ValueError("another format")
    about = {name: value for name, value in fields.items() if name not in ("format", "version")}
    types: dict[str, type] = {"clean": bool, **dict.fromkeys(_NUMBERS, int)}
    for name, value in about.items():
        if type(value) is not types.get(name, str):
            raise TypeError(name)
        if isinstance(value, int) and value < 0:
            raise ValueError(name)
    if about["kind"] not in ("words", "n-grams") or about["segmentation"] not in ("raw", "space"):
        raise ValueError("kind")
    if about["kind"] == "n-grams" and not 1 <= about["order"] <= MAX_ORDER:
        raise ValueError("order")
    casing_of(about["language"])
    return about


def check_alike(first: About, first_name: str, other: About, other_name: str) -> None:
    """Refuse counts that do not add up with others.

    Raises
    ------
    CountsError
        The message names both files, and what differs.
    """

    def differ(what: str, one: object, two: object) -> CountsError:
        return CountsError(f"{other_name}: {what} {two}, but {first_name} {one}")

    if first.kind != other.kind:
        raise CountsError(
            f"{other_name}: counts of {other.kind}, but {first_name} has counts of {first.kind}"
        )
    if first.segmentation != other.segmentation:
        raise differ("its segmentation is", first.segmentation, other.segmentation)
    if first.language != other.language:
        raise differ("its language is", first.language or "not told", other.language or "not told")
    if first.clean != other.clean:
        states = {True: "cleaned", False: "not cleaned"}
        raise differ("its text was", states[first.clean], states[other.clean])
    if first.order != other.order:
        raise CountsError(
            f"{other_name}: {other.order}-grams, but {first_name} has {first.order}-grams"
        )
    if first.words != other.words:
        raise CountsError(
            f"{other_name}: counted with other words than {first_name}: count all parts with "
            "--words of one and the same merged file"
        )
