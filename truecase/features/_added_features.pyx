"""Weights of sparse features that a domain adds to a model's."""

from truecase.features._sparse_features cimport fill_weights

__all__ = ["AddedFeatures"]


cdef class AddedFeatures(Component):
    """Weights of a domain, added to those that a model's sparse features have.

    Arrays: ``TAG.slots`` and ``TAG.weight`` of the tags iu, au and mx, as of `SparseFeatures`,
    whose templates they are of.
    """

    about = "weights that a domain adds to those of sparse features"

    def __cinit__(self, arrays, settings=None):
        cdef int t
        section = self.section("sparse_domain")
        self.n_features = 0
        for t, name in enumerate(("iu", "au", "mx")):
            self.n_features += fill_weights(&self.tables[t], section, name)

    def info(self):
        """What it is, in a few words and numbers."""
        return {**super().info(), "features": self.n_features}
