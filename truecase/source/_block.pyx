"""The source of a block of lines as Python hands it in, checked."""

from libc.stdint cimport int32_t, int64_t, uint8_t, uint32_t

from truecase.runtime._memory cimport TEXT_PADDING

from truecase.text._words import count_lines, has_as_many_lines

__all__ = ["AlignedBlock"]


cdef class AlignedBlock:
    """A source text beside a block of target lines, and the alignment of their words.

    Parameters
    ----------
    block : bytes-like
        The target's lines; not kept, and not changed by anybody until they have been read.
    source : bytes-like
        As many lines.
    phrases : Phrases, optional
        See `truecase.alignment.lines`; by default no line is aligned.

    Raises
    ------
    ValueError
        If there are not as many lines, the source is 2 GiB or longer, or the arrays of
        `phrases` do not fit each other.
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
    # Invariant: its last entry is 0 or more, so that the next array has an entry to begin with.
    array = _checked(array, "int64", name, n)
    if array[0] != 0 or (array[1:] < array[: len(array) - 1]).any():
        raise ValueError(f"the alignment's {name} do not rise from 0")
    return array


def _checked(array, dtype, str name, n):
    """A copy: what has been checked stays so, whatever another thread does with the caller's."""
    if (array.dtype != dtype or array.ndim != 1 or not array.flags.c_contiguous
            or array.shape[0] != n):
        raise ValueError(
            f"the alignment's {name} are not {n} values of {dtype}, one after the other"
        )
    return array.copy()
