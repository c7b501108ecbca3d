from truecase.base.spool import Int32s, Int64s, UInt8s

BAD_FORM: int
BAD_PROBABILITY: int
BAD_SOURCE: int

def parse(
    block: bytes, n_source: Int32s, n_target: Int32s, threshold: float, keep_possible: bool
) -> tuple[Int64s, Int64s, UInt8s, Int64s]:
    """Parse lines of links.

    Returns
    -------
    target_word, source_word
        Of each link, as for `Phrases.of_pairs`; a line with a bad link has no links.
    problem, problem_at
        Of each line, a code ``BAD_…`` (0 for a good line), and the byte where the bad link begins.

    Raises
    ------
    ValueError
        The block does not have as many lines as there are counts.
    """
