"""Sentence starts, counts and changes against the plain twin."""

from examples import examples
from hypothesis import example, given
from hypothesis import strategies as st
from reference.smartcase import SmartCase

from truecase.rules._lines import CaseTable, FormCounter

ABBREVIATIONS = (b"mr", b"vs", b"jan")
PIECES = """
the The THE anna Anna iPhone mr Mr vs Jan U.S. e.g. J. a I i ı İ Σας ǆ ǅ ß ﬁne 日本 3 1999 3rd 2nd
12 . ! ? … ... .. : ; , " ' '' `` ( ) [ ] « » “ ” ‘ ’ - – • & &quot; &amp; @ # / _ a_b a.b x@y.org
www.a.org #tag can't l' -- 。 ！ <i> </i> {x} \u00a0 e\u0301
""".split() + [" "] * 12 + ["\t", ". ", "? ", "1. ", '" ', ' "', "\v"]  # fmt: skip
lines = st.lists(st.sampled_from([*map(str.encode, PIECES), b"\xff", b"\xe2\x80"]), max_size=14)
texts = lines.map(b"".join) | lines.map(b" ".join)
kinds = st.tuples(st.sampled_from(["raw", "space"]), st.sampled_from(["", "tr"]))


@examples(300)
@given(texts, kinds)
@example(b'"why?" he asked. "go!" she said "no?" so', ("raw", ""))
@example(b"www.a.org\xe2\x80 x@y.org\xe2\x80", ("raw", ""))
@example(b"1. first 2) second (3) third 4 . fourth", ("raw", ""))
@example(b"mr. brown e.g. pears j. smith u.s. they x.. so. .. and", ("raw", ""))
@example("why ? \" so \" why ? « so » why ?'' so".encode(), ("space", ""))
def test_capitalize(line, kind):
    compiled = CaseTable(*kind, ABBREVIATIONS)
    assert compiled.capitalize(line) == SmartCase(*kind, ABBREVIATIONS).capitalize(line)


@examples(150)
@given(st.lists(texts, max_size=4), kinds)
def test_forms(block, kind):
    counter = FormCounter(*kind, ABBREVIATIONS)
    counter.add_block(b"\n".join(block))
    assert counter.forms() == SmartCase(*kind, ABBREVIATIONS).forms(block)


@examples(200)
@given(texts, kinds)
def test_normalize(line, kind):
    forms = [(word, 1.0) for word in (b"the", b"anna", b"mr", b"fine", b"3rd")]
    forms.append((b"Anna", 2.0))
    twin = SmartCase(*kind, ABBREVIATIONS)
    mostly_lower = {twin.sentences(word).pieces[0].key for word in (b"the", b"mr", b"fine")}
    table = CaseTable(*kind, ABBREVIATIONS, forms)
    assert table.normalize(line) == twin.normalize(line, mostly_lower)
