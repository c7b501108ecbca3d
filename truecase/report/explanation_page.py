"""The page of ``truecase explain --html``: the lattice drawn, and every number behind it."""

from __future__ import annotations

import os
import re

from truecase.explain.explanation import Candidate, Explanation, Word
from truecase.report.lattice_drawing import lattice_drawing
from truecase.report.layout import page, resource, section
from truecase.report.markup import Child, Markup, element


def explanation_page(explanation: Explanation, model: str | None = None) -> str:
    """The whole page.

    Parameters
    ----------
    explanation : Explanation
    model : str, optional
        The model's file; the embedded one if not given.
    """
    name = os.path.basename(model) if model else "the embedded English model"
    n_candidates = sum(len(word.candidates) for word in explanation.words)
    several = len(explanation.sentences) > 1
    body: list[Child] = [
        element("p", "Why it is cased so", class_="muted kicker"),
        element("h1", explanation.output, class_="break"),
        element(
            "p",
            f"From “{explanation.text}”, by {name} (preset {explanation.preset}, n-grams of up to "
            f"{explanation.order}): {len(explanation.words):,} words, {n_candidates:,} candidates.",
            class_="muted break",
        ),
    ]
    for number, sentence in enumerate(explanation.sentences):
        heading = f"Sentence {number + 1}" if several else "The lattice"
        body.append(
            section(
                heading,
                "Each word's possible forms, the most probable first. The coloured line is the "
                "path that was chosen; grey ones are as dark as they are probable. Point at a "
                "form, tap it, or walk there with Tab and the arrow keys to see its numbers.",
                element("div", lattice_drawing(sentence, number), class_="card lattice"),
            )
        )
        body.append(
            element(
                "details",
                element("summary", "Every candidate and what each feature gave"),
                element("p", _HOW_TO_READ, class_="muted"),
                [_word_card(word, number, i) for i, word in enumerate(sentence.words)],
                element(
                    "p",
                    f"The scores of the chosen forms add up to {sentence.score:.3f}"
                    + (", which no other path exceeds." if sentence.is_best else _LEFT_TO_RIGHT),
                ),
                open=len(sentence.words) <= 12,
            )
        )
    if not explanation.sentences:
        body.append(element("p", "There is no word in it."))
    body.append(element("div", id="numbers", class_="card", role="status", hidden=True))
    return page(
        f"Explained: {explanation.output}",
        *body,
        style=resource("explanation.css"),
        script=resource("explanation.js"),
    )


_LEFT_TO_RIGHT = "; each word was decided by itself, from left to right."

_HOW_TO_READ = (
    "A candidate's score is the sum of value × weight over its features, in natural logarithms; "
    "features that look back see the words of the chosen path before it. Its probability counts "
    "all paths through it, and so also what comes after. “lm” is the log-probability of the form "
    "after the forms before it, “context” that of its case, the word being given; “fine:” "
    "stands before features of the words around."
)


def _word_card(word: Word, sentence: int, number: int) -> Markup:
    return element(
        "div",
        element("h3", word.text if not word.is_end else "end of the sentence", class_="break"),
        element(
            "div",
            [
                _candidate_numbers(word, candidate, f"n{sentence}-{number}-{i}")
                for i, candidate in sorted(
                    enumerate(word.candidates), key=lambda item: (-item[1].posterior, item[0])
                )
            ],
            class_="candidates",
        ),
        class_="card word",
    )


def _candidate_numbers(word: Word, candidate: Candidate, identity: str) -> Markup:
    """What is known of one candidate; the script shows the same beside the drawing."""
    notes: list[Child] = [
        element("b", f"{100 * candidate.posterior:.1f} %"),
        f" · {candidate.tag}" if not word.is_end else None,
    ]
    if not word.is_end:
        count = candidate.training_count
        notes.append(f" · seen {count:,} times" if count else " · not in the model")
    if candidate.is_chosen:
        notes.append(element("span", "chosen", class_="badge"))
    remark = None
    if candidate.is_chosen and word.is_raised_after:
        remark = f"First word of its sentence: comes out as {word.output}."
    if candidate.is_raised:
        remark = "The lowercase word, with a capital as the first of its sentence."
    return element(
        "div",
        element(
            "p",
            element("span", candidate.text if not word.is_end else "</s>", class_="form break"),
            " ",
            element("span", notes, class_="muted"),
            class_="head",
        ),
        element("p", remark, class_="note") if remark else None,
        _contributions(word, candidate)
        if word.is_scored
        else element("p", _ONLY_ONE, class_="note"),
        id=identity,
        class_="candidate chosen" if candidate.is_chosen else "candidate",
    )


def _breakable(name: str) -> list[Child]:
    """A feature's name that may be broken between its parts."""
    parts: list[Child] = []
    for part in re.split(r"(?<=[:+_>])(?=.)", name):
        parts += [part, element("wbr")]
    return parts[:-1]


_ONLY_ONE = (
    "The only form, and the words before it have one each, too: nothing to decide, nothing "
    "looked up."
)


def _contributions(word: Word, candidate: Candidate) -> Markup | None:
    if not candidate.contributions:
        return None
    products = [abs(c.product) for other in word.candidates for c in other.contributions]
    largest = max(products) or 1.0
    rows = []
    for c in candidate.contributions:
        share = 100 * abs(c.product) / largest
        rows.append(
            element(
                "tr",
                element("th", _breakable(c.feature), class_="left break", scope="row"),
                element("td", f"{c.value:.3f}"),
                element("td", f"× {c.weight:.3f}"),
                element("td", f"{c.product:+.3f}"),
                element(
                    "td",
                    element(
                        "div",
                        class_="bar down" if c.product < 0 else "bar up",
                        style=f"width:{share:.0f}%",
                    ),
                    class_="bars",
                    aria_hidden="true",
                ),
            )
        )
    total = element(
        "tr",
        element("th", "score", class_="left", scope="row"),
        element("td"),
        element("td"),
        element("td", f"{candidate.score:+.3f}"),
        element("td"),
        class_="total",
    )
    head = element(
        "tr",
        [
            element("th", text, scope="col", class_="left" if i == 0 else None)
            for i, text in enumerate(["feature", "value", "weight", "gives", ""])
        ],
    )
    return element(
        "table", element("thead", head), element("tbody", rows, total), class_="features"
    )
