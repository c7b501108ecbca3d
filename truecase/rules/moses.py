"""Reads, writes and applies truecase models of the Moses toolkit.

A line holds a word's forms by frequency, each with its count, the first also with the word's total,
as ``train-truecaser.perl`` and sacremoses write them; counts may be fractions::

    company (118/131) Company (12) COMPANY (1)
"""

from __future__ import annotations

import codecs
import re
from array import array
from collections.abc import Iterable, Iterator
from functools import partial
from typing import Any

from truecase.base.argument_types import check_arguments
from truecase.base.compression import write_file
from truecase.base.read import display_name, open_bytes, open_text
from truecase.base.threads import ordered_map
from truecase.errors import CasingError, ReadError
from truecase.kernels.text import line_slices, lines_of
from truecase.options import InputCase, StrPath
from truecase.rules._lines import CaseTable

# Bytes that a thread gets at a time.
_PART = 1 << 17

_FIRST_LINE = re.compile(rb"\s*[^\s]+ \(\d+(?:\.\d+)?(?:e[-+]?\d+)?/\d+(?:\.\d+)?(?:e[-+]?\d+)?\)")
_COUNT = re.compile(rb"\((\d+(?:\.\d+)?(?:e[-+]?\d+)?)(?:/(\d+(?:\.\d+)?(?:e[-+]?\d+)?))?\)")

#: Up to here a double holds whole numbers exactly; sums over a file stay finite.
MAX_COUNT = float(1 << 53)


def read_moses_model(path: StrPath) -> MosesModel | None:
    """Read a file if it begins like a Moses truecase model, else return None.

    It opens the file once, so that a pipe will do. Errors are those of `MosesModel.read`.
    """
    with open_bytes(path) as file:
        if _FIRST_LINE.match(file.peek(1 << 12)) is None:  # type: ignore[attr-defined]
            return None
        return MosesModel(_parse(file, display_name(path)))


class MosesModel:
    """The counts of word forms in a Moses truecase model.

    Parameters
    ----------
    words : iterable of (total, list of (surface, count))
        A word's forms, the most frequent one first.
    """

    def __init__(self, words: Iterable[tuple[float, list[tuple[bytes, float]]]] = ()) -> None:
        self._surfaces: list[bytes] = []
        self._counts = array("d")
        self._totals = array("d")
        self._offsets = array("q", [0])
        for total, forms in words:
            for surface, count in forms:
                self._surfaces.append(surface)
                self._counts.append(count)
            self._totals.append(total)
            self._offsets.append(len(self._surfaces))

    def __repr__(self) -> str:
        return f"<MosesModel: {len(self):,} words, {len(self._surfaces):,} forms>"

    def __len__(self) -> int:
        return len(self._totals)

    def __iter__(self) -> Iterator[tuple[float, list[tuple[bytes, float]]]]:
        """Total and forms of each word, in the order of the file."""
        for i, total in enumerate(self._totals):
            start, end = self._offsets[i], self._offsets[i + 1]
            yield total, list(zip(self._surfaces[start:end], self._counts[start:end], strict=True))

    def forms(self) -> Iterator[tuple[bytes, float]]:
        """All surface forms with their counts."""
        return zip(self._surfaces, self._counts, strict=True)

    @property
    def metadata(self) -> dict[str, Any]:
        """The information that `truecase info` shows."""
        return {
            "kind": "Moses truecase model",
            "words": len(self),
            "forms": len(self._surfaces),
            "occurrences": _number(sum(self._totals)),
        }

    @classmethod
    def read(cls, path: StrPath, encoding: str = "utf-8") -> MosesModel:
        """Read a model file, plain or compressed; UTF-8 is not checked.

        OSError, or ReadError, which names file and line: it cannot be read, or is no such model.
        """
        check_arguments(cls.read, {"path": path, "encoding": encoding})
        with open_text(path, encoding) as file:
            return cls(_parse(file, display_name(path)))

    def write(self, path: StrPath, encoding: str = "utf-8") -> None:
        """Write a model file atomically; compressed if its suffix says so."""
        lines: Iterable[bytes] = self.lines()
        if codecs.lookup(encoding).name != "utf-8":
            lines = (line.decode().encode(encoding) for line in lines)
        with write_file(path) as packed:
            packed.writelines(lines)

    def lines(self) -> Iterator[bytes]:
        """Write the lines of the model file."""
        for total, forms in self:
            (best, count), *others = forms
            parts = [b"%s (%s/%s)" % (best, _shown(count), _shown(total))]
            parts += [b"%s (%s)" % (surface, _shown(count)) for surface, count in others]
            yield b" ".join(parts) + b"\n"


def _parse(lines: Iterable[bytes], name: str) -> Iterator[tuple[float, list[tuple[bytes, float]]]]:
    for number, line in enumerate(lines, 1):
        fields = line.split()
        if not fields:
            continue
        if len(fields) % 2:
            raise ReadError(f"{name}: line {number}: expected pairs of a form and its (count)")
        forms: list[tuple[bytes, float]] = []
        total = None
        for surface, count in zip(fields[::2], fields[1::2], strict=True):
            match = _COUNT.fullmatch(count)
            if match is None:
                raise ReadError(
                    f"{name}: line {number}: {count.decode('utf-8', 'replace')}: "
                    "expected a count such as (12) or (12/15)"
                )
            forms.append((surface, _count(match[1], number, name)))
            if match[2] is not None and total is None:
                total = _count(match[2], number, name)
        yield sum(count for _, count in forms) if total is None else total, forms


def _count(digits: bytes, number: int, name: str) -> float:
    count = float(digits)
    if not count <= MAX_COUNT:
        shown = digits.decode()
        raise ReadError(
            f"{name}: line {number}: the count {shown if len(shown) <= 40 else shown[:37] + '...'} "
            f"is beyond {MAX_COUNT:.0f}"
        )
    return count


def _number(value: float) -> int | float:
    return int(value) if value == int(value) else value


def _shown(value: float) -> bytes:
    """Format a whole number without decimals, any other as short as possible without loss."""
    return repr(_number(value)).encode()


class MosesTruecaser:
    """Truecases tokenised text with a Moses model, as Moses' tools do.

    White space separates words, and is kept; markup ``<…>`` and factors ``|…`` after a word are
    unchanged. Any number of threads may use it. `language` is that of
    `truecase.rules.smartcase.capitalize`.
    """

    def __init__(self, model: MosesModel, language: str = "") -> None:
        self._model = model
        self._table = CaseTable("space", language, forms=model.forms())
        self._totals: dict[str, int] | None = None
        self.language = "tr" if language[:2] in ("tr", "az") else ""

    def __repr__(self) -> str:
        return f"<MosesTruecaser: {self._model!r}>"

    def about(self) -> dict[str, Any]:
        """Return figures of the model for tables: an empty dict."""
        return {}

    def __call__(self, text: str, input_case: InputCase | None = None) -> str:
        """Truecase one text; see `case_block`."""
        block = text.encode("utf-8", "surrogatepass")
        return self.case_block(block, 1, input_case).decode("utf-8", "surrogatepass")

    def case_block(
        self, block: bytes, threads: int = 1, input_case: InputCase | None = None
    ) -> bytes:
        """Truecase newline-separated lines; only their case changes.

        Parameters
        ----------
        block : bytes
        threads : int
            How many pieces are cased at a time.
        input_case : {"ignore", "keep", "auto", "all"}, optional
            ``ignore``: words of the model take their most frequent form, others are lowercased
            (sacremoses for speech). ``keep``: only sentences' first words and forms that the model
            has not seen take it (``truecase.perl``, and sacremoses with ``use_known``). ``auto``:
            ``ignore`` for lines in one case, else ``keep``. ``all``: words of the model take it,
            others are kept (sacremoses by default). None is ``ignore``.
        """
        if input_case == "auto":
            return self._case_by_line(block)
        if input_case == "evidence":
            raise CasingError(
                "input_case evidence: Moses' truecaser takes ignore, keep, auto or all"
            )
        input_case = input_case or "ignore"
        if threads <= 1 or len(block) < 1 << 18:
            return self._table.truecase(block, input_case)
        parts = (block[part] for part in line_slices(block, _PART))
        case = partial(self._table.truecase, rule=input_case)
        return b"".join(ordered_map(case, parts, threads))

    def _case_by_line(self, block: bytes) -> bytes:
        cased = []
        for line in lines_of(block):
            text = line.decode("utf-8", "surrogateescape")
            rule = "ignore" if text.islower() or text.isupper() else "keep"
            cased.append(self._table.truecase(line, rule))
        return b"".join(cased)

    def training_count(self, word: str) -> int:
        """How often `word`, in any case, occurred in training."""
        from truecase.kernels._unicode import fold

        if self._totals is None:
            totals: dict[str, int] = {}
            for total, forms in self._model:
                key = fold(forms[0][0].decode("utf-8", "surrogateescape"))
                totals[key] = totals.get(key, 0) + round(total)
            self._totals = totals
        return self._totals.get(fold(word), 0)
