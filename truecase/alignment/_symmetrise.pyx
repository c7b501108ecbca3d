"""Joins alignments of both directions: grow-diag-final-and (Koehn, Och & Marcu 2003)."""

from libc.stdint cimport int32_t, int64_t, uint8_t
from libc.stdlib cimport free, malloc
from libc.string cimport memset

from truecase.base._check cimport check
from truecase.base._memory cimport STATUS_INVALID, STATUS_OK

import numpy as np


__all__ = ["grow_diag_final_and"]


cdef enum:
    IN_FORWARD = 1
    IN_REVERSE = 2
    IN_BOTH = 3
    CHOSEN = 4


cdef struct Direction:           # as in `Phrases`: source words of each target word of the block
    const int64_t* offsets
    const int32_t* source


cdef struct Block:               # lines with the links of both directions
    Direction forward
    Direction reverse
    const int64_t* line_offsets
    const int32_t* n_source
    int64_t n_lines


cdef struct Line:                # the links of a line, of either direction, by target word
    int64_t* row                 # first link of each target word, and the end
    int32_t* source
    int32_t* target
    uint8_t* flags
    int64_t* queue
    uint8_t* has_source          # whether a chosen link has the source word
    uint8_t* has_target
    int64_t n_links
    int64_t n_queued
    int64_t n_target
    int32_t n_source


cdef int unite(const Direction* forward, const Direction* reverse, int64_t first_word,
               Line* line) noexcept nogil:
    """Collect all links of a line with their directions; a Status."""
    cdef int64_t word, i, k, i_end, k_end, n = 0
    cdef int32_t source
    cdef uint8_t flags
    for word in range(line.n_target):
        line.row[word] = n
        i = forward.offsets[first_word + word]
        i_end = forward.offsets[first_word + word + 1]
        k = reverse.offsets[first_word + word]
        k_end = reverse.offsets[first_word + word + 1]
        while i < i_end or k < k_end:
            if k == k_end or (i < i_end and forward.source[i] <= reverse.source[k]):
                source = forward.source[i]
                flags = IN_FORWARD
                i += 1
                if k < k_end and reverse.source[k] == source:
                    flags = IN_BOTH
                    k += 1
            else:
                source = reverse.source[k]
                flags = IN_REVERSE
                k += 1
            if source < 0 or source >= line.n_source:
                return STATUS_INVALID
            line.source[n] = source
            line.target[n] = <int32_t>word
            line.flags[n] = flags
            n += 1
    line.row[line.n_target] = n
    line.n_links = n
    return STATUS_OK


cdef inline int64_t find_link(const Line* line, int32_t source, int64_t target) noexcept nogil:
    """Index of a link; -1 if neither direction has it."""
    cdef int64_t low, high, middle
    if target < 0 or target >= line.n_target:
        return -1
    low = line.row[target]
    high = line.row[target + 1]
    while low < high:
        middle = (low + high) // 2
        if line.source[middle] < source:
            low = middle + 1
        else:
            high = middle
    return low if low < line.row[target + 1] and line.source[low] == source else -1


cdef inline void choose(Line* line, int64_t link) noexcept nogil:
    line.flags[link] |= CHOSEN
    line.has_source[line.source[link]] = 1
    line.has_target[line.target[link]] = 1
    line.queue[line.n_queued] = link
    line.n_queued += 1


cdef void grow(Line* line) noexcept nogil:
    """Choose neighbours of chosen links that have a word without a chosen link."""
    cdef int64_t head = 0, link, other
    cdef int32_t step, source, target
    # Words only gain links, so a rejected link stays rejected, and the neighbours of each chosen
    # link are visited once.
    while head < line.n_queued:
        link = line.queue[head]
        head += 1
        source = line.source[link]
        target = line.target[link]
        for step in range(8):
            if step == 0:
                other = find_link(line, source - 1, target)
            elif step == 1:
                other = find_link(line, source, <int64_t>target - 1)
            elif step == 2:
                other = find_link(line, source + 1, target)
            elif step == 3:
                other = find_link(line, source, <int64_t>target + 1)
            else:
                other = find_link(line, source + (1 if step & 2 else -1),
                                  <int64_t>target + (1 if step & 1 else -1))
            if other >= 0 and not line.flags[other] & CHOSEN and not (
                    line.has_source[line.source[other]] and line.has_target[line.target[other]]):
                choose(line, other)


cdef void add_final(Line* line, uint8_t direction) noexcept nogil:
    """Choose links of a direction if both of their words have no chosen link."""
    cdef int64_t link
    for link in range(line.n_links):
        if line.flags[link] & direction and not line.has_source[line.source[link]] and (
                not line.has_target[line.target[link]]):
            choose(line, link)


cdef int symmetrise_lines(const Block* block, Line* line, int64_t* offsets,
                          int32_t* source) noexcept nogil:
    """Symmetrise all lines of a block; a Status."""
    cdef int64_t number, first_word, word, link, n = 0
    cdef int status
    offsets[0] = 0
    for number in range(block.n_lines):
        first_word = block.line_offsets[number]
        line.n_target = block.line_offsets[number + 1] - first_word
        line.n_source = block.n_source[number]
        line.n_queued = 0
        status = unite(&block.forward, &block.reverse, first_word, line)
        if status != STATUS_OK:
            return status
        memset(line.has_source, 0, line.n_source)
        memset(line.has_target, 0, line.n_target)
        for link in range(line.n_links):
            if line.flags[link] == IN_BOTH:
                choose(line, link)
        grow(line)
        add_final(line, IN_FORWARD)
        add_final(line, IN_REVERSE)
        for word in range(line.n_target):
            for link in range(line.row[word], line.row[word + 1]):
                if line.flags[link] & CHOSEN:
                    source[n] = line.source[link]
                    n += 1
            offsets[first_word + word + 1] = n
    return STATUS_OK


def grow_diag_final_and(forward, reverse, const int32_t[::1] n_source):
    # Invariant: `Phrases` checked its offsets, and that source words rise within a target word.
    cdef const int64_t[::1] line_offsets = forward.line_offsets
    cdef const int64_t[::1] forward_offsets = forward.offsets
    cdef const int64_t[::1] reverse_offsets = reverse.offsets
    cdef const int32_t[::1] forward_source = forward.source_words
    cdef const int32_t[::1] reverse_source = reverse.source_words
    cdef int64_t n_lines = n_source.shape[0], room, target_room, source_room
    cdef int64_t[::1] offsets
    cdef int32_t[::1] source
    cdef Block block
    cdef Line line
    cdef int status
    if n_lines != line_offsets.shape[0] - 1 or not np.array_equal(
            forward.line_offsets, reverse.line_offsets):
        raise ValueError("both directions must have the same lines and target words")
    room = forward_source.shape[0] + reverse_source.shape[0] + 1
    out = (np.zeros(forward_offsets.shape[0], np.int64), np.empty(room, np.int32))
    check(forward_offsets[forward_offsets.shape[0] - 1] <= forward_source.shape[0])
    check(reverse_offsets[reverse_offsets.shape[0] - 1] <= reverse_source.shape[0])
    if n_lines == 0:
        return out[0], out[1][:0]
    source_room = int(np.max(n_source)) + 1
    target_room = int(np.max(np.diff(forward.line_offsets))) + 1
    if np.min(n_source) < 0:
        raise ValueError("numbers of source words must not be negative")
    offsets, source = out
    block.forward.offsets = &forward_offsets[0]
    block.forward.source = &forward_source[0] if forward_source.shape[0] else NULL
    block.reverse.offsets = &reverse_offsets[0]
    block.reverse.source = &reverse_source[0] if reverse_source.shape[0] else NULL
    block.line_offsets = &line_offsets[0]
    block.n_source = &n_source[0]
    block.n_lines = n_lines
    memset(&line, 0, sizeof(Line))
    line.row = <int64_t*>malloc((target_room + 1) * sizeof(int64_t))
    line.source = <int32_t*>malloc(room * sizeof(int32_t))
    line.target = <int32_t*>malloc(room * sizeof(int32_t))
    line.flags = <uint8_t*>malloc(room)
    line.queue = <int64_t*>malloc(room * sizeof(int64_t))
    line.has_source = <uint8_t*>malloc(source_room)
    line.has_target = <uint8_t*>malloc(target_room)
    try:
        if (line.row == NULL or line.source == NULL or line.target == NULL or line.flags == NULL
                or line.queue == NULL or line.has_source == NULL or line.has_target == NULL):
            raise MemoryError
        with nogil:
            status = symmetrise_lines(&block, &line, &offsets[0], &source[0])
    finally:
        free(line.row)
        free(line.source)
        free(line.target)
        free(line.flags)
        free(line.queue)
        free(line.has_source)
        free(line.has_target)
    if status != STATUS_OK:
        raise ValueError("a link leads beyond its source line")
    return out[0], out[1][:offsets[offsets.shape[0] - 1]].copy()
