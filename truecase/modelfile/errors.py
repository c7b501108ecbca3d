"""What goes wrong with a model file."""


class ModelError(ValueError):
    """A model file is damaged, of an unknown format, or breaks an invariant of the kernels."""
