"""Lowercase first words of sentences that have their capital from their place alone.

SmartCase (Zollmann et al. 2006, 4.1): forms are counted away from sentence starts; a
capitalised first word whose most frequent form there is lowercase is lowercased, any other
is kept. This is what users of Moses call truecasing the training data.
"""

from __future__ import annotations

from collections.abc import Iterable

from truecase.smartcase._smartcase import CaseTable, FormCounter
from truecase.smartcase.abbreviations import ABBREVIATIONS
from truecase.smartcase.moses import MosesModel


def count_forms(
    blocks: Iterable[bytes], segmentation: str = "raw", language: str = ""
) -> MosesModel:
    """Count surface forms away from sentence starts.

    Parameters
    ----------
    blocks : iterable of bytes
        Whole lines each.
    segmentation : {"raw", "space"}
        Any text, or text whose tokens stand between white space.
    language : str
        Turkish and Azeri (``tr``, ``az``) have case mappings of their own.

    Returns
    -------
    MosesModel
        Words by first occurrence; of a word's forms the most frequent first, of equally
        frequent ones the lowercase one, then by first occurrence.
    """
    counter = FormCounter(segmentation, language, ABBREVIATIONS)
    for block in blocks:
        counter.add_block(block)
    words: dict[int, list[tuple[int, bool, bytes]]] = {}
    for key, surface, count, is_lower in counter.forms():
        words.setdefault(key, []).append((-count, not is_lower, surface))
    for forms in words.values():
        # A stable sort: what is equal stays by first occurrence.
        forms.sort(key=lambda form: form[:2])
    return MosesModel(
        (float(-sum(form[0] for form in forms)), [(form[2], float(-form[0])) for form in forms])
        for forms in words.values()
    )


class Normalizer:
    """Lowercases first words by the counts of a model.

    First words of sentences within a line are too, and those after colons. Only words with
    nothing but a capital first letter change. May be used by any number of threads at once.

    Parameters
    ----------
    model : MosesModel
        From `count_forms`, or made by Moses' tools.
    segmentation : {"raw", "space"}
        Any text, or text whose tokens stand between white space.
    language : str
        Turkish and Azeri (``tr``, ``az``) have case mappings of their own.
    """

    def __init__(self, model: MosesModel, segmentation: str = "raw", language: str = "") -> None:
        self._table = CaseTable(segmentation, language, ABBREVIATIONS, model.forms())

    def __call__(self, block: bytes) -> bytes:
        """Normalise whole lines; all but case comes out byte for byte."""
        return self._table.normalize(block)
