"""The review page as people use it: choose, save, reload, apply."""

import json
import re

import pytest

import truecase

TEXT = """\
mary took the bill to oslo on monday .
the post of oslo was never seen by dr. chen again
the bridge of 𐐨𐐩 and the post of cork
"""
SELECTED = ".row[aria-selected=true]"


@pytest.fixture(scope="module")
def reviewer(neural_model_file):
    return truecase.Truecaser.load(neural_model_file)


@pytest.fixture
def review(tmp_path, reviewer):
    """Files to review; the model is not named in their pages."""

    class Review:
        text = tmp_path / "in.txt"
        page = tmp_path / "page.html"

        def __init__(self, content=TEXT, name="in.txt", **settings):
            self.text = tmp_path / name
            self.text.write_text(content, encoding="utf-8")
            self.settings = truecase.ReviewSettings(**settings)
            truecase.review_file(self.text, self.page, reviewer, self.settings)

        def applied(self, corrections):
            output = tmp_path / "output"
            truecase.apply_corrections(self.text, corrections, output, reviewer)
            return output.read_text(encoding="utf-8")

    return Review


def find(page, word):
    """Show the rows of a word, as someone does who types it."""
    page.keyboard.press("/")
    page.fill("#find", word)
    page.keyboard.press("Enter")


def saved(page, button, tmp_path):
    with page.expect_download() as download:
        page.click(button)
    path = tmp_path / download.value.suggested_filename
    download.value.save_as(path)
    return path


def number_of(page, form):
    """The key that chooses a form of the selected word."""
    forms = page.locator(".forms li > button:first-child > span:nth-child(2)").all_inner_texts()
    return forms.index(form) + 1


def test_choose_save_reload_apply(windows, window_kind, review, reviewer, tmp_path):
    reviewed = review()
    page = windows(reviewed.page, window_kind)
    page.select_option("#share", "1")
    # one of two places, by its own row
    page.fill("#find", "oslo")
    assert page.locator(".row.inside").count() == 2
    page.locator(".row.inside").nth(0).click()
    number = int(page.inner_text("#detail .muted").removeprefix("Line ")) - 1
    page.locator(".forms button:first-child", has_text=re.compile("OSLO")).click()
    # the other word everywhere
    page.fill("#find", "post")
    page.locator(".row.inside").nth(1).click()
    page.locator("li", has_text=re.compile("POST")).locator("button.all").click()
    assert "3 corrections" in page.inner_text("#state")
    page.reload()
    assert "3 corrections" in page.inner_text("#state")
    page.click("#open-corrections")
    assert page.locator("#changes li").count() == 2
    corrections = saved(page, "#save", tmp_path)
    assert corrections.name == "in.txt.corrections.json"
    given = json.loads(corrections.read_text(encoding="utf-8"))
    assert given == json.loads(page.input_value("#as-text"))
    # OSLO stands in one of two places, and is no name unless somebody says so
    assert given["names"] == ["POST"]
    page.get_by_label(re.compile("OSLO")).check()
    names = saved(page, "#save-names", tmp_path)
    assert names.read_text(encoding="utf-8") == "POST\nOSLO\n"
    assert len(truecase.read_names([names])) == 2
    cased = reviewer(TEXT).split("\n")
    cased[number] = cased[number].replace("Oslo", "OSLO")
    expected = "\n".join(cased).replace("Post", "POST").replace("post", "POST")
    assert reviewed.applied(corrections) == expected


def test_a_key_is_an_offer_for_one_place(windows, review):
    page = windows(review(TEXT * 3).page, {"viewport": {"width": 1280, "height": 2000}})
    page.select_option("#share", "1")
    tops, was_heading = [], False
    for row in page.locator(".row").all():
        if "inside" not in row.get_attribute("class").split() or was_heading:
            tops += [row.locator(".sure").inner_text()] if row.locator(".sure").count() else []
        was_heading = "heading" in row.get_attribute("class").split()
    shares = [float(top.split()[0]) for top in tops]
    assert shares == sorted(shares) and len(shares) > 5
    assert page.locator(".heading").count() > 3
    for n in range(1, 12):
        assert "heading" not in page.get_attribute(SELECTED, "class")
        page.keyboard.press("Digit2")
        assert f"{n} correction" in page.inner_text("#state")


def test_by_keyboard_alone(windows, review, tmp_path):
    reviewed = review()
    page = windows(reviewed.page, {"viewport": {"width": 1280, "height": 800}})
    keys = page.keyboard
    find(page, "bill")
    assert "bill" in page.inner_text(SELECTED).lower()
    other = number_of(page, "BILL")
    keys.press(f"Digit{other}")
    assert "1 correction" in page.inner_text("#state")
    assert page.inner_text("#said") == "BILL in this place"
    keys.press("u")
    assert "0 corrections" in page.inner_text("#state")
    keys.press(f"Digit{number_of(page, 'BILL')}")
    keys.press("Digit0")
    assert "0 corrections" in page.inner_text("#state")
    keys.press("e")
    keys.type("bILL")
    keys.press("Enter")
    assert page.inner_text("#said") == "bILL in this place"
    assert page.evaluate("document.activeElement.id") == "list"
    keys.press("Control+z")
    keys.press("/")
    keys.press("Escape")
    find(page, "post")
    keys.press("Home")
    keys.press(f"Digit{number_of(page, 'POST')}")
    assert page.inner_text("#said") == "With Shift this is for all 2 places"
    assert "0 corrections" in page.inner_text("#state")
    keys.press(f"Shift+Digit{number_of(page, 'POST')}")
    assert "2 corrections" in page.inner_text("#state")
    assert page.inner_text("#said") == "POST in 2 places"
    keys.press("?")
    assert page.is_visible("#keys")
    keys.press("Escape")
    assert not page.is_visible("#keys")
    keys.press("c")
    assert page.is_visible("#corrections")
    # the button that has the focus
    assert page.evaluate("document.activeElement.id") == "save"
    with page.expect_download() as download:
        keys.press("Enter")
    download.value.save_as(tmp_path / "c.json")
    keys.press("Escape")
    assert page.evaluate("document.activeElement.id") == "list"
    assert reviewed.applied(tmp_path / "c.json").count("POST") == 2
    # Tab goes through everything and back to the list
    stops = []
    for _ in range(40):
        keys.press("Tab")
        stops.append(page.evaluate("document.activeElement.id || document.activeElement.className"))
    assert {"share", "find", "open-corrections", "list"} <= set(stops)


def test_rows_move_and_are_announced(windows, review):
    page = windows(review().page, {"viewport": {"width": 1280, "height": 800}})
    page.select_option("#share", "1")
    page.focus("#list")
    n = int(page.get_attribute(SELECTED, "aria-setsize"))
    for key, place in (
        ("End", n),
        ("ArrowDown", n),
        ("ArrowUp", n - 1),
        ("Home", 1),
        ("j", 2),
        ("k", 1),
    ):
        page.keyboard.press(key)
        assert int(page.get_attribute(SELECTED, "aria-posinset")) == place
        active = page.get_attribute("#list", "aria-activedescendant")
        assert page.get_attribute(SELECTED, "id") == active
    looked = page.inner_text("#state")
    page.keyboard.press("Enter")  # a word in many places takes the shift key
    assert page.inner_text("#state") == looked
    page.keyboard.press("Shift+Enter")
    assert page.inner_text("#state") != looked
    assert int(page.get_attribute(SELECTED, "aria-posinset")) > 1


def test_another_word_is_refused(windows, window_kind, review):
    page = windows(review().page, window_kind)
    page.fill("#other input", "something")
    page.click("#other button:last-child")
    assert "0 corrections" in page.inner_text("#state")
    assert page.evaluate("!document.querySelector('#other input').checkValidity()")


def test_words_of_the_context_can_be_gone_to(windows, window_kind, review):
    page = windows(review().page, window_kind)
    page.fill("#find", "cork")
    word = page.locator("#detail .context button.word").first
    text = word.inner_text()
    word.click()
    assert page.inner_text("#detail mark") == text


def test_corrections_of_a_file_are_taken_up(windows, review, tmp_path):
    reviewed = review()
    screen = {"viewport": {"width": 1280, "height": 800}}
    page = windows(reviewed.page, screen)
    find(page, "bill")
    page.keyboard.press(f"Digit{number_of(page, 'BILL')}")
    find(page, "𐐨𐐩")
    page.keyboard.press(f"Digit{number_of(page, '𐐀𐐁')}")
    page.keyboard.press("c")
    file = saved(page, "#save", tmp_path)
    other = windows(reviewed.page, screen)
    assert "0 corrections" in other.inner_text("#state")
    other.click("#open-corrections")
    other.set_input_files("#file", file)
    other.locator("#changes li").nth(1).wait_for()
    assert "2 of 2 corrections taken" in other.inner_text("#summary")
    assert other.input_value("#as-text") == file.read_text(encoding="utf-8")
    for wrong, message in (
        ("{}", "no corrections"),
        ("x", "no corrections"),
        (file.read_text().replace('"letters": "', '"letters": "0'), "of another text"),
    ):
        path = tmp_path / "wrong.json"
        path.write_text(wrong, encoding="utf-8")
        other.set_input_files("#file", path)
        other.locator("#summary", has_text=message).wait_for()
    assert "𐐀𐐁" in reviewed.applied(file)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("m.po", 'msgid "a"\nmsgstr "<b>the</b> post of %s"\n'),
        ("talk.srt", "1\n00:00:01,000 --> 00:00:02,000\nthe post\nof <i>oslo</i>\n\n"),
    ],
)
def test_files(windows, review, tmp_path, name, content, reviewer):
    reviewed = review(content, name)
    page = windows(reviewed.page, {"viewport": {"width": 1280, "height": 800}})
    find(page, "post")
    page.keyboard.press(f"Digit{number_of(page, 'POST')}")
    page.keyboard.press("c")
    plain = tmp_path / "plain"
    truecase.case_file(reviewed.text, plain, reviewer)
    before = plain.read_text(encoding="utf-8")
    after = reviewed.applied(saved(page, "#save", tmp_path))
    assert after == before.replace("Post", "POST").replace("post", "POST")


def test_text_that_is_markup_is_text(windows, window_kind, review, tmp_path):
    reviewed = review("the </script><b>post</b> &amp; <!-- of oslo\n")
    page = windows(reviewed.page, window_kind)
    assert "</script><b>" in page.inner_text("#detail .context").lower()


def test_a_hundred_thousand_words(windows, window_kind, review):
    lines = ["mary took the bill to oslo on monday .", "the post of cork is a bridge again"]
    reviewed = review("\n".join(lines * 6250) + "\n")
    page = windows(reviewed.page, window_kind)
    assert "100,000 words" in page.inner_text("header")
    page.select_option("#share", "1")
    page.focus("#list")
    page.keyboard.press("x")
    page.keyboard.press("End")
    # what is out of sight is not drawn
    assert page.locator(".row").count() < 80
    assert page.locator(SELECTED).is_visible()
    page.keyboard.press("Home")
    page.keyboard.press("PageDown")
    page.keyboard.press("Shift+Digit2")
    page.keyboard.press("u")
    assert "0 corrections" in page.inner_text("#state")


def test_page_is_as_wide_as_the_window(windows, window_kind, review):
    page = windows(review("the post " * 60 + "x" * 300 + " oslo\n").page, window_kind)
    for share in ("0.02", "1"):
        page.select_option("#share", share)
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    page.click("#open-corrections")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
