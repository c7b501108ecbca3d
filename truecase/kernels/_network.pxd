"""Recurrent units that read a whole sentence and score the cases of its words, in whole numbers.

Each word is a vector of bytes: rows of the word, of its last and first letters, facts such as how
often training saw it in each case, and a row of its pair with the word before. Two gated units
without a matrix on the state (Lei et al. 2018; Feng et al. 2024), one from either end, compute from
the vector v of each word

    z = s(Wz v + bz),  c = t(Wc v + bc),  h' = h + z · (c - h)

with the gates of `_recurrent.pxd`. A layer joins both states of a word with the vectors of the word
and its neighbours, and scores each case; the scores are added to the candidates in the lattice
(Huang, Xu & Yu 2015).

Products of all of a vector but the pair are kept for words that return. Sums are rounded to 16 bits
before those of the pair are added.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t, uint8_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.base._memory cimport STATUS_OK, STATUS_OUT_OF_MEMORY, grow
from truecase.kernels._maps cimport FrequentRows, find_row, pair_key, prefetch_row
from truecase.kernels._recurrent cimport (
    BYTE_ZERO, MAX_STATE, ONE, WEIGHT_BITS, ByteMatrix, add_byte_products, move_state, round_sums,
    start_bytes, state_bytes
)
from truecase.kernels._structs cimport (
    TOKEN_CANONICAL, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE, Lattice,
    SentenceNetwork, Token
)
from truecase.kernels._tokens cimport canonical_code_point
from truecase.kernels._unicode cimport TAG_AN, TAG_IU, TAG_MX, scramble, to_fold


cdef enum:
    N_NETWORK_CASES = 4          # AL, IU, AU, MX
    OF_WORD = 48                 # numbers of each part of a word's vector, in order
    OF_SUFFIX = 12
    OF_PREFIX = 8
    OF_FACTS = 32
    FACTS_BY_EIGHT = 4
    OF_PAIR = 16
    N_OF_WORD = OF_WORD + OF_SUFFIX + OF_PREFIX     # that depend on the word alone
    N_KEPT = N_OF_WORD + OF_FACTS                   # products are kept for these
    N_VECTOR = N_KEPT + OF_PAIR
    N_UNITS_JOINED = 96          # units of the layer that joins both directions
    N_READ = 5                   # vectors that it reads
    MAX_NETWORK_UNITS = MAX_STATE
    WORDS_TOGETHER = 16          # whose products are added together, a multiple of 4
    FARTHEST_COUNT = 80          # eighths of an octave
    AFFIX_LENGTH = 3             # characters
    N_KEPT_WORDS = 2048          # a power of two


cdef struct NetworkView:
    bint is_active
    int n_units                  # of a direction, a multiple of 8, at most MAX_NETWORK_UNITS
    FrequentRows words
    FrequentRows pairs
    uint64_t n_affixes           # rows of suffixes, and of prefixes; < 2**32
    const uint8_t* suffixes      # numbers, counted from 128
    const uint8_t* prefixes
    ByteMatrix of_kept[2]        # forward, backward; rows for z, c
    ByteMatrix of_pair[2]
    const int32_t* bias[2]
    const int32_t* pair_bias[2]  # the effect of the zeros of pairs
    ByteMatrix joined[N_READ]    # the states, then the vectors of the word, the last and the next
    const int32_t* joined_bias
    const float* out             # N_UNITS_JOINED rows of N_NETWORK_CASES
    const float* out_bias        # N_NETWORK_CASES


cdef inline void free_network(SentenceNetwork* at) noexcept nogil:
    free(at.rows)
    free(at.key)
    free(at.score)
    free(at.kept_key)
    free(at.kept_row)
    free(at.kept_sums)
    memset(at, 0, sizeof(SentenceNetwork))


cdef inline size_t bytes_of_network(const SentenceNetwork* at) noexcept nogil:
    """Bytes that grow with the longest sentence."""
    return <size_t>at.capacity * (
        N_VECTOR + 2 * <int>MAX_NETWORK_UNITS + sizeof(uint64_t)
        + <int>N_NETWORK_CASES * sizeof(float))


cdef inline int reserve_network(SentenceNetwork* at, int n_units, int32_t n_words) noexcept nogil:
    cdef size_t wanted = 2 * <size_t>n_words
    if at.kept_key == NULL:
        if (grow(<void**>&at.kept_row, N_KEPT_WORDS, N_OF_WORD) != STATUS_OK
                or grow(<void**>&at.kept_sums, N_KEPT_WORDS,
                        4 * n_units * sizeof(int16_t)) != STATUS_OK
                or grow(<void**>&at.kept_key, N_KEPT_WORDS, sizeof(uint64_t)) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        memset(at.kept_key, 0, N_KEPT_WORDS * sizeof(uint64_t))
    if at.capacity >= n_words:
        return STATUS_OK
    if (grow(<void**>&at.rows, wanted, N_VECTOR + 2 * <int>MAX_NETWORK_UNITS) != STATUS_OK
            or grow(<void**>&at.key, wanted, sizeof(uint64_t)) != STATUS_OK
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
                            bint is_initial, bint is_evidence, uint8_t* out) noexcept nogil:
    """Fill in what is known about a word, OF_FACTS numbers.

    How much rarer each case is than the most frequent one, by the lattice's codes of counts, and
    whether it is a candidate; the largest count; the word's class; its place; its marks; the case
    that it came in, if that `is_evidence`.
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
    for k in range(N_NETWORK_CASES):
        out[23 + k] = flag(is_evidence and cased and case_number(token.tag) == k)
    start_bytes(out + 27, OF_FACTS - 27)


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


cdef inline void fill_word(const NetworkView* net, const uint8_t* text, const Token* token,
                           bint turkic, uint8_t* out) noexcept nogil:
    """Fill in the rows that depend on the word alone, N_OF_WORD numbers."""
    cdef uint64_t prefix, suffix
    copy_row(&net.words, pair_key(0, token.key), OF_WORD, out)
    hash_affixes(text, token, turkic, &prefix, &suffix)
    memcpy(out + <int>OF_WORD, net.suffixes + OF_SUFFIX * affix_row(suffix, net.n_affixes),
           OF_SUFFIX)
    memcpy(out + <int>OF_WORD + <int>OF_SUFFIX,
           net.prefixes + OF_PREFIX * affix_row(prefix, net.n_affixes), OF_PREFIX)


# States and scores. A row has a word's vector, its forward state and its backward state.


cdef inline uint64_t kept_key(const Token* token, const uint8_t* facts) noexcept nogil:
    """Key of a word with these facts; not 0."""
    cdef uint64_t part[FACTS_BY_EIGHT]
    cdef uint64_t key = token.key
    cdef int k
    memcpy(part, facts, OF_FACTS)
    for k in range(FACTS_BY_EIGHT):
        key = scramble(key + part[k])
    return key | 1


cdef inline size_t kept_place(uint64_t key) noexcept nogil:
    return (key >> 32) & <size_t>(N_KEPT_WORDS - 1)


cdef inline size_t keep_sums(const NetworkView* net, uint64_t key, const uint8_t* row,
                             SentenceNetwork* at) noexcept nogil:
    """Place of a word's sums, which are computed from the vector in `row` if they are not kept."""
    cdef size_t place = kept_place(key)
    cdef int32_t sums[2 * MAX_STATE]
    cdef int32_t* into = sums
    cdef int d, n = 2 * net.n_units
    if at.kept_key[place] != key:
        for d in range(2):
            memcpy(sums, net.bias[d], n * sizeof(int32_t))
            add_byte_products(&net.of_kept[d], &row, 1, &into)
            round_sums(sums, net.n_units, at.kept_sums + place * 2 * n + d * n)
        memcpy(at.kept_row + place * <int>N_OF_WORD, row, N_OF_WORD)
        at.kept_key[place] = key
    return place


cdef inline void fill_row(const NetworkView* net, const uint8_t* text, const Token* tokens,
                          int32_t word, bint turkic, SentenceNetwork* at,
                          uint8_t* row) noexcept nogil:
    """Fill a word's vector, which has its facts, and keep its sums."""
    cdef uint64_t key = kept_key(tokens + word, row + <int>N_OF_WORD)
    cdef size_t place = kept_place(key)
    at.key[word] = key
    if at.kept_key[place] == key:
        memcpy(row, at.kept_row + place * <int>N_OF_WORD, N_OF_WORD)
    else:
        fill_word(net, text, tokens + word, turkic, row)
        keep_sums(net, key, row, at)
    copy_row(&net.pairs, pair_key(key_before(tokens, word), tokens[word].key), OF_PAIR,
             row + <int>N_KEPT)


cdef inline bint has_pair(const uint8_t* row) noexcept nogil:
    """Whether some number of the pair is not 0."""
    cdef uint64_t part[2]
    memcpy(part, row + <int>N_KEPT, OF_PAIR)
    return (part[0] ^ part[1]) != 0 or part[0] != <uint64_t>0x8080808080808080


cdef inline void run_direction(const NetworkView* net, int direction, int32_t first, int32_t last,
                               SentenceNetwork* at, int size) noexcept nogil:
    """Compute the states of one direction from word `first` to word `last`, which may be less."""
    cdef int32_t sums[WORDS_TOGETHER][2 * MAX_STATE]
    cdef int16_t of_pair[2 * MAX_STATE]
    cdef int16_t state[MAX_STATE]
    cdef const uint8_t* pair[WORDS_TOGETHER]
    cdef int32_t* into[WORDS_TOGETHER]
    cdef int32_t i = first, step = 1 if last >= first else -1, left = step * (last - first) + 1
    cdef int k, n, n_pairs, units = net.n_units
    cdef uint8_t* row
    cdef size_t place
    memset(state, 0, sizeof(state))
    while left > 0:
        n = min(left, <int32_t>WORDS_TOGETHER)
        n_pairs = 0
        for k in range(n):
            row = at.rows + <size_t>(i + k * step) * size
            if has_pair(row):
                pair[n_pairs] = row + <int>N_KEPT
                into[n_pairs] = sums[n_pairs]
                memcpy(sums[n_pairs], net.pair_bias[direction], 2 * units * sizeof(int32_t))
                n_pairs += 1
        add_byte_products(&net.of_pair[direction], pair, n_pairs, into)
        n_pairs = 0
        for k in range(n):
            row = at.rows + <size_t>(i + k * step) * size
            if has_pair(row):
                round_sums(sums[n_pairs], units, of_pair)
                n_pairs += 1
            else:
                memset(of_pair, 0, 2 * units * sizeof(int16_t))
            place = keep_sums(net, at.key[i + k * step], row, at)
            move_state(at.kept_sums + (2 * place + direction) * 2 * units, of_pair, units, state)
            state_bytes(state, units, row + <int>N_VECTOR + direction * units)
        i += n * step
        left -= n


cdef struct OpenWords:           # that are scored together
    int n                        # at most WORDS_TOGETHER
    int32_t word[WORDS_TOGETHER]
    const uint8_t* read[N_READ][WORDS_TOGETHER]


cdef inline void score_open_words(const NetworkView* net, const OpenWords* open,
                                  float* score) noexcept nogil:
    """Score the cases of some words, N_NETWORK_CASES per word of the sentence."""
    cdef int32_t sums[WORDS_TOGETHER][N_UNITS_JOINED]
    cdef int32_t* into[WORDS_TOGETHER]
    cdef const float* row
    cdef float* out
    cdef float unit
    cdef int w, t, k
    for w in range(open.n):
        memcpy(sums[w], net.joined_bias, sizeof(sums[w]))
        into[w] = sums[w]
    for k in range(N_READ):
        add_byte_products(&net.joined[k], <const uint8_t**>open.read[k], open.n, into)
    for w in range(open.n):
        out = score + <size_t>open.word[w] * <int>N_NETWORK_CASES
        memcpy(out, net.out_bias, N_NETWORK_CASES * sizeof(float))
        # Unit by unit, so that the cases' sums, chains of additions, run side by side.
        for k in range(N_UNITS_JOINED):
            unit = (<float>(sums[w][k] if sums[w][k] > 0 else 0)
                    * <float>(1.0 / (ONE << WEIGHT_BITS)))
            row = net.out + k * <int>N_NETWORK_CASES
            for t in range(N_NETWORK_CASES):
                out[t] += row[t] * unit


cdef inline void join_states(const NetworkView* net, const Lattice* lattice, int32_t first,
                             int32_t last, SentenceNetwork* at, int size) noexcept nogil:
    """Score the open words from `first` to `last`."""
    cdef uint8_t outside[N_VECTOR]
    cdef OpenWords open
    cdef int32_t i
    cdef const uint8_t* row
    open.n = 0
    start_bytes(outside, N_VECTOR)
    for i in range(first, last + 1):
        if not is_open_word(lattice, i):
            continue
        row = at.rows + <size_t>i * size
        open.word[open.n] = i
        open.read[0][open.n] = row + <int>N_VECTOR
        open.read[1][open.n] = row + <int>N_VECTOR + net.n_units
        open.read[2][open.n] = row
        open.read[3][open.n] = row - size if i else outside
        open.read[4][open.n] = row + size if i + 2 < lattice.n_words else outside
        open.n += 1
        if open.n == WORDS_TOGETHER or i == last:
            score_open_words(net, &open, at.score)
            open.n = 0


cdef inline int add_network_scores(const NetworkView* net, const uint8_t* text,
                                   const Token* tokens, int32_t initial, bint turkic,
                                   bint is_evidence, Lattice* lattice,
                                   SentenceNetwork* at) noexcept nogil:
    """Add the network's scores to the candidates of open words; a Status.

    Parameters
    ----------
    net
        Active; the same for all calls with `at`.
    tokens
        Of the sentence, as the words of the lattice but the last, ``</s>``.
    initial
        Place of the sentence's first word with a letter, or -1.
    is_evidence
        The network reads the case that the words came in.
    """
    cdef int32_t i, c, first_open, last_open = -1, n = lattice.n_words - 1
    cdef int size = N_VECTOR + 2 * net.n_units
    cdef int status
    cdef uint8_t* row
    cdef const float* score
    first_open = n
    for i in range(n):
        if is_open_word(lattice, i):
            first_open = min(first_open, i)
            last_open = i
    if last_open < 0:
        return STATUS_OK
    status = reserve_network(at, net.n_units, n)
    if status != STATUS_OK:
        return status
    for i in range(n):
        prefetch_row(&net.pairs, pair_key(key_before(tokens, i), tokens[i].key))
    for i in range(n):
        row = at.rows + <size_t>i * size
        fill_facts(lattice, tokens + i, i, i == initial, is_evidence,
                   row + <int>N_OF_WORD)
        fill_row(net, text, tokens, i, turkic, at, row)
    run_direction(net, 0, 0, last_open, at, size)
    run_direction(net, 1, n - 1, first_open, at, size)
    join_states(net, lattice, first_open, last_open, at, size)
    for i in range(first_open, last_open + 1):
        if is_open_word(lattice, i):
            score = at.score + <size_t>i * <int>N_NETWORK_CASES
            for c in range(lattice.first_node[i], lattice.first_node[i + 1]):
                lattice.nodes[c].score += score[case_number(lattice.nodes[c].tag)]
    return STATUS_OK
