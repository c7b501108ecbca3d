"""A truecaser's model as the arrays and metadata of a file of format 1, which opens for ever.

Tests look at them, or damage them.
"""

from format1_files import flatten

from truecase._core import CompiledModel
from truecase.model.model import Model
from truecase.truecaser import Truecaser


def of_arrays(arrays, metadata, **options) -> Truecaser:
    """A truecaser of what a file holds."""
    return Truecaser(Model.of_arrays(arrays, {"format": 1, **metadata}), **options)


def arrays_of(truecaser) -> dict:
    """Arrays by the names that a file has for them."""
    model = truecaser.model
    if model.network is not None:  # which format 1 does not have
        return {name.replace("/", "."): array for name, array in model.to_arrays()[0].items()}
    return flatten(model)[0]


def metadata_of(truecaser) -> dict:
    """Metadata of the file, the section ``decoder`` among them."""
    return flatten(truecaser.model.replace(network=None))[1]


def compiled(truecaser) -> CompiledModel:
    """What kernels run over."""
    return CompiledModel(truecaser.model)
