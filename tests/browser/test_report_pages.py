"""What only a browser shows of reports and explanations: taps, keys, widths."""

import pytest

import truecase
from truecase.evaluation.evaluation_page import Judged, evaluation_page
from truecase.evaluation.explanation_page import explanation_page
from truecase.evaluation.metrics import ErrorContexts, Evaluator

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREEN = {"viewport": {"width": 1280, "height": 800}}


@pytest.fixture
def opened(windows, tmp_path):
    """Open a page's text in a window of a kind."""

    def open_page(text, kind):
        file = tmp_path / "page.html"
        file.write_text(text, encoding="utf-8")
        return windows(file, kind)

    return open_page


@pytest.fixture(scope="module")
def explained(neural_model_file):
    model = truecase.Truecaser.load(neural_model_file)
    line = "us bill , mary took the iphone to london on monday . " + "the post " * 6
    return explanation_page(model.explain(line))


def compared(n_models):
    reference = ["The keeper of Rye has an iPhone"]
    judged = []
    for number in range(n_models):
        contexts = ErrorContexts()
        evaluator = Evaluator(contexts=contexts)
        evaluator.add(reference, [reference[0].lower()])
        judged.append(Judged(f"a-model-of-some-kind-{number}", evaluator.result(), contexts))
    return evaluation_page(judged, ["t"])


def test_tap_near_the_bottom_shows_the_numbers_above_nothing(opened, explained):
    page = opened(explained, PHONE)
    nodes = page.query_selector_all(".node")
    assert len(nodes) > 20
    for node in nodes:
        page.evaluate("document.activeElement.blur(); scrollTo(0, 0)")
        page.evaluate("y => scrollTo(0, y - 760)", node.bounding_box()["y"])
        box = node.bounding_box()
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        page.wait_for_selector("#numbers:not([hidden])", timeout=2000)
        shown = page.query_selector(".node.shown")
        assert shown.get_attribute("aria-label") == node.get_attribute("aria-label")
        sheet, at = page.query_selector("#numbers").bounding_box(), shown.bounding_box()
        assert at["y"] + at["height"] <= sheet["y"]
    page.touchscreen.tap(sheet["x"] + 20, sheet["y"] + sheet["height"] / 2)
    assert page.is_visible("#numbers")
    page.tap("#numbers .close")
    assert not page.is_visible("#numbers")


@pytest.mark.parametrize(("kind", "along"), [(PHONE, "ArrowDown"), (SCREEN, "ArrowRight")])
def test_first_tab_lands_on_the_first_word_and_arrows_walk(opened, explained, kind, along):
    page = opened(explained, kind)
    focused = "document.activeElement.getAttribute('data-numbers')"
    page.keyboard.press("Tab")
    assert page.evaluate(focused).startswith("n0-0-")
    assert page.is_visible("#numbers")
    page.keyboard.press(along)
    assert page.evaluate(focused).startswith("n0-1-")
    page.keyboard.press("Tab")
    # one stop for each drawing
    assert not (page.evaluate(focused) or "").startswith("n0-")
    page.keyboard.press("Shift+Tab")
    assert page.evaluate(focused).startswith("n0-1-")
    page.keyboard.press("Escape")
    assert not page.is_visible("#numbers")


@pytest.mark.parametrize("kind", [PHONE, SCREEN])
def test_edges_lead_from_box_to_box(opened, explained, kind):
    page = opened(explained, kind)
    page.wait_for_selector(".edge[d]", state="attached")
    away = """edges => edges.filter(edge => {
        const svg = edge.ownerSVGElement.getBoundingClientRect();
        const isAt = (length, name) => {
            const point = edge.getPointAtLength(length);
            const box = document.querySelector(`[data-numbers="${name}"]`).getBoundingClientRect();
            const x = point.x + svg.left, y = point.y + svg.top;
            return x > box.left - 1 && x < box.right + 1 && y > box.top - 1 && y < box.bottom + 1;
        };
        const length = edge.getTotalLength();
        return !isAt(0, edge.dataset.from) || !isAt(length, edge.dataset.to);
    }).length"""
    assert page.locator(".edge").count() > 20
    assert page.eval_on_selector_all(".edge", away) == 0


def test_mouse_over_a_node_shows_its_numbers_until_it_leaves(opened, explained):
    page = opened(explained, SCREEN)
    page.hover(".node >> nth=3")
    assert page.is_visible("#numbers")
    page.mouse.move(2, 2)
    assert not page.is_visible("#numbers")


@pytest.mark.parametrize(("kind", "is_stop"), [(PHONE, True), (SCREEN, False)])
def test_tables_are_tab_stops_only_where_they_scroll(opened, kind, is_stop):
    page = opened(compared(4), kind)
    page.wait_for_timeout(100)
    page.keyboard.press("Tab")
    role = page.evaluate("document.activeElement.getAttribute('role')")
    assert (role == "region") == is_stop


@pytest.mark.parametrize("kind", [PHONE, SCREEN])
def test_pages_are_as_wide_as_the_window(opened, explained, kind):
    for text in (explained, compared(1), compared(6)):
        page = opened(text, kind)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
