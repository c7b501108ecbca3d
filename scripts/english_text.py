"""Makes the English training text of today from clones of public repositories.

    python scripts/english_text.py REPOSITORIES OUT [--held-out FILE...]

REPOSITORIES holds a clone of each repository of `SOURCES`, with or without a work tree: of
`numpy/numpy.org` as `numpy/numpy.org`, `numpy+numpy.org`, `numpy.org` or one of these with `.git`.
Files are read at the commit of the table, whatever is checked out. OUT gets a text file of each
source: what people wrote in its natural case, without markup, code, tables and headings, a
sentence a line (news and everyday sentences as they stand, so sometimes several). A sentence
stands there once. With --held-out, no sentence of these files stands there either, compared by
letters and digits, case ignored: text to judge a model by must not be in its training text.
The same commits and held-out files give the same bytes.
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
    words: int = 300_000


_MD = r".*\.mdx?"
_ALL = 10**9
SOURCES = (
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
            found.update(keys(line))
    found.discard("")
    return found


def filtered(source: Source, texts: Iterator[str], seen: set[str]) -> Iterator[str]:
    """Natural lines of a source that were not seen; they are from now on."""
    shortest = 1 if source.short else 4
    n_words = 0
    for text in texts:
        for found in source.reader(text):
            line = " ".join(found.split())
            if not is_natural(line, shortest, 90 if source.reader is markdown else 400):
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
    args = parser.parse_args()
    seen = held_out(args.held_out)
    args.out.mkdir(parents=True, exist_ok=True)
    for source in SOURCES:
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
