"""Files reviewed and corrected from Python."""

import json

import pytest
from review_pages import data_of

import truecase


@pytest.fixture(scope="session")
def reviewer(sparse_model_file):
    return truecase.Truecaser.load(sparse_model_file)


@pytest.fixture
def reviewed(tmp_path, reviewer):
    """Review bytes as a file; gives its path and the page's data."""

    def run(content, name="in.txt", model=None, **settings):
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        page = tmp_path / "page.html"
        truecase.review_file(path, page, model or reviewer, truecase.ReviewSettings(**settings))
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
