"""What a reader of bibliographies finds: titles, and where they are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from truecase.formats.flow import Piece
from truecase.text.language_tags import primary

# Names of languages as babel and reference managers write them; all else is a code such as en-GB.
_LANGUAGES = {
    "american": "en", "australian": "en", "british": "en", "canadian": "en", "eng": "en",
    "english": "en", "newzealand": "en", "ukenglish": "en", "usenglish": "en",
    "austrian": "de", "deu": "de", "ger": "de", "german": "de", "naustrian": "de",
    "ngerman": "de", "nswissgerman": "de", "swissgerman": "de",
    "acadian": "fr", "canadien": "fr", "fra": "fr", "fre": "fr", "french": "fr",
    "ita": "it", "italian": "it", "spa": "es", "spanish": "es",
    "brazilian": "pt", "por": "pt", "portuguese": "pt", "dut": "nl", "dutch": "nl", "nld": "nl",
}  # fmt: skip


class Title(NamedTuple):
    """A title of a bibliography.

    Attributes
    ----------
    pieces : sequence of Piece
        Its text.
    language : str
        Code of the language that its entry names, such as ``de``; empty if it names none.
    """

    pieces: Sequence[Piece]
    language: str


class Bibliography(NamedTuple):
    """The titles of a file, in its order.

    Attributes
    ----------
    titles : list of Title
    n_joined : int
        Titles of BibTeX that are put together with ``#``, and stay.
    """

    titles: list[Title]
    n_joined: int = 0


def language_code(name: str) -> str:
    """The code of a language that an entry names: ``ngerman``, ``German`` and ``de-AT`` are de."""
    name = name.strip(" {}\r\n\t").lower()
    return _LANGUAGES.get(name) or (primary(name) if name else "")
