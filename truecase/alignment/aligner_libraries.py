"""The libraries that align words: what they are given, and the links of both directions.

Both sample IBM model 1, an HMM and fertilities, as Östling & Tiedemann (2016). eflomal is the
faster one and needs a C compiler to be installed; sil-thot comes as wheels for all systems, and the
same seed gives the same links. Measured in bench/experiments/word_aligners.py.
"""

from __future__ import annotations

import importlib
import io
import os
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from truecase.alignment._tokens import split_tokens
from truecase.alignment.pharaoh import format_pharaoh, parse_pharaoh
from truecase.alignment.phrases import Phrases, running_sum
from truecase.base.atomic import scratch_folder
from truecase.errors import AlignerError
from truecase.text._words import count_words

# White space to Python, but not where words of an alignment are split.
_OTHER_SPACE = re.compile(r"[^\S\t\n\v\f\r ]")


class Report(Protocol):
    """Told what is being done, and, where that is known, how much of it is done."""

    def __call__(self, label: str, share: float | None = None, /) -> None:
        """Show it."""


@dataclass
class TokenSide:
    """One side of a bitext as tokens, a block of lines at a time."""

    segmentation: str
    language: str
    text: list[bytes] = field(default_factory=list)
    words: list[npt.NDArray[np.int32]] = field(default_factory=list)
    tokens_per_line: list[npt.NDArray[np.int32]] = field(default_factory=list)
    words_per_line: list[npt.NDArray[np.int32]] = field(default_factory=list)

    def add(self, block: bytes) -> None:
        """Add lines."""
        tokens, offsets, words = split_tokens(block, self.segmentation, self.language)
        self.text.append(tokens)
        self.words.append(words)
        self.tokens_per_line.append(np.diff(offsets).astype(np.int32))
        self.words_per_line.append(count_words(block))

    @property
    def n_tokens(self) -> npt.NDArray[np.int32]:
        """Tokens of each line."""
        return joined(self.tokens_per_line)

    def lines(self) -> Iterator[str]:
        """Each line as lowercased tokens between spaces."""
        for block in self.text:
            text = block.decode("utf-8", "surrogateescape").lower()
            yield from _OTHER_SPACE.sub("_", text).split("\n")[:-1]


def joined(parts: list[npt.NDArray[np.int32]]) -> npt.NDArray[np.int32]:
    """Arrays one after the other."""
    return np.concatenate([np.zeros(0, np.int32), *parts])


def import_library(names: Sequence[str] = ("eflomal", "sil-thot")) -> tuple[str, Any]:
    """The first library that is installed: its name, and its module.

    Raises
    ------
    AlignerError
        There is none; the message says how to get one.
    """
    for name in names:
        try:
            return name, importlib.import_module(_MODULES[name])
        except ModuleNotFoundError:
            pass
    what = _NEEDS.get(tuple(names), "word alignment")
    raise AlignerError(f"{what} needs {' or '.join(names)}: pip install 'truecase-crf[align]'")


_NEEDS: dict[tuple[str, ...], str] = {
    ("sil-thot",): "word alignment with a seed",
    ("eflomal",): "a saved aligner",
}
_MODULES = {"eflomal": "eflomal", "sil-thot": "thot.alignment"}


def align_with_eflomal(
    library: Any,
    source: TokenSide,
    target: TokenSide,
    sweeps: tuple[int, int, int] | None,
    report: Report,
    priors: str | None = None,
) -> tuple[Phrases, Phrases]:
    """Links of both directions by eflomal, which draws other random numbers each time.

    With `priors` other text's counts stand beside those of this one.
    """
    report("aligning both ways")
    with scratch_folder() as folder:
        paths = [os.path.join(folder, name) for name in ("forward", "reverse")]
        known = {} if priors is None else {"priors_input": priors.split("\n")[:-1]}
        library.Aligner(n_iterations=sweeps).align(
            source.lines(),
            target.lines(),
            links_filename_fwd=paths[0],
            links_filename_rev=paths[1],
            **known,
        )
        report("reading links")
        return _read_links(paths[0], source, target), _read_links(paths[1], source, target)


def priors_of(
    library: Any, source: TokenSide, target: TokenSide, forward: Phrases, reverse: Phrases
) -> str:
    """Counts of the links of both directions, as lines that eflomal reads."""
    counted = library.calculate_priors(
        source.lines(),
        target.lines(),
        format_pharaoh(forward).decode("ascii").split("\n"),
        format_pharaoh(reverse).decode("ascii").split("\n"),
    )
    lines = io.StringIO()
    library.write_priors(lines, *counted)
    return lines.getvalue()


def _read_links(path: str, source: TokenSide, target: TokenSide) -> Phrases:
    try:
        with open(path, "rb") as file:
            return parse_pharaoh(file.read(), source.n_tokens, target.n_tokens, name="eflomal")
    except (OSError, ValueError) as error:
        raise AlignerError(f"eflomal has failed: {error}") from None


def align_with_thot(
    library: Any,
    source: TokenSide,
    target: TokenSide,
    sweeps: tuple[int, int, int] | None,
    seed: int,
    report: Report,
) -> tuple[Phrases, Phrases]:
    """Links of both directions by sil-thot, the same for the same seed."""
    lines = running_sum(target.n_tokens)
    forward = _thot_direction(library, source, target, sweeps, seed, "forwards", report)
    reverse = _thot_direction(library, target, source, sweeps, seed, "backwards", report)
    unaligned = np.zeros(len(lines) - 1, np.uint8)
    return (
        Phrases(lines, running_sum(forward > 0), forward[forward > 0] - 1, unaligned),
        _turned(reverse, source.n_tokens, lines),
    )


def _thot_direction(
    library: Any,
    source: TokenSide,
    target: TokenSide,
    sweeps: tuple[int, int, int] | None,
    seed: int,
    direction: str,
    report: Report,
) -> npt.NDArray[np.int32]:
    """For each target token its source token, from 1, or 0."""
    model = library.EflomalAlignmentModel()
    model.seed = seed
    model.deterministic = True
    model.emit_training_alignments = True
    if sweeps is not None:
        model.set_iterations(*sweeps)
    for source_line, target_line in zip(source.lines(), target.lines(), strict=True):
        model.add_sentence_pair(source_line.split(), target_line.split(), 1)
    model.start_training()
    n_sweeps = sum(sweeps) if sweeps else int(model.scheduled_iterations)
    for sweep in range(n_sweeps):
        report(f"aligning {direction}", sweep / n_sweeps)
        model.train()
    model.end_training()
    n_tokens = target.n_tokens
    linked = np.zeros(int(n_tokens.sum()), np.int32)
    start = 0
    for line, n in enumerate(n_tokens.tolist()):
        found = model.get_training_alignment(line)[1].to_list()
        # Lines that are too long for it come back without an entry.
        if len(found) == n:
            linked[start : start + n] = found
        start += n
    model.clear()
    return linked


def _turned(
    linked: npt.NDArray[np.int32], n_source: npt.NDArray[np.int32], lines: npt.NDArray[np.int64]
) -> Phrases:
    """Links that tell for each source token its target token, by target tokens."""
    line = np.repeat(np.arange(len(n_source)), n_source)
    place = np.arange(len(linked)) - np.repeat(running_sum(n_source)[:-1], n_source)
    has_link = np.flatnonzero(linked > 0)
    token = lines[line[has_link]] + linked[has_link] - 1
    # Stable: the source tokens of a target token stay in their order.
    order = np.argsort(token, kind="stable")
    return Phrases(
        lines,
        running_sum(np.bincount(token, minlength=int(lines[-1]))),
        place[has_link][order].astype(np.int32),
        np.zeros(len(n_source), np.uint8),
    )
