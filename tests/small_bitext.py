"""A small text in two made-up halves: only the source tells in which sense a word is meant."""

import random

from truecase.alignment.lines import AlignedLines, Phrases

# Of each sense the source's word and its translation; their neighbours say nothing.
SENSES = (
    ("facture", "bill"), ("Bill", "Bill"), ("nous", "us"), ("USA", "US"), ("peut", "may"),
    ("mai", "May"), ("fichier", "file"), ("Fichier", "File"), ("pont", "bridge"),
    ("PONT", "BRIDGE"),
)  # fmt: skip
FILLERS = (
    ("alors", "so"), ("puis", "then"), ("avec", "with"), ("le", "the"), ("un", "a"),
    ("dans", "in"), (",", ","), ("Londres", "London"), ("Marie", "Mary"), ("ouvre", "opens"),
    ("cliquez", "click"), ("modifications", "changes"), ("vos", "your"), ("pour", "to"),
)  # fmt: skip


def word_pairs(draw):
    """One sentence: source words and target words at the same places."""
    pairs = [draw.choice(FILLERS[:6])]
    pairs[0] = pairs[0][0].capitalize(), pairs[0][1].capitalize()
    for _ in range(draw.randint(2, 5)):
        pairs += [draw.choice(FILLERS) for _ in range(draw.randint(1, 2))]
        pairs.append(draw.choice(SENSES))
    if draw.random() < 0.1:
        # A path is cased alike on both sides, as it pleases.
        path = f"/{draw.choice(('home', 'Home', 'HOME'))}/{draw.choice(('doc', 'DOC', 'Doc'))}.txt"
        pairs.append((path, path))
    pairs.append((".", "."))
    if draw.random() < 0.05:
        return [(source.upper(), target.upper()) for source, target in pairs]
    return pairs


def bitext(n_lines=1500, seed=5):
    """Lines whose target words stand in the opposite order of their sources, but for the ends."""
    draw = random.Random(seed)
    sources, targets, links = [], [], []
    for _ in range(n_lines):
        pairs = word_pairs(draw)
        n = len(pairs)
        order = [0, *range(n - 2, 0, -1), n - 1]
        sources.append(" ".join(pairs[place][0] for place in order))
        targets.append(" ".join(target for _, target in pairs))
        # The places that `order` swaps are swapped back by it.
        links.append([[place] for place in order])
    return AlignedLines(
        "".join(f"{line}\n" for line in targets).encode(),
        "".join(f"{line}\n" for line in sources).encode(),
        Phrases.from_lines(links),
    )


def pharaoh(lines):
    """The alignment in Pharaoh's form."""
    return "".join(
        " ".join(f"{s}-{t}" for t, words in enumerate(line) for s in words) + "\n"
        for line in lines.phrases.to_lines()
    ).encode()


def errors(model, lines, **arguments):
    """Words of the target that come out in another case, lowercased before."""
    cased = model.case_block(lines.target.lower(), **arguments)
    found, wanted = cased.split(), lines.target.split()
    assert len(found) == len(wanted)
    return sum(a != b for a, b in zip(found, wanted, strict=True)) / len(wanted)
