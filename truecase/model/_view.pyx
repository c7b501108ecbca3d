"""A model as kernels read it: the structs of its components, side by side."""

from libc.math cimport log, log1p
from libc.string cimport memcpy, memset

from truecase.kernels._components cimport (
    Calibration, CaseModels, DenseFeatures, Network, SourceFeatures, TranslationTables
)
from truecase.kernels._lexicon cimport Lexicon, sentence_end_form, sentence_start_form
from truecase.kernels._names cimport NameTable
from truecase.kernels._ngrams cimport Domain, LanguageModel
from truecase.kernels._source cimport noun_words
from truecase.kernels._structs cimport STATE_END, STATE_START
from truecase.rules._language cimport view_rules

from truecase.base.model_file import read_weights
from truecase.kernels.schema import MARKS, SOURCE_COLUMNS
from truecase.kernels.text import CAPITAL_RULES, capital_rule, primary_language
from truecase.model.embedded import capitalises_nouns


_INITIALS = {"none": INITIAL_NONE, "constrain": INITIAL_CONSTRAIN, "restore": INITIAL_RESTORE,
             "learn": INITIAL_LEARN}
_SEGMENTATIONS = {"space": 0, "raw": 1}


cdef int view_marks(Node* start, Node* end, Lexicon lexicon) except -1:
    """Make the nodes of ``<s>`` and ``</s>``."""
    start.form = sentence_start_form()
    start.state = STATE_START
    start.backoff = lexicon.sentence_start_backoff_ln
    end.form = sentence_end_form()
    end.state = STATE_END
    end.lm = lexicon.sentence_end_ln
    return 0


cdef int view_source(ModelView* view, model) except -1:
    """Fill the weights of features for lines with a source."""
    cdef SourceFeatures features = model.source
    cdef TranslationTables tables = model.tables
    cdef SourceModel* source = &view.source
    source.is_active = model.takes_source
    source.target_turkic = view.turkic
    view.dense_with_source = view.dense
    view.edge_weights_with_source = view.edge_weights
    if tables is not None:
        source.tables = tables.view
    if features is not None:
        source.turkic = features.turkic
        memcpy(&source.weight[0][0][0], &features.weight[0][0], sizeof(features.weight))
        if features.weighs_dense:
            view.edge_weights_with_source = features.edges
        if view.dense.is_active and features.weighs_dense:
            memcpy(view.dense_with_source.weight, features.dense.weight,
                   sizeof(features.dense.weight))
            memcpy(view.dense_with_source.mark_weight, features.dense.mark_weight,
                   sizeof(features.dense.mark_weight))
        return 0
    kinds = ["noun_capitals"]
    if not capitalises_nouns(model.text.language):
        kinds = ["any_pair", "from_noun_capitals", "from_others"]
        source.noun_words = noun_words()
    weights = read_weights("source")
    for kind, name_of_kind in enumerate(kinds):
        for name, (aligned, unaligned) in weights[name_of_kind].items():
            source.weight[<int>kind][0][SOURCE_COLUMNS.index(name)] = aligned
            source.weight[<int>kind][1][SOURCE_COLUMNS.index(name)] = unaligned
    return 0


cdef object view_names(ModelView* view, model):
    """Build the table of the model's names, which the view points into, or return None."""
    cdef NameTable table
    if model.names is None:
        return None
    table = NameTable(model.names, model.lexicon, view.segmentation, view.turkic)
    view.names = table.view
    return table


cdef object view_model(ModelView* view, model):
    cdef Lexicon lexicon = model.lexicon
    cdef LanguageModel lm = model.lm
    cdef DenseFeatures dense = model.dense
    cdef CaseModels portage = model.portage
    cdef Domain domain = model.domain
    cdef Network network = model.network
    cdef Calibration calibration = model.calibration
    memset(view, 0, sizeof(ModelView))
    view.segmentation = _SEGMENTATIONS[model.text.segmentation]
    view.turkic = model.text.casing == "turkic"
    view.trust = model.trust
    view.capital_rule = CAPITAL_RULES[capital_rule(model.text.language)]
    # Dense features and Portage's models have weights of their own for unseen forms.
    view.rules = view_rules(primary_language(model.text.language), lm is not None,
                            dense is None and portage is None)
    view.initial = _INITIALS[model.first_word]
    view.lexicon = lexicon.view
    view.lexicon.turkic = view.turkic
    view.lexicon.capital_rule = view.capital_rule
    view.full_gen = lexicon.proposes_all
    view_marks(&view.start, &view.end, lexicon)
    view.most_frequent = lm is None
    view.lm.order = 1
    view.lm.closed = True
    view.edge_weights.lm = 1.0
    if lm is not None:
        view.lm = lm.view
        view.edge_weights.lm = lm.weight
    view.n_marks = 1 + len(MARKS)
    if dense is not None:
        view.dense = dense.view
        view.dense.turkic = view.turkic
        view.dense.n_records = lexicon.view.n_records
        view.edge_weights = dense.edges
    if domain is not None:
        view.domain.lexicon = domain.lexicon.view
        view.domain.lm = domain.lm.view
        view_marks(&view.domain.start, &view.domain.end, domain.lexicon)
        view.domain.weight_ln = log(domain.share)
        view.domain.rest_ln = log1p(-domain.share)
        view.domain.is_active = True
    if portage is not None:
        view.omega = portage.omega
        view.omega.unseen_ln = lexicon.view.unseen_form
    if network is not None:
        view.network = network.view
        view.edge_weights = network.edges
    if calibration is not None:
        view.calibration = calibration.view
    view_source(view, model)
    return view_names(view, model)
