"""A truecaser's model as the arrays and metadata of its file, which tests look at or damage."""

from truecase._core import CompiledModel
from truecase.model.model import Model
from truecase.truecaser import Truecaser


def of_arrays(arrays, metadata, **options) -> Truecaser:
    """A truecaser of what a file holds."""
    return Truecaser(Model.of_arrays(arrays, metadata), **options)


def arrays_of(truecaser) -> dict:
    """Arrays by the names that a file has for them."""
    return truecaser.model.to_arrays()[0]


def metadata_of(truecaser) -> dict:
    """Metadata of the file: sections and notes."""
    return truecaser.model.to_arrays()[1]


def compiled(truecaser) -> CompiledModel:
    """What kernels run over."""
    return CompiledModel(truecaser.model)
