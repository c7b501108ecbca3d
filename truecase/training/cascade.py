"""Learn the estimate by which a cascade decides words early.

The estimate is a weighted sum of the hidden layer, a few templates, the edges and the forms'
unigram log-probabilities. Least squares fit it to the whole model's score of upper case minus lower
case; words in doubt count most. Templates join one by one, each time the most helpful one. The
margin is the least that changes hardly any word's case.
"""

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from truecase._core import CompiledModel
from truecase.base.spool import Float64s
from truecase.kernels._components import SparseFeatures
from truecase.model.model import Model
from truecase.training._sparse_learner import word_evidence
from truecase.training.material import Lines, sides

#: Number of templates of an estimate.
N_EARLY = 10

#: Largest and least number of words that an estimate is learned from.
MOST_WORDS = 120_000
FEWEST_WORDS = 2_000

#: Share of the words with a choice whose case the cascade may change.
CHANGED = 2e-4

#: The same for a model that reads a source. The share above changed 2 of the 13,004 words of a text
#: of manuals, 0.05 of its F1; this share decides 2 % fewer words early.
CHANGED_BESIDE_SOURCE = 5e-5

_MARGINS = np.arange(2.0, 8.01, 0.2)

# A word that the whole model decides by this many nats has the weight 1/e in the least squares.
_DOUBT = 3.0


class Estimate(NamedTuple):
    """The sum by which a cascade decides words early; see `truecase/kernels/_cascade.pxd`.

    Attributes
    ----------
    early, factors : tuple of int, tuple of float
        Numbers of the templates, and the factor of each.
    hidden, prior, edges : float
        Factors of the hidden layer, the unigram log-probability and the edges.
    bias : float
        For any other case than AL.
    """

    early: tuple[int, ...]
    factors: tuple[float, ...]
    hidden: float
    prior: float
    edges: float
    bias: float


def learn_cascade(model: Model, texts: Iterable[Lines]) -> Model:
    """Give a model with sparse features a cascade, or replace the one that it has.

    Parameters
    ----------
    model : Model
    texts : iterable of bytes or AlignedLines
        UTF-8 text of the kind that the model is for, other than that of its weights, in any case;
        100,000 words suffice. A model whose features look at a source needs lines with one; it
        reads them with their alignment, without it, and without their source.

    Returns
    -------
    Model
        It has no cascade if it has no n-grams but words, if the texts are too short, or if no
        cascade decides as the whole model does.
    """
    assert model.sparse is not None
    whole = model.only("whole")
    if model.lm is None or model.lm.order < 2:
        return whole
    if model.sparse.reads_source:
        texts = [seen for text in texts for seen in _sights(text)]
    texts = list(texts)
    estimate = learn_estimate(CompiledModel(whole), texts)
    if estimate is None:
        return whole
    return _with_margin(whole, estimate, texts)


def _sights(text: Lines) -> Iterator[Lines]:
    """Lines with their source, without its alignment, and without the source."""
    if isinstance(text, bytes):
        yield text
        return
    if text.phrases is not None:
        yield text
    yield text.without_alignment()
    yield text.target


def _case(model: CompiledModel, text: Lines) -> bytes:
    target, source, phrases = sides(text)
    return model.case_block(target, source=source, phrases=phrases)


def cascade_of(component: SparseFeatures, model: Model, texts: Iterable[Lines]) -> SparseFeatures:
    """The component with a cascade, learned with a model whose n-grams do not know the texts.

    `component` was learned with the folds of a text; `model` and `texts` are those of one fold.
    """
    assert model.sparse is not None
    # Each lexicon has the usual cases of its own forms.
    arrays = {**component.arrays, "prior": model.sparse.arrays["prior"]}
    learned = learn_cascade(model.replace(sparse=SparseFeatures(arrays, component.settings)), texts)
    assert learned.sparse is not None
    arrays = {**learned.sparse.arrays, "prior": component.arrays["prior"]}
    return SparseFeatures(arrays, learned.sparse.settings)


def learn_estimate(model: CompiledModel, texts: Sequence[Lines]) -> Estimate | None:
    """Fit an estimate to the scores of `model` for some texts; None if they have too few words."""
    columns, target = _columns(model, texts)
    if len(target) < FEWEST_WORDS:
        return None
    n_fixed, n_columns = 4, columns.shape[1]
    doubt = np.exp(-np.abs(target) / _DOUBT)
    weighted = columns * doubt[:, None]
    products = weighted.T @ weighted
    moments = weighted.T @ (target * doubt)
    sign = np.sign(target)

    def fit(chosen: list[int]) -> Float64s:
        among = np.ix_(chosen, chosen)
        ridge = 1e-9 * np.trace(products[among]) * np.eye(len(chosen))
        return np.linalg.solve(products[among] + ridge, moments[chosen])

    def loss(chosen: list[int]) -> float:
        towards = sign * (columns[:, chosen] @ fit(chosen))
        return float(np.exp(-1.5 * np.clip(towards, -8, 8)).mean())

    chosen = list(range(n_fixed))
    for _ in range(min(N_EARLY, n_columns - n_fixed)):
        left = [c for c in range(n_fixed, n_columns) if c not in chosen]
        chosen.append(min(left, key=lambda c: loss([*chosen, c])))
    prior, edges, hidden, bias, *factors = fit(chosen).tolist()
    early = tuple(c - n_fixed for c in chosen[n_fixed:])
    return Estimate(early, tuple(factors), hidden, prior, edges, bias)


def _columns(model: CompiledModel, texts: Sequence[Lines]) -> tuple[Float64s, Float64s]:
    """Columns of IU before AL (prior, edges, hidden layer, 1, templates), and their target sums.

    The words have these two cases and no other.
    """
    parts = []
    for text in texts:
        found = word_evidence(model, MOST_WORDS // len(texts), *sides(text))
        two = (found.whole[:, :2] > -1e29).all(1) & (found.whole[:, 2:] < -1e29).all(1)
        lead = (found.whole[two, 1] - found.whole[two, 0]).astype(np.float64)
        prior = found.prior[two, 1] - found.prior[two, 0]
        own = found.own[two, 1] - found.own[two, 0]
        hidden, weights = found.hidden[two, 0], found.weights[two][:, :, 0]
        edges = lead - own - hidden - weights.sum(1)
        parts.append(
            np.column_stack([lead - own, prior, edges, hidden, np.ones(len(lead)), weights])
        )
    table = np.concatenate(parts) if parts else np.zeros((0, 6))
    return table[:, 1:], table[:, 0]


def with_estimate(model: Model, estimate: Estimate, margin: float) -> Model:
    """A model that decides words early where an estimate leads by `margin`."""
    assert model.sparse is not None
    arrays = {
        **model.sparse.arrays,
        "cascade.early": np.array(estimate.early, np.uint8),
        "cascade.factor": np.array(estimate.factors, np.float32),
    }
    settings = {
        **model.sparse.settings,
        "cascade": {
            "n_early": len(estimate.early),
            "hidden": estimate.hidden,
            "prior": estimate.prior,
            "bias": estimate.bias,
            "edges": estimate.edges,
            "margin": margin,
            "beside_source": int(model.sparse.reads_source),
        },
    }
    return model.replace(sparse=SparseFeatures(arrays, settings))


def _with_margin(whole: Model, estimate: Estimate, texts: Sequence[Lines]) -> Model:
    """The cascade of the least margin that changes hardly any word; `whole` if no margin does."""
    wanted = [_case(CompiledModel(whole), text).split() for text in texts]
    n_words = sum(map(len, wanted))
    assert whole.sparse is not None
    most = CHANGED_BESIDE_SOURCE if whole.sparse.reads_source else CHANGED

    def changed(margin: float) -> float:
        compiled = CompiledModel(with_estimate(whole, estimate, margin))
        n_changed = 0
        for text, words in zip(texts, wanted, strict=True):
            found = _case(compiled, text).split()
            n_changed += sum(one != other for one, other in zip(found, words, strict=True))
        # About half of the words of a text have a choice.
        return 2 * n_changed / max(1, n_words)

    margins = _MARGINS.tolist()
    least = bisect_left(margins, True, key=lambda margin: changed(margin) <= most)
    if least == len(margins):
        return whole
    return with_estimate(whole, estimate, round(margins[least], 2))
