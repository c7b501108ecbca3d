"""Rows of counts, as engines add them up."""

import pytest

from truecase.integrations.count_batches import CountNgrams, packed_rows
from truecase.training.count_text import HowToCount, count_words

pa = pytest.importorskip("pyarrow")


@pytest.mark.parametrize("width", [pa.binary(), pa.large_binary()])
def test_keys_may_have_offsets_of_64_bits(width, tmp_path):
    lines = ["one two two", "two three"]
    words = tmp_path / "words"
    count_words(["\n".join([*lines, ""]).encode()], HowToCount()).save(words)
    texts = pa.record_batch([pa.array(lines)], ["text"])
    rows = CountNgrams(2, "text", 1 << 28)([texts], words.read_bytes())
    table = pa.Table.from_batches(rows).sort_by("key").combine_chunks()
    table = table.set_column(0, "key", table["key"].cast(width))
    packed = [row for batch in packed_rows(table.to_batches()) for row in batch.to_pylist()]
    totals, first, ngrams = packed
    assert totals["keys"] == b"\0\1" and totals["n"][:8] == (2).to_bytes(8, "little")
    # "one" and "two" begin the lines; the bigrams are <s> one, one two, two two, two </s>, ...
    assert len(first["keys"]) == 2 * 4 and ngrams["n"] == b"7"
