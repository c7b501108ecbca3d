"""Sparse features, and those that a domain adds, as components of a model."""

from libc.stdint cimport int64_t, uint8_t

from truecase.kernels._fields cimport MAX_FIELDS, MAX_TEMPLATES
from truecase.kernels._lattice cimport N_STATES
from truecase.kernels._maps cimport fill_slots
from truecase.kernels._schema cimport N_FIELDS

from truecase.base.section import MAX_NUMBER
from truecase.errors import ModelError
from truecase.kernels.templates import WITH_SOURCE, field_number


__all__ = ["AddedFeatures", "SparseFeatures"]


def _field_numbers(section, name, n):
    numbers = section.array(name, "uint8", n)
    if max(numbers, default=0) >= N_FIELDS:
        raise ModelError(f"the array {section.name}/{name} names an unknown field")
    return numbers


cdef int64_t fill_weights(WeightTable* table, section, name) except -1:
    cdef const float[::1] values
    cdef int bits = int(section.number(f"{name}.weight_bits", 1, 16))
    fill_slots(&table.slots, section, name, bits)
    table.weight_mask = (1 << bits) - 1
    values = section.array(f"{name}.weight", "float32", 1 << bits)
    table.weight = &values[0]
    return int(section.number(f"{name}.n_entries", 0, 2**32))


cdef int fill_hidden(HiddenLayer* hidden, section) except -1:
    cdef const uint8_t[::1] numbers
    cdef const float[::1] values
    cdef int f, n_units = int(section.number("hidden.n_units", 0, MAX_UNITS))
    if n_units == 0:
        return 0
    hidden.n_fields = int(section.number("hidden.n_fields", 1, MAX_ROWS))
    hidden.n_rows = int(section.number("hidden.n_rows", 1, 2**32 - 1))
    hidden.scale = section.number("hidden.scale", 0, 1e3)
    numbers = _field_numbers(section, "hidden.fields", hidden.n_fields)
    for f in range(hidden.n_fields):
        hidden.field[f] = numbers[f]
    numbers = section.array("hidden.rows", "uint8", hidden.n_rows * n_units)
    hidden.rows = &numbers[0]
    values = section.array("hidden.bias", "float32", n_units)
    hidden.bias = &values[0]
    values = section.array("hidden.out", "float32", N_SPARSE_TAGS * n_units)
    hidden.out = &values[0]
    hidden.n_units = n_units
    return 0


cdef int fill_cascade(SparseView* view, section) except -1:
    """Fill the cascade of a model that has one."""
    cdef Cascade* cascade = &view.cascade
    cdef int i, n = int(section.number("cascade.n_early", 0, MAX_EARLY))
    numbers = section.array("cascade.early", "uint8", n)
    if max(numbers, default=0) >= view.templates.n:
        raise ModelError(f"the array {section.name}/cascade.early names an unknown template")
    values = section.array("cascade.factor", "float32", n)
    for i in range(n):
        cascade.early[i] = numbers[i]
        cascade.factor[i] = values[i]
    cascade.hidden = section.number("cascade.hidden", -MAX_NUMBER, MAX_NUMBER)
    cascade.prior = section.number("cascade.prior", -MAX_NUMBER, MAX_NUMBER)
    cascade.bias = section.number("cascade.bias", -MAX_NUMBER, MAX_NUMBER)
    cascade.edges = section.number("cascade.edges", -MAX_NUMBER, MAX_NUMBER)
    cascade.margin = section.number("cascade.margin", 0, MAX_NUMBER)
    # Older models lack this setting.
    cascade.beside_source = section.number("cascade.beside_source", 0, 1) > 0 if (
        "beside_source" in section.settings["cascade"]) else False
    cascade.n_early = n
    return 0


cdef class SparseFeatures(Component):
    """Weights of millions of features, and a hidden layer.

    Arrays: ``templates``, ``prior`` (the usual case of each form record), ``transition``,
    ``TAG.slots`` and ``TAG.weight`` of the tags iu, au and mx, ``hidden.rows``, ``.fields``,
    ``.bias`` and ``.out``, ``cascade.early`` and ``.factor``; see `truecase/kernels/_sparse.pxd`.
    """

    about = "weights of sparse features, and a hidden layer"

    def __cinit__(self, arrays, settings=None):
        cdef SparseView* view = &self.view
        cdef const uint8_t[::1] numbers
        cdef const float[::1] values
        cdef int t, f, n
        section = self.section("sparse")
        view.templates.n = int(section.number("n_templates", 0, MAX_TEMPLATES))
        n = int(section.number("n_templates_with_rare", view.templates.n, MAX_TEMPLATES))
        view.templates.n_with_rare = n
        numbers = _field_numbers(section, "templates", n * MAX_FIELDS)
        for t in range(n):
            for f in range(MAX_FIELDS):
                view.templates.fields[t][f] = numbers[t * MAX_FIELDS + f]
        numbers = section.array("prior", "uint8")
        view.templates.n_records = numbers.shape[0]
        view.templates.prior = &numbers[0] if numbers.shape[0] else NULL
        self.n_features = 0
        for t, name in enumerate(("iu", "au", "mx")):
            self.n_features += fill_weights(&view.tables[t], section, name)
        fill_hidden(&view.hidden, section)
        if "cascade" in self.settings:
            fill_cascade(view, section)
        self.edges.lm = section.number("lm_weight", -MAX_NUMBER, MAX_NUMBER)
        values = section.array("transition", "float32", N_STATES * N_STATES)
        for t in range(N_STATES * N_STATES):
            self.edges.transition[t] = values[t]
            self.edges.has_transitions |= values[t] != 0
        view.present = True

    @property
    def n_records(self):
        """Number of the lexicon's form records."""
        return self.view.templates.n_records

    @property
    def lm_weight(self):
        """Weight of the n-grams beside these features."""
        return self.edges.lm

    @property
    def has_cascade(self):
        """Whether an estimate decides easy words without their other features."""
        return self.view.cascade.n_early > 0

    def without_cascade(self):
        """Return the same features without the cascade."""
        arrays = {name: array for name, array in self.arrays.items()
                  if not name.startswith("cascade.")}
        settings = {name: value for name, value in self.settings.items() if name != "cascade"}
        return SparseFeatures(arrays, settings)

    @property
    def reads_source(self):
        """Whether templates read the source of a translation."""
        first = field_number(WITH_SOURCE[0].split("+")[0])
        return max(self.section("sparse").vector("templates", "uint8"), default=0) >= first

    def info(self):
        return {
            **super().info(),
            "features": self.n_features,
            "hidden units": self.view.hidden.n_units,
            "cascade": f"{self.view.cascade.n_early} features" if self.has_cascade else "no",
        }


cdef class AddedFeatures(Component):
    """Weights of a domain, added to those of a model's sparse features.

    Arrays: ``TAG.slots`` and ``TAG.weight``, as of `SparseFeatures`, whose templates they use.
    """

    about = "weights that a domain adds to those of sparse features"

    def __cinit__(self, arrays, settings=None):
        cdef int t
        section = self.section("sparse_domain")
        self.n_features = 0
        for t, name in enumerate(("iu", "au", "mx")):
            self.n_features += fill_weights(&self.tables[t], section, name)

    def info(self):
        return {**super().info(), "features": self.n_features}
