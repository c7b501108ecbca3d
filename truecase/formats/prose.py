"""Plain text, Markdown and HTML.

markdown-it-py, a reader of CommonMark, finds the lines of each paragraph of Markdown; this module
finds the texts in these lines. It finds tags of HTML by their bytes, as HTML's tokeniser does, in
pages that need not be well-formed. Sentences run through inline tags, and end at blocks.
"""

from __future__ import annotations

import bisect
import html
import itertools
import re
from collections.abc import Callable, Iterable, Iterator
from importlib import import_module
from typing import Any

from truecase.errors import FormatError
from truecase.formats import words_of
from truecase.formats.format import Format, ReadOptions, charset_of_html, head_has
from truecase.formats.languages import language_said, languages_of
from truecase.formats.placeholders import CODE, VALUE, value_at
from truecase.formats.segments import (
    FIXED,
    Piece,
    Units,
    blank,
    has_letter,
    plain,
    skip_bom,
    split_at,
    text_of,
    with_stand_ins,
)
from truecase.formats.subtitles import ends_sentence
from truecase.kernels.text import primary


def read_text(name: str, data: bytes, options: ReadOptions) -> Units:
    """The lines of a text, or with the context ``document`` its paragraphs."""
    ends = [feed.start() for feed in re.finditer(b"\n", data)]
    if options.context == "document":
        from truecase.truecaser.line_ends import line_ends_inside

        ends = [end for end, inside in zip(ends, line_ends_inside(data), strict=True) if not inside]
    units = Units()
    start = skip_bom(data)
    for end in [*ends, len(data)]:
        if start < end:
            units.add_unit([plain(data, start, end)])
        start = end + 1
    return units


# Where people and organisations have pages under the names that they have chosen.
_PEOPLE = rf"https?://(?:(?:www\.)?(?:{'|'.join(words_of('people'))})\.\w{{2,3}}/|[\w.-]+/@)"

# Markdown.

_LINE_END = re.compile(rb"\r\n?|\n")
_FRONT_MATTER = re.compile(
    rb"(?:\xef\xbb\xbf)?(?P<mark>---|\+\+\+)[ \t]*\r?\n(?:.*?\r?\n)??(?:(?P=mark)|\.{3})[ \t]*"
    rb"(?=[\r\n]|\Z)",
    re.DOTALL,
)
# Lines that begin or end a block of an extension, its options, and where a table of contents goes.
_FENCE = re.compile(
    r"%%?(?:\s|$)|\[(?:comment|//)\]:\s|\s*(?:\{[%:#.]|\{\{[<%#][^{}]*\}\}\s*$|\{\{(?!.*\}\})|\w+\}\}\s*$|\([^()\s]+\)=\s*$|\[?TOC\]?\s*$"
    r"|:(?:align|class|(?:fig|file)\w+|height|label|name|target|url|width):\s|:[\w-]+:\s+\S+\s*$)"
)
# The first line of a box with its title, and the last: !!! of MkDocs, whose content is indented,
# ::: of many tools, where braces have a directive, and notes of GitHub and Obsidian.
_BOX = re.compile(
    r"(?P<before>[ \t>]*(?:[:*+-] +)?)(?:(?P<indents>={3}[!+]{0,2} +\"(?P<a>.*)\"|(?:!{3}|\?{3}\+?)"
    r"(?: ?[\w-]+(?: +[\w-]+)*)?(?: +\"(?P<b>.*)\")?)"
    r"|:{3,} *(?:(?:[\w-]+|\{[\w:-]+\}(?= +\S+ ))(?: +(?P<c>(?![\w-]+=\")[^\s{}:][^{}]{0,300}?)"
    r"|\[(?P<d>.+)\](?:\{[^{}]*\})?):*|.*)|\[!\w+\][+-]?(?: +(?P<e>.*))?"
    # Fences of MyST around text, where all others have code.
    r"|(?P<fence>`{3,}|~{3,})\{(?:(?:prf:\w+|"
    rf"{'|'.join(words_of('directives'))})\}}(?: +(?P<f>[^`]*))?"
    rf"|(?:{'|'.join(words_of('containers'))})\}}[^`]*))\s*"
)
# Fences around code, and lines around the options of a directive.
_CODE_FENCE = re.compile(
    r"[ \t>]*(?:[*+-] +)?(`{3,}(?=[^`]*$)|~{3,}|---(?=\s*$)"
    r"|:{3,}(?= *\{(?:code|include|literalinclude|math|mermaid|raw|toctree)))"
)
_INDENT = 4
# The definition of a term, which is read as an item of a list.
_DEFINITION = re.compile(r"\A( {0,3}):(?=\s)")
# Items that Pandoc marks with letters, behind a blank line or each other.
_LETTERED = re.compile(
    r"\A([ >]*)(?:\(?(?:[a-z]|[ivx]{2,5}|\#)[.)]|\(?[A-Z]\)|[A-Z]\.(?=\s\s))(?=\s)"
)
# What goes on in lines further in.
_FOOTNOTE = re.compile(r" {0,3}\[\^[^\]\s]{1,99}\]:")
# A line in bold, as the first of a paragraph a heading.
_BOLD_LINE = re.compile(r"(\*\*|__)[^*_]{1,300}\1:?")
# A comment in front of text.
_COMMENT = re.compile(r"\A([ >]*(?:[*+-] +)?)<!--.*?--> *(?=[^\s<])")
# Maths of TeX, and code, which CommonMark does not see within HTML and far from the margin.
_DISPLAY = re.compile(
    r"^[ >]*(?:(?P<fence>`{3,}(?=[^`\n]*\n)|~{3,})[^\n]*\n.*?"
    r"(?:^[ >]*(?P=fence)[`~]*[ \t]*$|(?P<open>\Z))"
    r"|\{[{%<-]+\s*(?P<block>highlight|code[\w-]*)(?![\w-])(?:(?!\{[{%<-]+\s*(?:highlight|code)).)*?"
    r"\{[{%<-]+\s*(?:end|/\s?)(?P=block)\b[^\n]*$|\{\{[<%][^{}]{0,2000}[>%]\}\}[ \t]*$"
    r"|export\s[^\n]*[\[({][ \t]*\n(?:(?!^export\s).)*?^[\])}][^\n]*$"
    r"|(?P<maths>\$\$[^$]{1,5000}\$\$|\$[ \t]*\n[^$]{1,5000}\n[ >]*\$|\\{1,2}\[.{1,999}?\\{1,2}\]"
    r"|\\begin\{(?P<environment>\w{1,20}\*?)\}.{0,3000}?\\end\{(?P=environment)\})"
    r"(?P<mark>[.,;]?)(?:[ \t]*(?:(?:\\label)?\{[^{}\n]*\}|\([\w:.-]+\)))?[ \t]*$)",
    re.MULTILINE | re.DOTALL,
)
# What ends a sentence inside of it: a full stop before the end of maths, and perhaps spaces of TeX.
_STOP = re.compile(r"\.(?:\s|\\[ ,;:!]|\$|\\{1,2}\]|\\end\{\w+\*?\})*\Z")
# Imports and exports of MDX.
_MODULE = re.compile(
    r"import\s(?:.{0,2000}?\sfrom\s*)?[\"'][^\"']+[\"']"
    r"|export\s+(?:default|const|let|var|function|async|class|\{|\*)(?=\W)",
    re.DOTALL,
)
_TEX = r"(?=\w{1,2}\\|[^()]{0,300}?(?:[\^_=<>{]|\\[A-Za-z]))"
_MARKUP = re.compile(
    # Numbers and tags of what an item is about: [NEW]; notes of Pandoc.
    r"(?P<about>\A\[{1,2}(?:[#!]?\d+\](?:\([^()\s]*\))?|[A-Z]{2,20}\])\]?:?\s)|"
    r"\^\[(?P<note>(?:[^\[\]]|\[[^\[\]]{0,300}\]){1,2000})\]|(?P<maths>\$\$[^$]{1,2000}\$\$|\$[^\s$](?:[^$]{0,2000}[^\s$])?\$(?!\d)(?:-a\.[es]\.)?"
    r"|\$(?=[^$]{0,300}[\^_=\\])[^$]{1,300}\$(?!\d)"
    rf"|\\{{1,2}}\({_TEX}.{{1,500}}?\\{{1,2}}\)|\\{{1,2}}\[{_TEX}.{{1,500}}?\\{{1,2}}\]"
    r"|\\begin\{(?P<environment>\w{1,20}\*?)\}.{0,999}?\\end\{(?P=environment)\}"
    r"|\\(?:\w{0,10}ref|cite\w{0,10}|label)\{[^{}]{0,300}\}|\\@ref\([^()\s]{1,300}\)"
    r"|\{[\w:+.-]{1,60}\}`[^`]{1,300}`"
    # Code of signs alone, or with a mark at its end, would look like the end of a text.
    r"|(?<!`)`(?:[^`\w]{1,99}|[^`]{1,300}[.!?][\"')]?)`(?!`))"
    # Code, keys of citations, and names of people; pages of a wiki.
    r"|(?P<kept>(?<=\[)(?P<link>(?=\w{1,60}?[._-])\w[\w.-]{0,200}\w)(?=\]\([^()\s]{0,300}?(?P=link)[/)])"
    rf"|(?<=[\[>])@?(?P<person>[\w-]+)(?=(?:</\w+>){{0,3}}\]\({_PEOPLE}(?P=person)/?\))"
    r"|(?P<ticks>`{1,20})(?!`).{0,2000}?(?<!`)(?P=ticks)(?!`)"
    r"|(?<![\w.+-])@(?:\{[^{}\s]{1,300}\}|\w(?:[\w:.#$%&+?<>~/-]{0,300}\w)?)"
    r"|\[[\w.]{1,60}\]\.\w[\w./-]{0,99}|!?\[\[[^\[\]|]{1,300}\]\]|\+\+[\w-]+(?:\+[\w-]+)*\+\+|(?<![\w&/#])#[A-Za-z][\w-]*(?:/[\w-]+)+"
    rf"|<(?P<code>{CODE})\b[^<>]{{0,300}}>.{{0,2000}}?</(?P=code)>"
    r"|<[A-Za-z][A-Za-z0-9+.-]*:[^<>\s]*>)"
    # Comments, short names of emoji, targets of links, names of footnotes, attributes.
    r"|(?P<target>(?<![\w:]):[a-z0-9][a-z0-9_+-]{0,50}:(?![\w:])|<!--.{0,2000}?-->|\{/\*.{0,2000}?\*/\}|(?<![\w%])%%[^%]{1,2000}%%|!?\[\[[^\[\]|]{1,300}\|"
    r"|\]\([^()\s]*(?:\([^()\s]*\)[^()\s]*)*(?:\s+(?:\"[^\"]*\"|'[^']*'))?\s*\)"
    r"|\[[ xX]\](?=\s)|\]\s?\[[^\[\]]*\]|\[\^[^\[\]]*\]:?|\{ ?[.#:][^{}]*\}|\{[\w-]+=[^{}]*\})"
    r"|\\(?P<escaped>[!-/:-@\[-`{-~])"
    r"|(?P<emphasis>\*+|(?<!\w)_+(?=\w)|(?<=[^\W_])_+(?!\w)|~~|!?\[|\]|\\(?=\s))"
)


def read_markdown(
    name: str, data: bytes, options: ReadOptions, headings_only: bool = False
) -> Units:
    """The texts of a Markdown file, or its headings."""
    try:
        markdown_it: Any = import_module("markdown_it")
    except ModuleNotFoundError:
        raise FormatError(
            f"{name}: Markdown needs markdown-it-py: pip install markdown-it-py"
        ) from None
    lines = list(_lines(data))
    front = _FRONT_MATTER.match(data)
    n_front = 0 if front is None else bisect.bisect_left(lines, (front.end(), 0))
    source, cells = _without_boxes(
        "" if i < n_front else data[start:end].decode("utf-8").replace("\0", " ").lstrip("\ufeff")
        for i, (start, end) in enumerate(lines)
    )
    cells = {i: lines[i][0] + n for i, n in cells.items()}
    source, maths = _without_maths(source)
    parser = markdown_it.MarkdownIt("commonmark", {"maxNesting": 50}).enable("table")
    # The parser finds blocks alone.
    parser.core.ruler.disable("inline")
    units = Units()
    block = ""
    # The paragraph that goes on behind maths, and the line where it stops.
    pieces: list[Piece] = []
    stopped = 0
    is_paragraph = is_cased = False
    for token in parser.parse(source):
        is_wanted = not headings_only or block == "heading_open"
        block = token.type
        if not is_wanted:
            continue
        if token.type == "html_block":
            _add_marked(units, pieces)
            pieces = []
            first, last = token.map
            html_block = _Reader(lambda found: _add_marked(units, found), data)
            html_block.read(lines[first][0], lines[last - 1][1])
        elif token.type == "inline" and token.map is not None:
            first, last = token.map
            if is_paragraph and _MODULE.match(token.content):
                continue
            found = _pieces(data, lines, first, token.content, cells)
            between = [maths[line] for line in range(stopped, first) if line in maths]
            # Cased text goes on in lower case, also behind code.
            is_small = is_cased and token.content[:1].islower()
            is_open = is_paragraph and (is_small or (between and not any(between)))
            if not (is_open and _may_go_on(pieces, token.content)):
                _add_marked(units, pieces)
                pieces = []
            elif found:
                pieces.append(Piece(FIXED, found[0].start, found[0].start, f"{VALUE} "))
            pieces += found
            stopped = last
            is_cased = is_paragraph and (is_cased or token.content[:1].isupper())
        is_paragraph = token.type == "paragraph_open" and not token.level
    _add_marked(units, pieces)
    return units


def _may_go_on(pieces: list[Piece], following: str) -> bool:
    # A capital behind maths is meant, where not all letters are.
    is_capital = following[:1].isupper() and not following.isupper()
    return not (is_capital or not pieces or ends_sentence(text_of(pieces[-3:])))


def _without_boxes(lines: Iterable[str]) -> tuple[str, dict[int, int]]:
    """A source of CommonMark: titles of boxes are headings, and their contents are not indented.

    The bytes in front of a title are by its line.
    """
    found = []
    titles = {}
    indents = [0]
    is_free = True  # what may be an item
    # Fences that are open, and whether they hold code, and the line of the last around text.
    fences: list[tuple[str, bool]] = []
    last = -1
    for i, line in enumerate(lines):
        while line.strip() and len(line) - len(line.lstrip(" ")) < indents[-1]:
            indents.pop()
        bare = line.strip(" \t>\r")
        fence, is_code = fences[-1] if fences else ("", False)
        is_end = fence != "" and bare.startswith(fence) and not bare.strip(fence[0])
        if is_end:
            fences.pop()
        if is_end or is_code:
            found.append(line[indents[-1] :] if is_code and fence[0] in "`~" else "")
            continue
        box = _BOX.fullmatch(line)
        line = line[indents[-1] :]
        code = _CODE_FENCE.match(line)
        if box is not None and box["fence"]:
            fences.append((box["fence"], False))
            last = i
        elif code is not None and (code[1] != "---" or last == i - 1 >= 0):
            fences.append((code[1], True))
            box, line = None, line if code[1][0] in "`~" else ""
        if box is not None:
            before = box["before"]
            line = "" if box["indents"] else before[indents[-1] :]
            name = next((name for name in "abcdef" if box[name]), None)
            if name is not None:
                titles[i] = len(box.string[: box.start(name)].encode("utf-8"))
                line += f"# {box[name]}"
            if box["indents"]:
                indents.append(len(before) + _INDENT)
        indents += [indents[-1] + _INDENT] * bool(_FOOTNOTE.match(line))
        item = _LETTERED.sub(r"\1-", line) if is_free else line
        is_free = item != line or not bare
        found.append(_COMMENT.sub(r"\1", _DEFINITION.sub(r"\1-", item)))
    return "\n".join(found), titles


def _without_maths(source: str) -> tuple[str, dict[int, bool]]:
    """A source without maths and code; for each line where maths ends, whether a sentence does."""
    parts = []
    ends: dict[int, bool] = {}
    done = line = 0
    for display in _DISPLAY.finditer(source):
        if display["open"] is None:
            n_lines = display[0].count("\n")
            parts += [source[done : display.start()], "\n" * n_lines]
            line += parts[-2].count("\n") + n_lines
            done = display.end()
            if display["maths"]:
                stop = _STOP.search(display["maths"])
                ends[line] = display["mark"] == "." or stop is not None
    return "".join([*parts, source[done:]]), ends


def _add_marked(units: Units, pieces: list[Piece]) -> None:
    """Add the text of a block, with its markup."""
    text = text_of(pieces)
    marks = list(_MARKUP.finditer(text))
    found = [
        (*mark.span(), VALUE if mark["maths"] else mark["kept"] or mark["escaped"])
        for mark in marks
    ]
    units.add_unit(with_stand_ins(pieces, found))
    # Of cased text, a note in lower case stays.
    is_cased = any(map(str.isupper, text))
    notes = (
        mark.span("note")
        for mark in marks
        if mark["note"] and not (is_cased and mark["note"][0].islower())
    )
    for note in split_at(pieces, itertools.chain(*notes))[1::2]:
        _add_marked(units, note)


def _lines(data: bytes) -> Iterator[tuple[int, int]]:
    start = 0
    for end in _LINE_END.finditer(data):
        yield start, end.start()
        start = end.end()
    yield start, len(data)


def _pieces(
    data: bytes, lines: list[tuple[int, int]], first: int, content: str, cells: dict[int, int]
) -> list[Piece]:
    """The text of a block from line `first` on; no pieces if the lines differ from the text.

    `cells` holds how far each line has been read, because a line of a table has several texts.
    """
    found: list[Piece] = []
    block = content.split("\n")
    # In cased text, a small letter goes on with the sentence.
    is_headed = _BOLD_LINE.fullmatch(block[0].strip()) is not None and not (
        "".join(block[1:2]).lstrip()[:1].islower() and content != content.lower()
    )
    for i, line in enumerate(block, first):
        text = line.strip().encode("utf-8")
        if not text or _FENCE.match(line):
            continue
        if i >= len(lines):
            return []
        start, end = lines[i]
        start = data.find(text, max(start, cells.get(i, 0)), end)
        if start < 0:
            return []
        cells[i] = start + len(text)
        space = Piece(FIXED, cells[i], cells[i], "\n\n" if is_headed and i == first else " ")
        found += [plain(data, start, cells[i]), space]
    return found


# HTML.

_REFERENCE = rb"&(?:[A-Za-z]\w{1,30}|\#\d{1,7}|\#[xX][0-9A-Fa-f]{1,6});?"
# What an expression of a template has in brackets.
_GIVEN = rb"\((?:[^()]|\((?:[^()]|\([^()]{0,300}\)){0,300}\)){0,2000}\)"
# Statements and values of templates, and code of Markdown. Each ends before another begins. All
# alternatives begin with a sign, for which a search looks alone.
_TEMPLATE = (
    rb"\{(?:%-?\s*(?P<block>comment|doc|highlight|javascript|schema|style(?:sheet)?)\b[^%]{0,99}%\}"
    rb"(?:[^{]|\{(?!%-?\s*(?:end)?(?P=block)\b)){0,99999}\{%-?\s*end(?P=block)\b[^%]{0,9}%\}"
    rb"|%-?\s*block\s+\w{0,30}(?:attributes|class|id)\s*-?%\}[^{}<>]{0,99}"
    rb"|%(?:[^%{]|\{(?!%)|%(?!\})){0,2000}%\}|\#(?:[^\#{]|\{(?!\#)|\#(?!\})){0,2000}\#\}"
    rb"|\{(?:[!\#/>^]|else\b)[^{}]{0,300}\}\})"
    rb"|<(?:%(?!=)(?:[^%<]|<(?!%)|%(?!>)){0,9999}%>|\?php\b.*?(?:\?>|\Z))"
    rb"|\$(?:if|elseif|for)\([\w./-]{1,99}\)\$"
    # Of Angular, Blade, Razor and Twirl.
    rb"|@(?:else\b(?: if ?" + _GIVEN + rb")?|(?:(?:case|defer|for|foreach|if|switch|while) ?"
    rb"|[\w.]{0,60})" + _GIVEN + rb")(?: ?\{)?"
    rb"|<(?P<output>%=(?:[^%<]|<(?!%)|%(?!>)){0,2000}%>|\?=[^<>]{0,300}\?>)"
    rb"|\{(?P<value>\{(?=[^{}]{0,300}[^\w\s.{}-])(?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\}){0,2000}\}\})"
    rb"|`(?P<code>[^`\n]{1,300}`)"
)
_TOKEN = re.compile(
    rb"<(?P<slash>/?)(?P<name>[A-Za-z][^\s/>]*)"
    # A quotation mark that is not closed is a sign like others.
    rb"(?P<attributes>(?:[^>\"'{<]|<(?!%)|<%(?:[^%<]|<(?!%)|%(?!>)){0,2000}%>|\"[^\"]*\"|'[^']*'|\{(?:[^{}]|\{[^{}]*\}){0,999}\}){0,5000}|[^>]*)>"
    rb"|" + _REFERENCE + rb"|<!--.*?(?:-->|\Z)|" + _TEMPLATE + rb"|<[!?][^>]*(?:>|\Z)",
    re.DOTALL,
)
_ENTITY = re.compile(_TEMPLATE + rb"|" + _REFERENCE, re.DOTALL)
# Statements around a text of its own; trans "..." is a value within one.
_BEGINS_TEXT = re.compile(rb"\{%-?\s*(?:end)?(?:block\w*|trans)\b[^\"']*%\}")
_BRANCH = re.compile(rb"(?:[{<][{%]-?\s*|@)(?:(?P<opens>\#|if\b|unless\b)|\^|el(?:se|s?if)\b)")
# Pictures by name, too: <i class="material-icons">done</i>.
_NOT_TRANSLATED = re.compile(rb"(?i)\btranslate\s*=\W*no\b|notranslate|material-(?:icon|symbol)s")

# Elements that stand within a sentence; all others end it.
_INLINE = frozenset(word.encode() for word in words_of("inline"))
# What begins a text behind a line break.
_CAPITAL = re.compile(rb"\s*(?:<\w[^<>]{0,99}>\s*){0,3}[A-Z][a-z]")
# A button within a sentence has text before and behind it, not far away.
_NEAR = 9
_BUTTON_WITHIN = re.compile(rb"[^<]{0,300}</button\s*>\s*[^\s<]", re.IGNORECASE)
_PERSON = re.compile(
    rb"<a\s[^<>]{0,300}?\bhref=[\"']%s([\w-]+)/?[\"'][^<>]{0,300}>(?:\s|<(?!/?a\b)[^<>]{0,300}>){0,30}@?\1\s{0,30}<"
    % _PEOPLE.encode()
)
_LANG = re.compile(rb"(?<![\w-])(?:xml:)?lang\s*=\s*[\"']?([\w-]+)", re.IGNORECASE)
# Elements whose content stays: blocks without text, and code; those of _RAW have no tags, either.
_SKIPPED = frozenset(b"pre svg math template object".split())
_KEPT = _SKIPPED | set(CODE.encode().split(b"|"))
_RAW = frozenset(b"script style textarea xmp iframe noembed noframes plaintext".split())
_VOID = frozenset(b"area base br col embed hr img input link meta source track wbr".split())


def read_html(name: str, data: bytes, options: ReadOptions) -> Units:
    """The texts of a page."""
    units = Units()
    units.languages = languages_of(name, options.wanted, None, language_said("html", data))
    front = _FRONT_MATTER.match(data)
    reader = _Reader(units.add_unit, data, units.languages.target or "")
    reader.read(front.end() if front else 0, len(data))
    return units


class _Reader:
    def __init__(self, add: Callable[[list[Piece]], None], data: bytes, language: str = "") -> None:
        self._add = add
        self._data = data
        self._language = primary(language)
        self._pieces: list[Piece] = []
        # The element in which text is left alone, and how many of its name are open.
        self._kept = b""
        self._n_kept = 0
        self._is_skipped = False
        self._is_in_sentence = False  # the button that is open
        self._begins = False  # the statement that is open
        self._n_breaks = 0

    def read(self, start: int, end: int) -> None:
        """Add the texts of bytes `start` … `end` - 1; parts in another language are left alone."""
        # Behind the last end of a tag there is no tag, and the search for one would take long.
        last = self._data.rfind(b">", start, end) + 1
        while start < end:
            token = _TOKEN.search(self._data, start, last) if start < last else None
            token = token or _ENTITY.search(self._data, max(start, last), end)
            if token is None:
                break
            self.text(start, token.start())
            start = self.token(token, end)
        self.text(start, end)
        self.finish()

    def finish(self) -> None:
        """End a text."""
        if self._pieces:
            self._add(self._pieces)
        self._pieces = []
        self._n_breaks = 0

    def text(self, start: int, end: int) -> None:
        """Add text."""
        if start >= end or self._is_skipped:
            return
        piece = plain(self._data, start, end)
        if not piece.text.isspace():
            self._n_breaks = 0
        self._pieces.append(piece._replace(kind=FIXED) if self._kept else piece)

    def token(self, token: re.Match[bytes], end: int) -> int:
        """Read a tag, a comment, a statement or an entity; return where the text goes on."""
        kind = token.lastgroup or ""
        is_value = kind in ("output", "value")
        if is_value or kind == "code" or token[0].startswith(b"&"):
            if not self._is_skipped:
                text = html.unescape(token[0].decode("utf-8"))
                text = value_at(self._data, token.end()) if is_value else text
                self._pieces.append(Piece(FIXED, *token.span(), text))
        elif kind == "attributes":
            return self._tag(token, end)
        elif (branch := _BRANCH.match(token[0])) and branch["opens"]:
            self._begins = not has_letter(self._pieces)
        elif (branch and self._begins) or _BEGINS_TEXT.match(token[0]):
            # The other branch begins where the first did.
            self.finish()
        return token.end()

    def _tag(self, token: re.Match[bytes], end: int) -> int:
        name = token["name"].lower()
        is_start = not token["slash"]
        is_empty = name in _VOID or token["attributes"].endswith(b"/")
        if self._kept:
            if name == self._kept and not (is_start and is_empty):
                self._n_kept += 1 if is_start else -1
                if not self._n_kept:
                    self._kept, self._is_skipped = b"", False
            return token.end()
        if name == b"br":
            self._n_breaks += 1
            if self._n_breaks > 1 or _CAPITAL.match(self._data, token.end(), end):
                self.finish()
            else:
                self._pieces.append(blank(token.end()))
            return token.end()
        if name == b"button" and is_start:
            is_within = _BUTTON_WITHIN.match(self._data, token.end(), end) is not None
            self._is_in_sentence = is_within and has_letter(self._pieces[-_NEAR:])
        if name == b"button" and self._is_in_sentence:
            self._pieces.append(blank(token.end()))
        elif name not in _INLINE:
            self.finish()
        if not is_start or is_empty:
            return token.end()
        if name in _RAW:
            close = re.compile(rb"</" + re.escape(name) + rb"(?=[\s/>])", re.IGNORECASE)
            found = close.search(self._data, token.end(), end)
            return end if found is None else found.start()
        if name in _KEPT or self._is_left(token, end):
            self._kept, self._n_kept = name, 1
            self._is_skipped = name in _SKIPPED or name not in _INLINE
            if name == b"math":
                self._pieces.append(Piece(FIXED, token.end(), token.end(), VALUE))
        return token.end()

    def _is_left(self, token: re.Match[bytes], end: int) -> bool:
        """Whether an element is not to be translated, a name, or in another language."""
        attributes = token["attributes"]
        found = _LANG.search(attributes) if self._language else None
        is_foreign = found and primary(found[1].decode("utf-8", "replace")) != self._language
        is_name = _PERSON.match(self._data, token.start(), end)
        return bool(is_foreign or is_name or _NOT_TRANSLATED.search(attributes))


_HTML_START = re.compile(
    rb"\A(?:\xef\xbb\xbf)?\s*(?:<\?xml[^<>]*>\s*|<!--.*?-->\s*)?<(?:!doctype\s+html|html)\b",
    re.IGNORECASE | re.DOTALL,
)

TEXT = Format("text", "plain text", (), None, read_text)
_MARKDOWN = (".md", ".markdown", ".mdx", ".qmd", ".rmd")
_HTML = (".html", ".htm", ".xhtml", *words_of("templates"))
FORMATS = (
    Format("markdown", "Markdown", _MARKDOWN, None, read_markdown, has_placeholders=True),
    Format("html", "HTML", _HTML, head_has(_HTML_START), read_html, charset=charset_of_html),
)
