"""Interface strings: how many come out right as a whole, by style.

    python bench/experiments/interface_strings.py FOLDER... [--split dev] [--errors]
    python bench/experiments/interface_strings.py en_GB.po...

A folder is a bitext with English as the target: SPLIT.en.txt.xz, another language, and
SPLIT.project.txt.xz with the project of each line; projects of programs are told from those of
documentation by name. A PO file is one of English targets. Targets are lowercased and cased by
`truecase file`, as a PO file: without their source, with it, and with --style source. A unit is
right if every word of it is.
"""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path

from frame import read_lines, run_script

from truecase.formats.file_caser import FileCaser
from truecase.formats.format import ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document
from truecase.truecaser import Truecaser

INTERFACES = frozenset("apt dpkg evolution git gimp inkscape mozilla vlc".split())
WAYS = ("no source", "source", "style source")


def read_folder(folder, split):
    """Pairs of source and target by kind, and the language of the sources."""
    names = {path.name.split(".")[1]: path for path in folder.glob(f"{split}.*.txt.xz")}
    texts = {name: read_lines(path) for name, path in names.items()}
    languages = names.keys() - {"en", "project"}
    if len(names) != 3 or len(languages) != 1:
        raise SystemExit(f"{folder}: expected {split}.LANGUAGE.txt.xz of en, project and another")
    (language,) = languages
    found = {"interface": [], "documentation": []}
    for project, source, target in zip(texts["project"], texts[language], texts["en"], strict=True):
        kind = "interface" if project in INTERFACES else "documentation"
        found[kind].append((source, target))
    return found, language


def read_po(path):
    document = read_document(path.read_bytes(), str(path))
    segments = document.segments
    pairs = []
    for i in range(len(segments)):
        spans = (segments.source(i), segments.target(i))
        source, target = (
            "".join(piece.text for piece in document.pieces(document.data, *span)) for span in spans
        )
        if any(map(str.isalpha, target)):
            pairs.append((source, target))
    return pairs


def po_of(pairs):
    def string(text):
        escaped = text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
        return f'"{escaped}"'

    entries = (f"msgid {string(a)}\nmsgstr {string(b.lower())}\n" for a, b in pairs)
    return "\n".join(entries).encode()


def cased(pairs, language, model, way):
    known = [(source if way != "no source" else "-", target) for source, target in pairs]
    document = read_document(po_of(known), "a.po", options=ReadOptions(Languages(language, None)))
    style = "source" if way == "style source" else "sentence"
    output = b"".join(FileCaser(document, model, style=style).output())
    after = read_document(output, "a.po")
    return [
        "".join(piece.text for piece in after.target_pieces(i)) for i in range(len(after.segments))
    ]


def main():
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("paths", type=Path, nargs="+")
    parser.add_argument("--split", default="dev")
    parser.add_argument("-m", "--model")
    parser.add_argument("--errors", action="store_true", help="write the units that are wrong")
    arguments = parser.parse_args()
    model = Truecaser.load(arguments.model)
    print("| text | units | " + " | ".join(f"{way}: units, words" for way in WAYS) + " |")
    print("|" + "---|" * (2 + len(WAYS)))
    for path in arguments.paths:
        if path.is_dir():
            kinds, language = read_folder(path, arguments.split)
        else:
            kinds, language = {"PO": read_po(path)}, None
        for kind, pairs in kinds.items():
            if not pairs:
                continue
            row = []
            for way in WAYS:
                counts = Counter()
                found = cased(pairs, language, model, way)
                for (_, target), text in zip(pairs, found, strict=True):
                    words, texts = target.split(), text.split()
                    counts["units"] += words == texts
                    counts["right"] += sum(a == b for a, b in zip(words, texts, strict=True))
                    counts["words"] += len(words)
                    if arguments.errors and words != texts:
                        print(f"{way}\t{' '.join(words)}\t{' '.join(texts)}")
                units = 100 * counts["units"] / len(pairs)
                row.append(f"{units:.1f}, {100 * counts['right'] / counts['words']:.1f}")
            print(f"| {path.name} {kind} | {len(pairs)} | {' | '.join(row)} |", flush=True)


if __name__ == "__main__":
    run_script(main)
