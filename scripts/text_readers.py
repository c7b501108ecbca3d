"""Readers of training text by format; `natural_text` then chooses among their lines.

Each reader yields the lines of one file in a language.
"""

import csv
import html
import io
import json
import re
from collections.abc import Callable, Iterator
from itertools import zip_longest
from typing import Any

from natural_text import CODE, END_OF_CODE, ENGLISH, Language, sentences

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


_NUMBER = re.compile(r"^\d+\t", re.MULTILINE)


def lines(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Lines, without their numbers."""
    yield from _NUMBER.sub("", text).splitlines()


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
        page, n_left = html.unescape(article).replace(_STRESS, ""), 1
        while n_left:
            page, n_left = _NO_TEXT_OF_WIKI.subn("", page)
        page = _ANY_TAG.sub("", _NOTE_OF_WIKI.sub("", page))
        for _ in "inner", "outer":
            page = _LINK_OF_WIKI.sub(_shown, page)
        for line in re.sub("&?nbsp;", " ", page).splitlines():
            if _PARAGRAPH_OF_WIKI.match(line):
                whole = re.sub("'{2,}", "", re.sub(r"(?<=\w)'''(?=\w)", "'", line))
                # What is left of a note is no text.
                whole = _EMPTY_BRACKETS.sub("", whole).replace("/ref", "[")
                yield from sentences(whole, language)


def wikitext_lists(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """The same and the items of lists."""
    return wikitext(re.sub(r"^[*#:]+ *", "", text, flags=re.MULTILINE), language)


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
NOTE = re.compile(r"^\[!\w+\]\s*")
_TAG = re.compile(r"</?[a-zA-Z][\w.-]*(?=[\s/>])[^<>]*>")
_SPAN = re.compile(r"(`+)(.+?)\1")
_STRONG = re.compile(r"(\*\*\*|\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1")
_EMPHASIS = re.compile(r"(?<![\w*_])([*_])(?=[^\s*_])(.+?)(?<=[^\s*_])\1(?![\w*_])")


def _inline(block: str) -> str:
    """A block of Markdown without its marks; code between private characters."""
    text = _IMAGE.sub(" ", block)
    text = _SPAN.sub(lambda found: f"{CODE}{found[2].strip()}{END_OF_CODE}", text)
    text = _FOOTNOTE.sub("", text)
    text = _LINK.sub(r"\1", _LINK.sub(r"\1", text))
    text = _TAG.sub("", NOTE.sub("", text))
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
            spans = re.findall(f"{CODE}(.*?){END_OF_CODE}", sentence)
            if len(spans) <= 2 and all(re.fullmatch(r"[\w.+-]*[\w+]", span) for span in spans):
                yield sentence.replace(CODE, "").replace(END_OF_CODE, "")


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
        for sentence in sentences(_inline(_SPAN.sub(CODE, block)), language):
            first, *others = _NAME.sub(r"\1", sentence).replace("\\ ", " ").split(CODE)
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
    """Sentences of the paragraphs that the questions or hypotheses of a JSON file are about."""
    for value in _values(text):
        if isinstance(value, dict):
            whole = value.get("context", value.get("para", value.get("premise", "")))
            for paragraph in str(whole).splitlines():
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
    r"</?(?:p|l|lg|div|u|utt|meta|seg|ab|sp|speaker|stage|milestone|quote|item)\b[^>]*>"
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


_SPEAKER_OF_DEBATE = re.compile(r"<a\b[^>]*>[^<]*</a>(?:</b>)?:+ ")
_REMARK = re.compile(r" ?\([^()]*\)")


def debate(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of a debate in HTML, without its speakers and remarks in brackets."""
    yield from pages(_REMARK.sub("", _SPEAKER_OF_DEBATE.sub("", text)), language)


_REFERENCES = re.compile(r'<sup\b.*?</sup>|<ol class="references".*?</ol>', re.DOTALL)


def encyclopedia(text: str, language: Language = ENGLISH) -> Iterator[str]:
    """Sentences of an article of Wikipedia in HTML, without its references and marks of stress."""
    yield from pages(_REFERENCES.sub("", text).replace(_STRESS, ""), language)


# What is taken from where


READERS: dict[str, Reader] = {
    reader.__name__: reader
    for reader in (
        alpino, articles, contexts, debate, docbook, encyclopedia, events, extracted,
        extracted_json, fluent, gettext, lines, markdown, pages, prose, reference, sections,
        spaced_tokens, speeches, tei, tokens, translations, treebank, wikitext, wikitext_lists,
    )
}  # fmt: skip
