"""Errors where they stand: every wrong word counted, some of them with the words around."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

# Words on either side of an error that are kept, and bytes of a very long one.
_N_AROUND = 7
_LONGEST = 60


@dataclass(frozen=True)
class ErrorContext:
    """One error where it stands.

    Attributes
    ----------
    line : int
        Number of the line.
    before, after : str
        The words around it, as the reference has them.
    """

    line: int
    before: str
    after: str


class ErrorContexts:
    """Counts errors by reference and output, and keeps the first contexts of each.

    Parameters
    ----------
    n_kept : int
        Contexts kept of each kind of error, from different lines.
    """

    def __init__(self, n_kept: int = 3) -> None:
        self.n_kept = n_kept
        self.counts: Counter[tuple[str, str]] = Counter()
        self.contexts: dict[tuple[str, str], list[ErrorContext]] = {}

    def add(self, line: int, gold: Sequence[str], words: Sequence[str]) -> None:
        """Count the errors of a line: as many words on both sides."""
        for place, pair in enumerate(zip(gold, words, strict=True)):
            if pair[0] == pair[1]:
                continue
            self.counts[pair] += 1
            kept = self.contexts.setdefault(pair, [])
            if len(kept) < self.n_kept and not (kept and kept[-1].line == line):
                before = gold[max(place - _N_AROUND, 0) : place]
                after = gold[place + 1 : place + 1 + _N_AROUND]
                kept.append(
                    ErrorContext(
                        line,
                        ("… " if place > _N_AROUND else "") + _shortened(before),
                        _shortened(after) + (" …" if place + 1 + _N_AROUND < len(gold) else ""),
                    )
                )

    def most_frequent(self, n: int) -> list[tuple[str, str]]:
        """The `n` most frequent kinds of error, reference and output."""
        ranked = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
        return [pair for pair, _ in ranked[:n]]


def _shortened(words: Sequence[str]) -> str:
    return " ".join(word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…" for word in words)
