"""Every option of the command line, declared once.

A command lists the names of its options (`truecase.cli.commands.Command`). An option that is a
field of a recipe has the field's help, values and default; `truecase.options` describes casing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, get_args

from truecase.cli.values import (
    encoding,
    language,
    language_model,
    sigma,
    size,
    threads,
    whole_number,
)
from truecase.options import CASING_OPTIONS, DecodeWith, SubwordForm

if TYPE_CHECKING:
    import dataclasses


class Flag(NamedTuple):
    """An option, or a positional argument.

    Attributes
    ----------
    help : str
        One sentence, to which the default is added. Empty: that of the recipe.
    metavar : str
        Name of the value in help. An option without one takes no value.
    type : callable, optional
        Converts the value; see `truecase.cli.values`.
    default : object
    short : str
        Its one letter.
    choices : iterable of str, optional
        Its values; by default those of the recipe's field.
    nargs : str, optional
        As for argparse: ``?``, ``*`` or ``+``.
    repeats : bool
        Values are collected in a list.
    negated : bool
        ``--no-NAME`` is its opposite.
    required : bool
    recipe : str
        The class in `truecase.training.recipe` that has a field of its name.
    """

    help: str = ""
    metavar: str = ""
    type: Callable[[str], object] | None = None
    default: object = None
    short: str = ""
    choices: Sequence[str] | RecipeChoices | None = None
    nargs: str | None = None
    repeats: bool = False
    negated: bool = False
    required: bool = False
    recipe: str = ""


def _casing_flag(name: str, default: str | None = None) -> Flag:
    option = CASING_OPTIONS[name]
    return Flag(option.help, default=default, choices=option.choices)


def _by_name(typed: dict[str, Flag]) -> dict[str, Flag]:
    """Set the short letter and the metavar of flags from their keys, and key them by name."""
    flags = {}
    for words, flag in typed.items():
        short, _, rest = f" {words}".rpartition(" --")
        name, _, metavar = rest.partition(" ")
        default = flag.default if metavar or flag.negated else False
        flags[name] = flag._replace(short=short.strip(" -"), metavar=metavar, default=default)
    return flags


# Options as they are typed, with a word for the value.

_TYPED = {
    # Files and streams
    "-i --input FILE": Flag(
        "file to read, plain or compressed (gz, xz, bz2, zst); default: standard input", default="-"
    ),
    "-o --output FILE": Flag(
        "where to write: a file appears whole or not at all, may be the input of `truecase file` "
        "and `truecase table`, and is compressed if its name ends in .gz, .xz, .bz2 or .zst; "
        "default: standard output",
        default="-",
    ),
    "--encoding NAME": Flag(
        "character encoding of what is read, any that Python knows; the output has the same; "
        "default: as a byte order mark or the file itself says, or UTF-8, and text in another "
        "encoding is an error. With utf-8 plain text is not checked, and broken bytes stay",
        type=encoding,
    ),
    "--line-buffered": Flag(
        "write lines as soon as they are read, instead of a block at a time; default: if input or "
        "output is a terminal",
        negated=True,
    ),
    "-j --threads N": Flag(
        "threads to use, 0 for one per processor; the output is the same for any number",
        type=threads,
        default=1,
    ),
    "--memory SIZE": Flag(
        "memory that counting may use, such as 2G; more goes to temporary files, and the result "
        "is the same",
        type=size,
    ),
    "-q --quiet": Flag("no progress and no notes on standard error; errors and warnings stay"),
    "--json": Flag("print everything as JSON"),
    "--html FILE": Flag("write a page, one file that needs no other; - is standard output"),
    "--verify": Flag("also compare the checksum of the contents"),
    # Which model
    "-m --model MODEL": Flag(
        "model file, of truecase or of Moses' truecaser, or a model that comes with the package: "
        "en, the default, or fr-en, for software documentation and interfaces translated from "
        "French, with their --source; en is better for all else; or the name of a model that "
        "another package has brought"
    ),
    "-l --lang CODE": Flag(
        "the model of a language, such as de or pt-BR: en is in the package, others are those that "
        "other packages have brought; auto, for truecase apply alone: for each line "
        "the model of its language, among those that are installed",
        type=language_model,
    ),
    "--decode-with PART": Flag(
        "which part of the model decides: ngram, its n-grams alone, or unigram, its lexicon alone: "
        "several times as fast, less accurate; words: no layer that reads whole sentences, a "
        "seventh faster, a little less accurate; whole: all features for every word, slower, fewer "
        "than one word in a thousand differs; default: everything, but for words that some of the "
        "features decide surely not the others",
        choices=get_args(DecodeWith),
    ),
    "--copy-model": Flag(
        "read the whole file of the model, so that it may be written to while the command runs; or "
        "map it, so that processes share its memory, and it must not be written to, but be "
        "replaced by renaming another; default: a file that is given is read, a model of a package "
        "mapped",
        negated=True,
    ),
    "--names FILE": Flag(
        "names in their right case, one a line (OpenAI, van der Berg), or a term base in TBX or "
        "CSV. A name that is also common words (Apple) is favoured and its context decides; with ! "
        "in front it is always right; may be repeated",
        default=[],
        repeats=True,
    ),
    # How text is cased
    "--input-case CASE": _casing_flag("input_case"),
    "--style STYLE": _casing_flag("style", "sentence"),
    "--context CONTEXT": _casing_flag("context", "line"),
    "--sentence-start HOW": _casing_flag("sentence_start"),
    "--after-colon HOW": _casing_flag("after_colon"),
    "--offices HOW": _casing_flag("offices"),
    "--title-pattern REGEX": Flag(
        "a line in which this regular expression is found is a title, with --style auto, and for "
        "train beside the titles found by their case and form; may be repeated",
        default=[],
        repeats=True,
    ),
    "--one-sense": Flag(
        "what the text says of a word with confidence counts where the word stands elsewhere in "
        "it, in windows of about 200 lines; for text in its order, in lines or --context document. "
        "Takes several times as long"
    ),
    "--document-separator TEXT": Flag(
        "for --context document: a line of this text ends a document, too, and stays as it is"
    ),
    "--restore-sharp-s": Flag(
        "of German: words in capitals, whose sharp s is written SS, get it back where the model "
        "has them more often with it than with ss: STRASSE, but not FLUSS; this alone changes "
        "letters"
    ),
    "--emphasis": Flag(
        "take single words in capitals for emphasis (do NOT open) where the model writes them in "
        "lower case; their translations get capitals through an alignment only"
    ),
    "--tags": Flag(
        "write one word a line, tab-separated: where it begins and ends in its line, in characters "
        "from 0; the word as it comes out; its kind of case (AL lower, IU initial upper, AU all "
        "upper, MX mixed, AN no letters with case). An empty line ends each line of the text"
    ),
    "--confidence": Flag(
        "the same with a fifth field: the posterior probability of the word as it comes out"
    ),
    # Punctuation
    "--marks MARKS": Flag(
        "which marks: those of the model's marks that may be put, such as .?, or for train those "
        'to learn, such as ",.?", the strongest last'
    ),
    "--lines HOW": Flag(
        "keep: white space stays as it is; sentences: a sentence per line, and an empty line "
        "between texts",
        default="keep",
        choices=("keep", "sentences"),
    ),
    "--punctuate": Flag(
        "put the commas, full stops and question marks that are missing, too, as `truecase "
        "punctuate` does; of files, in transcripts and subtitles alone, whose times stay"
    ),
    # Translations
    "--source FILE": Flag("the sentences, cased, that the text is a translation of, line by line"),
    "--target FILE": Flag("the other side of the aligned text, as many lines as --source"),
    "--alignment FILE": Flag(
        "which words are aligned: lines of Pharaoh's form, such as 0-0 1-2, the source's word "
        "first, as fast_align, eflomal, Marian and `truecase align` write them; without it, every "
        "source word is considered for every word"
    ),
    "--threshold P": Flag("leave out links whose probability (0-0:0.87) is below it", type=float),
    "--subwords FORM": Flag(
        "the alignment is over subwords: marked by U+2581 (sentencepiece), @@ (bpe) or ## "
        "(wordpiece); its links are folded into links of words",
        choices=get_args(SubwordForm),
    ),
    "--source-subwords FILE": Flag("the source as the system had it, subwords between spaces"),
    "--target-subwords FILE": Flag(
        "the translation as the system has written it, subwords between spaces"
    ),
    "--soft-alignment": Flag(
        "the alignment has matrices of attention over subwords, as Marian writes with --alignment "
        "soft, or lines of JSON as CTranslate2's; words are linked from --threshold on, by default "
        "0.3"
    ),
    "--moses-trace": Flag(
        "the text is what Moses' decoder writes with -t, such as `the house |0-1|`; what stands "
        "between bars is the alignment, and is taken out"
    ),
    "--skip-bad-alignments": Flag(
        "do without the alignment of lines where it is broken or of other words, and say how many "
        "there were; default: stop at the first"
    ),
    "--source-language CODE": Flag(
        "language of the source, such as fr; of a file, by default what the file says",
        type=language,
    ),
    "--target-language CODE": Flag(
        "language of the translation, such as en; of a file, by default what the file says",
        type=language,
    ),
    "--records FILE": Flag(
        "the case of each line, a line such as upper or title -1: `truecase bridge before` writes "
        "it, `truecase bridge after` reads it",
        required=True,
    ),
    "--seed N": Flag(
        "the same seed gives the same alignment; needs sil-thot", type=whole_number(1, 2**31 - 1)
    ),
    "--save PATH": Flag(
        "keep what this text tells in a file, to align other text with; needs eflomal"
    ),
    "--with PATH": Flag(
        "align with such a file, and cut the text into tokens as that one was; needs eflomal"
    ),
    # Files and tables
    "--format NAME": Flag("what the file is; default: by its name, else by its content"),
    "--field NAME": Flag("of a manifest in JSON lines, the name of the text; default: text"),
    "--include-final": Flag(
        "case also XLIFF segments in a final state, signed off or approved",
        default=False,
        negated=True,
    ),
    "--include-locked": Flag(
        "case also XLIFF segments that a tool has locked", default=False, negated=True
    ),
    "--dry-run": Flag(
        "write a table of the segments that would change, tab-separated, instead of the file: line "
        "(of DOCX, paragraph), before, after"
    ),
    "-c --column NAME": Flag("a column of text; may be repeated", repeats=True, required=True),
    "--source-column NAME": Flag(
        "the column of the sentences that the texts are translations of, with models that look at "
        "them; for several columns, one for each, in their order",
        default=[],
        repeats=True,
    ),
    "--alignment-column NAME": Flag(
        "the column of the alignments of their words, in Pharaoh's form (0-0 1-2, the source's "
        "word first)",
        default=[],
        repeats=True,
    ),
    "--confidence-column NAME": Flag(
        "a new column of the probability of each row's least certain word; Parquet and Arrow IPC "
        "only",
        default=[],
        repeats=True,
    ),
    "--suffix TEXT": Flag(
        "leave the columns as they are, and write new ones with this behind their names; Parquet "
        "and Arrow IPC only"
    ),
    "--skip-bad": Flag(
        "leave rows that cannot be cased as they are, and count them at the end; default: the "
        "first is an error that names it"
    ),
    "--delimiter SIGN": Flag("of CSV, what stands between fields; default: a comma"),
    "--no-header": Flag(
        "the first row of CSV or TSV is one like the others; columns are named by their numbers, "
        "from 1"
    ),
    "--no-quotes": Flag("quotation marks in CSV or TSV are text, and no field stands in them"),
    "--braces": Flag(
        "put braces round words that must keep their case, as BibTeX wants it: {BERT}, {Mandarin}; "
        "not with CSL-JSON"
    ),
    # Review
    "--apply CORRECTIONS": Flag(
        "instead of making a page, put the corrections that one has handed back into FILE"
    ),
    "--words N": Flag(
        "most words on the page, the least certain ones; default: 100000", type=whole_number(1)
    ),
    "--keep-case": Flag(
        "the text is cased already: leave it as it is but for corrections, and show where the "
        "model would have cased it otherwise"
    ),
    # Judging
    "--hypothesis FILE": Flag(
        "judge this text instead of running a model; with -m, the model only tells how often words "
        "were seen in training"
    ),
    "--learning-curve FILE": Flag("what bench/learning_curve.py wrote, to be drawn in the report"),
    # Counting words before they are normalised
    "--train CORPUS": Flag("count forms in these texts first, plain or compressed", nargs="+"),
    "--save-model MODEL": Flag("write the counts as a Moses truecase model"),
    "--model-only": Flag("only write the model, normalise nothing"),
    # Training
    "--counts FILE": Flag(
        "n-grams of `truecase train count --words` and `truecase train merge`, in place of CORPUS: "
        "for unigram, ngram and portage, and for the language models of crf and crf-sparse"
    ),
    "--dev FILE": Flag(
        "evaluate the model on this text; the figures are kept in it. The presets crf and "
        "bilingual learn their weights on it, crf-sparse and bilingual-sparse go over it at the "
        "end of training: it must not be part of CORPUS. Without it, crf and bilingual hold some "
        "of the text out"
    ),
    "--dev-source FILE": Flag("source side of the --dev text"),
    "--dev-alignment FILE": Flag("its alignment, written as the other one is"),
    "--dev-source-subwords FILE": Flag(
        "with --subwords: source side of the --dev text as the system had it"
    ),
    "--dev-target-subwords FILE": Flag("the same of the --dev text"),
    "--preset PRESET": Flag(
        "ngram: n-gram model and search for the best sequence; unigram: the most frequent form of "
        "each word; crf: n-grams and further features with learned weights (needs "
        "SciPy); crf-sparse: n-grams, millions of sparse features and a hidden "
        "layer, the most accurate; portage: n-grams joined with the case of words by themselves "
        "(Agbago et al. 2005); bilingual and bilingual-sparse: crf and crf-sparse with features of "
        "the source sentence, learned from aligned text (Wang, Knight & Marcu 2006)",
        default="ngram",
        choices=(
            "unigram",
            "ngram",
            "portage",
            "crf",
            "crf-sparse",
            "bilingual",
            "bilingual-sparse",
        ),
    ),
    "--segmentation HOW": Flag(recipe="Recipe"),
    "--language CODE": Flag(type=language, recipe="Recipe"),
    "--clean": Flag(negated=True, recipe="Recipe"),
    "--titles WHICH": Flag(recipe="Recipe"),
    "--title-detector": Flag(negated=True, recipe="Recipe"),
    "--min-count N": Flag(type=whole_number(1), recipe="Recipe"),
    "--min-share SHARE": Flag(type=float, recipe="Recipe"),
    "--candidates WHICH": Flag(recipe="Recipe"),
    "--smartcase": Flag(negated=True, recipe="Recipe"),
    "--order N": Flag(type=whole_number(1, 5), recipe="Recipe"),
    "--prune N": Flag(type=whole_number(0), nargs="+", recipe="Recipe"),
    "--keep-ngrams": Flag(negated=True, recipe="Recipe"),
    "--sigma SIGMA": Flag(type=sigma, recipe="Recipe"),
    "--sparse-size SIZE": Flag(type=size, recipe="Recipe"),
    "--folds N": Flag(type=whole_number(1, 100), recipe="Recipe"),
    "--epochs N": Flag(type=whole_number(1, 100), recipe="Recipe"),
    "--drop-punctuation SHARE": Flag(type=float, recipe="Recipe"),
    "--phrases OF": Flag(recipe="Recipe"),
    "--table-size SIZE": Flag(type=size, recipe="Recipe"),
    "--variant HOW": Flag(recipe="Recipe"),
    "--search HOW": Flag(recipe="Recipe"),
    "--max-size SIZE": Flag(type=size, recipe="Recipe"),
    "--origin TEXT": Flag(type=str, recipe="Recipe"),
    "--licence TEXT": Flag(type=str, recipe="Recipe"),
    # Steps of training
    "--corpus FILE": Flag(
        "text of the domain, a sentence or segment per line", default=[], nargs="+"
    ),
    "--general FILE": Flag(
        "cased text of other kinds, which the adapted model is to case about as well; some ten "
        "thousand words or more; a tenth of them only judges the model",
        default=[],
        nargs="+",
    ),
    "--passes N": Flag(type=whole_number(1)),
    "--units N": Flag(type=whole_number(8)),
    "--unseen OTHER TEXT": Flag(
        "a part of the text that MODEL was trained on, and before it a model that was trained like "
        "MODEL on all but this part; may be repeated",
        default=[],
        nargs="+",
        repeats=True,
    ),
    "--offset [MARK=]NATS": Flag(
        "what is added to the score of a mark in the end, or, without one, to that of no mark: "
        "--offset=-1 makes all marks more frequent; can be given for each",
        default=[],
        repeats=True,
    ),
    "--pairs N": Flag(type=whole_number(0), recipe="MarksRecipe"),
    "--errors SHARE": Flag(
        "share of the words to make errors with, as recognisers do: half of them another word, the "
        "others left out or said twice",
        type=float,
        default=0.0,
    ),
    "--map FILE": Flag(
        "case mapping of SRILM's disambig, lowercase words to cased ones: import makes a model of "
        "preset portage of it, export writes that of one"
    ),
}

#: Every option of the command line by its name.
FLAGS = _by_name(_TYPED)


def recipe_field(name: str, recipe: str) -> tuple[str, dataclasses.Field[Any]]:
    """Find the path of an option in a recipe, and its field."""
    from truecase.training import recipe as recipes

    return next(
        (path, field)
        for path, field in recipes.option_fields(getattr(recipes, recipe))
        if field.metadata.get("flag") == f"--{name}"
    )


class RecipeChoices:
    """The values of a recipe's option, looked up when it is given or its help is shown."""

    def __init__(self, name: str, recipe: str) -> None:
        self._names = name, recipe

    def __iter__(self) -> Iterator[str]:
        from truecase.training import recipe as recipes

        _, field = recipe_field(*self._names)
        declared = field.type if isinstance(field.type, str) else field.type.__name__
        return iter(get_args(getattr(recipes, declared)))

    def __contains__(self, value: object) -> bool:
        return value in tuple(self)


def help_of(name: str, flag: Flag) -> str:
    """Return an option's help: its sentence, values and default."""
    text, default = flag.help, flag.default
    if flag.recipe:
        _, field = recipe_field(name, flag.recipe)
        text = text or field.metadata["help"]
        default = field.default if default is None else default
    if isinstance(default, bool):
        default = ("yes" if default else "no") if flag.negated else None
    elif isinstance(default, int) and flag.metavar == "SIZE":
        default = f"{default:,}"
    if default not in (None, "", "-", [], ()) and "default" not in text:
        text += f"; default: {default}"
    return text.replace("%", "%%")
