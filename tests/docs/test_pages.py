"""What README and the documentation show is what happens."""

import re
import sys
from pathlib import Path

import pytest
from docs_markdown import blocks
from docs_runner import RUN, SHOWN, commands, has_what_it_needs, run_page

CHECKOUT = Path(__file__).parents[2]
PAGES = [CHECKOUT / "README.md", *sorted((CHECKOUT / "docs").rglob("*.md"))]

pytestmark = pytest.mark.skipif(
    not (CHECKOUT / "docs").exists(), reason="the tests are not in a checkout"
)


def name(page):
    return str(page.relative_to(CHECKOUT))


def is_run(block):
    return (
        "not run" not in block.notes
        and has_what_it_needs(block)
        and (block.language in RUN or bool({"file", "output of"} & set(block.notes)))
    )


@pytest.mark.slow
@pytest.mark.filterwarnings("ignore")  # texts this small have no discounts of their own
@pytest.mark.parametrize("page", [p for p in PAGES if any(map(is_run, blocks(p)))], ids=name)
def test_page(page, folder, monkeypatch):
    monkeypatch.setenv("CHECKOUT", str(CHECKOUT))
    # Spark's workers take the first python3 of PATH, which is this one only where it is activated.
    monkeypatch.setenv("PYSPARK_PYTHON", sys.executable)
    found = blocks(page)
    assert run_page(found, folder) == sum(map(is_run, found))


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_each_block_is_run_or_says_why_not(page):
    for block in blocks(page):
        assert block.language in (*RUN, *SHOWN), f"{block}: ```{block.language}"
        if "not run" in block.notes:
            assert len(block.notes["not run"].split()) >= 4, f"{block}: say why it is not run"
        elif block.language == "console":
            assert commands(block), f"{block}: no command"
        elif block.language in SHOWN:
            assert not re.search(r"^(\$|>>>) ", block.text, re.MULTILINE), f"{block}: not run"


@pytest.mark.parametrize("page", PAGES, ids=name)
def test_no_code_outside_of_fences(page):
    """Indented code would not be run."""
    fenced = False
    before = ""
    for number, line in enumerate(page.read_text(encoding="utf-8").splitlines(), 1):
        if line.strip().startswith("```"):
            fenced = not fenced
        elif not fenced and not before.strip():
            assert not line.startswith("    "), f"{name(page)}:{number}"
        before = line


def test_readme_is_short():
    assert len(PAGES[0].read_text(encoding="utf-8").splitlines()) <= 120


def test_every_feature_has_its_line():
    from truecase.kernels.schema import columns

    text = (CHECKOUT / "docs/reference/features.md").read_text(encoding="utf-8")
    listed = set(re.findall(r"`([^`]+)`", text))
    wanted = {re.sub(r"^(after_punctuation|transition):.*", r"\1:…", c) for c in columns()}
    wanted = {column.replace("transition:…", "transition:…>…") for column in wanted}
    assert wanted <= listed


@pytest.mark.parametrize("kind", ["NODE_COLUMNS", "SOURCE_COLUMNS"])
def test_dense_features_stand_in_the_order_of_their_numbers(kind):
    from truecase.kernels import schema

    text = (CHECKOUT / "docs/reference/features.md").read_text(encoding="utf-8")
    rows = re.findall(r"(?m)^\| `([^`]+)` \| \S", text)
    names = getattr(schema, kind)
    first = rows.index(names[0])
    assert tuple(rows[first : first + len(names)]) == names


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("```python\n>>> 1 + 1\n3\n```\n", "Expected"),
        ("```python\nassert False\n```\n", ""),
        ("```console\n$ echo a\nb\n```\n", "but got"),
        ("```console\n$ echo a b c\na ...\n$ false\n```\n", "exit code 1"),
        ("<!-- exit: 1 -->\n```console\n$ true\n```\n", "exit code 0"),
        ("```console\nno command\n```\n", "begin with a command"),
        ("<!-- output of: echo a -->\n```text\nb\n```\n", "but got"),
    ],
)
def test_runner_finds_what_is_wrong(tmp_path, text, error):
    page, folder = tmp_path / "page.md", tmp_path / "here"
    page.write_text(text)
    folder.mkdir()
    with pytest.raises(AssertionError, match=error or None):
        run_page(blocks(page), folder)


def test_runner_keeps_names_files_and_folder(tmp_path):
    page, folder = tmp_path / "page.md", tmp_path / "here"
    page.write_text(
        "<!-- file: a.txt -->\n```text\nx\n```\n"
        "```python\n>>> text = open('a.txt').read()\n```\n"
        "```console\n$ cat a.txt > b.txt\n$ echo \\\n  two\ntwo\n```\n"
        "<!-- not run: only to see that it is not -->\n```console\n$ exit 3\n```\n"
        "<!-- needs: no_such_module -->\n```python\n>>> import no_such_module\n```\n"
        "<!-- needs: json -->\n```python\n>>> import json\n```\n"
        "```python\n>>> open('b.txt').read() == text\nTrue\n```\n"
    )
    folder.mkdir()
    assert run_page(blocks(page), folder) == 5


@pytest.mark.parametrize("text", ["```python\n1\n", "<!-- not run: why -->\ntext\n"])
def test_comments_and_fences_that_belong_to_nothing(tmp_path, text):
    page = tmp_path / "page.md"
    page.write_text(text)
    with pytest.raises(ValueError, match=r"page\.md"):
        blocks(page)
