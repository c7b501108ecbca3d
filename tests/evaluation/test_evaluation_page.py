import itertools
import sys

import learning_curves
import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.evaluation.evaluation_page import Judged, evaluation_page
from truecase.evaluation.metrics import ErrorContexts, Evaluator
from truecase.evaluation.pages import element
from truecase.evaluation.pages import page as page_of

REFERENCE = [
    "The keeper of Rye has an iPhone",
    'Rye <script>alert("x")</script> & Co. saw the BBC',
    "• </style><b onclick=x> NASA",
]

CURVES = learning_curves.script()
CHARTS = sys.modules["charts"]


def judged(name, output, counts=None, reference=REFERENCE):
    contexts = ErrorContexts()
    evaluator = Evaluator(counts.get if counts else None, contexts=contexts)
    if counts:
        evaluator = Evaluator(lambda word: counts.get(word.lower(), 0), contexts=contexts)
    evaluator.add(reference, output)
    return Judged(name, evaluator.result(), contexts)


def lowered(name="low", counts=None):
    return judged(name, [line.lower() for line in REFERENCE], counts)


def test_one_model(read_page):
    page = read_page(evaluation_page([lowered(counts={"the": 900, "rye": 3})], ["test.txt"]))
    text = " ".join(page.text)
    assert "Truecasing of test.txt" in text
    assert "Errors by training count" in text
    assert "Which case became which" in text
    assert "Most frequent errors" in text
    assert '<script>alert("x")</script>' in text
    assert page.texts_of["h1"] == ["Truecasing of test.txt"]


def test_text_stays_text(read_page):
    name = "<img src=x onerror=alert(1)>.truecase"
    whole = evaluation_page([lowered(name), lowered("b")], ["<b>.txt"])
    page = read_page(whole)
    assert name in page.text
    assert "<img" not in whole and "onclick=x>" not in whole
    assert whole.count("<script") == 1 and whole.count("</style>") == 1


def test_several_models_side_by_side(read_page):
    good = judged("good", REFERENCE)
    page = read_page(evaluation_page([lowered(), good, lowered("third")], ["a", "b"]))
    text = " ".join(page.text)
    assert "errors against low" in text
    assert "-100.0 %" in text
    assert text.count("third") == 2
    assert "100.00" in text


def test_nothing_wrong(read_page):
    page = read_page(evaluation_page([judged("good", REFERENCE)], ["t"]))
    assert {a["class"] for a in page.of("td") if "rate" in a.get("class", "")} == {"rate share0"}


def test_one_word_in_one_line(read_page):
    one = judged("good", ["Rye"], reference=["Rye"])
    assert "1 word in 1 line, good;" in " ".join(read_page(evaluation_page([one], ["t"])).text)


def test_words_changed_by_more_than_case(read_page):
    output = [line.replace("Rye", "Deal") for line in REFERENCE]
    page = read_page(evaluation_page([judged("m", output, {"rye": 1})], ["t"]))
    cells = page.texts_of["td"]
    first = cells.index("Rye")
    assert cells[first : first + 3] == ["Rye", "Deal", "2"]
    assert cells[first + 3].startswith("1 The keeper of Rye has an iPhone2  Rye <script>")


def test_invalid_bytes_are_shown_as_replacement_characters(read_page):
    reference = [b"caf\xe9 Rye \x00".decode("utf-8", "surrogateescape")]
    whole = evaluation_page([judged("m", [reference[0].lower()], {"rye": 1}, reference)], ["t"])
    whole.encode()
    cells = read_page(whole).texts_of["td"]
    assert cells[cells.index("Rye") + 3].startswith("1 caf\ufffd Rye \ufffd")


def test_many_models(read_page):
    reference = ["caf\xe9 Rye"]
    models = [judged(f"m{i}", [reference[0].lower()], {"rye": i}, reference) for i in range(9)]
    page = read_page(evaluation_page(models, ["t"]))
    assert {f"m{i}" for i in range(9)} <= set(page.text)
    # Every model has the lowercase word right, and the capitalised one wrong.
    bars = [a["class"] for a in page.of("td") if a.get("class", "").startswith("rate")]
    assert bars[:18] == ["rate share0", "rate share100"] * 9


def point(n, p):
    return CURVES.CurvePoint(n, n // 20, p, p - 0.1, 0.02, {"AL": 1 - p, "IU": 0.2})


def test_learning_curve(read_page):
    curve = CURVES.LearningCurve(
        ["<corpus>.txt"],
        ["test.txt"],
        1234,
        {"ngram": [point(10_000, 0.9), point(99_000, 0.95)], "unigram": [point(10_000, 0.8)]},
    )
    page = read_page(page_of("x", element("h1", "x"), CURVES.curve_section(curve)))
    assert "ngram" in page.text and "unigram" in page.text
    assert len(page.of("polyline")) == 2 * 2 * 2
    assert "Accuracy by size of the training text" in page.text


@pytest.mark.parametrize(
    ("sizes", "labels"),
    [
        # what `--sizes 20K 40K 100K` made of a text of 95,995 words: only 100K was labelled
        ((20_013, 40_014, 95_995), ["20K", "50K", "100K"]),
        ((10_000, 99_000), ["10K", "30K", "100K"]),
        ((1_000, 30_000, 1_000_000), ["1K", "10K", "100K", "1M"]),
    ],
)
def test_axis_of_a_learning_curve_has_several_labels_inside(read_page, sizes, labels):
    curve = CURVES.LearningCurve(["c"], ["t"], 1, {"ngram": [point(n, 0.9) for n in sizes]})
    page = read_page(page_of("x", element("h1", "x"), CURVES.curve_section(curve)))
    ticks = [
        (attributes, text)
        for attributes, text in zip(page.of("text"), page.texts_of["text"], strict=True)
        if attributes.get("class") == "tick"
    ]
    # two charts, each drawn wide and narrow
    assert [text for _, text in ticks] == labels * 4
    axes = [float(a["x2"]) for a in page.of("line") if a["class"] == "axis" and a["y1"] == a["y2"]]
    assert len(axes) == 4
    for right, start in zip(axes, range(0, len(ticks), len(labels)), strict=True):
        places = [float(a["x"]) for a, _ in ticks[start : start + len(labels)]]
        assert places[0] >= 44.0 and places[-1] <= right + 0.01
        assert all(b - a >= 30.0 for a, b in itertools.pairwise(places))


def test_contexts():
    contexts = ErrorContexts()
    words = [f"w{i}" for i in range(20)]
    for line in (3, 3, 5, 8):
        contexts.add(line, [*words, "Rye", *words], [*words, "rye", *words])
    assert contexts.counts == {("Rye", "rye"): 4}
    kept = contexts.contexts["Rye", "rye"]
    assert [context.line for context in kept] == [3, 5]
    assert kept[0].before.startswith("… w13") and kept[0].after.endswith("w6 …")
    assert contexts.most_frequent(5) == [("Rye", "rye")]


def test_ticks():
    assert CHARTS.ticks_between(0.0, 9.3) == [0, 2, 4, 6, 8, 10]
    assert CHARTS.ticks_between(91.2, 91.2)[0] <= 91.2 <= CHARTS.ticks_between(91.2, 91.2)[-1]
    ticks = CHARTS.ticks_between(81.2, 96.9)
    assert ticks[0] <= 81.2 and ticks[-1] >= 96.9 and len(ticks) < 10


@given(low=st.floats(1.0, 1e9), decades=st.floats(0.51, 9.0), n=st.integers(1, 20))
def test_count_ticks(low, decades, n):
    high = low * 10.0**decades
    ticks = CHARTS.count_ticks(low, high, n)
    assert 1 <= len(ticks) <= n
    assert len(ticks) >= min(n, 2)
    assert ticks == sorted(set(ticks))
    for tick in ticks:
        assert low * 0.999 <= tick <= high * 1.001
        assert f"{tick:.0e}"[1:].startswith("e")  # one digit and zeros
        assert float(f"{tick:.0e}") == pytest.approx(tick)


def test_short_numbers():
    shown = [CHARTS.short_number(n) for n in (0, 7, 999, 1000, 12_345, 999_600, 3_400_000, 2e9)]
    assert shown == ["0", "7", "999", "1K", "12.3K", "1M", "3.4M", "2G"]
