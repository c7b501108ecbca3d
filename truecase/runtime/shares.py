"""How much text a thread gets at a time."""

#: A text of no more bytes is cased by the thread that asks: others would hardly have begun.
ONE_THREAD_BYTES = 1 << 15

# Of less, what it costs to hand it over shows.
_LEAST_BYTES = 1 << 14


def bytes_for_a_thread(n_bytes: int, threads: int) -> int:
    """So few of a text's bytes that threads share the work evenly."""
    return max(_LEAST_BYTES, n_bytes // (4 * threads))
