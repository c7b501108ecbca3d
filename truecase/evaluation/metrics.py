"""Compares the case of an output, or of a model, with a reference.

Words are the white-space-separated tokens of the reference, so that systems with different
segmentation can be compared. All figures are sums over distinct (reference, output) pairs of
words; a text has few.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from itertools import zip_longest
from typing import Any, Protocol

from truecase.alignment.lines import AlignedLines
from truecase.base.progress import count_of
from truecase.base.threads import ordered_map
from truecase.errors import EvaluationError
from truecase.kernels._unicode import fold, lower, tag
from truecase.kernels.text import TAGS, split_lines

# How many contexts of an error are kept, how many words on either side, the length of a cut word.
_N_KEPT = 2
_N_AROUND = 7
_LONGEST = 60


@dataclass(frozen=True)
class ErrorContext:
    """The line of an error, and the reference's words around it."""

    line: int
    before: str
    after: str


class ErrorContexts:
    """Counts errors by reference and output; keeps contexts of each, of different lines."""

    def __init__(self) -> None:
        self.counts: Counter[tuple[str, str]] = Counter()
        self.contexts: dict[tuple[str, str], list[ErrorContext]] = {}

    def add(self, line: int, gold: Sequence[str], words: Sequence[str]) -> None:
        """Count the errors of a line; both sides have the same number of words."""
        for place, pair in enumerate(zip(gold, words, strict=True)):
            if pair[0] == pair[1]:
                continue
            self.counts[pair] += 1
            kept = self.contexts.setdefault(pair, [])
            if len(kept) < _N_KEPT and not (kept and kept[-1].line == line):
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
        """The `n` most frequent kinds of error as (reference, output)."""
        ranked = sorted(self.counts.items(), key=lambda item: (-item[1], item[0]))
        return [pair for pair, _ in ranked[:n]]


def _shortened(words: Sequence[str]) -> str:
    return " ".join(word if len(word) <= _LONGEST else word[: _LONGEST - 1] + "…" for word in words)


# The tags of words with a capital.
_CASED = [name for name in TAGS if name not in ("AL", "AN")]
# How many frequent errors a report lists.
_N_COMMON_ERRORS = 20
# The figures of an `Evaluation` that are numbers, in the order of `to_dict`.
_FIGURES = (
    "n_lines n_correct_lines n_words n_correct n_proposed n_gold n_hits n_changed accuracy "
    "case_error_rate cased_precision cased_recall f1 sentence_accuracy out_of_vocabulary"
).split()


def _ratio(part: int, whole: int) -> float:
    """Share of a part; 1 if the whole is 0."""
    return part / whole if whole else 1.0


@dataclass(frozen=True)
class Tally:
    """Number of words and errors of one kind."""

    n_words: int = 0
    n_errors: int = 0

    @property
    def error_rate(self) -> float:
        """Share of the words that are wrong."""
        return self.n_errors / self.n_words if self.n_words else 0.0

    def to_dict(self) -> dict[str, Any]:
        """The figures by name."""
        return {"n_words": self.n_words, "n_errors": self.n_errors, "error_rate": self.error_rate}


@dataclass(frozen=True)
class Evaluation:
    """Agreement of an output with its reference.

    Attributes
    ----------
    n_lines, n_correct_lines : int
        All lines, and those without an error.
    n_words, n_correct : int
        All words, and those that equal the reference.
    n_proposed, n_gold, n_hits : int
        Words that are not all-lowercase in the output, in the reference, and in both and equal
        (Susanto, Chieu & Lu 2016).
    n_changed : int
        Words that differ from the reference by more than case; they count as wrong.
    by_tag : dict of str to Tally
        Errors by the tag of the reference.
    confusion : dict of str to dict of str to int
        Number of words by tag of the reference, then tag of the output. A wrong word can have
        the right tag if both are MX.
    by_training_count : list of (int, int, Tally), optional
        Errors by the word's training count: from, to (both inclusive).
    common_errors : list of (str, str, int)
        The most frequent errors: reference, output, number.
    """

    n_lines: int
    n_correct_lines: int
    n_words: int
    n_correct: int
    n_proposed: int
    n_gold: int
    n_hits: int
    n_changed: int
    by_tag: dict[str, Tally]
    confusion: dict[str, dict[str, int]]
    by_training_count: list[tuple[int, int, Tally]] | None = None
    common_errors: list[tuple[str, str, int]] = field(default_factory=list)

    def __repr__(self) -> str:
        return (
            f"<Evaluation: {self.n_words:,} words, token accuracy {100 * self.accuracy:.2f} %, "
            f"F1 {100 * self.f1:.2f} %>"
        )

    @property
    def accuracy(self) -> float:
        """Token accuracy: correct words / words (Wang, Knight & Marcu 2006, equation 9)."""
        return _ratio(self.n_correct, self.n_words)

    @property
    def case_error_rate(self) -> float:
        """Share of the words that are wrong."""
        return 1.0 - self.accuracy

    @property
    def cased_precision(self) -> float:
        """Share of the words not all-lowercase in the output that are right."""
        return _ratio(self.n_hits, self.n_proposed)

    @property
    def cased_recall(self) -> float:
        """Share of the words not all-lowercase in the reference that are right."""
        return _ratio(self.n_hits, self.n_gold)

    @property
    def f1(self) -> float:
        """Harmonic mean of `cased_precision` and `cased_recall`."""
        return _ratio(2 * self.n_hits, self.n_proposed + self.n_gold)

    @property
    def sentence_accuracy(self) -> float:
        """Share of the lines without an error."""
        return _ratio(self.n_correct_lines, self.n_lines)

    @property
    def out_of_vocabulary(self) -> float | None:
        """Share of the words that training did not see; None if unknown."""
        if self.by_training_count is None:
            return None
        unseen = sum(t.n_words for low, _, t in self.by_training_count if low == 0)
        return unseen / self.n_words if self.n_words else 0.0

    def to_dict(self) -> dict[str, Any]:
        """All figures by name, as plain dicts, lists and numbers."""
        bins = self.by_training_count
        return {
            **{name: getattr(self, name) for name in _FIGURES},
            "by_tag": {name: tally.to_dict() for name, tally in self.by_tag.items()},
            "confusion": {gold: dict(row) for gold, row in self.confusion.items()},
            "by_training_count": bins
            and [{"from": low, "to": high, **tally.to_dict()} for low, high, tally in bins],
            "common_errors": [
                {"reference": gold, "output": output, "n": n}
                for gold, output, n in self.common_errors
            ],
        }


class Evaluator:
    """Compares an output with its reference, some lines at a time.

    Parameters
    ----------
    training_count : callable, optional
        Returns how often a word, in any case, occurred in training.
    language : str
        Language of the case mappings.
    contexts : ErrorContexts, optional
        Collects the errors.
    """

    def __init__(
        self,
        training_count: Callable[[str], int] | None = None,
        language: str = "",
        contexts: ErrorContexts | None = None,
    ) -> None:
        self._training_count = training_count
        self._language = language
        self._contexts = contexts
        self._pairs: Counter[tuple[str, str]] = Counter()
        self._n_lines = 0
        self._n_correct_lines = 0

    def add(self, reference_lines: Iterable[str], output_lines: Iterable[str]) -> None:
        """Count some lines.

        Raises EvaluationError, which names the line, if the sides differ in lines or in words.
        """
        pairs: list[tuple[str, str]] = []
        for reference, output in zip_longest(reference_lines, output_lines):
            self._n_lines += 1
            if reference is None or output is None:
                sides = ("output", "reference")
                side, other = sides if output is None else reversed(sides)
                raise EvaluationError(
                    f"line {self._n_lines}: the {side} has ended, the {other} goes on"
                )
            gold_words = reference.split()
            words = gold_words if reference == output else output.split()
            if len(words) != len(gold_words):
                raise EvaluationError(
                    f"line {self._n_lines}: {count_of(len(gold_words), 'word')} in the reference, "
                    f"{len(words):,} in the output"
                )
            self._n_correct_lines += words == gold_words
            if self._contexts is not None and words != gold_words:
                self._contexts.add(self._n_lines, gold_words, words)
            pairs.extend(zip(gold_words, words, strict=True))
            if len(pairs) > 100_000:
                self._pairs.update(pairs)
                pairs.clear()
        self._pairs.update(pairs)

    def result(self) -> Evaluation:
        """The figures of all lines so far; raises EvaluationError if there is no word."""
        if not self._pairs:
            raise EvaluationError("there is no word to evaluate on")
        language = self._language
        n_changed = 0
        words_by_tag: Counter[str] = Counter()
        errors_by_tag: Counter[str] = Counter()
        words_by_count: Counter[int] = Counter()
        errors_by_count: Counter[int] = Counter()
        confusion = {gold: dict.fromkeys(TAGS, 0) for gold in TAGS}
        errors: list[tuple[str, str, int]] = []
        for (gold, word), n in self._pairs.items():
            gold_tag = tag(gold, language)
            words_by_tag[gold_tag] += n
            confusion[gold_tag][gold_tag if word == gold else tag(word, language)] += n
            # Bins 0, 1, 2-3, 4-7, … by the number of binary digits.
            bin_index = self._training_count(gold).bit_length() if self._training_count else 0
            words_by_count[bin_index] += n
            if word != gold:
                errors_by_tag[gold_tag] += n
                errors_by_count[bin_index] += n
                errors.append((gold, word, n))
                if fold(gold, language) != fold(word, language):
                    n_changed += n
        n_words = words_by_tag.total()
        n_gold = sum(words_by_tag[name] for name in _CASED)
        errors.sort(key=lambda error: (-error[2], error[0], error[1]))
        return Evaluation(
            n_lines=self._n_lines,
            n_correct_lines=self._n_correct_lines,
            n_words=n_words,
            n_correct=n_words - errors_by_tag.total(),
            n_proposed=sum(row[name] for row in confusion.values() for name in _CASED),
            n_gold=n_gold,
            n_hits=n_gold - sum(errors_by_tag[name] for name in _CASED),
            n_changed=n_changed,
            by_tag={name: Tally(words_by_tag[name], errors_by_tag[name]) for name in TAGS},
            confusion=confusion,
            by_training_count=_bins(words_by_count, errors_by_count)
            if self._training_count
            else None,
            common_errors=errors[:_N_COMMON_ERRORS],
        )


def _bins(words: Counter[int], errors: Counter[int]) -> list[tuple[int, int, Tally]]:
    """Make bins of training counts up to the last one with words."""
    bins: list[tuple[int, int, Tally]] = []
    for i in range(max(words, default=0) + 1):
        low, high = (0, 0) if i == 0 else (1 << (i - 1), (1 << i) - 1)
        bins.append((low, high, Tally(words[i], errors[i])))
    return bins


def evaluate_lines(
    reference_lines: Iterable[str],
    output_lines: Iterable[str],
    training_count: Callable[[str], int] | None = None,
    language: str = "",
) -> Evaluation:
    """Compare an output with its reference; parameters and errors are those of `Evaluator`."""
    evaluator = Evaluator(training_count, language)
    evaluator.add(reference_lines, output_lines)
    return evaluator.result()


class Caser(Protocol):
    """A model that can be evaluated, such as a `Truecaser`."""

    @property
    def case_block(self) -> Callable[..., bytes]:
        """Case newline-separated lines; takes `source` and `phrases` if the lines have a source."""

    def training_count(self, word: str) -> int:
        """How often a word, in any case, occurred in training."""


def evaluate_blocks(
    model: Caser,
    blocks: Iterable[bytes | AlignedLines],
    threads: int = 1,
    *,
    language: str = "",
    contexts: ErrorContexts | None = None,
    **options: Any,
) -> Evaluation:
    """Lowercase blocks of whole lines, case them again with a model, and compare.

    The model gets the source of lines that have one. `language` and `contexts` are those of
    `Evaluator`; `case_block` gets the `options`.
    """

    def case_again(block: bytes | AlignedLines) -> tuple[str, str]:
        aligned: dict[str, Any] = {}
        if isinstance(block, AlignedLines):
            aligned = {"source": block.source, "phrases": block.phrases}
            block = block.target
        reference = _decode(block)
        # Lowercased although the model drops case: the answer must not leak into it.
        bare = lower(reference, language).encode("utf-8", "surrogateescape")
        return reference, _decode(model.case_block(bare, **aligned, **options))

    evaluator = Evaluator(model.training_count, language, contexts)
    for reference, output in ordered_map(case_again, blocks, threads, eager=True):
        evaluator.add(split_lines(reference), split_lines(output))
    return evaluator.result()


def _decode(block: bytes) -> str:
    return block.decode("utf-8", "surrogateescape")
