"""What all components of a model have: arrays, settings, and a struct that points into them."""

from truecase.base.section import Section

__all__ = ["Component"]


cdef class Component:
    """A part of a model: its arrays, and settings that say what they mean.

    Made whole or not at all: a part is checked as it is made, so that nothing in it can make a
    kernel read outside its arrays.

    Parameters
    ----------
    arrays : mapping of str to buffer
        NumPy's, or memoryviews of a mapped file; kept, not copied.
    settings : mapping, optional
        JSON-able.

    Raises
    ------
    ModelError
        If an array is missing, of the wrong type or length, or a setting is out of range.
    """

    about = "a part of a model"

    def __cinit__(self, arrays, settings=None):
        self.buffers = dict(arrays)
        self.settings = dict(settings or {})
        self.kept = []

    def __reduce__(self):
        return type(self), (self.arrays, self.settings)

    def __repr__(self):
        return f"<{type(self).__name__}: {self.about}, {self.n_bytes:,} bytes>"

    @property
    def arrays(self):
        """By name; what they hold is not copied."""
        import numpy as np

        return {name: np.asarray(buffer) for name, buffer in self.buffers.items()}

    cpdef object section(self, str name):
        """The arrays and settings, each to be checked as it is taken."""
        return Section(name, self.buffers, self.settings, self.kept)

    @property
    def n_bytes(self):
        """Size of the arrays."""
        return sum([memoryview(buffer).nbytes for buffer in self.buffers.values()])

    def info(self):
        """What it is, in a few words and numbers."""
        return {"is": self.about, "bytes": self.n_bytes}
