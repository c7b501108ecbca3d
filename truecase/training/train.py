"""Training: text in, a model out.

text → word ids → counts by place → (SmartCase, rare forms → class tokens) → Kneser-Ney
     → n-grams that matter for casing → packed arrays
"""

from collections.abc import Iterable
from typing import Any

import numpy as np
import numpy.typing as npt

from truecase.corpus._intern import Interner
from truecase.corpus.id_stream import IdStream
from truecase.corpus.vocabulary import Vocabulary
from truecase.crf.evidence import gather_evidence
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
from truecase.portage.clean import TextFilter
from truecase.portage.model import case_models, fill_class_backoffs, kept_cases
from truecase.portage.styles import stored_weights
from truecase.training.build import N_CLASS_TOKENS, N_EXTRA, pack_model
from truecase.training.export import kept_ngrams
from truecase.training.fit import Report, prune_to_fit
from truecase.training.options import TrainingError, TrainingOptions
from truecase.training.score import score_forms, unigram_model


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
    clean = TextFilter(options)
    interner = Interner(options.segmentation, "tr" if options.turkic else "", IdStream(on_disk))
    for block in clean(blocks):
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
    evidence = None
    if options.has_columns:
        report("reading neighbours and endings", 0.0)
        evidence = gather_evidence(vocabulary, stream, forms, kept, options.turkic)
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
        del model
        if options.preset == "portage":
            scored.portage = case_models(forms, scored.kept, options.smartcase)
            classes = slice(len(forms.key), len(forms.key) + N_CLASS_TOKENS)
            scored.log_backoff[classes] = fill_class_backoffs(
                scored.log_backoff[classes], scored.in_model[classes]
            )
        report("choosing n-grams", 0.0)
        scored = prune_to_fit(scored, options, report)
    report("packing", 0.0)
    arrays, settings = pack_model(scored, options, evidence)
    if options.keep_ngrams:
        arrays.update(kept_ngrams(vocabulary, scored))
        if scored.portage is not None:
            arrays.update(kept_cases(scored.portage, scored.kept))
    if options.title_detector and clean.detector is not None:
        arrays["titles.weights"] = stored_weights(clean.detector)
    metadata = {
        "decoder": settings,
        "training": options.to_dict(),
        "origin": options.origin,
        "licence": options.licence,
        "corpus": {
            "lines": int(forms.count[2]),
            "tokens": int(forms.count[N_MARKS:].sum()),
            "forms": len(vocabulary) - N_MARKS,
            **clean.left_out,
        },
    }
    return arrays, metadata


def count_forms(vocabulary: Vocabulary, stream: IdStream, options: TrainingOptions) -> Forms:
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
    rare: npt.NDArray[np.bool_] = (inside < options.min_count) | (forms.form == 0)
    if options.smartcase:
        rare |= inside == 0
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
