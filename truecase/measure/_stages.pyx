"""A block of text taken as far as one stage of its way, for benchmarks.

What a stage costs is the difference between the runs that end after it and before it.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint8_t
from libc.string cimport memset

from truecase._core cimport (
    INPUT_IGNORE,
    CompiledModel,
    Walk,
    Workspace,
    begin_walk,
    find_best_path,
    free_workspace,
    next_piece,
    next_sentence,
    score,
    score_lm,
)
from truecase.runtime._status cimport STATUS_OK

__all__ = ["STAGES", "run_until"]


cdef enum Stage:
    SEGMENTATION = 0
    LATTICE = 1
    NGRAMS = 2
    FEATURES = 3
    SEARCH = 4


STAGES = ("segmentation", "lattice", "n-grams", "features", "search")


cdef int64_t walk_until(Walk* walk, int last, Workspace* work) noexcept nogil:
    """Take each sentence as far as the stage `last`; how many tokens there were."""
    cdef int64_t n_tokens = 0
    cdef bint has_edges = walk.model.lm.order > 1
    while next_piece(walk, work):
        n_tokens += work.tokens.n
        if last == SEGMENTATION:
            continue
        while next_sentence(walk, work):
            if last == NGRAMS and has_edges:
                walk.status = score_lm(walk, work)
            elif last > NGRAMS:
                walk.status = score(walk, True, work)
            if last == SEARCH and walk.status == STATUS_OK:
                walk.status = find_best_path(walk, work)
    return n_tokens


cdef class _Memory:
    """Owner of a workspace."""

    cdef Workspace work

    def __cinit__(self):
        memset(&self.work, 0, sizeof(Workspace))

    def __dealloc__(self):
        free_workspace(&self.work)


def run_until(CompiledModel model not None, const uint8_t[::1] block not None, str stage not None):
    """Take a block of text through the stages up to `stage`, that included; nothing is written.

    Parameters
    ----------
    model : CompiledModel
    block : bytes-like
        UTF-8 text, lines separated by LF.
    stage : {"segmentation", "lattice", "n-grams", "features", "search"}
        ``n-grams`` are the log-probabilities of the edges, ``features`` all other scores.

    Returns
    -------
    int
        Tokens of the block.

    Raises
    ------
    ValueError
        There is no such stage, or the block is empty.
    MemoryError
    """
    cdef Walk walk
    cdef _Memory memory = _Memory()
    cdef int last
    cdef int64_t n_tokens
    if stage not in STAGES:
        raise ValueError(f"stage {stage!r}: expected one of {', '.join(STAGES)}")
    if block.shape[0] == 0:
        raise ValueError("the block is empty")
    last = STAGES.index(stage)
    with nogil:
        begin_walk(&walk, &model.model, &block[0], <size_t>block.shape[0], NULL, INPUT_IGNORE,
                   &memory.work)
        walk.start_always = True
        n_tokens = walk_until(&walk, last, &memory.work)
    if walk.status != STATUS_OK:
        raise MemoryError(f"no memory left at line {walk.line} of the block, or it is too long")
    return n_tokens
