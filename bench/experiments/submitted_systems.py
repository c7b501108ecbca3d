r"""Translations by systems of a WMT news task, ready to be cased.

    git clone https://github.com/wmt-conference/wmt21-news-systems WMT
    python bench/experiments/prepare_bitext.py DATA BITEXTS
    python bench/experiments/submitted_systems.py WMT/txt BITEXTS/zh-en-news WORK \
        --direction zh-en --systems Facebook-AI Online-A Online-G
    python bench/experiments/translation_quality.py WORK/zh-en/Online-A --models ngram=FILE ...

WORK/zh-en/SYSTEM gets what `machine_translation.py` leaves: ``test.source`` and
``test.reference`` (reference A), cased, ``test.out``, the system's translation lowercased,
``test.align``, its word alignment, and besides ``test.cased``, the translation as the system
cased it itself. Texts are tokenised as `prepare_bitext.py` does it. The systems tell nothing of
their alignments: words are aligned by eflomal, the training part of the bitext, all
translations of the direction and the source together.
"""

from collections.abc import Iterator
from pathlib import Path

from frame import parser_of, run_script
from prepare_bitext import tokenise

from truecase.alignment.lines import AlignedLines
from truecase.alignment.link_formats import format_pharaoh
from truecase.alignment.parallel import read_parallel
from truecase.alignment.word_aligner import AlignerOptions, align_bitext
from truecase.base.atomic import atomic_write
from truecase.kernels._segment import count_lines
from truecase.kernels._unicode import lower


def main() -> int:
    parser = parser_of(__doc__, texts="", model=False)
    parser.add_argument("texts", type=Path, help="folder txt of the task's repository")
    parser.add_argument("bitext", type=Path, help="to align with; prepare_bitext.py makes it")
    parser.add_argument("work", type=Path)
    parser.add_argument("--direction", required=True, metavar="zh-en")
    parser.add_argument("--systems", required=True, nargs="+", metavar="NAME")
    args = parser.parse_args()
    source, target = args.direction.split("-")
    folders = [
        prepare(args.texts, args.work / args.direction / system, source, target, system)
        for system in args.systems
    ]
    align(args.bitext, folders, source, target)
    return 0


def prepare(texts: Path, folder: Path, source: str, target: str, system: str) -> Path:
    """Write all but the alignment of one system."""
    folder.mkdir(parents=True, exist_ok=True)
    found = {
        "source": ("sources", f"src.{source}", source),
        "reference": ("references", f"ref.A.{target}", target),
        "cased": ("system-outputs", f"hyp.{system}.{target}", target),
    }
    for name, (kind, ending, language) in found.items():
        paths = sorted((texts / kind).glob(f"*.{source}-{target}.{ending}"))
        if len(paths) != 1:
            raise SystemExit(f"{texts / kind}: expected one file *.{source}-{target}.{ending}")
        (folder / f"test.{name}").write_bytes(tokenise(paths[0].read_bytes(), language))
    cased = (folder / "test.cased").read_text(encoding="utf-8")
    (folder / "test.out").write_text(lower(cased, target), encoding="utf-8")
    counts = {name: count_lines((folder / f"test.{name}").read_bytes()) for name in found}
    if len(set(counts.values())) != 1:
        raise SystemExit(f"{folder}: not as many lines in each text: {counts}")
    return folder


def align(bitext: Path, folders: list[Path], source: str, target: str) -> None:
    """Write test.align of all folders."""
    parts = [(bitext / f"train.{source}", bitext / f"train.{target}")]
    parts += [(folder / "test.source", folder / "test.cased") for folder in folders]
    n_lines = [0] * len(parts)

    def blocks() -> Iterator[AlignedLines]:
        for part, paths in enumerate(parts):
            n_lines[part] = 0
            for block in read_parallel(*paths):
                n_lines[part] += count_lines(block.target)
                yield block

    links = align_bitext(blocks(), AlignerOptions(segmentation="space"))
    first = n_lines[0]
    for folder, n in zip(folders, n_lines[1:], strict=True):
        with atomic_write(folder / "test.align") as file:
            file.write(format_pharaoh(links.select(first, first + n)))
        first += n


if __name__ == "__main__":
    run_script(main)
