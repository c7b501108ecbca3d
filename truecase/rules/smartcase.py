"""Case of first words: `capitalize` raises it, `normalize` lowers it where only place raised it.

SmartCase (Zollmann et al. 2006, section 4.1) counts the forms that do not begin a sentence, and
lowercases a capitalised first word whose most frequent form is lowercase. Users of Moses call this
truecasing the training data.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeVar

from truecase.base.argument_types import check_arguments
from truecase.base.encoding import FileEncoding, TextDecoder, TextEncoder
from truecase.base.model_file import read_weights
from truecase.base.read import display_name
from truecase.errors import ReadError, WrongTypeError
from truecase.options import StrPath
from truecase.rules._lines import CaseTable, FormCounter
from truecase.rules.moses import MosesModel, read_moses_model

#: Abbreviations after which a sentence usually continues. Those that are also words, such as
#: ``no.`` and ``sat.``, end sentences, and are left out. Kernels have lists of their own.
ABBREVIATIONS: tuple[bytes, ...] = tuple(
    " ".join(read_weights("languages")["abbreviations"].values()).encode().split()
)

#: Pattern, case ignored, of titles and other abbreviations that a name or number follows.
BEFORE_NAMES = "mrs?|ms|dr|st|vs|prof|jr|sr|lt|col|gen|sgt|capt|rev|hon|no|mt"


#: A text, or the bytes of a file.
AnyText = TypeVar("AnyText", str, bytes)

_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


def through(text: AnyText, encoding: str | None, function: Callable[[bytes], bytes]) -> AnyText:
    """Apply a function of UTF-8 without a byte order mark to a text; returns the type of `text`.

    `encoding` and errors are those of `capitalize`.
    """
    if isinstance(text, str):
        if encoding is not None:
            raise WrongTypeError(
                "encoding: a str has none; leave it out, or give the bytes of the text"
            )
        mark = _MARK if text.startswith(_MARK) else ""
        out = function(text[len(mark) :].encode("utf-8", "surrogatepass"))
        return mark + out.decode("utf-8", "surrogatepass")
    if not isinstance(text, bytes):
        raise WrongTypeError(f"text: expected a str or bytes, found {type(text).__name__}")
    found = FileEncoding()
    decoder = TextDecoder("the text", encoding, found)
    decoded = decoder.decode(text)
    decoded += decoder.finish()
    return bytes(TextEncoder(found).encode(function(decoded), True))


def capitalize(
    text: AnyText, *, segmentation: str = "raw", language: str = "", encoding: str | None = None
) -> AnyText:
    """Capitalise the first word of every sentence, as ``truecase text capitalize`` does.

    A sentence begins at the start of a line and after ``.``, ``!``, ``?`` and the like; not after
    an abbreviation, an initial, an ellipsis or a colon, nor after a question in quotation marks. No
    letter is lowercased. Addresses, #tags and words that begin with a digit are unchanged.

    Parameters
    ----------
    text : str or bytes
        Lines, or the bytes of a file; line ends are kept. The result has its type and encoding.
    segmentation : {"raw", "space"}
        Natural text, or tokens separated by white space.
    language : str
        Turkish and Azeri (``tr``, ``az``) have case mappings of their own.
    encoding : str, optional
        Encoding of bytes, any that Python knows; by default that of the byte order mark, or UTF-8.

    Raises
    ------
    ReadError
        The bytes are clearly in another encoding, or Python does not know the encoding.
    WrongTypeError
        `text` has another type, or is a str and an encoding is given.
    ValueError
        `segmentation` or `language` is unknown.
    """
    check_arguments(capitalize, locals())
    return through(text, encoding, capitalizer(segmentation, language))


def capitalizer(segmentation: str = "raw", language: str = "") -> Callable[[bytes], bytes]:
    """Return a function of whole lines that capitalises as `capitalize` does, in any thread."""
    return CaseTable(str(segmentation), str(language), ABBREVIATIONS).capitalize


def normalize(
    text: AnyText,
    model: MosesModel | StrPath | None = None,
    *,
    segmentation: str = "raw",
    language: str = "",
    encoding: str | None = None,
) -> AnyText:
    """Lowercase first words that are lowercase elsewhere, as ``truecase text normalize`` does.

    The result, other parameters and other errors are those of `capitalize`.

    Parameters
    ----------
    model : MosesModel or path-like, optional
        Counts of forms, or the file of a Moses truecase model. By default the forms are counted in
        `text`.

    Raises
    ------
    ReadError
        The file is not a Moses truecase model.
    OSError
        The file cannot be read.
    """
    check_arguments(normalize, locals())
    if model is None or isinstance(model, MosesModel):
        counts = model
    elif (counts := read_moses_model(model)) is None:
        raise ReadError(
            f"{display_name(model)}: not a model of Moses' truecaser; without a model, forms are "
            "counted in the text itself"
        )

    def normalized(block: bytes) -> bytes:
        of_forms = count_forms([block], segmentation, language) if counts is None else counts
        return normalizer(of_forms, segmentation, language)(block)

    return through(text, encoding, normalized)


def count_forms(
    blocks: Iterable[bytes], segmentation: str = "raw", language: str = ""
) -> MosesModel:
    """Count surface forms away from sentence starts, in blocks of whole lines.

    `segmentation` and `language` are those of `capitalize`. The model has words by first
    occurrence; their forms by frequency, then lowercase first, then by first occurrence.
    """
    counter = FormCounter(str(segmentation), str(language), ABBREVIATIONS)
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


def normalizer(
    model: MosesModel, segmentation: str = "raw", language: str = ""
) -> Callable[[bytes], bytes]:
    """Return a function of whole lines that normalises by the counts of a model, in any thread.

    It lowercases first words of sentences, and words after colons, whose first letter alone is a
    capital. `segmentation` and `language` are those of `capitalize`.
    """
    return CaseTable(str(segmentation), str(language), ABBREVIATIONS, model.forms()).normalize
