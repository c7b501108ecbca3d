"""Makes an `Explanation` of the numbers that the kernels compute for a line."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from truecase._core import CompiledModel
from truecase.alignment.lines import Phrases
from truecase.base.spool import Float32s, Float64s
from truecase.errors import ExplanationError
from truecase.evaluation._trace import trace_line
from truecase.evaluation.explanation import (
    Contribution,
    Edge,
    Explanation,
    Gap,
    Sentence,
    SentenceTrace,
)
from truecase.kernels._punctuation_stream import MarkStream, lay_out
from truecase.kernels.text import words_of
from truecase.model.model import Model
from truecase.options import DEFAULT_CASING, Casing
from truecase.rules.punctuation import added


def edge_posteriors(trace: SentenceTrace, lm_weight: float) -> list[Float64s]:
    """Compute the posteriors of each word's edges, from the word before; ``<s>`` is the first.

    Each float64 array, of shape (candidates of the word before, candidates), sums to 1.
    """
    order = max((w.edges.ndim for w in trace.words if w.edges is not None), default=1)
    if order == 1:
        # Words are independent: the probability of a step is the product of its ends.
        ends = [np.ones(1)]
        ends += [np.array([c.posterior for c in one.word.candidates]) for one in trace.words]
        return [np.outer(before, now) for before, now in zip(ends, ends[1:], strict=False)]
    steps = _steps(trace, lm_weight, order)
    forward: list[Float64s] = [np.zeros((1,))]
    for step in steps:
        weighed = forward[-1][..., None] + step
        forward.append(_log_sum(weighed, 0) if weighed.ndim == order else weighed)
    backward: Float64s = np.zeros(forward[-1].shape)
    log_z = float(_log_sum(forward[-1].ravel(), 0))
    posteriors = []
    for before, step in zip(forward[-2::-1], reversed(steps), strict=True):
        weighed = before[..., None] + step
        after = backward[None] if weighed.ndim == order else backward
        pair: Float64s = np.exp(weighed + after - log_z)
        posteriors.append(pair.sum(axis=tuple(range(pair.ndim - 2))))
        backward = _log_sum(step + after, step.ndim - 1)
    return posteriors[::-1]


def _steps(trace: SentenceTrace, lm_weight: float, order: int) -> list[Float64s]:
    """Weighted scores of edges and nodes; zeros for words that the search skips."""
    widths = [1] * order + [len(one.word.candidates) for one in trace.words]
    steps = []
    for number, (word, edges, transitions) in enumerate(trace.words):
        context = min(order - 1, number + 1)
        shape = widths[order + number - context : order + number + 1]
        step = np.zeros(shape)
        if edges is not None:
            step += lm_weight * edges
            if transitions is not None:
                step += np.array([[weight for weight, _ in row] for row in transitions])
            step += np.array([candidate.score for candidate in word.candidates])
        steps.append(step)
    return steps


def _log_sum(values: Float64s, axis: int) -> Float64s:
    best = values.max(axis=axis, keepdims=True)
    total: Float64s = np.log(np.exp(values - best).sum(axis=axis)) + best.squeeze(axis)
    return total


#: The most bytes of text that are explained at a time.
MAX_BYTES = 20_000


def explain_line(
    compiled: CompiledModel,
    model: Model,
    text: str,
    casing: Casing = DEFAULT_CASING,
    source: bytes | None = None,
    phrases: Phrases | None = None,
) -> Explanation:
    """Case one line of text and explain the result.

    `compiled` was made from `model`, which does not decide the style of `casing`; `source` and
    `phrases` are those of `CompiledModel.case_block`. Raises ExplanationError if the text has
    several lines, or more than `MAX_BYTES`.
    """
    line = _check(text)
    output = compiled.case_block(line, casing, source, phrases)
    order, lm_weight, traces = trace_line(compiled, line, casing, source, phrases)
    # The edges of Portage's models hold the language model's probability of the case alone, unless
    # they are products as in `disambig`.
    is_lm = model.portage is None or model.portage.multiplies_n_grams
    edge = Contribution("lm" if is_lm else "context", 0.0, lm_weight)
    is_best = order == 1 or model.portage is None or model.portage.settings["search"] == "viterbi"
    return Explanation(
        text=text,
        output=output.decode("utf-8", "replace"),
        sentences=tuple(_sentence(trace, edge, is_best) for trace in traces),
        preset=model.preset,
        order=order,
        is_calibrated=model.calibration is not None,
    )


def explain_marked(
    compiled: CompiledModel, model: Model, stream: MarkStream, text: str, casing: Casing
) -> Explanation:
    """Punctuate one line of text by a stream of the model's marks, case it, and explain both.

    The other parameters and the errors are those of `explain_line`.
    """
    assert model.marks is not None
    stream.feed(_check(text))
    stream.finish()
    lines = stream.take_sentences()
    marked = lines.decode("utf-8", "surrogatepass")
    parts = [
        explain_line(compiled, model, sentence, casing)
        for sentence in marked.split("\n")
        if sentence
    ]
    labels = ["".join(pair) for pair in model.marks.pairs]
    cased = compiled.case_block(lines, casing)
    gaps = [
        Gap(word, *added(word, of_output), dict(zip(labels, row, strict=True)))
        for word, of_output, row in zip(
            words_of(text), words_of(marked), stream.take_probabilities().tolist(), strict=True
        )
    ]
    return replace(
        parts[0] if parts else explain_line(compiled, model, "", casing),
        text=text,
        output=lay_out(cased, stream.take_spaces()).decode("utf-8", "surrogatepass"),
        sentences=tuple(sentence for part in parts for sentence in part.sentences),
        gaps=tuple(gaps),
    )


def _check(text: str) -> bytes:
    """Check that the text can be explained; return it as UTF-8."""
    if "\n" in text:
        raise ExplanationError("only one line can be explained at a time: the text has a line feed")
    line = text.encode("utf-8", "surrogatepass")
    if len(line) > MAX_BYTES:
        raise ExplanationError(
            f"the line has {len(line):,} bytes: at most {MAX_BYTES:,} can be explained at a time"
        )
    return line


def _sentence(trace: SentenceTrace, edge: Contribution, is_best: bool) -> Sentence:
    words = []
    for number, (word, edges, transitions) in enumerate(trace.words):
        candidates = []
        for c, candidate in enumerate(word.candidates):
            given: list[Contribution] = []
            if edges is not None:
                lm = _on_path(trace, number, edges, c)
                if lm or edge.feature == "lm":
                    given.append(replace(edge, value=lm))
                given += candidate.contributions
                if transitions is not None:
                    before = trace.path[number - 1] if number else 0
                    _, columns = transitions[before][c]
                    given += [Contribution(*column) for column in columns]
            candidates.append(
                replace(
                    candidate,
                    contributions=tuple(given),
                    score=sum(contribution.product for contribution in given),
                    posterior=min(candidate.posterior, 1.0),
                )
            )
        words.append(replace(word, candidates=tuple(candidates)))
    score = sum(word.candidates[word.chosen].score for word in words)
    return Sentence(tuple(words), _edges(trace, edge.weight), score, is_best)


def _on_path(
    trace: SentenceTrace, number: int, edges: Float32s, candidate: int, before: int | None = None
) -> float:
    """Score of the edge to a candidate from the best path, or from candidate `before`."""
    places = range(number - edges.ndim + 1, number)
    history = [trace.path[place] if place >= 0 else 0 for place in places]
    if before is not None:
        history[-1] = before
    return float(edges[(*history, candidate)])


def _edges(trace: SentenceTrace, lm_weight: float) -> tuple[Edge, ...]:
    edges = []
    for number, (word, posteriors) in enumerate(
        zip(trace.words, edge_posteriors(trace, lm_weight), strict=True)
    ):
        for before, row in enumerate(posteriors.tolist()):
            for candidate, posterior in enumerate(row):
                lm = None
                if word.edges is not None and word.edges.ndim > 1:
                    lm = _on_path(trace, number, word.edges, candidate, before)
                edges.append(Edge(number, before, candidate, lm, posterior))
    return tuple(edges)
