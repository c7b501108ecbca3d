"""Counts and tables of small made-up bitexts."""

import warnings

import numpy as np
from truecase_testing import source_line

from truecase.kernels._lexicon import summarise_forms as describe
from truecase.training.translation_tables import PairCounts, TranslationCounts, smooth


def described(words):
    """Key, form and tag of some words."""
    blob = b"".join(words)
    offsets = np.cumsum([0, *map(len, words)]).astype(np.int64)
    key, form, _, tag, _, _ = describe(blob, offsets, False)
    return key, form, tag


def pair_counts(counts):
    """`PairCounts` of a dict of counts by (source, target), and both lists of identities."""
    sources = sorted({source for source, _ in counts})
    targets = sorted({target for _, target in counts})
    pairs = sorted((sources.index(s), targets.index(t), n) for (s, t), n in counts.items())
    columns = np.array(pairs, np.int64).reshape(-1, 3)
    return PairCounts(
        np.array(sources, np.uint64),
        np.array(targets, np.uint64),
        columns[:, 0].astype(np.int32),
        columns[:, 1].astype(np.int32),
        columns[:, 2].copy(),
    )


def word_counts(counts):
    """`TranslationCounts` of a dict of counts by (source word, target word)."""
    words = sorted({word for pair in counts for word in pair})
    key, form, tag = described(words)
    place = {word: i for i, word in enumerate(words)}
    cased, lower, tags = {}, {}, np.zeros((5, 5), np.int64)
    for (source, target), n in counts.items():
        s, t = place[source], place[target]
        cased[int(form[s]), int(form[t])] = n
        pair = int(key[s]), int(key[t])
        lower[pair] = lower.get(pair, 0) + n
        tags[tag[s], tag[t]] += n
    cased_counts, lower_counts = pair_counts(cased), pair_counts(lower)
    key_of = dict(zip(form.tolist(), key.tolist(), strict=True))
    targets = lower_counts.target.tolist()
    target_key = [targets.index(key_of[form]) for form in cased_counts.target.tolist()]
    return TranslationCounts(
        cased_counts, lower_counts, tags, np.array(target_key, np.int32), sum(counts.values())
    )


def smooth_quietly(counts):
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return smooth(counts)


MENU = {
    (b"Cliquez", b"Click"): 9,
    (b"cliquez", b"click"): 7,
    (b"Cliquez", b"click"): 1,
    (b"OK", b"OK"): 12,
    (b"sur", b"on"): 20,
    (b"sur", b"On"): 1,
    (b",", b","): 30,
    (b"fichier", b"file"): 8,
    (b"Fichier", b"File"): 8,
    (b"bouton", b"button"): 3,
    (b"MENU", b"MENU"): 2,
    (b"menu", b"menu"): 4,
}


def token_forms(line):
    """Form and key of each token of a source line."""
    tokens, _, forms, _ = source_line(line, 1, False)
    return list(zip(forms, described(tokens)[0].tolist(), strict=True))
