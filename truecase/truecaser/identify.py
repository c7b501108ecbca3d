"""Identify the language of a line: the one whose model finds the line's words likeliest.

A word's probability is its share of a model's training text, whatever its case. Unknown words share
the probability of the model's word classes, and are less likely if the language lacks one of their
letters.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from truecase.errors import ModelError

if TYPE_CHECKING:
    import numpy.typing as npt

    from truecase.truecaser import Truecaser


#: Letters of languages beyond a to z: the main exemplar characters of CLDR. A language that is not
#: here may have any letter.
ALPHABETS = {
    "az": "çəğıİöşü",
    "ca": "àçèéíïòóúü",
    "cs": "áčďéěíňóřšťúůýž",
    "da": "åæø",
    "de": "äöüß",
    "el": "αάβγδεέζηήθιίϊΐκλμνξοόπρσςτυύϋΰφχψωώ",
    "en": "",
    "es": "áéíñóúü",
    "et": "äõöšüž",
    "fi": "åäö",
    "fr": "àâæçèéêëîïôœùûüÿ",
    "ga": "áéíóú",
    "hr": "čćđšž",
    "hu": "áéíóöőúüű",
    "it": "àèéìòóù",
    "lt": "ąčęėįšųūž",
    "lv": "āčēģīķļņšūž",
    "nl": "áäéëíïóöúü",
    "nb": "àåæéòóôø",
    "nn": "àåæéòóôø",
    "no": "àåæéòóôø",
    "pl": "ąćęłńóśźż",
    "pt": "àáâãçéêíòóôõú",
    "ro": "ăâîșț",
    "ru": "абвгдеёжзийклмнопрстуфхцчшщъыьэюя",
    "sk": "áäčďéíĺľňóôŕšťúýž",
    "sl": "čšž",
    "sv": "àåäéö",
    "tr": "âçğıîİöşüû",
    "uk": "абвгґдеєжзиіїйклмнопрстуфхцчшщьюя",
}


def letters_of(language: str) -> frozenset[str] | None:
    """Letters of a language (``de``, ``pt-BR``) beyond a to z, in both cases; None: any letter."""
    letters = ALPHABETS.get(language.partition("-")[0])
    if letters is None:
        return None
    return frozenset(letters + letters.upper())


#: The share of one unknown word in the probability of all of them; found on development text of
#: ten languages (docs/experiments/languages.md).
ONE_UNKNOWN = 3e-6
#: A line is undecided unless a language is likelier than any other by so many nats.
LEAST_MARGIN = 3.0
#: A line is undecided if its language's model knows a smaller share of its words.
LEAST_KNOWN = 1 / 3
#: Nats by which an unknown word is less likely if the language lacks one of its letters; found in
#: the same way.
OTHER_LETTER = 6.0

_WORDS = re.compile(r"[^\W\d_]+|\n")
_ASCII = re.compile("[A-Za-z]+")


@dataclass(frozen=True)
class LineLanguages:
    """The languages of some lines.

    Attributes
    ----------
    best : int ndarray
        The index of each line's likeliest language.
    is_sure : bool ndarray
        Whether the words of the line decide its language.
    """

    best: npt.NDArray[np.intp]
    is_sure: npt.NDArray[np.bool_]


class LanguageIdentifier:
    """Identifies languages by the words of their models. Any number of threads may use it.

    Parameters
    ----------
    truecasers : mapping of str to Truecaser
        By the names of their languages.

    Raises
    ------
    ModelError
        A model does not say how many words it was trained on.
    """

    def __init__(self, truecasers: Mapping[str, Truecaser]) -> None:
        self._truecasers = list(truecasers.values())
        self._letters = [letters_of(name) for name in truecasers]
        self._n_words = []
        self._unknown = []
        for name, truecaser in truecasers.items():
            n_words = truecaser.about()["tokens"]
            if not isinstance(n_words, int) or n_words < 1:
                raise ModelError(
                    f"{name}: this model does not say how much text it was trained on, so that "
                    "its language cannot be told from others"
                )
            classes = truecaser.model.lexicon.arrays["classes.probability_ln"]
            unknown = float(np.exp(classes.astype(np.float64)).sum())
            self._n_words.append(n_words)
            # A model that leaves nothing to unknown words would rule its language out.
            self._unknown.append(ONE_UNKNOWN * max(unknown, 1e-4))

    def identify(self, lines: Sequence[str]) -> LineLanguages:
        """Identify the language of each line by itself; its case and line feeds are ignored."""
        if not lines:
            return LineLanguages(np.empty(0, np.intp), np.empty(0, np.bool_))
        number: dict[str, int] = {"\n": 0}
        words = _WORDS.findall("".join(line.replace("\n", " ") + "\n" for line in lines))
        ids = np.array([number.setdefault(word, len(number)) for word in words], np.intp)
        likely, known = self._of_words(list(number)[1:])
        ends = np.flatnonzero(ids == 0)
        scores = _line_sums(likely, ids, ends)
        n_known = _line_sums(known, ids, ends)
        n_words = np.diff(ends, prepend=-1) - 1
        best = scores.argmax(axis=0)
        places = np.arange(len(lines))
        # The best score is the last of the sorted ones.
        second = np.partition(scores, -2, axis=0)[-2] if len(scores) > 1 else -np.inf
        margin = scores[best, places] - second
        knows = n_known[best, places] >= LEAST_KNOWN * n_words
        return LineLanguages(best, (margin >= LEAST_MARGIN) & knows & (n_words > 0))

    def _of_words(
        self, words: list[str]
    ) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.float64]]:
        """Log-probability of the line end and each word by each model; 1 where a word is known."""
        shape = (len(self._truecasers), 1 + len(words))
        likely, known = np.zeros(shape), np.zeros(shape)
        block = " ".join(words).encode()
        # All words have few combinations of letters beyond a to z.
        number: dict[str, int] = {}
        odd = np.array([number.setdefault(x, len(number)) for x in _odd_letters(words)], np.intp)
        seen = [frozenset(letters) for letters in number]
        for place, truecaser in enumerate(self._truecasers):
            counts = truecaser.training_counts(block)
            if len(counts) != len(words):
                # Letters of several scripts may be several words.
                counts = [truecaser.training_count(word) for word in words]
            share = np.array(counts, np.float64) / self._n_words[place]
            known[place, 1:] = share > 0
            letters = self._letters[place]
            is_other = [letters is not None and not odds <= letters for odds in seen]
            other = np.array(is_other, np.bool_)[odd] & (share == 0)
            likely[place, 1:] = np.log(np.maximum(share, self._unknown[place]))
            likely[place, 1:] -= OTHER_LETTER * other
        return likely, known


def _odd_letters(words: list[str]) -> list[str]:
    """Letters of each word beyond a to z."""
    return _ASCII.sub("", "\n".join(words)).split("\n")


def _line_sums(
    of_words: npt.NDArray[np.float64], ids: npt.NDArray[np.intp], ends: npt.NDArray[np.intp]
) -> npt.NDArray[np.float64]:
    """Sums over the words of each line, which end at `ends`, for each model."""
    sums = np.cumsum(of_words[:, ids], axis=1)[:, ends]
    return np.diff(sums, axis=1, prepend=0.0)
