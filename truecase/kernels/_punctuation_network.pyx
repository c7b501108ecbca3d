"""The punctuation network as a component of a model, and the words of text to train it on."""

from libc.stdint cimport uint16_t

from truecase.kernels._maps cimport (
    ROWS_IN_BUCKET, bytes_of, fill_rows, floats_of, row_bucket, row_check
)
from truecase.kernels._recurrent cimport (
    INPUT_BITS, MAX_STATE, STATE_BITS, lay_bytes, lay_sums, lay_units, take_n_units, take_zeros
)

from truecase.errors import ModelError


#: Sizes of the inputs: of a word, its last letters, its pair, and the mark behind it.
INPUTS = (WORD_SIZE, ENDING_SIZE, PAIR_SIZE, MAX_CLOSINGS)
#: Units of the layer that joins both directions.
JOINED = N_JOINED
#: Most marks of a model behind words, and in front of them.
MAX_MARKS = MAX_CLOSINGS - 1
MAX_BEFORE = MAX_OPENINGS - 1
#: Most pairs of a mark, or none, behind a word and one, or none, before the next.
MAX_PAIRS = MAX_LABELS
#: Most units of a direction.
MAX_UNITS = MAX_STATE


cdef class Marks(Component):
    """Recurrent units over words, which score the marks between them.

    Arrays: ``words`` and ``pairs``, 16 bits of the key and a row of bytes for each frequent word or
    pair; ``endings``, rows of bytes; of ``forward`` and ``backward``, the weights ``.inputs`` and
    ``.state`` and the ``.bias``, of z, r and c of each group of units; ``joined``,
    ``joined.bias``, ``out`` and ``out.bias``; ``abbreviations``, keys of words that a full stop
    belongs to. Settings: ``marks``, the strongest
    last; ``ends``, those that end sentences; ``alike``, the mark of each other sign of the text;
    ``openings``, optional marks in front of words, such as ¿.

    Attributes
    ----------
    marks, openings : tuple of str
        The marks that it puts behind words, and in front of words.
    pairs : tuple of (str, str)
        A mark, or none, behind a word and one before the next, by their labels.
    """

    about = "recurrent units that put marks between words"

    def __cinit__(self, arrays, settings=None):
        cdef MarksView* view = &self.view
        cdef const uint64_t[::1] keys
        cdef const float[::1] values
        cdef float* out
        cdef int n, n_labels, n_blocks, label, k
        section = self.section("marks")
        n = take_n_units(section)
        view.turkic = bool(section.number("turkic", 0, 1))
        self.marks = tuple(section.names("marks"))
        self.openings = ()
        if "openings" in self.settings:
            self.openings = tuple(section.names("openings"))
        fill_signs(&view.signs, self.marks, section.names("ends"), self.settings.get("alike"))
        fill_openings(&view.signs, self.openings)
        self.pairs = tuple([
            (mark, opening) for opening in ("", *self.openings) for mark in ("", *self.marks)])
        n_labels = view.signs.n_labels
        n_blocks = (n_labels + LABELS_TOGETHER - 1) // LABELS_TOGETHER
        fill_rows(&view.words, section, "words", WORD_SIZE)
        view.n_endings = int(section.number("n_endings", 1, 2**32 - 1))
        view.endings = bytes_of(section, "endings", view.n_endings * ENDING_SIZE)
        fill_rows(&view.pairs, section, "pairs", PAIR_SIZE)
        keys = section.array("abbreviations", "uint64")
        view.n_abbreviations = keys.shape[0]
        view.abbreviations = &keys[0] if keys.shape[0] else NULL
        for k, name in enumerate(("forward", "backward")):
            view.units[k].n_units = n
            lay_units(section, name, N_INPUTS, N_KEPT, N_REST, self.kept, &view.units[k])
        lay_joined(section, n, self.kept, view)
        values = section.array("out", "float32", n_labels * N_JOINED)
        out = <float*>take_zeros(
            self.kept, <int>(N_JOINED * LABELS_TOGETHER) * n_blocks * sizeof(float))
        for label in range(n_labels):
            for k in range(N_JOINED):
                out[(label // LABELS_TOGETHER * N_JOINED + k) * LABELS_TOGETHER
                    + label % LABELS_TOGETHER] = values[label * N_JOINED + k]
        view.out = out
        view.out_bias = floats_of(section, "out.bias", n_labels)

    def info(self):
        return {
            **super().info(),
            "marks": " ".join((*self.marks, *self.openings)),
            "units": self.view.units[0].n_units,
            "words": self.view.words.n_rows,
        }


cdef int lay_joined(object section, int n, list kept, MarksView* view) except -1:
    """Lay out the layer that joins both directions of n units."""
    cdef const float[::1] values
    cdef int k, first, width = 2 * n + 2 * N_INPUTS
    cdef int32_t* bias = <int32_t*>take_zeros(kept, N_JOINED * sizeof(int32_t))
    cdef int32_t* of_kept
    view.joined_bias = bias
    lay_sums(section.array("joined.bias", "float32", N_JOINED), bias)
    values = section.array("joined", "float32", N_JOINED * width)
    for k in range(2):
        first = 2 * n + k * N_INPUTS
        of_kept = <int32_t*>take_zeros(kept, N_JOINED * sizeof(int32_t))
        lay_bytes(values, 0, N_JOINED, width, k * n, n, STATE_BITS, bias, kept, &view.joined[k])
        lay_bytes(values, 0, N_JOINED, width, first, N_KEPT, INPUT_BITS, of_kept, kept,
                  &view.joined_kept[k].of_inputs)
        lay_bytes(values, 0, N_JOINED, width, first + N_KEPT, N_REST, INPUT_BITS, bias, kept,
                  &view.joined[2 + k])
        view.joined_kept[k].bias = of_kept
    return 0


cdef int fill_signs(Signs* signs, tuple marks, list ends, object alike) except -1:
    """Check the marks and signs of a model, and copy them."""
    cdef int label
    cdef bytes written
    if not 1 <= len(marks) < MAX_CLOSINGS:
        raise ModelError(f"the setting marks.marks has {len(marks)} marks: expected 1 to 7")
    if not isinstance(alike, dict):
        raise ModelError("the setting marks.alike does not say what signs stand for")
    if not set(ends) <= set(marks):
        raise ModelError("the setting marks.ends names a mark that marks.marks has not")
    signs.n_closings = 1 + len(marks)
    for label, mark in enumerate(marks, 1):
        check_sign(mark)
        written = mark.encode()
        signs.mark_size[label] = <uint8_t>len(written)
        memcpy(signs.mark[label], <const char*>written, len(written))
        signs.ends_sentence[label] = mark in ends
    signs.n_signs = 0
    for sign, mark in (*zip(marks, marks, strict=True), *alike.items()):
        check_sign(sign)
        if mark not in marks:
            raise ModelError(f"the setting marks.alike has {sign!r} for no mark of the model")
        if signs.n_signs == MAX_SIGNS:
            raise ModelError(f"the setting marks.alike has too many signs: {MAX_SIGNS} at most")
        signs.sign[signs.n_signs] = ord(sign)
        signs.label[signs.n_signs] = <uint8_t>(1 + marks.index(mark))
        signs.n_signs += 1
    return 0


cdef int fill_openings(Signs* signs, tuple openings) except -1:
    """The same for marks in front of words; counts the labels."""
    cdef int k
    cdef bytes written
    signs.n_openings = 1 + len(openings)
    signs.n_labels = signs.n_closings * signs.n_openings
    if signs.n_openings > MAX_OPENINGS or signs.n_labels > MAX_LABELS:
        raise ModelError(
            f"marks: {signs.n_closings - 1} behind words and {len(openings)} in front of them are "
            "too many")
    for k, mark in enumerate(openings, 1):
        check_sign(mark)
        for other in range(signs.n_signs):
            if signs.sign[other] == ord(mark):
                raise ModelError(
                    f"the setting marks.openings has {mark!r}, which stands behind words")
        written = mark.encode()
        signs.opening[k] = ord(mark)
        signs.opening_size[k] = <uint8_t>len(written)
        memcpy(signs.opening_mark[k], <const char*>written, len(written))
    return 0


def is_sign(sign) -> bool:
    """Whether a mark may be this: one character that no format needs to escape."""
    return (isinstance(sign, str) and len(sign) == 1 and not sign.isalnum() and not sign.isspace()
            and not 0xd800 <= ord(sign) < 0xe000 and ord(sign) >= 0x20 and sign not in '<>&"\\')


cdef int check_sign(object sign) except -1:
    if not is_sign(sign):
        raise ModelError(f"marks: {sign!r} is no mark of one character")
    return 0


#: Rows of a bucket of pairs.
IN_BUCKET = ROWS_IN_BUCKET

#: Flags of a word.
FLAGS = {
    "is sign": WORD_IS_SIGN,
    "has stop": WORD_HAS_STOP,
    "is upper": WORD_IS_UPPER,
    "trails": WORD_TRAILS,
    "ends line": WORD_ENDS_LINE,
    "stops": WORD_STOPS,
}


def read_words(text not None, dict signs not None, bint turkic=False, openings=()):
    """Read the words of a text, for training.

    Parameters
    ----------
    text : bytes-like
    signs : dict of str to int
        Labels of the signs, of one character, that count as marks.
    turkic : bool
    openings : iterable of str
        Marks in front of words.

    Returns
    -------
    keys : uint64 ndarray
        Hashes of folded words.
    endings : uint32 ndarray
        Hashes of their last letters.
    labels : uint8 ndarray
        Label of the strongest sign behind each, 0 for none.
    flags : uint8 ndarray
        See `FLAGS`.
    before : uint8 ndarray
        Number of the opening mark in front of each, from 1; 0 for none.
    """
    # Another thread may change other buffers, whose words might then outnumber the arrays.
    cdef const uint8_t[::1] view = text if type(text) is bytes else bytes(memoryview(text))
    cdef Signs held
    cdef MarkWord word
    cdef size_t n = view.shape[0], at = 0, count = 0
    cdef int n_lines
    cdef const uint8_t* p
    memset(&held, 0, sizeof(held))
    held.n_openings = 1
    for sign in openings:
        if held.n_openings == MAX_OPENINGS:
            raise ValueError("too many marks in front of words")
        held.opening[held.n_openings] = ord(sign)
        held.n_openings += 1
    for sign, label in signs.items():
        if held.n_signs == MAX_SIGNS:
            raise ValueError("too many signs")
        held.sign[held.n_signs] = ord(sign)
        held.label[held.n_signs] = label
        held.n_signs += 1
    # A word has a byte, and white space behind it.
    import numpy as np

    keys = np.empty(n // 2 + 1, np.uint64)
    endings = np.empty(n // 2 + 1, np.uint32)
    labels = np.empty(n // 2 + 1, np.uint8)
    flags = np.empty(n // 2 + 1, np.uint8)
    before = np.empty(n // 2 + 1, np.uint8)
    cdef uint64_t[::1] key_view = keys
    cdef uint32_t[::1] ending_view = endings
    cdef uint8_t[::1] label_view = labels, flag_view = flags, before_view = before
    if n:
        with nogil:
            p = skip_space(&view[0], &view[0] + n, &n_lines)
            at = p - &view[0]
            while at < n:
                read_word(&held, turkic, &view[0], at, n, &word)
                n_lines = 0
                p = skip_space(&view[0] + word.end, &view[0] + n, &n_lines)
                at = p - &view[0]
                if n_lines or at == n:
                    word.flags |= WORD_ENDS_LINE
                check(count < <size_t>key_view.shape[0])
                key_view[count] = word.key
                ending_view[count] = word.ending
                label_view[count] = word.given
                flag_view[count] = word.flags
                before_view[count] = word.opening
                count += 1
    return keys[:count], endings[:count], labels[:count], flags[:count], before[:count]


def pair_keys(const uint64_t[::1] before, const uint64_t[::1] keys):
    """Keys of pairs, by those of their words: a uint64 ndarray."""
    import numpy as np

    joined = np.empty(keys.shape[0], np.uint64)
    cdef uint64_t[::1] view = joined
    cdef Py_ssize_t i
    if before.shape[0] != keys.shape[0]:
        raise ValueError("before: expected as many keys")
    with nogil:
        for i in range(keys.shape[0]):
            view[i] = pair_key(before[i], keys[i])
    return joined


# The row of a key, or the first that it may take; the number of rows if there is none.
cdef inline uint32_t find_row_number(const uint16_t[::1] checks, uint64_t key,
                                     bint may_be_free) noexcept nogil:
    cdef uint32_t n_rows = <uint32_t>checks.shape[0]
    cdef uint32_t first = row_bucket(key, n_rows), row
    for row in range(first, min(first + ROWS_IN_BUCKET, n_rows)):
        if checks[row] == row_check(key) or (may_be_free and checks[row] == 0):
            return row
    return n_rows


def place_keys(const uint64_t[::1] keys, uint32_t n_rows):
    """Give each key, in order, a row of its bucket while there are free ones.

    Keys of a bucket with the same check share a row.

    Returns
    -------
    uint16 ndarray, shape (n_rows,)
        The check of each row, 0 if it is empty.
    """
    import numpy as np

    checks = np.zeros(n_rows, np.uint16)
    cdef uint16_t[::1] view = checks
    cdef Py_ssize_t i
    cdef uint32_t row
    if n_rows % <uint32_t>ROWS_IN_BUCKET:
        raise ValueError("n_rows: expected a multiple of 4")
    with nogil:
        for i in range(keys.shape[0]):
            row = find_row_number(view, keys[i], True)
            if row < n_rows:
                view[row] = row_check(keys[i])
    return checks


def find_rows(const uint64_t[::1] keys, const uint16_t[::1] checks):
    """Rows of keys, ``len(checks)`` for keys without one: an int32 ndarray."""
    import numpy as np

    rows = np.empty(keys.shape[0], np.int32)
    cdef int32_t[::1] view = rows
    cdef Py_ssize_t i
    if checks.shape[0] % ROWS_IN_BUCKET:
        raise ValueError("checks: expected a multiple of 4")
    with nogil:
        for i in range(keys.shape[0]):
            view[i] = <int32_t>find_row_number(checks, keys[i], False)
    return rows
