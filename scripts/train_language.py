"""Train the model of a language, and write its package, like those in ``models/``.

    python scripts/train_language.py LANG TEXT... -o FOLDER [--names FILE] [--dev NAME=FILE...]
    pip install ./FOLDER
    truecase -l LANG < text.txt

TEXT is naturally cased text of the language, plain or compressed, a sentence or a paragraph per
line. `languages.toml` has the options of each language. --names is a list of `name_lists.py`, with
names that TEXT may lack. FOLDER gets the model, a card that names its training text, and the files
that pip needs. --dev is text that is not among TEXT: the card gets the figures of the model on it,
and the first of these texts calibrates the model. --sources is a Markdown file with the sources of
the text and their licences, which becomes part of the card. With -m, the package contains an
existing model that was trained on TEXT.
"""

import argparse
import os
import shlex
import shutil
import sys
import tempfile
from functools import cache
from pathlib import Path
from typing import Any

from truecase import PRESETS, Truecaser, __version__
from truecase.base.progress import Progress
from truecase.base.read import read_blocks
from truecase.errors import TruecaseError
from truecase.evaluation.metrics import evaluate_blocks
from truecase.model.embedded import languages
from truecase.model.model import Model
from truecase.training.calibration import calibrate
from truecase.training.punctuation import train_marks
from truecase.training.recipe import MarksRecipe
from truecase.training.train import train as training

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

#: Options of each language.
OPTIONS = Path(__file__).with_name("languages.toml")
# Lines that are no sentences in an order teach no marks.
NOT_FOR_MARKS = ("freeciv", "leipzig", "short")
MARKS = {"n_units": 64, "n_words": 1 << 14, "n_pairs": 1 << 15}

# What pip needs, but for the model and the card. The models of `models/` are held to it by a test.
FILES = {
    "pyproject.toml": """\
[build-system]
requires = ["setuptools>=77"]
build-backend = "setuptools.build_meta"

[project]
name = "truecase-crf-{code}"
version = "{version}"
description = "The {name} model of truecase"
readme = "README.md"
requires-python = ">=3.10"
license = "{licence}"
authors = [{{ name = "The truecase developers" }}]
dependencies = ["truecase-crf>={version}"]

[project.entry-points."truecase.models"]
{code} = "truecase_model_{code}:PATH"

[tool.setuptools]
packages = ["truecase_model_{code}"]

[tool.setuptools.package-data]
truecase_model_{code} = ["*.truecase"]
""",
    "truecase_model_{code}/__init__.py": '''\
"""The {name} model of truecase: `truecase -l {code}`, `Truecaser.load("{code}")`."""

import os

PATH = os.path.join(os.path.dirname(__file__), "{code}.truecase")
''',
}

CARD = """\
# truecase-crf-{code}: {name} for truecase

```console
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

## Figures

Text is lowercased, cased again and compared, a word being what stands between white space. F1 is
over words that are not all-lowercase.

| text | words | token accuracy | F1 |
|---|---:|---:|---:|
{rows}

## Licence

{licence}
"""


def main() -> int:
    """Run from the command line."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("code", metavar="LANG", help="code of the language, such as de")
    parser.add_argument("text", metavar="TEXT", nargs="+", help="cased text")
    parser.add_argument("-o", "--output", metavar="FOLDER", required=True, type=Path)
    parser.add_argument("-m", "--model", metavar="MODEL", help="a model that TEXT has made")
    parser.add_argument("--command", help="what has made MODEL, for the card")
    parser.add_argument("--name", help="of the language, in English")
    parser.add_argument("--dev", metavar="NAME=FILE", nargs="+", default=[], help="to judge it by")
    parser.add_argument("--sources", metavar="FILE", type=Path, help="where the text is from")
    parser.add_argument("--licence", metavar="ID", default="CC-BY-SA-4.0", help="by SPDX")
    parser.add_argument("--names", metavar="FILE", help="a list of scripts/name_lists.py")
    parser.add_argument("-j", "--threads", metavar="N", type=int, default=1)
    arguments = parser.parse_args()
    code = arguments.code
    if not code.isascii() or not code.isalpha() or not code.islower():
        parser.error(f"LANG: expected a code in lower case, such as de, not {code!r}")
    name = arguments.name or languages().get(code)
    if name is None:
        parser.error(f"--name: what is the language of the code {code} called?")
    if (arguments.model is None) != (arguments.command is None):
        parser.error("-m and --command go together: the card says what has made the model")
    judged = [text.rpartition("=")[2] for text in arguments.dev]
    for path in [*arguments.text, *judged, *filter(None, [arguments.names, arguments.sources])]:
        open(path, "rb").close()  # before anything is trained
    folder: Path = arguments.output
    model = folder / f"truecase_model_{code}" / f"{code}.truecase"
    model.parent.mkdir(parents=True, exist_ok=True)
    if arguments.model is None:
        made = train(code, arguments.text, arguments.names, arguments.threads)
        if arguments.dev:
            made = calibrate(made, judged[:1]).model
        made.save(model)
    else:
        shutil.copyfile(arguments.model, model)
    for path, text in package_files(code, name, __version__, arguments.licence).items():
        (folder / path).write_text(text, "utf-8")
    command = ["python", "scripts/train_language.py", code, "TEXT...", "-o", f"models/{code}"]
    if arguments.names is not None:
        command += ["--names", f"{code}.txt"]
    card = CARD.format(
        code=code,
        name=name,
        version=__version__,
        licence=arguments.licence,
        words=sum(n_words(path, code) for path in arguments.text),
        sources=arguments.sources.read_text("utf-8") if arguments.sources else "",
        command=arguments.command or shlex.join(command),
        size=model.stat().st_size,
        rows="\n".join(figures(model, arguments.dev)),
    )
    (folder / "README.md").write_text(card, "utf-8")
    print(card)
    return 0


def package_files(code: str, name: str, version: str, licence: str) -> dict[str, str]:
    """Return the files of a package by their paths, without the model and the card."""
    facts = {"code": code, "name": name, "version": version, "licence": licence}
    return {path.format(**facts): text.format(**facts) for path, text in FILES.items()}


def train(code: str, text: list[str], names: str | None, threads: int) -> Model:
    """Train a model by `OPTIONS`."""
    model = train_case(code, text, names, threads)
    marks = options(code)["marks"]
    if not marks:
        return model
    text = [path for path in sorted(text) if not _stem(path).endswith(NOT_FOR_MARKS)]
    lists = {n: tuple(value) if isinstance(value, list) else value for n, value in marks.items()}
    with Progress(sum(os.path.getsize(path) for path in text), "reading") as progress:
        return train_marks(model, text, MarksRecipe(**(MARKS | lists)), progress=progress)


@cache
def options(code: str) -> dict[str, Any]:
    """Return the options of a language."""
    with OPTIONS.open("rb") as file:
        found = tomllib.load(file)
    chosen: dict[str, Any] = found["usual"] | found.get(code, {})
    steps = found.get(chosen["marks"].pop("steps", None), {})
    return chosen | {"marks": steps | chosen["marks"]}


def train_case(code: str, text: list[str], names: str | None, threads: int) -> Model:
    """Train a model without marks."""
    chosen = options(code)
    network = {n: chosen[n] for n in ("n_words", "n_pairs", "n_affixes", "epochs")}
    network |= {"rate": 0.006, "row_rate": 0.16}
    recipe = PRESETS["crf-neural"].with_options(
        {
            "text.language": code,
            "lexicon.min_count": chosen["min_count"],
            "max_size": chosen["max_size"],
            **{f"network.{name}": value for name, value in network.items()},
        }
    )
    with tempfile.TemporaryDirectory() as folder:
        paths, lists = [], []
        for path in sorted(text):
            some = chosen_lines(path, code)
            paths.append(path if some is None else _written(some, folder, path))
        if names is not None:
            lists.append(_written(_lines(names)[: chosen["names"]], folder, names))
        with Progress(sum(os.path.getsize(path) for path in paths), "reading") as progress:
            trained = training(paths, recipe, names=lists, threads=threads, progress=progress)
    return trained.model


def chosen_lines(path: str, code: str) -> list[bytes] | None:
    """Return the lines of a text that the model learns from; None for all."""
    for end, every in options(code)["every"].items():
        if _stem(path).endswith(end):
            return _lines(path)[::every]
    return None


def _stem(path: str) -> str:
    return Path(path).name.split(".")[0]


def _lines(path: str) -> list[bytes]:
    return b"".join(read_blocks([path])).splitlines(keepends=True)


def _written(lines: list[bytes], folder: str, path: str) -> str:
    # Two texts may have the same name.
    file = Path(tempfile.mkdtemp(dir=folder)) / f"{_stem(path)}.txt"
    file.write_bytes(b"".join(lines))
    return str(file)


def n_words(path: str, code: str) -> int:
    """Return how many words of a text the model learns from."""
    blocks = chosen_lines(path, code)
    return sum(len(block.split()) for block in (read_blocks([path]) if blocks is None else blocks))


def figures(model: Path, texts: list[str]) -> list[str]:
    """Return the figures of a model on texts, given as NAME=FILE or FILE, as rows of a table."""
    truecaser = Truecaser.load(model)
    rows = []
    for text in texts:
        name, _, path = text.rpartition("=")
        found = evaluate_blocks(truecaser, read_blocks([path]), language=truecaser.language)
        accuracy, f1 = 100 * found.accuracy, 100 * found.f1
        name = name or Path(path).name
        rows.append(f"| {name} | {found.n_words:,} | {accuracy:.2f} | {f1:.2f} |")
    return rows


if __name__ == "__main__":
    try:
        sys.exit(main())
    except (OSError, TruecaseError) as error:
        sys.exit(f"train_language.py: {error}")
