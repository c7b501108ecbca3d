"""``truecase align``: word alignment of a bitext."""

from __future__ import annotations

import argparse

from truecase.cli.commands import Command, defaults
from truecase.cli.flags import Flag
from truecase.cli.transform import file_progress
from truecase.errors import UsageError


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    from truecase.alignment.link_formats import format_pharaoh
    from truecase.alignment.parallel import Reading, read_parallel
    from truecase.alignment.word_aligner import (
        SAVING_LIBRARIES,
        AlignerOptions,
        SavedAligner,
        align_bitext,
        import_library,
        learn_aligner,
    )
    from truecase.cli.streams import check_model_output, check_output, open_output

    known_path = getattr(arguments, "with")
    if arguments.save is not None and arguments.save in ("-", arguments.output):
        raise UsageError("--save: give it a file of its own")
    texts = [arguments.source, arguments.target]
    check_output(arguments.output, [*texts, known_path])
    if arguments.save is not None:
        check_model_output(arguments.save, texts)
    options = AlignerOptions(
        segmentation=arguments.segmentation or "raw",
        source_language=arguments.source_language,
        target_language=arguments.target_language,
        seed=arguments.seed,
    )
    # Before the texts are read, not after.
    import_library(options.libraries if arguments.save is known_path is None else SAVING_LIBRARIES)
    known = None if known_path is None else SavedAligner.load(known_path)
    saved = None
    with file_progress(arguments, [arguments.target], "reading") as progress:
        reading = Reading(progress=progress, encoding=arguments.encoding)
        blocks = read_parallel(arguments.source, arguments.target, reading)
        if arguments.save is not None:
            links, saved = learn_aligner(blocks, options, progress.phase)
        elif known is not None:
            links = align_bitext(blocks, options, progress.phase, known=known)
        else:
            links = align_bitext(blocks, options, progress.phase)
    if saved is not None:
        saved.save(arguments.save)
    with open_output(arguments.output) as output:
        output.write(format_pharaoh(links))


STEPS = {
    "": Command(
        run,
        {"source": Flag("SOURCE"), "target": Flag("TARGET")},
        {
            "text": "output segmentation source-language target-language encoding quiet",
            "alignment": "seed save with",
        },
        defaults(source_language="", target_language=""),
    )
}
