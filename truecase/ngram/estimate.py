"""From text files to an ARPA file."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from truecase.base.progress import Progress
from truecase.base.read import iter_blocks, read_blocks
from truecase.base.threads import ordered_map
from truecase.errors import SkippedWordsWarning
from truecase.ngram._intern import Interner
from truecase.ngram.arpa import ArpaWriter, open_arpa_writer
from truecase.ngram.counting import StreamNgrams
from truecase.ngram.kneser_ney import (
    DEFAULTS,
    Discounts,
    KneserNey,
    KneserNeyOptions,
    Part,
    check_thresholds,
    default_threads,
    estimate_kneser_ney,
)
from truecase.ngram.model import MAX_ORDER
from truecase.ngram.vocabulary import IdStream
from truecase.options import StrPath

# With less, merging the many short sorted runs takes too long.
LEAST_MEMORY = 128 << 20

# Memory of the interpreter, NumPy and this package by themselves.
PYTHON_BYTES = 48 << 20


@dataclass(frozen=True)
class EstimationReport:
    """Figures of a model that `estimate_arpa` has written; the lists are by order."""

    n_words: int
    n_lines: int
    vocabulary_size: int
    n_ngrams: list[int]
    discounts: list[Discounts]


def _format(
    result: KneserNey, writer: ArpaWriter, part: Part
) -> tuple[int, list[npt.NDArray[np.uint8]]]:
    block = result.finish(part)
    lines = list(writer.format(block.words, block.log10_prob, block.log10_backoff))
    return len(block.words), lines


def read_corpus(
    paths: Sequence[StrPath],
    segmentation: str = "space",
    language: str = "",
    memory: int | None = None,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Interner:
    """Read text files into an `Interner`, whose stream is on disk if `memory` is given.

    Paths and encoding are as for `iter_blocks`, segmentation and language as for `Interner`.
    """
    interner = Interner(segmentation, language, IdStream(on_disk=memory is not None))
    stream = interner.stream
    blocks = iter_blocks if memory is not None else read_blocks
    for block in blocks(paths, progress=progress, encoding=encoding):
        before = stream.n_words
        interner.add_block(block)
        if progress is not None:
            progress.add_words(stream.n_words - before)
    if interner.n_skipped:
        warnings.warn(
            f"{interner.n_skipped} words of the corpus that read <unk>, <s> or </s> are skipped",
            SkippedWordsWarning,
            stacklevel=2,
        )
    return interner


def estimate_arpa(
    paths: Sequence[StrPath],
    out: StrPath,
    options: KneserNeyOptions = DEFAULTS,
    *,
    segmentation: str = "space",
    language: str = "",
    encoding: str | None = None,
    progress: Progress | None = None,
) -> EstimationReport:
    """Estimate an interpolated modified Kneser-Ney model of texts and write it as ARPA file.

    Parameters
    ----------
    paths : sequence of paths
        Texts, one sentence a line, compressed or not; ``-`` is standard input.
    out : path
        The ARPA file, in UTF-8, compressed if its name ends in .gz, .xz, .bz2 or .zst.
    options : KneserNeyOptions
        Its `memory` includes the interpreter and the vocabulary, which is in memory whatever
        the limit: up to 200 bytes a word while texts are read, then 50. Without a limit the peak is
        about 28 bytes a word of the corpus for orders up to 3, 90 for order 5.
    segmentation : {"space", "raw"}
    language : str
        ``tr`` and ``az`` have their own lowercase of I.
    encoding : str, optional
        As for `iter_blocks`.
    progress : Progress, optional

    Returns
    -------
    EstimationReport
    """
    order, memory, threads = options.order, options.memory, options.threads or default_threads()
    if not 1 <= order <= MAX_ORDER:
        raise ValueError(f"order {order}: expected 1 … {MAX_ORDER}")
    check_thresholds(options.prune, order)
    if memory is not None and memory < LEAST_MEMORY:
        raise ValueError(f"memory limit of {memory} bytes: at least {LEAST_MEMORY} are needed")
    interner = read_corpus(paths, segmentation, language, memory, progress, encoding)
    vocabulary, stream = interner.vocabulary(), interner.stream
    del interner
    n_words, n_lines = len(stream) - stream.n_lines, stream.n_lines
    if memory is not None:
        options = replace(options, memory=memory - vocabulary.nbytes() - PYTHON_BYTES)
    result = estimate_kneser_ney(
        StreamNgrams(stream, release=True),
        len(vocabulary),
        options,
        progress.phase if progress is not None else None,
    )
    if progress is not None:
        progress.phase("writing")
    with open_arpa_writer(out, vocabulary, result.n_ngrams) as writer:
        for k in range(1, order + 1):
            format_part = partial(_format, result, writer)
            for n_ngrams, lines in ordered_map(format_part, result.parts(k), threads):
                writer.write_lines(k, n_ngrams, lines)
    result.close()
    return EstimationReport(n_words, n_lines, len(vocabulary), result.n_ngrams, result.discounts)
