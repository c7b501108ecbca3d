"""Weights of a model for lines with a source."""

from truecase.kernels._dense cimport weigh_features

from truecase.errors import ModelError
from truecase.kernels.schema import SOURCE_COLUMNS


__all__ = ["SourceFeatures"]


cdef class SourceFeatures(Component):
    """Weights that were learned on lines with a source.

    Arrays: ``weights``, one per name in the setting ``features`` for lines with an alignment, and
    again for lines without; optionally ``dense_weights``, one per name in ``dense_features``, which
    replace those of the dense features. The setting ``casing`` is that of the source language.
    """

    about = "weights for lines with a source"

    def __cinit__(self, arrays, settings=None):
        cdef const float[::1] values
        cdef int i, place
        section = self.section("source")
        assert len(SOURCE_COLUMNS) == N_SOURCE_COLUMNS
        names = section.names("features")
        values = section.array("weights", "float32", 2 * len(names))
        for i, name in enumerate(names):
            if name not in SOURCE_COLUMNS:
                raise ModelError(f"source: there is no feature of the name {name!r}; a newer "
                                 "version of the package may have it")
            place = SOURCE_COLUMNS.index(name)
            self.weight[0][place] = values[i]
            self.weight[1][place] = values[len(names) + i]
        self.turkic = section.choice("casing", {"default": 0, "turkic": 1})
        self.weighs_dense = "dense_weights" in self.buffers
        if self.weighs_dense:
            weigh_features(section, "dense_weights", "dense_features", &self.dense, &self.edges)

    @property
    def weights(self):
        """By name: the weight for lines with an alignment, and for lines without."""
        cdef int i
        return {name: (self.weight[0][i], self.weight[1][i])
                for i, name in enumerate(SOURCE_COLUMNS) if name in self.settings["features"]}

    def info(self):
        return {**super().info(), "features": len(self.settings["features"])}
