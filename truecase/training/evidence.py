"""Evidence of the training text for features: neighbours and endings of words."""

from dataclasses import dataclass

import numpy as np

from truecase.base.spool import Bools, Float64s, Int64s, UInt8s, UInt64s
from truecase.kernels._components import SUFFIX_TABLE_BYTES, hash_suffixes, slots_and_checks
from truecase.ngram.lexicon import N_CLASSES, TAG_AN, TAG_AU, Forms, LexiconArrays
from truecase.ngram.vocabulary import EOS, FIRST_WORD, IdStream, Vocabulary

#: Places of the neighbours, in the order of the codes.
PLACES = (-2, -1, 1, 2)

#: Codes are log-odds ratios times this, plus 128.
STEPS = 16
_ZERO = 128

# Occurrences and expectations are compared after adding this much to both.
_SMOOTHING = 0.5
# A word's own odds count as this many occurrences next to each case.
_PULL = 3.0
# Words seen at most this often show how unknown words with their ending are cased.
_RARE = 10
# A suffix's probabilities are worth this many words of the next shorter one's.
_SHORTER = 3.0
_FEWEST = 4


@dataclass
class Evidence:
    """Odds by neighbour, and probabilities by ending.

    Attributes
    ----------
    key : uint64 ndarray, shape (n,)
        Keys of the lexicon's words, ascending.
    neighbour_log_odds : uint8 ndarray, shape (n + 6, 4)
        Codes of the effect of each word on its neighbours' odds; the last rows are those of the
        five classes of unknown words and of the sentence's boundary.
    case_context : uint8 ndarray, shape (n + 6, 4)
        Codes, for the same rows, of the effect of a neighbour's case on the word: after upper
        case, after lower case, before upper case, before lower case.
    suffixes : uint8 ndarray
        The table of suffixes of `_dense.pxd`.
    """

    key: UInt64s
    neighbour_log_odds: UInt8s
    case_context: UInt8s
    suffixes: UInt8s

    def by_record(self, lexicon: LexiconArrays, table: UInt8s) -> UInt8s:
        """One of the tables by record: the codes of a word are at 4 · (place of its first record).

        The last 6 · 4 belong to the classes and the boundary.
        """
        n = len(lexicon.records)
        codes = np.full((n + N_CLASSES + 1, len(PLACES)), _ZERO, np.uint8)
        place = np.searchsorted(self.key, lexicon.keys)
        codes[lexicon.first_record.astype(np.int64) - 1] = table[place]
        codes[n:] = table[len(self.key) :]
        return codes.ravel()


def gather_evidence(
    vocabulary: Vocabulary, stream: IdStream, forms: Forms, kept: Bools, turkic: bool
) -> Evidence:
    """Gather the evidence in one pass over the training text.

    `stream` is the text as word ids before SmartCase; `kept`, shape (n_words,), are the forms in
    the lexicon; `turkic` is the casing of Turkish and Azeri.
    """
    key = np.unique(forms.key[kept])
    group = _groups(forms, key)
    tables = _neighbours(stream, forms, group, len(key) + N_CLASSES)
    return Evidence(key, *tables, _suffix_table(vocabulary, forms, turkic))


def _groups(forms: Forms, key: UInt64s) -> Int64s:
    """The row of each word id in the tables: its word's, its class's, or the boundary's."""
    group = np.searchsorted(key, forms.key)
    is_known = group < len(key)
    is_known[is_known] = key[group[is_known]] == forms.key[is_known]
    group = np.where(is_known, group, len(key) + forms.word_class.astype(np.int64))
    group[:FIRST_WORD] = len(key) + N_CLASSES
    return group


def _neighbours(
    stream: IdStream, forms: Forms, group: Int64s, boundary: int
) -> tuple[UInt8s, UInt8s]:
    """The tables `neighbour_log_odds` and `case_context`."""
    n_groups = boundary + 1
    is_upper = (forms.tag > 0) & (forms.tag != TAG_AN)
    own = _own_odds(forms, is_upper)
    # 0 no case, 1 lower, 2 upper
    case = np.where(forms.tag == TAG_AN, 0, 1 + is_upper).astype(np.int64)
    case[:FIRST_WORD] = 0

    sums = np.zeros((len(PLACES), 4, n_groups))
    seen = np.zeros((2, 3, 2, n_groups))
    for chunk in stream.line_chunks():
        at_line_end = chunk == EOS
        target = np.flatnonzero((forms.tag[chunk] != TAG_AN) & ~at_line_end)
        line = np.cumsum(at_line_end)[target]
        is_first = np.diff(line, prepend=-1) != 0
        # The case of a line's first word says nothing about the word or its neighbours.
        case_here = case[chunk]
        case_here[target[is_first]] = 0
        target = target[~is_first]
        padded_case = np.concatenate([[0], case_here, [0]])
        of_target = group[chunk[target]]
        target_upper = is_upper[chunk[target]]
        for side, neighbour in enumerate((padded_case[target], padded_case[target + 2])):
            index = ((neighbour * 2) + target_upper) * n_groups + of_target
            seen[side] += np.bincount(index, minlength=6 * n_groups).reshape(3, 2, n_groups)
        p = own[chunk[target]]
        weight = 4.0 * p * (1.0 - p)
        open_ = weight > 0.01
        target, p, weight = target[open_], p[open_], weight[open_]
        upper = is_upper[chunk[target]]
        padded = np.concatenate([[boundary, boundary], group[chunk], [boundary, boundary]])
        for number, place in enumerate(PLACES):
            neighbour = padded[target + 2 + place]
            if abs(place) == 2:
                # Beyond the line's first and last words there is only the boundary.
                between = padded[target + 2 + place // 2]
                neighbour = np.where(between == boundary, boundary, neighbour)
            for row, values in enumerate(
                (weight * upper, weight * p, weight * ~upper, weight * (1.0 - p))
            ):
                sums[number, row] += np.bincount(neighbour, values, n_groups)
    seen_upper, expected_upper, seen_lower, expected_lower = sums.transpose(1, 0, 2) + _SMOOTHING
    log_odds = np.log(seen_upper / expected_upper) - np.log(seen_lower / expected_lower)
    return _codes(log_odds), _codes(_case_context(seen))


def _case_context(seen: Float64s) -> Float64s:
    """Log-odds of upper case next to upper and lower case, less those of the word alone.

    `seen` are occurrences by side, case of the neighbour there (none, lower, upper) and own case,
    shape (2, 3, 2, n).
    """
    lower, upper = seen[0].sum(axis=0)
    own = (upper + 0.5) / (lower + upper + 1.0)
    rows = []
    for side in range(2):
        for neighbour in (2, 1):
            n_lower, n_upper = seen[side, neighbour]
            odds = (n_upper + _PULL * own) / (n_lower + _PULL * (1.0 - own))
            rows.append(np.log(odds) - np.log(own / (1.0 - own)))
    return np.array(rows)


def _codes(ln_odds: Float64s) -> UInt8s:
    codes = np.clip(np.rint(STEPS * ln_odds) + _ZERO, 0, 255).astype(np.uint8)
    return np.ascontiguousarray(codes.T)


def _own_odds(forms: Forms, is_upper: Bools) -> Float64s:
    """For each word id, the share of upper case in all other occurrences of its word.

    Occurrences at sentence starts do not count; half an occurrence of an unknown word is added.
    """
    _, group = np.unique(forms.key, return_inverse=True)
    inside = (forms.count - forms.initial_count).astype(np.float64)
    inside[:FIRST_WORD] = 0
    total = np.bincount(group, inside)[group]
    upper = np.bincount(group, inside * is_upper)[group]
    once = (inside == 1) & (total == 1) & (forms.tag != TAG_AN)
    prior = (is_upper[once].sum() + 0.5) / (once.sum() + 1.0)
    share: Float64s = (np.maximum(upper - is_upper, 0.0) + 0.5 * prior) / (
        np.maximum(total - 1.0, 0.0) + 0.5
    )
    return np.minimum(share, 1.0)


def _suffix_table(vocabulary: Vocabulary, forms: Forms, turkic: bool) -> UInt8s:
    inside = forms.count - forms.initial_count
    rare = (inside > 0) & (inside <= _RARE) & (forms.tag <= TAG_AU)
    rare &= (forms.word_class == 2) | (forms.word_class == 3)
    rare[:FIRST_WORD] = False
    ids = np.flatnonzero(rare)
    table = np.zeros(SUFFIX_TABLE_BYTES, np.uint8)
    if not len(ids):
        return table
    hashes = hash_suffixes(vocabulary.blob, vocabulary.offsets, ids, turkic)
    tag = forms.tag[ids].astype(np.int64)
    overall = np.bincount(tag, minlength=3) + 0.5
    probability = np.tile(overall / overall.sum(), (len(ids), 1))
    for length in range(hashes.shape[1]):
        long_enough = hashes[:, length] != 0
        suffix, first, group = np.unique(
            hashes[long_enough, length], return_index=True, return_inverse=True
        )
        counts = np.bincount(3 * group + tag[long_enough], minlength=3 * len(suffix))
        counts = counts.reshape(-1, 3)
        shorter = probability[long_enough][first]
        total = counts.sum(axis=1)
        found = (counts + _SHORTER * shorter) / (total + _SHORTER)[:, None]
        probability[long_enough] = found[group]
        enough = total >= _FEWEST
        places, checks = slots_and_checks(np.ascontiguousarray(suffix[enough]))
        codes = np.clip(np.rint(-STEPS * np.log(found[enough])), 0, 255).astype(np.uint8)
        # Longer suffixes give way to shorter ones, rare ones to frequent ones.
        order = np.argsort(-total[enough], kind="stable")
        for place, check, code in zip(
            places[order].tolist(), checks[order].tolist(), codes[order], strict=True
        ):
            if table[place] == 0:
                table[place] = check
                table[place + 1 : place + 4] = code
    return table
