"""Take spoken English with its marks from transcripts of people, for `truecase train marks`.

    python scripts/spoken_text.py changelog FOLDER > changelog.txt
    python scripts/spoken_text.py bitcoin FOLDER > bitcoin.txt
    python scripts/spoken_text.py talkpython FOLDER > talkpython.txt

FOLDER is a checkout: of thechangelog/transcripts (podcasts, CC BY-SA 4.0; without `news`, which is
read out, and without `bigtent`, whose text has another author), of bitcointranscripts/
bitcointranscripts (talks and podcasts, MIT), or of talkpython/talk-python-transcripts (a podcast,
GPL 3.0). A line is one turn of a speaker, or some sentences if the transcript names no speakers. It
lacks the speaker's name, links, times, emphasis and remarks in square brackets. An empty line
begins another file.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

_SPEAKER = re.compile(r"^\*\*([^*]{1,60}):\*\*\s*")
_REMARK = re.compile(r"\\?\[[^\]]{0,80}\\?\]|\\?\([^)]{0,30}\d\d:\d\d[^)]*\)")
_LINK = re.compile(r"\[([^\]]*)\]\(([^)]*)\)")
_TIME = re.compile(r"^\d\d?:\d\d(:\d\d)?\s*")
_NAME = re.compile(r"^([A-Z][\w.]+ ?){1,3}:\s+")
_ASIDE = re.compile(r"\[[^]]*\]|<[^>]*>")
# Lines of a caption each that make one of ours.
_CAPTIONS = 8
_LEFT_OUT = ("news/", "bigtent/", "rfc/", "scripts/")


def cleaned(line: str) -> str:
    """Return a line without the parts that nobody says."""
    line = _REMARK.sub(" ", _LINK.sub(r"\1", line)).replace("\\", "")
    line = re.sub(r"<[^>]*>", " ", re.sub(r"[*_`]+", "", line))
    return re.sub(r"\s+", " ", line).strip()


def files(folder: Path, ending: str, left_out: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield the text of each file of a kind below the top, in the order of the names' bytes."""
    names = (path.relative_to(folder).as_posix() for path in folder.rglob(f"*{ending}"))
    for name in sorted(names, key=str.encode):
        # Four files with a long dash in their names tell who speaks in a form of their own.
        if name.isascii() and "/" in name and not name.startswith((".github", ".git/", *left_out)):
            yield (folder / name).read_bytes().decode("utf-8", "replace")


def changelog(text: str) -> Iterator[str]:
    """Yield the turns of a podcast."""
    for line in text.split("\n"):
        speaker = _SPEAKER.match(line)
        if speaker is not None:
            line = line[speaker.end() :]
        elif line.startswith(("**Break**", "#", "|", ">")):
            continue
        yield cleaned(line)


def bitcoin(text: str) -> Iterator[str]:
    """Yield the paragraphs of a talk that end like sentences."""
    if text.startswith("---"):
        text = text.split("\n---", 1)[-1]
    for line in text.split("\n"):
        line = line.strip()
        speaker = _SPEAKER.match(line)
        if not line or (line[0] in "#<|>-*!`" and speaker is None) or "http" in line:
            continue
        if speaker is not None:
            line = line[speaker.end() :]
        line = cleaned(re.sub(r"^(Q|A):\s*", "", line))
        if len(line.split()) >= 3 and line[-1] in '.?!"”':
            yield line


def talkpython(text: str) -> Iterator[str]:
    """Yield some sentences at a time of a podcast whose captions have times."""
    said: list[str] = []
    for line in text.split("\n"):
        line = _NAME.sub("", _TIME.sub("", line.strip())).strip()
        line = " ".join(_ASIDE.sub(" ", line).split())
        if not line:
            continue
        said.append(line)
        if len(said) >= _CAPTIONS and line[-1] in ".?!":
            yield " ".join(said)
            said = []
    if said and said[-1][-1] in ".?!":
        yield " ".join(said)


#: How each is read, what its files end with, and folders that are left out.
SOURCES: dict[str, tuple[Callable[[str], Iterator[str]], str, tuple[str, ...]]] = {
    "changelog": (changelog, ".md", _LEFT_OUT),
    "bitcoin": (bitcoin, ".md", ()),
    "talkpython": (talkpython, ".txt", ()),
}


def main() -> None:
    """Write the text to standard output."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=tuple(SOURCES))
    parser.add_argument("folder", type=Path, metavar="FOLDER")
    given = parser.parse_args()
    if not given.folder.is_dir():
        parser.error(f"{given.folder}: there is no such folder")
    read, ending, left_out = SOURCES[given.what]
    for text in files(given.folder, ending, left_out):
        lines = [line for line in read(text) if line]
        if lines:
            sys.stdout.buffer.write(("\n" + "\n".join(lines) + "\n").encode())


if __name__ == "__main__":
    main()
