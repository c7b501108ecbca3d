"""Words that a colon introduces, in plain Python: the rule of `rules/_capitals.pxd`."""

from reference.segment import CANONICAL, ENDS_SENTENCE
from reference.starts import Sentence


def introduces(sentence: Sentence, i: int, held: list[bool]) -> bool:
    """Whether piece `i` is a colon that introduces something: it has two words before it."""
    if sentence.words[i] != ":" or held[i]:
        return False
    if i + 1 >= len(sentence.words) or sentence.is_attached(i + 1):
        return False
    return sum(piece.tag != "AN" for piece in sentence.pieces[sentence.first : i]) > 1


def is_introduced(sentence: Sentence, i: int, held: list[bool]) -> bool:
    """Whether word `i` is what stands first behind such a colon, but for up to three marks."""
    k = i - 1
    while k > sentence.first and k > i - 4 and sentence.words[k] != ":":
        mark = sentence.words[k]
        if sentence.pieces[k].tag != "AN" or sentence.has(k, ENDS_SENTENCE):
            return False
        if not (mark[0] >= "\u0080" or mark[0] in "\"'`([" or sentence.has(k, CANONICAL)):
            return False
        k -= 1
    if k <= sentence.first or not introduces(sentence, k, held):
        return False
    return sentence.begins_with_case(i) and not sentence.is_code(i)
