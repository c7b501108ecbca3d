"""The words of languages whose nouns have capitals; the checked source of a block of lines."""

from truecase.base._memory cimport TEXT_PADDING
from truecase.kernels._maps cimport add_key
from truecase.kernels._segment cimport key_of

from truecase.kernels._segment import count_lines, has_as_many_lines
from truecase.kernels.text import FEWEST_FOREIGN_WORDS, GERMAN_WORDS, LIKELY_GERMAN_WORDS


cdef class _Table:
    cdef NounWords view

    def __cinit__(self):
        words = [(word, WORD_SURE) for word in sorted(GERMAN_WORDS)]
        words += [(word, number) for number, word in enumerate(LIKELY_GERMAN_WORDS, 1)]
        for word, value in words:
            if add_key(&self.view.words, key_of(word), value) != STATUS_OK:
                raise MemoryError("no memory left for the words of noun capitals")
        self.view.fewest_words = FEWEST_FOREIGN_WORDS


cdef _Table _TABLE = _Table()


cdef const NounWords* noun_words() noexcept:
    return &_TABLE.view


cdef class AlignedBlock:
    """A source text beside a block of target lines, and the alignment of their words.

    Parameters
    ----------
    block : bytes-like
        The target's lines, which must not change until they are cased.
    source : bytes-like
        As many lines.
    phrases : Phrases, optional
        See `truecase.alignment.lines`; by default no line is aligned.

    Raises
    ------
    ValueError
        The numbers of lines differ, the source has 2 GiB or more, or the arrays of `phrases` do
        not fit each other.
    """

    def __cinit__(self, block, source, phrases=None):
        cdef bytes padded = bytes(source) + b"\n" * TEXT_PADDING
        cdef const uint8_t* text = padded
        cdef int64_t n_lines = count_lines(block), n_source = count_lines(source)
        cdef const int64_t[::1] line_offsets, offsets
        cdef const int32_t[::1] links
        cdef const uint8_t[::1] unaligned
        if len(padded) >= 1 << 31:
            raise ValueError("the source of a block is 2 GiB or longer")
        # A last line that is empty may lack its line end.
        if not has_as_many_lines(block, source):
            raise ValueError(f"there are {n_lines} lines, but {n_source} of their source")
        self._owners = [padded]
        self.aligned.source = text
        self.aligned.source_size = <uint32_t>(len(padded) - TEXT_PADDING)
        self.aligned.n_lines = n_lines
        self.aligned.offsets = NULL
        if phrases is None:
            return
        of_lines = _rising(phrases.line_offsets, "line_offsets", n_lines + 1)
        of_words = _rising(phrases.offsets, "offsets", int(of_lines[n_lines]) + 1)
        source_words = _checked(phrases.source_words, "int32", "source_words",
                                int(of_words[len(of_words) - 1]))
        without = _checked(phrases.unaligned, "uint8", "unaligned", n_lines)
        self._owners += [of_lines, of_words, source_words, without]
        line_offsets, offsets, links, unaligned = of_lines, of_words, source_words, without
        self.aligned.line_offsets = &line_offsets[0]
        self.aligned.offsets = &offsets[0]
        self.aligned.links = &links[0] if links.shape[0] else NULL
        self.aligned.unaligned = &unaligned[0] if unaligned.shape[0] else NULL


def _rising(array, str name, n):
    """The array, which must rise from 0, so that its last entry is a size."""
    array = _checked(array, "int64", name, n)
    if array[0] != 0 or (array[1:] < array[: len(array) - 1]).any():
        raise ValueError(f"the alignment's {name} do not rise from 0")
    return array


def _checked(array, dtype, str name, n):
    """A copy of the array, which no other thread can change after this check."""
    if (array.dtype != dtype or array.ndim != 1 or not array.flags.c_contiguous
            or array.shape[0] != n):
        raise ValueError(
            f"the alignment's {name} are not {n} values of {dtype}, one after the other"
        )
    return array.copy()
