"""Models from files of other tools and back: ARPA files and mapping files of ``disambig``.

A language model that SRILM, KenLM or another toolkit estimated over cased text becomes a truecaser;
a model that was trained with ``keep_ngrams`` returns its n-grams.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np

from truecase.base.compression import write_file
from truecase.base.read import display_name, open_text
from truecase.base.spool import Bools, Float32s, Int64s
from truecase.errors import MappingError, ModelError, TrainingError
from truecase.kernels._lexicon import special_forms
from truecase.kernels._segment import WORD_CLASSES
from truecase.kernels._unicode import fold, lower
from truecase.kernels.text import CLASS_TAGS
from truecase.model.model import Model
from truecase.ngram.arpa import read_arpa, write_arpa
from truecase.ngram.lexicon import TAG_AN, Forms, describe_vocabulary
from truecase.ngram.table import NgramModel
from truecase.ngram.vocabulary import FIRST_WORD, Vocabulary
from truecase.options import StrPath
from truecase.training import recipe as recipes
from truecase.training.estimate import score_forms
from truecase.training.pack_model import Scored, class_surfaces, pack_model
from truecase.training.portage import CaseProbabilities, case_given_class, case_given_word

# Mapping files

#: A file without a line feed for this many bytes is not a mapping file.
MAX_LINE_BYTES = 1 << 20

# P of a case that a class of unknown words never has.
_NEVER = 1e-7

# Each digit can match in one way only: a field may be as long as a line.
_NUMBER = re.compile(rb"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_MARKS = (b"<s>", b"</s>", b"<unk>", b"<UNK>")
_CLASS = re.compile(rb"<(quantity|acronym|hyphenated|alphabetic|other)>")


@dataclass
class CaseMapping:
    """The forms of words, and the cases of unknown ones, in a mapping file.

    Attributes
    ----------
    words : dict of bytes to (dict of bytes to float)
        Probabilities of the forms of each word, which sum to one, in the order of the file.
    unknown_ln : float32 ndarray, shape (20,), or None
        log Π, class c and tag code t at ``4 * c + t``; None if the file has no classes.
    """

    words: dict[bytes, dict[bytes, float]] = field(default_factory=dict)
    unknown_ln: Float32s | None = None


def read_mapping(path: StrPath, language: str = "", encoding: str | None = None) -> CaseMapping:
    """Read a mapping file, plain or compressed; see `from_arpa` for the parameters.

    Raises
    ------
    MappingError
        The file is not a mapping file, or maps a word to another word; the message names the line.
    OSError, ReadError
        It cannot be read.
    """
    name = display_name(path)
    mapping = CaseMapping()
    classes: dict[bytes, dict[bytes, float]] = {}
    folded: dict[str, int] = {}
    number = 0

    def fail(message: str) -> MappingError:
        return MappingError(f"{name}:{number}: {message}")

    with open_text(path, encoding) as file:
        while line := file.readline(MAX_LINE_BYTES):
            number += 1
            if len(line) == MAX_LINE_BYTES:
                raise fail("a line that does not end")
            fields = line.split()
            if not fields or fields[0] in _MARKS:
                continue
            word = fields[0]
            try:
                forms = _forms(fields)
            except ValueError as error:
                raise fail(str(error)) from None
            if _CLASS.fullmatch(word):
                if word in classes:
                    raise fail(f"the class {_shown(word)} is mapped already")
                classes[word] = forms
                unknown = [form for form in forms if form not in _class_forms(word)]
                if unknown:
                    raise fail(f"{_shown(unknown[0])} is no case of the class {_shown(word)}")
                continue
            key = fold(_text(word), language)
            if key in folded:
                raise fail(f"{_shown(word)} is mapped already, in line {folded[key]}")
            folded[key] = number
            for form in forms:
                if fold(_text(form), language) != key:
                    raise fail(f"{_shown(form)} is not {_shown(word)} in another case")
            mapping.words[word] = forms
    if not mapping.words:
        number = max(number, 1)
        raise fail("no word is mapped")
    if classes:
        mapping.unknown_ln = _unknown_ln(classes)
    return mapping


def _forms(fields: list[bytes]) -> dict[bytes, float]:
    """The forms of one line with their shares."""
    forms: dict[bytes, float] = {}
    i = 1
    while i < len(fields):
        form = fields[i]
        i += 1
        probability = 1.0
        if i < len(fields) and _NUMBER.fullmatch(fields[i]):
            probability = float(fields[i])
            i += 1
        if probability < 0:
            raise ValueError(
                f"probability {_shown(fields[i - 1])} of {_shown(form)} is negative (logarithms "
                "cannot be read)"
            )
        if not np.isfinite(probability):
            raise ValueError(f"probability {_shown(fields[i - 1])} of {_shown(form)} is infinite")
        if form in forms:
            raise ValueError(f"{_shown(form)} occurs twice")
        forms[form] = probability
    total = sum(forms.values())
    if not 0 < total < float("inf"):
        raise ValueError(
            f"after the word {_shown(fields[0])}, expected its forms, each with a probability"
        )
    # A sum that misses one only by rounding stays, so that a file can be written back unchanged.
    scale = 1.0 if abs(total - 1.0) < 1e-4 else total
    return {form: p / scale for form, p in forms.items() if p > 0}


def _text(surface: bytes) -> str:
    return surface.decode("utf-8", "surrogateescape")


def _shown(surface: bytes) -> str:
    shown = surface.decode("utf-8", "replace")
    return repr(shown if len(shown) <= 40 else shown[:37] + "...")


def _class_forms(word: bytes) -> list[bytes]:
    return [word[:-1] + b":" + tag.encode() + b">" for tag in CLASS_TAGS]


def _unknown_ln(classes: Mapping[bytes, Mapping[bytes, float]]) -> Float32s:
    """log Π; a class that the file lacks stays lowercase, and no case is impossible."""
    table = np.full((len(WORD_CLASSES), len(CLASS_TAGS)), _NEVER)
    table[:, 0] = 1.0
    for c, name in enumerate(WORD_CLASSES):
        word = f"<{name}>".encode()
        if word in classes:
            shares = [classes[word].get(form, 0.0) for form in _class_forms(word)]
            table[c] = np.maximum(shares, _NEVER)
    table_ln: Float32s = np.log(table).astype(np.float32)
    return table_ln.ravel()


def mapping_lines(
    surfaces: list[bytes], case: Float32s, unknown_ln: Float32s, language: str = ""
) -> Iterator[bytes]:
    """Lines of a mapping file: words by first form, the more probable form first, then classes.

    `case` holds Φ of each of the `surfaces`, and forms with 0 are left out; `unknown_ln` is log Π,
    shape (20,).
    """
    words: dict[str, list[tuple[float, bytes]]] = {}
    for surface, share in zip(surfaces, case.tolist(), strict=True):
        if share > 0:
            words.setdefault(fold(_text(surface), language), []).append((-share, surface))
    for forms in words.values():
        forms.sort(key=lambda form: form[0])
        word = lower(_text(forms[0][1]), language).encode("utf-8", "surrogateescape")
        yield _line(word, [(surface, -share) for share, surface in forms])
    by_class = unknown_ln.reshape(len(WORD_CLASSES), len(CLASS_TAGS))
    # Processors differ in the last bit of 32-bit exponentials; a double has bits to spare.
    table = np.exp(by_class.astype(np.float64)).astype(np.float32)
    for name, shares in zip(WORD_CLASSES, table.tolist(), strict=True):
        word = f"<{name}>".encode()
        yield _line(word, list(zip(_class_forms(word), shares, strict=True)))


def _line(word: bytes, forms: list[tuple[bytes, float]]) -> bytes:
    parts = [word]
    for surface, share in forms:
        parts += [surface, f"{share:.6g}".encode()]
    return b" ".join(parts) + b"\n"


# Kept n-grams

#: Advice about a model that cannot be written as files of other tools.
NO_WORDS = "this model holds no words, only their fingerprints: train it with --keep-ngrams"


# ARPA files

# Probabilities become counts in a text of this many words.
_PSEUDO_WORDS = 1e9


def from_arpa(
    path: StrPath,
    segmentation: recipes.Segmentation = "space",
    language: str = "",
    mapping: StrPath | None = None,
    *,
    variant: recipes.Variant = "product",
    search: recipes.Search = "viterbi",
    smartcase: bool = False,
    keep_ngrams: bool = False,
    encoding: str | None = None,
) -> Model:
    """Make a model from the language model of an ARPA file.

    GEN proposes the file's words as surface forms. All n-grams are kept; words of the lowest
    unigram probability stand for unknown ones.

    Parameters
    ----------
    path : path-like
        ARPA file over cased words, plain or compressed.
    segmentation : {"space", "raw"}
        How the file's training text was cut into words.
    language : str
        ``tr`` and ``az`` have their own case mapping.
    mapping : path-like, optional
        Mapping file of SRILM's ``disambig``: the model then has preset ``portage``, and the
        forms that the file gives a word are the word's candidates.
    variant, search : str
        Options of preset ``portage``, with a mapping file only; see `PortageRecipe`.
    smartcase : bool
        The text was SmartCased: capitalise first words of sentences.
    keep_ngrams : bool
        Keep the words, so that both files can be written again.
    encoding : str, optional
        Encoding of both files; by default as their byte order marks say, or UTF-8.

    Raises
    ------
    ArpaError, MappingError
        A file is broken; the message names file and line.
    """
    if mapping is None and (variant, search) != ("product", "viterbi"):
        raise TrainingError("variant and search: expected with a mapping file")
    vocabulary, model = read_arpa(path, encoding)
    map_file = None if mapping is None else read_mapping(mapping, language, encoding)
    if map_file is not None:
        vocabulary = _with_forms(vocabulary, map_file)
    recipe = recipes.Recipe(
        text=recipes.TextRecipe(segmentation, language),
        lexicon=recipes.LexiconRecipe(min_count=1, min_share=0.0, smartcase=smartcase),
        lm=recipes.NgramRecipe(
            model.order, keep_ngrams=keep_ngrams, packing=recipes.Packing(fingerprint_bits=20)
        ),
        portage=None if map_file is None else recipes.PortageRecipe(variant, search),
    )
    forms = describe_vocabulary(vocabulary.blob, vocabulary.offsets, recipe.text.casing == "turkic")
    tokens = np.zeros(0, np.int64) if mapping is None else _take_class_tokens(vocabulary, forms)
    kept, rarest = _count_by_probability(forms, model, tokens)
    scored = score_forms(forms, kept, rarest, model, class_tokens=False)
    if map_file is not None:
        _apply_mapping(scored, vocabulary, map_file, tokens)
    files = {"arpa": os.path.basename(os.fspath(path))}
    if mapping is not None:
        files["map"] = os.path.basename(os.fspath(mapping))
    return pack_model(scored, recipe, vocabulary).with_notes(
        training={**files, **recipes.recipe_note(recipe)},
        origin="an ARPA file" if mapping is None else "an ARPA file and a mapping file",
        licence="",
        corpus={"forms": len(vocabulary) - FIRST_WORD},
    )


def _count_by_probability(forms: Forms, model: NgramModel, tokens: Int64s) -> tuple[Bools, Bools]:
    """Give forms counts by their unigram probabilities; mark the kept forms and the rarest of them.

    `tokens` are the ids of class tokens, or -1.
    """
    log10_prob = np.full(len(forms.key), -np.inf)
    log10_prob[model.words[0][:, 0]] = model.log10_prob[0]
    kept = (log10_prob > -99) & (forms.form != 0)
    kept[:FIRST_WORD] = False
    kept[tokens[tokens >= 0]] = False
    lowest = log10_prob[kept].min(initial=0.0)
    rarest = kept & (log10_prob < lowest + 1e-4)
    forms.count[kept] = np.maximum(2, np.rint(_PSEUDO_WORDS * 10 ** log10_prob[kept]))
    forms.count[rarest] = 1
    if model.count is None:
        model.count = [np.ones(len(words), np.uint32) for words in model.words]
    return kept, rarest


def _with_forms(vocabulary: Vocabulary, mapping: CaseMapping) -> Vocabulary:
    """Append the mapped forms that the vocabulary lacks."""
    known = set(vocabulary)
    extra = [form for word in mapping.words.values() for form in word if form not in known]
    return Vocabulary.from_surfaces([*vocabulary, *extra])


def _take_class_tokens(vocabulary: Vocabulary, forms: Forms) -> Int64s:
    """Give words that are our class tokens their identity; return the ids of all 21, or -1."""
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
    scored: Scored, vocabulary: Vocabulary, mapping: CaseMapping, tokens: Int64s
) -> None:
    """Take candidates, Φ and Π from a mapping file; words that it lacks keep theirs."""
    forms = scored.forms
    n_words = len(forms.key)
    present = np.flatnonzero(tokens >= 0)
    scored.log_prob[n_words + present] = scored.log_prob[tokens[present]]
    scored.log_backoff[n_words + present] = scored.log_backoff[tokens[present]]
    case_ln = case_given_word(forms, scored.kept, forms.count)
    shares = {form: p for word in mapping.words.values() for form, p in word.items()}
    share = np.array([shares.get(surface, 0.0) for surface in vocabulary])
    share[:FIRST_WORD] = 0.0
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

    It appears whole or not at all, compressed if its name says so.

    Raises
    ------
    ModelError
        The model lacks them, or was trained without ``keep_ngrams``.
    """
    if model.portage is None:
        raise ModelError("this model has no case mapping: train one with --preset portage")
    cases = None if model.words is None else model.words.cases()
    if cases is None:
        raise ModelError(NO_WORDS)
    unknown_ln = np.asarray(model.portage.arrays["unknown_ln"], np.float32)
    with write_file(path) as packed:
        packed.writelines(mapping_lines(*cases, unknown_ln, model.text.casing_language))


def to_arpa(model: Model, path: StrPath) -> None:
    """Write the n-grams of a model that keeps them as an ARPA file (.gz: compressed).

    Raises
    ------
    ModelError
        The model was trained without ``keep_ngrams``, or its n-grams are damaged.
    """
    if model.words is None:
        raise ModelError(
            f"{NO_WORDS}, or write an ARPA file from the text itself with `truecase arpa estimate`"
        )
    write_arpa(path, model.words.vocabulary(), model.words.ngrams())
