"""Text of any kind shows as text, and a page runs and loads nothing that came with it."""

import json
import re
import shlex
import subprocess
import sys
from pathlib import Path

import learning_curves
import pytest

import truecase
from truecase.evaluation.evaluation_page import Judged, evaluation_page
from truecase.evaluation.explanation_page import explanation_page
from truecase.evaluation.metrics import ErrorContexts, Evaluator
from truecase.evaluation.pages import element, page

SCREEN = {"viewport": {"width": 1280, "height": 800}}
BENCH_PAGE = Path(__file__).parents[2] / "bench" / "page.py"

MARKUP = (
    "</title></style></script></textarea><script>document.title='run'</script>"
    "<img src=x onerror=\"document.title='run'\"><svg onload=\"document.title='run'\">"
    "<style>*{display:none}</style><b style='display:none'>&lt;<!--"
)
# Overrides, embeddings and isolates, ended too often and not at all.
CONTROLS = "\u2069\u202c\u202eabc\u2067def\u202b\u2068\u202d\u2066\u202a"
UNSHOWN = re.compile("[\u202a-\u202e\u2066-\u2069]")
FOREIGN = {"markup": MARKUP, "controls": CONTROLS}


def judged(name, line):
    contexts = ErrorContexts()
    evaluator = Evaluator(contexts=contexts)
    evaluator.add([line], [line.swapcase()])
    return Judged(name, evaluator.result(), contexts, {"preset": name, "order": name})


def evaluated(text, model):
    line = f"The bill {text} of Rye"
    return evaluation_page([judged(text, line), judged("b", line)], [text])


def explained(text, model):
    return explanation_page(model.explain(f"the bill {text} of oslo"), text)


def curved(text, model):
    curves = learning_curves.script()
    points = [curves.CurvePoint(n, 5, 0.9, 0.8, 0.02, {"AL": 0.1}) for n in (10_000, 99_000)]
    curve = curves.LearningCurve([text], [text], 1, {text: points})
    return page("Curve", element("h1", "Curve"), curves.curve_section(curve))


def benchmarked(text, model, tmp_path):
    row = {"group": text, "name": f"test_a[{text}]", "stats": {"min": 0.5}}
    row["extra_info"] = {"truecase": text, "corpus": text, "words_per_s": 1}
    names = ("system", "python_implementation", "python_version")
    run = {
        "machine_info": {"cpu": {"brand_raw": text}, **dict.fromkeys(names, text)},
        "datetime": "2026-01-02T03:04:05",
        "benchmarks": [row],
    }
    path = tmp_path / "results.json"
    path.write_text(json.dumps(run), encoding="utf-8")
    command = [sys.executable, "-X", "utf8", BENCH_PAGE, path]
    return subprocess.run(command, capture_output=True, check=True).stdout.decode()


def reviewed(text, model, tmp_path):
    # What cannot stand in the name of a file
    name = re.sub('[/<>:"|?*]', "_", text)[:100] + ".txt"
    (tmp_path / name).write_text(f"the bill {text} of oslo\nthe bill {text}\n", encoding="utf-8")
    truecase.review_file(tmp_path / name, tmp_path / "page.html", model, truecase.ReviewSettings())
    return (tmp_path / "page.html").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def model(neural_model_file):
    return truecase.Truecaser.load(neural_model_file)


PAGES = {
    "evaluate": lambda text, model, folder: evaluated(text, model),
    "explain": lambda text, model, folder: explained(text, model),
    "learning-curve": lambda text, model, folder: curved(text, model),
    "benchmarks": benchmarked,
    "review": reviewed,
}
SCRIPTS = {"benchmarks": 0, "review": 2}


@pytest.fixture(params=PAGES)
def made(request, model, tmp_path):
    """Make a page of a kind with a text wherever foreign text can stand."""

    def make(text):
        file = tmp_path / "foreign.html"
        file.write_text(PAGES[request.param](text, model, tmp_path), encoding="utf-8")
        return file

    make.kind = request.param
    return make


@pytest.mark.parametrize("text", FOREIGN.values(), ids=FOREIGN)
def test_foreign_text_shows_as_text(windows, made, text):
    page = windows(made(text), SCREEN)
    if made.kind == "review":
        page.select_option("#share", "1")
        page.fill("#find", "bill")
        page.click(".row.inside")
    assert page.evaluate("document.querySelectorAll('script').length") == SCRIPTS.get(made.kind, 1)
    assert page.evaluate("document.querySelectorAll('img, [style*=none], svg[onload]').length") == 0
    assert page.title() != "run"
    # text-transform and the like do not touch textContent; scripts are no text
    parts = "[...document.querySelectorAll('h1, td, th, dd, p')].map(e => e.innerText)"
    seen = page.evaluate(parts)
    shown = UNSHOWN.sub("\ufffd", text).lower()
    assert any(shown in part.lower() for part in seen), seen


ORDER = """() => {
  const late = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = walk.nextNode(); text; text = walk.nextNode()) {
    const range = document.createRange();
    let before = null;
    for (let i = 0; i < text.data.length; i++) {
      range.setStart(text, i); range.setEnd(text, i + 1);
      const box = range.getBoundingClientRect();
      if (box.width === 0) { continue; }
      const isBeside = before && Math.abs(before.top - box.top) < 2;
      if (isBeside && box.left < before.left) { late.push(text.data); break; }
      before = box;
    }
  }
  return late;
}"""


def test_nothing_turns_the_order_of_letters_around(windows, made):
    page = windows(made(CONTROLS), SCREEN)
    assert not UNSHOWN.search(page.inner_text("body"))
    assert not UNSHOWN.search(page.title())
    for name in ("title", "aria-label"):
        values = f"[...document.querySelectorAll('[{name}]')].map(e => e.getAttribute('{name}'))"
        assert not UNSHOWN.search("".join(page.evaluate(values)))
    assert page.evaluate(ORDER) == []


def test_what_came_in_as_markup_neither_runs_nor_hides(browser, made):
    whole = made("bill").read_text(encoding="utf-8")
    assert whole.lstrip().lower().startswith("<!doctype html>")
    # As if escaping had failed: the policy alone is left.
    at = whole.lower().index("<h1")
    file = made("bill")
    file.write_text(whole[:at] + MARKUP.replace("<!--", "shown</b></svg>") + whole[at:], "utf-8")
    context = browser.new_context(**SCREEN)
    page = context.new_page()
    fetched, refused = [], []
    page.on("requestfinished", lambda request: fetched.append(request.url))
    page.on("console", lambda message: refused.append(message.text))
    page.goto(file.as_uri())
    page.wait_for_timeout(200)
    assert page.evaluate("document.querySelectorAll('img').length") == 1
    assert page.title() != "run"
    assert page.is_visible("h1")
    assert page.evaluate("getComputedStyle(document.querySelector('b[style]')).display") != "none"
    assert [url for url in fetched if not url.endswith("foreign.html")] == []
    assert any("Content Security Policy" in text for text in refused)
    context.close()


def test_a_million_characters_in_a_word(windows, model, tmp_path):
    word = "x" * 1_000_000
    text = tmp_path / "in.txt"
    text.write_text(f"the {word} of oslo {'!' * 1_000_000} bill\n", encoding="utf-8")
    truecase.review_file(text, tmp_path / "page.html", model, truecase.ReviewSettings())
    page = windows(tmp_path / "page.html", SCREEN)
    page.select_option("#share", "1")
    page.fill("#find", "xxx")
    assert page.inner_text(".row b").lower() == "x" * 199 + "…"
    page.click("#detail .forms li:nth-child(2) button")
    page.keyboard.press("c")
    assert len(page.inner_text("#changes li b")) == 200
    given = json.loads(page.input_value("#as-text"))
    assert [len(one["to"]) for one in given["corrections"]] == [1_000_000]
    report = tmp_path / "report.html"
    report.write_text(evaluation_page([judged("m", word)], ["t"]), encoding="utf-8")
    page = windows(report, SCREEN)
    assert [page.inner_text(f"td > {name}") for name in ("ins", "del")] == [
        "x" * 199 + "…",
        "X" * 199 + "…",
    ]
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", ["a; rm -rf b.txt", "$(b).txt", "it's.txt", "-o.txt"])
def test_command_to_copy_is_one_word_for_each_file(windows, model, tmp_path, name):
    (tmp_path / name).write_text("the bill of oslo\n", encoding="utf-8")
    truecase.review_file(tmp_path / name, tmp_path / "page.html", model, truecase.ReviewSettings())
    page = windows(tmp_path / "page.html", SCREEN)
    page.click("#open-corrections")
    words = shlex.split(page.inner_text("#command"))
    stem = f"./{name}" if name.startswith("-") else name
    assert words[3:] == [f"{stem}.corrections.json", str(tmp_path / name), "-o", "OUTPUT"]
