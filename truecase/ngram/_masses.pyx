"""Sums of probabilities over the n-grams of each context."""

from libc.stdint cimport int64_t

__all__ = ["add_masses"]


def add_masses(const int64_t[::1] contexts not None, const double[::1] probability not None,
               const double[::1] shorter not None, double[::1] kept_mass not None,
               double[::1] shorter_mass not None):
    """Add up what contexts give to their n-grams, one after the other.

    Parameters
    ----------
    contexts : const int64[::1], shape (n,)
        Place of each n-gram's context; one that is negative is not there.
    probability, shorter : const double[::1], shape (n,)
        Of the n-gram's last word after its context, and after the shortened one.
    kept_mass, shorter_mass : double[::1], shape (n_contexts,)
        What is added to.

    Raises
    ------
    ValueError
        If the arrays do not fit each other.
    """
    cdef Py_ssize_t i, n = contexts.shape[0]
    cdef int64_t n_contexts = kept_mass.shape[0]
    cdef bint bad = False
    if not probability.shape[0] == shorter.shape[0] == n:
        raise ValueError("the n-grams' arrays differ in length")
    if shorter_mass.shape[0] != n_contexts:
        raise ValueError("the contexts' arrays differ in length")
    with nogil:
        for i in range(n):
            if contexts[i] >= n_contexts:
                bad = True
                break
            if contexts[i] >= 0:
                kept_mass[contexts[i]] += probability[i]
                shorter_mass[contexts[i]] += shorter[i]
    if bad:
        raise ValueError(f"context {contexts[i]} is not one of {n_contexts}")
