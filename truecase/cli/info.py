"""``truecase info``: show what is in a model."""

from __future__ import annotations

import argparse
import dataclasses
import os
from typing import Any

from truecase.cli.commands import Command
from truecase.cli.flags import Flag
from truecase.cli.streams import write_json, write_text
from truecase.errors import UsageError, named

_OF_THE_FILE = ("format", "package", "checksum")


def run(arguments: argparse.Namespace) -> None:
    """Run the command."""
    about: Any = languages() if arguments.languages else describe(arguments.model, arguments.verify)
    if arguments.json:
        write_json(about)
    else:
        write_text("-", language_table(about) if arguments.languages else as_text(about))


STEPS = {"": Command(run, {"model": Flag("MODEL", nargs="?")}, {"shown": "languages json verify"})}


def languages() -> list[dict[str, Any]]:
    """List the languages that have a model, and how to get those that are not installed."""
    from truecase.model import embedded
    from truecase.truecaser.multilingual import installed_languages

    names = {embedded.EMBEDDED[0]: "English", **embedded.languages()}
    here = set(installed_languages())
    found = []
    for code in sorted({*names, *here}):
        how = "" if code in here else embedded.how_to_get(code)
        file = embedded.model_file(code) if code in here else embedded.file_to_install(code)
        size = None if file is None else os.path.getsize(file)
        found.append({"code": code, "language": names.get(code, ""), "bytes": size, "get": how})
    return found


def language_table(about: list[dict[str, Any]]) -> str:
    """Write the list of languages as a table."""
    lines = ["code   language      MB  model\n"]
    for one in about:
        size = f"{one['bytes'] / 1e6:.1f}" if one["bytes"] else "-"
        model = one["get"] or "installed"
        lines.append(f"{one['code']:5}  {one['language']:10}  {size:>4}  {model}\n")
    return "".join(lines)


def describe(path: str | None, verify: bool = False) -> dict[str, Any]:
    """Describe a model, its components, and the sizes of its file and arrays."""
    from truecase.model.embedded import is_embedded, model_file
    from truecase.model.model import Model

    file = os.fspath(model_file(path))
    of_file = {"file": file, "bytes": os.path.getsize(file)}
    if path is not None and not is_embedded(path):
        from truecase.base.model_file import check_is_file
        from truecase.rules.moses import read_moses_model
        from truecase.training.count_files import CountsReader, is_counts

        check_is_file(file)
        if is_counts(file):
            with CountsReader(file) as counts:
                if verify:
                    counts.verify()
                told = dataclasses.asdict(counts.about)
            return {**of_file, **told}
        moses_model = read_moses_model(file)
        if moses_model is not None:
            if verify:
                raise UsageError("--verify: models of Moses' truecaser have no checksum")
            return {**of_file, **moses_model.metadata}
    from truecase.base.model_file import read_model, type_of

    # Nothing else needs this copy, and the file may be written to while it is read.
    arrays, metadata = read_model(file, verify, copy=True)
    with named(file):
        model = Model.of_arrays(arrays, metadata)
    about = model.info()
    return {
        **of_file,
        **{name: metadata[name] for name in _OF_THE_FILE if name in metadata},
        "preset": model.preset,
        **about.pop("notes"),
        # Notes, such as figures of training, may have the same names.
        "components": about,
        "arrays": {
            name: {"type": type_of(array), "items": len(array), "bytes": array.nbytes}
            for name, array in sorted(arrays.items())
        },
    }


def as_text(about: dict[str, Any], indent: str = "") -> str:
    """Write nested names and values as indented lines."""
    width = max((len(name) for name in about), default=0)
    lines = []
    for name, value in about.items():
        if (
            isinstance(value, dict)
            and value
            and not any(isinstance(inner, (dict, list)) for inner in value.values())
            and indent
        ):
            inner = ", ".join(f"{key} {_shown(item)}" for key, item in value.items())
            lines.append(f"{indent}{name:{width}}  {inner}\n")
        elif isinstance(value, dict):
            lines.append(f"{indent}{name}\n{as_text(value, indent + '  ')}")
        else:
            lines.append(f"{indent}{name:{width}}  {_shown(value)}".rstrip() + "\n")
    return "".join(lines)


def _shown(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, int):
        return f"{value:,}"
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list):
        return " ".join(map(_shown, value)) or "none"
    if value is None or value == "":
        return "none"
    return " ".join(str(value).split())
