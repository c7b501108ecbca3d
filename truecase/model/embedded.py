"""Models by name: those of this package, and those that other packages declare.

A package declares a model by an entry point of the group ``truecase.models``, such as
``de = "truecase_model_de:PATH"``, which refers to the path of a model file.
"""

import json
import os
import re
import warnings
from collections.abc import Container, Sequence
from functools import cache
from types import NoneType

from truecase.base.argument_types import check_type
from truecase.base.model_file import read_weights
from truecase.errors import ModelError, OtherLanguageWarning
from truecase.kernels.text import primary
from truecase.options import StrPath

_DATA = os.path.join(os.path.dirname(os.path.dirname(__file__)), "data")

# Tags of languages, as in en-US, pt_BR and DE; en-fr is a pair.
_TAG = re.compile(r"[a-z]{2,3}[-_](?:[A-Z]{2}|[A-Z][a-z]{3}|\d{3})|[A-Z]{2,3}")

#: English, the default, and English software texts translated from French.
EMBEDDED = ("en", "fr-en")


def is_embedded(path: StrPath | None) -> bool:
    """Whether a path is None or the name of an embedded model.

    To load a file of that name, give its folder, too: ``./en``.
    """
    return path is None or os.fspath(path) in EMBEDDED


def model_file(path: StrPath | None) -> StrPath:
    """Find the file of a model by its name, or return `path` itself.

    A file wins over an installed model of the same name. The tag of a language, such as en-US, and
    its name, such as German or Deutsch, are names of its model.

    Raises
    ------
    WrongTypeError
        `path` is not a path.
    FileNotFoundError
        There is no file and no model of this name.
    ModelError
        The package that has the model is broken.
    """
    check_type("path", path, (str, os.PathLike, NoneType), "a file or the name of a model")
    if not is_embedded(path):
        assert path is not None
        name = os.fspath(path)
        if not _is_name(name) or (os.path.exists(name) and not os.path.isdir(name)):
            return path

        found = installed_model(name)
        if found is None and (_TAG.fullmatch(name) or primary(name) != language_code(name)):
            found = model_of_language(name)
        if found is None:
            raise FileNotFoundError(f"{name}: {_what_there_is(name)}")
        if not is_embedded(found):
            return found
        path = found
    # A package with compiled modules is never run from an archive.
    return os.path.join(_DATA, f"{path or EMBEDDED[0]}.truecase")


def model_of_language(code: str) -> str | None:
    """Find the model of a language: a name, or a file that a package brings; None if none has.

    ``pt-BR``, ``por`` and ``pt`` have one model unless another package has brought one.
    """
    for name in dict.fromkeys((code, primary(code), language_code(code) or code)):
        found = name if is_embedded(name) else installed_model(name)
        if found is not None:
            return found
    return None


def _is_name(path: str | bytes) -> bool:
    """Whether a path may name a model: it has no folder and no suffix."""
    return isinstance(path, str) and os.path.basename(path) == path and "." not in path


def _what_there_is(name: str) -> str:
    """Explain which models there are, and how to get the missing one."""
    if language_code(name) in languages():
        return f"no such file, and {missing_model(name)}"
    if name == "auto":
        return (
            "no such file, nor one model for all languages: truecase apply -l auto, and "
            "MultilingualTruecaser in Python, choose one for each line"
        )
    models = [*EMBEDDED, *installed_models()]
    return (
        f"no such file, nor a model of that name; there are {', '.join(models[:-1])} and "
        f"{models[-1]}"
    )


def missing_model(code: str) -> str:
    """Say that the model of a language is not installed, and how to get it."""
    known = language_code(code)
    name = languages().get(known)
    what = f"no model for {code}" if name is None else f"the model for {name} is not installed"
    return f"{what}: {how_to_get(known)}"


def language_code(name: str) -> str:
    """The code of a language by its name or tag: ``ngerman``, ``German``, ``de-AT`` are de.

    Empty if the name says that the language is unknown: ``auto``, ``und``.
    """
    name = name.strip(" {}\r\n\t").lower()
    data = read_weights("languages")
    found: str | None = data["in_bibliographies"].get(name, data["names"].get(name))
    return primary(name) if found is None else found


@cache
def language_codes() -> frozenset[str]:
    """Codes of languages by ISO 639-1."""
    return frozenset(read_weights("languages")["codes"].split())


@cache
def capitalises_nouns(language: str) -> bool:
    """Whether a language capitalises nouns, as German does."""
    return primary(language) in read_weights("languages")["noun_capitals"].split()


#: Length in characters of the beginning of a text that shows its language: a few hundred words.
SAMPLE = 2400
_BEGINNING = 400
_FEWEST_WORDS = 20
# The least share of words that are common in the other language alone, how often they must
# outnumber those of the model's language alone, and how many different ones there must be.
_LEAST_SHARE, _LEAST_RATIO, _FEWEST_KINDS = 0.08, 3, 4
_FEWEST_KINDS_IN_TITLE = 3
# With such a share of common words of the model's language, a text is in no other.
_OWN_SHARE = 0.25
_WORD = re.compile(r"[^\W\d_]+")


@cache
def common_words(code: str) -> frozenset[str]:
    """Commonest words of a language: articles, prepositions, pronouns, conjunctions."""
    code = {"no": "nb", "nn": "nb"}.get(code, code)
    return frozenset(read_weights("languages")["common"].get(code, "").split())


def _likeliest(words: Sequence[str]) -> tuple[int, str]:
    """Find the language whose commonest words are most of these; return their number, and it."""
    known = read_weights("languages")["common"]
    counts = ((sum(map(common_words(code).__contains__, words)), code) for code in known)
    return max(counts, key=lambda count: count[0])


def likeliest_language(text: str) -> str:
    """The language whose commonest words are most of the beginning of a text."""
    return _likeliest(_WORD.findall(text[:SAMPLE].lower()))[1]


def may_be_in(text: str, code: str) -> bool:
    """Whether no language has twice as many of its commonest words in a text as this one."""
    words = _WORD.findall(text[:SAMPLE].lower())
    return _likeliest(words)[0] <= 2 * sum(map(common_words(code).__contains__, words))


def other_language(text: str, language: str, rare: Container[str] = frozenset()) -> str | None:
    """Find the language that a text is evidently in, other than a model's; None without one.

    The model need not be installed: the evidence is the commonest words of some languages, not of
    one letter. A title has several of the other language, and none of the model's alone; or one,
    and words that are `rare` in the training text.
    """
    own = common_words(primary(language))
    # Most texts are in the language of the model, and their beginning shows it at once.
    words = text[:_BEGINNING].split()
    if not own or sum(map(own.__contains__, words)) >= max(_OWN_SHARE * len(words), 4):
        return None
    words = _WORD.findall(text[:SAMPLE].lower())
    if len(set(words)) < _FEWEST_KINDS_IN_TITLE:
        return None
    _, best = _likeliest(words)
    common = common_words(best)
    theirs = [word for word in words if word in common and word not in own]
    ours = [word for word in words if word in own and word not in common]
    n_kinds = len(set(theirs))
    if len(words) >= _FEWEST_WORDS:
        least = max(_LEAST_SHARE * len(words), _LEAST_RATIO * len(ours))
        return best if len(theirs) >= least and n_kinds >= _FEWEST_KINDS else None
    # A letter with an accent is as good as a common word.
    is_accented = any(not word.isascii() for word in words)
    n_words = sum(len(word) > 1 for word in words)
    is_said = n_kinds + is_accented > 1 and 3 * (len(theirs) + is_accented) > n_words
    others = [word for word in words if word not in rare]
    return best if theirs and not ours and (is_said or common.issuperset(others)) else None


def warn_of_language(text: str, language: str, stacklevel: int = 2) -> None:
    """Warn of a text that is evidently in another language than the model's."""
    code = other_language(text, language)
    if code is None:
        return
    names = {code: name.capitalize() for name, code in read_weights("languages")["names"].items()}
    is_there = model_of_language(code) is not None
    how = f"take its own, -l {code}, in Python Truecaser.load({code!r})"
    how = how if is_there else missing_model(code)
    warnings.warn(
        f"the text looks like {names[code]}, and the model is for {names.get(language, language)}: "
        f"{how}",
        OtherLanguageWarning,
        stacklevel=stacklevel + 1,
    )


#: The group of entry points that name models.
GROUP = "truecase.models"


def languages() -> dict[str, str]:
    """Names of the languages besides English that have a model of their own, by code."""
    found: dict[str, str] = read_weights("languages")["models"]
    return found


def how_to_get(language: str) -> str:
    """Say how to get the model of a language where this package was installed."""
    if models_of_checkout() is None and language in languages():
        return f'pip install "truecase-crf[{language}]"'
    file = file_to_install(language)
    if file is not None:
        return f'pip install "{os.path.dirname(os.path.dirname(file))}"'
    return "truecase train makes one of text in the language"


def file_to_install(language: str) -> str | None:
    """Find the model of a language in the checkout; None if it is not there."""
    folder = os.path.join(models_of_checkout() or "", language, f"truecase_model_{language}")
    file = os.path.join(folder, f"{language}.truecase")
    return file if os.path.isabs(file) and os.path.exists(file) else None


def models_of_checkout() -> str | None:
    """Find ``models/`` of the checkout that the package is in, or was installed from."""
    from importlib.metadata import distributions
    from pathlib import Path
    from urllib.request import url2pathname

    places = [Path(_DATA).parents[1]]
    for distribution in distributions(name="truecase-crf", path=[str(places[0])]):
        # What pip keeps of a folder or file that it was told to install (PEP 610).
        url = json.loads(distribution.read_text("direct_url.json") or "{}").get("url", "")
        if url.startswith("file:"):
            source = Path(url2pathname(url.removeprefix("file:")))
            places += [source, *source.parents]
    for place in places:
        if (place / "truecase" / "_core.pyx").exists() and (place / "models").is_dir():
            return str(place / "models")
    return None


def installed_models() -> list[str]:
    """Names of the models of other packages, sorted."""
    # Importing it takes longer than all other imports.
    from importlib.metadata import entry_points

    return sorted({entry.name for entry in entry_points(group=GROUP)})


def installed_model(name: str) -> str | None:
    """Find the file of another package's model; None if no package has one of this name.

    Raises
    ------
    ModelError
        The package that names it is broken, or two packages name it.
    """
    from importlib.metadata import entry_points

    found = {entry.value: entry for entry in entry_points(group=GROUP, name=name)}
    if not found:
        return None
    if len(found) > 1:
        raise ModelError(f"{name}: several packages have a model of this name: {', '.join(found)}")
    (entry,) = found.values()
    try:
        path = entry.load()
    except Exception as error:
        raise ModelError(
            f"{name}: the package that has the model cannot be loaded, {entry.value}: {error}"
        ) from error
    if not isinstance(path, (str, os.PathLike)):
        raise ModelError(f"{name}: {entry.value} is {type(path).__name__}, not the path of a model")
    return os.fspath(path)
