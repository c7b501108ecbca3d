"""Dense features as a component of a model, and the hashes of its table of suffixes."""

from libc.math cimport exp
from libc.stdint cimport int64_t, int8_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memset

from truecase.base._memory cimport rise
from truecase.kernels._lattice cimport N_STATES
from truecase.kernels._lexicon cimport N_CLASSES, N_CLASS_TAGS
from truecase.kernels._schema cimport N_NODE_COLUMNS, N_SOURCE_COLUMNS
from truecase.kernels._segment cimport key_of

from truecase.errors import ModelError
from truecase.kernels import schema
from truecase.kernels._lexicon import padded


__all__ = ["DenseFeatures", "N_BYTES", "hash_suffixes", "slots_and_checks"]


N_BYTES = SUFFIX_BYTES


def hash_suffixes(blob, const int64_t[::1] offsets, const int64_t[::1] ids, bint turkic):
    """Hash the suffixes of surface forms.

    Parameters
    ----------
    blob, offsets
        The surface forms, one after the other.
    ids : const int64[::1], shape (n,)
    turkic : bool

    Returns
    -------
    uint64 ndarray, shape (n, 4)
        Of the last 1 to 4 letters; 0 where the word is shorter.
    """
    cdef Py_ssize_t i, n = ids.shape[0], n_forms = offsets.shape[0] - 1
    if not rise(offsets, len(blob)):
        raise ValueError("offsets do not fit the blob of surface forms")
    import numpy as np

    out = np.zeros((n, LONGEST_SUFFIX), dtype=np.uint64)
    cdef const uint8_t[::1] text = padded(blob)
    cdef uint64_t[:, ::1] hashes = out
    for i in range(n):
        if not 0 <= ids[i] < n_forms:
            raise ValueError(f"id {ids[i]} is not in the vocabulary of {n_forms} forms")
        suffix_hashes(&text[0], <uint32_t>offsets[ids[i]], <uint32_t>offsets[ids[i] + 1], turkic,
                      &hashes[i, 0])
    return out


def slots_and_checks(const uint64_t[::1] hashes):
    """Compute the place of each suffix in the table, in bytes, and its check byte."""
    import numpy as np

    places = np.zeros(hashes.shape[0], dtype=np.int64)
    checks = np.zeros(hashes.shape[0], dtype=np.uint8)
    cdef int64_t[::1] place = places
    cdef uint8_t[::1] check = checks
    cdef Py_ssize_t i
    for i in range(hashes.shape[0]):
        place[i] = suffix_slot(hashes[i])
        check[i] = suffix_check(hashes[i])
    return places, checks


cdef dict weigh_features(section, str array, str names, DenseView* view, EdgeWeights* edges):
    cdef int i, first, n_marks = 1 + len(schema.MARKS)
    found = section.names(names)
    named = dict(zip(found, map(float, section.array(array, "float32", len(found)))))
    try:
        weights = schema.in_order(named)
    except ValueError as error:
        raise ModelError(
            f"{section.name}: {error}; a newer version of the package may have it") from None
    assert len(schema.NODE_COLUMNS) == N_NODE_COLUMNS and n_marks <= MAX_MARKS
    view.n_marks = n_marks
    edges.lm = weights[0]
    for i in range(N_NODE_COLUMNS):
        view.weight[i] = weights[1 + i]
    for i in range(n_marks):
        view.mark_weight[i] = weights[1 + N_NODE_COLUMNS + i]
    first = 1 + N_NODE_COLUMNS + n_marks + N_SOURCE_COLUMNS + 1
    for i, (before, now) in enumerate(schema.transition_states(), first):
        edges.transition[N_STATES * <int>before + <int>now] = weights[i]
        if weights[i]:
            edges.has_transitions = True
    first += len(schema.transition_columns())
    edges.after_case = weights[first]
    edges.before_case = weights[first + 1]
    if weights[first] or weights[first + 1]:
        edges.has_neighbour_case = True
        # The search adds them where it adds transitions.
        edges.has_transitions = True
    return named


cdef int find_marks(DenseView* view) except -1:
    """Build the table of marks' numbers."""
    cdef int i, slot
    cdef uint64_t key
    memset(view.mark_slot, -1, sizeof(view.mark_slot))
    for i in range(view.n_marks - 1):
        # Marks have no case: their keys are the same in every casing.
        key = key_of(schema.MARKS[i])
        slot = key & (MARK_SLOTS - 1)
        while view.mark_slot[slot] >= 0:
            slot = (slot + 1) & (MARK_SLOTS - 1)
        view.mark_key[slot] = key
        view.mark_slot[slot] = <int8_t>i
    return 0


cdef class DenseFeatures(Component):
    """Weights of a few dozen features of each candidate in its context.

    Arrays, for n form records: ``weights``, one per name in the setting ``features``;
    ``unknown_tag_ln``, log P(tag | class) of unknown words; and optionally
    ``neighbour_log_odds`` and ``case_context``, 4 (n + 6) codes, and ``suffixes``
    (`truecase/training/evidence.py`).
    """

    about = "weights of dense features"

    def __cinit__(self, arrays, settings=None):
        cdef DenseView* view = &self.view
        cdef const float[::1] values
        cdef const uint8_t[::1] codes
        cdef int i
        section = self.section("dense")
        self.weights = weigh_features(section, "weights", "features", view, &self.edges)
        find_marks(view)
        values = section.array("unknown_tag_ln", "float32", N_CLASSES * N_CLASS_TAGS)
        for i in range(N_CLASSES * N_CLASS_TAGS):
            view.unknown_tag_ln[i // N_CLASS_TAGS][i % N_CLASS_TAGS] = values[i]
            view.unknown_tag[i // N_CLASS_TAGS][i % N_CLASS_TAGS] = exp(limited(values[i]))
        for i in range(256):
            view.count[i] = 2.0 ** (i / 8.0) - 1.0
        n_codes = self._n_codes()
        if "neighbour_log_odds" in self.buffers:
            codes = section.array("neighbour_log_odds", "uint8", n_codes)
            view.shift = &codes[0]
        if "case_context" in self.buffers:
            codes = section.array("case_context", "uint8", n_codes)
            view.neighbour_case = &codes[0]
        if "suffixes" in self.buffers:
            codes = section.array("suffixes", "uint8", SUFFIX_BYTES)
            view.suffixes = &codes[0]
        view.n_records = self.n_records or 0
        view.is_active = True

    def _n_codes(self):
        """Number of codes of form records; None if the model has no codes."""
        for name in ("neighbour_log_odds", "case_context"):
            if name in self.buffers:
                n = memoryview(self.buffers[name]).nbytes
                if n % 4 or n < 4 * (N_CLASSES + 1):
                    raise ModelError(f"the array dense/{name} has {n} entries, expected four of "
                                     "each record of the lexicon")
                return n
        return None

    @property
    def n_records(self):
        """Number of the lexicon's form records; None if the model has no codes of them."""
        n = self._n_codes()
        return None if n is None else n // 4 - N_CLASSES - 1

    def with_weights(self, weights):
        """Return the same features with other weights, by name."""
        import numpy as np

        arrays = {**self.arrays, "weights": np.array(list(weights.values()), np.float32)}
        return DenseFeatures(arrays, {**self.settings, "features": list(weights)})

    def info(self):
        return {**super().info(), "features": len(self.weights)}
