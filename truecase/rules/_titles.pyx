"""Lines of a block: their kind by case, junk, and a detector of titles by their form."""

from libc.math cimport sqrt
from libc.stdint cimport int64_t
from libc.stdlib cimport free, malloc
from libc.string cimport memchr, memcpy, memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, TEXT_PADDING
from truecase.kernels._segment cimport segment_line
from truecase.kernels._tokens cimport SEGMENT_RAW, SEGMENT_SPACE, free_tokens

import numpy as np
import threading

from truecase.kernels._segment import SEGMENTATIONS
from truecase.kernels.text import is_turkic


__all__ = ["BODY", "N_WEIGHTS", "TITLE", "UNCLEAR", "TitleDetector"]

BODY, TITLE, UNCLEAR = 0, 1, 2
N_WEIGHTS = N_TITLE_WEIGHTS


cdef struct Learner:
    float* weight                # N_TITLE_WEIGHTS each
    float* squares               # sum of squared gradients (Duchi et al. 2011)


cdef void learn_line(Learner* learner, const int32_t* feature, int n,
                     bint is_title) noexcept nogil:
    """One step of AdaGrad on the logistic loss of a line."""
    cdef double p = 1.0 / (1.0 + exp(-line_score(learner.weight, feature, n)))
    cdef float gradient = <float>((1.0 if is_title else 0.0) - p)
    cdef int i
    for i in range(n):
        learner.squares[feature[i]] += gradient * gradient
        learner.weight[feature[i]] += <float>(
            0.2 * gradient / (1e-3 + sqrt(learner.squares[feature[i]])))


cdef int walk_lines(const uint8_t* text, uint32_t size, int segmentation, bint turkic,
                    Learner* learner, const float* weight, uint8_t* kind,
                    uint8_t* junk) noexcept nogil:
    """Learn from each line of a padded text, or judge it by its case or its form; a Status.

    `learner`, `weight` (the detector's), `kind` and `junk` may each be NULL.
    """
    cdef TokenArray tokens
    cdef int32_t feature[MAX_LINE_FEATURES]
    cdef uint32_t begin = 0, end
    cdef int64_t line = 0
    cdef const void* newline
    cdef int status = STATUS_OK, seen, n
    memset(&tokens, 0, sizeof(TokenArray))
    while begin < size:
        newline = memchr(text + begin, 0x0a, size - begin)
        end = size if newline == NULL else <uint32_t>(<const uint8_t*>newline - text)
        status = segment_line(text, begin, end, segmentation, turkic, &tokens)
        if status != STATUS_OK:
            break
        if weight != NULL:
            n = line_features(&tokens, feature)
            kind[line] = n > 0 and line_score(weight, feature, n) > 0
        else:
            seen = line_kind(&tokens)
            if kind != NULL:
                kind[line] = <uint8_t>seen
            if learner != NULL and tokens.n > 0 and seen != LINE_UNCLEAR:
                n = line_features(&tokens, feature)
                learn_line(learner, feature, n, seen == LINE_TITLE)
        if junk != NULL:
            junk[line] = is_mostly_upper(&tokens)
        line += 1
        begin = end + 1
    free_tokens(&tokens)
    return status


cdef object count_lines(bytes block):
    return block.count(b"\n") + (len(block) > 0 and not block.endswith(b"\n"))


cdef class TitleDetector:
    """Tells titles from body text by the form of a line: its words, length, marks, ending.

    It ignores case, so that it can judge lowercased lines. It learns from lines whose case leaves
    no doubt (Agbago, Kuhn & Foster 2005, section 4, had rules for one corpus). `segmentation` and
    `language` are those of `truecase.rules.smartcase.capitalize`; `weights`, of a detector that
    has learned, are a float32 ndarray of shape (32768,); ValueError: another shape, or not finite.
    """

    cdef object _weights         # float32 ndarray that is exchanged, never changed
    cdef object _lock            # of that exchange
    cdef object _squares
    cdef object _learning        # one thread learns at a time
    cdef int segmentation
    cdef bint turkic

    def __cinit__(self, str segmentation="raw", str language="", weights=None):
        if segmentation not in SEGMENTATIONS:
            raise ValueError(f"segmentation {segmentation!r}: expected 'space' or 'raw'")
        self.segmentation = SEGMENT_RAW if segmentation == "raw" else SEGMENT_SPACE
        self.turkic = is_turkic(language)
        self._lock = threading.Lock()
        self._learning = threading.Lock()
        own = np.zeros(N_TITLE_WEIGHTS, np.float32)
        if weights is not None:
            if np.shape(weights) != own.shape or not np.isfinite(weights).all():
                raise ValueError(f"a title detector has {N_TITLE_WEIGHTS} finite weights")
            own[:] = weights
        self._weights = own
        self._squares = np.zeros(N_TITLE_WEIGHTS, np.float32)

    @property
    def weights(self):
        with self._lock:
            return np.array(self._weights)

    cdef int _walk(self, bytes block, Learner* learner, const float* weight,
                   uint8_t[::1] kind, uint8_t[::1] junk) except -1:
        cdef size_t n = len(block)
        cdef const uint8_t* data = block
        cdef uint8_t* kinds = NULL
        cdef uint8_t* junks = NULL
        cdef uint8_t* text
        cdef int status = STATUS_OUT_OF_MEMORY
        if n > <size_t>0x7fffff00:
            raise ValueError("a block of 2 GiB or more: hand over fewer lines at a time")
        if kind is not None and kind.shape[0]:
            kinds = &kind[0]
        if junk is not None and junk.shape[0]:
            junks = &junk[0]
        with nogil:
            text = <uint8_t*>malloc(n + TEXT_PADDING)
            if text != NULL:
                memcpy(text, data, n)
                memset(text + n, 0x0a, TEXT_PADDING)
                status = walk_lines(text, <uint32_t>n, self.segmentation, self.turkic, learner,
                                    weight, kinds, junks)
            free(text)
        if status != STATUS_OK:
            raise MemoryError("out of memory while looking at lines")
        return 0

    def learn(self, bytes block not None):
        """Learn from the lines of naturally cased text whose kind is clear."""
        cdef Learner learner
        cdef float[::1] weight, squares
        with self._learning:
            # Other threads may still use the old weights.
            learnt = self.weights
            weight, squares = learnt, self._squares
            learner.weight, learner.squares = &weight[0], &squares[0]
            self._walk(block, &learner, NULL, None, None)
            with self._lock:
                self._weights = learnt

    def detect(self, bytes block not None):
        """Find lines with the form of a title: a uint8 ndarray, one entry per line."""
        cdef const float[::1] weight
        with self._lock:
            weight = self._weights
        kinds = np.zeros(count_lines(block), np.uint8)
        self._walk(block, NULL, &weight[0], kinds, None)
        return kinds

    def look(self, bytes block not None):
        """Judge naturally cased lines by their case alone.

        Returns
        -------
        kind : uint8 ndarray, shape (n_lines,)
            ``BODY``, ``TITLE`` or ``UNCLEAR``.
        junk : bool ndarray, shape (n_lines,)
            Whether a line is mostly upper case.
        """
        kinds = np.zeros(count_lines(block), np.uint8)
        junk = np.zeros(len(kinds), np.uint8)
        self._walk(block, NULL, NULL, kinds, junk)
        return kinds, junk.astype(np.bool_)
