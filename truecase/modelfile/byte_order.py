"""Numbers of model files are little-endian, and kernels read text eight bytes at a time as such."""

import sys

from truecase.errors import ModelError


def check_byte_order() -> None:
    """Refuse a machine that would read, hash and write models in another way.

    Raises
    ------
    ModelError
        It is big-endian.
    """
    if sys.byteorder != "little":
        raise ModelError(
            "this machine is big-endian, but truecase and its model files need one that is "
            "little-endian, such as x86-64 and 64-bit ARM"
        )
