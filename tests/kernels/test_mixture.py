"""A domain's language model mixed into the base's, against the plain twin."""

from collections import Counter

import pytest
from recipes import estimated
from reference.mixture import edge_score
from small_model import training_text

from truecase import Truecaser
from truecase.kernels._ngrams import Domain
from truecase.model.model import Model

SHARE = 0.3
# Words of the domain alone, each of them in two forms.
OTHER = (
    "we open the Bridge tool of FooBar and run quxctl on Bridge in Zork .\n"
    "they Run Quxctl and Open it on bridge ; foobar in zork\n"
)
LINES = [
    "open the bridge of zork in london .",
    "mary took the iphone to foobar on monday .",
    "run quxctl on the post",
    "the bill of zorblax is in peru ; us post",
    "bridge",
]


@pytest.fixture(scope="module")
def models():
    """The base, the domain by itself, and the base with the domain in it."""
    text = training_text(400, seed=3)
    other = training_text(60, seed=9) + OTHER * 40
    base, domain = (
        estimated(t.encode(), "crf", order=2, min_share=0.0).model for t in (text, other)
    )
    both = base.replace(domain=Domain.of(SHARE, domain.lexicon, domain.lm))
    alone = Model(text=base.text, lexicon=domain.lexicon, lm=domain.lm)
    return [Truecaser(model) for model in (base, alone, both)]


def form_of(candidate):
    """What a candidate is: Open may be the form, or `open` raised at the start."""
    return candidate.text, candidate.tag, candidate.is_raised


def edges_of(model, line):
    """Scores of the language model, by the words' and candidates' places, and the word."""
    found = {}
    for number, sentence in enumerate(model.explain(line).sentences):
        for edge in sentence.edges:
            word = sentence.words[edge.word]
            if edge.lm is None:
                continue
            before = None
            if edge.word:
                before = form_of(sentence.words[edge.word - 1].candidates[edge.before])
            form = None if word.is_end else form_of(word.candidates[edge.candidate])
            found[number, edge.word, before, form] = edge.lm, word
    return found


def test_edges_like_the_twin(models):
    base, domain = models[:2]
    kinds = Counter()
    for line in LINES:
        of_base, of_domain, of_both = (edges_of(model, line) for model in models)
        for edge, (score, word) in of_both.items():
            if edge not in of_base or edge not in of_domain:
                continue
            form = edge[-1]
            text = "" if form is None else form[0].lower()
            knows = [model.training_count(text) > 0 for model in (base, domain)]
            seen = [
                any(form_of(c) == form and c.training_count for c in edges[edge][1].candidates)
                for edges in (of_base, of_domain)
            ]
            if not word.is_end and all(knows) and not all(seen):
                continue  # a class stands for the form that one of them lacks
            expected = edge_score(
                SHARE, of_base[edge][0], of_domain[edge][0], *knows, is_end=word.is_end
            )
            assert score == pytest.approx(expected, abs=1e-4), (line, edge)
            kinds["end" if word.is_end else tuple(knows)] += 1
    assert set(kinds) == {"end", (True, True), (True, False), (False, True), (False, False)}
    assert sum(kinds.values()) >= 40
