"""Commands that end by themselves neither well nor badly: they are ended, and told apart."""

import os
import signal
import sys
from pathlib import Path

import pytest

if sys.platform != "linux":
    pytest.skip("limits are those of Linux", allow_module_level=True)

sys.path.insert(0, str(Path(__file__).parent))

from jobs import OLD, Desk, Job, Run
from limits import KINDS_OF_END, Limits, kind_of_end, wrongs

# What a program does, in a file of a library or of the package.
HANGS = "while True: pass\n"
CRASHES = "import os, signal\nos.kill(os.getpid(), signal.SIGSEGV)\n"
NO_PYTHON = """
import faulthandler, os, signal
faulthandler.disable()
os.kill(os.getpid(), signal.SIGSEGV)
"""


@pytest.fixture
def ended(tmp_path):
    def run(place, source):
        """A program that imports a module of a folder, which then does something."""
        module = tmp_path / place
        module.parent.mkdir(parents=True)
        module.write_text(source)
        program = tmp_path / "program.py"
        program.write_text(
            f"import sys; sys.path[0] = {str(module.parent)!r}\nimport {module.stem}\n"
        )
        desk = Desk(tmp_path / "desk")
        job = Job("program", (str(program),), "out")
        desk.lay(job)
        return desk.run(job, seconds=1 if source == HANGS else 60)

    return run


def test_a_command_that_goes_on_for_ever_is_ended(ended):
    run = ended("numpy/spins.py", HANGS)
    assert run.is_stuck and run.code == -signal.SIGABRT
    assert run.output == OLD
    assert "spins.py" in run.said


@pytest.mark.parametrize(
    "place, source, kind",
    [
        ("site-packages/numpy/spins.py", HANGS, "library"),
        ("site-packages/truecase/spins.py", HANGS, "ours"),
        ("site-packages/scipy/linalg/falls.py", CRASHES, "library"),
        ("site-packages/truecase/model/falls.py", CRASHES, "ours"),
        ("site-packages/numpy/falls.py", NO_PYTHON, "python"),
    ],
)
def test_whose_fault_it_is_stands_in_the_innermost_frame(ended, place, source, kind):
    assert kind_of_end(ended(place, source)) == kind


def test_what_the_command_said_is_its_own():
    assert kind_of_end(Run(1, "truecase: out of memory\n", OLD)) == "ours"
    assert kind_of_end(Run(1, "Fatal Python error: init_sys_streams\n", OLD)) == "python"
    assert kind_of_end(Run(0, "", b"new")) == "ours"


def test_what_is_not_ours_is_counted_apart(tmp_path, monkeypatch):
    """Limits goes on after it, and finds no fault."""
    said = (
        'Current thread 0x1 (most recent call first):\n  File "/x/scipy/linalg/a.py", line 1 in f\n'
    )
    runs = iter([Run(0, "", b"new"), Run(-6, said, OLD, is_stuck=True), Run(1, "", None)])
    desk = Desk(tmp_path)
    monkeypatch.setattr(desk, "run", lambda *job, **options: next(runs))
    limits = Limits(desk, steps=2)
    job = Job("train", ("train",), "out")
    limits.go(job, "memory")
    assert limits.tally.ends[job.name, "library"] == limits.tally.ends[job.name, "stuck"] == 1
    assert limits.tally.ends[job.name, "python"] == 1
    assert not limits.tally.troubles
    assert {"library", "python"} <= set(KINDS_OF_END)


def test_being_stuck_in_the_package_is_a_trouble(tmp_path, monkeypatch):
    said = 'Current thread 0x1 (most recent call first):\n  File "/x/truecase/a.py", line 1 in f\n'
    runs = iter([Run(0, "", b"new"), Run(-6, said, OLD, is_stuck=True)])
    desk = Desk(tmp_path)
    monkeypatch.setattr(desk, "run", lambda *job, **options: next(runs))
    limits = Limits(desk, steps=1)
    limits.go(Job("train", ("train",), "out"), "memory")
    assert sum(limits.tally.troubles.values()) == 2
    assert os.listdir(desk.here) == ["out"]


def test_errors_of_programs_may_have_several_lines():
    said = (
        'Traceback (most recent call last):\n  File "x.py", line 1\n{}: \n\nit cannot be loaded\n'
    )
    assert wrongs(Run(1, said.format("ImportError"), OLD), b"new", is_program=True) == []
    assert wrongs(Run(1, said.format("KeyError"), OLD), b"new", is_program=True) != []
