"""The base class of a model's components: arrays, settings, and a struct that points into them."""

from truecase.base.section import Section


cdef class Component:
    """A part of a model: arrays, and settings that describe them.

    All arrays and settings are checked at construction, so that no kernel can read outside its
    arrays.

    Parameters
    ----------
    arrays : mapping of str to buffer
        NumPy arrays, or memoryviews of a mapped file; not copied.
    settings : mapping, optional
        JSON-able.

    Raises
    ------
    ModelError
        An array is missing or has the wrong type or length, or a setting is out of range.
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
        """NumPy views of the arrays by name."""
        import numpy as np

        return {name: np.asarray(buffer) for name, buffer in self.buffers.items()}

    cpdef object section(self, str name):
        """The arrays and settings, for checking."""
        return Section(name, self.buffers, self.settings, self.kept)

    @property
    def n_bytes(self):
        """Size of the arrays."""
        return sum([memoryview(buffer).nbytes for buffer in self.buffers.values()])

    def info(self):
        """A description and some figures."""
        return {"is": self.about, "bytes": self.n_bytes}
