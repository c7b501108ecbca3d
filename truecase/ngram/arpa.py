"""N-gram models as ARPA files, plain or compressed.

Written files are those of KenLM and SRILM: log10 of probabilities and backoffs with as many digits
as a float32 needs. The reader also takes blanks or tabs between words, a missing backoff (0), CR
LF, ``<UNK>`` for ``<unk>`` if there is no other, and -inf (read as -99).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import BinaryIO, Protocol

import numpy as np

from truecase.base.compression import write_file
from truecase.base.read import display_name, open_text
from truecase.base.spool import Float32s, UInt8s, UInt32s
from truecase.errors import ArpaError
from truecase.ngram._words import ArpaWords, format_lines
from truecase.ngram.table import MAX_ORDER, Block, NgramModel, Result
from truecase.ngram.vocabulary import Vocabulary
from truecase.options import StrPath

BLOCK_BYTES = 1 << 22

# No line of an ARPA file is longer; memory must not run out reading another file.
MAX_LINE_BYTES = 1 << 28
LOG10_ZERO = -99.0


_PROBLEMS = {
    1: "expected a log10 probability at the start of the line",
    2: "fewer than {order} words",
    3: "more fields than a probability, {order} words and a backoff",
    4: "a word that is not among the unigrams",
    5: "this word is among the unigrams already",
    6: "after {order} words, expected a backoff (a number) or nothing",
    7: "a probability above 1",
    8: "no memory for the vocabulary",
    9: "a backoff in the highest order",
}


class Ngrams(Protocol):
    """N-grams that `write_arpa` writes, such as a `NgramModel`."""

    @property
    def n_ngrams(self) -> list[int]:
        """Number of n-grams of each order."""

    def blocks(self, order: int, use: Callable[[Block], Result]) -> Iterator[Result]:
        """Yield ``use(block)`` for the n-grams of an order; `use` may be called in any thread."""


def write_arpa(path: StrPath, vocabulary: Vocabulary, ngrams: Ngrams) -> None:
    """Write n-grams as an ARPA file, atomically, compressed as its name says."""
    n_ngrams = ngrams.n_ngrams
    with write_file(path) as out:
        counts = "".join(f"ngram {k}={n}\n" for k, n in enumerate(n_ngrams, 1))
        out.write(f"\\data\\\n{counts}".encode())
        for order in range(1, len(n_ngrams) + 1):
            out.write(f"\n\\{order}-grams:\n".encode())
            for lines in ngrams.blocks(order, lambda block: list(_lines(vocabulary, block))):
                for part in lines:
                    out.write(part.data)
        out.write(b"\n\\end\\\n")


def _lines(vocabulary: Vocabulary, block: Block) -> Iterator[UInt8s]:
    """Yield the lines of some n-grams, in parts."""
    # Seldom too small.
    n_bytes = min(64 * len(block.words) + (1 << 12), 1 << 22)
    row = 0
    while row < len(block.words):
        lines = np.empty(n_bytes, dtype=np.uint8)
        before = row
        row, n_used = format_lines(*block[:3], vocabulary.blob, vocabulary.offsets, row, lines)
        if row == before:
            n_bytes *= 2
        yield lines[:n_used]


def read_arpa(path: StrPath, encoding: str | None = None) -> tuple[Vocabulary, NgramModel]:
    """Read a model from an ARPA file.

    Words get their ids in the order of the unigrams, from 3 on. Missing special words are added
    with a log10 probability of -99.

    Parameters
    ----------
    path : path
        Plain, gzip, xz, bzip2 or Zstandard data; ``-`` is standard input.
    encoding : str, optional
        As for `open_text`.

    Returns
    -------
    vocabulary : Vocabulary
    model : NgramModel
        Without counts.

    Raises
    ------
    ArpaError
        The file is cut off or not an ARPA file; the message names file and line.
    ReadError
        Compressed data is broken, or text in another encoding.
    """
    with open_text(path, encoding) as file:
        return _ArpaReader(display_name(path), file).read()


def is_sorted(words: UInt32s) -> bool:
    """Whether the rows rise strictly, in lexicographic order."""
    undecided = np.ones(max(len(words) - 1, 0), dtype=bool)
    for column in range(words.shape[1]):
        before, after = words[:-1, column], words[1:, column]
        if bool(np.any(undecided & (before > after))):
            return False
        undecided &= before == after
    return not bool(undecided.any())


class _ArpaReader:
    def __init__(self, name: str, file: BinaryIO) -> None:
        self.name = name
        self.file = file
        self.block = b""
        self.position = 0
        self.line_number = 0
        self.words = ArpaWords()

    def fail(self, message: str, line_number: int | None = None) -> ArpaError:
        return ArpaError(f"{self.name}: line {line_number or self.line_number}: {message}")

    def fill(self) -> bool:
        """Read the next block of whole lines; False at the end of the file."""
        if self.position < len(self.block):
            return True
        data = self.file.read(BLOCK_BYTES)
        rest = self.file.readline(MAX_LINE_BYTES)
        if len(rest) == MAX_LINE_BYTES:
            line_number = self.line_number + data.count(b"\n") + 1
            raise self.fail("a line that does not end", line_number)
        self.block = data + rest
        self.position = 0
        return bool(self.block)

    def next_line(self) -> str | None:
        """The next line that is not blank, without its end; None at the end of the file."""
        while self.fill():
            end = self.block.find(b"\n", self.position) + 1 or len(self.block)
            line = self.block[self.position : end].strip().decode("utf-8", "replace")
            self.position = end
            self.line_number += 1
            if line:
                return line
        return None

    def read(self) -> tuple[Vocabulary, NgramModel]:
        declared = self.read_header()
        order = len(declared)
        model = NgramModel([], [], [])
        for k in range(1, order + 1):
            words, prob, backoff = self.read_section(k, order, declared[k - 1])
            if k == 1:
                words, prob, backoff = self.add_specials(words, prob, backoff, k == order)
            if not is_sorted(words):
                by_words = np.lexsort(words.T[::-1])
                words, prob = words[by_words], prob[by_words]
                backoff = backoff[by_words] if k < order else backoff
                if not is_sorted(words):
                    at = int(np.flatnonzero((words[1:] == words[:-1]).all(axis=1))[0])
                    vocabulary = self.words.vocabulary()
                    ngram = b" ".join(vocabulary.surface(int(word_id)) for word_id in words[at])
                    shown = repr(ngram.decode("utf-8", "replace"))
                    raise ArpaError(f"{self.name}: the {k}-gram {shown} occurs twice")
            model.words.append(words)
            model.log10_prob.append(prob)
            if k < order:
                model.log10_backoff.append(backoff)
            self.expect("\\end\\" if k == order else f"\\{k + 1}-grams:", k, declared[k - 1])
        return self.words.vocabulary(), model

    def read_header(self) -> list[int]:
        while (line := self.next_line()) != "\\data\\":
            if line is None:
                raise ArpaError(f"{self.name}: no \\data\\ line: this is not an ARPA file")
            if self.line_number > 1000:
                raise self.fail("no \\data\\ among the first 1000 lines: this is not an ARPA file")
        declared: list[int] = []
        while (line := self.next_line()) is not None:
            match = re.fullmatch(r"ngram\s+(\d{1,3})\s*=\s*(\d{1,18})", line)
            if match is None:
                break
            if int(match[1]) != len(declared) + 1:
                raise self.fail(f"expected the number of {len(declared) + 1}-grams, found {line!r}")
            declared.append(int(match[2]))
        if line is None:
            raise self.fail("the file ends in its header")
        if not declared:
            raise self.fail(f"expected 'ngram 1=…' after \\data\\, found {line!r}")
        if len(declared) > MAX_ORDER:
            raise self.fail(f"a model of order {len(declared)}: at most {MAX_ORDER} can be read")
        if line != "\\1-grams:":
            raise self.fail(f"expected \\1-grams:, found {line[:60]!r}")
        return declared

    def expect(self, wanted: str, order: int, n: int) -> None:
        line = self.next_line()
        if line == wanted:
            return
        if line is None:
            raise self.fail(f"the file ends where {wanted} was expected")
        if line.startswith("\\"):
            raise self.fail(f"expected {wanted}, found {line[:60]!r}")
        raise self.fail(f"expected {wanted} after the {n} {order}-grams of the header, found more")

    def read_section(self, k: int, order: int, n: int) -> tuple[UInt32s, Float32s, Float32s]:
        # The header may lie, so arrays grow with the n-grams read.
        n_rows = min(n, 1 << 16)
        words = np.empty((n_rows, k), dtype=np.uint32)
        prob = np.empty(n_rows, dtype=np.float32)
        backoff = np.empty(n_rows if k < order else 0, dtype=np.float32)
        row = 0
        while row < n:
            if not self.fill():
                raise self.fail(f"the file ends after {row} of {n} {k}-grams")
            if row == len(words):
                n_rows = min(n, 2 * len(words))
                words = np.concatenate([words, np.empty((n_rows - row, k), dtype=np.uint32)])
                prob = np.concatenate([prob, np.empty(n_rows - row, dtype=np.float32)])
                if k < order:
                    backoff = np.concatenate([backoff, np.empty(n_rows - row, dtype=np.float32)])
            self.position, row, n_lines, status = self.words.parse_lines(
                self.block, self.position, k == order, words, prob, backoff, row
            )
            self.line_number += n_lines
            if status:
                bad = self.block[self.position :].split(b"\n", 1)[0][:80].decode("utf-8", "replace")
                problem = _PROBLEMS[status].format(order=k)
                raise self.fail(f"{problem}: {bad!r}", self.line_number + 1)
            if row < len(words) and self.position < len(self.block):
                # Blank, or the next section.
                line = self.next_line()
                if line is not None:
                    raise self.fail(f"expected {n} {k}-grams, found {line[:60]!r} after {row}")
        return words, prob, backoff

    def add_specials(
        self, words: UInt32s, prob: Float32s, backoff: Float32s, highest: bool
    ) -> tuple[UInt32s, Float32s, Float32s]:
        missing = [word_id for word_id in range(3) if not self.words.has_special[word_id]]
        if missing:
            words = np.concatenate([np.array(missing, dtype=np.uint32)[:, None], words])
            prob = np.concatenate([np.full(len(missing), LOG10_ZERO, dtype=np.float32), prob])
            if not highest:
                backoff = np.concatenate([np.zeros(len(missing), dtype=np.float32), backoff])
        return words, prob, backoff
