import numpy as np
import pytest

from truecase.base.spool import Spool


@pytest.mark.parametrize("on_disk", [False, True])
def test_reads_back_what_was_appended(on_disk):
    spool = Spool(np.uint64, width=2, on_disk=on_disk)
    pieces = [np.arange(n, dtype=np.uint64) for n in (4, 0, 10, 2)]
    for piece in pieces:
        spool.append(piece)
    whole = np.concatenate(pieces)
    assert len(spool) == 8
    assert np.array_equal(np.concatenate(list(spool.pieces(3))), whole)
    assert [len(chunk) for chunk in spool.chunks(3)] == [6, 6, 4]
    assert np.array_equal(np.concatenate(list(spool.chunks(3))), whole)
    assert np.array_equal(spool.array(), whole)
    assert spool.read(6, 100).tolist() == whole[12:].tolist()
    assert spool.read(9, 1).tolist() == []
    spool.append(pieces[0])
    assert len(spool.array()) == 20
    spool.close()
    assert len(spool) == 0


@pytest.mark.parametrize("on_disk", [False, True])
def test_readers_are_independent(on_disk):
    spool = Spool(np.uint32, on_disk=on_disk)
    spool.append(np.arange(10, dtype=np.uint32))
    first, second = spool.reader(), spool.reader(5, 8)
    assert first.take(2).tolist() == [0, 1]
    assert second.take(2).tolist() == [5, 6]
    assert first.take(2).tolist() == [2, 3]
    assert second.take(2).tolist() == [7]
    assert second.take(2).tolist() == []


def test_other_types_and_halves_of_records_are_refused():
    spool = Spool(np.uint64, width=2)
    with pytest.raises(ValueError, match="records of 2 items"):
        spool.append(np.zeros(3, dtype=np.uint64))
    with pytest.raises(ValueError, match="uint64"):
        spool.append(np.zeros(2, dtype=np.uint32))


@pytest.mark.parametrize("on_disk", [False, True])
def test_short_and_long_arrays_keep_their_order(on_disk):
    pieces = [np.arange(n, dtype=np.uint32) + i for i, n in enumerate((3, 300_000, 5, 7, 280_000))]
    whole = np.concatenate(pieces * 2)

    def filled():
        spool = Spool(np.uint32, on_disk=on_disk)
        for piece in pieces * 2:
            spool.append(piece)
        return spool

    spool = filled()
    read = list(spool.pieces(1000))
    assert max(map(len, read)) == 1000
    assert np.array_equal(np.concatenate(read), whole)
    spool.append(pieces[0])
    assert spool.array()[len(whole) :].tolist() == [0, 1, 2]
    taken = filled()
    assert np.array_equal(np.concatenate([*taken.taken_pieces(1000)]), whole)
    assert len(taken) == 0
