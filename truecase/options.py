"""Options of users: the values of each as a type, and their description.

Each option is described here and nowhere else: the command line declares its flags from
`CASING_OPTIONS`, and docstrings point to `Casing`.
"""

import os
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

from truecase.errors import CasingError

#: The path of a file.
StrPath = str | os.PathLike[str]

#: Titles by a guide, and lines that look like titles by one.
TitleStyle = Literal["title-ap", "title-apa", "title-chicago", "title-every", "title-long-words"]
AutoStyle = Literal["auto-ap", "auto-apa", "auto-chicago", "auto-every", "auto-long-words"]
#: How text comes out.
Style = Literal["sentence", "title", "upper", "auto", TitleStyle, AutoStyle]
#: How the texts of a file come out: in a style, or each in that of its source.
FileStyle = Literal["sentence", "source", "title", "upper", TitleStyle]
#: Meaning of upper case in the input.
InputCase = Literal["evidence", "ignore", "keep", "auto", "proofread"]

#: How the first word of a sentence gets its case.
SentenceStart = Literal["always", "learned"]

#: Whether sentences run over line ends.
Context = Literal["line", "document"]

#: The case of a word that a colon introduces.
ColonStyle = Literal["as-learned", "capital", "lower"]

#: The case of offices and bodies that stand alone.
OfficeStyle = Literal["as-learned", "capital", "lower"]

#: Parts of a model that decode: all, for every word; all but the layer that reads whole sentences;
#: its n-grams, or its lexicon, alone.
DecodeWith = Literal["whole", "ngram", "unigram"]

#: Whether the first word after a colon in a title has a capital.
AfterColon = Literal["capital", "lower"]

#: How subwords are marked: ``▁`` begins a word, ``@@`` ends a subword that another one follows,
#: ``##`` begins a subword that follows another one.
SubwordForm = Literal["sentencepiece", "bpe", "wordpiece"]


def plain(value: Any) -> Any:
    """Return the number, bool or str in a scalar of NumPy or a similar library."""
    return value.item() if getattr(value, "shape", None) == () else value


class Option:
    """An option of `Casing`.

    Attributes
    ----------
    choices : tuple of str
        The values that it takes; the first is the default. Empty: it takes a number.
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
        "what the case of the input means. evidence: in a line of mixed case, something that the "
        "model weighs, so that words that are right stay and slips are mended; lines and sentences "
        "in one case, or with a capital in each of four words or more, are cased anew (default); "
        "ignore: nothing, all lines are cased anew; keep: a word that has a capital stays as it "
        "is, and serves as context; auto: all words of a line of mixed case stay but for its "
        "first; proofread, for text that has its case: as evidence, but lines in one case are "
        "weighed, too, titles stay, and a first word in lower case stays unless the model raises "
        "it",
    ),
    "style": Option(
        get_args(Style),
        "sentence: names, acronyms and first words (default); title: as English titles are "
        "written; upper: all letters; auto: titles where a line looks like one to the model's "
        "title detector; title-ap, title-apa, title-chicago: titles by the guide of that name; "
        "title-every: titles whose words all have a capital; title-long-words: those of more than "
        "four letters; auto-ap, auto-apa, auto-chicago, auto-every, auto-long-words: as auto, with "
        "such titles",
    ),
    "sentence_start": Option(
        get_args(SentenceStart),
        "always: the first word of a line, the first after a full stop, question or exclamation "
        "mark that ends a sentence, and in English I, I'm and the like have a capital by rule, and "
        "words of speech (um, f y i, theyll) are favoured in their case (default); learned: as the "
        "model's weights have it. The rule leaves to the model words with inner capitals, digits "
        "or signs in or right beside them, what follows a closing quote after ? or !, an ellipsis "
        "or a closing bracket, and lines whose source begins in lower case",
    ),
    "context": Option(
        get_args(Context),
        "line: each line is one or more sentences (default); document: sentences run over line "
        "ends, as in hard-wrapped text and subtitles; a blank line ends a document",
    ),
    "after_colon": Option(
        get_args(ColonStyle),
        "a word that a colon introduces (one wish: to go home): as the model has it (default), "
        "with a capital like the first of a sentence, or as it would be inside one, where names "
        "keep theirs; labels (Note:, Step 1:), times, addresses and code are not meant",
    ),
    "offices": Option(
        get_args(OfficeStyle),
        "offices and bodies that stand alone, in English: as the model has them (default), with a "
        "capital behind the (the President said, the Committee), or in lower case (the president "
        "said); with a name beside them (President Obama) they are as the model has them",
    ),
    "min_odds": Option(
        (),
        "a number, 1 or more: in a line of mixed case, a word that the model decides is changed "
        "only if its new form is at least so many times as probable as the one that it came in, "
        "by the probabilities of --confidence, and stays otherwise; 1: if the model's best path "
        "has another form (default)",
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

#: How text is cased where nothing else is asked for.
DEFAULT_CASING = Casing()
