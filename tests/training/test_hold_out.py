"""The scripts that keep text out of training text, and that write Serbian in both scripts."""

import subprocess
import sys
from pathlib import Path

SCRIPTS = Path(__file__).parents[2] / "scripts"

CORPUS = """\
The ferry to Malmö left at nine.
In 1902, the ferry to Malmö left the old harbour of Elsinore at nine.
"Thank you." The mayor of Elsinore opened the bridge.
A ferry to Malmö left the old harbour.
"""


def test_no_judged_sentence_and_nothing_like_it_is_copied(tmp_path):
    for name, text in {
        "corpus": CORPUS,
        "judged": "the mayor of elsinore opened the bridge\n",
        "like": "It is said: The ferry to Malmö left the old Harbour of Copenhagen.\n",
    }.items():
        (tmp_path / f"{name}.txt").write_text(text, encoding="utf-8")
    subprocess.run(
        [
            *(sys.executable, SCRIPTS / "hold_out.py", "out", "dev", "corpus.txt"),
            *("--seen-by-nobody", "judged.txt", "--nothing-like", "like.txt"),
        ],
        cwd=tmp_path,
        check=True,
    )
    # The last line has seven words in a row with `like`, the second one eight.
    kept = (tmp_path / "out" / "corpus.txt").read_text(encoding="utf-8").splitlines()
    assert kept == [CORPUS.splitlines()[0], CORPUS.splitlines()[3]]


def test_files_of_one_name_are_told_apart_by_their_folders(tmp_path):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "text.txt").write_text(f"This is text {folder}.\n", encoding="utf-8")
    for script, first in (("each_sentence_once", "a/text.txt"), ("split_in_parts", "2")):
        command = [sys.executable, SCRIPTS / f"{script}.py", first, script]
        subprocess.run([*command, "a/text.txt", "b/text.txt"], cwd=tmp_path, check=True)
        copied = "".join(path.read_text("utf-8") for path in (tmp_path / script).rglob("*.txt"))
        assert "text a" in copied and "text b" in copied
        done = subprocess.run([*command, "a/text.txt", "a/text.txt"], cwd=tmp_path, check=False)
        assert done.returncode == 1
    hold_out = [sys.executable, SCRIPTS / "hold_out.py", "out", "dev", "a/text.txt"]
    subprocess.run([*hold_out, "--part", "b/text.txt"], cwd=tmp_path, check=True)
    assert (tmp_path / "dev" / "b-text.txt").read_text("utf-8") == "This is text b.\n"


def test_a_serbian_text_without_a_last_line_feed_goes_on_in_the_other_script(tmp_path):
    (tmp_path / "corpus.txt").write_text("Они живе овде.\nТо је Ниш.", encoding="utf-8")
    command = [sys.executable, SCRIPTS / "serbian_scripts.py", "out", "corpus.txt"]
    subprocess.run(command, cwd=tmp_path, check=True)
    written = (tmp_path / "out" / "corpus.txt").read_text(encoding="utf-8")
    assert written == "Они живе овде.\nТо је Ниш.\nOni žive ovde.\nTo je Niš.\n"
