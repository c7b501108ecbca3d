"""`grow`, by which arrays of kernels become longer, and arenas, which give arrays of a sentence."""

import pytest
from truecase_testing import grow_in_steps, take_in_rounds


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


@pytest.mark.parametrize("item", [1, 3, 8])
def test_arrays_of_an_arena_do_not_overlap(item):
    rounds = [[3, 0, 500, 64, 100_000, 1], [7, 90_000], [], [5] * 50]
    for sizes, (held, is_short, _) in zip(rounds, take_in_rounds(rounds, item), strict=True):
        assert held == [bytes([i]) * (size * item) for i, size in enumerate(sizes)]
        assert not is_short


def test_an_arena_that_is_large_enough_does_not_grow():
    sizes = [size for *_, size in take_in_rounds([[1000] * 20] * 5)]
    assert sizes[1] == sizes[2] == sizes[4] <= 3 * 64 * 20 * 16


@pytest.mark.parametrize("size", [-1, -(1 << 62), 1 << 61])
def test_an_arena_is_short_of_sizes_that_cannot_be(size):
    (before, failed, after) = take_in_rounds([[2], [3, size, 1], [2]], 8)
    assert before[0] == after[0] == [bytes(16)]
    assert failed[0] == [bytes(24), None, bytes([2]) * 8]
    assert (before[1], failed[1], after[1]) == (False, True, False)
