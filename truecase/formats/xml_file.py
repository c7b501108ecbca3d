"""XML files: the places of segments, and the pieces of their contents.

Expat, of the standard library, finds a file well-formed and gives the byte of each tag. It refuses
declarations of entities, so that a small file cannot unfold into a huge one, and fetches no
document type. As its calls are slow, `TagScanner` then finds the tags of a few elements, unless
tags change their meaning within the file: by name spaces declared after the first tag, or by a
document type with declarations of its own.
"""

from __future__ import annotations

import functools
import html
import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import chain
from typing import TypeAlias, TypeVar
from xml.parsers import expat

from truecase.errors import FormatError
from truecase.formats._contents import MAX_NAMES, XML, TagScanner
from truecase.formats.format import Format, ReadOptions, Sample, charset_of_xml
from truecase.formats.placeholders import VALUE, is_placeholder, value_at
from truecase.formats.segments import DECIMAL, FIXED, HEXADECIMAL, PLAIN, Piece

# Expat goes through an unfinished tag again with each chunk, so chunks are large.
_CHUNK = 1 << 20
#: Elements inside each other; files of translators have a dozen.
MAX_DEPTH = 1000

#: The attribute ``xml:lang`` as expat names it.
XML_LANG = "http://www.w3.org/XML/1998/namespace lang"
_XML = "http://www.w3.org/XML/1998/namespace"

_ATTRIBUTE_VALUE = rb"\s*=\s*(?:\"(?P<value>[^\"]*)\"|'(?P<other>[^']*)')"
_ATTRIBUTE = re.compile(rb"(?P<name>[^\s=\"'<>/]+)" + _ATTRIBUTE_VALUE)
_WHITE = re.compile(r"\r\n|[\t\r\n]")
_REFERENCE = re.compile(r"&([^;]*);")
_ENTITY = re.compile(r"[^<&%]{0,300}")
_PREDEFINED = {"amp": "&", "lt": "<", "gt": ">", "quot": '"', "apos": "'"}
_LINE_END = re.compile(rb"\r\n?|\n")

#: A code, which is negative for end tags, the number of elements that are open with this one, the
#: bytes of the tag, and the attributes of a start tag if a parser has read them. An element of a
#: single tag gets an empty end tag behind it.
Tag: TypeAlias = tuple[int, int, int, int, dict[str, str] | None]
_Found = TypeVar("_Found")


def read_xml(
    name: str, data: bytes, options: ReadOptions, readers: Mapping[str, Callable[[XmlFile], _Found]]
) -> tuple[str, _Found]:
    """Read a file by the reader for the local name of its first element; return both.

    Raises FormatError if the file is not well-formed, declares entities, or begins with another
    element; and the errors of the reader.
    """
    file = XmlFile(name, data, options, readers)
    try:
        return file.root, readers[file.root](file)
    except OverflowError:
        file.scans = False
        return file.root, readers[file.root](file)


class XmlFile:
    """An XML file in UTF-8, whatever its declaration says.

    Attributes
    ----------
    root, namespace : str
        Local name of the first element, and its name space with a blank, as expat writes it.
    root_start : int
        Where the first element begins.
    root_attributes : dict of str to str
    scans : bool
        Whether `tags` needs no parser.
    """

    def __init__(
        self, name: str, data: bytes, options: ReadOptions, roots: Collection[str]
    ) -> None:
        self.name = name
        self.options = options
        self.data = data
        self.root = self.namespace = ""
        self.root_start = 0
        self.root_attributes: dict[str, str] = {}
        self.scans = True
        # The name spaces of prefixes in the first element's tag.
        self._namespaces = {"xml": _XML}
        self._check(roots)

    def _check(self, roots: Collection[str]) -> None:
        """Read the first tag, and find out whether the file is well-formed."""
        parser = expat.ParserCreate("utf-8", " ")

        def check_entity(name: str, is_parameter: bool, value: str | None, *unused: object) -> None:
            # One that holds no other can do no harm.
            if is_parameter or value is None or not _ENTITY.fullmatch(value):
                what = f"declares the entity {name[:60]!r}, which is refused"
                raise self.error_at(parser.CurrentByteIndex, what)

        def begin_doctype(name: str, *rest: object) -> None:
            # Whether it has declarations of its own.
            self.scans = not rest[-1]

        def declare(prefix: str | None, namespace: str | None) -> None:
            if self.root:
                raise NotScannable
            self._namespaces[prefix or ""] = namespace or ""

        def begin(name: str, attributes: dict[str, str]) -> None:
            parser.StartElementHandler = None
            self.root = name.rpartition(" ")[2]
            self.root_start = parser.CurrentByteIndex
            self.root_attributes = attributes
            self.namespace = name[: len(name) - len(self.root)]
            if self.root not in roots:
                raise self.error_at(
                    self.root_start,
                    f"the file is <{self.root[:60]}>, expected one of "
                    + ", ".join(f"<{known}>" for known in roots),
                )

        parser.EntityDeclHandler = check_entity
        parser.StartDoctypeDeclHandler = begin_doctype
        parser.StartNamespaceDeclHandler = declare
        parser.StartElementHandler = begin
        try:
            for chunk in self._chunks():
                parser.Parse(chunk, not chunk)
                self.options.progress.add_bytes(len(chunk))
        except NotScannable:
            self.scans = False
        except expat.ExpatError as error:
            if not self.root:
                raise self._broken(error) from None
            # The first error counts, and it may be one of the reader.
            self.scans = False
        finally:
            # The functions and the parser know each other.
            parser.EntityDeclHandler = parser.StartDoctypeDeclHandler = None
            parser.StartNamespaceDeclHandler = parser.StartElementHandler = None

    def _chunks(self) -> Iterator[memoryview]:
        view = memoryview(self.data)
        for start in range(0, len(view) + _CHUNK, _CHUNK):
            yield view[start : start + _CHUNK]

    def tags(
        self, codes: Mapping[str, int], ends: Collection[int], *, any_namespace: bool = False
    ) -> Iterator[Tag]:
        """The tags of a few elements, in order.

        Parameters
        ----------
        codes : mapping of str to int
            The wanted elements: codes from 1, by the names that expat gives them.
        ends : collection of int
            Codes of elements whose end tags are wanted, too.
        any_namespace : bool
            `codes` has local names, for any name space.
        """
        if not self.scans:
            return self._parsed(codes, ends, any_namespace)
        written = {}
        for name, code in codes.items():
            namespace, _, local = name.rpartition(" ")
            for prefix, meant in self._namespaces.items():
                if meant == namespace or any_namespace:
                    written[f"{prefix}:{local}" if prefix else local] = code
            if any_namespace or (not namespace and "" not in self._namespaces):
                written[local] = code
        if len(written) > MAX_NAMES:
            raise NotScannable
        names = {name.encode("utf-8"): code for name, code in written.items()}
        scanner = TagScanner(self.data, names, ends, MAX_DEPTH)
        return chain.from_iterable(iter(functools.partial(scanner.tags, _CHUNK), None))

    def _parsed(
        self, codes: Mapping[str, int], ends: Collection[int], any_namespace: bool
    ) -> Iterator[Tag]:
        """The tags as expat finds them, to the end or to an error."""
        parser = expat.ParserCreate("utf-8", " ")
        tags: list[Tag] = []
        depth = 0

        def code_of(name: str) -> int:
            return codes.get(name.rpartition(" ")[2] if any_namespace else name, 0)

        def start(name: str, attributes: dict[str, str]) -> None:
            nonlocal depth
            depth += 1
            position = parser.CurrentByteIndex
            if depth > MAX_DEPTH:
                what = f"elements are nested more than {MAX_DEPTH} deep"
                raise self.error_at(position, what)
            code = code_of(name)
            if code:
                match = TAG.match(self.data, position)
                assert match is not None
                tags.append((code, depth, position, match.end(), attributes))

        def end(name: str) -> None:
            nonlocal depth
            code = code_of(name)
            if code in ends:
                position = parser.CurrentByteIndex
                tags.append((-code, depth, position, position, None))
            depth -= 1

        parser.StartElementHandler, parser.EndElementHandler = start, end
        try:
            for chunk in self._chunks():
                parser.Parse(chunk, not chunk)
                yield from tags
                tags.clear()
        except expat.ExpatError as error:
            yield from tags
            raise self._broken(error) from None
        except FormatError:
            yield from tags
            raise
        finally:
            parser.StartElementHandler = parser.EndElementHandler = None

    def attribute(self, tag: Tag, name: str) -> str | None:
        """An attribute of a start tag, by the name that expat gives it; None if missing.

        `name` has no name space, or is `XML_LANG`.
        """
        if tag[4] is not None:
            return tag[4].get(name)
        written = "xml:lang" if name == XML_LANG else name
        if self.data.find(written.encode(), tag[2], tag[3]) < 0:
            return None
        found = attribute_pattern(written).match(self.data, tag[2], tag[3])
        return None if found is None else _value(found)

    def attributes(self, tag: Tag) -> dict[str, str]:
        """The attributes of a start tag, by the names that expat gives them."""
        if tag[4] is not None:
            return tag[4]
        found = {}
        for match in _ATTRIBUTE.finditer(self.data, tag[2], tag[3]):
            prefix, colon, name = match["name"].decode("utf-8").rpartition(":")
            found[f"{self._namespaces[prefix]} {name}" if colon else name] = _value(match)
        return found

    def error_at(self, position: int, what: str) -> FormatError:
        """An error about a byte of the file."""
        line = 1 + sum(1 for _ in _LINE_END.finditer(self.data, 0, position))
        return FormatError(f"{self.name}: line {line}: {what}")

    def _broken(self, error: expat.ExpatError) -> FormatError:
        what = expat.ErrorString(error.code)
        return FormatError(f"{self.name}: line {error.lineno}: broken XML: {what}")


class NotScannable(OverflowError):
    """Only a parser can read the file."""


@functools.cache
def attribute_pattern(name: str) -> re.Pattern[bytes]:
    """The start of a tag up to the value of an attribute, by its name in the file."""
    before = rb"<[^\s/>]+(?:\s+[^\s=]+\s*=\s*(?:\"[^\"]*\"|'[^']*'))*?\s+"
    return re.compile(before + re.escape(name.encode()) + _ATTRIBUTE_VALUE)


def _value(match: re.Match[bytes]) -> str:
    """The text of an attribute."""
    value = (match["value"] or match["other"] or b"").decode("utf-8")
    if "&" not in value and value.isprintable():
        return value
    return _REFERENCE.sub(_character, _WHITE.sub(" ", value))


def _character(match: re.Match[str]) -> str:
    if match[1].startswith("#"):
        return _numbered(match[1])
    if match[1] in _PREDEFINED:
        return _PREDEFINED[match[1]]
    raise NotScannable


def _numbered(name: str) -> str:
    # The name is #233 or #xe9.
    base, digits = (16, name[2:]) if name.startswith("#x") else (10, name[1:])
    # Python limits the digits of numbers; XML does not.
    return chr(int(digits.lstrip("0"), base))


# The pieces of contents.

#: The attributes of a tag; without the slash of an element of a single tag.
ATTRIBUTES = rb"(?:[^\"'<>/]+|\"[^\"]*\"|'[^']*'|/(?!>))*"
#: From the start of a tag to its end.
TAG = re.compile(rb"<[^\s/>]+" + ATTRIBUTES + rb"/?>")
_MARKUP = re.compile(
    rb"<!--.*?-->"
    rb"|<!\[CDATA\[(?P<cdata>.*?)\]\]>"
    rb"|<\?.*?\?>"
    rb"|</(?P<end>[^\s>]+)\s*>"
    rb"|<(?P<start>[^\s/>]+)(?P<attributes>" + ATTRIBUTES + rb")(?P<empty>/?)>"
    rb"|&(?P<reference>[^;]*);",
    re.DOTALL,
)

# Elements of TMX and XLIFF 1.2 that contain native code.
_CODES = frozenset([b"ph", b"bpt", b"ept", b"it", b"ut"])
# Elements, also of XLIFF 2, in place of something in the text; others change its looks.
_STANDALONE = frozenset([b"ph", b"x", b"ut", b"cp"])
_SHOWN_AS = (b"equiv-text", b"equiv", b"disp")


def xml_pieces(data: bytes, start: int, end: int) -> list[Piece]:
    """The text of bytes `start` … `end` - 1 of an XML file in UTF-8.

    Tags and comments are left out, and so is native code in ``bpt ept it ph ut``. ``ph`` and ``x``
    become a digit if they stand for a value, else a blank. Text in ``mrk`` that is protected, or
    not to be translated, does not change.
    """
    raw = data[start:end]
    if b"<" not in raw and b"&" not in raw:
        return [Piece(PLAIN, start, end, raw.decode("utf-8"))]
    reader = _Reader(data)
    position = start
    for match in _MARKUP.finditer(data, start, end):
        reader.text(position, match.start())
        reader.markup(match)
        position = match.end()
    reader.text(position, end)
    return reader.pieces


class _Reader:
    """Reads one content."""

    def __init__(self, data: bytes) -> None:
        self.pieces: list[Piece] = []
        self._data = data
        # How many elements are open in native code, with the code's own; its start.
        self._n_in_code = 0
        self._code_start = 0
        self._code = b""
        # Whether each open element protects its text; and the protecting open sm of XLIFF 2.
        self._fixed: list[bool] = []
        self._fixed_ids: set[bytes] = set()

    @property
    def _is_fixed(self) -> bool:
        return bool(self._fixed_ids) or (bool(self._fixed) and self._fixed[-1])

    def _add(self, kind: int, start: int, end: int, text: str) -> None:
        self.pieces.append(Piece(FIXED if self._is_fixed else kind, start, end, text))

    def text(self, start: int, end: int) -> None:
        if start < end and not self._n_in_code:
            self._add(PLAIN, start, end, self._data[start:end].decode("utf-8"))

    def markup(self, match: re.Match[bytes]) -> None:
        kind = match.lastgroup
        if match["start"] is not None:
            self._start(match)
        elif kind == "end":
            self._end(match)
        elif self._n_in_code:
            return
        elif kind == "cdata":
            self.text(match.start("cdata"), match.end("cdata"))
        elif kind == "reference":
            self._reference(match)

    def _start(self, match: re.Match[bytes]) -> None:
        name = match["start"].rpartition(b":")[2]
        is_empty = bool(match["empty"])
        if self._n_in_code:
            self._n_in_code += not is_empty
            return
        if name in _STANDALONE:
            self._standalone(match)
        if name == b"sm" or name == b"em":
            self._fixed_span(name, _attributes(match["attributes"]))
        if is_empty:
            return
        if name in _CODES:
            self._n_in_code = 1
            self._code_start = match.end()
            self._code = name
        elif name == b"mrk":
            self._fixed.append(_keeps_case(_attributes(match["attributes"]), self._is_fixed))
        else:
            self._fixed.append(self._is_fixed)

    def _end(self, match: re.Match[bytes]) -> None:
        if not self._n_in_code:
            if self._fixed:
                self._fixed.pop()
            return
        self._n_in_code -= 1
        if not self._n_in_code and self._code in _STANDALONE:
            code = self._data[self._code_start : match.start()].decode("utf-8")
            if is_placeholder(html.unescape(code)):
                self.pieces[-1] = self.pieces[-1]._replace(text=value_at(self._data, match.end()))

    def _standalone(self, match: re.Match[bytes]) -> None:
        attributes = _attributes(match["attributes"])
        codes = (attributes.get(name, b"").decode("utf-8") for name in _SHOWN_AS)
        is_value = any(is_placeholder(html.unescape(code)) for code in codes)
        shown = value_at(self._data, match.end()) if is_value else " "
        self.pieces.append(Piece(FIXED, match.start(), match.start(), shown))

    def _fixed_span(self, name: bytes, attributes: dict[bytes, bytes]) -> None:
        if name == b"em":
            self._fixed_ids.discard(attributes.get(b"startRef", b""))
        elif _keeps_case(attributes, False):
            self._fixed_ids.add(attributes.get(b"id", b""))

    def _reference(self, match: re.Match[bytes]) -> None:
        name = match["reference"]
        if name.startswith(b"#"):
            kind = HEXADECIMAL if name.startswith(b"#x") else DECIMAL
            self._add(kind, *match.span(), _numbered(name.decode()))
        else:
            # The document type is not read; most declare names of HTML, others values.
            written = match[0].decode("utf-8")
            shown = html.unescape(written)
            self._add(FIXED, *match.span(), VALUE if shown == written else shown)


def _attributes(raw: bytes) -> dict[bytes, bytes]:
    return {
        match["name"].rpartition(b":")[2]: match["value"] or match["other"] or b""
        for match in _ATTRIBUTE.finditer(raw)
    }


def _keeps_case(attributes: dict[bytes, bytes], inherited: bool) -> bool:
    if attributes.get(b"mtype") == b"protected":
        return True
    translate = attributes.get(b"translate")
    return inherited if translate is None else translate == b"no"


_XML_START = re.compile(rb"(?:\xef\xbb\xbf|\xff\xfe|\xfe\xff)?[\s\0]*<")


def looks_like_xml(sample: Sample) -> bool:
    """Whether a file begins as XML does."""
    return _XML_START.match(sample.data) is not None


#: XML whose first element says which format it is.
ANY_XML = Format("xml", "XML", looks_like=looks_like_xml, element="any", charset=charset_of_xml)


#: Makes a format of XML whose contents are messages, with placeholders of programs in them.
xml_format = functools.partial(
    Format, charset=charset_of_xml, notation=XML, pieces=xml_pieces, has_placeholders=True
)
