"""The one list of features: names, numbers and twins."""

import re

import pytest
from reference import counted
from reference import features as twin
from reference import source as source_twin

from truecase.kernels import schema


def test_names_are_unique():
    names = schema.columns()
    assert len(names) == len(set(names))


def test_every_feature_has_a_twin():
    assert sorted((*twin.NAMES, *counted.NAMES)) == sorted(schema.NODE_COLUMNS)
    assert set(twin.MARKS) == set(schema.MARKS)
    assert (*source_twin.OF_TABLES, *source_twin.NAMES) == schema.SOURCE_COLUMNS


@pytest.mark.parametrize("name", [*schema.NODE_COLUMNS, *schema.SOURCE_COLUMNS])
def test_names_make_constants_of_c(name):
    assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
