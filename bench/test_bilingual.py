"""Decoding with a source: lowercased target lines, source lines and links in, cased lines out.

The alignment is read from its text within the time (``aligned``), as `truecase apply` has to;
``unaligned`` has the whole source line as the phrase of each word, ``alone`` no source at all.
Without --bitext, the text is its own source, word for word: the path is the same, the
figures flatter.
"""

import pytest

from truecase.alignment.pharaoh import parse_pharaoh
from truecase.text._words import count_words

ROUNDS = {"rounds": 5, "warmup_rounds": 1}


@pytest.mark.benchmark(group="decode, with a source")
@pytest.mark.parametrize("source", ["aligned", "unaligned", "alone"])
def test_source(benchmark, report, model, bitext, source):
    def case():
        if source == "alone":
            return model.case_block(bitext.target.lower)
        phrases = None
        if source == "aligned":
            phrases = parse_pharaoh(
                bitext.alignment, count_words(bitext.source), count_words(bitext.target.lower)
            )
        return model.case_block(bitext.target.lower, source=bitext.source, phrases=phrases)

    result = benchmark.pedantic(case, **ROUNDS)
    assert len(result.splitlines()) == len(bitext.target.lower.splitlines())
    report(bitext.target, preset=model.about()["preset"], threads=1)
