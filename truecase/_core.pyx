"""The compiled model: owns a model's arrays and cases blocks of text with them.

Everything that runs per word is in the ``.pxd`` files this module includes by cimport; here
are the loop over the lines of a block, the memory of one thread, and the boundary at which
status codes become exceptions.
"""

from cpython.bytes cimport PyBytes_FromStringAndSize
from libc.stdint cimport int32_t, uint8_t, uint32_t
from libc.stdlib cimport free, realloc
from libc.string cimport memchr, memcpy, memset

from truecase._model cimport (
    INITIAL_CONSTRAIN,
    INITIAL_LEARN,
    INITIAL_NONE,
    INITIAL_RESTORE,
    Model,
    fill_model,
)
from truecase._status cimport (
    STATUS_INVALID,
    STATUS_OK,
    STATUS_OUT_OF_MEMORY,
    STATUS_TOO_LONG,
    ErrorInfo,
)
from truecase.bilingual._aligned cimport AlignedBlock
from truecase.bilingual._features cimport add_source_scores, look_up_line
from truecase.bilingual._gen cimport add_source_forms
from truecase.bilingual._side cimport (
    AlignedText,
    describe_tokens,
    end_piece,
    free_side,
    next_source_line,
    start_block,
)
from truecase.crf._features cimport CoarseModel, score_nodes
from truecase.crf.fine._templates cimport free_view
from truecase.crf.fine._weights cimport add_fine_scores
from truecase.decode._edges cimport EdgeWeights, free_edges, score_edges
from truecase.decode._mixture cimport add_domain_forms, score_mixture
from truecase.decode._viterbi cimport free_viterbi, search_edges
from truecase.lattice._gen cimport add_candidates, add_given_form, drop_raised, raise_initial
from truecase.lattice._lattice cimport Lattice, Node, free_lattice, reserve_nodes, reserve_words
from truecase.lexicon._lexicon cimport FORM_LAST, FORM_TAG, first_record
from truecase.ngram._table cimport prefetch, prefetch_slot
from truecase.portage._omega cimport combine_edges, score_cases, walk_left_to_right
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
from truecase.modelfile.source import ModelSource


cdef enum:
    # A line longer than this is decoded in pieces, cut at white space.
    MAX_PIECE = 1 << 17
    # Blocks are copied to a padded buffer in parts of about this size, whole lines each.
    MAX_PART = 1 << 18


cdef void free_workspace(Workspace* work) noexcept nogil:
    free(work.tokens.tokens)
    free_lattice(&work.lattice)
    free_viterbi(&work.viterbi)
    free_lattice(&work.mirror)
    free_edges(&work.mirror_edges)
    free_view(&work.view)
    free_side(&work.side)
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
            elif work.side.aligned != NULL and model.source.is_active:
                status = add_source_forms(lattice, &model.lexicon, text, token,
                                          work.side.phrase + i, lattice.first_node[i - first],
                                          lattice.record[i - first] != 0, model.turkic)
                if status != STATUS_OK:
                    return status
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
    cdef bint with_source = model.source.is_active and work.side.aligned != NULL
    cdef const CoarseModel* coarse = &model.coarse
    cdef int status = STATUS_OK
    if first_cased >= 0:
        first_cased -= first
    if with_source:
        coarse = &model.coarse_with_source
    if model.coarse.is_active:
        score_nodes(coarse, &model.lexicon, &work.lattice, text,
                    work.tokens.tokens + first, first_cased)
    if with_source:
        add_source_scores(&model.source, &work.side, &work.lattice, text, work.tokens.tokens,
                          work.tokens.n, first, first_cased)
    if model.coarse.is_active and for_search and first_cased >= 0:
        drop_raised(&work.lattice, first_cased)
    if model.omega.is_active:
        score_cases(&model.omega, &model.lexicon, work.tokens.tokens + first, &work.lattice)
    if model.fine.present:
        status = add_fine_scores(&model.fine, text, work.tokens.tokens, first, end - first,
                                 first_cased, model.turkic, &work.side, &work.lattice,
                                 &work.view)
    if status == STATUS_OK and model.lm.order > 1:
        status = score_lm(model, first, work)
    if status == STATUS_OK and model.omega.is_active:
        combine_edges(&model.omega, model.lm.order, &work.lattice, &work.viterbi.edges)
    return status


cdef const EdgeWeights* edge_weights_of(const Model* model, const Workspace* work) noexcept nogil:
    if model.source.is_active and work.side.aligned != NULL:
        return &model.edge_weights_with_source
    return &model.edge_weights


cdef int find_path(const Model* model, Workspace* work) noexcept nogil:
    if model.omega.is_active and model.omega.left_to_right and model.lm.order > 1:
        return walk_left_to_right(model.lm.order, &work.lattice, &work.viterbi)
    return search_edges(model.lm.order, edge_weights_of(model, work), &work.lattice, &model.start,
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
                    int input_case, bint starts_line, bint ends_line,
                    Workspace* work) noexcept nogil:
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
    if work.side.aligned != NULL:
        status = describe_tokens(&work.side, text, begin, end, model.segmentation, tokens,
                                 ends_line)
        if status != STATUS_OK:
            return status
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
    if work.side.aligned != NULL:
        end_piece(&work.side)
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
        if work.side.aligned != NULL:
            status = next_source_line(&work.side, model.segmentation)
            if status != STATUS_OK:
                return status
            look_up_line(&model.source, &work.side)
        while True:
            cut = end
            if end - piece > MAX_PIECE:
                cut = piece + MAX_PIECE
                while cut < end and not is_space(text[cut]):
                    cut += 1
            status = case_piece(model, text, piece, cut, input_case, starts_line, cut == end,
                                work)
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
                  const AlignedText* aligned, Workspace* work, ErrorInfo* error) noexcept nogil:
    """Case a block into ``work.out``; a Status, its line in `error`."""
    cdef size_t done = 0, part
    cdef const void* newline
    cdef void* grown
    work.out_size = 0
    error.line = 0
    start_block(&work.side, aligned, model.source.turkic)
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
        fill_model(&model, ModelSource(arrays, settings, owners))
        self.model = model
        self._owners = owners
        self._workspaces = []

    def case_block(self, block, str input_case="ignore", source=None, phrases=None):
        """Case every line of a block of text.

        Parameters
        ----------
        block : bytes-like
            UTF-8 text, lines separated by LF. Invalid bytes and NULs pass unchanged.
        input_case : {"ignore", "keep", "auto"}
            What the case of the input means: nothing; words with upper case stay; or by
            line, "ignore" for a line that is all upper or all lower, else all words but the
            first stay.
        source : bytes-like, optional
            The sentences that the lines are translations of, cased, one a line.
        phrases : Phrases, optional
            Which words of the source each word of the lines is aligned with. Without, the
            whole source line is each word's phrase.

        Returns
        -------
        bytes
            As many lines, the same but for case.

        Raises
        ------
        ValueError
            Unknown `input_case`, or a line of 2 GiB or more; `source` or `phrases` are of
            another number of lines or words.
        MemoryError
        """
        cdef const uint8_t[::1] view = _as_bytes(block)
        cdef int mode = _choice(INPUT_CASES, input_case, "input_case")
        cdef _Workspace work
        cdef ErrorInfo error
        cdef int status = STATUS_OK
        cdef size_t size = view.shape[0]
        cdef AlignedBlock aligned = None
        cdef const AlignedText* source_text = NULL
        if self._owners is None:
            raise ModelError("this model was not initialised")
        if size == 0:
            return b""
        if source is not None and not self.model.source.is_active:
            raise ValueError("a model of preset unigram or portage does not look at the source")
        if source is not None:
            aligned = AlignedBlock(block, source, phrases)
            source_text = &aligned.aligned
        try:
            work = self._workspaces.pop()
        except IndexError:
            work = _Workspace()
        with nogil:
            status = case_all(&self.model, &view[0], size, mode, source_text, &work.memory, &error)
        work.memory.side.aligned = NULL
        if status == STATUS_OUT_OF_MEMORY:
            raise MemoryError(f"no memory left at line {error.line} of the block")
        if status == STATUS_INVALID:
            raise ValueError(f"line {error.line} of the block has not as many words as are aligned")
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
