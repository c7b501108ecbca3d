"""Headers of containers: what is taken for one is one to the library of safetensors, too."""

import json
import random

import numpy as np
import plain_containers
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st

from truecase.base.model_file import container_bytes, read_header, views_of
from truecase.errors import ModelError

safetensors = pytest.importorskip("safetensors", reason="the library itself is the judge")
save = pytest.importorskip("safetensors.numpy").save

ARRAYS = {
    "b/long": np.arange(7, dtype=np.uint64),
    "a/bytes": np.arange(16, dtype=np.uint8),
    "c/empty": np.zeros(0, np.float32),
    "d/floats": np.linspace(-1, 1, 5, dtype=np.float32),
    "e/numbers": np.arange(3, dtype=np.uint32),
}
GOOD = save(ARRAYS, {"truecase": '{"format": 2}', "other": "x"})
SIZES = (None, True, -1, 0, 1, 3, 4, 5, 2**31, 2**32, 2**63, 2**64, 10**4000, 0.5, "", "4", [], {})
HEADER_BYTES = int.from_bytes(GOOD[:8], "little")


def test_what_other_tests_write_and_read_without_the_library():
    load = pytest.importorskip("safetensors.numpy").load
    arrays = {**ARRAYS, "wide": np.arange(6, dtype=np.float64).reshape(2, 3)}
    # On big-endian machines, version 0.8 of the library does not swap what it loads.
    for other, wanted in (
        (load(plain_containers.save(arrays, {"a": "b"})), load(save(arrays))),
        (plain_containers.load(save(arrays)), arrays),
    ):
        assert other.keys() == wanted.keys()
        for name, array in wanted.items():
            assert other[name].dtype == array.dtype
            assert np.array_equal(other[name], array)


def contents(data):
    entries, metadata, end = read_header("m", data)
    return views_of("m", entries, memoryview(data)[end:]), metadata


def is_read(data):
    try:
        contents(data)
    except ModelError:
        return False
    return True


def the_library_reads(data):
    try:
        safetensors.deserialize(data)
    except safetensors.SafetensorError:
        return False
    return True


# Halves of characters are no text of either.
TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
VECTORS = st.builds(
    lambda dtype, n, step: np.arange(n * step).astype(dtype)[::step],
    st.sampled_from(["u1", "<u4", ">u4", "u8", ">u8", "f4", ">f4"]),
    st.integers(0, 20),
    st.sampled_from([1, 3]),
)


@examples(200)
@given(st.dictionaries(TEXTS.filter(lambda name: name != "__metadata__"), VECTORS), TEXTS)
def test_what_is_written_are_the_bytes_of_the_library(arrays, text):
    whole = {name: np.ascontiguousarray(array) for name, array in arrays.items()}
    assert container_bytes(arrays, {"truecase": text}) == save(whole, {"truecase": text})


def test_a_vector_of_another_type_is_not_written():
    with pytest.raises(ModelError, match="the array x has the unknown type int64"):
        container_bytes({"x": np.zeros(3, np.int64)}, {})


def with_header(header, text=None):
    text = json.dumps(header).encode() if text is None else text
    return len(text).to_bytes(8, "little") + text + GOOD[8 + HEADER_BYTES :]


def changed_headers():
    """Each number, name and list of a good header in turn missing, or something else."""
    header = json.loads(GOOD[8 : 8 + HEADER_BYTES])

    def places(tree, path):
        for key, value in tree.items() if isinstance(tree, dict) else enumerate(tree):
            yield (*path, key)
            if isinstance(value, (dict, list)):
                yield from places(value, (*path, key))

    for path in places(header, ()):
        for value in ("missing", *SIZES, "F32", "F64", "\ud800", [7], [16, 1], [0, 16], [[]]):
            yield with_header(plain_containers.with_value(header, path, value))


def damaged_bytes():
    draw = random.Random(1)
    for place in range(8 + HEADER_BYTES):
        for _ in range(3):
            damaged = bytearray(GOOD)
            damaged[place] = draw.choice(b'{}[]":,0123456789 -.eE\\uNnt\x00\xff')
            yield bytes(damaged)
    for place in range(len(GOOD)):
        yield GOOD[:place]
    yield GOOD + b"\0"
    for size in (0, HEADER_BYTES - 1, HEADER_BYTES + 1, 10**8 + 1, 2**32, 2**63, 2**64 - 8):
        yield size.to_bytes(8, "little") + GOOD[8:]
    for text in (
        b"{}",
        b"[]",
        b" {}",
        b"",
        b"null",
        b'{"x": NaN}',
        b"\xff",
        b'{"__metadata__":{}}',
    ):
        yield with_header(None, text)


def test_the_arrays_are_those_that_were_written():
    arrays, metadata = contents(GOOD)
    assert metadata == {"truecase": '{"format": 2}', "other": "x"}
    assert arrays.keys() == ARRAYS.keys()
    for name, array in ARRAYS.items():
        found = np.asarray(arrays[name])
        assert found.dtype == array.dtype and not found.flags.writeable
        np.testing.assert_array_equal(found, array)


@pytest.mark.parametrize("damage", [changed_headers, damaged_bytes])
def test_what_is_read_is_read_by_the_library(damage):
    n_read = n_refused = 0
    for data in damage():
        if is_read(data):
            n_read += 1
            assert the_library_reads(data), data[8:400]
        else:
            n_refused += 1
    # Names and metadata may be others.
    assert n_read > 10 and n_refused > 200


@pytest.mark.parametrize(
    ("arrays", "message"),
    [
        ({"x": np.zeros((2, 3), np.float32)}, "m: the array x is not a vector"),
        ({"x": np.zeros(3)}, "m: the array x has the unknown type F64"),
    ],
)
def test_arrays_of_other_kinds_are_refused(arrays, message):
    with pytest.raises(ModelError, match=f"^{message}$"):
        contents(save(arrays))
