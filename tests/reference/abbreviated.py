"""Short forms of English, in plain Python: the rule of `rules/_forms.pyx`."""

import re

from reference import rules

lists = rules.lists("forms")

QUOTES = {'"', "“", "”"}


def abbreviated(tokens, i):
    """The tag that is favoured for a token; None: none is.

    Tokens are lowercase words with whether white space stands before each.
    """
    word = tokens[i][0]
    if word.upper() == word:
        return None
    after = tokens[i + 1][0] if i + 1 < len(tokens) and not tokens[i + 1][1] else ""
    is_glued = i >= 2 and not (tokens[i - 1][1] or tokens[i][1])
    if is_glued and tokens[i - 1][0] == "+" and tokens[i - 2][0] in lists.key:
        return "IU" if len(word.encode()) == 1 or word in lists.key else None
    if after == "+":
        return "IU" if word in lists.key else None
    if after == ":":
        is_first = i == 0 or tokens[i - 1][0] == ":"
        return "IU" if is_first and word in lists.head else None
    is_first = i == 0 or (i == 1 and tokens[0][0].startswith("("))
    is_last = i + 2 == len(tokens) or (i + 2 < len(tokens) and tokens[i + 2][1])
    if after == ")" and is_first and is_last and re.fullmatch("[a-z]", word):
        return "AL"
    if 0 < i < 4 and tokens[0][0] in lists.salutation and word in lists.saluted:
        return "IU"
    if word in lists.lettered or is_short_date(tokens, i):
        return "IU"
    if word in lists.upper_first and is_first_word(tokens, i):
        return "AU"
    if re.fullmatch("[a-z]", word):
        for slash in (i + 1, i - 1):
            if 1 <= slash < len(tokens) - 1 and tokens[slash][0] == "/":
                glued = [not space for _, space in tokens[slash : slash + 2]]
                if all(glued):
                    return slashed(tokens, slash)
                if slash == i + 1 and glued[0]:
                    return None
        return None
    if word != "v." or i == 0 or i + 1 == len(tokens):
        return None
    if any(w.upper() == w.lower() for w in (tokens[i - 1][0], tokens[i + 1][0])):
        return None
    if i == 2 and tokens[0][0] in lists.cites:
        return "AL"
    near = [w for w, _ in tokens[max(i - 25, 0) : i + 25]]
    if tokens[i + 1][0] in lists.party or not lists.court.isdisjoint(near):
        return "AL"
    return None


def is_first_word(tokens, i):
    """Whether a word stands first, or behind a mark that ends a sentence or closes something."""
    return i == 0 or tokens[i - 1][0] in {".", "?", "!", "…", "...", ")", '"', "'", "]", "»", "”"}


def is_number(word):
    return word[0].isdigit() or word[-1].isdigit()


def goes_on(tokens, end):
    """Whether the sentence goes on at token `end`, behind the period of a date: ``on sat. at``."""
    if not 3 <= end < len(tokens) or tokens[end - 1] != (".", False):
        return False
    before, date, after = tokens[end - 3][0], tokens[end - 2][0], tokens[end][0]
    is_between = after in lists.between_dates and end + 1 < len(tokens)
    if date in lists.date and is_between and tokens[end + 1][0] in lists.date:
        return True
    return (
        date in lists.date
        and (before in lists.before_date or before == "," or is_number(before))
        and (after in lists.after_date or is_number(after))
    )


def is_short_date(tokens, i):
    """A day or a month before a period."""
    if i == 0 or i + 1 >= len(tokens) or tokens[i + 1] != (".", False):
        return False
    word, before = tokens[i][0], tokens[i - 1][0]
    if word not in lists.date:
        return False
    return goes_on(tokens, i + 2) or (before in lists.on_date and word not in lists.date_or_word)


def head_end(tokens, first):
    """End of what a unit begins with, ``re:`` or ``p.s.``; `first` if it has no such head."""
    if first + 1 >= len(tokens):
        return first
    word, (mark, is_apart) = tokens[first][0], tokens[first + 1]
    if is_apart:
        return first + (word in lists.note)
    if mark != ":" or first + 2 >= len(tokens) or not tokens[first + 2][1]:
        return first
    heads = lists.note | lists.note_head
    if first == 0 or tokens[first - 1][0] == ":":
        heads |= lists.unit_head
    return first + 2 if word in heads else first


def units(tokens, begins):
    """Spans of sentences; `begins` tells of two places whether the one at the first ends before."""
    found, first = [], 0
    while first < len(tokens):
        end = head_end(tokens, first)
        if end == first:
            end = next_end(tokens, begins, first)
            while goes_on(tokens, end):
                end = next_end(tokens, begins, end)
        found.append((first, end))
        first = end
    return found


def next_end(tokens, begins, first):
    places = range(first + 1, len(tokens))
    return next((i for i in places if begins(first, i)), len(tokens))


def begins_speech(words, first, i):
    """Whether word i of a sentence, behind a quotation mark, begins what someone says."""
    if i < first + 3 or words[i - 1] not in QUOTES or words[i - 2] != ",":
        return False
    if is_number(words[i]) or not re.search("[a-z]", words[i]):
        return False
    if not (
        words[i - 3] in lists.speech_verb or (i > first + 3 and words[i - 4] in lists.speech_verb)
    ):
        return False
    return "," not in words[first : i - 2] and not QUOTES.intersection(words[: i - 2])


def slashed(tokens, slash):
    before, after = slash - 2, slash + 2
    if before >= 0 and tokens[before][0].endswith("/") and not tokens[slash - 1][1]:
        return None
    if after < len(tokens) and tokens[after][0].startswith("/") and not tokens[after][1]:
        return None
    pair_of = f"{tokens[slash - 1][0]}/{tokens[slash + 1][0]}"
    for form in lists.slashed:
        if form.lower() == pair_of:
            return "IU" if form.isupper() else "AL"
    return None
