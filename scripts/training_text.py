"""Make training text of a language from clones of public repositories.

    python scripts/training_text.py REPOSITORIES OUT [--language LANG] [--held-out FILE...]
        [--sources NAME...]

REPOSITORIES holds a clone of each repository of `text_sources.toml`, with or without a work tree:
`numpy/numpy.org` may be called `numpy/numpy.org`, `numpy+numpy.org`, `numpy.org` or one of these
with `.git`. The script reads files at the commit of the table, whatever is checked out. OUT gets a
text file for each source of the language (by default English): text in its natural case, without
markup, code, tables and headings, a sentence per line (news and everyday sentences may have
several). From translated manuals, it also takes headings, items and cells of tables, and names of
code as words, because text of this kind has them. Each line stands there once. With --held-out, OUT
gets no sentence of these files, compared by letters and digits without case, because text to judge
a model by must not be in its training text. With --sources, the script makes only these texts; text
that is kept from training is made only in this way. The same commits and arguments give the same
bytes.
"""

import argparse
import hashlib
import io
import lzma
import re
import subprocess
import sys
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from math import inf
from pathlib import Path

from natural_text import ENGLISH, LANGUAGES, TABLES, Language, is_in, is_item, is_natural, keys
from text_readers import NOTE, READERS

from truecase.base.read import read_blocks


@dataclass(frozen=True)
class Source:
    """Files of a repository at a commit, and how to read them.

    Attributes
    ----------
    name : str
        Name of the text file.
    repository, commit : str
    licence : str
        Licence of the text.
    kind : str
        Description in the table of a model card.
    files : str
        Regular expression that paths match.
    reader : str
        Name of the function that reads the lines to filter from the text of a file.
    short : bool
        Sentences of fewer than four words stay.
    manual : bool
        Lines that are no sentences stay, too, and code among words.
    words : float
        The most words to take; if there are more, hashes of paths choose the files.
    encoding : str
        Encoding of the files.
    apart : bool
        Not for training: made only if --sources names it, for experiments.
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
    encoding: str = "utf-8"
    apart: bool = False


def sources_of(language: str) -> list[Source]:
    """Return the sources of the file that have a language."""
    found = [
        Source(name=name, **table) for name, table in TABLES["source"].get(language, {}).items()
    ]
    for name, table in TABLES["sources"].items():
        if language in table["codes"]:
            own = {
                field: value[language] if isinstance(value, dict) else value
                for field, value in table.items()
            }
            own["files"] = own["files"].replace("CODE", own.pop("codes"))
            found.append(Source(name=name, **own))
    return found


def held_out(paths: list[str], language: Language = ENGLISH) -> set[str]:
    """Return the keys of the lines that training must not see."""
    found: set[str] = set()
    for block in read_blocks(paths):
        for line in bytes(block).decode("utf-8", "replace").splitlines():
            found.update(keys(NOTE.sub("", line), language))
    found.discard("")
    return found


def filtered(
    source: Source, texts: Iterator[str], seen: set[str], language: Language = ENGLISH
) -> Iterator[str]:
    """Yield the natural lines of a source that were not seen before, and note them as seen.

    A line in the letters of older files comes again in the letters of today.
    """
    reader = READERS[source.reader]
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
    """A repository is missing, or a file or commit in it."""


def repository_in(folder: Path, repository: str) -> Path:
    """Return the git directory or clone of a repository."""
    owner, name = repository.split("/")
    for base in (folder / owner / name, folder / f"{owner}+{name}", folder / name):
        for path in (base, base.with_name(f"{base.name}.git")):
            if path.is_dir():
                return path
    raise NoRepositoryError(f"{folder}: no clone of {repository}")


def git(repository: Path, *arguments: str, given: bytes = b"") -> bytes:
    """Run git, and return its output."""
    done = subprocess.run(
        ["git", "-C", str(repository), *arguments], input=given, capture_output=True, check=False
    )
    if done.returncode:
        raise NoRepositoryError(f"{repository}: {done.stderr.decode(errors='replace').strip()}")
    return done.stdout


def _unpacked(data: bytes, path: str) -> bytes:
    """Return the bytes of a file, uncompressed; of an archive, those of its files."""
    if path.endswith(".xz"):
        return lzma.decompress(data)
    if not path.endswith(".tar.gz"):
        return data
    with tarfile.open(fileobj=io.BytesIO(data)) as archive:
        found = (archive.extractfile(member) for member in archive if member.isfile())
        return b"".join(file.read() for file in found if file)


def files_of(folder: Path, source: Source) -> Iterator[str]:
    """Yield the texts of a source's files, by path, or by the path's hash if not all are taken."""
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
        yield _unpacked(answer.read(int(header[2])), path).decode(source.encoding, "replace")
        answer.read(1)


def main() -> int:
    """Write the texts; return 0, or 1 if a repository is missing."""
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
        if source.name not in args.sources if args.sources else source.apart:
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
