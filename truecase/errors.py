"""What can go wrong by what a user gives. Each error is one sentence that says what to do."""


class TruecaseError(ValueError):
    """Base of all errors of this package that its user can cause.

    A message may quote what stands in a file. It is one line all the same, and steers no terminal:
    what cannot be printed is shown as `repr` shows it.
    """

    def __str__(self) -> str:
        message = super().__str__()
        if message.isprintable():
            return message
        return "".join(c if c.isprintable() else repr(c)[1:-1] for c in message)


class WrongTypeError(TruecaseError, TypeError):
    """An argument, or a part of a model or of a recipe, is of another type than expected."""


class ModelError(TruecaseError):
    """A model file is damaged, of an unknown format, or breaks an invariant of the kernels."""


class TrainingError(TruecaseError):
    """The training text or the recipe cannot give a model."""


class ReadError(TruecaseError):
    """A file is not what it should be; the message names it, and the line where it can."""


class CasingError(TruecaseError):
    """An option of `truecase.options.Casing` has a value that it does not know."""
