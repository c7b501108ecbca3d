import gzip
import threading
import warnings

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from ngram_models import estimate

from truecase.errors import DiscountWarning, EmptyCorpusError, SkippedWordsWarning
from truecase.ngram._words import Interner
from truecase.ngram.arpa import read_arpa, write_arpa
from truecase.ngram.counting import StreamNgrams
from truecase.ngram.estimate import LEAST_MEMORY, estimate_arpa, read_corpus
from truecase.ngram.kneser_ney import KneserNeyOptions
from truecase.ngram.vocabulary import IdStream

TEXT = b"".join(
    b"the %s sees %s near the %s .\n" % (a, b, c)
    for a in (b"Cat", b"dog", b"OWL")
    for b in (b"a mouse", b"the Moon", b"nothing", b"a dog")
    for c in (b"river", b"barn", b"Barn Lane")
    if len(a + b + c) % 3
)


@pytest.fixture(autouse=True)
def _small_corpora():
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DiscountWarning)
        warnings.simplefilter("ignore", SkippedWordsWarning)
        yield


@pytest.fixture
def corpus(tmp_path):
    half = TEXT.index(b"\n", 600) + 1
    (tmp_path / "one.txt").write_bytes(TEXT[:half])
    (tmp_path / "two.txt.gz").write_bytes(gzip.compress(TEXT[half:]))
    return [tmp_path / "one.txt", tmp_path / "two.txt.gz"]


@pytest.mark.parametrize("segmentation", ["space", "raw"])
def test_estimate_arpa(tmp_path, corpus, segmentation):
    out = tmp_path / "out.arpa"
    options = KneserNeyOptions(3, (0, 0, 1))
    estimate_arpa(corpus, out, options, segmentation=segmentation)
    interner = read_corpus(corpus, segmentation)
    expected = estimate(StreamNgrams(interner.stream), len(interner), options)
    vocabulary, model = read_arpa(out)
    assert list(vocabulary) == list(interner.vocabulary())
    for a, b in zip(model.words, expected.words, strict=True):
        assert a.tolist() == b.tolist()
    for a, b in zip(model.log10_prob, expected.log10_prob, strict=True):
        assert a.tobytes() == b.tobytes()
    for a, b in zip(model.log10_backoff, expected.log10_backoff, strict=True):
        assert a.tobytes() == b.tobytes()
    assert model.n_ngrams == expected.n_ngrams
    write_arpa(tmp_path / "again.arpa", vocabulary, model)
    assert (tmp_path / "again.arpa").read_bytes() == out.read_bytes()


words = st.one_of(st.sampled_from([b"a", b"b", b"<UNK>", b"\v", b"\\end\\", b"-1"]), st.binary())


@settings(deadline=None)
@given(lines=st.lists(st.lists(words, max_size=6), max_size=12), order=st.integers(1, 4))
def test_any_words_survive_the_file(tmp_path_factory, lines, order):
    folder, thread = tmp_path_factory.getbasetemp(), threading.get_ident()
    text = folder / f"text of {thread}"
    text.write_bytes(b"word\n" + b"\n".join(b" ".join(line) for line in lines))
    interner = read_corpus([text], encoding="utf-8")
    model = estimate(StreamNgrams(interner.stream), len(interner), KneserNeyOptions(order))
    out = folder / f"{thread}.arpa"
    write_arpa(out, interner.vocabulary(), model)
    vocabulary, again = read_arpa(out, "utf-8")
    assert list(vocabulary) == list(interner.vocabulary())
    assert [w.tolist() for w in again.words] == [w.tolist() for w in model.words]


def test_memory_limit_and_compression_change_nothing(tmp_path, corpus):
    outs = [tmp_path / name for name in ("a.arpa", "b.arpa", "c.arpa.gz")]
    estimate_arpa(corpus, outs[0])
    estimate_arpa(corpus, outs[1], KneserNeyOptions(memory=LEAST_MEMORY))
    estimate_arpa(corpus, outs[2])
    assert outs[0].read_bytes() == outs[1].read_bytes() == gzip.decompress(outs[2].read_bytes())


def test_too_little_memory_is_refused(tmp_path, corpus):
    with pytest.raises(ValueError, match="memory limit of 1000 bytes"):
        estimate_arpa(corpus, tmp_path / "out", KneserNeyOptions(memory=1000))


def test_an_empty_corpus_leaves_no_file(tmp_path):
    (tmp_path / "empty.txt").write_bytes(b"\n\n")
    with pytest.raises(EmptyCorpusError, match="no words"):
        estimate_arpa([tmp_path / "empty.txt"], tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("options", [{"order": 0}, {"order": 6}, {"order": 2, "prune": (1, 0)}])
def test_bad_options_are_refused_before_anything_is_read(tmp_path, options):
    with pytest.raises(ValueError):
        estimate_arpa([tmp_path / "no-such-file"], tmp_path / "out", KneserNeyOptions(**options))


def test_special_words_in_the_corpus_are_named(tmp_path):
    (tmp_path / "text").write_bytes(b"a <s> b\nc </s>\n")
    with pytest.warns(SkippedWordsWarning, match="2 words of the corpus"):
        read_corpus([tmp_path / "text"])


def test_memory_limit_puts_the_stream_on_disk(corpus):
    assert isinstance(read_corpus(corpus).stream, IdStream)
    on_disk = read_corpus(corpus, memory=1 << 30)
    assert isinstance(on_disk, Interner)
    assert len(on_disk.stream) == len(read_corpus(corpus).stream)
