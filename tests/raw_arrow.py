"""Arrow arrays of any buffers, sound or not, as some library might offer them."""

import ctypes

import numpy as np


class Schema(ctypes.Structure):
    pass


class Array(ctypes.Structure):
    pass


_RELEASE = ctypes.CFUNCTYPE(None, ctypes.c_void_p)

Schema._fields_ = [
    ("format", ctypes.c_char_p),
    ("name", ctypes.c_char_p),
    ("metadata", ctypes.c_char_p),
    ("flags", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.POINTER(Schema)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]
Array._fields_ = [
    ("length", ctypes.c_int64),
    ("null_count", ctypes.c_int64),
    ("offset", ctypes.c_int64),
    ("n_buffers", ctypes.c_int64),
    ("n_children", ctypes.c_int64),
    ("buffers", ctypes.POINTER(ctypes.c_char_p)),
    ("children", ctypes.c_void_p),
    ("dictionary", ctypes.POINTER(Array)),
    ("release", ctypes.c_void_p),
    ("private_data", ctypes.c_void_p),
]

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.restype = ctypes.py_object
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]


class Raw:
    """An array that says of itself what it is told to say.

    Parameters
    ----------
    letters : bytes or None
        Its type.
    length : int
    buffers : bytes or None
    dictionary : Raw, optional
    offset, n_buffers : int, optional
    """

    def __init__(self, letters, length, *buffers, dictionary=None, offset=0, n_buffers=None):
        pointers = (ctypes.c_char_p * max(len(buffers), 1))(*buffers)
        self.kept = (letters, buffers, pointers, dictionary)
        self.schema = Schema(format=letters, name=b"", flags=2)
        self.array = Array(
            length=length,
            null_count=-1,
            offset=offset,
            n_buffers=len(buffers) if n_buffers is None else n_buffers,
            buffers=pointers,
        )
        if dictionary is not None:
            self.schema.dictionary = ctypes.pointer(dictionary.schema)
            self.array.dictionary = ctypes.pointer(dictionary.array)

    def __arrow_c_array__(self, requested_schema=None):
        return (
            _new_capsule(ctypes.addressof(self.schema), b"arrow_schema", None),
            _new_capsule(ctypes.addressof(self.array), b"arrow_array", None),
        )


def column_of_texts(texts):
    """A column of strings."""
    rows = [text.encode() for text in texts]
    ends = np.cumsum([0, *map(len, rows)]).astype(np.int32)
    return Raw(b"u", len(rows), None, ends.tobytes(), b"".join(rows))
