"""Measure how fast files of translations and catalogues, made from aligned lines, are cased.

    python bench/catalogues.py SOURCE TARGET [--kind KIND]... [--megabytes N] [--keep FOLDER]
                               [--model MODEL] [--decode-with WHAT] [--rounds N] [--threads N]

SOURCE and TARGET are plain text, aligned line by line. The script makes a file of N megabytes of
each kind, with targets in lower case and the usual markup; it repeats lines if necessary. In each
round, the model cases the file, and so does a function that raises ASCII letters, which shows the
time spent beside the model. Times are CPU seconds of the best round.
"""

import argparse
import itertools
import json
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import NamedTuple
from xml.sax.saxutils import escape

from script import run_script

from truecase import Truecaser, case_file
from truecase.errors import AlignmentError

#: Aligned lines: a source, and its translation in lower case.
Pairs = Iterable[tuple[str, str]]

EVERY_TAG, EVERY_CODE, EVERY_PLACEHOLDER = 11, 17, 13


class Upper:
    """Costs next to nothing, looks at sources, and changes every text."""

    def case_block(self, block, threads=1, input_case="ignore", source=b""):
        return block.upper()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("source", metavar="SOURCE")
    parser.add_argument("target", metavar="TARGET")
    parser.add_argument("--kind", action="append", choices=KINDS)
    parser.add_argument("--megabytes", type=float, default=20, metavar="N")
    parser.add_argument("--keep", metavar="FOLDER", help="make the files there, and keep them")
    parser.add_argument("--model", metavar="MODEL")
    parser.add_argument("--decode-with", choices=("ngram", "unigram"))
    parser.add_argument("--rounds", type=int, default=3, metavar="N")
    parser.add_argument("--threads", type=int, default=1, metavar="N")
    args = parser.parse_args()
    model = Truecaser.load(args.model, decode_with=args.decode_with)
    pairs = read_pairs(args.source, args.target)
    if args.keep:
        Path(args.keep).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        for kind in args.kind or KINDS:
            path = Path(args.keep or folder, f"{args.megabytes:g}.{KINDS[kind].suffix}")
            if not path.exists():
                path.write_bytes(made(kind, pairs, int(args.megabytes * 1e6)))
            best = {}
            for _ in range(args.rounds):
                for name, caser in (("whole", model), ("beside", Upper())):
                    seconds, words = timed(path, caser, args.threads)
                    best[name] = min(seconds, best.get(name, seconds))
            size = path.stat().st_size
            print(
                f"{kind:10} {size / 1e6:6.1f} MB {words:9,} words  {best['whole']:6.2f} s, "
                f"{best['beside']:5.2f} s beside casing  {size / best['whole'] / 1e6:5.1f} MB/s "
                f"{words / best['whole']:9,.0f} words/s",
                flush=True,
            )


def timed(path: Path, caser: object, threads: int) -> tuple[float, int]:
    """CPU seconds of casing a file, and its words."""
    target = None if path.suffix != ".tmx" else "en"
    with tempfile.TemporaryDirectory() as folder:
        start = time.process_time()
        summary = case_file(
            path, Path(folder, "cased"), caser, target_language=target, threads=threads
        )
        return time.process_time() - start, summary.n_words


def read_pairs(source: str, target: str) -> list[tuple[str, str]]:
    """Aligned lines, the targets in lower case."""
    sides = (Path(path).read_text(encoding="utf-8").splitlines() for path in (source, target))
    lines = list(itertools.zip_longest(*sides))
    pairs = [(a, b.lower()) for a, b in lines if a and b and a.strip() and b.strip()]
    if not pairs or None in lines[-1]:
        raise AlignmentError(f"{source}, {target}: expected as many lines in both, and words")
    return pairs


def made(kind: str, pairs: Pairs, n_bytes: int) -> bytes:
    """A file of about so many bytes."""
    of = KINDS[kind]
    parts, size = [], 0
    for i, (source, target) in enumerate(itertools.cycle(pairs)):
        part = of.entry(i, source, target)
        size += len(part.encode("utf-8"))
        parts.append(part)
        if size >= n_bytes:
            break
    return f"{of.head}{of.between.join(parts)}{of.tail}".encode()


def marked(text: str, i: int) -> str:
    """XML's text, now and then with an element or a code within."""
    first, blank, rest = escape(text).partition(" ")
    if blank and i % EVERY_TAG == 0:
        return f'<bpt i="1">&lt;b&gt;</bpt>{first}<ept i="1">&lt;/b&gt;</ept> {rest}'
    if blank and i % EVERY_CODE == 0:
        return f'{first} <ph x="1">%s</ph> {rest}'
    return escape(text)


def message(text: str, i: int) -> str:
    """Text of a program, now and then with a placeholder or markup."""
    first, blank, rest = text.partition(" ")
    if blank and i % EVERY_PLACEHOLDER == 0:
        return f"{first} %s {rest}"
    if blank and i % EVERY_TAG == 0:
        return f"<b>{first}</b> {rest}"
    return text


class Kind(NamedTuple):
    """A kind of file: its ending, an entry of a number and two texts, and what is around these."""

    suffix: str
    entry: Callable[[int, str, str], str]
    head: str = ""
    between: str = ""
    tail: str = ""


def of_tmx(i: int, source: str, target: str) -> str:
    return (
        f'    <tu tuid="{i}" creationdate="20240131T101500Z" creationid="mt" usagecount="0">\n'
        f'      <prop type="project">manual</prop>\n'
        f'      <tuv xml:lang="fr"><seg>{marked(source, i)}</seg></tuv>\n'
        f'      <tuv xml:lang="en"><seg>{marked(target, i)}</seg></tuv>\n    </tu>\n'
    )


def of_xliff(i: int, source: str, target: str) -> str:
    return (
        f'      <trans-unit id="{i}" xml:space="preserve">\n'
        f"        <source>{marked(source, i)}</source>\n"
        f'        <target state="translated">{marked(target, i)}</target>\n'
        f"      </trans-unit>\n"
    )


def of_xliff2(i: int, source: str, target: str) -> str:
    return (
        f'    <unit id="{i}">\n      <segment state="translated">\n'
        f"        <source>{escape(source)}</source>\n"
        f"        <target>{escape(target)}</target>\n      </segment>\n    </unit>\n"
    )


def of_po(i: int, source: str, target: str) -> str:
    comment = f"#: src/window-{i % 97}.c:{i % 1009}\n"
    return comment + _po("msgid", source, i) + _po("msgstr", target, i)


def _po(keyword: str, text: str, i: int) -> str:
    words = _quoted(text, i)[1:-1].split(" ")
    lines, line = [], ""
    for word in words:
        if line and len(line) + len(word) > 76:
            lines.append(line)
            line = ""
        line += word + " "
    lines.append(line[:-1])
    if len(lines) > 1:
        lines.insert(0, "")
    return keyword + " " + "".join(f'"{part}"\n' for part in lines)


def of_android(i: int, source: str, target: str) -> str:
    text = escape(target).replace("'", "\\'")
    return f'    <string name="key_{i}">{text}</string>\n'


def of_resx(i: int, source: str, target: str) -> str:
    text = escape(message(target, i))
    return f'  <data name="Key{i}" xml:space="preserve">\n    <value>{text}</value>\n  </data>\n'


def of_qt(i: int, source: str, target: str) -> str:
    return (
        f'    <message>\n        <location filename="window.cpp" line="{i}"/>\n'
        f"        <source>{escape(message(source, i))}</source>\n"
        f"        <translation>{escape(message(target, i))}</translation>\n    </message>\n"
    )


def of_xcstrings(i: int, source: str, target: str) -> str:
    return (
        f'    "key.{i}" : {{\n      "localizations" : {{\n        "en" : {{\n'
        f'          "stringUnit" : {{\n            "state" : "translated",\n'
        f'            "value" : {_quoted(target, i)}\n          }}\n'
        "        }\n      }\n    }"
    )


def _quoted(text: str, i: int) -> str:
    return json.dumps(message(text, i), ensure_ascii=False)


XML = '<?xml version="1.0" encoding="utf-8"?>\n'
KINDS = {
    "tmx": Kind(
        "tmx",
        of_tmx,
        f'{XML}<!DOCTYPE tmx SYSTEM "tmx14.dtd">\n'
        '<tmx version="1.4">\n  <header creationtool="bench" creationtoolversion="1" '
        'segtype="sentence" o-tmf="none" adminlang="en" srclang="fr" datatype="plaintext"/>\n'
        "  <body>\n",
        tail="  </body>\n</tmx>\n",
    ),
    "xliff": Kind(
        "xlf",
        of_xliff,
        f'{XML}<xliff version="1.2" xmlns="urn:oasis:names:tc:xliff:document:1.2">\n'
        '  <file original="manual" source-language="fr" target-language="en" '
        'datatype="plaintext">\n    <body>\n',
        tail="    </body>\n  </file>\n</xliff>\n",
    ),
    "xliff2": Kind(
        "xliff",
        of_xliff2,
        f'{XML}<xliff version="2.0" '
        'xmlns="urn:oasis:names:tc:xliff:document:2.0" srcLang="fr" trgLang="en">\n'
        '  <file id="f">\n',
        tail="  </file>\n</xliff>\n",
    ),
    "po": Kind(
        "po",
        of_po,
        'msgid ""\nmsgstr ""\n"Language: en\\n"\n"Content-Type: text/plain; charset=UTF-8\\n"\n\n',
        "\n",
    ),
    "android": Kind("android.xml", of_android, f"{XML}<resources>\n", tail="</resources>\n"),
    "resx": Kind("resx", of_resx, f"{XML}<root>\n", tail="</root>\n"),
    "qt": Kind(
        "ts",
        of_qt,
        f'{XML}<!DOCTYPE TS>\n<TS version="2.1" sourcelanguage="fr" language="en">\n<context>\n'
        "    <name>Window</name>\n",
        tail="</context>\n</TS>\n",
    ),
    "strings": Kind(
        "strings",
        lambda i, _, target: f'/* Window {i % 97} */\n"key.{i}" = {_quoted(target, i)};\n\n',
    ),
    "xcstrings": Kind(
        "xcstrings",
        of_xcstrings,
        '{\n  "sourceLanguage" : "fr",\n  "strings" : {\n',
        ",\n",
        '\n  },\n  "version" : "1.0"\n}\n',
    ),
    "json": Kind(
        "json", lambda i, _, target: f'  "key{i}": {_quoted(target, i)}', "{\n", ",\n", "\n}\n"
    ),
    "yaml": Kind("yml", lambda i, _, target: f"  key{i}: {_quoted(target, i)}\n", "en:\n"),
}


if __name__ == "__main__":
    run_script(main)
