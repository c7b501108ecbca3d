"""Lines all in upper case, made of others: texts have few, and their source tells them well."""

from truecase.alignment.lines import AlignedLines
from truecase.alignment.phrases import Phrases
from truecase.text._casing import upper


def all_caps_lines(
    lines: AlignedLines, every: int, language: str = "", source_language: str = ""
) -> AlignedLines:
    """Some of the lines, both sides in upper case.

    Parameters
    ----------
    lines : AlignedLines
    every : int
        Of so many lines one, the last of them, is taken.
    language, source_language : str
        For the case mappings.

    Returns
    -------
    AlignedLines
    """
    target, source = lines.target.split(b"\n"), lines.source.split(b"\n")
    n_lines = len(target) - (not target[-1])
    # A last line of the source that is empty may lack its line end.
    source += [b""] * (n_lines - len(source))
    chosen = [
        i
        for i in range(every - 1, n_lines, every)
        # A source without case looks the same: nothing would tell that its line is upper case.
        if _upper(source[i], source_language) != source[i]
    ]
    phrases = None
    if lines.phrases is not None:
        phrases = Phrases.concatenate([lines.phrases.select(i, i + 1) for i in chosen])
    return AlignedLines(
        b"".join(_upper(target[i], language) + b"\n" for i in chosen),
        b"".join(_upper(source[i], source_language) + b"\n" for i in chosen),
        phrases,
    )


def _upper(line: bytes, language: str) -> bytes:
    return upper(line.decode("utf-8", "surrogateescape"), language).encode(
        "utf-8", "surrogateescape"
    )
