"""Reads term bases in TBX (ISO 30042, of 2008 and of 2019)."""

from __future__ import annotations

from collections.abc import Iterator
from xml.parsers import expat

from truecase.errors import ReadError
from truecase.text.language_tags import listed, primary

_LANGUAGE_SECTIONS = ("langSet", "langSec")
_TERM = "term"


def read_tbx(data: bytes, name: str, language: str) -> Iterator[tuple[int, str]]:
    """Read the terms of a term base in a language.

    Parameters
    ----------
    data : bytes
        The file, in the encoding that it declares.
    name : str
        The file's name in messages.
    language : str
        A code; if empty, the term base must have one language.

    Yields
    ------
    int, str
        A line number, from 1, and the term.

    Raises
    ------
    ReadError
        The file is not well-formed XML, declares entities, or has no terms in the language.
    """
    found: list[tuple[int, str]] = []
    languages: dict[str, None] = {}
    parser = expat.ParserCreate()
    parser.buffer_text = True
    inside: list[str] = []
    term: list[str] = []
    line = 0

    def is_wanted() -> bool:
        return bool(inside) and (not language or primary(inside[-1]) == primary(language))

    def begin(tag: str, attributes: dict[str, str]) -> None:
        nonlocal line
        local = tag.rpartition(":")[2]
        if local in _LANGUAGE_SECTIONS:
            inside.append(attributes.get("xml:lang", attributes.get("lang", "")))
            languages[inside[-1]] = None
        elif local == _TERM:
            term.clear()
            line = parser.CurrentLineNumber

    def end(tag: str) -> None:
        local = tag.rpartition(":")[2]
        if local in _LANGUAGE_SECTIONS:
            inside.pop()
        elif local == _TERM and is_wanted():
            found.append((line, " ".join("".join(term).split())))

    def refuse(*_: object) -> None:
        raise ReadError(
            f"{name}: line {parser.CurrentLineNumber}: declares an entity, which no term base needs"
        )

    parser.StartElementHandler = begin
    parser.EndElementHandler = end
    parser.CharacterDataHandler = term.append
    parser.EntityDeclHandler = refuse
    try:
        parser.Parse(data, True)
    except expat.ExpatError as error:
        reason = expat.errors.messages.get(error.code, str(error))
        raise ReadError(f"{name}: line {error.lineno}: {reason}") from None
    except ReadError:
        raise
    except (ValueError, LookupError) as error:
        raise ReadError(f"{name}: {error}") from None
    if not language and len({primary(code) for code in languages}) > 1:
        raise ReadError(
            f"{name}: has terms in {listed(languages)}, and the model does not say which is its own"
        )
    if not found:
        raise ReadError(
            f"{name}: no terms in {language or 'any language'}: "
            f"there are sections of {listed(languages)}"
        )
    yield from found
