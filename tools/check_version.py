"""Fail unless the files have the version of a release: check_version.py 1.2.3."""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
WRITTEN = {
    "pyproject.toml": r'^version = "(.+)"$',
    "truecase/_installation.py": r'^__version__ = "(.+)"$',
    "CHANGELOG.md": r"^## \[(\d.*?)\] - \d{4}-\d\d-\d\d$",  # the latest one, dated
}


def main(version: str) -> int:
    wrong = 0
    for name, pattern in WRITTEN.items():
        found = re.search(pattern, (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE)
        if found is None or found[1] != version:
            print(f"{name}: version {found[1] if found else 'missing'}, the release is {version}")
            wrong += 1
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: check_version.py VERSION")
    sys.exit(main(sys.argv[1]))
