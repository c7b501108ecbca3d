"""Files of translations and catalogues, bytes in → bytes out, of the lines of each text.

``beside`` has a model that costs next to nothing and changes every text: what is left is reading
and writing the file. Each text is its own source. ``bytes`` are those of the file, ``words`` those
that are cased.
"""

import catalogues
import pytest

from truecase.formats.file_caser import FileCaser
from truecase.formats.format import ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document

ROUNDS = {"rounds": 3, "warmup_rounds": 1}
MEGABYTES = 2


@pytest.mark.benchmark(group="files")
@pytest.mark.parametrize("caser", ["model", "ngram", "beside"])
@pytest.mark.parametrize("kind", catalogues.KINDS)
def test_file(benchmark, report, request, corpus, kind, caser):
    if kind == "yaml":
        pytest.importorskip("yaml")
    lines = corpus.text.decode("utf-8", "replace").splitlines()
    pairs = [(line, line.lower()) for line in lines if line.strip()]
    data = catalogues.made(kind, pairs, int(MEGABYTES * 1e6))
    name = f"file.{catalogues.KINDS[kind].suffix}"
    model = catalogues.Upper() if caser == "beside" else request.getfixturevalue(caser)

    def case():
        document = read_document(data, name, options=ReadOptions(Languages(None, "en")))
        file_caser = FileCaser(document, model)
        size = sum(map(len, file_caser.output()))
        return size, file_caser.summary

    size, summary = benchmark.pedantic(case, **ROUNDS)
    assert size == len(data)
    assert summary.n_segments
    report(corpus, threads=1, words=summary.n_words, bytes=len(data))
