"""Learn the weights of forms made of parts, `data/composed.json`, and judge them.

    python bench/experiments/composed_forms.py learn TEXT[=WEIGHT]... -o WEIGHTS [-m MODEL]
    python bench/experiments/composed_forms.py judge TEXT BEFORE AFTER

The texts are cased, a sentence a line, and no part of what the model was trained on. `learn` looks
at every second line, the first, the third and so on, and takes of each unknown word with a hyphen,
or with an s at its end, the posteriors of its cases without the rule. The weights maximise the
likelihood of the forms of the texts beside a multiple of their logarithms, whose factor all
weights are then divided by: posteriors of unknown words are far too sure of themselves. Texts
count as much as one another, times WEIGHT. `judge` compares two ways of casing a text's lowercase.
`learn` needs SciPy.
"""

import argparse
import itertools
import math
import random
import re
import sys
from collections import Counter
from pathlib import Path

import numpy as np
from frame import run_script, save

from truecase.rules import _language, _parts
from truecase.rules.language import read_rules
from truecase.truecaser import Truecaser

HYPHENATED = re.compile(r"[a-z0-9.'&]+(-[a-z0-9.'&]+)+")
WITH_S = re.compile(r"[a-z]{2,}s")
PLURAL = re.compile(r"(?<![A-Za-z])[A-Z]{2,}s\b")
ALPHABETIC = re.compile("[a-z']+")
VOWELS = set("aeiouy")
AL, IU, AU, MX, NONE, START = range(6)
RIDGE = 0.03
SHARE_OF_PLAIN = 20  # one in so many lines without either kind of word is looked at
SHAPES = {
    "share": (), "top": (4, 4), "unseen": (4,), "kind": (2, 3, 4), "length": (3, 2, 4),
    "letter": (2, 2, 4), "pair": (6, 5, 4), "whole": (5, 4), "likely": (5,), "likely_unknown": (3,),
    "plural": (3,), "plural_stem_count": (), "plural_stem_share": (), "plural_length": (5,),
    "plural_s": (2,), "plural_vowel": (2,),
}  # fmt: skip


def upper(form):
    """Places of the capitals of a form."""
    return frozenset(i for i, c in enumerate(form) if c.isupper())


def case_of(mask, text):
    """The case of a text whose capitals are at these places."""
    letters = [i for i, c in enumerate(text) if c.isalpha()]
    if not letters:
        return NONE
    if not mask:
        return AL
    return IU if mask == {letters[0]} else AU if mask == set(letters) else MX


class Lexicon:
    """What a model has of words by themselves."""

    def __init__(self, model):
        self.model = model
        self.known = {}

    def forms(self, word):
        """Forms and counts of a word, empty if it is unknown."""
        if word not in self.known:
            told = self.model.explain(f"the {word} and").words[1]
            self.known[word] = [
                (c.text, c.training_count)
                for c in told.candidates
                if c.training_count and told.text == word
            ]
        return self.known[word]


def word_class(word):
    """Its number, as the schema of features has it."""
    if word[0].isdigit() or word[-1].isdigit():
        return 0
    if re.search(r"(?<![a-z0-9])[a-z]\.", word):
        return 1
    return 2 if re.fullmatch(r"[a-z']+(-[a-z']+)+", word) else 4


def part_forms(text, forms, is_later):
    """A part's forms as capitals with case and features, its likely form, if it is unknown."""
    if not any(c.isalpha() for c in text):
        return [(frozenset(), NONE, [])], frozenset(), False
    seen = {}
    for form, n in forms:
        seen[upper(form)] = seen.get(upper(form), 0) + n
    seen = dict(sorted(seen.items(), key=lambda item: -item[1])[:3])
    letters = [i for i, c in enumerate(text) if c.isalpha()]
    every = dict(seen)
    for mask in (frozenset(), frozenset(letters[:1]), frozenset(letters)):
        every.setdefault(mask, 0)
    kind = 0 if seen else 1 if ALPHABETIC.fullmatch(text) else 2
    total = sum(every.values())
    likely = next(iter(seen)) if seen else frozenset(letters[:1] if kind == 1 else [])
    out = []
    for mask, n in every.items():
        case = case_of(mask, text)
        found = [(("kind", int(is_later), kind, case), 1.0)]
        if kind == 1:
            length = 0 if len(text) < 4 else 1 if len(text) < 6 else 2
            found.append((("length", length, int(bool(set(text) & VOWELS)), case), 1.0))
        if kind == 0:
            found.append((("letter", int(len(text) == 1), int(is_later), case), 1.0))
            found.append((("share",), math.log((n + 0.5) / (total + 1.5))))
            if mask not in seen:
                found.append((("unseen", case), 1.0))
            elif mask == likely:
                share = n / max(total, 1)
                bucket = 0 if share > 0.97 else 1 if share > 0.9 else 2 if share > 0.7 else 3
                found.append((("top", bucket, case), 1.0))
        out.append((mask, case, found))
    return out, likely, not seen


def is_inner(forms):
    """Whether a word nearly always has capitals behind its first letter."""
    return (
        bool(forms)
        and forms[0][0][1:] != forms[0][0][1:].lower()
        and (forms[0][1] > 0.9 * sum(n for _, n in forms))
    )


def of_parts(word, base, lexicon):
    """Forms of a hyphenated word: capitals, log posterior of their case, features."""
    texts = word.split("-")
    if "" in texts or len(texts) > 6:
        return []
    described = [part_forms(text, lexicon.forms(text), k > 0) for k, text in enumerate(texts)]
    choices = [forms for forms, _, _ in described]
    if math.prod(map(len, choices)) > 200:
        choices = [forms[:3] for forms in choices]
    if math.prod(map(len, choices)) > 800:
        return []
    starts = np.cumsum([0] + [len(text) + 1 for text in texts])
    unknown = [is_unknown for _, _, is_unknown in described]
    likely = {i + int(o) for (_, mask, _), o in zip(described, starts, strict=False) for i in mask}
    row = word_class(word)
    is_named = len(texts) == 2 and is_inner(lexicon.forms(texts[0])) and texts[1][2:].endswith("ed")
    is_named = is_named and not any(unknown)
    out = []
    for ways in itertools.product(*choices):
        mask, found, before = set(), [], START
        for k, (capitals, case, features) in enumerate(ways):
            mask |= {i + int(starts[k]) for i in capitals}
            pair = 2 * (k > 0 and unknown[k - 1]) + unknown[k]
            found += [*features, (("pair", before, case, int(pair)), 1.0)]
            before = case
        whole = case_of(mask, word)
        if whole not in base:
            continue
        found.append((("whole", row, whole), 1.0))
        if mask == likely:
            found.append((("likely", row), 1.0))
            found.append((("likely_unknown", int(any(unknown)) + 2 * is_named), 1.0))
        out.append((frozenset(mask), base[whole], found))
    return out


def with_s(word, base, lexicon):
    """Forms of a word with an s at its end: the plural has features."""
    stem = word[:-1]
    forms = lexicon.forms(stem)
    kind = 1 if not forms else 0 if forms[0][0].isupper() else 2
    found = [
        (("plural", kind), 1.0),
        (("plural_length", min(len(word), 7) - 3), 1.0),
        (("plural_s", int(stem.endswith("s"))), 1.0),
        (("plural_vowel", int(bool(set(stem) & VOWELS))), 1.0),
    ]
    if forms:
        n_upper = sum(n for form, n in forms if form.isupper())
        total = sum(n for _, n in forms)
        found.append((("plural_stem_share",), math.log((n_upper + 0.5) / (total + 1.0))))
        found.append((("plural_stem_count",), math.log(n_upper + 1.0)))
    plural = frozenset(range(len(stem)))
    full = {AL: frozenset(), IU: frozenset({0}), AU: frozenset(range(len(word))), MX: plural}
    return [(full[case], value, found if case == MX else []) for case, value in base.items()]


def examples(model, lexicon, path, chance):
    """(kind of word, forms, number of the right one, weight of the line) of a text's odd lines."""
    for line in itertools.islice(path.open(encoding="utf-8"), 0, None, 2):
        line, low = line.rstrip("\n"), line.rstrip("\n").lower()
        if len(low) != len(line):
            continue
        weight = 1.0
        if not PLURAL.search(line) and not HYPHENATED.search(low):
            weight = float(SHARE_OF_PLAIN)
            if not re.search(r"\b[a-z]{2,}s\b", low) or chance.random() * weight > 1:
                continue
        at = 0
        for word in model.explain(low).words:
            start = low.find(word.text, at) if not word.is_end else -1
            if start < 0:
                break
            at = start + len(word.text)
            unknown = len(word.candidates) > 1 and not any(
                c.training_count or c.is_raised for c in word.candidates
            )
            gold = upper(line[start:at])
            base = {}
            for c in word.candidates:
                base.setdefault(
                    case_of(upper(c.text), word.text), math.log(max(c.posterior, 1e-12))
                )
            if unknown and len(word.text) < 60 and HYPHENATED.fullmatch(word.text):
                kind, forms = "hyphen", of_parts(word.text, base, lexicon)
            elif unknown and WITH_S.fullmatch(word.text):
                kind, forms = "plural", with_s(word.text, base, lexicon)
            else:
                continue
            right = [i for i, (mask, _, _) in enumerate(forms) if mask == gold]
            if right:
                yield kind, forms, right[0], weight


def fit(data):
    """Weights by name of (forms, right one, weight) items."""
    from scipy.optimize import minimize
    from scipy.sparse import csr_matrix

    names, entries, base, owner, gold = {}, [], [], [], []
    for k, (forms, right, _) in enumerate(data):
        for i, (_, value, found) in enumerate(forms):
            if i == right:
                gold.append(len(base))
            entries += [(len(base), names.setdefault(name, len(names)), x) for name, x in found]
            base.append(value)
            owner.append(k)
    rows, columns, values = zip(*entries, strict=True)
    matrix = csr_matrix((values, (rows, columns)), shape=(len(base), len(names)))
    base, owner, gold = np.array(base), np.array(owner), np.array(gold)
    counts = np.array([weight for _, _, weight in data])
    starts = np.flatnonzero(np.r_[True, owner[1:] != owner[:-1]])

    def loss(weights):
        scores = weights[-1] * base + matrix @ weights[:-1]
        best = np.maximum.reduceat(scores, starts)
        shares = np.exp(scores - best[owner])
        sums = np.add.reduceat(shares, starts)
        shares *= (counts / sums)[owner]
        likelihood = (counts * (scores[gold] - best - np.log(sums))).sum()
        slope = np.r_[matrix[gold].T @ counts - matrix.T @ shares,
                      (counts * base[gold]).sum() - base @ shares]  # fmt: skip
        return RIDGE * weights @ weights - likelihood, 2 * RIDGE * weights - slope

    start = np.r_[np.zeros(len(names)), 1.0]
    found = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x
    return {name: found[i] / found[-1] for name, i in names.items()}


def table(name, weights):
    """Nested lists of a shape."""
    values = np.zeros(SHAPES[name])
    for key, value in weights.items():
        if key[0] == name:
            values[key[1:]] = value
    return (np.round(values, 2) + 0.0).tolist()


def learn(args):
    """Write the weights."""
    # The kernels read these with the first model.
    _parts.read_weights = lambda _: {name: np.zeros(of).tolist() for name, of in SHAPES.items()}
    rules = read_rules("en")
    rules["forms"].update(unit_bonus=0.0, bonus=0.0)
    _language.read_rules = lambda _: rules
    model = Truecaser.load(args.model)
    lexicon = Lexicon(model)
    data = {"hyphen": [], "plural": []}
    for text in args.texts:
        name, _, weight = text.partition("=")
        found = list(examples(model, lexicon, Path(name), random.Random(1)))
        for kind, items in data.items():
            own = [item for item in found if item[0] == kind]
            # Plurals of acronyms are where they are; hyphens are everywhere.
            scale = float(weight or 1) * (1000 / max(len(own), 1) if kind == "hyphen" else 1.0)
            items += [(forms, right, scale * line) for _, forms, right, line in own]
            print(f"{name}: {len(own)} words ({kind})", file=sys.stderr, flush=True)
    weights = fit(data["hyphen"]) | fit(data["plural"])
    save(args.output, {name: table(name, weights) for name in SHAPES})


def judge(args):
    """Print what a change of the package does to a text: words mended and broken."""
    texts = [path.read_text(encoding="utf-8").split("\n") for path in args.texts]
    seen = Counter()
    for lines in zip(*texts, strict=True):
        for right, old, new in zip(*map(str.split, lines), strict=True):
            seen["words"] += 1
            seen["old"] += right == old
            seen["new"] += right == new
            seen["mended"] += right == new != old
            seen["broken"] += right == old != new
    for what, n in seen.items():
        print(f"{what:8} {n:>10,} {n / seen['words']:.4%}")


def main():
    """Learn, or judge."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("learn")
    command.add_argument("texts", nargs="+", metavar="TEXT[=WEIGHT]")
    command.add_argument("-o", "--output", type=Path, required=True)
    command.add_argument("-m", "--model", help="default: the embedded English model")
    command.set_defaults(run=learn)
    command = commands.add_parser("judge")
    command.add_argument("texts", nargs=3, type=Path, metavar="TEXT")
    command.set_defaults(run=judge)
    args = parser.parse_args()
    args.run(args)
    return 0


if __name__ == "__main__":
    run_script(main)
