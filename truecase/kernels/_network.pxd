"""Recurrent units that read a whole sentence and score the cases of its words, in whole numbers.

Each word is a vector of bytes: rows of the word, of its pair with the word before, of its first
and last letters, and facts such as how often training saw it in each case. Two gated units without
a matrix on the state (Lei et al. 2018; minimal gates of Feng et al. 2024), one from either end,
compute from the vector v of each word

    z = s(Wz v + bz),  c = t(Wc v + bc),  h' = h + z · (c - h)

with the gates of `_recurrent.pxd`. A layer joins both states of a word with the vectors of the word
and its neighbours, and scores each case; the scores are added to the candidates in the lattice
(Huang, Xu & Yu 2015).
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.base._check cimport check
from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._recurrent cimport (
    BYTE_ZERO, MAX_STATE, ONE, WEIGHT_BITS, ByteMatrix, add_byte_products, move_state, start_bytes,
    state_bytes
)
from truecase.kernels._rows cimport FrequentRows, find_row, pair_key, prefetch_row
from truecase.kernels._structs cimport (
    TOKEN_CANONICAL, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE, Lattice,
    SentenceNetwork, Token
)
from truecase.kernels._tokens cimport canonical_code_point
from truecase.kernels._unicode cimport TAG_AN, TAG_IU, TAG_MX, scramble, to_fold


cdef enum:
    N_NETWORK_CASES = 4          # AL, IU, AU, MX
    OF_WORD = 48                 # numbers of each part of a word's vector
    OF_PAIR = 16
    OF_SUFFIX = 12
    OF_PREFIX = 8
    OF_FACTS = 24
    N_VECTOR = OF_WORD + OF_PAIR + OF_SUFFIX + OF_PREFIX + OF_FACTS
    N_UNITS_JOINED = 96          # units of the layer that joins both directions
    N_READ = 5                   # vectors that it reads
    MAX_NETWORK_UNITS = MAX_STATE
    WORDS_TOGETHER = 16          # whose products are added together, a multiple of 4
    FARTHEST_COUNT = 80          # eighths of an octave
    AFFIX_LENGTH = 3             # characters


cdef struct NetworkView:
    bint is_active
    int n_units                  # of a direction, a multiple of 8, at most MAX_NETWORK_UNITS
    FrequentRows words
    FrequentRows pairs
    uint64_t n_affixes           # rows of suffixes, and of prefixes; < 2**32
    const uint8_t* suffixes      # numbers, counted from 128
    const uint8_t* prefixes
    ByteMatrix of_vector[2]      # forward, backward; rows for z, c
    const int32_t* bias[2]
    ByteMatrix joined[N_READ]    # the states, then the vectors of the word, the last and the next
    const int32_t* joined_bias
    const float* out             # N_NETWORK_CASES * N_UNITS_JOINED
    const float* out_bias        # N_NETWORK_CASES


cdef inline void free_network(SentenceNetwork* at) noexcept nogil:
    free(at.rows)
    free(at.score)
    memset(at, 0, sizeof(SentenceNetwork))


cdef inline size_t bytes_of_network(const SentenceNetwork* at) noexcept nogil:
    return <size_t>at.capacity * (
        N_VECTOR + 2 * <int>MAX_NETWORK_UNITS + <int>N_NETWORK_CASES * sizeof(float))


cdef inline int reserve_network(SentenceNetwork* at, int32_t n_words) noexcept nogil:
    cdef size_t wanted = 2 * <size_t>n_words
    if at.capacity >= n_words:
        return STATUS_OK
    if (grow(<void**>&at.rows, wanted, N_VECTOR + 2 * <int>MAX_NETWORK_UNITS) != STATUS_OK
            or grow(<void**>&at.score, wanted, <int>N_NETWORK_CASES * sizeof(float)) != STATUS_OK):
        return STATUS_OUT_OF_MEMORY
    at.capacity = <int32_t>wanted
    return STATUS_OK


cdef inline int case_number(int tag) noexcept nogil:
    """Number of a candidate's case: 0 AL, 1 IU, 2 AU, 3 MX; of AN, 0."""
    return 1 + tag - TAG_IU if TAG_IU <= tag <= TAG_MX else 0


cdef inline bint is_open_word(const Lattice* lattice, int32_t word) noexcept nogil:
    """Whether a word has several candidates."""
    return lattice.first_node[word + 1] - lattice.first_node[word] > 1


# The vector of a word


cdef inline void hash_affixes(const uint8_t* text, const Token* token, bint turkic,
                              uint64_t* prefix, uint64_t* suffix) noexcept nogil:
    """Hash a word's first and last three folded characters."""
    cdef uint32_t last[4]
    cdef uint32_t p = token.start, length, n = 0, i
    prefix[0] = 1
    suffix[0] = 2
    while p < token.end:
        last[n & 3] = to_fold(canonical_code_point(text, p, token.end, token.flags, &length),
                              turkic)
        if n < <uint32_t>AFFIX_LENGTH:
            prefix[0] = scramble(prefix[0] + last[n & 3])
        p += length
        n += 1
    for i in range(n - AFFIX_LENGTH if n > <uint32_t>AFFIX_LENGTH else 0, n):
        suffix[0] = scramble(suffix[0] + last[i & 3])


cdef inline uint64_t affix_row(uint64_t hash, uint64_t n_rows) noexcept nogil:
    return ((hash >> 32) * n_rows) >> 32


cdef inline uint8_t flag(bint is_set) noexcept nogil:
    return BYTE_ZERO + 32 if is_set else BYTE_ZERO


cdef inline void fill_facts(const Lattice* lattice, const Token* token, int32_t word,
                            bint is_initial, uint8_t* out) noexcept nogil:
    """Fill in what is known about a word, OF_FACTS numbers.

    How much rarer each case is than the most frequent one, by the lattice's codes of counts, and
    whether it is a candidate; the largest count; the word's class; its place; its marks.
    """
    cdef int code[N_NETWORK_CASES]
    cdef int32_t c, first = lattice.first_node[word], end = lattice.first_node[word + 1]
    cdef bint cased = lattice.nodes[first].tag != TAG_AN
    cdef int k, most = 0
    for k in range(N_NETWORK_CASES):
        code[k] = -1
    if cased:
        for c in range(first, end):
            k = case_number(lattice.nodes[c].tag)
            code[k] = max(code[k], <int>lattice.nodes[c].count)
            most = max(most, code[k])
    for k in range(N_NETWORK_CASES):
        out[k] = <uint8_t>(BYTE_ZERO - (
            min(most - code[k], <int>FARTHEST_COUNT) if code[k] >= 0 else <int>FARTHEST_COUNT))
        out[<int>N_NETWORK_CASES + k] = flag(code[k] >= 0)
    out[8] = <uint8_t>(BYTE_ZERO + most // 2)
    out[9] = flag(lattice.record[word] != 0)
    out[10] = flag(cased)
    out[11] = flag(is_initial)
    out[12] = flag(end - first > 1)
    for k in range(5):
        out[13 + k] = flag(token.word_class == k)
    out[18] = flag(token.flags & TOKEN_CANONICAL != 0)
    out[19] = flag(token.flags & TOKEN_ENDS_SENTENCE != 0)
    out[20] = flag(token.flags & TOKEN_CLOSES != 0)
    out[21] = flag(word == 0)
    out[22] = flag(token.flags & TOKEN_SPACE_BEFORE != 0)
    out[23] = BYTE_ZERO


cdef inline uint64_t key_before(const Token* tokens, int32_t word) noexcept nogil:
    """Key of the word before in the sentence, or that of the sentence's beginning."""
    return tokens[word - 1].key if word else 1


cdef inline void copy_row(const FrequentRows* table, uint64_t key, int n,
                          uint8_t* out) noexcept nogil:
    cdef const uint8_t* row = find_row(table, key)
    if row == NULL:
        start_bytes(out, n)
    else:
        memcpy(out, row, n)


cdef inline void fill_vector(const NetworkView* net, const uint8_t* text, const Token* tokens,
                             const Lattice* lattice, int32_t word, bint is_initial, bint turkic,
                             uint8_t* out) noexcept nogil:
    cdef uint64_t prefix, suffix
    copy_row(&net.words, pair_key(0, tokens[word].key), OF_WORD, out)
    out += <int>OF_WORD
    copy_row(&net.pairs, pair_key(key_before(tokens, word), tokens[word].key), OF_PAIR, out)
    out += <int>OF_PAIR
    hash_affixes(text, tokens + word, turkic, &prefix, &suffix)
    memcpy(out, net.suffixes + OF_SUFFIX * affix_row(suffix, net.n_affixes), OF_SUFFIX)
    out += <int>OF_SUFFIX
    memcpy(out, net.prefixes + OF_PREFIX * affix_row(prefix, net.n_affixes), OF_PREFIX)
    out += <int>OF_PREFIX
    fill_facts(lattice, tokens + word, word, is_initial, out)


# States and scores. A row has a word's vector, its forward state and its backward state.


cdef inline void run_direction(const NetworkView* net, int direction, int32_t first, int32_t last,
                               uint8_t* rows, int size) noexcept nogil:
    """Compute the states of one direction from word `first` to word `last`, which may be less."""
    cdef int32_t sums[WORDS_TOGETHER][2 * MAX_STATE]
    cdef int16_t state[MAX_STATE]
    cdef const uint8_t* vector[WORDS_TOGETHER]
    cdef int32_t* into[WORDS_TOGETHER]
    cdef int32_t i = first, step = 1 if last >= first else -1, left = step * (last - first) + 1
    cdef int k, n, units = net.n_units
    memset(state, 0, sizeof(state))
    while left > 0:
        n = min(left, <int32_t>WORDS_TOGETHER)
        for k in range(n):
            vector[k] = rows + <size_t>(i + k * step) * size
            into[k] = sums[k]
            memcpy(sums[k], net.bias[direction], 2 * units * sizeof(int32_t))
        add_byte_products(&net.of_vector[direction], vector, n, into)
        for k in range(n):
            move_state(sums[k], units, state)
            state_bytes(state, units, rows + <size_t>(i + k * step) * size + N_VECTOR
                        + direction * units)
        i += n * step
        left -= n


cdef inline void join_states(const NetworkView* net, const uint8_t* row, const uint8_t* before,
                             const uint8_t* after, float* score) noexcept nogil:
    """Score the cases of a word by its row and the vectors of its neighbours."""
    cdef int32_t sums[N_UNITS_JOINED]
    cdef int32_t* into = sums
    cdef const uint8_t* read[N_READ]
    cdef float unit[N_UNITS_JOINED]
    cdef int t, k
    read[0] = row + <int>N_VECTOR
    read[1] = row + <int>N_VECTOR + net.n_units
    read[2] = row
    read[3] = before
    read[4] = after
    memcpy(sums, net.joined_bias, sizeof(sums))
    for k in range(N_READ):
        add_byte_products(&net.joined[k], &read[k], 1, &into)
    for k in range(N_UNITS_JOINED):
        unit[k] = <float>(sums[k] if sums[k] > 0 else 0) * <float>(1.0 / (ONE << WEIGHT_BITS))
    for t in range(N_NETWORK_CASES):
        score[t] = net.out_bias[t]
        for k in range(N_UNITS_JOINED):
            score[t] += net.out[t * <int>N_UNITS_JOINED + k] * unit[k]


cdef inline int add_network_scores(const NetworkView* net, const uint8_t* text,
                                   const Token* tokens, int32_t initial, bint turkic,
                                   Lattice* lattice, SentenceNetwork* at) noexcept nogil:
    """Add the network's scores to the candidates of open words; a Status.

    Parameters
    ----------
    net
        Active.
    tokens
        Of the sentence, as the words of the lattice but the last, ``</s>``.
    initial
        Place of the sentence's first word with a letter, or -1.
    """
    cdef uint8_t outside[N_VECTOR]
    cdef int32_t i, c, first_open, last_open = -1, n = lattice.n_words - 1
    cdef int size = N_VECTOR + 2 * net.n_units
    cdef int status
    cdef float* score
    at.is_active = False
    first_open = n
    for i in range(n):
        if is_open_word(lattice, i):
            first_open = min(first_open, i)
            last_open = i
    if last_open < 0:
        return STATUS_OK
    status = reserve_network(at, n)
    if status != STATUS_OK:
        return status
    at.is_active = True
    # Rows lie far apart in memory.
    for i in range(n):
        prefetch_row(&net.words, pair_key(0, tokens[i].key))
        prefetch_row(&net.pairs, pair_key(key_before(tokens, i), tokens[i].key))
    for i in range(n):
        fill_vector(net, text, tokens, lattice, i, i == initial, turkic,
                    at.rows + <size_t>i * size)
    run_direction(net, 0, 0, last_open, at.rows, size)
    run_direction(net, 1, n - 1, first_open, at.rows, size)
    start_bytes(outside, N_VECTOR)
    for i in range(first_open, last_open + 1):
        if not is_open_word(lattice, i):
            continue
        score = at.score + <size_t>i * <int>N_NETWORK_CASES
        join_states(net, at.rows + <size_t>i * size,
                    at.rows + <size_t>(i - 1) * size if i else outside,
                    at.rows + <size_t>(i + 1) * size if i + 1 < n else outside, score)
        for c in range(lattice.first_node[i], lattice.first_node[i + 1]):
            lattice.nodes[c].score += score[case_number(lattice.nodes[c].tag)]
    return STATUS_OK
