"""Texts cut at ends of lines."""

from hypothesis import given
from hypothesis import strategies as st

from truecase.kernels.text import line_slices


@given(text=st.binary(max_size=60) | st.text("a\n", max_size=60).map(str.encode),
       size=st.integers(0, 12))  # fmt: skip
def test_slices_make_up_the_text_and_end_with_a_line(text, size):
    parts = [text[part] for part in line_slices(text, size)]
    assert b"".join(parts) == text
    for part in parts[:-1]:
        assert part.endswith(b"\n")
        # The first line end from `size` on, not a later one.
        assert len(part) > size
        assert b"\n" not in part[size:-1]


def test_no_text_has_no_slices():
    assert list(line_slices(b"", 10)) == []
