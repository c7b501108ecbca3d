"""What scripts of bench/ share: how they are run, time taken, rows of tables."""

import json
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from truecase.errors import TruecaseError


def run_script(main: Callable[[], object]) -> None:
    """Run a script and end with its exit code; 1 if a file or a library is missing, or is wrong."""
    try:
        sys.exit(main())
    except (OSError, ImportError, TruecaseError, subprocess.CalledProcessError) as error:
        file, what = getattr(error, "filename", None), getattr(error, "strerror", None)
        sys.exit(f"{Path(sys.argv[0]).name}: {f'{file}: {what}' if file and what else error}")


def best(
    run: Callable[[], object], rounds: int, clock: Callable[[], float] = time.process_time
) -> float:
    """Fewest seconds that a call took, of a processor or by another clock."""
    found = []
    for _ in range(rounds):
        start = clock()
        run()
        found.append(clock() - start)
    return min(found)


def row(cells: list[str]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def save(path: Path | None, figures: Any) -> None:
    """Keep figures, if a file is named for them."""
    if path is not None:
        path.write_text(json.dumps(figures, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
