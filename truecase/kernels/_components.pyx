"""The parts of a model that score candidates, checked and laid out for the kernels."""

from libc.math cimport exp
from libc.stdint cimport int32_t, int64_t, int8_t, uint32_t, uint64_t, uint8_t
from libc.string cimport memcpy, memset

from truecase.base._memory cimport rise
from truecase.kernels._calibration cimport (
    SEVERAL_COMMON_LOG_ODDS, SEVERAL_MODERATE_LOG_ODDS, SEVERAL_RARE_LOG_ODDS
)
from truecase.kernels._dense cimport (
    LONGEST_SUFFIX, SUFFIX_BYTES, limited, suffix_check, suffix_hashes, suffix_slot
)
from truecase.kernels._maps cimport bytes_of, fill_rows, fill_slots, floats_of, free_heads
from truecase.kernels._network cimport (
    MAX_NETWORK_UNITS, N_KEPT, N_NETWORK_CASES, N_READ, N_UNITS_JOINED, N_VECTOR, OF_FACTS,
    OF_PAIR, OF_PAIRS, OF_PREFIX, OF_SIDES, OF_SUFFIX, OF_WORD
)
from truecase.kernels._recurrent cimport (
    GROUP, INPUT_BITS, STATE_BITS, lay_bytes, lay_sums, lay_units, take_n_units, take_zeros
)
from truecase.kernels._schema cimport N_NODE_COLUMNS
from truecase.kernels._segment cimport key_of
from truecase.kernels._structs cimport (
    MARK_SLOTS, MAX_MARKS, N_BANDS, N_CLASSES, N_CLASS_TAGS, N_ONE, N_SEVERAL, N_STATES, N_TAGS,
    TranslationTable
)
from truecase.kernels._translation cimport pair_hash, source_hash, target_hash

from truecase.base._component import all_between
from truecase.base.model_file import MAX_NUMBER
from truecase.errors import ModelError
from truecase.kernels import schema
from truecase.kernels._lexicon import padded
from truecase.kernels.schema import SOURCE_COLUMNS


# --- Portage's models of case ---------------------------------------------------------------


_VARIANTS = {"product": 0, "interpolated": 1, "powers": 2}


cdef class CaseModels(Component):
    """Portage's models of the case of a word by itself (Agbago et al. 2005).

    Arrays: ``case_code``, the code of each form record's log Φ, whose values are ``case_ln``;
    ``unknown_ln``, log Π; ``powers``. Settings: ``variant``, ``theta``, ``search``, ``lm_share``.
    """

    about = "Portage's models of case"

    def __cinit__(self, arrays, settings=None):
        cdef const uint8_t[::1] codes
        cdef const float[::1] values
        cdef int i
        section = self.section("portage")
        codes = section.array("case_code", "uint8")
        self.n_records = codes.shape[0]
        self.omega.case_code = &codes[0] if codes.shape[0] else NULL
        self.omega.case_ln = floats_of(section, "case_ln", 256)
        memcpy(self.omega.unknown_ln, floats_of(section, "unknown_ln", N_CLASSES * N_CLASS_TAGS),
               sizeof(self.omega.unknown_ln))
        self.omega.variant = section.choice("variant", _VARIANTS)
        self.omega.joint = section.choice("theta", {"conditional": 0, "joint": 1})
        self.omega.left_to_right = section.choice("search", {"viterbi": 0, "left-to-right": 1})
        self.omega.lm_share = section.number("lm_share", 0, 1)
        values = section.array("powers", "float32", 2 * N_BANDS)
        if not all_between(values, -1e3, 1e3):
            raise ModelError("the array portage/powers has an entry beyond ±1000")
        memcpy(self.omega.alpha, &values[0], sizeof(self.omega.alpha))
        memcpy(self.omega.beta, &values[N_BANDS], sizeof(self.omega.beta))
        for i in range(256):
            self.omega.count[i] = 2.0 ** (i / 8.0) - 1.0
        self.omega.is_active = True

    @property
    def multiplies_n_grams(self):
        """Whether edges stay those of the n-grams, with Φ and Π as factors of the nodes."""
        return bool(self.settings["variant"] == "product" and self.settings["theta"] == "joint")

    def info(self):
        return {
            **super().info(),
            **{name: self.settings[name] for name in ("variant", "search", "lm_share")},
        }


# --- dense features -------------------------------------------------------------------------


SUFFIX_TABLE_BYTES = SUFFIX_BYTES


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


cdef int fill_edge_weights(EdgeWeights* edges, weights) except -1:
    cdef int i, n = len(weights)
    cdef int first = n - 2 - <int>len(schema.transition_columns())
    edges.lm = weights[0]
    edges.after_case = weights[n - 2]
    edges.before_case = weights[n - 1]
    edges.has_neighbour_case = edges.after_case != 0.0 or edges.before_case != 0.0
    # The search adds them where it adds transitions.
    edges.has_transitions = edges.has_neighbour_case
    for i, (before, now) in enumerate(schema.transition_states(), first):
        edges.transition[N_STATES * <int>before + <int>now] = weights[i]
        if weights[i]:
            edges.has_transitions = True
    return 0


cdef dict weigh_features(section, str array, str names, DenseView* view, EdgeWeights* edges):
    cdef int i, n_marks = 1 + len(schema.MARKS)
    found = section.names(names)
    named = dict(zip(found, map(float, section.array(array, "float32", len(found)))))
    try:
        weights = schema.in_order(named)
    except ValueError as error:
        raise ModelError(
            f"{section.name}: {error}; a newer version of the package may have it") from None
    assert len(schema.NODE_COLUMNS) == N_NODE_COLUMNS and n_marks <= MAX_MARKS
    view.n_marks = n_marks
    for i in range(N_NODE_COLUMNS):
        view.weight[i] = weights[1 + i]
    for i in range(n_marks):
        view.mark_weight[i] = weights[1 + N_NODE_COLUMNS + i]
    fill_edge_weights(edges, weights)
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
        n_codes = None
        for name in ("neighbour_log_odds", "case_context"):
            if name in self.buffers:
                codes = section.array(name, "uint8", n_codes)
                n_codes = codes.shape[0]
                if n_codes % 4 or n_codes < 4 * (N_CLASSES + 1):
                    raise ModelError(f"the array dense/{name} has {n_codes} entries, expected four "
                                     "of each record of the lexicon")
                self.n_records = n_codes // 4 - N_CLASSES - 1
                if name == "case_context":
                    view.neighbour_case = &codes[0]
                else:
                    view.shift = &codes[0]
        if "suffixes" in self.buffers:
            view.suffixes = bytes_of(section, "suffixes", SUFFIX_BYTES)
        view.is_active = True

    def with_weights(self, weights):
        """Return the same features with other weights, by name."""
        import numpy as np

        arrays = {**self.arrays, "weights": np.array(list(weights.values()), np.float32)}
        return DenseFeatures(arrays, {**self.settings, "features": list(weights)})

    def info(self):
        return {**super().info(), "features": len(self.weights)}


# --- features of lines with a source --------------------------------------------------------


cdef class SourceFeatures(Component):
    """Weights that were learned on lines with a source.

    Arrays: ``weights``, one per name in the setting ``features`` for lines with an alignment, and
    again for lines without; optionally ``dense_weights``, one per name in ``dense_features``, which
    replace those of the dense features, or that of the n-grams beside a network. The setting
    ``casing`` is that of the source language.
    """

    about = "weights for lines with a source"

    def __cinit__(self, arrays, settings=None):
        cdef const float[::1] values
        cdef int i, place
        section = self.section("source")
        assert len(SOURCE_COLUMNS) == N_SOURCE_COLUMNS
        names = section.names("features")
        values = section.array("weights", "float32", 2 * len(names))
        for i, name in enumerate(names):
            if name not in SOURCE_COLUMNS:
                raise ModelError(f"source: there is no feature of the name {name!r}; a newer "
                                 "version of the package may have it")
            place = SOURCE_COLUMNS.index(name)
            self.weight[0][place] = values[i]
            self.weight[1][place] = values[len(names) + i]
        self.turkic = section.choice("casing", {"default": 0, "turkic": 1})
        self.weighs_dense = "dense_weights" in self.buffers
        if self.weighs_dense:
            weigh_features(section, "dense_weights", "dense_features", &self.dense, &self.edges)

    @property
    def weights(self):
        """By name: the weight for lines with an alignment, and for lines without."""
        cdef int i
        return {name: (self.weight[0][i], self.weight[1][i])
                for i, name in enumerate(SOURCE_COLUMNS) if name in self.settings["features"]}

    def info(self):
        return {**super().info(), "features": len(self.settings["features"])}


# --- translation tables ---------------------------------------------------------------------


#: Smallest probability or share in a table, so that products are normal numbers.
SMALLEST = 1e-15

#: Most bits of a code.
LONGEST_CODE = 16


cdef int fill_table(TranslationTable* table, section, str name) except -1:
    cdef int bits = int(section.number(f"{name}.code_bits", 1, LONGEST_CODE))
    cdef const float[::1] values = section.array(f"{name}.value", "float32", 1 << bits)
    fill_slots(&table.slots, section, name, bits, True)
    _check_shares(section, f"{name}.value", values[1:])
    table.code_mask = (1 << bits) - 1
    table.value = &values[0]
    table.unknown = section.number(f"{name}.unknown", SMALLEST, 1)
    return 0


def _check_shares(section, name, values):
    if not all_between(values, SMALLEST, 1.0):
        raise ModelError(f"the array {section.name}/{name} has an entry outside {SMALLEST} … 1")


def hash_entries(const uint64_t[::1] sources, const uint64_t[::1] targets):
    """Hashes of the entries of pairs; of sources or targets alone, if the other array is None."""
    import numpy as np

    cdef Py_ssize_t i, n = sources.shape[0] if sources is not None else targets.shape[0]
    if targets is not None and targets.shape[0] != n:
        raise ValueError(f"{n} sources but {targets.shape[0]} targets")
    out = np.empty(n, np.uint64)
    cdef uint64_t[::1] hashes = out
    for i in range(n):
        if targets is None:
            hashes[i] = source_hash(sources[i])
        elif sources is None:
            hashes[i] = target_hash(targets[i])
        else:
            hashes[i] = pair_hash(sources[i], targets[i])
    return out


cdef class TranslationTables(Component):
    """How likely a form is as the translation of a source form.

    Arrays: ``cased.slots`` and ``cased.value`` of surface forms, ``lower.slots`` and
    ``lower.value`` of lowercase keys, and ``tag``, p(target tag | source tag).
    """

    about = "translation tables"

    def __cinit__(self, arrays, settings=None):
        cdef const float[::1] shares
        section = self.section("tables")
        shares = section.array("tag", "float32", N_TAGS * N_TAGS)
        _check_shares(section, "tag", shares)
        fill_table(&self.view.cased, section, "cased")
        fill_table(&self.view.lower, section, "lower")
        self.n_pairs = sum([int(section.number(f"{name}.n_pairs", 0, 2**32))
                            for name in ("cased", "lower")])
        memcpy(self.view.tag, &shares[0], sizeof(self.view.tag))
        self.view.present = True

    def __dealloc__(self):
        free_heads(&self.view.cased.slots)
        free_heads(&self.view.lower.slots)

    def info(self):
        return {**super().info(), "pairs": self.n_pairs}


# --- the network ----------------------------------------------------------------------------


#: Sizes of the parts of a word's vector: of the word, its affixes, facts, and its pair.
VECTOR = (OF_WORD, OF_SUFFIX, OF_PREFIX, OF_FACTS, OF_PAIR)
#: Units of the layer that joins both directions, and of a direction, at most.
NETWORK_JOINED = N_UNITS_JOINED
MAX_NETWORK = MAX_NETWORK_UNITS
#: Units that read each other's states.
UNITS_IN_GROUP = GROUP


cdef class Network(Component):
    """Recurrent units over a sentence, which score the cases of its words.

    Arrays: ``words`` and ``pairs``, 16 bits of the key and a row of bytes for each frequent word or
    pair, that of a pair with two bytes more, what it settles; ``suffixes`` and ``prefixes``, rows
    of bytes; of ``forward`` and ``backward``, the weights ``.inputs`` and ``.state`` and the
    ``.bias``, of z, r and c of each group of units; ``joined``, ``joined.bias``, ``out`` and
    ``out.bias``; see `truecase/kernels/_network.pxd`.
    """

    about = "a network that reads whole sentences and scores the cases of words"

    def __cinit__(self, arrays, settings=None):
        cdef NetworkView* view = &self.view
        cdef const float[::1] values
        cdef int32_t* bias
        cdef float* out
        cdef int d, k
        section = self.section("network")
        cdef int n = take_n_units(section), width = 2 * n + N_VECTOR + OF_PAIR
        view.n_units = n
        fill_rows(&view.words, section, "words", OF_WORD)
        fill_rows(&view.pairs, section, "pairs", OF_PAIR + OF_SIDES)
        view.n_affixes = int(section.number("n_affixes", 1, 2**32 - 1))
        view.suffixes = bytes_of(section, "suffixes", view.n_affixes * OF_SUFFIX)
        view.prefixes = bytes_of(section, "prefixes", view.n_affixes * OF_PREFIX)
        for d, name in enumerate(("forward", "backward")):
            view.units[d].n_units = n
            lay_units(section, name, N_VECTOR, N_READ, OF_PAIR, self.kept, &view.units[d])
        bias = <int32_t*>take_zeros(self.kept, 2 * N_UNITS_JOINED * sizeof(int32_t))
        view.joined_kept.bias = bias
        view.joined_bias = bias + N_UNITS_JOINED
        lay_sums(section.array("joined.bias", "float32", N_UNITS_JOINED), bias)
        values = section.array("joined", "float32", N_UNITS_JOINED * width)
        lay_bytes(values, 0, N_UNITS_JOINED, width, 2 * n, N_READ, INPUT_BITS, bias,
                  self.kept, &view.joined_kept.of_inputs)
        bias += N_UNITS_JOINED
        lay_bytes(values, 0, N_UNITS_JOINED, width, 0, 2 * n, STATE_BITS, bias,
                  self.kept, &view.joined_states)
        lay_bytes(values, 0, N_UNITS_JOINED, width, 2 * n + N_KEPT, OF_PAIRS, INPUT_BITS,
                  bias, self.kept, &view.joined_pairs)
        values = section.array("out", "float32", N_NETWORK_CASES * N_UNITS_JOINED)
        out = <float*>take_zeros(self.kept, N_UNITS_JOINED * N_NETWORK_CASES * sizeof(float))
        for d in range(N_NETWORK_CASES):
            for k in range(N_UNITS_JOINED):
                out[k * N_NETWORK_CASES + d] = values[d * N_UNITS_JOINED + k]
        view.out = out
        view.out_bias = floats_of(section, "out.bias", N_NETWORK_CASES)
        self.edges.lm = section.number("lm_weight", -MAX_NUMBER, MAX_NUMBER)
        view.is_active = True

    def unsettled(self):
        """Return the same network, for which no pair settles a word."""
        import numpy as np

        rows = np.array(self.arrays["pairs"]).reshape(-1, self.view.pairs.n_bytes)
        rows[:, -OF_SIDES:] = 0
        return Network({**self.arrays, "pairs": rows.ravel()}, self.settings)

    def info(self):
        return {
            **super().info(),
            "units": self.view.n_units,
            "words": self.view.words.n_rows,
            "pairs": self.view.pairs.n_rows,
        }


# --- calibration ----------------------------------------------------------------------------


#: Names of the weights of words with several forms, and with one, in order.
SEVERAL = (
    "constant",
    "log_odds_of_rare_words",
    "log_odds_of_common_words",
    "seen",
    "seen_squared",
    "unseen",
    "familiar",
    "length",
    "doubt",
    "moderate_log_odds",
)
ONE = ("constant", "seen", "seen_squared", "unseen", "familiar", "length", "doubt")

assert len(SEVERAL) == N_SEVERAL and len(ONE) == N_ONE


cdef int copy_weights(object section, str name, int n, int n_before, double* weight) except -1:
    """Copy n weights; models from before `length` have `n_before`, and the others are 0."""
    cdef int i
    if len(section.array(name, "float32")) == n_before:
        n = n_before
    for i, found in enumerate(section.array(name, "float32", n)):
        weight[i] = found
    return 0


cdef class Calibration(Component):
    """Weights that turn the probability of a form into how often such forms are right.

    Arrays: ``several`` and ``one``, the weights of words with several forms and with one. Those of
    log-odds are not negative: forms of a higher probability are right more often.
    """

    about = "a calibration of probabilities"

    def __cinit__(self, arrays, settings=None):
        section = self.section("calibration")
        copy_weights(section, "several", N_SEVERAL, SEVERAL.index("length"), self.view.several)
        copy_weights(section, "one", N_ONE, ONE.index("length"), self.view.one)
        if min(self.view.several[SEVERAL_RARE_LOG_ODDS],
               self.view.several[SEVERAL_COMMON_LOG_ODDS],
               self.view.several[SEVERAL_MODERATE_LOG_ODDS]) < 0.0:
            raise ModelError("the array calibration/several has a negative weight of log-odds")
        self.view.is_active = True

    def info(self):
        several, one = self.arrays["several"], self.arrays["one"]
        return {
            **super().info(),
            "several": dict(zip(SEVERAL, several.tolist(), strict=False)),
            "one": dict(zip(ONE, one.tolist(), strict=False)),
        }
