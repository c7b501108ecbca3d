"""How many lines Moses' scripts and sacremoses write otherwise than their replacements here.

    python bench/experiments/moses_parity.py SCRIPTS TEXT... [--json OUT]

SCRIPTS is the folder with train-truecaser.perl, truecase.perl and detruecase.perl; perl and
sacremoses must be there. Each tokenised text, which ends in a line feed, goes through as it is,
lowercased and in capitals, with a model of itself. Words of a model are compared by their forms
and counts: the order of the words and the choice among forms that are as frequent differ from run
to run of the script.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from pathlib import Path

import sacremoses
from frame import run_script, save

from truecase.integrations.sacremoses import MosesDetruecaser, MosesTruecaser
from truecase.rules.moses import MosesModel


def run(command, stdin=None):
    return subprocess.run(command, stdin=stdin, capture_output=True, check=True).stdout


def words(path):
    """The forms of each word with their counts, the counts of its most frequent one."""
    return {
        forms[0][0].decode().lower(): (total, sorted(forms), forms[0][1])
        for total, forms in MosesModel.read(path)
    }


def differing(one, other):
    lines, others = one.split(b"\n"), other.split(b"\n")
    return sum(a != b for a, b in zip(lines, others, strict=True))


def scripts_differ(perl, ours, text, folder):
    """Words and lines that differ from the scripts'."""
    trained = {}
    for flags in ([], ["--possiblyUseFirstToken"]):
        for name, start in (("theirs", [*perl("train-truecaser")]), ("ours", [*ours, "train"])):
            run([*start, "--model", str(folder / name), "--corpus", str(text), *flags])
        one, other = words(folder / "theirs"), words(folder / "ours")
        trained[" ".join(["train", *flags])] = sum(
            one.get(word) != other.get(word) for word in one.keys() | other.keys()
        )
    model = ["--model", str(folder / "ours")]
    cased = {}
    for name, command in (
        ("truecase", (["truecase"], model)),
        ("truecase --asr", (["truecase"], [*model, "--asr"])),
        ("detruecase", (["detruecase"], [])),
    ):
        (script,), flags = command
        with open(folder / "in", "rb") as a, open(folder / "in", "rb") as b:
            cased[name] = differing(
                run([*perl(script), *flags], a), run([*ours, script, *flags], b)
            )
    return trained, cased


def peer_differs(lines, folder):
    """Lines that differ from those of sacremoses."""
    found = {}
    for is_asr in (None, True):
        path = str(folder / "whole")
        theirs, ours = (
            kind(path, is_asr=is_asr) for kind in (sacremoses.MosesTruecaser, MosesTruecaser)
        )
        for use_known in (False, True):
            found[f"is_asr={is_asr}, use_known={use_known}"] = sum(
                theirs.truecase(line, use_known=use_known)
                != ours.truecase(line, use_known=use_known)
                for line in lines
            )
    theirs, ours = sacremoses.MosesDetruecaser(), MosesDetruecaser()
    for is_headline in (False, True):
        found[f"detruecase, is_headline={is_headline}"] = sum(
            theirs.detruecase(line, is_headline) != ours.detruecase(line, is_headline)
            for line in lines
        )
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("scripts", type=Path)
    parser.add_argument("texts", nargs="+", type=Path)
    parser.add_argument("--json", type=Path, metavar="OUT")
    args = parser.parse_args()

    def perl(name):
        return ["perl", str(args.scripts / f"{name}.perl")]

    ours = [sys.executable, "-m", "truecase.integrations.moses"]
    results = []
    for text in args.texts:
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            content = text.read_text(encoding="utf-8")
            three = content + content.lower() + content.upper()
            (folder / "in").write_text(three, encoding="utf-8")
            # The peer reads whole counts only.
            run([*ours, "train", "--model", str(folder / "whole"), "--corpus", str(text)])
            trained, cased = scripts_differ(perl, ours, text, folder)
            lines = three.split("\n")[:-1]
            row = {
                "text": text.name,
                "words": len(content.split()),
                "lines": len(lines),
                "words that differ": trained,
                "lines that differ from the scripts": cased,
                "lines that differ from sacremoses": peer_differs(lines, folder),
            }
        print(json.dumps(row, indent=2), flush=True)
        results.append(row)
    save(args.json, results)
    return 0


if __name__ == "__main__":
    run_script(main)
