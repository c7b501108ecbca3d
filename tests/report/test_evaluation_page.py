from truecase.evaluate.contexts import ErrorContexts
from truecase.evaluate.curve import CurvePoint, LearningCurve
from truecase.evaluate.metrics import Evaluator
from truecase.report.curve_section import curve_page
from truecase.report.evaluation_page import Judged, evaluation_page

REFERENCE = [
    "The keeper of Rye has an iPhone",
    'Rye <script>alert("x")</script> & Co. saw the BBC',
    "• </style><b onclick=x> NASA",
]


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
    assert len(page.of("script")) == 0


def test_text_stays_text(read_page):
    name = "<img src=x onerror=alert(1)>.truecase"
    whole = evaluation_page([lowered(name), lowered("b")], ["<b>.txt"])
    page = read_page(whole)
    assert name in page.text
    assert "<img" not in whole and "<script" not in whole and whole.count("</style>") == 1


def test_several_models_side_by_side(read_page):
    good = judged("good", REFERENCE)
    page = read_page(evaluation_page([lowered(), good, lowered("third")], ["a", "b"]))
    text = " ".join(page.text)
    assert "Errors against low" in text
    assert "-100.0 %" in text
    assert text.count("third") > 2
    assert "100.00 %" in text


def test_nothing_wrong_and_nothing_at_all(read_page):
    page = read_page(evaluation_page([judged("good", REFERENCE)], ["t"]))
    assert "No word is wrong." in page.text
    read_page(evaluation_page([judged("empty", [], {"the": 1}, [])], ["t"]))


def test_words_changed_by_more_than_case(read_page):
    output = [line.replace("Rye", "Deal") for line in REFERENCE]
    read_page(evaluation_page([judged("m", output, {"rye": 1})], ["t"]))


def test_invalid_bytes_and_many_models(read_page):
    reference = [b"caf\xe9 Rye \x00".decode("utf-8", "surrogateescape")]
    models = [judged(f"m{i}", [reference[0].lower()], {"rye": i}, reference) for i in range(9)]
    evaluation_page(models, ["t"]).encode()
    read_page(evaluation_page(models, ["t"]))


def point(n, p):
    return CurvePoint(n, n // 20, p, p - 0.1, 0.02, {"AL": 1 - p, "IU": 0.2})


def test_learning_curve(read_page):
    curve = LearningCurve(
        ["<corpus>.txt"],
        ["test.txt"],
        1234,
        {"trigram": [point(10_000, 0.9), point(99_000, 0.95)], "unigram": [point(10_000, 0.8)]},
    )
    page = read_page(curve_page(curve))
    assert "trigram" in page.text and "unigram" in page.text
    assert len(page.of("polyline")) == 2 * 2 * 2
    whole = read_page(evaluation_page([lowered()], ["t"], curve))
    assert "What more training text brings" in whole.text


def test_contexts():
    contexts = ErrorContexts(n_kept=2)
    words = [f"w{i}" for i in range(20)]
    for line in (3, 3, 5, 8):
        contexts.add(line, [*words, "Rye", *words], [*words, "rye", *words])
    assert contexts.counts == {("Rye", "rye"): 4}
    kept = contexts.contexts["Rye", "rye"]
    assert [context.line for context in kept] == [3, 5]
    assert kept[0].before.startswith("… w13") and kept[0].after.endswith("w6 …")
    assert contexts.most_frequent(5) == [("Rye", "rye")]
