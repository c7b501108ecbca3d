"""Models that leave no doubt about what was cased, and with what source."""

import pytest
from plain_models import Upper

from truecase.formats.file_caser import FileCaser
from truecase.formats.format import Languages
from truecase.formats.registry import read_document


class WithSource(Upper):
    """Remembers the source of each line."""

    def __init__(self):
        super().__init__()
        self.pairs = []

    def case_block(self, block, threads=1, input_case="ignore", source=b""):
        sources = source.decode("utf-8").split("\n")
        lines = block.decode("utf-8").split("\n")
        self.pairs += zip(sources, lines, strict=True)
        return super().case_block(block)


@pytest.fixture
def cased():
    """The bytes of a file with all target text in upper case."""

    def run(data, source=None, target=None, threads=1, model=None, **options):
        if isinstance(data, str):
            data = data.encode("utf-8")
        document = read_document(data, "file", wanted=Languages(source, target), **options)
        out = b"".join(FileCaser(document, model or Upper()).output(threads))
        return out.decode("utf-8") if document.charset.is_utf8 else out

    return run


@pytest.fixture
def lines_of():
    """What the model gets for a file: lines, or with `source` pairs of source and line."""

    def run(data, with_source=False, **options):
        model = WithSource() if with_source else Upper()
        document = read_document(data.encode("utf-8"), "file", **options)
        b"".join(FileCaser(document, model).output())
        return model.pairs if with_source else model.lines

    return run
