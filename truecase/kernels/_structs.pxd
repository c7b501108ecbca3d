"""The data of the walk: tokens, lattice, a model's arrays, the memory of a thread.

The functions on them stand in the modules named after them. A module that only hands these structs
on needs none of the functions, which is most of what it takes to translate a kernel.
"""

from libc.stdint cimport int16_t, int32_t, int64_t, int8_t, uint16_t, uint32_t, uint64_t, uint8_t

from truecase.base._memory cimport Arena
from truecase.kernels._schema cimport N_NODE_COLUMNS, N_SOURCE_COLUMNS


cdef struct KeySlot:
    uint64_t key
    uint32_t value_plus_one      # 0: empty


cdef struct KeyIndex:            # zeroed is empty and usable; freed by its owner
    KeySlot* slots
    uint64_t capacity            # 0 or a power of two, at most 3/4 filled
    uint64_t n


cdef struct PackedSlots:
    const uint8_t* data          # (n_slots * slot_bits + 7) / 8 + SLOT_PADDING bytes
    uint64_t n_slots             # < 2**32; 0: the table is empty and never read
    uint64_t slot_mask           # slot_bits ones
    uint64_t fingerprint_mask    # fingerprint_bits ones
    uint32_t slot_bits
    uint32_t fingerprint_bits
    uint32_t max_probes          # no entry is farther from its home slot than max_probes - 1
    uint8_t* heads               # see `find_head`; may be NULL
    uint32_t head_shift


cdef enum WordClass:             # Agbago, Kuhn & Foster (2005), 3.4, in this precedence
    CLASS_QUANTITY = 0           # starts or ends with a digit
    CLASS_ACRONYM = 1            # has a single letter followed by a period: u.s.-based
    CLASS_HYPHENATED = 2         # alphabetic parts joined by hyphens
    CLASS_ALPHABETIC = 3         # letters, marks and apostrophes
    CLASS_OTHER = 4


cdef enum TokenFlag:
    TOKEN_SPACE_BEFORE = 1       # white space right before it, or it starts the line
    TOKEN_ASCII = 2              # every byte < 0x80
    TOKEN_CANONICAL = 4          # another spelling of a mark (_plain.pxd); rendered unchanged
    TOKEN_ENDS_SENTENCE = 8      # . ! ? … 。 and kin, as a token of its own
    TOKEN_CLOSES = 16            # closing quote or bracket, or undirected quote
    TOKEN_VARIANT = 32           # has ’ or &apos; for ', or ‐ or ‑ for -
    # of addresses, code and markup, see _spans.pxd
    TOKEN_KEEPS = 64             # rendered as given
    TOKEN_LOWERS = 128           # rendered in lower case, or as the source or lexicon has it
    TOKEN_MARKUP = 256           # a sentence may begin after it
    TOKEN_UNSURE = 512           # this and the next: within mark_spans only
    TOKEN_ADDRESS = 1024
    TOKEN_CUT_AFTER = 2048       # a sentence ends with it, without a mark
    TOKEN_SHARP_S = 4096         # has a ẞ: its lower case ß is never raised
    TOKEN_LETTERS = 8192         # has letters only; not all such tokens have the flag
    TOKEN_WEIGHED = 16384        # the case that it came in is weighed


cdef struct Token:
    uint64_t key                 # hash of the folded canonical form; invalid bytes as they are
    uint64_t upper_mask          # bit i < 63: code point i is upper or title; bit 63: a later one
    uint32_t start               # half-open byte span in the block
    uint32_t end
    uint8_t tag                  # Tag of the given case
    uint8_t word_class
    uint8_t n_code_points        # of the canonical form; saturates at 255
    uint16_t flags


cdef struct TokenArray:          # freed by its owner
    Token* tokens
    int32_t n
    int32_t capacity
    bint may_have_spans          # segmentation sets these two for mark_spans
    uint32_t spans_from          # none begins before this byte


cdef struct WordIndex:
    int32_t* first_token         # n_words + 1 entries; a word without tokens has an empty range
    int32_t n_words
    int32_t capacity


cdef enum:
    N_CLASSES = 5                # WordClass
    N_CLASS_TAGS = 4             # AL/AN, IU, AU, MX


cdef struct ClassForm:           # for all forms of a class and tag that the lexicon lacks
    uint64_t form                # identity in the n-gram tables
    float log_probability        # of the class token, natural log
    float log_backoff
    float log_word_given_class   # natural log, relative to the other tags of the class


cdef struct LexiconView:
    PackedSlots slots            # payload: 1 + index of the first record
    const uint32_t* records
    uint32_t n_records
    const float* probability_ln  # 256 values
    const float* backoff_ln      # 256 values
    ClassForm classes[N_CLASSES][N_CLASS_TAGS]
    float parts_bonus            # for an unknown hyphenated word cased as its parts are
    float unseen_form            # log-probability added to a class form of a known word
    bint turkic                  # the case mapping of its words
    int capital_rule             # CapitalRule


cdef enum:
    MAX_ORDER = 5


cdef struct NgramTable:
    PackedSlots slots
    uint32_t probability_mask
    uint32_t probability_bits
    uint32_t backoff_mask        # 0 in the highest order
    const float* probability_ln  # 2**probability_bits values, natural log; entry 0 is never used
    const float* backoff_ln      # 2**backoff_bits values, natural log


cdef struct NgramView:
    int order                    # 1 … MAX_ORDER; unigrams live in the lexicon
    # Every n-gram's first and last order - 1 words are n-grams too, and a backoff is 0 just if the
    # n-gram has no continuation: most look-ups of absent n-grams can be left out.
    bint closed
    NgramTable tables[MAX_ORDER + 1]   # tables[k]: n-grams of k words, 2 <= k <= order


cdef enum NodeFlag:
    NODE_CLASS = 1               # the lexicon lacks the form: it has the class token's identity
    NODE_UNSEEN = 2              # and the lexicon has other forms of the word
    NODE_PARTS = 4               # and hyphenated, cased as its parts are by themselves
    NODE_RAISED = 8              # a first word's lowercase form, rendered with a capital
    NODE_SOURCE = 16             # proposed by the source sentence alone
    NODE_NAME = 32               # the form in a list of names
    NODE_FORCED = 64             # and no rule gives it a capital
    NODE_DROPPED = 128           # put aside, as pairs settle the word: removed before a search


cdef enum NodeState:             # tags of identities, for the tag-transition weights of edges
    STATE_START = 5              # <s>; 0 … 4 are the tags of the forms' identities
    STATE_END = 6                # </s>
    N_STATES = 8


cdef struct Node:
    uint64_t form                # identity of the form, or of its class token
    uint64_t upper_mask          # of an MX form: bit i set, code point i is upper case
    float lm                     # unigram log-probability of the form, natural log
    float backoff                # its unigram backoff, natural log
    float score                  # weighted node features, natural log
    float form_bonus             # the part of the score that rules of forms add
    float speech_bonus           # the part that rules of speech add last
    uint8_t tag                  # Tag: the case to render
    uint8_t state                # NodeState: tag of the identity `form`
    uint8_t flags                # NodeFlag
    uint8_t count                # code of the form's training count; 0 if not in the lexicon


cdef struct Lattice:
    Node* nodes
    int32_t* first_node          # n_words + 1 entries are valid
    uint8_t* neighbour_case      # 4 codes per word (`EdgeWeights`); read if those weights are used
    uint32_t* record             # 1 + place of each word's first form record; 0: unknown word
    int32_t n_words
    int32_t n_nodes
    int32_t node_capacity
    Arena arena                  # of the arrays per word


cdef struct EdgeWeights:
    double lm                    # of the log-probability
    bint has_transitions
    double transition[N_STATES * N_STATES]     # added: [state of the word before, of the word]
    # Weights of the neighbours' case. A word has four codes, log-odds of upper case times 16,
    # plus 128: after upper case, after lower case, before upper case, before lower case.
    bint has_neighbour_case
    double after_case
    double before_case


# With one table probe per entry, log p(c | x_k … x_1) is table[k + 1](x_k … c) or, if that is
# absent, backoff(x_k … x_1) + log p(c | x_{k-1} … x_1). Of words passed over, only backoffs are
# needed, and only if the next word is not passed over.
cdef struct Level:
    float* score                 # log p(c | x_k … x_1), natural log
    float* backoff               # backoff of the (k+1)-gram (x_k … x_1, c), natural log
    uint64_t* hash               # hash of that (k+1)-gram; 0: a closed model does not have it
    int64_t* start               # word i's entries are start[i] … start[i + 1] - 1


cdef struct Edges:
    Level level[MAX_ORDER]
    int32_t* width               # candidates considered, per word
    int32_t* depth               # highest level filled, per word; -1: none
    bint* has_choice             # per word: not passed over
    Arena arena                  # of the sentence: these arrays, and those of the search


cdef struct Viterbi:
    Edges edges
    uint8_t** backpointer        # per word and state the candidate that leaves; NULL: the only one
    float** weighted             # per word its edges, lm and transitions weighted and added up
    int32_t* path                # chosen candidate per word


# Columns of candidates
cdef enum:
    MAX_MARKS = 96
    MARK_SLOTS = 256             # a power of two


cdef struct DenseView:
    bint is_active
    float weight[N_NODE_COLUMNS]
    float mark_weight[MAX_MARKS]
    int n_marks                  # the last is that of all others
    uint64_t mark_key[MARK_SLOTS]
    int8_t mark_slot[MARK_SLOTS]               # mark number, -1: empty
    float unknown_tag_ln[N_CLASSES][N_CLASS_TAGS]    # Π: log P(tag | class)
    double unknown_tag[N_CLASSES][N_CLASS_TAGS]      # P(tag | class), not below e^-MAX_LN_ODDS
    float count[256]             # training count of each count code
    const uint8_t* shift         # 4 codes for each record and 6 more (evidence.py); NULL: none
    uint32_t n_records
    const uint8_t* neighbour_case   # likewise 4 codes (`EdgeWeights`); NULL: none
    const uint8_t* suffixes      # the table of suffixes; NULL: none
    bint turkic


cdef struct KeptSums:            # of a network, for words that may return (`_kept_sums.pxd`)
    size_t n_words               # a power of two
    size_t n_sums                # of a word
    uint64_t* key                # of each word, 0 for none
    uint8_t* distance            # how late each likely returns
    int16_t* sums


cdef struct SentenceNetwork:     # of a sentence; the memory of one thread, for one network
    Arena arena                  # of the arrays per word, of one sentence
    uint8_t* rows                # per word: its vector, forward state, backward state
    uint64_t* facts              # per word: what is known about it
    uint64_t* key                # per word: of the sums that are kept for it
    uint32_t* place              # per word: where these were, unless another word took the place
    float* score                 # per word and case: the amount added, if the word is open
    uint8_t* sides               # per word: what the pairs with the words beside it settle
    bint has_open_word
    bint has_dropped
    KeptSums kept


cdef enum:
    N_BANDS = 16                 # of training counts: 1, 2-3, 4-7, … 32768 and above


# Nodes hold log Φ (times β) or log Π; edges get θ's part in place of the language model's p. A path
# adds up to log Ω or, with ``joint``, to log Ω + log P(word | words before), the sum of p over the
# word's forms: the product then scores p · Φ, as SRILM's ``disambig``, and a form pays for making
# the next word unlikely. From left to right both choose the same.
cdef struct Omega:
    bint is_active
    int variant                  # Variant
    bint joint
    bint left_to_right
    const uint8_t* case_code     # per lexicon record: code of its form's log Φ
    const float* case_ln         # 256 values
    float unknown_ln[N_CLASSES][N_CLASS_TAGS]    # log Π
    float unseen_ln              # log Φ of a form that training never saw, of a word that it did
    float lm_share               # λ
    float alpha[N_BANDS]
    float beta[N_BANDS]
    float count[256]             # training count of each count code


cdef struct DomainView:
    bint is_active
    LexiconView lexicon
    NgramView lm                 # of the same order
    Node start
    Node end
    double weight_ln             # log m
    double rest_ln               # log (1 - m)


cdef struct NamesView:
    bint is_active
    const KeyIndex* states
    # A filter, as names are rare: the bit of a unit's key is set if a name begins with it; that of
    # a state if it is a name of one unit, or the first two units of a name.
    const uint64_t* filter
    uint64_t filter_mask
    const uint8_t* text          # all names, padded
    const uint32_t* starts       # n + 1 places in it
    const uint8_t* kinds         # NameKind of each
    float bonus[2][2]            # of a NAME_LIKELY candidate: of several words, unknown form
    float lower_bonus            # of such a candidate in lower case


cdef struct NamedToken:
    uint64_t upper_mask
    int32_t first                # tokens of the mention of the name, half-open
    int32_t last
    uint8_t kind                 # NameKind
    uint8_t tag


cdef struct NamedTokens:         # freed by its owner
    NamedToken* tokens           # one for each token of the piece
    int64_t capacity
    bint any                     # the piece has names


# What a lexicon says about a word.
ctypedef bint (*AboutWord)(const void* words, const Token* token) noexcept nogil


cdef struct KnownWords:          # facts about words that decide where a sentence ends
    const void* words
    AboutWord is_abbreviation
    AboutWord is_never_alone     # no sentence by itself, as a name; called for abbreviations only
    # Whether the capital of a word behind an abbreviation is that of a new sentence:
    # ``Apple Inc. The company``. NULL if the case of the text is not reliable.
    AboutWord begins


cdef enum:
    KEY_WORDS = 4                # a power of two


cdef struct SourceForm:          # identities of a source token for look-ups
    uint64_t form                # identity of its surface form, as `Node.form`
    uint64_t key


cdef struct PairSource:          # a form of the phrase, with values of the translation tables
    SourceForm source
    float backoff                # share of p(. | F) for unseen pairs, of surface forms
    float lower_backoff          # the same of lowercase forms


cdef struct SourceLine:          # of one thread, reused; zeros at first
    TokenArray tokens
    WordIndex words
    SourceForm* forms            # one per token
    int32_t* phrase              # tokens of the selected phrase, rising
    int32_t n_phrase
    int selected                 # Selected
    bint is_looked_up            # the next three are valid
    PairSource* pairs            # forms of the phrase, each once
    int32_t* pair                # for each token of the phrase its number among them
    int32_t n_pairs
    uint64_t keys[KEY_WORDS]     # a filter: bits of the tokens' keys
    Arena arena                  # of forms, phrase, pairs and pair


cdef enum:
    N_KINDS = 3                  # Cython 3.2 takes no members of named enums as sizes


cdef struct NounWords:
    KeyIndex words               # key of a word → its value
    int32_t fewest_words[2]      # of a line of another language: without and with a likely word


cdef enum:
    MAX_SAME = 4                 # copies of a word in the source that are kept


cdef struct AlignedText:         # of a block; owns nothing
    const uint8_t* source        # lines separated by LF; 16 bytes more are readable
    uint32_t source_size
    int64_t n_lines              # 0: no source
    # As in `truecase.alignment.lines.Phrases`; NULL: no line is aligned.
    const int64_t* line_offsets
    const int64_t* offsets
    const int32_t* links
    const uint8_t* unaligned


cdef struct SourcePhrase:        # summary of a target token's phrase
    uint8_t tags                 # a bit per Tag of its words with case
    uint8_t inner_tags           # the same without the source sentence's first word with case
    uint8_t main_tag             # tag of its first word with case; TAG_AN: none
    uint8_t is_aligned           # 0: no source word is aligned with it, or the line is not
    uint8_t starts_upper         # its first word with case begins with a capital
    uint8_t all_upper            # all its words with case are AU, at least one is
    uint8_t n_same               # forms of copies of the target word
    uint8_t copy_is_first        # the only one is the source sentence's first word
    uint8_t copy_is_in_run       # see `is_in_run`
    uint8_t same_tag[MAX_SAME]
    uint64_t same_mask[MAX_SAME]
    int32_t main_place           # of its first word with case, else of its first token; or -1


cdef struct SentenceCase:        # of the source sentence
    uint8_t first_tag            # of its first word with case; TAG_AN: none
    uint8_t all_upper            # it is in upper case, and no acronym
    uint8_t upper_share          # quarters of the words after the first that have a capital: 0 … 4
    int32_t first_token          # its first word with case, or -1
    uint8_t letters              # Letters of most of its text
    uint8_t kind                 # SourceKind


cdef struct SourceSide:          # of one thread, reused; zeros at first
    const AlignedText* aligned   # NULL: monolingual
    uint32_t position            # of the next line in the source text
    int64_t line_number          # of the present line, from 0
    int32_t words_before         # words of the target line in earlier pieces
    bint is_whole
    bint turkic
    const NounWords* noun_words  # NULL: weights do not depend on the kind of the source
    SourceLine line
    SentenceCase sentence
    const uint8_t* text          # of the target's piece
    const TokenArray* tokens     # of the target's piece
    WordIndex words              # of the target's piece
    int32_t* word_of             # per target token
    SourcePhrase* phrase         # per target token
    Arena arena                  # of these two


cdef enum:
    N_TAGS = 5                   # Tag


cdef struct TranslationTable:
    PackedSlots slots            # payload: a code, 0 in an empty slot
    uint32_t code_mask
    const float* value           # code_mask + 1 probabilities above 0; entry 0 is unused
    float unknown                # continuation probability of a target without entry


cdef struct TablesView:
    TranslationTable cased       # of surface forms
    TranslationTable lower       # of lowercase keys
    float tag[N_TAGS][N_TAGS]    # p(target tag | source tag), the source's first
    bint present


cdef struct SourceModel:
    bint is_active
    bint turkic                  # casing of the source language
    bint target_turkic
    # By kind of the source line, and whether it is aligned. Without `noun_words` kinds are unknown.
    float weight[N_KINDS][2][N_SOURCE_COLUMNS]
    const NounWords* noun_words
    TablesView tables


cdef enum:
    N_SEVERAL = 10               # weights of words with several forms
    N_ONE = 7                    # and with one


cdef struct CalibrationView:
    bint is_active
    double several[N_SEVERAL]
    double one[N_ONE]
