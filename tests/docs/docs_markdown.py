"""The blocks of code of a Markdown file, each with what a comment before it says of it.

A comment right above a fence is for the tests, and no reader sees it:

    <!-- not run: REASON -->        the block is not run; the reason says why
    <!-- needs: MODULE, $COMMAND --> the block is run where these are installed
    <!-- exit: 1 -->                its last command ends with this code
    <!-- file: NAME -->             the block is written to a file instead
    <!-- output of: COMMAND -->     the block is what the command prints
"""

import re
from dataclasses import dataclass
from pathlib import Path

_FENCE = re.compile(r"^( *)```(\w*)(.*)$")
_COMMENT = re.compile(r"^ *<!-- (not run|needs|exit|file|output of): (.*\S) -->$")


@dataclass(frozen=True)
class Block:
    """One fenced block.

    Attributes
    ----------
    file : Path
    line : int
        Of its first line within the fence, from 1.
    language : str
    text : str
    notes : dict of str to str
        By the kind of comment.
    """

    file: Path
    line: int
    language: str
    text: str
    notes: dict[str, str]

    def __str__(self) -> str:
        return f"{self.file.name}:{self.line}"


def blocks(file: Path) -> list[Block]:
    """All blocks of a file, in order.

    Raises
    ------
    ValueError
        A fence is not closed, or a comment stands before none.
    """
    found: list[Block] = []
    notes: dict[str, str] = {}
    lines = file.read_text(encoding="utf-8").split("\n")
    at = 0
    while at < len(lines):
        fence, comment = _FENCE.match(lines[at]), _COMMENT.match(lines[at])
        if comment:
            notes[comment[1]] = comment[2]
        elif fence:
            indent = len(fence[1])
            end = at + 1
            while end < len(lines) and lines[end].strip() != "```":
                end += 1
            if end == len(lines):
                raise ValueError(f"{file}:{at + 1}: a fence without end")
            text = "".join(line[indent:] + "\n" for line in lines[at + 1 : end])
            found.append(Block(file, at + 2, fence[2], text, notes))
            notes = {}
            at = end
        elif notes:
            raise ValueError(f"{file}:{at + 1}: the comment before it is about no block")
        at += 1
    if notes:
        raise ValueError(f"{file}: the comment at its end is about no block")
    return found
