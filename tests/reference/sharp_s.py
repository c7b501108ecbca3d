"""The German ß of words in capitals, in plain Python: the rule of `lexicon/_sharp_s.pyx`."""

import itertools


def is_plain(sharp):
    """Whether no two places share an S."""
    return all(b - a > 1 for a, b in itertools.pairwise(sharp))


def with_sharp(word, sharp):
    return "".join(
        "ß" if i in sharp else "" if i - 1 in sharp else letter for i, letter in enumerate(word)
    ).lower()


def likeliest(count, word, places):
    """Which of the places have ß in the likeliest form of a word, and how often it was seen."""
    best, most = (), count(with_sharp(word, ()))
    # In the order of the bits of the kernel, from the last to the first.
    subsets = [
        tuple(p for k, p in enumerate(places) if bits >> k & 1)
        for bits in range((1 << len(places)) - 1, 0, -1)
    ]
    for sharp in subsets:
        if is_plain(sharp) and (seen := count(with_sharp(word, sharp))) > most:
            best, most = sharp, seen
    return set(best), most


def restored(count, word):
    """A word in capitals, with ẞ where it has ß; `count` tells how often a word was seen."""
    places = [i for i in range(1, len(word) - 1) if word[i : i + 2] == "SS"]
    if not 1 <= len(places) <= 4 or not 3 <= len(word.encode()) <= 64:
        return word
    sharp, seen = likeliest(count, word, places)
    if not seen:
        sharp = {p for p in places if is_sharp_in_part(count, word, places, p)}
        if not is_plain(sorted(sharp)):
            sharp = set()
    return "".join(
        "ẞ" if i in sharp else "" if i - 1 in sharp else letter for i, letter in enumerate(word)
    )


def is_sharp_in_part(count, word, places, place):
    """By the longest beginning or end of a compound that is known."""
    for n in range(len(word) - 1, 4, -1):
        for begin, end in ((0, n), (len(word) - n, len(word))):
            if begin <= place and place + 2 <= end:
                within = [p - begin for p in places if begin <= p and p + 2 <= end]
                sharp, seen = likeliest(count, word[begin:end], within)
                if seen:
                    return place - begin in sharp
    return False
