"""The options that users choose: the values of each as a type, and their description.

Each option is described here and nowhere else: the command line declares its flags from
`CASING_OPTIONS`, and docstrings point to `Casing`.
"""

import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from truecase.errors import CasingError

#: The path of a file.
StrPath = str | os.PathLike[str]

#: Titles by a guide; and the same for lines that look like titles.
TitleStyle = Literal["title-ap", "title-apa", "title-chicago", "title-every", "title-long-words"]
AutoStyle = Literal["auto-ap", "auto-apa", "auto-chicago", "auto-every", "auto-long-words"]
#: How text comes out.
Style = Literal["sentence", "title", "upper", "auto", TitleStyle, AutoStyle]
#: How the texts of a file come out: in one style, or each in the style of its source.
FileStyle = Literal["sentence", "source", "title", "upper", TitleStyle]
#: How far the case of the input counts.
InputCase = Literal["evidence", "ignore", "keep", "auto", "proofread"]

#: How the first word of a sentence gets its case.
SentenceStart = Literal["always", "learned"]

#: Whether sentences run over line ends.
Context = Literal["line", "document"]

#: The case of a word that a colon introduces.
ColonStyle = Literal["as-learned", "capital", "lower"]

#: The case of offices and bodies that stand alone.
OfficeStyle = Literal["as-learned", "capital", "lower"]

#: The part of a model that decodes: all of it, with the network for every word that has several
#: forms; its n-grams alone; its lexicon alone.
DecodeWith = Literal["whole", "ngram", "unigram"]

#: Whether the first word after a colon in a title has a capital.
AfterColon = Literal["capital", "lower"]

#: How subwords are marked: ``▁`` begins a word, ``@@`` joins a subword to the next one, ``##``
#: joins it to the one before.
SubwordForm = Literal["sentencepiece", "bpe", "wordpiece"]


def plain(value: Any) -> Any:
    """Return the number, bool or str in a scalar of NumPy or a similar library."""
    return value.item() if getattr(value, "shape", None) == () else value


class Option:
    """An option of `Casing`.

    Attributes
    ----------
    choices : tuple of str
        The values that it takes; the first is the default. Empty if it takes a number.
    help : str
        Describes each value.
    """

    __slots__ = ("choices", "help")

    def __init__(self, choices: tuple[str, ...], help: str) -> None:
        self.choices = choices
        self.help = help


#: The options of `Casing` by name, in the order of its fields.
CASING_OPTIONS: dict[str, Option] = {
    "input_case": Option(
        get_args(InputCase),
        "how far the case of the input counts. evidence (default): in a line of mixed case, the "
        "model weighs it, so that right words stay and slips are mended; lines and sentences in "
        "one case, or with a capital on each of four words or more, are cased anew; ignore: not at "
        "all, every line is cased anew; keep: a word with a capital stays, and serves as context; "
        "auto: in a line of mixed case, all words stay but a first one that is not in capitals; "
        "proofread, for text that has its case: as evidence, but lines in one case are weighed, "
        "too, titles stay, and a first word in lower case stays unless the model raises it",
    ),
    "style": Option(
        get_args(Style),
        "sentence (default): capitals on names, acronyms and first words; title: the capitals of "
        "English titles; upper: capitals throughout; auto: a line that the model's title detector "
        "takes for a title becomes a title, any other a sentence; title-ap, title-apa, "
        "title-chicago: titles by the guide of that name; title-every: a capital on every word; "
        "title-long-words: a capital on words of more than four letters; auto-ap, auto-apa, "
        "auto-chicago, auto-every, auto-long-words: as auto, with such titles",
    ),
    "sentence_start": Option(
        get_args(SentenceStart),
        "always (default): by rule, the first word of a line, the first after a full stop, "
        "question mark or exclamation mark that ends a sentence, and in English I, I'm and the "
        "like have a capital, and words of speech (um, f y i, theyll) are favoured in their case; "
        "learned: the model's weights decide. The rule leaves these to the model: words with inner "
        "capitals, or with digits or signs in or beside them; the word after an ellipsis, a "
        "closing bracket, or a closing quote behind ? or !; lines whose source begins in lower "
        "case",
    ),
    "context": Option(
        get_args(Context),
        "line (default): each line is one or more sentences; document: sentences run over line "
        "ends, as in hard-wrapped text and subtitles, and a blank line ends a document",
    ),
    "after_colon": Option(
        get_args(ColonStyle),
        "the case of a word that a colon introduces (one wish: to go home). as-learned (default): "
        "the model decides; capital: as the first word of a sentence; lower: as inside a sentence, "
        "where names keep their capitals. Labels (Note:, Step 1:), times, addresses and code are "
        "left to the model",
    ),
    "offices": Option(
        get_args(OfficeStyle),
        "the case of offices and bodies that stand alone, in English. as-learned (default): the "
        "model decides; capital: a capital after the (the President said, the Committee); lower: "
        "lower case (the president said). Beside a name (President Obama), the model decides",
    ),
    "min_odds": Option(
        (),
        "a number, 1 or more: in a line of mixed case, a word changes only if its new form is at "
        "least so many times as probable as its input form, by the probabilities of --confidence; "
        "1 (default): the model's best path decides",
    ),
}


class _Fields(NamedTuple):
    input_case: InputCase = "evidence"
    style: Style = "sentence"
    sentence_start: SentenceStart = "always"
    context: Context = "line"
    after_colon: ColonStyle = "as-learned"
    offices: OfficeStyle = "as-learned"
    min_odds: float = 1.0


if TYPE_CHECKING:
    from typing import TypedDict

    from typing_extensions import Unpack

    class CasingKeywords(TypedDict, total=False):
        """Options of `Casing` that are always given by keyword; None: the truecaser's own."""

        sentence_start: SentenceStart | None
        context: Context | None
        after_colon: ColonStyle | None
        offices: OfficeStyle | None
        min_odds: float | None

    class ColumnKeywords(CasingKeywords, total=False):
        """Options of `Casing`, and the column of the languages of rows."""

        language: object

    class CasingOptions(CasingKeywords, total=False):
        """All options of `Casing` as keyword arguments; None: the truecaser's own."""

        input_case: InputCase | None
        style: Style | None


class Casing(_Fields):
    """How text is cased. Immutable; its values are checked once, when it is made.

    It is a named tuple, because importing `dataclasses` takes longer than casing a line, and
    kernels read the fields of a tuple without a look-up.

    Attributes
    ----------
    OPTIONS

    Raises
    ------
    CasingError
        A value is unknown.
    """

    __slots__ = ()

    def __new__(  # noqa: D102 - described above
        cls,
        input_case: InputCase = "evidence",
        style: Style = "sentence",
        sentence_start: SentenceStart = "always",
        context: Context = "line",
        after_colon: ColonStyle = "as-learned",
        offices: OfficeStyle = "as-learned",
        min_odds: float = 1.0,
    ) -> "Casing":
        min_odds = plain(min_odds)
        made = super().__new__(
            cls, input_case, style, sentence_start, context, after_colon, offices, min_odds
        )
        for (name, option), value in zip(CASING_OPTIONS.items(), made, strict=True):
            if option.choices and not (isinstance(value, str) and value in option.choices):
                expected = ", ".join(option.choices)
                raise CasingError(f"{name} {value!r}: expected one of {expected}")
        is_number = isinstance(min_odds, (int, float)) and not isinstance(min_odds, bool)
        if not (is_number and 1.0 <= min_odds <= 1e300):
            raise CasingError(f"min_odds {min_odds!r}: expected a number from 1 to 1e300")
        return made

    def but(self, **changes: "Unpack[CasingOptions]") -> "Casing":
        """Make a casing with some other values; None keeps its own."""
        given = {name: value for name, value in changes.items() if value is not None}
        return Casing(**{**self._asdict(), **given})


def _values_of(option: Option) -> str:
    return f"{{{', '.join(option.choices)}}}" if option.choices else "float"


if Casing.__doc__:
    Casing.__doc__ = Casing.__doc__.replace(
        "    OPTIONS\n",
        "".join(
            f"    {name} : {_values_of(option)}\n        {option.help}.\n"
            for name, option in CASING_OPTIONS.items()
        ),
    )

#: How text is cased by default.
DEFAULT_CASING = Casing()
