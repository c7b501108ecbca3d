"""Lowercasing first words that are lowercase elsewhere."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.rules.moses import MosesModel
from truecase.rules.smartcase import capitalizer, count_forms, normalizer

CORPUS = b"""\
The keeper lit the lamp. Ships saw the lamp from afar.
In May the keeper of the lamp saw Anna. Anna saw ships.
"The lamp," said Anna, "may go out." The IT desk knows it.
"""


def counts(model):
    return {forms[0][0]: dict(forms) for _, forms in model}


def test_only_words_inside_sentences_count():
    seen = counts(count_forms([CORPUS]))
    assert seen[b"the"] == {b"the": 4}
    assert seen[b"ships"] == {b"ships": 1}
    assert seen[b"Anna"] == {b"Anna": 2}
    assert seen[b"may"] == {b"may": 1, b"May": 1}
    assert seen[b"it"] == {b"it": 1, b"IT": 1}
    assert b"." not in seen


def test_blocks_do_not_matter():
    lines = CORPUS.splitlines(keepends=True)
    assert list(count_forms(lines)) == list(count_forms([CORPUS]))


def test_of_equal_counts_lowercase_is_first():
    (word,) = count_forms([b"x Foo foo\n"])
    assert word == (2, [(b"foo", 1), (b"Foo", 1)])


def test_normalize():
    normalize = normalizer(count_forms([CORPUS]))
    text = b'The lamp. Anna saw. "Ships go." Keeper: The Ships. Unknown. THE lamp. (May) Mr. The x'
    expected = (
        b'the lamp. Anna saw. "ships go." keeper: the Ships. Unknown. THE lamp. (may) Mr. The x'
    )
    assert normalize(text) == expected


def test_space_segmentation():
    normalize = normalizer(count_forms([b"a the-b the-b .\n"], "space"), "space")
    assert normalize(b"The-b . The-b The-b\n") == b"the-b . the-b The-b\n"


def test_moses_model_as_counts():
    normalize = normalizer(MosesModel([(3.0, [(b"the", 2.0), (b"The", 1.0)])]), "space")
    assert normalize(b"The cat . The dog said : The end") == b"the cat . the dog said : the end"


def test_turkish_i():
    normalize = normalizer(count_forms(["x ısı iyi\n".encode()], language="tr"), language="tr")
    assert normalize("Isı. İyi.".encode()).decode() == "ısı. iyi."


def test_only_the_first_letter_changes():
    normalize = normalizer(count_forms(["x σοφος σοφος\n".encode()]))
    assert normalize("Σοφος".encode()).decode() == "σοφος"


PIECES = st.sampled_from(
    [
        "The",
        "the",
        "Anna",
        "Σας",
        "ǅ",
        "É",
        ". ",
        "? ",
        '"',
        " ",
        "\t",
        "\r\n",
        "\n",
        "…",
        ": ",
        "(",
    ]
    + ["1. ", "Mr. ", "&quot; ", "\0", "\u00a0", "l'", "U.S. ", "’"]
)


@given(st.lists(PIECES), st.binary(max_size=6), st.sampled_from(["raw", "space"]))
def test_only_case_changes(pieces, garbage, segmentation):
    text = "".join(pieces).encode() + garbage
    normalize = normalizer(count_forms([b"x the the . x \xcf\x83\xce\xb1\xcf\x82\n"]), segmentation)
    capitalize = capitalizer(segmentation)
    normalized = normalize(text)
    for one, other in ((text, normalized), (normalized, capitalize(normalized))):
        decoded = [b.decode("utf-8", "surrogateescape") for b in (one, other)]
        assert len(decoded[0]) == len(decoded[1])
        assert decoded[0].lower() == decoded[1].lower()
    assert normalize(normalized) == normalized
    assert capitalize(capitalize(text)) == capitalize(text)


def test_capitalize_is_the_inverse():
    normalize, capitalize = normalizer(count_forms([CORPUS])), capitalizer()
    normalized = normalize(CORPUS)
    assert normalized != CORPUS
    assert capitalize(normalized) == CORPUS


@given(st.binary(max_size=300))
def test_any_bytes(text):
    normalize = normalizer(count_forms([text]))
    for function in (normalize, capitalizer(), capitalizer("space", "tr")):
        assert function(text).count(b"\n") == text.count(b"\n")
        assert function(b"") == b""


def test_unknown_segmentation():
    with pytest.raises(ValueError, match="morphemes"):
        count_forms([], "morphemes")
