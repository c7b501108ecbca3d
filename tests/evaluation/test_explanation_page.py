import pytest

import truecase
from truecase.evaluation.explanation import Candidate, Contribution, Explanation, Sentence, Word
from truecase.evaluation.explanation_page import explanation_page


@pytest.fixture(scope="module")
def model(model_file):
    return truecase.Truecaser.load(model_file)


def test_every_node_has_its_numbers(read_page, model):
    explanation = model.explain("mary took the iphone to zorblax-lyon . us bill !")
    page = read_page(explanation_page(explanation, "folder/small.truecase"))
    nodes = [a for a in page.of("g") if "data-numbers" in a]
    assert {a["data-numbers"] for a in nodes} <= page.ids
    assert all(a["tabindex"] == "0" and a["aria-label"] for a in nodes)
    n_words = sum(len(sentence.words) for sentence in explanation.sentences)
    for kind in ("row", "column"):
        svgs = [a for a in page.of("svg") if kind in a["class"].split()]
        assert len(svgs) == len(explanation.sentences) == 2
    chosen = [a for a in nodes if "chosen" in a["class"].split()]
    assert len(chosen) == 2 * n_words
    assert "small.truecase (preset ngram, n-grams of up to 3); " in " ".join(page.text)


def test_heading_is_short_and_the_line_stands_below(read_page, model):
    line = "mary took the iphone to zorblax-lyon " * 5
    page = read_page(explanation_page(model.explain(line)))
    assert page.texts_of["h1"] == ["Why a line is cased as it is"]
    # the first title is the page's; others are the tips of the drawing
    assert len(page.texts_of["title"][0]) <= len("Explained: ") + 60
    assert line in page.text and model(line) in page.text


def test_no_two_boxes_of_a_word_read_the_same(read_page, neural_model_file):
    model = truecase.Truecaser.load(neural_model_file)
    explanation = model.explain("us bill , the post")
    raised = [c for w in explanation.words for c in w.candidates if c.is_raised]
    assert raised, "the case that this test is about"
    page = read_page(explanation_page(explanation))
    labels = page.texts_of["text"]
    assert "us → Us" in labels
    nodes = [a for a in page.of("g") if "data-numbers" in a]
    for kind in (nodes[: len(nodes) // 2], nodes[len(nodes) // 2 :]):
        for column in {a["data-column"] for a in kind}:
            names = [a["aria-label"].partition(",")[0] for a in kind if a["data-column"] == column]
            assert len(names) == len(set(names))


def test_marks_of_the_language_model_do_not_show(model):
    whole = explanation_page(model.explain("mary took the post . us bill"))
    assert "&lt;/s&gt;" not in whole and "&lt;s&gt;" not in whole
    assert ">end</text>" in whole


def test_text_stays_text(read_page, model):
    line = "</script><script>alert(1)</script> <img src=x onerror=y> & \"quoted\" 'too'"
    whole = explanation_page(model.explain(line))
    page = read_page(whole)
    assert whole.lower().count("<script") == 1 and "<img" not in whole
    assert "alert" in " ".join(page.text)


def test_long_and_odd_lines(read_page, model):
    page = read_page(explanation_page(model.explain("")))
    assert "The line has no words." in page.text
    assert not page.of("svg")
    page = read_page(
        explanation_page(model.explain("x" * 400 + " 東京 \0 \x85 ǆ " + "the post " * 80))
    )
    labels = page.texts_of["text"]
    assert "東京" in labels and "\ufffd" in labels
    assert max(map(len, labels)) == len("x" * 21 + "…")
    starts = [i for i, (tag, _) in enumerate(page.elements) if tag == "svg"]
    assert len(starts) == 2
    svg = page.elements[starts[1]][1]
    boxes = [
        (float(a["x"]), float(a["width"])) for tag, a in page.elements[starts[1] :] if tag == "rect"
    ]
    assert "column" in svg["class"].split() and len(boxes) > 160
    assert all(x >= 0 and x + width <= float(svg["width"]) for x, width in boxes)


def test_more_candidates_than_are_drawn(read_page):
    candidates = tuple(
        Candidate(f"Word{i}", "MX", 0, (Contribution("lm", -1.0 - i, 1.0),), -1.0 - i, 0.1, i == 9)
        for i in range(10)
    )
    word = Word("word", "Word9", candidates, True)
    end = Word("", "", (Candidate("", "AL", 0, (), 0.0, 1.0, True),), True, is_end=True)
    page = read_page(
        explanation_page(
            Explanation("word", "Word9", (Sentence((word, end), (), -10.0),), "ngram", 3)
        )
    )
    assert "+5" in page.text
    drawn = [a["aria-label"] for a in page.of("g") if "data-numbers" in a]
    assert "Word9, 10.0 %, chosen" in drawn


def test_script_is_the_one_that_the_policy_names(model):
    import base64
    import hashlib
    import re

    whole = explanation_page(model.explain("us bill"))
    script = re.search(r"<script>(.*)</script>", whole, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src &#x27;sha256-{digest}&#x27;" in whole
