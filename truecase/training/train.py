"""Training: text in, a model out.

    text → word ids → counts by place → (SmartCase, rare forms → class tokens) → Kneser-Ney
         → n-grams that matter for casing → packed arrays
"""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.corpus._intern import Interner
from truecase.corpus.id_stream import IdStream
from truecase.corpus.vocabulary import Vocabulary
from truecase.lexicon._stream import rewrite, tally
from truecase.lexicon.lexicon import (
    N_MARKS,
    TAG_AN,
    Forms,
    describe_vocabulary,
    mark_abbreviations,
    smartcase_targets,
)
from truecase.modelfile.layout import Arrays
from truecase.ngram.kneser_ney import estimate
from truecase.ngram.model import NgramModel
from truecase.ngram.prune import (
    Order,
    find_shorter,
    full_scorer,
    measure_losses,
    renormalise,
    select,
)
from truecase.ngram.table import LN10
from truecase.training.build import (
    N_CLASS_TOKENS,
    N_EXTRA,
    Scored,
    class_scores,
    other_candidates,
    pack_model,
)
from truecase.training.options import TrainingError, TrainingOptions

#: Called with the name of a step and what share of it is done.
Report = Callable[[str, float], None]


def _quiet(step: str, share: float) -> None:
    pass


def train_arrays(
    blocks: Iterable[bytes], options: TrainingOptions, report: Report = _quiet
) -> tuple[Arrays, dict[str, Any]]:
    """Train a model from blocks of whole lines.

    Parameters
    ----------
    blocks : iterable of bytes
    options : TrainingOptions
    report : callable
        Told of the progress.

    Returns
    -------
    arrays : dict of str to ndarray
    metadata : dict
        See `truecase.modelfile.layout`.

    Raises
    ------
    TrainingError
        If the text has no word.
    """
    on_disk = options.memory is not None
    interner = Interner(
        options.segmentation, "tr" if options.turkic else "", IdStream(on_disk)
    )
    for block in blocks:
        interner.add_block(block)
    vocabulary = interner.vocabulary()
    stream = interner.stream
    del interner
    if len(vocabulary) <= N_MARKS:
        raise TrainingError("the training text has no word in it")
    report("counting words", 0.0)
    forms = count_forms(vocabulary, stream, options)
    rare = rare_forms(forms, options)
    kept = kept_forms(forms, rare, options)
    if options.preset == "unigram":
        scored = unigram_model(forms, kept, rare)
    else:
        report("estimating n-grams", 0.0)
        mapped = over_classes(stream, forms, rare, options)
        stream.close()
        model = estimate(
            mapped,
            len(forms.key) + N_EXTRA,
            order=options.order,
            prune=options.prune,
            memory=options.memory,
        )
        mapped.close()
        scored = score_forms(forms, kept, rare, model)
        report("choosing n-grams", 0.0)
        scored = prune_to_fit(scored, options, report)
    report("packing", 0.0)
    arrays, settings = pack_model(scored, options)
    metadata = {
        "decoder": settings,
        "training": options.to_dict(),
        "origin": options.origin,
        "licence": options.licence,
        "corpus": {
            "lines": int(forms.count[2]),
            "tokens": int(forms.count[N_MARKS:].sum()),
            "forms": len(vocabulary) - N_MARKS,
        },
    }
    return arrays, metadata


def count_forms(
    vocabulary: Vocabulary, stream: IdStream, options: TrainingOptions
) -> Forms:
    """Forms of the vocabulary with their counts, by place in the sentence."""
    forms = describe_vocabulary(vocabulary.blob, vocabulary.offsets, options.turkic)
    counts = np.zeros((4, len(forms.key)), np.int64)
    for chunk in stream.line_chunks():
        tally(chunk, forms.tag, forms.word_class, forms.flags, counts)
    forms.count[:] = counts[0]
    forms.initial_count[:] = counts[1]
    mark_abbreviations(forms, counts[2], counts[3])
    return forms


def rare_forms(forms: Forms, options: TrainingOptions) -> npt.NDArray[np.bool_]:
    """Forms too rare to be told apart: their class token stands for them."""
    inside = forms.count - forms.initial_count
    rare = (inside < options.min_count) | ((forms.count == forms.initial_count) & options.smartcase)
    rare |= forms.form == 0
    rare[:N_MARKS] = False
    return rare


def kept_forms(
    forms: Forms, rare: npt.NDArray[np.bool_], options: TrainingOptions
) -> npt.NDArray[np.bool_]:
    """Forms that go into the lexicon: GEN's part (ii)."""
    kept = ~rare
    kept[:N_MARKS] = False
    if options.gen == "pruned":
        inside = forms.count - forms.initial_count
        _, group = np.unique(forms.key, return_inverse=True)
        total = np.bincount(group, weights=inside)[group]
        kept &= inside >= options.min_share * total
    return kept


def over_classes(
    stream: IdStream, forms: Forms, rare: npt.NDArray[np.bool_], options: TrainingOptions
) -> IdStream:
    """The text with its rare forms replaced by class tokens, first words by SmartCase."""
    n_words = len(forms.key)
    identity = np.arange(n_words, dtype=np.uint32)
    inside = np.where(rare, n_words + forms.class_token, identity).astype(np.uint32)
    initial = inside
    if options.smartcase:
        initial = inside[smartcase_targets(forms)]
        # A word seen only as a first word tells nothing of its case elsewhere.
        unclear = (forms.count == forms.initial_count) & (forms.tag != TAG_AN)
        unclear[:N_MARKS] = False
        initial = np.where(unclear, n_words + N_CLASS_TOKENS, initial).astype(np.uint32)
    mapped = IdStream(on_disk=options.memory is not None)
    for chunk in stream.line_chunks():
        rewritten = np.empty_like(chunk)
        rewrite(chunk, forms.tag, forms.word_class, inside, initial, rewritten)
        mapped.append(rewritten, int((chunk == 2).sum()))
    return mapped


def score_forms(
    forms: Forms, kept: npt.NDArray[np.bool_], rare: npt.NDArray[np.bool_], model: NgramModel
) -> Scored:
    """Unigrams by word id, natural log, and the n-grams with their contexts found."""
    n_words = len(forms.key)
    size = n_words + N_EXTRA
    ids = model.words[0][:, 0]
    log_prob = np.full(size, model.log10_prob[0][0] * LN10, np.float32)
    log_backoff = np.zeros(size, np.float32)
    log_prob[ids] = model.log10_prob[0] * LN10
    if model.order > 1:
        log_backoff[ids] = model.log10_backoff[0] * LN10
    n_tokens = np.zeros(size, np.int64)
    n_tokens[n_words:-1] = np.bincount(
        forms.class_token[rare], weights=forms.count[rare], minlength=N_CLASS_TOKENS
    )
    kept = kept.copy()
    in_model = np.zeros(size, np.bool_)
    in_model[ids] = True
    kept &= in_model[:n_words]
    scored = Scored(
        forms, kept, log_prob, log_backoff, class_scores(forms, rare, n_tokens[n_words:-1])
    )
    assert model.count is not None
    for k in range(2, model.order + 1):
        words = model.words[k - 1]
        context = suffix = np.full(len(words), -1, np.int64)
        if k > 2:
            context, suffix = find_shorter(words, model.words[k - 2], scored.form)
        log_backoff_k = (
            model.log10_backoff[k - 1] * LN10 if k < model.order else np.zeros(len(words))
        )
        scored.orders.append(
            Order(
                words,
                (model.log10_prob[k - 1] * LN10).astype(np.float32),
                log_backoff_k.astype(np.float32),
                model.count[k - 1].astype(np.int64),
                context,
                suffix,
                np.zeros(0, np.float32),
            )
        )
    return scored


def unigram_model(
    forms: Forms, kept: npt.NDArray[np.bool_], rare: npt.NDArray[np.bool_]
) -> Scored:
    """Log-frequencies of the forms; the decoder takes the first form of each word."""
    size = len(forms.key) + N_EXTRA
    log_prob = np.zeros(size, np.float32)
    log_prob[: len(forms.key)] = np.log((forms.count + 0.5) / (forms.count.sum() + 1.0))
    n_tokens = np.zeros(N_CLASS_TOKENS, np.int64)
    return Scored(
        forms, kept, log_prob, np.zeros(size, np.float32), class_scores(forms, rare, n_tokens)
    )


def prune_to_fit(scored: Scored, options: TrainingOptions, report: Report) -> Scored:
    """Drop the n-grams that matter least, down to `decision_loss` or `max_size`."""
    if not scored.orders:
        return scored
    form = scored.form
    start, others = other_candidates(scored.forms, scored.kept)
    node_score = np.zeros(len(form), np.float32)
    node_score[len(scored.forms.key) : -1] = scored.class_score
    scorer = full_scorer(scored.orders, form, scored.log_prob, scored.log_backoff)
    total = sum(len(order.words) for order in scored.orders)
    done = 0

    def progress(n: int) -> None:
        nonlocal done
        done += n
        report("choosing n-grams", done / total)

    measure_losses(scored.orders, scorer, start, others, node_score, progress=progress)
    del scorer
    threshold = options.decision_loss
    if options.max_size is not None:
        threshold = max(threshold, threshold_for(scored, options))
    keep = select(scored.orders, threshold)
    orders, log_backoff = renormalise(
        scored.orders, keep, form, scored.log_prob, scored.log_backoff
    )
    return Scored(
        scored.forms, scored.kept, scored.log_prob, log_backoff, scored.class_score, orders
    )


def threshold_for(scored: Scored, options: TrainingOptions) -> float:
    """The smallest loss threshold whose model stays below ``options.max_size`` bytes."""
    assert options.max_size is not None
    kept = scored.kept
    bits = options.probability_bits + options.fingerprint_bits
    n_keys = len(np.unique(scored.forms.key[kept]))
    n_records = int(kept.sum())
    fixed = 5 * n_keys / 0.8 + 4.2 * n_records + 32768
    low, high = 0.0, float(max(order.loss.max(initial=0.0) for order in scored.orders)) + 1.0
    for _ in range(40):
        middle = (low * high) ** 0.5 if low > 0 else high / 1024
        size = fixed
        for k, keep in enumerate(select(scored.orders, middle), 2):
            is_highest = k == 1 + len(scored.orders)
            slot = bits + (0 if is_highest else options.backoff_bits)
            size += keep.sum() / options.load * slot / 8
        if size > options.max_size:
            low = middle
        else:
            high = middle
        if low and high / low < 1.01:
            break
    return high
