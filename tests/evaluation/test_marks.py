"""Marks that are explained are those that `punctuate` puts."""

import json

import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from mark_models import punctuating

from truecase import Truecaser
from truecase.cli import main
from truecase.errors import ModelError
from truecase.evaluation.explanation_page import explanation_page
from truecase.evaluation.text_tables import explanation_table

TEXT = "so how are you today i am fine thanks and you  été, see you"


@pytest.fixture(scope="module")
def truecaser(model_file):
    return punctuating(Truecaser.load(model_file), 3)


@examples(200)
@given(
    st.text(st.sampled_from("aé b\u2003\x1c,.?…-\ud800ß"), max_size=40)
    | st.text(max_size=30).filter(lambda text: "\n" not in text)
)
def test_what_is_explained_is_what_is_put(truecaser, text):
    explanation = truecaser.explain(text, punctuate=True)
    assert explanation.output == truecaser.punctuate(text)
    for gap in explanation.gaps:
        assert sum(gap.posteriors.values()) == pytest.approx(1, abs=1e-5)
    if not set("\x1c\x1d\x1e\x1f") & set(text):  # white space to Python alone
        told = [(gap.word, gap.posteriors) for gap in explanation.gaps]
        assert truecaser.mark_probabilities(text) == told


def test_each_sentence_is_explained(truecaser):
    explanation = truecaser.explain(TEXT, punctuate=True)
    lines = truecaser.punctuate(TEXT, lines="sentences").split("\n")
    assert len([line for line in lines if line]) <= len(explanation.sentences)
    assert (
        " ".join(gap.marked for gap in explanation.gaps).lower()
        == " ".join(explanation.output.split()).lower()
    )
    assert any(gap.is_marked for gap in explanation.gaps)
    plain = json.loads(json.dumps(explanation.to_dict()))
    assert plain["gaps"][0]["word"] == "so"


def test_it_is_shown(truecaser, tmp_path, capsys):
    explanation = truecaser.explain(TEXT, punctuate=True)
    table = explanation_table(explanation)
    marked = [gap.marked for gap in explanation.gaps if gap.is_marked]
    assert marked and all(f"> {' ' * 1}{word}" in table for word in marked)
    assert "a column is how likely a mark is there" in " ".join(table.split())
    page = explanation_page(explanation)
    assert "The marks" in page and f"<b>{marked[0]}</b>" in page
    truecaser.save(tmp_path / "m.truecase")
    arguments = ["explain", "-m", str(tmp_path / "m.truecase"), "--punctuate"]
    assert main([*arguments, "--json", TEXT]) == 0
    assert json.loads(capsys.readouterr().out) == json.loads(json.dumps(explanation.to_dict()))
    assert main([*arguments, TEXT]) == 0
    assert capsys.readouterr().out.startswith(explanation.output)


def test_without_marks_nothing_of_them_is_shown(truecaser):
    explanation = truecaser.explain(TEXT)
    assert explanation.gaps == ()
    assert "mark" not in explanation_table(explanation)
    assert "The marks" not in explanation_page(explanation)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--source", "Ein Satz", TEXT], "--source: not with --punctuate"),
        (["--sentence-start", "learned", TEXT], "--sentence-start: not with --punctuate"),
    ],
)
def test_what_does_not_go_with_it(options, message, capsys):
    assert main(["explain", "--punctuate", *options]) == 2
    assert message in capsys.readouterr().err


def test_wrong_arguments(truecaser, model_file):
    with pytest.raises(ModelError, match="has no marks"):
        Truecaser.load(model_file).explain(TEXT, punctuate=True)
    with pytest.raises(ValueError, match="expected no source"):
        truecaser.explain(TEXT, source="x", punctuate=True)
    with pytest.raises(ValueError, match="only one line"):
        truecaser.explain("a\nb", punctuate=True)
