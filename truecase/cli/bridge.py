"""``truecase bridge``: case before and after a machine translation system."""

from __future__ import annotations

import argparse
from collections.abc import Iterator

from truecase.base.encoding import FileEncoding
from truecase.base.progress import Progress
from truecase.base.read import display_name
from truecase.cli.commands import Command
from truecase.cli.model import model_of, require_truecaser
from truecase.cli.streams import check_output, open_output
from truecase.cli.transform import ALIGNMENT_FLAGS, alignment_file, reading, transform, write_blocks
from truecase.errors import UsageError


def _before(arguments: argparse.Namespace) -> None:
    from truecase.truecaser.bridge import CaseBridge

    check_output(arguments.records, [arguments.input])
    if arguments.records == arguments.output:
        raise UsageError("--records and the output are the same file: give one another name")
    model = require_truecaser(
        model_of(arguments),
        "bridge: models of Moses' truecaser do not say how sure they are; use a model of truecase",
    )
    bridge = CaseBridge(model, emphasis=arguments.emphasis)
    with open_output(arguments.records) as records:

        def case(block: bytes) -> bytes:
            text, record = bridge.before_block(block)
            records.write(record)
            records.flush()
            return text

        transform(case, arguments, "casing")


def _after(arguments: argparse.Namespace) -> None:
    from truecase.alignment.lines import BadLines
    from truecase.alignment.parallel import read_side_by_side
    from truecase.truecaser.bridge import CaseBridge, parse_links

    alignment = alignment_file(arguments)
    bridge = CaseBridge(target_language=arguments.target_language)
    others = [(arguments.records, None)]
    if arguments.source is not None:
        others.append((arguments.source, arguments.encoding))
    if alignment is not None:
        others.append((arguments.alignment, None))
        others += [(path, arguments.encoding) for path in alignment.subword_files]

    def cased(progress: Progress, found: FileEncoding) -> Iterator[bytes]:
        how = reading(arguments, progress, found)
        for first_line, block, beside in read_side_by_side(
            arguments.input, others, how, opened_first=True
        ):
            records, *rest = beside
            source = rest.pop(0) if arguments.source is not None else None
            phrases = None
            if alignment is not None:
                bad = BadLines(display_name(alignment.path), first_line)
                if source is not None:
                    phrases = alignment.links(rest[0], source, block, rest[1:], bad)
                else:
                    least = alignment.threshold or 0.0
                    phrases = parse_links(rest[0], block, threshold=least, bad=bad)
            yield bridge.after_block(
                block,
                records,
                source,
                phrases,
                name=display_name(arguments.records),
                first_line=first_line,
            )

    write_blocks(cased, arguments, "casing")


STEPS = {
    "": Command(),
    "before": Command(
        _before,
        flags={
            "text": "input output records encoding line-buffered quiet",
            "model": "model lang decode-with names",
            "case": "emphasis after-colon offices",
        },
        summary="put text into sentence case",
    ),
    "after": Command(
        _after,
        flags={
            "text": "input output records target-language encoding line-buffered quiet",
            "translations": f"source {ALIGNMENT_FLAGS}",
        },
        changes={"target-language": {"default": ""}},
        summary="put translations into the case of their sources",
    ),
}
