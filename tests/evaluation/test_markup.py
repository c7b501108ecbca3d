import pytest
from hypothesis import given
from hypothesis import strategies as st

from truecase.evaluation.charts import count_ticks, rate_ticks, short_number, ticks_between
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


def test_ticks():
    assert rate_ticks(0.0) == [0.0, 1.0]
    assert rate_ticks(1.6) == [0.0, 0.5, 1.0, 1.5, 2.0]
    assert ticks_between(0.0, 9.3) == [0, 2, 4, 6, 8, 10]
    assert rate_ticks(23.0) == [0, 1, 2, 5, 10, 20, 30]
    assert rate_ticks(100.0)[-1] == 100
    assert ticks_between(91.2, 91.2)[0] <= 91.2 <= ticks_between(91.2, 91.2)[-1]
    ticks = ticks_between(81.2, 96.9)
    assert ticks[0] <= 81.2 and ticks[-1] >= 96.9 and len(ticks) < 10


@given(low=st.floats(1.0, 1e9), decades=st.floats(0.51, 9.0), n=st.integers(1, 20))
def test_count_ticks(low, decades, n):
    high = low * 10.0**decades
    ticks = count_ticks(low, high, n)
    assert 1 <= len(ticks) <= n
    assert len(ticks) >= min(n, 2)
    assert ticks == sorted(set(ticks))
    for tick in ticks:
        assert low * 0.999 <= tick <= high * 1.001
        assert f"{tick:.0e}"[1:].startswith("e")  # one digit and zeros
        assert float(f"{tick:.0e}") == pytest.approx(tick)


def test_short_numbers():
    shown = [short_number(n) for n in (0, 7, 999, 1000, 12_345, 999_600, 3_400_000, 2e9)]
    assert shown == ["0", "7", "999", "1K", "12.3K", "1M", "3.4M", "2G"]
