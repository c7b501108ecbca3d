"""Marks between words in plain Python: words of a text, and what the units say of each gap."""

import math
import struct
from functools import cache

from reference.whole_numbers import (
    GROUP,
    frequent_row,
    group_states,
    pair_key,
    products,
    rows_of,
    shifted,
    short,
    whole_sums,
    wrapped,
)

SIZES = (32, 8, 12)  # of a word, its ending, and the pair that ends with it
N_INPUTS = sum(SIZES) + 8
N_KEPT = SIZES[0] + SIZES[1]  # inputs whose sums are rounded first


def given_numbers(label):
    """The mark behind a word among its inputs."""
    return [32 * (label == k > 0) for k in range(8)]


def inputs_of(arrays, words):
    """What the units read of the words of a text."""
    tables = {name: arrays[name].tolist() for name in ("words", "endings", "pairs")}
    before = 0
    rows = []
    for key, ending, label in words:
        row = frequent_row(tables["words"], SIZES[0], pair_key(0, key))
        row += [value - 128 for value in tables["endings"][8 * ending : 8 * ending + 8]]
        row += frequent_row(tables["pairs"], SIZES[2], pair_key(before, key))
        rows.append(row + given_numbers(label))
        before = key
    return rows


def split(inputs):
    """The inputs of a word whose sums are kept, and the rest."""
    return inputs[:N_KEPT], inputs[N_KEPT:]


def probabilities(marks, words):
    """Of each label behind each word.

    `words`: (key of the word, row of its ending, mark that is given or 0) of one text.
    """
    return [softmax(scores) for scores in gap_scores(marks, words)[1:]]


def first_opening(marks, words):
    """Number of the mark in front of the first word: the best behind the end of a sentence."""
    n = 1 + len(marks.marks)
    end = min(marks.marks.index(mark) for mark in marks.settings["ends"]) + 1
    scores = gap_scores(marks, words)[0][end::n]
    return scores.index(max(scores))


def softmax(scores):
    best = max(scores)
    shares = [math.exp(score - best) for score in scores]
    return [share / sum(shares) for share in shares]


def gap_scores(marks, words):
    """Of each label, in front of the first word and behind each.

    Before a text, nothing is known but that a sentence has ended.
    """
    arrays, n = marks.arrays, marks.settings["n_units"]
    inputs = inputs_of(arrays, words)
    states = {}
    for name in ("forward", "backward"):
        kept, rest = (
            rows_of(arrays[f"{name}.inputs"], N_INPUTS, 5, first, size)
            for first, size in ((0, N_KEPT), (N_KEPT, N_INPUTS - N_KEPT))
        )
        bias = whole_sums(arrays[f"{name}.bias"])
        read = inputs if name == "forward" else inputs[::-1]
        of_words = [
            shifted(a + b for a, b in zip(bias, products(kept, one[:N_KEPT]), strict=True))
            for one in read
        ]
        more = [shifted(products(rest, one[N_KEPT:])) for one in read]
        of_state = rows_of(arrays[f"{name}.state"], GROUP, 7)
        states[name] = group_states(of_state, of_words, more)
    states["backward"].reverse()
    width, n_rest = 2 * n + 2 * N_INPUTS, N_INPUTS - N_KEPT
    places = (
        (0, n, 7),
        (n, n, 7),
        (2 * n, N_KEPT, 5),
        (2 * n + N_KEPT, n_rest, 5),
        (2 * n + N_INPUTS, N_KEPT, 5),
        (2 * n + N_INPUTS + N_KEPT, n_rest, 5),
    )
    parts = [rows_of(arrays["joined"], width, bits, start, size) for start, size, bits in places]
    bias = whole_sums(arrays["joined.bias"])
    out = arrays["out"].reshape(len(marks.pairs), -1).tolist()
    ends = [marks.marks.index(mark) + 1 for mark in marks.settings["ends"]]
    nothing = [0] * max(n, N_INPUTS)
    before = nothing[: N_INPUTS - 8] + given_numbers(min(ends, default=0))
    found = []
    for i in range(-1, len(words)):
        is_first, is_last = i < 0, i + 1 == len(words)
        read = (
            nothing[:n] if is_first else states["forward"][i],
            nothing[:n] if is_last else states["backward"][i + 1],
            *split(before if is_first else inputs[i]),
            *split(nothing[:N_INPUTS] if is_last else inputs[i + 1]),
        )
        sums = [bias, *map(products, parts, read)]
        for k in (3, 5):
            sums[k] = [short(wrapped(total) >> 12) << 12 for total in sums[k]]
        units = [max(wrapped(sum(row)), 0) / 2**22 for row in zip(*sums, strict=True)]
        found.append(
            [
                start + sum(w * u for w, u in zip(row, units, strict=True))
                for start, row in zip(arrays["out.bias"].tolist(), out, strict=True)
            ]
        )
    return found


def as_float(value):
    return struct.unpack("f", struct.pack("f", value))[0]


def gains_beside(words, kinds, rules):
    """What commas, full stops and question marks gain behind each word by the words beside them."""
    # The share of speech so far, less what counts as speech; amounts are kept in 32 bits.
    share, is_speech = -as_float(rules["speech_start"]), []
    for names in kinds:
        share += (("speech" in names) - as_float(rules["speech_share"]) - share) / 256
        is_speech.append(share >= 0)
    gains = [[0.0, 0.0, 0.0] for _ in words]
    for name in ("gains", "gains_in_speech"):
        for line in rules[name].splitlines():
            place, mark, amount, *those = line.split()
            for i, word in enumerate(words):
                gap = i - (place == "before")
                if gap >= 0 and word in those and (name == "gains" or is_speech[i]):
                    gains[gap][",.?".index(mark)] += float(amount)
    return gains


def best_labels(marks, scores, words, kinds, rules):
    """The labels of a text without signs or marks in front of words: the best of all.

    `scores` are those of `gap_scores` behind each word, `kinds` the names of lists each is in.
    """
    ends = marks.settings["ends"]
    classes = [0, *((1 + (mark == "?")) * (mark in ends) for mark in marks.marks)]
    n = len(kinds)

    def kind(i, name):
        return 0 <= i < n and name in kinds[i]

    def is_echo(start):
        return kind(start, "echoes") and kind(start + 1, "auxiliary")

    def asks_at(start):
        is_order = kind(start, "starts") and kind(start + 1, "open")
        return kind(start, "auxiliary") and kind(start + 1, "subjects") and not is_order

    def differ(start):
        is_year = kind(start + 1, "years") and not kind(start - 1, "numbers")
        are_numbers = kind(start, "numbers") and kind(start + 1, "numbers")
        return are_numbers and words[start] != words[start + 1] and not is_year

    def is_tail(start):
        if start == n - 1:
            return asks_at(start - 1)
        if kind(start, "auxiliary") or kind(start, "questions"):
            return start == n - 2 and asks_at(start)
        is_short = start == n - 2 or (n - 4 <= start < n - 2 and not kind(start, "subjects"))
        return is_short and not kind(start, "starts")

    def is_tag(start):
        if start < 2 or not (is_tail(start) and kind(start, "auxiliary")):
            return False
        before = ("questions", "echoes", "joins")
        if not kind(start + 1, "tags") or any(kind(start - 1, name) for name in before):
            return False
        return any(kind(i, "denies") for i in (*range(start - 1), start))

    gains = gains_beside(words, kinds, rules)
    rows = []
    for i, row in enumerate(scores):
        nats = gains[i]
        if kind(i + 1, "joins"):
            nats[0] += rules["echo"] * is_echo(i + 2)
        if kind(i, "joins") and is_echo(i + 1):
            nats[0] -= rules["asks"]
        if kind(i, "open"):
            nats[1] -= 100
        if is_echo(i - 2) or any(is_echo(i - k) and kind(i - k - 1, "joins") for k in (3, 4)):
            nats[2] -= rules["asks"]
        if is_tail(i + 1):
            nats[1] -= rules["tail"]
            nats[2] -= rules["tail"]
        nats[0] += rules["tag"] * is_tag(i + 1)
        nats[2] += rules["tag"] * is_tag(i - 1)
        pairs = (i - 1, i, i + 1)
        if kind(i, "numbers") and kind(i + 1, "numbers") and any(map(differ, pairs)):
            nats[0] -= rules["digits"]
            nats[1] -= rules["digits"]
        of_marks = zip(row[1:], classes[1:], strict=True)
        rows.append([row[0], *(score + nats[one] for score, one in of_marks)])

    start = int(kind(0, "joins"))
    clause = kind(start, "clauses")
    asks = asks_at(start) and not clause
    if kind(start, "questions") and kind(start + 1, "auxiliary"):
        asks = asks or not kind(start + 2, "questions")
    if kind(start, "asking") and not kind(start + 1, "subjects"):
        asks = asks or not kind(start + 1, "auxiliary")
    loss = [0.0, 0.0, 0.0]
    if asks:
        whole = rules["question"] * ("?" in marks.marks)
        loss = [rules["inside"] * whole, whole, rules["inside"] * whole]
    elif clause or (kind(start, "subjects") and kind(start + 1, "says")):
        loss = [0.0, rules["clause"], rules["clause"]]
    is_place = not asks and clause and kind(start, "asking")
    for i, row in enumerate(rows):
        if is_place and kind(i + 1, "tags") and not kind(i, "asking"):
            row[1:] = [x + rules["place"] * (not classes[k]) for k, x in enumerate(row[1:], 1)]
        for label, one in enumerate(classes):
            if label and (i < n - 1 or (asks and one == 1)):
                row[label] -= loss[one]
        highest = row.index(max(row))
        if highest:
            is_place = False
            loss = [x / 2 if asks and not classes[highest] else 0.0 for x in loss]

    @cache
    def best(i, before):
        if i == n:
            return 0.0, ()
        found = []
        for label, score in enumerate(rows[i]):
            one = classes[label]
            is_open = kind(i, "open") and not label
            if i == n - 1 and any(classes) and not one and not is_open:
                continue
            # `before` is the class of the mark before the word.
            loss = rules["one_word"] if one == 1 and before else 0.0
            loss += rules["again"] if one == before == 2 else 0.0
            rest, labels = best(i + 1, one)
            found.append((score - loss + rest, (label, *labels)))
        return max(found)

    return list(best(0, 1)[1])
