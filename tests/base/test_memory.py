"""`grow`, by which all arrays of kernels become longer."""

import pytest
from truecase_testing import grow_in_steps


@pytest.mark.parametrize("item", [1, 3, 8])
def test_what_an_array_holds_is_kept(item):
    sizes = [1, 2, 4, 8, 1024, 5]
    kept = b""
    for number, (size, step) in enumerate(zip(sizes, grow_in_steps(sizes, item), strict=True)):
        assert step == (True, kept[: size * item])
        kept = kept[: size * item].ljust(size * item, bytes([number]))


def test_no_items():
    assert grow_in_steps([0, 0, 2, 0, 1]) == [(True, b"")] * 4 + [(True, b"")]


@pytest.mark.parametrize(
    ("size", "item"),
    [
        (-1, 1),
        (-(1 << 62), 8),
        ((1 << 63) - 1, 2),
        ((1 << 61) + 1, 8),  # as unsigned numbers, 8 bytes
        ((1 << 60) + 1, 16),
    ],
)
def test_sizes_that_cannot_be_leave_the_array(size, item):
    before, refused, after = grow_in_steps([1, size, 2], item)
    assert before == (True, b"")
    assert refused == (False, bytes(item))
    assert after == (True, bytes(item))
