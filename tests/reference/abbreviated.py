"""Short forms of English, in plain Python: the rule of `rules/_forms.pyx`."""

import re
from itertools import pairwise

from reference import composed, rules
from reference.segment import hash_bytes, word_class

lists = rules.lists("forms")
sentence_lists = rules.lists("sentences")
offices = rules.lists("offices")
speech = rules.lists("speech")

QUOTES = {'"', "“", "”", "„", "«", "»"}
CLOSING = {")", "]", "}", '"', "'", "”", "’", "»", "''"}


def abbreviated(lexicon, tokens, i):
    """The tag that is favoured for a token, and by what; None, 0: none is.

    Tokens are lowercase words with whether white space stands before each.
    """
    tag, bonus = short_case(lexicon, tokens, i)
    # An acronym stays one.
    if tag is None and may_begin_name(tokens, i) and is_of_name(lexicon, tokens, i):
        forms = lexicon.forms(hash_bytes(tokens[i][0].encode()))
        if not forms or forms[0].tag in ("AL", "IU"):
            is_sure = forms and begins_party(tokens, i)
            is_acronym = word_class(tokens[i][0]) == "acronym" and not is_letter(tokens[i][0])
            return "AU" if is_acronym else "IU", lists.bonus if is_sure else lists.likely_bonus
    return tag, bonus


def begins_party(tokens, i):
    last_words = {phrase.rpartition("_")[2] for phrase in lists.latin}
    before = i - 1 - (i > 1 and tokens[i - 1][0] in offices.determiner)
    is_cited = i > 1 and is_letter(tokens[i][0]) and tokens[i - 2][0] in offices.cited
    return (
        tokens[i][0] in lists.firm | lists.plaintiff
        or is_cited
        or (before >= 0 and tokens[before][0] in lists.versus | last_words | offices.of)
    )


def begins_with_plaintiff(tokens):
    """``Board of Education of Elm v. Miller``: a caption whose first word is that of a party."""
    first = tokens[0][0] in offices.determiner
    return (
        tokens[first : first + 1] != []
        and tokens[first][0] in lists.plaintiff
        and (is_caption(tokens))
    )


def first_party_end(lexicon, tokens):
    """End of the words before the ``v.`` of a caption, up to a comma, which belong to a name."""
    firm = firm_end(tokens, 0) if is_caption(tokens) else 0
    if not begins_with_plaintiff(tokens) and not firm:
        return 0
    places = [i for i in range(1, len(tokens) - 1) if tokens[i][0] in {"v", "v."}]
    if not places or firm > places[0] or versus(lexicon, tokens, places[0]) != sure("AL"):
        return 0
    commas = [i for i in range(1, places[0]) if tokens[i][0] == ","]
    return (commas or places)[0]


def address_end(tokens):
    """End of a street and what follows it behind the number of a house; 0 without one."""
    if word_class(tokens[0][0]) != "quantity" or not is_caption(tokens):
        return 0
    in_address = lists.street | lists.compass | lists.before_number
    end = 0
    for i in range(1, len(tokens)):
        word = tokens[i][0]
        if end == 0 and (i > 5 or not is_cased(word)):
            return 0
        after = i + 1 + (tokens[i + 1 : i + 2] == [(".", False)])
        follows = after == len(tokens) or not is_cased(tokens[after][0])
        follows = follows or tokens[after][0] in in_address
        if (i > 1 and word in lists.street and follows) or (
            end > 0 and (word in in_address or is_letter(word))
        ):
            end = i + 1
        elif end > 0 and is_cased(word):
            break
    return end


def may_begin_name(tokens, i):
    """Whether a word of a name has a capital."""
    word = tokens[i][0]
    if not (word[0].isascii() and word[0].isalpha()) and word.encode()[0] < 0xC3:
        return False
    if not is_cased(word):
        return False
    if word in offices.determiner:
        return i > 0 and not tokens[i - 1][1]
    return not joins(word)


def is_mostly_lower(lexicon, word):
    forms = lexicon.forms(hash_bytes(word.encode()))
    return word.upper() != word and (not forms or forms[0].tag == "AL")


def short_case(lexicon, tokens, i):
    word = tokens[i][0]
    if word.upper() == word:
        return None, 0.0
    after = tokens[i + 1][0] if i + 1 < len(tokens) and not tokens[i + 1][1] else ""
    is_glued = i >= 2 and not (tokens[i - 1][1] or tokens[i][1])
    if is_glued and tokens[i - 1][0] == "+" and tokens[i - 2][0] in lists.key:
        return sure("IU" if len(word.encode()) == 1 or word in lists.key else None)
    if after == "+":
        return sure("IU" if word in lists.key else None)
    if after == ":" and not is_latin(tokens, i):
        is_first = i == 0 or tokens[i - 1][0] == ":"
        return sure("IU" if is_first and word in lists.head else None)
    if word in lists.versus:
        return versus(lexicon, tokens, i)
    is_at_end = i > 0 and len(word) == 1 and tokens[i + 1 :] == [(".", False)]
    if (is_last_letter(tokens, i) and is_cased(tokens[i - 1][0])) or (
        is_at_end and tokens[i - 1][0] in sentence_lists.before_letter
    ):
        return "IU", lists.likely_bonus
    is_first = i == 0 or (i == 1 and tokens[0][0].startswith("("))
    is_last = i + 2 == len(tokens) or (i + 2 < len(tokens) and tokens[i + 2][1])
    if (
        after == ")"
        and is_first
        and is_last
        and (re.fullmatch("[a-z]", word) or word in lists.label)
    ):
        return sure("AL")
    if len(word) > 1 and i < address_end(tokens):
        if word in lists.compass:
            return sure("AU")
        if word in lists.street | lists.before_number:
            return sure("IU")
    after = i + 1 + (tokens[i + 1 : i + 2] == [(".", False)])
    if (
        word in lists.before_number
        and i > 0
        and tokens[i - 1][0] == ","
        and after < len(tokens)
        and composed.form_of_address(tokens, after)
    ):
        return sure("IU")
    if is_short_date(tokens, i):
        return sure("IU")
    if is_latin(tokens, i):
        return sure("AL")
    follows = {word for word, _ in tokens[i + 1 : i + 2]}
    is_i = word in speech.i_will and speech.after_i_will & follows
    if word in lists.upper_first and is_first_word(tokens, i) and not is_i:
        return sure("AU")
    if not re.fullmatch("[a-z]", word):
        return None, 0.0
    if alias_at(tokens, i) is not None:
        return sure("AL")
    for slash in (i + 1, i - 1):
        if 1 <= slash < len(tokens) - 1 and tokens[slash][0] == "/":
            glued = [not space for _, space in tokens[slash : slash + 2]]
            if all(glued):
                return sure(slashed(tokens, slash))
            if slash == i + 1 and glued[0]:
                return None, 0.0
    return None, 0.0


def sure(tag):
    return tag, lists.bonus if tag else 0.0


def is_cased(word):
    return word.upper() != word


def is_letter(word):
    """An initial, with or without its period."""
    return len(word) == 1 or (len(word) == 2 and word.endswith("."))


def is_name(lexicon, tokens, i):
    if not 0 <= i < len(tokens) or not is_cased(tokens[i][0]):
        return False
    return not is_mostly_lower(lexicon, tokens[i][0]) or not lexicon.forms(
        hash_bytes(tokens[i][0].encode())
    )


def word_before(tokens, i):
    """Place of the word before a token, a period apart, or a comma near a word of a court."""
    is_period = i >= 2 and tokens[i - 1] == (".", False)
    is_comma = i >= 2 and tokens[i - 1] == (",", False) and is_in_court(tokens, i)
    is_score = i >= 2 and tokens[i][0] == "v" and word_class(tokens[i - 1][0]) == "quantity"
    return i - 2 if is_period or is_comma or is_score else i - 1


def is_in_court(tokens, i):
    first = max(i - 25, 0)
    words = [word for word, _ in tokens[first : i + 26]]
    return not lists.court.isdisjoint([*words[: i + 25 - first], *map("_".join, pairwise(words))])


def versus(lexicon, tokens, i):
    """``v.`` between parties, or as an initial; ``v`` between names."""
    is_letter_alone = tokens[i][0] == "v"
    second = i + 1 + (tokens[i][0] != "v." and tokens[i + 1 : i + 2] == [(".", False)])
    if names_body(tokens, second):
        return sure("AL")
    if tokens[i][0] == "vs":
        return None, 0.0
    before = word_before(tokens, i)
    if before < 0 or i + 1 >= len(tokens):
        return None, 0.0
    if not is_cased(tokens[before][0]) or not is_cased(tokens[i + 1][0]):
        return None, 0.0
    if is_letter_alone and not (tokens[i][1] and tokens[i + 1][1]):
        return None, 0.0
    if between_parties(lexicon, tokens, i):
        return sure("AL")
    if not is_letter_alone:
        n, ends = len(tokens), re.fullmatch(r"[?!…]|\.+", tokens[-1][0])
        return ("IU", lists.likely_bonus) if n > 8 and (ends or n > 16) else (None, 0.0)
    names = is_name(lexicon, tokens, before) and is_name(lexicon, tokens, i + 1)
    if names and not is_letter(tokens[before][0]) and not is_letter(tokens[i + 1][0]):
        return "AL", lists.likely_bonus
    return None, 0.0


def is_initial_in_caption(tokens, v):
    """Whether a name follows a ``v.`` between words of a short line, of parties or an initial."""
    before = word_before(tokens, v)
    return (
        tokens[v][0] == "v." and before >= 0 and is_cased(tokens[before][0]) and is_caption(tokens)
    )


def names_body(tokens, i):
    """The City of, Dept. of."""
    words = [word for word, _ in tokens[i : i + 2]]
    return (
        len(words) == 2 and words[0] in lists.party and tokens[of_body(tokens, i)][0] in offices.of
    )


def of_body(tokens, i):
    """Place of what may be the ``of`` behind the first word of a body."""
    return min(i + 1 + (tokens[i + 1] == (".", False)), len(tokens) - 1)


def is_latin(tokens, i):
    before = i - 2 if i > 1 and tokens[i - 1][0].startswith("(") else i - 1
    return i > 0 and f"{tokens[before][0]}_{tokens[i][0]}" in lists.latin


def is_caption(tokens):
    """A short line that no sentence ends with: the name of a case."""
    if len(tokens) > 24:
        return False
    if tokens[-1][0][-1] not in ".?!…。！？" or word_class(tokens[-1][0]) == "acronym":
        return True
    before = tokens[-2][0] if len(tokens) > 1 else ""
    return before in lists.firm - lists.plaintiff or len(before) == 1


def firm_end(tokens, first):
    """End of the name of a firm from a token on; 0: it is none."""
    is_title = is_caption(tokens)
    for k in range(first, len(tokens) if is_title else min(len(tokens), first + 4)):
        word = tokens[k][0]
        if not is_cased(word) and not (is_title and word[0] in ",&."):
            return 0
        if k > first and word in lists.firm:
            return k + 1
    return 0


def between_parties(lexicon, tokens, i):
    before = word_before(tokens, i)
    left, right = tokens[before][0], tokens[i + 1][0]
    follows = {word for word, _ in tokens[i + 2 : i + 3]}
    if right in offices.determiner and (is_caption(tokens) or lists.party & follows):
        return True
    if right in lists.party or left in lists.plaintiff | lists.firm:
        return True
    if begins_with_plaintiff(tokens):
        return True
    if tokens[i][0] != "v" and is_in_court(tokens, i):
        return True
    if is_letter(left):
        return False
    if firm_end(tokens, i + 1):
        return True
    if before == 0 and word_class(left) == "acronym" and is_caption(tokens):
        return True
    places = (before - 1, before, i + 1, i + 2)
    return all(is_name(lexicon, tokens, k) for k in places) and not (
        is_letter(tokens[before - 1][0]) or is_letter(right)
    )


def alias_at(tokens, i):
    """Where ``d/b/a`` begins, of which token i is a letter; None if it is none."""
    for first in (i, i - 2, i - 4):
        if first < 0 or first + 5 > len(tokens):
            continue
        glued = not any(space for _, space in tokens[first + 1 : first + 5])
        if glued and "".join(word for word, _ in tokens[first : first + 5]) in lists.alias:
            return first
    return None


def is_of_name(lexicon, tokens, i):
    """Whether a token follows ``v.`` between parties, or belongs to the name behind ``d/b/a``."""
    if i > 1 and is_latin(tokens, 1) and is_caption(tokens):
        return True
    if i < (first_party_end(lexicon, tokens) or address_end(tokens)):
        return True
    before = i - 2 if i > 1 and tokens[i - 1] == (".", False) else i - 1
    if i > 0 and tokens[i][1] and tokens[before][0] in lists.title:
        return True
    for v in range(i - 1, -1, -1):
        if i == v + 1 and is_initial_in_caption(tokens, v):
            return True
        if tokens[v][0] in lists.versus and versus(lexicon, tokens, v) == sure("AL"):
            body = v + 1 + (tokens[v][0] != "v." and tokens[v + 1] == (".", False))
            if names_body(tokens, body):
                of = of_body(tokens, body)
                article = {word for word, _ in tokens[of + 1 : of + 2]} & offices.determiner
                if i < of + 2 + len(article):
                    return True
                continue
            end = v + 2 + (tokens[v + 1][0] in offices.determiner)
            while end < len(tokens) and is_letter(tokens[end][0]):
                end += 1
            if i < max(end, firm_end(tokens, v + 1)):
                return True
    for last in range(i - 1, max(i - 6, -1), -1):
        first = last - 4
        if alias_at(tokens, last) != first or not follows_name(lexicon, tokens, first):
            continue
        end = last + 1
        while end < min(len(tokens), last + 6) and not ends_name(tokens[end][0]):
            end += 1
        return i < (end if end == len(tokens) or ends_name(tokens[end][0]) else last + 2)
    return False


def ends_name(word):
    return not is_cased(word) or word in lists.versus


def follows_name(lexicon, tokens, i):
    i -= 1
    while i > 0 and not is_cased(tokens[i][0]):
        i -= 1
    return any(is_name(lexicon, tokens, k) for k in (i, i - 1)) or (
        i >= 0 and tokens[i][0] in lists.firm | lists.plaintiff
    )


def is_last_letter(tokens, i):
    """``plan b. the``: the letter's period ends its sentence."""
    return (
        0 < i < len(tokens) - 2
        and re.fullmatch(r"[^\W\d_]\.", tokens[i][0]) is not None
        and tokens[i][0] not in lists.versus
        and is_cased(tokens[i + 1][0])
        and (
            (tokens[i - 1][0] in sentence_lists.before_letter and not joins(tokens[i + 1][0]))
            or (
                is_cased(tokens[i + 2][0])
                and tokens[i + 1][0] in {*sentence_lists.after_letter, tokens[i - 1][0]}
            )
        )
    )


def joins(word):
    return word in offices.of | offices.join | lists.between_dates


def is_first_word(tokens, i):
    """Whether a word stands first, or behind a mark that ends a sentence or closes something."""
    return i == 0 or tokens[i - 1][0] in {".", "?", "!", "…", "...", ")", '"', "'", "]", "»", "”"}


def is_number(word):
    return word[0].isdigit() or word[-1].isdigit()


def goes_on(tokens, end):
    """Whether the sentence goes on at token `end`, behind the period of a date: ``on sat. at``."""
    if not 2 <= end < len(tokens) or tokens[end - 1] != (".", False):
        return False
    if tokens[end][0] in lists.versus and len(tokens[end][0]) == 2:
        is_party = is_caption(tokens) or tokens[end - 2][0] in lists.firm
        return is_party and end + 1 < len(tokens) and is_cased(tokens[end + 1][0])
    if end < 3:
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
    label = (label_of_speaker(tokens) or label_in_brackets(tokens)) if first == 0 else 0
    if label:
        return label
    word, (mark, is_apart) = tokens[first][0], tokens[first + 1]
    if is_apart:
        return first + (word in lists.note)
    if mark != ":" or first + 2 >= len(tokens) or not tokens[first + 2][1]:
        return first
    heads = lists.note | lists.note_head
    if first == 0 or tokens[first - 1][0] == ":":
        heads |= lists.unit_head
    return first + 2 if word in heads else first


def label_of_speaker(tokens):
    """End of ``tom (laughs):`` or ``[anna lee]:`` before a word; 0: the line does not begin so."""
    words = [word for word, _ in tokens]
    end = next((i for i, word in enumerate(words[:6]) if word == ":"), len(words))
    opening = next((i for i, word in enumerate(words[:end]) if word in ("(", "[")), end)
    if end + 1 >= len(words) or opening == end or any(map(is_cased, words[2:opening])):
        return 0
    is_last = words[end - 1] in (")", "]") or is_number(words[end - 1])
    is_last |= end == 4 and words[0] == "[" and is_number(words[1]) and words[2] == "]"
    return end + 1 if is_last and is_cased(words[end + 1]) and tokens[end + 1][1] else 0


def label_in_brackets(tokens):
    """End of ``[music]`` or ``(he laughs)`` before a word; 0: the line does not begin so."""
    words = [word for word, _ in tokens]
    closing = {"(": ")", "[": "]"}.get(words[0])
    if closing is None or not is_cased(words[1]) or len(words[1]) == 1:
        return 0
    if words[1] in sentence_lists.after_letter:
        return 0
    end = next((i for i in range(2, len(words)) if words[i] in CLOSING or i == 6), 0)
    if not 0 < end < len(words) - 1 or words[end] != closing:
        return 0
    after, is_apart = tokens[end + 1]
    return end + 1 if is_cased(after) and is_apart and after not in lists.between_dates else 0


def units(tokens, begins):
    """Spans of sentences; `begins` tells of two places whether the one at the first ends before."""
    found, first = [], 0
    while first < len(tokens):
        end = head_end(tokens, first)
        if end == first:
            end = next_end(tokens, begins, first)
            while goes_on(tokens, end):
                end = next_end(tokens, begins, end)
            letters = (i for i in range(first + 1, end - 1) if is_last_letter(tokens, i))
            end = next(letters, end - 1) + 1
        found.append((first, end))
        first = end
    return found


def next_end(tokens, begins, first):
    places = range(first + 1, len(tokens))
    return next((i for i in places if begins(first, i)), len(tokens))


def begins_speech(words, first, i):
    """Whether word i of a sentence, behind a quotation mark, begins what someone says."""
    if i < first + 3 or words[i - 1] not in QUOTES or words[i - 2] not in {",", ":"}:
        return False
    if is_number(words[i]) or not re.search("[a-z]", words[i]):
        return False
    if words[i - 2] == ":":
        return is_quoted_sentence(words, i)
    if not (
        words[i - 3] in lists.speech_verb or (i > first + 3 and words[i - 4] in lists.speech_verb)
    ):
        return False
    return "," not in words[first : i - 2] and not QUOTES.intersection(words[: i - 2])


def is_quoted_sentence(words, i):
    """Whether several words behind a quotation mark, from word i, are no part of a sentence."""
    end = next((k for k in range(i + 2, len(words) - 1) if words[k] in QUOTES), None)
    if end is None:
        return True
    ends = {",", ".", "?", "!", "…"}
    return end > i + 2 and (words[end - 1] in ends or words[end + 1] in ends)


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
