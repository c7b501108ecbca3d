"""N-grams: their hashes, scores for training and tests, and the components of a model."""

from truecase.kernels._maps cimport fill_slots, floats_of, free_heads, home_slot, prefetch_slot
from truecase.kernels._structs cimport MAX_ORDER

from truecase.base.model_file import MAX_NUMBER, Section
from truecase.errors import ModelError, PackingError


def hash_ngrams(const uint32_t[:, ::1] words, const uint64_t[::1] form_hashes):
    """Hash n-grams given as word ids.

    Parameters
    ----------
    words : const uint32[:, ::1], shape (n, order)
        Word ids, left to right.
    form_hashes : const uint64[::1], shape (vocabulary size,)
        Identity of each word's surface form.

    Returns
    -------
    uint64 ndarray, shape (n,)

    Raises
    ------
    PackingError
        A word id is not below ``len(form_hashes)``.
    """
    cdef Py_ssize_t n = words.shape[0], order = words.shape[1], i, k
    cdef uint64_t size = form_hashes.shape[0], h
    import numpy as np

    out = np.empty(n, dtype=np.uint64)
    cdef uint64_t[::1] hashes = out
    with nogil:
        for i in range(n):
            for k in range(order):
                if words[i, k] >= size:
                    with gil:
                        raise PackingError(
                            f"a word id of n-gram {i} is not in the vocabulary of {size} words")
            h = form_hashes[words[i, order - 1]]
            for k in range(order - 2, -1, -1):
                h = extend_left(h, form_hashes[words[i, k]])
            hashes[i] = h
    return out


cdef enum:
    AHEAD = 16                    # n-grams whose slots are prefetched


cdef inline bint look_up(const NgramTable* table, uint64_t hash, float* log_probability,
                         float* log_backoff) noexcept nogil:
    return find_ngram(table, home_slot(&table.slots, hash), hash, log_probability, log_backoff)


cdef inline float word_score(const NgramView* lm, const Vocabulary* vocabulary,
                             const uint32_t* words, int j) noexcept nogil:
    """log p(words[j] | words[0 … j - 1]), natural log."""
    cdef int m
    cdef uint64_t hash = vocabulary.form[words[j]], context = 0
    cdef float score = vocabulary.log_probability[words[j]], backoff, unused = 0.0
    for m in range(1, j + 1):
        if m == 1:
            context = vocabulary.form[words[j - 1]]
            backoff = vocabulary.log_backoff[words[j - 1]]
        else:
            context = extend_left(context, vocabulary.form[words[j - m]])
            backoff = 0.0
            look_up(&lm.tables[m], context, &unused, &backoff)
        hash = extend_left(hash, vocabulary.form[words[j - m]])
        if not look_up(&lm.tables[m + 1], hash, &score, &unused):
            score += backoff
    return score


cdef class NgramScorer:
    """An n-gram model over word ids, for training and tests.

    Parameters
    ----------
    form : const uint64[::1], shape (n_words,)
        Identity of each word id.
    log_probability, log_backoff : const float[::1], shape (n_words,)
        Unigrams, natural log.
    tables : list of (arrays, settings)
        Of the orders 2, 3, …, as `truecase.ngram.table.pack_order` returns them.
    closed : bool
        See `NgramView`.
    """

    def __cinit__(self, const uint64_t[::1] form, const float[::1] log_probability,
                  const float[::1] log_backoff, tables, bint closed=False):
        cdef int k
        if log_probability.shape[0] != form.shape[0] or log_backoff.shape[0] != form.shape[0]:
            raise ValueError("the vocabulary's arrays differ in length")
        tables = list(tables)
        if len(tables) > MAX_ORDER - 1:
            raise ValueError(f"order {len(tables) + 1} is above {MAX_ORDER}")
        self.owners = [form, log_probability, log_backoff]
        self.n_words = form.shape[0]
        self.lm.order = 1 + len(tables)
        self.lm.closed = closed
        self.vocabulary.form = &form[0]
        self.vocabulary.log_probability = &log_probability[0]
        self.vocabulary.log_backoff = &log_backoff[0]
        for k, (arrays, settings) in enumerate(tables, 2):
            named = {f"ngram{k}.{name}": array for name, array in arrays.items()}
            section = Section("lm", named, {f"ngram{k}": settings}, self.owners)
            fill_table(&self.lm.tables[k], section, f"ngram{k}")

    def __dealloc__(self):
        free_tables(&self.lm)

    @property
    def unigram_backoff(self):
        """Unigram backoffs by word id, natural log; float32, shape (n_words,)."""
        import numpy as np

        return np.asarray(self.owners[2])

    cdef int _check(self, const uint32_t[:, ::1] words, int skip=0) except -1:
        cdef Py_ssize_t i, j
        if not 0 <= skip < words.shape[1] or words.shape[1] - skip > self.lm.order:
            raise ValueError(f"{words.shape[1]} - {skip} words in a model of order {self.lm.order}")
        for i in range(words.shape[0]):
            for j in range(words.shape[1]):
                if words[i, j] >= self.n_words:
                    raise ValueError(f"word id {words[i, j]} is not in the vocabulary")
        return 0

    def last_word(self, const uint32_t[:, ::1] words, int skip=0):
        """Compute the log-probability of each n-gram's last word after the others.

        Parameters
        ----------
        words : const uint32[:, ::1], shape (n, k)
        skip : int
            Number of leading words to ignore.

        Returns
        -------
        float32 ndarray, shape (n,)
            Natural log.
        """
        self._check(words, skip)
        cdef Py_ssize_t i, n = words.shape[0]
        cdef int k = <int>words.shape[1]
        import numpy as np

        out = np.empty(n, dtype=np.float32)
        cdef float[::1] scores = out
        with nogil:
            for i in range(n):
                if i + AHEAD < n:
                    self.prefetch_last_word(&words[i + AHEAD, skip], k - 1 - skip)
                scores[i] = word_score(&self.lm, &self.vocabulary, &words[i, skip], k - 1 - skip)
        return out

    cdef inline void prefetch_last_word(self, const uint32_t* words, int j) noexcept nogil:
        cdef int m
        cdef uint64_t hash = self.vocabulary.form[words[j]]
        for m in range(1, j + 1):
            hash = extend_left(hash, self.vocabulary.form[words[j - m]])
            prefetch_slot(&self.lm.tables[m + 1].slots, hash)


cdef int fill_table(NgramTable* table, section, str name) except -1:
    cdef int probability_bits = int(section.number(f"{name}.probability_bits", 1, 16))
    cdef int backoff_bits = int(section.number(f"{name}.backoff_bits", 0, 16))
    fill_slots(&table.slots, section, name, probability_bits + backoff_bits, True)
    table.probability_bits = probability_bits
    table.probability_mask = (1 << probability_bits) - 1
    table.backoff_mask = (1 << backoff_bits) - 1
    table.probability_ln = floats_of(section, f"{name}.probability_ln", 1 << probability_bits)
    if backoff_bits:
        table.backoff_ln = floats_of(section, f"{name}.backoff_ln", 1 << backoff_bits)
    return 0


cdef void free_tables(NgramView* lm) noexcept:
    cdef int k
    for k in range(2, lm.order + 1):
        free_heads(&lm.tables[k].slots)


cdef class LanguageModel(Component):
    """Cased n-grams of order 2 and more; the lexicon has the unigrams.

    Arrays, for each order k from 2 up: ``ngramk.slots``, ``ngramk.probability_ln`` and, except in
    the highest order, ``ngramk.backoff_ln``. Settings: ``order``; ``closed`` (see `NgramView`);
    ``weight``, by default 1, if no features have it; and those of the packed tables.
    """

    about = "cased n-grams"

    def __cinit__(self, arrays, settings=None):
        cdef int k
        section = self.section("lm")
        self.view.order = int(section.number("order", 1, MAX_ORDER))
        self.view.closed = self.settings.get("closed") is True
        self.weight = 1.0
        if "weight" in self.settings:
            self.weight = section.number("weight", -MAX_NUMBER, MAX_NUMBER)
        for k in range(2, self.view.order + 1):
            fill_table(&self.view.tables[k], section, f"ngram{k}")
            if (self.view.tables[k].backoff_mask != 0) != (k < self.view.order):
                raise ModelError(f"the setting lm.order is {self.order}, and the backoffs of its "
                                 f"{k}-grams are those of another order")
        if f"ngram{self.view.order + 1}" in self.settings:
            raise ModelError(f"the setting lm.order is {self.order}, and there are longer n-grams")

    def __dealloc__(self):
        free_tables(&self.view)

    @property
    def order(self):
        """Longest n-gram, in words."""
        return self.view.order

    def info(self):
        names = [f"ngram{k}" for k in range(2, self.order + 1)]
        return {
            **super().info(),
            "order": self.order,
            **{name: self.settings[name].get("n_entries") for name in names},
        }


def _part(names, prefix):
    return {name[len(prefix):]: value for name, value in names.items() if name.startswith(prefix)}


cdef class Domain(Component):
    """A second lexicon and language model, interpolated with the first.

    Arrays and settings are those of `Lexicon` and `LanguageModel` below ``lexicon`` and ``lm``;
    the setting ``share`` is the domain's part of the probability.
    """

    about = "a domain's lexicon and n-grams"

    def __cinit__(self, arrays, settings=None):
        section = self.section("domain")
        self.share = section.number("share", 1e-6, 1 - 1e-6)
        made = []
        for name, kind in (("lexicon", Lexicon), ("lm", LanguageModel)):
            own = self.settings.get(name)
            if not isinstance(own, dict):
                raise ModelError(f"the setting domain.{name} is missing")
            try:
                made.append(kind(_part(self.buffers, f"{name}/"), own))
            except ModelError as error:
                raise ModelError(f"domain: {error}") from None
        self.lexicon, self.lm = made

    @staticmethod
    def of(double share, Lexicon lexicon not None, LanguageModel lm not None):
        """Make a domain of its components."""
        parts = {"lexicon": lexicon, "lm": lm}
        arrays = {f"{name}/{key}": array for name, part in parts.items()
                  for key, array in part.arrays.items()}
        return Domain(
            arrays, {"share": share, **{name: part.settings for name, part in parts.items()}})

    def info(self):
        return {
            **super().info(),
            "share": self.share,
            "lexicon": self.lexicon.info(),
            "lm": self.lm.info(),
        }
