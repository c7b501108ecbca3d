"""Evidence of neighbours against the plain twin, and of endings."""

import random

import numpy as np
import pytest
from parts import arrays_of, compiled, metadata_of
from reference.evidence import BOUNDARY, neighbours

from truecase.kernels import schema as features
from truecase.model.model import Model
from truecase.ngram.lexicon import N_CLASSES
from truecase.training._dense_objective import TrainingLattices
from truecase.training.dense import with_weights
from truecase.training.estimate import count, kept_forms, rare_forms
from truecase.training.recipe import LexiconRecipe, Recipe, TextRecipe
from truecase.truecaser import Truecaser

WORDS = "bill Bill BILL post Post the of NASA nasa , 12 mr. Smith smith".split()


def gather(lines):
    text = ("\n".join(lines) + "\n").encode()
    counts = count([text], TextRecipe(segmentation="space"))
    recipe = LexiconRecipe(min_count=1, min_share=0.0, smartcase=False)
    forms = counts.forms
    rare = rare_forms(forms, recipe)
    # Every word is known, so that the rows are those of words.
    kept = kept_forms(forms, rare, Recipe(lexicon=recipe)) | (forms.form != 0)
    return counts.vocabulary, forms, counts.evidence(kept, False)


@pytest.mark.parametrize("seed", range(8))
def test_neighbours_against_the_twin(seed):
    draw = random.Random(seed)
    lines = [
        " ".join(draw.choices(WORDS, k=draw.randint(1, 9))) for _ in range(draw.randint(1, 80))
    ]
    vocabulary, forms, evidence = gather(lines)
    by_surface = {vocabulary.surface(i): i for i in range(3, len(vocabulary))}
    inside = forms.count - forms.initial_count
    counts = {}
    for surface, i in by_surface.items():
        lower, upper = counts.get(surface.lower(), (0, 0))
        if forms.tag[i] in (1, 2, 3):
            upper += inside[i]
        elif forms.tag[i] == 0:
            lower += inside[i]
        counts[surface.lower()] = (int(lower), int(upper))
    once = [
        forms.tag[i] in (1, 2, 3)
        for surface, i in by_surface.items()
        if inside[i] == 1 and sum(counts[surface.lower()]) == 1 and forms.tag[i] != 4
    ]
    prior = (sum(once) + 0.5) / (len(once) + 1)
    tagged = [
        [(w.lower(), int(forms.tag[by_surface[w.encode()]])) for w in line.split()]
        for line in lines
    ]
    counts = {word.decode(): value for word, value in counts.items()}
    expected = neighbours(tagged, counts, prior)
    for surface, i in by_surface.items():
        row = np.searchsorted(evidence.key, forms.key[i])
        found = [*evidence.neighbour_log_odds[row], *evidence.case_context[row]]
        # Halves may be rounded either way.
        assert np.abs(np.array(found, int) - expected[surface.lower().decode()]).max() <= 1
    last = len(evidence.key) + N_CLASSES
    found = np.array(evidence.neighbour_log_odds[last], int)
    assert np.abs(found - expected[BOUNDARY][:4]).max() <= 1


def test_endings_tell_the_case_of_unknown_words(untrained):
    lines = [f"so Ab{a}{b}burg and ab{b}{a}ness ." for a in "bdfgklm" for b in "aeiou"]
    _, _, evidence = gather(lines)
    assert evidence.suffixes.any()
    model = untrained()
    arrays = {**arrays_of(model), "dense/suffixes": evidence.suffixes}
    weights = features.weight_vector({"unknown_suffix": 1.0})
    model = Truecaser(with_weights(Model.of_arrays(arrays, metadata_of(model)), weights))
    assert model("7 xxburg xxness xxburg") == "7 Xxburg xxness Xxburg"


def test_the_best_path_is_more_probable_than_its_neighbours(untrained):
    """Viterbi with all features, against the objective's forward-backward."""
    rng = np.random.default_rng(7)
    for _ in range(25):
        weights = rng.normal(size=len(features.columns())).astype(np.float32).astype(float)
        model = Truecaser(with_weights(untrained().model, weights))
        # After a quantity no word is a sentence's first.
        words = ["7", *rng.choice("bridge us post bill the iphone krzt ny-zk , (".split(), 7)]
        cased = model(" ".join(words)).split()

        def log_probability(words, model=model, weights=weights):
            lattices = TrainingLattices(compiled(model), " ".join(words).encode())
            return lattices.evaluate(weights)[0]

        best = log_probability(cased)
        for place, word in enumerate(model.posteriors(" ".join(words))[0]):
            for candidate in word.candidates[1:]:
                other = [*cased[:place], candidate.text, *cased[place + 1 :]]
                assert log_probability(other) <= best + 1e-3
