"""Numbers of model files are little-endian everywhere; where a machine's are not, they are turned.

The container's views of a file are then copies, and models are not shared between processes.
"""

from __future__ import annotations

import array
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


def native(view: memoryview[Any]) -> memoryview[Any]:
    """The numbers that little-endian ones are, `view` itself on most machines.

    Parameters
    ----------
    view : memoryview
        Of one of the types of `truecase.modelfile.layout.FORMATS`.
    """
    if sys.byteorder == "little" or view.itemsize == 1:
        return view
    numbers: array.array[Any] = array.array(view.format)
    numbers.frombytes(view.cast("B"))
    numbers.byteswap()
    return memoryview(numbers).toreadonly()


def little_endian(numbers: npt.NDArray[Any]) -> npt.NDArray[np.generic]:
    """The numbers with little-endian bytes, one after the other; no copy on most machines."""
    import numpy as np

    return np.ascontiguousarray(numbers, numbers.dtype.newbyteorder("<"))
