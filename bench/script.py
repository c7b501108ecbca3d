"""How scripts of bench/ are run: what is wrong with their input is one sentence."""

import sys
from collections.abc import Callable
from pathlib import Path

from truecase.errors import TruecaseError


def run_script(main: Callable[[], object]) -> None:
    """Run a script and end with its exit code; 1 if a file or a library is missing, or is wrong."""
    try:
        sys.exit(main())
    except (OSError, ImportError, TruecaseError) as error:
        file, what = getattr(error, "filename", None), getattr(error, "strerror", None)
        sys.exit(f"{Path(sys.argv[0]).name}: {f'{file}: {what}' if file and what else error}")
