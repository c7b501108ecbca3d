"""Blocks taken as far as a stage."""

import pytest
from parts import compiled
from truecase_measure import STAGES, run_until

from truecase.truecaser import Truecaser

TEXT = b"the rain in new york. it's over, mr. smith said !\n\nfour words of english\n" * 20


@pytest.mark.parametrize("decode_with", [None, "whole", "ngram", "unigram"])
def test_each_stage_passes_over_all_tokens(decode_with):
    model = compiled(Truecaser.load(decode_with=decode_with))
    found = {stage: run_until(model, TEXT, stage) for stage in STAGES}
    assert set(found.values()) == {20 * 19}


def test_no_such_stage():
    with pytest.raises(ValueError, match="'writing': expected one of segmentation, "):
        run_until(compiled(Truecaser.load()), TEXT, "writing")


def test_nothing_to_do():
    with pytest.raises(ValueError, match="empty"):
        run_until(compiled(Truecaser.load()), b"", "search")
