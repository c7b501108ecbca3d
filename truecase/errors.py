"""Errors and warnings that a user can cause; each message is one sentence that says what to do."""

from collections.abc import Iterator
from contextlib import contextmanager


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
    """Arguments contradict each other, or do not fit the model or the text."""


class StyleError(UsageError):
    """The style does not exist, its pattern is invalid, or the model cannot detect titles."""


class LanguagesError(TruecaseError):
    """There are fewer than two languages to choose from."""


class DocumentError(UsageError):
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

    def __reduce__(self) -> tuple[object, ...]:
        return OptionError, (self.option, self.preset, self.presets)

    @property
    def reason(self) -> str:
        """Which presets have the option."""
        if not self.presets:
            return "there is no such option"
        return f"only these presets have it: {', '.join(self.presets)}"


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


class CasingError(UsageError):
    """An option of `truecase.options.Casing` has a value that it does not know."""


@contextmanager
def named(name: str, kind: type[TruecaseError] = ModelError) -> Iterator[None]:
    """Put a name, such as that of a file, in front of errors of one kind."""
    try:
        yield
    except kind as error:
        raise kind(f"{name}: {error}") from None
