"""Lists of names, and their files: plain lists, glossaries (CSV, TSV), term bases (TBX)."""

from __future__ import annotations

import io
import os
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping

import numpy as np

from truecase.base.argument_types import check_arguments, check_type
from truecase.base.encoding import HEAD_BYTES, TextDecoder, head_of
from truecase.base.model_file import read_weights
from truecase.base.read import display_name, read_whole
from truecase.errors import NamesError, ReadError, WrongTypeError
from truecase.kernels._names import NameList, scan_names
from truecase.kernels.text import listed, primary
from truecase.model.embedded import language_codes
from truecase.options import StrPath


def name_list(names: Iterable[str], *, bonus: Mapping[str, float] | None = None) -> NameList:
    """Make a list of names in their right case.

    Parameters
    ----------
    names : iterable of str
        Words or phrases. A name after ``!`` always keeps its case, even as the first word of a
        sentence. Without ``!``, a name that is also a common word or phrase (``Apple``, ``New
        Deal``) gets a bonus, and its context decides. If two names differ in case alone, the later
        one counts.
    bonus : mapping, optional
        The bonus in nats; see `truecase.kernels._names.BONUS`.

    Raises
    ------
    WrongTypeError
        A name is not a str, or `names` is a single str.
    NamesError
        A name has a line end or a control character, or is longer than 1,000 bytes.
    """
    if isinstance(names, (str, bytes)):
        raise WrongTypeError(f"names: expected a list of str, found one {type(names).__name__}")
    check_arguments(name_list, locals())
    lines = []
    for place, name in enumerate(names):
        check_type(f"names[{place}]", name, str, "a str")
        if "\n" in name:
            raise NamesError(f"names[{place}]: {name!r} has a line end")
        lines.append(name)
    text = "\n".join(lines).encode("utf-8", "surrogatepass")
    arrays, n_uncased, first_uncased, fault = scan_names(text)
    if arrays is None:
        assert fault is not None
        line, reason = fault
        raise NamesError(f"names[{line - 1}]: {reason}")
    if n_uncased:
        warn_of_uncased("names", n_uncased, f"names[{first_uncased - 1}]")
    return NameList(arrays, None if bonus is None else {"bonus": dict(bonus)})


def warn_of_uncased(where: str, n: int, first: str) -> None:
    """Warn of entries without letters that have case."""
    entries = "1 entry has" if n == 1 else f"{n:,} entries have"
    warnings.warn(
        f"{where}: {entries} no letter that has case, and no effect: {first}", stacklevel=3
    )


def join_lists(lists: Iterable[NameList]) -> NameList:
    """Join lists of names; the last list's bonus applies, and later names override earlier ones."""
    parts = list(lists)
    ends = np.cumsum([0, *(int(part.arrays["starts"][-1]) for part in parts)])
    if int(ends[-1]) > np.iinfo(np.uint32).max:
        raise NamesError("the lists of names have 4 GiB or more together")
    text = [part.arrays["text"][: int(part.arrays["starts"][-1])] for part in parts]
    starts = [
        part.arrays["starts"][:-1].astype(np.int64) + end
        for part, end in zip(parts, ends, strict=False)
    ]
    return NameList(
        {
            "text": np.concatenate([*text, np.zeros(16, np.uint8)]),
            "starts": np.concatenate([*starts, ends[-1:]]).astype(np.uint32),
            "forced": np.concatenate(
                [*(part.arrays["forced"] for part in parts), np.zeros(0, np.uint8)]
            ),
        },
        parts[-1].settings if parts else None,
    )


#: Lowercase headings of columns of terms, the preferred ones first.
TERM_HEADINGS = ("target", "target term", "translation", "term", "name", "entry", "source")

# Codes of languages by their English names.
_NAMES: dict[str, str] = read_weights("languages")["names"]


def language_of_heading(heading: str) -> str | None:
    """The language code of a column's heading, such as ``EN-us`` or ``English (UK)``, or None."""
    words = heading.lower().strip("[] ").split()
    if not words:
        return None
    code = primary(words[0])
    if words[0] in _NAMES:
        return _NAMES[words[0]]
    return code if len(words) == 1 and code in language_codes() else None


# Rows that are read to choose a column without headings.
_SAMPLE = 200
_SEPARATORS = "\t;,"


def read_table(
    text: str, name: str, separator: str, language: str, knows: Callable[[str], bool]
) -> Iterator[tuple[int, str]]:
    """Read the terms of a table in a language.

    Parameters
    ----------
    text : str
    name : str
        The file's name in messages.
    separator : str
        Between the fields.
    language : str
        A code, or empty; chooses a column with a heading such as ``en-US`` or ``English``.
    knows : callable
        See `read_names`.

    Yields
    ------
    int, str
        A line number, from 1, and the term.

    Raises
    ------
    ReadError
        A row cannot be read, or the headings name other languages only.
    """
    import csv

    reader = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    rows: list[tuple[int, list[str]]] = []
    try:
        for row in reader:
            if any(field.strip() for field in row):
                rows.append((reader.line_num, [field.strip() for field in row]))
    except csv.Error as error:
        raise ReadError(f"{name}: line {reader.line_num}: {error}") from None
    if not rows:
        return
    column = _column_by_heading(rows[0][1], name, language)
    if column is not None:
        rows = rows[1:]
    else:
        column = _column_by_words([row for _, row in rows[:_SAMPLE]], knows)
    for line, row in rows:
        if column < len(row) and row[column]:
            yield line, row[column]


def _column_by_heading(row: list[str], name: str, language: str) -> int | None:
    """Find the column of terms by the first row; None if it has no headings."""
    wanted = primary(language)
    codes = {place: language_of_heading(heading) for place, heading in enumerate(row)}
    languages = {place: code for place, code in codes.items() if code is not None}
    for place, code in languages.items():
        if not wanted or code == wanted:
            return place
    headings = [field.lower() for field in row]
    for heading in TERM_HEADINGS:
        if heading in headings:
            return headings.index(heading)
    # One column called "It" or "No" may as well be a name.
    if len(languages) >= 2:
        listed = ", ".join(row[place] for place in languages)
        raise ReadError(
            f"{name}: line 1: the columns are {listed}, and the model's language is {language}"
        )
    return None


def _column_by_words(rows: list[list[str]], knows: Callable[[str], bool]) -> int:
    """Find the first column with the largest share of known words."""
    shares = []
    for column in range(max(map(len, rows))):
        words = [word for row in rows if column < len(row) for word in row[column].split()]
        shares.append(sum(map(knows, words)) / len(words) if words else -1.0)
    return shares.index(max(shares))


_LANGUAGE_SECTIONS = ("langSet", "langSec")
_TERM = "term"


def read_tbx(data: bytes, name: str, language: str) -> Iterator[tuple[int, str]]:
    """Read the terms of a term base in a language; yields and `name` are those of `read_table`.

    Parameters
    ----------
    data : bytes
        The file, in the encoding that it declares.
    name : str
    language : str
        A code; if empty, the term base must have one language.

    Raises
    ------
    ReadError
        The file is not well-formed XML, declares entities, or has no terms in the language.
    """
    from xml.parsers import expat

    found: list[tuple[int, str]] = []
    languages: dict[str, None] = {}
    parser = expat.ParserCreate()
    parser.buffer_text = True
    inside: list[str] = []
    term: list[str] = []
    line, wanted = 0, primary(language)

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
        elif local == _TERM and inside and (not language or primary(inside[-1]) == wanted):
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
        Code, such as ``en``, of the terms to read.
    knows : callable
        Whether the language has a word; a table without headings has its terms in the column with
        the most such words.

    Raises
    ------
    OSError
        A file cannot be read.
    ReadError
        A file is damaged; the message names it, the line and the reason.
    """
    if isinstance(paths, (str, os.PathLike)):
        paths = [paths]
    check_type("names", paths, Iterable, "paths or a NameList")
    check_arguments(read_names, {"encoding": encoding, "language": language})
    lists = []
    for place, path in enumerate(paths):
        check_type(f"names[{place}]", path, (str, os.PathLike), "a path")
        lists.append(_read(path, encoding, language, knows))
    return lists[0] if len(lists) == 1 else join_lists(lists)


def _read(
    path: StrPath, encoding: str | None, language: str, knows: Callable[[str], bool]
) -> NameList:
    name = display_name(path)
    data = read_whole(path)
    if _is_tbx(head_of(data)):
        return _of_terms(list(read_tbx(data, name, language)), name)
    decoder = TextDecoder(name, encoding)
    data = decoder.decode(data) + decoder.finish()
    suffix = os.path.splitext(os.fspath(path))[1].lower()
    first = _first_line(data)
    if suffix in _TABLES or "\t" in first:
        text = data.decode("utf-8", "surrogateescape")
        separator = max(_SEPARATORS, key=first.count) if suffix == ".csv" else "\t"
        if suffix == ".csv" and separator not in first:
            separator = ","
        return _of_terms(list(read_table(text, name, separator, language, knows)), name)
    return _scanned(data, name)


def _of_terms(terms: list[tuple[int, str]], name: str) -> NameList:
    """Make a list of terms, each with its line number."""
    text = "".join(" ".join(term.split()) + "\n" for _, term in terms)
    return _scanned(text.encode("utf-8", "surrogateescape"), name, [line for line, _ in terms])


def _scanned(text: bytes, name: str, lines: list[int] | None = None) -> NameList:
    """Make a list of the lines of a file; `lines` are their numbers there if they are terms."""
    arrays, n_uncased, first_uncased, fault = scan_names(text)
    if arrays is None:
        assert fault is not None
        line = fault[0] if lines is None else lines[fault[0] - 1]
        raise ReadError(f"{name}: line {line}: {fault[1]}")
    if n_uncased and lines is None:
        warn_of_uncased(name, n_uncased, f"line {first_uncased}")
    names = NameList(arrays)
    if len(names) == 0:
        raise ReadError(f"{name}: there is no name in it")
    return names


def _is_tbx(head: bytes) -> bool:
    return head.lstrip().startswith(b"<") and any(
        mark in head for mark in (b"<martif", b"<tbx", b"<termEntry", b"<conceptEntry")
    )


def _first_line(data: bytes) -> str:
    """Return the first line that is neither empty nor a comment."""
    for line in data[:HEAD_BYTES].splitlines():
        text = line.decode("utf-8", "replace")
        if text.strip() and not text.startswith("# "):
            return text
    return ""
