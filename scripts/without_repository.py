"""Copy texts without the lines that a repository has.

    python scripts/without_repository.py CLONE COMMIT FILES OUT TEXT...

The script removes a line if two fifths of its runs of five words stand in the files of CLONE at
COMMIT whose paths match FILES, a regular expression. It ignores case, marks and Markdown, and keeps
shorter lines. OUT gets a plain copy of each TEXT. The same files give the same bytes.
"""

import argparse
import re
import sys
from pathlib import Path

from corpus_text import copy_kept, lines_of, names_of
from training_text import git

_WORD = re.compile(r"[^\W_]+")
# Targets of links, attributes, notes and tags.
_MARKUP = re.compile(r"(?<=\])\([^)]*\)|\{[^}]*\}|\[\^\w+\]|<[^>]*>|\b:[\w-]+:")
_RUN = 5
_SHARE = 0.4


def words(text: str) -> list[str]:
    """Return the words of a text, in lower case."""
    return _WORD.findall(text.lower())


def runs(text: list[str]) -> list[tuple[str, ...]]:
    """Return all runs of five words."""
    return [tuple(text[start : start + _RUN]) for start in range(len(text) - _RUN + 1)]


def main() -> int:
    """Write the copies; return 0."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("clone", type=Path)
    parser.add_argument("commit")
    parser.add_argument("files")
    parser.add_argument("out", type=Path)
    parser.add_argument("texts", nargs="+", metavar="TEXT")
    args = parser.parse_args()
    listed = git(args.clone, "ls-tree", "-r", "-z", "--name-only", args.commit).decode()
    paths = [path for path in listed.split("\0") if re.fullmatch(args.files, path)]
    if not paths:
        parser.error(f"no file of {args.clone} matches {args.files}")
    asked = (git(args.clone, "show", f"{args.commit}:{path}") for path in paths)
    pages = (_MARKUP.sub(" ", page.decode("utf-8", "replace")) for page in asked)
    theirs = {run for page in pages for run in runs(words(page))}
    args.out.mkdir(parents=True, exist_ok=True)

    def is_own(line: bytes) -> bool:
        own = runs(words(line.decode("utf-8", "replace")))
        return not own or sum(run in theirs for run in own) < _SHARE * len(own)

    for path, name in zip(args.texts, names_of(args.texts), strict=True):
        copy_kept(lines_of(path), args.out / f"{name}.txt", is_own)
    return 0


if __name__ == "__main__":
    sys.exit(main())
