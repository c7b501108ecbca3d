"""The package's version, and checks of its installation."""

import os
import sys
import warnings

__all__ = ["__version__", "use_installed_package", "warn_of_namesake"]

__version__ = "0.1.0"


def use_installed_package(folder: str) -> None:
    """Replace the uncompiled package of a checkout, in `folder`, by the installed one.

    Python looks into the working directory first, so that ``import truecase`` and ``python -m
    truecase`` in a checkout find its folder, also after ``pip install .``.

    Raises
    ------
    ImportError
        No compiled package is installed; the message says how to get one.
    """
    # Wheels hold no sources of compiled modules.
    if not os.path.exists(os.path.join(folder, "_core.pyx")) or _is_compiled(folder):
        return
    from importlib.machinery import PathFinder
    from importlib.util import module_from_spec

    here = os.path.realpath(os.path.dirname(folder))
    elsewhere = [path for path in sys.path if os.path.realpath(path) != here]
    spec = PathFinder.find_spec("truecase", elsewhere)
    if (
        spec is None
        or spec.loader is None
        or not any(map(_is_compiled, spec.submodule_search_locations or []))
    ):
        raise ImportError(
            f"{folder} holds the sources of truecase, not compiled for this Python, and "
            "truecase-crf is not installed: `pip install .` in the checkout installs it, "
            "`python setup.py build_ext --inplace` compiles it where it is"
        )
    module = module_from_spec(spec)
    # After an import, Python returns the module that `sys.modules` has by that name.
    sys.modules["truecase"] = module
    del sys.modules[__name__]
    spec.loader.exec_module(module)


def _is_compiled(folder: str) -> bool:
    # `importlib.machinery` has the same list, and takes longer to import than all else here.
    from _imp import extension_suffixes

    return any(os.path.exists(os.path.join(folder, f"_core{end}")) for end in extension_suffixes())


def warn_of_namesake(folder: str) -> None:
    """Warn if the distribution ``truecase``, another project, is installed beside `folder`.

    Both have a package ``truecase``, and each overwrites files of the other.
    """
    try:
        names = os.listdir(os.path.dirname(folder))
    except OSError:
        return
    for name in names:
        # Ours is written truecase_crf-0.1.0.dist-info.
        if not name.startswith("truecase-"):
            continue
        stem, end = os.path.splitext(name)
        if end in (".dist-info", ".egg-info"):
            warnings.warn(
                f"the distributions {stem.replace('-', ' ')} and truecase-crf are both installed "
                "and overwrite each other's files: `pip uninstall truecase truecase-crf`, then "
                "install the one that you want",
                RuntimeWarning,
                stacklevel=3,
            )
