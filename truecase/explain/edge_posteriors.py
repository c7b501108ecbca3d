"""Probability of each step between neighbouring words, over all paths of a lattice.

The kernels give the posteriors of candidates; a drawing of the lattice also wants those of the
steps between them. Forward and backward sums over arrays with an axis for each word of the
window, which is plain to read and fast enough for one line.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from truecase.explain._trace import SentenceTrace

_Floats = npt.NDArray[np.float64]


def edge_posteriors(trace: SentenceTrace, lm_weight: float) -> list[_Floats]:
    """For each word the posteriors of its edges.

    Parameters
    ----------
    trace : SentenceTrace
    lm_weight : float

    Returns
    -------
    list of float64 ndarray, shape (candidates of the word before, candidates)
        Sums to 1 each; the word before the first one is ``<s>``.
    """
    order = max((w.edges.ndim for w in trace.words if w.edges is not None), default=1)
    if order == 1:
        # No word depends on another: a step is as likely as its two ends.
        ends = [np.ones(1)]
        ends += [np.array([c.posterior for c in word.candidates]) for word in trace.words]
        return [np.outer(before, now) for before, now in zip(ends, ends[1:], strict=False)]
    steps = _steps(trace, lm_weight, order)
    forward: list[_Floats] = [np.zeros((1,))]
    for step in steps:
        weighed = forward[-1][..., None] + step
        forward.append(_log_sum(weighed, 0) if weighed.ndim == order else weighed)
    backward: _Floats = np.zeros(forward[-1].shape)
    log_z = float(_log_sum(forward[-1].ravel(), 0))
    posteriors = []
    for before, step in zip(forward[-2::-1], reversed(steps), strict=True):
        weighed = before[..., None] + step
        after = backward[None] if weighed.ndim == order else backward
        pair: _Floats = np.exp(weighed + after - log_z)
        posteriors.append(pair.sum(axis=tuple(range(pair.ndim - 2))))
        backward = _log_sum(step + after, step.ndim - 1)
    return posteriors[::-1]


def _steps(trace: SentenceTrace, lm_weight: float, order: int) -> list[_Floats]:
    """Weighted scores of the edges, nodes included; nothing for words passed over."""
    widths = [1] * order + [len(word.candidates) for word in trace.words]
    steps = []
    for number, word in enumerate(trace.words):
        context = min(order - 1, number + 1)
        shape = widths[order + number - context : order + number + 1]
        step = np.zeros(shape)
        if word.edges is not None:
            step += lm_weight * word.edges
            if word.transitions is not None:
                step += np.array([[weight for weight, _ in row] for row in word.transitions])
            step += np.array([candidate.node_score for candidate in word.candidates])
        steps.append(step)
    return steps


def _log_sum(values: _Floats, axis: int) -> _Floats:
    best = values.max(axis=axis, keepdims=True)
    total: _Floats = np.log(np.exp(values - best).sum(axis=axis)) + best.squeeze(axis)
    return total
