"""Forms made of the forms of their parts, in plain Python: the rule of `rules/_parts.pyx`."""

import math
import re

from reference import rules
from reference.gen import CLASSES
from reference.segment import hash_bytes, word_class
from truecase.base.model_file import read_weights

lists = rules.lists("forms")
learned = read_weights("composed")
AL, IU, AU, MX, NONE, START = range(6)
BEAM = 4


def is_of_parts(word):
    parts = word.split("-")
    return 2 <= len(parts) <= 8 and all(parts) and re.fullmatch(r"[a-z0-9.'&-]+", word) is not None


def applies(word, known, has_case):
    """Whether a lowercase token is one that the rule looks at."""
    if known or not has_case or not word.isascii() or not 3 <= len(word) <= 63:
        return False
    return word_class(word) != "alphabetic" or word.endswith("s")


def case_of(form, raised=None):
    letters = [c for c in form if c.isalpha()]
    if not letters:
        return NONE
    if form.lower() == form:
        return AL
    if form == (raised or initial(form.lower())):
        return IU
    return AU if form.upper() == form else MX


def initial(part):
    first = next((i for i, c in enumerate(part) if c.isalpha()), None)
    return part if first is None else part[:first] + part[first].upper() + part[first + 1 :]


def forms_of(lexicon, word):
    """Forms of a word by itself with their counts, the most frequent first."""
    out = []
    for form in lexicon.forms(hash_bytes(word.encode())):
        surface = {"AL": word, "IU": initial(word), "AU": word.upper()}.get(form.tag)
        if surface is None:
            surface = "".join(c.upper() if form.mask >> i & 1 else c for i, c in enumerate(word))
        out.append((surface, 2 ** (form.count_code / 8) - 1))
    return out


class Part:
    """What stands between two hyphens."""

    def __init__(self, lexicon, text, is_later):
        self.likely = text
        self.is_unknown = self.is_inner = False
        self.scores, self.raised = {text: 0.0}, initial(text)
        if not any(c.isalpha() for c in text):
            return
        seen = {}
        for form, count in forms_of(lexicon, text):
            if len(seen) < 3 and form not in seen:
                seen[form] = count
        all_forms = dict(seen)
        short = {*re.findall("^(.{1,2})['’]", text), "mc"}
        self.raised = (not seen and prefixed(text, short)) or self.raised
        for form in (text, self.raised, text.upper()):
            all_forms.setdefault(form, 0.0)
        total = sum(all_forms.values())
        is_known = bool(seen)
        self.is_unknown = not is_known
        is_alphabetic = word_class(text) == "alphabetic"
        kind = 0 if is_known else 1 if is_alphabetic else 2
        if is_known:
            self.likely = next(iter(seen))
        elif is_alphabetic:
            self.likely = self.raised
        self.scores = {}
        for form, count in all_forms.items():
            case = case_of(form, self.raised)
            score = learned["kind"][is_later][kind][case]
            if kind == 0:
                score += learned["letter"][len(text) == 1][is_later][case]
                score += learned["share"] * math.log((count + 0.5) / (total + 1.5))
                if form not in seen:
                    score += learned["unseen"][case]
                if form == self.likely:
                    share = count / max(total, 1.0)
                    bucket = 0 if share > 0.97 else 1 if share > 0.9 else 2 if share > 0.7 else 3
                    score += learned["top"][bucket][case]
                    self.is_inner = bucket < 2 and case in (AU, MX)
            elif kind == 1:
                length = 0 if len(text) < 4 else 1 if len(text) < 6 else 2
                score += learned["length"][length][bool(set(text) & set("aeiouy"))][case]
            self.scores[form] = score


def pair(parts, k, before, case):
    unknown = 2 * (k > 0 and parts[k - 1].is_unknown) + parts[k].is_unknown
    return learned["pair"][before][case][unknown]


def score_of_parts(parts, word, form):
    row = CLASSES.index(word_class(word))
    score = learned["whole"][row][case_of(form)] + score_of_ways(parts, form)
    likely = [part.likely for part in parts]
    ending = word.rpartition("-")[2]
    endings = {ending, ending[-2:]} if len(ending) > 3 else {ending}
    beside = 0 if likely[0].lower() in lists.before_hyphen else 1
    keeps_name = len(parts) == 2 and parts[1 - beside].is_inner
    keeps_name = keeps_name and (beside == 0 or bool(endings & lists.behind_hyphen))
    if keeps_name:
        likely[beside] = likely[beside].lower()
    if form == "-".join(likely):
        score += learned["likely"][row]
        kind = 2 if keeps_name else any(part.is_unknown for part in parts)
        score += learned["likely_unknown"][kind]
    return score


def score_of_ways(parts, form):
    """What a form is favoured by while parts are put together."""
    score, before, at = 0.0, START, 0
    for k, part in enumerate(parts):
        piece = form[at : at + len(part.likely)]
        at += len(piece) + 1
        case = case_of(piece, part.raised)
        score += pair(parts, k, before, case) + part.scores.get(piece, 0.0)
        before = case
    return score


def beam(parts):
    """The few best ways of putting the parts together."""
    kept = [("", 0.0, START)]
    for k, part in enumerate(parts):
        grown = [
            (f"{so_far}-{form}" if k else form, total + score + pair(parts, k, before, case), case)
            for so_far, total, before in kept
            for form, score in part.scores.items()
            for case in [case_of(form, part.raised)]
        ]
        kept = sorted(grown, key=lambda way: -way[1])[:BEAM]
    return [form for form, _, _ in kept]


def plural_bonus(lexicon, word):
    stem = word[:-1]
    score = learned["plural_length"][min(len(word), 7) - 3]
    score += learned["plural_s"][stem.endswith("s")]
    score += learned["plural_vowel"][bool(set(stem) & set("aeiouy"))]
    forms = forms_of(lexicon, stem)
    if not forms:
        return score + learned["plural"][1]
    upper = sum(count for form, count in forms if case_of(form) == AU)
    total = sum(count for _, count in forms)
    score += learned["plural_stem_share"] * math.log((upper + 0.5) / (total + 1.0))
    score += learned["plural_stem_count"] * math.log(upper + 1.0)
    return score + learned["plural"][0 if case_of(forms[0][0]) == AU else 2]


def unit_form(word):
    number = re.match(r"(?:(?:[0-9.,/-]|(?<=[0-9])x(?=[0-9]))*[0-9])?", word)[0]
    if number == word:
        return word
    for unit in [*lists.unit, *lists.glued]:
        if word == number + unit.lower():
            return number + unit
    return None


def written(tokens, i):
    """A word as it is always written, or beside another; else None."""
    words = [word for word, _ in tokens]
    pairs = [(words[i : i + 2], 0), (words[i - 1 : i + 1] if i else [], 1)]
    for pair, place in pairs:
        for phrase in lists.written:
            if len(pair) == 2 and phrase.lower() == "_".join(pair):
                form = phrase.split("_")[place]
                if form != form.lower():
                    return form
    return next((form for form in lists.written if form.lower() == words[i]), None)


def prefixed(word, prefixes=lists.prefix):
    """De'Andre, O'Hanrahan, McInturff, or None."""
    if word_class(word) != "alphabetic":
        return None
    if word.startswith("mc") and len(word.encode()) > 4 and "mc" in prefixes:
        return "Mc" + word[2].upper() + word[3:]
    for n in (1, 2, 3):
        if len(word) > n + 3 and word[n] in "'’":
            if word[:n] not in prefixes:
                return None
            return word[0].upper() + word[1 : n + 1] + word[n + 1].upper() + word[n + 2 :]
    return None


def behind_number(tokens, i):
    """A unit behind a number, or alone, in its right case, or None."""
    word, is_apart = tokens[i]
    if len(tokens) == 1 and len(word) > 1:
        return next((unit for unit in lists.unit if unit.lower() == word), None)
    if i > 1 and tokens[i - 1][0] == "(" and tokens[i - 2][0] in lists.measured:
        return next((unit for unit in [*lists.unit, *lists.pack] if unit.lower() == word), None)
    number = i - 1 - (i > 1 and tokens[i - 1][0] in {*map(str.lower, lists.unit), *lists.pack})
    if i == 0 or not is_apart or not re.search(r"^\d|\d$", tokens[number][0]):
        return None
    ends = re.fullmatch(r"[.?!…]|\.\.+", tokens[-1][0]) is not None
    is_last = i + 1 == len(tokens) or tokens[i + 1][0].upper() == tokens[i + 1][0]
    is_last = is_last or (i == 1 and len(tokens[0][0]) > 1 and len(word) == 1)
    is_last = is_last or tokens[i + 1][0] in lists.after_pack
    before_number = [
        word_class(word) == "quantity" for word, _ in [*tokens[i + 1 :], ("", 0), ("", 0)]
    ]
    for unit in lists.unit:
        if word == unit.lower():
            is_last = is_last or before_number[:2] == [False, False]
            return unit if len(word) > 1 or (is_last and not ends) else None
    is_last = is_last or before_number[0]
    return word if word in lists.pack and not ends and is_last else None


def beside_plural(tokens, i):
    """What the words beside a plural add to it."""
    before = tokens[i - 1][0] if i > 0 else ""
    after = tokens[i + 1][0] if i + 1 < len(tokens) else ""
    is_there = before in lists.before_plural or after in lists.after_plural
    return lists.likely_bonus if is_there else 0.0


def plural_of_known(lexicon, tokens, i):
    """A plural that is likelier than an acronym with S, and by what; None: it is not."""
    word = tokens[i][0]
    forms = forms_of(lexicon, word)
    plural = word[:-1].upper() + "s"
    if len(word) < 3 or not word.endswith("s") or not word.isascii() or not forms:
        return None
    bonus = beside_plural(tokens, i)
    is_there = bonus or plural in {form for form, _ in forms}
    if case_of(forms[0][0]) != AU or not is_there:
        return None
    singular = forms_of(lexicon, word[:-1])
    if not singular or case_of(singular[0][0]) != AU:
        return None
    odds = sum(count for _, count in singular) / (sum(count for _, count in forms) + 1)
    return (plural, bonus + math.log(odds) / 2) if odds > 1 else None


def parts_of(lexicon, word):
    """The parts of a word; none if it is not made of any."""
    if word_class(word) == "alphabetic" or not is_of_parts(word):
        return []
    return [Part(lexicon, text, k > 0) for k, text in enumerate(word.split("-"))]


def whole_forms(parts, word):
    """Forms that a word of parts always has."""
    raised = "-".join(part.raised for part in parts)
    return {word, initial(word), word.upper(), raised, "-".join(part.likely for part in parts)}


def is_postcode(tokens, i):
    """``sw1a 2aa``, ``k1a 0b1``, but no ``a4 2nd``, 5kg."""
    if not 0 <= i < len(tokens) - 1:
        return False
    first, second = tokens[i][0], tokens[i + 1][0]
    return (
        2 <= len(first) <= 4
        and re.match(r"[a-z](\d|.\d)", first) is not None
        and re.fullmatch(r"\d[a-z](\d|[^\d])", second) is not None
        and second[1:] not in {"st", "nd", "rd", "th"}
        and (second[2].isdigit() or not set("cikmov") & set(second[1:]))
    )


def form_of_address(tokens, i):
    """Half of a postcode, or the number of a flat with its letter, in upper case, or None."""
    word = tokens[i][0]
    before = i - 1 - (i > 1 and tokens[i - 1] == (".", False))
    is_number = re.fullmatch(r"\d.*\d[a-z]|\d[a-z]", word) is not None
    if is_postcode(tokens, i) or is_postcode(tokens, i - 1):
        return word.upper()
    is_behind = before >= 0 and tokens[before][0] in lists.before_number
    return word.upper() if is_number and is_behind else None


def favoured(lexicon, tokens, i):
    """The form of a word without parts that is favoured, and by what; none: None."""
    word = tokens[i][0]
    form = form_of_address(tokens, i) or unit_form(word)
    if form is not None:
        return form, lists.unit_bonus
    if word_class(word) == "alphabetic":
        is_acronym = word[-2] in "aeiouy" and not forms_of(lexicon, word[:-1])
        last = word[-1].upper() if is_acronym else word[-1]
        return word[:-1].upper() + last, plural_bonus(lexicon, word) + beside_plural(tokens, i)
    return None, 0.0
