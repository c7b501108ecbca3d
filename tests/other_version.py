"""A worker with another version of the package: a ``sitecustomize.py`` by which Python finds it."""

import os
import shutil
from pathlib import Path

import truecase

OTHER_VERSION = "9.8.7"


def with_other_version(folder):
    """The text of that module; the other package, all of links but its version, is in a folder."""
    shutil.copytree(Path(truecase.__file__).parent, folder / "truecase", copy_function=os.symlink)
    version = folder / "truecase" / "_installation.py"
    text = version.read_text(encoding="utf-8")
    version.unlink()
    version.write_text(text.replace(truecase.__version__, OTHER_VERSION), encoding="utf-8")
    # Before any path, since Ray puts the driver's first.
    return f"""
import sys
from importlib.machinery import PathFinder
class Other:
    def find_spec(name, path=None, target=None):
        if name == "truecase":
            return PathFinder.find_spec(name, [{str(folder)!r}])
sys.meta_path.insert(0, Other)
"""
