"""How the text of a model is cut and cased."""

from __future__ import annotations

from typing import Literal

from truecase.errors import ModelError
from truecase.runtime.record import Record
from truecase.text._casing import UNICODE_VERSION
from truecase.text.casing import CASINGS, Casing, language_of, primary_language

SEGMENTATIONS = ("raw", "space")

# German, Luxembourgish, Low German, Alemannic, Bavarian, Ripuarian, Palatine German.
_NOUN_CAPITALS = frozenset(
    ("de", "deu", "ger", "lb", "ltz", "nds", "gsw", "als", "bar", "ksh", "pfl")
)


class TextSettings(Record):
    """How text is cut and cased.

    Attributes
    ----------
    segmentation : {"raw", "space"}
        Natural text, or text whose tokens stand between white space.
    casing : {"default", "turkic"}
        The case mapping.
    unicode : str
        The version of Unicode whose case mappings made the lowercase forms by which words are
        found.
    language : str
        A code such as ``en``, or empty if it was not told.

    Raises
    ------
    ModelError
        If it is none of these, or the case tables of this package are of another version.
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
        """A language of the casing, for functions that want one: ``tr``, or empty."""
        return language_of(self.casing)

    @property
    def writing_language(self) -> str:
        """The language whose habits of writing hold, its casing's if none was told."""
        return self.casing_language or primary_language(self.language)

    @property
    def capitalises_nouns(self) -> bool:
        """Whether nouns have a capital: German and its kin."""
        return primary_language(self.language) in _NOUN_CAPITALS

    def replace(self, **settings: str) -> TextSettings:
        """The same but for some settings.

        Raises
        ------
        ModelError
            As for a new one.
        """
        return TextSettings(**{**self.fields(), **settings})
