"""n-grams with their words, kept in a model so that they can be written as files of other tools."""

from truecase.modelfile._component import Component


class KeptWords(Component):
    """N-grams with their words, for ARPA and mapping files.

    Arrays: ``blob`` and ``offsets``, the surface forms one after the other; for each order k,
    ``wordsk``, ``log_probk`` and ``log_backoffk``; and ``case``, log Φ by word.
    """

    about = "n-grams with their words"
