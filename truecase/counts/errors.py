"""What can be wrong with files of counts."""

from truecase.errors import TruecaseError


class CountsError(TruecaseError):
    """A file of counts is damaged, or does not go with others or with a text."""
