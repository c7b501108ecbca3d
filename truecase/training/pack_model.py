"""From counted forms and their n-gram model to a packed model."""

from dataclasses import astuple, dataclass, field
from typing import Any

import numpy as np

from truecase.base._component import Component
from truecase.base.model_file import Arrays
from truecase.base.spool import Bools, Float32s, Int64s, UInt32s, UInt64s
from truecase.base.threads import ordered_map
from truecase.kernels._components import DenseFeatures
from truecase.kernels._lexicon import Lexicon, special_forms
from truecase.kernels._maps import pack
from truecase.kernels._ngrams import LanguageModel
from truecase.kernels._segment import WORD_CLASSES
from truecase.kernels.quantise import quantise
from truecase.kernels.schema import default_weights, named_weights
from truecase.kernels.text import CLASS_TAGS
from truecase.model.model import Model, TextSettings
from truecase.ngram.kept_words import KeptWords
from truecase.ngram.lexicon import (
    N_CLASS_TAGS,
    N_CLASSES,
    TAG_AN,
    Forms,
    LexiconArrays,
    build_lexicon,
    smartcased_counts,
)
from truecase.ngram.prune import Order
from truecase.ngram.table import SlotWidths, as_read, pack_order, quantise_backoffs
from truecase.ngram.vocabulary import FIRST_WORD, Vocabulary
from truecase.training.evidence import Evidence
from truecase.training.portage import CaseProbabilities, kept_cases, pack_case_models
from truecase.training.recipe import Packing, Recipe

N_CLASS_TOKENS = N_CLASSES * N_CLASS_TAGS

#: The class tokens, and one for a word seen only as a sentence's first, whose case is unclear.
N_EXTRA = N_CLASS_TOKENS + 1

LEXICON_FINGERPRINT_BITS = 20
LEXICON_LOAD = 0.8

# Costs and gains chosen on development text: for an unseen form of a known word, and for an unknown
# hyphenated word whose parts have their usual case.
_UNSEEN_FORM_LN = -10.0
_PARTS_BONUS_LN = 8.0


@dataclass
class Scored:
    """All numbers that the decoder needs, before they are quantised and packed.

    Word ids are those of the vocabulary, then the 20 class tokens and the token of unclear case.

    Attributes
    ----------
    forms : Forms
    kept : bool ndarray, shape (n_words,)
        Forms that are in the lexicon.
    log_prob, log_backoff : float32 ndarray, shape (n_words + 21,)
        Unigrams, natural log.
    class_score : float32 ndarray, shape (20,)
        log P(word | class token), natural log, up to a constant.
    unknown_tag : float32 ndarray, shape (20,)
        Π = log P(tag | class) of a word not seen in training, natural log.
    in_model : bool ndarray, shape (n_words + 21,)
        Ids that are unigrams of the language model.
    orders : list of Order
        n-grams of 2, 3, … words.
    is_closed : bool
        All words of an n-gram but the first, or the last, form an n-gram too, as in Kneser-Ney.
    portage : CaseProbabilities or None
    """

    forms: Forms
    kept: Bools
    log_prob: Float32s
    log_backoff: Float32s
    class_score: Float32s
    unknown_tag: Float32s
    in_model: Bools
    orders: list[Order] = field(default_factory=list)
    is_closed: bool = True
    portage: CaseProbabilities | None = None

    @property
    def form(self) -> UInt64s:
        """Identity of every word id, class tokens included."""
        marks, classes = special_forms()
        return np.concatenate([self.forms.form, classes, marks[:1]])


def pack_model(
    scored: Scored, recipe: Recipe, vocabulary: Vocabulary, evidence: Evidence | None = None
) -> Model:
    """Build a model, with the weights of features as they are before learning.

    `evidence` is for dense features.
    """
    lexicon_arrays, lexicon = pack_lexicon(scored, recipe)
    parts: dict[str, Component] = {}
    if recipe.lm is not None:
        parts["lm"] = _pack_ngrams(scored, recipe.lm.packing)
        if recipe.lm.keep_ngrams:
            parts["words"] = kept_words(vocabulary, scored)
    if recipe.dense is not None:
        weights = named_weights(default_weights())
        arrays: Arrays = {
            "weights": np.array(list(weights.values()), np.float32),
            "unknown_tag_ln": scored.unknown_tag,
        }
        if evidence is not None:
            for name in ("neighbour_log_odds", "case_context"):
                arrays[name] = evidence.by_record(lexicon_arrays, getattr(evidence, name))
            arrays["suffixes"] = evidence.suffixes
        parts["dense"] = DenseFeatures(arrays, {"features": list(weights)})
    if scored.portage is not None:
        assert recipe.portage is not None
        parts["portage"] = pack_case_models(scored.portage, lexicon_arrays, recipe.portage)
    of_text = recipe.text
    text = TextSettings(of_text.segmentation, of_text.casing, language=of_text.language)
    return Model(text, lexicon, **parts)  # type: ignore[arg-type]


def pack_lexicon(scored: Scored, recipe: Recipe) -> tuple[LexiconArrays, Lexicon]:
    """Pack the forms that a model keeps."""
    forms = scored.forms
    n_words = len(forms.key)
    kept = scored.kept
    arrays: Arrays = {}
    ids = np.flatnonzero(kept)
    probability_code = np.zeros(n_words, np.uint32)
    backoff_code = np.zeros(n_words, np.uint32)
    probability_code[ids], arrays["probability_ln"] = quantise(scored.log_prob[ids], 8)
    backoff_code[ids], arrays["backoff_ln"] = quantise_backoffs(scored.log_backoff[ids], 8)
    inside = forms.count - forms.initial_count
    rank = inside * (1 << 20) + np.minimum(forms.count, (1 << 20) - 1)
    count = forms.count
    if recipe.dense is not None and recipe.lexicon.smartcase:
        count = smartcased_counts(forms)
    lexicon = build_lexicon(forms, kept, rank, count, probability_code, backoff_code)
    if recipe.dense is None and recipe.portage is None:  # which have codes for each record
        lexicon = lexicon.sharing_records()
    payload_bits = max(1, int(len(lexicon.records)).bit_length())
    widths = LEXICON_FINGERPRINT_BITS, payload_bits
    arrays["slots"], n_slots, max_probes = pack(
        lexicon.keys, lexicon.first_record, *widths, 0xFFFFFFFF, LEXICON_LOAD
    )
    arrays["records"] = lexicon.records
    arrays["classes.probability_ln"] = scored.log_prob[n_words:-1]
    arrays["classes.backoff_ln"] = scored.log_backoff[n_words:-1]
    arrays["classes.word_given_class_ln"] = scored.class_score
    settings: dict[str, Any] = {
        "candidates": recipe.lexicon.candidates,
        "smartcase": recipe.lexicon.smartcase,
        "unseen_form_ln": _UNSEEN_FORM_LN,
        # Π depends on a hyphenated word's class alone, not on the case of its parts.
        "parts_bonus_ln": _PARTS_BONUS_LN if scored.portage is None else 0.0,
        "sentence_start_backoff_ln": float(scored.log_backoff[1]),
        "sentence_end_ln": float(scored.log_prob[2]),
        "n_entries": len(lexicon.keys),
        "n_forms": int(kept.sum()),
        "n_slots": n_slots,
        "payload_bits": payload_bits,
        "fingerprint_bits": LEXICON_FINGERPRINT_BITS,
        "max_probes": max_probes,
    }
    return lexicon, Lexicon(arrays, settings)


def _pack_ngrams(scored: Scored, packing: Packing) -> LanguageModel:
    arrays: Arrays = {}
    settings: dict[str, Any] = {"order": 1 + len(scored.orders), "closed": scored.is_closed}
    n_orders = len(scored.orders)

    def pack_ngrams(k: int) -> tuple[Arrays, dict[str, Any]]:
        order = scored.orders[k - 2]
        log_prob = as_read(order.log_prob)
        log_backoff = None if k == 1 + n_orders else as_read(order.log_backoff)
        widths = SlotWidths(*astuple(packing))
        return pack_order(order.words, log_prob, log_backoff, scored.form, widths)

    # The longest order first: it takes as long as all others.
    orders = range(1 + n_orders, 1, -1)
    for k, (packed, of_order) in zip(orders, ordered_map(pack_ngrams, orders, 2), strict=True):
        settings[f"ngram{k}"] = of_order
        arrays.update({f"ngram{k}.{name}": array for name, array in packed.items()})
    return LanguageModel(arrays, settings)


def class_scores(forms: Forms, rare: Bools, n_tokens: Int64s) -> Float32s:
    """log P(an unseen word | class token), up to a constant.

    Portage's estimate of Π (Agbago et al. 2005, 3.4): words seen exactly once stand for unseen
    ones. The language model already has the share of tokens of a class token, so that singletons
    per token are left. Class tokens stand for forms of `rare`; `n_tokens`, int64, shape (20,), are
    their occurrences in the language model's text. A class without any is not in the model, and
    gets Π itself.
    """
    singletons = rare & (forms.count - forms.initial_count == 1)
    singletons[:FIRST_WORD] = False
    seen_once = np.bincount(forms.class_token[singletons], minlength=N_CLASS_TOKENS) + 0.1
    totals, n_of_class = (
        np.repeat(values.reshape(N_CLASSES, N_CLASS_TAGS).sum(axis=1), N_CLASS_TAGS)
        for values in (seen_once, n_tokens)
    )
    is_modelled = n_of_class > 0
    return np.log(seen_once / np.where(is_modelled, np.maximum(n_tokens, 1), totals)).astype(
        np.float32
    )


def other_candidates(forms: Forms, kept: Bools) -> tuple[Int64s, UInt32s]:
    """For each word id, class tokens included, the other forms of the same word that GEN proposes.

    They are ``others[start[w]:start[w + 1]]`` for id w of the result (start, others).
    """
    n_words = len(forms.key)
    ids = np.flatnonzero(kept & (forms.tag != TAG_AN))
    ids = ids[np.argsort(forms.key[ids], kind="stable")]
    key = forms.key[ids]
    first = np.searchsorted(key, key, side="left")
    last = np.searchsorted(key, key, side="right")
    n_others = np.zeros(n_words + N_EXTRA, np.int64)
    n_others[ids] = last - first - 1
    classes = n_words + np.arange(N_CLASS_TOKENS)
    # An unknown word may be AL, IU or AU; tag code 3, MX, is rarely among its candidates.
    cased = np.arange(N_CLASS_TOKENS) % N_CLASS_TAGS != N_CLASS_TAGS - 1
    n_others[classes[cased]] = 2
    start = np.concatenate([[0], np.cumsum(n_others)])
    others = np.zeros(int(start[-1]), np.uint32)
    # Those behind it, then those before.
    n = n_others[ids]
    owner = np.repeat(np.arange(len(ids)), n)
    number = np.arange(len(owner)) - np.repeat(np.cumsum(n) - n, n)
    place = owner + 1 + number
    place = np.where(place >= last[owner], place - n[owner] - 1, place)
    others[start[ids[owner]] + number] = ids[place]
    # Of AL, IU and AU of each class.
    first_of_class = classes[::N_CLASS_TAGS, None]
    others[start[n_words] :] = (first_of_class + [1, 2, 0, 2, 0, 1]).ravel()
    return start, others


def kept_words(vocabulary: Vocabulary, scored: Scored) -> KeptWords:
    """Words, probabilities and backoffs that ARPA and mapping files are written from."""
    surfaces = class_surfaces()
    tail = np.cumsum([len(surface) for surface in surfaces]) + vocabulary.offsets[-1]
    size = len(scored.log_prob)
    arrays: Arrays = {
        "blob": np.concatenate([vocabulary.blob, np.frombuffer(b"".join(surfaces), np.uint8)]),
        "offsets": np.concatenate([vocabulary.offsets, tail]).astype(np.uint64),
        "log_prob1": scored.log_prob,
        "log_backoff1": scored.log_backoff,
        "words1": np.flatnonzero(scored.in_model).astype(np.uint32),
    }
    assert len(arrays["offsets"]) == size + 1
    for k, order in enumerate(scored.orders, 2):
        arrays[f"words{k}"] = np.ascontiguousarray(order.words).ravel()
        arrays[f"log_prob{k}"] = order.log_prob
        arrays[f"log_backoff{k}"] = order.log_backoff
    if scored.portage is not None:
        arrays.update(kept_cases(scored.portage, scored.kept))
    return KeptWords(arrays)


def class_surfaces() -> list[bytes]:
    """Names of the class tokens, and of the token of unclear case, in an ARPA file."""
    names = [f"<{name}:{tag}>" for name in WORD_CLASSES for tag in CLASS_TAGS]
    assert len(names) == N_CLASSES * N_CLASS_TAGS
    return [name.encode() for name in names] + [b"<unclear>"]
