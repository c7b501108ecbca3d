"""From text files to an ARPA file."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from truecase.base.progress import Progress
from truecase.ngram.arpa import open_arpa_writer
from truecase.ngram.corpus import read_corpus
from truecase.ngram.counting import StreamNgrams
from truecase.ngram.kneser_ney import (
    DEFAULTS,
    Block,
    KneserNeyOptions,
    check_thresholds,
    estimate_kneser_ney,
)
from truecase.ngram.table import MAX_ORDER
from truecase.options import StrPath

# With less, merging the many short sorted runs takes too long.
LEAST_MEMORY = 128 << 20

# Memory of the interpreter, NumPy and this package by themselves.
PYTHON_BYTES = 48 << 20


def estimate_arpa(
    paths: Sequence[StrPath],
    out: StrPath,
    options: KneserNeyOptions = DEFAULTS,
    *,
    segmentation: str = "space",
    language: str = "",
    encoding: str | None = None,
    progress: Progress | None = None,
) -> None:
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
    """
    order, memory = options.order, options.memory
    if not 1 <= order <= MAX_ORDER:
        raise ValueError(f"order {order}: expected 1 … {MAX_ORDER}")
    check_thresholds(options.prune, order)
    if memory is not None and memory < LEAST_MEMORY:
        raise ValueError(f"memory limit of {memory} bytes: at least {LEAST_MEMORY} are needed")
    interner = read_corpus(paths, segmentation, language, memory, progress, encoding)
    vocabulary, stream = interner.vocabulary(), interner.stream
    del interner
    if memory is not None:
        options = replace(options, memory=memory - vocabulary.nbytes() - PYTHON_BYTES)
    phase = progress.phase if progress is not None else None
    source = StreamNgrams(stream, release=True)
    result = estimate_kneser_ney(source, len(vocabulary), options, phase)
    if progress is not None:
        progress.phase("writing")
    with open_arpa_writer(out, vocabulary, result.n_ngrams) as writer:

        def format_block(block: Block) -> tuple[int, list[npt.NDArray[np.uint8]]]:
            lines = writer.format(block.words, block.log10_prob, block.log10_backoff)
            return len(block.words), list(lines)

        for k in range(1, order + 1):
            for n_ngrams, lines in result.blocks(k, format_block):
                writer.write_lines(k, n_ngrams, lines)
    for columns in result.orders:
        columns.close()
