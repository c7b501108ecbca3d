"""``truecase bridge``: case before and after a machine translation system."""

from __future__ import annotations

import argparse

from truecase.cli.aligned import add_alignment_form, alignment_file, check_alignment
from truecase.cli.notes import add_quiet, shows_progress
from truecase.cli.options import (
    add_house_style,
    add_input_output,
    add_line_buffered,
    add_model,
    add_step,
    language,
)
from truecase.errors import UsageError

DESCRIPTION = """\
Put text into sentence case before a machine translation system, which has learned from such
text, and give the translations the case of their sources back. Lines in capitals, in Title Case
or all in lower case change; ordinary lines stay as they are. In between, a file of records keeps
what case each line had.
"""

EPILOG = """\
examples:
  truecase bridge before -i in.en -o sentences.en --records in.case
  translate < sentences.en > sentences.fr
  truecase bridge after -i sentences.fr -o out.fr --records in.case
  truecase bridge after --records in.case --source in.en --alignment fr.align < sentences.fr

truecase bridge before --help and truecase bridge after --help explain the options.
"""

_BEFORE = """\
Put lines in capitals, in Title Case or all in lower case into sentence case, and write a record
of each line.
"""

_BEFORE_EPILOG = """\
examples:
  truecase bridge before -i in.en -o sentences.en --records in.case
  truecase bridge before --names products.txt --records in.case < in.en | translate > out

As a stream, by a named pipe:
  mkfifo records
  truecase bridge before --line-buffered --records records | translate |
    truecase bridge after --line-buffered --records records
"""

_AFTER = """\
Give translations the case of their sources back: capitals, Title Case or lower case.
"""

_AFTER_EPILOG = """\
examples:
  truecase bridge after -i sentences.fr -o out.fr --records in.case
  truecase bridge after --records in.case --source in.en --alignment fr.align < sentences.fr
  truecase bridge after --records in.case --source in.en --alignment marian.align
    --subwords sentencepiece --source-subwords in.spm --target-subwords out.spm < sentences.fr
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    steps = parser.add_subparsers(metavar="STEP", required=True, dest="step")

    before = add_step(steps, "before", "text into sentence case", _BEFORE, _BEFORE_EPILOG)
    add_input_output(before)
    before.add_argument(
        "--records",
        metavar="FILE",
        required=True,
        help="where to write the case of each line, as a line such as upper or title -1",
    )
    add_model(before)
    before.add_argument(
        "--emphasis",
        action="store_true",
        help="take single words in capitals for emphasis (do NOT open) where the model writes "
        "them in lower case; their translations get capitals through an alignment only",
    )
    add_house_style(before)
    add_line_buffered(before)
    add_quiet(before)
    before.set_defaults(step=_before)

    after = add_step(
        steps, "after", "translations into the case of their sources", _AFTER, _AFTER_EPILOG
    )
    add_input_output(after)
    after.add_argument(
        "--records", metavar="FILE", required=True, help="what `truecase bridge before` has written"
    )
    after.add_argument(
        "--source",
        metavar="FILE",
        help="the lines that were translated, in either case; their words are what an alignment "
        "is checked against",
    )
    after.add_argument(
        "--alignment",
        metavar="FILE",
        help="which words are translations of each other: lines of Pharaoh's form, such as 0-0 "
        "1-2, the source's word first; without it, lines change as a whole",
    )
    add_alignment_form(after)
    after.add_argument(
        "--target-language",
        metavar="CODE",
        type=language,
        default="",
        help="language of the translations, such as de: English titles (en) follow English rules, "
        "Turkish has its own i",
    )
    add_line_buffered(after)
    add_quiet(after)
    after.set_defaults(step=_after)


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    arguments.step(arguments)
    return 0


def _before(arguments: argparse.Namespace) -> None:
    from truecase.bridge.case_bridge import CaseBridge
    from truecase.cli.model import load_model
    from truecase.cli.streams import check_output, open_output
    from truecase.cli.transform import transform
    from truecase.truecaser import Truecaser

    check_output(arguments.records, [arguments.input])
    if arguments.records == arguments.output:
        raise UsageError("--records and the output are the same file: give one another name")
    model = load_model(
        arguments.model,
        arguments.decode_with,
        names=arguments.names,
        after_colon=arguments.after_colon,
        offices=arguments.offices,
    )
    if not isinstance(model, Truecaser):
        raise UsageError(
            "bridge: models of Moses' truecaser do not say how sure they are; use a model of "
            "truecase"
        )
    bridge = CaseBridge(model, emphasis=arguments.emphasis)
    with open_output(arguments.records) as records:

        def case(block: bytes) -> bytes:
            text, record = bridge.before_block(block)
            records.write(record)
            records.flush()
            return text

        transform(
            case,
            arguments.input,
            arguments.output,
            line_buffered=arguments.line_buffered,
            encoding=arguments.encoding,
            label="casing",
            progress=shows_progress(arguments),
        )


def _after(arguments: argparse.Namespace) -> None:
    from truecase.alignment.lines import BadLines
    from truecase.alignment.parallel import Reading, read_side_by_side
    from truecase.base.encoding import FileEncoding
    from truecase.base.progress import Progress
    from truecase.base.read import display_name
    from truecase.bridge.case_bridge import CaseBridge, parse_links
    from truecase.cli.streams import open_output
    from truecase.cli.transform import BLOCK_SIZE, count_words, on_terminal

    check_alignment(arguments)
    alignment = alignment_file(arguments)
    bridge = CaseBridge(target_language=arguments.target_language)
    others = [(arguments.records, None)]
    if arguments.source is not None:
        others.append((arguments.source, arguments.encoding))
    if alignment is not None:
        others.append((arguments.alignment, None))
        others += [(path, arguments.encoding) for path in alignment.subword_files]
    terminal = on_terminal(arguments.input, arguments.output)
    line_buffered = terminal if arguments.line_buffered is None else arguments.line_buffered
    found = FileEncoding()
    with (
        Progress.for_files(
            [arguments.input], "casing", False if terminal else shows_progress(arguments)
        ) as progress,
        open_output(arguments.output, found) as output,
    ):
        reading = Reading(BLOCK_SIZE, line_buffered, progress, arguments.encoding, found)
        for first_line, block, beside in read_side_by_side(
            arguments.input, others, reading, opened_first=True
        ):
            records, *rest = beside
            source = rest.pop(0) if arguments.source is not None else None
            phrases = None
            if alignment is not None and alignment.subwords is not None:
                assert source is not None
                links, *parts = rest
                bad = BadLines(display_name(alignment.path), first_line)
                phrases = alignment.system.links(links, source, block, parts, bad)
            elif alignment is not None:
                phrases = parse_links(
                    rest[0],
                    block,
                    source,
                    threshold=arguments.threshold or 0.0,
                    bad=BadLines(display_name(arguments.alignment), first_line),
                )
            cased = bridge.after_block(
                block,
                records,
                source,
                phrases,
                name=display_name(arguments.records),
                first_line=first_line,
            )
            output.write(cased)
            output.flush()
            count_words(block, progress)
