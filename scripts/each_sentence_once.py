"""Copy a corpus without the lines that are also sentences of a paragraph.

    python scripts/each_sentence_once.py PARAGRAPHS OUT_DIR FILE...

Training learns weights on a part of the text with the language model of the other parts. That model
would know a sentence that stands in both, by itself and in its paragraph, and the weights would not
fit other text. Short lines such as "She smiled." repeat by nature and stay. The copies are plain
text. PARAGRAPHS, plain or compressed, is copied unchanged if it is among FILE.
"""

import sys
from pathlib import Path

from corpus_text import copy_kept, key, lines_of, names_of, sentence_keys


def main(paragraphs: str, folder: Path, files: list[str]) -> int:
    """Write the copies; return 0."""
    sentences = {found for line in lines_of(paragraphs) for found in sentence_keys(line)}
    folder.mkdir(parents=True, exist_ok=True)
    for path, name in zip(files, names_of(files), strict=True):
        held = sentences if path != paragraphs else set()
        out = folder / f"{name}.txt"
        copy_kept(lines_of(path), out, lambda line, held=held: key(line) not in held)
    return 0


if __name__ == "__main__":
    if len(sys.argv) < 4:
        sys.exit(f"usage: {sys.argv[0]} PARAGRAPHS OUT_DIR FILE...")
    sys.exit(main(sys.argv[1], Path(sys.argv[2]), sys.argv[3:]))
