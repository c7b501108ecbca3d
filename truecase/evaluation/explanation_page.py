"""The page of ``truecase explain --html``: the lattice drawn, and every number behind it."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence

from truecase.evaluation import pages
from truecase.evaluation.explanation import Candidate, Explanation, Gap, Word
from truecase.evaluation.lattice_drawing import lattice_drawing
from truecase.evaluation.pages import Child, Markup, element, share_class, shortened


def explanation_page(explanation: Explanation, model: str | None = None) -> str:
    """Make the page of an explanation by a model's file, or by the embedded model."""
    name = os.path.basename(model) if model else "the embedded English model"
    n_words = sum(not word.is_end for word in explanation.words)
    n_candidates = sum(len(word.candidates) for word in explanation.words)
    several = len(explanation.sentences) > 1
    about = (
        f"{name} (preset {explanation.preset}, n-grams of up to {explanation.order}); "
        f"{n_words:,} words, {n_candidates:,} candidates"
    )
    body: list[Child] = [
        element("h1", "Why a line is cased as it is"),
        element(
            "dl",
            element("dt", "Input"),
            element("dd.break", explanation.text),
            element("dt", "Output"),
            element("dd.break.strong", explanation.output),
            element("dt", "Model"),
            element("dd.break", about),
        ),
    ]
    if explanation.gaps:
        body.append(_marks(explanation.gaps))
    for number, sentence in enumerate(explanation.sentences):
        heading = f"Sentence {number + 1}" if several else "The lattice"
        body.append(
            pages.section(
                heading,
                "The possible forms of each word, the most probable first. The coloured line is "
                "the chosen path; the darker a grey line, the more probable. To see a form's "
                "numbers, point at it, tap it, or press Tab and then the arrow keys.",
                element("div.card.lattice", lattice_drawing(sentence, number)),
            )
        )
        cards = [
            _word_card(word, f"n{number}-{i}", explanation.is_calibrated)
            for i, word in enumerate(sentence.words)
        ]
        how = ", which no other path exceeds." if sentence.is_best else _LEFT_TO_RIGHT
        body.append(
            element(
                "details",
                element("summary", "Every candidate and what each feature gave"),
                element("p.muted", _HOW_TO_READ),
                cards,
                element("p", f"The scores of the chosen forms add up to {sentence.score:.3f}{how}"),
                open=len(sentence.words) <= 12,
            )
        )
    if not explanation.sentences:
        body.append(element("p", "The line has no words."))
    body.append(element("div", id="numbers", class_="card", role="status", hidden=True))
    return pages.page(
        f"Explained: {shortened(explanation.output, _LONGEST_TITLE)}",
        *body,
        style=pages.resource("explanation.css"),
        script=pages.resource("explanation.js"),
    )


# How many characters a browser's tab shows.
_LONGEST_TITLE = 60

_LEFT_TO_RIGHT = "; each word was decided on its own, from left to right."

_HOW_TO_READ = (
    "A candidate's score is the sum of value × weight over its features, in natural logarithms. "
    "Features that depend on earlier words take these from the chosen path. The probability of a "
    "candidate is the share of all paths, weighted by their probability, that pass through it; "
    "it therefore depends on the words after it too. “lm” is the log-probability of the form "
    "given the forms before it, “context” that of its case given the word, “network” the "
    "network's score of its case."
)


def _marks(gaps: Sequence[Gap]) -> Markup:
    """Show the punctuation after each word and its probabilities."""
    labels = list(gaps[0].posteriors)
    rows = [
        [
            element(
                "b" if gap.is_marked else "span", f"{gap.before}{shortened(gap.word)}{gap.behind}"
            ),
            *(f"{100 * gap.posteriors[label]:.1f} %" for label in labels),
        ]
        for gap in gaps
    ]
    return pages.section(
        "The marks",
        "How probable each mark is behind each word. Where one was put, the word is bold.",
        pages.table(
            ["Word", *(label or "none" for label in labels)], rows, "Marks behind each word"
        ),
    )


def _word_card(word: Word, identity: str, is_calibrated: bool) -> Markup:
    sure = None
    if is_calibrated and not word.is_end:
        text = f"{100 * word.posterior:.1f} % of such words come out right, "
        text += "as --confidence prints it; the shares below are of paths, and not calibrated."
        sure = element("p.muted", text)
    ranked = sorted(enumerate(word.candidates), key=lambda item: (-item[1].posterior, item[0]))
    name = "end of the sentence" if word.is_end else shortened(word.text)
    numbers = [_candidate_numbers(word, candidate, f"{identity}-{i}") for i, candidate in ranked]
    return element(
        "div.card.word", element("h3.break", name), sure, element("div.candidates", numbers)
    )


def _candidate_numbers(word: Word, candidate: Candidate, identity: str) -> Markup:
    """Show a candidate's numbers; the script also shows them beside the drawing."""
    notes: list[Child] = [element("b", f"{100 * candidate.posterior:.1f} %")]
    if not word.is_end:
        count = candidate.training_count
        seen = f"seen {count:,} times" if count else "not in the model"
        notes.append(f" · {candidate.tag} · {seen}")
    if candidate.is_chosen:
        notes.append(element("span.badge", "chosen"))
    remark = None
    if candidate.is_chosen and word.is_changed_after:
        remark = f"By rule, it comes out as {shortened(word.output)}."
    if candidate.is_listed and len(word.candidates) == 1:
        remark = "It is so in the list of names, which leaves no other form."
    if candidate.is_raised:
        remark = "The lowercase form; it gets a capital because it starts the sentence."
    head: list[Child] = [element("span.muted", notes)]
    if not word.is_end:
        form = " → ".join(map(shortened, word.steps(candidate)))
        head[:0] = [element("span.form.break", form), " "]
    return element(
        "div",
        element("p.head", head),
        element("p.note", remark) if remark else None,
        _contributions(word, candidate) if word.is_scored else element("p.note", _ONLY_ONE),
        id=identity,
        class_="candidate chosen" if candidate.is_chosen else "candidate",
    )


def _breakable(name: str) -> list[Child]:
    """A feature's name with line breaks allowed between its parts."""
    parts: list[Child] = []
    for part in re.split(r"(?<=[:+_>])(?=.)", name):
        parts += [part, element("wbr")]
    return parts[:-1]


_ONLY_ONE = (
    "Neither this word nor those that its score depends on have a second form, so there was "
    "nothing to decide and no score was computed."
)


def _contributions(word: Word, candidate: Candidate) -> Markup | None:
    if not candidate.contributions:
        return None
    products = [abs(c.product) for other in word.candidates for c in other.contributions]
    largest = max(products) or 1.0
    rows: list[Child] = [
        (
            element("th.break", _breakable(c.feature), scope="row"),
            element("td", f"{c.value:.3f}"),
            element("td", f"× {c.weight:.3f}"),
            element("td", f"{c.product:+.3f}"),
            element("td.bars", _bar(c.product, largest), aria_hidden="true"),
        )
        for c in candidate.contributions
    ]
    score = element("td", f"{candidate.score:+.3f}", colspan=3)
    total = (pages.row_head("score"), score, element("td.bars"))
    head = pages.heads(["feature", "value", "weight", "gives", ""])
    return pages.grid(head, [*rows, total], "features")


def _bar(product: float, largest: float) -> Markup:
    direction = "down" if product < 0 else "up"
    return element("div", class_=f"bar {direction} {share_class(100 * abs(product) / largest)}")
