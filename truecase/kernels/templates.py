"""The fields and templates of sparse features, by name."""

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

from truecase.errors import TemplateError
from truecase.kernels.schema import FIELDS

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt


MAX_TEMPLATES = 128
MAX_FIELDS = 5

#: Templates evaluated for every word that has a choice.
ALWAYS = (
    "word", "before", "after", "before2", "after2",
    "before+word", "word+after", "before2+word", "word+after2", "before+after",
    "before2+before", "after+after2", "before2+before+word", "word+after+after2",
    "before+word+after",
    "prior", "prior_before+prior", "prior+prior_after", "usual_before+prior+usual_after",
    "usual_before2+usual_before+prior", "prior+usual_after+usual_after2",
    "usual_before2+usual_before+usual+usual_after+usual_after2",
    "before+prior", "prior+after", "before+prior+after", "before+prior+usual_after",
    "usual_before+prior+after", "before2+before+prior", "prior+after+after2",
    "word+usual_before", "word+usual_after", "usual_before+word+usual_after",
    "usual_before2+usual_before+word", "word+usual_after+usual_after2",
    "usual_before2+before+word", "word+after+usual_after2",
    "usual_before2+before+prior", "prior+after+usual_after2",
    "first+word", "first+prior+usual_after", "first+prior+after",
    "style+prior", "style+word", "style+usual_before+prior+usual_after",
    "suffix_before+prior", "prior+suffix_after",
    "inside+prior", "inside+usual_before+prior+usual_after",
    "before+inside", "before+inside+prior+usual_after", "inside+style+prior",
)  # fmt: skip

#: Templates evaluated for unknown and rare words only.
RARE = (
    "prefix1+usual", "prefix2+usual", "prefix3+usual", "prefix4+usual", "prefix5+usual",
    "suffix1+usual", "suffix2+usual", "suffix3+usual", "suffix4+usual", "suffix5+usual",
    "shape+usual", "shape+usual_before", "shape+usual_after",
    "suffix3+usual_before", "suffix3+usual_after", "suffix3+before", "suffix3+after",
)  # fmt: skip

#: Fields that choose a row of the hidden layer.
HIDDEN = (
    "word", "before", "before2", "before3", "after", "after2", "after3",
    "prior", "prior_before", "prior_after", "usual_before2", "usual_after2",
    "first", "style", "shape", "inside", "suffix_before", "suffix_after",
    "prefix1", "prefix3", "suffix2", "suffix3", "suffix5",
)  # fmt: skip


#: Templates of bilingual models, evaluated with `ALWAYS`.
WITH_SOURCE = (
    "source+prior", "source+word", "source_same+prior", "source_same+word", "source_word+word",
    "source_word+prior", "source+source_same+prior", "source_style+prior",
    "source_style+first+prior", "source+source_style+prior",
    "source_before+source+source_after+prior", "source_before+source+prior",
    "source+source_after+prior", "source+before", "source+after",
    "source+usual_before+prior+usual_after",
    "source+first+prior", "source+before+word", "source+word+after", "source+shape+usual",
    "source_same+source_style+first", "source+style+prior", "source+inside+prior",
    "source_form+word", "source_form+source_style+prior",
    "source_anywhere+prior", "source_anywhere+word", "source_anywhere+source+prior",
    "source_context+source+prior", "source_context+word",
    "source_previous+source_word+prior", "source_word+source_next+prior",
    "source_previous+word", "source_next+word", "source_previous+source_form+source_next",
    "opening+style+usual+first", "closing+style+usual+first",
    "source_opening+style+usual+first", "source_closing+style+usual+first",
    "opening+source_opening+usual+first",
    "source_marks+style+usual+first", "source_marks+word",
    "marks+style+usual+first", "marks+word", "marks+source_marks+source+prior",
    "source_marks+source+source_style+style+usual", "opening+word", "source_opening+word",
)  # fmt: skip

#: Fields of the source that choose a row of the hidden layer.
HIDDEN_WITH_SOURCE = (
    "source", "source_before", "source_after", "source_same", "source_word", "source_style",
    "source_anywhere", "source_context", "source_previous", "source_next",
    "source_opening", "source_closing", "source_marks", "opening", "closing", "marks",
)  # fmt: skip


class TemplateSet(NamedTuple):
    """The templates of a model's sparse features.

    Attributes
    ----------
    always, rare : tuple of str
        Templates of every word that has a choice, and of unknown and rare words only.
    hidden : tuple of str
        Fields that choose a row of the hidden layer.
    """

    always: tuple[str, ...] = ALWAYS
    rare: tuple[str, ...] = RARE
    hidden: tuple[str, ...] = HIDDEN


MONOLINGUAL = TemplateSet()
BILINGUAL = TemplateSet(always=ALWAYS + WITH_SOURCE, hidden=HIDDEN + HIDDEN_WITH_SOURCE)


def field_number(name: str) -> int:
    """Return the number of a field in `_schema.pxd`; raises `TemplateError`."""
    if name not in FIELDS:
        raise TemplateError(f"unknown field {name!r}")
    return 1 + FIELDS.index(name)


def encode_templates(always: Iterable[str], rare: Iterable[str]) -> "npt.NDArray[np.uint8]":
    """Encode templates as numbers of their fields, those of rare words last.

    Returns
    -------
    uint8 ndarray, shape (n_templates, MAX_FIELDS)
        0 where a template has fewer fields.

    Raises
    ------
    TemplateError
        A field is unknown, or there are too many templates or fields.
    """
    import numpy as np

    names = [*always, *rare]
    if len(names) > MAX_TEMPLATES:
        raise TemplateError(f"{len(names)} templates: at most {MAX_TEMPLATES}")
    encoded = np.zeros((len(names), MAX_FIELDS), np.uint8)
    for row, name in zip(encoded, names, strict=True):
        fields = name.split("+")
        if len(fields) > MAX_FIELDS:
            raise TemplateError(f"template {name!r}: at most {MAX_FIELDS} fields")
        row[: len(fields)] = [field_number(field) for field in fields]
    return encoded
