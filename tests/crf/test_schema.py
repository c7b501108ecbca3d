"""The one list of features: names, numbers, twins, and the names of old files."""

import lzma
import re
from pathlib import Path

import pytest
from reference import counted
from reference import features as twin
from reference import source as source_twin

from truecase.kernels import schema
from truecase.model.model import Model

GOLDEN = Path(__file__).parents[1] / "golden"


def test_names_are_unique():
    names = [*schema.columns(), *schema.FORMAT1_NAMES]
    assert len(names) == len(set(names))


def test_every_feature_has_a_twin():
    assert sorted((*twin.NAMES, *counted.NAMES)) == sorted(schema.NODE_COLUMNS)
    assert set(twin.MARKS) == set(schema.MARKS)
    assert (*source_twin.OF_TABLES, *source_twin.NAMES) == schema.SOURCE_COLUMNS


@pytest.mark.parametrize("feature", [*schema.NODE, *schema.SOURCE])
def test_every_feature_is_documented(feature):
    assert re.fullmatch(r"[a-z][a-z0-9_]*", feature.name)
    assert feature.document
    assert "|" not in feature.document.replace(r"\mid", "")


def test_old_files_open_with_todays_names(tmp_path):
    assert schema.FORMAT1_NAMES == {
        "same_form_first": "same_form_sentence_initial",
        "source_title": "source_capitalised_share",
    }
    path = tmp_path / "bilingual.truecase"
    path.write_bytes(lzma.decompress((GOLDEN / "format1" / f"{path.name}.xz").read_bytes()))
    assert b"same_form_first" in path.read_bytes()
    model = Model.load(path)
    assert set(model.source.weights) <= set(schema.SOURCE_COLUMNS)
    assert model.source.weights["source_capitalised_share"] != (0.0, 0.0)
