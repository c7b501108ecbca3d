"""Text with its source through a model, block by block: `apply` with ``--source``."""

from __future__ import annotations

import argparse
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, get_args

from truecase.cli.notes import shows_progress
from truecase.cli.transform import BLOCK_SIZE, count_words, on_terminal
from truecase.errors import UsageError
from truecase.options import SubwordForm

if TYPE_CHECKING:
    from truecase.alignment.lines import AlignedLines, Phrases, SkippedLines
    from truecase.alignment.parallel import AlignmentFile
    from truecase.base.encoding import FileEncoding
    from truecase.base.progress import Progress


#: Cases lines with their sources and what is known of their alignment.
CaseAligned = Callable[[bytes, bytes, "Phrases | None"], bytes]


def add_source(parser: argparse.ArgumentParser) -> None:
    """What the text is a translation of."""
    group = parser.add_argument_group("translations")
    group.add_argument(
        "--source",
        metavar="FILE",
        help="the sentences, cased, that the text is a translation of, line by line",
    )
    group.add_argument(
        "--alignment",
        metavar="FILE",
        help="which of their words are aligned: lines of Pharaoh's form, such as 0-0 1-2, the "
        "source's word first, as fast_align, eflomal, Marian and `truecase align` write them; "
        "without it, every source word is considered for every word",
    )
    add_alignment_form(group)
    group.add_argument(
        "--moses-trace",
        action="store_true",
        help="the text is what Moses' decoder writes with -t, such as `the house |0-1|`; what "
        "stands between bars is the alignment, and is taken out",
    )
    group.add_argument(
        "--skip-bad-alignments",
        action="store_true",
        help="do without the alignment of lines where it is broken or of other words, and say "
        "how many there were; default: stop at the first",
    )


def add_alignment_form(
    group: argparse._ArgumentGroup | argparse.ArgumentParser, metavar: str = "FILE"
) -> None:
    """How an alignment is written: with probabilities of links, over subwords."""
    group.add_argument(
        "--threshold",
        metavar="P",
        type=float,
        help="leave out links whose probability (0-0:0.87) is below it",
    )
    group.add_argument(
        "--subwords",
        choices=get_args(SubwordForm),
        help="the alignment is over subwords: marked by U+2581 (sentencepiece), @@ (bpe) or ## "
        "(wordpiece); its links are folded into links of words",
    )
    group.add_argument(
        "--source-subwords",
        metavar=metavar,
        help="the source as the system had it, subwords between spaces",
    )
    group.add_argument(
        "--target-subwords",
        metavar=metavar,
        help="the translation as the system has written it, subwords between spaces",
    )
    group.add_argument(
        "--soft-alignment",
        action="store_true",
        help="the alignment has matrices of attention over subwords, as Marian writes with "
        "--alignment soft, or lines of JSON as CTranslate2's; words are linked from --threshold "
        "on, by default 0.3",
    )


def check_alignment(arguments: argparse.Namespace) -> None:
    """Refuse options of `add_alignment_form` that do not go together.

    Raises
    ------
    UsageError
    """
    if arguments.threshold is not None and arguments.alignment is None:
        raise UsageError("--threshold: only an --alignment has probabilities of links")
    files = (arguments.source_subwords, arguments.target_subwords)
    if arguments.subwords is None:
        for name in ("source_subwords", "target_subwords", "soft_alignment"):
            if getattr(arguments, name):
                raise UsageError(f"--{name.replace('_', '-')} needs --subwords")
    elif arguments.alignment is None:
        raise UsageError("--subwords: there is no --alignment over subwords")
    elif arguments.source is None or None in files:
        raise UsageError("--subwords needs --source, --source-subwords and --target-subwords")


def alignment_file(arguments: argparse.Namespace) -> AlignmentFile | None:
    """What ``--alignment`` and the options of `add_alignment_form` say, which have been checked."""
    if arguments.alignment is None:
        return None
    from truecase.alignment.parallel import AlignmentFile

    return AlignmentFile(
        arguments.alignment,
        arguments.subwords,
        arguments.source_subwords,
        arguments.target_subwords,
        is_soft=arguments.soft_alignment,
        threshold=arguments.threshold,
    )


#: Options that say something of a source's alignment.
ALIGNMENT_OPTIONS = (
    "alignment",
    "threshold",
    "subwords",
    "source_subwords",
    "target_subwords",
    "soft_alignment",
)


def refuse(arguments: argparse.Namespace, names: Sequence[str], why: str) -> None:
    """Refuse options that would do nothing: ``--name`` and `why`.

    Raises
    ------
    UsageError
    """
    for name in names:
        if getattr(arguments, name) is not None and getattr(arguments, name) is not False:
            raise UsageError(f"--{name.replace('_', '-')}{why}")


def check_source(arguments: argparse.Namespace) -> None:
    """Refuse options of the source without one.

    Raises
    ------
    UsageError
    """
    if arguments.source is None:
        others = ("moses_trace", "skip_bad_alignments")
        refuse(arguments, (*ALIGNMENT_OPTIONS, *others), " needs --source")
    if arguments.skip_bad_alignments and not (arguments.moses_trace or arguments.alignment):
        raise UsageError("--skip-bad-alignments: there is no --alignment whose lines could be bad")
    if arguments.moses_trace and arguments.alignment:
        raise UsageError("--moses-trace has the alignment in the text; leave --alignment out")
    check_alignment(arguments)


def transform_aligned(case: CaseAligned, arguments: argparse.Namespace, label: str = "") -> None:
    """Write the text of ``arguments.input``, cased with its source, in constant memory.

    Parameters
    ----------
    case : callable
        Must be usable from several threads.
    arguments : Namespace
        Those of `add_source`, of input and output, threads and line buffering.
    label : str
        What the progress bar says.
    """
    from truecase.alignment.lines import SkippedLines
    from truecase.base.encoding import FileEncoding
    from truecase.base.progress import Progress
    from truecase.base.threads import ordered_map
    from truecase.cli.streams import open_output

    line_buffered = arguments.line_buffered
    terminal = on_terminal(arguments.input, arguments.output)
    if line_buffered is None:
        line_buffered = terminal
    skipped = SkippedLines() if arguments.skip_bad_alignments else None

    def case_lines(lines: AlignedLines) -> bytes:
        return case(lines.target, lines.source, lines.phrases)

    found = FileEncoding()
    enabled = False if terminal else shows_progress(arguments)
    with (
        Progress.for_files([arguments.input], label, enabled) as progress,
        open_output(arguments.output, found) as output,
    ):
        blocks = _read(arguments, line_buffered, skipped, progress, found)
        for block in ordered_map(case_lines, blocks, arguments.threads, eager=True):
            output.write(block)
            output.flush()
            count_words(block, progress)
    if skipped is not None:
        skipped.report()


def _read(
    arguments: argparse.Namespace,
    eager: bool,
    skipped: SkippedLines | None,
    progress: Progress,
    found: FileEncoding,
) -> Iterator[AlignedLines]:
    from truecase.alignment.moses_trace import read_trace
    from truecase.alignment.parallel import Reading, read_aligned

    reading = Reading(BLOCK_SIZE, eager, progress, arguments.encoding, found)
    if arguments.moses_trace:
        return read_trace(arguments.source, arguments.input, reading, skipped=skipped)
    alignment = alignment_file(arguments)
    return read_aligned(arguments.source, arguments.input, alignment, reading, skipped=skipped)
