"""From texts to word ids, and to an ARPA file."""

from __future__ import annotations

import threading
import warnings
from collections.abc import Iterable, Sequence
from dataclasses import replace

import numpy as np

from truecase.base.progress import Progress
from truecase.base.read import read_blocks
from truecase.base.spool import UInt32s
from truecase.base.threads import ordered_map
from truecase.errors import SkippedWordsWarning
from truecase.ngram._words import Interner
from truecase.ngram.arpa import write_arpa
from truecase.ngram.counting import StreamNgrams
from truecase.ngram.kneser_ney import DEFAULTS, KneserNeyOptions, estimate_kneser_ney
from truecase.ngram.vocabulary import FIRST_WORD, IdStream, Vocabulary
from truecase.options import StrPath

# With less, merging the many short sorted runs takes too long.
LEAST_MEMORY = 128 << 20

# Memory of the interpreter, NumPy and this package by themselves.
PYTHON_BYTES = 48 << 20


def intern_blocks(
    blocks: Iterable[bytes], segmentation: str, language: str, stream: IdStream, threads: int
) -> Vocabulary:
    """Read a corpus, in blocks of whole lines, into a stream of word ids; return its vocabulary.

    Ids are given in the order in which words first occur, for any number of threads: each thread
    gives the words of its blocks ids of its own, and the words that are new to the thread get their
    ids in the corpus after those of all blocks before.
    """
    whole = Interner(segmentation, language, stream)
    here = threading.local()

    def read(block: bytes) -> tuple[UInt32s, int, Vocabulary, list[UInt32s]]:
        if not hasattr(here, "interner"):
            here.interner = Interner(segmentation, language)
            here.in_corpus = [np.arange(FIRST_WORD, dtype=np.uint32)]
        n_known = len(here.interner)
        ids, n_lines = here.interner.ids(block)
        return ids, n_lines, here.interner.vocabulary(n_known), here.in_corpus

    # The one item of `in_corpus` has the thread's ids in the corpus; only this loop changes it.
    for ids, n_lines, new, in_corpus in ordered_map(read, blocks, threads):
        in_corpus[0] = np.concatenate([in_corpus[0], whole.add_words(new)[FIRST_WORD:]])
        stream.append(in_corpus[0][ids], n_lines)
    return whole.vocabulary()


def read_corpus(
    paths: Sequence[StrPath],
    segmentation: str = "space",
    language: str = "",
    memory: int | None = None,
    progress: Progress | None = None,
    encoding: str | None = None,
) -> Interner:
    """Read text files into an `Interner`, whose stream is on disk if `memory` is given.

    Paths and encoding are as for `read_blocks`, segmentation and language as for `Interner`.
    """
    interner = Interner(segmentation, language, IdStream(on_disk=memory is not None))
    stream, progress = interner.stream, progress or Progress(enabled=False)
    ahead = memory is None
    for block in read_blocks(paths, ahead=ahead, progress=progress, encoding=encoding):
        before = stream.n_words
        interner.add_block(block)
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
        As for `read_blocks`.
    progress : Progress, optional
    """
    memory, progress = options.memory, progress or Progress(enabled=False)
    if memory is not None and memory < LEAST_MEMORY:
        raise ValueError(f"memory limit of {memory} bytes: at least {LEAST_MEMORY} are needed")
    interner = read_corpus(paths, segmentation, language, memory, progress, encoding)
    vocabulary, stream = interner.vocabulary(), interner.stream
    del interner
    if memory is not None:
        options = replace(options, memory=memory - vocabulary.nbytes() - PYTHON_BYTES)
    result = estimate_kneser_ney(StreamNgrams(stream), len(vocabulary), options, progress.phase)
    progress.phase("writing")
    write_arpa(out, vocabulary, result)
    for columns in result.orders:
        columns.close()
