"""Truecasers on public test sets: accuracy, F1, calibration, words/s and MB in one table.

    python bench/accuracy/run.py [FOLDER] [--sets NAME...] [--text NAME[:LANG]=FILE...]
        [--speech NAME[:LANG]=FILE...] [-m NAME[:LANG]=MODEL...] [--json OUT]

FOLDER has the sets, as README.md beside this file says; those that are not there are named, with
what gets them. `--text` adds a cased text of one's own, `--speech` one whose marks are taken away.
Judged are the models that are installed, or those of `-m`, and the peers whose interpreters are
named. Published figures stand in the same table.
"""

import argparse
import platform
import sys
from datetime import date
from pathlib import Path

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))

from claims import CLAIMS
from peers import PeerMissing
from script import save
from sets import PublicSet, SetError, file_of, lines_of, own_set, public_sets
from systems import Ours, Peer, laid_out, models_of
from table import markdown

from truecase.errors import TruecaseError
from truecase.evaluation.calibration import calibration_error
from truecase.evaluation.metrics import evaluate_lines
from truecase.kernels._unicode import lower
from truecase.kernels.text import casing_of, language_of


def main() -> int:
    """Run from the command line."""
    args = arguments()
    try:
        chosen, missing = sets_of(args)
        rows = judge_all(chosen, args)
    except (SetError, OSError, TruecaseError) as error:
        print(f"run.py: {error}", file=sys.stderr)
        return 1
    for one in missing:
        print(f"not there: {one.name}: {one.file}; {one.get}", file=sys.stderr)
    names = {one.name for one, _ in chosen} | {one.name for one in missing}
    claims = [claim for claim in CLAIMS if claim.text not in public_sets() or claim.text in names]
    print(markdown(rows, claims))
    found = {
        "date": date.today().isoformat(),
        "machine": f"{platform.machine()} {platform.system()}",
        "python": platform.python_version(),
        "missing": [one.name for one in missing],
        "rows": rows,
        "published": [vars(claim) for claim in claims],
    }
    save(args.json, found)
    return 0


def arguments() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("folder", nargs="?", type=Path, metavar="FOLDER")
    parser.add_argument("--sets", nargs="+", metavar="NAME", help="these alone")
    parser.add_argument("--text", action="append", default=[], metavar="NAME[:LANG]=FILE")
    parser.add_argument("--speech", action="append", default=[], metavar="NAME[:LANG]=FILE")
    parser.add_argument(
        "-m", "--model", action="append", default=[], metavar="NAME[:LANG]=MODEL",
        help="instead of the models that are installed",
    )  # fmt: skip
    parser.add_argument(
        "--peer-train", action="append", default=[], metavar="LANG=FILE",
        help="cased text of a language that sacremoses learns from",
    )  # fmt: skip
    parser.add_argument("--sacremoses-python", default=sys.executable, metavar="PYTHON")
    parser.add_argument("--pypi-truecase-python", metavar="PYTHON")
    parser.add_argument("--truecasingit-python", metavar="PYTHON")
    parser.add_argument("--no-peers", action="store_true")
    parser.add_argument("--json", type=Path, metavar="OUT")
    args = parser.parse_args()
    if args.folder is None and not (args.text or args.speech):
        parser.error("FOLDER has the public sets, --text and --speech name texts: give one of them")
    unknown = sorted(set(args.sets or ()) - set(public_sets()))
    if unknown:
        parser.error(f"--sets: no set {', '.join(unknown)}; there are {', '.join(public_sets())}")
    if args.sets and args.folder is None:
        parser.error("--sets: FOLDER is missing")
    for option in ("model", "peer_train"):
        for given in getattr(args, option):
            if "=" not in given:
                parser.error(f"{given}: expected a name, =, and a file or model")
    return args


def sets_of(args: argparse.Namespace) -> tuple[list[tuple[PublicSet, Path]], list[PublicSet]]:
    """The sets to judge by, with their files, and those that are not there."""
    chosen, missing = [], []
    if args.folder is not None:
        if not args.folder.is_dir():
            raise SetError(f"{args.folder}: there is no such folder")
        for name, one in public_sets().items():
            if args.sets and name not in args.sets:
                continue
            path = file_of(one, args.folder)
            if path is None:
                missing.append(one)
            else:
                chosen.append((one, path))
    for speech in (False, True):
        for given in args.speech if speech else args.text:
            one = own_set(given, speech)
            if not Path(one.file).is_file():
                raise SetError(f"{one.file}: no such file")
            chosen.append((one, Path(one.file)))
    return chosen, missing


def systems_of(languages: list[str], args: argparse.Namespace):
    """Systems of some languages, each made when the one before is done; what is missing is told."""
    if args.model:
        for given in args.model:
            name, _, model = given.partition("=")
            name, _, language = name.partition(":")
            if (language or "en") in languages:
                yield Ours(name, language or "en", model)
    else:
        yield from models_of(languages)
    if args.no_peers:
        return
    train = dict(given.split("=", 1) for given in args.peer_train)
    peers = [("truecase of the index", "en", "pypi-truecase-tokens", args.pypi_truecase_python)]
    peers.append(("truecasingIT", "it", "truecasingit", args.truecasingit_python))
    for language in languages:
        for name, key in (
            ("sacremoses", "sacremoses"),
            ("sacremoses, first words", "sacremoses-sentences"),
        ):
            peers.append((name, language, key, args.sacremoses_python))
    for name, language, key, python in peers:
        if language not in languages:
            continue
        try:
            if python is None:
                raise PeerMissing(f"{name}: no interpreter of it is named")
            if key.startswith("sacremoses") and language not in train:
                raise PeerMissing(f"{name}: --peer-train names no text in {language}")
            text = Path(train[language]) if key.startswith("sacremoses") else None
            yield Peer(name, language, key, python, text)
        except PeerMissing as missing:
            print(f"left out: {missing}", file=sys.stderr)


def judge_all(chosen: list[tuple[PublicSet, Path]], args: argparse.Namespace) -> list[dict]:
    """A row of the table for each set and system, by sets."""
    texts = {one.name: (one, *lines_of(one, path)) for one, path in chosen}
    languages = list(dict.fromkeys(one.language for one, _, _ in texts.values()))
    rows = []
    for system in systems_of(languages, args):
        size = system.size()
        for one, right, differs in texts.values():
            if one.language == system.language:
                row = {"set": one.name, "language": one.language, "differs": differs}
                row |= {"system": system.name, "version": system.version, "bytes": size}
                rows.append(row | figures(system, one, right))
                print(".", end="", file=sys.stderr, flush=True)
        system.close()
    print(file=sys.stderr)
    order = list(texts)
    return sorted(rows, key=lambda row: order.index(row["set"]))


def figures(system: Ours | Peer, one: PublicSet, right: list[str]) -> dict[str, object]:
    """What a system reaches on the lines of a set."""
    language = language_of(casing_of(one.language))
    lowered = [lower(line, language) for line in right]
    cased, speed = system.case(lowered)
    made = [laid_out(*pair) for pair in zip(lowered, cased, strict=True)]
    # A system that changes more than case has the line as it came in.
    lines = [given if line is None else line for given, line in zip(lowered, made, strict=True)]
    found = evaluate_lines(right, lines, language=language)
    told = system.judged(lowered, right)
    return {
        "words": found.n_words,
        "accuracy": 100 * found.accuracy,
        "f1": 100 * found.f1,
        "calibration_error": None if told is None else 100 * error_of(list(told)),
        "words_per_s": round(speed),
        "changed_lines": made.count(None),
    }


def error_of(told: list[tuple[float, bool]]) -> float:
    """Expected calibration error of words: how sure the system is, and whether it is right."""
    probabilities, is_right = (np.array([word[i] for word in told], float) for i in range(2))
    return calibration_error(probabilities, is_right)


if __name__ == "__main__":
    sys.exit(main())
