"""`ignore` leaves nothing of the input's case: letters that have an odd one, in every model."""

import lzma
from pathlib import Path

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from reference.casing import fold, lower

from truecase.kernels._spans import find_spans
from truecase.truecaser import Truecaser

GOLDEN = sorted(Path(__file__).parents[1].glob("golden/format2/*.truecase.xz"))
WORDS = [
    "ẞ", "ß", "ẞa", "ßa", "ẞA", "STRAẞE", "Straẞe", "straße", "ẞ-mary", "mary-ẞ", "ẞ.",
    "ǅ", "ǆ", "Ǆ", "ǅEP", "Ǆep", "ǆep", "xǅ", "XǅX", "mary-ǅep", "ᾳ", "ᾼ", "ა", "Ა",
    "ﬁ", "ﬁrst", "ﬁRST", "ǰan", "ŉA", "µm", "µM", "ſo", "ıN", "x-ﬁrst",
    "Mary", "the", "BRIDGE", "lyon", "don't", ".", "!", "?", '"', "(", "3rd",
]  # fmt: skip
LINES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=7).map(" ".join)


@pytest.fixture(scope="module", params=GOLDEN, ids=lambda path: path.name.split(".")[0])
def model(request, tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "golden.truecase"
    path.write_bytes(lzma.decompress(request.param.read_bytes()))
    return Truecaser.load(path).with_casing(input_case="ignore")


def folded(text, turkic):
    return "".join(fold(c, turkic) for c in text)


@examples(60)
@given(line=LINES)
@example("Ა ẞ ǆ Ǆ ẞ.")
@example("Ა ẞ ᾳ")
@example("ǅ ა ßa ẞ")
@example("? ẞA")
def test_casing_twice_is_casing_once(model, line):
    turkic = model.language == "tr"
    once = model(line)
    assert folded(once, turkic) == folded(line, turkic)
    assert model(once) == once
    if not find_spans(line.encode()):
        small = "".join(lower(c, turkic) for c in line)
        assert folded(small, turkic) == folded(line, turkic)
        assert model(small) == once


@pytest.mark.parametrize("word", ["ﬁrst", "ﬂow", "ŉa", "ǰan", "µm"])
@pytest.mark.parametrize("text", ["{}", "{} in lyon", "mary . {} was", "so the {} came"])
def test_what_has_no_capital_is_left_small(model, word, text):
    for style in ("sentence", "title"):
        cased = model(text.format(word), style=style)
        assert word in cased, cased
