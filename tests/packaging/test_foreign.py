"""What make tells the program that runs tests on an emulated processor."""

import runpy
import subprocess
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
FOREIGN = CHECKOUT / "tools" / "foreign.py"

pytestmark = pytest.mark.skipif(not FOREIGN.exists(), reason="the tests are not in a checkout")


@pytest.fixture(scope="module")
def foreign():
    return runpy.run_path(str(FOREIGN))


@pytest.mark.parametrize("mirror", [[], ["--mirror", "deb http://x trixie main"]])
@pytest.mark.parametrize("arguments", [[], ["-q", "tests/text"]])
def test_arguments_as_make_gives_them(foreign, mirror, arguments):
    found = foreign["options"](["s390x", "build/foreign/s390x", *mirror, "--", *arguments])
    assert (found.arch, found.folder) == ("s390x", Path("build/foreign/s390x"))
    assert found.arguments == arguments
    assert found.mirror == (mirror[1] if mirror else None)


def test_the_tests_that_are_run_exist(foreign):
    assert [name for name in foreign["TESTS"] if not (CHECKOUT / name).exists()] == []


def test_a_debian_that_could_not_be_unpacked_is_unpacked_again(foreign, tmp_path, monkeypatch):
    """What a failed run has left would be refused by the next one."""
    root = tmp_path / "s390x"
    runs = []

    def mmdebstrap(command, check):
        runs.append(command)
        folder = Path(command[-1])
        assert not folder.exists()
        (folder / "usr").mkdir(parents=True)
        if len(runs) == 1:
            raise subprocess.CalledProcessError(25, command)

    monkeypatch.setattr(subprocess, "run", mmdebstrap)
    with pytest.raises(subprocess.CalledProcessError):
        foreign["debian"]("s390x", root, None)
    assert not root.exists()
    for _ in range(2):
        foreign["debian"]("s390x", root, None)
    assert len(runs) == 2
    assert (root / "usr" / "lib").is_dir() and (root / "bin").is_symlink()


def test_the_kernel_is_told_of_an_emulator_once(foreign, tmp_path, monkeypatch):
    formats, described = tmp_path / "formats", tmp_path / "described"
    for folder in (formats, described):
        folder.mkdir()
    (described / "qemu-aarch64.conf").write_text(":qemu-aarch64:M::x:y:/usr/bin/qemu:F\n")
    mounted = []

    def mount(command, check):
        mounted.append(command)
        (formats / "register").touch()

    monkeypatch.setattr(subprocess, "run", mount)
    foreign["emulate"]("arm64", formats, described)
    assert len(mounted) == 1
    # A line end would be part of the flags.
    assert (formats / "register").read_text() == ":qemu-aarch64:M::x:y:/usr/bin/qemu:F"
    (formats / "register").write_text("")
    (formats / "qemu-aarch64").touch()
    foreign["emulate"]("arm64", formats, described)
    assert (formats / "register").read_text() == "" and len(mounted) == 1
