"""Fills a `ModelView` from the components of a model."""

from libc.math cimport log, log1p
from libc.stdint cimport int8_t, uint8_t, uint32_t
from libc.string cimport memset

import numpy as np

from truecase.decode._edges cimport EdgeWeights
from truecase.features._dense cimport MARK_SLOTS, MAX_MARKS, N_NODE_COLUMNS, DenseView
from truecase.features._fields cimport MAX_FIELDS, MAX_TEMPLATES, N_FIELDS
from truecase.features._source cimport N_SOURCE_COLUMNS, SourceModel
from truecase.features._sparse cimport (
    MAX_ROWS,
    MAX_UNITS,
    N_SPARSE_TAGS,
    SparseView,
    HiddenLayer,
)
from truecase.features._suffix cimport SUFFIX_BYTES
from truecase.lattice._lattice cimport N_STATES, STATE_END, STATE_START
from truecase.lexicon._lexicon cimport N_CLASS_TAGS, N_CLASSES, LexiconView
from truecase.lexicon._special cimport class_form, sentence_end_form, sentence_start_form
from truecase.ngram._table cimport MAX_ORDER
from truecase.packed._load cimport fill_slots
from truecase.portage._omega cimport N_BANDS, Omega
from truecase.source._translation_table cimport fill_tables

from truecase.errors import ModelError
from truecase.features.schema import DEFAULT_SOURCE_WEIGHTS, MARKS, SOURCE_COLUMNS
from truecase.model.model import Model
from truecase.modelfile.section import ModelSource

__all__ = []

_INITIALS = {"none": INITIAL_NONE, "constrain": INITIAL_CONSTRAIN, "restore": INITIAL_RESTORE,
             "learn": INITIAL_LEARN}
_SEGMENTATIONS = {"space": 0, "raw": 1}
# Large enough to decide against almost any other score.
_ALL_CAPS_WEIGHTS = {"source_all_upper": (30.0, 30.0)}
# About what n-grams make of one mixed form against another.
_OTHER_MIXED = 6.0
_VARIANTS = {"product": 0, "interpolated": 1, "powers": 2}


cdef int _weigh_columns(source, str name, columns, int n_marks, DenseView* dense,
                        EdgeWeights* edges) except -1:
    """Weights of columns, by name, for nodes and edges."""
    from truecase.features import schema as features

    cdef int i
    values = source.weights(name, len(columns))
    try:
        weights = features.weight_vector(dict(zip(columns, values)))
    except ValueError as error:
        raise ModelError(f"crf: {error}; a newer version of the package may have it") from None
    assert len(features.NODE_COLUMNS) == N_NODE_COLUMNS and n_marks <= MAX_MARKS
    edges.lm = weights[0]
    for i in range(N_NODE_COLUMNS):
        dense.weight[i] = weights[1 + i]
    for i in range(n_marks):
        dense.mark_weight[i] = weights[1 + N_NODE_COLUMNS + i]
    first = 1 + N_NODE_COLUMNS + n_marks + N_SOURCE_COLUMNS + 1
    for i, (before, now) in enumerate(features.transition_states(), first):
        edges.transition[N_STATES * <int>before + <int>now] = weights[i]
        if weights[i]:
            edges.has_transitions = True
    first += len(features.transition_columns())
    edges.after_case = weights[first]
    edges.before_case = weights[first + 1]
    if weights[first] or weights[first + 1]:
        edges.has_beside = True
        # The search adds them where it adds transitions.
        edges.has_transitions = True
    return 0


cdef int _fill_dense(ModelView* model, source) except -1:
    """Weights by name, and what the node features need."""
    from truecase.lexicon._forms import describe

    cdef DenseView* dense = &model.dense
    cdef int i, slot, n_marks = model.n_marks
    cdef const float[::1] values
    cdef const uint8_t[::1] codes
    dense.n_marks = n_marks
    _weigh_columns(source, "crf.weights", source.names("crf", "columns"), n_marks, dense,
                   &model.edge_weights)

    surfaces = [mark.encode() for mark in MARKS]
    blob = np.frombuffer(b"".join(surfaces) + bytes(16), np.uint8)
    offsets = np.cumsum([0, *map(len, surfaces)])
    keys = describe(blob, offsets, model.turkic)[0]
    memset(dense.mark_slot, -1, sizeof(dense.mark_slot))
    for i in range(n_marks - 1):
        slot = int(keys[i]) & (MARK_SLOTS - 1)
        while dense.mark_slot[slot] >= 0:
            slot = (slot + 1) & (MARK_SLOTS - 1)
        dense.mark_key[slot] = keys[i]
        dense.mark_slot[slot] = <int8_t>i

    values = source.array("crf.unknown_tag_ln", np.float32, N_CLASSES * N_CLASS_TAGS)
    for i in range(N_CLASSES * N_CLASS_TAGS):
        dense.unknown_tag_ln[i // N_CLASS_TAGS][i % N_CLASS_TAGS] = values[i]
    for i in range(256):
        dense.count[i] = 2.0 ** (i / 8.0) - 1.0
    dense.turkic = model.turkic
    dense.n_records = model.lexicon.n_records
    if "crf.shift" in source.arrays:
        codes = source.array("crf.shift", np.uint8, 4 * (model.lexicon.n_records + N_CLASSES + 1))
        dense.shift = &codes[0]
    if "crf.beside" in source.arrays:
        codes = source.array("crf.beside", np.uint8, 4 * (model.lexicon.n_records + N_CLASSES + 1))
        dense.beside = &codes[0]
    if "crf.suffixes" in source.arrays:
        codes = source.array("crf.suffixes", np.uint8, SUFFIX_BYTES)
        dense.suffixes = &codes[0]
    dense.is_active = True
    return 0


cdef int _fill_source(ModelView* model, source) except -1:
    """Weights of the columns that look at the source sentence, and translation tables.

    Those of all other columns may differ where there is a source.
    """
    cdef SourceModel* side = &model.source
    cdef int i
    cdef const float[::1] values
    assert len(SOURCE_COLUMNS) == N_SOURCE_COLUMNS
    names = source.names("source", "columns")
    values = source.weights("source.weights", 2 * len(names))
    place = {name: i for i, name in enumerate(SOURCE_COLUMNS)}
    for i, name in enumerate(names):
        if name not in place:
            raise ModelError(f"source: there is no feature of the name {name!r}; a newer version "
                             "of the package may have it")
        side.weight[0][<int>place[name]] = values[i]
        side.weight[1][<int>place[name]] = values[len(names) + i]
    side.turkic = source.section("source").choice("casing", {"default": 0, "turkic": 1})
    if model.dense.is_active and "source.crf_weights" in source.arrays:
        model.edge_weights_with_source.has_transitions = False
        model.edge_weights_with_source.has_beside = False
        _weigh_columns(source, "source.crf_weights", source.names("source", "crf_columns"),
                       model.n_marks, &model.dense_with_source,
                       &model.edge_weights_with_source)
    return 0


cdef void _set_default_source(SourceModel* side, weights):
    """Weights of columns that a model has for a source without having learned any."""
    for name, (aligned, unaligned) in weights.items():
        side.weight[0][<int>SOURCE_COLUMNS.index(name)] = aligned
        side.weight[1][<int>SOURCE_COLUMNS.index(name)] = unaligned


cdef int _fill_sparse(ModelView* model, source) except -1:
    """Templates, weight tables and hidden layer of sparse features."""
    cdef SparseView* sparse = &model.sparse
    cdef const uint8_t[::1] numbers
    cdef const float[::1] values
    cdef int t, f, n, bits
    sparse.templates.n = int(source.number("fine.n_templates", 0, MAX_TEMPLATES))
    n = int(source.number("fine.n_templates_with_rare", sparse.templates.n, MAX_TEMPLATES))
    sparse.templates.n_with_rare = n
    numbers = _field_numbers(source, "fine.templates", n * MAX_FIELDS)
    for t in range(n):
        for f in range(MAX_FIELDS):
            sparse.templates.fields[t][f] = numbers[t * MAX_FIELDS + f]
    sparse.templates.n_records = model.lexicon.n_records
    numbers = source.array("fine.prior", np.uint8, model.lexicon.n_records)
    sparse.templates.prior = &numbers[0] if model.lexicon.n_records else NULL
    for t, name in enumerate(("fine.iu", "fine.au", "fine.mx")):
        bits = int(source.number(f"{name}.weight_bits", 1, 16))
        fill_slots(&sparse.tables[t].slots, source, name, bits)
        sparse.tables[t].weight_mask = (1 << bits) - 1
        values = source.weights(f"{name}.weight", 1 << bits)
        sparse.tables[t].weight = &values[0]
    _fill_hidden(&sparse.hidden, source)
    values = source.weights("fine.transition", N_STATES * N_STATES)
    for t in range(N_STATES * N_STATES):
        model.edge_weights.transition[t] = values[t]
        model.edge_weights.has_transitions |= values[t] != 0
    sparse.present = True
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
    values = source.weights("fine.hidden.bias", n_units)
    hidden.bias = &values[0]
    values = source.weights("fine.hidden.out", N_SPARSE_TAGS * n_units)
    hidden.out = &values[0]
    hidden.n_units = n_units
    return 0


def _field_numbers(source, name, n):
    numbers = source.array(name, np.uint8, n)
    if numbers.size and numbers.max() >= N_FIELDS:
        raise ModelError(f"the array {name} names an unknown field")
    return numbers


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


cdef int _fill_domain(ModelView* model, source) except -1:
    """The arrays ``domain.…`` are those of a model of its own."""
    cdef ModelView inner
    cdef double weight = source.number("domain.mixture_weight", 1e-6, 1 - 1e-6)
    settings = source.settings["domain"].get("decoder")
    if not isinstance(settings, dict) or settings.get("preset") != "trigram":
        raise ModelError("the setting domain.decoder is not that of a model of n-grams")
    arrays = {name[len("domain."):]: array for name, array in source.arrays.items()
              if name.startswith("domain.")}
    memset(&inner, 0, sizeof(ModelView))
    try:
        fill_model(&inner, Model.of_arrays(arrays, {"decoder": settings}), source.owners)
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


cdef int fill_model(ModelView* model, components, list owners) except -1:
    source = ModelSource(*components.to_arrays(), owners)
    source.settings = source.settings["decoder"]
    cdef LexiconView* lexicon = &model.lexicon
    cdef const uint32_t[::1] records
    cdef const float[::1] book, class_lm, class_backoff, class_word
    cdef int k, c, t, payload_bits, probability_bits, backoff_bits
    model.segmentation = source.choice("segmentation", _SEGMENTATIONS)
    model.turkic = source.choice("casing", {"default": 0, "turkic": 1})
    model.full_gen = source.choice("gen", {"pruned": 0, "full": 1})
    model.most_frequent = components.lm is None
    model.english = components.is_english
    model.initial = _INITIALS[components.first_word]
    model.lm.closed = source.settings.get("closed") is True
    model.edge_weights.lm = source.number("lm_weight", -1e6, 1e6)
    model.lm.order = 1 if model.most_frequent else int(source.number("order", 1, MAX_ORDER))

    records = source.array("lexicon.records", np.uint32)
    lexicon.n_records = <uint32_t>records.shape[0]
    lexicon.records = &records[0] if records.shape[0] else NULL
    payload_bits = int(source.number("lexicon.payload_bits", 1, 32))
    fill_slots(&lexicon.slots, source, "lexicon", payload_bits)
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

    model.n_marks = 1 + len(MARKS)
    if components.dense is not None:
        _fill_dense(model, source)
    if components.domain is not None:
        _fill_domain(model, source)
    if components.sparse is not None:
        _fill_sparse(model, source)
    if components.portage is not None:
        _fill_omega(&model.omega, model.lexicon.n_records, source)

    model.source.is_active = components.takes_source
    model.source.target_turkic = model.turkic
    model.dense_with_source = model.dense
    model.edge_weights_with_source = model.edge_weights
    if components.tables is not None:
        fill_tables(&model.source.tables, source)
    if components.source is not None:
        _fill_source(model, source)
    elif components.sparse is None or not components.sparse.reads_source:
        _set_default_source(&model.source, DEFAULT_SOURCE_WEIGHTS)
    else:
        # Sparse features tell all else; of a source in upper case, texts have too little.
        _set_default_source(&model.source, _ALL_CAPS_WEIGHTS)
        model.source.other_mixed = _OTHER_MIXED

    for k in range(2, model.lm.order + 1):
        probability_bits = int(source.number(f"ngram{k}.probability_bits", 1, 16))
        backoff_bits = int(source.number(f"ngram{k}.backoff_bits", 0, 16))
        fill_slots(&model.lm.tables[k].slots, source, f"ngram{k}", probability_bits + backoff_bits)
        model.lm.tables[k].probability_bits = probability_bits
        model.lm.tables[k].probability_mask = (1 << probability_bits) - 1
        model.lm.tables[k].backoff_mask = (1 << backoff_bits) - 1
        book = source.array(f"ngram{k}.probability_ln", np.float32, 1 << probability_bits)
        model.lm.tables[k].probability_ln = &book[0]
        if backoff_bits:
            book = source.array(f"ngram{k}.backoff_ln", np.float32, 1 << backoff_bits)
            model.lm.tables[k].backoff_ln = &book[0]
    return 0
