"""The packed tables against a dictionary, and quantisation against its promise."""

import numpy as np
import pytest
from examples import examples
from hypothesis import given
from hypothesis import strategies as st
from truecase_testing import find, mix_hash

from truecase.errors import PackingError
from truecase.kernels._maps import SlotPacker, pack
from truecase.kernels._ngrams import hash_ngrams
from truecase.kernels.quantise import quantise


def reference_mix(x):
    mask = (1 << 64) - 1
    x ^= x >> 33
    x = x * 0xFF51AFD7ED558CCD & mask
    x ^= x >> 33
    x = x * 0xC4CEB9FE1A85EC53 & mask
    return x ^ x >> 33


@given(st.integers(0, 2**64 - 1))
def test_mix_is_the_finaliser_it_says(x):
    assert mix_hash(x) == reference_mix(x)


@examples(60)
@given(data=st.data())
def test_every_entry_is_found(data):
    n = data.draw(st.integers(0, 400))
    fingerprint_bits = data.draw(st.integers(16, 32))
    payload_bits = data.draw(st.integers(1, 24))
    load = data.draw(st.sampled_from([0.1, 0.5, 0.8, 0.95]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    hashes = np.unique(rng.integers(0, 2**64, n, np.uint64))
    payloads = rng.integers(1, 1 << payload_bits, len(hashes)).astype(np.uint64)
    payload_mask = (1 << payload_bits) - 1
    slots, n_slots, max_probes = pack(
        hashes, payloads, fingerprint_bits, payload_bits, payload_mask, load
    )
    found = find(slots, n_slots, fingerprint_bits, payload_bits, payload_mask, max_probes, hashes)
    # Two entries of one neighbourhood and fingerprint are told apart by luck only.
    # Two entries of one neighbourhood and fingerprint are told apart by luck only.
    assert (found != payloads).sum() <= max(1, 0.03 * n)


def found_in_plain_python(slots, n_slots, bits, payload_mask, max_probes, hash_):
    """The payload that linear probing finds, and 0 otherwise."""
    fingerprint_bits, payload_bits = bits
    width = fingerprint_bits + payload_bits
    packed = int.from_bytes(slots.tobytes(), "little")
    index = (hash_ >> 32) * n_slots >> 32
    for _ in range(max_probes):
        slot = packed >> index * width & (1 << width) - 1
        fingerprint, payload = slot & (1 << fingerprint_bits) - 1, slot >> fingerprint_bits
        wanted = hash_ & (1 << fingerprint_bits) - 1
        if not payload & payload_mask or fingerprint < wanted:
            return 0
        if fingerprint == wanted:
            return payload
        index = (index + 1) % n_slots
    return 0


@examples(100)
@given(data=st.data())
def test_searches_are_those_of_plain_python(data):
    n = data.draw(st.sampled_from([0, 1, 2, 3, 5, 30, 200]))
    # Few bits make long searches; three slots of 19 bits just fit one read.
    bits = data.draw(st.sampled_from([(2, 3), (5, 6), (11, 6), (12, 7), (13, 7), (20, 30)]))
    load = data.draw(st.sampled_from([0.3, 0.8, 0.97]))
    rng = np.random.default_rng(data.draw(st.integers(0, 2**32)))
    hashes = rng.integers(0, 2**64, n, np.uint64)
    payloads = rng.integers(1, 1 << bits[1], n).astype(np.uint64)
    # What is not in the mask is told by find alone.
    mask = (1 << bits[1] - 1) - 1
    payloads |= np.uint64(1)
    slots, n_slots, max_probes = pack(hashes, payloads, *bits, mask, load)
    # The last slots are those from which a search goes around.
    last = np.uint64(2**64 - 1) - rng.integers(0, 2**32 - 1, 20, np.uint64)
    asked = np.concatenate([hashes, rng.integers(0, 2**64, 50, np.uint64), last, [np.uint64(0)]])
    expected = (
        [found_in_plain_python(slots, n_slots, bits, mask, max_probes, int(h)) for h in asked]
        if n
        else [0] * len(asked)
    )
    table = (slots, n_slots, *bits, mask, max_probes, asked)
    assert find(*table).tolist() == expected


@pytest.mark.parametrize("load", [0.5, 0.9, 0.97])
@pytest.mark.parametrize("bits", [(3, 4), (8, 6), (16, 6), (20, 30)])
def test_heads_change_nothing_that_is_found(load, bits):
    rng = np.random.default_rng(17)
    hashes = rng.integers(0, 2**64, 3000, np.uint64)
    payloads = rng.integers(1, 1 << bits[1], len(hashes)).astype(np.uint64)
    mask = (1 << bits[1]) - 1
    slots, n_slots, max_probes = pack(hashes, payloads, *bits, mask, load)
    # The last slots are those from which a search goes around.
    last = np.uint64(2**64 - 1) - rng.integers(0, 2**36, 500, np.uint64)
    asked = np.concatenate([hashes, rng.integers(0, 2**64, 20_000, np.uint64), last])
    for most in (max_probes, 4):
        table = (slots, n_slots, *bits, mask, most, asked)
        assert find(*table, by_heads=True).tolist() == find(*table).tolist()


def test_small_and_full_tables_are_searched_by_heads():
    hashes = np.arange(1, 20, dtype=np.uint64) << np.uint64(40)
    slots, n_slots, max_probes = pack(hashes, np.ones(19, np.uint64), 12, 8, 0xFF, 0.8)
    full = np.full(8 * 600, 0xFF, np.uint8)
    for table in ((slots, n_slots, 12, 8, 0xFF, max_probes), (full, 400, 12, 8, 0xFF, 9)):
        found = find(*table, hashes, by_heads=True)
        assert found.tolist() == find(*table, hashes).tolist()


def test_absent_entries_are_found_as_often_as_fingerprints_collide():
    rng = np.random.default_rng(3)
    hashes = rng.integers(0, 2**64, 50_000, np.uint64)
    payloads = np.ones(50_000, np.uint64)
    slots, n_slots, max_probes = pack(hashes, payloads, 12, 8, 0xFF, 0.8)
    absent = rng.integers(0, 2**64, 400_000, np.uint64)
    rate = (find(slots, n_slots, 12, 8, 0xFF, max_probes, absent) > 0).mean()
    # A failed search of an ordered table compares about 3 fingerprints at this load.
    assert 0.5 * 3 / 4096 < rate < 1.5 * 3 / 4096


@pytest.mark.parametrize(
    "payloads, bits, load",
    [([0], 8, 0.8), ([256], 8, 0.8), ([1], 40, 0.8), ([1], 8, 1.0), ([1, 1], 8, 0.8)],
)
def test_what_does_not_fit_is_refused(payloads, bits, load):
    with pytest.raises(PackingError):
        pack(np.array([7], np.uint64), np.array(payloads, np.uint64), 20, bits, 0xFF, load)


def test_hashes_tell_order_and_length_apart():
    form = np.arange(1, 6, dtype=np.uint64)
    grams = [[0, 1], [1, 0], [0, 0], [1, 1], [4, 3]]
    hashes = list(hash_ngrams(np.array(grams, np.uint32), form))
    hashes += list(hash_ngrams(np.array([[0, 1, 2], [2, 1, 0], [0, 0, 0]], np.uint32), form))
    assert len(set(hashes)) == len(hashes)
    with pytest.raises(PackingError):
        hash_ngrams(np.array([[0, 5]], np.uint32), form)


@given(st.lists(st.floats(-20, 0, width=32), max_size=300), st.integers(2, 8), st.integers(0, 1))
def test_codebooks_reproduce_their_values(values, bits, first_code):
    values = np.array(values, np.float32)
    codes, book = quantise(values, bits, first_code)
    assert len(book) == 1 << bits and np.isfinite(book).all()
    assert (codes >= first_code).all() and (codes < 1 << bits).all()
    if len(set(values.tolist())) <= (1 << bits) - first_code:
        assert np.array_equal(book[codes], values)
    else:
        assert np.abs(book[codes] - values).max() <= values.max() - values.min()


def test_quantisation_error_halves_with_each_bit():
    values = np.random.default_rng(0).normal(-5, 2, 20_000)
    errors = []
    for bits in (4, 5, 6, 7, 8):
        codes, book = quantise(values, bits)
        errors.append(np.sqrt(np.mean((book[codes] - values) ** 2)))
    assert all(after < 0.62 * before for before, after in zip(errors, errors[1:], strict=False))
    assert errors[-1] < 0.03


@examples(40)
@given(seed=st.integers(0, 2**32), n=st.integers(0, 300), cut=st.integers(0, 300))
def test_a_table_may_be_filled_in_parts(seed, n, cut):
    rng = np.random.default_rng(seed)
    # Few different fingerprints, so that many entries push others away.
    hashes = rng.integers(0, 2**63, n, np.uint64) & np.uint64(0xFFFFFFFF_00000007)
    payloads = rng.integers(1, 1 << 6, n).astype(np.uint64)
    data, n_slots, max_probes = pack(hashes, payloads, 3, 6, 63, 0.8)
    packer = SlotPacker(n, 3, 6, 63, 0.8)
    parts = [slice(0, cut), slice(cut, n)]
    for part in parts:
        packer.add(hashes[part], payloads[part])
    probes = [packer.n_probes(hashes[part], payloads[part]) for part in parts]
    assert np.array_equal(packer.data, data)
    assert (packer.n_slots, max(probes)) == (n_slots, max_probes)


def test_a_table_takes_no_more_entries_than_it_was_made_for():
    packer = SlotPacker(1, 8, 8, 255, 0.5)
    one, two = np.ones(1, np.uint64), np.ones(2, np.uint64)
    with pytest.raises(PackingError, match="1 entries more"):
        packer.add(two, two)
    packer.add(one, one)
    with pytest.raises(PackingError, match="entry 0 is not in the table"):
        packer.n_probes(one, one + one)


@examples(40)
@given(seed=st.integers(0, 2**32), bits=st.integers(2, 6), first_code=st.integers(0, 1))
def test_codebooks_are_those_of_plain_lloyd_rounds(seed, bits, first_code):
    rng = np.random.default_rng(seed)
    values = np.round(rng.normal(size=500), 2).astype(np.float32)
    codes, book = quantise(values, bits, first_code)
    centres = book[first_code:][: int(codes.max()) + 1 - first_code].astype(np.float64)
    # The last codes are the nearest centres of rounds that have next to come to rest.
    distances = np.abs(values[:, None] - centres[None, :])
    chosen = distances[np.arange(len(values)), codes - first_code]
    assert np.all(chosen <= distances.min(axis=1) + 1e-6)
    counts = np.bincount(codes, minlength=len(book))
    means = np.bincount(codes, values, minlength=len(book)) / np.maximum(counts, 1)
    assert np.average(abs(means - book), weights=counts) < 0.05
