"""``truecase explain``: why a text is cased as it is."""

from __future__ import annotations

import argparse
import shutil
from typing import Any

from truecase.base.read import read_blocks
from truecase.cli.commands import Command
from truecase.cli.flags import Flag
from truecase.cli.model import model_of, require_source_model
from truecase.cli.streams import check_output, write_json, write_text
from truecase.cli.transform import ALIGNMENT_FLAGS
from truecase.errors import UsageError


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    from truecase.truecaser import Truecaser

    if arguments.encoding is not None and arguments.text != ["-"]:
        raise UsageError("--encoding: is of standard input; TEXT on the command line has none")
    if arguments.html is not None:
        check_output(arguments.html)
    model = model_of(arguments)
    if not isinstance(model, Truecaser):
        raise ValueError(
            f"{arguments.model}: models of Moses' truecaser have no candidates to explain"
        )
    if arguments.source is not None:
        require_source_model(model)
    text = _text(arguments.text, arguments.encoding)
    explanation = model.explain(
        text,
        source=arguments.source,
        alignment=_links_of_words(arguments, text),
        sentence_start=arguments.sentence_start or "always",
        punctuate=arguments.punctuate,
    )
    if arguments.html is not None:
        from truecase.evaluation.explanation_page import explanation_page

        write_text(arguments.html, explanation_page(explanation, arguments.model))
    elif arguments.json:
        write_json(explanation.to_dict())
    else:
        from truecase.evaluation.text_tables import explanation_table

        width = shutil.get_terminal_size((100, 24)).columns
        write_text("-", explanation_table(explanation, width))


STEPS = {
    "": Command(
        run,
        {"text": Flag("TEXT", nargs="+")},
        {
            "what is shown": "json html encoding",
            "model": "model lang decode-with names",
            "case": "punctuate sentence-start after-colon offices",
            "translations": f"source {ALIGNMENT_FLAGS}",
        },
        {
            "source": {"metavar": "SENTENCE"},
            "alignment": {"metavar": "LINKS"},
            "source-subwords": {"metavar": "SUBWORDS"},
            "target-subwords": {"metavar": "SUBWORDS"},
        },
    )
}


def _text(words: list[str], encoding: str | None) -> str:
    """Read the line from the arguments or standard input."""
    if words != ["-"]:
        data = " ".join(words).encode("utf-8", "surrogateescape")
        return data.decode("utf-8", "replace")
    data = b"".join(read_blocks(["-"], encoding=encoding))
    return data.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r")


def _links_of_words(arguments: argparse.Namespace, text: str) -> str | None:
    if arguments.alignment is None or "\n" in text:
        # An error reports several lines.
        return None
    from truecase.alignment.lines import BadLines
    from truecase.alignment.link_formats import format_pharaoh
    from truecase.alignment.parallel import AlignmentFile

    def encoded(line: str) -> bytes:
        return f"{line}\n".encode("utf-8", "surrogateescape")

    links, source, target = map(encoded, (arguments.alignment, arguments.source, text))
    given: list[str] = []
    how: Any = {"is_soft": arguments.soft_alignment, "threshold": arguments.threshold}
    if arguments.subwords is not None:
        given = [arguments.source_subwords, arguments.target_subwords]
        how.update(source_subwords="--source-subwords", target_subwords="--target-subwords")
    file = AlignmentFile("--alignment", arguments.subwords, **how)
    subwords, bad = [*map(encoded, given)], BadLines("--alignment")
    found = file.links(links, source, target, subwords, bad)
    return format_pharaoh(found).decode()
