"""The compiled model: owns a model's arrays and cases blocks of text with them.

Everything that runs per word is in the ``.pxd`` files this module includes by cimport; here
are the loop over the lines of a block, the memory of one thread, and the boundary at which
status codes become exceptions.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.math cimport log, log1p
from libc.stdint cimport int8_t, int32_t, uint8_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memcpy, memset

import numpy as np

from truecase._status cimport (
    STATUS_OK,
    STATUS_OUT_OF_MEMORY,
    STATUS_TOO_LONG,
    ErrorInfo,
)
from truecase.crf._features cimport (
    MARK_SLOTS,
    MAX_MARKS,
    N_NODE_COLUMNS,
    CoarseModel,
    score_nodes,
)
from truecase.crf._suffix cimport SUFFIX_BYTES
from truecase.crf.fine._templates cimport (
    MAX_FIELDS,
    MAX_TEMPLATES,
    N_FIELDS,
    free_view,
)
from truecase.crf.fine._weights cimport (
    MAX_ROWS,
    MAX_UNITS,
    N_FINE_TAGS,
    FineWeights,
    HiddenLayer,
    add_fine_scores,
)
from truecase.decode._edges cimport free_edges, score_edges
from truecase.decode._mixture cimport add_domain_forms, score_mixture
from truecase.decode._viterbi cimport free_viterbi, search_edges
from truecase.lattice._gen cimport add_candidates, add_given_form, drop_raised, raise_initial
from truecase.lattice._lattice cimport (
    N_STATES,
    STATE_END,
    STATE_START,
    Lattice,
    Node,
    free_lattice,
    reserve_nodes,
    reserve_words,
)
from truecase.lexicon._lexicon cimport (
    FORM_LAST,
    FORM_TAG,
    N_CLASS_TAGS,
    N_CLASSES,
    LexiconView,
    first_record,
)
from truecase.lexicon._special cimport class_form, sentence_end_form, sentence_start_form
from truecase.ngram._table cimport (
    MAX_ORDER,
    PackedSlots,
    point_at,
    prefetch,
    prefetch_slot,
)
from truecase.portage._omega cimport (
    N_BANDS,
    Omega,
    combine_edges,
    score_cases,
    walk_left_to_right,
)
from truecase.text._casing cimport TAG_AL, TAG_AN, TAG_AU, TAG_IU, TAG_MX
from truecase.text._render cimport ROOM_UPPER, case_room, is_bracket_escape
from truecase.text._segment cimport (
    CLASS_OTHER,
    CLASS_QUANTITY,
    Token,
    TokenArray,
    render_token,
    segment_line,
)

from truecase.modelfile.errors import ModelError


cdef enum:
    # A line longer than this is decoded in pieces, cut at white space.
    MAX_PIECE = 1 << 17
    # Blocks are copied to a padded buffer in parts of about this size, whole lines each.
    MAX_PART = 1 << 18
    # Tables filled to 95 % stay far below it; a file that asks for more would cost minutes a line.
    MAX_PROBES = 1 << 16


cdef void free_workspace(Workspace* work) noexcept nogil:
    free(work.tokens.tokens)
    free_lattice(&work.lattice)
    free_viterbi(&work.viterbi)
    free_lattice(&work.mirror)
    free_edges(&work.mirror_edges)
    free_view(&work.view)
    free(work.text)
    free(work.out)
    memset(work, 0, sizeof(Workspace))


cdef inline int reserve_out(Workspace* work, size_t extra) noexcept nogil:
    cdef size_t wanted = work.out_size + extra
    cdef void* grown
    if wanted <= work.out_capacity:
        return STATUS_OK
    wanted += wanted >> 1
    grown = realloc(work.out, wanted)
    if grown == NULL:
        return STATUS_OUT_OF_MEMORY
    work.out = <uint8_t*>grown
    work.out_capacity = wanted
    return STATUS_OK


cdef inline int add_special(Lattice* lattice, const Node* node) noexcept nogil:
    cdef int status = reserve_nodes(lattice, 1)
    if status != STATUS_OK:
        return status
    lattice.nodes[lattice.n_nodes] = node[0]
    lattice.n_nodes += 1
    return STATUS_OK


cdef inline void constrain_initial(Lattice* lattice, int32_t first) noexcept nogil:
    """Take AL away from the nodes first … n_nodes - 1, those of a sentence's first word.

    If it is the only one, it is rendered IU but keeps its identity in the language model.
    """
    cdef int32_t i, kept = first
    for i in range(first, lattice.n_nodes):
        if lattice.nodes[i].tag != TAG_AL:
            lattice.nodes[kept] = lattice.nodes[i]
            kept += 1
    if kept == first:
        lattice.nodes[first].tag = TAG_IU
        kept += 1
    lattice.n_nodes = kept


cdef inline int line_case(const uint8_t* text, const TokenArray* tokens,
                          bint turkic) noexcept nogil:
    """INPUT_IGNORE for a line whose letters all have the same case, INPUT_AUTO for a mixed one."""
    cdef bint lower = False, upper = False
    cdef int32_t i
    cdef int tag
    for i in range(tokens.n):
        tag = tokens.tokens[i].tag
        if tag == TAG_AL:
            lower = True
        elif tag == TAG_AU:
            upper = True
        elif tag == TAG_IU:
            upper = True
            if case_room(text, tokens.tokens + i, turkic) & ROOM_UPPER:
                lower = True
        elif tag == TAG_MX:
            lower = upper = True
        if lower and upper:
            return INPUT_AUTO
    return INPUT_IGNORE


cdef int build_lattice(const Model* model, const uint8_t* text, int32_t first, int32_t end,
                       int input_case, bint at_start, Workspace* work,
                       int32_t* first_cased) noexcept nogil:
    """GEN for the tokens first … end - 1 of ``work.tokens``; a Status.

    ``work.lattice`` gets a word for each of them and one for ``</s>``. With `at_start` they
    begin a sentence, and `first_cased` is set to the token, -1 if there is none, that is
    capitalised in the way the model wants it.
    """
    cdef Lattice* lattice = &work.lattice
    cdef const Token* tokens = work.tokens.tokens
    cdef const Token* token
    cdef int32_t i, n_words = end - first + 1
    cdef uint32_t index
    cdef int status = reserve_words(lattice, n_words)
    first_cased[0] = -1
    if status != STATUS_OK:
        return status
    lattice.n_words = n_words
    lattice.n_nodes = 0
    if at_start and model.initial != INITIAL_NONE:
        for i in range(first, end):
            if tokens[i].tag != TAG_AN:
                if tokens[i].word_class != CLASS_OTHER:
                    first_cased[0] = i
                break
            if tokens[i].word_class == CLASS_QUANTITY:
                break
    for i in range(first, end):
        prefetch_slot(&model.lexicon.slots, tokens[i].key)
    for i in range(first, end):
        index = first_record(&model.lexicon, tokens[i].key)
        lattice.record[i - first] = index
        prefetch(model.lexicon.records + (index - 1 if index else 0))
    for i in range(first, end):
        token = tokens + i
        lattice.first_node[i - first] = lattice.n_nodes
        if input_case == INPUT_IGNORE or (
            token.tag == TAG_AL or token.tag == TAG_AN if input_case == INPUT_KEEP
            else i == first_cased[0]
        ):
            status = add_candidates(lattice, &model.lexicon, text, token,
                                    lattice.record[i - first], model.full_gen, model.turkic)
            if status != STATUS_OK:
                return status
            if model.domain.is_active:
                status = add_domain_forms(lattice, &model.lexicon, &model.domain.lexicon, token,
                                          lattice.first_node[i - first])
                if status != STATUS_OK:
                    return status
            if model.most_frequent:
                lattice.n_nodes = lattice.first_node[i - first] + 1
            if i == first_cased[0]:
                if model.initial == INITIAL_CONSTRAIN:
                    constrain_initial(lattice, lattice.first_node[i - first])
                elif model.initial == INITIAL_LEARN:
                    status = raise_initial(lattice, text, token, lattice.first_node[i - first],
                                           model.turkic)
                    if status != STATUS_OK:
                        return status
        else:
            status = add_given_form(lattice, &model.lexicon, token, lattice.record[i - first])
            if status != STATUS_OK:
                return status
    lattice.first_node[n_words - 1] = lattice.n_nodes
    status = add_special(lattice, &model.end)
    if status != STATUS_OK:
        return status
    lattice.first_node[n_words] = lattice.n_nodes
    return STATUS_OK


cdef int score_lm(const Model* model, int32_t first, Workspace* work) noexcept nogil:
    cdef int status = score_edges(&model.lm, &work.lattice, &model.start, &work.viterbi.edges)
    if status == STATUS_OK and model.domain.is_active:
        status = score_mixture(&model.domain, &model.lm, &model.lexicon, &work.lattice,
                               work.tokens.tokens + first, &work.mirror, &work.mirror_edges,
                               &work.viterbi.edges)
    return status


cdef int weigh_lattice(const Model* model, const uint8_t* text, int32_t first, int32_t end,
                       int32_t first_cased, bint for_search, Workspace* work) noexcept nogil:
    cdef int status = STATUS_OK
    if model.coarse.is_active:
        score_nodes(&model.coarse, &model.lexicon, &work.lattice, text,
                    work.tokens.tokens + first, first_cased - first if first_cased >= 0 else -1)
        if for_search and first_cased >= 0:
            drop_raised(&work.lattice, first_cased - first)
    if model.omega.is_active:
        score_cases(&model.omega, &model.lexicon, work.tokens.tokens + first, &work.lattice)
    if model.fine.present:
        status = add_fine_scores(&model.fine, text, work.tokens.tokens + first, end - first,
                                 first_cased - first if first_cased >= 0 else -1,
                                 model.turkic, &work.lattice, &work.view)
    if status == STATUS_OK and model.lm.order > 1:
        status = score_lm(model, first, work)
    if status == STATUS_OK and model.omega.is_active:
        combine_edges(&model.omega, model.lm.order, &work.lattice, &work.viterbi.edges)
    return status


cdef int find_path(const Model* model, Workspace* work) noexcept nogil:
    if model.omega.is_active and model.omega.left_to_right and model.lm.order > 1:
        return walk_left_to_right(model.lm.order, &work.lattice, &work.viterbi)
    return search_edges(model.lm.order, &model.edge_weights, &work.lattice, &model.start,
                        &work.viterbi)


cdef int case_sentence(const Model* model, const uint8_t* text, int32_t first, int32_t end,
                       int input_case, bint at_start, Workspace* work) noexcept nogil:
    """Decode the tokens first … end - 1 and leave the chosen nodes in the lattice's path; a Status.

    With `at_start` the sentence's first word with a letter is capitalised as the model wants it.
    """
    cdef Lattice* lattice = &work.lattice
    cdef Node* node
    cdef int32_t first_cased
    cdef int status = build_lattice(model, text, first, end, input_case, at_start, work,
                                    &first_cased)
    if status == STATUS_OK:
        status = weigh_lattice(model, text, first, end, first_cased, True, work)
    if status == STATUS_OK:
        status = find_path(model, work)
    if status != STATUS_OK:
        return status
    if first_cased >= 0 and model.initial == INITIAL_RESTORE:
        first_cased -= first
        node = lattice.nodes + lattice.first_node[first_cased] + work.viterbi.path[first_cased]
        if node.tag == TAG_AL:
            node.tag = TAG_IU
    return STATUS_OK


cdef int case_piece(const Model* model, const uint8_t* text, uint32_t begin, uint32_t end,
                    int input_case, bint starts_line, Workspace* work) noexcept nogil:
    """Case one line, or a piece of a very long one, and append it to the output; a Status."""
    cdef TokenArray* tokens = &work.tokens
    cdef const Token* token
    cdef const Node* node
    cdef int32_t j, last, first = 0
    cdef uint32_t copied = begin
    cdef bint at_start = starts_line
    cdef int status = segment_line(text, begin, end, model.segmentation, model.turkic, tokens)
    if status == STATUS_OK:
        status = reserve_out(work, 2 * <size_t>(end - begin) + 4 * <size_t>tokens.n + 16)
    if status != STATUS_OK:
        return status
    if input_case == INPUT_AUTO:
        input_case = line_case(text, tokens, model.turkic)
    while first < tokens.n:
        last = sentence_end(&model.lexicon, tokens, first)
        status = case_sentence(model, text, first, last, input_case, at_start, work)
        if status != STATUS_OK:
            return status
        for j in range(first, last):
            token = tokens.tokens + j
            node = (work.lattice.nodes + work.lattice.first_node[j - first]
                    + work.viterbi.path[j - first])
            if node.tag == TAG_AN:
                if not is_bracket_escape(text, token):
                    continue
            elif node.tag == token.tag and node.tag != TAG_MX:
                continue
            memcpy(work.out + work.out_size, text + copied, token.start - copied)
            work.out_size += token.start - copied
            work.out_size += render_token(text, token, node.tag, node.upper_mask, model.turkic,
                                          work.out + work.out_size)
            copied = token.end
        first = last
        at_start = True
    memcpy(work.out + work.out_size, text + copied, end - copied)
    work.out_size += end - copied
    return STATUS_OK


cdef inline bint is_space(uint8_t byte) noexcept nogil:
    return byte == 0x20 or (byte >= 0x09 and byte <= 0x0d)


cdef int case_part(const Model* model, uint32_t size, int input_case, Workspace* work,
                   ErrorInfo* error) noexcept nogil:
    """Case the whole lines in ``work.text[:size]``; a Status."""
    cdef const uint8_t* text = work.text
    cdef uint32_t begin = 0, end, cut, piece
    cdef const void* newline
    cdef bint starts_line
    cdef int status
    while begin < size:
        newline = memchr(text + begin, 0x0a, size - begin)
        end = size if newline == NULL else <uint32_t>(<const uint8_t*>newline - text)
        error.line += 1
        piece = begin
        starts_line = True
        while True:
            cut = end
            if end - piece > MAX_PIECE:
                cut = piece + MAX_PIECE
                while cut < end and not is_space(text[cut]):
                    cut += 1
            status = case_piece(model, text, piece, cut, input_case, starts_line, work)
            if status != STATUS_OK:
                return status
            starts_line = False
            piece = cut
            if piece == end:
                break
        status = reserve_out(work, 1)
        if status != STATUS_OK:
            return status
        if end < size:
            work.out[work.out_size] = 0x0a
            work.out_size += 1
        begin = end + 1
    return STATUS_OK


cdef int case_all(const Model* model, const uint8_t* block, size_t size, int input_case,
                  Workspace* work, ErrorInfo* error) noexcept nogil:
    """Case a block into ``work.out``; a Status, its line in `error`."""
    cdef size_t done = 0, part
    cdef const void* newline
    cdef void* grown
    work.out_size = 0
    error.line = 0
    while done < size:
        part = size - done
        if part > MAX_PART:
            newline = memchr(block + done + MAX_PART, 0x0a, size - done - MAX_PART)
            if newline != NULL:
                part = <const uint8_t*>newline - (block + done) + 1
        if part + TEXT_PADDING > <size_t>0x7fffffff:
            error.line += 1
            return STATUS_TOO_LONG
        if work.text_capacity < part + TEXT_PADDING:
            grown = realloc(work.text, part + TEXT_PADDING)
            if grown == NULL:
                return STATUS_OUT_OF_MEMORY
            work.text = <uint8_t*>grown
            work.text_capacity = part + TEXT_PADDING
        memcpy(work.text, block + done, part)
        memset(work.text + part, 0x0a, TEXT_PADDING)
        error.status = case_part(model, <uint32_t>part, input_case, work, error)
        if error.status != STATUS_OK:
            return error.status
        done += part
    return STATUS_OK


cdef class _Workspace:
    """Owner of one thread's memory."""

    cdef Workspace memory

    def __cinit__(self):
        memset(&self.memory, 0, sizeof(Workspace))

    def __dealloc__(self):
        free_workspace(&self.memory)


INPUT_CASES = {"ignore": INPUT_IGNORE, "keep": INPUT_KEEP, "auto": INPUT_AUTO}
_INITIALS = {"none": INITIAL_NONE, "constrain": INITIAL_CONSTRAIN, "restore": INITIAL_RESTORE,
             "learn": INITIAL_LEARN}
_SEGMENTATIONS = {"space": 0, "raw": 1}
# Sums over ten thousand words of products with such weights stay finite.
_MAX_WEIGHT = 1e6
# A workspace that has grown past this is given back instead of being kept for the next block.
_KEEP_BYTES = 8 << 20


cdef class CompiledModel:
    """A model's arrays and the kernels that run over them.

    Parameters
    ----------
    arrays : mapping of str to ndarray
        As `truecase.modelfile.layout` names them. They are kept, not copied; they may be
        read-only views of a mapped file.
    settings : mapping
        The ``"decoder"`` section of the model's metadata.

    Raises
    ------
    ModelError
        If an array is missing, of the wrong type or length, or a setting is out of range:
        nothing in a model can make a kernel read outside its arrays.
    """

    def __init__(self, arrays, settings):
        # Views that an earlier __init__ left behind stay owned until the new ones stand.
        owners = []
        cdef Model model
        memset(&model, 0, sizeof(Model))
        _fill_model(&model, _Source(arrays, settings, owners))
        self.model = model
        self._owners = owners
        self._workspaces = []

    def case_block(self, block, str input_case="ignore"):
        """Case every line of a block of text.

        Parameters
        ----------
        block : bytes-like
            UTF-8 text, lines separated by LF. Invalid bytes and NULs pass unchanged.
        input_case : {"ignore", "keep", "auto"}
            What the case of the input means: nothing; words with upper case stay; or by
            line, "ignore" for a line that is all upper or all lower, else all words but the
            first stay.

        Returns
        -------
        bytes
            As many lines, the same but for case.

        Raises
        ------
        ValueError
            Unknown `input_case`, or a line of 2 GiB or more.
        MemoryError
        """
        cdef const uint8_t[::1] view = _as_bytes(block)
        cdef int mode = _choice(INPUT_CASES, input_case, "input_case")
        cdef _Workspace work
        cdef ErrorInfo error
        cdef int status = STATUS_OK
        cdef size_t size = view.shape[0]
        if self._owners is None:
            raise ModelError("this model was not initialised")
        if size == 0:
            return b""
        try:
            work = self._workspaces.pop()
        except IndexError:
            work = _Workspace()
        with nogil:
            status = case_all(&self.model, &view[0], size, mode, &work.memory, &error)
        if status == STATUS_OUT_OF_MEMORY:
            raise MemoryError(f"no memory left at line {error.line} of the block")
        if status != STATUS_OK:
            raise ValueError(f"line {error.line} of the block is 2 GiB or longer")
        out = PyBytes_FromStringAndSize(<char*>work.memory.out, work.memory.out_size)
        if work.memory.out_capacity + work.memory.text_capacity < _KEEP_BYTES:
            self._workspaces.append(work)
        return out

    def counts(self, block):
        """Training counts of the words of a block, whatever their case.

        Parameters
        ----------
        block : bytes-like
            White-space separated words.

        Returns
        -------
        list of int
            One count per token, rounded to the model's resolution (about 5 %); 0 for a word
            not seen in training or left out of the model.
        """
        cdef const uint8_t[::1] view = _as_bytes(bytes(block) + b"\0" * TEXT_PADDING)
        cdef TokenArray tokens
        cdef uint32_t index, record
        cdef int32_t i
        cdef double total
        cdef int status
        memset(&tokens, 0, sizeof(TokenArray))
        try:
            with nogil:
                status = segment_line(&view[0], 0, <uint32_t>(view.shape[0] - TEXT_PADDING),
                                      self.model.segmentation, self.model.turkic, &tokens)
            if status != STATUS_OK:
                raise MemoryError("no memory left to segment the words")
            counts = []
            for i in range(tokens.n):
                total = 0.0
                index = first_record(&self.model.lexicon, tokens.tokens[i].key)
                while index:
                    record = self.model.lexicon.records[index - 1]
                    total += 2.0 ** ((record >> 24) / 8.0) - 1.0
                    index += 3 if record & FORM_TAG == TAG_MX else 1
                    if record & FORM_LAST or index > self.model.lexicon.n_records:
                        break
                counts.append(round(total))
            return counts
        finally:
            free(tokens.tokens)


def _as_bytes(block):
    return memoryview(block).cast("B") if len(block) else memoryview(b"\0")[:0]


def _choice(choices, value, str name):
    try:
        return choices[value]
    except (KeyError, TypeError):
        known = ", ".join(choices)
        raise ValueError(f"{name} {value!r}: expected one of {known}") from None


class _Source:
    """Reads a model's arrays and settings, each checked as it is taken."""

    def __init__(self, arrays, settings, owners):
        self.arrays = arrays
        self.settings = settings
        self.owners = owners

    def array(self, name, dtype, n=None):
        try:
            array = self.arrays[name]
        except KeyError:
            raise ModelError(f"the array {name} is missing") from None
        dtype = np.dtype(dtype)
        if array.dtype != dtype or array.ndim != 1:
            raise ModelError(f"the array {name} is not a vector of {dtype}")
        if n is not None and array.shape[0] != n:
            raise ModelError(f"the array {name} has {array.shape[0]} entries, expected {n}")
        if not array.flags.c_contiguous or not array.flags.aligned:
            array = np.ascontiguousarray(array).copy()
        if dtype.kind == "f" and not np.isfinite(array).all():
            raise ModelError(f"the array {name} has an entry that is not a finite number")
        self.owners.append(array)
        return array

    def section(self, name):
        """The settings below one name."""
        settings = self.settings.get(name)
        if not isinstance(settings, dict):
            raise ModelError(f"the settings of {name} are missing")
        return _Source(self.arrays, settings, self.owners)

    def number(self, name, low, high):
        value = self.settings
        for part in name.split("."):
            if not isinstance(value, dict) or part not in value:
                raise ModelError(f"the setting {name} is missing")
            value = value[part]
        if isinstance(value, bool) or not isinstance(value, (int, float)):
            raise ModelError(f"the setting {name} is not a number")
        if not low <= value <= high:
            raise ModelError(f"the setting {name} is {value}, outside {low} … {high}")
        return value

    def names(self, section, name):
        """A list of different names."""
        values = self.settings.get(section)
        values = values.get(name) if isinstance(values, dict) else None
        if not isinstance(values, list) or not all(isinstance(value, str) for value in values):
            raise ModelError(f"the setting {section}.{name} is not a list of names")
        if len(set(values)) != len(values):
            raise ModelError(f"the setting {section}.{name} names something twice")
        return values

    def choice(self, name, choices):
        value = self.settings.get(name)
        if not isinstance(value, str) or value not in choices:
            raise ModelError(
                f"the setting {name} is {value!r}, expected one of {', '.join(choices)}"
            )
        return choices[value]


cdef int _fill_slots(PackedSlots* slots, source, str name, int payload_bits) except -1:
    """Check a packed table and point `slots` at it."""
    try:
        point_at(slots, source.array(f"{name}.slots", np.uint8),
                 int(source.number(f"{name}.n_slots", 0, 2**32 - 1)),
                 int(source.number(f"{name}.fingerprint_bits", 1, 32)), payload_bits,
                 int(source.number(f"{name}.max_probes", 0, MAX_PROBES)))
    except ValueError as error:
        raise ModelError(f"{name}: {error}") from None
    return 0


cdef int _fill_coarse(Model* model, source) except -1:
    """Weights by name, and what the node features need."""
    from truecase.crf import features
    from truecase.lexicon._forms import describe

    cdef CoarseModel* coarse = &model.coarse
    cdef int i, slot, n_marks
    cdef const float[::1] values
    cdef const uint8_t[::1] codes
    names = source.names("crf", "columns")
    values = source.array("crf.weights", np.float32, len(names))
    if np.abs(values).max(initial=0.0) > _MAX_WEIGHT:
        raise ModelError(f"the array crf.weights has an entry beyond ±{_MAX_WEIGHT:.0e}")
    try:
        weights = features.weight_vector(dict(zip(names, values)))
    except ValueError as error:
        raise ModelError(f"crf: {error}; a newer version of the package may have it") from None
    n_marks = 1 + len(features.MARKS)
    assert len(features.NODE_COLUMNS) == N_NODE_COLUMNS and n_marks <= MAX_MARKS
    model.edge_weights.lm = weights[0]
    for i in range(N_NODE_COLUMNS):
        coarse.weight[i] = weights[1 + i]
    coarse.n_marks = n_marks
    for i in range(n_marks):
        coarse.mark_weight[i] = weights[1 + N_NODE_COLUMNS + i]
    first = 1 + N_NODE_COLUMNS + n_marks
    for i, (before, now) in enumerate(features.transition_states(), first):
        model.edge_weights.transition[N_STATES * <int>before + <int>now] = weights[i]
        if weights[i]:
            model.edge_weights.has_transitions = True

    first += len(features.transition_columns())
    model.edge_weights.after_case = weights[first]
    model.edge_weights.before_case = weights[first + 1]
    if weights[first] or weights[first + 1]:
        model.edge_weights.has_beside = True
        # The search adds them where it adds transitions.
        model.edge_weights.has_transitions = True

    surfaces = [mark.encode() for mark in features.MARKS]
    blob = np.frombuffer(b"".join(surfaces) + bytes(16), np.uint8)
    offsets = np.cumsum([0, *map(len, surfaces)])
    keys = describe(blob, offsets, model.turkic)[0]
    memset(coarse.mark_slot, -1, sizeof(coarse.mark_slot))
    for i in range(n_marks - 1):
        slot = int(keys[i]) & (MARK_SLOTS - 1)
        while coarse.mark_slot[slot] >= 0:
            slot = (slot + 1) & (MARK_SLOTS - 1)
        coarse.mark_key[slot] = keys[i]
        coarse.mark_slot[slot] = <int8_t>i

    values = source.array("crf.unknown_tag_ln", np.float32, N_CLASSES * N_CLASS_TAGS)
    for i in range(N_CLASSES * N_CLASS_TAGS):
        coarse.unknown_tag_ln[i // N_CLASS_TAGS][i % N_CLASS_TAGS] = values[i]
    for i in range(256):
        coarse.count[i] = 2.0 ** (i / 8.0) - 1.0
    coarse.turkic = model.turkic
    coarse.n_records = model.lexicon.n_records
    if "crf.shift" in source.arrays:
        codes = source.array("crf.shift", np.uint8, 4 * (model.lexicon.n_records + N_CLASSES + 1))
        coarse.shift = &codes[0]
    if "crf.beside" in source.arrays:
        codes = source.array("crf.beside", np.uint8, 4 * (model.lexicon.n_records + N_CLASSES + 1))
        coarse.beside = &codes[0]
    if "crf.suffixes" in source.arrays:
        codes = source.array("crf.suffixes", np.uint8, SUFFIX_BYTES)
        coarse.suffixes = &codes[0]
    coarse.is_active = True
    return 0


cdef int _fill_fine(Model* model, source) except -1:
    """Templates, weight tables and hidden layer of fine features."""
    cdef FineWeights* fine = &model.fine
    cdef const uint8_t[::1] numbers
    cdef const float[::1] values
    cdef int t, f, n, bits
    fine.templates.n = int(source.number("fine.n_templates", 0, MAX_TEMPLATES))
    n = int(source.number("fine.n_templates_with_rare", fine.templates.n, MAX_TEMPLATES))
    fine.templates.n_with_rare = n
    numbers = _field_numbers(source, "fine.templates", n * MAX_FIELDS)
    for t in range(n):
        for f in range(MAX_FIELDS):
            fine.templates.fields[t][f] = numbers[t * MAX_FIELDS + f]
    fine.templates.n_records = model.lexicon.n_records
    numbers = source.array("fine.prior", np.uint8, model.lexicon.n_records)
    fine.templates.prior = &numbers[0] if model.lexicon.n_records else NULL
    for t, name in enumerate(("fine.iu", "fine.au", "fine.mx")):
        bits = int(source.number(f"{name}.weight_bits", 1, 16))
        _fill_slots(&fine.tables[t].slots, source, name, bits)
        fine.tables[t].weight_mask = (1 << bits) - 1
        values = _weights(source, f"{name}.weight", 1 << bits)
        fine.tables[t].weight = &values[0]
    _fill_hidden(&fine.hidden, source)
    values = _weights(source, "fine.transition", N_STATES * N_STATES)
    for t in range(N_STATES * N_STATES):
        model.edge_weights.transition[t] = values[t]
        model.edge_weights.has_transitions |= values[t] != 0
    fine.present = True
    return 0


cdef int _fill_hidden(HiddenLayer* hidden, source) except -1:
    cdef const uint8_t[::1] numbers
    cdef const float[::1] values
    cdef int f, n_units = int(source.number("fine.hidden.n_units", 0, MAX_UNITS))
    if n_units == 0:
        return 0
    hidden.n_fields = int(source.number("fine.hidden.n_fields", 1, MAX_ROWS))
    hidden.n_rows = int(source.number("fine.hidden.n_rows", 1, 2**32 - 1))
    hidden.scale = source.number("fine.hidden.scale", 0, 1e3)
    numbers = _field_numbers(source, "fine.hidden.fields", hidden.n_fields)
    for f in range(hidden.n_fields):
        hidden.field[f] = numbers[f]
    numbers = source.array("fine.hidden.rows", np.uint8, hidden.n_rows * n_units)
    hidden.rows = &numbers[0]
    values = _weights(source, "fine.hidden.bias", n_units)
    hidden.bias = &values[0]
    values = _weights(source, "fine.hidden.out", N_FINE_TAGS * n_units)
    hidden.out = &values[0]
    hidden.n_units = n_units
    return 0


def _field_numbers(source, name, n):
    numbers = source.array(name, np.uint8, n)
    if numbers.size and numbers.max() >= N_FIELDS:
        raise ModelError(f"the array {name} names an unknown field")
    return numbers


def _weights(source, name, n):
    values = source.array(name, np.float32, n)
    if np.abs(values).max(initial=0.0) > _MAX_WEIGHT:
        raise ModelError(f"the array {name} has an entry beyond ±{_MAX_WEIGHT:.0e}")
    return values


_VARIANTS = {"product": 0, "interpolated": 1, "powers": 2}


cdef int _fill_omega(Omega* omega, uint32_t n_records, source) except -1:
    """Portage's sub-models and how they are combined."""
    cdef const uint8_t[::1] codes
    cdef const float[::1] values
    cdef int i
    codes = source.array("portage.case_code", np.uint8, n_records)
    omega.case_code = &codes[0] if n_records else NULL
    values = source.array("portage.case_ln", np.float32, 256)
    omega.case_ln = &values[0]
    values = source.array("portage.unknown_ln", np.float32, N_CLASSES * N_CLASS_TAGS)
    for i in range(N_CLASSES * N_CLASS_TAGS):
        omega.unknown_ln[i // N_CLASS_TAGS][i % N_CLASS_TAGS] = values[i]
    section = source.section("portage")
    omega.variant = section.choice("variant", _VARIANTS)
    omega.joint = section.choice("theta", {"conditional": 0, "joint": 1})
    omega.left_to_right = section.choice("search", {"viterbi": 0, "left-to-right": 1})
    omega.unseen_ln = source.number("unseen_form_ln", -1e6, 1e6)
    omega.lm_share = section.number("lm_share", 0, 1)
    values = source.array("portage.powers", np.float32, 2 * N_BANDS)
    if np.abs(values).max() > 1e3:
        raise ModelError("the array portage.powers has an entry beyond ±1000")
    for i in range(N_BANDS):
        omega.alpha[i] = values[i]
        omega.beta[i] = values[N_BANDS + i]
    for i in range(256):
        omega.count[i] = 2.0 ** (i / 8.0) - 1.0
    omega.is_active = True
    return 0


cdef int _fill_domain(Model* model, source) except -1:
    """The arrays ``domain.…`` are those of a model of its own."""
    cdef Model inner
    cdef double weight = source.number("domain.mixture_weight", 1e-6, 1 - 1e-6)
    settings = source.settings["domain"].get("decoder")
    if not isinstance(settings, dict) or settings.get("preset") != "trigram":
        raise ModelError("the setting domain.decoder is not that of a trigram model")
    arrays = {name[len("domain."):]: array for name, array in source.arrays.items()
              if name.startswith("domain.")}
    memset(&inner, 0, sizeof(Model))
    try:
        _fill_model(&inner, _Source(arrays, settings, source.owners))
    except ModelError as error:
        raise ModelError(f"domain: {error}") from None
    if (inner.lm.order != int(source.number("order", 1, MAX_ORDER))
            or inner.segmentation != model.segmentation or inner.turkic != model.turkic):
        raise ModelError("order, segmentation or casing of the domain's model are others")
    model.domain.lexicon = inner.lexicon
    model.domain.lm = inner.lm
    model.domain.start = inner.start
    model.domain.end = inner.end
    model.domain.weight_ln = log(weight)
    model.domain.rest_ln = log1p(-weight)
    model.domain.is_active = True
    return 0


cdef int _fill_model(Model* model, source) except -1:
    cdef LexiconView* lexicon = &model.lexicon
    cdef const uint32_t[::1] records
    cdef const float[::1] book, class_lm, class_backoff, class_word
    cdef int k, c, t, payload_bits, probability_bits, backoff_bits
    model.segmentation = source.choice("segmentation", _SEGMENTATIONS)
    model.turkic = source.choice("casing", {"default": 0, "turkic": 1})
    model.full_gen = source.choice("gen", {"pruned": 0, "full": 1})
    model.most_frequent = source.choice(
        "preset", {"trigram": 0, "unigram": 1, "crf": 0, "crf-fine": 0, "portage": 0})
    model.initial = source.choice("initial", _INITIALS)
    model.lm.closed = source.settings.get("closed") is True
    model.edge_weights.lm = source.number("lm_weight", -1e6, 1e6)
    model.lm.order = 1 if model.most_frequent else int(source.number("order", 1, MAX_ORDER))

    records = source.array("lexicon.records", np.uint32)
    lexicon.n_records = <uint32_t>records.shape[0]
    lexicon.records = &records[0] if records.shape[0] else NULL
    payload_bits = int(source.number("lexicon.payload_bits", 1, 32))
    _fill_slots(&lexicon.slots, source, "lexicon", payload_bits)
    book = source.array("lexicon.probability_ln", np.float32, 256)
    lexicon.probability_ln = &book[0]
    book = source.array("lexicon.backoff_ln", np.float32, 256)
    lexicon.backoff_ln = &book[0]
    class_lm = source.array("classes.probability_ln", np.float32, N_CLASSES * N_CLASS_TAGS)
    class_backoff = source.array("classes.backoff_ln", np.float32, N_CLASSES * N_CLASS_TAGS)
    class_word = source.array("classes.word_given_class_ln", np.float32, N_CLASSES * N_CLASS_TAGS)
    for c in range(N_CLASSES):
        for t in range(N_CLASS_TAGS):
            lexicon.classes[c][t].form = class_form(c, t)
            lexicon.classes[c][t].log_probability = class_lm[N_CLASS_TAGS * c + t]
            lexicon.classes[c][t].log_backoff = class_backoff[N_CLASS_TAGS * c + t]
            lexicon.classes[c][t].log_word_given_class = class_word[N_CLASS_TAGS * c + t]
    lexicon.parts_bonus = source.number("parts_bonus_ln", -1e6, 1e6)
    lexicon.unseen_form = source.number("unseen_form_ln", -1e6, 1e6)

    model.start.form = sentence_start_form()
    model.start.state = STATE_START
    model.end.state = STATE_END
    model.start.backoff = source.number("sentence_start_backoff_ln", -1e6, 1e6)
    model.end.form = sentence_end_form()
    model.end.lm = source.number("sentence_end_ln", -1e6, 1e6)

    if source.settings["preset"] == "crf":
        _fill_coarse(model, source)
        if "domain" in source.settings:
            _fill_domain(model, source)
    if source.settings["preset"] == "crf-fine":
        _fill_fine(model, source)
    if source.settings["preset"] == "portage":
        _fill_omega(&model.omega, model.lexicon.n_records, source)

    for k in range(2, model.lm.order + 1):
        probability_bits = int(source.number(f"ngram{k}.probability_bits", 1, 16))
        backoff_bits = int(source.number(f"ngram{k}.backoff_bits", 0, 16))
        _fill_slots(&model.lm.tables[k].slots, source, f"ngram{k}", probability_bits + backoff_bits)
        model.lm.tables[k].probability_bits = probability_bits
        model.lm.tables[k].probability_mask = (1 << probability_bits) - 1
        model.lm.tables[k].backoff_mask = (1 << backoff_bits) - 1
        book = source.array(f"ngram{k}.probability_ln", np.float32, 1 << probability_bits)
        model.lm.tables[k].probability_ln = &book[0]
        if backoff_bits:
            book = source.array(f"ngram{k}.backoff_ln", np.float32, 1 << backoff_bits)
            model.lm.tables[k].backoff_ln = &book[0]
    return 0
