"""The lattice: for each word the candidate forms (nodes) that GEN proposes.

A lattice is the span of one sentence. Word i's nodes are
``first_node[i] … first_node[i + 1] - 1``, never empty, at most ``MAX_CANDIDATES``. A node
carries the identity of its form for the n-gram look-ups on the edges, and `score`, the
weighted sum of all features that depend on the node alone.

Where a model learns when to capitalise the first word of a sentence, a lowercase form is
there twice, rendered AL and rendered IU: same identity, another `tag`, flag ``NODE_RAISED``.
"""

from libc.stddef cimport size_t
from libc.stdint cimport int32_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free

from truecase.runtime._memory cimport grow
from truecase.runtime._status cimport STATUS_OK, STATUS_OUT_OF_MEMORY


cdef enum:
    MAX_CANDIDATES = 64          # of a word: a mask has a bit for each
    # Of them, forms of a lexicon, the most frequent: room is left for AL, IU and AU (3), for what
    # a source proposes (8), for a listed name (1) or what speech has (1), and for a first word's
    # lowercase form that is raised (1).
    MAX_LEXICON_FORMS = 51


cdef enum NodeFlag:
    NODE_CLASS = 1               # the lexicon lacks the form: its class token stands for it
    NODE_UNSEEN = 2              # of those: the lexicon has other forms of the word
    NODE_PARTS = 4               # of those: hyphenated, and cased as its parts are by themselves
    NODE_RAISED = 8              # first word of a sentence: AL, but rendered with a capital
    NODE_SOURCE = 16             # proposed by the source sentence alone
    NODE_NAME = 32               # as a list of names has it
    NODE_FORCED = 64             # of those: no rule gives it a capital


cdef enum NodeState:             # what tag-transition weights on the edges tell apart
    STATE_START = 5              # <s>; 0 … 4 are the tags of the forms' identities
    STATE_END = 6                # </s>
    N_STATES = 8


cdef struct Node:
    uint64_t form                # form hash, or that of the class token that stands for it
    uint64_t upper_mask          # of an MX form: bit i set, code point i is upper case
    float lm                     # unigram log-probability of the form, natural log
    float backoff                # its unigram backoff, natural log
    float score                  # weighted node features, natural log
    float form_bonus             # of the score, what rules of forms add
    float speech_bonus           # what rules of speech add to it last of all
    uint8_t tag                  # Tag: the case to render
    uint8_t state                # NodeState: tag of the identity `form`, which may differ
    uint8_t flags                # NodeFlag
    uint8_t count                # code of the form's training count; 0 if not in the lexicon


cdef struct Lattice:
    Node* nodes
    int32_t* first_node          # n_words + 1 entries are valid
    uint8_t* beside              # 4 codes per word (`EdgeWeights`); read if those weights are used
    uint32_t* record             # 1 + place of each word's first form record; 0: unknown word
    int32_t n_words
    int32_t n_nodes
    int32_t word_capacity
    int32_t node_capacity


cdef inline size_t bytes_of_lattice(const Lattice* lattice) noexcept nogil:
    """Memory that is held."""
    return (<size_t>lattice.node_capacity * sizeof(Node)
            + <size_t>lattice.word_capacity * (sizeof(int32_t) + sizeof(uint32_t) + 4))


cdef inline int reserve_words(Lattice* lattice, int32_t n_words) noexcept nogil:
    """Room for `n_words` words with one node each; a Status."""
    cdef size_t wanted = <size_t>n_words + 2
    if lattice.word_capacity < n_words + 2:
        if (grow(<void**>&lattice.first_node, wanted, sizeof(int32_t)) != STATUS_OK
                or grow(<void**>&lattice.record, wanted, sizeof(uint32_t)) != STATUS_OK
                or grow(<void**>&lattice.beside, 4 * wanted, 1) != STATUS_OK):
            return STATUS_OUT_OF_MEMORY
        lattice.word_capacity = <int32_t>wanted
    return STATUS_OK


cdef inline int reserve_nodes(Lattice* lattice, int32_t extra) noexcept nogil:
    """Room for `extra` more nodes; a Status."""
    cdef size_t wanted
    if lattice.node_capacity - lattice.n_nodes >= extra:
        return STATUS_OK
    wanted = 2 * (<size_t>lattice.node_capacity + <size_t>extra)
    if wanted > <size_t>0x3fffffff:
        return STATUS_OUT_OF_MEMORY
    if grow(<void**>&lattice.nodes, wanted, sizeof(Node)) != STATUS_OK:
        return STATUS_OUT_OF_MEMORY
    lattice.node_capacity = <int32_t>wanted
    return STATUS_OK


cdef inline void free_lattice(Lattice* lattice) noexcept nogil:
    free(lattice.nodes)
    free(lattice.first_node)
    free(lattice.record)
    free(lattice.beside)
    lattice.record = NULL
    lattice.beside = NULL
    lattice.nodes = NULL
    lattice.first_node = NULL
    lattice.word_capacity = 0
    lattice.node_capacity = 0
