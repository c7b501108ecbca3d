"""What can go wrong by what a user gives. Each error is one sentence that says what to do."""


class TruecaseError(ValueError):
    """Base of all errors of this package that its user can cause."""


class WrongTypeError(TruecaseError, TypeError):
    """An argument, or a part of a model or of a recipe, is of another type than expected."""


class ModelError(TruecaseError):
    """A model file is damaged, of an unknown format, or breaks an invariant of the kernels."""


class TrainingError(TruecaseError):
    """The training text or the recipe cannot give a model."""


class ReadError(TruecaseError):
    """A file is not what it should be; the message names it, and the line where it can."""
