"""The script ``bench/learning_curve.py``, which tests call as if it were a command."""

import importlib.util
import sys
from pathlib import Path

from truecase.cli import main

NAME = "learning-curve"
_SCRIPT = Path(__file__).parents[1] / "bench" / "learning_curve.py"


def program(arguments):
    """What runs the script, which `arguments` name first, in a process of its own."""
    return [sys.executable, str(_SCRIPT), *arguments[1:]]


def run(arguments):
    """Run the command, or the script if it is named first, in this process."""
    return script().main(arguments[1:]) if arguments[0] == NAME else main(arguments)


def script():
    """The script as a module, beside others that it imports."""
    sys.path.append(str(_SCRIPT.parent))
    spec = importlib.util.spec_from_file_location("learning_curve", _SCRIPT)
    module = sys.modules[spec.name] = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
