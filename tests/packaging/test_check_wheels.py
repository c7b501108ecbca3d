"""The program that looks at wheels before they are published finds what they promise in vain."""

import re
import runpy
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).parents[2]
PROGRAM = CHECKOUT / "tools" / "check_wheels.py"

pytestmark = pytest.mark.skipif(not PROGRAM.exists(), reason="the tests are not in a checkout")

MODULE = "truecase/_core.cpython-313-x86_64-linux-gnu.so"


def wrongs(tags, needs, member=MODULE, isa=False):
    check = runpy.run_path(str(PROGRAM))["wrongs"]
    said = {"overall_tag": needs, "unsupported_isa": isa} if needs else None
    return check(f"truecase_crf-0.1.0-{tags}.whl", [member], said)


@pytest.mark.parametrize(
    "tags, needs",
    [
        ("cp313-cp313-manylinux_2_28_x86_64", "manylinux_2_28_x86_64"),
        ("cp310-cp310-manylinux_2_27_aarch64.manylinux_2_28_aarch64", "manylinux_2_17_aarch64"),
        ("cp314-cp314-musllinux_1_2_x86_64", "musllinux_1_1_x86_64"),
        ("cp314-cp314t-linux_x86_64", "manylinux_2_17_x86_64"),
        ("cp311-cp311-macosx_11_0_arm64", None),
        ("cp312-cp312-win_amd64", None),
    ],
)
def test_what_keeps_its_promise(tags, needs):
    assert wrongs(tags, needs) == []


@pytest.mark.parametrize(
    "tags, needs, member, said",
    [
        ("cp313-cp313-manylinux_2_28_x86_64", "manylinux_2_34_x86_64", MODULE, "newer than"),
        ("cp313-cp313-manylinux_2_17_x86_64", "manylinux_2_28_x86_64", MODULE, "promises"),
        ("cp313-cp313-musllinux_1_1_x86_64", "musllinux_1_2_x86_64", MODULE, "promises"),
        ("cp313-cp313-manylinux_2_28_x86_64", "manylinux_2_17_aarch64", MODULE, "promises"),
        ("cp313-cp313-linux_x86_64", "linux_x86_64", MODULE, "no Linux promises"),
        ("cp310-abi3-manylinux_2_28_x86_64", "manylinux_2_17_x86_64", MODULE, "one Python"),
        ("cp310-cp310-win_amd64", None, "truecase/_core.abi3.so", "stable ABI"),
        ("py3-none-any", None, MODULE, "one Python"),
    ],
)
def test_what_does_not(tags, needs, member, said):
    assert any(said in one for one in wrongs(tags, needs, member)), wrongs(tags, needs, member)


def test_instructions_that_not_every_processor_has():
    found = wrongs("cp313-cp313-manylinux_2_28_x86_64", "manylinux_2_17_x86_64", isa=True)
    assert any("processor" in one for one in found)


def test_images_are_those_that_are_checked():
    project = (CHECKOUT / "pyproject.toml").read_text(encoding="utf-8")
    newest = runpy.run_path(str(PROGRAM))["NEWEST"]
    for kind, (major, minor) in newest.items():
        images = re.findall(rf'^{kind}-\w+-image = "(.+)"$', project, re.M)
        assert images == [f"{kind}_{major}_{minor}"] * 2
