"""Recurrent units that read a whole sentence and score the cases of its words, in whole numbers.

Each word is a vector of bytes: rows of the word, of its last and first letters, facts such as how
often training saw it in each case, and a row of its pair with the word before. Gated units from
either end (Cho et al. 2014; `_recurrent.pxd`) read it, in groups of 16: each reads the states of
its group alone, as in matrices of diagonal blocks. A layer joins both states of a word with its
vector and its pair with the next word, and scores each case; the scores are added to the candidates
in the lattice (Huang, Xu & Yu 2015).

Products of all of a vector but the pair are kept for words that return. Sums are rounded to 16 bits
before those of pairs and states are added.

A frequent pair also says whether, in training, the whole model gave its words the same case nearly
every time. Words that the pairs on both sides settle keep one candidate: neither edges nor scores
are computed for them.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int16_t, int32_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from truecase.base._check cimport prefetch_bytes
from truecase.base._memory cimport (
    STATUS_OK, STATUS_OUT_OF_MEMORY, Arena, free_arena, reset_arena, take
)
from truecase.kernels._kept_sums cimport (
    MOST_KEPT_WORDS, WORDS_TOGETHER, JoinedInputs, NewWords, add_new_word, find_sums, free_sums,
    keep_sums, meet_word, reserve_sums, sums_at
)
from truecase.kernels._lattice cimport remove_dropped
from truecase.kernels._maps cimport FrequentRows, copy_row, find_row, pair_key, prefetch_row
from truecase.kernels._recurrent cimport (
    BYTE_ZERO, MAX_STATE, SUM_SHIFT, ByteMatrix, GroupedUnits, add_byte_products, add_outputs,
    next_state, start_bytes, sum_rest
)
from truecase.kernels._structs cimport (
    TOKEN_CANONICAL, TOKEN_CLOSES, TOKEN_ENDS_SENTENCE, TOKEN_SPACE_BEFORE, TOKEN_WEIGHED,
    NODE_DROPPED, Lattice, NamedToken, Node, SentenceNetwork, Token
)
from truecase.kernels._tokens cimport canonical_code_point
from truecase.kernels._unicode cimport TAG_AN, TAG_IU, TAG_MX, scramble, to_fold


cdef enum:
    N_NETWORK_CASES = 4          # AL, IU, AU, MX
    OF_WORD = 48                 # numbers of each part of a word's vector, in order
    OF_SUFFIX = 12
    OF_PREFIX = 8
    OF_FACTS = 32
    OF_PAIR = 16
    OF_SIDES = 2                 # of a pair, behind its numbers: what it settles of both words
    N_KEPT = OF_WORD + OF_SUFFIX + OF_PREFIX + OF_FACTS     # products are kept for these
    N_VECTOR = N_KEPT + OF_PAIR
    N_UNITS_JOINED = 64          # units of the layer that joins both directions
    OF_PAIRS = 2 * OF_PAIR       # of a word's pairs with the last word, and with the next
    MAX_NETWORK_UNITS = MAX_STATE
    FARTHEST_COUNT = 80          # eighths of an octave
    AFFIX_LENGTH = 3             # characters


cdef struct NetworkView:
    bint is_active
    int n_units                  # of a direction, a multiple of GROUP, at most MAX_NETWORK_UNITS
    FrequentRows words
    FrequentRows pairs
    uint64_t n_affixes           # rows of suffixes, and of prefixes; < 2**32
    const uint8_t* suffixes      # numbers, counted from 128
    const uint8_t* prefixes
    GroupedUnits units[2]        # forward, backward; what they do not keep is the pair
    JoinedInputs joined_kept
    ByteMatrix joined_states     # of both directions
    ByteMatrix joined_pairs      # with the last word and with the next
    const int32_t* joined_bias   # the effect of the zeros of these
    const float* out             # N_UNITS_JOINED rows of N_NETWORK_CASES
    const float* out_bias        # N_NETWORK_CASES


cdef struct NetworkSentence:
    const uint8_t* text
    const Token* tokens          # of the words of the lattice but the last, ``</s>``
    const NamedToken* named      # beside the tokens; NULL if no name stands in the line
    int32_t initial              # place of the sentence's first word with a letter, or -1
    bint turkic
    bint may_settle              # pairs may settle words
    bint drops                   # the candidates that are put aside, which posteriors need


cdef inline void free_network(SentenceNetwork* at) noexcept nogil:
    free_arena(&at.arena)
    free_sums(&at.kept)
    memset(at, 0, sizeof(SentenceNetwork))


cdef inline int row_size(const NetworkView* net) noexcept nogil:
    """Bytes of a word: its vector, its forward state and its backward state."""
    return N_VECTOR + 2 * net.n_units


cdef inline size_t kept_size(int n_units) noexcept nogil:
    """How many sums are kept of a word: those of both directions, and of the units joined."""
    return 6 * n_units + N_UNITS_JOINED


cdef inline int reserve_network(SentenceNetwork* at, int n_units, int32_t n_words) noexcept nogil:
    cdef Arena* arena = &at.arena
    if at.kept.n_words == 0 and reserve_sums(
            &at.kept, MOST_KEPT_WORDS, kept_size(n_units)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    reset_arena(arena)
    # Products may read past the last row.
    at.rows = <uint8_t*>take(arena, n_words + 1, N_VECTOR + 2 * MAX_NETWORK_UNITS)
    at.key = <uint64_t*>take(arena, n_words, sizeof(uint64_t))
    at.facts = <uint64_t*>take(arena, n_words, sizeof(uint64_t))
    at.sides = <uint8_t*>take(arena, n_words, OF_SIDES)
    at.place = <uint32_t*>take(arena, n_words, sizeof(uint32_t))
    at.score = <float*>take(arena, n_words, N_NETWORK_CASES * sizeof(float))
    return STATUS_OUT_OF_MEMORY if arena.is_short else STATUS_OK


cdef inline int case_number(int tag) noexcept nogil:
    """Number of a candidate's case: 0 AL, 1 IU, 2 AU, 3 MX; of AN, 0."""
    return 1 + tag - TAG_IU if TAG_IU <= tag <= TAG_MX else 0


cdef inline bint is_open_word(const Lattice* lattice, int32_t word) noexcept nogil:
    """Whether a word has several candidates."""
    return lattice.first_node[word + 1] - lattice.first_node[word] > 1


# The vector of a word


cdef inline void hash_affixes(const uint8_t* text, const Token* token, bint turkic,
                              uint64_t* prefix, uint64_t* suffix) noexcept nogil:
    """Hash a word's first and last three folded characters; words of one key have the same hashes.

    Where these are all, the key says so itself: other spellings of a mark have its key.
    """
    cdef uint32_t last[4]
    cdef uint32_t p = token.start, length, n = 0, i
    prefix[0] = 1
    suffix[0] = 2
    if token.n_code_points <= AFFIX_LENGTH:
        prefix[0] = scramble(token.key + 1)
        suffix[0] = scramble(token.key + 2)
        return
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


# Places of a word's facts in 64 bits
cdef enum Fact:
    FACT_BITS = 7                # of each case: how much rarer it is
    FACT_CANDIDATES = 28         # a bit for each case
    FACT_MOST = 32               # FACT_BITS
    FACT_FLAGS = 39              # in the order of the numbers, without the class
    N_BEFORE_CLASS = 4
    N_BEHIND_CLASS = 5
    FACT_CLASS = 48
    FACT_GIVEN = 51              # 1 and the number of the case that the word came in
    N_WORD_CLASSES = 5
    N_UNUSED = OF_FACTS - 3 * N_NETWORK_CASES - 1 - N_BEFORE_CLASS - N_WORD_CLASSES - N_BEHIND_CLASS
    N_READ = N_KEPT - 4 * (N_UNUSED // 4)       # numbers of a vector that are read, and kept


cdef inline uint64_t facts_of(const Lattice* lattice, const Token* token, int32_t word,
                              bint is_initial) noexcept nogil:
    """What is known about a word, in 64 bits.

    How much rarer each case is than the most frequent one, by the lattice's codes of counts, and
    whether it is a candidate; the largest count; the word's class; its place; its marks; the case
    that it came in, if that is weighed.
    """
    cdef int code[N_NETWORK_CASES]
    cdef int32_t c, first = lattice.first_node[word], end = lattice.first_node[word + 1]
    cdef bint cased = lattice.nodes[first].tag != TAG_AN
    cdef int k, most = 0
    cdef uint64_t facts, found = 0
    for k in range(N_NETWORK_CASES):
        code[k] = -FARTHEST_COUNT
    if cased:
        for c in range(first, end):
            k = case_number(lattice.nodes[c].tag)
            code[k] = max(code[k], <int>lattice.nodes[c].count)
            most = max(most, code[k])
            found |= <uint64_t>1 << k
    facts = found << FACT_CANDIDATES | <uint64_t>(most // 2) << FACT_MOST
    for k in range(N_NETWORK_CASES):
        facts |= <uint64_t>min(most - code[k], FARTHEST_COUNT) << (FACT_BITS * k)
    found = (
        <uint64_t>(lattice.record[word] != 0) | <uint64_t>cased << 1 | <uint64_t>is_initial << 2
        | <uint64_t>(end - first > 1) << 3
        | <uint64_t>(token.flags & TOKEN_CANONICAL != 0) << 4
        | <uint64_t>(token.flags & TOKEN_ENDS_SENTENCE != 0) << 5
        | <uint64_t>(token.flags & TOKEN_CLOSES != 0) << 6 | <uint64_t>(word == 0) << 7
        | <uint64_t>(token.flags & TOKEN_SPACE_BEFORE != 0) << 8)
    facts |= found << FACT_FLAGS | <uint64_t>token.word_class << FACT_CLASS
    if token.flags & TOKEN_WEIGHED and cased:
        facts |= <uint64_t>(1 + case_number(token.tag)) << FACT_GIVEN
    return facts


cdef inline void fill_flags(uint64_t bits, int n, uint8_t* out) noexcept nogil:
    cdef int k
    for k in range(n):
        out[k] = <uint8_t>(BYTE_ZERO + ((bits >> k & 1) << 5))


cdef inline void fill_facts(uint64_t facts, uint8_t* out) noexcept nogil:
    """Fill in a word's facts, OF_FACTS numbers."""
    cdef uint64_t one = 1
    cdef int k
    for k in range(N_NETWORK_CASES):
        out[k] = <uint8_t>(BYTE_ZERO - (facts >> (FACT_BITS * k) & 127))
    out += N_NETWORK_CASES
    fill_flags(facts >> FACT_CANDIDATES, N_NETWORK_CASES, out)
    out += N_NETWORK_CASES
    out[0] = <uint8_t>(BYTE_ZERO + (facts >> FACT_MOST & 127))
    out += 1
    fill_flags(facts >> FACT_FLAGS, N_BEFORE_CLASS, out)
    out += N_BEFORE_CLASS
    fill_flags(one << (facts >> FACT_CLASS & 7), N_WORD_CLASSES, out)
    out += N_WORD_CLASSES
    fill_flags(facts >> (FACT_FLAGS + N_BEFORE_CLASS), N_BEHIND_CLASS, out)
    out += N_BEHIND_CLASS
    fill_flags((one << (facts >> FACT_GIVEN & 7)) >> 1, N_NETWORK_CASES, out)
    start_bytes(out + N_NETWORK_CASES, N_UNUSED)


cdef inline uint64_t key_before(const Token* tokens, int32_t word) noexcept nogil:
    """Key of the word before in the sentence, or that of the sentence's beginning."""
    return tokens[word - 1].key if word else 1


cdef inline void fill_word(const NetworkView* net, const NetworkSentence* sentence,
                           const Token* token, uint64_t facts, uint8_t* out) noexcept nogil:
    """Fill in all of a word's vector but the pair, N_KEPT numbers."""
    cdef uint64_t prefix, suffix
    hash_affixes(sentence.text, token, sentence.turkic, &prefix, &suffix)
    copy_row(&net.words, pair_key(0, token.key), OF_WORD, out)
    out += OF_WORD
    memcpy(out, net.suffixes + OF_SUFFIX * affix_row(suffix, net.n_affixes), OF_SUFFIX)
    out += OF_SUFFIX
    memcpy(out, net.prefixes + OF_PREFIX * affix_row(prefix, net.n_affixes), OF_PREFIX)
    fill_facts(facts, out + OF_PREFIX)


# States and scores. A row has a word's vector, its forward state and its backward state.


cdef inline uint64_t kept_key(uint64_t key, uint64_t facts) noexcept nogil:
    """Key of a word with these facts; not 0."""
    return scramble(key + scramble(facts)) | 1


cdef inline void begin_word(const NetworkView* net, const NetworkSentence* sentence, int32_t i,
                            NewWords* words, SentenceNetwork* at) noexcept nogil:
    """Append a word, whose sums will be kept."""
    cdef uint8_t* row = at.rows + <size_t>i * row_size(net)
    fill_word(net, sentence, sentence.tokens + i, at.facts[i], row)
    add_new_word(&at.kept, at.key[i], row, at.place + i, words)


cdef inline const int16_t* sums_of(const NetworkView* net, const NetworkSentence* sentence,
                                   int32_t i, SentenceNetwork* at) noexcept nogil:
    """A word's sums, computed again if another word has taken their place."""
    cdef NewWords words
    if not find_sums(&at.kept, at.key[i], at.place + i):
        words.n = 0
        begin_word(net, sentence, i, &words, at)
        keep_sums(net.units, &net.joined_kept, 1, &words, &at.kept)
    return sums_at(&at.kept, at.place[i])


cdef inline void fill_pairs(const NetworkView* net, const Token* tokens, int32_t n,
                            SentenceNetwork* at) noexcept nogil:
    """Fill in the pair of each word with the one before, and what pairs settle."""
    cdef const uint8_t* found
    cdef uint8_t* row
    cdef int32_t i
    for i in range(n):
        prefetch_row(&net.pairs, pair_key(key_before(tokens, i), tokens[i].key))
    memset(at.sides, 0, <size_t>n * OF_SIDES)
    for i in range(n):
        row = at.rows + <size_t>i * row_size(net) + N_KEPT
        found = find_row(&net.pairs, pair_key(key_before(tokens, i), tokens[i].key))
        if found == NULL:
            start_bytes(row, OF_PAIR)
            continue
        memcpy(row, found, OF_PAIR)
        at.sides[OF_SIDES * i] = found[OF_PAIR]
        if i:
            at.sides[OF_SIDES * i - 1] = found[OF_PAIR + 1]


cdef inline void keep_words(const NetworkView* net, const NetworkSentence* sentence,
                            const Lattice* lattice, SentenceNetwork* at) noexcept nogil:
    """Note the facts of all words, and keep the sums of new ones."""
    cdef NewWords words
    cdef int32_t i
    for i in range(lattice.n_words - 1):
        at.facts[i] = facts_of(lattice, sentence.tokens + i, i, i == sentence.initial)
        at.key[i] = kept_key(sentence.tokens[i].key, at.facts[i])
        if not meet_word(&at.kept, at.key[i], at.place + i):
            prefetch_row(&net.words, pair_key(0, sentence.tokens[i].key))
    words.n = 0
    for i in range(lattice.n_words - 1):
        if not find_sums(&at.kept, at.key[i], at.place + i):
            begin_word(net, sentence, i, &words, at)
            if words.n == WORDS_TOGETHER:
                keep_sums(net.units, &net.joined_kept, 1, &words, &at.kept)
    keep_sums(net.units, &net.joined_kept, 1, &words, &at.kept)


cdef inline bint has_pair(const uint8_t* row) noexcept nogil:
    """Whether some number of the pair is not 0."""
    cdef uint64_t part[2]
    memcpy(part, row + N_KEPT, OF_PAIR)
    return (part[0] ^ part[1]) != 0 or part[0] != <uint64_t>0x8080808080808080


cdef inline void run_direction(const NetworkView* net, const NetworkSentence* sentence,
                               int direction, int32_t first, int32_t last,
                               SentenceNetwork* at) noexcept nogil:
    """Compute the states of one direction from word `first` to word `last`, which may be less."""
    cdef int16_t sums[WORDS_TOGETHER][3 * MAX_STATE]
    cdef int16_t no_pair[3 * MAX_STATE]
    cdef const int16_t* of_pair
    cdef int16_t state[MAX_STATE]
    cdef uint8_t in_bytes[MAX_STATE]
    cdef const uint8_t* pair[WORDS_TOGETHER]
    cdef int16_t* into[WORDS_TOGETHER]
    cdef int32_t i = first, step = 1 if last >= first else -1, left = step * (last - first) + 1
    cdef int k, n, n_pairs, units = net.n_units, size = row_size(net)
    cdef uint8_t* row
    memset(no_pair, 0, sizeof(no_pair))
    memset(state, 0, sizeof(state))
    start_bytes(in_bytes, MAX_STATE)
    while left > 0:
        n = min(left, <int32_t>WORDS_TOGETHER)
        n_pairs = 0
        for k in range(n):
            row = at.rows + <size_t>(i + k * step) * size
            prefetch_bytes(sums_at(&at.kept, at.place[i + k * step]) + 3 * direction * units,
                           3 * units * sizeof(int16_t))
            if has_pair(row):
                pair[n_pairs] = row + N_KEPT
                into[n_pairs] = sums[n_pairs]
                n_pairs += 1
        sum_rest(&net.units[direction], pair, n_pairs, into)
        n_pairs = 0
        for k in range(n):
            row = at.rows + <size_t>(i + k * step) * size
            of_pair = no_pair
            if has_pair(row):
                of_pair = sums[n_pairs]
                n_pairs += 1
            next_state(&net.units[direction],
                       sums_of(net, sentence, i + k * step, at) + 3 * direction * units, of_pair,
                       state, in_bytes)
            memcpy(row + N_VECTOR + direction * units, in_bytes, units)
        i += n * step
        left -= n


cdef struct OpenWords:           # that are scored together
    int n                        # at most WORDS_TOGETHER
    int32_t word[WORDS_TOGETHER]
    const uint8_t* states[WORDS_TOGETHER]
    uint8_t pairs[WORDS_TOGETHER][OF_PAIRS]
    int32_t sums[WORDS_TOGETHER][N_UNITS_JOINED]     # so far


cdef inline void score_open_words(const NetworkView* net, OpenWords* open,
                                  float* score) noexcept nogil:
    """Score the cases of some words, N_NETWORK_CASES per word of the sentence; forget the list."""
    cdef int32_t* into[WORDS_TOGETHER]
    cdef const uint8_t* pairs[WORDS_TOGETHER]
    cdef float* out
    cdef int w
    for w in range(open.n):
        into[w] = open.sums[w]
        pairs[w] = open.pairs[w]
    add_byte_products(&net.joined_states, <const uint8_t**>open.states, open.n, into)
    add_byte_products(&net.joined_pairs, pairs, open.n, into)
    for w in range(open.n):
        out = score + <size_t>open.word[w] * N_NETWORK_CASES
        memcpy(out, net.out_bias, N_NETWORK_CASES * sizeof(float))
        add_outputs(open.sums[w], net.out, N_UNITS_JOINED, out)
    open.n = 0


cdef inline void join_states(const NetworkView* net, const NetworkSentence* sentence,
                             const Lattice* lattice, int32_t first, int32_t last,
                             SentenceNetwork* at) noexcept nogil:
    """Score the open words from `first` to `last`."""
    cdef OpenWords open
    cdef int32_t i
    cdef int k, size = row_size(net)
    cdef const uint8_t* row
    cdef const int16_t* kept
    open.n = 0
    for i in range(first, last + 1):
        if not is_open_word(lattice, i):
            continue
        row = at.rows + <size_t>i * size
        kept = sums_of(net, sentence, i, at) + 6 * net.n_units
        for k in range(N_UNITS_JOINED):
            open.sums[open.n][k] = net.joined_bias[k] + kept[k] * (1 << SUM_SHIFT)
        open.word[open.n] = i
        open.states[open.n] = row + N_VECTOR
        memcpy(open.pairs[open.n], row + N_KEPT, OF_PAIR)
        if i + 2 < lattice.n_words:
            memcpy(open.pairs[open.n] + OF_PAIR, row + size + N_KEPT, OF_PAIR)
        else:
            start_bytes(open.pairs[open.n] + OF_PAIR, OF_PAIR)
        open.n += 1
        if open.n == WORDS_TOGETHER or i == last:
            score_open_words(net, &open, at.score)


# Words that their neighbours settle


# A side of a pair, what it says of one of its words: 0 for nothing, or 1, the number of the case
# that the word mostly got, and four times the log odds of that case, in quarters of a nat.
cdef enum:
    SETTLED_BY_BOTH = 32         # quarters of a nat, sides together
    SETTLED_BY_ONE = 24          # of one side, which the other does not contradict
    PUT_ASIDE = 500              # nats: off the other candidates, where posteriors need them


cdef inline int settled_case(const uint8_t* sides) noexcept nogil:
    """Number of the case that the pairs on both sides of a word settle, or -1."""
    cdef int k, of_side, odds, case = -1, total = 0, most = 0
    for k in range(OF_SIDES):
        if sides[k]:
            of_side = (sides[k] - 1) % N_NETWORK_CASES
            if case >= 0 and case != of_side:
                return -1
            case = of_side
            odds = (sides[k] - 1) // N_NETWORK_CASES
            total += odds
            most = max(most, odds)
    return case if total >= SETTLED_BY_BOTH or most >= SETTLED_BY_ONE else -1


cdef inline bint may_drop(const NetworkSentence* sentence, const Lattice* lattice, int32_t word,
                          int case) noexcept nogil:
    """Whether an open word may lose all candidates but that of a case.

    No rule favours one, nor does a list of names, unless it is a name of this case.
    """
    cdef const Node* node
    cdef int32_t c
    if not is_open_word(lattice, word) or (
            sentence.named != NULL and sentence.named[word].kind
            and case_number(sentence.named[word].tag) != case):
        return False
    for c in range(lattice.first_node[word], lattice.first_node[word + 1]):
        node = lattice.nodes + c
        if node.form_bonus != 0 or node.speech_bonus != 0 or node.tag == TAG_AN:
            return False
    return True


cdef inline bint settle_word(Lattice* lattice, int32_t word, int case) noexcept nogil:
    """Put the candidates of other cases aside, if there is one of this case; whether there is."""
    cdef int32_t c, n = 0, first = lattice.first_node[word], end = lattice.first_node[word + 1]
    for c in range(first, end):
        n += case_number(lattice.nodes[c].tag) == case
    if n != 1:
        return False
    for c in range(first, end):
        if case_number(lattice.nodes[c].tag) != case:
            lattice.nodes[c].flags |= NODE_DROPPED
            lattice.nodes[c].score -= PUT_ASIDE
    return True


cdef inline void settle_words(const NetworkSentence* sentence, Lattice* lattice,
                              SentenceNetwork* at) noexcept nogil:
    """Settle words by the pairs that they stand in, and put their other candidates aside."""
    cdef int32_t i
    cdef int case
    at.has_open_word = False
    for i in range(lattice.n_words - 1):
        case = settled_case(at.sides + OF_SIDES * i)
        if i == 0 and sentence.initial < 0:
            case = -1            # the pair with the beginning knows sentences that begin with it
        if case >= 0 and may_drop(sentence, lattice, i, case) and not (
                sentence.tokens[i].flags & TOKEN_WEIGHED
                and case_number(sentence.tokens[i].tag) != case) and settle_word(lattice, i, case):
            at.has_dropped = True
        else:
            at.has_open_word = at.has_open_word or is_open_word(lattice, i)


# The network of a sentence


cdef inline void add_network_scores(const NetworkView* net, const NetworkSentence* sentence,
                                    Lattice* lattice, SentenceNetwork* at) noexcept nogil:
    """Add the network's scores to the candidates of the open words."""
    cdef int32_t i, c, n = lattice.n_words - 1, first_open = n, last_open = -1
    cdef const float* score
    for i in range(n):
        if is_open_word(lattice, i):
            first_open = min(first_open, i)
            last_open = i
    run_direction(net, sentence, 0, 0, last_open, at)
    run_direction(net, sentence, 1, n - 1, first_open, at)
    join_states(net, sentence, lattice, first_open, last_open, at)
    for i in range(first_open, last_open + 1):
        if is_open_word(lattice, i):
            score = at.score + <size_t>i * N_NETWORK_CASES
            for c in range(lattice.first_node[i], lattice.first_node[i + 1]):
                lattice.nodes[c].score += score[case_number(lattice.nodes[c].tag)]


cdef inline int score_sentence(const NetworkView* net, const NetworkSentence* sentence,
                               Lattice* lattice, SentenceNetwork* at) noexcept nogil:
    """Settle words by their pairs, and score the candidates of the others; a Status.

    `net` is active, and the same for all calls with `at`.
    """
    cdef int32_t n = lattice.n_words - 1
    cdef int status
    at.has_dropped = False
    at.has_open_word = lattice.n_nodes > lattice.n_words
    if not at.has_open_word:
        return STATUS_OK
    status = reserve_network(at, net.n_units, n)
    if status != STATUS_OK:
        return status
    fill_pairs(net, sentence.tokens, n, at)
    if sentence.may_settle:
        settle_words(sentence, lattice, at)
    at.has_open_word = at.has_open_word or not sentence.drops
    if at.has_open_word:
        keep_words(net, sentence, lattice, at)
    if at.has_dropped and sentence.drops:
        remove_dropped(lattice)
    if at.has_open_word:
        add_network_scores(net, sentence, lattice, at)
    return STATUS_OK
