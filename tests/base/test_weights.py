"""Learned weights are those of their card."""

import hashlib
import re
from pathlib import Path

import pytest

import truecase
from truecase.base.model_file import read_weights

DATA = Path(truecase.__file__).parent / "data"
CARD = (DATA / "weights.md").read_text(encoding="utf-8")
CHECKSUMS = dict(re.findall(r"^\| `(\w+)\.json` \|.*\| `([0-9a-f]{64})` \|$", CARD, re.M))


def test_each_file_has_a_checksum():
    assert {path.stem for path in DATA.glob("*.json")} == set(CHECKSUMS)


@pytest.mark.parametrize("name", CHECKSUMS)
def test_a_file_has_its_checksum(name):
    text = (DATA / f"{name}.json").read_text(encoding="utf-8")
    assert hashlib.sha256(text.encode()).hexdigest() == CHECKSUMS[name]
    assert read_weights(name)
    assert f"## {name}.json\n" in CARD
