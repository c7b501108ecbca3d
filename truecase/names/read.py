"""Files of names: plain lists, term bases, glossaries."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable

from truecase.base.encoding import TextDecoder
from truecase.base.read import display_name, open_bytes
from truecase.errors import ReadError, WrongTypeError
from truecase.names._name_list import NameList, scan_names
from truecase.names.names import join_lists, warn_of_uncased
from truecase.names.tables import read_table, separator_of
from truecase.names.tbx import read_tbx
from truecase.options import StrPath

# How many of a file's first bytes decide on its kind.
_SAMPLE = 1 << 16
_TABLES = (".csv", ".tsv", ".tab")


def read_names(
    paths: StrPath | Iterable[StrPath],
    *,
    encoding: str | None = None,
    language: str = "",
    knows: Callable[[str], bool] = lambda _: False,
) -> NameList:
    """Read names from one or more files.

    A file is a plain list, one name a line, without empty lines and lines that begin with ``#`` and
    a space; a term base in TBX; or a table (``.csv``, ``.tsv``, or fields between tabs) with a
    column in the language.

    Parameters
    ----------
    paths : path-like, or iterable of path-like
        Plain or compressed. If two names differ in case alone, the later one counts.
    encoding : str, optional
        Encoding of plain lists and tables; by default that of the byte order mark, or UTF-8.
    language : str
        Code, such as ``en``, of the terms to read from a term base or table in several languages.
    knows : callable
        Whether the language has a word; chooses the column of a table without headings.

    Raises
    ------
    OSError
        A file cannot be read.
    ReadError
        A file is damaged; the message names it, the line and the reason.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    elif not isinstance(paths, Iterable):
        raise WrongTypeError(f"names: expected paths or a NameList, found {type(paths).__name__}")
    lists = []
    for place, path in enumerate(paths):
        if not isinstance(path, (str, os.PathLike)):
            raise WrongTypeError(f"names[{place}]: expected a path, found {type(path).__name__}")
        lists.append(_read(path, encoding, language, knows))
    return lists[0] if len(lists) == 1 else join_lists(lists)


def _read(
    path: StrPath, encoding: str | None, language: str, knows: Callable[[str], bool]
) -> NameList:
    name = display_name(path)
    with open_bytes(path) as file:
        data = file.read()
    if _is_tbx(data[:_SAMPLE]):
        return _of_terms(list(read_tbx(data, name, language)), name)
    decoder = TextDecoder(name, encoding)
    data = decoder.decode(data) + decoder.finish()
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    first = _first_line(data)
    if suffix in _TABLES or "\t" in first:
        text = data.decode("utf-8", "surrogateescape")
        separator = separator_of(first) if suffix == ".csv" else "\t"
        return _of_terms(list(read_table(text, name, separator or ",", language, knows)), name)
    arrays, n_uncased, first_uncased, fault = scan_names(data)
    if arrays is None:
        assert fault is not None
        raise ReadError(f"{name}: line {fault[0]}: {fault[1]}")
    if n_uncased:
        warn_of_uncased(name, n_uncased, f"line {first_uncased}")
    return _checked(NameList(arrays), name)


def _of_terms(terms: list[tuple[int, str]], name: str) -> NameList:
    """Make a list of terms, each with its line number."""
    text = "".join(" ".join(term.split()) + "\n" for _, term in terms)
    arrays, _, _, fault = scan_names(text.encode("utf-8", "surrogateescape"))
    if arrays is None:
        assert fault is not None
        raise ReadError(f"{name}: line {terms[fault[0] - 1][0]}: {fault[1]}")
    return _checked(NameList(arrays), name)


def _checked(names: NameList, name: str) -> NameList:
    if len(names) == 0:
        raise ReadError(f"{name}: there is no name in it")
    return names


def _is_tbx(begin: bytes) -> bool:
    text = begin.replace(b"\0", b"").lstrip(b"\xef\xbb\xbf\xff\xfe \t\r\n")
    return text.startswith(b"<") and any(
        mark in text for mark in (b"<martif", b"<tbx", b"<termEntry", b"<conceptEntry")
    )


def _first_line(data: bytes) -> str:
    """Return the first line that is neither empty nor a comment."""
    for line in data[:_SAMPLE].splitlines():
        text = line.decode("utf-8", "replace")
        if text.strip() and not text.startswith("# "):
            return text
    return ""
