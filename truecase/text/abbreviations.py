"""Abbreviations that a full stop belongs to, for Python; kernels have lists of their own."""

#: Alternatives of a pattern that ignores case: titles and the like, which a name or number follows.
BEFORE_NAMES = "mrs?|ms|dr|st|vs|prof|jr|sr|lt|col|gen|sgt|capt|rev|hon|no|mt"
