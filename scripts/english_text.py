"""Makes the English training text of today from clones of public repositories.

    python scripts/english_text.py REPOSITORIES OUT [--held-out FILE...] [--sources NAME...]

REPOSITORIES holds a clone of each repository of `SOURCES`, with or without a work tree: of
`numpy/numpy.org` as `numpy/numpy.org`, `numpy+numpy.org`, `numpy.org` or one of these with `.git`.
Files are read at the commit of the table, whatever is checked out. OUT gets a text file of each
source: what people wrote in its natural case, without markup, code, tables and headings, a
sentence a line (news and everyday sentences as they stand, so sometimes several). Manuals that are
translated give their headings, items and cells of tables, too, and names of code as words, as that
is what text of this kind has. A line stands there once. With --held-out, no sentence of these files
stands there either, compared by letters and digits, case ignored: text to judge a model by must not
be in its training text.
With --sources, only these are made. The same commits and arguments give the same bytes.
"""

import argparse
import csv
import hashlib
import html
import io
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path

from truecase.base.read import read_blocks

# Code between backticks, until it is known whether its sentence stays.
_CODE, _END_OF_CODE = "\ue000", "\ue001"

Reader = Callable[[str], Iterator[str]]


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


def events(text: str) -> Iterator[str]:
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


def articles(text: str) -> Iterator[str]:
    """Paragraphs of the column `text` of a CSV file, without "((Name))" of who speaks."""
    for row in csv.DictReader(io.StringIO(text)):
        for paragraph in re.split(r"\s*\n\s*", row["text"]):
            yield _SPEAKER.sub("", paragraph)


def lines(text: str) -> Iterator[str]:
    """Lines."""
    yield from text.splitlines()


# WikiExtractor drops templates, and what was only a template between brackets.
_EMPTY_BRACKETS = re.compile(r" ?\([\s,;]*\)")


def extracted(text: str) -> Iterator[str]:
    """Sentences of articles as WikiExtractor writes them, without their titles."""
    is_title = False
    for line in text.splitlines():
        if line.startswith(("<doc ", "</doc>")):
            is_title = line.startswith("<doc ")
        elif is_title:
            is_title = False
        else:
            yield from sentences(html.unescape(_EMPTY_BRACKETS.sub("", line)))


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


def markdown(text: str) -> Iterator[str]:
    """Sentences of the paragraphs and items of a Markdown file."""
    text = _LEFT_OUT.sub("\n\n", _FRONT_MATTER.sub("", text.replace("\r\n", "\n")))
    for block in _blocks(text):
        for sentence in sentences(_inline(block)):
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
_QUOTED = re.compile(r'^(?:msgid|msgid_plural)?\s*"(.*)"\s*$')


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


def _messages(text: str) -> Iterator[str]:
    """Messages of a gettext file, plural ones too, as they are written there."""
    message: list[str] = []
    for line in [*text.splitlines(), ""]:
        quoted = _QUOTED.match(line)
        if message and (not quoted or line.startswith("msgid")):
            yield "".join(message)
            message = []
        if quoted and (message or line.startswith("msgid")):
            message.append(quoted[1])


def gettext(text: str) -> Iterator[str]:
    """Sentences and items of the messages of a gettext file."""
    for message in _messages(text):
        whole = _ESCAPE.sub(lambda found: _ESCAPED.get(found[1], found[1]), message)
        if not _SUBSTITUTED.search(whole):
            yield from sentences(_unmarked(whole))


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


def docbook(text: str) -> Iterator[str]:
    """Sentences and items of a DocBook file, without those that name entities of its own."""
    text = _INLINE_OF_DOCBOOK.sub("", _CODE_OF_DOCBOOK.sub("\n\n", text))
    text = _OWN_ENTITY.sub(r"\1", _ANY_TAG.sub("\n\n", text))
    for block in re.split(r"\n\s*\n", text):
        for sentence in sentences(" ".join(block.split())):
            if not _ENTITY.search(sentence):
                yield html.unescape(sentence)


_HEADING = re.compile(r"^#+\s+(?:<a\b[^<>]*>\s*</a>\s*)?(.*?)\s*#*$", re.MULTILINE)
_NAME = re.compile(r"\*(_\w*)\*")
_ROW = re.compile(r"^[ \t>]*\|(.*)\|[ \t]*$", re.MULTILINE)


def reference(text: str) -> Iterator[str]:
    """Sentences, headings and cells of tables of a Markdown file, code among them."""
    text = _LEFT_OUT.sub("\n\n", _FRONT_MATTER.sub("", text.replace("\r\n", "\n")))
    text = _ROW.sub(lambda row: "\n" + re.sub(r"(?<!\\)\|", "\n\n", row[1]) + "\n", text)
    for block in _blocks(_HEADING.sub(r"\n\1\n", text)):
        code = [span[1].strip() for span in _SPAN.findall(block)]
        for sentence in sentences(_inline(_SPAN.sub(_CODE, block))):
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


def fluent(text: str) -> Iterator[str]:
    """Sentences and items of a Fluent file, names of brands written out."""
    for message in _FLUENT.findall(text):
        whole = _BRAND.sub(_brand, _TAG.sub("", message))
        if "{" not in whole:
            yield from sentences(html.unescape(" ".join(whole.split())))


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
    reader : callable
        From the text of a file, what is to be filtered.
    short : bool
        Sentences of fewer than four words stay.
    manual : bool
        Lines that are no sentences stay, too, and code among words.
    words : int
        How many at most; files are taken by the hash of their paths then.
    """

    name: str
    repository: str
    commit: str
    licence: str
    kind: str
    files: str
    reader: Reader
    short: bool = False
    manual: bool = False
    words: int = 300_000


_MD = r".*\.mdx?"
_ALL = 10**9
SOURCES = (
    Source("wikipedia-2021", "Vibhas-hs-edu/WikiTasks", "52b1f163137b", "CC BY-SA 3.0",
           "articles of Wikipedia since 2018, in 2021", r"text/AA/wiki_\d\d", extracted,
           words=_ALL),
    Source("wikipedia-2014", "ZhouYii/PatchedDistro", "961716d8a5a0", "CC BY-SA 3.0",
           "Wikipedia, 2014", r"data/A[A-I]/wiki_\d\d", extracted, words=_ALL),
    Source("events", "ianrastall/current-events-context", "4ff6f7d243c8", "CC BY-SA 4.0",
           "Wikipedia's current events, 2002-2026", r"20\d\d/\d\d/20.*\.yaml", events, words=_ALL),
    Source("wikinews", "vanatteveldt/wikinews", "347254178bf3", "CC BY 2.5",
           "Wikinews, 2019-2020", r"data/wikinews_20\d\d\.csv", articles, words=_ALL),
    Source("tatoeba", "Helsinki-NLP/OPUS-MT-testsets", "ac0f19c0be3c", "CC BY 2.0 FR",
           "everyday sentences of Tatoeba", r"testsets/(eng-\w+|\w+-eng)/tatoeba-test.*\.eng",
           lines, short=True, words=_ALL),
    Source("tatoeba-laser", "facebookresearch/LASER", "74bc6ae7ffb7", "CC BY 2.0 FR",
           "everyday sentences of Tatoeba", r"data/tatoeba/v1/.*\.eng", lines, short=True),
    Source("swift-org", "apple/swift-org-website", "a5f3df1060bf", "CC BY 4.0, Apache 2.0",
           "blog and guides of Swift", _MD, markdown),
    Source("swift-evolution", "swiftlang/swift-evolution", "0105e139a229", "Apache 2.0",
           "proposals for Swift", rf"proposals/{_MD}", markdown),
    Source("typescript", "microsoft/TypeScript-Website", "1f8e642574ce", "CC BY 4.0",
           "documentation of TypeScript", rf"packages/documentation/copy/en/{_MD}", markdown),
    Source("numpy-org", "numpy/numpy.org", "94d45b53db11", "BSD 3-clause",
           "pages of NumPy", rf"content/en/{_MD}", markdown),
    Source("deno", "denoland/docs", "eb8f78e90dbc", "MIT", "documentation of Deno", _MD, markdown),
    Source("electron", "electron/website", "a48e1042b756", "Apache 2.0",
           "blog of Electron", rf"blog/{_MD}", markdown),
    Source("tensorflow", "tensorflow/docs", "7c3650212740", "CC BY 4.0, Apache 2.0",
           "documentation of TensorFlow", rf"site/en/{_MD}", markdown),
    Source("prometheus", "prometheus/docs", "c105550aad07", "Apache 2.0",
           "blog and documentation of Prometheus", rf"(blog|docs)/{_MD}", markdown),
    Source("pypi", "pypi/warehouse", "6b62157124ab", "Apache 2.0",
           "blog and documentation of PyPI", rf"docs/{_MD}", markdown),
    Source("til", "simonw/til", "8d908b6d36cd", "Apache 2.0", "notes on programming", _MD,
           markdown),
    Source("llm", "simonw/llm", "f3f4f29c6e5e", "Apache 2.0",
           "documentation of LLM", rf"docs/{_MD}", markdown),
    Source("hugging-face", "huggingface/hub-docs", "242f4a1eeb86", "Apache 2.0",
           "documentation of the Hugging Face Hub", rf"docs/{_MD}", markdown),
    Source("diffusers", "huggingface/diffusers", "58eb52c0803e", "Apache 2.0",
           "documentation of Diffusers", rf"docs/source/en/{_MD}", markdown),
    Source("datasets", "huggingface/datasets", "b7cb10b0e38a", "Apache 2.0",
           "documentation of Datasets", rf"docs/source/{_MD}", markdown),
    Source("maui", "dotnet/docs-maui", "f67ed2a30468", "CC BY 4.0",
           "documentation of .NET MAUI", rf"docs/{_MD}", markdown),
    Source("ethereum", "ethereum/EIPs", "f767a1e8078e", "CC0",
           "proposals for Ethereum", rf"EIPS/{_MD}", markdown),
    Source("react-native", "facebook/react-native-website", "2f3a5ac1cd66", "CC BY 4.0",
           "blog and documentation of React Native", rf"(docs|website/blog)/{_MD}", markdown),
    Source("vue", "vuejs/docs", "01e098a96795", "CC BY 4.0",
           "documentation of Vue", rf"src/{_MD}", markdown),
    Source("paper", "PaperMC/docs", "9bca0c062d30", "CC BY-SA 4.0",
           "documentation of PaperMC", rf"src/{_MD}", markdown),
    Source("forge", "MinecraftForge/Documentation", "80cc6e76c246", "MIT",
           "documentation of Minecraft Forge", rf"docs/{_MD}", markdown),
    Source("prompts", "brexhq/prompt-engineering", "50871be17eb8", "MIT",
           "guide to prompts", r"README\.md", markdown),
    Source("llm-course", "mlabonne/llm-course", "7abd96e8284b", "Apache 2.0",
           "course on language models", r"README\.md", markdown),
    Source("wsl", "MicrosoftDocs/WSL", "8842def77a85", "CC BY 4.0",
           "documentation of WSL", rf"WSL/{_MD}", markdown),
    Source("bitcoin", "bitcoinops/bitcoinops.github.io", "082bd77bb800", "MIT",
           "newsletters on Bitcoin", r"_posts/en/(newsletters/)?[^/]*\.md", markdown),
    Source("chrome", "GoogleChrome/developer.chrome.com", "51dd7dd5d510", "CC BY-SA 4.0",
           "blog and documentation of Chrome", rf"site/en/(articles|blog|docs)/{_MD}", markdown,
           words=_ALL),
    Source("sharepoint", "MicrosoftDocs/OfficeDocs-SharePoint", "7c40f91e5ec7", "CC BY 4.0",
           "documentation of SharePoint and OneDrive",
           rf"(OneDrive|SharePoint|migration|sharepointmigration)/{_MD}", markdown, words=_ALL),
    Source("exchange", "MicrosoftDocs/OfficeDocs-Exchange", "52e8b70f9b7a", "CC BY 4.0",
           "documentation of Exchange and Outlook", rf"(Exchange|Outlook)/{_MD}", markdown,
           words=700_000),
    Source("office-apps", "MicrosoftDocs/OfficeDocs-DeployOffice", "947f018871a6", "CC BY 4.0",
           "documentation of Microsoft 365 Apps",
           rf"(DeployOffice|microsoft-365-apps|office)/{_MD}", markdown),
    Source("office-add-ins", "OfficeDev/office-js-docs-pr", "096a3ee86608", "CC BY 4.0",
           "documentation of add-ins for Office", rf"docs/{_MD}", markdown),
    Source("rocky-linux", "rocky-linux/documentation", "0542fba4abba", "CC BY-SA 4.0",
           "books, guides and release notes of Rocky Linux", r"docs/[^.]*\.md", markdown),
    Source("cpp", "MicrosoftDocs/cpp-docs", "a2e592a8fc39", "CC BY 4.0",
           "reference of C++", r"docs/[^.]*\.md", reference, manual=True, words=_ALL),
    Source("php", "php/doc-en", "17ddeefd6592", "CC BY 3.0",
           "manual of PHP", r"(?!chmonly|docbookcs).*\.xml|language-snippets\.ent", docbook,
           manual=True, words=_ALL),
    Source("python", "python/python-docs-fr", "b279d876e2a3", "PSF licence, CC0",
           "documentation of Python", r"(?!whatsnew/changelog).*\.po", gettext, manual=True,
           words=_ALL),
    Source("django", "django/django-docs-translations", "b599584e1790", "BSD 3-clause",
           "documentation of Django", r"translations/fr/.*\.po", gettext, manual=True,
           words=_ALL),
    Source("frc", "wpilibsuite/frc-docs-translations", "69a0627023ef", "CC BY 4.0",
           "documentation of the FIRST Robotics Competition", r"locale/fr/.*\.po", gettext,
           manual=True, words=_ALL),
    Source("blender", "Blendify/blender-manual-translations", "732386da71be", "CC BY-SA 4.0",
           "manual of Blender", r"locale/fr/.*\.po", gettext, manual=True, words=_ALL),
    Source("kstars", "KDE/documentation-kstars-docs-kde-org", "8040b596837b", "CC BY-SA 4.0",
           "manual of KStars", r"locale/uk_UA/.*\.po", gettext, manual=True, words=_ALL),
    Source("gnome", "GNOME/gnome-user-docs", "46747c67c121", "CC BY-SA 3.0",
           "manuals of GNOME", r"[^/]*/(de|uk)/\1\.po", gettext, manual=True, words=_ALL),
    Source("dash", "dashpay/docs", "3f1dd26b94ca", "MIT",
           "documentation of Dash", r"locale/fr/.*\.po", gettext, manual=True, words=_ALL),
    Source("mozilla", "mozilla-l10n/www-l10n", "442e139499cb", "MPL 2.0",
           "pages of Mozilla", r"en/.*\.ftl", fluent, manual=True, words=_ALL),
    Source("archivematica", "artefactual/archivematica-docs", "17358be4143b", "CC BY-SA 4.0",
           "documentation of Archivematica", r"locale/fr/.*\.po", gettext, manual=True,
           words=_ALL),
    Source("krita", "scottpetrovic/krita-documentation", "b12b46ab12b5", "CC BY-SA 4.0",
           "manual of Krita", r"locale/fr/.*\.po", gettext, manual=True, words=_ALL),
    Source("digikam", "KDE/digikam-doc", "4a709494e222", "CC BY-SA 4.0",
           "manual of digiKam", r"locale/uk_UA/.*\.po", gettext, manual=True, words=_ALL),
    Source("manpages", "deepin-community/manpages-l10n", "7f68cf0e5be8",
           "free licences of each page", "manual pages of Linux",
           r"templates/(common|man\d)/.*\.pot", gettext, manual=True, words=_ALL),
    Source("inkscape", "deepin-community/inkscape", "3e66f4ba189d", "GPL 2.0 or later",
           "menus and messages of Inkscape", r"po/fr\.po", gettext, manual=True, words=_ALL),
    Source("gimp", "deepin-community/gimp", "2a6426f4ff18", "GPL 3.0 or later",
           "menus and messages of GIMP", r"po[\w-]*/de\.po", gettext, manual=True, words=_ALL),
    Source("godot", "godotengine/godot-editor-l10n", "da7b2eb4c053", "MIT",
           "menus and messages of Godot", r"(editor|extractable)/\w+\.pot", gettext, manual=True,
           words=_ALL),
    Source("gnucash", "Gnucash/gnucash-docs", "1ccea462bb08", "GFDL 1.1 or later",
           "manual of GnuCash", r"C/(guide|manual)/(?!fdl|legal)\w+\.docbook", docbook,
           manual=True, words=_ALL),
)  # fmt: skip


# Which sentences stay


_ABBREVIATION = re.compile(
    r"(?:^|[\s(\"“'])(?:[A-Za-z]|[A-Z]\.(?:[A-Z]\.)*[A-Z]|e\.g|i\.e|etc|vs|cf|Mr|Mrs|Ms|Dr|Prof|St|"
    r"Gen|Col|Lt|Sgt|Capt|Sen|Rep|Gov|Rev|Hon|Jr|Sr|Inc|Ltd|Co|Corp|No|Nos|Fig|Eq|Sec|approx|"
    r"Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sep|Sept|Oct|Nov|Dec)\.$"
)
_BORDER = re.compile(r"(?<=[.!?])([\"”’')\]]*)\s+(?=[\"“‘'(\[]?[A-Z0-9\ue000])")
_START = re.compile(r"[\"“‘'(]*[A-Z0-9À-Þ]")
_STOP = re.compile(r"[.!?…][\"”’')]*$")
_ODD = re.compile(
    r"https?:|www\.|[{}<>|\\=^~`#*@•→\ufffd\u200b\x00-\x1f\ue000\ue001]|\[|\]|(?<!\w)_|_(?!\w)|--|"
    r"\.\.\.\.|^\W*$|\S{40}|&\w+;|\(\s*\)| [,;:.] |\$[A-Za-z]|:[a-z_]{3,}:|\(\("
)
_BROKEN = re.compile(
    r"https?:|www\.|[`\ufffd\u200b\x00-\x1f\ue000\ue001]|\[!|---|\S{60}|^\.\. |^[#→]|\);$"
)
_PLAIN = re.compile(r"[(\"'“‘\[]*[^\W\d_]+(?:['’/-][^\W\d_]+)*[)\"'”’\].,:;!?…]*")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")
_FUNCTION_WORDS = frozenset(
    "the a an of to in on at by for from with and or but as is are was were be been has have had"
    " it its he his she her they their we our you your i my this that these those which who not no"
    " will would can could may should do does did if when than into after before over about more"
    " all one two also there what how so up out".split()
)
_NOT_LETTERS = re.compile(r"[\W_]+")
_KEY_TO_KEEP = 16


def sentences(text: str) -> list[str]:
    """A paragraph's sentences; where it is doubtful, two stay one."""
    found, start = [], 0
    for border in _BORDER.finditer(text):
        if _ABBREVIATION.search(text[start : border.start()]):
            continue
        found.append(text[start : border.end(1)])
        start = border.end()
    return [*found, text[start:]]


def is_natural(line: str, shortest: int = 4, longest: int = 400) -> bool:
    """Whether a line is whole English sentences in natural case."""
    words = line.split()
    if not shortest <= len(words) <= longest or not _START.match(line) or not _STOP.search(line):
        return False
    if _ODD.search(line) or line.count("(") != line.count(")") or line.count('"') % 2:
        return False
    if line.count("“") != line.count("”"):
        return False
    letters = _WORD.findall(line)
    if len(letters) < len(words) * 0.6:
        return False
    if sum(len(word) > 1 and word.isupper() for word in letters) > 0.3 * len(letters):
        return False
    if sum(not word[0].islower() for word in letters) > 0.6 * len(letters) + 2:
        return False
    functional = sum(word.lower() in _FUNCTION_WORDS for word in letters)
    return functional >= len(letters) // 8


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


def keys(line: str) -> list[str]:
    """Of a line, and of its longer sentences where it has several."""
    several = [key(sentence) for sentence in sentences(line)]
    whole = [key(line)]
    return whole if len(several) < 2 else whole + [k for k in several if len(k) >= _KEY_TO_KEEP]


def held_out(paths: list[str]) -> set[str]:
    """What stands in files that training must not see."""
    found: set[str] = set()
    for block in read_blocks(paths):
        for line in bytes(block).decode("utf-8", "replace").splitlines():
            found.update(keys(_NOTE.sub("", line)))
    found.discard("")
    return found


def filtered(source: Source, texts: Iterator[str], seen: set[str]) -> Iterator[str]:
    """Natural lines of a source that were not seen; they are from now on."""
    shortest = 1 if source.short else 4
    n_words = 0
    for text in texts:
        for found in source.reader(text):
            line = " ".join(found.split())
            longest = 90 if source.reader in (markdown, extracted) else 400
            if not (is_item(line) if source.manual else is_natural(line, shortest, longest)):
                continue
            own = keys(line)
            if seen.isdisjoint(own):
                seen.update(own)
                n_words += len(line.split())
                yield line
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


def files_of(folder: Path, source: Source) -> Iterator[str]:
    """Text of a source's files, by path, or where not all are taken by the path's hash."""
    repository = repository_in(folder, source.repository)
    wanted = re.compile(source.files)
    listed = git(repository, "ls-tree", "-r", "-z", "--name-only", source.commit).decode()
    paths = [path for path in listed.split("\0") if wanted.fullmatch(path)]
    if source.words < _ALL:
        paths.sort(key=lambda path: hashlib.md5(path.encode()).digest())
    asked = "".join(f"{source.commit}:{path}\n" for path in paths).encode()
    answer = io.BytesIO(git(repository, "cat-file", "--batch", given=asked))
    for path in paths:
        header = answer.readline().split()
        if len(header) != 3:
            raise NoRepositoryError(f"{repository}: no {path} at {source.commit}")
        yield answer.read(int(header[2])).decode("utf-8", "replace")
        answer.read(1)


def main() -> int:
    """Write the texts; 0, or 1 if a repository is missing."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("repositories", type=Path)
    parser.add_argument("out", type=Path)
    parser.add_argument("--held-out", nargs="+", default=[], metavar="FILE")
    names = [source.name for source in SOURCES]
    parser.add_argument("--sources", nargs="+", choices=names, default=names, metavar="NAME")
    args = parser.parse_args()
    seen = held_out(args.held_out)
    args.out.mkdir(parents=True, exist_ok=True)
    for source in SOURCES:
        if source.name not in args.sources:
            continue
        n_lines = n_words = 0
        try:
            with open(args.out / f"{source.name}.txt", "w", encoding="utf-8", newline="\n") as out:
                for line in filtered(source, files_of(args.repositories, source), seen):
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
