"""Φ and Π as mapping files of SRILM's ``disambig``: each word of V1 and what it may become in V2.

One V1 word per line, lowercase here, then its surface forms, each with its probability::

    agbago Agbago 0.7142857 AGBAGO 0.2857143

A missing probability is 1; those of a word need not sum to one. As SRILM reads it, a field
after a form is its probability if it is a number. Π is in lines of the same kind, of word
classes and their cases: ``<alphabetic> <alphabetic:AL> 0.4 <alphabetic:IU> 0.6``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from truecase.base.atomic import atomic_write
from truecase.base.compression import compressed
from truecase.base.read import display_name, open_text
from truecase.choices import StrPath
from truecase.errors import MappingError
from truecase.text._casing import fold, lower
from truecase.text._segment import WORD_CLASSES
from truecase.text.casing import CLASS_TAGS

#: What has no line feed for so long is no mapping file.
MAX_LINE_BYTES = 1 << 20

# P of a case that a class of unknown words never has.
_NEVER = 1e-7

# Each digit can be matched in one way: a field may be as long as a line.
_NUMBER = re.compile(rb"[-+]?(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][-+]?[0-9]+)?")
_MARKS = (b"<s>", b"</s>", b"<unk>", b"<UNK>")
_CLASS = re.compile(rb"<(quantity|acronym|hyphenated|alphabetic|other)>")


@dataclass
class Mapping1To2:
    """What a mapping file says.

    Attributes
    ----------
    words : dict of bytes to (dict of bytes to float)
        Probabilities of the forms of each word, which sum to one; words and forms in the
        order of the file.
    unknown_ln : float32 ndarray, shape (20,), or None
        log Π, class c and tag code t at ``4 * c + t``; None if the file has no classes.
    """

    words: dict[bytes, dict[bytes, float]] = field(default_factory=dict)
    unknown_ln: npt.NDArray[np.float32] | None = None


def read_mapping(path: StrPath, language: str = "", encoding: str | None = None) -> Mapping1To2:
    """Read a mapping file, plain or compressed.

    Parameters
    ----------
    path : path-like
    language : str
        ``tr`` and ``az`` have their own case mapping.
    encoding : str, optional
        As for `open_text`.

    Raises
    ------
    MappingError
        It is no mapping file, or maps a word to another one; the message names the line.
    OSError, ReadError
        It cannot be read.
    """
    name = display_name(path)
    mapping = Mapping1To2()
    classes: dict[bytes, dict[bytes, float]] = {}
    folded: dict[str, int] = {}
    number = 0

    def fail(message: str) -> MappingError:
        return MappingError(f"{name}:{number}: {message}")

    with open_text(path, encoding) as file:
        while line := file.readline(MAX_LINE_BYTES):
            number += 1
            if len(line) == MAX_LINE_BYTES:
                raise fail("a line that does not end")
            fields = line.split()
            if not fields or fields[0] in _MARKS:
                continue
            word = fields[0]
            try:
                forms = _forms(fields)
            except ValueError as error:
                raise fail(str(error)) from None
            if _CLASS.fullmatch(word):
                if word in classes:
                    raise fail(f"the class {_shown(word)} is mapped already")
                classes[word] = forms
                unknown = [form for form in forms if form not in _class_forms(word)]
                if unknown:
                    raise fail(f"{_shown(unknown[0])} is no case of the class {_shown(word)}")
                continue
            key = fold(_text(word), language)
            if key in folded:
                raise fail(f"{_shown(word)} is mapped already, in line {folded[key]}")
            folded[key] = number
            for form in forms:
                if fold(_text(form), language) != key:
                    raise fail(f"{_shown(form)} is not {_shown(word)} in another case")
            mapping.words[word] = forms
    if not mapping.words:
        number = max(number, 1)
        raise fail("no word is mapped")
    if classes:
        mapping.unknown_ln = _unknown_ln(classes)
    return mapping


def _forms(fields: list[bytes]) -> dict[bytes, float]:
    """The forms of one line with their shares."""
    forms: dict[bytes, float] = {}
    i = 1
    while i < len(fields):
        form = fields[i]
        i += 1
        probability = 1.0
        if i < len(fields) and _NUMBER.fullmatch(fields[i]):
            probability = float(fields[i])
            i += 1
        if probability < 0:
            raise ValueError(
                f"probability {_shown(fields[i - 1])} of {_shown(form)} is negative (logarithms "
                "cannot be read)"
            )
        if not np.isfinite(probability):
            raise ValueError(f"probability {_shown(fields[i - 1])} of {_shown(form)} is infinite")
        if form in forms:
            raise ValueError(f"{_shown(form)} occurs twice")
        forms[form] = probability
    total = sum(forms.values())
    if not 0 < total < float("inf"):
        raise ValueError(
            f"after the word {_shown(fields[0])}, expected its forms, each with a probability"
        )
    # What sums to one but for rounding stays as it is, so that files can be written again.
    scale = 1.0 if abs(total - 1.0) < 1e-4 else total
    return {form: p / scale for form, p in forms.items() if p > 0}


def _text(surface: bytes) -> str:
    return surface.decode("utf-8", "surrogateescape")


def _shown(surface: bytes) -> str:
    shown = surface.decode("utf-8", "replace")
    return repr(shown if len(shown) <= 40 else shown[:37] + "...")


def _class_forms(word: bytes) -> list[bytes]:
    return [word[:-1] + b":" + tag.encode() + b">" for tag in CLASS_TAGS]


def _unknown_ln(classes: Mapping[bytes, Mapping[bytes, float]]) -> npt.NDArray[np.float32]:
    """log Π; a class that the file lacks stays lowercase, and no case is impossible."""
    table = np.full((len(WORD_CLASSES), len(CLASS_TAGS)), _NEVER)
    table[:, 0] = 1.0
    for c, name in enumerate(WORD_CLASSES):
        word = f"<{name}>".encode()
        if word in classes:
            shares = [classes[word].get(form, 0.0) for form in _class_forms(word)]
            table[c] = np.maximum(shares, _NEVER)
    table_ln: npt.NDArray[np.float32] = np.log(table).astype(np.float32)
    return table_ln.ravel()


def write_mapping(path: StrPath, lines: Iterator[bytes]) -> None:
    """Write a mapping file, whole or not at all; compressed if its name says so."""
    with atomic_write(path) as file, compressed(file, path) as packed:
        packed.writelines(lines)


def mapping_lines(
    surfaces: list[bytes],
    case: npt.NDArray[np.float32],
    unknown_ln: npt.NDArray[np.float32],
    language: str = "",
) -> Iterator[bytes]:
    """Lines of a mapping file: words by first form, the more probable form first, then classes.

    Parameters
    ----------
    surfaces : list of bytes
    case : float32 ndarray
        Φ of each; forms with 0 are left out.
    unknown_ln : float32 ndarray, shape (20,)
        log Π.
    language : str
    """
    words: dict[str, list[tuple[float, bytes]]] = {}
    for surface, share in zip(surfaces, case.tolist(), strict=True):
        if share > 0:
            words.setdefault(fold(_text(surface), language), []).append((-share, surface))
    for forms in words.values():
        forms.sort(key=lambda form: form[0])
        word = lower(_text(forms[0][1]), language).encode("utf-8", "surrogateescape")
        yield _line(word, [(surface, -share) for share, surface in forms])
    by_class = unknown_ln.reshape(len(WORD_CLASSES), len(CLASS_TAGS))
    # Processors differ in the last bit of 32-bit exponentials, whose double has bits to spare.
    table = np.exp(by_class.astype(np.float64)).astype(np.float32)
    for name, shares in zip(WORD_CLASSES, table.tolist(), strict=True):
        word = f"<{name}>".encode()
        yield _line(word, list(zip(_class_forms(word), shares, strict=True)))


def _line(word: bytes, forms: list[tuple[bytes, float]]) -> bytes:
    parts = [word]
    for surface, share in forms:
        parts += [surface, f"{share:.6g}".encode()]
    return b" ".join(parts) + b"\n"
