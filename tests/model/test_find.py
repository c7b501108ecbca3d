"""Names found in lines, against the plain twin."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from recipes import trained
from reference import names as twin

from truecase import name_list

PARTS = ["qab", "qcd", "qef", "q1", "3q", "qü", "qabs"]
JOINTS = [" ", " ", " ", "  ", "-", "'", "’", "+", " & ", ". ", ", "]


def joined(parts, joints):
    return "".join(part + joint for part, joint in zip(parts, [*joints, ""], strict=False))


def sequences(least, most):
    return st.lists(st.sampled_from(PARTS), min_size=least, max_size=most).flatmap(
        lambda parts: st.lists(
            st.sampled_from(JOINTS), min_size=len(parts) - 1, max_size=len(parts) - 1
        ).map(lambda joints: joined(parts, joints))
    )


@st.composite
def cased_names(draw):
    name = draw(sequences(1, 3))
    raised = draw(st.lists(st.booleans(), min_size=len(name), max_size=len(name)))
    return "".join(c.upper() if up else c for c, up in zip(name, raised, strict=True))


@pytest.fixture(scope="module")
def model():
    """Words between spaces, each as it is most frequent: none of them is known."""
    text = b"the bridge of the sea is here .\n" * 5
    return trained(text, preset="unigram", segmentation="space", min_count=1)


@settings(max_examples=300)
@given(st.lists(cased_names(), min_size=1, max_size=6), sequences(1, 12))
@example(["Qab", "qAb Qcd", "QCD-QEF"], "qab qcd-qef qab's")
@example(["qAb.Qcd"], "qab.qcd qab. qcd qab .qcd")
@example(["Qab"], "qab. qab.. x.qab qab.x qab-qab _qab qabs qabss")
@example(["Q'AB", "Q’CD"], "q'ab q’ab q ' ab q'cd q' cd")
@example(["Qab qcd", "qab QCD"], "qab qcd")
@example(["qaB", "qAbs"], "qabs")
def test_names_are_those_of_the_twin(model, names, text):
    # An apostrophe is one however it is written.
    plain = [name.replace("’", "'") for name in names]
    line = "the bridge , " + text
    found = model.with_names(name_list(names))(line, sentence_start="learned")
    expected = twin.with_names(line.replace("’", "'"), plain)
    base = model(line, sentence_start="learned")
    assert len(found) == len(base)
    for at, (out, before, want) in enumerate(zip(found, base, expected, strict=True)):
        if want != line.replace("’", "'")[at] or out != before:
            assert out == (want if want != "'" else line[at]), (found, expected, at)


@pytest.mark.parametrize(
    ("name", "text", "expected"),
    [
        ("OpenAI", "openai , openai's openai-based non-openai", "OpenAI , OpenAI's OpenAI-based"),
        ("LLM", "an llm , llms , llm's", "an LLM , LLMs , LLM's"),
        ("O'Neill", "o'neill , o' neill , o ' neill , o’neill", "O'Neill , O' Neill , O ' Neill"),
        ("AT&T", "at&t , at & t", "AT&T , AT & T"),
        (".NET", "the end. net income of .net", "the end. net income of .NET"),
        ("Node.js", "node.js and node. js", "Node.js and node. js"),
        ("van der Berg", "mr. van der  berg", "mr. van der  Berg"),
        ("#MeToo", "the #metoo of metoo", "the #MeToo of metoo"),
        ("Straßburger", "in straßburger", "in Straßburger"),
        ("ΣΟΦΌΣ", "ο σοφός", "ο ΣΟΦΌΣ"),
        ("Źdźbło", "the źdźbła and źdźbło", "the źdźbła and Źdźbło"),
    ],
)
def test_what_is_found_however_it_is_written(model, name, text, expected):
    line = f"the bridge , {text}"
    cased = model.with_names(name_list([name]))(line, sentence_start="learned")
    assert cased.startswith(f"The bridge , {expected}")


@pytest.mark.parametrize(
    "text", "openai.com https://openai.com/openai @openai a@openai.org /srv/openai x_openai".split()
)
def test_addresses_and_identifiers_are_left_alone(model, text):
    line = f"see {text} here"
    named = model.with_names(name_list(["OpenAI"]))
    assert named(line, sentence_start="learned") == model(line, sentence_start="learned")


def test_a_long_line_is_cased_in_pieces(model):
    named = model.with_names(name_list(["OpenAI"]))
    line = "the openai " * 40_000
    assert named(line) == ("the OpenAI " * 40_000).replace("t", "T", 1)


def test_the_list_may_be_large(model):
    names = [f"Q{number:x}Z" for number in range(50_000)]
    named = model.with_names(name_list(names))
    line = " ".join(names[::997])
    assert named(line.lower()) == line
