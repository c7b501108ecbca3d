"""The steps of learning: how large each is, and what is told of them."""

import math
from collections.abc import Callable

#: Called with the share that is learned, and the loss since the last call.
Report = Callable[[float, float], None]

# Steps after which something is told.
_EVERY = 50


class Steps:
    """Counts steps, whose rate falls to 0 along a cosine, and tells of them.

    Parameters
    ----------
    rate : float
        That of the first.
    n_steps : int
    report : callable, optional
        Told, every now and then, what share is done, and the loss since the last time, in nats for
        each decision.
    """

    def __init__(self, rate: float, n_steps: int, report: Report | None = None) -> None:
        self._first_rate = rate
        self._n_steps = n_steps
        self._report = report
        self._done = 0
        self._loss = 0.0
        self._n_decisions = 0

    @property
    def rate(self) -> float:
        """That of the next step."""
        return self._first_rate * 0.5 * (1 + math.cos(math.pi * self._done / self._n_steps))

    def add(self, loss: float, n_decisions: int) -> None:
        """One more is done; its loss is the sum over so many decisions."""
        self._done += 1
        self._loss += loss
        self._n_decisions += n_decisions
        if self._report is not None and (self._done % _EVERY == 0 or self._done == self._n_steps):
            self._report(self._done / self._n_steps, self._loss / max(1, self._n_decisions))
            self._loss, self._n_decisions = 0.0, 0
