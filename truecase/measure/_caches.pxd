"""Which look-ups a processor's caches answer: two levels of sets of lines, oldest out first.

Lines are numbered by their address. Each line that the second level has to fetch is one from the
third, each that the third level lacks one from memory.
"""

from libc.stdint cimport int64_t, uint8_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memmove


cdef enum:
    LINE_SHIFT = 6               # lines of 64 bytes


cdef struct Cache:
    uint64_t* lines              # of each set the last ones used, newest first; 0: none
    uint64_t n_sets
    int n_ways


cdef struct Reads:               # of one table
    const uint8_t* data
    uint64_t size
    uint8_t* seen                # of each of its lines, whether it was read
    int64_t look_ups
    int64_t lines                # that were asked for, each time
    int64_t distinct
    int64_t from_third           # lines that the second level had not
    int64_t from_memory          # lines that no level had


cdef inline bint make_cache(Cache* cache, int64_t size, int n_ways) noexcept nogil:
    """An empty cache; False: no memory left."""
    cache.n_ways = n_ways
    cache.n_sets = max(<uint64_t>size // (<uint64_t>n_ways << LINE_SHIFT), <uint64_t>1)
    cache.lines = <uint64_t*>calloc(cache.n_sets * n_ways, sizeof(uint64_t))
    return cache.lines != NULL


cdef inline void free_cache(Cache* cache) noexcept nogil:
    free(cache.lines)
    cache.lines = NULL


cdef inline bint has_line(Cache* cache, uint64_t line) noexcept nogil:
    """Whether a line is there; afterwards it is, the newest of its set."""
    cdef uint64_t* lines = cache.lines + (line % cache.n_sets) * cache.n_ways
    cdef int way = 0
    cdef bint found
    while way + 1 < cache.n_ways and lines[way] != line:
        way += 1
    found = lines[way] == line
    memmove(lines + 1, lines, way * sizeof(uint64_t))
    lines[0] = line
    return found


cdef inline void read_bytes(Cache* second, Cache* third, Reads* reads, const uint8_t* start,
                            uint64_t n) noexcept nogil:
    """One look-up, which reads n bytes."""
    cdef uint64_t line = <uint64_t>start >> LINE_SHIFT
    cdef uint64_t last = <uint64_t>(start + n - 1) >> LINE_SHIFT
    cdef uint64_t first = <uint64_t>reads.data >> LINE_SHIFT
    reads.look_ups += 1
    while line <= last:
        reads.lines += 1
        if not has_line(second, line):
            reads.from_third += 1
            if not has_line(third, line):
                reads.from_memory += 1
        if reads.seen != NULL and not reads.seen[line - first]:
            reads.seen[line - first] = True
            reads.distinct += 1
        line += 1
