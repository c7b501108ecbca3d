"""One name, one form: an unknown word comes out alike in all texts of a file."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase import Truecaser, case_file, name_list
from truecase.cli import main
from truecase.truecaser.agreed_names import _lines_of_unknown_words, with_agreed_names

LINES = [
    "we bought a qorlan last week.",
    "the qorlan and nato met.",
    "a new qorlan driver is out, see www.qorlan.com.",
    "dr qorlan said so, and she works at qorlan.",
    "they moved from berlin to qorlan street in 2009 .",
    "THE QORLAN WAS LATE",
]


@pytest.fixture(scope="module")
def model():
    return Truecaser.load()


def forms_of(text, word="qorlan"):
    """The forms of a word in a text, but in addresses."""
    bare = re.sub(r"www\S+", "", text)
    return re.findall(word, bare, re.IGNORECASE)


def subtitles(lines):
    cue = "{}\n00:00:{:02},000 --> 00:00:{:02},500\n{}\n\n"
    return "".join(cue.format(i + 1, i, i, line) for i, line in enumerate(lines))


FILES = {
    "a.srt": subtitles(LINES),
    "a.md": "\n\n".join(LINES) + "\n",
    "a.json": "{" + ",\n".join(f'"k{i}": "{line}"' for i, line in enumerate(LINES)) + "}\n",
}


@pytest.mark.parametrize("name", FILES)
def test_an_unknown_name_has_one_form_in_a_file(tmp_path, model, name):
    by_lines = {form for line in LINES for form in forms_of(model(line))}
    assert by_lines == {"qorlan", "Qorlan"}
    given_file = tmp_path / name
    given_file.write_text(FILES[name], encoding="utf-8")
    for threads in (1, 2):
        out = tmp_path / f"out.{threads}{name}"
        case_file(given_file, out, threads=threads)
        cased = out.read_text(encoding="utf-8")
        assert len(set(forms_of(cased))) == 1
        assert cased.lower() == FILES[name].lower()
        assert "www.qorlan.com" in cased
    assert main(["file", "-q", str(given_file), "-o", str(tmp_path / "command")]) == 0
    assert (tmp_path / "command").read_text(encoding="utf-8") == cased


def test_the_page_for_review_has_the_same_forms(tmp_path):
    (tmp_path / "a.srt").write_text(FILES["a.srt"], encoding="utf-8")
    assert main(["review", "-q", str(tmp_path / "a.srt"), "-o", str(tmp_path / "a.html")]) == 0
    page = (tmp_path / "a.html").read_text(encoding="utf-8")
    case_file(tmp_path / "a.srt", tmp_path / "b.srt")
    (form,) = set(forms_of((tmp_path / "b.srt").read_text(encoding="utf-8")))
    assert f"bought a {form} last" in page
    assert f"at {form}." in page
    assert f"The {form} was late" in page


def test_a_word_that_came_in_several_forms_keeps_them(model):
    text = "Yesterday the QORLAN team met Anna.\nWe saw Qorlan and NATO in Paris.\n"
    agreed = with_agreed_names(model, [text])
    assert agreed.case_block(text.encode()).decode() == text


def test_inner_capitals_of_first_words_are_a_form_that_came(model):
    text = "QorlanT makes a copy.\nSee the qorlant folder of Rome.\nThe folder is in qorlant.\n"
    agreed = with_agreed_names(model, [text])
    assert agreed.case_block(text.encode()).decode().startswith("QorlanT makes")


def test_a_word_that_code_has_otherwise_keeps_its_forms(model):
    lines = ["it gets `zetaQorl` as well.", "3. `zetaQorl`: ZetaQorl of the house.", *LINES]
    for code, form in (("", "Qorlan"), ("or `qorlan -v`", "qorlan"), ("or `Qorlan`", "Qorlan")):
        agreed = with_agreed_names(model, ["\n".join([*lines, f"we use it {code} here."])])
        assert "ZetaQorl of" in agreed(lines[1])
        assert agreed(LINES[0]) == f"We bought a {form} last week."


def test_a_rare_name_that_training_has_in_two_forms(model):
    lines = [
        "we use nvidia cards.",
        "nvidia is big.",
        "i like nvidia.",
        "the nvidia driver is new.",
    ]
    assert {form for line in lines for form in forms_of(model(line), "nvidia")} > {"NVIDIA"}
    agreed = with_agreed_names(model, ["\n".join(lines)])
    assert {form for line in lines for form in forms_of(agreed(line), "nvidia")} == {"NVIDIA"}


def test_the_users_names_count_more(model):
    named = model.with_names(name_list(["qoRLan"]))
    cased = with_agreed_names(named, ["\n".join(LINES)]).batch(LINES)
    assert {form for line in cased for form in forms_of(line)} == {"qoRLan"}


def test_a_text_without_such_words_costs_nothing(model):
    assert with_agreed_names(model, ["the ferry was late.\n", "the ferry from dublin.\n"]) is model
    assert with_agreed_names(model, ["we bought a qorlan last week.\n"]) is model


def test_sure_changes_alone_go_by_the_odds(tmp_path):
    (tmp_path / "a.md").write_text("\n".join(LINES) + "\n", encoding="utf-8")
    out = tmp_path / "out.md"
    case_file(tmp_path / "a.md", out, Truecaser.load(min_odds=1e12))
    assert "bought a qorlan" in out.read_text(encoding="utf-8")


@given(st.lists(st.sampled_from(["the", "Qorlan", "berlin", "nvidia", "x1", "n-vexa", "é", "."])))
def test_unknown_words_as_the_twin(words):
    model = Truecaser.load()
    text = " ".join(words)
    found = model._compiled.unknown_words(text.encode())
    plain = [
        match.span()
        for match in re.finditer(rb"\S+", text.encode())
        if match[0] == b"nvidia"
        or (match[0].isalpha() and model.training_count(match[0].decode()) == 0)
    ]
    assert found == plain


def test_a_long_line_is_held_once(model):
    text = "the qorlan met a nvexa.\n" + " ".join(["a qorlan, some nvexa"] * 50) + "\nqorlan"
    lines = text.split("\n")
    found = _lines_of_unknown_words(model, [text])
    assert found == {
        "qorlan": [lines[0], *[lines[1]] * 50, lines[2]],
        "nvexa": [lines[0], *[lines[1]] * 50],
    }
    assert len({id(line) for line in found["qorlan"] + found["nvexa"]}) == 3
