"""What the kernels will see of each surface form of a vocabulary."""

from libc.stdint cimport int64_t, uint8_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset

import numpy as np

from truecase.lexicon._special cimport (
    class_form,
    sentence_end_form,
    sentence_start_form,
    unknown_form,
)
from truecase.runtime._memory cimport TEXT_PADDING
from truecase.runtime._offsets cimport rise
from truecase.runtime._status cimport STATUS_OK
from truecase.text._segment_line cimport segment_line
from truecase.text._token cimport SEGMENT_SPACE, TokenArray, form_hash


def padded(text):
    """A copy of a text as array, with the readable bytes behind it that kernels ask for."""
    return np.concatenate([np.frombuffer(text, np.uint8), np.zeros(TEXT_PADDING, np.uint8)])


def describe(blob, const int64_t[::1] offsets, bint turkic):
    """Key, case and class of every surface form.

    Parameters
    ----------
    blob : bytes-like
        The surface forms, one after the other.
    offsets : const int64[::1], shape (n + 1,)
        Form i is ``blob[offsets[i]:offsets[i + 1]]``; none contains white space.
    turkic : bool
        Casing of Turkish and Azeri.

    Returns
    -------
    key : uint64 ndarray, shape (n,)
    form : uint64 ndarray, shape (n,)
        Identity of the surface form in the n-gram tables.
    upper_mask : uint64 ndarray, shape (n,)
    tag, word_class, flags : uint8 ndarray, shape (n,)
        0 for the flags of a form that is not one token.
    """
    cdef Py_ssize_t n = offsets.shape[0] - 1, i
    if not rise(offsets, len(blob)):
        raise ValueError("offsets do not fit the blob of surface forms")
    keys = np.zeros(n, dtype=np.uint64)
    forms = np.zeros(n, dtype=np.uint64)
    masks = np.zeros(n, dtype=np.uint64)
    tags = np.zeros(n, dtype=np.uint8)
    classes = np.zeros(n, dtype=np.uint8)
    flags = np.zeros(n, dtype=np.uint8)
    cdef const uint8_t[::1] text = padded(blob)
    cdef uint64_t[::1] key = keys, form = forms, mask = masks
    cdef uint8_t[::1] tag = tags, word_class = classes, flag = flags
    cdef TokenArray tokens
    cdef int status = STATUS_OK
    if n == 0:
        return keys, forms, masks, tags, classes, flags
    memset(&tokens, 0, sizeof(TokenArray))
    with nogil:
        for i in range(n):
            status = segment_line(&text[0] + offsets[i], 0,
                                  <uint32_t>(offsets[i + 1] - offsets[i]), SEGMENT_SPACE, turkic,
                                  &tokens)
            if status != STATUS_OK:
                break
            if tokens.n != 1:
                continue
            key[i] = tokens.tokens[0].key
            mask[i] = tokens.tokens[0].upper_mask
            tag[i] = tokens.tokens[0].tag
            word_class[i] = tokens.tokens[0].word_class
            flag[i] = tokens.tokens[0].flags
            form[i] = form_hash(key[i], tag[i], mask[i])
        free(tokens.tokens)
    if status != STATUS_OK:
        raise MemoryError("no memory left to describe the vocabulary")
    return keys, forms, masks, tags, classes, flags


def special_forms():
    """Identities of ``<unk>``, ``<s>`` and ``</s>``, and of the class tokens.

    Returns
    -------
    marks : uint64 ndarray, shape (3,)
    classes : uint64 ndarray, shape (20,)
        Class token of word class c and tag code t at ``4 * c + t``.
    """
    marks = np.array([unknown_form(), sentence_start_form(), sentence_end_form()], dtype=np.uint64)
    classes = np.array([class_form(c, t) for c in range(5) for t in range(4)], dtype=np.uint64)
    return marks, classes
