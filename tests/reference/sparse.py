"""Sparse features in plain Python: fields of a word's context, template hashes, sums of weights."""

from reference.casing import fold

FIELDS = (
    "word before before2 before3 after after2 after3 prior prior_before prior_after usual"
    " usual_before usual_before2 usual_after usual_after2 first style shape suffix_before"
    " suffix_after prefix1 prefix2 prefix3 prefix4 prefix5 suffix1 suffix2 suffix3 suffix4 suffix5"
    " inside source source_before source_after source_same source_word source_style source_form"
    " source_anywhere source_previous source_next source_context source_opening source_closing"
    " source_marks opening closing marks"
).split()
MASK = (1 << 64) - 1
GOLDEN = 0x9E3779B97F4A7C15
MULTIPLIER = 0xD6E8FEB86659FD93
CLASSES = ("quantity", "acronym", "hyphenated", "alphabetic", "other")
SPACE_BEFORE, ENDS_SENTENCE, CLOSES = 1, 8, 16
N_SHARES, N_COUNTS = 14, 6
UNKNOWN, CASELESS, OUTSIDE = 256, 264, 304


def scramble(x):
    for _ in range(2):
        x ^= x >> 32
        x = x * MULTIPLIER & MASK
    return x ^ (x >> 32)


def spread(field, value):
    return scramble((value + field * GOLDEN) & MASK)


def usual_case(prior):
    if prior >= UNKNOWN:
        return 32 + prior - UNKNOWN
    kind, share = divmod(prior // N_COUNTS, N_SHARES)
    steps = sum(share >= bound for bound in (2, 4, 7, 9, 11))
    return 8 * kind + steps


def is_rare(prior):
    if prior >= UNKNOWN:
        return prior < CASELESS
    return prior % N_COUNTS < 2


def chain(code_points):
    value = 0
    for cp in code_points:
        value = (value + cp + 1) * MULTIPLIER & MASK
    return value


def code_points(token):
    return [ord(fold(c)) for c in token.surface.decode()]


def opens(tokens, i, is_open):
    """Whether quotation mark i opens a quotation."""
    if len(tokens[i].surface) in (2, 3):
        return not tokens[i].flags & CLOSES
    before = i == 0 or bool(tokens[i].flags & SPACE_BEFORE)
    after = i + 1 == len(tokens) or bool(tokens[i + 1].flags & SPACE_BEFORE)
    return before if before != after else not is_open


def enclosed(tokens, hash_of):
    """For each token 0, or what encloses it and how long that is."""
    codes = [0] * len(tokens)
    quote = bracket = None
    for i, token in enumerate(tokens):
        if token.tag != "AN":
            continue
        span = None
        if token.key == hash_of(b'"'):
            if opens(tokens, i, quote is not None):
                quote = i
            elif quote is not None:
                span, kind, quote = (quote, i), 0, None
        elif token.key == hash_of(b"("):
            bracket = i
        elif token.key == hash_of(b")") and bracket is not None:
            span, kind, bracket = (bracket, i), 16, None
        if span:
            n = span[1] - span[0] - 1
            code = min(n, 4) if n < 5 else 5 if n < 7 else 6 if n < 10 else 7
            last = tokens[span[1] - 1]
            if n and last.tag == "AN" and last.word_class == "other":
                code += 8
            for k in range(span[0] + 1, span[1]):
                codes[k] = 1 + kind + code
    return codes


def style(tokens, priors):
    last = len(tokens) - 1
    while last > 0 and tokens[last].flags & CLOSES:
        last -= 1
    value = 0
    if tokens[last].flags & ENDS_SENTENCE:
        value = 1
    elif tokens[last].tag == "AN" and tokens[last].word_class != "quantity":
        value = 2
    n = len(tokens)
    value += 3 * sum(n >= bound for bound in (3, 6, 12))
    known = [p for p in priors if p < UNKNOWN]
    n_upper = sum(p // N_COUNTS % N_SHARES >= 7 for p in known)
    return value + (12 if 2 * n_upper > len(known) else 0)


def fields_of(tokens, priors, i, is_first, hash_of):
    """The fields of token i by name."""

    def at(k):
        return tokens[k] if 0 <= k < len(tokens) else None

    def key(k):
        return at(k).key if at(k) else 1 if k < 0 else 2

    def prior(k):
        return priors[k] if at(k) else OUTSIDE

    def suffix(k):
        if at(k) and at(k).tag == "AN" and at(k).word_class == "other":
            return at(k).key | 1
        return chain(code_points(at(k))[-3:]) | 1 if at(k) else key(k)

    token = tokens[i]
    values = {
        "word": key(i), "before": key(i - 1), "before2": key(i - 2), "before3": key(i - 3),
        "after": key(i + 1), "after2": key(i + 2), "after3": key(i + 3),
        "prior": prior(i), "prior_before": prior(i - 1), "prior_after": prior(i + 1),
        "usual": usual_case(prior(i)), "usual_before": usual_case(prior(i - 1)),
        "usual_before2": usual_case(prior(i - 2)), "usual_after": usual_case(prior(i + 1)),
        "usual_after2": usual_case(prior(i + 2)),
        "first": int(is_first), "style": style(tokens, priors),
        "shape": 16 * CLASSES.index(token.word_class) + min(token.n_code_points, 15),
        "suffix_before": suffix(i - 1), "suffix_after": suffix(i + 1),
        "inside": enclosed(tokens, hash_of)[i],
    }  # fmt: skip
    hashed = {name: spread(1 + FIELDS.index(name), value) for name, value in values.items()}
    letters = code_points(token)
    for n in range(1, 6):
        for name, part in (("prefix", letters[:n]), ("suffix", letters[-n:][::-1])):
            name = f"{name}{n}"
            hashed[name] = 0
            if is_rare(priors[i]) and len(letters) >= n:
                hashed[name] = spread(1 + FIELDS.index(name), chain(part))
    # Without a source its fields have a value each that says nothing.
    first = FIELDS.index("source")
    nothing = {
        name: number * 0x9E3779B97F4A7C15 % 2**64
        for number, name in enumerate(FIELDS[first:], 1 + first)
    }
    return dict.fromkeys(FIELDS, 0) | nothing | hashed


def feature(number, template, fields):
    """Hash of a template, the `number`-th one, given the fields by name."""
    total = (sum(fields[name] for name in template.split("+")) + (number + 1) * GOLDEN) & MASK
    total ^= total >> 32
    total = total * MULTIPLIER & MASK
    return total ^ (total >> 32)


def hidden_units(rows, bias, fields, names):
    """Values of the hidden layer from rows of real numbers."""
    total = bias.astype(float).copy()
    for name in names:
        total += rows[((fields[name] >> 32) * len(rows)) >> 32]
    return total.clip(min=0.0)
