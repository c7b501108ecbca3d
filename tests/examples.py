"""How many examples a property test gets: as many as given, in `make fuzz` twenty times as many."""

import os

from hypothesis import settings

_TIMES = 20 if os.environ.get("TRUECASE_EXAMPLES") == "random" else 1


def examples(n: int) -> settings:
    """Decorator of a property test; `n` is what a run after each change can afford."""
    return settings(max_examples=n * _TIMES, deadline=None)
