"""``truecase completion``: what shells make of the script."""

import shutil
import subprocess
import sys

import pytest

from truecase.cli import main
from truecase.cli.commands import COMMANDS
from truecase.cli.completion import SHELLS

# What bash does when Tab is pressed behind the words given as arguments.
BASH = """
source "$1"; shift
function=$(complete -p truecase | sed 's/.*-F \\([^ ]*\\).*/\\1/')
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
$function truecase "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "${COMPREPLY[@]}"
"""

TABS = [
    ("truecase eval", {"evaluate"}),
    ("truecase evaluate --js", {"--json"}),
    ("truecase apply --style up", {"upper"}),
    ("truecase --style up", {"upper"}),
    ("truecase train adapt --gen", {"--general"}),
    ("truecase text marks sh", {"shift"}),
    ("truecase text cap", {"capitalize"}),
    ("truecase completion ba", {"bash"}),
    ("truecase -l s", {"sl", "sr", "sv"}),
    ("truecase punctuate -l au", {"auto"}),
]


@pytest.fixture(scope="module")
def scripts(tmp_path_factory):
    pytest.importorskip("shtab")
    folder = tmp_path_factory.mktemp("completion")
    for shell in SHELLS:
        done = subprocess.run(
            [sys.executable, "-m", "truecase", "completion", shell], capture_output=True, check=True
        )
        assert done.stderr == b""
        (folder / shell).write_bytes(done.stdout)
    return folder


def found(shell):
    path = shutil.which(shell)
    if path is None:
        pytest.skip(f"no {shell} here")
    return path


@pytest.mark.parametrize("shell", SHELLS)
def test_each_shell_reads_its_script(scripts, shell):
    subprocess.run([found(shell), "-n", scripts / shell], check=True)
    text = (scripts / shell).read_text(encoding="utf-8")
    assert all(command in text for command in COMMANDS)


@pytest.mark.parametrize(("typed", "expected"), TABS)
def test_bash(scripts, typed, expected):
    command = [found("bash"), "-c", BASH, "tab", scripts / "bash", *typed.split()]
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert set(done.stdout.split()) == expected


@pytest.mark.parametrize(("typed", "expected"), TABS)
def test_fish(scripts, typed, expected):
    command = [found("fish"), "-c", f'source {scripts / "fish"}; complete -C "{typed}"']
    done = subprocess.run(command, capture_output=True, check=True, text=True)
    assert {line.split("\t")[0] for line in done.stdout.splitlines()} == expected


def test_files_are_completed(scripts, tmp_path):
    (tmp_path / "my.truecase").touch()
    command = [found("bash"), "-c", BASH, "tab", scripts / "bash", "truecase", "-m", "my"]
    done = subprocess.run(command, capture_output=True, check=True, text=True, cwd=tmp_path)
    assert done.stdout == "my.truecase\n"


def test_without_the_library(monkeypatch, capsys):
    monkeypatch.setitem(sys.modules, "shtab", None)
    assert main(["completion", "bash"]) == 1
    assert capsys.readouterr().err == ("truecase: completion needs shtab: pip install shtab\n")
