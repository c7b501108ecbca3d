"""From what the kernels left behind to an `Explanation`."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import replace

import numpy as np
import numpy.typing as npt

from truecase._core import CompiledModel
from truecase.alignment.phrases import Phrases
from truecase.errors import TruecaseError
from truecase.explain._posteriors import word_posteriors
from truecase.explain._trace import CandidateTrace, SentenceTrace, trace_line
from truecase.explain.edge_posteriors import edge_posteriors
from truecase.explain.explanation import (
    Candidate,
    Contribution,
    Edge,
    Explanation,
    Gap,
    Sentence,
    Word,
)
from truecase.marks._marks import Marks
from truecase.marks.added import added
from truecase.model.model import Model
from truecase.options import SentenceStart
from truecase.text.casing import TAGS
from truecase.text.white_space import words_of

#: Bytes of text that are explained at a time; it is something to look at.
MAX_BYTES = 20_000


class ExplanationError(TruecaseError):
    """A text that cannot be explained."""


def explain_line(
    compiled: CompiledModel,
    model: Model,
    text: str,
    source: bytes | None = None,
    phrases: Phrases | None = None,
    sentence_start: SentenceStart = "always",
) -> Explanation:
    """Case one line of text and keep what led to it.

    Parameters
    ----------
    compiled : CompiledModel
    model : Model
        The same.
    text : str
        One line of at most 20,000 bytes; its case is dropped first.
    source, phrases
        The sentence that it is a translation of, and its alignment.
    sentence_start : {"always", "learned"}
        As for `CompiledModel.case_block`.

    Raises
    ------
    ExplanationError
        If it has several lines, or is longer.
    """
    line = _check(text)
    output = compiled.case_block(line, "ignore", source, phrases, sentence_start)
    order, lm_weight, traces = trace_line(
        compiled, line, source, phrases, sentence_start == "always"
    )
    words = word_posteriors(compiled, line, "ignore", source, phrases, sentence_start)
    sure = (candidates[0][2] for of_line in words for *_, candidates in of_line)
    # What Portage's models have on their edges is the language model's word on the case alone,
    # unless they are the products of both that `disambig` has.
    is_lm = model.portage is None or model.portage.multiplies_n_grams
    edge = Contribution("lm" if is_lm else "context", 0.0, lm_weight)
    return Explanation(
        text=text,
        output=_decode(output),
        sentences=tuple(_sentence(line, trace, order, edge, sure) for trace in traces),
        preset=model.preset,
        order=order,
        is_calibrated=model.calibration is not None,
    )


def explain_marked(compiled: CompiledModel, model: Model, marks: Marks, text: str) -> Explanation:
    """Put marks between the words of one line of text, case it, and keep what led to both.

    Parameters
    ----------
    compiled : CompiledModel
    model : Model
        The same.
    marks : Marks
        Of the model.
    text : str
        As for `explain_line`.

    Raises
    ------
    ExplanationError
        As of `explain_line`.
    """
    from truecase.marks._stream import MarkStream

    line = _check(text)
    stream = MarkStream(marks, probabilities=True)
    stream.feed(line)
    stream.finish()
    lines = stream.take_sentences()
    marked = lines.decode("utf-8", "surrogatepass")
    parts = [explain_line(compiled, model, sentence) for sentence in marked.split("\n") if sentence]
    labels = ["".join(pair) for pair in marks.pairs]
    gaps = [
        Gap(word, *added(word, of_output), dict(zip(labels, row, strict=True)))
        for word, of_output, row in zip(
            words_of(text),
            words_of(marked),
            stream.take_probabilities().tolist(),
            strict=True,
        )
    ]
    return replace(
        parts[0] if parts else explain_line(compiled, model, ""),
        text=text,
        output=stream.lay_out(compiled.case_block(lines)).decode("utf-8", "surrogatepass"),
        sentences=tuple(sentence for part in parts for sentence in part.sentences),
        gaps=tuple(gaps),
    )


def _check(text: str) -> bytes:
    """One line that can be explained, as UTF-8."""
    if "\n" in text:
        raise ExplanationError("only one line can be explained at a time: the text has a line feed")
    line = text.encode("utf-8", "surrogatepass")
    if len(line) > MAX_BYTES:
        raise ExplanationError(
            f"the line has {len(line):,} bytes: at most {MAX_BYTES:,} can be explained at a time"
        )
    return line


def _sentence(
    line: bytes, trace: SentenceTrace, order: int, edge: Contribution, sure: Iterator[float]
) -> Sentence:
    words = []
    for number, word in enumerate(trace.words):
        is_end = number == len(trace.words) - 1
        # Without n-grams every word is judged by itself, and none is passed over.
        is_scored = order == 1 or word.edges is not None
        candidates = []
        for c, candidate in enumerate(word.candidates):
            given = [Contribution(*column) for column in candidate.columns if is_scored]
            if is_scored:
                lm = candidate.unigram_lm
                if word.edges is not None:
                    lm = _on_path(trace, number, word.edges, c)
                if lm or edge.feature == "lm":
                    given.insert(0, replace(edge, value=lm))
            if word.transitions is not None and is_scored:
                before = trace.path[number - 1] if number else 0
                _, columns = word.transitions[before][c]
                given += [Contribution(*column) for column in columns]
            candidates.append(
                Candidate(
                    text=_decode(candidate.surface),
                    tag=TAGS[candidate.tag],
                    training_count=_count(candidate),
                    contributions=tuple(given),
                    score=sum(contribution.product for contribution in given),
                    posterior=min(candidate.posterior, 1.0),
                    is_chosen=c == trace.path[number],
                    is_raised=candidate.is_raised,
                    is_listed=candidate.is_listed,
                )
            )
        output = candidates[trace.path[number]].text
        if word.written is not None:
            output = _decode(word.written)
        words.append(
            Word(
                text=_decode(line[word.start : word.end]),
                output=output,
                candidates=tuple(candidates),
                is_scored=is_scored,
                is_changed_after=word.written is not None,
                is_end=is_end,
                posterior=1.0 if is_end else next(sure),
            )
        )
    # A path found from left to right is none that a search has scored.
    is_best = not math.isnan(trace.score)
    score = trace.score
    if not is_best:
        score = sum(word.candidates[word.chosen].score for word in words)
    return Sentence(tuple(words), _edges(trace, edge.weight), score, is_best)


def _on_path(
    trace: SentenceTrace,
    number: int,
    edges: npt.NDArray[np.float32],
    candidate: int,
    before: int | None = None,
) -> float:
    """Score of the edge to a candidate from the best path's words, or from `before`."""
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
                if word.edges is not None:
                    lm = _on_path(trace, number, word.edges, candidate, before)
                edges.append(Edge(number, before, candidate, lm, posterior))
    return tuple(edges)


def _count(candidate: CandidateTrace) -> int:
    # Codes of counts are eighths of the binary logarithm of one more.
    count: float = 2.0 ** (candidate.count_code / 8.0) - 1.0
    return round(count)


def _decode(data: bytes) -> str:
    return data.decode("utf-8", "replace")
