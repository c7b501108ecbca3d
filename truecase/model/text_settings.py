"""How a model segments and cases text."""

from __future__ import annotations

from typing import Literal

from truecase.base.section import Record
from truecase.errors import ModelError
from truecase.kernels._unicode import UNICODE_VERSION
from truecase.kernels.text import CASINGS, Casing, language_of, primary_language

SEGMENTATIONS = ("raw", "space")

# German, Luxembourgish, Low German, Alemannic, Bavarian, Ripuarian, Palatine German.
_NOUN_CAPITALS = frozenset(
    ("de", "deu", "ger", "lb", "ltz", "nds", "gsw", "als", "bar", "ksh", "pfl")
)


class TextSettings(Record):
    """How text is segmented and cased.

    Attributes
    ----------
    segmentation : {"raw", "space"}
        Natural text, or tokens separated by white space.
    casing : {"default", "turkic"}
        The case mapping.
    unicode : str
        The Unicode version by which words were lowercased.
    language : str
        A code such as ``en``; empty if unknown.

    Raises
    ------
    ModelError
        A setting is unknown, or this package has another Unicode version.
    """

    segmentation: Literal["raw", "space"]
    casing: Casing
    unicode: str
    language: str

    FIELDS = ("segmentation", "casing", "unicode", "language")

    def __init__(
        self,
        segmentation: Literal["raw", "space"],
        casing: Casing,
        unicode: str = UNICODE_VERSION,
        language: str = "",
    ) -> None:
        self._set(segmentation=segmentation, casing=casing, unicode=unicode, language=language)
        for name, choices in (("segmentation", SEGMENTATIONS), ("casing", CASINGS)):
            if getattr(self, name) not in choices:
                raise ModelError(
                    f"the setting {name} is {getattr(self, name)!r}, expected one of "
                    f"{', '.join(choices)}"
                )
        if self.unicode != UNICODE_VERSION:
            raise ModelError(
                f"the model's words are lowercased by Unicode {self.unicode}, and this package "
                f"has the case mappings of Unicode {UNICODE_VERSION}: use the version of the "
                "package that the model was trained with, or train it again"
            )

    @property
    def casing_language(self) -> str:
        """A language with this case mapping, for functions that take one: ``tr``, or empty."""
        return language_of(self.casing)

    @property
    def writing_language(self) -> str:
        """The language whose spelling rules apply."""
        return self.casing_language or primary_language(self.language)

    @property
    def capitalises_nouns(self) -> bool:
        """Whether the language capitalises nouns, as German does."""
        return primary_language(self.language) in _NOUN_CAPITALS

    def replace(self, **settings: str) -> TextSettings:
        """Return a copy with other settings; raises as the constructor does."""
        return TextSettings(**{**self.fields(), **settings})
