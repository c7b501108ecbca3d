"""House style for offices, in plain Python: the rule of `rules/_offices.pyx`.

A sentence's words are lowercase, each with whether white space stands before it, and on the best
path each is upper case or not.
"""

from reference import rules

lists = rules.lists("offices")
PERSONS, OFTEN_NAMES, BODIES, ONLY_LOWER = map(
    rules.offices, ("person", "often_name", "body", "only_lower")
)

OFFICES = PERSONS | OFTEN_NAMES | BODIES
PLURAL = {phrase for phrase, singular in OFFICES.items() if phrase != singular}


def office_at(words, first):
    """The longest office that begins at a word: how many words, and in the singular."""
    found = (0, None)
    for n in range(1, 4):
        if first + n > len(words) or (n > 1 and not words[first + n - 1][1]):
            break
        phrase = " ".join(word for word, _ in words[first : first + n])
        if phrase in OFFICES:
            found = (n, OFFICES[phrase])
    return found


class Sentence:
    """One sentence and its best path."""

    def __init__(self, words, is_upper, initial):
        self.words = [word for word, _ in words]
        self.pairs, self.is_upper, self.initial = words, is_upper, initial

    def word(self, i):
        return self.words[i] if 0 <= i < len(self.words) else ""

    def is_name(self, i):
        return 0 <= i < len(self.words) and self.is_upper[i] and self.words[i] not in lists.no_name

    def names_of(self, i):
        return self.is_name(i) or (self.word(i) == "the" and self.is_name(i + 1))

    def style(self, asked, first, end, office):
        before = self.word(first - 1)
        if before == "." and first > 1:
            before = self.word(first - 2)
            before = before if before in lists.address else ""
        after = self.word(end)
        phrase = " ".join(self.words[end - len(office.split()) : end])
        if self.is_name(end) or before in lists.address:
            return None
        if after == "'s" and self.is_name(end + 1):
            return None
        is_of = before == "the" and first > 3 and self.word(first - 2) == "of"
        if is_of and self.is_upper[first - 3]:
            return None
        of_name = after == "of" and self.names_of(end + 1)
        joined = after in lists.join and self.names_of(end + 1)
        is_body = office in BODIES
        is_named = before not in lists.determiner or of_name or (is_body and joined)
        if (is_body or office in OFTEN_NAMES) and is_named:
            return None
        if asked == "lower":
            return "lower"
        if before != "the" or phrase in PLURAL or office in ONLY_LOWER:
            return None
        if self.words[first] in lists.ordinal or (after == "of" and not of_name):
            return None
        return "capital"

    def styles(self, asked):
        """What becomes of each word; None: nothing."""
        found, i = [None] * len(self.words), 0
        while i < len(self.words):
            n, office = office_at(self.pairs, i)
            if not n:
                i += 1
                continue
            first = i
            if office not in BODIES | OFTEN_NAMES:
                while self.word(first - 1) in lists.rank | lists.ordinal:
                    first -= 1
            style = self.style(asked, first, i + n, office)
            for k in range(first, i + n):
                if style and k != self.initial and self.words[k] != "of":
                    found[k] = style
            i += n
        return found
