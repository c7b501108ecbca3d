"""A model as kernels read it: views of its arrays, weights and settings."""

from truecase.kernels._network cimport NetworkView
from truecase.kernels._structs cimport (
    CalibrationView, DenseView, DomainView, EdgeWeights, LexiconView, NamesView, NgramView, Node,
    Omega, SourceModel
)
from truecase.rules._language cimport RulesView


cdef enum Initial:
    INITIAL_NONE = 0
    INITIAL_CONSTRAIN = 1        # the first word's lowercase candidate is dropped
    INITIAL_RESTORE = 2          # a first word that comes out lowercase is capitalised afterwards
    INITIAL_LEARN = 3            # node features decide; the lowercase form is also raised


cdef struct ModelView:
    LexiconView lexicon
    NgramView lm
    EdgeWeights edge_weights
    Node start                   # <s>
    Node end                     # </s>
    int segmentation
    bint turkic
    int capital_rule             # CapitalRule
    RulesView rules              # of the model's language
    bint full_gen
    bint most_frequent           # no n-grams: the first form of each word, no look-ups
    int initial                  # Initial
    int n_marks                  # that have a column of their own each
    DenseView dense
    Omega omega
    SourceModel source           # weights of the features that look at the source sentence
    DenseView dense_with_source  # the others' weights for lines that have a source
    EdgeWeights edge_weights_with_source
    DomainView domain                # a language model that is mixed in
    NamesView names
    NetworkView network
    CalibrationView calibration
    float trust                  # in the case of the text at hand, in nats; 0: as usual


# Copies the structs of a `Model`'s components; returns a `NameTable` or None. Model and table must
# outlive the view.
cdef object view_model(ModelView* view, model)
