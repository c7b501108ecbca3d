"""Models that leave no doubt about what was cased, and with what source."""

import json

import pytest
from plain_models import Upper
from review_pages import data_of

import truecase
from truecase.formats.file_caser import FileCaser
from truecase.formats.format import ReadOptions
from truecase.formats.languages import Languages
from truecase.formats.registry import read_document
from truecase.formats.review import ReviewSettings


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


def read(data, format=None, encoding=None, **options):
    return read_document(data, "file", format, ReadOptions(**options), encoding)


@pytest.fixture
def cased():
    """The bytes of a file with all target text in upper case."""

    def run(data, source=None, target=None, threads=1, model=None, **options):
        if isinstance(data, str):
            data = data.encode("utf-8")
        document = read(data, wanted=Languages(source, target), **options)
        out = b"".join(FileCaser(document, model or Upper()).output(threads))
        return out.decode("utf-8") if document.charset.is_utf8 else out

    return run


@pytest.fixture
def lines_of():
    """What the model gets for a file: lines, or with `source` pairs of source and line."""

    def run(data, with_source=False, **options):
        model = WithSource() if with_source else Upper()
        document = read(data.encode("utf-8"), **options)
        b"".join(FileCaser(document, model).output())
        return model.pairs if with_source else model.lines

    return run


@pytest.fixture(scope="session")
def reviewer(neural_model_file):
    return truecase.Truecaser.load(neural_model_file)


@pytest.fixture
def reviewed(tmp_path, reviewer):
    """Review bytes as a file; gives its path and the page's data."""

    def run(content, name="in.txt", model=None, **settings):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        page = tmp_path / "page.html"
        truecase.review_file(path, page, model or reviewer, ReviewSettings(**settings))
        return path, data_of(page.read_text(encoding="utf-8"))

    return run


@pytest.fixture
def corrected(tmp_path, reviewer):
    """Put corrections into a file; gives its bytes."""

    def run(path, corrections, model=None, **options):
        file = tmp_path / "corrections.json"
        file.write_text(json.dumps(corrections), encoding="utf-8")
        output = tmp_path / "output"
        output.unlink(missing_ok=True)
        truecase.apply_corrections(path, file, output, model or reviewer, **options)
        return output.read_bytes()

    return run
