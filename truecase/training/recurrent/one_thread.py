"""Matrices multiplied in one thread, as far as that can be asked for."""

from contextlib import AbstractContextManager, nullcontext


def in_one_thread() -> AbstractContextManager[object]:
    """Let the library of linear algebra use one thread until the context ends.

    The matrices of a step are so small that threads gain nothing; on a busy machine they wait for
    each other much longer than they compute. It holds for all of the process. Without the package
    threadpoolctl all stays as it is.
    """
    try:
        from threadpoolctl import threadpool_limits
    except ImportError:
        return nullcontext()
    limits: AbstractContextManager[object] = threadpool_limits(1, user_api="blas")
    return limits
