"""The translation tables of a model, and look-ups of many for tests and tools."""

from libc.stdint cimport int32_t, uint64_t, uint8_t
from libc.string cimport memset

from truecase.base._memory cimport STATUS_OK, TEXT_PADDING
from truecase.kernels._maps cimport fill_filter, fill_slots, free_filter
from truecase.kernels._source cimport (
    SourceLine, free_source, segment_source, select_phrase, select_whole
)

from truecase.base._vectors import all_between
from truecase.errors import ModelError


__all__ = ["LONGEST_CODE", "SMALLEST", "TranslationTables", "hash_pairs", "hash_sources",
           "hash_targets"]

#: Smallest probability or share in a table, so that products are normal numbers.
SMALLEST = 1e-15

#: Most bits of a code.
LONGEST_CODE = 16


cdef int fill_table(TranslationTable* table, section, str name) except -1:
    cdef int bits = int(section.number(f"{name}.code_bits", 1, LONGEST_CODE))
    cdef const float[::1] values = section.array(f"{name}.value", "float32", 1 << bits)
    fill_slots(&table.slots, section, name, bits)
    _check_shares(section, f"{name}.value", values[1:])
    table.code_mask = (1 << bits) - 1
    table.value = &values[0]
    table.unknown = section.number(f"{name}.unknown", SMALLEST, 1)
    fill_filter(&table.slots, &table.filter)
    return 0


def _check_shares(section, name, values):
    if not all_between(values, SMALLEST, 1.0):
        raise ModelError(
            f"the array {section.name}/{name} has an entry outside {SMALLEST} … 1")


cdef _checked_pair(const uint64_t[::1] sources, const uint64_t[::1] targets):
    if sources.shape[0] != targets.shape[0]:
        raise ValueError(f"{sources.shape[0]} sources but {targets.shape[0]} targets")


cdef _hashes(const uint64_t[::1] sources, const uint64_t[::1] targets):
    """Hashes of pairs; of sources or targets, if the other array is None."""
    import numpy as np

    cdef Py_ssize_t i, n = sources.shape[0] if sources is not None else targets.shape[0]
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


def hash_pairs(const uint64_t[::1] sources not None, const uint64_t[::1] targets not None):
    """Hashes of the entries of pairs."""
    _checked_pair(sources, targets)
    return _hashes(sources, targets)


def hash_sources(const uint64_t[::1] sources not None):
    """Hashes of the entries of sources."""
    return _hashes(sources, None)


def hash_targets(const uint64_t[::1] targets not None):
    """Hashes of the entries of targets."""
    return _hashes(None, targets)


cdef class TranslationTables(Component):
    """How likely a form is as the translation of a source form.

    Arrays: ``cased.slots`` and ``cased.value`` of surface forms, ``lower.slots`` and
    ``lower.value`` of lowercase keys, and ``tag``, p(target tag | source tag).
    """

    about = "translation tables"

    def __cinit__(self, arrays, settings=None):
        cdef const float[::1] shares
        cdef int i
        section = self.section("tables")
        shares = section.array("tag", "float32", N_TAGS * N_TAGS)
        _check_shares(section, "tag", shares)
        fill_table(&self.view.cased, section, "cased")
        fill_table(&self.view.lower, section, "lower")
        self.n_pairs = sum([int(section.number(f"{name}.n_pairs", 0, 2**32))
                            for name in ("cased", "lower")])
        for i in range(N_TAGS * N_TAGS):
            self.view.tag[i // N_TAGS][i % N_TAGS] = shares[i]
        self.view.present = True

    def __dealloc__(self):
        free_filter(&self.view.cased.filter)
        free_filter(&self.view.lower.filter)

    def info(self):
        return {**super().info(), "pairs": self.n_pairs}

    def probabilities(self, const uint64_t[::1] sources, const uint64_t[::1] targets,
                      bint lower=False):
        """p(target | source) of pairs of forms, or with `lower` of keys."""
        _checked_pair(sources, targets)
        cdef const TranslationTable* table = (
            &self.view.lower if lower else &self.view.cased)
        import numpy as np

        out = np.empty(sources.shape[0], np.float32)
        cdef float[::1] values = out
        cdef float share
        cdef Py_ssize_t i
        with nogil:
            for i in range(sources.shape[0]):
                share = (find_value(table, source_hash(sources[i]), 1.0)
                         * find_value(table, target_hash(targets[i]), table.unknown))
                values[i] = find_value(table, pair_hash(sources[i], targets[i]), share)
        return out

    def features(self, bytes text, int segmentation, bint turkic, words,
                 const uint64_t[::1] forms, const uint8_t[::1] tags, uint64_t key):
        """`translation_ln` and `tag_translation_ln` of a word's candidates, and `tag_mass`'s token.

        `text` is the source line, `words` are the source words of the word, or None for all.
        """
        cdef SourceLine line
        cdef bytes padded = text + bytes(TEXT_PADDING)
        cdef const uint8_t* start = padded
        cdef int32_t[::1] chosen
        cdef float mass[N_TAGS]
        cdef float[::1] first, second
        cdef int32_t likeliest
        cdef Py_ssize_t i
        import numpy as np

        if tags.shape[0] != forms.shape[0] or np.asarray(tags).max(initial=0) >= N_TAGS:
            raise ValueError("there must be a tag, 0 … 4, of each form")
        translation = np.empty(forms.shape[0], np.float32)
        tag_translation = np.empty(forms.shape[0], np.float32)
        first, second = translation, tag_translation
        memset(&line, 0, sizeof(SourceLine))
        try:
            if segment_source(start, 0, len(text), segmentation, turkic, &line) != STATUS_OK:
                raise MemoryError("no memory left to segment the source line")
            if words is None:
                select_whole(&line, 0, 1, True)
            elif len(words):
                chosen = np.array(words, np.int32)
                select_phrase(&line, &chosen[0], chosen.shape[0], True)
            look_up_phrase(&self.view, &line)
            likeliest = tag_mass(&self.view, &line, key, mass)
            for i in range(forms.shape[0]):
                first[i] = translation_ln(&self.view, &line, forms[i])
                second[i] = tag_translation_ln(&self.view, mass, tags[i])
            return translation, tag_translation, likeliest
        finally:
            free_source(&line)
