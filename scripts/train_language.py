"""Trains the model of a language and writes a package that brings it.

    python scripts/train_language.py LANG TEXT... -o FOLDER [--dev FILE] [--sources FILE]
    pip install FOLDER
    truecase -l LANG < text.txt

TEXT is naturally cased text of the language, plain or compressed, a sentence or a paragraph a
line. FOLDER gets the model, a card that says what it was made of, and what pip needs. With --dev,
text that is not among TEXT, the card says how good the model is. --sources is a file in Markdown
that says where the text is from and under which licences; it becomes part of the card.
"""

import argparse
import shlex
import subprocess
import sys
import tempfile
from pathlib import Path

from truecase import Truecaser, __version__
from truecase.base.read import read_blocks
from truecase.evaluation.metrics import evaluate_blocks
from truecase.model.embedded import LANGUAGES, package_of

# Those of the English model, for less text: forms that were seen twice count, and fewer n-grams are
# enough.
OPTIONS = (
    "--preset", "crf-neural", "--order", "3", "--smartcase", "--min-count", "2",
    "--max-size", "14000000",
)  # fmt: skip

PYPROJECT = """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "{package}"
version = "{version}"
description = "The {name} model of truecase"
readme = "README.md"
requires-python = ">=3.10"
dependencies = ["truecase-crf"]

[project.entry-points."truecase.models"]
{code} = "{module}:PATH"

[tool.setuptools]
packages = ["{module}"]

[tool.setuptools.package-data]
{module} = ["*.truecase"]
"""

MODULE = '''\
"""The {name} model of truecase: `truecase -l {code}`, `Truecaser.load("{code}")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "{code}.truecase")
'''

CARD = """\
# {package}: {name} for truecase

```console
$ pip install {package}
$ truecase -l {code} < text.txt
```

```python
from truecase import Truecaser

truecaser = Truecaser.load("{code}")
```

## Made of

{words:,} words of cased text.

{sources}
## Made with

    {command}

by truecase {version}. The model has {size:,} bytes.
{figures}"""

FIGURES = """
## Figures

Text is lowercased, cased again and compared, a word being what stands between white space. F1 is
over words that are not all-lowercase.

| text | words | token accuracy | F1 |
|---|---:|---:|---:|
{rows}
"""


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("code", metavar="LANG", help="code of the language, such as de")
    parser.add_argument("text", metavar="TEXT", nargs="+", help="cased text")
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, type=Path)
    parser.add_argument("--name", help="of the language, in English")
    parser.add_argument("--dev", metavar="FILE", nargs="+", default=[], help="text to judge it by")
    parser.add_argument("--sources", metavar="FILE", type=Path, help="where the text is from")
    parser.add_argument("-j", "--threads", metavar="N", default="0")
    arguments = parser.parse_args()
    code = arguments.code
    if not code.isascii() or not code.isalpha() or not code.islower():
        parser.error(f"LANG: expected a code in lower case, such as de, not {code!r}")
    name = arguments.name or LANGUAGES.get(code)
    if name is None:
        parser.error(f"--name: what is the language of the code {code} called?")
    module = f"truecase_model_{code}"
    folder: Path = arguments.output / module
    folder.mkdir(parents=True, exist_ok=True)
    model = folder / f"{code}.truecase"
    train(arguments.text, code, model, arguments.threads)
    names = {"code": code, "name": name, "module": module, "package": package_of(code)}
    about = {**names, "version": __version__}
    (arguments.output / "pyproject.toml").write_text(PYPROJECT.format(**about), "utf-8")
    (folder / "__init__.py").write_text(MODULE.format(**about), "utf-8")
    card = CARD.format(
        **about,
        words=sum(len(block.split()) for block in read_blocks(arguments.text)),
        sources=arguments.sources.read_text("utf-8") if arguments.sources else "",
        command=shlex.join(["python", "scripts/train_language.py", code, "TEXT...", "-o", code]),
        size=model.stat().st_size,
        figures=figures(model, arguments.dev),
    )
    (arguments.output / "README.md").write_text(card, "utf-8")
    print(card)
    return 0


def train(text: list[str], code: str, model: Path, threads: str) -> None:
    """Train the model."""
    paths = [str(Path(path).resolve()) for path in text]
    command = [sys.executable, "-m", "truecase", "train", *paths, "-o", str(model.resolve())]
    with tempfile.TemporaryDirectory() as empty:
        # Not in the folder of the sources, whose package is not compiled.
        subprocess.run(
            [*command, "--language", code, "-j", threads, *OPTIONS], check=True, cwd=empty
        )


def figures(model: Path, texts: list[str]) -> str:
    """How good a model is on some texts."""
    if not texts:
        return ""
    truecaser = Truecaser.load(model)
    rows = []
    for path in texts:
        found = evaluate_blocks(truecaser, read_blocks([path]), language=truecaser.language)
        accuracy, f1 = 100 * found.accuracy, 100 * found.f1
        rows.append(f"| {Path(path).name} | {found.n_words:,} | {accuracy:.2f} | {f1:.2f} |")
    return FIGURES.format(rows="\n".join(rows))


if __name__ == "__main__":
    sys.exit(main())
