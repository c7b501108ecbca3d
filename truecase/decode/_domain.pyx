"""A domain's lexicon and n-grams, and their share."""

from truecase.errors import ModelError

__all__ = ["Domain"]


def _part(names, prefix):
    return {name[len(prefix):]: value for name, value in names.items() if name.startswith(prefix)}


cdef class Domain(Component):
    """A second lexicon and language model, interpolated with the first.

    Arrays and settings are those of `Lexicon` and `LanguageModel` below ``lexicon`` and ``lm``;
    the setting ``share`` says how much of the domain's probability is taken.
    """

    about = "a domain's lexicon and n-grams"

    def __cinit__(self, arrays, settings=None):
        section = self.section("domain")
        self.share = section.number("share", 1e-6, 1 - 1e-6)
        made = []
        for name, kind in (("lexicon", Lexicon), ("lm", LanguageModel)):
            own = self.settings.get(name)
            if not isinstance(own, dict):
                raise ModelError(f"the setting domain.{name} is missing")
            try:
                made.append(kind(_part(self.buffers, f"{name}/"), own))
            except ModelError as error:
                raise ModelError(f"domain: {error}") from None
        self.lexicon, self.lm = made

    @staticmethod
    def of(double share, Lexicon lexicon not None, LanguageModel lm not None):
        """That of parts which are there."""
        parts = {"lexicon": lexicon, "lm": lm}
        arrays = {f"{name}/{key}": array for name, part in parts.items()
                  for key, array in part.arrays.items()}
        return Domain(
            arrays, {"share": share, **{name: part.settings for name, part in parts.items()}})

    def info(self):
        """What it is, in a few words and numbers."""
        return {
            **super().info(),
            "share": self.share,
            "lexicon": self.lexicon.info(),
            "lm": self.lm.info(),
        }
