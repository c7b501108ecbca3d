"""Lowercases first words of sentences that are capitalised for their position alone.

SmartCase (Zollmann et al. 2006, 4.1) counts forms that do not begin a sentence. A capitalised first
word is lowercased if its most frequent form is lowercase. Users of Moses call this truecasing the
training data.
"""

from __future__ import annotations

from collections.abc import Iterable

from truecase.base.read import display_name
from truecase.errors import ReadError
from truecase.options import StrPath
from truecase.smartcase._smartcase import CaseTable, FormCounter
from truecase.smartcase.abbreviations import ABBREVIATIONS
from truecase.smartcase.moses import MosesModel, read_moses_model
from truecase.smartcase.whole_texts import AnyText, through


def normalize(
    text: AnyText,
    model: MosesModel | StrPath | None = None,
    *,
    segmentation: str = "raw",
    language: str = "",
    encoding: str | None = None,
) -> AnyText:
    """Lowercase first words that are lowercase elsewhere, as ``truecase text normalize`` does.

    Parameters
    ----------
    text : str or bytes
        One or more lines; line ends are kept. The bytes of a file give the same bytes as the
        command.
    model : MosesModel or path-like, optional
        Counts of forms, or the file of a Moses truecase model. By default the forms are counted in
        `text`.
    segmentation : {"raw", "space"}
        Natural text, or tokens separated by white space.
    language : str
        Turkish and Azeri (``tr``, ``az``) have case mappings of their own.
    encoding : str, optional
        Encoding of bytes, any that Python knows; by default that of the byte order mark, or UTF-8,
        which is checked.

    Returns
    -------
    str or bytes
        The same type and encoding as `text`.

    Raises
    ------
    ReadError
        The file is not a Moses truecase model, or the bytes are clearly in another encoding.
    OSError
        The file cannot be read.
    ValueError
        `segmentation` or `language` is unknown.
    """
    counts = _counts(model)

    def normalized(block: bytes) -> bytes:
        of_forms = count_forms([block], segmentation, language) if counts is None else counts
        return Normalizer(of_forms, segmentation, language)(block)

    return through(text, encoding, normalized)


def _counts(model: MosesModel | StrPath | None) -> MosesModel | None:
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
        Whole lines.
    segmentation, language : str
        As for `normalize`.

    Returns
    -------
    MosesModel
        Words by first occurrence; forms of a word by frequency, then lowercase first, then by first
        occurrence.
    """
    counter = FormCounter(segmentation, language, ABBREVIATIONS)
    for block in blocks:
        counter.add_block(block)
    words: dict[int, list[tuple[int, bool, bytes]]] = {}
    for key, surface, count, is_lower in counter.forms():
        words.setdefault(key, []).append((-count, not is_lower, surface))
    for forms in words.values():
        # A stable sort: equal forms stay in order of first occurrence.
        forms.sort(key=lambda form: form[:2])
    return MosesModel(
        (float(-sum(form[0] for form in forms)), [(form[2], float(-form[0])) for form in forms])
        for forms in words.values()
    )


class Normalizer:
    """Lowercases first words of sentences, and words after colons, by the counts of a model.

    Only words whose first letter alone is a capital change. Any number of threads may use it.

    Parameters
    ----------
    model : MosesModel
        From `count_forms`, or made by Moses' tools.
    segmentation, language : str
        As for `normalize`.
    """

    def __init__(self, model: MosesModel, segmentation: str = "raw", language: str = "") -> None:
        self._table = CaseTable(segmentation, language, ABBREVIATIONS, model.forms())

    def __call__(self, block: bytes) -> bytes:
        """Normalise whole lines; only case changes."""
        return self._table.normalize(block)
