"""``truecase explain``: why a text is cased as it is."""

from __future__ import annotations

import argparse
import json
import shutil
from typing import TYPE_CHECKING

from truecase.cli.aligned import ALIGNMENT_OPTIONS, add_alignment_form, check_alignment, refuse
from truecase.cli.options import add_encoding, add_house_style, add_model, add_sentence_start
from truecase.cli.streams import check_output, write_text
from truecase.errors import UsageError

if TYPE_CHECKING:
    from truecase.evaluation.explanation import Explanation

DESCRIPTION = """\
Case one line and show why it came out so: the candidates of each word, what each feature of
the model gave to them (value times weight), how probable they are, and the best path. With
--punctuate, marks are put first, and how probable each was is shown, too.
"""

EPILOG = """\
examples:
  truecase explain "us pacific command"
  truecase explain -m my.truecase --json "us pacific command"
  truecase explain --html why.html "he works for the us pacific command"
  truecase explain -m fr-en --source "Cliquez sur OK" "click ok"
  truecase explain -m fr-en --source "Cliquez sur OK" --alignment "0-0 1-0 2-1 3-1" "click ok" \\
    --subwords bpe --source-subwords "Cli@@ quez sur OK" --target-subwords "click ok"
  truecase explain --punctuate "so how are you doing today i am fine"
  head -1 input.txt | truecase explain -
"""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments."""
    parser.add_argument(
        "text",
        metavar="TEXT",
        nargs="+",
        help="one line, its words as one argument or several; - reads it from standard input",
    )
    add_model(parser)
    parser.add_argument(
        "--source", metavar="SENTENCE", help="the sentence, cased, that TEXT is a translation of"
    )
    parser.add_argument(
        "--alignment", metavar="LINKS", help="which of their words are aligned, such as '0-0 1-2'"
    )
    add_alignment_form(parser, metavar="SUBWORDS")
    parser.add_argument(
        "--punctuate",
        action="store_true",
        help="put the marks that are missing, as `truecase punctuate` does, and explain them",
    )
    add_sentence_start(parser)
    add_house_style(parser)
    add_encoding(parser)
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument(
        "--html",
        metavar="FILE",
        help="write a page with the lattice drawn: one file that needs no other; - is standard "
        "output",
    )


def run(arguments: argparse.Namespace) -> int:
    """Carry the command out."""
    from truecase.cli.model import load_model, require_source_model
    from truecase.truecaser import Truecaser

    if arguments.json and arguments.html is not None:
        raise UsageError("--json and --html: expected one of them")
    if arguments.source is None:
        refuse(arguments, ALIGNMENT_OPTIONS, " needs --source")
    check_alignment(arguments)
    if arguments.punctuate and (arguments.source or arguments.sentence_start):
        option = "--source" if arguments.source else "--sentence-start"
        raise UsageError(f"{option}: not with --punctuate, which finds the sentences by itself")
    if arguments.encoding is not None and arguments.text != ["-"]:
        raise UsageError("--encoding: is of standard input; TEXT on the command line has none")
    if arguments.html is not None:
        check_output(arguments.html)
    model = load_model(
        arguments.model,
        arguments.decode_with,
        names=arguments.names,
        after_colon=arguments.after_colon,
        offices=arguments.offices,
    )
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
        write_text(arguments.html, _page(explanation, arguments.model))
    elif arguments.json:
        plain = explanation.to_dict()
        write_text("-", json.dumps(plain, indent=2, ensure_ascii=False) + "\n")
    else:
        from truecase.evaluation.text_tables import explanation_table

        width = shutil.get_terminal_size((100, 24)).columns
        write_text("-", explanation_table(explanation, width))
    return 0


def _text(words: list[str], encoding: str | None) -> str:
    """The line that the arguments stand for."""
    if words != ["-"]:
        return " ".join(words)
    from truecase.base.read import read_blocks

    data = b"".join(read_blocks(["-"], encoding=encoding))
    return data.decode("utf-8", "replace").removesuffix("\n").removesuffix("\r")


def _links_of_words(arguments: argparse.Namespace, text: str) -> str | None:
    """The alignment in Pharaoh's form, over words."""
    if arguments.alignment is None or "\n" in text:
        # Several lines are refused as such.
        return None
    from truecase.alignment.lines import BadLines
    from truecase.alignment.link_formats import SystemAlignment, format_pharaoh, parse_pharaoh
    from truecase.text._words import count_words

    links, source, target = (
        f"{line}\n".encode("utf-8", "surrogateescape")
        for line in (arguments.alignment, arguments.source, text)
    )
    if arguments.subwords is None:
        phrases = parse_pharaoh(
            links, count_words(source), count_words(target), threshold=arguments.threshold or 0.0
        )
    else:
        names = ("--source-subwords", "--target-subwords")
        system = SystemAlignment(
            arguments.subwords, arguments.soft_alignment, arguments.threshold, names
        )
        parts = [
            f"{line}\n".encode("utf-8", "surrogateescape")
            for line in (arguments.source_subwords, arguments.target_subwords)
        ]
        phrases = system.links(links, source, target, parts, BadLines("--alignment"))
    return format_pharaoh(phrases).decode()


def _page(explanation: Explanation, model: str | None) -> str:
    from truecase.evaluation.explanation_page import explanation_page

    return explanation_page(explanation, model)
