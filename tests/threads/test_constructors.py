"""Constructors of compiled classes: made whole by ``__cinit__``; ``__init__`` has nothing to do."""

import inspect
import sysconfig
from importlib import import_module
from pathlib import Path

import truecase

PACKAGE = Path(truecase.__file__).parent
SUFFIX = sysconfig.get_config_var("EXT_SUFFIX")
MODULES = sorted(
    "truecase." + path.relative_to(PACKAGE).as_posix().removesuffix(SUFFIX).replace("/", ".")
    for path in PACKAGE.rglob(f"*{SUFFIX}")
)


def compiled_classes():
    for name in MODULES:
        for value in vars(import_module(name)).values():
            if inspect.isclass(value) and value.__module__ == name:
                yield value


def test_there_is_nothing_that_init_could_exchange():
    classes = list(compiled_classes())
    assert len(classes) > 40
    with_init = [
        cls.__qualname__
        for cls in classes
        if cls.__init__ is not object.__init__ and not issubclass(cls, BaseException)
    ]
    assert with_init == []
