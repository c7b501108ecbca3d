"""The objective with source columns and base scores: values, enumeration, finite differences."""

import numpy as np
import pytest
from parts import compiled, metadata_of
from reference import objective
from small_bitext import bitext
from small_model import training_text
from truecase_testing import flat_arrays

from truecase import Truecaser
from truecase.alignment.lines import AlignedLines
from truecase.errors import ModelError
from truecase.kernels import schema as features
from truecase.training._dense_objective import TrainingLattices
from truecase.training.dense import Development, source_features, weights_of

NAMES = features.columns()
PLACE = {name: i for i, name in enumerate(NAMES)}
N_NODE = len(NAMES) - 3 - len(features.transition_columns())


@pytest.fixture(scope="module", params=["crf", "ngram", "crf-neural"])
def model(request, crf_model_file, model_file, neural_model_file):
    files = {"crf": crf_model_file, "ngram": model_file, "crf-neural": neural_model_file}
    return Truecaser.load(files[request.param])


def lines_beside(n, seed, longest=None):
    """Cased lines, and as source the same words in another case."""
    rng = np.random.default_rng(seed)
    targets, sources = [], []
    for line in training_text(n, seed).splitlines():
        words = line.split()[:longest]
        targets.append(" ".join(words))
        cases = rng.choice(4, len(words))
        sources.append(
            " ".join(
                (w, w.lower(), w.upper(), w.title())[c] for w, c in zip(words, cases, strict=True)
            )
        )
    links = [[[k] for k in range(len(t.encode().split()))] for t in targets]
    from truecase.alignment.lines import Phrases

    return AlignedLines(
        ("\n".join(targets) + "\n").encode(),
        ("\n".join(sources) + "\n").encode(),
        Phrases.from_lines(links),
    )


def with_source(model):
    weights = weights_of(model.model)
    return Truecaser(model.model.replace(source=source_features(model.model, weights, weights)))


@pytest.mark.parametrize("aligned", [True, False])
def test_gradient_by_finite_differences(model, aligned):
    lines = lines_beside(40, 3)
    lines = lines if aligned else AlignedLines(lines.target, lines.source)
    development = Development(compiled(with_source(model)), lines)
    rng = np.random.default_rng(1)
    weights = weights_of(model.model) + rng.normal(scale=0.3, size=len(NAMES))
    _, gradient, _, _ = development.evaluate(weights)
    moved = [PLACE[n] for n in (*features.SOURCE_COLUMNS, features.BASE, features.LM)]
    assert np.count_nonzero(gradient[moved]) > 8
    for place in moved:
        step = np.zeros(len(weights))
        step[place] = 1e-4
        above, below = (development.evaluate(weights + sign * step)[0] for sign in (1, -1))
        assert (above - below) / 2e-4 == pytest.approx(gradient[place], rel=1e-4, abs=1e-4)


def test_log_likelihood_by_enumeration(model):
    lines = lines_beside(12, 5, longest=4)
    lattices = TrainingLattices(
        compiled(with_source(model)), lines.target, lines.source, lines.phrases
    )
    order = metadata_of(model)["sections"]["lm"]["order"]
    weights = np.random.default_rng(2).normal(size=len(NAMES))
    found, gradient, _, _ = lattices.evaluate(weights)
    expected, expected_gradient = objective.evaluate(
        flat_arrays(lattices), order, list(weights), N_NODE, list(features.transition_states())
    )
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-9)
    assert gradient == pytest.approx(np.array(expected_gradient), rel=1e-7, abs=1e-8)


def test_other_features_are_one_column_where_they_have_none(model):
    lines = lines_beside(30, 4)
    lattices = TrainingLattices(
        compiled(with_source(model)), lines.target, lines.source, lines.phrases
    )
    arrays = flat_arrays(lattices)
    named = {NAMES[1 + column] for column in np.unique(arrays["column"])}
    own = set(features.NODE_COLUMNS) | set(features.mark_columns())
    if model.model.dense:
        assert features.BASE not in named and named & own
    else:
        assert features.BASE in named and not named & own
    assert named & set(features.SOURCE_COLUMNS)


def test_weights_that_were_there_decode_as_the_model_does(model):
    """Training begins where decoding without a source stands."""
    lines = lines_beside(60, 6)
    lattices = TrainingLattices(
        compiled(with_source(model)), lines.target, lines.source, lines.phrases
    )
    silent = with_source(model).case_block(lines.target, source=lines.source, phrases=lines.phrases)
    n_wrong = sum(a != b for a, b in zip(silent.split(), lines.target.split(), strict=True))
    *_, found = lattices.evaluate(weights_of(model.model))
    assert abs(found - n_wrong) <= 0.05 * lattices.sizes["tokens"]


def test_wrong_sources_are_refused(model):
    kernel = compiled(with_source(model))
    lines = bitext(5)
    with pytest.raises(ValueError, match="5 lines, but 3 of their source"):
        TrainingLattices(kernel, lines.target, b"a\nb\nc\n")
    with pytest.raises(ValueError, match="not as many words"):
        TrainingLattices(kernel, lines.target.replace(b" .", b""), lines.source, lines.phrases)
    if not model.model.dense:
        with pytest.raises(ModelError, match="preset crf"):
            TrainingLattices(kernel, lines.target)
