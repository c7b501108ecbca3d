"""How long tests wait for what must not take for ever."""

import os


def seconds(n: float) -> float:
    """So many, and longer where TRUECASE_PATIENCE says so, as on an emulated processor."""
    return n * float(os.environ.get("TRUECASE_PATIENCE", "1"))
