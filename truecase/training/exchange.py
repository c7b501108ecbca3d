"""Models from ARPA files, and ARPA files from models.

A language model that SRILM, KenLM or another toolkit estimated over cased text becomes a
truecaser; a model that was trained with ``keep_ngrams`` gives its n-grams back.
"""

import os

import numpy as np
import numpy.typing as npt

from truecase.choices import StrPath
from truecase.corpus.vocabulary import Vocabulary
from truecase.errors import ModelError
from truecase.lexicon._forms import special_forms
from truecase.lexicon.case_probability import case_given_class, case_given_word
from truecase.lexicon.lexicon import N_MARKS, TAG_AN, Forms, describe_vocabulary
from truecase.model.model import Model
from truecase.ngram.arpa import read_arpa
from truecase.portage.case_models import CaseProbabilities
from truecase.portage.mapping import Mapping1To2, mapping_lines, read_mapping, write_mapping
from truecase.training.export import NO_WORDS, class_surfaces, kept_words, write_kept_ngrams
from truecase.training.language_model import Scored, pack_model
from truecase.training.recipe import (
    LexiconRecipe,
    NgramRecipe,
    Packing,
    PortageRecipe,
    Recipe,
    Search,
    Segmentation,
    TextRecipe,
    Variant,
    recipe_note,
)
from truecase.training.score import score_forms

# Probabilities stand for counts in a text of this many words.
_PSEUDO_WORDS = 1e9


def from_arpa(
    path: StrPath,
    segmentation: Segmentation = "space",
    language: str = "",
    mapping: StrPath | None = None,
    *,
    variant: Variant = "product",
    search: Search = "viterbi",
    smartcase: bool = False,
    keep_ngrams: bool = False,
    encoding: str | None = None,
) -> Model:
    """A model whose language model is an ARPA file's.

    Its words are the surface forms that GEN proposes. All n-grams are kept; words of the
    lowest unigram probability stand for unknown ones.

    Parameters
    ----------
    path : path-like
        ARPA file over cased words, plain or compressed.
    segmentation : {"space", "raw"}
        How the text it was estimated from was cut into words.
    language : str
        ``tr`` and ``az`` have their own case mapping.
    mapping : path-like, optional
        Mapping file of SRILM's ``disambig``: the model is then one of preset ``portage``,
        the forms that the file maps a word to are that word's candidates.
    variant, search : str
        Of preset ``portage``; see `PortageRecipe`.
    smartcase : bool
        The text was SmartCased: first words of sentences are to be capitalised.
    keep_ngrams : bool
        Keep the words, so that both files can be written again.
    encoding : str, optional
        How both files are written; by default as their byte order marks say, or UTF-8.

    Raises
    ------
    ArpaError, MappingError
        If a file is broken; the message names file and line.
    """
    vocabulary, model = read_arpa(path, encoding)
    map_file = None if mapping is None else read_mapping(mapping, language, encoding)
    if map_file is not None:
        vocabulary = _with_forms(vocabulary, map_file)
    recipe = Recipe(
        text=TextRecipe(segmentation, language),
        lexicon=LexiconRecipe(min_count=1, min_share=0.0, smartcase=smartcase),
        lm=NgramRecipe(model.order, keep_ngrams=keep_ngrams, packing=Packing(fingerprint_bits=20)),
        portage=None if map_file is None else PortageRecipe(variant, search),
    )
    forms = describe_vocabulary(vocabulary.blob, vocabulary.offsets, recipe.text.casing == "turkic")
    ids = model.words[0][:, 0]
    log10_prob = np.full(len(vocabulary), -np.inf)
    log10_prob[ids] = model.log10_prob[0]
    kept = (log10_prob > -99) & (forms.form != 0)
    kept[:N_MARKS] = False
    tokens = np.zeros(0, np.int64)
    if map_file is not None:
        tokens = _take_class_tokens(vocabulary, forms)
        kept[tokens[tokens >= 0]] = False
    lowest = log10_prob[kept].min(initial=0.0)
    rarest = kept & (log10_prob < lowest + 1e-4)
    forms.count[kept] = np.maximum(2, np.rint(_PSEUDO_WORDS * 10 ** log10_prob[kept]))
    forms.count[rarest] = 1
    if model.count is None:
        model.count = [np.ones(len(words), np.uint32) for words in model.words]
    scored = score_forms(forms, kept, rarest, model, class_tokens=False)
    if map_file is not None:
        _apply_mapping(scored, vocabulary, map_file, tokens)
    packed = pack_model(scored, recipe)
    if keep_ngrams:
        packed = packed.replace(words=kept_words(vocabulary, scored))
    files = {"arpa": os.path.basename(os.fspath(path))}
    if mapping is not None:
        files["map"] = os.path.basename(os.fspath(mapping))
    return packed.with_notes(
        training={**files, **recipe_note(recipe)},
        origin="an ARPA file" if mapping is None else "an ARPA file and a mapping file",
        licence="",
        corpus={"forms": len(vocabulary) - N_MARKS},
    )


def _with_forms(vocabulary: Vocabulary, mapping: Mapping1To2) -> Vocabulary:
    """The vocabulary and, behind it, the mapped forms that it lacks."""
    known = set(vocabulary)
    extra = [form for word in mapping.words.values() for form in word if form not in known]
    return Vocabulary.from_surfaces([*vocabulary, *extra])


def _take_class_tokens(vocabulary: Vocabulary, forms: Forms) -> npt.NDArray[np.int64]:
    """Give words that are class tokens of ours their identity; the ids of all 21, or -1."""
    marks, classes = special_forms()
    identities = [*classes, marks[0]]
    names = class_surfaces()
    place = {name: i for i, name in enumerate(names)}
    tokens = np.full(len(names), -1, np.int64)
    for word_id, surface in enumerate(vocabulary):
        if surface in place:
            tokens[place[surface]] = word_id
            forms.form[word_id] = identities[place[surface]]
            forms.tag[word_id] = TAG_AN
    return tokens


def _apply_mapping(
    scored: Scored, vocabulary: Vocabulary, mapping: Mapping1To2, tokens: npt.NDArray[np.int64]
) -> None:
    """Candidates, Φ and Π from a mapping file; words that it lacks keep those they have."""
    forms = scored.forms
    n_words = len(forms.key)
    present = np.flatnonzero(tokens >= 0)
    scored.log_prob[n_words + present] = scored.log_prob[tokens[present]]
    scored.log_backoff[n_words + present] = scored.log_backoff[tokens[present]]
    case_ln = case_given_word(forms, scored.kept, forms.count)
    shares = {form: p for word in mapping.words.values() for form, p in word.items()}
    share = np.array([shares.get(surface, 0.0) for surface in vocabulary])
    share[:N_MARKS] = 0.0
    is_mapped = np.isin(forms.key, forms.key[share > 0])
    scored.kept[is_mapped] = (share > 0)[is_mapped] & (forms.form != 0)[is_mapped]
    case_ln[scored.kept & is_mapped] = np.log(share[scored.kept & is_mapped])
    # The more probable form comes first in the lexicon.
    weight = np.maximum(2, np.rint(_PSEUDO_WORDS * share)).astype(np.int64)
    forms.count[:] = np.where(is_mapped & (share > 0), np.maximum(forms.count, 2), forms.count)
    _, group = np.unique(forms.key, return_inverse=True)
    total = np.bincount(group, weights=np.where(scored.kept, forms.count, 0))[group]
    spread = np.maximum(1, np.rint(total * weight / _PSEUDO_WORDS)).astype(np.int64)
    forms.count[is_mapped] = spread[is_mapped]
    unknown_ln = mapping.unknown_ln
    if unknown_ln is None:
        unknown_ln = case_given_class(forms)
    scored.portage = CaseProbabilities(case_ln.astype(np.float32), unknown_ln)


def to_mapping(model: Model, path: StrPath) -> None:
    """Write Φ and Π of a model of preset ``portage`` as a mapping file of ``disambig``.

    Raises
    ------
    ModelError
        If the model has none, or was trained without ``keep_ngrams``.
    """
    if model.portage is None:
        raise ModelError("this model has no case mapping: train one with --preset portage")
    cases = None if model.words is None else model.words.cases()
    if cases is None:
        raise ModelError(NO_WORDS)
    unknown_ln = np.asarray(model.portage.arrays["unknown_ln"], np.float32)
    write_mapping(path, mapping_lines(*cases, unknown_ln, model.text.casing_language))


def to_arpa(model: Model, path: StrPath) -> None:
    """Write the n-grams of a model that keeps them as an ARPA file (.gz: compressed).

    Raises
    ------
    ModelError
        If the model was trained without ``keep_ngrams``.
    """
    write_kept_ngrams(model.words, path)
