"""Cased BLEU of translations by truecaser (WKM 2006, Table 3; Zollmann et al. 2006, Table 4).

    python bench/experiments/translation_quality.py WORK/en-fr/lower --models
        trigram=tri.truecase crf=crf.truecase bilingual=bi.truecase+words
        [--outputs TrainTrueCase=WORK/en-fr/true/test.out] [--json OUT]

The folder is one that `machine_translation.py` leaves: ``test.out`` is the lowercased
translation, ``test.source`` and ``test.reference`` are cased. Each model cases the translation;
what stands after its file says what it sees of the source sentence:

(nothing)   nothing
+source     the sentence
+words      the words aligned to each word (``test.align``)
+phrases    all words of the phrase that each word was translated from (``test.trace``)

The upper bound is the BLEU of the lowercased translation against the lowercased reference;
*gap* is the share that a model closes between the first model (or --baseline) and that bound. p
is from sacrebleu's paired bootstrap against the same model. --outputs takes cased translations
of other systems, which have upper bounds of their own.

Right case does not reach that bound: where a translation begins with another word than the
reference, its capital is right and counts as wrong. The row *as the reference* has each word
as the reference has it, its first word aside, and a capital at the beginning of a line where the
reference has one; words that it has not, as the last model has them. *Attainable* is the
share of the way to that row.

Needs sacrebleu (`pip install sacrebleu`). Everything is tokenised already, so it is told not
to tokenise.
"""

import argparse
import re
from collections import Counter
from pathlib import Path
from typing import Any

from frame import bleu, parser_of, read_lines, run_script, save

from truecase.truecaser import Truecaser

SIGHTS = ("source", "words", "phrases")

ORACLE = "as the reference"

_WORD = re.compile(r"[^\t-\r ]+")
_PHRASE = re.compile(r"\|(\d+)-(\d+)(?:,wa=\S*)?\|")


def main() -> int:
    parser = parser_of(__doc__, texts="", model=False)
    parser.add_argument("system", type=Path, help="folder of the lowercased translation")
    parser.add_argument("--set", default="test", choices=["dev", "test"])
    parser.add_argument("--models", nargs="+", default=[], metavar="NAME=FILE[+SEEN]")
    parser.add_argument("--outputs", nargs="+", default=[], metavar="NAME=FILE")
    parser.add_argument("--baseline", metavar="NAME", help="default: the first model")
    parser.add_argument("--samples", type=int, default=1000, help="of the bootstrap")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--json", type=Path, metavar="OUT")
    args = parser.parse_args()

    lines = read_lines(args.system / f"{args.set}.out")
    reference = read_lines(args.system / f"{args.set}.reference")
    rows: dict[str, list[str]] = {"lowercased": lines}
    models = [named(parser, item)[0] for item in args.models]
    for item in args.models:
        name, value = named(parser, item)
        path, _, seen = value.rpartition("+")
        if seen not in SIGHTS:
            path, seen = value, ""
        model = Truecaser.load(path)
        source, alignment = sight(args, seen)
        if source is None:
            rows[name] = model.batch(lines, threads=args.threads)
        else:
            rows[name] = model.batch(
                lines, threads=args.threads, source=source, alignment=alignment
            )
    if models:
        rows[ORACLE] = [
            case_as_reference(*texts)
            for texts in zip(lines, reference, rows[models[-1]], strict=True)
        ]
    for item in args.outputs:
        name, path = named(parser, item)
        rows[name] = read_lines(Path(path))
    for name, row in rows.items():
        if len(row) != len(reference):
            parser.error(f"{name}: {len(row)} lines for {len(reference)} of the reference")
    baseline = args.baseline or (models[0] if models else "lowercased")
    if baseline not in rows:
        parser.error(f"--baseline {baseline}: no such row")

    figures = score(rows, reference, baseline, args.samples)
    for bound, ceiling in (
        ("gap_closed", figures["lowercased"]["ignoring_case"]),
        ("attainable_closed", figures[ORACLE]["bleu"] if models else 0.0),
    ):
        gap = ceiling - figures[baseline]["bleu"]
        for name in (*models, ORACLE) if models and gap > 0 else ():
            figures[name][bound] = (figures[name]["bleu"] - figures[baseline]["bleu"]) / gap
    system = "/".join(args.system.resolve().parts[-2:])
    print(table(figures, baseline, f"{system} {args.set}"))
    about = {"system": system, "set": args.set, "baseline": baseline}
    save(args.json, {**about, "rows": figures})
    return 0


def named(parser: argparse.ArgumentParser, item: str) -> tuple[str, str]:
    """Both sides of ``NAME=VALUE``."""
    name, equals, value = item.partition("=")
    if not equals:
        parser.error(f"{item}: expected NAME=FILE")
    return name, value


def sight(args: argparse.Namespace, seen: str) -> tuple[list[str] | None, list[str] | None]:
    """What a model gets to see besides the translation: source sentences, alignments."""
    if not seen:
        return None, None
    source = read_lines(args.system / f"{args.set}.source")
    if seen == "source":
        return source, None
    if seen == "words":
        return source, read_lines(args.system / f"{args.set}.align")
    traces = read_lines(args.system / f"{args.set}.trace")
    return source, [phrase_links(trace) for trace in traces]


def phrase_links(trace: str) -> str:
    """Links of each target word with all words of the source phrase that it comes from."""
    links: list[tuple[int, int]] = []
    begin = n_words = 0
    for word in _WORD.findall(trace):
        phrase = _PHRASE.fullmatch(word)
        if phrase is None:
            n_words += 1
            continue
        first, last = int(phrase[1]), int(phrase[2])
        links += [(s, t) for s in range(first, last + 1) for t in range(begin, n_words)]
        begin = n_words
    return " ".join(f"{s}-{t}" for s, t in links)


def case_as_reference(output: str, reference: str, otherwise: str) -> str:
    """The lowercased output with the case that is right by the reference.

    Parameters
    ----------
    output, reference : str
        One line each.
    otherwise : str
        The output in another case, for words that the reference does not have.
    """
    first, *inner = _WORD.findall(reference) or [""]
    forms: dict[str, Counter[str]] = {}
    for word in inner:
        forms.setdefault(word.lower(), Counter())[word] += 1
    words = [
        forms[word].most_common(1)[0][0] if word in forms else other
        for word, other in zip(_WORD.findall(output), _WORD.findall(otherwise), strict=True)
    ]
    if words and first.lower() == words[0].lower():
        words[0] = first
    elif words and first[:1].isupper():
        words[0] = words[0][:1].upper() + words[0][1:]
    return " ".join(words)


def score(
    rows: dict[str, list[str]], reference: list[str], baseline: str, n_samples: int
) -> dict[str, dict[str, Any]]:
    """BLEU of each row, with and without case, and how sure its distance to the baseline is."""
    try:
        from sacrebleu.metrics import BLEU
        from sacrebleu.significance import PairedTest
    except ImportError:
        raise SystemExit(
            "translation_quality: sacrebleu is missing: pip install sacrebleu"
        ) from None

    ordered = [baseline, *(name for name in rows if name != baseline)]
    _, results = PairedTest(
        [(name, rows[name]) for name in ordered],
        {"BLEU": BLEU(tokenize="none", force=True)},
        [reference],
        test_type="bs",
        n_samples=n_samples,
    )()
    p_values = {name: result.p_value for name, result in zip(ordered, results["BLEU"], strict=True)}
    return {
        name: {
            "bleu": bleu(row, reference),
            "ignoring_case": bleu(row, reference, lowercase=True),
            "p": p_values[name],
        }
        for name, row in rows.items()
    }


def table(figures: dict[str, dict[str, Any]], baseline: str, title: str) -> str:
    """The rows as Markdown."""
    lines = [
        f"| {title} | BLEU | ignoring case | gap | attainable | p |",
        "|---|---:|---:|---:|---:|---:|",
    ]
    for name, row in figures.items():
        shares = (
            f"{100 * row[bound]:.1f} %" if bound in row else ""
            for bound in ("gap_closed", "attainable_closed")
        )
        p = "" if name == baseline or row["p"] is None else f"{row['p']:.3f}"
        cells = (name, f"{row['bleu']:.2f}", f"{row['ignoring_case']:.2f}", *shares, p)
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


if __name__ == "__main__":
    run_script(main)
