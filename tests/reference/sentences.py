"""Where sentences end within a line, in plain Python: that of `truecase/kernels/_sentences.pxd`.

Tokens are words with whether white space stands before each.
"""

ENDS = {"?", "!", "…", *("." * n for n in range(1, 50))}
CLOSES = {")", '"', "'", "]", "»"}
QUOTES = {'"', "'", "»"}


def is_cased(word):
    return word.lower() != word or word.upper() != word


def is_quoted(words, first, mark, after):
    """``"Why?" he asked``: the question ends, the sentence need not."""
    if words[mark] not in ("?", "!"):
        return False
    if any(word in QUOTES for word in words[mark + 1 : after]):
        return True
    return words[after] == "»" or (words[after] == '"' and words[first:mark].count('"') % 2 == 1)


def is_in_brackets(words, first, mark):
    """``he (why?) left``: the question ends, the sentence does not."""
    if words[mark] not in ("?", "!") or words[mark + 1 : mark + 2] != [")"]:
        return False
    brackets = [place for place in range(first, mark) if words[place] in "()"]
    return bool(
        brackets
        and brackets[-1] > first
        and words[brackets[-1]] == "("
        and is_cased(words[brackets[-1] - 1])
    )


def stands_alone(words, first, mark, after, names):
    """``Yes.`` is a sentence, ``Mr. X`` has an abbreviation."""
    before = words[mark - 1]
    is_only = not any(is_cased(word) for word in words[first : mark - 1])
    quoted = any(word in QUOTES for word in words[mark + 1 : after]) and words[mark - 2] in QUOTES
    if not (is_only or quoted) or not is_cased(before):
        return False
    following = words[after]
    if (
        following in ENDS
        or following in CLOSES
        or following[0].isdigit()
        or following[-1].isdigit()
    ):
        return False
    return (is_only and mark + 1 < after) or before.lower() not in names


def sentence_end(tokens, first, abbreviations, names, beginners=()):
    """1 + the last token of the sentence that begins at `first`.

    `beginners` are forms that, in cased text, tell that a sentence begins.
    """
    words = [word for word, _ in tokens]
    for after in range(first + 1, len(words)):
        if not tokens[after][1] or words[after - 1] not in ENDS | CLOSES:
            continue
        mark = after - 1
        while mark > first and words[mark] in CLOSES:
            mark -= 1
        if mark == first or words[mark] not in ENDS or is_quoted(words, first, mark, after):
            continue
        if is_in_brackets(words, first, mark):
            continue
        if (
            words[mark] != "?"
            and words[mark - 1].lower() in abbreviations
            and not stands_alone(words, first, mark, after, names)
            and words[after] not in beginners
        ):
            continue
        return after
    return len(words)


def label_end(tokens, first, last):
    """End of a label, ``1)``, ``a)``, ``(12)`` or ``[00:12]``; `first` if there is none."""
    words = [word for word, _ in tokens[first:last]]
    if len(words) > 3 and (words[0], words[2]) == ("[", "]"):
        is_number = words[1][0].isdigit() or words[1][-1].isdigit()
        return first + 3 if is_number and tokens[first + 3][1] else first
    place = first + (first < last and tokens[first][0] == "(")
    if place + 1 >= last or tokens[place + 1] != (")", False):
        return first
    word = tokens[place][0]
    longest = 2 if word[0].isdigit() or word[-1].isdigit() else 1 if is_cased(word) else 0
    return place + 2 if len(word.encode()) <= longest else first


def first_word(tokens, first, last):
    """The first word of a sentence if it has letters; None if a number stands before it."""
    for place in range(label_end(tokens, first, last), last):
        word = tokens[place][0]
        if is_cased(word):
            return place
        if word[0].isdigit() or any(letter.isalpha() or letter.isdigit() for letter in word):
            return None
    return None


def first_words(tokens, abbreviations, names, beginners=()):
    """Places of the first words of a line's sentences."""
    found, first = [], 0
    while first < len(tokens):
        last = sentence_end(tokens, first, abbreviations, names, beginners)
        place = first_word(tokens, first, last)
        found += [] if place is None else [place]
        first = last
    return found
