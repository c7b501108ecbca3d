"""Rows as lines of a block, which models case, and lines of a block as rows again.

Line ends within a row are text: a row with k of them is k + 1 lines.
"""

from cpython.bytes cimport PyBytes_AS_STRING, PyBytes_FromStringAndSize
from libc.stddef cimport size_t
from libc.stdint cimport int64_t, uint8_t, uint32_t
from libc.stdlib cimport free
from libc.string cimport memcpy, memset

from truecase.columns._given cimport GivenChunk, TextRows, is_null, row_text
from truecase.runtime._output cimport Output, reserve_output
from truecase.runtime._status cimport STATUS_OK
from truecase.text._hash cimport HIGH_BITS, load8
from truecase.text._line_feeds cimport line_feeds
from truecase.text._utf8 cimport INVALID_BYTE, decode

import numpy as np

__all__ = ["is_utf8", "last_row", "line_counts", "lines_of_rows", "row_with_lines", "source_lines",
           "texts_of_rows"]

cdef uint8_t LINE_FEED = 0x0A
cdef uint8_t BLANK = 0x20


cdef inline int64_t feeds_in_row(const TextRows* rows, int64_t i) noexcept nogil:
    """Line feeds in a row that is not null."""
    cdef const uint8_t* text
    # C does not say which of a call's arguments it looks at first.
    cdef size_t size = row_text(rows, i, &text)
    return line_feeds(text, size)


def last_row(GivenChunk chunk, int64_t begin, size_t n_bytes):
    """One after the last of the rows from `begin` that have so many bytes, at least one row."""
    cdef const uint8_t* text
    cdef size_t size = 0
    cdef int64_t i = begin
    with nogil:
        while i < chunk.rows.n and (i == begin or size < n_bytes):
            if not is_null(&chunk.rows, i):
                size += row_text(&chunk.rows, i, &text) + 1
            i += 1
    return i


def lines_of_rows(GivenChunk chunk, int64_t begin, int64_t end, int n_feeds=1):
    """The rows that are not null, each with so many line feeds behind it.

    Parameters
    ----------
    chunk : GivenChunk
    begin, end : int
        The first row, and one after the last.
    n_feeds : int

    Returns
    -------
    bytes
    """
    cdef const uint8_t* text
    cdef uint8_t* out
    cdef size_t size = 0, n
    cdef int64_t i
    cdef int k
    with nogil:
        for i in range(begin, end):
            if not is_null(&chunk.rows, i):
                size += row_text(&chunk.rows, i, &text) + n_feeds
    block = PyBytes_FromStringAndSize(NULL, size)
    out = <uint8_t*>PyBytes_AS_STRING(block)
    with nogil:
        for i in range(begin, end):
            if is_null(&chunk.rows, i):
                continue
            n = row_text(&chunk.rows, i, &text)
            if n:
                memcpy(out, text, n)
            out += n
            for k in range(n_feeds):
                out[k] = LINE_FEED
            out += n_feeds
    return block


cdef inline void copy_on_one_line(uint8_t* out, const uint8_t* text, size_t n) noexcept nogil:
    cdef size_t i
    for i in range(n):
        out[i] = BLANK if text[i] == LINE_FEED else text[i]


def source_lines(GivenChunk chunk, int64_t begin, int64_t end, GivenChunk sources,
                 int64_t source_begin):
    """The source of each line of rows: its own, or if that is not clear, the whole row's.

    Parameters
    ----------
    chunk : GivenChunk
    begin, end : int
        Rows; those that are null have no line.
    sources : GivenChunk
        The source of row `begin` is its row `source_begin`; null: there is none.
    source_begin : int

    Returns
    -------
    bytes
        As many lines as `lines_of_rows` gives.
    """
    cdef const uint8_t* source = NULL
    cdef Output out
    cdef size_t n
    cdef int64_t i, j, n_lines, _line
    cdef int status = STATUS_OK
    memset(&out, 0, sizeof(Output))
    try:
        with nogil:
            for i in range(begin, end):
                if is_null(&chunk.rows, i):
                    continue
                n_lines = feeds_in_row(&chunk.rows, i) + 1
                j = source_begin + i - begin
                n = 0 if is_null(&sources.rows, j) else row_text(&sources.rows, j, &source)
                if n_lines == 1 or line_feeds(source, n) + 1 != n_lines:
                    for _line in range(n_lines):
                        status = reserve_output(&out, n + 1)
                        if status != STATUS_OK:
                            break
                        copy_on_one_line(out.bytes + out.size, source, n)
                        out.size += n
                        out.bytes[out.size] = LINE_FEED
                        out.size += 1
                else:
                    status = reserve_output(&out, n + 1)
                    if status == STATUS_OK:
                        memcpy(out.bytes + out.size, source, n)
                        out.size += n
                        out.bytes[out.size] = LINE_FEED
                        out.size += 1
                if status != STATUS_OK:
                    break
        if status != STATUS_OK:
            raise MemoryError(f"no memory left for the sources of rows {begin} to {end}")
        return PyBytes_FromStringAndSize(<char*>out.bytes, out.size)
    finally:
        free(out.bytes)


def line_counts(GivenChunk chunk, int64_t begin, int64_t end, int n_feeds=1):
    """How many lines each row is in what `lines_of_rows` gives; none if it is null.

    Returns
    -------
    ndarray of int64, shape (end - begin,)
    """
    cdef int64_t i
    counts = np.zeros(end - begin, np.int64)
    cdef int64_t[::1] n = counts
    with nogil:
        for i in range(begin, end):
            if not is_null(&chunk.rows, i):
                n[i - begin] = feeds_in_row(&chunk.rows, i) + n_feeds
    return counts


def is_utf8(bytes block):
    """Whether a block is text, as `bytes.decode` has it: without surrogates."""
    cdef const uint8_t* at = <const uint8_t*>PyBytes_AS_STRING(block)
    cdef const uint8_t* end = at + len(block)
    cdef uint32_t length
    with nogil:
        while at < end:
            while end - at >= 8 and not load8(at) & HIGH_BITS:
                at += 8
            if at < end:
                if decode(at, end, &length) >= INVALID_BYTE:
                    break
                at += length
    return at == end


def texts_of_rows(GivenChunk chunk):
    """The rows, as objects: bytes, or None."""
    cdef const uint8_t* text
    cdef int64_t i
    cdef size_t n
    texts = []
    for i in range(chunk.rows.n):
        if is_null(&chunk.rows, i):
            texts.append(None)
        else:
            n = row_text(&chunk.rows, i, &text)
            texts.append(PyBytes_FromStringAndSize(<const char*>text, n))
    return texts


def row_with_lines(GivenChunk chunk, int64_t begin, int64_t end):
    """The first row that has a line end in it; `end` if there is none."""
    cdef int64_t i
    with nogil:
        for i in range(begin, end):
            if not is_null(&chunk.rows, i) and feeds_in_row(&chunk.rows, i):
                break
        else:
            i = end
    return i
