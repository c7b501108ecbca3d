"""Word alignment of a bitext by eflomal, as sil-thot has it, in both directions.

Östling & Tiedemann (2016): Gibbs sampling through IBM model 1, an HMM and fertilities. The two
directions are joined by grow-diag-final-and. Not a part of truecasing itself: any aligner that
writes Pharaoh form will do as well.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from truecase.bilingual._symmetrise import grow_diag_final_and
from truecase.bilingual._tokens import split_tokens
from truecase.bilingual._words import count_words
from truecase.bilingual.parallel import ParallelBlock
from truecase.bilingual.phrases import Phrases

if TYPE_CHECKING:
    from types import ModuleType

EXTRA = "truecase[align]"

# White space to Python, but not where words of an alignment are split.
_OTHER_SPACE = re.compile(r"[^\S\t\n\v\f\r ]")


class AlignerMissing(ValueError):
    """The library that aligns is not installed."""


@dataclass(frozen=True)
class AlignerOptions:
    """How a bitext is aligned.

    Attributes
    ----------
    segmentation : {"raw", "space"}
        How lines are cut into the tokens that are aligned; the links of tokens are then those of
        their words. ``space`` for text that has been tokenised.
    source_language, target_language : str
        For segmentation.
    seed : int
        The same seed gives the same alignment.
    sweeps : tuple of int, optional
        Sampling sweeps of the three models; by default fewer for larger texts.
    """

    segmentation: str = "raw"
    source_language: str = ""
    target_language: str = ""
    seed: int = 1
    sweeps: tuple[int, int, int] | None = None


@dataclass
class _Side:
    """One side of a bitext as tokens, a block of lines at a time."""

    language: str
    segmentation: str
    text: list[bytes]
    words: list[npt.NDArray[np.int32]]
    n_tokens: list[npt.NDArray[np.int32]]
    n_words: list[npt.NDArray[np.int32]]

    def add(self, block: bytes) -> None:
        tokens, offsets, words = split_tokens(block, self.segmentation, self.language)
        self.text.append(tokens)
        self.words.append(words)
        self.n_tokens.append(np.diff(offsets).astype(np.int32))
        self.n_words.append(count_words(block))

    def lines(self) -> Iterable[list[str]]:
        """Lowercased tokens of each line; no string is kept."""
        for block in self.text:
            text = block.decode("utf-8", "surrogateescape").lower()
            for line in _OTHER_SPACE.sub("_", text).split("\n")[:-1]:
                yield line.split()


def import_aligner() -> ModuleType:
    """The library's module, or `AlignerMissing`."""
    try:
        import thot.alignment
    except ImportError:
        raise AlignerMissing(
            f"word alignment needs the package sil-thot: pip install '{EXTRA}'"
        ) from None
    return thot.alignment  # type: ignore[no-any-return,unused-ignore]


def align_bitext(
    blocks: Iterable[ParallelBlock],
    options: AlignerOptions | None = None,
    report: Callable[[str], None] = lambda message: None,
) -> Phrases:
    """Align the words of a bitext, all of which is held in memory.

    Parameters
    ----------
    blocks : iterable of ParallelBlock
    options : AlignerOptions, optional
    report : callable
        Told what is being done.

    Returns
    -------
    Phrases
        Links of all lines. Lines with an empty side, or with more than 1,024 tokens, have none.

    Raises
    ------
    AlignerMissing
        The library is not installed; the message says how to get it.
    """
    options = options or AlignerOptions()
    aligner = import_aligner()
    source = _Side(options.source_language, options.segmentation, [], [], [], [])
    target = _Side(options.target_language, options.segmentation, [], [], [], [])
    report("reading")
    for block in blocks:
        source.add(block.source)
        target.add(block.target)
    n_source, n_target = _joined(source.n_tokens), _joined(target.n_tokens)
    forward = _align(aligner, source, target, options, "forwards", report)
    reverse = _align(aligner, target, source, options, "backwards", report)
    report("joining both directions")
    lines = _running_sum(n_target)
    # Lines as phrases know them: entries by target token, of the one source token or of many.
    from_forward = _one_link_each(forward, lines)
    from_reverse = _turned(reverse, n_source, n_target)
    offsets, linked = grow_diag_final_and(from_forward, from_reverse, n_source)
    whole = np.zeros(len(n_target), np.uint8)
    tokens = Phrases(lines, offsets, linked, whole)
    return _of_words(
        tokens, n_source, _joined(source.words), _joined(target.words), _joined(target.n_words)
    )


def _align(
    aligner: ModuleType,
    source: _Side,
    target: _Side,
    options: AlignerOptions,
    direction: str,
    report: Callable[[str], None],
) -> npt.NDArray[np.int32]:
    """For each target token its source token, from 1, or 0: one direction."""
    model: Any = aligner.EflomalAlignmentModel()
    model.seed = options.seed
    model.deterministic = True
    model.emit_training_alignments = True
    if options.sweeps is not None:
        model.set_iterations(*options.sweeps)
    for source_line, target_line in zip(source.lines(), target.lines(), strict=True):
        model.add_sentence_pair(source_line, target_line, 1)
    n_tokens = _joined(target.n_tokens)
    linked = np.zeros(int(n_tokens.sum()), np.int32)
    if not len(linked) or not any(n.any() for n in source.n_tokens):
        return linked
    model.start_training()
    n_sweeps = sum(options.sweeps) if options.sweeps else int(model.scheduled_iterations)
    for sweep in range(n_sweeps):
        report(f"aligning {direction}, {sweep + 1} of {n_sweeps}")
        model.train()
    model.end_training()
    start = 0
    for line, n in enumerate(n_tokens.tolist()):
        found = model.get_training_alignment(line)[1].to_list()
        # Lines that the model has passed over come back without an entry.
        if len(found) == n:
            linked[start : start + n] = found
        start += n
    model.clear()
    return linked


def _one_link_each(linked: npt.NDArray[np.int32], lines: npt.NDArray[np.int64]) -> Phrases:
    return Phrases(
        lines, _running_sum(linked > 0), linked[linked > 0] - 1, np.zeros(len(lines) - 1, np.uint8)
    )


def _turned(
    linked: npt.NDArray[np.int32],
    n_source: npt.NDArray[np.int32],
    n_target: npt.NDArray[np.int32],
) -> Phrases:
    """Links of the other direction, which tell for each source token its target token."""
    lines = _running_sum(n_target)
    line = np.repeat(np.arange(len(n_source)), n_source)
    place = np.arange(len(linked)) - np.repeat(_running_sum(n_source)[:-1], n_source)
    has_link = np.flatnonzero(linked > 0)
    word = lines[line[has_link]] + linked[has_link] - 1
    # Stable: the source tokens of a target token stay in their order.
    order = np.argsort(word, kind="stable")
    counts = np.bincount(word, minlength=int(lines[-1]))
    return Phrases(
        lines,
        _running_sum(counts),
        place[has_link][order].astype(np.int32),
        np.zeros(len(n_source), np.uint8),
    )


def _of_words(
    tokens: Phrases,
    n_source: npt.NDArray[np.int32],
    source_words: npt.NDArray[np.int32],
    target_words: npt.NDArray[np.int32],
    n_target: npt.NDArray[np.int32],
) -> Phrases:
    """Links of words, given those of their tokens."""
    lines = _running_sum(n_target)
    line_of_token = np.repeat(np.arange(tokens.n_lines), tokens.words_per_line)
    target = np.repeat(lines[line_of_token] + target_words, np.diff(tokens.offsets))
    first_source = np.repeat(_running_sum(n_source)[line_of_token], np.diff(tokens.offsets))
    source = source_words[first_source + tokens.source]
    links = np.unique(target.astype(np.int64) << 32 | source.astype(np.int64))
    counts = np.bincount(links >> 32, minlength=int(lines[-1]))
    return Phrases(
        lines,
        _running_sum(counts),
        (links & 0xFFFFFFFF).astype(np.int32),
        np.zeros(len(n_target), np.uint8),
    )


def _running_sum(counts: npt.NDArray[Any]) -> npt.NDArray[np.int64]:
    return np.concatenate([np.zeros(1, np.int64), np.cumsum(counts, dtype=np.int64)])


def _joined(parts: list[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    return np.concatenate([np.zeros(0, np.int32), *parts])
