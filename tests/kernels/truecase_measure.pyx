"""For benchmarks: look-ups in a model's tables, stages of decoding, and limits of the machine."""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, int64_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport calloc, free
from libc.string cimport memmove, memset

from truecase._core cimport (
    INPUT_IGNORE, CompiledModel, Walk, Workspace, begin_walk, find_best_path, free_workspace,
    next_piece, next_sentence, score, score_lm
)
from truecase.base._memory cimport STATUS_OK
from truecase.kernels._lexicon cimport FORM_LAST, FORM_TAG, first_record, is_abbreviation, is_name
from truecase.kernels._maps cimport HEADS_READ, SEARCH_BYTES, find_head, home_slot, read_bits
from truecase.kernels._ngrams cimport extend_left
from truecase.kernels._structs cimport (
    MAX_ORDER, Edges, Lattice, Level, LexiconView, NgramView, Node, PackedSlots, Token
)
from truecase.kernels._unicode cimport (
    HASH_SEED, HIGH_BITS, TAG_MX, ascii_letters, each_byte, hash_block, hash_end, load8, store8,
    trailing_zeros, upper_letters
)
from truecase.model._view cimport ModelView


__all__ = ["STAGES", "count_look_ups", "follow", "gather", "pass_over_words", "run_until"]


# --- caches ----------------------------------------------------------------------------------

# Two levels of sets of lines, the oldest line out first. Lines are numbered by their address. Each
# line that the second level has to fetch is one from the third, each that the third level lacks one
# from memory.


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


# --- what decoding reads of a model's tables -------------------------------------------------

# Each sentence is scored as ever; then every look-up that this took is made once more, and counted:
# where it begins, how many lines of the cache it reads, and which of these two levels of caches
# would have had. Not counted are look-ups of the parts of unknown hyphenated words, and those of
# models with lists of names, a source or Portage's models of case.


cdef enum:                       # tables
    LEXICON = 0
    RECORDS = 1
    NGRAMS = 0                   # n-grams of k words, 2 or more: NGRAMS + k
    HEADS = 4                    # of their slots, which are read first: HEADS + k
    N_TABLES = 10

# `HEADS` and `N_TABLES` hold for these.
assert NGRAMS + MAX_ORDER + 1 == HEADS + 2 and HEADS + MAX_ORDER + 1 == N_TABLES


cdef struct Counts:
    const LexiconView* lexicon
    Cache second
    Cache third
    Reads reads[N_TABLES]
    int64_t tokens
    int64_t sentences
    int64_t candidates
    int64_t with_choice          # words that have more than one candidate
    int64_t edges                # between candidates of neighbouring words


cdef void search_slots(Counts* counts, int table, const PackedSlots* slots, uint64_t first,
                       uint64_t hash, uint64_t n) noexcept nogil:
    """One search: from slot `first` to where it ends, and `n` bytes that are always asked for."""
    cdef uint64_t fingerprint = hash & slots.fingerprint_mask
    cdef uint64_t index = first
    cdef const uint8_t* start
    if slots.n_slots == 0:
        return
    while (read_bits(slots, index) & slots.fingerprint_mask > fingerprint
           and index + 1 < slots.n_slots and index - first + 1 < slots.max_probes):
        index += 1
    start = slots.data + ((first * slots.slot_bits) >> 3)
    n = max(n, ((index * slots.slot_bits) >> 3) - ((first * slots.slot_bits) >> 3) + 8)
    # Behind the last slots is nothing to ask for.
    n = min(n, counts.reads[table].size - <uint64_t>(start - counts.reads[table].data))
    read_bytes(&counts.second, &counts.third, &counts.reads[table], start, n)


cdef void search_words(Counts* counts, const LexiconView* lexicon, uint64_t key) noexcept nogil:
    search_slots(counts, LEXICON, &lexicon.slots, home_slot(&lexicon.slots, key), key,
                 SEARCH_BYTES + 1)


cdef void search_ngrams(Counts* counts, int k, const PackedSlots* slots,
                        uint64_t hash) noexcept nogil:
    """One search by heads, eight at a time, and of a slot that may have the n-gram."""
    cdef Reads* heads = &counts.reads[HEADS + k]
    cdef uint64_t home = home_slot(slots, hash), found = home, walked
    cdef bint may_be_there = find_head(slots, hash, &found)
    if slots.n_slots == 0:
        return
    walked = found - home if found >= home else found + slots.n_slots - home
    walked = (walked // HEADS_READ + 1) * HEADS_READ
    # Behind the last head, the search goes on at the first one.
    read_bytes(&counts.second, &counts.third, heads, slots.heads + home,
               min(walked, heads.size - home))
    if may_be_there:
        search_slots(counts, NGRAMS + k, slots, found, hash, sizeof(uint64_t))


cdef bint asked_is_abbreviation(const void* counts, const Token* token) noexcept nogil:
    search_words(<Counts*>counts, (<Counts*>counts).lexicon, token.key)
    return is_abbreviation((<Counts*>counts).lexicon, token)


cdef bint asked_is_name(const void* counts, const Token* token) noexcept nogil:
    search_words(<Counts*>counts, (<Counts*>counts).lexicon, token.key)
    return is_name((<Counts*>counts).lexicon, token)


cdef void count_words(const Walk* walk, const Workspace* work, Counts* counts) noexcept nogil:
    """Slots and records of the lexicon."""
    cdef const LexiconView* lexicon = &walk.model.lexicon
    cdef uint32_t index, end
    cdef int32_t i
    for i in range(walk.first, walk.last):
        search_words(counts, lexicon, work.tokens.tokens[i].key)
        index = first_record(lexicon, work.tokens.tokens[i].key)
        if index == 0:
            continue
        end = index - 1
        while not lexicon.records[end] & FORM_LAST and end + 3 < lexicon.n_records:
            end += 3 if lexicon.records[end] & FORM_TAG == TAG_MX else 1
        read_bytes(&counts.second, &counts.third, &counts.reads[RECORDS],
                   <const uint8_t*>(lexicon.records + index - 1),
                   (end - index + 2) * sizeof(uint32_t))


cdef void count_ngrams(const NgramView* lm, const Lattice* lattice, const Edges* edges,
                       const Node* sentence_start, Counts* counts) noexcept nogil:
    """The n-grams that `score_edges` has looked up: see `back_off` there."""
    cdef const Level* lower
    cdef const Node* history
    cdef const float* backoff
    cdef int64_t entry, end, n_suffixes, i
    cdef int32_t word, left
    cdef uint64_t suffix
    cdef bint goes_on
    cdef int k
    for k in range(1, lm.order):
        lower = &edges.level[k - 1]
        for word in range(lattice.n_words):
            if edges.depth[word] < k:
                continue
            history = sentence_start
            if word >= k:
                history = lattice.nodes + lattice.first_node[word - k]
            backoff = &sentence_start.backoff
            if word > 0:
                backoff = lower.backoff + lower.start[word - 1]
            entry = edges.level[k].start[word]
            end = edges.level[k].start[word + 1]
            n_suffixes = lower.start[word + 1] - lower.start[word]
            i = 0
            left = 0
            goes_on = True
            if k == lm.order - 1 and edges.has_choice[word]:
                counts.edges += end - entry
            while entry < end:
                if left == 0:
                    left = edges.width[word]
                    if i == n_suffixes:
                        i = 0
                        history += 1
                    if edges.has_choice[word]:
                        goes_on = not lm.closed or backoff[0] != 0.0
                        backoff += 1
                suffix = lower.hash[lower.start[word] + i]
                if goes_on and suffix != 0:
                    search_ngrams(counts, k + 1, &lm.tables[k + 1].slots,
                                  extend_left(suffix, history.form))
                entry += 1
                i += 1
                left -= 1


cdef void count_block(Walk* walk, Workspace* work, Counts* counts) noexcept nogil:
    cdef int32_t word
    while next_piece(walk, work):
        counts.tokens += work.tokens.n
        while next_sentence(walk, work):
            counts.sentences += 1
            count_words(walk, work, counts)
            for word in range(work.lattice.n_words):
                counts.with_choice += (
                    work.lattice.first_node[word + 1] - work.lattice.first_node[word] > 1)
            counts.candidates += work.lattice.n_nodes - 1
            walk.status = score(walk, True, work)
            if walk.status != STATUS_OK:
                continue
            if walk.model.lm.order > 1:
                count_ngrams(&walk.model.lm, &work.lattice, &work.viterbi.edges,
                             &walk.model.start, counts)


cdef bint watch(Counts* counts, int table, const uint8_t* data, uint64_t size) noexcept:
    """Count the reads of a table; False: no memory left."""
    counts.reads[table].data = data
    counts.reads[table].size = size
    if size:
        counts.reads[table].seen = <uint8_t*>calloc((size >> 6) + 2, 1)
    return size == 0 or counts.reads[table].seen != NULL


cdef uint64_t bytes_of_slots(const PackedSlots* slots) noexcept:
    return (slots.n_slots * slots.slot_bits + 7) // 8 + 8 if slots.n_slots else 0


cdef bint watch_all(Counts* counts, const ModelView* model) noexcept:
    cdef int k
    cdef bint fits = watch(counts, LEXICON, model.lexicon.slots.data,
                           bytes_of_slots(&model.lexicon.slots))
    fits &= watch(counts, RECORDS, <const uint8_t*>model.lexicon.records,
                  model.lexicon.n_records * sizeof(uint32_t))
    for k in range(2, model.lm.order + 1):
        fits &= watch(counts, NGRAMS + k, model.lm.tables[k].slots.data,
                      bytes_of_slots(&model.lm.tables[k].slots))
        fits &= watch(counts, HEADS + k, model.lm.tables[k].slots.heads,
                      model.lm.tables[k].slots.n_slots + <int>HEADS_READ)
    return fits


def _names():
    names = {LEXICON: "lexicon", RECORDS: "form records"}
    for k in range(2, MAX_ORDER + 1):
        names[NGRAMS + k] = f"{k}-grams"
        names[HEADS + k] = f"heads of {k}-grams"
    return names


def count_look_ups(CompiledModel model not None, const uint8_t[::1] block not None,
                   second=(1 << 20, 8), third=(32 << 20, 16)):
    """Count what decoding a block of text reads of the model's tables.

    Parameters
    ----------
    model : CompiledModel
    block : bytes-like
        UTF-8 text, lines separated by LF.
    second, third : (int, int)
        Bytes and ways of the caches that are simulated, both empty at the beginning.

    Returns
    -------
    dict
        ``tokens``, ``sentences``, ``candidates``, ``with_choice`` (words with more than one
        candidate), ``edges``; and ``tables``: of each by name ``bytes``, ``look_ups``, ``lines`` of
        64 bytes that these asked for, ``distinct`` lines, and how many the second level of cache
        had not (``from_third``) and neither had (``from_memory``).

    Raises
    ------
    ValueError
        The block is empty, or a cache has no room for a line.
    MemoryError
    """
    cdef Walk walk
    cdef Workspace work
    cdef Counts counts
    cdef Reads* reads
    cdef int t
    if block.shape[0] == 0:
        raise ValueError("the block is empty")
    if min(second) < 1 or min(third) < 1:
        raise ValueError("a cache has at least one line and one way")
    memset(&work, 0, sizeof(Workspace))
    memset(&counts, 0, sizeof(Counts))
    try:
        counts.lexicon = &model.model.lexicon
        if not (make_cache(&counts.second, second[0], second[1])
                and make_cache(&counts.third, third[0], third[1])
                and watch_all(&counts, &model.model)):
            raise MemoryError("no memory left to count look-ups")
        with nogil:
            begin_walk(&walk, &model.model, &block[0], <size_t>block.shape[0], NULL,
                       INPUT_IGNORE, &work)
            walk.start_always = True
            walk.words.words = &counts
            walk.words.is_abbreviation = asked_is_abbreviation
            walk.words.is_never_alone = asked_is_name
            count_block(&walk, &work, &counts)
        if walk.status != STATUS_OK:
            raise MemoryError(f"no memory left at line {walk.line} of the block")
        found = {
            "tokens": counts.tokens, "sentences": counts.sentences,
            "candidates": counts.candidates, "with_choice": counts.with_choice,
            "edges": counts.edges, "tables": {},
        }
        for t, name in sorted(_names().items()):
            reads = &counts.reads[t]
            if reads.size:
                found["tables"][name] = {
                    "bytes": reads.size, "look_ups": reads.look_ups, "lines": reads.lines,
                    "distinct": reads.distinct, "from_third": reads.from_third,
                    "from_memory": reads.from_memory,
                }
        return found
    finally:
        free_workspace(&work)
        free_cache(&counts.second)
        free_cache(&counts.third)
        for t in range(N_TABLES):
            free(counts.reads[t].seen)


# --- stages ----------------------------------------------------------------------------------

# A block of text taken as far as one stage of its way. What a stage costs is the difference between
# the runs that end after it and before it.


cdef enum Stage:
    TO_SEGMENTATION = 0
    TO_LATTICE = 1
    TO_NGRAMS = 2
    TO_FEATURES = 3
    TO_SEARCH = 4


STAGES = ("segmentation", "lattice", "n-grams", "network", "search")


cdef int64_t walk_until(Walk* walk, int last, Workspace* work) noexcept nogil:
    """Take each sentence as far as the stage `last`; how many tokens there were."""
    cdef int64_t n_tokens = 0
    cdef bint has_edges = walk.model.lm.order > 1
    while next_piece(walk, work):
        n_tokens += work.tokens.n
        if last == TO_SEGMENTATION:
            continue
        while next_sentence(walk, work):
            if last == TO_NGRAMS and has_edges:
                walk.status = score_lm(walk, work)
            elif last > TO_NGRAMS:
                walk.status = score(walk, True, work)
            if last == TO_SEARCH and walk.status == STATUS_OK:
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
    stage : {"segmentation", "lattice", "n-grams", "network", "search"}
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


# --- limits of the machine -------------------------------------------------------------------

# No program that does as much can run faster. Only the work is here; the caller takes the time.


cdef enum:
    PADDING = 8                  # bytes behind a text that are read and written with it
    LINE = 8                     # numbers of a line of the cache


cdef inline uint64_t spaces(uint64_t block) noexcept nogil:
    """High bit of the first byte that is a space or a line feed, and of bytes above it."""
    cdef uint64_t space = block ^ each_byte(0x20), feed = block ^ each_byte(0x0a)
    return (((space - each_byte(0x01)) & ~space) | ((feed - each_byte(0x01)) & ~feed)) & HIGH_BITS


cdef int64_t pass_over(const uint8_t* text, int64_t size, uint8_t* out, const uint32_t* table,
                       uint64_t mask, uint64_t* found) noexcept nogil:
    """Copy a text in lower case, hash its words, look each up once; how many there are."""
    cdef int64_t at = 0, n_words = 0
    cdef uint64_t state = HASH_SEED, length = 0, block, ends, n, total = 0
    while at < size:
        block = load8(text + at)
        block |= upper_letters(block, ascii_letters(block)) >> 2
        store8(out + at, block)
        ends = spaces(block)
        if ends == 0:
            state = hash_block(state, block)
            length += 8
            at += 8
            continue
        n = trailing_zeros(ends) >> 3
        block &= (<uint64_t>1 << (8 * n)) - 1
        length += n
        total += table[hash_end(state, block, length) & mask]
        n_words += length != 0
        state = HASH_SEED
        length = 0
        at += n + 1
    found[0] = total
    return n_words


def pass_over_words(const uint8_t[::1] text not None, uint8_t[::1] out not None,
                    const uint32_t[::1] table not None):
    """Copy a text in ASCII lower case, hash each word and look it up: casing cannot do with less.

    Parameters
    ----------
    text, out : bytes-like
        `out` is written; the last 8 bytes of `text` are no part of it, and before them is a line
        feed.
    table : uint32 ndarray, shape (a power of two,)

    Returns
    -------
    n_words : int
    found : int
        Sum of what was looked up, modulo 2**64.
    """
    cdef int64_t n_words, size = text.shape[0] - PADDING
    cdef uint64_t found = 0, mask = <uint64_t>table.shape[0] - 1
    if table.shape[0] < 1 or table.shape[0] & mask:
        raise ValueError("expected a table of 2**n numbers")
    if size < 1 or text[size - 1] != 0x0a or out.shape[0] < text.shape[0]:
        raise ValueError("expected a line feed and 8 bytes at the end, and room for all")
    with nogil:
        n_words = pass_over(&text[0], size, &out[0], &table[0], mask, &found)
    return n_words, found


cdef enum:
    STREAMS = 4                  # random numbers that are made beside one another


cdef uint64_t gather_lines(const uint64_t* table, uint64_t n_lines, int64_t n) noexcept nogil:
    cdef uint64_t place[STREAMS]
    cdef uint64_t total = 0
    cdef int64_t _
    cdef int k
    for k in range(STREAMS):
        place[k] = <uint64_t>k << 60
    for _ in range(n // STREAMS):
        for k in range(STREAMS):
            # Steele & Vigna (2021): a full period, good upper bits.
            place[k] = place[k] * <uint64_t>0xd1342543de82ef95 + 1
            # Invariant: the place is below n_lines.
            total += table[LINE * (((place[k] >> 32) * n_lines) >> 32)]
    return total


def gather(const uint64_t[::1] table not None, int64_t n):
    """Read `n` random lines of a table, none of which has to wait for another; their sum.

    Parameters
    ----------
    table : uint64 ndarray
        Eight numbers a line of the cache; fewer than 2**32 lines.
    n : int
        A multiple of 4.
    """
    cdef uint64_t total, n_lines = <uint64_t>table.shape[0] // LINE
    if n_lines < 1:
        raise ValueError("the table has no line")
    with nogil:
        total = gather_lines(&table[0], n_lines, n)
    return total


def follow(const uint64_t[::1] table not None, int64_t n):
    """Read `n` lines of a table, each where the one before says; the last place.

    Parameters
    ----------
    table : uint64 ndarray
        The first of each eight numbers is the line to go to.
    n : int
    """
    cdef uint64_t place = 0, n_lines = <uint64_t>table.shape[0] // LINE
    cdef int64_t i, _
    if n_lines < 1:
        raise ValueError("the table has no line")
    for i in range(<int64_t>n_lines):
        if table[LINE * i] >= n_lines:
            raise ValueError(f"line {i} leads out of the table")
    with nogil:
        for _ in range(n):
            place = table[LINE * place]
    return place
