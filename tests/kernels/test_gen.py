"""The candidates of a lattice against the plain twin of GEN."""

import pytest
from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from parts import compiled
from recipes import estimated, recipe
from reference import gen
from reference.segment import CANONICAL, segment
from small_model import training_text

from truecase import Truecaser
from truecase.evaluation._trace import trace_line

WORDS = sorted(set(training_text(80).lower().split()))
PIECES = [
    "mary-ahmed", "iphone-mary", "anti-nasa", "x-ray", "well-lyon-known", "e-mail", "-", "nasa-bbc",
    "3-euros", "post-", "o'brien-mcleod", "qxv", "qxv-zzz", "u.n.", "3.50", "4th", "a/b.txt",
    "me@x.org", "http://x.y/Z", "#tag", "straße", "ﬁsh", "ǆ", "ı", "日本", "``", "-lrb-", "…",
    "max_size", "_x", "__", "a_b.c", "ü_9", "mary-and-qxv", "qxv-the-nasa", "and-a-the-mary-of",
    "ost-am-see", "ost-zur-alm",
]  # fmt: skip
LINES = st.lists(
    st.one_of(st.sampled_from(WORDS), st.sampled_from(PIECES), st.text(max_size=8)), max_size=8
).map(" ".join)


@pytest.fixture(scope="module", params=["pruned", "full"])
def model(request, tmp_path_factory):
    text = tmp_path_factory.mktemp("gen") / "text.txt"
    text.write_text(training_text(), encoding="utf-8")
    with pytest.warns(UserWarning, match="discounts"):
        return Truecaser.train([text], recipe(candidates=request.param))


@examples(100)
@given(line=LINES)
@example("-lrb- mary-ahmed anti-nasa x-ray nasa-bbc qxv-zzz")
def test_candidates_like_the_twin(model, line):
    lexicon = gen.Lexicon(model.model.lexicon.arrays, model.model.lexicon.settings)
    data = line.replace("\n", " ").lower().encode("utf-8", "surrogateescape")
    *_, sentences = trace_line(compiled(model), data)
    traced = [one.word for sentence in sentences for one in sentence.words[:-1]]
    pieces = segment(data)
    assert [word.text.encode() for word in traced] == [data[p.start : p.end] for p in pieces]
    for word, piece in zip(traced, pieces, strict=True):
        if piece.flags & CANONICAL:
            assert len(word.candidates) == 1
            continue
        text = data[piece.start : piece.end].decode("utf-8", "surrogateescape")
        expected = gen.candidates(lexicon, piece, text, turkic=False)
        assert [c.text for c in word.candidates] == [c.surface for c in expected]
        for candidate, twin in zip(word.candidates, expected, strict=True):
            assert candidate.score == pytest.approx(twin.score, abs=1e-4)


def test_small_words_inside_a_name_stay_small():
    text = "We saw Ost-Am-See and Ost-Zur-Alm , I am here , a See and Zur are far .\n" * 9
    truecaser = estimated(text.encode(), min_count=1)
    assert truecaser("ost-am-see") == "Ost-am-See"
    assert truecaser("ost-zur-alm") == "Ost-Zur-Alm"
    assert truecaser("see-am-see") == "See-am-See"


def test_names_of_constants_can_be_upper_case(model):
    *_, sentences = trace_line(compiled(model), b"set max_file_size in max_size.txt")
    surfaces = [[c.text for c in one.word.candidates] for one in sentences[0].words[:-1]]
    assert surfaces[1] == ["max_file_size", "MAX_FILE_SIZE"]
    assert surfaces[3] == ["max_size.txt"]
