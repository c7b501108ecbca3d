"""Files that are read, cased and damaged in the tests of formats."""

from hypothesis import strategies as st
from plain_models import Nothing, Upper

from truecase.errors import FormatError
from truecase.formats.file_caser import FileCaser
from truecase.formats.registry import read_document

#: Where something is cut out of a file, how many bytes, and what is put there.
EDITS = st.lists(
    st.tuples(st.integers(0, 10_000), st.integers(0, 3), st.binary(max_size=3)),
    min_size=1,
    max_size=4,
)


def damaged(data, edits):
    for position, n_removed, inserted in edits:
        position %= len(data)
        data = data[:position] + inserted + data[position + n_removed :]
    return data


def read(data, format):
    """The document, or what is wrong."""
    try:
        return read_document(data, "file", format)
    except FormatError as error:
        return str(error)


def output(document, model):
    return b"".join(FileCaser(document, model).output())


def check_read_or_refused(data, format):
    """A file keeps its bytes, and its length in capitals; or a line of it is named."""
    document = read(data, format)
    if isinstance(document, str):
        assert document.startswith("file: line ")
        assert "\n" not in document
    else:
        assert output(document, Nothing()) == data
        assert len(output(document, Upper())) >= len(data) / 2
