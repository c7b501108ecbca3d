"""Lowercase first words of sentences that have their capital from their place alone.

SmartCase (Zollmann et al. 2006, 4.1): forms are counted away from sentence starts; a
capitalised first word whose most frequent form there is lowercase is lowercased, any other
is kept. This is what users of Moses call truecasing the training data.
"""

from __future__ import annotations

from collections.abc import Iterable

from truecase.errors import ReadError
from truecase.files.read import display_name
from truecase.smartcase._smartcase import CaseTable, FormCounter
from truecase.smartcase.abbreviations import ABBREVIATIONS
from truecase.smartcase.moses import MosesModel, PathLike, read_moses_model
from truecase.smartcase.whole_texts import AnyText, through


def normalize(
    text: AnyText,
    model: MosesModel | PathLike | None = None,
    *,
    segmentation: str = "raw",
    language: str = "",
    encoding: str | None = None,
) -> AnyText:
    """Lowercase first words that are lowercase elsewhere, as ``truecase text normalize`` does.

    Parameters
    ----------
    text : str or bytes
        One or more lines; line ends stay as they are. Bytes are those of a file: they give the
        same bytes as the command.
    model : MosesModel or path-like, optional
        Counts of forms, or the file of a Moses truecase model that has them. By default the
        forms are counted in `text`.
    segmentation : {"raw", "space"}
        Any text, or text whose tokens stand between white space.
    language : str
        Turkish and Azeri (``tr``, ``az``) have case mappings of their own.
    encoding : str, optional
        In which bytes are, any that Python knows; by default what their byte order mark says, or
        UTF-8, which is checked.

    Returns
    -------
    str or bytes
        As `text` is, and in the same encoding.

    Raises
    ------
    ReadError
        The file is no Moses truecase model, or the bytes are clearly in another encoding.
    OSError
        The file cannot be read.
    ValueError
        `segmentation` or `language` is none.
    """
    counts = _counts(model)

    def normalized(block: bytes) -> bytes:
        of_forms = count_forms([block], segmentation, language) if counts is None else counts
        return Normalizer(of_forms, segmentation, language)(block)

    return through(text, encoding, normalized)


def _counts(model: MosesModel | PathLike | None) -> MosesModel | None:
    if model is None or isinstance(model, MosesModel):
        return model
    counts = read_moses_model(model)
    if counts is None:
        raise ReadError(
            f"{display_name(model)}: not a model of Moses' truecaser; without a model, forms are "
            "counted in the text itself"
        )
    return counts


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
