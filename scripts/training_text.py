"""Makes training text of a language from clones of public repositories.

    python scripts/training_text.py REPOSITORIES OUT [--language LANG] [--held-out FILE...]
        [--sources NAME...]

REPOSITORIES holds a clone of each repository of `text_sources.toml`, with or without a work tree:
of `numpy/numpy.org` as `numpy/numpy.org`, `numpy+numpy.org`, `numpy.org` or one of these with
`.git`. Files are read at the commit of the table, whatever is checked out. OUT gets a text file of
each source of the language (English where none is given): what people wrote in its natural case,
without markup, code, tables and headings, a sentence a line (news and everyday sentences as they
stand, so sometimes several). Manuals that are translated give their headings, items and cells of
tables, too, and names of code as words, as that is what text of this kind has. A line stands there
once. With --held-out, no sentence of these files stands there either, compared by letters and
digits, case ignored: text to judge a model by must not be in its training text.
With --sources, only these are made. The same commits and arguments give the same bytes.
"""

import argparse
import csv
import hashlib
import html
import io
import json
import re
import subprocess
import sys
import tarfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from math import inf
from pathlib import Path
from typing import Any

from truecase.base.read import read_blocks

try:
    import tomllib
except ImportError:  # Python 3.10
    import tomli as tomllib

# Code between backticks, until it is known whether its sentence stays.
_CODE, _END_OF_CODE = "\ue000", "\ue001"


# How sentences of a language look


# Of all alphabets whose words have case.
_CAPITALS = "".join(filter(str.isupper, map(chr, range(0x530))))


@dataclass(frozen=True)
class Language:
    """What tells whole sentences of a language.

    Attributes
    ----------
    words : frozenset of str
        Of grammar; a line of this language has no fewer of them than of the English ones.
    every : int
        One of so many words is one of them.
    letters : str
        Of its alphabet, as a class of a regular expression; empty for any.
    spaced : str
        Marks with a space before them.
    today : dict
        Letters of today for those of older files.
    abbreviation, border, start, stop : re.Pattern
        A full stop that ends no sentence; where one ends and another begins; how lines do.
    """

    words: frozenset[str]
    every: int
    letters: str
    spaced: str
    today: dict[int, int]
    abbreviation: re.Pattern[str]
    border: re.Pattern[str]
    start: re.Pattern[str]
    stop: re.Pattern[str]


def _language(code: str, table: dict[str, Any]) -> Language:
    """A language of the file."""
    abbreviations = table["abbreviations"]
    if code == "en":
        capital, letter, opening, closing = "A-Z", "A-Za-z", "\"“‘'(", "\"”’')"
        before, before_next = "", rf"[{opening}\[]?"
    else:
        capital, letter = _CAPITALS, r"^\W\d_"
        opening, closing = "\"“‘'(„«»‚¿¡–— ", "\"”’')“»«‘"
        before, before_next = "„«»‚¿¡", rf"[{opening}]*"
        abbreviations = f"(?i:Mrs?|{abbreviations})"
    return Language(
        frozenset(table["words"].split()),
        table.get("every", 8),
        table.get("letters", ""),
        table.get("spaced", ""),
        str.maketrans(*table.get("today", ("", ""))),
        re.compile(
            rf"(?:^|[\s(\"“'{before}])(?:[{letter}]|[{capital}]\.(?:[{capital}]\.)*[{capital}]|"
            rf"{abbreviations})\.$"
        ),
        re.compile(rf"(?<=[.!?])([{closing}\]]*)\s+(?={before_next}[{capital}0-9\ue000])"),
        re.compile(rf"[{opening}]*[{capital}0-9À-Þ]"),
        re.compile(rf"[.!?…{table.get('stops', '')}][{closing}]*$"),
    )


_FILE = Path(__file__).with_name("text_sources.toml")
_TABLES = tomllib.loads(_FILE.read_text("utf-8"))
LANGUAGES = {code: _language(code, table) for code, table in _TABLES["language"].items()}
ENGLISH = LANGUAGES["en"]

Reader = Callable[[str, Language], Iterator[str]]


# What news, sentences and documentation are written in


_ITEM = re.compile(r"^\s*- ")
_DETAILED = re.compile(r"^events:", re.MULTILINE)
_ESCAPE = re.compile(r"\\(x[0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8}|.)", re.DOTALL)
_ESCAPED = {"n": " ", "t": " ", "_": " ", "N": " ", "L": " "}
# "(Reuters) (BBC News)" behind a sentence, where the next one or nothing follows.
_SOURCES_NAMED = re.compile(r"(?<=[.!?\"”])(?:,?\s*\([^()]{2,70}\))+[.,]?(?=\s+[A-Z\"“]|\s*$)")


def _unquoted(scalar: str) -> str:
    """The text of a YAML scalar whose lines are joined by spaces."""
    if len(scalar) > 1 and scalar[0] == scalar[-1] == "'":
        return scalar[1:-1].replace("''", "'")
    if len(scalar) > 1 and scalar[0] == scalar[-1] == '"':

        def character(found: re.Match[str]) -> str:
            name = found[1]
            if len(name) > 1:
                return chr(int(name[1:], 16))
            return _ESCAPED.get(name, name)

        # A backslash at a line's end, and one that keeps the next line's first space.
        return _ESCAPE.sub(character, re.sub(r"\\ (?:\\ )?", "", scalar[1:-1]))
    return scalar


def events(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Items of the lists of a YAML file, without the names of their sources."""
    if _DETAILED.search(text):  # written by a machine
        return
    item: list[str] = []
    for line in [*text.splitlines(), "-"]:
        if _ITEM.match(line) or not line.startswith("    "):
            if item:
                yield _SOURCES_NAMED.sub("", _unquoted(" ".join(item)))
            item = [line.split("- ", 1)[1].strip()] if _ITEM.match(line) else []
        elif item:
            item.append(line.strip())


_SPEAKER = re.compile(r"^\(\([^()]*\)\)\s*")


def articles(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Paragraphs of the column `text` of a CSV file, without "((Name))" of who speaks."""
    for row in csv.DictReader(io.StringIO(text)):
        for paragraph in re.split(r"\s*\n\s*", row["text"]):
            yield _SPEAKER.sub("", paragraph)


_NUMBER = re.compile(r"^\d+\t")


def lines(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Lines, without their numbers."""
    for line in text.splitlines():
        yield _NUMBER.sub("", line)


def prose(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of lines."""
    for line in text.splitlines():
        yield from sentences(line, language)


def speeches(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of the column `speech` of a CSV file, whose paragraphs end with tabs."""
    for row in csv.DictReader(io.StringIO(text)):
        yield from prose(row["speech"].replace("\t", "\n"), language)


# WikiExtractor drops templates, and what was only a template between brackets.
_EMPTY_BRACKETS = re.compile(r" ?\([\s,;]*\)")


def extracted(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of articles as WikiExtractor writes them, without their titles."""
    is_title = False
    for line in text.splitlines():
        if line.startswith(("<doc ", "</doc>")):
            is_title = line.startswith("<doc ")
        elif is_title:
            is_title = False
        else:
            yield from sentences(html.unescape(_EMPTY_BRACKETS.sub("", line)), language)


_STRESS = "\u0301"


def extracted_json(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """The same from its JSON, an article a line, without marks of stress."""
    for article in text.splitlines():
        whole = json.loads(article)["text"].replace(_STRESS, "")
        yield from extracted(whole.partition("\n")[2], language)


_NO_TEXT_OF_WIKI = re.compile(r"\{\{[^{}]*\}\}|\{\|(?:(?!\{\|).)*?\|\}", re.DOTALL)
_PARAGRAPH_OF_WIKI = re.compile(r"[^\W\d_]|['«\"“]")
# In pages with and without their angle brackets.
_NOTE_OF_WIKI = re.compile(
    r"(?:<|(?<![^\W\d_]))ref(?: name=[^/\n]*/(?!ref)"
    r"|(?![^\W\d_A-ZÀ-Þ])(?:(?!ref(?![^\W\d_A-ZÀ-Þ])).)*?/ref\b)>?"
)
_LINK_OF_WIKI = re.compile(r"\[\[([^\[\]|]*)(?:\|([^\[\]]*))?\]\]")


def _shown(found: re.Match[str]) -> str:
    """What a link of a wiki shows; of files and categories nothing."""
    return "" if ":" in found[1] else (found[2] or found[1])


def wikitext(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of the paragraphs of articles in a dump of Wikipedia."""
    for article in re.findall(r"<text\b[^>]*>(.*?)</text>", text, re.DOTALL):
        page, n_left = html.unescape(article), 1
        while n_left:
            page, n_left = _NO_TEXT_OF_WIKI.subn("", page)
        page = _ANY_TAG.sub("", _NOTE_OF_WIKI.sub("", page))
        for _ in "inner", "outer":
            page = _LINK_OF_WIKI.sub(_shown, page)
        for line in page.replace("nbsp;", " ").splitlines():
            if _PARAGRAPH_OF_WIKI.match(line):
                whole = re.sub("'{2,}", "", re.sub(r"(?<=\w)'''(?=\w)", "'", line))
                # What is left of a note is no text.
                whole = _EMPTY_BRACKETS.sub("", whole).replace("/ref", "[")
                yield from sentences(whole, language)


_FRONT_MATTER = re.compile(r"\A\ufeff?(---|\+\+\+)\n.*?\n\1\s*\n", re.DOTALL)
_FENCE = re.compile(r"^[ \t>]*(`{3,}|~{3,})")
_LEFT_OUT = re.compile(
    r"<!--.*?-->|<(script|style|pre|table|svg|code-block)\b.*?</\1\s*>|\{%\s*(raw|highlight)\b.*?"
    r"\{%\s*end\2\s*%\}|^\s*\$\$.*?\$\$\s*$",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_MARKER = re.compile(r"^(?:[-*+]|\d{1,3}[.)]) +(?:\[[ xX]\] +)?")
_NO_TEXT = re.compile(
    r"#|\||:::|===|---|___|\*\*\*+\s*$|!\[|\[!\w+ *\[|\[[^\]]+\]:|import\b.*['\"];?$|export\b"
    r"|[{<}@]|//|\.\. "
)
_IMAGE = re.compile(r"!\[[^\]]*\](?:\([^)]*\)|\[[^\]]*\])")
_LINK = re.compile(r"\[((?:[^\[\]]|\[[^\[\]]*\])*)\](?:\([^()]*(?:\([^()]*\)[^()]*)*\)|\[[^\]]*\])")
_FOOTNOTE = re.compile(r"\[\^[^\]]*\]")
_NOTE = re.compile(r"^\[!\w+\]\s*")
_TAG = re.compile(r"</?[a-zA-Z][\w.-]*(?=[\s/>])[^<>]*>")
_SPAN = re.compile(r"(`+)(.+?)\1")
_STRONG = re.compile(r"(\*\*\*|\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*_])([*_])(?=[^\s*_])(.+?)(?<=[^\s*_])\1(?![\w*_])")


def _inline(block: str) -> str:
    """A block of Markdown without its marks; code between private characters."""
    text = _IMAGE.sub(" ", block)
    text = _SPAN.sub(lambda found: f"{_CODE}{found[2].strip()}{_END_OF_CODE}", text)
    text = _FOOTNOTE.sub("", text)
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _TAG.sub("", _NOTE.sub("", text))
    text = _EMPHASIS.sub(r"\2", _STRONG.sub(r"\2", text))
    return html.unescape(re.sub(r"\\([\\`*_{}\[\]()#+.!~|<>-])", r"\1", text))


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs and items of lists of a Markdown file."""
    block: list[str] = []
    fence = ""
    blank = True
    for line in [*text.splitlines(), ""]:
        opened = _FENCE.match(line)
        if fence:
            if opened and opened[1].startswith(fence):
                fence = ""
            continue
        bare = re.sub(r"^\s*(?:>\s?)*", "", line).strip()
        item = _MARKER.match(bare)
        code = line.startswith(("    ", "\t")) and not item and not block
        if opened or item or code or not bare or _NO_TEXT.match(bare):
            if block:
                yield " ".join(block)
            block = []
        if opened:
            fence = opened[1]
        elif item:
            bare = bare[item.end() :]
            block = [bare] if bare and not _NO_TEXT.match(bare) else []
        elif bare and not code and not _NO_TEXT.match(bare) and (block or blank):
            block.append(bare)
        blank = not bare or bool(opened) or bare.startswith("#")


def markdown(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of the paragraphs and items of a Markdown file."""
    text = _LEFT_OUT.sub("\n\n", _FRONT_MATTER.sub("", text.replace("\r\n", "\n")))
    for block in _blocks(text):
        for sentence in sentences(_inline(block), language):
            spans = re.findall(f"{_CODE}(.*?){_END_OF_CODE}", sentence)
            if len(spans) <= 2 and all(re.fullmatch(r"[\w.+-]*[\w+]", span) for span in spans):
                yield sentence.replace(_CODE, "").replace(_END_OF_CODE, "")


# What manuals and programs are written in, with their short items and code


# Of reStructuredText: code, a role or a link, and what is emphasised.
_MARKED = re.compile(
    r"``(?P<code>.+?)``(?:\\(?=\w))?|(?::[\w:.+-]+:)?`(?P<named>[^`]+)`(?:_{1,2}|\\(?=\w))?|"
    r"(?<![\w*])(?P<stars>\*\*?)(?=[^\s*])(?P<strong>.+?)(?<=[^\s*])(?P=stars)(?![\w*])"
)
_TARGET = re.compile(r"\s*<[^<>]*>$")
_NOTE_BELOW = re.compile(r"\s*\[(?:#\w*|\d+|\*)\]_")
_ESCAPED_MARK = re.compile(r"\\(?:\s|(?=[*`_|\\]))")
# Of manual pages, B<bold> and the like.
_GROFF = re.compile(r"\\[&c,/]|(?<![A-Z])(?:CW|[BIR])<((?:E<[lg]t>|[^<>])*)>")
# A substitution, a placeholder, a mark of a key, and what groff reads.
_SUBSTITUTED = re.compile(
    r"(?<!\|)\|[\w -]+\|(?!\|)|<_:|&[\w.-]+\.[\w.-]+;|%(?:\d\$|\(\w+\))?l*[sdifuxp]\b|"
    r"(?<!\S)_[A-Za-z][a-z]|\b[A-Z]_[a-z]|E<\.|\\[(*f]|(?<!\S)\\\S"
)
_QUOTED = {
    "msgid": re.compile(r'^(?:msgid|msgid_plural)?\s*"(.*)"\s*$'),
    "msgstr": re.compile(r'^(?:msgstr(?:\[\d\])?)?\s*"(.*)"\s*$'),
}
_FUZZY = re.compile(r"^#,.*\bfuzzy\b", re.MULTILINE)


def _text_of_mark(found: re.Match[str]) -> str:
    """What a mark of reStructuredText shows; of a role without text, the name it has."""
    if found["named"]:
        return _TARGET.sub("", found["named"]).lstrip("~!") or found["named"]
    return found["code"] or found["strong"]


def _unmarked(text: str) -> str:
    """A paragraph of reStructuredText or XML without its marks."""
    text = _LINK.sub(r"\1", _NOTE_BELOW.sub("", _MARKED.sub(_text_of_mark, text)))
    text = re.sub(r"::$", ":", text)
    text = _GROFF.sub(r"\1", _GROFF.sub(r"\1", _ESCAPED_MARK.sub("", text)))
    text = text.replace("E<lt>", "&lt;").replace("E<gt>", "&gt;").replace("\\-", "-")
    return html.unescape(_TAG.sub("", text))


def _messages(text: str, keyword: str) -> Iterator[str]:
    """Messages or translations of a gettext file, plural ones too, as they are written there."""
    message: list[str] = []
    for line in [*text.splitlines(), ""]:
        quoted = _QUOTED[keyword].match(line)
        if message and (not quoted or line.startswith(keyword)):
            yield "".join(message)
            message = []
        if quoted and (message or line.startswith(keyword)):
            message.append(quoted[1])


def gettext(text: str, language: Language = ENGLISH, keyword: str = "msgid") -> Iterator[str]:
    """Sentences and items of the messages of a gettext file."""
    for message in _messages(text, keyword):
        whole = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), message)
        if not _SUBSTITUTED.search(whole):
            yield from sentences(_unmarked(whole), language)


def translations(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences and items of the finished translations of a gettext file."""
    _header, *entries = text.replace("\r\n", "\n").split("\n\n")
    for entry in entries:
        if not _FUZZY.search(entry):
            yield from gettext(entry, language, "msgstr")


_CODE_OF_DOCBOOK = re.compile(
    r"<!--.*?-->|<!\[CDATA\[.*?\]\]>|<(programlisting|screen|literallayout|refname|copyright|"
    r"authorgroup|\w*synopsis\w*)\b.*?</\1>|<\?.*?\?>|<!ENTITY\s+[\w.-]+\s+['\"]|"
    r"(?<=[\s>.:;])['\"]>\s*$",
    re.DOTALL | re.MULTILINE,
)
_INLINE_OF_DOCBOOK = re.compile(
    r"</?(?:abbrev|accel|acronym|application|classname|code|command|computeroutput|constant|"
    r"database|email|emphasis|enumname|envar|errorcode|errorname|exceptionname|filename|firstterm|"
    r"function|guibutton|guilabel|guimenu|guimenuitem|guisubmenu|interface|interfacename|keycap|"
    r"link|literal|methodname|modifier|optional|option|parameter|phrase|productname|prompt|"
    r"property|quote|replaceable|structfield|structname|subscript|superscript|symbol|systemitem|"
    r"token|trademark|type|ulink|uri|userinput|varname|xref)\b[^<>]*>"
)
_ANY_TAG = re.compile(r"<[^<>]*>")
_OWN_ENTITY = re.compile(r"&(true|false|null|php\.ini);", re.IGNORECASE)
_ENTITY = re.compile(r"&(?!(?:lt|gt|amp|quot|apos|nbsp|ndash|mdash|hellip|copy);)[\w.-]+;")


def docbook(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences and items of a DocBook file, without those that name entities of its own."""
    text = _INLINE_OF_DOCBOOK.sub("", _CODE_OF_DOCBOOK.sub("\n\n", text))
    text = _OWN_ENTITY.sub(r"\1", _ANY_TAG.sub("\n\n", text))
    for block in re.split(r"\n\s*\n", text):
        for sentence in sentences(" ".join(block.split()), language):
            if not _ENTITY.search(sentence):
                yield html.unescape(sentence)


_HEADING = re.compile(r"^#+\s+(?:<a\b[^<>]*>\s*</a>\s*)?(.*?)\s*#*$", re.MULTILINE)
_NAME = re.compile(r"\*(_\w*)\*")
_ROW = re.compile(r"^[ \t>]*\|(.*)\|[ \t]*$", re.MULTILINE)


def reference(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences, headings and cells of tables of a Markdown file, code among them."""
    text = _LEFT_OUT.sub("\n\n", _FRONT_MATTER.sub("", text.replace("\r\n", "\n")))
    text = _ROW.sub(lambda row: "\n" + re.sub(r"(?<!\\)\|", "\n\n", row[1]) + "\n", text)
    for block in _blocks(_HEADING.sub(r"\n\1\n", text)):
        code = [span[1].strip() for span in _SPAN.findall(block)]
        for sentence in sentences(_inline(_SPAN.sub(_CODE, block)), language):
            first, *others = _NAME.sub(r"\1", sentence).replace("\\ ", " ").split(_CODE)
            spans, code = code[: len(others)], code[len(others) :]
            yield first + "".join(map("".join, zip_longest(spans, others, fillvalue="")))


_FLUENT = re.compile(r"^(?:-?[\w-]+|\s+\.[\w-]+) =(.*(?:\n+[ \t]+[^\s.\[*}].*)*)", re.MULTILINE)
_BRAND = re.compile(
    r"\{ -brand-name-((?:firefox|mozilla|android|ios|windows|chrome|facebook|linux|google|ie|mdn|"
    r"nightly|beta|netscape|microsoft|thunderbird|apple|monitor|edge|safari|relay|instagram|esr|"
    r"vpn|foundation|browsers?|focus|container|account|corporation|developer|edition|os|-)+) \}"
)
_NO_TITLES = {"Vpn": "VPN", "Esr": "ESR", "Mdn": "MDN", "Os": "OS", "Ios": "iOS", "Ie": "IE"}


def _brand(found: re.Match[str]) -> str:
    """A brand's name as it is written."""
    return " ".join(_NO_TITLES.get(word, word) for word in found[1].title().split("-"))


def fluent(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences and items of a Fluent file, names of brands written out."""
    for message in _FLUENT.findall(text):
        whole = _BRAND.sub(_brand, _TAG.sub("", message))
        if "{" not in whole:
            yield from sentences(html.unescape(" ".join(whole.split())), language)


# What texts with marks of linguists are written in


_SOFT_HYPHEN = "\xad"


def treebank(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of a file in CoNLL-U, as their comments have them."""
    for found in re.finditer(r"^# text = (.*)$", text, re.MULTILINE):
        is_apart = re.search(r" [.!?]$", found[1])
        yield re.sub(r" (?=[,;:.!?)](?: |$))|(?<=\() ", "", found[1]) if is_apart else found[1]


def _joined(words: list[str]) -> str:
    """Tokens as they stand in text; of straight quotation marks, every second one closes."""
    line, is_glued, is_open = "", True, False
    for word in words:
        opens = word in "([„«¿¡"
        if word == '"':
            opens = is_open = not is_open
        elif word == "“":
            opens = line.count("„") <= line.count("“")
        closes = word in '"“' or word[0] in ",.;:!?…)]”»%"
        if not is_glued and (opens or not closes):
            line += " "
        line += word
        is_glued = opens or (len(word) > 1 and word[-1] in "'’")
    return line


# Of WikiANN, the language of each token: "nl:Amsterdam".
_PREFIX = re.compile(r"^[a-z]{2}:(?=\S)", re.MULTILINE)


def tokens(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of a file with a token a line, in the first column or after its number."""
    words: list[str] = []
    for line in [*_PREFIX.sub("", text.replace(_SOFT_HYPHEN, "")).splitlines(), ""]:
        columns = line.split("\t")
        if not line.strip() or line.startswith("# "):
            # WikiANN has the wiki's marks of emphasis, where words may be cut wrongly.
            if words and "''" not in words:
                yield _joined(words)
            words = []
        elif len(columns) > 1 and columns[0]:
            words.append(columns[1] if columns[0] == str(len(words) + 1) else columns[0])


def alpino(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """The sentence of a syntactic tree of Alpino."""
    for found in re.findall(r"<sentence\b[^>]*>(.*?)</sentence>", text):
        yield _joined(html.unescape(found).split())


def spaced_tokens(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of a JSON file of tokens, with or without a space after each."""
    for sentence in json.loads(text):
        marks = zip(sentence["tokens"], sentence["space_after"], strict=True)
        yield "".join(word + " " * is_spaced for word, is_spaced in marks)


def _values(text: str) -> Iterator[Any]:
    """Values of a JSON file, one or a line each, and all that is inside them."""
    start, decoder = 0, json.JSONDecoder()
    while start < len(text):
        value, start = decoder.raw_decode(text, start)
        while text[start : start + 1].isspace():
            start += 1
        inner = [value]
        for value in inner:
            yield value
            if isinstance(value, dict | list):
                inner += value.values() if isinstance(value, dict) else value


def contexts(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of the paragraphs that the questions of a JSON file are about."""
    for value in _values(text):
        if isinstance(value, dict):
            for paragraph in str(value.get("context", value.get("para", ""))).splitlines():
                yield from sentences(_ANY_TAG.sub("", paragraph), language)


_REFERENCE = re.compile(r"\[\d+\]\u200b?")


def sections(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of the summaries and sections of a JSON file of articles."""
    for value in _values(text):
        if isinstance(value, dict):
            for paragraph in str(value.get("summary", value.get("text", ""))).splitlines():
                yield from sentences(_REFERENCE.sub("", paragraph).strip(), language)


_NO_TEXT_OF_TEI = re.compile(
    r"\A.*?<body\b[^>]*>|<(head|note|desc|fw|front|back|figure|table|ref|bibl)\b[^>]*(?<!/)>.*?</\1>|"
    r"<!--.*?-->|-\s*<[lp]b\b[^>]*>\s*",
    re.DOTALL,
)
_BLOCK_OF_TEI = re.compile(
    r"</?(?:p|l|lg|div|u|seg|ab|sp|speaker|stage|milestone|quote|item)\b[^>]*>"
)


def tei(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of the paragraphs of a novel or debate in TEI."""
    for block in _BLOCK_OF_TEI.split(_NO_TEXT_OF_TEI.sub(" ", text)):
        whole = html.unescape(_ANY_TAG.sub("", block)).replace(_SOFT_HYPHEN, "")
        yield from sentences(" ".join(whole.split()), language)


_NO_TEXT_OF_PAGES = re.compile(
    r"<!--.*?-->|<(script|style|pre|h\d|define-tag|perl|table|:)\b.*?</\1>|^#[^\n]*$",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)
_BLOCK_OF_PAGES = re.compile(
    r"</?(?:p|li|ul|ol|dl|dt|dd|div|br|hr|td|tr|th|blockquote|h\d|toc\w*|address)\b[^>]*>|\n\s*\n",
    re.IGNORECASE,
)


def pages(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of a page in HTML or WML."""
    for block in _BLOCK_OF_PAGES.split(_NO_TEXT_OF_PAGES.sub("\n\n", text)):
        whole = _ANY_TAG.sub("", re.sub(r"</?q\b[^>]*>", '"', block))
        yield from sentences(" ".join(html.unescape(whole).split()), language)


_SUPERSCRIPT = re.compile(r"<sup\b.*?</sup>", re.DOTALL)


def encyclopedia(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of an article of Wikipedia in HTML, without its references and marks of stress."""
    yield from pages(_SUPERSCRIPT.sub("", text).replace(_STRESS, ""), language)


# What is taken from where


@dataclass(frozen=True)
class Source:
    """Files of a repository at a commit, and how they are read.

    Attributes
    ----------
    name : str
        Of the file that it gives.
    repository, commit : str
    licence : str
        Of the text.
    kind : str
        For the table of a model card.
    files : str
        Regular expression that paths match.
    reader : str
        Name of the function that gives, from the text of a file, what is to be filtered.
    short : bool
        Sentences of fewer than four words stay.
    manual : bool
        Lines that are no sentences stay, too, and code among words.
    words : float
        How many at most; files are taken by the hash of their paths then.
    """

    name: str
    repository: str
    commit: str
    licence: str
    kind: str
    files: str
    reader: str
    short: bool = False
    manual: bool = False
    words: float = 300_000


_READERS: dict[str, Reader] = {
    reader.__name__: reader
    for reader in (
        alpino, articles, contexts, docbook, encyclopedia, events, extracted, extracted_json,
        fluent, gettext, lines, markdown, pages, prose, reference, sections, spaced_tokens,
        speeches, tei, tokens, translations, treebank, wikitext,
    )
}  # fmt: skip


def sources_of(language: str) -> list[Source]:
    """Those of the file, of one language or of many among which it is."""
    found = [
        Source(name=name, **table) for name, table in _TABLES["source"].get(language, {}).items()
    ]
    for name, table in _TABLES["sources"].items():
        if language in table["codes"]:
            own = {
                field: value[language] if isinstance(value, dict) else value
                for field, value in table.items()
            }
            own["files"] = own["files"].replace("CODE", own.pop("codes"))
            found.append(Source(name=name, **own))
    return found


# Which sentences stay


_ODD = re.compile(
    r"https?:|www\.|[{}<>|\\=^~`#*@•→\ufffd\u200b\x00-\x1f\ue000\ue001]|\[|\]|(?<!\w)_|_(?!\w)|--|"
    r"\.\.\.\.|^\W*$|\S{40}|&\w+;|\(\s*\)| [,;:.] |\$[A-Za-z]|:[a-z_]{3,}:|\(\("
)
_BROKEN = re.compile(
    r"https?:|www\.|[`\ufffd\u200b\x00-\x1f\ue000\ue001]|\[!|---|\S{60}|^\.\. |^[#→]|\);$"
)
_PLAIN = re.compile(r"[(\"'“‘\[]*[^\W\d_]+(?:['’/-][^\W\d_]+)*[)\"'”’\].,:;!?…]*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_NOT_LETTERS = re.compile(r"[\W_]+")
_KEY_TO_KEEP = 16


def sentences(text: str, language: Language = ENGLISH) -> list[str]:
    """A paragraph's sentences; where it is doubtful, two stay one."""
    found, start = [], 0
    for border in language.border.finditer(text):
        if language.abbreviation.search(text[start : border.start()]):
            continue
        found.append(text[start : border.end(1)])
        start = border.end()
    return [*found, text[start:]]


def _is_closed(line: str, language: Language) -> bool:
    """Whether brackets and quotation marks of a line are closed."""
    if line.count("(") != line.count(")") or line.count('"') % 2:
        return False
    if language is ENGLISH:
        return line.count("“") == line.count("”")
    return sum(map(line.count, "„“”")) % 2 == 0 and line.count("«") == line.count("»")


def is_natural(
    line: str, shortest: int = 4, longest: int = 400, language: Language = ENGLISH
) -> bool:
    """Whether a line is whole sentences of a language in natural case."""
    words = line.split()
    if not shortest <= len(words) <= longest:
        return False
    if not language.start.match(line) or not language.stop.search(line):
        return False
    if _ODD.search(re.sub(rf" [{language.spaced}] ", " ", line) if language.spaced else line):
        return False
    if not _is_closed(line, language):
        return False
    letters = _WORD.findall(line)
    if len(letters) < len(words) * 0.6:
        return False
    if sum(len(word) > 1 and word.isupper() for word in letters) > 0.3 * len(letters):
        return False
    if sum(not word[0].islower() for word in letters) > 0.6 * len(letters) + 2:
        return False
    return is_in(letters, language)


def is_in(words: list[str], language: Language) -> bool:
    """Whether words are of a language, and rather than English."""
    if language.letters and len(re.findall(language.letters, "".join(words))) < 0.7 * sum(
        map(len, words)
    ):
        return False
    functional = [sum(word.lower() in one.words for word in words) for one in (language, ENGLISH)]
    return functional[0] >= max(len(words) // language.every, functional[1])


def is_item(line: str, longest: int = 100) -> bool:
    """Whether a line of a manual is words with little code, in natural case."""
    words = line.split()
    plain = sum(_PLAIN.fullmatch(word) is not None for word in words)
    if not 2 <= len(words) <= longest or plain < len(words) * 0.6:
        return False
    return not (line.isupper() or _BROKEN.search(line))


def key(sentence: str) -> str:
    """Its letters and digits, without their case."""
    return _NOT_LETTERS.sub("", sentence.lower())


def keys(line: str, language: Language = ENGLISH) -> list[str]:
    """Of a line, and of its longer sentences where it has several."""
    several = [key(sentence) for sentence in sentences(line, language)]
    whole = [key(line)]
    return whole if len(several) < 2 else whole + [k for k in several if len(k) >= _KEY_TO_KEEP]


def held_out(paths: list[str], language: Language = ENGLISH) -> set[str]:
    """What stands in files that training must not see."""
    found: set[str] = set()
    for block in read_blocks(paths):
        for line in bytes(block).decode("utf-8", "replace").splitlines():
            found.update(keys(_NOTE.sub("", line), language))
    found.discard("")
    return found


def filtered(
    source: Source, texts: Iterator[str], seen: set[str], language: Language = ENGLISH
) -> Iterator[str]:
    """Natural lines of a source that were not seen; they are from now on.

    A line in letters of older files stands there in those of today, too.
    """
    reader = _READERS[source.reader]
    shortest = 1 if source.short else 4
    longest = 400 if source.reader in ("articles", "events", "lines") else 90
    n_words = 0
    for text in texts:
        for found in reader(text, language):
            line = " ".join(found.split())
            if source.manual:
                stays = is_item(line) and (language is ENGLISH or is_in(line.split(), language))
            else:
                stays = is_natural(line, shortest, longest, language)
            if not stays:
                continue
            today = line.translate(language.today)
            own = keys(today, language)
            if seen.isdisjoint(own):
                seen.update(own)
                n_words += len(line.split())
                yield line
                if today != line:
                    yield today
        if n_words >= source.words:
            return


# Repositories


class NoRepositoryError(Exception):
    """A repository or what is wanted of it is missing."""


def repository_in(folder: Path, repository: str) -> Path:
    """The git directory or clone of a repository."""
    owner, name = repository.split("/")
    for base in (folder / owner / name, folder / f"{owner}+{name}", folder / name):
        for path in (base, base.with_name(f"{base.name}.git")):
            if path.is_dir():
                return path
    raise NoRepositoryError(f"{folder}: no clone of {repository}")


def git(repository: Path, *arguments: str, given: bytes = b"") -> bytes:
    """What git prints."""
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments], input=given, capture_output=True, check=False
    )
    if done.returncode:
        raise NoRepositoryError(f"{repository}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def _unpacked(data: bytes, path: str) -> bytes:
    """A file's bytes, of an archive those of its files."""
    if not path.endswith(".tar.gz"):
        return data
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        found = (archive.extractfile(member) for member in archive if member.isfile())
        return b"".join(file.read() for file in found if file)


def files_of(folder: Path, source: Source) -> Iterator[str]:
    """Text of a source's files, by path, or where not all are taken by the path's hash."""
    repository = repository_in(folder, source.repository)
    wanted = re.compile(source.files)
    listed = git(repository, "ls-tree", "-r", "-z", "--name-only", source.commit).decode()
    paths = [path for path in listed.split("\0") if wanted.fullmatch(path)]
    if source.words < inf:
        paths.sort(key=lambda path: hashlib.md5(path.encode()).digest())
    asked = "".join(f"{source.commit}:{path}\n" for path in paths).encode()
    answer = io.BytesIO(git(repository, "cat-file", "--batch", given=asked))
    for path in paths:
        header = answer.readline().split()
        if len(header) != 3:
            raise NoRepositoryError(f"{repository}: no {path} at {source.commit}")
        yield _unpacked(answer.read(int(header[2])), path).decode("utf-8", "replace")
        answer.read(1)


def main() -> int:
    """Write the texts; 0, or 1 if a repository is missing."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repositories", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--held-out", nargs="+", default=[], metavar="FILE")
    parser.add_argument("--language", choices=LANGUAGES, default="en", metavar="LANG")
    parser.add_argument("--sources", nargs="+", metavar="NAME")
    args = parser.parse_args()
    language = LANGUAGES[args.language]
    sources = sources_of(args.language)
    if unknown := set(args.sources or ()) - {source.name for source in sources}:
        parser.error(f"no source of this language: {', '.join(sorted(unknown))}")
    seen = held_out(args.held_out, language)
    args.out.mkdir(parents=True, exist_ok=True)
    for source in sources:
        if args.sources and source.name not in args.sources:
            continue
        n_lines = n_words = 0
        try:
            with open(args.out / f"{source.name}.txt", "w", encoding="utf-8", newline="\n") as out:
                for line in filtered(source, files_of(args.repositories, source), seen, language):
                    out.write(f"{line}\n")
                    n_lines += 1
                    n_words += len(line.split())
        except NoRepositoryError as error:
            print(f"{sys.argv[0]}: {error}", file=sys.stderr)
            return 1
        print(f"{source.name}: {n_lines:,} lines, {n_words:,} words", file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
