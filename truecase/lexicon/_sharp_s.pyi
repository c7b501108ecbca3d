"""The German ß of words in capitals, by what a lexicon knows."""

from truecase.lexicon._model_lexicon import Lexicon

__all__ = ["sharp_s_restored"]

def sharp_s_restored(lexicon: Lexicon, block: bytes, segmentation: str = "raw") -> bytes:
    """A block of lines whose words in capitals have ẞ where the lexicon has more of ß than of ss.

    Parameters
    ----------
    lexicon : Lexicon
    block : bytes
        UTF-8 text, lines separated by LF.
    segmentation : {"raw", "space"}
        That of the lexicon's words.

    Returns
    -------
    bytes
        As many lines.
    """
