"""``truecase apply``: restore the case of a text."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, get_args

from truecase.cli.aligned import add_source, check_source, transform_aligned
from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import (
    AUTO,
    add_house_style,
    add_input_output,
    add_line_buffered,
    add_model,
    add_sentence_start,
    add_threads,
)
from truecase.errors import UsageError
from truecase.options import Context, InputCase, Style

if TYPE_CHECKING:
    from truecase.cli.aligned import CaseAligned
    from truecase.cli.model import CasingModel
    from truecase.smartcase.moses import MosesTruecaser
    from truecase.styles.styles import Styler
    from truecase.truecaser import Truecaser


DESCRIPTION = """\
Restore the case of a text, line by line. Only case changes: white space, line ends and
everything else come out byte for byte. Memory use does not depend on the length of the input.
"""

EPILOG = """\
examples:
  echo "she moved to new york in may" | truecase apply
  truecase apply -i lower.txt.gz -o cased.txt -j 4
  decoder | truecase apply --line-buffered | sender
  truecase apply --confidence < lower.txt | awk -F"\t" '$5 != "" && $5 < 0.9'
  truecase apply --input-case auto < mostly-cased.txt
  truecase apply --sentence-start learned < fragments.txt
  truecase apply --context document < hard-wrapped.txt
  truecase apply --style title < headlines.txt
  truecase apply --style auto --title-pattern '^[0-9.]+ ' -i report.txt
  truecase apply -l auto < comments.txt
  truecase apply --names products.txt --names glossary.tbx < minutes.txt
  truecase apply -m moses-truecase-model.en < tokenised.txt
  truecase apply --source source.fr -i mt.en -o cased.en
  truecase apply -m fr-en --source source.fr --alignment fr-en.align < mt.en
  moses -t ... < lower.fr | truecase apply --source source.fr --moses-trace
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    add_input_output(parser)
    add_model(parser)
    add_threads(parser)
    parser.add_argument(
        "--input-case",
        choices=get_args(InputCase),
        help="what upper case in the input means. ignore: nothing, it is dropped first "
        "(default); keep: a word that has some stays as it is; auto: lines that are all "
        "upper or all lower case are recased, others are kept but for their first word. With a "
        "model of Moses' truecaser the default is what sacremoses does by default: words of the "
        "model take their most frequent form, others stay; ignore is its --is-asr, keep its "
        "--use-known",
    )
    words = parser.add_mutually_exclusive_group()
    words.add_argument(
        "--tags",
        action="store_true",
        help="write one word a line, tab-separated: where it begins and ends in its line, in "
        "characters from 0; the word as it comes out; its kind of case (AL lower, IU initial "
        "upper, AU all upper, MX mixed, AN no letters with case). An empty line ends each line of "
        "the text",
    )
    words.add_argument(
        "--confidence",
        action="store_true",
        help="the same with a fifth field: the posterior probability of the word as it comes out",
    )
    parser.add_argument(
        "--style",
        choices=get_args(Style),
        metavar="STYLE",
        default="sentence",
        help="sentence: names, acronyms and first words (default); title: as English titles "
        "are written; upper: all letters; auto: titles where a line looks like one, to the "
        "model's title detector or a --title-pattern; title-ap, title-apa, title-chicago: "
        "titles by the guide of that name; title-long-words: titles whose words of more than four "
        "letters have a capital; auto-ap, auto-apa, auto-chicago, auto-long-words: as auto, with "
        "such titles",
    )
    parser.add_argument(
        "--title-pattern",
        metavar="REGEX",
        action="append",
        default=[],
        help="for --style auto: a line in which this is found is a title; may be repeated",
    )
    parser.add_argument(
        "--context",
        choices=get_args(Context),
        default="line",
        help="line: each line is one or more sentences (default); document: sentences run over "
        "line ends, as in hard-wrapped text and subtitles; a blank line ends a document",
    )
    parser.add_argument(
        "--one-sense",
        action="store_true",
        help="what the text says of a word with confidence counts where it stands elsewhere in "
        "it, in windows of about 200 lines; for text in its order, in lines or --context document. "
        "Takes several times as long",
    )
    parser.add_argument(
        "--document-separator",
        metavar="TEXT",
        help="for --context document: a line of this text ends a document, too, and stays as it is",
    )
    parser.add_argument(
        "--copy-model",
        action=argparse.BooleanOptionalAction,
        help="read the whole file of the model, so that it may be written to while the command "
        "runs; or map it, so that processes share its memory, and it must not be written to, but "
        "be replaced by renaming another; default: a file that is given is read, a model of a "
        "package mapped",
    )
    parser.add_argument(
        "--restore-sharp-s",
        action="store_true",
        help="of German: words in capitals, whose sharp s is written SS, get it back where the "
        "model has them more often with it than with ss: STRASSE, but not FLUSS; this alone "
        "changes letters",
    )
    add_sentence_start(parser)
    add_house_style(parser)
    add_line_buffered(parser)
    add_quiet(parser)
    add_source(parser)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli import model as models

    _check(arguments)
    if arguments.model == AUTO:
        _transform_mixed(arguments)
        return 0
    model = models.load_model(
        arguments.model,
        arguments.decode_with,
        arguments.copy_model,
        arguments.names,
        after_colon=arguments.after_colon,
        offices=arguments.offices,
    )
    input_case: InputCase = arguments.input_case or models.default_input_case(model)
    start = models.sentence_start(model, arguments.sentence_start)
    if arguments.source is not None:
        transform_aligned(_with_source(model, input_case, arguments, start), arguments, "casing")
        return 0
    if arguments.tags or arguments.confidence:
        function = _words_function(model, input_case, arguments, start)
    else:
        function = casing_function(
            model, input_case, arguments.style, arguments.title_pattern, start
        )
    regroup = None
    if arguments.context == "document" or arguments.one_sense:
        function, regroup = _by_document(model, function, input_case, arguments, start)
    if arguments.restore_sharp_s:
        function = _with_sharp_s(model, function)
    _transform(function, regroup, arguments)
    return 0


def _transform(
    function: Callable[[Any], bytes],
    regroup: Callable[[Iterator[bytes]], Iterator[Any]] | None,
    arguments: argparse.Namespace,
) -> None:
    from truecase.cli.transform import transform

    transform(
        function,
        arguments.input,
        arguments.output,
        threads=arguments.threads,
        line_buffered=arguments.line_buffered,
        encoding=arguments.encoding,
        regroup=regroup,
        label="casing",
        progress=shows_progress(arguments),
    )


def _check(arguments: argparse.Namespace) -> None:
    """Refuse options that do not go together, or would do nothing."""
    if arguments.source is not None and arguments.title_pattern:
        raise UsageError("--title-pattern does not go together with --source")
    if arguments.style == "upper":
        for name in (
            "source",
            "input_case",
            "decode_with",
            "sentence_start",
            "after_colon",
            "offices",
            "names",
        ):
            if getattr(arguments, name):
                option = f"--{name.replace('_', '-')}"
                raise UsageError(f"{option}: --style upper raises all letters whatever it says")
    if arguments.restore_sharp_s:
        _check_alone("--restore-sharp-s", arguments)
        if arguments.style == "upper":
            raise UsageError("--restore-sharp-s: --style upper raises all letters whatever it says")
    in_documents = arguments.context == "document" or arguments.one_sense
    if arguments.document_separator is not None and not in_documents:
        raise UsageError("--document-separator: only --context document has documents")
    if arguments.one_sense:
        _check_alone("--one-sense", arguments)
        for name in ("line_buffered", "title_pattern"):
            if getattr(arguments, name):
                option = f"--{name.replace('_', '-')}"
                raise UsageError(f"--one-sense does not go together with {option}")
        if arguments.style == "upper":
            raise UsageError("--one-sense: --style upper raises all letters whatever it says")
    if arguments.context == "document":
        _check_alone("--context document", arguments)
        if arguments.style == "upper":
            raise UsageError("--context: --style upper raises all letters whatever it says")
    check_source(arguments)
    if arguments.model == AUTO:
        _check_alone("-l auto", arguments)
        for name in (
            "names",
            "title_pattern",
            "one_sense",
            "after_colon",
            "offices",
            "restore_sharp_s",
        ):
            if getattr(arguments, name):
                raise UsageError(f"-l auto does not go together with --{name.replace('_', '-')}")


def _check_alone(option: str, arguments: argparse.Namespace) -> None:
    """Refuse options that look at lines one by one."""
    for name in ("source", "tags", "confidence"):
        if getattr(arguments, name):
            raise UsageError(f"{option} does not go together with --{name}")


def _with_sharp_s(
    model: Truecaser | MosesTruecaser, function: Callable[[bytes], bytes]
) -> Callable[[bytes], bytes]:
    """The function of text whose words in capitals have their ß."""
    from truecase.truecaser import Truecaser
    from truecase.truecaser.sharp_s import check_sharp_s, restored_block

    if not isinstance(model, Truecaser):
        raise UsageError("--restore-sharp-s: a model of Moses' truecaser does not know it")
    german = model
    check_sharp_s(german)
    return lambda block: function(restored_block(german, bytes(block)))


def _transform_mixed(arguments: argparse.Namespace) -> None:
    """Each line, or document, by the model of its language."""
    from truecase.documents.document import checked_separator
    from truecase.multilingual.truecaser import MultilingualTruecaser

    truecaser = MultilingualTruecaser.load(
        decode_with=arguments.decode_with, copy=arguments.copy_model
    )
    options = {
        "input_case": arguments.input_case or "ignore",
        "style": arguments.style,
        "sentence_start": arguments.sentence_start or "always",
    }
    function: Callable[[Any], bytes]
    regroup: Callable[[Iterator[bytes]], Iterator[Any]]
    if arguments.context == "document":
        function, regroup = truecaser.document_function(
            checked_separator(arguments.document_separator), **options
        )
    else:
        function, regroup = truecaser.line_function(**options)
    _transform(function, regroup, arguments)


def _by_document(
    model: Truecaser | MosesTruecaser,
    function: Callable[[bytes], bytes],
    input_case: InputCase,
    arguments: argparse.Namespace,
    start: dict[str, Any],
) -> tuple[Callable[[bytes], bytes], Callable[[Iterator[bytes]], Iterator[bytes]]]:
    """The function of whole documents, and what makes blocks of them."""
    from truecase.documents.by_document import by_document
    from truecase.documents.document import checked_separator
    from truecase.truecaser import Truecaser

    style: Style = arguments.style
    if arguments.one_sense:
        if not isinstance(model, Truecaser):
            raise UsageError("--one-sense: models of Moses' truecaser are never in doubt")
        function = partial(model.one_sense_block, input_case=input_case, style=style, **start)
    return by_document(
        function,
        arguments.context,
        checked_separator(arguments.document_separator),
        one_sense=arguments.one_sense,
    )


def _with_source(
    model: Truecaser | MosesTruecaser,
    input_case: InputCase,
    arguments: argparse.Namespace,
    start: dict[str, Any],
) -> CaseAligned:
    from truecase.cli.model import require_source_model
    from truecase.truecaser import Truecaser

    require_source_model(model)
    assert isinstance(model, Truecaser)
    style: Style = arguments.style
    if arguments.tags or arguments.confidence:
        return lambda block, source, phrases: model.table_block(
            block,
            input_case,
            style,
            source=source,
            phrases=phrases,
            with_posteriors=arguments.confidence,
            **start,
        )
    return lambda block, source, phrases: model.case_block(
        block, 1, input_case, style, source=source, phrases=phrases, **start
    )


def _words_function(
    model: Truecaser | MosesTruecaser,
    input_case: InputCase,
    arguments: argparse.Namespace,
    start: dict[str, Any],
) -> Callable[[bytes], bytes]:
    """Writes the words of every block, with their tags."""
    from truecase.truecaser import Truecaser

    if not isinstance(model, Truecaser):
        option = "--confidence" if arguments.confidence else "--tags"
        raise UsageError(
            f"{option}: models of Moses' truecaser do not have it; use a model of truecase"
        )
    style: Style = arguments.style
    styler = None
    if style != "sentence" or arguments.title_pattern:
        styler = _styler(model, style, arguments.title_pattern)
    return lambda block: model.table_block(
        block, input_case, style, with_posteriors=arguments.confidence, styler=styler, **start
    )


def casing_function(
    model: CasingModel,
    input_case: InputCase,
    style: Style,
    title_patterns: Sequence[str],
    start: dict[str, Any],
) -> Callable[[bytes], bytes]:
    """What is done to every block; `start` goes to `case_block`.

    Raises
    ------
    UsageError
        Patterns without the style that looks at them.
    StyleError
        A pattern is none, or nothing tells titles.
    """
    if style == "sentence" and not title_patterns:
        return lambda block: model.case_block(block, threads=1, input_case=input_case, **start)
    styler = _styler(model, style, title_patterns)

    def case(block: bytes) -> bytes:
        cased = block
        if style != "upper":
            cased = model.case_block(block, threads=1, input_case=input_case, **start)
        return styler.apply(style, block, cased)

    return case


def _styler(model: CasingModel, style: str, title_patterns: Sequence[str]) -> Styler:
    """Writes the styles other than ``sentence``.

    Raises
    ------
    UsageError, StyleError
        As `casing_function`.
    """
    from truecase.styles.style_names import detected
    from truecase.styles.styles import Styler
    from truecase.truecaser import Truecaser

    if title_patterns and detected(style) is None:
        raise UsageError("--title-pattern: only --style auto looks for titles")
    segmentation = model.about().get("segmentation", "space")
    titles = model.model.titles if isinstance(model, Truecaser) else None
    detector = None if titles is None else titles.detector(segmentation, model.language)
    language = model.model.text.writing_language if isinstance(model, Truecaser) else model.language
    styler = Styler(segmentation, language, detector, title_patterns)
    if detected(style) is not None:
        styler.titles(b"")
    return styler
