import truecase
from truecase.evaluation.explanation import Candidate, Contribution, Explanation, Sentence, Word
from truecase.evaluation.explanation_page import explanation_page


def test_every_node_has_its_numbers(read_page, model):
    explanation = model.explain("mary took the iphone to zorblax-lyon . us bill !")
    page = read_page(explanation_page(explanation, "folder/small.truecase"))
    nodes = [a for a in page.of("div") if "data-numbers" in a]
    identities = {a["data-numbers"] for a in nodes}
    assert identities <= page.ids
    edges = [a for a in page.of("path") if "edge" in a["class"].split()]
    assert (
        len(edges) > 12
        and {a[end] for a in edges for end in ("data-from", "data-to")} <= identities
    )
    assert all(a["tabindex"] == "0" and a["aria-label"] for a in nodes)
    n_words = sum(len(sentence.words) for sentence in explanation.sentences)
    drawings = [a for a in page.of("div") if a.get("class") == "drawing"]
    assert len(drawings) == len(explanation.sentences) == 2
    chosen = [a for a in nodes if "chosen" in a["class"].split()]
    assert len(chosen) == n_words
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
    assert "us → Us" in page.texts_of["span"]
    nodes = [a for a in page.of("div") if "data-numbers" in a]
    for column in {a["data-column"] for a in nodes}:
        names = [a["aria-label"].partition(",")[0] for a in nodes if a["data-column"] == column]
        assert len(names) == len(set(names))


def test_marks_of_the_language_model_do_not_show(model):
    whole = explanation_page(model.explain("mary took the post . us bill"))
    assert "&lt;/s&gt;" not in whole and "&lt;s&gt;" not in whole
    assert ">end</span>" in whole


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
    labels = page.texts_of["span"]
    assert "東京" in labels and "\ufffd" in labels
    assert max(len(label) for label in labels if " → " not in label) == len("x" * 199 + "…")


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
    drawn = [a["aria-label"] for a in page.of("div") if "data-numbers" in a]
    assert "Word9, 10.0 %, chosen" in drawn


def test_script_is_the_one_that_the_policy_names(model):
    import base64
    import hashlib
    import re

    whole = explanation_page(model.explain("us bill"))
    script = re.search(r"<script>(.*)</script>", whole, re.DOTALL)[1]
    digest = base64.b64encode(hashlib.sha256(script.encode()).digest()).decode()
    assert f"script-src &#x27;sha256-{digest}&#x27;" in whole
