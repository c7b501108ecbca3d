"""From counts to a model: n-grams, their scores, pruning, packing.

counts → (SmartCase, rare forms → class tokens) → Kneser-Ney → n-grams that matter for casing
       → packed
"""

import dataclasses

import numpy as np
import numpy.typing as npt

from truecase.base._vectors import give_back_memory
from truecase.errors import TrainingError
from truecase.kernels._dense import N_BYTES as SUFFIX_TABLE_BYTES
from truecase.model.model import Model
from truecase.ngram._kneser_ney import find_shorter
from truecase.ngram.kneser_ney import KneserNeyOptions, estimate_kneser_ney
from truecase.ngram.lexicon import N_MARKS, TAG_MX, Forms
from truecase.ngram.prune import (
    Floats,
    Order,
    full_scorer,
    mark_deciding,
    measure_losses,
    needed_losses,
    renormalise,
    select,
)
from truecase.ngram.table import LN10, NgramModel
from truecase.training.counting import Counts, MergedCounts, kept_forms, rare_forms
from truecase.training.pack_model import (
    LEXICON_FINGERPRINT_BITS,
    LEXICON_LOAD,
    N_CLASS_TOKENS,
    N_EXTRA,
    Scored,
    class_scores,
    kept_words,
    other_candidates,
    pack_model,
)
from truecase.training.portage import case_given_class, case_models, fill_class_backoffs
from truecase.training.recipe import Recipe, recipe_note
from truecase.training.reports import Report

# Pieces of columns that are processed at a time; results do not depend on their size.
_THREADS = 2


def score_forms(
    forms: Forms,
    kept: npt.NDArray[np.bool_],
    rare: npt.NDArray[np.bool_],
    model: NgramModel,
    class_tokens: bool = True,
) -> Scored:
    """Score unigrams by word id, natural log, and find the contexts of n-grams.

    Only the unigrams of `model` keep their probabilities. Forms of `kept` are in the lexicon; class
    tokens, or without `class_tokens` unknown words, stand for forms of `rare`.
    """
    n_words = len(forms.key)
    size = n_words + N_EXTRA
    ids = model.words[0][:, 0]
    log_prob = np.full(size, model.log10_prob[0][0] * LN10, np.float32)
    log_backoff = np.zeros(size, np.float32)
    log_prob[ids] = model.log10_prob[0] * LN10
    if model.order > 1:
        log_backoff[ids] = model.log10_backoff[0] * LN10
    n_tokens = np.zeros(size, np.int64)
    if class_tokens:
        n_tokens[n_words:-1] = np.bincount(
            forms.class_token[rare], weights=forms.count[rare], minlength=N_CLASS_TOKENS
        )
    in_model = np.zeros(size, np.bool_)
    in_model[ids] = True
    scored = Scored(
        forms,
        kept & in_model[:n_words],
        log_prob,
        log_backoff,
        class_scores(forms, rare, n_tokens[n_words:-1]),
        case_given_class(forms),
        in_model,
    )
    assert model.count is not None
    for k in range(2, model.order + 1):
        words = model.words[k - 1]
        context = suffix = np.full(len(words), -1, np.int32)
        if k > 2:
            context, suffix = find_shorter(words, model.words[k - 2], _THREADS)
            scored.is_closed &= bool((context >= 0).all() and (suffix >= 0).all())
        log_prob_k = _to_natural(model.log10_prob, k)
        log_backoff_k = (
            _to_natural(model.log10_backoff, k)
            if k < model.order
            else np.zeros(len(words), np.float32)
        )
        scored.orders.append(
            Order(
                words,
                log_prob_k,
                log_backoff_k,
                model.count[k - 1],
                context,
                suffix,
                np.zeros(0, np.float32),
            )
        )
    return scored


def _to_natural(log10: list[npt.NDArray[np.float32]], k: int) -> npt.NDArray[np.float32]:
    """Convert the values of one order in place to natural log, and take them from the list."""
    values, log10[k - 1] = log10[k - 1], np.zeros(0, np.float32)
    values *= LN10
    return values


def unigram_model(forms: Forms, kept: npt.NDArray[np.bool_], rare: npt.NDArray[np.bool_]) -> Scored:
    """Log-frequencies of the forms; the decoder takes the first form of each word."""
    size = len(forms.key) + N_EXTRA
    log_prob = np.zeros(size, np.float32)
    log_prob[: len(forms.key)] = np.log((forms.count + 0.5) / (forms.count.sum() + 1.0))
    n_tokens = np.zeros(N_CLASS_TOKENS, np.int64)
    return Scored(
        forms,
        kept,
        log_prob,
        np.zeros(size, np.float32),
        class_scores(forms, rare, n_tokens),
        case_given_class(forms),
        np.ones(size, np.bool_),
    )


def prune_to_fit(scored: Scored, recipe: Recipe, max_size: int | None, report: Report) -> Scored:
    """Drop the n-grams that matter least, down to `decision_loss` or `max_size`.

    `max_size` limits the bytes of the model file without its learned features. The n-grams of
    `scored` are consumed.
    """
    if not scored.orders:
        return scored
    form = scored.form
    start, others = other_candidates(scored.forms, scored.kept)
    node_score = np.zeros(len(form), np.float32)
    node_score[len(scored.forms.key) : -1] = scored.class_score
    give_back_memory()
    assert recipe.lm is not None
    threshold = recipe.lm.decision_loss
    mark_deciding(scored.orders, start)
    needed = needed_losses(scored.orders)
    # All n-grams are kept, or as many as fit: their losses make no difference then.
    fixed = 0 if max_size is None else _fixed_bytes(scored, recipe, max_size)
    is_too_large = max_size is not None and _bytes(fixed, needed, recipe, 0.0) > max_size
    if threshold > 0 or is_too_large:
        del needed
        for order in scored.orders:
            order.loss = np.zeros(0, np.float32)
        _measure(scored, form, start, others, node_score, report)
        needed = needed_losses(scored.orders)
    if is_too_large:
        assert max_size is not None
        threshold = max(threshold, _threshold_for(max_size, fixed, needed, recipe))
    keep = select(needed, threshold)
    del needed
    for order in scored.orders:
        order.suffix = np.zeros(0, np.int32)
    orders, log_backoff = renormalise(
        scored.orders, keep, form, scored.log_prob, scored.log_backoff
    )
    return dataclasses.replace(scored, log_backoff=log_backoff, orders=orders)


def _measure(
    scored: Scored,
    form: npt.NDArray[np.uint64],
    start: npt.NDArray[np.int64],
    others: npt.NDArray[np.uint32],
    node_score: Floats,
    report: Report,
) -> None:
    give_back_memory()
    scorer = full_scorer(scored.orders, form, scored.log_prob, scored.log_backoff)
    total = sum(len(order.words) for order in scored.orders)
    done = 0

    def progress(n: int) -> None:
        nonlocal done
        done += n
        report("choosing n-grams", done / total)

    measure_losses(scored.orders, scorer, start, others, node_score, progress=progress)
    del scorer
    give_back_memory()


def _threshold_for(max_size: int, fixed: int, needed: list[Floats], recipe: Recipe) -> float:
    """The smallest loss threshold above 0 whose model stays below `max_size` bytes.

    `needed` are the losses that `needed_losses` returns.
    """
    low, high = 1e-6, 1.0 + float(max(losses.max(initial=0.0) for losses in needed))
    while high / low > 1.002:
        middle = (low * high) ** 0.5
        if _bytes(fixed, needed, recipe, middle) > max_size:
            low = middle
        else:
            high = middle
    return high


def _bytes(fixed: int, needed: list[Floats], recipe: Recipe, threshold: float) -> float:
    """Bytes of a model with the n-grams above a threshold, and those that they need."""
    assert recipe.lm is not None
    packing = recipe.lm.packing
    total = float(fixed)
    for k, keep in enumerate(select(needed, threshold), 2):
        is_highest = k == 1 + len(needed)
        bits = packing.fingerprint_bits + packing.probability_bits
        bits += 0 if is_highest else packing.backoff_bits
        total += (np.count_nonzero(keep) / packing.load + 1) * bits / 8
    return total


def _fixed_bytes(scored: Scored, recipe: Recipe, max_size: int) -> int:
    """Upper bound of a model file's bytes without n-grams; TrainingError if above `max_size`."""
    assert recipe.lm is not None
    packing = recipe.lm.packing
    kept = scored.kept.copy()
    kept[:N_MARKS] = False
    n_keys = len(np.unique(scored.forms.key[kept]))
    n_records = int(kept.sum() + 2 * (kept & (scored.forms.tag == TAG_MX)).sum())
    slot_bits = LEXICON_FINGERPRINT_BITS + max(1, n_records.bit_length())
    books = sum(
        4 * (2**packing.probability_bits + 2**packing.backoff_bits) + 64 for _ in scored.orders
    )
    slots = (n_keys / LEXICON_LOAD + 1) * slot_bits / 8
    extra = 0
    if recipe.dense is not None:
        extra = 8 * n_records + SUFFIX_TABLE_BYTES + 8192
    fixed = int(slots + 4 * n_records + books + extra + 2 * 1024 + 4096)
    if fixed > max_size:
        raise TrainingError(
            f"a model of {max_size:,} bytes is too small: its lexicon alone takes "
            f"{fixed:,}; allow more (--max-size), or leave more forms out (--min-count)"
        )
    return fixed


def _quiet(step: str, share: float | None) -> None:
    pass


def estimate(
    counts: Counts | MergedCounts,
    recipe: Recipe,
    *,
    max_size: int | None = None,
    memory: int | None = None,
    report: Report = _quiet,
) -> Model:
    """Estimate a model whose features have weights that nothing was learned for yet.

    `counts` are those of a text, whose stream this closes, or of a file. `max_size` limits the
    bytes of lexicon and language model, `memory` those for n-grams; more goes to temporary files.
    """
    forms = counts.forms
    rare = rare_forms(forms, recipe.lexicon)
    kept = kept_forms(forms, rare, recipe.lexicon)
    evidence = None
    if recipe.dense is not None:
        report("reading neighbours and endings", None)
        evidence = counts.evidence(kept, recipe.text.casing == "turkic")
    if recipe.lm is None:
        scored = unigram_model(forms, kept, rare)
    else:
        report("estimating n-grams", None)
        model = estimate_kneser_ney(
            counts.ngrams(rare, recipe.lexicon.smartcase, memory is not None),
            len(forms.key) + N_EXTRA,
            KneserNeyOptions(recipe.lm.order, recipe.lm.prune, memory),
        ).to_model()
        give_back_memory()
        scored = score_forms(forms, kept, rare, model)
        del model
        if recipe.portage is not None:
            _add_case_models(scored, recipe)
        report("choosing n-grams", None)
        scored = prune_to_fit(scored, recipe, max_size, report)
    report("packing", None)
    packed = pack_model(scored, recipe, evidence)
    if recipe.lm is not None and recipe.lm.keep_ngrams:
        packed = packed.replace(words=kept_words(counts.vocabulary, scored))
    return packed.with_notes(
        training=recipe_note(recipe),
        origin=recipe.origin,
        licence=recipe.licence,
        corpus={
            "lines": int(forms.count[2]),
            "tokens": int(forms.count[N_MARKS:].sum()),
            "forms": len(counts.vocabulary) - N_MARKS,
        },
    )


def _add_case_models(scored: Scored, recipe: Recipe) -> None:
    """Add Portage's models of case and their backoffs."""
    forms = scored.forms
    scored.portage = case_models(forms, scored.kept, recipe.lexicon.smartcase)
    classes = slice(len(forms.key), len(forms.key) + N_CLASS_TOKENS)
    scored.log_backoff[classes] = fill_class_backoffs(
        scored.log_backoff[classes], scored.in_model[classes]
    )
