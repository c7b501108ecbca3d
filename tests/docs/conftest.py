"""Small files with the names that the documentation uses."""

import gzip
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))


def write_files(folder):
    """Corpora of one language and of two, as the pages call them."""
    from small_bitext import bitext, pharaoh
    from small_model import training_text

    texts = {"corpus": (600, 11), "dev": (80, 12), "test": (80, 13), "manuals": (400, 14)}
    for name, (n_lines, seed) in texts.items():
        text = training_text(n_lines, seed=seed)
        (folder / f"{name}.txt").write_text(text, encoding="utf-8")
    (folder / "news.txt").write_text(training_text(400, seed=20), encoding="utf-8")
    (folder / "input.txt").write_text(training_text(10, seed=21).lower(), encoding="utf-8")
    (folder / "more-manuals.txt").write_text(training_text(100, seed=15), encoding="utf-8")
    with gzip.open(folder / "more.txt.gz", "wt", encoding="utf-8") as file:
        file.write(training_text(200, seed=16))
    (folder / "part1.txt").write_text(training_text(60, seed=17), encoding="utf-8")
    with gzip.open(folder / "part2.txt.gz", "wt", encoding="utf-8") as file:
        file.write(training_text(60, seed=18))
    (folder / "held-out.txt").write_text(training_text(300, seed=19), encoding="utf-8")
    for name, n_lines, seed in (("train", 600, 5), ("dev", 150, 6), ("test", 150, 7)):
        lines = bitext(n_lines, seed)
        (folder / f"{name}.en").write_bytes(lines.target)
        (folder / f"{name}.fr").write_bytes(lines.source)
        (folder / f"{name}.align").write_bytes(pharaoh(lines))


@pytest.fixture
def folder(tmp_path):
    """An empty folder but for those files."""
    folder = tmp_path / "page"
    folder.mkdir()
    write_files(folder)
    return folder
