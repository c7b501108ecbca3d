"""The context that dense features see, in plain Python, from words and their tags."""

MARKS = (
    ". , : ; ! ? … \" ' ( ) [ ] { } / \\ & - – — * • · | # % $ € £ + = < > ~ @ ^ _ ` '' ``"
    " « » „ ‹ › ¿ ¡ § ° 。 、 ， ： 「 」 -- ..."
).split()
#: Features of which `node_features` has the value, beside those of marks.
NAMES = (
    "initial",
    "initial_raised",
    "unfinished",
    "unfinished_short",
    "inside_quotes",
    "inside_brackets",
)
QUOTES = ('"', "``", "''", "“", "”")


def node_features(words, place, tag, is_raised=False, is_initial=False, known=True):
    """Names and values of the features that need no numbers of the model.

    `words` are the sentence's, lowercase; the candidate of word `place` has the `tag` and
    begins upper case unless it is AL.
    """
    found = {}
    upper = tag != "AL" or is_raised
    identity_upper = tag != "AL"
    before = words[place - 1] if place else None
    if upper and before is not None and not any(c.isalnum() for c in before):
        found[f"after_punctuation:{before if before in MARKS else 'other'}"] = 1.0
    if is_initial and upper:
        found["initial"] = 1.0
    if is_raised:
        found["initial_raised"] = 1.0
    unfinished = words[-1] not in (".", "!", "?")
    if identity_upper and unfinished:
        found["unfinished"] = 1.0
        if len(words) <= 9:
            found["unfinished_short"] = 1.0
    window = words[max(0, place - 12) : place]
    if identity_upper and sum(word in QUOTES for word in window) % 2:
        found["inside_quotes"] = 1.0
    depth = 0
    for word in window:
        if word in ("(", "["):
            depth += 1
        elif word in (")", "]") and depth:
            depth -= 1
    if identity_upper and depth:
        found["inside_brackets"] = 1.0
    return found
