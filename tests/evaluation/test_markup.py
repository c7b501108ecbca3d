from hypothesis import given
from hypothesis import strategies as st

from truecase.evaluation.pages import Markup, element, escape, join, number, page


def test_text_is_escaped_and_markup_is_not():
    inner = element("b", "<script>")
    assert inner == "<b>&lt;script&gt;</b>"
    assert element("p", inner, " & ", None, ["a", 1, 2.50]) == (
        "<p><b>&lt;script&gt;</b> &amp; a12.5</p>"
    )
    assert element("p", title='"><script>') == '<p title="&quot;&gt;&lt;script&gt;"></p>'


def test_attributes():
    assert element("a", class_="x", data_row=3, hidden=True, title=None, open=False) == (
        '<a class="x" data-row="3" hidden></a>'
    )
    assert element("br") == "<br>"


def test_what_cannot_stand_in_a_page():
    assert escape("a\0b\udc80\x85c\td") == "a\ufffdb\ufffd\ufffdc\td"


@given(text=st.text(st.characters(exclude_categories=())))
def test_any_text_in_a_page(text):
    whole = page(text, element("p", text, title=text))
    whole.encode()
    assert "<p" not in escape(text)
    assert "\0" not in whole


def test_join_keeps_the_type():
    assert isinstance(join("a", Markup("<br>")), Markup)
    assert number(3.0) == "3" and number(2.346) == "2.35" and number(12) == "12"
