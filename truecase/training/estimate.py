"""From a text or a file of counts to a model: n-grams, their scores, pruning, packing.

counts → (SmartCase, rare forms → class tokens) → Kneser-Ney → n-grams that matter for casing
       → packed
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from itertools import chain

import numpy as np

from truecase.base._component import give_back_memory
from truecase.base.progress import Report
from truecase.base.spool import Bools, Float32s, Spool, UInt32s
from truecase.base.threads import ordered_map
from truecase.errors import CaselessTextWarning, CountsError, TrainingError
from truecase.kernels._components import SUFFIX_TABLE_BYTES
from truecase.kernels.text import TAGS
from truecase.model.model import Model
from truecase.ngram import lexicon, prune
from truecase.ngram._count import first_words
from truecase.ngram._words import Interner
from truecase.ngram.counting import NgramSource, RenumberedNgrams, StreamNgrams
from truecase.ngram.estimate import intern_blocks
from truecase.ngram.kneser_ney import KneserNeyOptions, estimate_kneser_ney
from truecase.ngram.lexicon import Forms
from truecase.ngram.table import LN10, NgramModel
from truecase.ngram.vocabulary import EOS, FIRST_WORD, IdStream, Vocabulary, canonical_order
from truecase.training.count_files import NgramCounts, ngram_bits
from truecase.training.evidence import Evidence, gather_evidence
from truecase.training.pack_model import (
    N_CLASS_TOKENS,
    N_EXTRA,
    Scored,
    class_scores,
    other_candidates,
    pack_lexicon,
    pack_model,
)
from truecase.training.portage import case_given_class, case_models, fill_class_backoffs
from truecase.training.recipe import LexiconRecipe, Recipe, TextRecipe, recipe_note

# Pieces of a text or of columns that are processed at a time; results do not depend on their size.
_THREADS = 2

# Counts of a text


@dataclass
class Counts:
    """A counted text.

    `stream` is the text as ids of its words; `forms` are the words with their counts by place in
    the sentence; `is_first` marks the words of the stream that are the first of a sentence, with
    letters.
    """

    vocabulary: Vocabulary
    stream: IdStream
    forms: Forms
    is_first: Spool

    def evidence(self, kept: Bools, turkic: bool) -> Evidence:
        """Neighbours and endings of the words in the text."""
        return gather_evidence(self.vocabulary, self.stream, self.forms, kept, turkic)

    def ngrams(self, rare: Bools, smartcase: bool, on_disk: bool) -> NgramSource:
        """The text with class tokens for rare forms, and first words after SmartCase.

        Closes the stream.
        """
        inside, initial = ids_for_ngrams(self.forms, rare, smartcase)
        mapped = IdStream(on_disk)
        is_first = self.is_first.reader()
        for chunk in self.stream.chunks():
            are_first = is_first.take(len(chunk))
            mapped.append(np.where(are_first, initial[chunk], inside[chunk]), 0)
        mapped.n_lines = self.stream.n_lines
        self.stream.close()
        self.is_first.close()
        give_back_memory()
        return StreamNgrams(mapped)


def count(
    blocks: Iterable[bytes], recipe: TextRecipe, on_disk: bool = False, names: bytes = b""
) -> Counts:
    """Count the words of a text, given as blocks of whole lines.

    `on_disk`: keep the text in temporary files. `names`: further lines, whose first words do not
    count as beginning a sentence. Raises TrainingError if the text has no word.
    """
    stream = IdStream(on_disk)
    blocks = chain(blocks, (names,)) if names else blocks
    vocabulary = intern_blocks(blocks, recipe.segmentation, recipe.language, stream, _THREADS)
    if len(vocabulary) <= FIRST_WORD:
        raise TrainingError("the training text has no words")
    forms, stops = tally_words(vocabulary, stream, recipe.casing == "turkic")
    lexicon.mark_abbreviations(forms, stops)
    # Sorted ids, which do not depend on the order of the lines.
    ids = canonical_order(vocabulary, forms.count)
    new_id = np.arange(len(vocabulary), dtype=np.uint32)
    new_id[ids] = np.arange(FIRST_WORD, len(vocabulary), dtype=np.uint32)
    vocabulary, stream = vocabulary.take(ids), stream.renumbered(new_id)
    forms = forms.take(np.concatenate([np.arange(FIRST_WORD, dtype=np.uint32), ids]))
    give_back_memory()
    is_first = Spool(np.bool_, on_disk=on_disk)
    is_first.extend(_first_words(forms, stream, stream.n_lines - names.count(b"\n")))
    return Counts(vocabulary, stream, forms, is_first)


def tally_words(
    vocabulary: Vocabulary, stream: IdStream, turkic: bool = False
) -> tuple[Forms, lexicon.StopTally]:
    """Forms of the vocabulary with their counts, and the words before and after full stops."""
    forms = lexicon.describe_vocabulary(vocabulary.blob, vocabulary.offsets, turkic)
    stops = lexicon.StopTally(len(vocabulary))
    for chunk in stream.line_chunks():
        forms.count += np.bincount(chunk, minlength=len(vocabulary))
        stops.add(chunk, forms)
    return forms, stops


def _first_words(forms: Forms, stream: IdStream, n_lines: int) -> Iterator[Bools]:
    """Count and mark the first words of sentences in the first `n_lines` lines."""
    flags = lexicon.place_flags(forms)

    def find(chunk: UInt32s) -> tuple[Bools, UInt32s]:
        return first_words(chunk, forms.key, forms.tag, forms.word_class, flags), chunk

    for are_first, chunk in ordered_map(find, stream.line_chunks(), _THREADS):
        ends = np.flatnonzero(chunk == EOS)
        if len(ends) > n_lines:
            are_first[ends[n_lines - 1] + 1 if n_lines else 0 :] = False
        n_lines = max(0, n_lines - len(ends))
        forms.initial_count += np.bincount(chunk[are_first], minlength=len(forms.key))
        yield are_first


def rare_forms(forms: Forms, recipe: LexiconRecipe) -> Bools:
    """Rare forms, which their class token stands for."""
    inside = forms.count - forms.initial_count
    rare: Bools = (inside < recipe.min_count) | (forms.form == 0)
    if recipe.smartcase:
        rare |= inside == 0
    rare[:FIRST_WORD] = False
    return rare


def kept_forms(forms: Forms, rare: Bools, recipe: Recipe) -> Bools:
    """Forms that go into the lexicon: part (ii) of GEN."""
    kept = ~rare
    kept[:FIRST_WORD] = False
    if recipe.lexicon.candidates == "pruned":
        inside = forms.count - forms.initial_count
        _, group = np.unique(forms.key, return_inverse=True)
        total = np.bincount(group, weights=inside)[group]
        kept &= inside >= recipe.least_share * total
    return kept


def ids_for_ngrams(forms: Forms, rare: Bools, smartcase: bool) -> tuple[UInt32s, UInt32s]:
    """The id of each word in n-grams: inside a sentence, and as the first word.

    Rare forms become their class tokens, first words what SmartCase makes of them.
    """
    n_words = len(forms.key)
    identity = np.arange(n_words, dtype=np.uint32)
    inside = np.where(rare, n_words + forms.class_token, identity).astype(np.uint32)
    if not smartcase:
        return inside, inside
    initial = inside[lexicon.smartcase_targets(forms)]
    # A word that occurs only as a first word does not show its case elsewhere.
    unclear = (forms.count == forms.initial_count) & (forms.tag != lexicon.TAG_AN)
    unclear[:FIRST_WORD] = False
    return inside, np.where(unclear, n_words + N_CLASS_TOKENS, initial).astype(np.uint32)


# Counts of a file


class MergedCounts:
    """Counts of a file, for `estimate`.

    `file` stays open as long as this is in use; `blocks` are the text that recipes with dense
    features take the neighbours and endings of words from. Raises CountsError if the file is
    damaged, or if its words and n-grams come from different lines.
    """

    def __init__(self, file: NgramCounts, blocks: Iterable[bytes] = ()) -> None:
        self._file = file
        self._blocks = blocks
        words = file.words()
        n_lines, counted = int(words.count[EOS]), file.about.n_lines
        if counted != n_lines:
            twice = "a part was merged twice, or comes from other text"
            raise CountsError(
                f"{file.name}: its n-grams are from {counted:,} lines, its words from {n_lines:,}: "
                + ("merge the counts of all parts" if counted < n_lines else twice)
            )
        if len(words.vocabulary) <= FIRST_WORD:
            raise TrainingError(f"{file.name}: the text that was counted has no words")
        ids = words.ids
        self.vocabulary = words.training_vocabulary()
        self.forms = words.forms()
        self.forms.initial_count += file.initial(words)[ids]

    def evidence(self, kept: Bools, turkic: bool) -> Evidence:
        """Neighbours of words in the text, and endings of the counted words."""
        about = self._file.about
        interner = Interner(about.segmentation, about.language, None, self.vocabulary)
        for block in self._blocks:
            interner.add_block(block)
        vocabulary, n_counted = interner.vocabulary(), len(self.vocabulary)
        # Words that only this text has count nothing; as neighbours they act by their class.
        forms = lexicon.describe_vocabulary(vocabulary.blob, vocabulary.offsets, turkic)
        forms.count[:n_counted] = self.forms.count
        forms.initial_count[:n_counted] = self.forms.initial_count
        all_kept = np.zeros(len(vocabulary), np.bool_)
        all_kept[:n_counted] = kept
        return gather_evidence(vocabulary, interner.stream, forms, all_kept, turkic)

    @property
    def left_out(self) -> dict[str, int]:
        """Numbers of lines left out, for the metadata of the model."""
        about = self._file.about
        return {"junk_lines": about.n_junk} if about.clean else {}

    def ngrams(self, rare: Bools, smartcase: bool, on_disk: bool) -> NgramSource:
        """The n-grams of the file, with the ids that training gives their words."""
        about, n_words = self._file.about, len(self.vocabulary)
        pieces, bits = self._file.pieces(n_words), ngram_bits(n_words)
        new_id = np.concatenate(ids_for_ngrams(self.forms, rare, smartcase))
        return RenumberedNgrams(pieces, about.n_ngrams, about.order, bits, new_id)


# Estimates


def score_forms(
    forms: Forms, kept: Bools, rare: Bools, model: NgramModel, class_tokens: bool = True
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
    kept, of_class = kept & in_model[:n_words], class_scores(forms, rare, n_tokens[n_words:-1])
    scored = Scored(forms, kept, log_prob, log_backoff, of_class, case_given_class(forms), in_model)
    assert model.count is not None
    for k in range(2, model.order + 1):
        words = model.words[k - 1]
        context = suffix = np.full(len(words), -1, np.int32)
        if k > 2:
            context, suffix = prune.find_shorter(words, model.words[k - 2], _THREADS)
            scored.is_closed &= bool((context >= 0).all() and (suffix >= 0).all())
        prob, count = _to_natural(model.log10_prob, k), model.count[k - 1]
        backoff, loss = np.zeros(len(words), np.float32), np.zeros(0, np.float32)
        if k < model.order:
            backoff = _to_natural(model.log10_backoff, k)
        scored.orders.append(prune.Order(words, prob, backoff, count, context, suffix, loss))
    return scored


def _to_natural(log10: list[Float32s], k: int) -> Float32s:
    """Convert the values of one order in place to natural log, and take them from the list."""
    values, log10[k - 1] = log10[k - 1], np.zeros(0, np.float32)
    values *= LN10
    return values


def unigram_model(forms: Forms, kept: Bools, rare: Bools) -> Scored:
    """Log-frequencies of the forms; the decoder takes the first form of each word."""
    size = len(forms.key) + N_EXTRA
    log_prob = np.zeros(size, np.float32)
    log_prob[: len(forms.key)] = np.log((forms.count + 0.5) / (forms.count.sum() + 1.0))
    log_backoff, in_model = np.zeros(size, np.float32), np.ones(size, np.bool_)
    of_class = class_scores(forms, rare, np.zeros(N_CLASS_TOKENS, np.int64))
    return Scored(forms, kept, log_prob, log_backoff, of_class, case_given_class(forms), in_model)


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
    prune.mark_deciding(scored.orders, start)
    needed = prune.needed_losses(scored.orders)
    # All n-grams are kept, or as many as fit: their losses make no difference then.
    fixed = 0 if max_size is None else _fixed_bytes(scored, recipe, max_size)
    is_too_large = max_size is not None and _bytes(fixed, needed, recipe, 0.0) > max_size
    if threshold > 0 or is_too_large:
        del needed
        for order in scored.orders:
            order.loss = np.zeros(0, np.float32)
        give_back_memory()
        scorer = prune.full_scorer(scored.orders, form, scored.log_prob, scored.log_backoff)
        tell = partial(report, "choosing n-grams")
        prune.measure_losses(scored.orders, scorer, start, others, node_score, tell)
        del scorer
        give_back_memory()
        needed = prune.needed_losses(scored.orders)
    keep = [losses > threshold for losses in needed]
    while is_too_large:
        assert max_size is not None
        threshold = max(threshold, _threshold_for(max_size, fixed, needed, recipe))
        keep = [losses > threshold for losses in needed]
        # Which words share a record of the lexicon depends on their backoffs without these n-grams.
        bigrams = [dataclasses.replace(scored.orders[0])]
        _, log_backoff = prune.renormalise(
            bigrams, keep[:1], form, scored.log_prob, scored.log_backoff
        )
        pruned = dataclasses.replace(scored, log_backoff=log_backoff)
        estimated, fixed = fixed, max(fixed, _fixed_bytes(pruned, recipe, max_size))
        is_too_large = fixed > estimated
    del needed
    for order in scored.orders:
        order.suffix = np.zeros(0, np.int32)
    orders, log_backoff = prune.renormalise(
        scored.orders, keep, form, scored.log_prob, scored.log_backoff
    )
    return dataclasses.replace(scored, log_backoff=log_backoff, orders=orders)


def _threshold_for(max_size: int, fixed: int, needed: list[Float32s], recipe: Recipe) -> float:
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


def _bytes(fixed: int, needed: list[Float32s], recipe: Recipe, threshold: float) -> float:
    """Bytes of a model with the n-grams above a threshold, and those that they need."""
    assert recipe.lm is not None
    packing = recipe.lm.packing
    total = float(fixed)
    for k, losses in enumerate(needed, 2):
        is_highest = k == 1 + len(needed)
        bits = packing.fingerprint_bits + packing.probability_bits
        bits += 0 if is_highest else packing.backoff_bits
        total += (np.count_nonzero(losses > threshold) / packing.load + 1) * bits / 8
    return total


def _fixed_bytes(scored: Scored, recipe: Recipe, max_size: int) -> int:
    """Upper bound of a model file's bytes without n-grams; TrainingError if above `max_size`."""
    assert recipe.lm is not None
    packing = recipe.lm.packing
    arrays, packed = pack_lexicon(scored, recipe)
    books = sum(
        4 * (2**packing.probability_bits + 2**packing.backoff_bits) + 64 for _ in scored.orders
    )
    extra = 0
    if recipe.dense is not None:
        extra = 8 * len(arrays.records) + SUFFIX_TABLE_BYTES + 8192
    fixed: int = packed.n_bytes + books + extra + 4096
    if fixed > max_size:
        raise TrainingError(
            f"a model of {max_size:,} bytes is too small: its lexicon alone takes "
            f"{fixed:,}; allow more (--max-size), or leave more forms out (--min-count)"
        )
    return fixed


# Of the words with letters: the least share that has a capital in cased text, in any language, or
# is in lower case.
_LEAST = 0.002


def _warn_of_caseless(forms: Forms) -> None:
    """Warn of a text with letters of case whose words have next to no capital, or all have one."""
    lower = TAGS.index("AL")
    n_lower = int(forms.count[forms.tag == lower].sum())
    n_upper = int(forms.count[(forms.tag != lower) & (forms.tag != TAGS.index("AN"))].sum())
    if min(n_upper, n_lower) < _LEAST * max(n_upper, n_lower):
        rare = "have a capital" if n_upper < n_lower else "are in lower case"
        # The same message and place for each fold of a text: Python shows it once.
        warnings.warn(
            f"fewer than {_LEAST:.1%} of the words of the training text {rare}: a model learns "
            "case from text in its right case, and this one will write hardly any such words",
            CaselessTextWarning,
            stacklevel=1,
        )


def estimate(
    counts: Counts | MergedCounts,
    recipe: Recipe,
    *,
    max_size: int | None = None,
    memory: int | None = None,
    report: Report = lambda step, share: None,
) -> Model:
    """Estimate a model, with the weights of features as they are before learning.

    `counts` are those of a text, whose stream this closes, or of a file. `max_size` limits the
    bytes of lexicon and language model, `memory` those for n-grams; more goes to temporary files.
    """
    forms = counts.forms
    _warn_of_caseless(forms)
    rare = rare_forms(forms, recipe.lexicon)
    kept = kept_forms(forms, rare, recipe)
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
            scored.portage = case_models(forms, scored.kept, recipe.lexicon.smartcase)
            classes = slice(len(forms.key), len(forms.key) + N_CLASS_TOKENS)
            scored.log_backoff[classes] = fill_class_backoffs(
                scored.log_backoff[classes], scored.in_model[classes]
            )
        report("choosing n-grams", None)
        scored = prune_to_fit(scored, recipe, max_size, report)
    report("packing", None)
    return pack_model(scored, recipe, counts.vocabulary, evidence).with_notes(
        training=recipe_note(recipe),
        origin=recipe.origin,
        licence=recipe.licence,
        corpus={
            "lines": int(forms.count[EOS]),
            "tokens": int(forms.count[FIRST_WORD:].sum()),
            "forms": len(counts.vocabulary) - FIRST_WORD,
        },
    )
