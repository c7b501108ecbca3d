"""A model small enough to train in a test: text, and the words that make it interesting."""

import functools
import random

NAMES = "Mary Ahmed O'Brien McLeod Zoë Ngozi Ivanov Chen Łukasz Βασίλης".split()
PLACES = "London Lyon Washington Oslo Kyiv Accra Peru Αθήνα Zürich Cork".split()
THINGS = "iPhone eBay NASA BBC e-mail us US u.s. U.S. bridge Bridge post Post bill Bill".split()
TEMPLATES = (
    "{name} took the {thing} to {place} on Monday .",
    '"The {thing} is in {place} ," said {name} , "and not in {place2} ."',
    "the {thing} of {place} was never seen by Dr. {name} again",
    "{place} : {name} and {name2} don't like the {thing} !",
    "In {place} , a {thing} costs 3.50 euros ; in {place2} it's free .",
    "BREAKING NEWS FROM {upper}",
)


@functools.cache
def training_text(n_lines: int = 600, seed: int = 11) -> str:
    """Lines of naturally cased text, the same for the same seed."""
    draw = random.Random(seed)
    lines = []
    for _ in range(n_lines):
        place = draw.choice(PLACES)
        lines.append(
            draw.choice(TEMPLATES).format(
                name=draw.choice(NAMES),
                name2=draw.choice(NAMES),
                place=place,
                place2=draw.choice(PLACES),
                thing=draw.choice(THINGS),
                upper=place.upper(),
            )
        )
    return "\n".join(lines) + "\n"


@functools.cache
def random_block(n_bytes: int, seed: int) -> bytes:
    """Lines of known words, unknown words, any code points and any bytes.

    Without the characters of which this interpreter, and so the twins, know another case.
    """
    from unicode_here import other_characters

    # Of all characters it takes a minute under the thread sanitizer.
    drawn = range(1, 0x3000)
    others = other_characters(drawn)
    draw = random.Random(seed)
    known = training_text(80, seed).split()
    parts: list[bytes] = []
    size = 0
    while size < n_bytes:
        kind = draw.random()
        if kind < 0.75:
            word = draw.choice(known).encode()
            word = draw.choice((word, word.lower(), word.upper()))
        elif kind < 0.85:
            word = "".join(chr(draw.randint(97, 122)) for _ in range(draw.randint(1, 12))).encode()
        elif kind < 0.95:
            points = (draw.randint(drawn[0], drawn[-1]) for _ in range(draw.randint(1, 8)))
            word = "".join(c for c in map(chr, points) if c not in others).encode()
        else:
            word = draw.randbytes(draw.randint(1, 8))
        end = draw.choices((b" ", b"\n", b"\r\n", b"\t", b"", b"\n\n"), (80, 9, 1, 3, 5, 2))[0]
        parts.append(word + end)
        size += len(parts[-1])
    return b"".join(parts)
