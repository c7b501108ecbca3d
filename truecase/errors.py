"""Errors and warnings that a user can cause, and the check of arguments.

Each message is one sentence that says what to do.
"""

import os
import sys
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import cache
from operator import index
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Literal, SupportsIndex, Union, get_args, get_origin, get_type_hints


class TruecaseError(ValueError):
    """Base class of this package's errors.

    A message may quote a file. It still fits one line and cannot control a terminal: characters
    that cannot be printed appear as `repr` shows them.
    """

    def __str__(self) -> str:
        message = super().__str__()
        if message.isprintable():
            return message
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)


# Arguments


class WrongTypeError(TruecaseError, TypeError):
    """An argument, or a part of a model or recipe, has another type than expected."""


class UsageError(TruecaseError):
    """Two arguments of the command contradict each other."""


class StyleError(TruecaseError):
    """The style does not exist, its pattern is invalid, or the model cannot detect titles."""


class LanguagesError(TruecaseError):
    """There are fewer than two languages to choose from."""


class DocumentError(TruecaseError):
    """The text given for a document's end cannot end one."""


# Models and training


class ModelError(TruecaseError):
    """A model file is damaged, has an unknown format, or breaks an invariant of the kernels."""


class TrainingError(TruecaseError):
    """The training text or the recipe cannot give a model."""


class OptionError(TrainingError):
    """The recipe does not have this option.

    Attributes
    ----------
    option : str
        Its path, such as ``dense.sigma``.
    preset : str
        The recipe's preset.
    presets : list of str
        Presets that have the option.
    """

    def __init__(self, option: str, preset: str, presets: list[str]) -> None:
        self.option = option
        self.preset = preset
        self.presets = presets
        super().__init__(f"{option}: {self.reason}")

    @property
    def reason(self) -> str:
        """Which presets have the option."""
        if not self.presets:
            return "there is no such option"
        who = "only the preset" if len(self.presets) == 1 else "only the presets"
        return f"{who} {', '.join(self.presets)} {'has' if len(self.presets) == 1 else 'have'} it"


class EmptyCorpusError(TruecaseError):
    """The corpus has nothing to estimate a model from."""


class PackingError(TruecaseError):
    """The entries do not fit a packed table of this shape."""


class CaselessTextWarning(UserWarning):
    """A text to learn case from has none, or hardly any."""


class OtherLanguageWarning(UserWarning):
    """A text is evidently in another language than the model's."""


class LearningWarning(UserWarning):
    """Learning stopped before its weights converged, or made a model worse on held-out text."""


class DiscountWarning(UserWarning):
    """Fixed discounts replace those that the counts cannot give."""


class SkippedWordsWarning(UserWarning):
    """The corpus has words that read like special ones."""


# Evaluation


class EvaluationError(TruecaseError):
    """Reference and output differ in their lines or words, or have no words."""


class ExplanationError(TruecaseError):
    """The text cannot be explained."""


# Files; the message names the file, and the line or row where it can


class ReadError(TruecaseError):
    """A file is damaged, in an unexpected encoding or format, or does not fit another one."""


class OutputError(OSError):
    """Standard output, or a file named on the command line, cannot be written."""


class CompressionError(ValueError):
    """No installed package can compress the file as its name asks."""


class FormatError(TruecaseError):
    """A file does not follow its format."""


class TableError(TruecaseError):
    """A table is damaged, or lacks a column that it should have."""


class TableOptionError(TableError):
    """Options contradict each other; the message begins with the name of one."""


class ColumnError(TruecaseError):
    """A column does not hold text, is damaged, or does not fit another one."""


class ReviewError(TruecaseError):
    """The page cannot be made, or the corrections do not fit the file."""


class NamesError(TruecaseError):
    """A list of names has an entry that is not a name."""


class CountsError(TruecaseError):
    """A file of counts is damaged, or does not fit other counts or the text."""


class ArpaError(TruecaseError):
    """An ARPA file cannot be read."""


class MappingError(TruecaseError):
    """A mapping file cannot be used."""


class AlignmentError(TruecaseError):
    """An alignment is damaged or does not fit its lines."""


class AlignerError(TruecaseError):
    """The aligner's library is not installed, or failed."""


class RecordError(ReadError):
    """A case record is damaged or does not fit the lines."""


class ShiftError(TruecaseError):
    """A text contains the signs that stand for shifted punctuation."""


class CasingError(TruecaseError):
    """An option of `truecase.options.Casing` has a value that it does not know."""


@contextmanager
def named(name: str, kind: type[TruecaseError] = ModelError) -> Iterator[None]:
    """Put a name, such as that of a file, in front of errors of one kind."""
    try:
        yield
    except kind as error:
        raise kind(f"{name}: {error}") from None


def check_type(name: str, value: object, kinds: type | tuple[type, ...], expected: str) -> None:
    """Raise `WrongTypeError` if a value has none of these types; `expected` names them."""
    if not isinstance(value, kinds):
        raise WrongTypeError(f"{name}: expected {expected}, found {type(value).__name__}")


def check_threads(threads: object) -> None:
    """Raise `WrongTypeError` or `TruecaseError` if a number of threads is not 1 or more."""
    if not isinstance(threads, int):
        check_type("threads", threads, SupportsIndex, "an int")
    if threads < 1:  # type: ignore[operator]
        raise TruecaseError(f"threads {threads}: expected 1 or more")


# How messages call types, and those that are not classes.
_NAMES: dict[object, str] = {
    bool: "True or False",
    int: "an int",
    float: "a number",
    str: "a str",
    NoneType: "None",
    os.PathLike: "a path",
    Callable: "a function",
    **dict.fromkeys((Collection, Iterable, Sequence), "a list"),
}


def check_arguments(called: Callable[..., object], given: Mapping[str, object]) -> None:
    """Check arguments by the annotations of a function or class, and threads by their number.

    `given` may be its local names. Annotations with names that only type checkers know, and with
    protocols, are left to the function.

    Raises
    ------
    WrongTypeError, TruecaseError
        An argument is wrong; the message names it.
    """
    for name, declared in _declared(called).items():
        if name in given:
            value = given[name]
            if hasattr(value, "__index__") and not isinstance(value, int):
                with suppress(TypeError):  # numbers of other libraries are as good
                    value = index(value)
            check_declared(name, value, declared)
    if "threads" in given:
        check_threads(given["threads"])


@cache
def _declared(called: Callable[..., object]) -> dict[str, Any]:
    """Find the types of a function's or class's parameters by their annotations."""
    module = vars(sys.modules[called.__module__])
    types: dict[str, Any] = {}
    for one in called.__annotations__.items():
        with suppress(NameError):
            types |= get_type_hints(SimpleNamespace(__annotations__=dict([one])), module)
    return types


def check_declared(name: str, value: object, declared: Any) -> None:
    """Raise `WrongTypeError` if a value has not the type that an annotation declares."""
    if not _is_of(value, declared):
        raise WrongTypeError(f"{name}: expected {_described(declared)}, found {_found(value)}")
    if isinstance(value, (list, tuple)):
        for one in alternatives(declared):
            if get_origin(one) in (Iterable, Collection):
                for place, item in enumerate(value):
                    check_declared(f"{name}[{place}]", item, get_args(one)[0])


@cache
def alternatives(declared: Any) -> tuple[Any, ...]:
    """Return the types of a union, or the one type itself."""
    return get_args(declared) if get_origin(declared) in (Union, UnionType) else (declared,)


def _is_of(value: object, declared: Any) -> bool:
    """Whether a value has a declared type; of a literal, any str."""
    if type(value) in alternatives(declared):
        return True
    for one in alternatives(declared):
        origin = get_origin(one)
        if origin is Literal:
            matches = isinstance(value, str)
        elif origin is tuple:
            inner = get_args(one)[0]
            matches = isinstance(value, tuple) and all(_is_of(item, inner) for item in value)
        elif origin is Mapping:
            key, inner = get_args(one)
            matches = isinstance(value, Mapping) and all(
                _is_of(name, key) and _is_of(item, inner) for name, item in value.items()
            )
        elif one in (int, float):
            # A bool is an int to Python, and an int a number to everyone.
            numbers = (int, float) if one is float else int
            matches = isinstance(value, numbers) and not isinstance(value, bool)
        elif origin is not None:
            matches = isinstance(value, origin)
        else:
            is_class = isinstance(one, type) and not getattr(one, "_is_protocol", False)
            matches = not is_class or isinstance(value, one)
        if matches:
            return True
    return False


def _described(declared: Any) -> str:
    parts = []
    for one in alternatives(declared):
        if get_origin(one) is Literal:
            parts += [repr(value) for value in get_args(one)]
        elif get_origin(one) is tuple:
            parts.append(f"a tuple of {get_args(one)[0].__name__}")
        elif get_origin(one) is Mapping:
            parts.append("a mapping of {.__name__} to {.__name__}".format(*get_args(one)))
        else:
            parts.append(_NAMES.get(get_origin(one) or one, one.__name__))
    *others, last = dict.fromkeys(parts)
    return f"{', '.join(others)} or {last}" if others else last


def _found(value: object) -> str:
    """The type of a value; of a tuple, with the types of its items."""
    if isinstance(value, tuple) and value:
        return "a tuple of " + " and ".join(sorted({type(item).__name__ for item in value}))
    return type(value).__name__
