"""Nanoseconds a word that each stage of decoding takes.

Runs over the same text end after one stage more each: the difference is what that stage costs. They
take turns, so that a machine that is slower for a while is so for all of them.
"""

import statistics
import time
from functools import partial
from typing import TYPE_CHECKING

from truecase_measure import STAGES, run_until

from truecase._core import CompiledModel

if TYPE_CHECKING:
    from truecase import Truecaser


WRITING = "writing"


def of_words(model: "Truecaser", text: bytes, rounds: int = 7) -> dict[str, float]:
    """Nanoseconds of a processor that each stage takes for a word, by its name, in order.

    Parameters
    ----------
    model : Truecaser
    text : bytes
        UTF-8, lines separated by LF; words are what stands between white space.
    rounds : int
        The medians of these many differences are taken; noise may make a stage without work
        negative, which is set to 0.
    """
    compiled = CompiledModel(model.model)
    runs = [partial(run_until, compiled, text, stage) for stage in STAGES]
    runs.append(partial(model.case_block, text, input_case="ignore"))  # as they do
    n_words = len(text.split())
    found: list[list[float]] = [[] for _ in runs]
    for number in range(rounds + 1):
        before = 0.0
        for differences, once in zip(found, runs, strict=True):
            start = time.process_time_ns()
            once()
            taken = time.process_time_ns() - start
            if number:  # the first round warms up
                differences.append((taken - before) / n_words)
            before = taken
    return {
        stage: round(max(statistics.median(differences), 0.0), 2)
        for stage, differences in zip((*STAGES, WRITING), found, strict=True)
    }
